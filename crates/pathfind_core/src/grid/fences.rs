//! Fences: walls without width, on the edge between two cells. No agent steps over a fence, sees through it or touches
//! it, as if it were a wall; the cells on both sides stay free.
//!
//! ```text
//!   a | b     a fence between a and b: no step leads from one to the other. It ends at the corner of the four cells,
//!     +       so that no diagonal step through the corner is legal either, from a to d or from b to c: each would cut
//!   c   d     the end of the fence, whatever the corner rule. From a to c, c to d and d to b all steps are legal
//! ```
//!
//! A fence between passable cells is a [cliff](super::cliffs) of every kind of agents: so all that honours cliffs honours
//! fences. A wide agent may not stand where a fence runs between two cells that it covers, or, if it is a disc, where it
//! would touch one on the way to the next cell. Unlike a cliff, a fence stops rays, and the rim of a disc as well as its
//! centre. A fence at the side of a wall changes nothing. A grid without fences has no memory and no work for them.

use super::{CellRect, Direction, Edge, Grid, GridCell, GridError};

impl Grid {
    /// Puts a fence on the edge between a cell and the next one in a straight direction, or takes it away; returns
    /// whether that changed the grid. A fence is a wall without width, for every kind of agent; it has no direction,
    /// and is the same seen from either cell. It takes the place of another [rule](super::EdgeRule) of the edge.
    ///
    /// No step leads over a fence, and no diagonal step past its end, whatever the [`CornerRule`](super::CornerRule).
    /// Lines of sight, rays, discs and bodies stop at it, and agents of more than one cell do not stand across it.
    ///
    /// ```
    /// use pathfind_core::{Direction, Grid, GridCell, KindId, StepRules};
    /// let mut yard = Grid::new(3, 1)?;
    /// let (start, gate) = (GridCell::new(0, 0), GridCell::new(1, 0));
    /// assert!(yard.set_fence(gate, Direction::E, true)?);
    /// assert!(yard.has_fence(GridCell::new(2, 0), Direction::W), "the same edge");
    /// assert!(!yard.connected(KindId::default(), StepRules::default(), start, GridCell::new(2, 0)));
    /// # Ok::<(), pathfind_core::GridError>(())
    /// ```
    ///
    /// # Errors
    /// [`GridError::DiagonalEdge`], and [`GridError::Outside`] if one of the two cells does not lie on the grid.
    pub fn set_fence(
        &mut self,
        cell: GridCell,
        direction: Direction,
        is_fenced: bool,
    ) -> Result<bool, GridError> {
        self.edit(|edit| edit.set_fence(cell, direction, is_fenced))
    }

    /// Whether a fence stands on the edge between a cell and the next one in a direction. `false` for a diagonal
    /// direction, and at the border and outside of the grid.
    #[must_use]
    pub fn has_fence(&self, cell: GridCell, direction: Direction) -> bool {
        self.fences.as_ref().zip(Edge::beside(cell, direction)).is_some_and(|(fences, fence)| {
            fence.cells().into_iter().all(|cell| self.contains(cell)) && fences.has(fence)
        })
    }

    /// The fences, each once: the cell of smaller coordinates, and the direction over the fence, `E` or `S`. First
    /// those between cells of a row, row by row, then those between cells of a column. For saving and drawing.
    pub fn fences(&self) -> impl Iterator<Item = (GridCell, Direction)> {
        self.fences_around(self.bounds()).map(|fence| (fence.cell, fence.direction()))
    }

    /// See [`EdgeSet::around`].
    pub(crate) fn fences_around(&self, rect: CellRect) -> impl Iterator<Item = Edge> {
        self.fences.iter().flat_map(move |fences| fences.around(rect))
    }
}

#[cfg(test)]
mod tests {
    use glam::{IVec2, UVec2, Vec2};

    use super::*;
    use crate::grid::{AgentKind, AgentSize, CornerRule, KindId, StepRules, Terrain};
    use crate::sight::line_of_sight;
    use crate::steer::CounterRng;
    use crate::testing::{assert_same_grid, scattered, work_of};

