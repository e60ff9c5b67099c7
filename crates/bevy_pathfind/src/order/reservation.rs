//! Reservations: cells that agents claim before they go there.

use bevy::platform::collections::HashSet;
use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::Ticket;
use crate::agent::{Agent, AgentId};
use crate::world::{Grids, TieOf};

/// Claims the cell at a point for an agent, wherever that is: no other agent gets it as its cell beside a goal, or as a
/// [slot](super::TargetSlots), and for [`CellCondition::Free`](super::CellCondition::Free) it is not free. Nobody is kept
/// from walking over it.
///
/// The cell is released when the agent is despawned, after [`seconds`](Self::seconds), by
/// [`go_to`](crate::AgentCommands::go_to) for any other goal than that point, and by [`stop`](crate::AgentCommands::stop);
/// or remove the component. The first to
/// reserve a cell has it, of several in one tick the agent with the least id. The others lose the component, and get
/// [`ReservationEnded`].
///
/// To claim a slot at a target, send the agent there: [`NavGoal::SlotOf`](super::NavGoal::SlotOf).
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[require(Agent)]
pub struct Reservation {
    /// A point of the cell, in the world. Default: the origin.
    pub at: Vec3,
    /// For how much longer it lasts. Unit: seconds. Range: 0 and up; NaN counts as 0. Default: `None`, without end.
    pub seconds: Option<f32>,
    /// Whether the cell is the agent's: since the next [`NavSystems::Request`](crate::stage::NavSystems::Request).
    pub(crate) is_granted: bool,
}

/// An agent has a [`Reservation`] no more; the component is removed.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Event, Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ReservationEnded {
    /// The agent.
    pub entity: Entity,
    /// The point of the cell.
    pub at: Vec3,
    /// Why.
    pub reason: ReservationEnd,
}

/// Why a reservation has ended.
#[derive(Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[type_path = "bevy_pathfind"]
#[reflect(Debug, PartialEq)]
#[non_exhaustive]
pub enum ReservationEnd {
    /// Its time is over.
    TimeOver,
    /// The cell is that of another agent, which has reserved it or stands there beside its goal.
    Taken,
    /// The point is on no cell of a grid, or not finite.
    NoCell,
}

impl Reservation {
    /// Reserves the cell at a point, without end.
    #[must_use]
    pub const fn of(at: Vec3) -> Self {
        Self { at, seconds: None, is_granted: false }
    }

    /// The same for so many seconds.
    #[must_use]
    pub const fn with_seconds(mut self, seconds: f32) -> Self {
        self.seconds = Some(seconds);
        self
    }
}

/// Grants new reservations, and ends those whose time is over.
pub(super) fn grant_reservations(
    mut reserving: Query<(Entity, &AgentId, &mut Reservation)>,
    (tickets, grids): (Query<(Entity, &Ticket)>, Grids),
    time: Option<Res<Time>>,
    mut commands: Commands,
) {
    let dt = time.map_or(0.0, |time| time.delta_secs());
    let mut all: Vec<_> = reserving.iter_mut().collect();
    all.sort_by_key(|(entity, id, it)| (!it.is_granted, **id, entity.index_u32()));
    let mut reserved = HashSet::new();
    for (entity, _, mut reservation) in all {
        let on_grid = grids.of(TieOf::default(), reservation.at).ok().and_then(|grid| {
            let cell = grid.cell(reservation.at);
            grid.nav.grid().contains(cell).then_some((grid.entity, cell))
        });
        let is_taken = |(grid, cell)| {
            tickets.iter().any(|(other, ticket)| {
                other != entity && ticket.grid == Some(grid) && ticket.slot == Some(cell)
            })
        };
        let end = match on_grid {
            None => Some(ReservationEnd::NoCell),
            Some(cell) if reserved.contains(&cell) || !reservation.is_granted && is_taken(cell) => {
                Some(ReservationEnd::Taken)
            }
            Some(cell) => {
                reserved.insert(cell);
                let left = reservation.seconds.map(|seconds| seconds - dt);
                if left != reservation.seconds || !reservation.is_granted {
                    (reservation.seconds, reservation.is_granted) = (left, true);
                }
                left.filter(|left| left.is_nan() || *left <= 0.0).map(|_| ReservationEnd::TimeOver)
            }
        };
        if let Some(reason) = end {
            commands.entity(entity).try_remove::<Reservation>();
            commands.trigger(ReservationEnded { entity, at: reservation.at, reason });
        }
    }
}
