//! The request of one agent for a narrow stretch of its path: how far it has come with it, and what the agent has to do.

use bevy::prelude::*;
use pathfind_core::corridor::{Stretch, StretchCell, StretchRule, next_stretch};
use pathfind_core::steer::follow::braking_speed;
use pathfind_core::{GridCell, cast_ray};

use super::claims::{Claims, Turn, is_opposed};
use crate::agent::Agent;
use crate::order::{NavPath, nearest_on};
use crate::steer::passage::{NearStretch, Passage, Rank};
use crate::world::GridRef;

/// By how much two bodies may overlap and still fit side by side, in cells, or wait so.
pub(super) const ROUNDING: f32 = 0.01;
/// How far before a stretch an agent asks for it, beside its braking distance, in cells: there is room for a crowd to
/// wait within. Not measured.
const ASK_DISTANCE: f32 = 4.0;
/// How far ahead on its path an agent looks for a stretch at a time, in cells. Not measured.
const HORIZON: f32 = 24.0;
/// How many cells of connected ground are room to wait. In a smaller pocket the agents that wait would block those that
/// pass. Not measured.
const ROOM: usize = 16;
/// How many cells of the path behind a stretch are kept free by those who wait. Not measured.
const APRON: usize = 6;
/// How far before the mouth the agents with right of way gather, in cells: the middle of the last cell with room.
pub(super) const GATE_DISTANCE: f32 = 0.5;
/// From how far before the mouth agents go in file, in cells: where several come from all sides, the nearest goes first.
const FILE_DISTANCE: f32 = 2.0;
/// The time that an agent in file keeps from the body ahead of it, in seconds: the time gap of the collision-free speed
/// model (A. Tordeux et al., 2016). Measured at half and at twice that: 80 discs of radius 0.45 leave by a door of one
/// cell in 42 and 44 s (now 40 s).
const TIME_GAP: f32 = 0.05;
/// After how long an agent that waits reserves the stretch, beside the time that it takes to pass it, in seconds.
const PATIENCE: f32 = 2.0;
/// After how long without progress an agent that has not entered yet loses its right of way, and an agent in the
/// stretch the right that others keep out, in seconds. Not measured.
const MAX_STANDSTILL: f32 = 6.0;
/// By how much less has to be left of the path for that to count as progress, in cells.
const MIN_PROGRESS: f32 = 0.05;
/// How far ahead the cell is at least that an agent in file heads for, in cells.
const LEAST_AHEAD: f32 = 0.3;
/// An agent farther than this from the leg of its path goes to the mouth first, in cells.
pub(super) const BESIDE: f32 = 0.25;
/// After how long an agent that has found no cell to wait at looks for one again, in seconds: the search is long.
const SLOT_PERIOD: f32 = 0.5;

/// An agent that has asked for a stretch of its path.
#[derive(Debug)]
pub(super) struct StretchRequest {
    pub(super) version: Version,
    pub(super) stretch: Stretch,
    pub(super) turn: Turn,
    /// Its rank among the agents that have waited as long.
    pub(super) rank: Rank,
    /// For how long it has waited, in seconds.
    pub(super) waited: f32,
    /// Where it is, and where it waits, in grid space.
    pub(super) here: Vec2,
    pub(super) slot: Option<Vec2>,
    /// The points on the way to the slot, if it has to go back in the stretch for that.
    way_back: Vec<Vec2>,
    /// How long it will have waited when it looks for a slot next, in seconds.
    slot_due: f32,
    /// The point of its path before the mouth.
    pub(super) gate: Vec2,
    /// The radius of its body, in cells, and its top speed, in cells per second.
    pub(super) radius: f32,
    speed: f32,
    /// The side of the square in which two of its size fit side by side, in cells.
    pub(super) side: u32,
    /// Whether it was in the stretch when it asked: the mouth is somewhere behind it.
    begins_inside: bool,
    /// How far before the stretch it has asked at most, in cells.
    asked_at: f32,
    /// The length of path left, the least of it so far, and for how long no less is left, in cells and seconds.
    pub(super) left: f32,
    least: f32,
    standstill: f32,
    /// The index of the cell of the stretch on which another agent was in the way when that was tested last.
    blocked_at: usize,
    /// Whether it was in a queue in the last tick: then the body ahead is the reason if it stands still.
    pub(super) is_behind: bool,
    /// Whether the agent is near the stretch in this tick, too.
    pub(super) is_present: bool,
}

