//! Which grid an agent walks on.

use bevy::ecs::archetype::Archetypes;
use bevy::ecs::component::Components;
use bevy::ecs::entity::Entities;
use bevy::ecs::system::SystemParam;
use bevy::ecs::template::FromTemplate;
use bevy::prelude::*;
use pathfind_core::{AgentSize, Cell, KindId};
use serde::{Deserialize, Serialize};

use super::{EditsSince, GridTransform, NavGrid, Outline};
use crate::numbers::is_finite;

/// Ties an agent to one grid. Without it an agent uses the grid under its feet: of several, the one that
/// it stands nearest to; of only one, that. An agent that is tied to another grid on its way asks for a path anew.
///
/// Agents tied to grids that lie over one another are on different floors, and do not mind each other: neither do they
/// make way, nor do their bodies touch, whatever their heights. (In 2D the height is only the order of drawing.) Grids
/// lie over one another if they are parallel, cover a common place, and are nearer to each other than the bodies are
/// wide. On grids that lie side by side, at an angle, or farther apart, agents mind those that they really meet.
#[derive(Component, FromTemplate, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, Debug, PartialEq)]
pub struct OnGrid(#[entities] pub Entity);

/// An agent in the air: it stands on no grid, and no grid holds it.
///
/// It flies straight to its goals, over walls and past the borders of grids, and is never made to leave a blocked cell.
/// Obstacles, its [`Avoider`](crate::steer::Avoider) and flocks work as for other agents that stand on no grid: in
/// space, or at its height where [`NavSettings::up`](crate::settings::NavSettings::up) is set. It avoids other airborne
/// agents that are as high as itself, and agents on the ground not at all; nor do they avoid it.
///
/// A [`PathRequest`](crate::order::PathRequest) needs no search in the air: it gives no `NavPath` and no `PathFound`. The
/// [`PathStatus`](crate::order::PathStatus) is `Following` until the agent is at its goal, and then comes `PathArrived`.
/// Of several goals the agent flies to the nearest.
///
/// Insert it to take off and remove it to land, at any time: a request that is under way goes on in the other way.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// fn spawn(mut commands: Commands) {
///     let goal = Vec3::new(30.5, 12.5, 4.0);
///     commands.spawn((Agent::with_speed(9.0), Airborne, PathRequest::to(goal), Transform::from_xyz(0.5, 0.5, 4.0)));
/// }
/// ```
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
pub struct Airborne;

/// What says on which ground an agent is.
pub(crate) type Tie = (Option<&'static OnGrid>, Option<&'static Airborne>);

/// One grid, ready to use.
#[derive(Clone, Copy)]
pub(crate) struct GridRef<'a> {
    pub(crate) entity: Entity,
    pub(crate) nav: &'a NavGrid,
    pub(crate) place: &'a GridTransform,
}

/// Every grid of the world that is not disabled.
#[derive(SystemParam)]
pub(crate) struct Grids<'w, 's> {
    grids: Query<'w, 's, (Entity, &'static NavGrid, &'static GridTransform)>,
}

/// Tells the grids that are disabled from those that are gone.
#[derive(SystemParam)]
pub(crate) struct DisabledGrids<'w, 's> {
    enabled: Query<'w, 's, (), With<NavGrid>>,
    entities: &'w Entities,
    archetypes: &'w Archetypes,
    components: &'w Components,
}

impl DisabledGrids<'_, '_> {
    /// Whether an entity is a grid that is disabled, by whichever component.
    pub(crate) fn contains(&self, entity: Entity) -> bool {
        // No query can tell, for it would have to name the component that disables.
        let is_grid = || {
            let location = self.entities.get_spawned(entity).ok()?;
            let archetype = self.archetypes.get(location.archetype_id)?;
            Some(archetype.contains(self.components.component_id::<NavGrid>()?))
        };
        !self.enabled.contains(entity) && is_grid() == Some(true)
    }
}

/// What a system knows of the grids since it last looked, so that it looks through all agents only when there is
/// news.
pub(crate) struct SeenRevisions<K>(Vec<K>);

impl<K> Default for SeenRevisions<K> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K: PartialEq> SeenRevisions<K> {
    /// Whether anything is other than it was, as `look` sees it; from now on it is known.
    pub(crate) fn is_news(&mut self, grids: &Grids, look: impl Fn(&GridRef) -> K) -> bool {
        let now: Vec<K> = grids.all().0.iter().map(look).collect();
        let is_news = self.0 != now;
        self.0 = now;
        is_news
    }
}

/// The grids of a tick, looked up once for all its agents.
pub(crate) struct GridList<'a>(Vec<GridRef<'a>>);

