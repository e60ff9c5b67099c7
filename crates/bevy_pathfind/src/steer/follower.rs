//! Path following: the goal velocity of agents on paths, and their arrival.
//!
//! An agent heads for the end of its [present leg](present_leg), no faster than it can still brake for the turns and
//! the end ahead. An agent that has left its leg goes back to it, or asks for another path. Near the goal it takes an
//! [arrival slot](super::arrival_slots), a cell of its own. Where other agents come the other way in a narrow passage
//! it keeps to the [right half](lanes). Where two bodies do not fit side by side it obeys the
//! [right of way](super::right_of_way).
//!
//! An agent that makes no progress ([`stall`]) asks for another path; after two attempts
//! [`AgentStuck`](crate::order::AgentStuck) is triggered, unless the agent waits in a [queue].
//!
//! [`follow`] goes through all agents on paths in each tick. It changes only what belongs to following, and collects
//! the few agents that need more for [`fail_unfit`], [`end_paths`] and [`help`].

mod detour;
mod help;
mod lanes;
mod present_leg;
mod queue;
mod rest;
mod speed;
mod stall;
mod standing_bodies;
mod waypoints;

use std::sync::{Mutex, PoisonError};

use bevy::prelude::*;
use pathfind_core::GridCell;

use detour::FreeWay;
pub(super) use help::{end_paths, fail_unfit, help};
pub(super) use lanes::Streams;
use lanes::{Lane, StreamRecord, keep_right};
use present_leg::PresentLeg;
use rest::Rest;
use speed::{braking_distance, velocity};
use stall::{StallDetector, Standstill};
use waypoints::{advance_waypoints, corner_cut};

use super::arrival_slots::{ArrivalSlots, Destination};
use super::follow_issue::{FollowIssue, FollowIssues};
use super::goal_velocity::state_goal;
use super::passage::{NearStretch, Passage};
use super::{
    ActiveGoal, AgentAvoidance, Avoider, Crowd, CrowdIndex, GoalSource, GoalVelocity, Pursuer, Remaining,
    SteerSettings, SteeringBreakdown,
};
use crate::agent::{Agent, AgentId, Vehicle};
use crate::order::{
    NavPath, OFF_PATH_DISTANCE, PathRequest, SteeringRequest, Ticket, TicketCounter, nearest_on,
};
use crate::parallel::Threads;
use crate::rows::{Rows, rows, tables};
use crate::settings::NavSettings;
use crate::world::{GridList, GridRef, Grids, ObstacleMap};

/// A waypoint counts as reached within this distance if the next one is in sight; an agent farther than this from its
/// leg counts as off the leg. In cells. Measured at half and at twice that: the stream of 40 in the tests of narrow
/// places winds through in 42 and 51 s (now 45 s), and 80 agents leave a room by a door of one cell in 25 and 33 s
/// (26 s). The half is not taken because each agent would brake more for its turns.
const LEEWAY: f32 = 0.25;
/// An agent asks for an arrival slot when its distance from its goal, or from the agents that stand round the goal,
/// exceeds its braking distance by less than this. In cells. Measured at half and at twice that, in the scenes of
/// [`LEEWAY`]: 45 and 50 s, 29 and 27 s.
const SLOT_MARGIN: f32 = 2.0;

/// The state that following keeps of an agent from tick to tick.
#[derive(Component, Debug, Default)]
pub(crate) struct FollowState {
    leg: PresentLeg,
    stall: StallDetector,
    lane: Lane,
    passage: Passage,
    rest: Rest,
}

impl FollowState {
    pub(super) const fn passage_mut(&mut self) -> &mut Passage {
        &mut self.passage
    }
}

