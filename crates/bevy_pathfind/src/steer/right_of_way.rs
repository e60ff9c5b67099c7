//! Right of way: on a stretch of ground where two bodies do not fit side by side, agents on paths go one way at a time.
//!
//! An agent that comes near such a [stretch](pathfind_core::corridor) of its path asks for all of it, up to the next
//! ground with room to wait: all or nothing, so that agents in two stretches never wait for each other. It gets the
//! right of way if no agent that has it goes against it there. An agent whose turn has not come for a while reserves
//! the stretch: those who would go against it get no right of way any more, and when the stretch is clear its turn
//! has come. So turns are as long as the patience of those who wait, whatever the number of those who go.
//!
//! An agent without right of way waits at a cell beside the mouth: one from which it sees the mouth, and through which
//! no path of those who come out leads. An agent that was in the stretch before goes ahead of those outside. Of two that
//! were in it and go against each other, the later one goes back to where the other can pass, or the other does if the
//! later one cannot. Agents with right of way go in file: each no faster than the gap to the body ahead of it allows. They
//! do not avoid others; the others avoid them. An agent that comes out keeps the mouth until there is room for another
//! body behind it. Where two stretches cross, agents in one of them go against those in the other.
//!
//! [`follow`](super::follower::follow) collects the agents that are near a stretch. [`give_way`] decides, and leaves its
//! decision in [`Passage`], which `follow` obeys in the next tick.

mod claims;
mod file;
mod request;
mod slot;

use bevy::ecs::entity::EntityHashMap;
use bevy::prelude::*;

use super::follow_issue::FollowIssues;
use super::follower::FollowState;
use super::passage::{NearStretch, Passage, Rank};
use crate::agent::Agent;
use crate::order::{NavPath, PathStatus, Ticket};
use crate::world::{GridRef, Grids, LowFlying};
use claims::{Claims, Turn};
use file::{InFile, SingleFile};
use request::StretchRequest;
use slot::{Oncoming, waiting_slot, way_back};

/// The agents at narrow stretches: those that go, and those that wait.
#[derive(Resource, Default)]
pub(super) struct RightOfWay {
    claims: Claims,
    requests: EntityHashMap<StretchRequest>,
}

/// The components of an agent near a stretch.
type Passing = (
    &'static Agent,
    Ref<'static, NavPath>,
    &'static mut FollowState,
    &'static mut PathStatus,
    &'static Ticket,
);

/// Gives agents right of way, or makes them wait.
pub(super) fn give_way(
    mut agents: Query<Passing>,
    mut found: ResMut<FollowIssues>,
    mut right_of_way: ResMut<RightOfWay>,
    (grids, time): (Grids, Res<Time>),
    flyers: Query<(), With<LowFlying>>,
) {
    let near = &mut found.near_stretches;
    // They pass over those in the corridor.
    near.retain(|agent| !flyers.contains(agent.entity));
    if near.is_empty() && right_of_way.requests.is_empty() {
        return;
    }
    let dt = time.delta_secs();
    near.sort_unstable_by_key(|agent| (agent.rank, agent.entity.index_u32()));
    right_of_way.requests.values_mut().for_each(|request| request.is_present = false);
    for agent in &*near {
        right_of_way.meet(agent, &mut agents, &grids, dt);
    }
    for entity in right_of_way.end_absent() {
        if let Ok(agent) = agents.get_mut(entity) {
            show_turn(agent, false);
        }
    }
    right_of_way.take_turns(dt);
    let file = right_of_way.file(near, &agents);
    for near in near.drain(..) {
        right_of_way.instruct(&near, &mut agents, &grids, &file, dt);
    }
}

impl RightOfWay {
    /// Updates the request of an agent near a stretch: the same one, another one, or none.
    fn meet(&mut self, near: &NearStretch, agents: &mut Query<Passing>, grids: &Grids, dt: f32) {
        let Self { claims, requests } = self;
        let Ok((agent, path, mut state, ..)) = agents.get_mut(near.entity) else { return };
        let Some(grid) = grids.get(path.grid()) else { return };
        let version = (grid.entity, grid.nav.map_id(), grid.nav.revision(), path.last_changed().get());
        if let Some(request) = requests.get_mut(&near.entity)
            && request.version == version
        {
            let before = request.turn;
            if request.advance(near, dt, claims) {
                if request.turn == Turn::Stuck && before != Turn::Stuck {
                    self.clear_way(near.entity, agents, &grid);
                }
                return;
            }
        }
        let old = requests.remove(&near.entity).inspect(|old| old.release(claims));
        let had_request = old.is_some();
        match StretchRequest::new(version, &grid, (&path, agent), near) {
            Ok(mut request) => {
                let has_nowhere_to_wait = request.take_over(old, claims);
                requests.insert(near.entity, request);
                if has_nowhere_to_wait {
                    self.clear_way(near.entity, agents, &grid);
                }
            }
            // The agent has no request, so that `end_absent` does not list it.
            Err(due) => {
                *state.passage_mut() = Passage::due(due);
                if had_request && let Ok(agent) = agents.get_mut(near.entity) {
                    show_turn(agent, false);
                }
            }
        }
    }

