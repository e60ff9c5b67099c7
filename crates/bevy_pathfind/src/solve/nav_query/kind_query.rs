//! The questions of a game about the ground for one kind of agent.

use std::collections::BTreeMap;

use bevy::prelude::*;
use pathfind_core::corridor::{Chokepoint, chokepoints};
use pathfind_core::{DistanceField, GridCell, KindId, NearestCells, Outcome, cast_ray};

use super::NavQuery;
use crate::agent::AgentBody;
use crate::order::{
    CellRequest, FoundCell, FoundPath, KnownPath, NavGoal, PathError, SearchHandle, StepRules,
};
use crate::solve::JobRun;
use crate::solve::cell_input::CellAsker;
use crate::solve::search_input::SearchInput;
use crate::solve::search_queue::{Recipient, SearchJob};
use crate::solve::snapshot::Asked;
use crate::world::{GridRef, TieOf};

/// The questions of a [`NavQuery`] for one kind of agent.
#[derive(Debug, Clone, Copy)]
pub struct KindQuery<'a> {
    pub(super) nav: &'a NavQuery<'a, 'a>,
    pub(super) kind: KindId,
}

/// A path that a [`NavQuery`] has found.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RouteFound {
    /// Start, turning points and end, in world space on the ground. Where the path leads over a link, both ends of the
    /// link.
    pub points: Vec<Vec3>,
    /// The length, in world units. A link counts as long as the straight line between its ends.
    pub length: f32,
    /// The cost, 1 for a straight step where terrain costs 1; links included.
    pub cost: f64,
    /// Whether it ends at the goal. If not, it ends as near to the goal as there is a way.
    pub is_complete: bool,
}

/// A narrow place of a path that a [`NavQuery`] has found: a line across it from wall to wall.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ChokepointFound {
    /// The centres of its cells, from one end to the other, in world space on the ground.
    pub points: Vec<Vec3>,
    /// Whether walls on these cells would leave no way on their grid between the ends of the path there.
    pub is_cut: bool,
}

/// A point with its index.
type NumberedPoint = (usize, Vec3);

/// The first of the places that are nearest to a point, in a straight line.
fn nearest_place(places: &[NumberedPoint], to: Vec3) -> Option<NumberedPoint> {
    let squared = |&&(_, at): &&NumberedPoint| at.distance_squared(to);
    places.iter().min_by(|a, b| squared(a).total_cmp(&squared(b))).copied()
}

impl<'a> KindQuery<'a> {
    /// Whether an agent of the kind may stand at a point of the world; not off all grids.
    #[must_use]
    pub fn is_walkable(&self, point: Vec3) -> bool {
        self.nav.on(point).is_some_and(|(grid, cell)| grid.nav.grid().is_walkable(self.kind, cell))
    }

    /// Whether nothing blocks the view between two points of the world: no cell between them is blocked for the kind.
    /// For windows and low walls add a kind of agent for eyes, whose costs let them pass. False for points on different
    /// floors, off all grids or not finite.
    #[must_use]
    pub fn sees(&self, from: Vec3, to: Vec3) -> bool {
        self.view(from, to)
            .is_some_and(|(grid, from, to)| cast_ray(grid.nav.grid(), self.kind, from, to).is_none())
    }

    /// The point at which something first blocks the view from a point of the world to another; `None` if nothing does,
    /// and for points on different floors, off all grids or not finite.
    #[must_use]
    pub fn cast_ray(&self, from: Vec3, to: Vec3) -> Option<Vec3> {
        let (grid, start, end) = self.view(from, to)?;
        let hit = cast_ray(grid.nav.grid(), self.kind, start, end)?;
        Some(from.lerp(to, hit.fraction))
    }

