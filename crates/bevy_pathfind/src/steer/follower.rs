//! Path following: the goal velocity of agents on paths, and their arrival.
//!
//! An agent heads for its next waypoint, no faster than it can still brake for the turns and the end ahead. An agent
//! that has left its leg goes back to it, or asks for another path. Near the goal it takes an
//! [arrival slot](super::arrival_slots), a cell of its own. Where other agents come the other way in a narrow passage
//! it keeps to the [right half](lanes).
//!
//! An agent that makes no progress ([`StallDetector`]) and has met another one [head-on](super::head_on) backs off, or
//! the other does. Else it asks for another path; after two attempts [`PathStuck`] is triggered, unless the agent waits
//! in a [queue].

mod lanes;
mod queue;
mod stall;

use bevy::ecs::query::QueryData;
use bevy::prelude::*;
use pathfind_core::steer::follow::{braking_speed, turning_speed};
use pathfind_core::{Cell, line_of_sight};

pub(crate) use lanes::Lane;
pub(in crate::steer) use lanes::Streams;
use lanes::keep_right;
use queue::Queues;
pub(crate) use stall::StallDetector;
use stall::Standstill;

use super::arrival_slots::{ArrivalSlots, Destination, Holder};
use super::follow_issue::{FollowIssue, FollowIssues};
use super::head_on::HeadOn;
use super::{AgentAvoidance, Avoider, GoalSource, GoalVelocity, Pursuer, Remaining, SteeringOverride, Wish};
use crate::agent::{Agent, AgentId, AgentVelocity};
use crate::order::{
    Arrival, NavPath, PathArrived, PathEndedShort, PathOutcome, PathRequest, PathStatus, PathStuck, Ticket,
    TicketCounter, nearest_on,
};
use crate::world::{GridRef, Grids, Positions};

/// How near a waypoint counts as reached if the next one is in sight, and how far from its leg a turn or another agent
/// may take an agent, in cells.
const LEEWAY: f32 = 0.25;
/// How near a waypoint counts as reached even if the next one is not in sight yet, in cells. In a passage as wide as
/// the body, and between two walls that meet in a corner, it comes into sight on the waypoint alone. Contact with the
/// walls then guides the body.
const REACHED: f32 = 0.02;
/// How far from its leg an agent has left its path, if it does not see its next waypoint either, in cells.
const OFF: f32 = 0.35;
/// How near a waypoint has to be for an agent that others hinder to skip it, in cells.
const NEAR_TURN: f32 = 3.0;
/// How near a waypoint such an agent looks for a point on the leg behind it to head for instead, in cells.
const NEAR_CORNER: f32 = 1.5;
/// How far behind the waypoint that point lies at most, in cells.
const PAST_TURN: f32 = 2.0;
/// How many waypoints ahead may limit an agent's speed.
const LOOK_AHEAD: usize = 8;
/// How far before it has to brake for its goal, or for the agents that stand round it, an agent takes a slot, in cells.
const EARLY: f32 = 2.0;
/// How near the agents round its goal, or its slot, a stuck agent counts as arrived, in cells.
const CLOSE: f32 = 1.0;

/// The components of an agent on a path.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct Walker {
    entity: Entity,
    id: &'static AgentId,
    agent: &'static Agent,
    transform: &'static Transform,
    parent: Has<ChildOf>,
    request: Option<&'static PathRequest>,
    velocity: &'static AgentVelocity,
    path: &'static mut NavPath,
    ticket: &'static mut Ticket,
    status: &'static mut PathStatus,
    wish: Wish,
    stall: &'static mut StallDetector,
    head_on: &'static mut HeadOn,
    lane: &'static mut Lane,
    avoider: Option<&'static Avoider>,
    driven: Option<&'static SteeringOverride>,
    hunts: Has<Pursuer>,
}