/// The components of an agent on a path. Each component costs time for every agent in every tick: those that only few
/// agents need are fetched by [`help`].
type Walking = (
    (&'static CrowdIndex, &'static AgentId, &'static Agent),
    (&'static mut NavPath, &'static mut FollowState, &'static Ticket),
    (&'static mut ActiveGoal, &'static mut GoalVelocity, &'static SteeringBreakdown),
    (
        Option<&'static PathRequest>,
        Option<&'static SteeringRequest>,
        Option<&'static Avoider>,
        Option<&'static Pursuer>,
    ),
);

/// An agent on a path. Progress along the path is not reported by change detection: `NavPath` changes when the agent
/// gets another path.
struct Walker<'w> {
    id: AgentId,
    agent: &'w Agent,
    request: Option<&'w PathRequest>,
    velocity: Vec3,
    path: &'w mut NavPath,
    leg: &'w mut PresentLeg,
    ticket: &'w Ticket,
    stall: &'w mut StallDetector,
    lane: &'w mut Lane,
    passage: Passage,
    avoider: Option<&'w Avoider>,
    /// Whether it is under direct control, or moved by a behaviour of the user's own.
    is_led: bool,
    is_pursuer: bool,
}

/// What one thread has collected for the systems that run after it, and for the record of streams.
#[derive(Default)]
struct Collected {
    found: FollowIssues,
    stream_records: Vec<StreamRecord>,
    /// Whether an agent has looked for others that come the other way.
    has_looked: bool,
}

/// States the goal velocities of agents with a path, and collects those that have arrived or need help.
pub(super) fn follow(
    mut walkers: Query<Walking, Without<Vehicle>>,
    (crowd, grids): (Res<Crowd>, Grids),
    (time, settings, steer_settings): (Res<Time>, Res<NavSettings>, Res<SteerSettings>),
    (slots, obstacles): (Res<ArrivalSlots>, Res<ObstacleMap>),
    (mut streams, counter): (ResMut<Streams>, Res<TicketCounter>),
    mut found: ResMut<FollowIssues>,
) {
    let dt = time.delta_secs();
    if dt <= 0.0 {
        return;
    }
    let is_recorded = streams.begin(counter.tick);
    let context = FollowContext {
        crowd: &crowd,
        grids: grids.all(),
        slots: &slots,
        obstacles: &obstacles,
        streams: &streams,
        is_recorded,
        has_right_of_way: steer_settings.right_of_way,
        returns: steer_settings.return_when_pushed,
        tick: counter.tick,
        dt,
    };
    let all = Mutex::new(Collected::default());
    let mut tables = tables(&mut walkers);
    Threads::of(&settings).share(rows(&mut tables), |walkers| {
        let (len, mut walkers) = walkers.cut();
        let mut own = Collected::default();
        for row in 0..len {
            let ((&crowd_index, &id, agent), (mut path, mut state, ticket), goal, options) = walkers.row(row);
            let (own_request, steering_request, avoider, pursuer) = options;
            let request = steering_request.map(|steering| &steering.request).or(own_request);
            let FollowState { leg, stall, lane, passage, rest } = state.bypass_change_detection();
            let (mut active, mut stated, last) = goal;
            let (active, stated) = (active.bypass_change_detection(), stated.bypass_change_detection());
            if leg.update(path.last_changed(), &path) {
                passage.due = f32::INFINITY;
            }
            if leg.left == 0 {
                if let (true, Some(body), Some(grid)) = (
                    context.returns && ticket.has_answer(),
                    crowd.body(crowd_index),
                    context.grids.get(leg.grid),
                ) {
                    let motion = (body.position, body.velocity);
                    if let Some(goal) = rest.goal_velocity((agent, &path), grid, motion, (last, dt)) {
                        state_goal(active, stated, GoalSource::Return, goal);
                    }
                }
                continue;
            }
            let Some(body) = crowd.body(crowd_index).filter(|_| agent.check().is_ok()) else {
                own.found.unfit.extend(crowd.entity(crowd_index));
                continue;
            };
            let walker = Walker {
                id,
                agent,
                request,
                velocity: body.velocity,
                path: path.bypass_change_detection(),
                leg,
                ticket,
                stall,
                lane,
                passage: *passage,
                avoider,
                is_led: active.is_led(),
                is_pursuer: pursuer.is_some(),
            };
            if let Some(goal_velocity) = context.follow(walker, crowd_index, body.position, &mut own) {
                state_goal(active, stated, GoalSource::Path, goal_velocity);
            }
        }
        all.lock().unwrap_or_else(PoisonError::into_inner).append(own);
    });
    drop(tables);
    let all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    *found = all.found;
    streams.record(all.stream_records, all.has_looked);
}

impl Collected {
    fn append(&mut self, mut other: Self) {
        self.found.arrivals.append(&mut other.found.arrivals);
        self.found.issues.append(&mut other.found.issues);
        self.found.unfit.append(&mut other.found.unfit);
        self.found.near_stretches.append(&mut other.found.near_stretches);
        self.stream_records.append(&mut other.stream_records);
        self.has_looked |= other.has_looked;
    }
}

/// What all agents on paths share in a tick.
struct FollowContext<'a> {
    crowd: &'a Crowd,
    grids: GridList<'a>,
    slots: &'a ArrivalSlots,
    obstacles: &'a ObstacleMap,
    streams: &'a Streams,
    /// Whether agents are recorded in the streams in this tick.
    is_recorded: bool,
    /// Whether agents give way where two do not fit side by side.
    has_right_of_way: bool,
    /// Whether agents that were pushed away from where they had arrived go back.
    returns: bool,
    tick: u64,
    /// The length of the tick, in seconds.
    dt: f32,
}

impl FollowContext<'_> {
    /// The goal velocity of an agent that stands `at` a point of the world; `None` if it has arrived.
    fn follow(
        &self,
        mut walker: Walker,
        crowd_index: CrowdIndex,
        at: Vec3,
        collected: &mut Collected,
    ) -> Option<GoalVelocity> {
        let dt = self.dt;
        let (grid, entity) = (self.grids.get(walker.leg.grid)?, self.crowd.entity(crowd_index)?);
        let here = grid.place.to_grid(at);
        advance_waypoints(&mut walker, grid, self.obstacles, here);
        let wants_slot = wants_slot(&walker, grid, here, self.slots);
        if !wants_slot && has_arrived(&walker, grid, at, dt) {
            collected.found.arrivals.push((walker.id, entity, at));
            return None;
        }
        match walker.leg.ends() {
            Some(leg) if self.is_recorded => {
                collected.stream_records.extend(self.streams.record_of(grid.entity, crowd_index, here, leg));
            }
            _ => collected.has_looked |= self.streams.look(self.tick, &mut walker, grid, here),
        }
        if !self.has_right_of_way || !walker.avoids_others() {
            walker.passage = Passage::default();
        } else if let left = walker.leg.length_left(here)
            && left <= walker.passage.due
        {
            let rank = (walker.ticket.number, walker.id);
            let is_led = walker.is_led;
            collected.found.near_stretches.push(NearStretch { rank, entity, here, left, is_led });
        }
        // A point to head for instead of the next waypoint.
        let passage = walker.passage;
        let substitute = passage
            .target
            .or_else(|| keep_right(&walker, grid, here))
            .or_else(|| corner_cut(&walker, grid, self.obstacles, here));
        let next = substitute.map(|point| grid.place.to_world(point, 0.0));
        let velocity = match next.or(walker.leg.next_waypoint()) {
            // Walls and the body ahead guide an agent in file, which need not brake for its turns.
            Some(next) if passage.is_in_file && passage.target.is_some() => {
                grid.place.flatten(next - at).normalize_or_zero() * walker.agent.speed
            }
            Some(next) => velocity(&mut walker, grid, (at, next), dt),
            None => Vec3::ZERO,
        };
        let velocity = velocity.clamp_length_max(passage.speed * grid.place.cell_size());
        let path_issue = path_issue(&mut walker, grid, (here, substitute.is_some()), velocity, dt);
        if let Some(issue) = wants_slot.then_some(FollowIssue::Slot).or(path_issue) {
            collected.found.issues.push((walker.ticket.number, issue, entity));
        }
        // An agent off its path stands still until `help` has led it back to its leg.
        let velocity = if path_issue == Some(FollowIssue::OffPath) { Vec3::ZERO } else { velocity };
        Some(GoalVelocity::new(velocity).with_remaining(remaining(&walker, grid, at)))
    }
}

