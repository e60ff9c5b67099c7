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

/// For each agent in file, how far it may go until it touches a body ahead of it, in cells.
#[derive(Debug, Default)]
pub(super) struct File(EntityHashMap<f32>);

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

impl File {
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
        let mut gaps = EntityHashMap::default();
        for (index, agent) in agents.iter().enumerate() {
            let around = (-1..=1).flat_map(|y| (-1..=1).map(move |x| IVec2::new(x, y)));
            let near = around.filter_map(|by| squares.get(&(agent.grid, square(agent) + by))).flatten();
            let gap = near.filter(|&&other| other != index).filter_map(|&index_of_other| {
                let other = &agents[index_of_other];
                // One that is stuck waits for those ahead in its own file alone: from others it has to get free.
                let gap = (!agent.is_stuck || agent.exit == other.exit).then(|| agent.gap_to(other))??;
                let is_first = match agent.exit == other.exit {
                    true => (agent.to_exit, index) < (other.to_exit, index_of_other),
                    false => other.gap_to(agent).is_some_and(|back| (gap, index) < (back, index_of_other)),
                };
                (!is_first).then_some(gap)
            });
            if let Some(gap) = gap.reduce(f32::min) {
                gaps.insert(agent.entity, gap);
            }
        }
        Self(gaps)
    }

    pub(super) fn gap_of(&self, entity: Entity) -> Option<f32> {
        self.0.get(&entity).copied()
    }
}
