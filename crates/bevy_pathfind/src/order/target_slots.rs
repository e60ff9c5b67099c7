//! Places at a target: where those stand that attack, use or surround an entity, one each.

use bevy::ecs::change_detection::Tick;
use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{PathError, PathStatus};

/// Slots at an entity, each for one agent: round a monster, at the two sides of a workbench.
///
/// An agent asks for a slot by [`NavGoal::SlotOf`](super::NavGoal::SlotOf) or, if the target moves much, by a
/// [`Pursuer`](crate::steer::Pursuer) of the entity. Each gets the free slot that is
/// nearest to it by path; of several the agent nearest to a slot comes first, or if there are enough for all slots, the slot
/// farthest from them. (Up to 16 searches of 4,096 cells are run in a tick; for others the straight distance
/// counts.) Those for whom there is no slot wait in rings round the target, and take the slots that become free. An agent's
/// [`SlotClaim`] says what it has.
///
/// An agent that was sent keeps its slot until it is despawned or gets another order. If it comes no nearer for
/// [`patience`](Self::patience) seconds while another one waits, it gives the slot back. Pursuers on the way to their slots
/// change places with pursuers that wait and are nearer. Nobody gets another slot within a second.
///
/// Slots move with the entity. A slot in a wall does not exist, nor one of a ring behind a wall as seen from the target.
/// Slots near which another agent has a slot at another target or a [`Reservation`](super::Reservation) are not given out.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// fn spawn(mut commands: Commands) {
///     let ogre = commands.spawn((Agent::new(2.0).with_radius(0.8), TargetSlots::ring(1.4, 1.4))).id();
///     commands.spawn((Pursuer::intercept(ogre), Transform::from_xyz(9.5, 2.5, 0.0)));
///     let bench = commands.spawn(TargetSlots::points([Vec3::NEG_X, Vec3::X])).id();
///     commands.spawn((Agent::new(4.0), PathRequest::to(NavGoal::SlotOf(bench))));
/// }
/// ```
#[derive(Component, Reflect, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[require(Transform)]
pub struct TargetSlots {
    /// Where the slots are. Default: a ring of radius 1.
    pub layout: SlotLayout,
    /// How far apart slots of a ring are. Unit: [body units](crate::agent::Agent::body_unit) of the widest agent that asks.
    /// Range: above 0; below 0.8 the bodies have no room. Default: `1.25`.
    #[reflect(@0.8..=4.0_f32)]
    pub spacing: f32,
    /// After how long an agent that comes no nearer to its slot gives it back, if another one waits. Unit: seconds. Range:
    /// 0 and up, infinity too. Default: `3.0`.
    #[reflect(@0.0..=30.0_f32)]
    pub patience: f32,
}

/// Where the slots of a target are.
#[derive(Reflect, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Default, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum SlotLayout {
    /// As many as have room in rings round the target. They do not turn with it.
    Ring {
        /// How far from the target's centre the inner ring is. Unit: world units. Range: above 0.
        radius: f32,
        /// How far from the target's centre the outer ring is at most, as far as the agents reach. Unit: world units.
        /// Range: 0 and up; up to `radius` there is one ring, and there are at most 16.
        reach: f32,
    },
    /// These points, from the target's `Transform`: they move, turn and scale with it.
    Points(Vec<Vec3>),
}

impl Default for SlotLayout {
    fn default() -> Self {
        Self::Ring { radius: 1.0, reach: 1.0 }
    }
}

impl Default for TargetSlots {
    fn default() -> Self {
        Self { layout: SlotLayout::default(), spacing: 1.25, patience: 3.0 }
    }
}

impl TargetSlots {
    /// Slots in rings round the target, from a radius to how far the agents reach, in world units.
    #[must_use]
    pub fn ring(radius: f32, reach: f32) -> Self {
        Self { layout: SlotLayout::Ring { radius, reach }, ..Self::default() }
    }

