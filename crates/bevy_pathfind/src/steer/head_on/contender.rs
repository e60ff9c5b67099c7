//! The geometry of a head-on meeting: whether two agents meet, whether both fit, and where one of them can wait.
//!
//! Everything is in grid space, without velocities or times.

use bevy::prelude::*;
use pathfind_core::{AgentShape, CornerRule, Direction, Grid, GridCell, cast_ray, line_of_sight};

use super::PathAgentReadOnlyItem;
use crate::agent::AgentId;
use crate::order::nearest_on;
use crate::world::{GridRef, Positions};

/// How many cells a search for a pull-out visits, to bound its time. Not measured.
const MAX_CELLS: usize = 256;
/// The widest gap between the bodies of two agents that block each other, in cells. Not measured.
const BLOCKING_GAP: f32 = 0.5;
/// An agent within this distance of the end of its path counts as being there. In cells. Not measured.
const AT_END: f32 = 0.15;
/// How far from the centre of its cell an agent may wait, in the direction away from the other's path, in cells. The
/// point is 0.15 from the border of the cell. Not measured.
const PULL_OUT_OFFSET: f32 = 0.35;
/// Two directions are opposite if the cosine of the angle between them is less than this: 120 degrees. Not measured.
const OPPOSITE_COSINE: f32 = -0.5;
/// Tolerance for rounding: how much two bodies may overlap and still pass, in cells.
const TOLERANCE: f32 = 0.01;

/// One of two agents that meet, in grid space.
#[derive(Debug, Clone)]
pub(super) struct Contender {
    pub(super) entity: Entity,
    pub(super) id: AgentId,
    pub(super) here: Vec2,
    pub(super) radius: f32,
    /// The point of its path that is nearest to it: it may have been pushed aside.
    pub(super) start: Vec2,
    /// The waypoints still to be reached.
    pub(super) rest: Vec<Vec2>,
    pub(super) shape: AgentShape,
    pub(super) corners: CornerRule,
}

/// The radius of an agent's body, in cells.
pub(super) fn radius_of(agent: &PathAgentReadOnlyItem, grid: &GridRef) -> f32 {
    agent.agent.radius.max(0.0) / grid.place.cell_size()
}

impl Contender {
    /// An agent on a path, on a grid; `None` if it has no position.
    pub(super) fn of(agent: &PathAgentReadOnlyItem, grid: &GridRef, positions: &Positions) -> Option<Self> {
        let here = positions.of(agent.entity).map(|at| grid.place.to_grid(at))?;
        Some(Self {
            entity: agent.entity,
            id: *agent.id,
            here,
            start: agent.path.leg().map_or(here, |(from, to)| nearest_on(from, to, here)),
            radius: radius_of(agent, grid),
            rest: agent.path.remaining_points().to_vec(),
            shape: agent.path.shape(),
            corners: agent.path.corners(),
        })
    }

    /// Whether an agent of this radius at this point, both in grid space, is near enough to be in the way.
    pub(super) fn is_near(&self, here: Vec2, radius: f32) -> bool {
        self.here.distance(here) <= self.radius + radius + BLOCKING_GAP
    }

    /// Whether two agents meet head-on: each is ahead of the other, and where they pass each other their paths lead
    /// in opposite directions. Two that come to one corner from different sides and go on together do not meet: one
    /// of them goes first.
    pub(super) fn meets(&self, other: &Self) -> bool {
        let is_before = |a: &Self, b: &Self| {
            a.rest.first().is_some_and(|next| (next - a.here).dot(b.here - a.here) > 0.0)
        };
        self.is_near(other.here, other.radius)
            && is_before(self, other)
            && is_before(other, self)
            && self.direction_past(other.here).dot(other.direction_past(self.here)) < OPPOSITE_COSINE
    }

    /// The direction in which its path leads on from the path's point nearest to another agent; zero without a path.
    fn direction_past(&self, point: Vec2) -> Vec2 {
        let (mut nearest, mut direction) = (f32::INFINITY, Vec2::ZERO);
        let mut from = self.start;
        for &to in &self.rest {
            // At a turn the leg behind the turn counts: on that one the two would go on.
            let distance = nearest_on(from, to, point).distance(point);
            if from != to && distance <= nearest + TOLERANCE {
                (nearest, direction) = (distance.min(nearest), (to - from).normalize_or_zero());
            }
            from = to;
        }
        direction
    }

    /// Whether two bodies have room side by side where this one stands: across its path, the walls leave a stretch
    /// for their centres that is at least as long as the sum of both radii.
    pub(super) fn has_room_beside(&self, other: &Self, grid: &Grid) -> bool {
        let across = self.direction_past(other.here).perp();
        let apart = self.radius + other.radius;
        let reach = 2.0 * apart;
        let free = |side: Vec2| {
            let hit = cast_ray(grid, self.shape.kind, self.here, self.here + side * reach);
            hit.map_or(reach, |hit| hit.fraction * reach)
        };
        let margin = self.shape.disc(grid, self.corners).map_or(0.0, |radius| 2.0 * radius);
        free(across) + free(-across) - margin >= apart
    }

