//! Scene 14: negative origin, 64-unit and 0.25-unit cells, xz plane, rotated grid: world → cell → world.

use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    solve::SolveMode,
    world::{Grid, GridTransform},
};

use crate::support::*;

#[test]
fn cells_come_back_from_the_world() {
    let origins = [Vec3::ZERO, Vec3::new(-1000.0, -250.5, 3.0), Vec3::new(0.1, 7.0, -80.0)];
    let turns = [Quat::IDENTITY, Quat::from_rotation_z(0.7), Quat::from_euler(EulerRot::XYZ, 0.3, -1.1, 2.0)];
    for plane in
        [GridPlane::Xy, GridPlane::XyDown, GridPlane::Xz, GridPlane::Tilted(Quat::from_rotation_x(0.5))]
    {
        for (cell_size, origin, turn) in [64.0, 1.0, 0.25]
            .iter()
            .flat_map(|&s| origins.map(|o| (s, o)))
            .flat_map(|(s, o)| turns.map(|t| (s, o, t)))
        {
            let nav = NavGrid::new(Grid::new(50, 40).unwrap()).with_cell_size(cell_size).with_plane(plane);
            let at = GridTransform::new(&nav, Transform::from_translation(origin).with_rotation(turn));
            for cell in nav.grid().bounds().cells().step_by(7) {
                let back = at.cell_at(at.cell_center(cell));
                assert_eq!(back, cell, "{plane:?}, cells of {cell_size} at {origin}, turned by {turn}");
            }
        }
    }
}

#[test]
fn an_agent_arrives_on_every_such_grid() {
    for (cell_size, plane) in [
        (64.0, GridPlane::Xz),
        (0.25, GridPlane::XyDown),
        (1.0, GridPlane::Tilted(Quat::from_rotation_y(0.4))),
    ] {
        let mut app = app(SolveMode::Inline);
        let nav = NavGrid::new(walled(12)).with_cell_size(cell_size).with_plane(plane);
        let place = Transform::from_xyz(-500.0, -20.0, 33.0).with_rotation(Quat::from_rotation_z(0.8));
        let [start, goal] =
            [(1, 1), (10, 1)].map(|cell| GridTransform::new(&nav, place).cell_center(cell.into()));
        app.world_mut().spawn((nav, place));
        let agent = Agent { arrive_radius: 0.1 * cell_size, ..Agent::new(5.0 * cell_size) };
        let agent = app.world_mut().spawn((agent, Transform::from_translation(start))).id();
        order(&mut app, agent, goal);
        ticks(&mut app, 64 * 8);
        assert_eq!(status(&app, agent), PathStatus::Arrived, "cells of {cell_size} on {plane:?}");
        let off = position(&app, agent).distance(goal) / cell_size;
        assert!(off < 0.15, "cells of {cell_size} on {plane:?}: it is {off} cells off");
    }
}
