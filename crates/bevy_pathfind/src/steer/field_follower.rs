//! Followers of flow fields: their goal velocity leads along the field. Those that stand at the goal, or [in the
//! crowd](resting) round it, rest.

mod resting;

use std::sync::{Mutex, PoisonError};

use bevy::prelude::*;
use pathfind_core::{
    AgentShape, AgentSize, CornerRule, Direction, DistanceField, GridCell, KindId, line_of_sight,
    steer::{Body, MotionLimits, seek::arrive},
};

use super::goal_velocity::{has_own_status, state_goal};
use super::{ActiveGoal, AgentAvoidance, Avoider, Crowd, CrowdIndex, GoalSource, GoalVelocity};
use crate::agent::{Agent, AgentId};
use crate::order::{
    AgentArrived, Arrival, Failures, FlowFieldValues, FollowField, PathError, PathStatus, Ticket,
    TicketCounter,
};
use crate::parallel::Threads;
use crate::rows::{RowMut, Rows, rows, tables};
use crate::settings::NavSettings;
use crate::world::{Airborne, GridRef, Grids};
use resting::{Rester, Resters};

/// How many cells along the field an agent looks ahead; it heads for the farthest of them that is in sight. With 1 it
/// would go from cell to cell, in eight directions only; every further cell costs a line-of-sight test. Not measured.
const LOOK_AHEAD: usize = 4;
/// After how many ticks an agent looks ahead again although it is still on the same cell, if it is slow or its field
/// has other goals: other agents may have pushed it to where it does not see the point that it heads for. All other
/// agents look ahead only when they enter another cell, because each look costs cache misses. Measured: to look ahead
/// later after entering another cell is cheaper, but then large agents in a crowd at a corner take half as long
/// again.
const RELOOK_TICKS: u64 = 4;
/// An agent is slow if it comes nearer to the point that it heads for at less than this fraction of its speed. Not
/// measured.
const SLOW: f32 = 0.5;

/// How far an agent has to go from where it has arrived until it can arrive beside the goal again, in cells: in the
/// crowd round a goal agents move up. Not measured.
const LEFT_GOAL: f32 = 4.0;

/// Where an agent is on the field that it follows, and what it saw when it last looked ahead.
#[derive(Component, Debug, Default)]
pub(crate) struct FieldProgress {
    /// The field on a goal of which the agent stands.
    at_goal: Option<Entity>,
    /// The arrival that [`AgentArrived`] was last sent for, until the agent is far from the place.
    arrived: Option<ArrivedAt>,
    /// The [rank](Rester::rank) of an agent that rests.
    rest: Option<u32>,
    seen: Option<Seen>,
}

/// The values of a field: the entity, its [version](FlowFieldValues::version), and the revision of the grid that the
/// values are for.
#[derive(Debug, Clone, Copy, PartialEq)]
struct FieldId {
    entity: Entity,
    version: u64,
    revision: u64,
}

/// An arrival at a goal of a field, or beside it.
#[derive(Debug, Clone, Copy)]
struct ArrivedAt {
    field: Entity,
    /// Where the agent arrived, in grid space.
    point: Vec2,
    /// Whether it has stood on the cell of the goal ever since.
    is_at_goal: bool,
}

/// What an agent saw when it last looked ahead.
#[derive(Debug, Clone, Copy)]
struct Seen {
    /// The field, and the cell that the agent looked from.
    field: FieldId,
    cell: GridCell,
    /// The steps of the field from this cell and from the next cells of its path; `None` at the path's end and after
    /// it.
    ///
    /// The steps are kept from cell to cell, so that a new cell takes one look-up in the field instead of
    /// [`LOOK_AHEAD`] and one: the cells of thousands of agents lie all over memory.
    steps: [Option<Direction>; LOOK_AHEAD + 1],
    /// The map for which the rest holds.
    map_id: u64,
    revision: u64,
    /// The point of grid space that it heads for, and whether that lies on a goal; `None` where no path leads to a
    /// goal.
    heading: Option<(Vec2, bool)>,
}

/// The components of an agent that follows a field.
type Follower = (
    (&'static CrowdIndex, &'static AgentId, &'static Agent, Option<&'static Avoider>),
    (&'static FollowField, &'static mut FieldProgress, &'static mut PathStatus, Option<&'static Ticket>),
    (&'static mut ActiveGoal, &'static mut GoalVelocity),
);

#[derive(Debug)]
enum FollowerEvent {
    Arrived(AgentArrived),
    Failed(Entity, PathError),
}

