//! Agents that are bodies of a physics engine: the plugin's motion is computed as for all agents, and becomes the
//! velocity of the body, which the engine then moves.

use bevy::prelude::*;

/// On an agent that an engine moves by its velocity: its position before this tick's motion, in its parent's space.
#[cfg(any(feature = "avian2d", feature = "avian3d"))]
#[derive(Component, Debug, Default)]
pub(super) struct EngineBody(Vec3);

/// On an agent that an engine keeps apart from other bodies.
#[derive(Component, Debug, Default)]
pub(super) struct DynamicBody;

/// The back-end for one engine: avian2d and avian3d differ in their number of dimensions.
#[cfg(any(feature = "avian2d", feature = "avian3d"))]
macro_rules! back_end {
    ($engine:ident, $flat:expr, $whole:expr) => {
        use bevy::ecs::schedule::{InternedScheduleLabel, IntoScheduleConfigs};
        use bevy::prelude::*;
        use $engine::prelude::{LinearVelocity, RigidBody};

        use super::super::parents::ParentTransforms;
        use super::{DynamicBody, EngineBody};
        use crate::agent::{Agent, AgentVelocity};
        use crate::bevy_version::OnRemove;
        use crate::numbers::is_finite;
        use crate::order::OnLink;
        use crate::settings::NavSettings;
        use crate::stage::{NavStage, NavSystems};
        use crate::world::{Grids, Tie};

        type NewBodies = Or<(Changed<RigidBody>, Added<Agent>)>;

        pub(in super::super) fn plug_in(app: &mut App, schedule: InternedScheduleLabel) {
            app.add_systems(schedule, read_back.after(NavSystems::Solve).before(NavSystems::Steer))
                .add_systems(
                    NavStage(NavSystems::Motion),
                    (
                        (find, remember).chain().before(super::super::parents::place),
                        hand_over.after(super::super::stand::stand),
                    ),
                )
                .add_observer(lose);
        }

        /// Finds out which agents the engine moves: all but static bodies.
        fn find(bodies: Query<(Entity, &RigidBody), (With<Agent>, NewBodies)>, mut commands: Commands) {
            for (entity, body) in &bodies {
                let mut agent = commands.entity(entity);
                match body {
                    RigidBody::Dynamic => agent.try_insert((EngineBody::default(), DynamicBody)),
                    RigidBody::Kinematic => {
                        agent.try_insert(EngineBody::default()).try_remove::<DynamicBody>()
                    }
                    RigidBody::Static => agent.try_remove::<(EngineBody, DynamicBody)>(),
                };
            }
        }

        fn lose(body: OnRemove<RigidBody>, mut commands: Commands) {
            commands.entity(body.entity).try_remove::<(EngineBody, DynamicBody)>();
        }

        /// Before steering: how the engine has moved a body is the velocity of its agent.
        fn read_back(
            mut bodies: Query<(&LinearVelocity, &mut AgentVelocity), (With<EngineBody>, Without<OnLink>)>,
        ) {
            for (moved, mut velocity) in &mut bodies {
                velocity.set_if_neq(AgentVelocity($whole(moved.0)));
            }
        }

        fn remember(mut bodies: Query<(&Transform, &mut EngineBody), With<LinearVelocity>>) {
            bodies.iter_mut().for_each(|(transform, mut body)| body.0 = transform.translation);
        }

        /// Turns this tick's motion of a body into its velocity, and puts it back, so that the engine moves it. A
        /// dynamic body keeps its velocity across the ground, such as that of its fall. Over a link the plugin moves
        /// the body itself.
        fn hand_over(
            mut bodies: Query<(
                (&EngineBody, Has<DynamicBody>, Has<OnLink>, Option<&ChildOf>),
                (&mut Transform, &mut LinearVelocity, Tie),
            )>,
            (grids, parents): (Grids, Res<ParentTransforms>),
            (settings, time): (Option<Res<NavSettings>>, Res<Time>),
        ) {
            let dt = time.delta_secs();
            if dt <= 0.0 || bodies.is_empty() {
                return;
            }
            let grids = grids.all();
            for ((&EngineBody(from), is_dynamic, on_link, parent), (mut transform, mut velocity, tie)) in
                &mut bodies
            {
                if on_link {
                    velocity.set_if_neq(LinearVelocity::ZERO);
                    continue;
                }
                let frame = parents.of(parent).unwrap_or_default();
                let mut moved = frame.transform_vector3(transform.translation - from) / dt;
                let at = frame.transform_point3(from);
                let up = grids.of(tie, at).ok().map(|grid| grid.place.up());
                if let Some(up) =
                    up.or(settings.as_ref().and_then(|settings| settings.up)).filter(|_| is_dynamic)
                {
                    moved += ($whole(velocity.0) - moved).project_onto(up);
                }
                // The engine has this position already: it need not be told that it changed.
                transform.bypass_change_detection().translation = from;
                if is_finite(moved) {
                    velocity.set_if_neq(LinearVelocity($flat(moved)));
                }
            }
        }
    };
}

#[cfg(feature = "avian2d")]
pub(super) mod flat {
    back_end!(avian2d, Vec3::truncate, |v: Vec2| v.extend(0.0));
}

#[cfg(feature = "avian3d")]
pub(super) mod space {
    back_end!(avian3d, |v: Vec3| v, |v: Vec3| v);
}
