//! Tanks: a small game. Hold the base against waves of enemy tanks that find paths to you.
//!
//! All tanks are `Agent`s: yours is driven by `ManualVelocity`, enemies have `PathRequest`s with four directions.
//! Shells break bricks with `NavGrid::set`, and paths follow. All rules run in `FixedUpdate`.

mod arena;
mod art;
mod effects;
mod enemies;
mod game;
mod pickups;
mod player;
mod screen;
mod shells;
mod tank;
mod waves;

use bevy::prelude::*;
use bevy_pathfind::prelude::*;

use super::{Scene, forget_kinds};
use crate::view::ViewSystems;

pub(crate) const SCENE: Scene = Scene {
    name: "tanks",
    title: "Tanks",
    about: "Hold the base against the waves. They find paths to you through the streets; every brick that \
            falls, by your shells or theirs, can open a shorter path.",
    try_this: "shoot a hole into the bricks: the enemies take it as a short cut.",
    keys: &[
        ("WASD, arrows", "drive"),
        ("Pointer", "aim"),
        ("Left button, F", "fire"),
        ("Enter", "play again, once it is over"),
    ],
    searches: false,
    build,
    controls: screen::controls,
};

fn build(app: &mut App) {
    app.init_resource::<art::Art>()
        .insert_resource(game::Game::new(&game::TanksSettings::default(), 0, 0))
        .init_resource::<game::TanksSettings>()
        .add_observer(enemies::count_short_cut)
        .add_systems(SCENE.enter(), arena::enter)
        .add_systems(SCENE.exit(), forget_kinds)
        .add_systems(
            FixedUpdate,
            (
                waves::run,
                player::aim_and_fire,
                enemies::request_paths,
                enemies::stop_behind_others,
                enemies::aim_and_fire,
            )
                .chain()
                .before(NavSystems::World)
                .run_if(SCENE.is_active().and_then(game::is_on)),
        )
        .add_systems(
            FixedUpdate,
            (
                tank::reload,
                effects::leave_track_marks,
                shells::move_shells,
                tank::destroy_tanks,
                player::revive,
                pickups::collect,
                game::check_defeat,
            )
                .chain()
                .after(NavSystems::Motion)
                .run_if(SCENE.is_active().and_then(game::is_on)),
        )
        .add_systems(
            Update,
            (
                (
                    tank::turn_turrets,
                    tank::show_armour,
                    effects::fade,
                    effects::raise_points_texts,
                    pickups::pulse,
                    player::show_aim,
                )
                    .after(ViewSystems),
                shells::clear.run_if(not(game::is_on)),
                effects::shake.before(ViewSystems),
                screen::write_facts,
            )
                .run_if(SCENE.is_active()),
        )
        .add_systems(
            bevy_egui::EguiPrimaryContextPass,
            (screen::show_score, screen::show_points, screen::show_end).run_if(SCENE.is_active()),
        );
}

#[cfg(test)]
mod tests;
