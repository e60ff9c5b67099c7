//! One tick of pursuit: whether a pursuer sees, has caught or has lost its target, where it goes, and whether it
//! needs a path.
//!
//! Where to aim is computed by `pathfind_core::steer::pursue`; paths are followed by `follower`.

mod situation;
mod slot;

use bevy::ecs::query::QueryData;
use bevy::prelude::*;
use pathfind_core::steer::pursue::pursue as aim_at;
use pathfind_core::{
    GridCell,
    steer::{Body, MotionLimits, turn::turned_velocity},
};

use super::patience::Patience;
use super::{
    CaughtBy, CaughtTarget, InterceptForecast, LossReason, LostTarget, Pursuer, PursuitAim, PursuitMode,
};
use crate::agent::{Agent, AgentId, AgentVelocity, TeleportCount};
use crate::order::{
    Failures, NavPath, OnLink, PathError, PathRequest, PathStatus, QueueSuspended, SearchOptions, SlotClaim,
    SteeringRequest, TargetSlots, Ticket,
};
use crate::steer::{
    GoalSource, GoalVelocity, SteeringGoal, goal_velocity::has_own_status, target_estimate::TargetEstimate,
};
use crate::world::{GridList, GridLookupError, GridRef, Grids, Positions, Tie};
use situation::Situation;

/// What a pursuer keeps from tick to tick.
#[derive(Component, Debug, Default)]
pub(crate) struct PursuitState {
    /// The target that the other fields are about.
    target: Option<Entity>,
    /// The estimate of the target's velocity.
    estimate: TargetEstimate,
    /// Where the target was last seen.
    last_seen: Option<Vec3>,
    /// The goal of the path that the pursuer asked for last.
    path_goal: Option<GridCell>,
    caught: bool,
    patience: Patience,
    lost: bool,
    abandoned: bool,
    reported_error: Option<PathError>,
}

/// The components of a pursuer.
#[derive(QueryData)]
#[query_data(mutable)]
pub(in crate::steer) struct Pursuing {
    entity: Entity,
    id: &'static AgentId,
    pursuer: &'static Pursuer,
    agent: &'static Agent,
    velocity: &'static AgentVelocity,
    state: &'static mut PursuitState,
    aim: &'static mut PursuitAim,
    goal: SteeringGoal,
    ticket: &'static Ticket,
    status: &'static mut PathStatus,
    tie: Tie,
    path: Option<&'static NavPath>,
    name: Option<&'static Name>,
    claim: Option<&'static SlotClaim>,
}

/// States the goal velocities of pursuers, requests their paths, and triggers events for targets caught or lost.
pub(in crate::steer) fn pursue(
    mut pursuers: Query<Pursuing, Without<OnLink>>,
    (agents, teleports, ties): (Query<(&Agent, &AgentVelocity)>, Query<&TeleportCount>, Query<Tie>),
    (positions, grids, slots): (Positions, Grids, Query<&TargetSlots>),
    defaults: Res<SearchOptions>,
    time: Res<Time>,
    mut failures: Failures,
    mut commands: Commands,
) {
    let (corners, dt) = (defaults.corners, time.delta_secs());
    let grid_list = grids.all();
    let mut pursuers: Vec<_> = pursuers.iter_mut().collect();
    pursuers.sort_by_key(|pursuing| (*pursuing.id, pursuing.entity.index_u32()));
    for pursuing in &mut pursuers {
        pursuing.begin_with_target();
        let Some(target_position) = positions.of(pursuing.pursuer.target) else {
            pursuing.lose_target(&mut commands);
            continue;
        };
        // While the position of the target is not finite, the pursuer does nothing.
        if !target_position.is_finite() {
            pursuing.state.estimate = TargetEstimate::default();
            continue;
        }
        pursuing.state.lost = false;
        let teleports = teleports.get(pursuing.pursuer.target).ok();
        let velocity = pursuing.state.estimate.observe(target_position, teleports, dt, pursuing.agent.speed);
        let at = positions.of(pursuing.entity).unwrap_or(Vec3::NAN);
        let slots = slots.get(pursuing.pursuer.target).map_or(Ok(()), TargetSlots::check);
        let grid = match slots.and_then(|()| pursuing.grid(&grid_list, at)) {
            Ok(grid) => grid,
            Err(error) => {
                pursuing.fail(error, &mut failures);
                continue;
            }
        };
        pursuing.recover();
        let agent = agents.get(pursuing.pursuer.target).ok();
        let radius = agent.map_or(0.0, |(agent, _)| agent.radius);
        let pace = agent.map_or(velocity, |(_, own)| own.0);
        let claim = pursuing.claim.copied().filter(|claim| claim.target == pursuing.pursuer.target);
        let target = match &claim {
            Some(claim) => Body::new(claim.point, claim.drift),
            None => Body::new(target_position, velocity).with_radius(radius),
        };
        let kind = pursuing.agent.kind;
        let slowing = grid.map_or(1.0, |grid| grid.speed_factor(kind, || grid.place.to_grid(at)));
        let speed = pursuing.agent.speed * slowing;
        let mut situation = Situation { grid, corners, at, target, pace, claim, sees: true, speed, dt };
        let tie = ties.get(pursuing.pursuer.target).unwrap_or_default();
        let target_grid = grid_list.of(tie, target_position).ok();
        // Agents on different grids do not see each other.
        let is_on_same = grid.zip(target_grid).is_none_or(|(own, theirs)| own.entity == theirs.entity);
        situation.sees = is_on_same && situation.sees(pursuing.agent, at, target.position);
        pursuing.act(&situation, &mut commands);
    }
}

