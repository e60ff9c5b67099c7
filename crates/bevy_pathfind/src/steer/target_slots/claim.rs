//! One tick of all claims: who asks, what each gets, and where that is now.

use bevy::ecs::change_detection::Tick;
use bevy::ecs::query::QueryData;
use bevy::ecs::system::SystemParam;
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
use crate::world::{Airborne, GridList, GridRef, Grids, Positions, Tie};

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

/// A request or a pursuit that asks for a slot.
struct Ask {
    target: Entity,
    id: (AgentId, u32),
    entity: Entity,
    /// Where the agent is in the world.
    at: Vec3,
    /// The change tick of the request; `None` for a pursuit.
    order: Option<Tick>,
}

/// A point that an agent claims, and the radius of its body, in world units; of a slot the target too.
struct Claimed {
    entity: Entity,
    target: Option<Entity>,
    at: Vec3,
    radius: f32,
}

/// The targets and the ground.
#[derive(SystemParam)]
pub(in crate::steer) struct TargetGround<'w, 's> {
    targets: Query<'w, 's, (&'static TargetSlots, Tie)>,
    positions: Positions<'w, 's>,
    grids: Grids<'w, 's>,
    defaults: Res<'w, SearchOptions>,
    tick: Res<'w, SteerTick>,
    time: Option<Res<'w, Time>>,
}

impl TargetGround<'_, '_> {
    /// The settings and the transform of a target with valid slots, and the grid that it is on.
    fn target<'a>(
        &'a self,
        target: Entity,
        grids: &'a GridList,
    ) -> Option<(&'a TargetSlots, GlobalTransform, &'a GridRef<'a>)> {
        let (settings, tie) = self.targets.get(target).ok().filter(|(slots, _)| slots.check().is_ok())?;
        let transform = self.positions.transform_of(target)?;
        Some((settings, transform, grids.of(tie, transform.translation()).ok()?))
    }
}

/// Gives agents that ask for slots their claims, moves the claims with the targets, and ends those of agents that ask no
/// more.
pub(in crate::steer) fn claim_slots(
    mut claimants: Query<Claimant, Without<Airborne>>,
    (ground, claims): (TargetGround, Query<(), With<SlotClaim>>),
    reservations: Query<(Entity, &Reservation, &Agent)>,
    mut commands: Commands,
) {
    if ground.targets.is_empty() && claims.is_empty() {
        return;
    }
    let grids = ground.grids.all();
    let mut asking: Vec<Ask> = Vec::new();
    for claimant in &claimants {
        match claimant.asks(&ground, &grids) {
            Some(ask) => asking.push(ask),
            None => claimant.release(&mut commands),
        }
    }
    let mut claimed = claimed(&claimants, &reservations);
    let mut searches = MAX_SEARCHES;
    // Targets in the order of the least id of an agent that asks.
    asking.sort_by_key(|ask| ask.id);
    while let Some(target) = asking.first().map(|ask| ask.target) {
        let (group, others): (Vec<_>, _) = asking.into_iter().partition(|ask| ask.target == target);
        asking = others;
        claim_at(&group, &mut claimants, (&ground, &grids), &mut claimed, &mut searches, &mut commands);
    }
}