/// States the goal velocities of agents that follow fields, and triggers [`AgentArrived`] for those at a goal or at rest
/// beside it, and [`PathFailed`](crate::order::PathFailed) for those that are cut off.
pub(super) fn follow_fields(
    mut followers: Query<Follower, Without<Airborne>>,
    fields: Query<&FlowFieldValues>,
    (crowd, grids): (Res<Crowd>, Grids),
    (time, settings, counter): (Res<Time>, Res<NavSettings>, Res<TicketCounter>),
    names: Query<&Name>,
    mut resters: Local<Resters>,
    (mut failures, mut commands): (Failures, Commands),
) {
    let dt = time.delta_secs();
    // The field, or the status of its followers without it.
    let find = |entity: Entity| {
        let values = fields.get(entity).map_err(|_| PathStatus::Failed(PathError::FieldGone))?;
        let made = || values.field().zip(grids.get(values.grid()?));
        let missing = values.error().map_or(PathStatus::Waiting, PathStatus::Failed);
        let (field, grid) = made().ok_or(missing)?;
        // After the grid was replaced, or its cells have moved, agents stop until there is another field.
        let is_usable = values.is_of(grid.nav.map_id()) && grid.place.is_usable();
        let id = FieldId { entity, version: values.version(), revision: field.revision() };
        let found = FieldOnGrid { id, values, field, grid, corners: values.steps().corners };
        if is_usable { Ok(found) } else { Err(PathStatus::Waiting) }
    };
    let (all_events, all_resting) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    let mut tables = tables(&mut followers);
    Threads::of(&settings).share(rows(&mut tables), |followers| {
        let (len, mut followers) = followers.cut();
        // Nearly all agents follow the same field.
        let (mut known, mut resting) = (None, Vec::new());
        for row in 0..len {
            let (
                (&index, &id, agent, avoider),
                (&FollowField(target), mut progress, mut status, ticket),
                goal,
            ) = followers.row(row);
            known = known.filter(|&(entity, _)| entity == target).or_else(|| Some((target, find(target))));
            let Some((_, found)) = known else { continue };
            // While the game is paused, no agent arrives; the status of a request goes before that of a field.
            let is_paused = dt <= 0.0;
            let show = |status: &mut RowMut<PathStatus>, shown: PathStatus, event: Option<FollowerEvent>| {
                if **status != shown && !is_paused && has_own_status(ticket) {
                    **status = shown;
                    note(&all_events, id, event);
                } else if let Some(FollowerEvent::Arrived(_)) = event {
                    note(&all_events, id, event);
                }
            };
            let failed = |status: PathStatus| match status {
                PathStatus::Failed(error) => {
                    crowd.entity(index).map(|entity| FollowerEvent::Failed(entity, error))
                }
                _ => None,
            };
            let field = match found {
                Ok(field) => field,
                Err(shown) => {
                    show(&mut status, shown, failed(shown));
                    continue;
                }
            };
            let Some(body) = crowd.body(index).filter(|body| body.position.is_finite()) else { continue };
            let here = field.grid.place.to_grid(body.position);
            let cell = GridCell::containing(here);
            let progress = progress.bypass_change_detection();
            let is_due = counter.tick.wrapping_add(id.0).is_multiple_of(RELOOK_TICKS);
            let has_new_field = progress.seen.is_none_or(|seen| seen.field != field.id);
            if !is_paused
                && progress.seen.is_none_or(|seen| field.is_outdated(&seen, agent, body, cell, is_due))
            {
                let seen =
                    field.look(progress.seen.as_ref(), agent.shape(field.grid.place.cell_size()), here, cell);
                progress.at_goal = (seen.steps[0].is_none() && seen.heading.is_some()).then_some(target);
                progress.seen = Some(seen);
            }
            let Some((next, is_last)) = progress.seen.and_then(|seen| seen.heading) else {
                // An agent in a wall or off the map is not cut off: it is on its way back.
                if field.grid.nav.grid().is_walkable(agent.kind, cell) {
                    let cut_off = PathStatus::Failed(PathError::Unreachable);
                    show(&mut status, cut_off, failed(cut_off));
                }
                continue;
            };
            let gap = field.vector_to(next, body);
            if avoider.is_some_and(|avoider| avoider.agents != AgentAvoidance::Ignore) {
                let radius = body.radius / field.grid.place.cell_size();
                let me = Rester { id, field: target, at: here, radius, rank: 0 };
                if is_due && !is_paused {
                    let is_held = !has_new_field && is_slow(agent, body, gap);
                    let may_rest = if progress.at_goal.is_some() { Some(1) } else { progress.rest };
                    let rank = is_held.then(|| resters.least_rank_round(&me)).flatten();
                    progress.rest =
                        rank.filter(|&rank| may_rest.is_none_or(|own| rank < own)).map(|rank| rank + 1);
                }
                let rank = progress.at_goal.map(|_| 0).or(progress.rest);
                resting.extend(rank.map(|rank| Rester { rank, ..me }));
            }
            let has_arrived = progress.at_goal.is_some() || progress.rest.is_some();
            if has_arrived || progress.arrived.is_some() {
                let arrives = progress.arrive(&field, here);
                let arrival = || field.arrived(crowd.entity(index)?, here, progress.at_goal.is_some());
                let event = arrives.then(arrival).flatten().map(FollowerEvent::Arrived);
                let shown = if has_arrived { PathStatus::Arrived } else { PathStatus::Following };
                show(&mut status, shown, event);
            } else if !matches!(*status, PathStatus::Following) {
                show(&mut status, PathStatus::Following, None);
            }
            let goal_velocity = if progress.rest.is_some() {
                GoalVelocity::new(Vec3::ZERO).with_end(body.position)
            } else if is_last {
                let limits = MotionLimits::new(agent.speed, dt).with_acceleration(agent.acceleration);
                let end = body.position + gap;
                GoalVelocity::new(arrive(body, end, &limits)).with_end(end)
            } else {
                GoalVelocity::new(gap.normalize_or_zero() * agent.speed)
            };
            let (mut active, mut stated) = goal;
            let (active, stated) = (active.bypass_change_detection(), stated.bypass_change_detection());
            state_goal(active, stated, GoalSource::Field, goal_velocity);
        }
        all_resting.lock().unwrap_or_else(PoisonError::into_inner).append(&mut resting);
    });
    drop(tables);
    *resters = Resters::new(all_resting.into_inner().unwrap_or_else(PoisonError::into_inner));
    let mut events = all_events.into_inner().unwrap_or_else(PoisonError::into_inner);
    events.sort_by_key(|(id, event)| (*id, event.entity().index_u32()));
    for (_, event) in events {
        match event {
            FollowerEvent::Arrived(event) => commands.trigger(event),
            FollowerEvent::Failed(entity, error) => failures.report(entity, names.get(entity).ok(), error),
        }
    }
}

