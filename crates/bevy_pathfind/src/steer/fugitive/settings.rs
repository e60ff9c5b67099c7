//! The settings of a fugitive.

use bevy::prelude::*;

use super::FugitiveState;
use crate::agent::Agent;
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
    #[reflect(@0.0..=50.0_f32)]
    pub distance: f32,
    /// It is safe when all threats are farther than this many times `distance`, so that a threat that hovers at `distance`
    /// does not make it start and stop at each step. Range: 1 and up (others count as 1). Default: `1.25`.
    #[reflect(@1.0..=4.0_f32)]
    pub safe_ratio: f32,
    /// How long after one decision where to run the next is made at the earliest. It is made later if many agents flee;
    /// see [`SteerSettings::flee_searches_per_tick`](crate::steer::SteerSettings::flee_searches_per_tick). Unit: seconds.
    /// Range: 0, for every tick, and up. Default: `0.2`, in which a default agent takes a step of one cell.
    #[reflect(@0.0..=2.0_f32)]
    pub decide_every: f32,
}

impl Default for Fugitive {
    fn default() -> Self {
        Self { threats: Vec::new(), distance: 8.0, safe_ratio: 1.25, decide_every: 0.2 }
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

    /// With another least time between two decisions, in seconds.
    #[must_use]
    pub const fn with_decide_every(mut self, decide_every: f32) -> Self {
        self.decide_every = decide_every;
        self
    }

    /// The distances, in cells of this side, below which it begins to flee and from which on it is safe; `None` if it
    /// never flees.
    pub(super) fn distances(&self, cell_size: f32) -> Option<(f32, f32)> {
        let begin = (self.distance / cell_size).min(MAX_DISTANCE);
        let ratio = self.safe_ratio.max(1.0);
        (self.distance > 0.0 && begin > 0.0).then(|| (begin, (begin * ratio).min(MAX_DISTANCE)))
    }
}

/// The greatest distance in cells, which bounds the time that a decision takes.
const MAX_DISTANCE: f32 = 256.0;
