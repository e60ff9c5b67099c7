//! Reading where everybody is.

use bevy::ecs::query::QueryData;
use bevy::prelude::*;
use bevy::tasks::ComputeTaskPool;
use pathfind_core::steer::Body;

use super::{Crowd, Slot};
use crate::motion::{Agent, Velocity};
use crate::steer::health::Ailment;
use crate::steer::parallel::part_of;

/// An agent where it stands.
#[derive(QueryData)]
#[query_data(contiguous(all))]
pub(in crate::steer) struct Present {
    entity: Entity,
    slot: &'static Slot,
    agent: &'static Agent,
    transform: &'static Transform,
    velocity: &'static Velocity,
    child: Option<&'static ChildOf>,
}

/// Reads where everybody is. Who is unwell has a body without numbers, which nobody sees.
pub(in crate::steer) fn gather(
    mut crowd: ResMut<Crowd>,
    agents: Query<Present>,
    transforms: TransformHelper,
) {
    let Crowd { bodies, unwell, .. } = &mut *crowd;
    unwell.clear();
    match stretches(&agents, bodies) {
        Some(stretches) => read_stretches(stretches, &transforms, unwell),
        None => {
            for PresentItem { entity, slot: &slot, agent, transform, velocity, child } in &agents {
                let Some(body) = bodies.get_mut(slot.index()) else { continue };
                let ailment;
                (*body, ailment) = read(agent, transform, velocity, child, &transforms);
                unwell.extend(ailment.map(|why| (slot, entity, why)));
            }
        }
    }
    unwell.sort_by_key(|(slot, ..)| slot.index());
}

/// Agents that lie in memory in the order of their slots, and the bodies of those.
struct Stretch<'a> {
    first: usize,
    entities: &'a [Entity],
    agents: &'a [Agent],
    transforms: &'a [Transform],
    velocities: &'a [Velocity],
    children: Option<&'a [ChildOf]>,
    bodies: &'a mut [Body],
}

/// How many agents a stretch has in the mean, at least: shorter ones are not worth it.
const LEAST: usize = 32;

/// All agents as such stretches, none longer than a part of the work; `None` where they lie too much in disorder.
fn stretches<'a>(agents: &'a Query<Present>, mut bodies: &'a mut [Body]) -> Option<Vec<Stretch<'a>>> {
    let (most, part) = (1 + bodies.len() / LEAST, part_of(bodies.len()));
    let mut stretches: Vec<Stretch> = Vec::new();
    for table in agents.contiguous_iter().ok()? {
        let mut start = 0;
        for run in table.slot.chunk_by(|one, next| one.index() + 1 == next.index()) {
            for few in run.chunks(part) {
                if stretches.len() == most {
                    return None;
                }
                let rows = start..start + few.len();
                start = rows.end;
                stretches.push(Stretch {
                    first: few[0].index(),
                    entities: &table.entity[rows.clone()],
                    agents: &table.agent[rows.clone()],
                    transforms: &table.transform[rows.clone()],
                    velocities: &table.velocity[rows.clone()],
                    children: table.child.map(|children| &children[rows]),
                    bodies: &mut [],
                });
            }
        }
    }
    stretches.sort_unstable_by_key(|stretch| stretch.first);
    let mut taken = 0;
    for stretch in &mut stretches {
        // Two at one slot, or one at none: not those who are listed.
        let gap = stretch.first.checked_sub(taken)?;
        let (_, rest) = bodies.split_at_mut_checked(gap)?;
        (stretch.bodies, bodies) = rest.split_at_mut_checked(stretch.entities.len())?;
        taken = stretch.first + stretch.entities.len();
    }
    Some(stretches)
}

type Unwell = (Slot, Entity, Ailment);

/// Reads stretches, on as many threads as there are where that pays.
fn read_stretches(stretches: Vec<Stretch>, transforms: &TransformHelper, unwell: &mut Vec<Unwell>) {
    let count: usize = stretches.iter().map(|stretch| stretch.entities.len()).sum();
    let part = part_of(count);
    if part >= count {
        stretches.into_iter().for_each(|stretch| stretch.read(transforms, unwell));
        return;
    }
    let mut stretches = stretches.into_iter().peekable();
    let found = ComputeTaskPool::get().scope(|scope| {
        while stretches.peek().is_some() {
            let mut room = part;
            let few = core::iter::from_fn(|| {
                let next = stretches.next_if(|next| room == part || next.entities.len() <= room)?;
                room = room.saturating_sub(next.entities.len());
                Some(next)
            });
            let few: Vec<_> = few.collect();
            scope.spawn(async move {
                let mut unwell = Vec::new();
                few.into_iter().for_each(|stretch| stretch.read(transforms, &mut unwell));
                unwell
            });
        }
    });
    unwell.extend(found.into_iter().flatten());
}

