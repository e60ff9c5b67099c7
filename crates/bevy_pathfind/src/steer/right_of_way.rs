//! Right of way: on a stretch of ground where two bodies do not fit side by side, agents on paths go one way at a time.
//!
//! An agent that comes near such a [stretch](pathfind_core::corridor) of its path asks for all of it, up to the next
//! ground with room to wait: all or nothing, so that agents in two stretches never wait for each other. It gets the
//! right of way if no agent that has it goes against it there. An agent whose turn has not come for a while reserves
//! the stretch: those who would go against it get no right of way any more, and when the stretch is clear its turn
//! has come. So turns are as long as the patience of those who wait, whatever the number of those who go.
//!
//! An agent without right of way waits at a cell beside the mouth: one from which it sees the mouth, and through which
//! no path of those who come out leads. Agents with right of way go in file: each no faster than the gap to the body
//! ahead of it allows. They do not avoid others; the others avoid them.
//!
//! [`follow`](super::follower::follow) collects the agents that are near a stretch. [`give_way`] decides, and leaves its
//! decision in [`Passage`], which `follow` obeys in the next tick.

mod claims;
mod file;

use bevy::ecs::entity::EntityHashMap;
use bevy::prelude::*;
use pathfind_core::corridor::{Stretch, StretchCell, StretchRule, is_narrow, next_stretch};
use pathfind_core::steer::follow::braking_speed;
use pathfind_core::{AgentSize, GridCell, NearestCells, StepRules, cast_ray, line_of_sight};

use super::follower::FollowState;
use crate::agent::{Agent, AgentId};
use crate::order::{NavPath, PathStatus, Ticket, nearest_on};
use crate::world::{GridRef, Grids};
use claims::{Claims, Turn};
use file::{File, InFile};

/// How far before a stretch an agent asks for it, beside its braking distance, in cells: there is room for a crowd to
/// wait within. Not measured.
const ASK_DISTANCE: f32 = 4.0;
/// How far ahead on its path an agent looks for a stretch at a time, in cells. Not measured.
const HORIZON: f32 = 24.0;
/// How many cells of connected ground are room to wait. In a smaller pocket the agents that wait would block those that
/// pass. Not measured.
const ROOM: usize = 16;
/// How many cells of the path behind a stretch are kept free by those who wait. Not measured.
const APRON: usize = 6;
/// How many cells round the mouth are searched for one to wait at, to bound the time. Not measured.
const MAX_CELLS: usize = 192;
/// How far before the mouth the agents with right of way gather, in cells: the middle of the last cell with room.
const GATE_DISTANCE: f32 = 0.5;
/// From how far before the mouth agents go in file, in cells: where several come from all sides, the nearest goes first.
const FILE_DISTANCE: f32 = 2.0;
/// The time that an agent in file keeps from the body ahead of it, in seconds: the time gap of the collision-free speed
/// model (A. Tordeux et al., 2016). Measured at half and at twice that: 80 discs of radius 0.45 leave by a door of one
/// cell in 42 and 44 s (now 40 s).
const TIME_GAP: f32 = 0.05;
/// After how long an agent that waits reserves the stretch, beside the time that it takes to pass it, in seconds.
const PATIENCE: f32 = 2.0;
/// After how long without progress an agent that has not entered yet loses its right of way, and an agent in the
/// stretch the right that others keep out, in seconds. Not measured.
const MAX_STANDSTILL: f32 = 6.0;
/// By how much less has to be left of the path for that to count as progress, in cells.
const MIN_PROGRESS: f32 = 0.05;
/// How far ahead the cell is at least that an agent in file heads for, in cells.
const LEAST_AHEAD: f32 = 0.3;
/// An agent farther than this from the leg of its path goes to the mouth first, in cells.
const BESIDE: f32 = 0.25;