    /// Slots at these points, from the target's `Transform`.
    #[must_use]
    pub fn points(points: impl IntoIterator<Item = Vec3>) -> Self {
        Self { layout: SlotLayout::Points(points.into_iter().collect()), ..Self::default() }
    }

    /// The same slots with another spacing, in body units.
    #[must_use]
    pub const fn with_spacing(mut self, spacing: f32) -> Self {
        self.spacing = spacing;
        self
    }

    /// The same slots with another patience, in seconds.
    #[must_use]
    pub const fn with_patience(mut self, patience: f32) -> Self {
        self.patience = patience;
        self
    }

    /// # Errors
    /// `BadSlots` if a number is out of its range.
    pub(crate) fn check(&self) -> Result<(), PathError> {
        let is_length = |length: f32| length.is_finite() && length > 0.0;
        let is_valid = match &self.layout {
            &SlotLayout::Ring { radius, reach } => is_length(radius) && reach.is_finite() && reach >= 0.0,
            SlotLayout::Points(points) => points.iter().all(|point| point.is_finite()),
        };
        if is_valid && is_length(self.spacing) && self.patience >= 0.0 {
            Ok(())
        } else {
            Err(PathError::BadSlots)
        }
    }
}

/// The claim of an agent at the [`TargetSlots`] of its target: to a slot, or to a point where it waits for one. On agents
/// that ask for a slot; read-only, and kept up to date in [`NavSystems::Request`](crate::stage::NavSystems::Request).
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Debug, PartialEq)]
pub struct SlotClaim {
    #[entities]
    pub(crate) target: Entity,
    pub(crate) place: SlotPlace,
    pub(crate) point: Vec3,
    /// Where it heads for: the point, or round the target.
    pub(crate) heads_for: Vec3,
    /// How fast the point moves, in world units per second.
    pub(crate) drift: Vec3,
    /// How near to its point an agent counts as being there, in world units.
    pub(crate) tolerance: f32,
    /// For how long it has had the same slot, or none, in seconds; infinite before the first.
    pub(crate) age: f32,
    /// The least distance from the point so far, in cells, and for how long it has not become less, in seconds.
    pub(crate) nearest: f32,
    pub(crate) stalled: f32,
    /// The change tick of the request that asks for it; `None` if a pursuit does.
    #[reflect(ignore)]
    pub(crate) order: Option<Tick>,
}

/// The slot of a number, or the place of a number among those for agents that wait.
#[derive(Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[type_path = "bevy_pathfind"]
#[reflect(Debug, PartialEq)]
pub(crate) enum SlotPlace {
    Slot(u32),
    Waiting(u32),
}

impl SlotPlace {
    /// The number of the slot; `None` for an agent that waits.
    pub(crate) const fn slot(self) -> Option<u32> {
        if let Self::Slot(slot) = self { Some(slot) } else { None }
    }
}

impl SlotClaim {
    /// Whether another claim is one to the same place.
    pub(crate) fn is_at_same(&self, other: &Self) -> bool {
        (self.target, self.place) == (other.target, other.place)
    }

    /// Whether an agent that was sent to a slot has come to it, and is so near that it keeps there without a path.
    pub(crate) fn is_kept(&self, status: &PathStatus, gap: f32) -> bool {
        self.order.is_some()
            && self.slot().is_some()
            && *status == PathStatus::Arrived
            && gap <= 2.0 * self.tolerance
    }

    /// The entity with the slots.
    #[must_use]
    pub const fn target(&self) -> Entity {
        self.target
    }

    /// The number of its slot, from 0: of points as in their list, of rings from the inner one outwards. `None` while it
    /// waits for one.
    #[must_use]
    pub const fn slot(&self) -> Option<u32> {
        self.place.slot()
    }

    /// Where its slot is in the world, or its place among those that wait.
    #[must_use]
    pub const fn point(&self) -> Vec3 {
        self.point
    }
}
