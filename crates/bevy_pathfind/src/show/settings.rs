//! What is drawn, and in which colours.

use bevy::color::palettes::tailwind;
use bevy::prelude::*;

/// What is drawn with gizmos. All is off by default. Insert it before the plugin to start with other values.
#[derive(Resource, Reflect, Debug, Clone, PartialEq)]
#[reflect(Resource, Default, Debug, PartialEq)]
pub struct ShowSettings {
    /// The outline of grids and, up to 256 cells a side, the lines between their cells and crosses on those
    /// that the default kind of agent may not stand on. Default: `false`.
    pub grid: bool,
    /// What is left of agents' paths. Default: `false`.
    pub paths: bool,
    /// The cells that the latest search opened and closed; needs `SolveSettings::record`. Default: `false`.
    pub search: bool,
    /// Lines from pursuers to their targets. Default: `false`.
    pub targets: bool,
    /// Agents' bodies and velocities. Default: `false`.
    pub agents: bool,
    /// Colour of grids.
    pub grid_color: Color,
    /// Colour of paths.
    pub path_color: Color,
    /// Colour of cells on the open list.
    pub opened_color: Color,
    /// Colour of cells on the closed list.
    pub closed_color: Color,
    /// Colour of lines to targets.
    pub target_color: Color,
    /// Colour of bodies.
    pub agent_color: Color,
    /// Colour of velocities.
    pub velocity_color: Color,
}

impl Default for ShowSettings {
    fn default() -> Self {
        Self {
            grid: false,
            paths: false,
            search: false,
            targets: false,
            agents: false,
            grid_color: tailwind::GRAY_600.into(),
            path_color: tailwind::AMBER_300.into(),
            opened_color: tailwind::GREEN_400.into(),
            closed_color: tailwind::SKY_500.into(),
            target_color: tailwind::ROSE_500.into(),
            agent_color: tailwind::GRAY_100.into(),
            velocity_color: tailwind::LIME_300.into(),
        }
    }
}
