//! Lookup of grids by entity, and of the grid that an agent at a position walks on.
//!
//! A grid that is part of a joined grid is represented by the joined grid; [`seams`](super::seams) keeps that
//! relation. Where grids lie in the world is computed in [`grid_transform`](super::grid_transform).

use bevy::ecs::archetype::Archetypes;
use bevy::ecs::component::Components;
use bevy::ecs::entity::Entities;
use bevy::ecs::system::SystemParam;
use bevy::ecs::template::FromTemplate;
use bevy::prelude::*;
use pathfind_core::{AgentSize, CellRect, Grid, GridCell, KindId, Terrain};
use serde::{Deserialize, Serialize};

use super::cell_frame::CellFrame;
use super::seams::Seams;
use super::{EditsSince, GridTransform, GroundOffset, NavGrid, Outline, PartOfGrid, TerrainSpeed};
use crate::numbers::is_finite;

/// Ties an agent to one grid. An agent without it uses the grid under it: if there is only one grid, that one; of
/// several, the one whose ground lies nearest above or below its position. One that is off all grids walks back to the
/// nearest. Tying an agent with an unfinished request
/// to another grid makes it request a path there. An agent tied to a part of a [joined grid](super::JoinedGrid) walks
/// on the joined grid.
///
/// Agents tied to grids that lie over one another are on different floors and ignore each other: they neither avoid
/// nor touch each other, whatever their heights. (In 2D the height is only the drawing order.) Grids lie over one
/// another if they are parallel, overlap as seen along their normal, and the distance between them is less than the
/// width of the widest body. Agents tied to other grids avoid and touch each other where their bodies are near.
#[derive(Component, FromTemplate, Reflect, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Debug, PartialEq, Serialize, Deserialize)]
pub struct OnGrid(#[entities] pub Entity);

/// An airborne agent: it uses no grid, and no grid blocks it. (One that minds walls and ceilings is
/// [`LowFlying`](super::LowFlying).)
///
/// It flies straight to its goals, over walls and past the borders of grids, and is never made to leave a blocked
/// cell. Obstacles, its [`Avoider`](crate::steer::Avoider) and flocks work as for other agents that stand on no grid:
/// in three dimensions, or at its height if [`NavSettings::up`](crate::settings::NavSettings::up) is set. It avoids
/// only airborne agents, where their heights overlap; it does not avoid agents on the ground, nor do they avoid it.
///
/// A [`PathRequest`](crate::order::PathRequest) of an airborne agent is not searched: there is no `NavPath` and no
/// `PathFound`. The [`PathStatus`](crate::order::PathStatus) is `Following` until the agent is at its goal, and then
/// `AgentArrived` is sent. Of several goals the agent flies to the nearest.
///
/// Insert it to take off and remove it to land, at any time: a request under way continues in the new mode. An agent
/// that lands is put on the ground: as high above it as before it took off or, if it was spawned in the air, at its
/// [`GroundOffset`].
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// fn spawn(mut commands: Commands) {
///     let goal = Vec3::new(30.5, 12.5, 4.0);
///     commands.spawn((Agent::new(9.0), Airborne, PathRequest::to(goal), Transform::from_xyz(0.5, 0.5, 4.0)));
/// }
/// ```
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
pub struct Airborne;

/// The components that decide which grid an agent is on, as a query reads them.
pub(crate) type Tie = TieOf<'static>;

/// [`Tie`] as a query returns it: the last component is the cached result of an earlier lookup.
pub(crate) type TieOf<'a> =
    (Option<&'a OnGrid>, Option<&'a Airborne>, Option<&'a GroundOffset>, Option<&'a FoundGrid>);

/// The cached result of looking up the grid of an agent among several, because the stages of a tick look it up
/// several times. It is valid at `position`, until the world stage runs again.
#[derive(Component, Debug, Clone, Copy, Default)]
pub(crate) struct FoundGrid {
    grid: Option<Entity>,
    position: Vec3,
    /// The number of the run of the world stage after which the grid was looked up.
    run: u64,
    /// A cell of the grid that is not void, and the map id and the revision of the grid for which that is known.
    ground: Option<(GridCell, u64, u64)>,
}

/// The number of runs of the world stage so far.
#[derive(Resource, Debug, Default)]
pub(crate) struct WorldRuns(u64);

pub(super) fn count_run(mut runs: ResMut<WorldRuns>) {
    runs.0 += 1;
}

/// A grid with its placement.
#[derive(Clone, Copy)]
pub(crate) struct GridRef<'a> {
    pub(crate) entity: Entity,
    pub(crate) nav: &'a NavGrid,
    pub(crate) place: &'a GridTransform,
    /// How much terrain slows agents; `None` if no terrain does.
    pub(crate) speed: Option<&'a TerrainSpeed>,
}