/// Gives the agents that ask at one target their claims.
fn claim_at(
    group: &[Ask],
    claimants: &mut Query<Claimant, Without<Airborne>>,
    (ground, grids): (&TargetGround, &GridList),
    claimed: &mut Vec<Claimed>,
    searches: &mut u32,
    commands: &mut Commands,
) {
    let target = group[0].target;
    let Some((settings, transform, grid)) = ground.target(target, grids) else { return };
    let units = group.iter().filter_map(|ask| Some(claimants.get(ask.entity).ok()?.agent.body_unit()));
    let unit = units.fold(0.0, f32::max);
    let points = SlotPoints::new(settings, (grid, ground.defaults.corners), &transform, (unit, group.len()));
    let dt = ground.time.as_ref().map_or(0.0, |time| time.delta_secs());
    let mut askers = Vec::new();
    for ask in group {
        let Ok(mut claimant) = claimants.get_mut(ask.entity) else { return };
        let is_on_grid = grids.of(claimant.tie, ask.at).is_ok_and(|own| own.entity == grid.entity);
        askers.push(claimant.asker(ask, &points, settings, is_on_grid, (ground.tick.0, dt)));
    }
    let side = grid.place.cell_size();
    assign(&points, &mut askers, searches, |asker, point| {
        let at = grid.above_ground(point, 0.0);
        claimed.iter().all(|other| {
            let apart = (asker.shape.radius * side + other.radius) * 0.99;
            other.entity == asker.entity
                || other.target == Some(target)
                || other.at.distance_squared(at) >= apart * apart
        })
    });
    for (asker, ask) in askers.iter().zip(group) {
        let Ok(mut claimant) = claimants.get_mut(ask.entity) else { continue };
        match claimant.update(asker, ask, &points, dt) {
            Some(claim) => {
                if claim.slot().is_some() {
                    let (entity, radius) = (ask.entity, claimant.agent.valid_radius());
                    claimed.push(Claimed { entity, target: Some(target), at: claim.point, radius });
                }
                claimant.go(&claim, (grid, ask.at), commands);
            }
            None => claimants.get(ask.entity).into_iter().for_each(|claimant| claimant.release(commands)),
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
    fn is_fleeing(&self) -> bool {
        self.flight.is_some_and(FugitiveState::is_fleeing)
    }

    /// What it asks for, if there may be a slot for it.
    fn asks(&self, ground: &TargetGround, grids: &GridList) -> Option<Ask> {
        let (target, order) = match (self.pursuer, self.request.as_ref()) {
            (Some(pursuer), _) => (pursuer.target, None),
            (None, Some(request)) => match request.goal {
                NavGoal::SlotOf(target) if !self.is_fleeing() => (target, Some(request.last_changed())),
                _ => return None,
            },
            (None, None) => return None,
        };
        ground.target(target, grids)?;
        let at = ground.positions.of(self.entity).filter(|at| at.is_finite())?;
        self.agent.check().ok()?;
        Some(Ask { target, id: (*self.id, self.entity.index_u32()), entity: self.entity, at, order })
    }

    /// Ends its claim, if it has one, and withdraws the request for a path there.
    fn release(&self, commands: &mut Commands) {
        let Some(claim) = self.claim else { return };
        commands.entity(self.entity).try_remove::<SlotClaim>();
        if claim.order.is_some() && self.pursuer.is_none() && !self.is_fleeing() {
            withdraw_request(self.entity, commands);
        }
    }
}

impl ClaimantItem<'_, '_> {
    /// The agent as it asks: with the place that it has, unless that is in a wall by now.
    fn asker(
        &mut self,
        ask: &Ask,
        points: &SlotPoints,
        settings: &TargetSlots,
        is_on_grid: bool,
        (tick, dt): (u64, f32),
    ) -> Asker {
        let side = points.grid.place.cell_size();
        let mut asker = Asker {
            entity: self.entity,
            here: points.grid.place.to_grid(ask.at),
            is_on_grid,
            shape: self.agent.shape(side),
            is_pursuit: ask.order.is_none(),
            place: None,
            age: f32::INFINITY,
            is_stalled: false,
        };
        let Some(claim) = self.claim.as_mut().filter(|claim| claim.target == ask.target) else {
            return asker;
        };
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
        if gap < claim.nearest - PROGRESS * points.spacing || gap <= TOLERANCE * points.spacing {
            (claim.nearest, claim.stalled) = (gap.min(claim.nearest), 0.0);
        } else {
            claim.stalled += dt;
        }
        // A slot that it has come to is kept.
        asker.is_stalled = claim.stalled > settings.patience && claim.nearest > TOLERANCE * points.spacing;
        asker
    }

    /// Brings its claim up to date with what it has got; `None` if it has got no place.
    fn update(&mut self, asker: &Asker, ask: &Ask, points: &SlotPoints, dt: f32) -> Option<SlotClaim> {
        let place = asker.place?;
        let on_grid = points.point(place)?;
        let (round, _) = points.way_round(asker.here, on_grid);
        let heads_for = if points.sees(asker.shape, asker.here, round) { round } else { on_grid };
        let [point, heads_for] = [on_grid, heads_for].map(|point| points.grid.above_ground(point, 0.0));
        let before =
            self.claim.as_deref().copied().filter(|claim| claim.target == ask.target && claim.place == place);
        let drift = match before {
            Some(before) if dt > 0.0 => (point - before.point) / dt,
            _ => Vec3::ZERO,
        };
        let is_jump = drift.length() > JUMP * self.agent.speed;
        Some(SlotClaim {
            target: ask.target,
            place,
            point,
            heads_for,
            drift: if is_jump { Vec3::ZERO } else { drift },
            tolerance: TOLERANCE * points.spacing * points.grid.place.cell_size(),
            age: asker.age,
            nearest: before.map_or(f32::INFINITY, |before| before.nearest),
            stalled: before.map_or(0.0, |before| before.stalled),
            order: ask.order,
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
