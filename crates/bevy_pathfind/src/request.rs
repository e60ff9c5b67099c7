//! Request: accepts, changes and cancels path requests.
//!
//! In each tick, new and changed [`PathRequest`]s are checked and queued. Removed ones are cancelled, together with
//! their searches. A request whose goal is an entity is queued again when that entity has moved. Searches are run by
//! `solve`.

mod accept;
mod cancel;
mod follow_canvas;
mod queue;
mod retarget;
mod returned;

use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::prelude::*;

pub(crate) use returned::Returned;

use crate::order::{GoalQueue, PathRequest, SearchOptions, TicketCounter, Warned};
use crate::stage::{NavStage, NavSystems, add_stage, in_a_schedule, stands_still};

/// Accepts and cancels requests; see [`NavSystems::Request`].
#[derive(Debug, Clone, Copy)]
pub struct RequestPlugin {
    schedule: InternedScheduleLabel,
}

in_a_schedule!(RequestPlugin);

impl Plugin for RequestPlugin {
    fn build(&self, app: &mut App) {
        add_stage(app, self.schedule, NavSystems::Request);
        app.register_type::<PathRequest>()
            .register_type::<GoalQueue>()
            .init_resource::<SearchOptions>()
            .init_resource::<TicketCounter>()
            .init_resource::<Warned>()
            .init_resource::<returned::Returned>()
            .add_systems(
                NavStage(NavSystems::Request),
                (
                    count_round,
                    returned::find_returned,
                    follow_canvas::follow_canvas,
                    queue::request_next,
                    cancel::cancel,
                    accept::accept,
                    retarget::retarget,
                )
                    .chain(),
            );
    }
}

/// Begins a run of the stage, and a tick unless time is paused.
fn count_round(mut counter: ResMut<TicketCounter>, time: Option<Res<Time<Virtual>>>) {
    counter.begin_round(!stands_still(time));
}
