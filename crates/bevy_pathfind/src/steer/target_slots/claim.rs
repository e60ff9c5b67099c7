//! One tick of all claims: who asks, what each gets, and where that is now.

use bevy::ecs::change_detection::Tick;
use bevy::ecs::query::QueryData;
use bevy::prelude::*;

use super::assign::{Asker, MAX_SEARCHES, assign};
use super::slot_points::SlotPoints;
use crate::agent::{Agent, AgentId};
use crate::order::{
    NavGoal, PathRequest, PathStatus, Reservation, SearchOptions, SlotClaim, SteeringRequest, TargetSlots,
};
use crate::steer::fugitive::FugitiveState;
use crate::steer::pursuer::withdraw_request;
use crate::steer::{
    Crowd, CrowdIndex, GoalSource, GoalVelocity, Pursuer, Remaining, SteerTick, SteeringGoal,
};
use crate::world::{Airborne, GridRef, Grids, Positions, Tie};

/// Every how many ticks it is checked whether a slot is still out of walls. Not measured.
const CHECK_INTERVAL: u64 = 8;
/// How near to its point an agent is there, in times of the spacing.
const TOLERANCE: f32 = 0.5;
/// By how much an agent has to come nearer to its slot not to be stalled, in times of the spacing. Not measured.
const PROGRESS: f32 = 0.25;
/// A point that moves more than so many times as fast as its agent can has jumped. Not measured.
const JUMP: f32 = 20.0;

/// The components of an agent that may ask for a slot.
#[derive(QueryData)]
#[query_data(mutable)]
pub(in crate::steer) struct Claimant {
    entity: Entity,
    id: &'static AgentId,
    agent: &'static Agent,
    tie: Tie,
    claim: Option<&'static mut SlotClaim>,
    request: Option<Ref<'static, PathRequest>>,
    steering: Option<&'static SteeringRequest>,
    pursuer: Option<&'static Pursuer>,
    flight: Option<&'static FugitiveState>,
    status: &'static PathStatus,
}

/// A point that an agent claims, and the radius of its body, in world units; of a slot the target too.
struct Claimed {
    entity: Entity,
    target: Option<Entity>,
    at: Vec3,
    radius: f32,
}

impl ClaimantReadOnlyItem<'_, '_> {
    /// The target at which it asks for a slot, and the change tick of the request that asks.
    fn asks(&self) -> Option<(Entity, Option<Tick>)> {
        if let Some(pursuer) = self.pursuer {
            return Some((pursuer.target, None));
        }
        let request =
            self.request.as_ref().filter(|_| !self.flight.is_some_and(FugitiveState::is_fleeing))?;
        if let NavGoal::SlotOf(target) = request.goal {
            Some((target, Some(request.last_changed())))
        } else {
            None
        }
    }
}