impl Walker<'_> {
    fn avoids_others(&self) -> bool {
        self.avoider.is_some_and(|avoider| avoider.agents != AgentAvoidance::Ignore)
    }

    /// Whether it sees a point, and no obstacle stands on the first part of the straight way there.
    fn has_free_way(&self, grid: &GridRef, obstacles: &ObstacleMap, from: Vec2, to: Vec2) -> bool {
        self.path.sees(grid, from, to)
            && FreeWay::new(grid, obstacles, self.agent, self.avoider, self.path, &[])
                .is_none_or(|way| !way.is_obstructed(from, to))
    }
}

/// Whether the agent is near its goal, or near the agents that stand round the goal, and needs a slot there.
fn wants_slot(walker: &Walker, grid: &GridRef, here: Vec2, slots: &ArrivalSlots) -> bool {
    let near = SLOT_MARGIN + braking_distance(walker) / grid.place.cell_size();
    let is_within = |point: Vec2, reach: f32| here.distance_squared(point) <= reach * reach;
    let is_near_end = is_within(walker.leg.end, near);
    // Most agents are far from their goals: return before reading more of their components.
    if !is_near_end && !is_within(walker.leg.found_end, near + slots.widest_reach()) {
        return false;
    }
    walker.request.is_some_and(|request| request.spread_at_goal)
        && walker.path.link().is_none()
        && !walker.is_pursuer
        && walker.ticket.slot.is_none()
        && walker.ticket.has_answer()
        && (is_near_end || is_within(walker.leg.found_end, near + slots.reach(&goal_of(walker.path))))
}

