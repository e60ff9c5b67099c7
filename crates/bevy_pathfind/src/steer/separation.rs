//! Separation: a force that keeps agents apart, whether they belong to one flock or to none.
//!
//! The force does not prevent contact: that the bodies of agents with an `Avoider` do not overlap is ensured by
//! `motion`.

use bevy::prelude::*;
use pathfind_core::neighbors::Neighbors;
use pathfind_core::steer::{Body, MovementPlane, separate};
use serde::{Deserialize, Serialize};

use super::agent_floors::AgentFloors;
use super::parameter_runs::ParameterRuns;
use super::per_agent::{PerAgentOutput, SentinelResult};
use super::{Crowd, CrowdIndex, NeighborIndex};
use crate::agent::Agent;
use crate::attributes::MeasuredIn;
use crate::parallel::Threads;
use crate::settings::NavSettings;
use crate::world::{Grids, Tie};

/// Pushes an agent away from others that come too near. The push alone does not prevent contact. It is granted after
/// obstacle avoidance, and before the goal velocity and the flock.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[require(Agent)]
pub struct Separation {
    /// Distance within which others push, from centre to centre. Unit: body units. Range: 0 and up. Default: `2.0`.
    #[reflect(@0.0..=20.0_f32, @MeasuredIn("body units"))]
    pub radius: f32,
    /// The push of an agent at the same position; it falls linearly to 0 at the radius. Unit: body units per
    /// second². Range: 0 and up. Default: `20.0`.
    #[reflect(@0.0..=200.0_f32, @MeasuredIn("body units per second²"))]
    pub force: f32,
    /// Upper limit of all pushes together. Unit: body units per second². Range: 0 and up.
    /// Default: `30.0`.
    #[reflect(@0.0..=200.0_f32, @MeasuredIn("body units per second²"))]
    pub limit: f32,
}

impl Default for Separation {
    fn default() -> Self {
        let separate::Separation { radius, force, limit } = separate::Separation::default();
        Self { radius, force, limit }
    }
}

impl Separation {
    /// The rule for an agent, in world units.
    fn rule(&self, agent: &Agent) -> separate::Separation {
        let unit = agent.body_unit();
        let &Self { radius, force, limit } = self;
        separate::Separation { radius: radius * unit, force: force * unit, limit: limit * unit }
    }

    /// Distance within which others push an agent, in world units.
    pub(super) fn reach(&self, agent: &Agent) -> f32 {
        self.radius * agent.body_unit()
    }
}

/// The pushes on agents in this tick, in world units per second².
#[derive(Resource, Debug, Default)]
pub(super) struct Pushes {
    /// The pushes on the agents of each floor.
    floors: Vec<PerAgentOutput<Vec3>>,
    parameters: ParameterRuns<SeparationParameters>,
    /// The neighbours on the floor in work, if there are several floors.
    neighbors: Neighbors,
    /// The bodies as seen from that floor, if there are several floors.
    bodies: Vec<Body>,
}

/// The parameters of one agent; agents with equal ones are computed together.
#[derive(Debug, PartialEq)]
struct SeparationParameters {
    rule: separate::Separation,
    up: Option<Vec3>,
}

impl Pushes {
    /// The push on an agent.
    pub(super) fn on(&self, slot: CrowdIndex) -> Vec3 {
        self.floors.iter().find_map(|pushes| pushes.get(slot)).unwrap_or(Vec3::ZERO)
    }
}

/// Computes the pushes on all agents with [`Separation`].
pub(super) fn separate(
    mut pushes: ResMut<Pushes>,
    agents: Query<(&Separation, &Agent, &CrowdIndex, Tie)>,
    crowd: Res<Crowd>,
    (neighbor_index, agent_floors): (Res<NeighborIndex>, Res<AgentFloors>),
    grids: Grids,
    settings: Res<NavSettings>,
) {
    let Pushes { floors, parameters, neighbors, bodies } = &mut *pushes;
    if agents.is_empty() {
        floors.clear();
        return;
    }
    floors.resize_with(agent_floors.floors().len(), PerAgentOutput::default);
    let grid_list = grids.all();
    parameters.clear(crowd.len());
    for (separation, agent, &slot, tie) in &agents {
        let Some(body) = crowd.body(slot) else { continue };
        let up = grid_list.of(tie, body.position).map_or(settings.up, |grid| Some(grid.place.up()));
        parameters.note(slot, SeparationParameters { rule: separation.rule(agent), up });
    }
    let threads = Threads::of(&settings);
    for (&floor, pushes) in agent_floors.floors().iter().zip(floors) {
        let seen = agent_floors.seen_from(floor, &crowd, bodies);
        let neighbors = if agent_floors.floors().len() == 1 {
            neighbor_index.neighbors()
        } else {
            neighbors.build(neighbor_index.neighbors().reach(), seen, &[]);
            &*neighbors
        };
        pushes.fill(neighbors, neighbor_index.slots(), threads, |places, out| {
            out.fill(Vec3::NONE);
            let start = places.start;
            parameters.for_each_run(neighbors.order(), places, |&SeparationParameters { rule, up }, run| {
                let out = &mut out[run.start - start..run.end - start];
                let plane = up.and_then(MovementPlane::from_up);
                rule.run(plane.as_ref(), neighbors, (crowd.ids(), seen), run, out)
                    .expect("each share has a place for each of its slots");
            });
        });
    }
}
