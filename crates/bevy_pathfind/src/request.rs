//! Request: who wants a path where, in which order.
//!
//! A [`PathRequest`] on an entity is an order. Each tick new and changed orders are checked and put in
//! line; withdrawn ones are cancelled, with whatever was computed for them; who goes to an entity asks again
//! when that has moved. Nothing is searched here.

mod accept;
mod cancel;
mod choices;
mod goal;
mod options;
mod order;
mod retarget;
mod ticket;

use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::prelude::*;

pub use choices::{Algorithm, CornerRule, DiagonalCost, Directions, Heuristic};
pub use goal::{GoalError, GoalPoints, NavGoal, NavGoalTemplate};
pub use options::{DefaultSearch, SearchOptions};
pub use order::{PathRequest, PathRequestTemplate};
pub(crate) use ticket::{Asked, Ticket, TicketCounter, TicketState};

use crate::plugins::{NavSystems, Stage, add_stage};
use crate::solve::Warned;

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
                (ticket::count, cancel::cancel, accept::accept, retarget::retarget).chain(),
            );
    }
}