/// States the goal velocities of agents with a path, ends the paths of those that have arrived, and collects what the
/// others need.
pub(super) fn follow(
    mut walkers: Query<Walker>,
    (grids, positions): (Grids, Positions),
    time: Res<Time>,
    slots: Res<ArrivalSlots>,
    (mut streams, counter): (ResMut<Streams>, Res<TicketCounter>),
    mut issues: ResMut<FollowIssues>,
    mut commands: Commands,
) {
    let is_counted = streams.begin(counter.tick);
    let dt = time.delta_secs();
    let (mut arrived, mut known) = (Vec::new(), None::<GridRef>);
    for mut walker in &mut walkers {
        if walker.path.is_finished() || dt <= 0.0 {
            continue;
        }
        // Nearly all agents are on one grid and have no parent: keep the last grid, and skip the hierarchy.
        known =
            known.filter(|grid| grid.entity == walker.path.grid()).or_else(|| grids.get(walker.path.grid()));
        let Some(grid) = known else { continue };
        let own = || Some(walker.transform.translation);
        let at = if walker.parent { positions.of(walker.entity) } else { own() };
        let Some(at) = at.filter(|at| at.is_finite()) else { continue };
        let here = grid.place.to_grid(at);
        take_turns(&mut walker, &grid, here);
        let wants_slot = wants_slot(&walker, &grid, here, &slots);
        if !wants_slot && !walker.head_on.is_on(&walker.path) && has_arrived(&walker, &grid, at, dt) {
            arrived.push((*walker.id, walker.entity.index_u32(), walker.finish(&grid, at)));
            continue;
        }
        match walker.path.leg() {
            Some(leg) if is_counted => streams.note(grid.entity, walker.id.0, here, leg),
            _ => streams.look(counter.tick, &mut walker, &grid, here),
        }
        let shortcut = keep_right(&walker, &grid, here).or_else(|| shortcut(&walker, &grid, here));
        let next = shortcut.map(|point| grid.place.to_world(point, 0.0));
        let velocity = match next.or(walker.path.next_waypoint()) {
            Some(next) if !walker.head_on.waits() => velocity(&mut walker, &grid, (at, next), dt),
            _ => Vec3::ZERO,
        };
        let trouble = trouble(&mut walker, &grid, (here, shortcut.is_some()), velocity, dt);
        // An agent that has left its path stands still until it has a way back.
        let wish = if trouble == Some(FollowIssue::OffPath) { Vec3::ZERO } else { velocity };
        let goal_velocity = GoalVelocity::new(wish).with_remaining(remaining(&walker, &grid, at));
        walker.wish.state(GoalSource::Path, goal_velocity);
        if let Some(issue) = wants_slot.then_some(FollowIssue::Slot).or(trouble) {
            issues.0.push((walker.ticket.number, issue, walker.entity));
        }
    }
    arrived.sort_by_key(|&(id, index, _)| (id, index));
    for (.., ending) in arrived {
        ending.tell(&mut commands);
    }
}

/// Gives agents the slot, the way back or the other path that they need, in the order of their requests.
pub(super) fn help(
    mut walkers: Query<Walker>,
    grids: Grids,
    positions: Positions,
    mut issues: ResMut<FollowIssues>,
    mut slots: ResMut<ArrivalSlots>,
    mut counter: ResMut<TicketCounter>,
    mut commands: Commands,
) {
    let mut queues = None;
    for (_, issue, entity) in issues.0.drain(..) {
        let Ok(walker) = walkers.get(entity) else { continue };
        let Some(grid) = grids.get(walker.path.grid()) else { continue };
        let Some(here) = positions.of(entity).map(|at| grid.place.to_grid(at)) else { continue };
        let holder = Holder { entity, radius: walker.agent.radius.max(0.0) / grid.place.cell_size() };
        let holds = |entity: Entity, cell: Cell| {
            walkers.get(entity).is_ok_and(|other| other.ticket.slot == Some(cell))
        };
        // It has a slot, and is near it or among the agents round its goal.
        let is_near = walker.ticket.slot.is_some_and(|place| {
            here.distance(place.center()) <= CLOSE
                || here.distance(walker.path.aim()) <= slots.reach(&goal_of(walker.path)) + CLOSE
        });
        let place = match issue {
            FollowIssue::Slot => {
                let end = walker.path.end().map_or(walker.path.aim(), |end| end);
                let asks = (holder, here, Cell::containing(end));
                slots.take(goal_of(walker.path), &grid, asks, counter.tick, holds)
            }
            FollowIssue::Stalled | FollowIssue::Stuck | FollowIssue::Still if is_near => {
                let cell = Cell::containing(here);
                let is_walkable = grid.nav.grid().is_walkable(walker.path.kind(), cell);
                (is_walkable && slots.take_here(grid.entity, holder, cell, holds)).then_some(cell)
            }
            _ => None,
        };
        let may_be_stuck =
            matches!(issue, FollowIssue::Stuck | FollowIssue::Still) && !walker.stall.is_reported();
        let is_stuck = may_be_stuck && place.is_none() && {
            let queues = queues.get_or_insert_with(|| Queues::new(&walkers, &grids, &positions));
            !queues.waits(entity)
        };
        let Ok(mut walker) = walkers.get_mut(entity) else { continue };
        // No other cell was found for it.
        let is_there = place.is_none() || place == walker.ticket.slot;
        match (place, issue) {
            (_, FollowIssue::Stuck | FollowIssue::Still) if is_near && is_there => {
                walker.end_here(&grid, here).tell(&mut commands);
                continue;
            }
            (Some(place), _) => walker.go_to(place, &grid, here, &mut counter),
            (None, FollowIssue::Slot) => walker.ticket.slot = Some(Cell::containing(walker.path.aim())),
            (None, FollowIssue::OffPath) => walker.find_back(&grid, here, &mut counter),
            (None, _) => walker.ask_anew(&mut counter),
        }
        if is_stuck {
            walker.stall.mark_reported();
            commands.trigger(PathStuck { entity });
        }
    }
}

