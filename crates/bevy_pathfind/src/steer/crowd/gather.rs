//! Reads the bodies of all agents into the [`Crowd`], at the start of a tick.

use std::sync::{Mutex, PoisonError};

use bevy::prelude::*;
use pathfind_core::steer::Body;

use super::{Crowd, CrowdIndex};
use crate::agent::{Agent, AgentVelocity};
use crate::parallel::Threads;
use crate::rows::Rows;
use crate::settings::NavSettings;
use crate::steer::invalid::InvalidAgent;

/// Fewer agents than this are read by one thread. Measured with 10,000: one thread takes 0.8 of the time of two, which
/// take longer to begin and to end than to read.
const MIN_SHARED: usize = 32_768;

/// The components that the body of an agent is read from.
type BodySource = (
    Entity,
    &'static CrowdIndex,
    &'static Agent,
    &'static Transform,
    &'static AgentVelocity,
    Option<&'static ChildOf>,
);

/// Reads the bodies of all agents. An invalid agent gets a position of NaN, and other agents do not see it.
pub(in crate::steer) fn gather(
    mut crowd: ResMut<Crowd>,
    agents: Query<BodySource>,
    transforms: TransformHelper,
    settings: Res<NavSettings>,
) {
    let Crowd { bodies, invalid_agents, .. } = &mut *crowd;
    invalid_agents.clear();
    match agent_runs(&agents, bodies) {
        Some(agent_runs) => {
            let found = Mutex::new(invalid_agents);
            Threads::of(&settings).share_from(MIN_SHARED, agent_runs, |agents| {
                let (len, mut agents) = agents.cut();
                for row in 0..len {
                    let ((entity, slot, agent), (transform, velocity, child), body) = agents.row(row);
                    let invalidity;
                    (*body, invalidity) = read(agent, transform, velocity, child, &transforms);
                    if let Some(reason) = invalidity {
                        found.lock().unwrap_or_else(PoisonError::into_inner).push((*slot, *entity, reason));
                    }
                }
            });
        }
        None => {
            for (entity, &slot, agent, transform, velocity, child) in &agents {
                let Some(body) = bodies.get_mut(slot.index()) else { continue };
                let invalidity;
                (*body, invalidity) = read(agent, transform, velocity, child, &transforms);
                invalid_agents.extend(invalidity.map(|reason| (slot, entity, reason)));
            }
        }
    }
    crowd.invalid_agents.sort_by_key(|(slot, ..)| slot.index());
}