    /// Whether another agent is so far off the rest of its path that it can go on.
    pub(super) fn can_pass(&self, other: &Self) -> bool {
        self.distance_from_path(other.here) >= self.radius + other.radius - TOLERANCE
    }

    /// Whether it stands at the end of its path.
    pub(super) fn is_at_end(&self) -> bool {
        self.rest.last().is_some_and(|end| end.distance(self.here) <= AT_END)
    }

    /// Whether it is clear of another agent that waits, and its path only leads away from that one.
    pub(super) fn is_past(&self, other: &Self) -> bool {
        let now = self.here.distance(other.here);
        now > self.radius + other.radius + BLOCKING_GAP
            && self.distance_from_path(other.here) > now - TOLERANCE
    }

    /// The path, cell by cell, to the nearest cell off the rest of the other's path; `None` if it cannot get to any.
    /// A breadth-first search of up to [`MAX_CELLS`] cells.
    pub(super) fn retreat(&self, other: &Self, grid: &Grid) -> Option<Vec<Vec2>> {
        let apart = self.radius + other.radius - TOLERANCE;
        // Each cell, and the index of the cell that it was reached from.
        let mut cells = vec![(GridCell::containing(self.here), 0)];
        let mut index = 0;
        while index < cells.len() && cells.len() < MAX_CELLS {
            let cell = cells[index].0;
            // By rounding, a disc that touches a wall sees nothing: it has room to go to the centre of its cell first.
            let sees = |to: Vec2| {
                let sees_from = |from: Vec2| line_of_sight(grid, self.shape, self.corners, from, to);
                index == 0 && sees_from(self.here) || sees_from(cell.center())
            };
            for direction in [Direction::E, Direction::S, Direction::W, Direction::N] {
                let next = cell.step(direction);
                let to = next.center();
                if cells.iter().any(|&(known, _)| known == next)
                    || self.is_barred(to, other, index == 0)
                    || !sees(to)
                {
                    continue;
                }
                cells.push((next, index));
                let pull_outs = core::iter::once(to).chain(other.farther_off(to, grid));
                for pull_out in pull_outs {
                    let off = other.distance_from_path(pull_out);
                    if off >= apart && !other.ends_beside(pull_out, off) {
                        return Some(trace(&cells, pull_out));
                    }
                }
            }
            index += 1;
        }
        None
    }

    /// Whether another agent bars the step to a point. It can bar steps in the direction of the path only: by
    /// standing on the point or, on the first step, by being less far ahead than the point. A step back leads away
    /// from the other agent, even where the two stand side by side.
    fn is_barred(&self, to: Vec2, other: &Self, is_first: bool) -> bool {
        let ahead = self.rest.first().map_or(Vec2::ZERO, |next| (next - self.here).normalize_or_zero());
        let along = ahead.dot(to - self.here);
        let is_taken = to.distance(other.here) < self.radius + other.radius - TOLERANCE;
        along > TOLERANCE && (is_taken || is_first && along > ahead.dot(other.here - self.here))
    }

    /// Whether the point of its path nearest to `point`, at distance `off`, is the end of the path: an agent that
    /// waited there could be shut in once this one has arrived.
    fn ends_beside(&self, point: Vec2, off: f32) -> bool {
        self.rest.last().is_some_and(|end| end.distance(point) <= off + TOLERANCE)
    }

    /// A point in the cell of `center` that is farther off the rest of its path than `center`, if it is in sight.
    fn farther_off(&self, center: Vec2, grid: &Grid) -> Option<Vec2> {
        let point = center + (center - self.nearest_on_path(center)).normalize_or_zero() * PULL_OUT_OFFSET;
        line_of_sight(grid, self.shape, self.corners, center, point).then_some(point)
    }

    /// How far a point is from the rest of its path.
    fn distance_from_path(&self, point: Vec2) -> f32 {
        self.nearest_on_path(point).distance(point)
    }

    /// The point nearest to another point, of all points of the rest of its path and its position.
    fn nearest_on_path(&self, point: Vec2) -> Vec2 {
        let ends = core::iter::once(self.start).chain(self.rest.iter().copied());
        let legs = ends.zip(&self.rest).map(|(from, &to)| nearest_on(from, to, point));
        let nearer = |a: Vec2, b: Vec2| if b.distance(point) < a.distance(point) { b } else { a };
        legs.fold(self.here, nearer)
    }
}

/// The path from the first of the cells to a point in the last: the centres between them, and that point.
fn trace(cells: &[(GridCell, usize)], end: Vec2) -> Vec<Vec2> {
    let mut index = cells.len() - 1;
    let mut rest = Vec::new();
    if end != cells[index].0.center() {
        rest.push(end);
    }
    while index > 0 {
        rest.push(cells[index].0.center());
        index = cells[index].1;
    }
    rest.reverse();
    rest
}

#[cfg(test)]
mod tests {
    use pathfind_core::{AgentKind, AgentSize};

    use super::*;

    fn contender(id: u64, here: (f32, f32), to: (f32, f32)) -> Contender {
        Contender {
            entity: Entity::PLACEHOLDER,
            id: AgentId(id),
            here: here.into(),
            start: here.into(),
            radius: 0.4,
            rest: vec![to.into()],
            shape: AgentShape::default(),
            corners: CornerRule::Never,
        }
    }

