//! How long each stage takes, measured while the panel is open.
//!
//! A system between every two stages reads the clock. Work of other systems on the main thread during a stage
//! counts as that stage's. While the panel is closed, the clock is not read.

use std::time::Duration;

use bevy::platform::time::Instant;
use bevy::prelude::*;

use super::state::is_open;
use crate::stage::{NavSystems, StageSchedule};

/// The measured stages, in running order, by their names in the plots.
pub(super) const STAGES: [&str; 7] = ["world", "request", "solve", "steer", "motion", "show", "panel"];
/// Indices in [`STAGES`] of the parts that do not run in the schedule of the stages.
const SHOW: usize = 5;
pub(super) const PANEL: usize = 6;

/// The time spent on each stage since the last [`take`](Self::take).
#[derive(Resource, Debug, Default)]
pub(super) struct StageClock {
    last: Option<Instant>,
    spent: [Duration; STAGES.len()],
}

impl StageClock {
    /// Returns the times in milliseconds, and resets them.
    pub(super) fn take(&mut self) -> [f64; STAGES.len()] {
        core::mem::take(&mut self.spent).map(|spent| spent.as_secs_f64() * 1e3)
    }

    pub(super) fn add(&mut self, stage: usize, spent: Duration) {
        self.spent[stage] += spent;
    }
}

#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct ClockSystems;

/// Marks that the clock systems have been added.
#[derive(Resource)]
struct StagesWired;

/// Adds the clock systems between the stages, once, if the schedule of the stages is known.
pub(super) fn wire(app: &mut App) {
    use NavSystems::{Motion, Request, Show, Solve, Steer, World};
    app.init_resource::<StageClock>();
    let Some(&StageSchedule(schedule)) = app.world().get_resource() else { return };
    if app.world().contains_resource::<StagesWired>() {
        return;
    }
    app.insert_resource(StagesWired)
        .configure_sets(schedule, ClockSystems.run_if(is_open))
        .add_systems(
            schedule,
            (
                begin.before(World),
                end::<0>.after(World).before(Request),
                end::<1>.after(Request).before(Solve),
                end::<2>.after(Solve).before(Steer),
                end::<3>.after(Steer).before(Motion),
                end::<4>.after(Motion),
            )
                .in_set(ClockSystems),
        )
        .configure_sets(PostUpdate, ClockSystems.run_if(is_open))
        .add_systems(PostUpdate, (begin.before(Show), end::<SHOW>.after(Show)).in_set(ClockSystems));
}

fn begin(mut clock: ResMut<StageClock>) {
    clock.last = Some(Instant::now());
}

fn end<const STAGE: usize>(mut clock: ResMut<StageClock>) {
    let now = Instant::now();
    if let Some(last) = clock.last.replace(now) {
        clock.add(STAGE, now - last);
    }
}

#[cfg(test)]
mod tests {
    use bevy::time::TimeUpdateStrategy;

    use super::*;
    use crate::plugins::PathfindPlugins;
    use crate::show::panel::NavPanel;

    #[test]
    fn stages_are_measured_while_the_panel_is_open_and_only_then() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PathfindPlugins::default()))
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
            .init_resource::<NavPanel>();
        wire(&mut app);
        let mut spent = |is_open: bool| {
            app.world_mut().resource_mut::<NavPanel>().is_open = is_open;
            (0..3).for_each(|_| app.update());
            app.world_mut().resource_mut::<StageClock>().take()
        };
        assert_eq!(spent(false), [0.0; STAGES.len()], "while it is closed nothing is measured");
        let open = spent(true);
        assert!(open[..=SHOW].iter().all(|&stage| stage > 0.0), "open, every stage has its time: {open:?}");
        assert_eq!(spent(false), [0.0; STAGES.len()], "closed again, no more");
    }
}