impl Stretch<'_> {
    fn read(self, transforms: &TransformHelper, unwell: &mut Vec<Unwell>) {
        let Self { first, entities, agents, transforms: own, velocities, children, bodies } = self;
        let numbers = agents.iter().zip(own).zip(velocities);
        for (index, (body, ((agent, transform), velocity))) in bodies.iter_mut().zip(numbers).enumerate() {
            let child = children.map(|children| &children[index]);
            let ailment;
            (*body, ailment) = read(agent, transform, velocity, child, transforms);
            if let Some(why) = ailment {
                unwell.push((Slot((first + index) as u32), entities[index], why));
            }
        }
    }
}

/// The body of an agent, and what is wrong with it.
#[inline(always)]
fn read(
    agent: &Agent,
    transform: &Transform,
    velocity: &Velocity,
    child: Option<&ChildOf>,
    transforms: &TransformHelper,
) -> (Body, Option<Ailment>) {
    let (mut position, mut is_flattened) = (transform.translation, false);
    // A parent that is nowhere in space leaves its children where they say that they are.
    let parent = child.and_then(|child| transforms.compute_global_transform(child.parent()).ok());
    if let Some(parent) = parent {
        position = parent.transform_point(position);
        is_flattened = parent.affine().matrix3.determinant() == 0.0;
    }
    let ailment = Ailment::of(agent, position, velocity.0, is_flattened);
    if ailment.is_some() {
        position = Vec3::NAN;
    }
    (Body { position, velocity: velocity.0, radius: agent.radius }, ailment)
}

#[cfg(test)]
mod tests {
    use bevy::ecs::system::RunSystemOnce;
    use bevy::tasks::TaskPoolBuilder;

    use super::super::enlist;
    use super::*;
    use crate::motion::AgentId;

    const COUNT: u64 = 9000;

    /// Those that lie apart from the others, for they have a parent.
    const CHILDREN: core::ops::Range<u64> = 3000..3500;

    /// The bodies that are read of agents spawned by such a stride, and who is unwell.
    fn read_all(stride: u64) -> (Vec<Body>, Vec<(usize, Entity, Ailment)>) {
        let mut world = World::new();
        world.init_resource::<Crowd>();
        let parent = world.spawn(Transform::from_xyz(0.0, 100.0, 0.0)).id();
        for index in 0..COUNT {
            let id = index * stride % COUNT;
            let x = if id % 4000 == 17 { f32::NAN } else { id as f32 };
            let velocity = Velocity(Vec3::Z * id as f32);
            let agent =
                (Agent::default(), AgentId(id), Slot::default(), Transform::from_xyz(x, 0.0, 0.0), velocity);
            let agent = world.spawn(agent).id();
            if CHILDREN.contains(&id) {
                world.entity_mut(agent).insert(ChildOf(parent));
            }
        }
        world.run_system_once(enlist).expect("it needs nothing else");
        world.run_system_once(gather).expect("it needs nothing else");
        let crowd = world.resource::<Crowd>();
        let unwell = crowd.unwell().iter().map(|&(slot, entity, why)| (slot.index(), entity, why)).collect();
        (crowd.bodies().to_vec(), unwell)
    }

    #[test]
    fn everybody_is_read_in_whatever_order_they_lie_and_on_several_threads() {
        ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(3).build());
        for stride in [1, 7919] {
            let (bodies, unwell) = read_all(stride);
            for (id, body) in bodies.iter().enumerate() {
                let y = if CHILDREN.contains(&(id as u64)) { 100.0 } else { 0.0 };
                assert_eq!(
                    body.velocity,
                    Vec3::Z * id as f32,
                    "stride {stride}: the {id}th has its own velocity"
                );
                match id % 4000 {
                    17 => assert!(body.position.is_nan(), "stride {stride}: nobody sees the {id}th"),
                    _ => {
                        assert_eq!(body.position, Vec3::new(id as f32, y, 0.0), "stride {stride}: the {id}th")
                    }
                }
            }
            let slots: Vec<_> = unwell.iter().map(|&(slot, _, why)| (slot, why)).collect();
            assert_eq!(slots, [17, 4017, 8017].map(|slot| (slot, Ailment::Place)), "in their order");
        }
    }
}