/// The grid, the map id and revision of its map, and the tick in which the path changed last: a stretch is that of one
/// path on one map.
pub(super) type Version = (Entity, u64, u64, u32);

impl StretchRequest {
    /// Asks for the next stretch of the path of an agent. If none is near, the error is the length of path left at which
    /// to look again; below 0 if no stretch is ahead.
    pub(super) fn new(
        version: Version,
        grid: &GridRef,
        (path, agent): (&NavPath, &Agent),
        near: &NearStretch,
    ) -> Result<Self, f32> {
        const NONE: f32 = -1.0;
        let &NearStretch { rank, here, .. } = near;
        let cells = grid.nav.grid();
        let [radius, speed, acceleration] =
            [agent.radius.max(0.0), agent.speed, agent.acceleration].map(|it| it / grid.place.cell_size());
        // Two discs keep their bodies out of walls; of two others only the centres stay on the ground.
        let (radius, width) = match path.shape().disc(cells, path.corners()) {
            Some(disc) => (radius.max(disc), 4.0 * radius.max(disc)),
            None => (radius, 2.0 * radius),
        };
        let side = (width - ROUNDING).ceil().max(0.0) as u32;
        if side < 2 {
            return Err(NONE);
        }
        let braking = speed * speed / (2.0 * acceleration);
        let ask = ASK_DISTANCE + if braking.is_finite() { braking } else { 0.0 };
        let mut points = vec![here];
        points.extend_from_slice(path.remaining_points());
        // Not the length that was noted with the agent: the path may have changed since.
        let left = points.windows(2).map(|leg| leg[0].distance(leg[1])).sum::<f32>();
        let rule = StretchRule { side, room: ROOM, horizon: HORIZON.max(ask), apron: APRON };
        let Some(stretch) = next_stretch(cells, path.kind(), rule, &points) else {
            return Err(if left <= rule.horizon { NONE } else { left - rule.horizon + ask });
        };
        if left - stretch.entry > ask {
            return Err(stretch.entry + ask);
        }
        Ok(Self {
            version,
            turn: Turn::Waits,
            rank,
            waited: 0.0,
            here,
            slot: None,
            way_back: Vec::new(),
            slot_due: 0.0,
            gate: point_at(&points, left - stretch.entry - GATE_DISTANCE),
            radius,
            speed,
            side,
            begins_inside: left - stretch.entry <= ROUNDING,
            asked_at: ask,
            left,
            least: left,
            standstill: 0.0,
            blocked_at: 0,
            is_behind: false,
            is_present: true,
            stretch,
        })
    }

    /// Takes over what an older request of the agent for the same stretch has reached: its waiting, and its right of way
    /// unless another agent goes against it by now; what others have reserved does not take it away. One that waited and
    /// was pushed in goes back. Returns whether the agent was in the stretch before it asked, and has nowhere to wait.
    pub(super) fn take_over(&mut self, old: Option<Self>, claims: &mut Claims) -> bool {
        let old = old.filter(|old| old.exit() == self.exit());
        let turn = old.as_ref().map(|old| old.turn);
        if let Some(old) = old {
            (self.waited, self.standstill) = (old.waited, old.standstill);
            // On a map that has changed the slot may be a wall, or elsewhere.
            let map = |version: Version| (version.0, version.1, version.2);
            if map(old.version) == map(self.version) {
                (self.slot, self.way_back) = (old.slot, old.way_back);
            }
        }
        if let Some(Turn::Goes { .. }) = turn
            && (self.begins_inside
                || claims.conflict(self.version.0, &self.stretch, Turn::Reserved, 0).is_none())
        {
            self.go(claims);
        }
        self.begins_inside && matches!(turn, None | Some(Turn::Stuck))
    }

