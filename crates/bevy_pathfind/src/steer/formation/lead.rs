//! The members of a group on the way to their places: straight where a member sees its place, else by a path.

use bevy::prelude::*;
use pathfind_core::steer::formation::across;
use pathfind_core::{CornerRule, can_walk_straight};

use super::march::{Member, MemberItem, Obedient};
use super::state::{AT_PLACE, March};
use crate::order::{PathStatus, SteeringRequest, Ticket};
use crate::steer::goal_velocity::has_own_status;
use crate::steer::pursuer::withdraw_request;
use crate::steer::{Crowd, GoalSource, GoalVelocity};
use crate::world::{GridRef, Grids};

/// Every how many ticks a member looks whether it sees its place. Not measured.
const LOOK_INTERVAL: u64 = 8;
/// How many spacings beyond its place a member looks for a point that it sees, if it does not see the place.
const LOOK_PAST: [f32; 3] = [1.0, 2.0, 3.0];

/// The surroundings of a group in a tick, the same for all its members.
pub(super) struct Walk<'a> {
    pub(super) grid: &'a GridRef<'a>,
    pub(super) grids: &'a Grids<'a, 'a>,
    pub(super) crowd: &'a Crowd,
    pub(super) corners: CornerRule,
    pub(super) tick: u64,
    pub(super) dt: f32,
}

/// The track at the length along it where a row of the formation is.
#[derive(Clone, Copy)]
struct Row {
    at: f32,
    center: Vec2,
    direction: Vec2,
    /// How far the row is shifted, and the free ground on both sides.
    shift: f32,
    free: [f32; 2],
}

impl Row {
    fn new(state: &March, at: f32, width: (f32, f32)) -> Self {
        let reach = state.reach();
        let shift_at = |at: f32| state.room.shift(at, width);
        let shift = (shift_at(at - reach) + shift_at(at) + shift_at(at + reach)) / 3.0;
        Self {
            at,
            center: state.track.point(at),
            direction: state.track.direction(at, reach),
            shift,
            free: state.room.at(at),
        }
    }

    /// A point of the row.
    fn point(&self, x: f32, right: f32) -> Vec2 {
        let [low, high] = self.free;
        let x = if low <= high { (x + self.shift).clamp(low, high) } else { x };
        self.center + across(self.direction, right) * x
    }
}

