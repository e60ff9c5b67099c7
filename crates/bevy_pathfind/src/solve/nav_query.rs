//! Questions that a game asks of the ground at once, in world space.

mod kind_query;

use core::fmt;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use pathfind_core::{GridCell, KindId, Terrain};

use super::cell_input::CellSurroundings;
use super::resources::SearchResources;
use super::snapshot::Ground;
use crate::order::{CellRequest, FoundCell, NavGoal, PathError};
use crate::world::{GridHit, GridRef, InfluenceId, TieOf, first_hit};

pub use kind_query::{ChokepointFound, KindQuery, RouteFound};

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

    /// See [`KindQuery::nearest_for_each`].
    #[must_use]
    pub fn nearest_for_each(&self, starts: &[Vec3], points: &[Vec3]) -> Vec<Option<(usize, f32)>> {
        self.default_kind().nearest_for_each(starts, points)
    }

    /// See [`KindQuery::chokepoints`].
    ///
    /// # Errors
    /// As there.
    pub fn chokepoints(
        &self,
        from: Vec3,
        to: impl Into<NavGoal>,
        max_width: f32,
    ) -> Result<Vec<ChokepointFound>, PathError> {
        self.default_kind().chokepoints(from, to, max_width)
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