impl WalkerItem<'_, '_> {
    /// Ends the path where the agent stands, at a point of grid space: it is hemmed in by others that have arrived.
    /// The slot that it had taken becomes free for another agent.
    fn end_here(&mut self, grid: &GridRef, here: Vec2) -> Ending {
        self.ticket.slot = Some(Cell::containing(here));
        self.finish(grid, grid.place.to_world(here, 0.0))
    }

    /// Ends the path where the agent stands, at a point of the world.
    fn finish(&mut self, grid: &GridRef, at: Vec3) -> Ending {
        while !self.path.is_finished() {
            self.path.advance();
        }
        let entity = self.entity;
        let end = self.path.found_end();
        let end_in_world = grid.place.to_world(end, 0.0);
        match self.path.outcome() {
            PathOutcome::Complete => {
                *self.status = PathStatus::Arrived;
                // An agent without a slot has not had to share its goal.
                let is_beside = self.ticket.slot.is_some_and(|place| place != Cell::containing(end));
                let distance = grid.place.flatten(end_in_world - at).length();
                let arrival = if is_beside { Arrival::BesideGoal { distance } } else { Arrival::AtGoal };
                Ending::Arrived(PathArrived { entity, arrival })
            }
            PathOutcome::Partial(reason) => {
                *self.status = PathStatus::EndedShort(reason);
                Ending::Short(PathEndedShort { entity, nearest: end_in_world, reason })
            }
        }
    }

    /// Goes to a slot near its goal: straight if the slot is in sight, else by another path.
    fn go_to(&mut self, place: Cell, grid: &GridRef, here: Vec2, counter: &mut TicketCounter) {
        self.ticket.slot = Some(place);
        if self.path.end().map(Cell::containing) == Some(place) {
            return;
        }
        if self.sees(grid, here, place.center()) {
            self.path.end_at(grid, here, &[place.center()]);
        } else {
            self.ask_anew(counter);
        }
    }

    /// Goes back to its leg, or asks for another path if there is no straight [way back](back_to_leg).
    fn find_back(&mut self, grid: &GridRef, here: Vec2, counter: &mut TicketCounter) {
        let back = self.path.leg().and_then(|leg| back_to_leg(leg, here, |a, b| self.sees(grid, a, b)));
        match back {
            Some(back) => self.path.rejoin(grid, here, back),
            None => self.ask_anew(counter),
        }
    }

    /// Asks for another path.
    fn ask_anew(&mut self, counter: &mut TicketCounter) {
        self.ticket.ask_anew(counter, self.path.grid());
        *self.status = PathStatus::Waiting;
    }

