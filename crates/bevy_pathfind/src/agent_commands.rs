//! Commands for agents: go somewhere, stop, be put elsewhere.

use bevy::prelude::*;

use crate::agent::Agent;
use crate::motion::Teleport;
use crate::order::{FollowField, GoalQueue, NavGoal, PathRequest, Reservation};
use crate::solve::NavQuery;
use crate::steer::{Behavior, Formation, FormationMembers, ManualVelocity, Pursuer};
use crate::world::Positions;

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
    /// keeps its search options, priority and so on. A group with a [`Formation`](crate::steer::Formation) is sent with
    /// all its members, which lose the orders of their own.
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
            if entity.get::<Reservation>().is_some_and(|reserved| goal != NavGoal::Point(reserved.at)) {
                entity.remove::<Reservation>();
            }
            let before = entity.get::<PathRequest>().cloned().unwrap_or_default();
            entity.insert(PathRequest { goal, ..before });
            let team: Vec<_> =
                entity.get::<FormationMembers>().into_iter().flat_map(FormationMembers::iter).collect();
            entity.world_scope(|world| {
                for member in team {
                    if let Ok(mut member) = world.get_entity_mut(member) {
                        member.remove::<(PathRequest, OtherOrders)>();
                    }
                }
            });
        })
    }

    fn stop(&mut self) -> &mut Self {
        self.try_remove::<(PathRequest, OtherOrders, Reservation)>()
    }

    fn teleport_to(&mut self, point: Vec3) -> &mut Self {
        self.queue_silenced(Teleport::to(point))
    }
}

impl Formation {
    /// A command that sends agents to a point as they stand: each keeps its place among the others. They need no group;
    /// each goes by itself, as fast as it can. One whose place is blocked goes to the nearest cell that is free, or
    /// beside the goal if its place is off the map.
    ///
    /// Agents that stand far apart gather instead: their offsets are reduced until they are as close as they would be
    /// in a [loose](Formation::loose) formation.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_pathfind::prelude::*;
    /// #[derive(Component)]
    /// struct Selected;
    ///
    /// fn click(point: In<Vec3>, selected: Query<Entity, (With<Selected>, With<Agent>)>, mut commands: Commands) {
    ///     commands.queue(Formation::as_they_stand(&selected.iter().collect::<Vec<_>>(), *point));
    /// }
    /// ```
    pub fn as_they_stand(agents: &[Entity], goal: Vec3) -> impl Command<Out = ()> + use<> {
        let agents = agents.to_vec();
        move |world: &mut World| _ = world.run_system_cached_with(send, (agents, goal))
    }
}

/// How far apart agents may stand that keep their places, in body units for each; see [`Formation::as_they_stand`].
const LOOSE_SPACING: f32 = 1.25 * 1.8;

/// Sends agents to a point as they stand.
fn send(
    In((agents, goal)): In<(Vec<Entity>, Vec3)>,
    (nav, bodies, positions): (NavQuery, Query<&Agent>, Positions),
    mut commands: Commands,
) {
    let found = |&entity: &Entity| {
        let at = positions.of(entity).filter(|at| at.is_finite())?;
        Some((entity, *bodies.get(entity).ok()?, at))
    };
    let sent: Vec<_> = agents.iter().filter_map(found).collect();
    let count = sent.len() as f32;
    let center = sent.iter().map(|it| it.2).sum::<Vec3>() / count;
    let unit = sent.iter().map(|it| it.1.body_unit()).fold(0.0, f32::max);
    let spread = (sent.iter().map(|it| it.2.distance_squared(center)).sum::<f32>() / count).sqrt();
    // A square of side s has a mean square distance from its centre of s²/6.
    let widest = unit * LOOSE_SPACING * (count / 6.0).sqrt();
    let scale = (widest / spread).min(1.0);
    let has_ground = nav.cell_at(goal).is_some();
    for (entity, agent, at) in sent {
        let wanted = goal + (at - center) * scale;
        let query = nav.of_kind(agent.kind);
        let is_blocked = has_ground && !query.is_walkable(wanted);
        let nearest = is_blocked.then(|| query.free_points_near(wanted).next().unwrap_or(goal));
        commands.entity(entity).go_to(nearest.unwrap_or(wanted));
    }
}
