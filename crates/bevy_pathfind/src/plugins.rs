//! The plugin group. The order of the stages is in [`stage`](crate::stage).

use bevy::app::PluginGroupBuilder;
use bevy::ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use bevy::prelude::*;

use crate::solve::SolvePlugin;
#[cfg(doc)]
use crate::stage::NavSystems;
use crate::{motion::MotionPlugin, order::RequestPlugin, show::ShowPlugin};
use crate::{steer::SteerPlugin, world::WorldPlugin};

/// All plugins of the crate: with this group, `NavGrid`s, `PathRequest`s, `Agent`s and `Pursuer`s work.
///
/// | plugin | stage | does | without it |
/// |---|---|---|---|
/// | [`WorldPlugin`] | [`NavSystems::World`] | places grids and obstacles in the world | the other stages find no grid |
/// | [`RequestPlugin`] | [`NavSystems::Request`] | accepts and cancels requests | nothing is searched |
/// | [`SolvePlugin`] | [`NavSystems::Solve`] | searches paths, replans after edits | requests wait for ever |
/// | [`SteerPlugin`] | [`NavSystems::Steer`] | turns paths and targets into velocities | write `AdjustedVelocity` yourself |
/// | [`MotionPlugin`] | [`NavSystems::Motion`] | moves `Transform`s, never into walls | read `AdjustedVelocity`, drive physics |
/// | [`ShowPlugin`] | [`NavSystems::Show`] | diagnostics and gizmos | nothing is drawn or measured |
/// | [`PresetsPlugin`](crate::presets::PresetsPlugin) | none | settings of agents as files (feature `presets`) | files are not read |
///
/// Leave plugins out, or add only those that you need, each by its own constructor:
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::{motion::MotionPlugin, order::RequestPlugin, solve::SolvePlugin, world::WorldPlugin};
/// # use bevy_pathfind::prelude::*;
/// App::new()
///     .add_plugins(MinimalPlugins)
///     .add_plugins(PathfindPlugins::default().build().disable::<MotionPlugin>());
///
/// // Paths alone: nothing steers or moves.
/// let plans = (WorldPlugin::new(Update), RequestPlugin::new(Update), SolvePlugin::new(Update));
/// App::new().add_plugins(MinimalPlugins).add_plugins(plans);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct PathfindPlugins {
    schedule: InternedScheduleLabel,
}

impl PathfindPlugins {
    /// The group with its five working stages in `schedule`; [`ShowPlugin`] always runs in `PostUpdate`.
    #[must_use]
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern() }
    }
}

impl Default for PathfindPlugins {
    /// In `FixedUpdate`, so that a run does not depend on the frame rate.
    fn default() -> Self {
        Self::new(FixedUpdate)
    }
}

impl PluginGroup for PathfindPlugins {
    fn build(self) -> PluginGroupBuilder {
        let schedule = self.schedule;
        let group = PluginGroupBuilder::start::<Self>()
            .add(WorldPlugin::new(schedule))
            .add(RequestPlugin::new(schedule))
            .add(SolvePlugin::new(schedule))
            .add(SteerPlugin::new(schedule))
            .add(MotionPlugin::new(schedule))
            .add(ShowPlugin);
        #[cfg(feature = "presets")]
        let group = group.add(crate::presets::PresetsPlugin);
        group
    }
}