/// Whether the agent is near enough to the end of the path, and slow enough to stop there; one that is too fast
/// passes the end and turns back. At a link it need not stop. `false` while another path is being searched for.
fn has_arrived(walker: &Walker, grid: &GridRef, at: Vec3, dt: f32) -> bool {
    let Some(last) = walker.leg.next_waypoint().filter(|_| walker.leg.left == 1) else { return false };
    if walker.path.link().is_some() {
        // A fast agent may pass the end between two ticks, so a distance that it covers in one tick counts as near.
        let step = walker.velocity.length() * dt;
        let near = walker.agent.arrive_radius.max(grid.place.cell_size() * LEEWAY).max(step);
        let may_cross = walker.ticket.has_answer() && walker.agent.speed > 0.0;
        return may_cross && grid.place.flatten(last - at).length() <= near;
    }
    let near = arrival_distance(walker.agent, grid);
    walker.ticket.has_answer()
        && grid.place.flatten(last - at).length() <= near
        && braking_distance(walker) <= near + walker.velocity.length() * dt
}

/// How near to the end of its path an agent has arrived, in world units: at least a thousandth of a cell, because with a
/// radius of 0 rounding would prevent arrival.
fn arrival_distance(agent: &Agent, grid: &GridRef) -> f32 {
    agent.arrive_radius.max(grid.place.cell_size() * 1e-3)
}

/// A lower bound of the distance to the end of the path; unknown for agents without reciprocal avoidance, which alone
/// reads it.
fn remaining(walker: &Walker, grid: &GridRef, at: Vec3) -> Remaining {
    let is_in_file = walker.passage.is_in_file;
    if !walker.avoider.is_some_and(Avoider::is_reciprocal) {
        return Remaining { is_in_file, ..Remaining::UNKNOWN };
    }
    let length = |from: Vec3, to: Vec3| grid.place.flatten(to - from).length();
    let distance = match *walker.path.remaining() {
        [] => 0.0,
        [end] => length(at, end),
        [next, .., end] => length(at, next) + length(next, end),
    };
    let spreads = walker.request.is_none_or(|request| request.spread_at_goal);
    Remaining { distance, spreads, is_in_file }
}

/// The issue of an agent that has left its path, or has made no progress for a while.
///
/// `has_substitute`: the agent heads for a point in sight instead of its next waypoint, and so needs no way back to
/// its leg.
fn path_issue(
    walker: &mut Walker,
    grid: &GridRef,
    (here, has_substitute): (Vec2, bool),
    velocity: Vec3,
    dt: f32,
) -> Option<FollowIssue> {
    let (from, next) = walker.leg.ends()?;
    let (agent, is_led) = (walker.agent, walker.is_led);
    let speed_and_turn = || {
        let able = velocity.length().min(agent.speed * grid.speed_factor(agent.kind, || here));
        // While something else moves the agent, it does not try to get on.
        let speed = if is_led { 0.0 } else { able / grid.place.cell_size() };
        // To stop, turn back and stop again takes three times speed by acceleration; a fourth is a margin.
        (speed, 4.0 * agent.speed / agent.acceleration)
    };
    let towards = [walker.leg.found_end, walker.leg.end];
    // An agent that waits for its turn, or for the body ahead of it in its file, makes no progress for a reason.
    let standstill = match walker.passage.speed.is_finite() {
        true => None,
        false => walker.stall.note(towards, walker.leg.length_left(here), speed_and_turn, dt),
    };
    // Others may have pushed it over a one-way edge.
    let is_off = here.distance_squared(nearest_on(from, next, here)) > OFF_PATH_DISTANCE * OFF_PATH_DISTANCE
        || grid.nav.grid().edge_cost(here, next).is_infinite();
    // Most agents make progress on their leg: return before reading more of their components.
    if standstill.is_none() && !is_off || !walker.ticket.has_answer() {
        return None;
    }
    match standstill {
        Some(Standstill::Stuck) => Some(FollowIssue::Stuck),
        Some(Standstill::StillStuck) => Some(FollowIssue::StillStuck),
        Some(Standstill::Stalled) => Some(FollowIssue::Stalled),
        None => (!has_substitute && walker.stall.may_ask() && !walker.path.sees(grid, here, next))
            .then_some(FollowIssue::OffPath),
    }
}

/// The destination of a path, as the key of its arrival slots.
fn goal_of(path: &NavPath) -> Destination {
    Destination {
        grid: path.grid(),
        cell: GridCell::containing(path.found_end()),
        kind: path.kind(),
        corners: path.corners(),
    }
}
