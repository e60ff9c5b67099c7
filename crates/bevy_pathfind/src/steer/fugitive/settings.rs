//! The settings of a fugitive.

use bevy::prelude::*;

use super::FugitiveState;
use crate::agent::Agent;
use crate::attributes::MeasuredIn;
use crate::order::{PathStatus, Ticket};
use crate::steer::BehaviorTarget;

/// Flees from threats by path: to where it is before them and stays ahead of them the longest, and not into dead ends
/// that they can shut, unless there is nothing else. To flee in a straight line, without a search, is
/// [`Behavior::flee`](crate::steer::Behavior::flee).
///
/// It begins to flee when a threat comes nearer than [`distance`](Self::distance), and ends when all are farther than
/// [`safe_ratio`](Self::safe_ratio) times that: then [`AgentArrived`](crate::order::AgentArrived) is sent, and its status
/// is `Arrived`. When a threat comes nearer again it flees again; remove the component to end that. Cornered, it stays:
/// [`FugitiveCornered`](super::FugitiveCornered) is sent, and it runs on as soon as there is a way. A `PathRequest` or a
/// `GoalQueue` of yours on the same agent waits while it flees, and is served afterwards. A
/// [`Pursuer`](crate::steer::Pursuer) on the same agent goes before: while it is there the agent does not flee.
///
/// A threat that is an `Agent` walks as its kind may and at its top speed, any other as the default kind and as fast as
/// the fugitive; the fastest threat near counts for all. Only threats count that stand on the agent's own grid (a
/// [joined grid](crate::world::JoinedGrid) is one), so of several floors only its own, and only those from which a path
/// leads to it. Threats that are despawned, off the map, in the air, or at a position that is not finite do not count;
/// without any it is safe. Of more than 16 threats the 16 nearest count. While the agent itself is on no grid it does not
/// flee.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// # use bevy_pathfind::steer::Fugitive;
/// fn spawn(mut commands: Commands) {
///     let wolf = commands.spawn((Agent::new(4.0), Transform::from_xyz(3.5, 2.5, 0.0))).id();
///     let deer = commands.spawn((Fugitive::from_threats([wolf], 8.0), Transform::from_xyz(9.5, 2.5, 0.0))).id();
///     commands.entity(wolf).insert(Pursuer::intercept(deer));
/// }
/// ```
#[derive(Component, Reflect, Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq)]
#[serde(default, deny_unknown_fields)]
#[require(Agent, FugitiveState, PathStatus, Ticket)]
pub struct Fugitive {
    /// What it flees from: points and entities. Default: nothing.
    #[entities]
    pub threats: Vec<BehaviorTarget>,
    /// It flees from threats that are nearer than this, by path; ground that costs more counts as longer. Unit: world
    /// units. Range: above 0, at most 256 cells; greater numbers count as 256 cells, and with others it never flees.
    /// Default: `8.0`.
    #[reflect(@0.0..=50.0_f32, @MeasuredIn("world units"))]
    pub distance: f32,
    /// It is safe when all threats are farther than this many times `distance`, so that a threat that hovers at `distance`
    /// does not make it start and stop at each step. Range: 1 and up (others count as 1). Default: `1.25`.
    #[reflect(@1.0..=4.0_f32)]
    pub safe_ratio: f32,
    /// How far away it looks for where to run, by path, in the nearest 4,096 cells. Beyond it takes ground to be open, so
    /// that it may run into a dead end that is longer. Unit: world units. Range: 0 and up, at most 256 cells; no less than
    /// the distance at which it is safe. Default: `None`, 64 cells. On 100 maps of rooms and corridors of 44 by 33 cells
    /// it threw away none of 50 chances to escape with 64 cells, 5 with 48 and 17 with 32, and lasted 219, 204 and 165 moves.
    #[reflect(@0.0..=250.0_f32, @MeasuredIn("world units"))]
    pub look_ahead: Option<f32>,
    /// How long after one decision where to run the next is made at the earliest. It is made later if many agents flee;
    /// see [`SteerSettings::flee_searches`](crate::steer::SteerSettings::flee_searches). Unit: seconds.
    /// Range: 0, for every tick, and up. Default: `0.2`, in which a default agent takes a step of one cell.
    #[reflect(@0.0..=2.0_f32, @MeasuredIn("seconds"))]
    pub decide_every: f32,
}