impl Walk<'_> {
    /// Leads the members to their places, in the order of the places.
    pub(super) fn lead(
        &self,
        state: &mut March,
        members: &mut Query<Member, Obedient>,
        is_new_form: bool,
        commands: &mut Commands,
    ) {
        let gives_up = state.loses_patience(self.dt);
        let (mut lag, mut total, mut haste, mut all_through) = (0.0_f32, 0.0, 1.0_f32, true);
        let (mut row, mut has_come_out) = (None::<Row>, false);
        let width = state.width();
        for (&entity, place) in state.order.iter().zip(&state.places) {
            let Ok(mut member) = members.get_mut(entity) else { continue };
            let Some(body) = self.crowd.body(*member.slot) else { continue };
            member.place.led = self.tick;
            let at = state.at + place.y;
            let row = match row.filter(|row| row.at == at) {
                Some(row) => row,
                None => *row.insert(Row::new(state, at, width)),
            };
            let target = row.point(place.x, state.right);
            let here = self.grid.place.to_grid(body.position);
            let before = member.place.last.replace(target).filter(|&before| !state.is_jump(before, target));
            let drift = before.map_or(Vec2::ZERO, |before| (target - before) / self.dt);
            if state.speed > 0.0 {
                haste = haste.max((drift.length() / state.speed).min(3.0));
            }
            if is_new_form {
                member.place.is_through = false;
            }
            // How far it has to go before it is through.
            let ahead = state
                .passage
                .filter(|_| !member.place.is_through)
                .map_or(0.0, |stretch| (stretch.to - state.track.project(here)).max(0.0));
            let is_through = ahead <= 0.0;
            has_come_out |= is_through != core::mem::replace(&mut member.place.is_through, is_through);
            all_through &= is_through || member.place.is_left_behind;
            let mut gap = target - here;
            // In a column nobody goes back: it waits until its place comes.
            let back = gap.dot(row.direction);
            let waits = state.column.is_some() && back < 0.0;
            let drift = if waits { Vec2::ZERO } else { drift };
            if waits {
                gap = if back < -1.5 * state.spacing { Vec2::ZERO } else { gap - row.direction * back };
            }
            let off = if is_through { gap.length() } else { ahead + state.spacing };
            member.place.is_left_behind =
                off > AT_PLACE * state.spacing && (gives_up || member.place.is_left_behind);
            if !member.place.is_left_behind {
                lag = lag.max(off);
                total += off;
            }
            if member.has_link {
                continue;
            }
            let goal = MemberGoal { target, gap, drift, waits, is_through, is_moved: before.is_none() };
            self.lead_member(&mut member, (here, body.position), &goal, (state, &row, place.x), commands);
        }
        (state.lag, state.total_lag) = (lag, total);
        if has_come_out {
            state.waited = 0.0;
        }
        state.haste = if state.speed > 0.0 { haste } else { state.haste };
        if all_through {
            state.passage = None;
        }
    }

    /// Leads a member straight to its place, or to a point on the way there that it sees; else asks for a path.
    fn lead_member(
        &self,
        member: &mut MemberItem,
        (here, position): (Vec2, Vec3),
        goal: &MemberGoal,
        (state, row, x): (&March, &Row, f32),
        commands: &mut Commands,
    ) {
        let shape = member.agent.shape(self.grid.place.cell_size());
        let sees = |to: Vec2| can_walk_straight(self.grid.nav.grid(), shape, self.corners, here, to);
        let looks = goal.is_moved || (self.tick + member.id.0).is_multiple_of(LOOK_INTERVAL);
        if looks || member.place.requested.is_some() {
            let is_here =
                || self.grids.of(member.tie, position).is_ok_and(|grid| grid.entity == self.grid.entity);
            member.place.sees = is_here() && (goal.waits || sees(goal.target));
        }
        let aim = match member.place.sees {
            _ if !goal.is_through => None,
            true => Some((here + goal.gap, goal.drift)),
            false if state.passage.is_some() => None,
            false => {
                let past = LOOK_PAST.map(|far| {
                    let row = Row::new(state, row.at + far * state.spacing, (0.0, 0.0));
                    row.center + across(row.direction, state.right) * x
                });
                let back = || {
                    let from = state.track.project(here);
                    [0.75, 0.5, 0.25].map(|part| state.track.point(from + (row.at - from) * part))
                };
                let mut points = past.into_iter().chain(back());
                points.find(|&point| sees(point)).map(|point| (point, Vec2::ZERO))
            }
        };
        let world = |point: Vec2| self.grid.place.to_world(point, 0.0);
        let Some((aim, drift)) = aim else {
            self.request_path(member, position, world(goal.target), commands);
            return;
        };
        if member.place.requested.take().is_some() {
            withdraw_request(member.entity, commands);
        }
        let agent = member.agent;
        let way = self.grid.place.flatten(world(aim) - position);
        let drift = self.grid.place.flatten(world(drift) - world(Vec2::ZERO));
        let velocity = GoalVelocity::keep_up(way, drift, agent, self.dt);
        member.goal.state(GoalSource::Formation, velocity.with_end(position + way));
        if has_own_status(member.ticket) {
            let is_there = state.has_arrived && goal.gap.length() <= AT_PLACE * state.spacing;
            member.status.set_if_neq(if is_there { PathStatus::Arrived } else { PathStatus::Following });
        }
    }

    /// Asks for a path of the member's own to its place, unless it goes along one that leads near there.
    fn request_path(&self, member: &mut MemberItem, position: Vec3, target: Vec3, commands: &mut Commands) {
        let is_near = |asked: Vec3| {
            let near = (2.0 * self.grid.place.cell_size()).max(asked.distance(position) / 4.0);
            asked.distance(target) <= near
        };
        let has_answer = member.ticket.is_none_or(Ticket::has_answer);
        if member.place.requested.is_none_or(|asked| has_answer && !is_near(asked)) {
            member.place.requested = Some(target);
            let mut request = SteeringRequest::to(target);
            request.request.spread_at_goal = false;
            commands.entity(member.entity).try_insert(request);
        }
    }
}

/// The place of a member in a tick, in grid space.
struct MemberGoal {
    target: Vec2,
    /// The way there that it goes, and how fast the place moves.
    gap: Vec2,
    drift: Vec2,
    /// Whether it waits until its place comes.
    waits: bool,
    is_through: bool,
    /// Whether it has got another place.
    is_moved: bool,
}