/// All enabled grids. Those that are parts of a joined grid are represented by it.
#[derive(SystemParam)]
pub(crate) struct Grids<'w, 's> {
    /// The grids that agents walk on: joined grids, and grids that are part of none.
    grids: Query<'w, 's, (Entity, &'static NavGrid, &'static GridTransform), Without<PartOfGrid>>,
    /// All grids, the parts of joined grids included.
    own: Query<'w, 's, (Entity, &'static NavGrid, &'static GridTransform)>,
    seams: Option<Res<'w, Seams>>,
    runs: Option<Res<'w, WorldRuns>>,
    speed: Option<Res<'w, TerrainSpeed>>,
}

/// Tells grids that are disabled from grids that are gone.
#[derive(SystemParam)]
pub(crate) struct DisabledGrids<'w, 's> {
    enabled: Query<'w, 's, (), With<NavGrid>>,
    entities: &'w Entities,
    archetypes: &'w Archetypes,
    components: &'w Components,
}

impl DisabledGrids<'_, '_> {
    /// Whether an entity is a grid that is disabled, by any disabling component.
    pub(crate) fn contains(&self, entity: Entity) -> bool {
        // A query would have to name the disabling component, so the archetype is inspected instead.
        let is_grid = || {
            let location = self.entities.get_spawned(entity).ok()?;
            let archetype = self.archetypes.get(location.archetype_id)?;
            Some(archetype.contains(self.components.component_id::<NavGrid>()?))
        };
        !self.enabled.contains(entity) && is_grid() == Some(true)
    }
}

/// The grids of a tick, looked up once for all its agents.
pub(crate) struct GridList<'a> {
    /// Sorted by entity.
    grids: Vec<GridRef<'a>>,
    seams: Option<&'a Seams>,
    /// The number of the latest run of the world stage.
    run: u64,
}

impl Grids<'_, '_> {
    /// A grid by its entity; for a part of a joined grid, the joined grid.
    pub(crate) fn get(&self, entity: Entity) -> Option<GridRef<'_>> {
        let found = self.grids.get(entity).or_else(|error| {
            let joined = self.seams.as_deref().and_then(|seams| seams.place_of(entity));
            joined.map_or(Err(error), |(joined, _)| self.grids.get(joined))
        });
        Some(self.grid_ref(found.ok()?))
    }

    /// A grid by its entity, even if it is part of a joined grid.
    pub(crate) fn own(&self, entity: Entity) -> Option<GridRef<'_>> {
        Some(self.grid_ref(self.own.get(entity).ok()?))
    }

    fn grid_ref<'a>(&'a self, (entity, nav, place): (Entity, &'a NavGrid, &'a GridTransform)) -> GridRef<'a> {
        let speed = self.speed.as_deref().filter(|speed| !speed.factors.is_empty());
        GridRef { entity, nav, place, speed }
    }

    /// The grid that represents a grid (a joined grid, or the grid itself), and where the cells lie on it.
    pub(crate) fn place_of(&self, entity: Entity) -> (Entity, CellFrame) {
        let joined = self.seams.as_deref().and_then(|seams| seams.place_of(entity));
        joined.unwrap_or((entity, CellFrame::IDENTITY))
    }

    /// The cell of a joined grid that is nearest to a point outside its canvas; `None` for a point on the canvas and
    /// for other grids.
    pub(crate) fn beyond_canvas(&self, grid: &GridRef, point: Vec2) -> Option<GridCell> {
        let cell = GridCell::containing(point);
        let is_beyond = !grid.nav.grid().contains(cell)
            && self.seams.as_deref().is_some_and(|seams| seams.is_joined(grid.entity));
        is_beyond.then(|| grid.nav.grid().bounds().nearest_to(cell))
    }

    /// Whether a condition holds for a part of a joined grid near a rectangle of its cells; `None` for other grids.
    pub(crate) fn any_part_near(
        &self,
        joined: Entity,
        rect: CellRect,
        mut holds: impl FnMut(&GridRef) -> bool,
    ) -> Option<bool> {
        let mut parts = self.seams.as_deref()?.parts_near(joined, rect)?;
        Some(parts.any(|part| self.own(part).is_some_and(|part| part.place.is_usable() && holds(&part))))
    }

    /// The grid to which a cell of `grid` belongs: a part of the joined grid, or `grid` itself.
    pub(crate) fn part_at(&self, grid: Entity, cell: GridCell) -> Entity {
        let part = self.seams.as_deref().and_then(|seams| seams.part_at(grid, cell));
        part.unwrap_or(grid)
    }

    /// All grids, collected once for many lookups.
    pub(crate) fn all(&self) -> GridList<'_> {
        let mut all: Vec<_> = self.grids.iter().map(|grid| self.grid_ref(grid)).collect();
        all.sort_unstable_by_key(|grid| grid.entity);
        GridList {
            grids: all,
            seams: self.seams.as_deref(),
            run: self.runs.as_ref().map_or(0, |runs| runs.0),
        }
    }

    /// Whether the values that `read` returns for the grids differ from those in `seen`, which they replace: so that a
    /// system visits all agents only after a change.
    pub(crate) fn have_changed<K: PartialEq>(&self, seen: &mut Vec<K>, read: impl Fn(&GridRef) -> K) -> bool {
        let now: Vec<K> = self.all().grids.iter().map(read).collect();
        let have_changed = *seen != now;
        *seen = now;
        have_changed
    }

    /// The grid that an agent at `position` walks on; see [`GridList::of`].
    pub(crate) fn of(&self, tie: TieOf, position: Vec3) -> Result<GridRef<'_>, GridLookupError> {
        self.all().of(tie, position).copied()
    }
}