impl FollowerEvent {
    const fn entity(&self) -> Entity {
        match self {
            Self::Arrived(event) => event.entity,
            Self::Failed(entity, _) => *entity,
        }
    }
}

impl FieldProgress {
    /// Whether the agent arrives now: it comes to the cell of a goal, or it rests beside the goal for the first time since
    /// it was farther off.
    fn arrive(&mut self, field: &FieldOnGrid, here: Vec2) -> bool {
        let (field, is_at_goal) = (field.id.entity, self.at_goal.is_some());
        self.arrived = self.arrived.filter(|arrived| {
            arrived.field == field && arrived.point.distance_squared(here) <= LEFT_GOAL * LEFT_GOAL
        });
        if let Some(arrived) = &mut self.arrived {
            arrived.is_at_goal &= is_at_goal;
        }
        let is_new = self.arrived.is_none_or(|arrived| is_at_goal && !arrived.is_at_goal);
        let arrives = is_new && (is_at_goal || self.rest.is_some());
        if arrives {
            self.arrived = Some(ArrivedAt { field, point: here, is_at_goal });
        }
        arrives
    }
}

/// Notes the event of an agent, out of the way of the many that have none.
#[cold]
fn note(all: &Mutex<Vec<(AgentId, FollowerEvent)>>, id: AgentId, event: Option<FollowerEvent>) {
    all.lock().unwrap_or_else(PoisonError::into_inner).extend(event.map(|event| (id, event)));
}

/// Whether an agent is [`SLOW`] along the vector to the point that it heads for.
fn is_slow(agent: &Agent, body: &Body, vector: Vec3) -> bool {
    body.velocity.dot(vector) < SLOW * agent.speed * vector.length()
}

#[derive(Clone, Copy)]
struct FieldOnGrid<'a> {
    id: FieldId,
    values: &'a FlowFieldValues,
    field: &'a DistanceField,
    grid: GridRef<'a>,
    corners: CornerRule,
}

