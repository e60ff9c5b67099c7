//! The query for entities with a request, which the stages `request` and `solve` share.

use bevy::ecs::query::QueryData;
use bevy::prelude::*;

use super::PathStatus;
use crate::agent::{Agent, AgentBody, AgentId, Vehicle};
use crate::order::{Breacher, RequestSummary, ServedRequest, Ticket};
use crate::world::{GroundOffset, OnGrid};

/// The body that the path of an entity is for, if the entity is no agent: of a group, the widest of its members.
#[derive(Component, Debug, Clone, Copy, Default)]
pub(crate) struct PathBody(pub(crate) AgentBody);

/// An entity with a request.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Requester {
    pub(crate) entity: Entity,
    pub(crate) request: ServedRequest,
    pub(crate) summary: &'static mut RequestSummary,
    pub(crate) ticket: &'static mut Ticket,
    pub(crate) status: &'static mut PathStatus,
    pub(crate) name: Option<&'static Name>,
    pub(crate) agent: Option<&'static Agent>,
    path_body: Option<&'static PathBody>,
    pub(crate) id: Option<&'static AgentId>,
    pub(crate) on_grid: Option<&'static OnGrid>,
    pub(crate) offset: Option<&'static GroundOffset>,
    pub(crate) breacher: Option<&'static Breacher>,
    vehicle: Option<(&'static Vehicle, &'static Transform)>,
}

/// The sort key of requesters of the same tick: by agent id, so that the order does not depend on query order;
/// entities without an id come last.
fn rank(id: Option<&AgentId>, entity: Entity) -> (u64, u32) {
    (id.map_or(u64::MAX, |id| id.0), entity.index_u32())
}

impl RequesterReadOnlyItem<'_, '_> {
    /// The sort key; see [`rank`].
    pub(crate) fn rank(&self) -> (u64, u32) {
        rank(self.id, self.entity)
    }
}

impl RequesterItem<'_, '_> {
    /// The body that its path is for; that of an entity that is neither an agent nor a group is a point of the default
    /// kind.
    pub(crate) fn body(&self) -> AgentBody {
        self.agent.map(Agent::body).or(self.path_body.map(|body| body.0)).unwrap_or_default()
    }

    /// Its vehicle, if it is one, and the direction in which that heads.
    pub(crate) fn vehicle(&self) -> Option<(Vehicle, Vec3)> {
        let ((&vehicle, transform), agent) = self.vehicle.zip(self.agent)?;
        Some((vehicle, Vehicle::ahead(agent, transform)))
    }

    /// The sort key; see [`rank`].
    pub(crate) fn rank(&self) -> (u64, u32) {
        rank(self.id, self.entity)
    }

    /// Sets the status to `Waiting`. During a recheck, for which the agent keeps its present answer, the status
    /// stays.
    pub(crate) fn show_waiting(&mut self) {
        if !self.ticket.is_recheck() {
            self.status.set_if_neq(PathStatus::Waiting);
        }
    }
}