/// What an agent has to do at a stretch; part of the state of following.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Passage {
    /// The length of path left at which the agent comes near the next stretch, in cells: infinity if the path has not
    /// been looked at, below 0 if there is none.
    pub(super) due: f32,
    /// A point to head for instead of the next waypoint, in grid space.
    pub(super) target: Option<Vec2>,
    /// The greatest speed allowed, in cells per second.
    pub(super) speed: f32,
    /// Whether it waits for its turn.
    pub(super) waits: bool,
    /// Whether it goes in file.
    pub(super) is_in_file: bool,
}

impl Default for Passage {
    fn default() -> Self {
        Self::due(f32::INFINITY)
    }
}

impl Passage {
    /// Nothing to do until so much of the path is left, in cells.
    const fn due(due: f32) -> Self {
        Self { due, target: None, speed: f32::INFINITY, waits: false, is_in_file: false }
    }
}

/// An agent that may be near a stretch: its rank among those that ask, by the number of its request and its id.
pub(super) type NearStretch = ((u64, AgentId), Entity, Vec2);

/// The agents that may be near stretches in this tick, and where they are in grid space.
#[derive(Resource, Default)]
pub(super) struct NearStretches(pub(super) Vec<NearStretch>);

/// The agents at stretches: who goes, and who waits.
#[derive(Resource, Default)]
pub(super) struct RightOfWay {
    claims: Claims,
    requests: EntityHashMap<StretchRequest>,
}

/// An agent that has asked for a stretch of its path.
#[derive(Debug)]
struct StretchRequest {
    version: Version,
    stretch: Stretch,
    turn: Turn,
    rank: (u64, AgentId),
    /// For how long it has waited, in seconds.
    waited: f32,
    /// Where it waits, in grid space.
    slot: Option<Vec2>,
    /// The point of its path before the mouth.
    gate: Vec2,
    /// The radius of its body, in cells.
    radius: f32,
    /// The side of the square in which two of its size fit side by side, in cells.
    side: u32,
    /// How far before the stretch it has asked at most, in cells.
    asked_at: f32,
    /// The length of path left, the least of it so far, and for how long no less is left, in cells and seconds.
    left: f32,
    least: f32,
    standstill: f32,
    /// Whether the agent has come near the stretch in this tick, too.
    is_present: bool,
}

/// The grid, the lineage and revision of its map, and the tick in which the path changed last: a stretch is that of one
/// path on one map.
type Version = (Entity, u64, u64, u32);

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
    mut near: ResMut<NearStretches>,
    mut right_of_way: ResMut<RightOfWay>,
    (grids, time): (Grids, Res<Time>),
) {
    let RightOfWay { claims, requests } = &mut *right_of_way;
    if near.0.is_empty() && requests.is_empty() {
        return;
    }
    let dt = time.delta_secs();
    near.0.sort_unstable_by_key(|&(rank, entity, _)| (rank, entity.index_u32()));
    requests.values_mut().for_each(|request| request.is_present = false);
    for &(rank, entity, here) in &near.0 {
        let Ok((agent, path, mut state, ..)) = agents.get_mut(entity) else { continue };
        let Some(grid) = grids.get(path.grid()) else { continue };
        let version = (grid.entity, grid.nav.lineage(), grid.nav.revision(), path.last_changed().get());
        let old = match requests.get_mut(&entity) {
            Some(old) if old.version == version => {
                if old.advance(length_left(&path, here), dt, claims) {
                    continue;
                }
                requests.remove(&entity)
            }
            _ => requests.remove(&entity),
        };
        if let Some(old) = &old {
            claims.release(version.0, &old.stretch, old.turn);
        }
        match StretchRequest::of(&grid, &path, agent, here) {
            Ok(request) => {
                let mut request = StretchRequest { version, rank, ..request };
                request.take_over(old.as_ref(), claims);
                requests.insert(entity, request);
            }
            Err(due) => *state.passage_mut() = Passage::due(due),
        }
    }
    requests.retain(|_, request| {
        if !request.is_present {
            claims.release(request.version.0, &request.stretch, request.turn);
        }
        request.is_present
    });
    let mut waiting: Vec<_> = requests.iter_mut().filter(|(_, request)| request.waits()).collect();
    waiting.sort_by(|(_, a), (_, b)| b.waited.total_cmp(&a.waited).then(a.rank.cmp(&b.rank)));
    for (&entity, request) in waiting {
        let speed = agents.get(entity).map_or(0.0, |it| it.0.speed);
        request.take_turn(speed, dt, claims);
    }
    let file = File::new(near.0.iter().filter_map(|&(_, entity, here)| {
        let request = requests.get(&entity).filter(|request| request.is_in_file())?;
        let (_, path, ..) = agents.get(entity).ok()?;
        Some(InFile::new(entity, request, here, path.remaining_points()))
    }));
    for &(_, entity, here) in &near.0 {
        let Ok((agent, path, mut state, mut status, ticket)) = agents.get_mut(entity) else { continue };
        let (Some(grid), Some(request)) = (grids.get(path.grid()), requests.get(&entity)) else { continue };
        if request.waits() && request.slot.is_none() {
            let slot = waiting_slot(&grid, &path, request, requests, claims);
            requests.get_mut(&entity).expect("it was there above").slot = slot;
        }
        let Some(request) = requests.get(&entity) else { continue };
        let speeds = [agent.speed, agent.acceleration].map(|value| value / grid.place.cell_size());
        *state.passage_mut() = request.passage(&grid, (&path, here), speeds, file.gap_of(entity), dt);
        let (before, now) = match request.waits() {
            true => (PathStatus::Following, PathStatus::Yielding),
            false => (PathStatus::Yielding, PathStatus::Following),
        };
        if *status == before && ticket.has_answer() {
            *status = now;
        }
    }
    near.0.clear();
}

