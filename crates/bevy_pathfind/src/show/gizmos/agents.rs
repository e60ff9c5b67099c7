//! Gizmos of agents: bodies, velocities, targets, probes, and the ranges of steering.

use bevy::prelude::*;

use super::ring::Ring;
use super::view::CameraViews;
use super::{MotionGizmos, SteerGizmos};
use crate::agent::{Agent, AgentVelocity};
use crate::order::{NavGoal, SteeringRequest};
use crate::show::NavGizmos;
use crate::steer::{AvoidProbe, Avoider, BehaviorTarget, Flock, Fugitive, Pursuer};
use crate::world::{Grids, Tie, TieOf};

/// If more bodies than this were drawn in the last frame, they are drawn with fewer lines.
const CROWD: u32 = 500;
/// The most agents whose radii are drawn: more would be too dense to read, and slow.
const MAX_RADII: usize = 300;

pub(super) fn draw_targets(
    mut gizmos: Gizmos<SteerGizmos>,
    pursuers: Query<(&Pursuer, &GlobalTransform)>,
    targets: Query<&GlobalTransform>,
    views: CameraViews,
    show: Res<NavGizmos>,
) {
    let frusta = views.frusta();
    for (pursuer, at) in &pursuers {
        let Ok(target) = targets.get(pursuer.target) else { continue };
        let (from, to) = (at.translation(), target.translation());
        if frusta.intersects(from.midpoint(to), from.distance(to) * 0.5) {
            gizmos.line(from, to, show.target_color);
        }
    }
}

/// Where fugitives run, and from what.
pub(super) fn draw_flights(
    mut gizmos: Gizmos<SteerGizmos>,
    fugitives: Query<(&Fugitive, &SteeringRequest, &GlobalTransform), Without<Pursuer>>,
    threats: Query<&GlobalTransform>,
    views: CameraViews,
    show: Res<NavGizmos>,
) {
    let frusta = views.frusta();
    let is_seen = |from: Vec3, to: Vec3| frusta.intersects(from.midpoint(to), from.distance(to) * 0.5);
    for (fugitive, flight, at) in &fugitives {
        let at = at.translation();
        let position = |threat: &BehaviorTarget| match *threat {
            BehaviorTarget::Point(point) => Some(point),
            BehaviorTarget::Entity(entity) => threats.get(entity).ok().map(GlobalTransform::translation),
        };
        for threat in fugitive.threats.iter().filter_map(position).filter(|&threat| is_seen(at, threat)) {
            gizmos.line(at, threat, show.target_color.with_alpha(0.3));
        }
        if let NavGoal::Point(refuge) = flight.request.goal
            && is_seen(at, refuge)
        {
            gizmos.arrow(at, refuge, show.target_color);
        }
    }
}

pub(super) fn draw_probes(
    mut gizmos: Gizmos<SteerGizmos>,
    probes: Query<&AvoidProbe>,
    views: CameraViews,
    show: Res<NavGizmos>,
) {
    let frusta = views.frusta();
    for probe in probes.iter().filter(|probe| probe.look != Vec3::ZERO) {
        if !frusta.intersects(probe.from, probe.look.length()) {
            continue;
        }
        gizmos.line(probe.from, probe.from + probe.look, show.probe_color);
        if let Some(hit) = probe.hit {
            gizmos.cross(Isometry3d::from_translation(hit), probe.radius.max(0.1), show.probe_color);
            gizmos.arrow(hit, hit + probe.normal, show.probe_color);
        }
    }
}

/// The components of an agent whose radii are drawn, and what its grid is found by.
type DrawnRadii<'a> =
    (&'a GlobalTransform, &'a Agent, Option<&'a Flock>, Option<&'a Pursuer>, Option<&'a Avoider>, TieOf<'a>);

/// Agents with at least one of these components.
type HasDistances = Or<(With<Flock>, With<Pursuer>, With<Avoider>)>;

pub(super) fn draw_radii(
    mut gizmos: Gizmos<SteerGizmos>,
    agents: Query<DrawnRadii, HasDistances>,
    grids: Grids,
    views: CameraViews,
    show: Res<NavGizmos>,
) {
    let (grid_list, frusta, ring) = (grids.all(), views.frusta(), Ring::new(24));
    let seen = agents.iter().filter(|(at, ..)| frusta.intersects(at.translation(), 1.0));
    for (at, agent, flock, pursuer, avoider, tie) in seen.take(MAX_RADII) {
        let up = grid_list.of(tie, at.translation()).map_or(Vec3::Z, |grid| grid.place.up());
        let unit = agent.body_unit();
        let flock = flock.map(|flock| {
            [flock.separation_radius, flock.alignment_radius, flock.cohesion_radius]
                .map(|radius| radius * unit)
        });
        let caught = pursuer.map(|pursuer| pursuer.reach(agent));
        let seen = avoider.filter(|avoider| avoider.is_reciprocal()).map(|avoider| avoider.reach(agent));
        let radii = flock.into_iter().flatten().chain(caught).chain(seen);
        for radius in radii.filter(|radius| radius.is_finite() && *radius > 0.0) {
            gizmos.linestrip(ring.around(at.translation(), up, radius), show.radius_color);
        }
    }
}

pub(super) fn draw_agents(
    mut gizmos: Gizmos<MotionGizmos>,
    agents: Query<(&Agent, &AgentVelocity, &GlobalTransform, Tie)>,
    grids: Grids,
    views: CameraViews,
    show: Res<NavGizmos>,
    mut drawn: Local<u32>,
) {
    let is_crowd = *drawn > CROWD;
    *drawn = 0;
    let sides = if is_crowd { 6 } else { 20 };
    let (grid_list, frusta, ring) = (grids.all(), views.frusta(), Ring::new(sides));
    for (agent, velocity, at, tie) in &agents {
        if !frusta.intersects(at.translation(), agent.radius.max(velocity.0.length() * 0.25)) {
            continue;
        }
        *drawn += 1;
        let up = grid_list.of(tie, at.translation()).map_or(Vec3::Z, |grid| grid.place.up());
        gizmos.linestrip(ring.around(at.translation(), up, agent.radius), show.agent_color);
        if velocity.0 == Vec3::ZERO {
            continue;
        }
        let tip = at.translation() + velocity.0 * 0.25;
        if !is_crowd {
            gizmos.arrow(at.translation(), tip, show.velocity_color);
        } else {
            gizmos.line(at.translation(), tip, show.velocity_color);
        }
    }
}
