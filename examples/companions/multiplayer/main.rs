//! Multiplayer with `bevy_replicon`: the server paths and steers, clients give orders and draw what they are told.
//!
//! ```sh
//! cargo run --example multiplayer -- server           # prints its port
//! cargo run --example multiplayer -- client PORT      # a window: click where your unit shall go
//! cargo run --example multiplayer -- client PORT X Y  # none: sends its unit to a point, prints where it draws it
//! ```
//!
//! The backend is the one of `bevy_replicon`'s own examples. Choose another for a game: it has no security.

use bevy::app::ScheduleRunnerPlugin;
use bevy::prelude::*;
use bevy::state::app::StatesPlugin;
use bevy_pathfind::prelude::*;
use bevy_replicon::prelude::*;
use bevy_replicon_example_backend::RepliconExampleBackendPlugins;
use core::time::Duration;
use serde::{Deserialize, Serialize};

pub(crate) mod client;
mod server;

/// How often the server moves its units, and says where they are.
pub(crate) const TICK: Duration = Duration::from_millis(50);

/// Where a unit is, as the server says.
#[derive(Component, Serialize, Deserialize)]
pub(crate) struct Place(pub(crate) Vec3);

/// The order of a client to its unit: a point to walk to.
#[derive(Event, Serialize, Deserialize)]
struct GoTo(Vec3);

fn main() -> Result {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let headless = (MinimalPlugins.set(ScheduleRunnerPlugin::run_loop(TICK / 3)), StatesPlugin);
    let mut app = App::new();
    match words[..] {
        ["server"] => app.add_plugins((headless, protocol, server::game)),
        ["client", port] => {
            app.insert_resource(client::connect(port)?);
            app.add_plugins((DefaultPlugins, protocol, client::game, client::window))
        }
        ["client", port, x, y] => {
            let errand = client::Errand(Vec3::new(x.parse()?, y.parse()?, 0.0));
            app.insert_resource(client::connect(port)?).insert_resource(errand);
            app.add_plugins((headless, protocol, client::game, client::walk))
        }
        _ => return Err("say `server`, `client PORT` or `client PORT X Y`".into()),
    };
    app.run();
    Ok(())
}

/// What both sides have to agree on.
fn protocol(app: &mut App) {
    app.add_plugins((RepliconPlugins, RepliconExampleBackendPlugins))
        .replicate::<Place>()
        .add_client_event::<GoTo>(Channel::Ordered);
}

/// The map: the server finds paths on it, and clients draw it.
fn map() -> NavGrid {
    let rows = "..............\n..###....##...\n....#.....#...\n....####..#...\n..............";
    NavGrid::from_ascii(rows).expect("the map is sound").centered()
}
