//! Ways round obstacles that the map does not contain, and round bodies that stand.
//!
//! A path leads over the cells of a grid, and an [`Obstacle`](crate::world::Obstacle) blocks none of them, nor does an
//! agent. Avoidance goes round what stands free. It cannot reach a waypoint that an obstacle covers, and does not find the
//! one side on which walls leave room; contact alone goes round nothing. So an agent that stalls before an obstacle or
//! body [searches](FreeWay::around) for a way round it, over points near it, to the first waypoint to which the way is
//! free again. Of two that face each other, each goes round on its right, as seen in grid space.

use bevy::platform::collections::HashSet;
use bevy::prelude::*;
use pathfind_core::can_walk_straight;
use pathfind_core::steer::obstacle::{Cast, LayerMask, ObstacleProbe, Obstacles};

use crate::agent::Agent;
use crate::order::{NavPath, nearest_on};
use crate::steer::Avoider;
use crate::world::{GridRef, ObstacleMap};

/// The distances of the points that a search visits, in cells: where the way does not end within [`MAX_POINTS`] points
/// it is tried again with a greater one, for larger obstacles.
const SPACINGS: [f32; 3] = [0.5, 1.0, 2.0];
/// How many points a search visits at most, to bound its time. Not measured.
const MAX_POINTS: usize = 256;
/// To how many of the next waypoints it looks, to bound its time. Not measured.
const MAX_WAYPOINTS: usize = 4;
/// Obstacles farther ahead than this do not count yet, in cells. Not measured.
pub(super) const FORESIGHT: f32 = 4.0;
/// By how much two bodies may overlap where one passes the other, in cells.
const ROUNDING: f32 = 0.01;

/// What an agent on a path needs to know to find a free way.
pub(super) struct FreeWay<'a> {
    grid: &'a GridRef<'a>,
    path: &'a NavPath,
    obstacles: Option<&'a Obstacles>,
    bodies: &'a [StandingBody],
    mask: LayerMask,
    /// Radius of the body, in world units.
    radius: f32,
    /// The distance that the agent prefers to keep from obstacles, in world units.
    margin: f32,
}

/// Another agent that stands in the way, in grid space.
#[derive(Debug, Clone, Copy)]
pub(super) struct StandingBody {
    pub(super) at: Vec2,
    pub(super) radius: f32,
}

impl<'a> FreeWay<'a> {
    /// `None` if there are no obstacles and no bodies.
    pub(super) fn new(
        grid: &'a GridRef<'a>,
        obstacles: &'a ObstacleMap,
        agent: &Agent,
        avoider: Option<&Avoider>,
        path: &'a NavPath,
        bodies: &'a [StandingBody],
    ) -> Option<Self> {
        let (mask, margin) = avoider.map_or((LayerMask::ALL, 0.0), |it| (LayerMask(it.mask), it.margin));
        let radius = agent.radius.max(0.0);
        let obstacles = (!obstacles.is_empty()).then(|| obstacles.seen(Some(grid.place.up())));
        if obstacles.is_none() && bodies.is_empty() {
            return None;
        }
        Some(Self { grid, path, obstacles, bodies, mask, radius, margin: radius * margin.max(0.0) })
    }

    /// Whether an obstacle or a body stands on the first part of the straight way between two points of grid space.
    pub(super) fn is_obstructed(&self, from: Vec2, to: Vec2) -> bool {
        self.is_hit(from, to, FORESIGHT, 0.0)
    }

    /// The same, for the first `far` cells of the way, and with a margin in world units.
    fn is_hit(&self, from: Vec2, to: Vec2, far: f32, margin: f32) -> bool {
        let [from, to] = [from, from + (to - from).clamp_length_max(far)];
        let radius = self.radius / self.grid.place.cell_size();
        let is_touched = |body: &StandingBody| {
            let touch = radius + body.radius - ROUNDING;
            // Two that overlap may part.
            (to - from).dot(body.at - from) > 0.0
                && nearest_on(from, to, body.at).distance_squared(body.at) < touch * touch
        };
        if self.bodies.iter().any(is_touched) {
            return true;
        }
        let Some(obstacles) = self.obstacles else { return false };
        let [from, to] = [from, to].map(|point| self.grid.place.to_world(point, 0.0));
        let Ok((direction, max)) = Dir3::new_and_length(to - from) else { return false };
        let cast = Cast::new(from, *direction, self.radius + margin, max).with_mask(self.mask);
        obstacles.sweep(&cast).is_some()
    }

    /// The points from `here`, where the agent stands, round the obstacles and bodies that stand right ahead, and the
    /// waypoints of `rest` from where the way is free again. `None` if nothing stands ahead, or there is no way round.
    ///
    /// A breadth-first search over up to [`MAX_POINTS`] points for each of [`SPACINGS`], first with the distance from
    /// obstacles that the agent prefers.
    pub(super) fn around(&self, here: Vec2, rest: &[Vec2]) -> Option<Vec<Vec2>> {
        if !self.is_obstructed(here, *rest.first()?) {
            return None;
        }
        [self.margin, 0.0].into_iter().find_map(|margin| {
            let is_free = |from: Vec2, to: Vec2| {
                let (grid, shape, corners) = (self.grid.nav.grid(), self.path.shape(), self.path.corners());
                // As far as seen from `here`: no point is past an obstacle because it lies far behind the agent.
                let far = FORESIGHT + from.distance(here);
                // By rounding, a disc that touches a wall sees nothing: it may go a step, and contact leads it on.
                let is_first_step = from == here && !rest.contains(&to);
                let sees = can_walk_straight(grid, shape, corners, from, to)
                    || is_first_step && can_walk_straight(grid, shape.kind, corners, from, to);
                sees && !self.is_hit(from, to, far, margin)
            };
            SPACINGS.into_iter().find_map(|spacing| search(here, rest, spacing, is_free))
        })
    }
}

/// The shortest way, in steps of `spacing`, from a point to where the way to a waypoint of `rest` is free, straightened,
/// and that waypoint and those after it.
fn search(
    here: Vec2,
    rest: &[Vec2],
    spacing: f32,
    is_free: impl Fn(Vec2, Vec2) -> bool,
) -> Option<Vec<Vec2>> {
    let ahead = rest.first().map_or(Vec2::X, |&next| (next - here).normalize_or(Vec2::X));
    let point = |at: IVec2| here + ahead.rotate(at.as_vec2()) * spacing;
    // Each point, and the index of the one from which it was reached.
    let (mut visited, mut known) = (vec![(IVec2::ZERO, 0)], HashSet::new());
    known.insert(IVec2::ZERO);
    let mut index = 0;
    while let Some(&(at, _)) = visited.get(index) {
        let next = rest.iter().take(MAX_WAYPOINTS).position(|&waypoint| is_free(point(at), waypoint));
        if let Some(next) = next {
            let mut way = vec![rest[next]];
            let mut before = index;
            // Back to the start, leaving out each point past which the way is free.
            while before != 0 {
                let earlier = visited[before].1;
                if !is_free(point(visited[earlier].0), way[way.len() - 1]) {
                    way.push(point(visited[before].0));
                }
                before = earlier;
            }
            way.reverse();
            way.extend_from_slice(&rest[next + 1..]);
            return Some(way);
        }
        for turn in [(1, 0), (0, -1), (-1, 0), (0, 1), (1, -1), (-1, -1), (-1, 1), (1, 1)] {
            let to = at + IVec2::from(turn);
            if visited.len() < MAX_POINTS && !known.contains(&to) && is_free(point(at), point(to)) {
                known.insert(to);
                visited.push((to, index));
            }
        }
        index += 1;
    }
    None
}