/// Ends the pursuit of agents whose [`Pursuer`] has been removed: they go on with the request that they had before.
pub(in crate::steer) fn end_pursuits(
    mut former_pursuers: Query<(Entity, &mut PursuitState, &Ticket, &mut PathStatus), Without<Pursuer>>,
    resting_queues: Query<Entity, (With<QueueSuspended>, Without<Pursuer>)>,
    mut commands: Commands,
) {
    for entity in &resting_queues {
        commands.entity(entity).try_remove::<QueueSuspended>();
    }
    for (entity, mut state, ticket, mut status) in &mut former_pursuers {
        if state.target.is_none() {
            continue;
        }
        *state = PursuitState::default();
        if has_own_status(Some(ticket)) {
            status.set_if_neq(PathStatus::Idle);
        }
        withdraw_request(entity, &mut commands);
    }
}

impl PursuingItem<'_, '_> {
    /// Resets the state when the target is another one than in the last tick.
    fn begin_with_target(&mut self) {
        if self.state.target != Some(self.pursuer.target) {
            *self.state = PursuitState {
                target: Some(self.pursuer.target),
                // A cell far from any target: another path is requested if one is needed.
                path_goal: self.state.path_goal.map(|_| GridCell::new(i32::MIN, i32::MIN)),
                ..PursuitState::default()
            };
        }
    }

    /// The target is gone: stops, and triggers [`LostTarget`] once.
    fn lose_target(&mut self, commands: &mut Commands) {
        self.withdraw_request(commands);
        self.show_status(PathStatus::Idle);
        if !self.state.lost {
            self.state.lost = true;
            commands.trigger(LostTarget {
                entity: self.entity,
                target: self.pursuer.target,
                reason: LossReason::Gone,
            });
        }
    }

    /// Pursuit is impossible: stops, and reports the error once.
    fn fail(&mut self, error: PathError, failures: &mut Failures) {
        if self.state.reported_error != Some(error) {
            self.state.reported_error = Some(error);
            // The agent's path request may have reported the same error already.
            if *self.status != PathStatus::Failed(error) {
                *self.status = PathStatus::Failed(error);
                failures.report(self.entity, self.name, error);
            }
        }
    }

    /// Pursuit is possible again: an error that comes back will be reported anew.
    fn recover(&mut self) {
        if let Some(error) = self.state.reported_error.take()
            && *self.status == PathStatus::Failed(error)
        {
            *self.status = PathStatus::Idle;
        }
    }

