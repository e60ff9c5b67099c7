//! Help for agents on paths that [`follow`](super::follow) has collected: it fails the requests of those that cannot
//! move, ends the path of those that have arrived, and gives the others an arrival slot, a way back to their path, or
//! another search.

use bevy::ecs::query::QueryData;
use bevy::platform::collections::HashSet;
use bevy::prelude::*;
use pathfind_core::{Goal, GridCell};

use super::super::arrival_slots::{ArrivalSlots, ClaimOwner, Claiming, Holder, is_place};
use super::super::follow_issue::{FollowIssue, FollowIssues};
use super::detour::{FreeWay, StandingBody};
use super::queue::Queues;
use super::rest::Rest;
use super::standing_bodies::standing_bodies;
use super::{FollowState, arrival_distance, goal_of};
use crate::agent::{Agent, AgentId};
use crate::order::{
    AgentArrived, AgentStuck, Arrival, Failures, LinkReached, NavPath, OnLink, PathBlocked, PathCause,
    PathEndedShort, PathError, PathOutcome, PathStatus, Requester, ServedRequest, SlotClaim, Ticket,
    TicketCounter, nearest_on,
};
use crate::steer::formation::FormationPlace;
use crate::steer::fugitive::FugitiveState;
use crate::steer::{Avoider, Crowd};
use crate::world::{GridRef, Grids, LinkGraph, ObstacleMap, Positions};

/// A stuck agent counts as arrived within this distance of its slot, or of the agents round its goal. In cells. Not
/// measured.
const NEAR_SLOT: f32 = 1.0;
/// For how many agents a way round what stands before them is searched in one tick, to bound its time; the others have
/// their turn at their next attempt.
const MAX_DETOURS: usize = 16;

/// The components of an agent on a path that help may change.
#[derive(QueryData)]
#[query_data(mutable)]
pub(in crate::steer) struct Helped {
    pub(super) entity: Entity,
    pub(super) id: &'static AgentId,
    pub(super) agent: &'static Agent,
    pub(super) avoider: Option<&'static Avoider>,
    pub(super) path: &'static mut NavPath,
    request: Option<ServedRequest>,
    ticket: &'static mut Ticket,
    status: &'static mut PathStatus,
    state: &'static mut FollowState,
    flight: Option<&'static FugitiveState>,
    formation: Option<&'static FormationPlace>,
    claim: Option<&'static SlotClaim>,
}

/// Fails the requests of agents that cannot move: [`Agent::check`] reports an error, or the position is not finite.
pub(in crate::steer) fn fail_unfit(
    mut requesters: Query<Requester>,
    positions: Positions,
    mut found: ResMut<FollowIssues>,
    mut failures: Failures,
) {
    let error_of = |agent: &Agent, entity: Entity| {
        let is_lost = || !positions.of(entity).is_some_and(|at| at.is_finite());
        let error = agent.check().err().map(PathError::from);
        error.or_else(|| is_lost().then_some(PathError::NotFinite))
    };
    let with_error = |entity: Entity| {
        let requester = requesters.get(entity).ok()?;
        Some((requester.rank(), entity, error_of(requester.agent?, entity)?))
    };
    let mut failed: Vec<_> = found.unfit.drain(..).filter_map(with_error).collect();
    failed.sort_by_key(|&(rank, ..)| rank);
    for (_, entity, error) in failed {
        if let Ok(mut requester) = requesters.get_mut(entity) {
            failures.fail(&mut requester, error);
        }
    }
}

/// Ends the paths of the agents that have arrived, in the order of their ids.
pub(in crate::steer) fn end_paths(
    mut walkers: Query<Helped>,
    (grids, links): (Grids, Res<LinkGraph>),
    mut found: ResMut<FollowIssues>,
    mut counter: ResMut<TicketCounter>,
    mut commands: Commands,
) {
    found.arrivals.sort_by_key(|&(id, entity, _)| (id, entity.index_u32()));
    for (_, entity, at) in found.arrivals.drain(..) {
        let Ok(mut walker) = walkers.get_mut(entity) else { continue };
        let Some(grid) = grids.get(walker.path.grid()) else { continue };
        if walker.path.link().is_none() {
            walker.finish(&grid, at, &mut commands);
            continue;
        }
        match walker.crossing(&grid, at, &grids, &links) {
            Some(crossing) => {
                // A search for a better path is given up.
                walker.ticket.close();
                *walker.status = PathStatus::Crossing;
                let reached = LinkReached { entity, link: crossing.link, to: crossing.to };
                commands.entity(entity).try_remove::<NavPath>().try_insert(crossing);
                commands.trigger(reached);
            }
            None => walker.queue_replan(&mut counter, PathCause::Hindered),
        }
    }
}