impl FieldOnGrid<'_> {
    /// The event of an agent that arrives at a goal, or beside it, at a point of grid space.
    fn arrived(&self, entity: Entity, here: Vec2, is_at_goal: bool) -> Option<AgentArrived> {
        let cell = if is_at_goal { GridCell::containing(here) } else { self.values.nearest_goal(here)? };
        let distance = here.distance(cell.center()) * self.grid.place.cell_size();
        let arrival = if is_at_goal { Arrival::AtGoal } else { Arrival::BesideGoal { distance } };
        Some(AgentArrived { entity, goal: self.grid.above_ground(cell.center(), 0.0), arrival })
    }

    /// The vector from an agent to a point of grid space, in the world.
    fn vector_to(&self, point: Vec2, body: &Body) -> Vec3 {
        self.grid.place.flatten(self.grid.place.to_world(point, 0.0) - body.position)
    }

    /// Whether an agent on a cell has to look ahead again: it follows another field, the map was replaced or edited
    /// near it, it has entered another cell, or a look is due (`is_due`) and the goals of the field have changed or
    /// the agent is slow.
    fn is_outdated(&self, seen: &Seen, agent: &Agent, body: &Body, cell: GridCell, is_due: bool) -> bool {
        let (revision, reach) = (self.grid.nav.revision(), LOOK_AHEAD as i32);
        let is_edited = || self.grid.is_edited_near(seen.revision, agent.kind, cell, reach);
        let is_slow = |(next, _): (Vec2, bool)| is_slow(agent, body, self.vector_to(next, body));
        seen.field.entity != self.id.entity
            || seen.cell != cell
            || seen.map_id != self.grid.nav.map_id()
            || seen.revision != revision && is_edited()
            || is_due && (seen.field.version != self.id.version || seen.heading.is_none_or(is_slow))
    }

    /// What an agent sees from a point of a cell; `before` is what it saw when it last looked.
    fn look(&self, before: Option<&Seen>, shape: AgentShape, here: Vec2, cell: GridCell) -> Seen {
        let (map_id, revision) = (self.grid.nav.map_id(), self.grid.nav.revision());
        let steps = self.next_steps(before, cell);
        let heading = self.heading(shape, here, cell, &steps);
        Seen { field: self.id, cell, steps, map_id, revision, heading }
    }

    /// The [steps](Seen::steps) from a cell: those known from before, if the agent has made the first of them, and
    /// the rest from the field.
    fn next_steps(&self, before: Option<&Seen>, cell: GridCell) -> [Option<Direction>; LOOK_AHEAD + 1] {
        let (mut steps, mut known) = ([None; LOOK_AHEAD + 1], 0);
        let is_next = |seen: &&Seen| seen.steps[0].is_some_and(|step| seen.cell.step(step) == cell);
        if let Some(before) = before.filter(|seen| seen.field == self.id).filter(is_next) {
            steps[..LOOK_AHEAD].copy_from_slice(&before.steps[1..]);
            known = LOOK_AHEAD;
        }
        let mut at = cell;
        for (index, step) in steps.iter_mut().enumerate() {
            if index >= known {
                *step = self.field.direction(at);
            }
            let Some(step) = *step else { break };
            at = at.step(step);
        }
        steps
    }

    /// The point of grid space to head for: the centre of the farthest of the next cells that is in sight, and
    /// whether it is that of a goal. The next cell is taken even if its centre is not in sight, because neighbouring
    /// cells are near enough. `None` where no path leads to a goal.
    fn heading(
        &self,
        shape: AgentShape,
        here: Vec2,
        cell: GridCell,
        steps: &[Option<Direction>; LOOK_AHEAD + 1],
    ) -> Option<(Vec2, bool)> {
        let (mut cells, mut last) = ([cell; LOOK_AHEAD + 1], 0);
        while last < LOOK_AHEAD
            && let Some(step) = steps[last]
        {
            cells[last + 1] = cells[last].step(step);
            last += 1;
        }
        if last == 0 {
            return self.field.is_goal(cell).then_some((cell.center(), true));
        }
        // From anywhere in a cell, all cells are in sight to which the field leads straight along its row or column.
        let in_line = if self.has_free_lines(shape.kind) { in_line(&steps[..last]) } else { 0 }.max(1);
        let (grid, corners) = (self.grid.nav.grid(), self.corners);
        // The field may lead round an edge that costs something.
        let is_free =
            |to: Vec2| line_of_sight(grid, shape, corners, here, to) && grid.edge_cost(here, to) == 0.0;
        let is_free = |&index: &usize| is_free(cells[index].center());
        let farthest = (in_line + 1..=last).rev().find(is_free).unwrap_or(in_line);
        Some((cells[farthest].center(), steps[farthest].is_none()))
    }

    /// Whether a body of a kind keeps to its row or column wherever in a cell it begins: not a disc, which extends
    /// beyond the cell. The field has to be up to date with the grid.
    fn has_free_lines(&self, kind: KindId) -> bool {
        let grid = self.grid.nav.grid();
        let is_disc = grid.kind(kind).is_none_or(|kind| matches!(kind.size, AgentSize::Disc(_)));
        !is_disc && self.field.revision() == grid.revision()
    }
}

/// How many of the first steps are in one direction, along a row or a column.
fn in_line(steps: &[Option<Direction>]) -> usize {
    let first = steps.first().copied().flatten().filter(|step| !step.is_diagonal());
    steps.iter().take_while(|&&step| first.is_some() && step == first).count()
}
