//! Agents in file: how far each may go until it touches the body ahead of it.

use bevy::ecs::entity::EntityHashMap;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use pathfind_core::GridCell;
use pathfind_core::corridor::gap_ahead;

use super::claims::Turn;
use super::request::StretchRequest;
use crate::steer::passage::NearStretch;

/// How far ahead an agent looks for the body ahead of it, beyond the two radii, in cells.
const REACH: f32 = 3.0;
/// The side of the squares by which agents are sorted, in cells.
const SQUARE: f32 = 4.0;

/// An agent that goes in file.
#[derive(Debug)]
pub(super) struct InFile {
    entity: Entity,
    grid: Entity,
    /// Where it is, and the points of its path ahead that are near.
    points: Vec<Vec2>,
    radius: f32,
    /// The last cell of its stretch, and how much of its path is left up to there, in cells.
    exit: Option<GridCell>,
    to_exit: f32,
    is_stuck: bool,
}

/// What is ahead of an agent in file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ahead {
    /// How far it may go until it touches the nearest body that goes before it, in cells.
    pub(super) gap: f32,
    /// Whether one of the bodies ahead is in the same stretch, so that the agent stands in a queue.
    pub(super) is_queue: bool,
}

/// For each agent in file, what is ahead of it.
#[derive(Debug, Default)]
pub(super) struct SingleFile(EntityHashMap<Ahead>);

impl InFile {
    pub(super) fn new(near: &NearStretch, request: &StretchRequest, ahead: &[Vec2]) -> Self {
        let &NearStretch { entity, here, .. } = near;
        let (grid, radius, mut points) = (request.version.0, request.radius, vec![here]);
        for &point in ahead {
            points.push(point);
            if here.distance(point) > REACH + 2.0 * radius {
                break;
            }
        }
        let (exit, to_exit) = (request.exit(), request.left - request.stretch.exit);
        let is_stuck = request.turn == Turn::Stuck;
        Self { entity, grid, points, radius, exit, to_exit, is_stuck }
    }

    fn gap_to(&self, other: &Self) -> Option<f32> {
        gap_ahead(&self.points, REACH + self.radius, other.points[0], self.radius + other.radius)
    }
}

impl SingleFile {
    /// Of two agents in one stretch the one that is nearer to its end goes first: an order of all of them, so that no
    /// circle of agents can form of which each yields to the next. Of two in stretches that meet, of which each is ahead
    /// of the other, the one that is farther from their meeting yields. `agents` are in the order of their ranks.
    pub(super) fn new(agents: impl Iterator<Item = InFile>) -> Self {
        let agents: Vec<InFile> = agents.collect();
        let square = |agent: &InFile| (agent.points[0] / SQUARE).floor().as_ivec2();
        let mut squares: HashMap<(Entity, IVec2), Vec<usize>> = HashMap::default();
        for (index, agent) in agents.iter().enumerate() {
            squares.entry((agent.grid, square(agent))).or_default().push(index);
        }
        let mut ahead_of = EntityHashMap::default();
        for (index, agent) in agents.iter().enumerate() {
            let around = (-1..=1).flat_map(|y| (-1..=1).map(move |x| IVec2::new(x, y)));
            let near = around.filter_map(|by| squares.get(&(agent.grid, square(agent) + by))).flatten();
            let mut found = None;
            for &index_of_other in near.filter(|&&other| other != index) {
                let other = &agents[index_of_other];
                let is_queue = agent.exit == other.exit;
                // One that is stuck waits for those ahead in its own stretch alone: from others it has to get free.
                let Some(gap) = agent.gap_to(other).filter(|_| is_queue || !agent.is_stuck) else { continue };
                let is_first = match is_queue {
                    true => (agent.to_exit, index) < (other.to_exit, index_of_other),
                    false => other.gap_to(agent).is_some_and(|back| (gap, index) < (back, index_of_other)),
                };
                if !is_first {
                    let ahead = found.get_or_insert(Ahead { gap, is_queue });
                    *ahead = Ahead { gap: ahead.gap.min(gap), is_queue: ahead.is_queue || is_queue };
                }
            }
            if let Some(ahead) = found {
                ahead_of.insert(agent.entity, ahead);
            }
        }
        Self(ahead_of)
    }

    pub(super) fn ahead_of(&self, entity: Entity) -> Option<Ahead> {
        self.0.get(&entity).copied()
    }
}
