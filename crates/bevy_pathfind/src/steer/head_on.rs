//! Head-on meetings: of two agents on paths that block each other where only one can pass, one backs off.
//!
//! Two agents meet head-on when they almost touch, each is ahead of the other, and their paths lead on in opposite
//! directions. When one of them stalls, the agent with the lower id backs off: to the nearest cell off the other's
//! path that it can reach without passing the other. If there is no such cell, the other agent backs off; if there is
//! none for either, neither backs off, and [`help`](super::follower::help) tries its other means. The agent that
//! backs off waits on that cell until the other is past, then asks for its path anew. Meanwhile the other agent
//! stands: it would otherwise push the first one beyond that cell. In a crowd it goes on, because the agents behind
//! it would have to stand too. Both times are limited.
//!
//! [`HeadOn`] keeps what an agent does in a meeting: it backs off, or it stands for one that does. [`contender`] has
//! the geometry. Two streams in a passage where both fit side by side are not handled here, but in
//! [`lanes`](super::follower).
//!
//! ```text
//! ########      ########
//! #.1><2.#  ─▶  #.<<<2.#
//! ##.#####      ##1#####
//! ```

mod contender;

use bevy::ecs::query::QueryData;
use bevy::prelude::*;

use super::follow_issue::{FollowIssue, FollowIssues};
use super::{AgentAvoidance, Avoider, SteerSettings};
use crate::agent::{Agent, AgentId};
use crate::order::{NavPath, PathCause, PathStatus, PathYielded, Ticket, TicketCounter};
use crate::world::{GridRef, Grids, Positions};
use contender::{Contender, radius_of};

/// How many stalled agents are checked for a meeting in one tick, to bound its time; the others are checked at their
/// next attempt.
const MAX_MEETINGS: usize = 16;
/// How long an agent backs off and waits at most, in seconds. Measured: half of it makes no difference in the tests
/// of narrow places.
const MAX_WAIT: f32 = 10.0;
/// How long the other agent stands for it at most, in seconds. Measured at half and at twice that: two agents in a
/// corridor with one pull-out pass in 16.8 and 18.7 s (now 17.8 s).
const MAX_STAND: f32 = 2.0;
/// A third agent nearer than this makes a meeting a crowd, in which neither agent stands for the other, in cells.
/// Half and twice that make no difference in the tests of narrow places.
const CROWD_RADIUS: f32 = 4.0;

/// Where an agent that backs off waits until another is past.
#[derive(Debug, Clone, Copy)]
struct PullOut {
    /// The point where it waits, in grid space when it began to: the end of its path meanwhile.
    place: Vec2,
    /// The agent that it lets pass.
    other: Entity,
    /// For how much longer it backs off and waits, in seconds.
    left: f32,
}

/// What an agent does in a head-on meeting: it backs off, it stands, or neither.
#[derive(Component, Debug, Default)]
pub(crate) struct HeadOn {
    /// Where it waits or goes to wait, if it backs off.
    pull_out: Option<PullOut>,
    /// The agent that backs off for this one and still blocks its path; for how much longer this one stands, in
    /// seconds.
    awaits: Option<(Entity, f32)>,
}

impl HeadOn {
    /// Whether `path` is the one on which the agent backs off. After it has been given another path it is not.
    pub(super) fn is_on(&self, path: &NavPath) -> bool {
        /// Tolerance for rounding after the cells of the grid have moved, in cells.
        const NEAR: f32 = 0.01;
        let is_end = |place: Vec2| path.end().is_some_and(|end| (end - path.shift()).distance(place) < NEAR);
        self.pull_out.is_some_and(|pull_out| is_end(pull_out.place))
    }

    /// Whether the agent stands until another is out of its way.
    pub(super) fn waits(&self) -> bool {
        self.awaits.is_some()
    }
}