impl Default for Fugitive {
    fn default() -> Self {
        Self { threats: Vec::new(), distance: 8.0, safe_ratio: 1.25, look_ahead: None, decide_every: 0.2 }
    }
}

impl Fugitive {
    /// Flees from these entities or points while one of them is nearer than `distance` world units, by path.
    #[must_use]
    pub fn from_threats(threats: impl IntoIterator<Item = impl Into<BehaviorTarget>>, distance: f32) -> Self {
        Self { threats: threats.into_iter().map(Into::into).collect(), distance, ..Self::default() }
    }

    /// With another distance at which it is safe, as a multiple of that at which it begins to flee.
    #[must_use]
    pub const fn with_safe_ratio(mut self, safe_ratio: f32) -> Self {
        self.safe_ratio = safe_ratio;
        self
    }

    /// With another distance within which it looks for where to run, in world units.
    #[must_use]
    pub const fn with_look_ahead(mut self, look_ahead: f32) -> Self {
        self.look_ahead = Some(look_ahead);
        self
    }

    /// With another least time between two decisions, in seconds.
    #[must_use]
    pub const fn with_decide_every(mut self, decide_every: f32) -> Self {
        self.decide_every = decide_every;
        self
    }

    /// Its distances on a grid with cells of this side; `None` if it never flees.
    pub(super) fn distances(&self, cell_size: f32) -> Option<FleeDistances> {
        let begin = (self.distance / cell_size).min(MAX_DISTANCE);
        let safe = (begin * self.safe_ratio.max(1.0)).min(MAX_DISTANCE);
        let look_ahead = self.look_ahead.map_or(LOOK_AHEAD, |look_ahead| look_ahead / cell_size);
        let limit = look_ahead.max(safe).min(MAX_DISTANCE);
        (self.distance > 0.0 && begin > 0.0).then_some(FleeDistances { begin, safe, limit })
    }
}

/// Distances of a fugitive by path, in cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FleeDistances {
    /// It begins to flee from a threat that is nearer.
    pub(super) begin: f32,
    /// It is safe when no threat is nearer.
    pub(super) safe: f32,
    /// The greatest cost of its way to a refuge.
    pub(super) limit: f32,
}

/// The greatest distance in cells, which bounds the time that a decision takes.
const MAX_DISTANCE: f32 = 256.0;

/// The default of `look_ahead`, in cells. In the open a decision takes 0.7 ms at most, because of the limit of cells; without
/// that limit it takes 1.9 ms, and with 32 cells 0.65 ms.
const LOOK_AHEAD: f32 = 64.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_finite_and_in_order() {
        let of = |distance: f32, safe_ratio: f32, look_ahead: Option<f32>| {
            let fugitive = Fugitive { distance, safe_ratio, look_ahead, ..Fugitive::default() };
            fugitive.distances(2.0).map(|FleeDistances { begin, safe, limit }| (begin, safe, limit))
        };
        assert_eq!(of(8.0, 1.5, None), Some((4.0, 6.0, 64.0)));
        assert_eq!(of(80.0, 1.5, Some(30.0)), Some((40.0, 60.0, 60.0)), "it looks as far as it is safe");
        assert_eq!(of(8.0, f32::NAN, Some(f32::NAN)), Some((4.0, 4.0, 4.0)));
        assert_eq!(of(f32::INFINITY, 2.0, Some(f32::INFINITY)), Some((256.0, 256.0, 256.0)));
        for never in [0.0, -1.0, f32::NAN] {
            assert_eq!(of(never, 1.5, None), None);
        }
    }
}
