//! Moves agents over links.

use bevy::ecs::query::QueryData;
use bevy::prelude::*;
use pathfind_core::GridCell;

use super::parents::ParentTransforms;
use crate::agent::{Agent, AgentFacing, AgentId, AgentVelocity, TeleportCount};
use crate::bevy_version::OnRemove;
use crate::numbers::is_finite;
use crate::order::{LinkCrossed, NavPath, OnLink, PathStatus, RequestSummary, Requests, Ticket};
use crate::steer::HoldPosition;
use crate::world::{Airborne, Grids, LinkMotion, OffGround, OnGrid};

/// An agent that crosses a link.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct Moved {
    entity: Entity,
    id: &'static AgentId,
    agent: &'static Agent,
    crossing: &'static mut OnLink,
    transform: &'static mut Transform,
    velocity: &'static mut AgentVelocity,
    parent: Option<&'static ChildOf>,
    holds: Has<HoldPosition>,
    teleports: Option<&'static TeleportCount>,
}

/// An agent whose crossing ends.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct EndingCrossing {
    crossing: &'static mut OnLink,
    ticket: &'static mut Ticket,
    status: &'static mut PathStatus,
    summary: &'static mut RequestSummary,
    requests: Requests,
    path: Option<&'static NavPath>,
    on_grid: Option<&'static mut OnGrid>,
    flies: Has<Airborne>,
    agent: Option<&'static Agent>,
}

/// Moves each agent that crosses a link by one tick. At the far end [`LinkCrossed`] is triggered.
pub(super) fn cross(
    mut agents: Query<Moved>,
    (parents, grids): (Res<ParentTransforms>, Grids),
    time: Res<Time>,
    mut commands: Commands,
) {
    let dt = time.delta_secs();
    if dt <= 0.0 {
        return;
    }
    let mut arrived = Vec::new();
    for moved in &mut agents {
        let MovedItem {
            entity,
            id,
            agent,
            mut crossing,
            mut transform,
            mut velocity,
            parent,
            holds,
            teleports,
        } = moved;
        if crossing.crossing == LinkMotion::Custom {
            velocity.set_if_neq(AgentVelocity::default());
            continue;
        }
        if agent.check().is_err() || agent.speed == 0.0 || holds {
            velocity.set_if_neq(AgentVelocity::default());
            continue;
        }
        // The far end moves with its grid.
        if let Some(there) = grids.get(crossing.grid).filter(|there| there.place.is_usable()) {
            if crossing.map_id != there.nav.map_id() {
                // The cells have other coordinates now, at the same place in the world.
                crossing.point = there.place.to_grid(crossing.to);
                crossing.map_id = there.nav.map_id();
            }
            (crossing.to, crossing.up) =
                (there.above_ground(crossing.point, crossing.height), there.place.up());
        }
        let [from, to] = crossing.ends();
        let before = crossing.place();
        let advance = agent.speed * dt / from.distance(to);
        let is_at_once = crossing.crossing == LinkMotion::Teleport || !advance.is_finite();
        crossing.share = if is_at_once { 1.0 } else { (crossing.share + advance).min(1.0) };
        let step = crossing.place() - before;
        let inside = parents.of(parent).map(|frame| frame.inverse());
        let place = inside.map_or(crossing.place(), |inside| inside.transform_point3(crossing.place()));
        if is_finite(place) {
            transform.translation = place;
        }
        if is_at_once {
            velocity.set_if_neq(AgentVelocity::default());
            let count = TeleportCount::of(teleports).wrapping_add(1);
            commands.entity(entity).try_insert(TeleportCount(count));
        } else {
            let direction = step.reject_from_normalized(crossing.up);
            // At the far end only the velocity along the ground is kept: the agent walks on.
            let moved = if crossing.share < 1.0 { step } else { direction };
            velocity.set_if_neq(AgentVelocity(moved / dt));
            if agent.facing != AgentFacing::None {
                let turn = |vector: Vec3| inside.map_or(vector, |inside| inside.transform_vector3(vector));
                let (direction, up) = (turn(direction), turn(crossing.up));
                transform.rotation =
                    agent.facing.turned(transform.rotation, direction, up, agent.turn_rate * dt);
            }
        }
        if crossing.share >= 1.0 {
            arrived.push((*id, LinkCrossed { entity, link: crossing.link }));
        }
    }
    // In an order that does not depend on how entities are stored.
    arrived.sort_by_key(|(id, crossed)| (*id, crossed.entity.index_u32()));
    arrived.into_iter().for_each(|(_, crossed)| commands.trigger(crossed));
}

