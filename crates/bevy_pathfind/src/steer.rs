//! The steering stage: turns paths, targets, flocks and overrides into one velocity per agent and tick.
//!
//! ```text
//!  follower, airborne ─┐
//!  field_follower ─────┤
//!  formation ──────────┤
//!  pursuer ────────────┤                          ┌─▶ DesiredVelocity
//!  behavior, leader ───┼─▶ GoalVelocity ─▶ blend ─┤
//!  direct ─────────────┤                    ▲     └─▶ adjust_velocities ─▶ AdjustedVelocity
//!  escape ─────────────┘                    │
//!                          avoider, separation, flock
//! ```
//!
//! Of the goal velocities stated for an agent, that of the most urgent [`GoalSource`] counts. `blend` grants changes
//! of velocity in order of priority until the acceleration of the tick is spent: obstacle avoidance is served first,
//! then separation, then the goal velocity, then the flock. Last, `adjust_velocities` adjusts the result by
//! reciprocal avoidance of other agents. [`AdjustedVelocity`](crate::agent::AdjustedVelocity) is the velocity one
//! tick ahead, limited by the agent's acceleration. This stage moves no agent; `motion` does.
//!
//! While a tick lasts, the agents are kept as arrays in the order of their [`AgentId`](crate::agent::AgentId)s, and
//! their neighbours are found in one spatial index, built once a tick. A run depends neither on the order of spawning
//! nor on the number of threads.

// The agents of a tick, and their neighbours.
mod agent_floors;
mod crowd;
mod crowding;
mod invalid;
mod neighbor_index;
mod parameter_runs;
mod per_agent;
mod target_estimate;

// Sources of the goal velocity.
mod airborne;
mod arrival_slots;
mod behavior;
mod direct;
mod field_follower;
mod follow_issue;
mod follower;
mod formation;
mod found_grids;
mod fugitive;
mod goal_velocity;
mod own_steering;
mod passage;
mod pursuer;
mod right_of_way;
mod target_slots;
mod vehicle;

// Forces between agents.
mod flock;
mod separation;

// From goal velocities and forces to one velocity.
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
pub use avoider::{AgentAvoidance, AvoidProbe, Avoider, ObstacleAvoidance};
pub use behavior::{Behavior, BehaviorKind, BehaviorTarget, BehaviorTargetTemplate, BehaviorTemplate};
use crowd::Crowd;
pub(crate) use crowd::CrowdIndex;
pub use direct::{HoldPosition, ManualVelocity};
pub use flock::{Flock, FlockLeader, FlockMembers, FlockModel, FlockOf, FlockOfTemplate, FlockStats};
use flock::{FlockForce, FlockState};
pub(crate) use follower::FollowState;
pub use formation::{Formation, FormationMembers, FormationOf, FormationOfTemplate, FormationShape};
pub use fugitive::{FleeStats, Fugitive, FugitiveCornered};
pub(crate) use goal_velocity::{ActiveGoal, GoalVelocity};
pub use goal_velocity::{GoalSource, SteeringBreakdown, SteeringGoal, SteeringGoalItem};
use invalid::ReportedAgents;
pub use invalid::{AgentInvalid, AgentRecovered, InvalidAgent};
use neighbor_index::NeighborIndex;
pub use own_steering::{AddSteering, SteeringId, SteeringNames};
pub use pursuer::{
    CaughtBy, CaughtTarget, InterceptForecast, LossReason, LostTarget, Pursuer, PursuerTemplate, PursuitAim,
    PursuitMode, UncatchablePolicy,
};
use separation::Pushes;
pub use separation::Separation;
pub use settings::{SteerSettings, SteerTick};

use crate::agent::{Agent, AgentIds, Vehicle};
use crate::order::{FollowField, PathStatus, SearchOptions, TicketCounter, Warned, accept, cancel};
use crate::stage::{NavStage, NavSystems, add_stage, in_a_schedule};
use crate::world::{FoundGrid, InfluenceLayers, LinkGraph, ObstacleMap};

