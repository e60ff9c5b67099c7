//! Whether an agent waits in a queue.
//!
//! An agent waits for at most one other: the nearest agent on a path that is close ahead of it. That one may wait for
//! a third, and so on: the agents form a chain. The chain of an agent in a queue ends at the foremost agent, which
//! waits for no other. A chain that leads back to the agent is a ring of agents that block one another, and no queue.

use bevy::ecs::entity::EntityHashMap;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;

use super::help::Helped;
use crate::world::{Grids, Positions};

/// The widest gap between two bodies of which one waits for the other, in cells. Not measured.
const MAX_GAP: f32 = 1.0;
/// The cosine of the greatest angle between an agent's heading and the agent that it waits for: 60 degrees.
const MIN_COSINE: f32 = 0.5;
/// Waypoints that are no farther apart than this count as the same, in cells: half a cell,
/// so that points in neighbouring cells are different.
const SAME_WAYPOINT: f32 = 0.5;
/// Larger radii count as this one, in cells, to bound the search for neighbours. Not measured.
const MAX_RADIUS: f32 = 16.0;
/// How many agents of a chain are followed, to bound the time. A ring of more agents is taken for a queue. Not
/// measured.
const MAX_CHAIN: usize = 64;

/// An agent on a path, in grid space.
#[derive(Debug, Clone, Copy)]
struct OnPath {
    grid: Entity,
    id: u64,
    at: Vec2,
    next: Vec2,
    radius: f32,
}

/// All agents on paths, sorted into squares. The side of a square is the greatest distance between two agents of
/// which one may wait for the other, so that both stand in the same square or in adjacent ones.
pub(super) struct Queues {
    agents: Vec<OnPath>,
    index_of: EntityHashMap<usize>,
    squares: HashMap<(Entity, IVec2), Vec<usize>>,
    side: f32,
}

impl Queues {
    pub(super) fn new(walkers: &Query<Helped>, grids: &Grids, positions: &Positions) -> Self {
        let on_path = walkers.iter().filter_map(|walker| {
            let grid = grids.get(walker.path.grid())?;
            let (_, next) = walker.path.leg()?;
            let at = grid.place.to_grid(positions.of(walker.entity)?);
            let radius = walker.agent.radius / grid.place.cell_size();
            let agent = OnPath { grid: grid.entity, id: walker.id.0, at, next, radius };
            at.is_finite().then_some((walker.entity, agent))
        });
        Self::of_agents(on_path)
    }

    fn of_agents(on_path: impl Iterator<Item = (Entity, OnPath)>) -> Self {
        let (mut agents, mut index_of) = (Vec::new(), EntityHashMap::default());
        for (entity, agent) in on_path {
            index_of.insert(entity, agents.len());
            let radius = if agent.radius > 0.0 { agent.radius.min(MAX_RADIUS) } else { 0.0 };
            agents.push(OnPath { radius, ..agent });
        }
        let widest = agents.iter().map(|agent| agent.radius).fold(0.0, f32::max);
        let mut queues = Self { agents, index_of, squares: HashMap::default(), side: 2.0 * widest + MAX_GAP };
        for (index, agent) in queues.agents.iter().enumerate() {
            let square = (agent.at / queues.side).floor().as_ivec2();
            queues.squares.entry((agent.grid, square)).or_default().push(index);
        }
        queues
    }

    /// Whether an agent waits in a queue and is not the foremost in it.
    pub(super) fn waits(&self, entity: Entity) -> bool {
        let Some(&own) = self.index_of.get(&entity) else { return false };
        let mut last = own;
        for _ in 0..MAX_CHAIN {
            match self.awaited_agent(last) {
                None => return last != own,
                Some(next) if next == own => return false,
                Some(next) => last = next,
            }
        }
        true
    }