    fn avoids_others(&self) -> bool {
        self.avoider.is_some_and(|avoider| avoider.agents != AgentAvoidance::Ignore)
    }

    fn sees(&self, grid: &GridRef, from: Vec2, to: Vec2) -> bool {
        line_of_sight(grid.nav.grid(), self.path.kind(), self.path.corners(), from, to)
    }
}

/// The event at the end of a path.
enum Ending {
    Arrived(PathArrived),
    Short(PathEndedShort),
}

impl Ending {
    fn tell(self, commands: &mut Commands) {
        match self {
            Self::Arrived(event) => commands.trigger(event),
            Self::Short(event) => commands.trigger(event),
        }
    }
}

/// The goal of a path, as the key of its arrival slots.
fn goal_of(path: &NavPath) -> Destination {
    Destination {
        grid: path.grid(),
        cell: Cell::containing(path.aim()),
        kind: path.kind(),
        corners: path.corners(),
    }
}

/// Goes on to the next waypoint where the present one is near enough and the leg behind it is in sight. For an agent
/// that others hinder, a waypoint farther away is near enough: only one body at a time has room on the waypoint itself.
fn take_turns(walker: &mut WalkerItem, grid: &GridRef, here: Vec2) {
    while let Some((_, turn)) = walker.path.leg() {
        let distance = here.distance(turn);
        if distance > LEEWAY && !(distance < NEAR_TURN && is_hindered(walker, here)) {
            break;
        }
        let &[_, beyond, ..] = walker.path.remaining_points() else { break };
        if distance > REACHED && !walker.sees(grid, here, beyond) {
            break;
        }
        walker.path.bypass_change_detection().advance();
    }
}

/// Whether an agent that avoids others has left its leg, or comes no nearer to its next waypoint.
fn is_hindered(walker: &WalkerItem, here: Vec2) -> bool {
    let is_off_line =
        |(from, to): (Vec2, Vec2)| here.distance_squared(nearest_on(from, to, here)) > LEEWAY * LEEWAY;
    walker.avoids_others() && (walker.stall.is_stalled() || walker.path.leg().is_some_and(is_off_line))
}

/// The point that a hindered agent heads for near a turn, if it does not see the waypoint behind it: of a few points on
/// the leg behind the turn the farthest that it sees. Many agents at one corner then round it side by side.
fn shortcut(walker: &WalkerItem, grid: &GridRef, here: Vec2) -> Option<Vec2> {
    // The leg is at hand; the path's points lie elsewhere in memory.
    let (_, turn) = walker.path.leg()?;
    if here.distance(turn) > NEAR_CORNER || !is_hindered(walker, here) {
        return None;
    }
    let &[_, beyond, ..] = walker.path.remaining_points() else { return None };
    let leg = beyond - turn;
    let farthest = leg.normalize_or_zero() * leg.length().min(PAST_TURN);
    let points = [1.0, 0.5, 0.25, 0.125].map(|part| turn + farthest * part);
    points.into_iter().find(|&point| walker.sees(grid, here, point))
}

/// Whether the agent comes near its goal, or the agents that stand round it, and has no slot there yet.
fn wants_slot(walker: &WalkerItem, grid: &GridRef, here: Vec2, slots: &ArrivalSlots) -> bool {
    let near = EARLY + braking_distance(walker) / grid.place.cell_size();
    let is_near_end = here.distance(walker.path.end().unwrap_or(here)) <= near;
    let from_goal = here.distance(walker.path.aim());
    // Most agents are far from their goals: return before reading more of their components.
    if !is_near_end && from_goal > near + slots.widest_reach() {
        return false;
    }
    walker.request.is_some_and(|request| request.spread_at_goal)
        && !walker.hunts
        && walker.ticket.slot.is_none()
        && walker.ticket.has_answer()
        && !walker.head_on.is_on(&walker.path)
        && (is_near_end || from_goal <= near + slots.reach(&goal_of(&walker.path)))
}

