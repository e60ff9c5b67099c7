//! Request: who wants a path where, in which order.
//!
//! A [`PathRequest`] on an entity is an order. Each tick new and changed orders are checked and put in
//! line; withdrawn ones are cancelled, with whatever was computed for them; who goes to an entity asks again
//! when that has moved. Nothing is searched here.

mod accept;
mod cancel;
mod retarget;

use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::prelude::*;

use crate::order::{DefaultSearch, GoalPoints, NavGoal, PathRequest, SearchOptions, TicketCounter, Warned};
use crate::stage::{NavSystems, Stage, add_stage, stands_still};

/// Accepts and cancels requests; see [`NavSystems::Request`].
#[derive(Debug, Clone, Copy)]
pub struct RequestPlugin {
    pub(crate) schedule: InternedScheduleLabel,
}

impl Plugin for RequestPlugin {
    fn build(&self, app: &mut App) {
        add_stage(app, self.schedule, NavSystems::Request);
        app.register_type::<PathRequest>()
            .register_type::<NavGoal>()
            .register_type::<GoalPoints>()
            .register_type::<SearchOptions>()
            .register_type::<DefaultSearch>()
            .init_resource::<DefaultSearch>()
            .init_resource::<TicketCounter>()
            .init_resource::<Warned>()
            .add_systems(
                Stage(NavSystems::Request),
                (count_round, cancel::cancel, accept::accept, retarget::retarget).chain(),
            );
    }
}

/// Begins a round of requests, and a tick unless time stands still.
fn count_round(mut counter: ResMut<TicketCounter>, time: Option<Res<Time<Virtual>>>) {
    counter.begin_round(!stands_still(time));
}
