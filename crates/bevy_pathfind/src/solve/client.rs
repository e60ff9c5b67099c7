//! An entity with a request, as the stages `request` and `solve` see it.

use bevy::ecs::query::QueryData;
use bevy::prelude::*;

use super::PathStatus;
use crate::motion::Agent;
use crate::request::{PathRequest, Ticket};
use crate::world::OnGrid;

/// An entity with a request.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Client {
    pub(crate) entity: Entity,
    pub(crate) request: &'static PathRequest,
    pub(crate) ticket: &'static mut Ticket,
    pub(crate) status: &'static mut PathStatus,
    pub(crate) name: Option<&'static Name>,
    pub(crate) agent: Option<&'static Agent>,
    pub(crate) on_grid: Option<&'static OnGrid>,
}