impl Grids<'_, '_> {
    /// A grid by its entity.
    pub(crate) fn get(&self, entity: Entity) -> Option<GridRef<'_>> {
        let (entity, nav, place) = self.grids.get(entity).ok()?;
        Some(GridRef { entity, nav, place })
    }

    /// All of them, for who asks for many agents.
    pub(crate) fn all(&self) -> GridList<'_> {
        GridList(self.grids.iter().map(|(entity, nav, place)| GridRef { entity, nav, place }).collect())
    }

    /// The grid that an agent at `position` walks on; see [`GridList::of`].
    pub(crate) fn of(
        &self,
        tie: (Option<&OnGrid>, Option<&Airborne>),
        position: Vec3,
    ) -> Result<GridRef<'_>, GridLookupError> {
        self.all().of(tie, position)
    }
}

/// Why an agent has no grid under it.
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

impl<'a> GridList<'a> {
    /// The grid that an agent at `position` walks on: the only one, or of several that whose ground is nearest.
    ///
    /// # Errors
    /// `NoGrid` if there is none or the agent is airborne, `OffGrid` if there are several and it stands on none of them,
    /// `BadGrid` if the grid cannot be placed, `NotFinite` if the position is not.
    #[inline]
    pub(crate) fn of(
        &self,
        (on, airborne): (Option<&OnGrid>, Option<&Airborne>),
        position: Vec3,
    ) -> Result<GridRef<'a>, GridLookupError> {
        if !is_finite(position) {
            return Err(GridLookupError::NotFinite);
        }
        if airborne.is_some() {
            return Err(GridLookupError::NoGrid);
        }
        let found = match (on, self.0.as_slice()) {
            (Some(&OnGrid(entity)), all) => {
                let tied = all.iter().find(|grid| grid.entity == entity);
                *tied.ok_or(GridLookupError::NoGrid)?
            }
            (None, []) => return Err(GridLookupError::NoGrid),
            (None, &[only]) => only,
            // As an array, so that the position itself may stay in registers.
            (None, _) => self.nearest(position.to_array())?,
        };
        if found.place.is_usable() { Ok(found) } else { Err(GridLookupError::BadGrid) }
    }

    /// A grid by its entity, if it can be placed.
    pub(super) fn get(&self, entity: Entity) -> Option<GridRef<'a>> {
        self.0.iter().copied().find(|grid| grid.entity == entity && grid.place.is_usable())
    }

    /// The one whose ground lies nearest below or above a point.
    fn nearest(&self, position: [f32; 3]) -> Result<GridRef<'a>, GridLookupError> {
        let position = Vec3::from_array(position);
        let all = self.0.iter().copied();
        all.filter(|grid| grid.place.is_usable() && grid.contains(position))
            .map(|grid| (grid.place.height(position).abs(), grid))
            .min_by(|(a, left), (b, right)| {
                a.total_cmp(b).then_with(|| left.entity.index_u32().cmp(&right.entity.index_u32()))
            })
            .map(|(_, grid)| grid)
            .ok_or(GridLookupError::OffGrid)
    }
}

impl GridRef<'_> {
    /// The cell under a point of the world; it may lie outside.
    pub(crate) fn cell(&self, position: Vec3) -> Cell {
        Cell::containing(self.place.to_grid(position))
    }

    /// The edits since a revision, as agents of a kind mind them.
    pub(crate) fn news(&self, revision: u64, kind: KindId) -> EditsSince {
        EditsSince::new(self.size(), self.nav.edits().after(revision), self.reach(kind))
    }

    /// Roughly where a way through grid space lies.
    pub(crate) fn outline(&self, way: &[Vec2]) -> Outline {
        Outline::of_way(self.size(), way)
    }

    /// How many cells the grid is wide and high.
    pub(super) fn size(&self) -> Vec2 {
        Vec2::new(self.nav.grid().width() as f32, self.nav.grid().height() as f32)
    }

    /// Whether an edit after `revision` lies where an agent of a kind that goes by it could have a cheaper way
    /// from `a` to `b` than one of this cost.
    pub(crate) fn may_shorten(&self, revision: u64, kind: KindId, a: Vec2, b: Vec2, cost: f64) -> bool {
        let length = (cost / f64::from(self.nav.grid().least_cost(kind))) as f32;
        self.nav.edits().may_shorten(revision, a, b, length, self.reach(kind))
    }

    /// How far from its place an agent of a kind reaches, in cells.
    fn reach(&self, kind: KindId) -> f32 {
        match self.nav.grid().kind(kind).map(|kind| kind.size) {
            Some(AgentSize::Square(side)) => f32::from(side.saturating_sub(1)),
            Some(AgentSize::Disc(radius)) => radius,
            None => 0.0,
        }
    }

    /// Where a kind of agent that stands on a cell finds ground: that cell or, if it may not stand there, the
    /// nearest on which it may. `None` outside the grid, and on a grid without ground for it.
    pub(crate) fn footing(&self, kind: KindId, cell: Cell) -> Option<Cell> {
        let grid = self.nav.grid();
        match grid.is_walkable(kind, cell) {
            true => Some(cell),
            false => grid.contains(cell).then(|| grid.nearest_walkable(kind, cell)).flatten(),
        }
    }

    fn contains(&self, position: Vec3) -> bool {
        self.nav.grid().contains(self.cell(position))
    }
}