impl StretchRequest {
    /// Asks for the next stretch of a path. If none is near: the length of path left at which to look again; below 0 if
    /// no stretch is ahead.
    fn of(grid: &GridRef, path: &NavPath, agent: &Agent, here: Vec2) -> Result<Self, f32> {
        const NONE: f32 = -1.0;
        let cells = grid.nav.grid();
        let size = cells.kind(path.kind()).map(|kind| kind.size);
        let own_radius = agent.radius.max(0.0) / grid.place.cell_size();
        // Two discs keep their bodies out of walls; of others only the centres stay on the ground.
        let (radius, side) = match size {
            Some(AgentSize::Disc(disc)) if disc > 0.0 => (own_radius.max(disc), 4.0 * own_radius.max(disc)),
            _ => (own_radius, 2.0 * own_radius),
        };
        // Bodies may overlap by as much as rounding.
        let side = (side - 0.01).ceil().max(0.0) as u32;
        if side < 2 {
            return Err(NONE);
        }
        let left = length_left(path, here);
        let [speed, acceleration] = [agent.speed, agent.acceleration].map(|it| it / grid.place.cell_size());
        let ask = ASK_DISTANCE + speed * speed / (2.0 * acceleration);
        let points: Vec<Vec2> =
            core::iter::once(here).chain(path.remaining_points().iter().copied()).collect();
        let rule = StretchRule { side, room: ROOM, horizon: HORIZON.max(ask), apron: APRON };
        let Some(stretch) = next_stretch(cells, path.kind(), rule, &points) else {
            return Err(if left <= rule.horizon { NONE } else { left - rule.horizon + ask });
        };
        if left - stretch.entry > ask {
            return Err(stretch.entry + ask);
        }
        let gate = point_before(&points, left - stretch.entry - GATE_DISTANCE);
        Ok(Self {
            version: (grid.entity, 0, 0, 0),
            stretch,
            turn: Turn::Waits,
            rank: (0, AgentId::default()),
            waited: 0.0,
            slot: None,
            gate,
            radius,
            side,
            asked_at: ask,
            left,
            least: left,
            standstill: 0.0,
            is_present: true,
        })
    }