    /// The same grid, made cell by cell, then fence by fence.
    fn made_anew(grid: &Grid) -> Grid {
        let mut made =
            Grid::from_fn(grid.width(), grid.height(), |cell| grid.terrain(cell).unwrap()).unwrap();
        if grid.has_elevation() {
            made = made.with_elevation(|cell| grid.elevation(cell)).unwrap();
        }
        let fences: Vec<_> = grid.fences().collect();
        made.edit(|edit| {
            fences.iter().for_each(|&(cell, direction)| _ = edit.set_fence(cell, direction, true))
        });
        for id in 1..grid.kind_count() {
            made.add_kind(grid.kind(KindId(id as u8)).unwrap().clone()).unwrap();
        }
        made
    }

    /// A stretch of fence comes or goes.
    fn edit_fences(rng: &mut CounterRng, edit: &mut crate::GridEdit) {
        let bounds = edit.bounds();
        let mut cell = GridCell::new(
            rng.below(bounds.max.x as u32 + 1) as i32,
            rng.below(bounds.max.y as u32 + 1) as i32,
        );
        let [direction, along] = [(); 2].map(|()| Direction::from_index(2 * rng.below(4) as u8));
        let stands = rng.below(3) > 0;
        for _ in 0..rng.below(20) {
            _ = edit.set_fence(cell, direction, stands);
            cell = cell.step(along);
        }
    }

    #[test]
    fn after_any_edits_a_grid_is_as_if_it_had_been_made_so() {
        let mut rng = CounterRng::new(31, 0, 0);
        for round in 0..60 {
            let [width, height] = [(); 2].map(|()| 1 + rng.below([12, 90][round % 2]));
            let mut grid = scattered(&mut rng, width, height, 0.2);
            for size in [AgentSize::Square(2), AgentSize::Disc(0.9), AgentSize::Disc(1.7)] {
                grid.add_kind(AgentKind { size, ..AgentKind::default() }).unwrap();
            }
            for turn in 0..12 {
                let snapshot = grid.clone();
                let before: Vec<_> = grid.fences().collect();
                let ((), touched) = grid.edit_touching(|edit| match rng.below(4) {
                    0 => {
                        let (center, radius) = (Vec2::new(rng.unit(), rng.unit()) * 60.0, rng.unit() * 6.0);
                        let terrain =
                            [Terrain::GROUND, Terrain::WALL, Terrain::weight(3)][rng.below(3) as usize];
                        edit.fill_disc(center, radius, terrain);
                    }
                    1 if round % 3 == 0 => {
                        let cell = GridCell::new(rng.below(width) as i32, rng.below(height) as i32);
                        edit.set_elevation(cell, rng.below(3) as f32).unwrap();
                    }
                    _ => edit_fences(&mut rng, edit),
                });
                for fence in grid.fences().filter(|fence| !before.contains(fence)) {
                    for cell in [fence.0, fence.0.step(fence.1)] {
                        assert!(touched.iter().any(|rect| rect.contains(cell)), "{cell} is named as touched");
                    }
                }
                assert!(snapshot.fences().eq(before), "a clone is not edited with the original");
                if rng.below(4) == 0 {
                    let size = UVec2::new(1 + rng.below(150), 1 + rng.below(150));
                    let there = grid.on_canvas(size, IVec2::new(rng.below(3) as i32 - 1, 0)).unwrap();
                    assert_same_grid(
                        &there,
                        &made_anew(&there),
                        &format!("round {round}, {turn}, elsewhere"),
                    );
                    let back = there.on_canvas(grid.size(), IVec2::ZERO).unwrap();
                    let ends = |(cell, direction): (GridCell, Direction)| [cell, cell.step(direction)];
                    let is_ground = |cell| back.terrain(cell).is_some();
                    assert!(back.fences().flat_map(ends).all(is_ground), "no fence at the border");
                }
                if rng.below(3) == 0 {
                    grid.compact();
                }
                assert_same_grid(&grid, &made_anew(&grid), &format!("round {round}, edit {turn}"));
            }
            let fences: Vec<_> = grid.fences().collect();
            for (index, (cell, direction)) in fences.into_iter().enumerate().rev() {
                assert_eq!(grid.set_fence(cell, direction, false), Ok(true));
                if index < 3 {
                    assert_same_grid(&grid, &made_anew(&grid), &format!("round {round}, {index} left"));
                }
            }
        }
    }

