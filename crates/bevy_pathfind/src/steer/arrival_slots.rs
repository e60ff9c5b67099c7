//! Arrival slots: cells round a goal, one per agent, so that the agents of a crowd that is sent to one point can all
//! stop.
//!
//! An agent that comes near the end of its path takes a slot: the cell of that end if it is free, else another free
//! cell of a goal that has several (any of some points, a range round a point), else one of the
//! [nearest free cells](NearestCells) round the end. Of the cells at most one cell farther from the end than the
//! nearest free one, it takes the one nearest to itself. First come, first served: the inner cells fill first, and
//! later agents do not have to pass through the ones that stand already. A slot is held as long as the
//! [ticket](crate::order) of the agent's request names it. [`ArrivalSlots`] only assigns cells; agents are led there
//! by [`help`](super::follower::help).
//!
//! Cells are counted from the end of the path that the search found, which lies where the agents can get: before a
//! shut door it is the door, and once the door is open it is the goal behind it.

use bevy::ecs::entity::EntityHashMap;
use bevy::platform::collections::{HashMap, HashSet};
use bevy::prelude::*;
use pathfind_core::{
    CornerRule, Goal, Grid, GridCell, KindId, NearestCells, PathQuery, SearchScratch, StepRules, solve,
};

use crate::agent::{Agent, AgentId};
use crate::order::{Reservation, SlotClaim};
use crate::world::{GridRef, Grids, TieOf};

/// How much farther from the goal than the nearest free cell a slot may lie if it is nearer to the agent, in cells:
/// one ring of cells, so that slots are filled ring by ring.
const RING_WIDTH: f32 = 1.0;
/// How many cells round a goal are searched for a slot, to bound the time and the memory. Not measured.
const MAX_CELLS: usize = 1 << 16;
/// After how many ticks the search for a free cell begins at the goal again, to find slots that agents have left. Not
/// measured.
const RESCAN_TICKS: u64 = 64;
/// After how many ticks without a search the cells round a goal may be forgotten, to bound the
/// memory. Not measured.
const FORGET_TICKS: u64 = 1024;

/// An agent that takes a slot, and the radius of its body, in cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Holder {
    pub(super) entity: Entity,
    pub(super) radius: f32,
}

/// The components of an agent that claims a cell from afar.
pub(super) type ClaimOwner =
    (Entity, &'static AgentId, &'static Agent, Option<&'static SlotClaim>, Option<&'static Reservation>);
pub(super) type Claiming = Or<(With<SlotClaim>, With<Reservation>)>;

/// Where the paths of a crowd end: a cell, for agents of one kind with one corner rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Destination {
    pub(super) grid: Entity,
    pub(super) cell: GridCell,
    pub(super) kind: KindId,
    pub(super) corners: CornerRule,
}

/// The cells round one destination.
struct GoalCells {
    nearest_cells: NearestCells,
    /// Map id and revision of the grid that `nearest_cells` are for.
    map: (u64, u64),
    /// Index into `nearest_cells`: all cells before it are held.
    first_free: usize,
    /// The tick in which `first_free` was last set back to the goal.
    checked: u64,
    /// The tick in which a slot was last asked for.
    used: u64,
    /// The distance from the goal to the farthest slot of those that adjoin it or one another, in cells.
    reach: f32,
}

/// The slots that agents hold, and for each goal the cells round it.
#[derive(Resource, Default)]
pub(crate) struct ArrivalSlots {
    goals: HashMap<Destination, GoalCells>,
    /// For each grid its map id, and the agent that holds each cell.
    held: EntityHashMap<(u64, HashMap<GridCell, Holder>)>,
    /// At least the radius of every holder, in cells.
    widest: f32,
    /// At least the reach of every goal, in cells.
    widest_reach: f32,
    /// How many entries the last clean-up left; the next is due at twice as many, but not below 512.
    entries_left: usize,
}

impl ArrivalSlots {
    /// How far the slots round a goal reach, in cells.
    pub(super) fn reach(&self, goal: &Destination) -> f32 {
        self.goals.get(goal).map_or(0.0, |goal_cells| goal_cells.reach)
    }

    /// At least the reach of every goal, in cells.
    pub(super) const fn widest_reach(&self) -> f32 {
        self.widest_reach
    }