    /// Takes over what an older request of the agent for the same stretch has reached. An agent that is in its stretch
    /// already has nowhere to wait: it goes.
    fn take_over(&mut self, old: Option<&Self>, claims: &mut Claims) {
        let old = old.filter(|old| old.exit() == self.exit());
        if let Some(old) = old {
            (self.waited, self.slot, self.standstill) = (old.waited, old.slot, old.standstill);
        }
        let had_turn = old.is_some_and(|old| matches!(old.turn, Turn::Goes { .. }));
        if had_turn || self.is_inside() {
            self.turn = claims.grant(self.version.0, &self.stretch, self.turn);
        }
    }

    /// The last cell of the stretch.
    fn exit(&self) -> Option<GridCell> {
        self.stretch.cells.last().map(|step| step.cell)
    }

    const fn waits(&self) -> bool {
        matches!(self.turn, Turn::Waits | Turn::Reserved)
    }

    /// Whether the body is in the stretch.
    fn is_inside(&self) -> bool {
        self.left - self.stretch.entry <= self.radius
    }

    fn is_in_file(&self) -> bool {
        !self.waits() && self.left - self.stretch.entry <= FILE_DISTANCE.max(4.0 * self.radius)
    }

    /// Notes how much of the path is left, and gives back the cells that the body has left. Returns whether it has not
    /// left all of them.
    fn advance(&mut self, left: f32, dt: f32, claims: &mut Claims) -> bool {
        (self.left, self.is_present) = (left, true);
        self.standstill += dt;
        if left < self.least - MIN_PROGRESS || left > self.least + ASK_DISTANCE {
            (self.least, self.standstill) = (left, 0.0);
        }
        let Turn::Goes { passed } = self.turn else {
            // One that was pushed away asks anew.
            return (self.stretch.exit..self.stretch.entry + 2.0 * self.asked_at).contains(&left);
        };
        if self.standstill > MAX_STANDSTILL {
            claims.release(self.version.0, &self.stretch, self.turn);
            (self.waited, self.standstill) = (0.0, 0.0);
            self.turn = if self.is_inside() { Turn::Stuck } else { Turn::Waits };
            return true;
        }
        let behind =
            self.stretch.cells[passed..].iter().take_while(|step| left + self.radius < step.left).count();
        if behind > 0 {
            self.turn = claims.give_back(self.version.0, &self.stretch, passed, passed + behind);
        }
        passed + behind < self.stretch.cells.len()
    }

    /// Takes its turn, if no agent is in the way; reserves the stretch if it has waited too long.
    fn take_turn(&mut self, speed: f32, dt: f32, claims: &mut Claims) {
        let grid = self.version.0;
        if claims.is_free(grid, &self.stretch, self.turn) {
            self.turn = claims.grant(grid, &self.stretch, self.turn);
            self.standstill = 0.0;
            return;
        }
        self.waited += dt;
        let patience = PATIENCE + (self.stretch.entry - self.stretch.exit) / speed.max(f32::MIN_POSITIVE);
        if self.turn == Turn::Waits && self.waited > patience {
            self.turn = claims.reserve(grid, &self.stretch);
        }
    }

    /// What the agent has to do in the next tick. `speeds` are its top speed and acceleration in cells, `gap` how far it
    /// may go until it touches the body ahead of it in its file.
    fn passage(
        &self,
        grid: &GridRef,
        (path, here): (&NavPath, Vec2),
        [top, acceleration]: [f32; 2],
        gap: Option<f32>,
        dt: f32,
    ) -> Passage {
        let sees = |to| line_of_sight(grid.nav.grid(), path.kind(), path.corners(), here, to);
        let braking = |distance: f32| braking_speed(distance, acceleration, dt, 0.0);
        let mut passage = Passage::default();
        if self.waits() {
            passage.waits = true;
            passage.target = self.slot.filter(|&slot| sees(slot));
            passage.speed = match passage.target {
                Some(slot) => braking(here.distance(slot)),
                None => braking(self.left - self.stretch.entry - GATE_DISTANCE),
            };
            return passage;
        }
        passage.is_in_file = self.is_in_file() && self.turn != Turn::Stuck;
        passage.target = self.point_ahead(grid, path, here).or_else(|| {
            let is_beside = |(from, to): (Vec2, Vec2)| {
                here.distance_squared(nearest_on(from, to, here)) > BESIDE * BESIDE
            };
            let goes_in = !self.is_inside() && path.leg().is_some_and(is_beside) && sees(self.gate);
            goes_in.then_some(self.gate)
        });
        if let Some(gap) = gap {
            passage.speed = top.min(gap / TIME_GAP).min(braking(gap));
        }
        passage
    }
}