/// Why an agent is on no grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GridLookupError {
    /// There is no enabled grid, the entity in [`OnGrid`] has none, or the agent is [`Airborne`].
    NoGrid,
    /// There are several grids, and the agent stands on none of them.
    OffGrid,
    /// The grid cannot be placed in the world.
    BadGrid,
    /// The agent's position is not finite.
    NotFinite,
}

/// The height of an agent's origin above its feet, in world units; an infinite offset becomes a finite one, and NaN
/// becomes 0.
fn origin_height(offset: Option<&GroundOffset>) -> f32 {
    let height = offset.map_or(0.0, |offset| offset.0);
    if height.is_nan() { 0.0 } else { height.clamp(-f32::MAX, f32::MAX) }
}

impl<'a> GridList<'a> {
    /// The grid that an agent at `position` walks on: the one it is tied to; else the only grid; of several, the one
    /// that lies nearest above or below the position.
    ///
    /// # Errors
    /// `NoGrid` if there is no grid or the agent is airborne, `OffGrid` if there are several grids and the position
    /// is over none of them, `BadGrid` if the grid cannot be placed, `NotFinite` if the position is not finite.
    #[inline]
    pub(crate) fn of(
        &self,
        (on, airborne, offset, found): TieOf,
        position: Vec3,
    ) -> Result<&GridRef<'a>, GridLookupError> {
        if !is_finite(position) {
            return Err(GridLookupError::NotFinite);
        }
        if airborne.is_some() {
            return Err(GridLookupError::NoGrid);
        }
        let found = match (on, self.grids.as_slice()) {
            (Some(&OnGrid(entity)), _) => self.find(entity).ok_or(GridLookupError::NoGrid)?,
            (None, []) => return Err(GridLookupError::NoGrid),
            (None, [only]) => only,
            // Passed as an array, so that `position` itself may stay in registers.
            (None, _) => self.nearest(position.to_array(), offset, found)?,
        };
        if found.place.is_usable() { Ok(found) } else { Err(GridLookupError::BadGrid) }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.grids.is_empty()
    }

    /// Whether the grid of an agent that is not tied to one depends on its position.
    pub(crate) const fn are_several(&self) -> bool {
        self.grids.len() > 1
    }

    /// Updates the cached lookup of an agent that is not tied to a grid, for later calls of [`of`](Self::of).
    pub(crate) fn find_for(&self, position: Vec3, offset: Option<&GroundOffset>, found: &mut FoundGrid) {
        let ground_on = |grid: &GridRef| (grid.cell(position), grid.nav.map_id(), grid.nav.revision());
        (found.position, found.run) = (position, self.run);
        // While the agent stays on one cell of an unedited grid, the terrain need not be read again.
        let is_known =
            |grid: &GridRef| found.grid == Some(grid.entity) && found.ground == Some(ground_on(grid));
        if self.nearest_of(position, origin_height(offset), |_| true).is_some_and(is_known) {
            return;
        }
        let grid = self.nearest(position.to_array(), offset, None).ok();
        let ground = grid.filter(|grid| grid.has_ground(position)).map(ground_on);
        (found.grid, found.ground) = (grid.map(|grid| grid.entity), ground);
    }

    /// A grid by its entity, if it can be placed.
    pub(crate) fn get(&self, entity: Entity) -> Option<&GridRef<'a>> {
        self.find(entity).filter(|grid| grid.place.is_usable())
    }

    /// All grids that can be placed, in the order of their entities.
    pub(crate) fn usable(&self) -> impl Iterator<Item = GridRef<'a>> {
        self.grids.iter().copied().filter(|grid| grid.place.is_usable())
    }

    fn find(&self, entity: Entity) -> Option<&GridRef<'a>> {
        match self.grids.binary_search_by_key(&entity, |grid| grid.entity) {
            Ok(index) => Some(&self.grids[index]),
            Err(_) => self.find_joined(entity),
        }
    }

    /// The joined grid that a grid is part of.
    // Not inlined into `find`, which runs for every agent in every tick.
    #[cold]
    fn find_joined(&self, part: Entity) -> Option<&GridRef<'a>> {
        let (joined, _) = self.seams?.place_of(part)?;
        let index = self.grids.binary_search_by_key(&joined, |grid| grid.entity).ok()?;
        Some(&self.grids[index])
    }

    /// The grid with ground that lies nearest above or below the feet of an agent at a point.
    fn nearest(
        &self,
        position: [f32; 3],
        offset: Option<&GroundOffset>,
        found: Option<&FoundGrid>,
    ) -> Result<&GridRef<'a>, GridLookupError> {
        let position = Vec3::from_array(position);
        let found = found.filter(|found| found.run == self.run && found.position == position);
        if let Some(grid) = found.and_then(|found| self.find(found.grid?)) {
            return Ok(grid);
        }
        let offset = origin_height(offset);
        let has_ground = |grid: &GridRef| grid.has_ground(position);
        // Usually the nearest grid has ground there. Then the terrain of the other grids is not read, which would be
        // a cache miss for each.
        self.nearest_of(position, offset, |_| true)
            .filter(|grid| has_ground(grid))
            .or_else(|| self.nearest_of(position, offset, has_ground))
            .or_else(|| {
                // The point is over void of a joined grid: its chunk was unloaded.
                let seams = self.seams?;
                self.nearest_of(position, offset, |grid| seams.is_joined(grid.entity))
            })
            .ok_or(GridLookupError::OffGrid)
    }

    /// The grid that is nearest to a point over none of several grids; `None` while one of them cannot be placed, as the
    /// point may lie over that one.
    pub(crate) fn nearest_around(&self, position: Vec3) -> Option<&GridRef<'a>> {
        let distance = |grid: &GridRef| {
            let point = grid.place.to_grid(position).clamp(Vec2::ZERO, grid.size());
            grid.place.to_world(point, 0.0).distance_squared(position)
        };
        let are_usable = self.grids.iter().all(|grid| grid.place.is_usable());
        self.grids.iter().filter(|_| are_usable).min_by(|a, b| {
            distance(a).total_cmp(&distance(b)).then_with(|| a.entity.index_u32().cmp(&b.entity.index_u32()))
        })
    }

    /// The grid whose ground is nearest to the feet of an agent at `position`, of the grids that have a cell there
    /// and for which `is_allowed` holds. `offset` is the height of the position above the feet.
    #[inline]
    fn nearest_of(
        &self,
        position: Vec3,
        offset: f32,
        is_allowed: impl Fn(&GridRef) -> bool,
    ) -> Option<&GridRef<'a>> {
        let distance = |grid: &GridRef| {
            let point = grid.place.to_grid(position);
            let has_cell = grid.place.is_usable() && grid.nav.grid().contains(GridCell::containing(point));
            has_cell.then(|| (grid.height_above(point, position) - offset / grid.place.cell_size()).abs())
        };
        self.grids
            .iter()
            .filter_map(|grid| Some((distance(grid)?, grid)))
            .filter(|(_, grid)| is_allowed(grid))
            .min_by(|(a, left), (b, right)| {
                a.total_cmp(b).then_with(|| left.entity.index_u32().cmp(&right.entity.index_u32()))
            })
            .map(|(_, grid)| grid)
    }
}

