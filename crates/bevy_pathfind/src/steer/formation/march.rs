//! One tick of a group: moves its centre along its path, and ends its order.

use bevy::ecs::query::QueryData;
use bevy::prelude::*;
use pathfind_core::AgentShape;

use super::lead::Walk;
use super::locate::put;
use super::state::{March, rank};
use super::{Formation, FormationMembers, FormationOf, FormationPlace};
use crate::agent::{Agent, AgentId};
use crate::order::{
    AgentArrived, Arrival, Failures, FollowField, GoalQueue, NavPath, OnLink, PathCause, PathEndedShort,
    PathError, PathOutcome, PathRequest, PathStatus, Ticket, TicketCounter,
};
use crate::steer::goal_velocity::has_own_status;
use crate::steer::pursuer::withdraw_request;
use crate::steer::{Behavior, Crowd, CrowdIndex, Fugitive, Pursuer, SteerTick, SteeringGoal};
use crate::world::{Airborne, GridRef, Grids, Tie};

/// The components of a group.
#[derive(QueryData)]
#[query_data(mutable)]
pub(in crate::steer) struct Group {
    entity: Entity,
    formation: &'static Formation,
    state: &'static mut March,
    team: Option<&'static FormationMembers>,
    path: Option<&'static mut NavPath>,
    status: &'static mut PathStatus,
    ticket: &'static mut Ticket,
    transform: &'static Transform,
    name: Option<&'static Name>,
}

/// The components of a member.
#[derive(QueryData)]
#[query_data(mutable)]
pub(in crate::steer) struct Member {
    pub(super) entity: Entity,
    pub(super) of: &'static FormationOf,
    pub(super) id: &'static AgentId,
    pub(super) agent: &'static Agent,
    pub(super) slot: &'static CrowdIndex,
    pub(super) tie: Tie,
    pub(super) place: &'static mut FormationPlace,
    pub(super) goal: SteeringGoal,
    pub(super) status: &'static mut PathStatus,
    pub(super) ticket: Option<&'static Ticket>,
    pub(super) has_link: Has<OnLink>,
}

/// Without orders of its own, and on the ground.
pub(super) type Obedient = (
    Without<PathRequest>,
    Without<GoalQueue>,
    Without<Pursuer>,
    Without<Fugitive>,
    Without<FollowField>,
    Without<Behavior>,
    Without<Airborne>,
    Without<Formation>,
);

/// A member as the group sees it.
pub(super) struct Mate {
    pub(super) id: AgentId,
    pub(super) entity: Entity,
    pub(super) rank: i32,
    /// Where it is, in grid space.
    pub(super) at: Vec2,
    /// Its shape on the grid, and its body unit in world units.
    pub(super) body: AgentShape,
    pub(super) unit: f32,
    speed: f32,
    acceleration: f32,
}