    /// Searches a path for the kind, with the options of the resource [`SearchOptions`](crate::order::SearchOptions):
    /// the path that an agent of radius 0 at `from` would get. A wider agent keeps farther from the corners.
    ///
    /// # Errors
    /// The errors of a request, such as [`PathError::OffGrid`] for a start that lies on no grid, or
    /// [`PathError::StartBlocked`]. A goal that cannot be reached is no error, unless the options allow no partial
    /// paths.
    pub fn path(&self, from: Vec3, to: impl Into<NavGoal>) -> Result<RouteFound, PathError> {
        let (grid, found) = self.search(self.input(from, &to.into())?)?;
        Ok(self.route(grid, found))
    }

    /// The length of the path from a point to a goal, in world units.
    ///
    /// # Errors
    /// The errors of [`path`](Self::path), and [`PathError::Unreachable`] if no path leads to the goal.
    pub fn distance(&self, from: Vec3, to: impl Into<NavGoal>) -> Result<f32, PathError> {
        let route = self.path(from, to)?;
        if route.is_complete { Ok(route.length) } else { Err(PathError::Unreachable) }
    }

    /// The index of the point that is cheapest to reach from a point, and the length of the path there, in world units:
    /// one search for all points on one floor. `None` if none can be reached.
    #[must_use]
    pub fn nearest(&self, from: Vec3, points: &[Vec3]) -> Option<(usize, f32)> {
        self.nearest_for_each(&[from], points).pop().flatten()
    }

    /// [`nearest`](Self::nearest) for many starts, in their order, by one [distance field](DistanceField) for all starts
    /// and points on one floor: in the time of a few searches over the whole grid, however many starts and points there are.
    /// A start from which links lead to the points takes a search of its own. Of points that cost the same it may choose
    /// another one than `nearest`.
    #[must_use]
    pub fn nearest_for_each(&self, starts: &[Vec3], points: &[Vec3]) -> Vec<Option<(usize, f32)>> {
        let grids = self.nav.ground.grids.all();
        let floor_of = |(index, &at): (usize, &Vec3)| {
            let grid = grids.of(TieOf::default(), at).ok()?;
            grid.nav.grid().contains(grid.cell(at)).then_some((grid.entity, (index, at)))
        };
        // The points of one floor after another, each with its index.
        let mut by_floor: Vec<(Entity, NumberedPoint)> =
            points.iter().enumerate().filter_map(floor_of).collect();
        by_floor.sort_unstable_by_key(|&(floor, (index, _))| (floor, index));
        let mut best: Vec<Option<(usize, RouteFound)>> = vec![None; starts.len()];
        for on_floor in by_floor.chunk_by(|a, b| a.0 == b.0) {
            let places: Vec<NumberedPoint> = on_floor.iter().map(|&(_, place)| place).collect();
            let mut fields = BTreeMap::new();
            for (&from, best) in starts.iter().zip(&mut best) {
                let search = self.nearest_input((from, starts.len() > 1), &places, &mut fields);
                let Some(Ok((grid, found))) = search.map(|input| self.search(input)) else { continue };
                if found.outcome != Outcome::Complete {
                    continue;
                }
                let route = self.route(grid, found);
                let end = route.points.last().copied().unwrap_or(from);
                let is_better = best.as_ref().is_none_or(|(_, known)| route.cost < known.cost);
                if let Some((index, _)) = nearest_place(&places, end).filter(|_| is_better) {
                    *best = Some((index, route));
                }
            }
        }
        best.into_iter().map(|best| best.map(|(index, route)| (index, route.length))).collect()
    }

