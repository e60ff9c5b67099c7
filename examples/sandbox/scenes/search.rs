//! Search lab: draw a map, and watch one search or two find a path across it.
//!
//! ```text
//!  maps ─▶ Board (grid, on screen) ─▶ bench: Recording, Answer ─▶ paint: cells, parents, path
//!             ▲ hands: drag, draw                 ▲ desk: choices, replay, table
//! ```

mod bench;
mod board;
mod desk;
mod hands;
mod maps;
mod paint;
mod replay;

use bevy::{ecs::system::SystemParam, prelude::*};

use super::{Scene, Seed};
use crate::{flags::Flags, view::View, view::ViewSystems};

pub(crate) const SCENE: Scene = Scene {
    name: "search",
    title: "Search lab",
    digit: 1,
    about: "Two searches, one map: which cells they look at, in which order, and what way they find. Draw \
            walls and swamps, drag the start and the goal, and see what changes.",
    keys: &[
        ("Left drag", "move start and goal, or draw"),
        ("Right drag", "erase"),
        ("B", "next brush"),
        ("Enter", "run again"),
        ("Arrows", "one step"),
        ("M", "next map"),
    ],
    searches: false,
    build,
    controls: desk::controls,
};

fn build(app: &mut App) {
    app.init_gizmo_group::<paint::PathGizmos>()
        .init_resource::<bench::Bench>()
        .init_resource::<bench::LabSettings>()
        .init_resource::<replay::Replay>()
        .init_resource::<hands::Hands>()
        .init_resource::<desk::Desk>()
        .add_systems(Startup, paint::thicken)
        .add_systems(SCENE.enter(), enter)
        .add_systems(FixedUpdate, replay::advance.run_if(SCENE.is_active()))
        .add_systems(
            Update,
            (
                desk::read_keys,
                hands::draw.after(ViewSystems),
                board::arrange,
                (board::dress_markers, board::place_markers),
                bench::ask,
                paint::paint_cells,
                paint::draw_lines,
                desk::tell_facts,
            )
                .chain()
                .run_if(SCENE.is_active()),
        )
        .add_systems(bevy_egui::EguiPrimaryContextPass, board::show_titles.run_if(SCENE.is_active()));
}

/// Access to the lab's resources.
#[derive(SystemParam)]
struct Lab<'w> {
    desk: ResMut<'w, desk::Desk>,
    settings: ResMut<'w, bench::LabSettings>,
    bench: ResMut<'w, bench::Bench>,
    replay: ResMut<'w, replay::Replay>,
}

/// Sets up the chosen map; a map from the command line comes first.
fn enter(mut commands: Commands, mut lab: Lab, mut view: ResMut<View>, flags: Res<Flags>, seed: Res<Seed>) {
    let given = flags.grid.as_ref().filter(|_| lab.desk.is_first);
    let map = given.map_or_else(|| lab.desk.preset().lay_out(seed.0), maps::Map::given);
    if lab.desk.is_chosen {
        lab.desk.preset().choose(&mut lab.settings);
    }
    (lab.desk.is_first, lab.desk.is_chosen) = (false, false);
    *lab.bench = bench::Bench::new(map.start, map.goal);
    lab.replay.begin();
    board::spawn(&mut commands, &map.grid, lab.settings.compare);
    view.frame(board::home(&map.grid, lab.settings.compare));
}

#[cfg(test)]
mod tests;
