//! The velocity of a target, estimated from its positions.

use bevy::prelude::*;
use pathfind_core::steer::pursue::{EstimateSettings, VelocityEstimate};

use crate::agent::TeleportCount;

/// The velocity of a target, estimated from its positions. After the target was teleported the estimate begins anew
/// at zero.
#[derive(Debug, Default)]
pub(super) struct TargetEstimate {
    estimate: VelocityEstimate,
    teleports: u32,
}

impl TargetEstimate {
    /// Adds the target's position, `dt` seconds after the one before, and returns the estimate. A target that seems
    /// more than twenty times as fast as `top_speed` counts as teleported, even without a
    /// `AgentCommands::teleport_to`: its position was written to its `Transform`.
    pub(super) fn observe(
        &mut self,
        position: Vec3,
        teleports: Option<&TeleportCount>,
        dt: f32,
        top_speed: f32,
    ) -> Vec3 {
        let teleports = TeleportCount::of(teleports);
        if self.teleports != teleports {
            *self = Self { teleports, ..Self::default() };
        }
        let settings = EstimateSettings { teleport_speed: 20.0 * top_speed, ..EstimateSettings::default() };
        self.estimate.observe(position, dt, &settings)
    }

    /// The present estimate.
    pub(super) fn velocity(&self) -> Vec3 {
        self.estimate.velocity()
    }
}