/// Ends a crossing: the agent stands at the far end, and follows the path behind the link. If the map has changed
/// there, it asks for another.
pub(super) fn arrive(
    crossed: On<LinkCrossed>,
    mut agents: Query<EndingCrossing>,
    grids: Grids,
    mut commands: Commands,
) {
    let entity = crossed.entity;
    let Ok(ending) = agents.get_mut(entity) else { return };
    let EndingCrossingItem {
        mut crossing,
        mut ticket,
        mut status,
        mut summary,
        mut requests,
        path,
        on_grid,
        flies,
        agent,
    } = ending;
    if crossing.link != crossed.link {
        return;
    }
    // A game may end a crossing early: the agent is then put at the far end.
    if crossing.share < 1.0 {
        commands.entity(entity).queue_silenced(super::teleport::put_at(crossing.to));
        crossing.share = 1.0;
    }
    if grids.get(crossing.grid).is_none() {
        // The ground at the far end is gone.
        let height = Some(crossing.height);
        commands.entity(entity).try_remove::<OnGrid>().try_insert(OffGround { height });
    } else if let Some(mut on) = on_grid {
        on.0 = grids.part_at(crossing.grid, GridCell::containing(crossing.point));
    }
    commands.entity(entity).try_remove::<OnLink>();
    let mut onward = core::mem::take(&mut crossing.onward).into_iter();
    let next = onward.next().zip(grids.get(crossing.grid)).filter(|(leg, grid)| {
        let is_current = (leg.map_id, leg.revision) == (grid.nav.map_id(), grid.nav.revision())
            && agent.is_none_or(|agent| agent.shape(grid.place.cell_size()) == leg.path.shape);
        let is_served = requests.last_changed().is_some_and(|tick| ticket.checked == Some(tick));
        let is_as_before = ticket.is_closed() && path.is_none() && is_served && !flies;
        is_current && grid.place.is_usable() && is_as_before
    });
    match next {
        Some((leg, grid)) => {
            let mut found = leg.path;
            found.onward = onward.collect();
            let path = NavPath::new(&grid, found);
            ticket.grid = Some(grid.entity);
            // The version of the links stays that of the search, so that a recheck notices later changes on other
            // grids.
            let version = ticket.answered.map_or(0, |(_, _, version)| version);
            ticket.answered = Some((grid.nav.map_id(), grid.nav.revision(), version));
            summary.falls_short = path.outcome().is_blocked_by_map();
            *status = PathStatus::Following;
            commands.entity(entity).try_insert(path);
        }
        None if requests.serve_anew() => *status = PathStatus::Waiting,
        None => *status = PathStatus::Idle,
    }
}

/// After a crossing that was stopped on the way the agent stands on the ground, and asks for a path from where it is.
pub(super) fn stop(
    removed: OnRemove<OnLink>,
    mut agents: Query<(&OnLink, &mut PathStatus, Requests)>,
    mut commands: Commands,
) {
    let Ok((crossing, mut status, mut requests)) = agents.get_mut(removed.entity) else { return };
    if crossing.share < 1.0 {
        commands.entity(removed.entity).try_insert(OffGround { height: Some(crossing.height) });
    }
    if *status == PathStatus::Crossing {
        *status = if requests.serve_anew() { PathStatus::Waiting } else { PathStatus::Idle };
    }
}