    /// Takes a slot for an agent that is `here`; `None` if no cell is free. `places` are the cells of its goal, one of
    /// which is that of the destination if a path leads to the goal. An agent that cannot get to its slot `but` takes
    /// another place of its goal, if one is free. `holds` says whether an agent still holds a slot that it took.
    pub(super) fn take(
        &mut self,
        (goal, places): (Destination, &Goal),
        grid: &GridRef,
        (holder, here, but): (Holder, Vec2, Option<GridCell>),
        tick: u64,
        holds: impl Fn(Entity, GridCell) -> bool,
    ) -> Option<GridCell> {
        let map = (grid.nav.map_id(), grid.nav.revision());
        let cells = grid.nav.grid();
        self.forget(tick, &holds);
        self.widest = self.widest.max(holder.radius);
        let widest = self.widest;
        let held = held_on(&mut self.held, grid);
        let is_free = |cell| Some(cell) != but && is_free(held, cell, holder, widest, &holds);
        let goal_cells = self.goals.entry(goal).or_insert_with(|| GoalCells::new(goal, map, tick));
        goal_cells.refresh(goal, map, tick);
        goal_cells.nearest_cells.begin_at(cells, goal.cell);
        let mut nearest = |range: [f32; 2], is_place: &dyn Fn(GridCell) -> bool| {
            goal_cells.nearest(cells, (goal.cell, range), here, is_free, is_place)
        };
        let place = match places {
            _ if is_free(goal.cell) => Some(goal.cell),
            Goal::AnyOf(others) => {
                let steps = StepRules::eight(goal.corners);
                let leads_to = |cell| {
                    let query = PathQuery::new(goal.cell, cell).with_kind(goal.kind).with_steps(steps);
                    solve(cells, &query.with_partial(false), &mut SearchScratch::default()).is_ok()
                };
                let is_open = |&cell: &GridCell| {
                    is_free(cell)
                        && cells.connected(goal.kind, steps, cell, goal.cell)
                        && (!cells.has_edges() || leads_to(cell))
                };
                let squared = |cell: &GridCell| cell.center().distance_squared(here);
                others.iter().copied().filter(is_open).min_by(|a, b| squared(a).total_cmp(&squared(b)))
            }
            Goal::Within { center, radius } => {
                let limit = radius + goal.cell.center().distance(center.center());
                let ring = if but.is_some() { limit } else { RING_WIDTH };
                nearest([limit, ring], &|cell| is_place(places, cell))
            }
            _ => None,
        };
        let slot = match place {
            Some(place) => place,
            None if but.is_some() => return None,
            None => {
                let slot = nearest([f32::INFINITY, RING_WIDTH], &|_| true)?;
                goal_cells.reach = goal_cells.reach.max(slot.center().distance(goal.cell.center()));
                slot
            }
        };
        self.widest_reach = self.widest_reach.max(goal_cells.reach);
        held.insert(slot, holder);
        Some(slot)
    }

    /// Takes the cell that an agent stands on; returns `false`, without taking it, if another agent holds a slot too
    /// near to it.
    pub(super) fn take_here(
        &mut self,
        grid: &GridRef,
        holder: Holder,
        cell: GridCell,
        holds: impl Fn(Entity, GridCell) -> bool,
    ) -> bool {
        let held = held_on(&mut self.held, grid);
        let is_free = is_free(held, cell, holder, self.widest.max(holder.radius), &holds);
        if is_free {
            self.widest = self.widest.max(holder.radius);
            held.insert(cell, holder);
        }
        is_free
    }

    /// Notes the cells that agents have [reserved](Reservation) or claim at [targets](SlotClaim), and returns them with their
    /// agents. A cell that another agent has taken stays that agent's.
    pub(super) fn note_claims(
        &mut self,
        claims: &Query<ClaimOwner, Claiming>,
        grids: &Grids,
        holds: impl Fn(Entity, GridCell) -> bool,
    ) -> HashSet<(Entity, GridCell)> {
        let mut claimed = HashSet::default();
        let mut all: Vec<_> = claims.iter().collect();
        all.sort_unstable_by_key(|&(entity, id, ..)| (*id, entity.index_u32()));
        for (entity, _, agent, claim, reservation) in all {
            let reserved = reservation.filter(|it| it.is_granted).map(|it| it.at);
            for at in reserved.into_iter().chain(claim.map(|claim| claim.point)) {
                let Ok(grid) = grids.of(TieOf::default(), at) else { continue };
                let (cell, radius) = (grid.cell(at), agent.valid_radius() / grid.place.cell_size());
                let held = held_on(&mut self.held, &grid);
                let is_held = |other: &Holder| {
                    other.entity != entity
                        && (holds(other.entity, cell) || claimed.contains(&(other.entity, cell)))
                };
                if !held.get(&cell).is_some_and(is_held) {
                    held.insert(cell, Holder { entity, radius });
                    self.widest = self.widest.max(radius);
                    claimed.insert((entity, cell));
                }
            }
        }
        claimed
    }