/// The steps of [`NavSystems::Steer`], in running order: sets in the schedule
/// [`NavStage`]`(NavSystems::Steer)`, to which systems of yours can be added.
///
/// Their systems run one after another; some of them divide their work among threads. Commands are applied between
/// two steps.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub(crate) enum SteerSystems {
    /// Reads where all agents are and how they move. What you write to `Transform` or
    /// [`AgentVelocity`](crate::agent::AgentVelocity) after it is seen in the next tick.
    Gather,
    /// Systems for paths, pursuits, fields, behaviours and direct control state goal velocities, and so do those of
    /// [`AddSteering::add_steering`]; the order of the systems in this step does not matter.
    Goals,
    /// For the systems of [`AddSteering::adjust_steering`]: all goal velocities have been stated.
    Adjust,
    /// Builds the index of neighbours, and computes the forces of flocks.
    Neighbors,
    /// Writes [`DesiredVelocity`](crate::agent::DesiredVelocity) and
    /// [`AdjustedVelocity`](crate::agent::AdjustedVelocity): goal, separation, flock and obstacle avoidance by
    /// priority.
    Blend,
    /// Reciprocal avoidance between agents. A system of yours after this step can still change
    /// [`AdjustedVelocity`](crate::agent::AdjustedVelocity); only `motion`, with walls, obstacles and contacts,
    /// limits it further.
    AvoidAgents,
}

/// Adds the systems that turn paths and targets into velocities; see [`NavSystems::Steer`].
#[derive(Debug, Clone, Copy)]
pub struct SteerPlugin {
    schedule: InternedScheduleLabel,
}

in_a_schedule!(SteerPlugin);

impl Plugin for SteerPlugin {
    fn build(&self, app: &mut App) {
        add_stage(app, self.schedule, NavSystems::Steer);
        register(app);
        add_blend(app);
        require_components(app);
        app.add_observer(airborne::take_off)
            .add_observer(goal_velocity::clear_status)
            .init_resource::<SearchOptions>()
            .init_resource::<AgentIds>()
            .init_resource::<TicketCounter>()
            .init_resource::<arrival_slots::ArrivalSlots>()
            .init_resource::<LinkGraph>()
            .init_resource::<follow_issue::FollowIssues>()
            .init_resource::<right_of_way::RightOfWay>()
            .init_resource::<follower::Streams>()
            .init_resource::<Warned>()
            .init_resource::<ObstacleMap>()
            .init_resource::<fugitive::ThreatFields>()
            .init_resource::<FleeStats>()
            .init_resource::<SteerSettings>()
            .init_resource::<SteerTick>()
            .init_resource::<Crowd>()
            .init_resource::<ReportedAgents>()
            .init_resource::<FlockState>()
            .init_resource::<agent_floors::AgentFloors>()
            .init_resource::<NeighborIndex>()
            .init_resource::<OrcaScratch>()
            .init_resource::<Pushes>()
            .init_resource::<SteeringNames>()
            .init_resource::<InfluenceLayers>()
            .configure_sets(NavStage(NavSystems::Steer), {
                use SteerSystems::{Adjust, AvoidAgents, Blend, Gather, Goals, Neighbors};
                (Gather, Goals, Adjust, Neighbors, Blend, AvoidAgents).chain()
            })
            .add_systems(
                NavStage(NavSystems::Request),
                (formation::locate, target_slots::claim_slots).chain().after(cancel).before(accept),
            )
            .add_systems(
                NavStage(NavSystems::Steer),
                (
                    (
                        settings::count_ticks,
                        crowd::rebuild_index,
                        crowd::gather,
                        vehicle::show_vehicles,
                        found_grids::find_grids,
                        agent_floors::find_floors,
                    )
                        .chain()
                        .in_set(SteerSystems::Gather),
                    (
                        direct::control_directly,
                        (
                            pursuer::end_pursuits,
                            (
                                follower::follow,
                                vehicle::drive,
                                follower::fail_unfit,
                                follower::end_paths,
                                follower::help,
                                right_of_way::give_way,
                            )
                                .chain(),
                            (target_slots::stay_in_slots, formation::march, formation::dismiss).chain(),
                            airborne::fly_to_goals,
                        )
                            .chain(),
                        (fugitive::end_flights, pursuer::pursue, fugitive::flee, invalid::report_invalid)
                            .chain(),
                        (field_follower::follow_fields, behavior::behave, flock::wander).chain(),
                    )
                        .chain()
                        .in_set(SteerSystems::Goals),
                    (
                        flock::update_members,
                        neighbor_index::build_index,
                        flock::estimate_leaders,
                        flock::compute_forces,
                        flock::measure,
                    )
                        .chain()
                        .in_set(SteerSystems::Neighbors),
                    separation::separate.in_set(SteerSystems::Blend),
                    (avoider::adjust_velocities, vehicle::keep_course, crowding::write_crowding)
                        .chain()
                        .in_set(SteerSystems::AvoidAgents),
                ),
            );
    }
}