    /// The grid that it stands on; `None` in the air, and in a world without grids.
    ///
    /// # Errors
    /// If the agent's settings cannot move it, or its grid cannot be used.
    fn grid<'a>(&self, grid_list: &'a GridList, at: Vec3) -> Result<Option<&'a GridRef<'a>>, PathError> {
        self.agent.check()?;
        match grid_list.of(self.tie, at) {
            Ok(grid) => Ok(Some(grid)),
            Err(GridLookupError::NoGrid) if self.tie.0.is_none() || self.tie.1.is_some() => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Moves towards a target in sight, and requests a path to one out of sight.
    fn act(&mut self, situation: &Situation, commands: &mut Commands) {
        let claim = situation.claim.filter(|_| situation.sees);
        let aim = if let Some(claim) = claim {
            self.withdraw_request(commands);
            self.go_to_slot(&claim, situation, commands)
        } else if self.catches(situation, commands) {
            self.withdraw_request(commands);
            self.show_status(PathStatus::Arrived);
            self.keep_pace(situation);
            PursuitAim {
                point: situation.target.position,
                time: 0.0,
                forecast: InterceptForecast::Caught,
                is_in_sight: true,
            }
        } else if situation.sees {
            self.withdraw_request(commands);
            self.show_status(PathStatus::Following);
            self.pursue_in_sight(situation, commands)
        } else {
            self.request_path(situation, commands);
            if self.path.is_none() && !self.ticket.is_closed() {
                self.go_to_last_seen(situation);
            }
            PursuitAim { point: situation.target.position, ..PursuitAim::default() }
        };
        if situation.sees {
            self.state.last_seen = Some(situation.target.position);
        }
        self.aim.set_if_neq(aim);
    }

    /// Whether the target is caught; triggers [`CaughtTarget`] when it has just been.
    fn catches(&mut self, situation: &Situation, commands: &mut Commands) -> bool {
        let gap = situation.gap(situation.target.position).length();
        // Bodies that may not overlap come no nearer than this, with 2 % of tolerance.
        let touch = (self.agent.radius.max(0.0) + situation.target.radius.max(0.0)) * 1.02;
        let reach = self.pursuer.reach(self.agent).max(touch);
        if situation.sees && gap <= reach {
            self.catch(commands);
        } else if gap > reach * 1.1 || !situation.sees {
            self.state.caught = false;
        }
        self.state.caught
    }

    /// Triggers [`CaughtTarget`] and [`CaughtBy`], unless the target has been caught before.
    fn catch(&mut self, commands: &mut Commands) {
        if !core::mem::replace(&mut self.state.caught, true) {
            let (entity, target) = (self.entity, self.pursuer.target);
            commands.trigger(CaughtTarget { entity, target });
            commands.trigger(CaughtBy { entity: target, pursuer: entity });
        }
    }

    /// Goes along with the target that it has caught, if that moves.
    fn keep_pace(&mut self, situation: &Situation) {
        let target = situation.flattened(Body { velocity: situation.pace, ..situation.target });
        let velocity = target.velocity.clamp_length_max(situation.speed);
        if velocity != Vec3::ZERO && velocity.is_finite() {
            self.goal.state(GoalSource::Pursuit, GoalVelocity::new(velocity).with_end(target.position));
        }
    }

    /// Withdraws the path that the pursuit has asked for.
    fn withdraw_request(&mut self, commands: &mut Commands) {
        if self.state.path_goal.take().is_some() {
            withdraw_request(self.entity, commands);
        }
    }

    /// Shows the state of the pursuit, unless that of a request is shown.
    fn show_status(&mut self, status: PathStatus) {
        if has_own_status(Some(self.ticket)) {
            self.status.set_if_neq(status);
        }
    }

    /// States the goal velocity towards a target in sight, as the mode of the pursuer says.
    fn pursue_in_sight(&mut self, situation: &Situation, commands: &mut Commands) -> PursuitAim {
        let settings = self.pursuer.settings(self.agent);
        let body = Body::new(situation.at, self.velocity.0).with_radius(self.agent.radius);
        let target = situation.flattened(situation.target);
        let limits =
            MotionLimits::new(situation.speed, situation.dt).with_acceleration(self.agent.acceleration);
        let pursuit = aim_at(&settings, &body, &target, &limits);
        self.report_if_abandoned(pursuit.aim.forecast, commands);
        let visible = situation.visible_aim(self.agent, pursuit.aim.point);
        let mut desired = pursuit.desired;
        if visible != pursuit.aim.point {
            desired = situation.gap(visible).normalize_or_zero() * desired.length();
        }
        // In `Basic` each axis has full speed, so that diagonals are faster.
        let is_faster_on_diagonals =
            self.pursuer.mode == PursuitMode::Basic && !self.pursuer.normalize_diagonal;
        let haste = if is_faster_on_diagonals { (desired.length() / situation.speed).max(1.0) } else { 1.0 };
        let goal_velocity = GoalVelocity { haste, ..GoalVelocity::new(self.limit_turn(desired, situation)) };
        let gap = target.position.distance(situation.at);
        // While something else leads it, it does not try.
        let speed = if self.goal.is_led() { 0.0 } else { situation.speed };
        if !self.state.patience.waits(gap, &target, &body, speed, situation.dt) {
            self.goal.state(GoalSource::Pursuit, goal_velocity.with_end(target.position));
        }
        PursuitAim {
            point: visible,
            time: pursuit.aim.time,
            forecast: pursuit.aim.forecast,
            is_in_sight: true,
        }
    }

    /// The desired velocity, turned away from the present one by at most the turn rate.
    fn limit_turn(&self, desired: Vec3, situation: &Situation) -> Vec3 {
        let max = self.pursuer.turn_rate.map(|rate| rate * situation.dt);
        let Some(max) = max.filter(|max| max.is_finite()) else { return desired };
        let up = situation.grid.map_or(Vec3::Z, |grid| grid.place.up());
        let from = if self.velocity.0 == Vec3::ZERO { desired } else { self.velocity.0 };
        turned_velocity(from, desired, max, up)
    }

    /// Triggers [`LostTarget`] once when the pursuer gives up a target that is too fast.
    fn report_if_abandoned(&mut self, forecast: InterceptForecast, commands: &mut Commands) {
        // A pursuer that cannot move for now has given up nothing.
        let is_abandoned = forecast == InterceptForecast::Abandoned && self.agent.speed > 0.0;
        if is_abandoned && !self.state.abandoned {
            commands.trigger(LostTarget {
                entity: self.entity,
                target: self.pursuer.target,
                reason: LossReason::TooFast,
            });
        }
        self.state.abandoned = is_abandoned;
    }

    /// Requests a path, unless there is one whose goal is near enough to the target.
    fn request_path(&mut self, situation: &Situation, commands: &mut Commands) {
        // An agent that was thrown off the map requests its path when it is back.
        let is_on_map = |grid: &&GridRef| grid.nav.grid().contains(grid.cell(situation.at));
        let Some(grid) = situation.grid.filter(is_on_map) else { return };
        let target = situation.target.position;
        let goal = grid.cell(target);
        let is_needed = match self.state.path_goal {
            None => true,
            Some(_) if !self.ticket.is_closed() => false,
            Some(cell) => {
                let distance = cell.x.abs_diff(goal.x).max(cell.y.abs_diff(goal.y));
                let has_ended = matches!(
                    *self.status,
                    PathStatus::Arrived | PathStatus::EndedShort(_) | PathStatus::Failed(_)
                );
                distance as f32 > self.pursuer.replan_distance.max(1.0) || (has_ended && distance > 0)
            }
        };
        if is_needed {
            self.state.path_goal = Some(goal);
            commands.entity(self.entity).try_insert(SteeringRequest::to(target));
        }
    }

    /// Moves to where the target was last seen, while the first path is being searched for.
    fn go_to_last_seen(&mut self, situation: &Situation) {
        let Some(last) = self.state.last_seen else { return };
        if situation.sees(self.agent, situation.at, last) {
            let gap = situation.gap(last);
            let speed = situation.speed.min(gap.length() / situation.dt.max(1e-6));
            let goal_velocity = GoalVelocity::new(gap.normalize_or_zero() * speed).with_end(last);
            self.goal.state(GoalSource::Pursuit, goal_velocity);
        }
    }
}

/// Withdraws the request that steering has made. That of the user is served anew: the agent has been led away.
pub(in crate::steer) fn withdraw_request(entity: Entity, commands: &mut Commands) {
    commands.entity(entity).queue_silenced(|mut entity: EntityWorldMut| {
        entity.remove::<SteeringRequest>();
        if let Some(mut own) = entity.get_mut::<PathRequest>() {
            own.set_changed();
        }
    });
}