    /// What is cut off with a cell is lost, at the border of the canvas too.
    #[test]
    fn a_fence_that_loses_a_cell_does_not_come_back() {
        let mut grid = Grid::new(10, 10).unwrap();
        grid.set_fence(GridCell::new(4, 4), Direction::E, true).unwrap();
        grid.set_fence(GridCell::new(4, 4), Direction::S, true).unwrap();
        let small = grid.on_canvas(UVec2::new(5, 10), IVec2::ZERO).unwrap();
        assert!(small.fences().eq([(GridCell::new(4, 4), Direction::S)]));
        assert_eq!(small.on_canvas(UVec2::new(10, 10), IVec2::ZERO).unwrap().fences().count(), 1);
    }

    /// Where an agent may stand, and step, nothing of it is across a fence.
    #[test]
    fn agents_of_any_size_keep_off_fences() {
        let mut rng = CounterRng::new(32, 0, 0);
        let (mut free, mut shut) = (0, 0);
        for round in 0..400 {
            let mut grid = scattered(&mut rng, 20, 16, 0.02);
            grid.edit(|edit| (0..1 + round % 6).for_each(|_| edit_fences(&mut rng, edit)));
            let side = 2 + rng.below(3) as u8;
            let square = AgentKind { size: AgentSize::Square(side), ..AgentKind::default() };
            let square = grid.add_kind(square).unwrap();
            let radius = [0.3, 0.5, 0.6, 0.7, 0.72, 1.0, 1.2, 1.52, 1.57, 1.6, 2.3, 2.51][round % 12];
            let disc = AgentKind { size: AgentSize::Disc(radius), ..AgentKind::default() };
            let disc = grid.add_kind(disc).unwrap();
            for cell in grid.bounds().cells() {
                let last = i32::from(side) - 1;
                let covered = CellRect::new(cell, GridCell::new(cell.x + last, cell.y + last));
                let is_across =
                    |(a, to): (GridCell, Direction)| covered.contains(a) && covered.contains(a.step(to));
                let is_free = |cell| grid.is_walkable(KindId(0), cell);
                let fits = covered.cells().all(is_free) && !grid.fences().any(is_across);
                assert_eq!(grid.is_walkable(square, cell), fits, "a square of {side} at {cell}");
                if !grid.is_walkable(disc, cell) {
                    // It is blocked for a reason: a wall or a fence is near, here or on the way to the next cell.
                    let near = |at: Vec2, cell: GridCell| {
                        at.distance(at.clamp(cell.center() - 0.5, cell.center() + 0.5)) < radius
                    };
                    let walls = grid.bounds().grown(1).cells().filter(|&cell| !is_free(cell));
                    let is_walled = is_free(cell) && walls.into_iter().all(|wall| !near(cell.center(), wall));
                    let is_fenced = || {
                        grid.fences_around(grid.bounds()).any(|fence| {
                            let [low, high] = fence.ends().map(|end| end.as_vec2());
                            [Vec2::ZERO, Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y].into_iter().any(|way| {
                                let at = cell.center() + way * 0.5;
                                at.distance(at.clamp(low, high)) < radius
                            })
                        })
                    };
                    assert!(!is_walled || is_fenced(), "a disc of {radius} at {cell}");
                    shut += u32::from(is_walled);
                }
                for to in grid.steps_from(disc, StepRules::default(), cell) {
                    let (from, to) = (cell.center(), cell.step(to).center());
                    assert!(
                        line_of_sight(&grid, disc, CornerRule::Never, from, to),
                        "{radius}: {from} to {to}"
                    );
                    free += 1;
                }
            }
        }
        assert!(free > 100_000 && shut > 2_000, "{free} steps, {shut} cells shut by fences alone");
    }

    /// The first fence of a map, one more and the last that goes are edits of a few cells. The work is that of erosion.
    #[test]
    fn a_gate_costs_as_much_on_a_large_map_as_on_a_small_one() {
        let work = |side: u32| {
            let mut grid = Grid::new(side, side).unwrap();
            grid.add_kind(AgentKind::default().with_size(AgentSize::Disc(0.9))).unwrap();
            let cell = GridCell::new(side as i32 / 2, side as i32 / 2);
            [true, false].map(|stands| work_of(|| _ = grid.set_fence(cell, Direction::E, stands)))
        };
        assert_eq!(work(130), work(1000));
    }
}
