//! Painted strokes on maps, and Ctrl+Z, which undoes them.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, show::panel::NavPanel};
use pathfind_core::Direction;

use crate::{hud::Notice, keys::Keys};

/// The strokes on the current map, the latest last.
#[derive(Resource, Debug, Default)]
pub(crate) struct Strokes {
    /// The grid that they were painted on. In the search lab, the one on the left.
    map: Option<Entity>,
    strokes: Vec<Vec<Was>>,
}

/// What a change of a map has replaced.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Was {
    Terrain(GridCell, Terrain),
    Fence((GridCell, Direction), bool),
}

/// The most strokes that can be undone.
const MAX_STROKES: usize = 100;

pub(crate) fn plugin(app: &mut App) {
    // In the tuning panel the same keys undo what was changed there.
    let is_wanted = |keys: Keys, tuning: Res<NavPanel>| keys.just_undone() && !tuning.is_open;
    app.init_resource::<Strokes>().add_systems(Update, undo.run_if(is_wanted));
}

impl Strokes {
    /// Begins a stroke on a map; those on another one are forgotten.
    pub(crate) fn begin(&mut self, map: Entity) {
        if self.map.replace(map) != Some(map) {
            self.strokes.clear();
        }
        self.strokes.retain(|stroke| !stroke.is_empty());
        if self.strokes.len() == MAX_STROKES {
            self.strokes.remove(0);
        }
        self.strokes.push(Vec::new());
    }

    /// Changes a cell, as part of the stroke.
    pub(crate) fn set(&mut self, nav: &mut NavGrid, cell: GridCell, terrain: Terrain) {
        let Some(before) = nav.terrain(cell).filter(|&before| before != terrain) else { return };
        nav.set(cell, terrain).expect("the cell lies on the grid");
        self.note(Was::Terrain(cell, before));
    }

    /// Puts a fence on an edge of the map's inside or takes it away, as part of the stroke.
    pub(crate) fn set_fence(&mut self, nav: &mut NavGrid, edge: (GridCell, Direction), is_fenced: bool) {
        // An edge on the border of the map cannot have a fence.
        if nav.set_fence(edge.0, edge.1, is_fenced) == Ok(true) {
            self.note(Was::Fence(edge, !is_fenced));
        }
    }

    fn note(&mut self, was: Was) {
        self.strokes.last_mut().into_iter().for_each(|stroke| stroke.push(was));
    }

    /// Takes the last stroke that changed a map, the last change first.
    fn take(&mut self) -> impl Iterator<Item = Was> + use<> {
        self.strokes.retain(|stroke| !stroke.is_empty());
        self.strokes.pop().unwrap_or_default().into_iter().rev()
    }
}

impl Was {
    /// Puts back what was there.
    fn restore(self, nav: &mut NavGrid) {
        match self {
            Self::Terrain(cell, terrain) => _ = nav.set(cell, terrain),
            Self::Fence((cell, direction), is_fenced) => _ = nav.set_fence(cell, direction, is_fenced),
        }
    }
}

/// Undoes the last stroke, on the map that it was painted on and on its copies.
fn undo(mut strokes: ResMut<Strokes>, mut grids: Query<&mut NavGrid>, mut notice: ResMut<Notice>) {
    let size = strokes.map.and_then(|map| grids.get(map).ok()).map(|nav| nav.size());
    let (Some(size), false) = (size, strokes.strokes.iter().all(Vec::is_empty)) else {
        return notice.show("There is no stroke to undo.");
    };
    let changes: Vec<_> = strokes.take().collect();
    for mut nav in grids.iter_mut().filter(|nav| nav.size() == size) {
        changes.iter().for_each(|was| was.restore(&mut nav));
    }
}

/// The edges of cells along a line, as it runs over the corners of cells from one point to another.
pub(crate) fn edges_along(from: Vec2, to: Vec2) -> impl Iterator<Item = (GridCell, Direction)> {
    let (mut at, end) = (from.round().as_ivec2(), to.round().as_ivec2());
    core::iter::from_fn(move || {
        let left = end - at;
        let step = if left.x.abs() >= left.y.abs() {
            IVec2::new(left.x.signum(), 0)
        } else {
            IVec2::new(0, left.y.signum())
        };
        let low = at.min(at + step);
        at += step;
        (step != IVec2::ZERO).then(|| match step.y {
            0 => (GridCell::new(low.x, low.y - 1), Direction::S),
            _ => (GridCell::new(low.x - 1, low.y), Direction::E),
        })
    })
}

/// The edge of a cell that is nearest to a point, if the point is within a third of a cell of it.
pub(crate) fn edge_at(at: Vec2) -> Option<(GridCell, Direction)> {
    let (cell, in_cell) = (GridCell::containing(at), at - at.floor());
    let gaps = [in_cell.y, in_cell.x, 1.0 - in_cell.y, 1.0 - in_cell.x];
    let sides = [Direction::N, Direction::W, Direction::S, Direction::E];
    let nearest = sides.into_iter().zip(gaps).min_by(|a, b| a.1.total_cmp(&b.1));
    nearest.filter(|&(_, gap)| gap < 1.0 / 3.0).map(|(side, _)| (cell, side))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_runs_along_the_edges_of_cells() {
        let edges: Vec<_> = edges_along(Vec2::new(1.2, 1.1), Vec2::new(2.9, 1.8)).collect();
        let cell = |x, y| GridCell::new(x, y);
        assert_eq!(edges.len(), 3, "two columns and one row on: {edges:?}");
        assert!(edges.contains(&(cell(1, 0), Direction::S)), "below the cell (1, 0)");
        assert!(edges.iter().any(|(_, side)| *side == Direction::E), "and once down a column");
        assert_eq!(edges_along(Vec2::ONE, Vec2::ONE * 1.3).count(), 0, "within a corner there is none");
    }

    #[test]
    fn the_nearest_edge_is_found_near_it_alone() {
        assert_eq!(edge_at(Vec2::new(3.9, 2.5)), Some((GridCell::new(3, 2), Direction::E)));
        assert_eq!(edge_at(Vec2::new(3.5, 2.1)), Some((GridCell::new(3, 2), Direction::N)));
        assert_eq!(edge_at(Vec2::new(3.5, 2.5)), None, "in the middle of a cell");
    }

    #[test]
    fn strokes_are_undone_one_by_one() {
        let mut world = World::new();
        let mut nav = NavGrid::from_ascii("....\n....\n....\n").unwrap();
        let map = world.spawn_empty().id();
        let mut strokes = Strokes::default();
        strokes.begin(map);
        strokes.set(&mut nav, GridCell::new(1, 1), Terrain::WALL);
        strokes.set(&mut nav, GridCell::new(1, 1), Terrain::WALL);
        strokes.begin(map);
        edges_along(Vec2::new(0.0, 2.0), Vec2::new(4.0, 2.0))
            .for_each(|edge| strokes.set_fence(&mut nav, edge, true));
        strokes.begin(map);
        assert_eq!(nav.grid().fences().count(), 4);
        strokes.take().for_each(|was| was.restore(&mut nav));
        assert_eq!(
            nav.grid().fences().count(),
            0,
            "the fence is gone, a press that changed nothing is skipped"
        );
        assert_eq!(nav.terrain((1, 1).into()), Some(Terrain::WALL), "the wall still stands");
        strokes.take().for_each(|was| was.restore(&mut nav));
        assert_eq!(nav.terrain((1, 1).into()), Some(Terrain::GROUND));
        assert_eq!(strokes.take().count(), 0);
    }
}