    /// Gets the right of way.
    pub(super) fn go(&mut self, claims: &mut Claims) {
        self.turn = claims.grant(self.version.0, &self.stretch, self.turn);
        self.standstill = 0.0;
    }

    /// Loses the right of way, and waits: at the end of a way back, if it is in the stretch.
    pub(super) fn wait(&mut self, way_back: Vec<Vec2>, claims: &mut Claims) {
        self.release(claims);
        (self.turn, self.way_back, self.standstill) = (Turn::Waits, way_back, 0.0);
        self.slot = self.way_back.pop();
    }

    /// Whether it is in the stretch or may go there, and goes against another agent in it.
    pub(super) fn goes_against(&self, other: &Self) -> bool {
        let is_behind = |step: &StretchCell| step.left > self.left + self.radius;
        let ahead = self.stretch.cells.iter().position(|step| !is_behind(step));
        let ahead = ahead.map_or(&[][..], |first| &self.stretch.cells[first..]);
        !self.waits()
            && self.version.0 == other.version.0
            && is_opposed(self.version.0, &other.stretch, ahead)
    }

    /// Gives back all that it has of the stretch.
    pub(super) fn release(&self, claims: &mut Claims) {
        claims.release(self.version.0, &self.stretch, self.turn);
    }

    /// The last cell of the stretch.
    pub(super) fn exit(&self) -> Option<GridCell> {
        self.stretch.cells.last().map(|step| step.cell)
    }

    pub(super) const fn waits(&self) -> bool {
        matches!(self.turn, Turn::Waits | Turn::Reserved)
    }

    /// Whether the body is in the stretch.
    pub(super) fn is_inside(&self) -> bool {
        self.begins_inside || self.left - self.stretch.entry <= self.radius
    }

    /// Whether it goes, and has come so near to the mouth that it goes in file.
    pub(super) fn is_near_mouth(&self) -> bool {
        !self.waits() && self.left - self.stretch.entry <= FILE_DISTANCE.max(4.0 * self.radius)
    }

    /// Whether it waits without a slot, and has to look for one now.
    pub(super) fn is_slot_due(&self) -> bool {
        self.waits() && self.slot.is_none() && self.waited >= self.slot_due
    }

    /// Sets the slot that was found, if one was.
    pub(super) fn set_slot(&mut self, slot: Option<Vec2>) {
        (self.slot, self.slot_due) = (slot, self.waited + SLOT_PERIOD);
    }

    /// Notes how much of the path is left, and gives back the cells that the body has left. Returns whether the request
    /// goes on: the agent has not left all of them, and was not pushed away.
    pub(super) fn advance(&mut self, near: &NearStretch, dt: f32, claims: &mut Claims) -> bool {
        let left = near.left;
        (self.here, self.left, self.is_present) = (near.here, left, true);
        self.standstill = if self.is_behind { 0.0 } else { self.standstill + dt };
        if left < self.least - MIN_PROGRESS || left > self.least + ASK_DISTANCE {
            (self.least, self.standstill) = (left, 0.0);
        }
        let Turn::Goes { passed } = self.turn else {
            return (self.stretch.exit..self.stretch.entry + 2.0 * self.asked_at).contains(&left);
        };
        if self.standstill > MAX_STANDSTILL {
            self.release(claims);
            (self.waited, self.standstill) = (0.0, 0.0);
            self.turn = if self.is_inside() { Turn::Stuck } else { Turn::Waits };
            return true;
        }
        // The last cell is kept until another body has room in the mouth: agents that go in would push this one back.
        let last = self.stretch.cells.len() - 1;
        let is_behind = |&(index, step): &(usize, &StretchCell)| {
            let radii = if index == last { 3.0 } else { 1.0 };
            left + radii * self.radius < step.left
        };
        let behind = self.stretch.cells.iter().enumerate().skip(passed).take_while(is_behind).count();
        if behind > 0 {
            self.turn = claims.give_back(self.version.0, &self.stretch, passed, passed + behind);
        }
        passed + behind < self.stretch.cells.len()
    }