/// The components of an agent on a path that matter in a meeting.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct PathAgent {
    entity: Entity,
    id: &'static AgentId,
    agent: &'static Agent,
    path: &'static mut NavPath,
    ticket: &'static mut Ticket,
    status: &'static mut PathStatus,
    head_on: &'static mut HeadOn,
    avoider: Option<&'static Avoider>,
}

/// Makes one of two agents that meet head-on back off, and lets it go on when the other is past. It sorts the list of
/// issues, and removes those of agents that need no other help.
pub(super) fn pass(
    mut agents: Query<PathAgent>,
    grids: Grids,
    positions: Positions,
    mut issues: ResMut<FollowIssues>,
    mut counter: ResMut<TicketCounter>,
    (settings, time): (Res<SteerSettings>, Res<Time>),
    mut commands: Commands,
) {
    issues.0.sort_unstable();
    let mut meetings = 0;
    issues.0.retain(|&(_, issue, entity)| {
        let Ok(agent) = agents.get(entity) else { return false };
        let Some(grid) = grids.get(agent.path.grid()) else { return false };
        match issue {
            FollowIssue::Meeting => {
                let is_clear = is_clear(&agents, &agent, &grid, &positions);
                let is_over = is_past(&agents, &agent, &grid, &positions);
                if let Ok(mut agent) = agents.get_mut(entity) {
                    agent.stand(is_clear, time.delta_secs());
                    agent.wait(is_over, time.delta_secs(), &mut counter);
                }
                false
            }
            FollowIssue::Stalled | FollowIssue::Stuck if settings.back_off && meetings < MAX_MEETINGS => {
                meetings += 1;
                let Some(Meeting { who, rest, other, is_alone }) =
                    meeting(&agents, &agent, &grid, &positions)
                else {
                    return true;
                };
                if let Ok(mut agent) = agents.get_mut(who.entity) {
                    agent.back_off(&grid, who.here, &rest, other);
                    commands.trigger(PathYielded { entity: who.entity, other });
                }
                if let Ok(mut agent) = agents.get_mut(other) {
                    agent.head_on.awaits = is_alone.then_some((who.entity, MAX_STAND));
                }
                false
            }
            _ => true,
        }
    });
}

/// Two agents that meet head-on where one of them has to back off.
struct Meeting {
    /// The agent that backs off.
    who: Contender,
    /// The points of its path to where it waits.
    rest: Vec<Vec2>,
    /// The agent for which it backs off.
    other: Entity,
    /// Whether no third agent is near.
    is_alone: bool,
}

/// The head-on meeting of an agent with another, if one of them has to back off. With a third agent near, that is
/// only so if the two do not fit side by side. If they do, they pass by reciprocal avoidance, and an agent that
/// turned back would block those behind it.
fn meeting(
    agents: &Query<PathAgent>,
    agent: &PathAgentReadOnlyItem,
    grid: &GridRef,
    positions: &Positions,
) -> Option<Meeting> {
    let contender = |agent: &PathAgentReadOnlyItem| {
        let is_free =
            agent.ticket.has_answer() && !agent.path.is_finished() && !agent.head_on.is_on(agent.path);
        (is_free && agent.path.grid() == grid.entity && agent.is_solid())
            .then(|| Contender::of(agent, grid, positions))
            .flatten()
    };
    let me = contender(agent)?;
    // The distance is tested first, because a contender holds a copy of its path.
    let is_near = |other: &PathAgentReadOnlyItem| {
        let at = positions.of(other.entity).map(|at| grid.place.to_grid(at));
        at.is_some_and(|at| me.is_near(at, radius_of(other, grid)))
    };
    let others = agents.iter().filter(|other| other.entity != agent.entity && is_near(other));
    let met = others.filter_map(|other| contender(&other).filter(|other| me.meets(other)));
    let other = met.min_by_key(|other| other.id)?;
    let (first, second) = if me.id < other.id { (me, other) } else { (other, me) };
    let cells = grid.nav.grid();
    let is_alone = is_alone(agents, [first.entity, second.entity], grid, first.here, positions);
    if !is_alone && first.has_room_beside(&second, cells) {
        return None;
    }
    if let Some(rest) = first.retreat(&second, cells) {
        return Some(Meeting { who: first, rest, other: second.entity, is_alone });
    }
    let rest = second.retreat(&first, cells)?;
    Some(Meeting { who: second, rest, other: first.entity, is_alone })
}

