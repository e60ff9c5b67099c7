//! Drawing of probes, the goal, and obstacles that were hit.

use bevy::prelude::*;
use bevy_pathfind::steer::AvoidProbe;

use super::{
    AvoidSettings, SQUADS, Vehicle,
    field::{Glow, Paints},
    goals::VehicleGoals,
};
use crate::{paint::Paint, scene3d::flat, theme};

/// Height at which lines are drawn above the ground.
const LIFT: Vec3 = Vec3::new(0.0, 0.4, 0.0);

/// Draws the ray, or the swept lane, up to the hit.
pub(super) fn draw_probes(
    vehicles: Query<(&Vehicle, &AvoidProbe)>,
    settings: Res<AvoidSettings>,
    mut gizmos: Gizmos,
) {
    if !settings.probes {
        return;
    }
    for (vehicle, probe) in &vehicles {
        let Some(direction) = probe.look.try_normalize() else { continue };
        let color = SQUADS[vehicle.squad].2.with_alpha(if probe.hit.is_some() { 0.8 } else { 0.18 });
        let from = probe.from.with_y(0.0) + LIFT;
        let reach = probe.hit.map_or(probe.look.length(), |hit| (hit - probe.from).dot(direction).max(0.0));
        let aside = direction.cross(Vec3::Y) * probe.radius;
        for side in if probe.radius > 0.0 { &[-1.0, 1.0][..] } else { &[0.0] } {
            gizmos.line(from + aside * *side, from + aside * *side + direction * reach, color);
        }
        if let Some(hit) = probe.hit {
            let hit = hit.with_y(0.0) + LIFT;
            gizmos.line(hit, hit + probe.normal * 1.6, theme::TEXT.with_alpha(0.8));
            gizmos.circle(Isometry3d::new(hit, flat()), 0.25, color).resolution(12);
        }
    }
}

/// Draws a ring at the clicked goal.
pub(super) fn draw_goal(goals: Res<VehicleGoals>, mut gizmos: Gizmos) {
    if let Some(goal) = goals.goal {
        for radius in [1.2, 1.7] {
            gizmos
                .circle(Isometry3d::new(goal + LIFT, flat()), radius, theme::TEXT.with_alpha(0.8))
                .resolution(40);
        }
    }
}

/// Makes obstacles glow after a bump.
pub(super) fn light_up(
    mut obstacles: Query<(&mut Glow, &Children)>,
    drawn: Query<(&Paints, &Paint)>,
    mut commands: Commands,
    time: Res<Time>,
) {
    for (mut glow, children) in &mut obstacles {
        glow.0 -= time.delta_secs();
        for &child in children {
            let Ok((paints, paint)) = drawn.get(child) else { continue };
            let wanted = if glow.0 > 0.0 { &paints.glowing } else { &paints.calm };
            if paint != wanted {
                commands.entity(child).insert(wanted.clone());
            }
        }
    }
}