    /// Removes goals that no agent has come to for a while, and slots that agents have left, once there are many
    /// entries.
    fn forget(&mut self, tick: u64, holds: &impl Fn(Entity, GridCell) -> bool) {
        let count =
            |slots: &Self| slots.goals.len() + slots.held.values().map(|(_, held)| held.len()).sum::<usize>();
        if count(self) < 2 * self.entries_left.max(256) {
            return;
        }
        self.goals.retain(|_, goal_cells| goal_cells.used + FORGET_TICKS > tick);
        for (_, held) in self.held.values_mut() {
            held.retain(|&cell, holder| holds(holder.entity, cell));
        }
        self.held.retain(|_, (_, held)| !held.is_empty());
        let holders = self.held.values().flat_map(|(_, held)| held.values());
        self.widest = holders.map(|holder| holder.radius).fold(0.0, f32::max);
        self.widest_reach = self.goals.values().map(|goal_cells| goal_cells.reach).fold(0.0, f32::max);
        self.entries_left = count(self);
    }
}

/// The holder of each slot on a grid. If the cells of the grid have moved, the slots are moved with them.
fn held_on<'a>(
    held: &'a mut EntityHashMap<(u64, HashMap<GridCell, Holder>)>,
    grid: &GridRef,
) -> &'a mut HashMap<GridCell, Holder> {
    let now = grid.nav.map_id();
    let (map_id, held) = held.entry(grid.entity).or_insert_with(|| (now, HashMap::default()));
    let before = core::mem::replace(map_id, now);
    if before != now
        && let Some(by) = grid.nav.moved_by(before)
    {
        let shift = |cell: GridCell| GridCell::new(cell.x + by.x, cell.y + by.y);
        *held = held.drain().map(|(cell, holder)| (shift(cell), holder)).collect();
    }
    held
}

/// Whether a cell is free for an agent: its body there would not overlap those of agents on their slots.
fn is_free(
    held: &HashMap<GridCell, Holder>,
    cell: GridCell,
    holder: Holder,
    widest: f32,
    holds: &impl Fn(Entity, GridCell) -> bool,
) -> bool {
    let reach = min_cells_apart(holder.radius, widest) - 1;
    (-reach..=reach).flat_map(|y| (-reach..=reach).map(move |x| (x, y))).all(|(x, y)| {
        let near = GridCell::new(cell.x + x, cell.y + y);
        held.get(&near).is_none_or(|other| {
            other.entity == holder.entity
                || x.abs().max(y.abs()) >= min_cells_apart(holder.radius, other.radius)
                || !holds(other.entity, near)
        })
    })
}

/// Whether a cell is one of a goal.
pub(super) fn is_place(goal: &Goal, cell: GridCell) -> bool {
    match goal {
        Goal::GridCell(only) => cell == *only,
        Goal::AnyOf(cells) => cells.contains(&cell),
        Goal::Within { center, radius } => cell.center().distance(center.center()) <= *radius,
        _ => false,
    }
}

/// How many cells apart two bodies with these radii, in cells, have to stand along one axis.
fn min_cells_apart(a: f32, b: f32) -> i32 {
    // 0.01 cells of overlap are allowed, so that bodies with a radius of half a cell stand on adjacent cells. At most
    // 16, to bound the search: very wide bodies may overlap.
    ((a + b - 0.01).ceil() as i32).clamp(1, 16)
}

impl GoalCells {
    fn new(goal: Destination, map: (u64, u64), tick: u64) -> Self {
        let nearest_cells = NearestCells::new(goal.kind, StepRules::eight(goal.corners), goal.cell);
        Self { nearest_cells, map, first_free: 0, checked: tick, used: tick, reach: 0.0 }
    }

    /// Begins anew if the grid has changed, and sets the search back to the goal every [`RESCAN_TICKS`] ticks.
    fn refresh(&mut self, goal: Destination, map: (u64, u64), tick: u64) {
        if self.map != map {
            *self = Self::new(goal, map, tick);
        }
        if self.checked + RESCAN_TICKS <= tick {
            (self.first_free, self.checked, self.reach) = (0, tick, 0.0);
        }
        self.used = tick;
    }

