//! Gizmos of agents: bodies, velocities, targets, probes, and the ranges of steering.

use bevy::prelude::*;
use bevy::reflect::ReflectRef;

use super::ring::Ring;
use super::view::CameraViews;
use super::{MotionGizmos, SteerGizmos};
use crate::agent::{Agent, AgentVelocity};
use crate::show::NavGizmoSettings;
use crate::steer::{AvoidProbe, Avoider, Flock, Pursuer};
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
    show: Res<NavGizmoSettings>,
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

pub(super) fn draw_probes(
    mut gizmos: Gizmos<SteerGizmos>,
    probes: Query<&AvoidProbe>,
    views: CameraViews,
    show: Res<NavGizmoSettings>,
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
type Distances<'a> =
    (&'a GlobalTransform, Option<&'a Flock>, Option<&'a Pursuer>, Option<&'a Avoider>, TieOf<'a>);

/// Agents with at least one of these components.
type HasDistances = Or<(With<Flock>, With<Pursuer>, With<Avoider>)>;

pub(super) fn draw_radii(
    mut gizmos: Gizmos<SteerGizmos>,
    agents: Query<Distances, HasDistances>,
    grids: Grids,
    views: CameraViews,
    show: Res<NavGizmoSettings>,
) {
    let (grid_list, frusta, ring) = (grids.all(), views.frusta(), Ring::new(24));
    let seen = agents.iter().filter(|(at, ..)| frusta.intersects(at.translation(), 1.0));
    for (at, flock, pursuer, avoider, tie) in seen.take(MAX_RADII) {
        let up = grid_list.of(tie, at.translation()).map_or(Vec3::Z, |grid| grid.place.up());
        let settings = [
            flock.map(|flock| flock.as_partial_reflect()),
            pursuer.map(|pursuer| pursuer.as_partial_reflect()),
            avoider.map(|avoider| avoider.as_partial_reflect()),
        ];
        for radius in settings.into_iter().flatten().flat_map(radii) {
            gizmos.linestrip(ring.around(at.translation(), up, radius), show.radius_color);
        }
    }
}

/// The radii to draw: all `f32` fields whose names end in `radius` or `range`, if positive and finite. `leader_range`
/// is left out: it is the distance at which a force has its given size, not a distance within which a member looks.
fn radii(settings: &dyn PartialReflect) -> Vec<f32> {
    let ReflectRef::Struct(fields) = settings.reflect_ref() else { return Vec::new() };
    fields
        .iter_fields()
        .filter(|(name, _)| name.ends_with("radius") || name.ends_with("range") && *name != "leader_range")
        .filter_map(|(_, field)| field.try_downcast_ref::<f32>().copied())
        .filter(|radius| radius.is_finite() && *radius > 0.0)
        .collect()
}

pub(super) fn draw_agents(
    mut gizmos: Gizmos<MotionGizmos>,
    agents: Query<(&Agent, &AgentVelocity, &GlobalTransform, Tie)>,
    grids: Grids,
    views: CameraViews,
    show: Res<NavGizmoSettings>,
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