    #[test]
    fn an_agent_backs_off_to_the_nearest_pull_out_that_the_other_does_not_bar() {
        let grid = Grid::from_ascii(".......\n#.###.#").unwrap();
        let (left, right) = (contender(1, (3.1, 0.5), (6.5, 0.5)), contender(2, (3.9, 0.5), (0.5, 0.5)));
        assert!(left.meets(&right) && right.meets(&left), "they block each other");
        let points = |cells: &[(i32, i32)]| cells.iter().map(|&cell| GridCell::from(cell).center()).collect();
        assert_eq!(left.retreat(&right, &grid), Some(points(&[(2, 0), (1, 0), (1, 1)])), "back to the left");
        assert_eq!(right.retreat(&left, &grid), Some(points(&[(4, 0), (5, 0), (5, 1)])), "or to the right");
        let one_pull_out = Grid::from_ascii(".......\n#####.#").unwrap();
        assert_eq!(left.retreat(&right, &one_pull_out), None, "the only pull-out lies behind the other");
    }

    #[test]
    fn a_disc_that_touches_a_wall_backs_off_too() {
        let mut grid = Grid::from_ascii(".......\n#.#####").unwrap();
        let kind = grid.add_kind(AgentKind::default().with_size(AgentSize::Disc(0.4))).unwrap();
        // By rounding it is in the wall.
        let mut left = Contender { shape: kind.into(), ..contender(1, (3.1, 0.3999), (6.5, 0.5)) };
        let right = contender(2, (3.9, 0.5), (0.5, 0.5));
        let end = left.retreat(&right, &grid).and_then(|rest| rest.last().copied());
        assert!(end.is_some_and(|end| end.y > 1.0), "back to the pull-out: {end:?}");
        left.here.y = -0.5;
        assert_eq!(left.retreat(&right, &grid), None, "there is no way out of the wall itself");
    }

    #[test]
    fn an_agent_beside_the_other_goes_back_too() {
        let grid = Grid::from_ascii(".......\n#.#####").unwrap();
        let (left, right) = (contender(1, (3.0, 0.1), (6.5, 0.5)), contender(2, (3.0, 0.9), (0.5, 0.5)));
        assert!(left.meets(&right) && right.meets(&left), "they stand side by side");
        let end = |rest: Option<Vec<Vec2>>| rest.and_then(|rest| rest.last().copied());
        assert_eq!(
            end(left.retreat(&right, &grid)),
            Some(Vec2::new(1.5, 1.5)),
            "back to the pull-out behind it"
        );
        assert_eq!(
            end(right.retreat(&left, &grid)),
            None,
            "the other one has that pull-out ahead, where the first bars it"
        );
    }

    #[test]
    fn no_agent_waits_behind_where_the_other_ends() {
        let grid = Grid::from_ascii("..........\n##.#######").unwrap();
        let (left, right) = (contender(1, (5.1, 0.5), (7.5, 0.5)), contender(2, (5.9, 0.5), (0.5, 0.5)));
        assert_eq!(right.retreat(&left, &grid), None, "in the last cells it would be shut in");
        assert!(left.retreat(&right, &grid).is_some(), "the other has a pull-out behind it");
    }

    #[test]
    fn an_agent_is_past_when_its_path_leads_away() {
        let waiting = contender(1, (3.5, 1.5), (3.5, 1.5));
        assert!(
            !contender(2, (1.5, 0.5), (6.5, 0.5)).is_past(&waiting),
            "it has not come to the pull-out yet"
        );
        assert!(!contender(2, (3.6, 0.5), (6.5, 0.5)).is_past(&waiting), "it is beside the pull-out");
        assert!(contender(2, (5.0, 0.5), (6.5, 0.5)).is_past(&waiting), "it has passed the pull-out");
    }

    #[test]
    fn two_that_come_to_one_corner_and_go_on_together_do_not_meet_head_on() {
        let (corner, end) = (Vec2::new(5.5, 3.5), Vec2::new(9.5, 3.5));
        for (above, below) in [((5.5, 2.9), (5.5, 4.1)), ((5.0, 3.0), (5.2, 4.1)), ((5.3, 3.2), (4.7, 3.9))] {
            let (mut one, mut other) = (contender(1, above, end.into()), contender(2, below, end.into()));
            (one.rest, other.rest) = (vec![corner, end], vec![corner, end]);
            assert!(!one.meets(&other) && !other.meets(&one), "from {above:?} and {below:?}");
            other.rest = vec![corner, Vec2::new(5.5, 0.5)];
            one.rest = vec![corner, Vec2::new(5.5, 7.5)];
            assert!(one.meets(&other), "they meet if each goes to where the other comes from");
        }
    }

    #[test]
    fn agents_in_one_direction_do_not_meet() {
        let (first, second) = (contender(1, (3.0, 0.5), (6.5, 0.5)), contender(2, (3.9, 0.5), (6.5, 0.5)));
        assert!(!first.meets(&second), "one follows the other");
    }
}
