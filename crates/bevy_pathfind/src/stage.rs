//! The stages of a tick: their labels, their order, and the schedules that they run in.
//!
//! Each stage's plugin adds the systems of the stage; this module adds none.

use bevy::app::{RunFixedMainLoop, RunFixedMainLoopSystems};
use bevy::ecs::schedule::{InternedScheduleLabel, ScheduleLabel, SingleThreadedExecutor};
use bevy::prelude::*;

use crate::settings::NavSettings;

/// The stages of a tick, in running order.
///
/// Each stage but [`Show`](Self::Show) runs as one exclusive system; work that is large enough is divided among
/// threads inside the stage.
///
/// # Switching stages off
///
/// The sets take run conditions, states among them: `configure_sets(FixedUpdate, NavSystems::Solve.run_if(..))`. A
/// stage that did not run for some ticks continues from the present state of the world: requests, edits and despawns
/// of the ticks between are not lost. Switch `Steer` and `Motion` off together: `Motion` alone moves agents on at
/// their last `AdjustedVelocity`.
///
/// # While time stands still
///
/// While `Time<Virtual>` is paused, or its speed is 0, Bevy runs no fixed schedule. Unless
/// [`NavSettings::while_paused`] is off, `World`, `Request` and `Solve` then
/// run once a frame in `RunFixedMainLoop`, between Bevy's `FixedMainLoop` and `AfterFixedMainLoop`: grids are edited
/// and paths are found, and nothing moves. A run condition that shall hold during a pause too has to be set on the
/// sets in `RunFixedMainLoop` as well. Plugins in a schedule that is not fixed run as always.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NavSystems {
    /// Computes where grids lie, joins those that touch, carves `Obstacle`s into their cells, and reads where the
    /// `Obstacle`s are. Before it: move grids and obstacles, edit cells, spawn agents.
    World,
    /// Accepts new requests and cancels withdrawn ones. Before it: insert or remove `PathRequest`s.
    Request,
    /// Starts, steps and collects searches; replans after edits. After it: new `NavPath`s are in place.
    Solve,
    /// Turns paths, targets and behaviours into `DesiredVelocity`, then `AdjustedVelocity`. Before it: write
    /// `ManualVelocity`. After it: read or change `AdjustedVelocity`.
    Steer,
    /// Moves `Transform`s. After it: read where the agents are.
    Motion,
    /// Draws and measures, in `PostUpdate`, after transforms are propagated. No other stage reads its results.
    Show,
}

/// The schedule that holds the systems of one stage. Before and after a stage, systems of a game use its
/// [`NavSystems`] in the schedule of the plugins.
///
/// Its systems run one after another on one thread: most of them depend on the one before, and starting each as a
/// task of a thread pool took a fifth of a tick.
#[derive(ScheduleLabel, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct NavStage(pub NavSystems);

/// The constructors of a stage's plugin.
macro_rules! in_a_schedule {
    ($plugin:ident) => {
        impl $plugin {
            /// The plugin with its stage in `schedule`. All stages of an application belong into one schedule; their
            /// order does not depend on the order in which the plugins are added.
            #[must_use]
            pub fn new(schedule: impl bevy::ecs::schedule::ScheduleLabel) -> Self {
                Self { schedule: schedule.intern() }
            }
        }

        impl Default for $plugin {
            /// In `FixedUpdate`.
            fn default() -> Self {
                Self::new(bevy::app::FixedUpdate)
            }
        }
    };
}

pub(crate) use in_a_schedule;

/// Makes a stage run in `schedule`, in its place in the order of the stages, whichever of the others are added.
pub(crate) fn add_stage(app: &mut App, schedule: InternedScheduleLabel, stage: NavSystems) {
    use NavSystems::{Motion, Request, Solve, Steer, World};
    let run = move |world: &mut bevy::prelude::World| world.run_schedule(NavStage(stage));
    app.register_type::<NavSettings>()
        .init_resource::<NavSettings>()
        .edit_schedule(NavStage(stage), |systems| {
            systems.set_executor(SingleThreadedExecutor::new());
        })
        .configure_sets(schedule, (World, Request, Solve, Steer, Motion).chain())
        .add_systems(schedule, run.in_set(stage));
    if is_fixed(schedule) && matches!(stage, World | Request | Solve) {
        let after_ticks = (World, Request, Solve)
            .chain()
            .after(RunFixedMainLoopSystems::FixedMainLoop)
            .before(RunFixedMainLoopSystems::AfterFixedMainLoop);
        app.configure_sets(RunFixedMainLoop, after_ticks).add_systems(
            RunFixedMainLoop,
            run.in_set(stage).run_if(stands_still.and_then(plans_while_paused)),
        );
    }
    #[cfg(feature = "panel")]
    app.insert_resource(StageSchedule(schedule));
}

/// Whether Bevy runs a schedule by the ticks of `Time<Fixed>`.
fn is_fixed(schedule: InternedScheduleLabel) -> bool {
    let fixed = [
        FixedFirst.intern(),
        FixedPreUpdate.intern(),
        FixedUpdate.intern(),
        FixedPostUpdate.intern(),
        FixedLast.intern(),
    ];
    fixed.contains(&schedule)
}

/// Whether virtual time did not advance in this frame: it is paused, or its speed is 0.
pub(crate) fn stands_still(time: Option<Res<Time<Virtual>>>) -> bool {
    time.is_some_and(|time| time.was_paused())
}

fn plans_while_paused(settings: Option<Res<NavSettings>>) -> bool {
    settings.is_some_and(|settings| settings.while_paused)
}

/// The schedule that the stages run in, for the panel, which measures them.
#[cfg(feature = "panel")]
#[derive(Resource, Debug, Clone, Copy)]
pub(crate) struct StageSchedule(pub InternedScheduleLabel);
