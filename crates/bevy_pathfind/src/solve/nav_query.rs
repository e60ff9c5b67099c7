//! Questions that a game asks of the ground at once, in world space.

use core::fmt;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use pathfind_core::{GridCell, KindId, NearestCells, Outcome, Terrain, cast_ray};

use super::JobRun;
use super::cell_input::{CellAsker, CellSurroundings};
use super::resources::SearchResources;
use super::search_input::SearchInput;
use super::search_queue::{Recipient, SearchJob};
use super::snapshot::{Asked, Ground};
use crate::agent::AgentBody;
use crate::order::{
    CellRequest, FoundCell, FoundPath, GoalPoints, NavGoal, PathError, SearchHandle, StepRules,
};
use crate::world::{GridHit, GridRef, InfluenceId, TieOf, first_hit};

/// Questions about the ground, in world space, over all floors, joined grids and links: a system parameter.
///
/// Searches run at once, inside the call: for a few each tick. For agents on their way use
/// [`PathRequest`](crate::order::PathRequest)s, which are searched in the background. Edits of this tick are seen;
/// grids that were spawned or moved are seen from the next tick on, as by agents. Questions are asked for the default
/// kind of agent; [`of_kind`](Self::of_kind) asks for another. It reads all grids: a system that edits one as well takes
/// `ParamSet<(NavQuery, Query<&mut NavGrid>)>`. It reads all transforms, for goals that are entities: the same holds for
/// a system that moves one.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// #[derive(Component)]
/// struct Well;
///
/// fn to_the_nearest_well(
///     nav: NavQuery,
///     thirsty: Query<(Entity, &Transform), With<Agent>>,
///     wells: Query<&Transform, With<Well>>,
///     mut commands: Commands,
/// ) {
///     let wells: Vec<Vec3> = wells.iter().map(|at| at.translation).collect();
///     for (agent, at) in &thirsty {
///         if let Some((index, metres)) = nav.nearest(at.translation, &wells) {
///             info!("{agent} has {metres} to go");
///             commands.entity(agent).go_to(wells[index]);
///         }
///     }
/// }
/// ```
#[derive(SystemParam)]
pub struct NavQuery<'w, 's> {
    ground: Ground<'w, 's>,
    surroundings: CellSurroundings<'w, 's>,
    resources: Res<'w, SearchResources>,
}

/// The questions of a [`NavQuery`] for one kind of agent.
#[derive(Debug, Clone, Copy)]
pub struct KindQuery<'a> {
    nav: &'a NavQuery<'a, 'a>,
    kind: KindId,
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

impl fmt::Debug for NavQuery<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("NavQuery").finish_non_exhaustive()
    }
}

