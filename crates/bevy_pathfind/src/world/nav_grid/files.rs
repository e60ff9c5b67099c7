//! The parts of a [`NavGrid`] that files hold: its cells without obstacles, and the links between them. The formats
//! are in [`files`](crate::world::files).

use bevy::prelude::*;
use pathfind_core::Grid;

use super::NavGrid;
use crate::world::{LinkEnd, NavLink};

impl NavGrid {
    /// The cells without what obstacles cover.
    pub(in crate::world) fn bare(&self) -> Grid {
        let mut bare = (*self.grid).clone();
        bare.edit(|edit| {
            for (cell, ground) in self.covered.layer.grounds() {
                edit.set(cell, ground).expect("obstacles cover cells of the grid");
            }
        });
        bare
    }

    /// A copy of the grid as a new map, without what obstacles cover.
    pub(in crate::world) fn anew(&self) -> Self {
        let copy = Self::new(self.bare()).with_cell_size(self.cell_size).with_plane(self.plane);
        Self { links: self.links.clone(), ..copy }
    }

    /// The links between cells of this grid that its `.grid.ron` holds, for a grid on this entity.
    /// [`NavGridSource`](crate::world::files::NavGridSource) spawns them by itself.
    pub fn links(&self, grid: Entity) -> impl Iterator<Item = NavLink> {
        let at = move |end: LinkEnd| LinkEnd { grid, ..end };
        self.links.iter().map(move |&link| NavLink { from: at(link.from), to: at(link.to), ..link })
    }

    /// Takes the links of another grid.
    pub(in crate::world) fn take_links(&mut self, other: &Self) {
        self.links = other.links.clone();
    }

    /// The grid with the links that [`to_grid_ron`](Self::to_grid_ron) writes: those of `links` whose ends both lie
    /// on `grid`, the entity of this grid. Links to other grids name other entities: keep them in a saved game.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_pathfind::prelude::*;
    /// fn write(grids: Query<(Entity, &NavGrid)>, links: Query<&NavLink>) -> Vec<String> {
    ///     let write = |(grid, nav): (Entity, &NavGrid)| nav.clone().with_links(grid, links.iter().copied()).to_grid_ron();
    ///     grids.iter().map(write).collect()
    /// }
    /// ```
    #[must_use]
    pub fn with_links(self, grid: Entity, links: impl IntoIterator<Item = NavLink>) -> Self {
        let own = links.into_iter().filter(|link| [link.from.grid, link.to.grid] == [grid; 2]);
        Self { links: own.collect(), ..self }
    }
}
