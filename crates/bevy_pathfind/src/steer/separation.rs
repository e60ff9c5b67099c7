//! Keeps agents that have nothing to do with each other apart.

use bevy::prelude::*;
use pathfind_core::steer::{Flat, separate};
use serde::{Deserialize, Serialize};

use super::{Company, Crowd, Slot, SteerSettings};
use crate::motion::Agent;
use crate::world::{Grids, OnGrid};

/// Pushes an agent away from others that come too near, softly and before anything else it wants.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[require(Agent, Push)]
pub struct Separation {
    /// How near others push, from centre to centre. Unit: world units. Range: 0 and up. Default: `2.0`.
    #[reflect(@0.0..=20.0_f32)]
    pub radius: f32,
    /// The push of one in the same place; it falls to nothing at the radius. Unit: world units per second².
    /// Range: 0 and up. Default: `20.0`.
    #[reflect(@0.0..=200.0_f32)]
    pub force: f32,
    /// The most that all pushes together come to. Unit: world units per second². Range: 0 and up.
    /// Default: `30.0`.
    #[reflect(@0.0..=200.0_f32)]
    pub limit: f32,
}

impl Default for Separation {
    fn default() -> Self {
        let separate::Separation { radius, force, limit } = separate::Separation::default();
        Self { radius, force, limit }
    }
}

/// The push on an agent in this tick.
#[derive(Component, Debug, Default)]
pub(crate) struct Push(pub(super) Vec3);

/// Works out the pushes.
pub(super) fn separate(
    mut agents: Query<(&Separation, &Slot, &mut Push, Option<&OnGrid>)>,
    crowd: Res<Crowd>,
    company: Res<Company>,
    grids: Grids,
    settings: Res<SteerSettings>,
) {
    agents.par_iter_mut().for_each(|(separation, slot, mut push, on_grid)| {
        let &Separation { radius, force, limit } = separation;
        push.0 = Vec3::ZERO;
        let Some(place) = company.place(slot.index()) else { return };
        let at = crowd.bodies()[slot.index()].position;
        let up = grids.of(on_grid, at).map_or(settings.up, |grid| Some(grid.place.up()));
        let flat = up.and_then(Flat::from_up);
        let mut out = [Vec3::ZERO];
        separate::Separation { radius, force, limit }.run(
            flat.as_ref(),
            company.neighbors(),
            (crowd.ids(), crowd.bodies()),
            place..place + 1,
            &mut out,
        );
        push.0 = out[0];
    });
}