/// Whether the end of the path is near enough, and the agent slow enough to stop there: one with weak brakes that rushes
/// past turns back. `false` while another path is being searched for.
fn has_arrived(walker: &WalkerItem, grid: &GridRef, at: Vec3, dt: f32) -> bool {
    let [last] = *walker.path.remaining() else { return false };
    let near = walker.agent.arrive_radius.max(grid.place.cell_size() * 1e-3);
    walker.ticket.has_answer()
        && grid.place.flatten(last - at).length() <= near
        && braking_distance(walker) <= near + walker.velocity.0.length() * dt
}

/// How far the agent still goes if it brakes from now on, in world units; 0 for settings that give no number.
fn braking_distance(walker: &WalkerItem) -> f32 {
    let speed = walker.velocity.0.length();
    let distance = speed * speed / (2.0 * walker.agent.acceleration);
    if distance.is_finite() { distance } else { 0.0 }
}

/// A lower bound of the distance to the end of the path; unknown for agents without reciprocal avoidance, the only
/// reader of it.
fn remaining(walker: &WalkerItem, grid: &GridRef, at: Vec3) -> Remaining {
    if !walker.avoider.is_some_and(Avoider::is_reciprocal) {
        return Remaining::UNKNOWN;
    }
    let length = |from: Vec3, to: Vec3| grid.place.flatten(to - from).length();
    let distance = match *walker.path.remaining() {
        [] => 0.0,
        [end] => length(at, end),
        [next, .., end] => length(at, next) + length(next, end),
    };
    Remaining { distance, spreads: walker.request.is_none_or(|request| request.spread_at_goal) }
}

/// The velocity towards `next`, the next waypoint or a point that replaces it: as fast as the turns and the end ahead
/// allow.
fn velocity(walker: &mut WalkerItem, grid: &GridRef, (at, next): (Vec3, Vec3), dt: f32) -> Vec3 {
    let agent = walker.agent;
    let cell_size = grid.place.cell_size();
    let mut leg = grid.place.flatten(next - at);
    let direction = leg.normalize_or_zero();
    // The braking distance from top speed, and a tick: what lies farther ahead does not limit the speed yet.
    let sight = agent.speed * agent.speed / (2.0 * agent.acceleration) + agent.speed * dt;
    let is_far = leg.length() > sight;
    let first_leeway = if is_far { LEEWAY } else { leeway(walker, grid, grid.place.to_grid(at), dt) };
    let ahead = walker.path.remaining();
    let (mut distance, mut speed) = (0.0, agent.speed);
    for i in 0..ahead.len().min(LOOK_AHEAD) {
        distance += leg.length();
        if distance > sight {
            break;
        }
        let pass = match ahead.get(i + 1) {
            Some(&beyond) => {
                let next = grid.place.flatten(beyond - ahead[i]);
                let cosine = leg.normalize_or_zero().dot(next.normalize_or_zero());
                leg = next;
                let leeway = cell_size * if i == 0 { first_leeway } else { LEEWAY };
                let pass = turning_speed(cosine, agent.acceleration, dt, leeway);
                // It must not pass in one tick all of the stretch where it sees the waypoint behind the turn.
                if leeway < cell_size * LEEWAY { pass.min(leeway / dt) } else { pass }
            }
            None => 0.0,
        };
        if pass < speed {
            speed = speed.min(braking_speed(distance, agent.acceleration, dt, pass));
        }
    }
    direction * speed
}

/// How far from the next waypoint an agent may turn to the one behind it, in cells: at the most [`LEEWAY`], and less
/// where it sees that one only from nearer, or has missed the stretch of its leg from where it does. Lines of sight are
/// tested only for turns that it has to brake for, and where it has come to the waypoint without a view of the next.
fn leeway(walker: &mut WalkerItem, grid: &GridRef, here: Vec2, dt: f32) -> f32 {
    let &[turn, beyond, ..] = walker.path.remaining_points() else { return LEEWAY };
    let Some((from, _)) = walker.path.leg() else { return LEEWAY };
    let is_near = here.distance_squared(turn) <= LEEWAY * LEEWAY;
    let cosine = (turn - here).normalize_or_zero().dot((beyond - turn).normalize_or_zero());
    let [speed, acceleration] =
        [walker.agent.speed, walker.agent.acceleration].map(|value| value / grid.place.cell_size());
    if !is_near && turning_speed(cosine, acceleration, dt, LEEWAY) >= speed {
        return LEEWAY;
    }
    let (kind, corners) = (walker.path.kind(), walker.path.corners());
    let sees = |from| line_of_sight(grid.nav.grid(), kind, corners, from, beyond);
    // At a corner that the path touches it comes into sight behind the waypoint.
    let is_seen = |back: Vec2| sees(turn + back) || sees(turn - back);
    let back = (from - turn).clamp_length_max(LEEWAY);
    let leeway = walker.path.bypass_change_detection().leeway(|| {
        if is_seen(back) {
            return LEEWAY;
        }
        let parts = [0.5, 0.25].map(|part| back * part);
        parts.into_iter().find(|&back| is_seen(back)).map_or(REACHED, Vec2::length)
    });
    let is_missed = is_near && here.distance_squared(nearest_on(from, turn, here)) > leeway * leeway;
    if is_missed { REACHED } else { leeway.max(REACHED) }
}

