//! The floor of every agent of the crowd. Separation and reciprocal avoidance ignore agents on other floors. Which
//! floors there are is computed by `world`.

use bevy::prelude::*;
use pathfind_core::steer::Body;

use super::{Crowd, CrowdIndex};
use crate::agent::Agent;
use crate::world::{Airborne, Floor, Floors, Grids, OnGrid, Tie};

/// The floor of every agent, by its [`CrowdIndex`].
#[derive(Resource, Debug, Default)]
pub(super) struct AgentFloors {
    /// Empty if all agents are on the ground.
    by_slot: Vec<Floor>,
    /// The ground and all other floors with agents on them, sorted.
    floors: Vec<Floor>,
}

/// Agents that may be on another floor than the ground.
type Tied = (With<Agent>, Or<(With<OnGrid>, With<Airborne>)>);

/// Finds the floor of every agent.
pub(super) fn find_floors(
    mut agent_floors: ResMut<AgentFloors>,
    tied: Query<(&CrowdIndex, Tie), Tied>,
    crowd: Res<Crowd>,
    grids: Grids,
) {
    let AgentFloors { by_slot, floors } = &mut *agent_floors;
    by_slot.clear();
    floors.clear();
    floors.push(Floor::Ground);
    if tied.is_empty() {
        return;
    }
    let radii = crowd.bodies().iter().map(|body| body.radius).filter(|radius| radius.is_finite());
    let on_grids = tied.iter().filter(|(_, (_, airborne, ..))| airborne.is_none());
    let on_grids = on_grids.filter_map(|(_, (on, ..))| on.map(|on| on.0));
    let all_floors = Floors::new(&grids, on_grids, radii.fold(0.0, f32::max));
    by_slot.resize(crowd.len(), Floor::Ground);
    for (slot, tie) in &tied {
        let Some(floor) = by_slot.get_mut(slot.index()) else { continue };
        *floor = all_floors.of(tie);
    }
    floors.extend_from_slice(by_slot);
    floors.sort_unstable();
    floors.dedup();
    if floors.len() == 1 {
        by_slot.clear();
    }
}

impl AgentFloors {
    /// The ground, which may be empty, and all other floors with agents on them.
    pub(super) fn floors(&self) -> &[Floor] {
        if self.floors.is_empty() { &[Floor::Ground] } else { &self.floors }
    }

    /// The floor of an agent.
    pub(super) fn of(&self, slot: CrowdIndex) -> Floor {
        self.by_slot.get(slot.index()).copied().unwrap_or_default()
    }

    /// The bodies of a crowd as agents on one floor see them: those on other floors have a position of NaN. They are
    /// written to `memory` if there is more than one floor.
    pub(super) fn seen_from<'a>(
        &self,
        floor: Floor,
        crowd: &'a Crowd,
        memory: &'a mut Vec<Body>,
    ) -> &'a [Body] {
        if self.by_slot.is_empty() {
            return crowd.bodies();
        }
        const NOWHERE: Body = Body::new(Vec3::NAN, Vec3::ZERO);
        memory.clear();
        memory.extend(
            crowd.bodies().iter().zip(&self.by_slot).map(
                |(body, other)| {
                    if *other == floor { *body } else { NOWHERE }
                },
            ),
        );
        memory
    }
}
