//! Puts agents on the ground, or at their height above it: on grids with elevation in every tick, on flat grids when they
//! come back to it. Those that fly low come to their height in every tick.

use bevy::ecs::query::QueryData;
use bevy::prelude::*;

use super::parents::ParentTransforms;
use crate::agent::{Agent, AgentVelocity};
use crate::numbers::is_finite;
use crate::order::OnLink;
use crate::world::{Airborne, Grids, LowFlying, OffGround, Tie};

/// An agent that may stand on the ground.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct StandingAgent {
    entity: Entity,
    agent: &'static Agent,
    transform: &'static mut Transform,
    velocity: &'static mut AgentVelocity,
    tie: Tie,
    flies_low: Has<LowFlying>,
    parent: Option<&'static ChildOf>,
    off_ground: Option<&'static OffGround>,
}

/// Agents that come back to the ground, or fly low over it.
type Returning = (Or<(With<OffGround>, With<LowFlying>)>, Without<Airborne>, Without<OnLink>);

/// Puts every agent on a grid with elevation on the ground below or above it. On flat grids agents keep the height that
/// the game gave them (in 2D it is the order of drawing), also over flights and stopped crossings.
pub(super) fn stand(
    mut agents: Query<StandingAgent, (Without<Airborne>, Without<OnLink>)>,
    returning: Query<(), Returning>,
    (grids, parents): (Grids, Res<ParentTransforms>),
    time: Res<Time>,
    mut commands: Commands,
) {
    let all = grids.all();
    let has_hills = || all.usable().any(|grid| grid.nav.grid().has_elevation());
    if time.delta_secs() <= 0.0 || returning.is_empty() && !has_hills() {
        return;
    }
    for StandingAgentItem {
        entity,
        agent,
        mut transform,
        mut velocity,
        tie,
        flies_low,
        parent,
        off_ground,
    } in &mut agents
    {
        let own = transform.translation;
        let frame = parents.of(parent);
        let at = frame.map_or(own, |frame| frame.transform_point3(own));
        let Ok(grid) = all.of(tie, at) else { continue };
        let has_elevation = grid.nav.grid().has_elevation();
        if !has_elevation && off_ground.is_none() && !flies_low || !grid.has_ground(at) {
            continue;
        }
        let point = grid.place.to_grid(at);
        let ground = grid.place.to_world(point, grid.nav.grid().elevation_at(agent.kind, point));
        let (_, _, offset, _) = tie;
        let kept = off_ground.and_then(|it| it.height).filter(|_| !has_elevation && !flies_low);
        let height =
            kept.map_or(offset.map_or(0.0, |offset| offset.0), |cells| cells * grid.place.cell_size());
        let mut to = ground + grid.place.up() * height;
        if flies_low {
            to = at + (to - at).clamp_length_max(agent.speed.max(0.0) * time.delta_secs());
        }
        let inside = frame.map_or(to, |frame| frame.inverse().transform_point3(to));
        // Less is rounding: the transform of an agent that stands still is not marked as changed.
        if is_finite(inside) && to.distance(at) > 1e-5 * grid.place.cell_size() {
            transform.translation = inside;
        }
        if off_ground.is_some() {
            // On the ground an agent neither climbs nor falls.
            let along = grid.place.flatten(velocity.0);
            velocity.set_if_neq(AgentVelocity(along));
            commands.entity(entity).try_remove::<OffGround>();
        }
    }
}