/// Whether no third agent on a path is near the two that meet: a third one would have to wait as well.
fn is_alone(
    agents: &Query<PathAgent>,
    two: [Entity; 2],
    grid: &GridRef,
    here: Vec2,
    positions: &Positions,
) -> bool {
    let is_near =
        |entity| positions.of(entity).is_some_and(|at| grid.place.to_grid(at).distance(here) < CROWD_RADIUS);
    !agents.iter().any(|it| !two.contains(&it.entity) && is_near(it.entity))
}

/// Whether the agent for which another backs off is past, or does not come any more.
fn is_past(
    agents: &Query<PathAgent>,
    agent: &PathAgentReadOnlyItem,
    grid: &GridRef,
    positions: &Positions,
) -> bool {
    let other = agent.head_on.pull_out.and_then(|pull_out| agents.get(pull_out.other).ok());
    let comes = |other: &PathAgentReadOnlyItem| !other.path.is_finished() && !other.head_on.is_on(other.path);
    let Some(other) = other.filter(comes) else { return true };
    match (Contender::of(agent, grid, positions), Contender::of(&other, grid, positions)) {
        (Some(me), Some(other)) => other.is_past(&me),
        _ => true,
    }
}

/// Whether the agent that backs off for another is off the other's path, or does not back off any more.
fn is_clear(
    agents: &Query<PathAgent>,
    agent: &PathAgentReadOnlyItem,
    grid: &GridRef,
    positions: &Positions,
) -> bool {
    let other = agent.head_on.awaits.and_then(|(other, _)| agents.get(other).ok());
    let is_mutual = |other: &PathAgentReadOnlyItem| {
        other.head_on.is_on(other.path)
            && other.head_on.pull_out.is_some_and(|pull_out| pull_out.other == agent.entity)
    };
    let Some(other) = other.filter(is_mutual) else { return true };
    match (Contender::of(agent, grid, positions), Contender::of(&other, grid, positions)) {
        (Some(me), Some(other)) => other.is_at_end() || me.can_pass(&other),
        _ => true,
    }
}

impl PathAgentReadOnlyItem<'_, '_> {
    /// Whether it does not walk through other agents.
    fn is_solid(&self) -> bool {
        self.avoider.is_some_and(|avoider| avoider.agents != AgentAvoidance::Ignore)
    }
}

impl PathAgentItem<'_, '_> {
    /// Goes along `rest`, out of the path of another agent, and waits at its end.
    fn back_off(&mut self, grid: &GridRef, here: Vec2, rest: &[Vec2], other: Entity) {
        let Some(&place) = rest.last() else { return };
        let place = place - self.path.shift();
        *self.head_on = HeadOn { pull_out: Some(PullOut { place, other, left: MAX_WAIT }), awaits: None };
        self.path.end_at(grid, here, rest);
        *self.status = PathStatus::Yielding;
    }

    /// Goes on standing until the path is clear, or that takes too long.
    fn stand(&mut self, is_clear: bool, dt: f32) {
        let left = self.head_on.awaits.map(|(other, left)| (other, left - dt));
        self.head_on.awaits = left.filter(|&(_, left)| !is_clear && left > 0.0);
    }

    /// Goes on waiting; asks for its path anew when the meeting is over, or that takes too long.
    fn wait(&mut self, is_over: bool, dt: f32, counter: &mut TicketCounter) {
        let Some(pull_out) = self.head_on.pull_out.as_mut() else { return };
        pull_out.left -= dt;
        if is_over || pull_out.left <= 0.0 {
            self.head_on.pull_out = None;
            self.ticket.queue_replan(counter, self.path.grid(), PathCause::Hindered);
            *self.status = PathStatus::Waiting;
        }
    }
}