    /// The input of a search from a start to the cheapest of some places on one floor, with its answer if that is read from
    /// a field; `None` if there is no way. `is_one_of_many`: whether to make a field, for each grid with starts.
    fn nearest_input(
        &self,
        (from, is_one_of_many): (Vec3, bool),
        places: &[NumberedPoint],
        fields: &mut BTreeMap<Entity, Option<(DistanceField, Vec<GridCell>)>>,
    ) -> Option<SearchInput> {
        let mut input = self.input(from, &NavGoal::Point(places.first()?.1)).ok()?;
        if !is_one_of_many || input.over_links.is_some() {
            let points: Vec<Vec3> = places.iter().map(|&(_, at)| at).collect();
            return self.input(from, &NavGoal::any_of(&points).ok()?).ok();
        }
        let grid = self.nav.ground.grids.get(input.grid)?;
        let field = fields.entry(input.grid).or_insert_with(|| {
            let cells: Vec<GridCell> = places.iter().map(|&(_, at)| grid.cell(at)).collect();
            let mut scratch = self.nav.resources.lend();
            let field =
                DistanceField::new(&input.snapshot, self.kind, input.query.steps, &cells, &mut scratch);
            self.nav.resources.give_back(scratch);
            Some((field.ok()?, cells))
        });
        let (field, cells) = field.as_ref()?;
        let path: Vec<GridCell> = field.path(input.query.start).collect();
        let (end, cost) = (*path.last()?, field.distance(input.query.start)?);
        let in_cell: Vec<NumberedPoint> =
            places.iter().zip(cells).filter(|&(_, &cell)| cell == end).map(|(&place, _)| place).collect();
        input.to = vec![grid.place.to_grid(nearest_place(&in_cell, from)?.1)];
        input.is_beyond = false;
        let map = (input.map_id, input.snapshot.revision());
        let known = KnownPath { map, kind: self.kind, cells: path, cost: cost.into(), may_straighten: true };
        Some(input.with_known(Some(&known)))
    }

    /// The narrow places of the path from a point to a goal, in its order: where to stand to hold it, or to shut it.
    /// `max_width` is the greatest width of a narrow place, in world units; the [`chokepoints`] of the core say exactly
    /// which are found. On the way over links, they are those of the path on each grid.
    ///
    /// # Errors
    /// The errors of [`distance`](Self::distance).
    pub fn chokepoints(
        &self,
        from: Vec3,
        to: impl Into<NavGoal>,
        max_width: f32,
    ) -> Result<Vec<ChokepointFound>, PathError> {
        let (own, path) = self.search(self.input(from, &to.into())?)?;
        if path.outcome != Outcome::Complete {
            return Err(PathError::Unreachable);
        }
        let on_grid = |(grid, points): (GridRef<'a>, &[Vec2])| {
            // 1e-3: a width of three cells is three cells, whatever the rounding.
            let most = (max_width / grid.place.cell_size() + 1e-3) as usize;
            let steps = self.nav.ground.defaults.steps();
            let found = chokepoints(grid.nav.grid(), self.kind, steps, points, most);
            let in_world = move |narrow: Chokepoint| ChokepointFound {
                points: narrow.cells.iter().map(|cell| grid.above_ground(cell.center(), 0.0)).collect(),
                is_cut: narrow.is_cut,
            };
            found.into_iter().map(in_world).collect::<Vec<_>>()
        };
        Ok(self.legs(own, &path).flat_map(on_grid).collect())
    }

    /// The best cells that an agent of the kind reaches from a point, the best first; fewer than asked for, or none, if no
    /// others within reach meet the conditions. To spread the work over ticks, give the request to an agent.
    ///
    /// # Errors
    /// [`PathError::NoGrid`], [`PathError::OffGrid`], [`PathError::BadGrid`]; [`PathError::StartOutside`] and
    /// [`PathError::StartBlocked`]; [`PathError::UnknownKind`], also for the kind of sight; [`PathError::TargetGone`] for an
    /// entity without a position; [`PathError::NotFinite`] for a point, and [`PathError::InvalidQuery`] for another number
    /// that is out of its range.
    pub fn best_cells(&self, from: Vec3, request: &CellRequest) -> Result<Vec<FoundCell>, PathError> {
        let NavQuery { ground, surroundings, resources } = self.nav;
        let asker = CellAsker { agent: None, kind: self.kind, from, tie: TieOf::default() };
        let mut run = surroundings.input(ground, &asker, request)?.begin(resources.lend());
        while !run.step(u32::MAX) {}
        let (found, scratch) = run.finish(ground);
        resources.give_back(scratch);
        found
    }