/// A run of agents that lie in memory in the order of their indices, and their bodies.
type AgentRun<'a> = (
    (&'a [Entity], &'a [CrowdIndex], &'a [Agent]),
    (&'a [Transform], &'a [AgentVelocity], Option<&'a [ChildOf]>),
    &'a mut [Body],
);

/// The least mean length of the runs. If it is less, agents are read one by one. Not measured.
const MIN_MEAN_LENGTH: usize = 32;

/// All agents as runs, in the order of their indices; `None` if the runs are too short, or the index is stale.
fn agent_runs<'a>(agents: &'a Query<BodySource>, mut bodies: &'a mut [Body]) -> Option<Vec<AgentRun<'a>>> {
    let max_runs = 1 + bodies.len() / MIN_MEAN_LENGTH;
    let mut runs = Vec::new();
    for (entities, slots, agents, transforms, velocities, children) in agents.contiguous_iter().ok()? {
        let mut rest = ((entities, slots, agents), (transforms, velocities, children));
        for run in slots.chunk_by(|one, next| one.index() + 1 == next.index()) {
            if runs.len() == max_runs {
                return None;
            }
            let (first, others) = rest.split_at(run.len());
            runs.push((run[0].index(), first));
            rest = others;
        }
    }
    runs.sort_unstable_by_key(|&(first, _)| first);
    let mut taken = 0;
    let with_bodies = |(first, (identity, placement)): (usize, ((&'a [Entity], _, _), _))| {
        // `None` if the index is stale (indices overlap or lie beyond the end): agents are then read one by one.
        let gap = first.checked_sub(taken)?;
        let (_, rest) = core::mem::take(&mut bodies).split_at_mut_checked(gap)?;
        let (own, rest) = rest.split_at_mut_checked(identity.0.len())?;
        (bodies, taken) = (rest, first + own.len());
        Some((identity, placement, own))
    };
    runs.into_iter().map(with_bodies).collect()
}

/// The body of an agent, and why the agent is invalid, if it is.
#[inline(always)]
fn read(
    agent: &Agent,
    transform: &Transform,
    velocity: &AgentVelocity,
    child: Option<&ChildOf>,
    transforms: &TransformHelper,
) -> (Body, Option<InvalidAgent>) {
    let (mut position, mut is_flattened) = (transform.translation, false);
    // A parent without a transform does not move its children.
    let parent = child.and_then(|child| transforms.compute_global_transform(child.parent()).ok());
    if let Some(parent) = parent {
        position = parent.transform_point(position);
        is_flattened = parent.affine().matrix3.determinant() == 0.0;
    }
    let invalidity = InvalidAgent::of(agent, position, velocity.0, is_flattened);
    if invalidity.is_some() {
        position = Vec3::NAN;
    }
    (Body { position, velocity: velocity.0, radius: agent.radius }, invalidity)
}

#[cfg(test)]
mod tests {
    use bevy::ecs::system::RunSystemOnce;
    use bevy::tasks::{ComputeTaskPool, TaskPoolBuilder};

    use super::super::rebuild_index;
    use super::*;
    use crate::agent::AgentId;

    const COUNT: u64 = 40_000;

    /// The agents with a parent: they lie in another table than the others.
    const CHILDREN: core::ops::Range<u64> = 3000..3500;

    /// The bodies that are read of agents whose ids differ by `stride` in the order of spawning, and the invalid
    /// agents.
    fn read_all(stride: u64) -> (Vec<Body>, Vec<(usize, Entity, InvalidAgent)>) {
        let mut world = World::new();
        world.init_resource::<Crowd>();
        world.init_resource::<NavSettings>();
        let parent = world.spawn(Transform::from_xyz(0.0, 100.0, 0.0)).id();
        for index in 0..COUNT {
            let id = index * stride % COUNT;
            let x = if id % 16_000 == 17 { f32::NAN } else { id as f32 };
            let velocity = AgentVelocity(Vec3::Z * id as f32);
            let agent = (
                Agent::default(),
                AgentId(id),
                CrowdIndex::default(),
                Transform::from_xyz(x, 0.0, 0.0),
                velocity,
            );
            let agent = world.spawn(agent).id();
            if CHILDREN.contains(&id) {
                world.entity_mut(agent).insert(ChildOf(parent));
            }
        }
        world.run_system_once(rebuild_index).expect("its resources are there");
        world.run_system_once(gather).expect("its resources are there");
        let crowd = world.resource::<Crowd>();
        let invalid_agents = crowd
            .invalid_agents()
            .iter()
            .map(|&(slot, entity, reason)| (slot.index(), entity, reason))
            .collect();
        (crowd.bodies().to_vec(), invalid_agents)
    }

    #[test]
    fn all_agents_are_read_in_any_memory_order_and_on_several_threads() {
        ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(3).build());
        for stride in [1, 7919] {
            let (bodies, invalid_agents) = read_all(stride);
            for (id, body) in bodies.iter().enumerate() {
                let y = if CHILDREN.contains(&(id as u64)) { 100.0 } else { 0.0 };
                assert_eq!(
                    body.velocity,
                    Vec3::Z * id as f32,
                    "stride {stride}: the {id}th has its own velocity"
                );
                match id % 16_000 {
                    17 => assert!(body.position.is_nan(), "stride {stride}: the {id}th is invalid"),
                    _ => {
                        assert_eq!(body.position, Vec3::new(id as f32, y, 0.0), "stride {stride}: the {id}th")
                    }
                }
            }
            let slots: Vec<_> = invalid_agents.iter().map(|&(slot, _, reason)| (slot, reason)).collect();
            assert_eq!(slots, [17, 16_017, 32_017].map(|slot| (slot, InvalidAgent::Place)), "in their order");
        }
    }
}