    /// Decides who goes back, if others go against an agent in the middle of its stretch.
    fn clear_way(&mut self, entity: Entity, agents: &Query<Passing>, grid: &GridRef) {
        let Self { claims, requests } = self;
        let Some(own) = requests.get(&entity) else { return };
        let mut against: Vec<(Rank, Entity)> = requests
            .iter()
            .filter(|&(&other, request)| other != entity && request.goes_against(own))
            .map(|(&other, request)| (request.rank, other))
            .collect();
        if against.is_empty() && own.turn == Turn::Stuck {
            return;
        }
        against.sort_unstable();
        let way_back_of = |who: Entity, from: &[Entity], requests: &EntityHashMap<StretchRequest>| {
            let path = |who: Entity| agents.get(who).ok().map(|(_, path, ..)| path);
            let paths: Vec<_> = from.iter().filter_map(|&other| Some((other, path(other)?))).collect();
            let oncoming: Vec<_> = paths
                .iter()
                .map(|(other, path)| {
                    let request = &requests[other];
                    Oncoming { here: request.here, radius: request.radius, ahead: path.remaining_points() }
                })
                .collect();
            way_back(grid, &*path(who)?, &requests[&who], &oncoming, requests)
        };
        let mut inside = Vec::new();
        for (_, other) in against {
            match requests.get_mut(&other) {
                Some(request) if !request.is_inside() => request.wait(Vec::new(), claims),
                _ => inside.push(other),
            }
        }
        let own_way = (!inside.is_empty()).then(|| way_back_of(entity, &inside, requests)).flatten();
        if let (Some(way), Some(own)) = (own_way, requests.get_mut(&entity)) {
            own.wait(way, claims);
            return;
        }
        for other in inside {
            if let Some(way) = way_back_of(other, &[entity], requests)
                && let Some(request) = requests.get_mut(&other)
            {
                request.wait(way, claims);
            }
        }
        if let Some(own) = requests.get_mut(&entity) {
            own.go(claims);
        }
    }

    /// Ends the requests of agents that are near no stretch any more, and returns those agents.
    fn end_absent(&mut self) -> Vec<Entity> {
        let Self { claims, requests } = self;
        let absent: Vec<_> = requests.extract_if(|_, request| !request.is_present).collect();
        absent.iter().for_each(|(_, request)| request.release(claims));
        absent.into_iter().map(|(entity, _)| entity).collect()
    }

    /// Gives right of way to the agents whose turn has come, in the order of how long they have waited.
    fn take_turns(&mut self, dt: f32) {
        let Self { claims, requests } = self;
        let mut waiting: Vec<_> = requests.values_mut().filter(|request| request.waits()).collect();
        waiting.sort_by(|a, b| b.waited.total_cmp(&a.waited).then(a.rank.cmp(&b.rank)));
        waiting.into_iter().for_each(|request| request.take_turn(dt, claims));
    }

    /// The agents that go, with the gap ahead of each. Nobody waits for one that something else leads.
    fn file(&self, near: &[NearStretch], agents: &Query<Passing>) -> SingleFile {
        SingleFile::new(near.iter().filter(|near| !near.is_led).filter_map(|near| {
            let request = self.requests.get(&near.entity).filter(|request| request.is_near_mouth())?;
            let (_, path, ..) = agents.get(near.entity).ok()?;
            Some(InFile::new(near, request, path.remaining_points()))
        }))
    }

    /// Leaves in the state of an agent what it has to do in the next tick.
    fn instruct(
        &mut self,
        near: &NearStretch,
        agents: &mut Query<Passing>,
        grids: &Grids,
        file: &SingleFile,
        dt: f32,
    ) {
        let Ok(mut item) = agents.get_mut(near.entity) else { return };
        let (agent, path, state, ..) = &mut item;
        let (Some(grid), Some(request)) = (grids.get(path.grid()), self.requests.get(&near.entity)) else {
            return;
        };
        let slot =
            request.is_slot_due().then(|| waiting_slot(&grid, path, request, &self.requests, &self.claims));
        let Some(request) = self.requests.get_mut(&near.entity) else { return };
        if let Some(slot) = slot {
            request.set_slot(slot);
        }
        let acceleration = agent.acceleration / grid.place.cell_size();
        let ahead = file.ahead_of(near.entity);
        request.is_behind = ahead.is_some_and(|ahead| ahead.is_queue);
        let gap = ahead.map(|ahead| ahead.gap);
        *state.passage_mut() = request.passage(&grid, (path, near.here), (acceleration, gap), dt);
        show_turn(item, request.waits());
    }
}

/// Shows in the status of an agent whether it waits for its turn.
fn show_turn((.., mut status, ticket): bevy::ecs::query::QueryItem<Passing>, waits: bool) {
    let (before, now) = match waits {
        true => (PathStatus::Following, PathStatus::Yielding),
        false => (PathStatus::Yielding, PathStatus::Following),
    };
    if *status == before && ticket.has_answer() {
        *status = now;
    }
}