impl GridRef<'_> {
    /// The cell under a point of the world; it may lie outside the grid.
    pub(crate) fn cell(&self, position: Vec3) -> GridCell {
        GridCell::containing(self.place.to_grid(position))
    }

    /// The factor on the top speed of a kind by the terrain at a point of grid space; 1 outside the grid.
    #[inline(always)]
    pub(crate) fn speed_factor(&self, kind: KindId, here: impl FnOnce() -> Vec2) -> f32 {
        let Some(speed) = self.speed else { return 1.0 };
        let terrain = self.nav.grid().terrain(GridCell::containing(here()));
        terrain.map_or(1.0, |terrain| speed.factor(kind, terrain))
    }

    /// A point of grid space at a height above the ground, in cells, as a point of the world.
    pub(crate) fn above_ground(&self, point: Vec2, height: f32) -> Vec3 {
        self.place.to_world(point, self.nav.grid().elevation_at(KindId::default(), point) + height)
    }

    /// The height of a point of the world above the ground below it, in cells.
    pub(crate) fn height_above_ground(&self, position: Vec3) -> f32 {
        self.height_above(self.place.to_grid(position), position)
    }

    /// The height of a point of the world above the ground at a point of grid space, in cells.
    fn height_above(&self, point: Vec2, position: Vec3) -> f32 {
        self.place.height(position) - self.nav.grid().elevation_at(KindId::default(), point)
    }

    /// The edits since a revision, grown by the size of a kind of agent.
    pub(crate) fn edits_since(&self, revision: u64, kind: KindId) -> EditsSince {
        EditsSince::new(self.size(), self.nav.edits().after(revision), self.reach(kind))
    }

    /// The outline of a path in grid space, grown by `margin` cells.
    pub(crate) fn outline(&self, points: &[Vec2], margin: f32) -> Outline {
        Outline::of_points(self.size(), points, margin)
    }

    /// The columns and rows of the grid.
    pub(super) fn size(&self) -> Vec2 {
        Vec2::new(self.nav.grid().width() as f32, self.nav.grid().height() as f32)
    }

    /// Whether a path from `a` to `b` through the cells of an edit after `revision` could cost an agent of this kind
    /// less than `cost`; no false negatives.
    pub(crate) fn may_shorten(&self, revision: u64, kind: KindId, a: Vec2, b: Vec2, cost: f64) -> bool {
        let length = (cost / f64::from(self.nav.grid().least_cost(kind))) as f32;
        self.nav.edits().may_shorten(revision, a, b, length, self.reach(kind))
    }

    /// Whether an edit after `revision` lies under the body of an agent of this kind at `cell`, or at most `cells`
    /// columns and rows away from `cell`.
    pub(crate) fn is_edited_near(&self, revision: u64, kind: KindId, cell: GridCell, cells: i32) -> bool {
        self.nav.edits().are_near(revision, cell, cells + self.reach(kind).ceil() as i32)
    }

    /// How far the body of a kind of agent extends from its position, in cells.
    fn reach(&self, kind: KindId) -> f32 {
        match self.nav.grid().kind(kind).map(|kind| kind.size) {
            Some(AgentSize::Square(side)) => f32::from(side.saturating_sub(1)),
            Some(AgentSize::Disc(radius)) => radius,
            _ => 0.0,
        }
    }

    /// Whether the cell at a point of the world lies on the grid and is not void.
    pub(crate) fn has_ground(&self, position: Vec3) -> bool {
        is_ground(self.nav.grid(), self.cell(position))
    }
}

/// Whether a cell lies on a grid and is not void.
pub(super) fn is_ground(grid: &Grid, cell: GridCell) -> bool {
    grid.terrain(cell).is_some_and(|terrain| terrain != Terrain::VOID)
}
