//! Commands for agents: go somewhere, stop, be put elsewhere.

use bevy::prelude::*;

use crate::motion::Teleport;
use crate::order::{FollowField, GoalQueue, NavGoal, PathRequest};
use crate::steer::{Behavior, ManualVelocity, Pursuer};

/// The components that decide where an agent goes, without its `PathRequest`.
type OtherOrders = (GoalQueue, FollowField, Pursuer, Behavior, ManualVelocity);

/// Orders for agents, as methods of [`EntityCommands`]. Each takes the place of all orders that the agent has: request,
/// queue of goals, flow field, pursuit, behaviour and override. A [`Flock`](crate::steer::Flock) and a
/// [`Fugitive`](crate::steer::Fugitive) are kept. Components give the same orders, one by one, with all their settings.
///
/// Like other commands they are applied at the next point of the schedule at which commands are, and do nothing to
/// an entity that is gone by then.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// fn orders(mut commands: Commands, units: Query<Entity, With<Agent>>, keys: Res<ButtonInput<KeyCode>>) {
///     for unit in &units {
///         if keys.just_pressed(KeyCode::KeyS) {
///             commands.entity(unit).stop();
///         } else if keys.just_pressed(KeyCode::KeyG) {
///             commands.entity(unit).go_to(Vec3::new(12.5, 3.5, 0.0));
///         }
///     }
/// }
/// ```
pub trait AgentCommands {
    /// Sends the agent to a point, to an entity, or to any other goal: a [`PathRequest`]. If it has one already, that
    /// keeps its search options, priority and so on.
    fn go_to(&mut self, goal: impl Into<NavGoal>) -> &mut Self;

    /// Takes all orders from the agent: it brakes and stands, as one that has just been spawned.
    fn stop(&mut self) -> &mut Self;

    /// Puts the entity at a point of the world at once, and keeps its orders.
    ///
    /// Writing its `Transform` moves an entity too. But then an agent keeps its velocity and walks back to its old
    /// path, pursuers take the move for speed and aim ahead of it, and
    /// [`InterpolateTransform`](crate::show::InterpolateTransform) draws it at points between. After this command it
    /// stands, has no path, and asks for one from its new place if it has a [`PathRequest`]. The point is not checked:
    /// an agent that is put into a wall walks out of it. An entity that is no agent, such as a player's character that
    /// others pursue, can be put elsewhere as well.
    ///
    /// A point that is not finite is ignored with a warning, and so is an entity without a `Transform`.
    fn teleport_to(&mut self, point: Vec3) -> &mut Self;
}

impl AgentCommands for EntityCommands<'_> {
    fn go_to(&mut self, goal: impl Into<NavGoal>) -> &mut Self {
        let goal = goal.into();
        self.try_remove::<OtherOrders>().queue_silenced(|mut entity: EntityWorldMut| {
            let before = entity.get::<PathRequest>().cloned().unwrap_or_default();
            entity.insert(PathRequest { goal, ..before });
        })
    }

    fn stop(&mut self) -> &mut Self {
        self.try_remove::<(PathRequest, OtherOrders)>()
    }

    fn teleport_to(&mut self, point: Vec3) -> &mut Self {
        self.queue_silenced(Teleport::to(point))
    }
}