/// Gives agents that ask for slots their claims, moves the claims with the targets, and ends those of agents that ask no
/// more.
pub(in crate::steer) fn claim_slots(
    mut claimants: Query<Claimant, Without<Airborne>>,
    targets: Query<(&TargetSlots, Tie)>,
    reservations: Query<(Entity, &Reservation, &Agent)>,
    (positions, grids): (Positions, Grids),
    (defaults, tick): (Res<SearchOptions>, Res<SteerTick>),
    time: Option<Res<Time>>,
    mut commands: Commands,
) {
    let dt = time.map_or(0.0, |time| time.delta_secs());
    let mut asking = Vec::new();
    for claimant in &claimants {
        let asked = claimant
            .asks()
            .filter(|&(target, _)| targets.get(target).is_ok_and(|(slots, _)| slots.check().is_ok()));
        let at = positions.of(claimant.entity).filter(|at| at.is_finite() && claimant.agent.check().is_ok());
        match (asked, at) {
            (Some((target, order)), Some(at)) => {
                asking.push((
                    target,
                    (*claimant.id, claimant.entity.index_u32()),
                    claimant.entity,
                    order,
                    at,
                ));
            }
            _ => claimant.release(&mut commands),
        }
    }
    // Targets in the order of the least id of an agent that asks.
    asking.sort_by_key(|asked| asked.1);
    let mut order: Vec<Entity> = Vec::new();
    asking.iter().for_each(|asked| {
        if !order.contains(&asked.0) {
            order.push(asked.0);
        }
    });
    let mut claimed = claimed(&claimants, &reservations);
    let mut searches = MAX_SEARCHES;
    for target in order {
        let Ok((settings, tie)) = targets.get(target) else { continue };
        let group: Vec<_> = asking.iter().filter(|asked| asked.0 == target).collect();
        let transform = positions.transform_of(target).filter(|at| at.translation().is_finite());
        let grid = transform.and_then(|at| grids.of(tie, at.translation()).ok().map(|grid| (at, grid)));
        let Some((transform, grid)) = grid else {
            for &&(_, _, entity, ..) in &group {
                claimants.get(entity).into_iter().for_each(|claimant| claimant.release(&mut commands));
            }
            continue;
        };
        let units = group.iter().filter_map(|asked| Some(claimants.get(asked.2).ok()?.agent.body_unit()));
        let unit = units.fold(0.0, f32::max);
        let points = SlotPoints::new(settings, (&grid, defaults.corners), &transform, (unit, group.len()));
        let mut askers: Vec<_> = group
            .iter()
            .filter_map(|&&(_, _, entity, order, at)| {
                let mut claimant = claimants.get_mut(entity).ok()?;
                let is_on_grid = grids.of(claimant.tie, at).is_ok_and(|own| own.entity == grid.entity);
                Some(claimant.asker(
                    target,
                    &points,
                    settings,
                    (at, is_on_grid, order.is_none()),
                    (tick.0, dt),
                ))
            })
            .collect();
        let side = grid.place.cell_size();
        assign(&points, &mut askers, &mut searches, |asker, point| {
            let at = grid.above_ground(point, 0.0);
            claimed.iter().all(|other| {
                let apart = (asker.shape.radius * side + other.radius) * 0.99;
                other.entity == asker.entity
                    || other.target == Some(target)
                    || other.at.distance_squared(at) >= apart * apart
            })
        });
        for (asker, &&(_, _, entity, order, at)) in askers.iter().zip(&group) {
            let Ok(mut claimant) = claimants.get_mut(entity) else { continue };
            let Some(claim) = claimant.update(asker, target, &points, (order, dt)) else {
                claimants.get(entity).into_iter().for_each(|claimant| claimant.release(&mut commands));
                continue;
            };
            if claim.slot().is_some() {
                let radius = claimant.agent.valid_radius();
                claimed.push(Claimed { entity, target: Some(target), at: claim.point, radius });
            }
            claimant.go(&claim, (&grid, at), &mut commands);
        }
    }
}

/// The points that agents claimed in the last tick.
fn claimed(
    claimants: &Query<Claimant, Without<Airborne>>,
    reservations: &Query<(Entity, &Reservation, &Agent)>,
) -> Vec<Claimed> {
    let of_slot = |claimant: ClaimantReadOnlyItem| {
        let claim = claimant.claim.filter(|claim| claim.slot().is_some())?;
        let radius = claimant.agent.valid_radius();
        Some(Claimed { entity: claimant.entity, target: Some(claim.target), at: claim.point, radius })
    };
    let reserved = reservations.iter().filter(|(_, reservation, _)| reservation.is_granted);
    let of_cell = |(entity, reservation, agent): (Entity, &Reservation, &Agent)| Claimed {
        entity,
        target: None,
        at: reservation.at,
        radius: agent.valid_radius(),
    };
    claimants.iter().filter_map(of_slot).chain(reserved.map(of_cell)).collect()
}

impl ClaimantReadOnlyItem<'_, '_> {
    /// Ends its claim, if it has one, and withdraws the request for a path there.
    fn release(&self, commands: &mut Commands) {
        let Some(claim) = self.claim else { return };
        commands.entity(self.entity).try_remove::<SlotClaim>();
        let is_steered_elsewhere =
            self.pursuer.is_some() || self.flight.is_some_and(FugitiveState::is_fleeing);
        if claim.order.is_some() && !is_steered_elsewhere {
            withdraw_request(self.entity, commands);
        }
    }
}

