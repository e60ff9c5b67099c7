//! Temporary obstacles: terrain put over cells of a grid, which show their own terrain again when it is removed.

use std::collections::BTreeMap;

use super::{AgentKind, CellRect, Grid, GridCell, GridEdit, GridError, KindId, Terrain};

/// The terrain that moving obstacles have put over the cells of one grid.
///
/// A covered cell of the grid holds one of the terrains put over it, whatever their order: one that is blocked for
/// the default kind of agent, else the most costly for that kind, else the greatest class. Edits made through
/// [`edit`](Self::edit) change the base terrain of a covered cell; the grid holds the base terrain again when nothing
/// covers the cell. Replace the default kind only by [`set_kind`](Self::set_kind), which also updates covered cells.
#[derive(Clone, Debug, Default)]
pub struct ObstacleLayer {
    covered: BTreeMap<GridCell, Covered>,
}

#[derive(Clone, Debug)]
struct Covered {
    /// The base terrain: what the grid holds when nothing covers the cell.
    ground: Terrain,
    /// The terrains put over the cell, each as often as it was put there.
    added: Vec<Terrain>,
}

impl ObstacleLayer {
    /// Whether no cell is covered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.covered.is_empty()
    }

    /// The base terrain of a covered cell; `None` for any other cell.
    #[must_use]
    pub fn ground(&self, cell: GridCell) -> Option<Terrain> {
        self.covered.get(&cell).map(|covered| covered.ground)
    }

    /// Every covered cell with its base terrain, in order of columns.
    pub fn grounds(&self) -> impl Iterator<Item = (GridCell, Terrain)> {
        self.covered.iter().map(|(&cell, covered)| (cell, covered.ground))
    }

    /// Edits the base terrain as [`Grid::edit`] does; the grid holds the new terrain of a covered cell only when
    /// nothing covers it any more. Returns what `edits` returns, and the rectangles in which cells of the grid changed.
    pub fn edit<R>(&mut self, grid: &mut Grid, edits: impl FnOnce(&mut GridEdit) -> R) -> (R, Vec<CellRect>) {
        let mut edit = GridEdit::new(grid, Some(self));
        let value = edits(&mut edit);
        (value, edit.commit())
    }

    /// Removes terrain from cells and adds terrain over cells, as one edit. Returns the rectangles in which cells of
    /// the grid changed. Cells outside the grid are ignored, and so is removing terrain that was not added there.
    pub fn update(
        &mut self,
        grid: &mut Grid,
        removed: impl IntoIterator<Item = (GridCell, Terrain)>,
        added: impl IntoIterator<Item = (GridCell, Terrain)>,
    ) -> Vec<CellRect> {
        // Both iterators are run to their ends before anything changes, as either may panic.
        let (removed, added): (Vec<_>, Vec<_>) = (removed.into_iter().collect(), added.into_iter().collect());
        let mut affected = Vec::with_capacity(removed.len() + added.len());
        for (cell, terrain) in removed {
            if let Some(covered) = self.covered.get_mut(&cell) {
                if let Some(index) = covered.added.iter().position(|&added| added == terrain) {
                    covered.added.swap_remove(index);
                }
                affected.push(cell);
            }
        }
        for (cell, terrain) in added {
            if let Some(shown) = grid.terrain(cell) {
                let uncovered = || Covered { ground: shown, added: Vec::new() };
                self.covered.entry(cell).or_insert_with(uncovered).added.push(terrain);
                affected.push(cell);
            }
        }
        self.show(grid, affected)
    }

    /// Replaces a kind of agent as [`Grid::set_kind`] does. For the default kind, cells covered by several terrains
    /// are then updated to its new costs, as one more edit.
    ///
    /// # Errors
    /// As for [`Grid::set_kind`].
    pub fn set_kind(&mut self, grid: &mut Grid, id: KindId, kind: AgentKind) -> Result<bool, GridError> {
        let changed = grid.set_kind(id, kind)?;
        if changed && id == KindId::default() {
            let several = self.covered.iter().filter(|(_, covered)| covered.added.len() > 1);
            let several = several.map(|(&cell, _)| cell).collect();
            self.show(grid, several);
        }
        Ok(changed)
    }

    /// Sets each of some covered cells of the grid to its highest-ranking terrain, or to the base terrain if none is
    /// left; such a cell is then no longer covered.
    fn show(&mut self, grid: &mut Grid, cells: Vec<GridCell>) -> Vec<CellRect> {
        let costs = grid.kind(KindId::default()).expect("every grid knows the default kind").costs.clone();
        let rank = |terrain: Terrain| (costs.cost(terrain).unwrap_or(f32::INFINITY), terrain.0);
        let (_, touched) = grid.edit_touching(|edit| {
            for cell in cells {
                let Some(covered) = self.covered.get(&cell) else { continue };
                let ranked = covered.added.iter().map(|&terrain| (rank(terrain), terrain));
                let top = ranked.max_by(|(a, _), (b, _)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                let shown = top.map_or(covered.ground, |(_, terrain)| terrain);
                if covered.added.is_empty() {
                    self.covered.remove(&cell);
                }
                // Fails only if the cell was covered on another, larger grid: then there is nothing to do.
                _ = edit.set(cell, shown);
            }
        });
        touched
    }

    /// Sets the base terrain of a covered cell; returns whether that changed it, or `None` if the cell is not covered.
    pub(super) fn set_ground(&mut self, cell: GridCell, terrain: Terrain) -> Option<bool> {
        let covered = self.covered.get_mut(&cell)?;
        Some(core::mem::replace(&mut covered.ground, terrain) != terrain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steer::CounterRng;

    #[test]
    fn what_shows_follows_the_costs_of_a_new_kind() {
        let mut grid = Grid::from_ascii("...").unwrap();
        let mut obstacle_layer = ObstacleLayer::default();
        let (mud, ice) = (Terrain::weight(2), Terrain::weight(3));
        let [both, one] = [GridCell::new(0, 0), GridCell::new(2, 0)];
        obstacle_layer.update(&mut grid, [], [(both, mud), (both, ice), (one, mud)]);
        assert_eq!(grid.to_ascii().unwrap(), "3.2\n", "ice costs more than mud");
        let costs = crate::CostTable::default().with(mud, 8.0).unwrap();
        let skater = AgentKind { costs, ..AgentKind::default() };
        assert_eq!(obstacle_layer.set_kind(&mut grid, KindId(0), skater.clone()), Ok(true));
        assert_eq!(grid.to_ascii().unwrap(), "2.2\n", "mud costs more than ice now");
        let revision = grid.revision();
        assert_eq!(obstacle_layer.set_kind(&mut grid, KindId(0), skater), Ok(false));
        assert_eq!(grid.revision(), revision, "the same kind changes nothing");
        obstacle_layer.update(&mut grid, [(both, mud)], []);
        assert_eq!(grid.to_ascii().unwrap(), "3.2\n", "the ice is still there");
    }

    #[test]
    fn edits_go_below() {
        let mut grid = Grid::from_ascii(".....").unwrap();
        let mut obstacle_layer = ObstacleLayer::default();
        let cart = [(GridCell::new(1, 0), Terrain::WALL), (GridCell::new(9, 9), Terrain::WALL)];
        obstacle_layer.update(&mut grid, [], cart);
        let (_, touched) = obstacle_layer.edit(&mut grid, |edit| {
            assert_eq!(edit.terrain(GridCell::new(1, 0)), Some(Terrain::GROUND), "an edit sees the ground");
            assert_eq!(edit.fill(edit.bounds(), Terrain::weight(3)), 5, "all five cells get new ground");
        });
        assert_eq!(touched.len(), 1);
        assert_eq!(grid.to_ascii().unwrap(), "3#333\n", "the cart still stands");
        assert_eq!(obstacle_layer.ground(GridCell::new(1, 0)), Some(Terrain::weight(3)));
        obstacle_layer.update(&mut grid, cart, []);
        assert_eq!(grid.to_ascii().unwrap(), "33333\n", "and leaves what was put there meanwhile");
    }

    #[test]
    fn it_agrees_with_a_list_of_what_lies_where() {
        let mut rng = CounterRng::new(3, 0, 0);
        let mut grid = Grid::new(6, 6).unwrap();
        let mut ground = grid.clone();
        let (mut obstacle_layer, mut lying) = (ObstacleLayer::default(), Vec::<(GridCell, Terrain)>::new());
        for _ in 0..2000 {
            let cell = GridCell::new(rng.below(6) as i32, rng.below(6) as i32);
            let terrain = Terrain(rng.below(5) as u8);
            match rng.below(3) {
                0 => {
                    obstacle_layer.update(&mut grid, [], [(cell, terrain)]);
                    lying.push((cell, terrain));
                }
                1 if !lying.is_empty() => {
                    let gone = lying.swap_remove(rng.below(lying.len() as u32) as usize);
                    obstacle_layer.update(&mut grid, [gone], []);
                }
                _ => {
                    obstacle_layer.edit(&mut grid, |edit| _ = edit.set(cell, terrain));
                    ground.set(cell, terrain).unwrap();
                }
            }
            for cell in grid.bounds().cells() {
                let here = lying.iter().filter(|(at, _)| *at == cell).map(|&(_, terrain)| terrain);
                let shown = here.max_by_key(|&Terrain(class)| {
                    (matches!(Terrain(class), Terrain::WALL | Terrain::TREES | Terrain::WATER), class)
                });
                assert_eq!(grid.terrain(cell), shown.or(ground.terrain(cell)), "{cell} shows what is on top");
            }
        }
    }
}