/// Gives each agent the slot, the way back to its leg or the other path that it needs, in the order of requests.
pub(in crate::steer) fn help(
    mut walkers: Query<Helped>,
    (crowd, avoiders, positions): (Res<Crowd>, Query<&Avoider>, Positions),
    (grids, obstacles): (Grids, Res<ObstacleMap>),
    mut found: ResMut<FollowIssues>,
    (mut slots, claims): (ResMut<ArrivalSlots>, Query<ClaimOwner, Claiming>),
    mut counter: ResMut<TicketCounter>,
    mut commands: Commands,
) {
    found.issues.sort_unstable();
    let (mut queues, mut detours_left) = (None, MAX_DETOURS);
    let mut claimed = HashSet::default();
    if !found.issues.is_empty() {
        let holds = |entity: Entity, cell: GridCell| {
            walkers.get(entity).is_ok_and(|other| other.ticket.slot == Some(cell))
        };
        claimed = slots.note_claims(&claims, &grids, holds);
    }
    for (_, issue, entity) in found.issues.drain(..) {
        let Ok(walker) = walkers.get(entity) else { continue };
        let Some(grid) = grids.get(walker.path.grid()) else { continue };
        let Some(at) = positions.of(entity) else { continue };
        let here = grid.place.to_grid(at);
        let holder = Holder { entity, radius: walker.agent.radius.max(0.0) / grid.place.cell_size() };
        let holds = |entity: Entity, cell: GridCell| {
            let is_slot = walkers.get(entity).is_ok_and(|other| other.ticket.slot == Some(cell));
            is_slot || claimed.contains(&(entity, cell))
        };
        let (points, places) = walker.goal(&grid, &positions);
        let goal = (goal_of(walker.path), &places);
        // Whether the agent has a slot, and is near that slot, its range, or the agents round its goal.
        let is_near = walker.ticket.slot.is_some_and(|slot| {
            here.distance(slot.center()) <= NEAR_SLOT
                || here.distance(walker.path.found_end()) <= slots.reach(&goal.0) + NEAR_SLOT
                || matches!(places, Goal::Within { center, radius }
                    if here.distance(center.center()) <= radius + NEAR_SLOT)
        });
        // Whether its slot is one of several places of its goal, and whether it stands on one of them.
        let has_place = !matches!(places, Goal::GridCell(_))
            && walker.ticket.slot.is_some_and(|slot| is_place(&places, slot));
        let stands_on_place = has_place && is_place(&places, GridCell::containing(here));
        let slot = match issue {
            FollowIssue::Slot => slots.take(goal, &grid, (holder, here, None), counter.tick, holds),
            // Before an agent stops beside the places of its goal it tries all that are free.
            FollowIssue::Stalled | FollowIssue::Stuck if has_place && !stands_on_place => {
                slots.take(goal, &grid, (holder, here, walker.ticket.slot), counter.tick, holds)
            }
            FollowIssue::Stalled | FollowIssue::Stuck | FollowIssue::StillStuck
                if is_near || stands_on_place =>
            {
                let cell = GridCell::containing(here);
                let is_walkable = grid.nav.grid().is_walkable(walker.path.kind(), cell);
                (is_walkable && slots.take_here(&grid, holder, cell, holds)).then_some(cell)
            }
            _ => None,
        };
        let may_be_stuck = matches!(issue, FollowIssue::Stuck | FollowIssue::StillStuck)
            && !walker.state.stall.is_reported();
        let may_go_round =
            slot.is_none() && detours_left > 0 && !matches!(issue, FollowIssue::Slot | FollowIssue::OffPath);
        detours_left -= usize::from(may_go_round);
        // Round a common goal an agent settles where the others let it: it does not go round them.
        let settles = walker.ticket.slot.is_some() && !has_place;
        let bodies = match may_go_round && !settles {
            true => standing_bodies(&walker, (&grid, at), &crowd, &walkers, &avoiders),
            false => Vec::new(),
        };
        let may_go_round = may_go_round && !(obstacles.is_empty() && bodies.is_empty());
        let waits = slot.is_some()
            || (may_be_stuck || may_go_round) && {
                let queues = queues.get_or_insert_with(|| Queues::new(&walkers, &grids, &positions));
                queues.waits(entity)
            };
        let is_stuck = may_be_stuck && !waits;
        let detour =
            (may_go_round && !waits).then(|| walker.detour(&grid, &obstacles, &bodies, here)).flatten();
        let Ok(mut walker) = walkers.get_mut(entity) else { continue };
        // Whether the agent has got no other slot than before.
        let keeps_slot = slot.is_none() || slot == walker.ticket.slot;
        match (slot, issue) {
            (_, FollowIssue::Stuck | FollowIssue::StillStuck) if is_near && keeps_slot => {
                if matches!(places, Goal::Within { .. }) && stands_on_place {
                    walker.path.set_goal(here);
                }
                walker.end_here(&grid, here, &mut commands);
                continue;
            }
            (Some(slot), _) => {
                let at = points.into_iter().find(|&point| GridCell::containing(point) == slot);
                let at = at.unwrap_or(slot.center());
                walker.go_to((slot, at), is_place(&places, slot), &grid, here, &mut counter);
            }
            (None, FollowIssue::Slot) => {
                walker.ticket.slot = Some(GridCell::containing(walker.path.found_end()))
            }
            (None, FollowIssue::OffPath) => walker.find_back(&grid, here, &mut counter),
            (None, _) => match detour {
                Some(rest) => walker.path.end_at(&grid, here, &rest),
                None => walker.queue_replan(&mut counter, PathCause::Hindered),
            },
        }
        if is_stuck {
            walker.state.stall.mark_reported();
            commands.trigger(AgentStuck { entity });
        }
    }
}