impl ClaimantItem<'_, '_> {
    /// The agent as it asks: with the place that it has, unless that is in a wall by now.
    fn asker(
        &mut self,
        target: Entity,
        points: &SlotPoints,
        settings: &TargetSlots,
        (at, is_on_grid, is_pursuit): (Vec3, bool, bool),
        (tick, dt): (u64, f32),
    ) -> Asker {
        let side = points.grid.place.cell_size();
        let mut asker = Asker {
            entity: self.entity,
            here: points.grid.place.to_grid(at),
            is_on_grid,
            shape: self.agent.shape(side),
            is_pursuit,
            place: None,
            age: f32::INFINITY,
            is_stalled: false,
        };
        let Some(claim) = self.claim.as_mut().filter(|claim| claim.target == target) else { return asker };
        claim.age += dt;
        asker.age = claim.age;
        let is_checked = (tick + self.id.0).is_multiple_of(CHECK_INTERVAL);
        let may_lose = claim.slot().is_none() || claim.age >= 1.0;
        let is_lost = points.point(claim.place).is_none()
            || is_checked && may_lose && !points.exists(claim.place, asker.shape);
        if is_lost {
            asker.age = if claim.slot().is_some() { 0.0 } else { claim.age };
            return asker;
        }
        asker.place = Some(claim.place);
        let gap = points.point(claim.place).map_or(0.0, |point| point.distance(asker.here));
        if gap < claim.nearest - PROGRESS * points.spacing {
            (claim.nearest, claim.stalled) = (gap, 0.0);
        } else if gap > TOLERANCE * points.spacing {
            claim.stalled += dt;
        }
        // A slot that it has come to is kept.
        asker.is_stalled = claim.stalled > settings.patience && claim.nearest > TOLERANCE * points.spacing;
        asker
    }

    /// Brings its claim up to date with what it has got; `None` if it has got no place.
    fn update(
        &mut self,
        asker: &Asker,
        target: Entity,
        points: &SlotPoints,
        (order, dt): (Option<Tick>, f32),
    ) -> Option<SlotClaim> {
        let place = asker.place?;
        let on_grid = points.point(place)?;
        let (round, _) = points.way_round(asker.here, on_grid);
        let heads_for = if points.sees(asker.shape, asker.here, round) { round } else { on_grid };
        let [point, heads_for] = [on_grid, heads_for].map(|point| points.grid.above_ground(point, 0.0));
        let before =
            self.claim.as_deref().copied().filter(|claim| claim.target == target && claim.place == place);
        let drift = match before {
            Some(before) if dt > 0.0 => (point - before.point) / dt,
            _ => Vec3::ZERO,
        };
        let is_jump = drift.length() > JUMP * self.agent.speed;
        Some(SlotClaim {
            target,
            place,
            point,
            heads_for,
            drift: if is_jump { Vec3::ZERO } else { drift },
            tolerance: TOLERANCE * points.spacing * points.grid.place.cell_size(),
            age: asker.age,
            nearest: before.map_or(f32::INFINITY, |before| before.nearest),
            stalled: before.map_or(0.0, |before| before.stalled),
            order,
        })
    }

    /// Writes its claim, and sends an agent with a request there, unless it goes there already or stays there.
    fn go(&mut self, claim: &SlotClaim, (grid, at): (&GridRef, Vec3), commands: &mut Commands) {
        let is_same = self.claim.as_deref().is_some_and(|before| before.is_at_same(claim));
        match &mut self.claim {
            Some(present) => _ = present.set_if_neq(*claim),
            None => _ = commands.entity(self.entity).try_insert(*claim),
        }
        let Some(request) = self.request.as_ref().filter(|_| claim.order.is_some()) else { return };
        let gap = grid.place.flatten(claim.point - at).length();
        let near = (0.5 * grid.place.cell_size()).max(gap / 4.0);
        let goes_there = self.steering.is_some_and(|steering| {
            matches!(steering.request.goal, NavGoal::Point(point) if point.distance(claim.point) <= near)
        });
        if !is_same || !goes_there && !claim.is_kept(self.status, gap) {
            let goal = NavGoal::Point(claim.point);
            // Those that wait may stop beside their places, and press on others less.
            let request = PathRequest { goal, spread_at_goal: claim.slot().is_none(), ..(**request).clone() };
            commands.entity(self.entity).try_insert(SteeringRequest { request, known: None });
        }
    }
}

/// Keeps agents with a request in the slots to which they have come, as the slots move.
pub(in crate::steer) fn stay_in_slots(
    mut staying: Query<(&SlotClaim, &Agent, &CrowdIndex, Tie, &PathStatus, SteeringGoal)>,
    (crowd, grids, time): (Res<Crowd>, Grids, Res<Time>),
) {
    for (claim, agent, index, tie, status, mut goal) in &mut staying {
        let Some(at) = crowd.body(*index).map(|body| body.position).filter(|_| claim.order.is_some()) else {
            continue;
        };
        let Ok(grid) = grids.of(tie, at) else { continue };
        let [way, drift] = [claim.point - at, claim.drift].map(|it| grid.place.flatten(it));
        if claim.is_kept(status, way.length()) {
            let velocity = GoalVelocity::keep_up(way, drift, agent, time.delta_secs());
            let remaining = Remaining { is_in_file: true, ..Remaining::new(way.length()) };
            goal.state(GoalSource::Path, velocity.with_remaining(remaining));
        }
    }
}
