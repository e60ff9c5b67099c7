//! The server: it has the agents, and says where they are.

use bevy::prelude::*;
use bevy_pathfind::prelude::*;
use bevy_replicon::{prelude::*, server::AuthorizedClient};
use bevy_replicon_example_backend::ExampleServer;

use super::{GoTo, Place, TICK, map};

pub(crate) fn game(app: &mut App) {
    app.add_plugins((TransformPlugin, PathfindPlugins::default()))
        .insert_resource(Time::<Fixed>::from_duration(TICK))
        .add_systems(Startup, open)
        .add_systems(FixedUpdate, tell.after(NavSystems::Motion))
        .add_observer(join)
        .add_observer(obey);
}

fn open(mut commands: Commands) -> Result {
    commands.spawn(map());
    let socket = ExampleServer::new(0)?; // any free port
    println!("{}", socket.local_addr()?.port());
    commands.insert_resource(socket);
    Ok(())
}

/// The entity of a client is its unit too: it goes when the client goes.
fn join(client: On<Add, AuthorizedClient>, mut commands: Commands) {
    let at = Vec3::new(-6.5, 2.0, 0.0);
    let body = (Agent::new(4.0), Avoider::default(), Transform::from_translation(at));
    commands.entity(client.entity).insert((Replicated, Place(at), body));
}

/// A client has only one way to touch the world, and only for its own unit.
fn obey(order: On<FromClient<GoTo>>, mut commands: Commands) {
    let Some(unit) = order.client_id.entity() else { return };
    commands.entity(unit).go_to(order.message.0);
}

fn tell(mut units: Query<(&Transform, &mut Place), Changed<Transform>>) {
    units.iter_mut().for_each(|(at, mut place)| place.0 = at.translation);
}