    /// Takes its turn, if no agent is in the way; reserves the stretch if it has waited too long.
    pub(super) fn take_turn(&mut self, dt: f32, claims: &mut Claims) {
        let grid = self.version.0;
        let Some(index) = claims.conflict(grid, &self.stretch, self.turn, self.blocked_at) else {
            self.go(claims);
            return;
        };
        self.blocked_at = index;
        self.waited += dt;
        let length = self.stretch.entry - self.stretch.exit;
        let patience = PATIENCE + length / self.speed.max(f32::MIN_POSITIVE);
        if self.turn == Turn::Waits && self.waited > patience {
            self.turn = claims.reserve(grid, &self.stretch);
        }
    }

    /// The instructions for the agent, which is `here`, in the next tick. `acceleration` is its own, in cells per second²,
    /// and `gap` the distance to the body ahead of it in its file, in cells.
    pub(super) fn passage(
        &self,
        grid: &GridRef,
        (path, here): (&NavPath, Vec2),
        (acceleration, gap): (f32, Option<f32>),
        dt: f32,
    ) -> Passage {
        let sees = |to| path.sees(grid, here, to);
        let braking = |distance: f32| braking_speed(distance, acceleration, dt, 0.0);
        let mut passage = Passage::default();
        if self.waits() {
            passage.waits = true;
            let back = self.way_back.iter().rev().copied();
            passage.target = self.slot.into_iter().chain(back).find(|&point| sees(point));
            passage.speed = match passage.target {
                Some(point) if Some(point) == self.slot => braking(here.distance(point)),
                Some(_) => self.speed,
                None => braking(self.left - self.stretch.entry - GATE_DISTANCE),
            };
            return passage;
        }
        passage.is_in_file = self.is_near_mouth() && self.turn != Turn::Stuck;
        passage.target = self.point_ahead(grid, path, here).or_else(|| {
            let is_beside = |(from, to): (Vec2, Vec2)| {
                here.distance_squared(nearest_on(from, to, here)) > BESIDE * BESIDE
            };
            let goes_in = !self.is_inside() && path.leg().is_some_and(is_beside) && sees(self.gate);
            goes_in.then_some(self.gate)
        });
        if let Some(gap) = gap {
            passage.speed = self.speed.min(gap / TIME_GAP).min(braking(gap));
        }
        passage
    }

    /// The centre of the cell of the stretch that an agent in file goes to next, if it is in sight of the agent's centre:
    /// at a mouth as wide as the body the walls guide the body in, from whichever side it comes.
    fn point_ahead(&self, grid: &GridRef, path: &NavPath, here: Vec2) -> Option<Vec2> {
        let Turn::Goes { passed } = self.turn else { return None };
        let ahead = self.is_near_mouth().then(|| self.stretch.cells.get(passed..)).flatten()?;
        let from = |step: &StretchCell| here.distance_squared(step.cell.center());
        let nearest = (0..ahead.len().min(3)).min_by(|&a, &b| from(&ahead[a]).total_cmp(&from(&ahead[b])))?;
        let is_ahead = |step: &&StretchCell| (step.cell.center() - here).dot(step.leave) > LEAST_AHEAD;
        let mut point = ahead[nearest..].iter().find(is_ahead)?.cell.center();
        if !self.is_inside() {
            // First to the line through the mouth: straight at the cell it would rub along the wall beside the mouth.
            let on_line = nearest_on(self.gate, point, here);
            point = on_line + (point - on_line).clamp_length_max(LEAST_AHEAD);
        }
        cast_ray(grid.nav.grid(), path.kind(), here, point).is_none().then_some(point)
    }
}

/// The point at a distance from the first of some points, along their line; the first for a distance below 0.
fn point_at(points: &[Vec2], mut distance: f32) -> Vec2 {
    for leg in points.windows(2) {
        let length = leg[0].distance(leg[1]);
        if distance <= length {
            return leg[0] + (leg[1] - leg[0]).normalize_or_zero() * distance.max(0.0);
        }
        distance -= length;
    }
    points.last().copied().unwrap_or_default()
}