impl NavQuery<'_, '_> {
    /// The same questions for another kind of agent.
    #[must_use]
    pub fn of_kind(&self, kind: KindId) -> KindQuery<'_> {
        KindQuery { nav: self, kind }
    }

    fn default_kind(&self) -> KindQuery<'_> {
        self.of_kind(KindId::default())
    }

    /// The grid under or over a point of the world, and its cell there; `None` off all grids. The grid is the entity
    /// that you spawned, even if it is part of a [`JoinedGrid`](crate::world::JoinedGrid).
    #[must_use]
    pub fn cell_at(&self, point: Vec3) -> Option<(Entity, GridCell)> {
        let (grid, cell) = self.on(point)?;
        let part = self.ground.grids.part_at(grid.entity, cell);
        Some((part, self.ground.grids.place_of(part).1.cell_on(cell)))
    }

    /// The point of the ground under or over a point of the world; `None` off all grids.
    #[must_use]
    pub fn ground_at(&self, point: Vec3) -> Option<Vec3> {
        let (grid, _) = self.on(point)?;
        Some(grid.above_ground(grid.place.to_grid(point), 0.0))
    }

    /// The centre of a cell of a grid that you spawned, on the ground; `None` if there is no such grid, or if the cell
    /// lies outside.
    #[must_use]
    pub fn center(&self, grid: Entity, cell: impl Into<GridCell>) -> Option<Vec3> {
        let cell = cell.into();
        let (whole, frame) = self.ground.grids.place_of(grid);
        let own = self.ground.grids.own(grid).filter(|own| own.nav.grid().contains(cell))?;
        let whole = self.ground.grids.get(whole).unwrap_or(own);
        Some(whole.above_ground(frame.cell(cell).center(), 0.0))
    }

    /// The value of a layer of influence at a point of the world, and in which direction it grows most, by how much in a
    /// world unit; zeros off all grids, and where the layer has no values.
    #[must_use]
    pub fn influence_at(&self, layer: InfluenceId, point: Vec3) -> (f32, Vec3) {
        let found = self.on(point).and_then(|(grid, _)| {
            let values = self.surroundings.influence.get(grid.entity).ok()?.layer(layer)?;
            let at = grid.place.to_grid(point);
            let [here, up] = [at, at + values.gradient(at)].map(|at| grid.place.to_world(at, 0.0));
            let side = grid.place.cell_size();
            Some((values.value_at(at), (up - here) / (side * side)))
        });
        found.unwrap_or_default()
    }

    /// The terrain at a point of the world, obstacles included; `None` off all grids.
    #[must_use]
    pub fn terrain(&self, point: Vec3) -> Option<Terrain> {
        let (grid, cell) = self.on(point)?;
        grid.nav.grid().terrain(cell)
    }

    /// Where a ray first hits the ground of a grid, from above or below: the floor that was clicked. Walls do not stop
    /// it, nor do holes ([`Terrain::VOID`]). `None` if it hits no grid, or is not finite.
    #[must_use]
    pub fn hit(&self, ray: Ray3d) -> Option<GridHit> {
        first_hit(&self.ground.grids, ray)
    }

    /// See [`KindQuery::is_walkable`].
    #[must_use]
    pub fn is_walkable(&self, point: Vec3) -> bool {
        self.default_kind().is_walkable(point)
    }

    /// See [`KindQuery::sees`].
    #[must_use]
    pub fn sees(&self, from: Vec3, to: Vec3) -> bool {
        self.default_kind().sees(from, to)
    }

    /// See [`KindQuery::cast_ray`].
    #[must_use]
    pub fn cast_ray(&self, from: Vec3, to: Vec3) -> Option<Vec3> {
        self.default_kind().cast_ray(from, to)
    }

    /// See [`KindQuery::path`].
    ///
    /// # Errors
    /// As there.
    pub fn path(&self, from: Vec3, to: impl Into<NavGoal>) -> Result<RouteFound, PathError> {
        self.default_kind().path(from, to)
    }

    /// See [`KindQuery::distance`].
    ///
    /// # Errors
    /// As there.
    pub fn distance(&self, from: Vec3, to: impl Into<NavGoal>) -> Result<f32, PathError> {
        self.default_kind().distance(from, to)
    }

    /// See [`KindQuery::nearest`].
    #[must_use]
    pub fn nearest(&self, from: Vec3, points: &[Vec3]) -> Option<(usize, f32)> {
        self.default_kind().nearest(from, points)
    }

    /// See [`KindQuery::best_cells`].
    ///
    /// # Errors
    /// As there.
    pub fn best_cells(&self, from: Vec3, request: &CellRequest) -> Result<Vec<FoundCell>, PathError> {
        self.default_kind().best_cells(from, request)
    }

    /// See [`KindQuery::free_points_near`].
    pub fn free_points_near(&self, point: Vec3) -> impl Iterator<Item = Vec3> {
        self.default_kind().free_points_near(point)
    }

    /// The grid at a point of the world, and the cell there, which lies on it.
    fn on(&self, point: Vec3) -> Option<(GridRef<'_>, GridCell)> {
        let grid = self.ground.grids.of(TieOf::default(), point).ok()?;
        let cell = grid.cell(point);
        grid.nav.grid().contains(cell).then_some((grid, cell))
    }
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

    /// Searches a path for the kind, with the options of the resource [`SearchOptions`](crate::order::SearchOptions): the path that
    /// an agent of radius 0 at `from` would get. A wider agent keeps farther from the corners.
    ///
    /// # Errors
    /// The errors of a request, such as [`PathError::OffGrid`] for a start that lies on no grid, or
    /// [`PathError::StartBlocked`]. A goal that cannot be reached is no error, unless the options allow no partial
    /// paths.
    pub fn path(&self, from: Vec3, to: impl Into<NavGoal>) -> Result<RouteFound, PathError> {
        let ground = &self.nav.ground;
        let grid = ground.grids.of(TieOf::default(), from)?;
        let goal = to.into();
        let input = ground.input(&Asked {
            number: 0,
            from,
            grid,
            goal: &goal,
            body: AgentBody { kind: self.kind, radius: 0.0 },
            breach: None,
            options: None,
            slot: None,
            from_blocked: true,
            is_replan: false,
        })?;
        let found = self.search(input)?;
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
        let grids = self.nav.ground.grids.all();
        let floor_of = |(index, &at): (usize, &Vec3)| {
            let grid = grids.of(TieOf::default(), at).ok()?;
            grid.nav.grid().contains(grid.cell(at)).then_some((grid.entity, index))
        };
        // The points of one floor after another, each by its index.
        let mut by_floor: Vec<(Entity, usize)> = points.iter().enumerate().filter_map(floor_of).collect();
        by_floor.sort_unstable();
        let routes = by_floor.chunk_by(|a, b| a.0 == b.0).filter_map(|on_floor| {
            let goals: Vec<Vec3> = on_floor.iter().map(|&(_, index)| points[index]).collect();
            let goal = NavGoal::AnyOf(GoalPoints::new(goals).ok()?);
            let route = self.path(from, goal).ok().filter(|route| route.is_complete)?;
            let end = *route.points.last()?;
            let squared = |&&(_, index): &&(Entity, usize)| points[index].distance_squared(end);
            let nearest = on_floor.iter().min_by(|a, b| squared(a).total_cmp(&squared(b)))?;
            Some((nearest.1, route))
        });
        let best = routes.min_by(|(_, a), (_, b)| a.cost.total_cmp(&b.cost))?;
        Some((best.0, best.1.length))
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
        let mut run = surroundings.begin(ground, &asker, request, || resources.lend())?;
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

    /// Runs a search to its end.
    fn search(&self, input: SearchInput) -> Result<FoundPath, PathError> {
        let (handle, _token) = SearchHandle::new();
        let recipients = vec![Recipient { entity: Entity::PLACEHOLDER, input, handle }];
        let resources = self.nav.resources.clone();
        let mut run =
            JobRun::new(SearchJob { recipients, shared: false }, resources).expect("it has a requester");
        while !run.step(u32::MAX) {}
        let (_, solved) = run.take_solved().next().expect("the requester is answered");
        Ok(solved.result?)
    }

    /// A path and those behind its links, in the world.
    fn route(&self, own: GridRef, found: FoundPath) -> RouteFound {
        let on_ground = |grid: GridRef, points: &[Vec2]| -> Vec<Vec3> {
            points.iter().map(|&point| grid.above_ground(point, 0.0)).collect()
        };
        let mut points = on_ground(own, &found.points);
        for leg in &found.onward {
            let grid = self.nav.ground.grids.get(leg.grid);
            points.extend(grid.map(|grid| on_ground(grid, &leg.path.points)).unwrap_or_default());
        }
        let length = points.windows(2).map(|ends| ends[0].distance(ends[1])).sum();
        RouteFound { points, length, cost: found.cost, is_complete: found.outcome == Outcome::Complete }
    }
}