    /// The centres of the cells on which an agent of the kind may stand, nearest to a point of the world first, each a
    /// step from one before it: for places round a goal, or to spawn a group round a building. Empty off all grids.
    pub fn free_points_near(&self, point: Vec3) -> impl Iterator<Item = Vec3> + use<'a> {
        let (nav, kind) = (self.nav, self.kind);
        nav.on(point).into_iter().flat_map(move |(grid, cell)| {
            let map = grid.nav.grid();
            let mut cells = NearestCells::new(kind, StepRules::default(), cell);
            if let Some(start) = map.nearest_walkable(kind, cell) {
                cells.begin_at(map, start);
            }
            let cells = (0..).map_while(move |index| cells.get(map, index));
            cells.map(move |cell| grid.above_ground(cell.center(), 0.0))
        })
    }

    /// Two points on one grid, in grid space.
    fn view(&self, from: Vec3, to: Vec3) -> Option<(GridRef<'a>, Vec2, Vec2)> {
        let ((grid, _), (other, _)) = (self.nav.on(from)?, self.nav.on(to)?);
        let [from, to] = [from, to].map(|point| grid.place.to_grid(point));
        (grid.entity == other.entity && from.is_finite() && to.is_finite()).then_some((grid, from, to))
    }

    /// The input of a search from a point.
    fn input(&self, from: Vec3, goal: &NavGoal) -> Result<SearchInput, PathError> {
        let ground = &self.nav.ground;
        let grid = ground.grids.of(TieOf::default(), from)?;
        ground.input(&Asked {
            number: 0,
            from,
            grid,
            goal,
            body: AgentBody { kind: self.kind, radius: 0.0 },
            vehicle: None,
            breach: None,
            options: None,
            slot: None,
            from_blocked: true,
            is_replan: false,
        })
    }

    /// Runs a search to its end: the grid at the start, and the path.
    fn search(&self, input: SearchInput) -> Result<(GridRef<'a>, FoundPath), PathError> {
        let grid = self.nav.ground.grids.get(input.grid).ok_or(PathError::GridRemoved)?;
        let (handle, _token) = SearchHandle::new();
        let recipients = vec![Recipient { entity: Entity::PLACEHOLDER, input, handle }];
        let resources = self.nav.resources.clone();
        let mut run =
            JobRun::new(SearchJob { recipients, shared: false }, resources).expect("it has a requester");
        while !run.step(u32::MAX) {}
        let (_, solved) = run.take_solved().next().expect("the requester is answered");
        Ok((grid, solved.result?))
    }

    /// A path and those behind its links: the points on each grid.
    fn legs<'p>(
        &self,
        own: GridRef<'a>,
        found: &'p FoundPath,
    ) -> impl Iterator<Item = (GridRef<'a>, &'p [Vec2])> + use<'a, 'p> {
        let grids = &self.nav.ground.grids;
        let onward =
            found.onward.iter().filter_map(|leg| Some((grids.get(leg.grid)?, leg.path.points.as_slice())));
        core::iter::once((own, found.points.as_slice())).chain(onward)
    }

    /// A path and those behind its links, in the world.
    fn route(&self, own: GridRef<'a>, found: FoundPath) -> RouteFound {
        let legs = self.legs(own, &found);
        let on_ground = |(grid, points): (GridRef<'a>, &'_ [Vec2])| {
            points.iter().map(move |&point| grid.above_ground(point, 0.0)).collect::<Vec<_>>()
        };
        let points: Vec<Vec3> = legs.flat_map(on_ground).collect();
        let length = points.windows(2).map(|ends| ends[0].distance(ends[1])).sum();
        RouteFound { points, length, cost: found.cost, is_complete: found.outcome == Outcome::Complete }
    }
}