/// A member, or one that was a member.
type Former = (Entity, &'static mut FormationPlace, Option<&'static mut PathStatus>, Option<&'static Ticket>);

/// Lets members go that no group has led in this tick, because they have left theirs or got orders of their own, or
/// because it has no path any more: withdraws the paths that the group has requested for them.
pub(in crate::steer) fn dismiss(
    mut members: Query<Former>,
    (time, tick): (Res<Time>, Res<SteerTick>),
    mut commands: Commands,
) {
    if time.delta_secs() <= 0.0 {
        return;
    }
    for (entity, mut place, status, ticket) in &mut members {
        if place.led == tick.0 || place.led == 0 {
            continue;
        }
        if place.requested.is_some() {
            withdraw_request(entity, &mut commands);
        }
        if let Some(mut status) = status.filter(|_| has_own_status(ticket)) {
            status.set_if_neq(PathStatus::Idle);
        }
        *place = FormationPlace::default();
    }
}

/// Moves the centres of all groups along their paths, and states the goal velocities of their members.
pub(in crate::steer) fn march(
    mut groups: Query<Group>,
    mut members: Query<Member, Obedient>,
    (crowd, grids): (Res<Crowd>, Grids),
    (time, tick): (Res<Time>, Res<SteerTick>),
    mut counter: ResMut<TicketCounter>,
    mut failures: Failures,
    mut commands: Commands,
) {
    let dt = time.delta_secs();
    if dt <= 0.0 {
        return;
    }
    for mut group in &mut groups {
        let Some(path) = &mut group.path else { continue };
        let Some(grid) = grids.get(path.grid()).filter(|grid| grid.place.is_usable()) else { continue };
        if !group.formation.is_valid() {
            group.ticket.close();
            *group.status = PathStatus::Failed(PathError::BadFormation);
            failures.report(group.entity, group.name, PathError::BadFormation);
            continue;
        }
        let team = team_of(group.team, &members, &crowd, &grid);
        let state = &mut *group.state;
        let center = grid.place.to_grid(group.transform.translation);
        let is_new = group.ticket.cause == PathCause::Requested;
        let is_new_track = state.follow((path, path.last_changed()), &grid, center, is_new);
        state.form(group.formation, &team, &grid, is_new_track);
        let is_new_form = state.mind_ground(group.formation, &team, dt) || is_new_track;
        state.advance(slowest(&team, &grid), dt);
        let walk =
            Walk { grid: &grid, grids: &grids, crowd: &crowd, corners: path.corners(), tick: tick.0, dt };
        walk.lead(state, &mut members, is_new_form, &mut commands);
        let path = path.bypass_change_detection();
        while path.remaining_points().len() > 1 && state.track.project(path.remaining_points()[0]) < state.at
        {
            path.advance();
        }
        if !state.has_arrived && group.ticket.has_answer() {
            group.arrive(&walk, &team, &mut counter, &mut commands);
        }
    }
}

/// The members that can take a place, in the order of their ids.
fn team_of(
    team: Option<&FormationMembers>,
    members: &Query<Member, Obedient>,
    crowd: &Crowd,
    grid: &GridRef,
) -> Vec<Mate> {
    let mate = |entity: Entity| {
        let member = members.get(entity).ok()?;
        let at = crowd.body(*member.slot).filter(|_| crowd.entity(*member.slot) == Some(entity))?.position;
        let agent = member.agent;
        agent.check().ok()?;
        Some(Mate {
            id: *member.id,
            entity,
            rank: member.of.rank,
            at: grid.place.to_grid(at),
            body: agent.shape(grid.place.cell_size()),
            unit: agent.body_unit(),
            speed: agent.speed,
            acceleration: agent.acceleration,
        })
    };
    let mut mates: Vec<_> = team.into_iter().flat_map(FormationMembers::iter).filter_map(mate).collect();
    mates.sort_unstable_by_key(|mate| rank(mate.id, mate.entity));
    mates
}

/// The least speed and acceleration of the members that can move, in cells; without members the centre is at its goal
/// at once.
fn slowest(team: &[Mate], grid: &GridRef) -> [f32; 2] {
    let moving = || team.iter().filter(|mate| mate.speed > 0.0);
    let speed = |mate: &Mate| mate.speed * grid.speed_factor(mate.body.kind, || mate.at);
    let least = [
        moving().map(speed).fold(f32::INFINITY, f32::min),
        moving().map(|mate| mate.acceleration).fold(f32::INFINITY, f32::min),
    ];
    match team.is_empty() {
        true => [1e9, f32::INFINITY],
        false if least[0].is_infinite() => [0.0, 0.0],
        false => least.map(|value| value / grid.place.cell_size()),
    }
}

impl GroupItem<'_, '_> {
    /// Ends the order, or this floor's part of it, once the centre is at the end of its way.
    fn arrive(&mut self, walk: &Walk, team: &[Mate], counter: &mut TicketCounter, commands: &mut Commands) {
        let (state, grid) = (&mut *self.state, walk.grid);
        let center = state.track.point(state.at);
        put(commands, self.entity, grid.above_ground(center, 0.0));
        let Some(path) = self.path.as_ref().filter(|_| state.is_at_end()) else { return };
        if let Some(leg) = path.onward().first() {
            let Some(there) = walk.grids.get(leg.grid) else { return };
            put(
                commands,
                self.entity,
                there.above_ground(leg.path.points.first().copied().unwrap_or_default(), 0.0),
            );
            self.ticket.queue_replan(counter, leg.grid, PathCause::Hindered);
            *self.status = PathStatus::Waiting;
            return;
        }
        let point = grid.place.to_world(center, 0.0);
        let facing = self
            .formation
            .facing
            .map(|facing| grid.place.to_grid(point + facing) - grid.place.to_grid(point));
        if !state.is_formed() || state.turn(facing, team) {
            return;
        }
        state.has_arrived = true;
        let (entity, end, outcome) = (self.entity, grid.above_ground(path.found_end(), 0.0), path.outcome());
        if let Some(path) = &mut self.path {
            let path = path.bypass_change_detection();
            while !path.is_finished() {
                path.advance();
            }
        }
        match outcome {
            PathOutcome::Complete => {
                *self.status = PathStatus::Arrived;
                commands.trigger(AgentArrived { entity, goal: end, arrival: Arrival::AtGoal });
            }
            PathOutcome::Partial(reason) => {
                *self.status = PathStatus::EndedShort(reason);
                commands.trigger(PathEndedShort { entity, nearest: end, reason });
            }
        }
    }
}