/// What an agent needs that has left its path, or has made no progress for a while.
///
/// `sees_on`: it heads for a point in sight other than its next waypoint, and so needs no way back.
fn trouble(
    walker: &mut WalkerItem,
    grid: &GridRef,
    (here, sees_on): (Vec2, bool),
    velocity: Vec3,
    dt: f32,
) -> Option<FollowIssue> {
    let (from, next) = walker.path.leg()?;
    let left = walker.path.remaining_points().len();
    // While `SteeringOverride` moves it, it does not try to come nearer.
    let is_driven = walker.driven.is_some_and(|driven| driven.0 != Vec3::ZERO);
    let speed = if is_driven { 0.0 } else { velocity.length() / grid.place.cell_size() };
    let stall = walker.stall.bypass_change_detection();
    // To stop, to reach top speed the other way, and to stop again where it was.
    let turn = 4.0 * walker.agent.speed / walker.agent.acceleration;
    let standstill = stall.note(left, here.distance(next), (speed, turn), dt);
    let is_off = here.distance_squared(nearest_on(from, next, here)) > OFF * OFF;
    let passes = walker.head_on.is_on(&walker.path) || walker.head_on.waits();
    // Most agents make progress on their leg: return before reading more of their components.
    let is_well = standstill.is_none() && !is_off && !passes;
    if is_well || !walker.ticket.has_answer() {
        return None;
    }
    match standstill {
        _ if passes => Some(FollowIssue::Meeting),
        Some(Standstill::Stuck) => Some(FollowIssue::Stuck),
        Some(Standstill::Still) => Some(FollowIssue::Still),
        Some(Standstill::Stalled) => Some(FollowIssue::Stalled),
        None => (!sees_on && !walker.sees(grid, here, next)).then_some(FollowIssue::OffPath),
    }
}

/// The point of a leg that is nearest to the agent, if it is in sight of the agent and the end of the leg is in sight
/// of it. Rounding can put the corner of a wall between the two.
fn back_to_leg((from, to): (Vec2, Vec2), here: Vec2, sees: impl Fn(Vec2, Vec2) -> bool) -> Option<Vec2> {
    let back = nearest_on(from, to, here);
    (sees(here, back) && sees(back, to)).then_some(back)
}

#[cfg(test)]
mod tests {
    use pathfind_core::{CornerRule, Grid, KindId};

    use super::*;

    #[test]
    fn nobody_goes_back_to_where_rounding_hides_the_next_waypoint() {
        let grid = Grid::from_ascii(".......\n.......\n..#....\n.......\n.......\n.......").unwrap();
        let sees = |a, b| line_of_sight(&grid, KindId::default(), CornerRule::OneFree, a, b);
        // The leg passes the corner of the wall.
        let (from, to) = (Vec2::new(0.5, 0.5), Vec2::new(3.5, 5.5));
        assert!(sees(from, to));
        let here = Vec2::new(0.03, 0.87);
        let nearest = nearest_on(from, to, here);
        assert!(sees(here, nearest) && !sees(nearest, to), "the corner comes in between");
        assert_eq!(back_to_leg((from, to), here, sees), None);
        let before = Vec2::new(0.4, 0.3);
        assert_eq!(back_to_leg((from, to), before, sees), Some(from), "from the beginning it is in sight");
    }
}
