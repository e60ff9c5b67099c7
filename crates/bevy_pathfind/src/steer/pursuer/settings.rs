//! The settings of a pursuer.

use bevy::prelude::*;
use pathfind_core::steer::pursue::{PursuitMode, PursuitSettings, UncatchablePolicy};

use super::PursuitAim;
use super::pursue::PursuitState;
use crate::agent::Agent;
use crate::attributes::MeasuredIn;
use crate::order::{PathStatus, QueueSuspended, Ticket};
use crate::template::templated;

/// Pursues another entity, round walls if necessary.
///
/// While the target is in sight on the grid, the pursuer moves as its mode says; if the point that it would aim at is
/// behind a wall, it aims at a point nearer to the target that is in sight. While the target is out of sight, the
/// pursuer requests a path, and another one only when the target has left the neighbourhood of the path's goal (see
/// `replan_distance`). In a world without grids it pursues in open space. Remove the component to end the pursuit. A
/// `PathRequest` of yours on the same agent is kept: it is served again when the pursuit has ended. The agent's
/// `PathStatus` is `Following` on the hunt, and `Arrived` while the target is caught.
///
/// It knows where its target is, in sight or not. For a pursuer that can lose its target, remove the component (see
/// the example `stealth`). It stops beside its target; without [`arrives`](Self::arrives) it runs into it. While the
/// target is caught, the pursuer goes along with it. A pursuer of a target that stands, and to which others bar the way,
/// stands too, and tries again now and then. A [`GoalQueue`](crate::order::GoalQueue) on the same agent rests meanwhile.
///
/// With an [`Avoider`](crate::steer::Avoider) a pursuer does not avoid its target, and makes way for
/// it once it has caught it. The target avoids its pursuers, but not those that [`arrive`](Self::arrives) or have caught
/// it.
///
/// At a target with [`TargetSlots`](crate::order::TargetSlots) it goes to a slot, or waits for one with the status
/// `AwaitingSlot`; it has caught the target while it is in its slot. Modes and `catch_radius` do not matter then.
///
/// How fast the target moves is measured from where it was in earlier ticks, so it may be any entity with a
/// `Transform`.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// fn spawn(mut commands: Commands) {
///     let prey = commands.spawn((Agent::default(), ManualVelocity(Vec3::X))).id();
///     commands.spawn((Pursuer::intercept(prey), Transform::from_xyz(9.5, 2.5, 0.0)));
/// }
/// ```
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(default, deny_unknown_fields)]
#[require(Agent, PursuitState, PathStatus, Ticket, PursuitAim, QueueSuspended)]
pub struct Pursuer {
    /// The entity to pursue. Default: none, which triggers [`LostTarget`](super::LostTarget).
    #[entities]
    pub target: Entity,
    /// How to pursue a target in sight. Default: `Intercept`.
    pub mode: PursuitMode,
    /// What to do about a target that is too fast, in the mode `Intercept`. Default: `LeastMiss`.
    pub uncatchable: UncatchablePolicy,
    /// How near counts as caught, from centre to centre; bodies that touch count too. Unit: world units. Range:
    /// 0 and up. Default: `None`, twice the radius of its own body.
    #[reflect(@0.0..=10.0_f32, @MeasuredIn("world units"))]
    pub catch_radius: Option<f32>,
    /// How far ahead the target's movement is predicted. Unit: seconds. Range: 0 and up. Default: `10.0`.
    #[reflect(@0.0..=60.0_f32, @MeasuredIn("seconds"))]
    pub horizon: f32,
    /// Whether the mode `Basic` keeps to the top speed on diagonals; if not, it is √2 faster on them, and √3 in space.
    /// Default: `true`.
    pub normalize_diagonal: bool,
    /// Whether it brakes so as to stop where the two bodies touch, to stay with the target; otherwise it runs into it.
    /// Default: `true`.
    pub arrives: bool,
    /// How fast its heading turns. Unit: radians per second. Range: 0 and up. Default: `None`, at once.
    #[reflect(@0.0..=25.0_f32, @MeasuredIn("radians per second"))]
    pub turn_rate: Option<f32>,
    /// How far a target out of sight may move from the goal of the path, along either axis, before another path is
    /// requested. Unit: cells. Range: 1 and up. Default: `2.0`.
    #[reflect(@1.0..=16.0_f32, @MeasuredIn("cells"))]
    pub replan_distance: f32,
}

impl Default for Pursuer {
    fn default() -> Self {
        let PursuitSettings { horizon, normalize_diagonal, .. } = PursuitSettings::default();
        Self {
            target: Entity::PLACEHOLDER,
            mode: PursuitMode::default(),
            uncatchable: UncatchablePolicy::default(),
            catch_radius: None,
            horizon,
            normalize_diagonal,
            arrives: true,
            turn_rate: None,
            replan_distance: 2.0,
        }
    }
}

templated! {
    /// A [`Pursuer`] of a scene, whose target is another entity of the scene.
    PursuerTemplate of Pursuer {
        entities { target: Entity }
        settings {
            mode: PursuitMode,
            uncatchable: UncatchablePolicy,
            catch_radius: Option<f32>,
            horizon: f32,
            normalize_diagonal: bool,
            arrives: bool,
            turn_rate: Option<f32>,
            replan_distance: f32,
        }
    }
}

impl Pursuer {
    /// Pursues a target in a mode.
    #[must_use]
    pub fn new(target: Entity, mode: PursuitMode) -> Self {
        Self { target, mode, ..Self::default() }
    }

    /// Moves to the point where it will meet the target.
    #[must_use]
    pub fn intercept(target: Entity) -> Self {
        Self::new(target, PursuitMode::Intercept)
    }

    /// Moves straight to the target whenever it is in sight.
    #[must_use]
    pub fn line_of_sight(target: Entity) -> Self {
        Self::new(target, PursuitMode::LineOfSight)
    }

    /// With another catch radius, in world units.
    #[must_use]
    pub const fn with_catch_radius(mut self, catch_radius: f32) -> Self {
        self.catch_radius = Some(catch_radius);
        self
    }

    /// With or without braking where the two bodies touch.
    #[must_use]
    pub const fn with_arrives(mut self, arrives: bool) -> Self {
        self.arrives = arrives;
        self
    }

    /// With another policy for a target that is too fast.
    #[must_use]
    pub const fn with_uncatchable(mut self, uncatchable: UncatchablePolicy) -> Self {
        self.uncatchable = uncatchable;
        self
    }

    /// With a heading that turns no faster than this, in radians per second.
    #[must_use]
    pub const fn with_turn_rate(mut self, turn_rate: f32) -> Self {
        self.turn_rate = Some(turn_rate);
        self
    }

    /// How near an agent counts its target as caught, in world units.
    pub(crate) fn reach(&self, agent: &Agent) -> f32 {
        self.catch_radius.unwrap_or(PursuitSettings::default().catch_radius * agent.body_unit())
    }

    /// The settings as the core takes them.
    pub(super) fn settings(&self, agent: &Agent) -> PursuitSettings {
        PursuitSettings {
            mode: self.mode,
            uncatchable: self.uncatchable,
            catch_radius: self.reach(agent),
            horizon: self.horizon,
            normalize_diagonal: self.normalize_diagonal,
            arrives: self.arrives,
        }
    }
}
