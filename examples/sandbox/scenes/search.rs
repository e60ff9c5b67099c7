//! Search lab: draw a map, and watch one search or two find a path across it.
//!
//! ```text
//!  maps ─▶ Board (grid, on screen) ─▶ results: Recording, Answer ─▶ paint: cells, parents, path
//!             ▲ edit: drag, draw                    ▲ ui: choices, replay, table
//! ```

mod board;
mod edit;
mod hover;
mod maps;
mod paint;
mod replay;
mod results;
mod ui;

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_pathfind::world::Grid;

use super::{Scene, Seed};
use crate::{flags::Flags, view::View, view::ViewSystems};
#[cfg(target_arch = "wasm32")]
pub(crate) use ui::MapChoice;

pub(crate) const SCENE: Scene = Scene {
    name: "search",
    title: "Search lab",
    about: "Two searches, one map: which cells they look at, in which order, and which path they find. Draw \
            walls, swamps and fences, drag start and goal, and point at a cell: what did it cost?",
    try_this: "drag the goal behind a wall, and press Enter.",
    keys: &[
        ("Left drag", "move start and goal, or draw"),
        ("Right drag", "erase"),
        ("Ctrl+Z", "undo a stroke"),
        ("B", "next brush"),
        ("Enter", "run again"),
        ("Arrows", "one step"),
        ("M", "next map"),
    ],
    searches: false,
    build,
    controls: ui::controls,
};

/// A map from a file, to play on instead of the chosen one when the scene begins; it is taken then.
#[derive(Resource, Debug, Default)]
pub(crate) struct GivenMap(pub Option<Grid>);

/// The number of the lab's map of a name.
pub(crate) fn lab_map(name: &str) -> Option<usize> {
    maps::PRESETS.iter().position(|preset| preset.name == name)
}

fn build(app: &mut App) {
    let flags = app.world().resource::<Flags>();
    let (given, chosen) = (GivenMap(flags.grid.clone()), flags.lab_map.unwrap_or(0));
    app.insert_resource(given).insert_resource(ui::MapChoice::new(chosen));
    app.init_gizmo_group::<paint::PathGizmos>()
        .init_resource::<results::SearchResults>()
        .init_resource::<results::LabSettings>()
        .init_resource::<replay::Replay>()
        .init_resource::<board::Layout>()
        .init_resource::<edit::MapEditor>()
        .init_resource::<hover::Hovered>()
        .add_systems(Startup, paint::thicken)
        .add_systems(SCENE.enter(), enter)
        .add_systems(FixedUpdate, replay::advance.run_if(SCENE.is_active()))
        .add_systems(
            Update,
            (
                ui::read_keys,
                edit::edit_boards.after(ViewSystems),
                board::arrange,
                board::place_markers,
                results::search_again,
                paint::paint_cells,
                paint::draw_lines,
                (hover::find, hover::draw_chain).chain(),
                ui::write_facts,
            )
                .chain()
                .run_if(SCENE.is_active()),
        )
        .add_systems(
            bevy_egui::EguiPrimaryContextPass,
            (board::show_titles, hover::show_costs).run_if(SCENE.is_active()),
        );
}

/// Access to the lab's resources.
#[derive(SystemParam)]
struct Lab<'w> {
    map_choice: ResMut<'w, ui::MapChoice>,
    given: ResMut<'w, GivenMap>,
    settings: ResMut<'w, results::LabSettings>,
    results: ResMut<'w, results::SearchResults>,
    replay: ResMut<'w, replay::Replay>,
    layout: Res<'w, board::Layout>,
}

/// Sets up the chosen map; a map from a file comes first.
fn enter(
    mut commands: Commands,
    mut lab: Lab,
    (mut meshes, mut materials): (ResMut<Assets<Mesh>>, ResMut<Assets<ColorMaterial>>),
    mut view: ResMut<View>,
    seed: Res<Seed>,
) {
    let given = lab.given.0.take();
    let map = given.as_ref().map_or_else(|| lab.map_choice.preset().unedited_map(seed.0), maps::Map::given);
    if lab.map_choice.is_chosen {
        lab.map_choice.preset().choose(&mut lab.settings);
        lab.map_choice.is_chosen = false;
    }
    *lab.results = results::SearchResults::new(map.start, map.goal);
    lab.replay.begin();
    board::spawn(&mut commands, (&mut meshes, &mut materials), &map.grid, *lab.layout);
    view.frame(board::home(&map.grid, *lab.layout));
}

#[cfg(test)]
mod tests;
