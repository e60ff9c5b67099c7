//! What is drawn, in which colours, and how wide the lines are.

use bevy::color::palettes::tailwind;
use bevy::prelude::*;

/// An attribute of a field: the name of the group that begins with it, as the panel shows it.
#[derive(Reflect, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heading(pub &'static str);

/// What is drawn with gizmos, and where the camera looks only. All is off by default. Insert it before the
/// plugin to start with other values.
#[derive(Resource, Reflect, Debug, Clone, PartialEq)]
#[reflect(Resource, Default, Debug, PartialEq)]
pub struct NavGizmoSettings {
    /// The outline of grids, the lines between their cells, and crosses on those that the default kind of
    /// agent may not stand on. Default: `false`.
    #[reflect(@Heading("World"))]
    pub grid: bool,
    /// What terrain costs the default kind of agent, as a tint of each cell that costs more or less than 1.
    /// Default: `false`.
    pub terrain: bool,
    /// The connected regions of the default kind of agent, each in a colour of its own: no way leads from
    /// one colour to another. Default: `false`.
    pub regions: bool,
    /// How far each cell is from the nearest wall, as a circle that just fits. Default: `false`.
    pub clearance: bool,
    /// From each cell the way to the goal of the agent that asked last, for the default kind of agent. Default:
    /// `false`.
    pub flow_field: bool,
    /// Width of the lines of this stage. Unit: pixels. Range: 0 and up. Default: `2.0`.
    #[reflect(@0.5..=10.0_f32)]
    pub world_width: f32,
    /// Colour of grids.
    pub grid_color: Color,
    /// Colour of costs: of the dearest terrain.
    pub terrain_color: Color,
    /// Colour of clearance.
    pub clearance_color: Color,
    /// Colour of flow fields.
    pub flow_color: Color,
    /// What is left of agents' paths. Default: `false`.
    #[reflect(@Heading("Solve"))]
    pub paths: bool,
    /// The cells that the latest search opened and closed; needs `SolveSettings::record`. Default: `false`.
    pub search: bool,
    /// Width of the lines of this stage. Unit: pixels. Range: 0 and up. Default: `2.0`.
    #[reflect(@0.5..=10.0_f32)]
    pub solve_width: f32,
    /// Colour of paths.
    pub path_color: Color,
    /// Colour of cells on the open list.
    pub opened_color: Color,
    /// Colour of cells on the closed list.
    pub closed_color: Color,
    /// Lines from pursuers to their targets. Default: `false`.
    #[reflect(@Heading("Steer"))]
    pub targets: bool,
    /// What avoiders look at, and what they have hit. Default: `false`.
    pub probes: bool,
    /// The radii and ranges of steering: of flocks, pursuers and avoiders. Default: `false`.
    pub radii: bool,
    /// Width of the lines of this stage. Unit: pixels. Range: 0 and up. Default: `2.0`.
    #[reflect(@0.5..=10.0_f32)]
    pub steer_width: f32,
    /// Colour of lines to targets.
    pub target_color: Color,
    /// Colour of probes.
    pub probe_color: Color,
    /// Colour of radii.
    pub radius_color: Color,
    /// Agents' bodies and velocities. Default: `false`.
    #[reflect(@Heading("Motion"))]
    pub agents: bool,
    /// Width of the lines of this stage. Unit: pixels. Range: 0 and up. Default: `2.0`.
    #[reflect(@0.5..=10.0_f32)]
    pub motion_width: f32,
    /// Colour of bodies.
    pub agent_color: Color,
    /// Colour of velocities.
    pub velocity_color: Color,
    /// Colour of whoever is selected in the panel.
    #[reflect(@Heading("Panel"))]
    pub selected_color: Color,
}

impl Default for NavGizmoSettings {
    fn default() -> Self {
        Self {
            grid: false,
            terrain: false,
            regions: false,
            clearance: false,
            flow_field: false,
            world_width: 2.0,
            grid_color: tailwind::GRAY_600.into(),
            terrain_color: tailwind::ORANGE_500.into(),
            clearance_color: tailwind::TEAL_500.into(),
            flow_color: tailwind::INDIGO_300.into(),
            paths: false,
            search: false,
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