impl StretchRequest {
    /// The centre of the cell of the stretch that an agent in file goes to next, if it is in sight of the agent's centre:
    /// at a mouth as wide as the body the walls guide the body in, from whichever side it comes.
    fn point_ahead(&self, grid: &GridRef, path: &NavPath, here: Vec2) -> Option<Vec2> {
        let Turn::Goes { passed } = self.turn else { return None };
        let ahead = self.is_in_file().then(|| self.stretch.cells.get(passed..)).flatten()?;
        let from = |step: &StretchCell| here.distance_squared(step.cell.center());
        let nearest = (0..ahead.len().min(3)).min_by(|&a, &b| from(&ahead[a]).total_cmp(&from(&ahead[b])))?;
        let is_ahead = |step: &&StretchCell| (step.cell.center() - here).dot(step.direction) > LEAST_AHEAD;
        let mut point = ahead[nearest..].iter().find(is_ahead)?.cell.center();
        if !self.is_inside() {
            // First to the line through the mouth: straight at the cell it would rub along the wall beside the mouth.
            let on_line = nearest_on(self.gate, point, here);
            point = on_line + (point - on_line).clamp_length_max(LEAST_AHEAD);
        }
        cast_ray(grid.nav.grid(), path.kind(), here, point).is_none().then_some(point)
    }
}

/// A cell beside the mouth of a stretch for an agent to wait at: the nearest that sees the mouth, where it is in nobody's
/// way.
fn waiting_slot(
    grid: &GridRef,
    path: &NavPath,
    own: &StretchRequest,
    requests: &EntityHashMap<StretchRequest>,
    claims: &Claims,
) -> Option<Vec2> {
    let (cells, kind, corners) = (grid.nav.grid(), path.kind(), path.corners());
    let gate = GridCell::containing(own.gate);
    let mut nearest = NearestCells::new(kind, StepRules::eight(corners), gate);
    nearest.begin_at(cells, gate);
    // Those who come out first go straight on.
    let out = own.stretch.cells.first().map_or(Vec2::ZERO, |step| -step.direction);
    let is_before_mouth = |at: Vec2| {
        let by = at - own.gate;
        by.dot(out) > -GATE_DISTANCE && by.perp_dot(out).abs() < 2.0 * own.radius + BESIDE
    };
    let is_taken = |at: Vec2| {
        requests.values().any(|other| {
            let apart = own.radius + other.radius;
            other.version.0 == grid.entity
                && (other.slot.is_some_and(|slot| slot.distance_squared(at) < apart * apart * 0.99))
        })
    };
    (1..MAX_CELLS).map_while(|index| nearest.get(cells, index)).find_map(|cell| {
        let at = cell.center();
        let is_free = !is_narrow(cells, kind, own.side, cell)
            && !claims.is_way_out(grid.entity, cell)
            && !is_before_mouth(at)
            && !is_taken(at)
            && line_of_sight(cells, kind, corners, at, own.gate);
        is_free.then_some(at)
    })
}

/// How much of a path is left for an agent at a point of grid space, in cells.
fn length_left(path: &NavPath, here: Vec2) -> f32 {
    let mut at = here;
    path.remaining_points().iter().map(|&next| core::mem::replace(&mut at, next).distance(next)).sum()
}

/// The point at a distance from the first of some points, along their line; the first for a distance below 0.
fn point_before(points: &[Vec2], mut distance: f32) -> Vec2 {
    for leg in points.windows(2) {
        let length = leg[0].distance(leg[1]);
        if distance <= length {
            return leg[0] + (leg[1] - leg[0]).normalize_or_zero() * distance.max(0.0);
        }
        distance -= length;
    }
    points.last().copied().unwrap_or_default()
}
