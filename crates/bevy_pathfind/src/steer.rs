//! Steer: from paths, targets, flocks and wishes to one velocity.
//!
//! ```text
//!  follower ─┐                                       ┌─ escape
//!  pursuer ──┤                                       ├─ avoider
//!  behavior ─┼─▶ Wish ─▶ DesiredVelocity ─▶ blend ◀──┤  (what is in the way)
//!  driven ───┘                                │      ├─ separation
//!                                             ▼      └─ flock
//!                            make way ─▶ AdjustedVelocity
//! ```
//!
//! Each behaviour states its wish; `blend` serves them in order until the acceleration of the tick is spent:
//! off obstacles, off others, to the goal, with the flock. Then agents make way for each other. All who have
//! neighbours find them in one sorted grid, built once a tick. Nothing moves here.
//!
//! Agents are kept as arrays while a tick lasts, in the order of their [`AgentId`](crate::motion::AgentId)s,
//! so that a run depends neither on the order of spawning nor on the number of threads.

// Who there is, and who is near whom.
mod neighbor_index;
mod crowd;
mod invalid;
mod levels;
mod parameter_runs;
mod per_agent;

// Wishes with a goal.
mod airborne;
mod behavior;
mod steering_override;
mod follower;
mod pursuer;
mod goal_velocity;

// Wishes among many.
mod flock;
mod separation;

// One velocity.
mod avoider;
mod blend;
mod escape;
mod settings;

use bevy::ecs::schedule::{InternedScheduleLabel, ScheduleConfigs};
use bevy::ecs::system::ScheduleSystem;
use bevy::prelude::*;

use avoider::OrcaScratch;
pub(crate) use avoider::Remaining;
#[cfg(any(feature = "avian2d", feature = "avian3d"))]
use avoider::avian;
pub use avoider::{AvoidProbe, ObstacleAvoidance, Avoider, AgentAvoidance};
pub use behavior::{Behavior, BehaviorKind, BehaviorTarget, BehaviorTargetTemplate, BehaviorTemplate};
use neighbor_index::NeighborIndex;
use crowd::Crowd;
pub(crate) use crowd::CrowdIndex;
pub use steering_override::SteeringOverride;
use flock::{FlockForce, FlockState};
pub use flock::{Flock, FlockModel, FlockLeader, FlockMembers, FlockOf, FlockOfTemplate, FlockStats};
pub(crate) use follower::{StallDetector, Lane, HeadOn};
use invalid::Quarantine;
pub use invalid::{AgentInvalid, AgentRecovered, InvalidAgent};
pub use pursuer::{
    InterceptForecast, Pursuer, PursuerTemplate, PursuitAim, PursuitMode, TargetAbandoned, TargetCaught, TargetLost,
    Uncatchable,
};
use separation::Pushes;
pub use separation::Separation;
pub use settings::{SteerSettings, SteerTick};
pub(crate) use goal_velocity::{GoalVelocity, ActiveGoal, Wish};
pub use goal_velocity::{GoalSource, SteeringBreakdown};

use crate::motion::AgentIds;
use crate::plugins::{NavSystems, Stage, add_stage};
use crate::request::{DefaultSearch, TicketCounter};
use crate::solve::Warned;
use crate::world::ObstacleMap;

/// Turns paths and targets into velocities; see [`NavSystems::Steer`].
#[derive(Debug, Clone, Copy)]
pub struct SteerPlugin {
    pub(crate) schedule: InternedScheduleLabel,
}

impl Plugin for SteerPlugin {
    fn build(&self, app: &mut App) {
        add_stage(app, self.schedule, NavSystems::Steer);
        register(app);
        add_blend(app);
        app.init_resource::<DefaultSearch>()
            .init_resource::<AgentIds>()
            .init_resource::<TicketCounter>()
            .init_resource::<follower::ArrivalSlots>()
            .init_resource::<follower::FollowIssues>()
            .init_resource::<follower::Streams>()
            .init_resource::<Warned>()
            .init_resource::<ObstacleMap>()
            .init_resource::<SteerSettings>()
            .init_resource::<SteerTick>()
            .init_resource::<Crowd>()
            .init_resource::<Quarantine>()
            .init_resource::<FlockState>()
            .init_resource::<levels::Levels>()
            .init_resource::<NeighborIndex>()
            .init_resource::<OrcaScratch>()
            .init_resource::<Pushes>()
            .add_systems(
                Stage(NavSystems::Steer),
                (
                    (settings::count, crowd::rebuild_index, crowd::gather, levels::sort_by_floor).chain(),
                    (
                        (pursuer::call_off, follower::follow, follower::pass, follower::help, airborne::fly)
                            .chain(),
                        (pursuer::pursue, invalid::examine).chain(),
                    )
                        .chain(),
                    (behavior::behave, flock::lead, steering_override::drive).chain(),
                    (flock::form_up, neighbor_index::assemble, flock::watch, flock::fly, flock::read_out).chain(),
                    (separation::separate, avoider::make_way).chain(),
                )
                    .chain(),
            );
    }
}

/// One of these runs: who avoids asks the physics engine that the application has.
fn add_blend(app: &mut App) {
    let between = |systems: ScheduleConfigs<ScheduleSystem>| {
        systems.after(separation::separate).before(avoider::make_way)
    };
    let alone = blend::blend::<()>.into_configs();
    #[cfg(feature = "avian2d")]
    let alone = {
        use avian::flat::{ColliderTrees, Colliders};
        let with = blend::blend::<Colliders>.run_if(resource_exists::<ColliderTrees>);
        app.add_systems(Stage(NavSystems::Steer), between(with));
        alone.run_if(not(resource_exists::<ColliderTrees>)).before(blend::blend::<Colliders>)
    };
    #[cfg(feature = "avian3d")]
    let alone = {
        use avian::space::{ColliderTrees, Colliders};
        let with = blend::blend::<Colliders>.run_if(resource_exists::<ColliderTrees>);
        #[cfg(feature = "avian2d")]
        let with = with.after(blend::blend::<avian::flat::Colliders>);
        app.add_systems(Stage(NavSystems::Steer), between(with));
        alone.run_if(not(resource_exists::<ColliderTrees>)).before(blend::blend::<Colliders>)
    };
    app.add_systems(Stage(NavSystems::Steer), between(alone));
}

fn register(app: &mut App) {
    app.register_type::<Pursuer>()
        .register_type::<PursuitMode>()
        .register_type::<Uncatchable>()
        .register_type::<PursuitAim>()
        .register_type::<Behavior>()
        .register_type::<BehaviorKind>()
        .register_type::<BehaviorTarget>()
        .register_type::<SteeringOverride>()
        .register_type::<Avoider>()
        .register_type::<AvoidProbe>()
        .register_type::<Flock>()
        .register_type::<FlockModel>()
        .register_type::<FlockOf>()
        .register_type::<FlockMembers>()
        .register_type::<FlockStats>()
        .register_type::<FlockLeader>()
        .register_type::<Separation>()
        .register_type::<SteeringBreakdown>()
        .register_type::<TargetCaught>()
        .register_type::<TargetLost>()
        .register_type::<TargetAbandoned>()
        .register_type::<AgentInvalid>()
        .register_type::<AgentRecovered>()
        .register_type::<SteerSettings>()
        .register_type::<SteerTick>();
}