    /// Of the free places at most `limit` from the goal, and at most `ring` farther than the nearest free one, the
    /// nearest to an agent.
    fn nearest(
        &mut self,
        grid: &Grid,
        (goal, [mut limit, ring]): (GridCell, [f32; 2]),
        here: Vec2,
        is_free: impl Fn(GridCell) -> bool,
        is_place: impl Fn(GridCell) -> bool,
    ) -> Option<GridCell> {
        let mut best: Option<(f32, GridCell)> = None;
        // How far the crowd may reach: a ring beyond the nearest free cell.
        let mut crowd = f32::INFINITY;
        for index in self.first_free..MAX_CELLS {
            let Some(cell) = self.nearest_cells.get(grid, index) else { break };
            let from_goal = cell.center().distance(goal.center());
            if from_goal > limit {
                break;
            }
            if !is_free(cell) {
                if from_goal <= crowd {
                    self.reach = self.reach.max(from_goal);
                }
                continue;
            }
            if crowd == f32::INFINITY {
                (self.first_free, crowd) = (index, from_goal + RING_WIDTH);
            }
            if !is_place(cell) {
                continue;
            }
            if best.is_none() {
                limit = limit.min(from_goal + ring);
            }
            let squared = cell.center().distance_squared(here);
            if best.is_none_or(|(shortest, _)| squared < shortest) {
                best = Some((squared, cell));
            }
        }
        best.map(|(_, cell)| cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{GridTransform, NavGrid};

    const GRID: Entity = Entity::PLACEHOLDER;

    fn take_all(map: &str, end: (i32, i32), radius: f32, count: usize) -> Vec<GridCell> {
        take_places(map, end, &Goal::GridCell(end.into()), radius, count)
    }

    fn take_places(map: &str, end: (i32, i32), places: &Goal, radius: f32, count: usize) -> Vec<GridCell> {
        let (nav, place) = (NavGrid::new(Grid::from_ascii(map).unwrap()), GridTransform::default());
        let grid = GridRef { entity: GRID, nav: &nav, place: &place, speed: None };
        let (kind, corners) = (KindId::default(), CornerRule::Never);
        let goal = Destination { grid: GRID, cell: end.into(), kind, corners };
        let mut world = World::new();
        let mut arrival_slots = ArrivalSlots::default();
        let here = Vec2::new(0.5, 0.5);
        let holders = (0..count).map(|_| Holder { entity: world.spawn_empty().id(), radius });
        let ask = |holder| arrival_slots.take((goal, places), &grid, (holder, here, None), 0, |_, _| true);
        holders.filter_map(ask).collect()
    }

    #[test]
    fn the_first_gets_the_goal_and_the_others_what_lies_round_it() {
        let taken = take_all(".....\n.....\n.....\n.....", (2, 1), 0.4, 5);
        assert_eq!(taken[0], GridCell::new(2, 1), "the first comes to the goal");
        // The cells beside the goal are free to the last, and no slot lies more than one cell farther out.
        assert!(taken[1..].iter().all(|cell| cell.distance_squared(taken[0]) <= 4), "{taken:?}");
        let mut sorted = taken.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), 5, "no two share a slot");
    }

    #[test]
    fn wide_bodies_stand_apart() {
        let taken = take_all("......\n......\n......\n......\n......", (2, 2), 0.9, 4);
        assert_eq!(taken.len(), 4, "four fit");
        for (i, a) in taken.iter().enumerate() {
            for b in &taken[..i] {
                assert!((a.x - b.x).abs().max((a.y - b.y).abs()) >= 2, "{a} and {b} are apart");
            }
        }
    }

    #[test]
    fn when_no_cell_is_free_there_is_no_slot() {
        assert_eq!(take_all("..#.", (0, 0), 0.4, 5).len(), 2, "two cells, two slots");
    }

    #[test]
    fn free_places_of_the_goal_come_before_what_lies_round_its_end() {
        let map = "........\n........\n...##...\n...##...\n........\n.#####..\n.#...#..\n.#####..";
        let any: Vec<GridCell> = [(1, 1), (6, 4), (3, 6), (3, 2), (7, 7)].map(GridCell::from).into();
        let taken = take_places(map, (1, 1), &Goal::AnyOf(any.clone()), 0.4, 5);
        assert_eq!(taken[..3], [any[0], any[1], any[4]], "not the sealed one, nor the one in a wall");
        assert!(
            taken[3..].iter().all(|cell| cell.distance_squared(any[0]) <= 2),
            "then round the end: {taken:?}"
        );
        let center = GridCell::new(3, 2);
        let within = take_places(map, (2, 1), &Goal::Within { center, radius: 2.0 }, 0.4, 12);
        let near = |cell: &GridCell| cell.distance_squared(center) <= 4;
        assert!(
            within[..9].iter().all(near) && !within[9..].iter().any(near),
            "nine are in range: {within:?}"
        );
    }
}