impl HelpedReadOnlyItem<'_, '_> {
    /// The points of its goal, in grid space, and the goal as the core takes it.
    fn goal(&self, grid: &GridRef, positions: &Positions) -> (Vec<Vec2>, Goal) {
        let asked =
            self.request.as_ref().and_then(|request| Some((request, request.goal.points(positions).ok()?)));
        let Some((request, points)) = asked else {
            return (Vec::new(), Goal::GridCell(GridCell::containing(self.path.found_end())));
        };
        let points: Vec<_> = points.into_iter().map(|point| grid.place.to_grid(point)).collect();
        let goal = request.goal.on(grid, points.iter().copied().map(GridCell::containing).collect());
        (points, goal)
    }

    /// The rest of its path with a way round what stands right ahead; see [`FreeWay::around`].
    fn detour(
        &self,
        grid: &GridRef,
        obstacles: &ObstacleMap,
        bodies: &[StandingBody],
        here: Vec2,
    ) -> Option<Vec<Vec2>> {
        FreeWay::new(grid, obstacles, self.agent, self.avoider, self.path, bodies)?
            .around(here, self.path.remaining_points())
    }
}

impl HelpedItem<'_, '_> {
    /// Ends the path where the agent stands, at a point of grid space, because agents that have arrived block the
    /// rest of it. Its old slot becomes free for another agent.
    fn end_here(&mut self, grid: &GridRef, here: Vec2, commands: &mut Commands) {
        self.ticket.slot = Some(GridCell::containing(here));
        self.finish(grid, grid.above_ground(here, 0.0), commands);
    }

    /// Ends the path where the agent stands, at a point of the world, and sends the event. A fugitive is told when it is
    /// safe, and not at the end of each path.
    fn finish(&mut self, grid: &GridRef, at: Vec3, commands: &mut Commands) {
        while !self.path.is_finished() {
            self.path.advance();
        }
        self.state.rest = Rest::new(grid.place.to_grid(at), &self.path);
        let entity = self.entity;
        let is_for_formation = self.formation.is_some_and(FormationPlace::has_own_path);
        if is_for_formation || self.flight.is_some_and(FugitiveState::is_fleeing) {
            *self.status = PathStatus::Arrived;
            return;
        }
        if self.claim.is_some_and(|claim| claim.order.is_some() && claim.slot().is_none()) {
            *self.status = PathStatus::AwaitingSlot;
            return;
        }
        let end = self.path.found_end();
        let end_in_world = grid.above_ground(end, 0.0);
        match self.path.outcome() {
            PathOutcome::Complete => {
                *self.status = PathStatus::Arrived;
                let distance = grid.place.flatten(end_in_world - at).length();
                let keeps_slot = distance <= arrival_distance(self.agent, grid);
                let arrival = if keeps_slot { Arrival::AtGoal } else { Arrival::BesideGoal { distance } };
                commands.trigger(AgentArrived { entity, goal: end_in_world, arrival });
            }
            PathOutcome::Partial(reason) => {
                *self.status = PathStatus::EndedShort(reason);
                commands.trigger(PathEndedShort { entity, nearest: end_in_world, reason });
                if let Some(cell) = self.path.barrier() {
                    let at = grid.above_ground(cell.center(), 0.0);
                    commands.trigger(PathBlocked { entity, grid: grid.entity, cell, at });
                }
            }
        }
    }