    /// The agent that another one waits for: the nearest that is close ahead of it.
    fn awaited_agent(&self, index: usize) -> Option<usize> {
        let own = &self.agents[index];
        let direction = (own.next - own.at).normalize_or_zero();
        let square = (own.at / self.side).floor().as_ivec2();
        let around = (-1..=1).flat_map(|y| (-1..=1).map(move |x| IVec2::new(x, y)));
        let near =
            around.filter_map(|step| self.squares.get(&(own.grid, square.saturating_add(step)))).flatten();
        let stands_before = |other: &OnPath| {
            let (gap, touch) = (other.at - own.at, own.radius + other.radius);
            let distance = gap.length();
            // Of two agents that head for one waypoint the nearer goes first.
            let goes_first = other.next.distance(own.next) > SAME_WAYPOINT
                || other.at.distance_squared(own.next) < own.at.distance_squared(own.next);
            let is_ahead = distance > 0.0 && gap.dot(direction) >= MIN_COSINE * distance;
            (is_ahead && distance <= touch + MAX_GAP && goes_first).then_some(distance)
        };
        near.filter(|&&other| other != index)
            .filter_map(|&other| Some((stands_before(&self.agents[other])?, self.agents[other].id, other)))
            .min_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)))
            .map(|(.., other)| other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Point = (f32, f32);

    /// Whether each of some agents waits, by where it stands and its next waypoint.
    fn waiting(agents: &[(Point, Point)]) -> Vec<bool> {
        let mut world = World::new();
        let entities: Vec<_> = agents.iter().map(|_| world.spawn_empty().id()).collect();
        let on_path = agents.iter().enumerate().map(|(index, &(at, next))| {
            let (at, next) = (at.into(), next.into());
            (entities[index], OnPath { grid: Entity::PLACEHOLDER, id: index as u64, at, next, radius: 0.4 })
        });
        let queues = Queues::of_agents(on_path);
        entities.iter().map(|&entity| queues.waits(entity)).collect()
    }

    #[test]
    fn all_of_a_queue_wait_but_the_foremost() {
        let door = (10.0, 0.5);
        let queue: Vec<_> = (0..8).map(|place| ((9.0 - place as f32, 0.5), door)).collect();
        let waits = waiting(&queue);
        assert!(!waits[0], "the foremost stands before the door, and waits for no other");
        assert!(waits[1..].iter().all(|&waits| waits), "all others wait: {waits:?}");
    }

    #[test]
    fn a_queue_goes_round_a_corner() {
        // Round the end of a wall one cell thick: the foremost goes back beyond it.
        let end_of_wall = (2.5, 2.5);
        let queue = [
            ((1.6, 2.5), (0.0, 2.5)),
            ((2.5, 1.9), end_of_wall),
            ((2.5, 1.0), end_of_wall),
            ((1.6, 0.5), (2.5, 0.5)),
        ];
        assert_eq!(waiting(&queue), [false, true, true, true]);
    }

    #[test]
    fn agents_that_block_one_another_do_not_wait() {
        let head_on = [((0.0, 0.0), (5.0, 0.0)), ((1.0, 0.0), (-5.0, 0.0))];
        assert_eq!(waiting(&head_on), [false, false], "two face to face");
        let third = [head_on[0], head_on[1], ((-1.0, 0.0), (5.0, 0.0))];
        assert_eq!(waiting(&third), [false, false, true], "the third waits for the two");
    }

    #[test]
    fn agents_side_by_side_or_far_ahead_are_not_waited_for() {
        assert_eq!(waiting(&[((0.0, 0.0), (9.0, 0.0)), ((0.2, 1.0), (9.2, 1.0))]), [false, false]);
        assert_eq!(waiting(&[((0.0, 0.0), (9.0, 0.0)), ((3.0, 0.0), (9.0, 0.0))]), [false, false]);
    }

    #[test]
    fn agents_at_nan_or_huge_positions_wait_for_no_other() {
        let agents =
            [((0.0, 0.0), (f32::NAN, 0.0)), ((0.0, 0.0), (0.0, 0.0)), ((1e30, -1e30), (1.0, f32::INFINITY))];
        assert_eq!(waiting(&agents), [false; 3]);
    }
}
