//! Steer: from paths, targets and wishes to one velocity.
//!
//! ```text
//!  follower ─┐
//!  pursuer ──┼─▶ Wish ─▶ blend ─▶ DesiredVelocity ─▶ avoider ─▶ AdjustedVelocity
//!  flock ────┤
//!  driven ───┘
//! ```
//!
//! Each behaviour states its wish; `blend` makes one velocity of them, and `avoider` turns it aside from
//! walls. Nothing moves here.

mod avoider;
mod blend;
mod driven;
mod flock;
mod follower;
mod pursuer;
mod wish;

use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::prelude::*;

pub use avoider::Avoider;
pub use driven::Driven;
pub use flock::Flock;
pub(crate) use follower::Progress;
pub use pursuer::{Pursuer, PursuitMode, TargetCaught, TargetLost};
pub(crate) use wish::Wish;

use crate::plugins::{NavSystems, order_stages};
use crate::request::{DefaultSearch, TicketCounter};
use crate::solve::Warned;

/// Turns paths and targets into velocities; see [`NavSystems::Steer`].
#[derive(Debug, Clone, Copy)]
pub struct SteerPlugin {
    pub(crate) schedule: InternedScheduleLabel,
}

impl Plugin for SteerPlugin {
    fn build(&self, app: &mut App) {
        order_stages(app, self.schedule);
        app.register_type::<Pursuer>()
            .register_type::<PursuitMode>()
            .register_type::<Driven>()
            .register_type::<Avoider>()
            .register_type::<Flock>()
            .init_resource::<DefaultSearch>()
            .init_resource::<TicketCounter>()
            .init_resource::<follower::Places>()
            .init_resource::<follower::Needs>()
            .init_resource::<Warned>()
            .add_systems(
                self.schedule,
                (
                    pursuer::call_off,
                    follower::follow,
                    follower::help,
                    pursuer::pursue,
                    flock::flock,
                    driven::drive,
                    blend::blend,
                    avoider::avoid,
                )
                    .chain()
                    .in_set(NavSystems::Steer),
            );
    }
}