/// Adds `blend` once without a physics engine and once for each avian engine. Run conditions choose the system for
/// the engine that the application has; obstacle avoidance casts against the colliders of that engine.
fn add_blend(app: &mut App) {
    let between = |systems: ScheduleConfigs<ScheduleSystem>| {
        systems.after(separation::separate).in_set(SteerSystems::Blend)
    };
    let alone = blend::blend::<()>.into_configs();
    #[cfg(feature = "avian2d")]
    let alone = {
        use avian::flat::{ColliderTrees, Colliders};
        let with = blend::blend::<Colliders>.run_if(resource_exists::<ColliderTrees>);
        app.add_systems(NavStage(NavSystems::Steer), between(with));
        alone.run_if(not(resource_exists::<ColliderTrees>)).before(blend::blend::<Colliders>)
    };
    #[cfg(feature = "avian3d")]
    let alone = {
        use avian::space::{ColliderTrees, Colliders};
        let with = blend::blend::<Colliders>.run_if(resource_exists::<ColliderTrees>);
        // One system blends in a tick: where both engines run, the one that avoids the colliders of avian2d.
        #[cfg(feature = "avian2d")]
        let with = with
            .run_if(not(resource_exists::<avian::flat::ColliderTrees>))
            .after(blend::blend::<avian::flat::Colliders>);
        app.add_systems(NavStage(NavSystems::Steer), between(with));
        alone.run_if(not(resource_exists::<ColliderTrees>)).before(blend::blend::<Colliders>)
    };
    app.add_systems(NavStage(NavSystems::Steer), between(alone));
}

/// Gives every agent the components in which steering keeps its state.
fn require_components(app: &mut App) {
    app.register_required_components::<Agent, CrowdIndex>()
        .register_required_components::<Agent, ActiveGoal>()
        .register_required_components::<Agent, escape::AllowedCell>()
        .register_required_components::<Agent, FoundGrid>()
        .register_required_components::<Agent, GoalVelocity>()
        .register_required_components::<Agent, SteeringBreakdown>()
        .register_required_components::<Agent, FollowState>()
        .register_required_components::<Agent, PathStatus>()
        .register_required_components::<FollowField, field_follower::FieldProgress>();
}

fn register(app: &mut App) {
    app.register_type::<Pursuer>()
        .register_type::<PursuitAim>()
        .register_type::<Fugitive>()
        .register_type::<FugitiveCornered>()
        .register_type::<FleeStats>()
        .register_type::<Behavior>()
        .register_type::<ManualVelocity>()
        .register_type::<HoldPosition>()
        .register_type::<Avoider>()
        .register_type::<AvoidProbe>()
        .register_type::<Flock>()
        .register_type::<FlockOf>()
        .register_type::<FlockMembers>()
        .register_type::<FlockStats>()
        .register_type::<FlockLeader>()
        .register_type::<Formation>()
        .register_type::<FormationOf>()
        .register_type::<FormationMembers>()
        .register_type::<Separation>()
        .register_type::<Vehicle>()
        .register_type::<SteeringBreakdown>()
        .register_type::<CaughtTarget>()
        .register_type::<CaughtBy>()
        .register_type::<LostTarget>()
        .register_type::<AgentInvalid>()
        .register_type::<AgentRecovered>()
        .register_type::<SteerSettings>()
        .register_type::<SteerTick>();
}