    /// The crossing of the link at the end of the path, for an agent at a point of the world. `None` if the link
    /// cannot be taken any more, or the grid behind it is gone.
    fn crossing(&self, grid: &GridRef, at: Vec3, grids: &Grids, links: &LinkGraph) -> Option<OnLink> {
        let leg = self.path.onward().first()?;
        let link = links.open_link(leg.link, self.path.kind(), leg.landing())?;
        let there = grids.get(leg.grid).filter(|there| there.place.is_usable())?;
        let (start, height) = (*leg.path.points.first()?, grid.height_above_ground(at));
        Some(OnLink {
            link: leg.link,
            crossing: link.crossing,
            from: at,
            to: there.above_ground(start, height),
            point: start,
            map_id: there.nav.map_id(),
            height,
            up: there.place.up(),
            share: 0.0,
            onward: self.path.onward().to_vec(),
            grid: grids.part_at(leg.grid, GridCell::containing(start)),
        })
    }

    /// Goes to a slot near its goal, or to one that is another place of the goal (`is_place`), to the point `at`:
    /// straight if that is in sight, else by another path.
    fn go_to(
        &mut self,
        (slot, at): (GridCell, Vec2),
        is_place: bool,
        grid: &GridRef,
        here: Vec2,
        counter: &mut TicketCounter,
    ) {
        self.ticket.slot = Some(slot);
        if self.path.end().map(GridCell::containing) == Some(slot) {
            return;
        }
        if is_place {
            self.path.set_goal(at);
        }
        if self.path.sees(grid, here, at) {
            self.path.end_at(grid, here, &[at]);
        } else {
            self.queue_replan(counter, PathCause::Spread);
        }
    }

    /// Goes back to its leg, or asks for another path if there is no straight [way back](back_to_leg).
    fn find_back(&mut self, grid: &GridRef, here: Vec2, counter: &mut TicketCounter) {
        let back = self.path.leg().and_then(|leg| back_to_leg(leg, here, |a, b| self.path.sees(grid, a, b)));
        match back {
            Some(back) => self.path.rejoin(grid, here, back),
            None => {
                self.state.stall.mark_asked();
                self.queue_replan(counter, PathCause::Hindered);
            }
        }
    }

    /// Asks for another path.
    fn queue_replan(&mut self, counter: &mut TicketCounter, cause: PathCause) {
        self.ticket.queue_replan(counter, self.path.grid(), cause);
        *self.status = PathStatus::Waiting;
    }
}

/// The point of a leg that is nearest to the agent, if it is in sight of the agent and the end of the leg is in sight
/// of it. Rounding can put the corner of a wall between the two.
fn back_to_leg((from, to): (Vec2, Vec2), here: Vec2, sees: impl Fn(Vec2, Vec2) -> bool) -> Option<Vec2> {
    let back = nearest_on(from, to, here);
    (sees(here, back) && sees(back, to)).then_some(back)
}

#[cfg(test)]
mod tests {
    use pathfind_core::{CornerRule, Grid, KindId, can_walk_straight};

    use super::*;

    #[test]
    fn no_agent_goes_back_to_where_rounding_hides_the_next_waypoint() {
        let grid = Grid::from_ascii(".......\n.......\n..#....\n.......\n.......\n.......").unwrap();
        let sees = |a, b| can_walk_straight(&grid, KindId::default(), CornerRule::OneFree, a, b);
        // The leg passes the corner of the wall.
        let (from, to) = (Vec2::new(0.5, 0.5), Vec2::new(3.5, 5.5));
        assert!(sees(from, to));
        let here = Vec2::new(0.03, 0.87);
        let nearest = nearest_on(from, to, here);
        assert!(sees(here, nearest) && !sees(nearest, to), "the corner comes in between");
        assert_eq!(back_to_leg((from, to), here, sees), None);
        let before = Vec2::new(0.4, 0.3);
        assert_eq!(back_to_leg((from, to), before, sees), Some(from), "from the beginning it is in sight");
    }
}
