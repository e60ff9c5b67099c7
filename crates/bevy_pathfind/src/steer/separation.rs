//! Keeps agents that have nothing to do with each other apart.

use bevy::prelude::*;
use pathfind_core::steer::{Flat, separate};
use serde::{Deserialize, Serialize};

use super::spread::Spread;
use super::{Company, Crowd, Slot, SteerSettings};
use crate::motion::Agent;
use crate::world::{Grids, OnGrid};

/// Pushes an agent away from others that come too near, softly and before anything else it wants.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[require(Agent)]
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

/// The pushes on agents in this tick, in world units per second².
#[derive(Resource, Debug, Default)]
pub(super) struct Pushes {
    pushes: Spread<Vec3>,
    manners: Vec<Manner>,
    /// The manner of each agent, by its slot; beyond `manners` for those that are not pushed.
    by_slot: Vec<u32>,
}

/// How an agent is pushed: the same for many.
#[derive(Debug, PartialEq)]
struct Manner {
    separation: Separation,
    up: Option<Vec3>,
    flat: Option<Flat>,
}

impl Pushes {
    /// The push on an agent.
    pub(super) fn on(&self, slot: Slot) -> Vec3 {
        self.pushes.get(slot).unwrap_or(Vec3::ZERO)
    }

    /// The number of a manner, known or new.
    fn manner(&mut self, separation: Separation, up: Option<Vec3>) -> u32 {
        let known =
            self.manners.iter().rposition(|manner| manner.separation == separation && manner.up == up);
        let number = known.unwrap_or_else(|| {
            self.manners.push(Manner { separation, up, flat: up.and_then(Flat::from_up) });
            self.manners.len() - 1
        });
        number as u32
    }
}

/// Works out the pushes.
pub(super) fn separate(
    mut pushes: ResMut<Pushes>,
    agents: Query<(&Separation, &Slot, Option<&OnGrid>)>,
    crowd: Res<Crowd>,
    company: Res<Company>,
    grids: Grids,
    settings: Res<SteerSettings>,
) {
    let (pushes, grounds) = (&mut *pushes, grids.all());
    pushes.pushes.clear();
    if agents.is_empty() {
        return;
    }
    pushes.manners.clear();
    pushes.by_slot.clear();
    pushes.by_slot.resize(crowd.len(), u32::MAX);
    for (&separation, &slot, on_grid) in &agents {
        let Some(body) = crowd.body(slot) else { continue };
        let up = grounds.of(on_grid, body.position).map_or(settings.up, |grid| Some(grid.place.up()));
        pushes.by_slot[slot.index()] = pushes.manner(separation, up);
    }
    let Pushes { pushes, manners, by_slot } = pushes;
    let neighbors = company.neighbors();
    pushes.fill(&company, |places, out| {
        // Those next to each other that are pushed alike, together.
        let manner = |slot: &u32| by_slot[*slot as usize];
        let (mut first, start) = (places.start, places.start);
        for alike in neighbors.order()[places].chunk_by(|a, b| manner(a) == manner(b)) {
            let some = first..first + alike.len();
            first = some.end;
            let Some(Manner { separation, flat, .. }) = manners.get(manner(&alike[0]) as usize) else {
                continue;
            };
            let &Separation { radius, force, limit } = separation;
            let (who, out) = ((crowd.ids(), crowd.bodies()), &mut out[some.start - start..some.end - start]);
            separate::Separation { radius, force, limit }.run(flat.as_ref(), neighbors, who, some, out);
        }
    });
}
