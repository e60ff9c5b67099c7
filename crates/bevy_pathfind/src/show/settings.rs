//! Settings of the gizmos: what is drawn, colours, and line widths.

use bevy::color::palettes::tailwind;
use bevy::prelude::*;

use crate::attributes::{Heading, MeasuredIn};

/// What is drawn with gizmos. Everything is off by default, and nothing outside the cameras' view is drawn. Insert
/// it before the plugin to start with other values.
#[derive(Resource, Reflect, Debug, Clone, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Resource, Default, Debug, PartialEq)]
pub struct NavGizmos {
    /// The outline of grids, the lines between their cells, fences, arrows where steps lead over edges with other rules,
    /// and crosses on cells that are blocked for the default kind of agent. Default: `false`.
    #[reflect(@Heading("World"))]
    pub grid: bool,
    /// Squares in cells whose terrain costs the default kind of agent more or less than 1: the higher the cost, the
    /// more opaque. Default: `false`.
    pub terrain: bool,
    /// The connected regions of the default kind of agent, each in its own colour: no path leads from one region to
    /// another. Default: `false`.
    pub regions: bool,
    /// The distance from each cell's centre to the nearest blocked cell, as a circle of at most 0.45 cells; a
    /// second circle inside it grows with distances of 1 to 8 cells. Default: `false`.
    pub clearance: bool,
    /// In each cell an arrow along the shortest path to the goal of the latest search, for the default kind of
    /// agent. Default: `false`.
    pub flow_field: bool,
    /// Links: a line between the ends of each, with an arrow where it leads to, or two; links that are shut are dim.
    /// Default: `false`.
    pub links: bool,
    /// Layers of influence: in each cell a square for each layer that has a value there, the larger the value, the
    /// larger and more opaque. Each layer has its own colour; negative values are outlined twice. Default: `false`.
    pub influence: bool,
    /// Line width of the world stage's gizmos. Unit: pixels. Range: 0 and up. Default: `2.0`.
    #[reflect(@0.5..=10.0_f32, @MeasuredIn("pixels"))]
    pub world_width: f32,
    /// Colour of grids.
    pub grid_color: Color,
    /// Colour of terrain costs; the highest cost in view is fully opaque.
    pub terrain_color: Color,
    /// Colour of clearance circles.
    pub clearance_color: Color,
    /// Colour of flow fields.
    pub flow_color: Color,
    /// Colour of links.
    pub link_color: Color,
    /// The remaining part of each agent's path. Default: `false`.
    #[reflect(@Heading("Solve"))]
    pub paths: bool,
    /// The cells that the latest search opened and closed; needs `SolveSettings::record`. Default: `false`.
    pub search: bool,
    /// The cells that agents with a `CellRequest` may choose from, from red for the worst score to green for the best: the
    /// best 400 for up to 4 agents, searched anew in each frame. Default: `false`.
    pub candidates: bool,
    /// Line width of the solve stage's gizmos. Unit: pixels. Range: 0 and up. Default: `2.0`.
    #[reflect(@0.5..=10.0_f32, @MeasuredIn("pixels"))]
    pub solve_width: f32,
    /// Colour of paths.
    pub path_color: Color,
    /// Colour of cells on the open list.
    pub opened_color: Color,
    /// Colour of cells on the closed list.
    pub closed_color: Color,
    /// Lines from pursuers to their targets; from fugitives that flee fainter lines to their threats, and arrows to where
    /// they run. Default: `false`.
    #[reflect(@Heading("Steer"))]
    pub targets: bool,
    /// The look-ahead of avoiders, with the obstacle that it hit and its normal. Default: `false`.
    pub probes: bool,
    /// The radii and ranges in the settings of flocks, pursuers and avoiders, as circles, for up to 300 agents.
    /// Default: `false`.
    pub radii: bool,
    /// Line width of the steer stage's gizmos. Unit: pixels. Range: 0 and up. Default: `2.0`.
    #[reflect(@0.5..=10.0_f32, @MeasuredIn("pixels"))]
    pub steer_width: f32,
    /// Colour of lines to targets.
    pub target_color: Color,
    /// Colour of probes.
    pub probe_color: Color,
    /// Colour of radii and ranges.
    pub radius_color: Color,
    /// Agents' bodies as circles, and their velocities as arrows. Default: `false`.
    #[reflect(@Heading("Motion"))]
    pub agents: bool,
    /// Line width of the motion stage's gizmos. Unit: pixels. Range: 0 and up. Default: `2.0`.
    #[reflect(@0.5..=10.0_f32, @MeasuredIn("pixels"))]
    pub motion_width: f32,
    /// Colour of bodies.
    pub agent_color: Color,
    /// Colour of velocities.
    pub velocity_color: Color,
    /// Colour of agents that are selected in the panel.
    #[reflect(@Heading("Panel"))]
    pub selected_color: Color,
}

impl NavGizmos {
    /// Grids, links, paths, targets, probes and agents are drawn: all that tells at a glance what goes on.
    #[must_use]
    pub fn all() -> Self {
        Self { grid: true, links: true, paths: true, targets: true, probes: true, agents: true, ..default() }
    }
}

impl Default for NavGizmos {
    fn default() -> Self {
        Self {
            grid: false,
            terrain: false,
            regions: false,
            clearance: false,
            flow_field: false,
            links: false,
            influence: false,
            world_width: 2.0,
            grid_color: tailwind::GRAY_600.into(),
            terrain_color: tailwind::ORANGE_500.into(),
            clearance_color: tailwind::TEAL_500.into(),
            flow_color: tailwind::INDIGO_300.into(),
            link_color: tailwind::TEAL_300.into(),
            paths: false,
            search: false,
            candidates: false,
            solve_width: 2.0,
            path_color: tailwind::AMBER_300.into(),
            opened_color: tailwind::GREEN_400.into(),
            closed_color: tailwind::SKY_500.into(),
            targets: false,
            probes: false,
            radii: false,
            steer_width: 2.0,
            target_color: tailwind::ROSE_500.into(),
            probe_color: tailwind::PINK_300.into(),
            radius_color: tailwind::VIOLET_400.into(),
            agents: false,
            motion_width: 2.0,
            agent_color: tailwind::GRAY_100.into(),
            velocity_color: tailwind::LIME_300.into(),
            selected_color: tailwind::YELLOW_300.into(),
        }
    }
}
