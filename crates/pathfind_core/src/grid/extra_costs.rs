//! Extra costs: what single cells cost one kind of agent in addition to their terrain, such as danger or crowding.
//!
//! Searches read the cost of a cell from its class and a table of 256 costs. A kind with extra costs has a plane of
//! classes of its own, in which a class stands for a terrain class together with a level of extra cost; so every search
//! and table works as on terrain, and areas of one level are areas of one cost.

use super::{CellRect, Classes, CostTable, Grid, GridCell, GridError, KindId, Terrain};

/// The extra costs that occur; others are rounded to the nearest. Powers of two are exact in the integer units of a
/// search together with usual terrain costs. One step an octave: where a value falls off evenly, areas of one level are
/// several cells wide, and searches jump in them. Measured on a map of which discs touch a tenth, with steps of half an
/// octave: searches take 1.4 times the time.
const LEVELS: [f32; 16] =
    [-0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0];
/// The index of the level without an extra cost.
const NONE: u8 = 3;
/// The least cost of a cell, as a part of what its terrain costs: an attractive cell that cost next to nothing would
/// lower the estimate of every search, and so make all of them slow.
const LEAST_PART: f32 = 0.25;

/// A terrain class with a level of extra cost.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct LeveledClass {
    terrain: u8,
    level: u8,
}

/// The extra costs of one kind of agent.
#[derive(Clone, Debug)]
pub(super) struct ExtraCosts {
    /// The class of each cell: an index into `meanings`.
    pub(super) classes: Classes,
    /// How many cells have each class.
    pub(super) counts: Box<[u32; 256]>,
    /// The cost of each class.
    pub(super) table: CostTable,
    /// What each class stands for; `None` for one that never occurred.
    meanings: Box<[Option<LeveledClass>; 256]>,
    /// The number of cells whose level is not [`NONE`].
    raised: u32,
}

impl Grid {
    /// Sets what cells cost a kind of agent in addition to their terrain, for all cells of some rectangles that lie on
    /// the grid: danger, crowding, or with a negative number a preference. Returns the rectangles in which costs
    /// changed. If any did, the [revision](Self::revision) grows by one.
    ///
    /// Every search, field and [`cost`](Self::cost) counts them; which cells are walkable stays as it is. An extra cost
    /// is rounded to the nearest of −0.75, −0.5, −0.25, 0, 0.25, 0.5, 1, 2, 4 and so on to 512: so cells of similar
    /// cost stay areas of one cost, in which a search jumps. NaN counts as 0. A cell never costs less than a quarter of its terrain, nor
    /// more than [`CostTable::MAX_COST`]. Where over 256 pairs of terrain and level occur, a cell has the cost that is
    /// nearest to its own among those.
    ///
    /// [`set_kind`](Self::set_kind) and [`compact`](Self::compact) remove the extra costs.
    ///
    /// # Errors
    /// [`GridError::UnknownKind`].
    ///
    /// ```
    /// # use pathfind_core::{CellRect, Grid, GridCell, KindId};
    /// let mut grid = Grid::new(8, 8)?;
    /// let fire = CellRect::new(GridCell::new(2, 0), GridCell::new(3, 5));
    /// grid.set_extra_costs(KindId::default(), &[fire], |_| 4.0)?;
    /// assert_eq!(grid.cost(KindId::default(), GridCell::new(2, 5)), Some(5.0));
    /// # Ok::<(), pathfind_core::GridError>(())
    /// ```
    pub fn set_extra_costs(
        &mut self,
        kind: KindId,
        rects: &[CellRect],
        extra: impl FnMut(GridCell) -> f32,
    ) -> Result<Vec<CellRect>, GridError> {
        self.kind(kind).ok_or(GridError::UnknownKind(kind))?;
        let all = self.bounds();
        let rects: Vec<_> = rects.iter().filter_map(|rect| rect.intersection(all)).collect();
        self.expanded();
        let (expanded, rules) = (self.expanded.get_mut(), self.edge_rules.as_deref());
        let touched = expanded.map(|it| it.set_extra_costs(kind, rules, &rects, extra)).unwrap_or_default();
        self.revision += u64::from(!touched.is_empty());
        Ok(touched)
    }

    /// What a cell costs a kind of agent in addition to its terrain, rounded as
    /// [`set_extra_costs`](Self::set_extra_costs) tells; 0 outside the grid, for an unknown kind, and where there is
    /// none.
    #[must_use]
    pub fn extra_cost(&self, kind: KindId, cell: GridCell) -> f32 {
        let layer = self.layer(kind).filter(|_| self.contains(cell));
        layer.and_then(|layer| layer.extra_costs.as_ref()).map_or(0.0, |extra| extra.at(cell))
    }
}

impl ExtraCosts {
    /// No extra cost anywhere, on this terrain.
    pub(super) fn new(terrain: &Classes, counts: &[u32; 256], costs: &CostTable) -> Self {
        let plain = |class: u8| LeveledClass { terrain: class, level: NONE };
        Self {
            classes: terrain.clone(),
            counts: Box::new(*counts),
            table: costs.clone(),
            meanings: Box::new(std::array::from_fn(|class| (counts[class] > 0).then(|| plain(class as u8)))),
            raised: 0,
        }
    }

    /// Whether no cell has an extra cost.
    pub(super) const fn is_empty(&self) -> bool {
        self.raised == 0
    }

    fn at(&self, cell: GridCell) -> f32 {
        let meaning = self.meaning(self.classes.get(cell.y as usize, cell.x as usize));
        meaning.map_or(0.0, |meaning| LEVELS[usize::from(meaning.level)])
    }

    fn meaning(&self, class: u8) -> Option<LeveledClass> {
        self.meanings[usize::from(class)]
    }

    /// Sets the extra costs of a rectangle. Returns the smallest rectangle that holds the changed cells.
    pub(super) fn set(
        &mut self,
        costs: &CostTable,
        rect: CellRect,
        mut extra: impl FnMut(GridCell) -> f32,
    ) -> Option<CellRect> {
        self.change(costs, rect, |cell, old| LeveledClass { level: level_of(extra(cell)), ..old })
    }

    /// Follows an edit of the terrain in a rectangle; the levels stay.
    pub(super) fn follow(&mut self, terrain: &Classes, costs: &CostTable, rect: CellRect) {
        self.change(costs, rect, |cell, old| LeveledClass {
            terrain: terrain.get(cell.y as usize, cell.x as usize),
            ..old
        });
    }

    fn change(
        &mut self,
        costs: &CostTable,
        rect: CellRect,
        mut change: impl FnMut(GridCell, LeveledClass) -> LeveledClass,
    ) -> Option<CellRect> {
        let mut touched = None::<CellRect>;
        // Neighbours mostly have the same class.
        let mut latest = None::<(LeveledClass, u8)>;
        for cell in rect.cells() {
            let (row, column) = (cell.y as usize, cell.x as usize);
            let old = self.classes.get(row, column);
            let Some(before) = self.meaning(old) else { continue };
            let after = change(cell, before);
            if after == before {
                continue;
            }
            let new = match latest {
                Some((meaning, class)) if meaning == after && self.counts[usize::from(class)] > 0 => class,
                _ => self.class_of(after, costs),
            };
            latest = Some((after, new));
            if new == old {
                continue;
            }
            self.classes.set(row, column, new);
            self.counts[usize::from(old)] -= 1;
            self.counts[usize::from(new)] += 1;
            let is_raised = |class| self.meaning(class).is_some_and(|meaning| meaning.level != NONE);
            self.raised = self.raised - u32::from(is_raised(old)) + u32::from(is_raised(new));
            let cell = CellRect { min: cell, max: cell };
            touched = Some(touched.map_or(cell, |touched| touched.union(cell)));
        }
        if let Some(CellRect { min, max }) = touched {
            let sides = [[min.y, max.y], [min.x, max.x]].map(|ends| ends.map(|end| end as usize));
            self.classes.release(sides[0], sides[1]);
        }
        touched
    }

    /// The class that stands for a terrain class at a level: the one that does already, else one that no cell has, else
    /// the one whose cost is nearest.
    fn class_of(&mut self, meaning: LeveledClass, costs: &CostTable) -> u8 {
        let cost = Self::cost(meaning, costs);
        let known = (0..=u8::MAX).find(|&class| self.meaning(class) == Some(meaning));
        let unused =
            || (0..=u8::MAX).find(|&class| class != Terrain::VOID.0 && self.counts[usize::from(class)] == 0);
        let Some(class) = known.or_else(unused) else {
            let away = |class: u8| {
                let other = self.table.cost(Terrain(class));
                other.zip(cost).map_or(f32::INFINITY, |(a, b)| (a - b).abs())
            };
            return (0..=u8::MAX).min_by(|&a, &b| away(a).total_cmp(&away(b))).unwrap_or_default();
        };
        self.meanings[usize::from(class)] = Some(meaning);
        self.table.put(class, cost);
        class
    }

    fn cost(LeveledClass { terrain, level }: LeveledClass, costs: &CostTable) -> Option<f32> {
        let own = costs.cost(Terrain(terrain))?;
        Some((own + LEVELS[usize::from(level)]).max(LEAST_PART * own).min(CostTable::MAX_COST))
    }

    /// The same on a canvas of other size; see [`Classes::moved`](super::CopyOnWriteRows::moved).
    pub(super) fn moved(&self, width: u32, height: u32, [columns, rows]: [isize; 2]) -> Self {
        let classes = self.classes.moved([height as usize, width as usize], [64 * rows, columns]);
        let mut moved = Self { classes, counts: Box::new([0; 256]), raised: 0, ..self.clone() };
        let void = usize::from(Terrain::VOID.0);
        moved.meanings[void] = Some(LeveledClass { terrain: Terrain::VOID.0, level: NONE });
        moved.table.put(Terrain::VOID.0, None);
        let mut buffer = Vec::new();
        for row in 0..height as usize {
            let row = moved.classes.row(row).values(&mut buffer);
            row[..width as usize].iter().for_each(|&class| moved.counts[usize::from(class)] += 1);
        }
        let raised = moved.counts.iter().zip(&*moved.meanings);
        moved.raised = raised
            .filter(|(_, meaning)| meaning.is_some_and(|meaning| meaning.level != NONE))
            .map(|(count, _)| count)
            .sum();
        moved
    }
}

/// The index of the level that is nearest to an extra cost.
fn level_of(extra: f32) -> u8 {
    let size = extra.abs();
    if size.is_nan() || size < 0.125 {
        return NONE;
    }
    if extra < 0.0 {
        return NONE - ((size * 4.0 + 0.5) as u8).min(NONE);
    }
    // The exponent, and whether the number is nearer to the next power of two.
    let (exponent, is_upper) = ((extra.to_bits() >> 23) as i32 - 127, extra.to_bits() >> 22 & 1);
    let steps = exponent + is_upper as i32 + 3;
    NONE + steps.clamp(1, (LEVELS.len() - 1) as i32 - i32::from(NONE)) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{AgentKind, AgentSize};
    use crate::steer::CounterRng;
    use crate::testing::assert_same_grid;

    #[test]
    fn extra_costs_are_rounded_to_the_nearest_level() {
        let level = |extra: f32| LEVELS[usize::from(level_of(extra))];
        for (extra, rounded) in [
            (0.0, 0.0),
            (f32::NAN, 0.0),
            (0.12, 0.0),
            (0.13, 0.25),
            (-0.12, 0.0),
            (-0.13, -0.25),
            (-0.6, -0.5),
            (-0.7, -0.75),
            (0.37, 0.25),
            (0.38, 0.5),
            (5.9, 4.0),
            (6.1, 8.0),
            (700.0, 512.0),
            (f32::INFINITY, 512.0),
            (f32::NEG_INFINITY, -0.75),
        ] {
            assert_eq!(level(extra), rounded, "{extra}");
        }
        assert!(LEVELS.iter().all(|&it| level(it) == it) && LEVELS[usize::from(NONE)] == 0.0);
    }

    /// Whatever is edited in between, in whichever order, a grid is as one whose terrain and extra costs were set at
    /// once.
    #[test]
    fn edits_of_terrain_and_of_extra_costs_mix() {
        let mut rng = CounterRng::new(29, 0, 0);
        for round in 0..60 {
            let (width, height) = (1 + rng.below(140), 1 + rng.below(90));
            let mut grid = Grid::new(width, height).unwrap();
            let kind = AgentKind::default().with_size(AgentSize::Square(1 + rng.below(2) as u8));
            let kind = grid.add_kind(kind).unwrap();
            let mut extras = vec![0.0; (width * height) as usize];
            for _ in 0..6 {
                let mut cell = || GridCell::new(rng.below(150) as i32, rng.below(100) as i32);
                let rect = CellRect::new(cell(), cell());
                if rng.below(2) == 0 {
                    let terrain = Terrain(rng.below(4) as u8);
                    grid.fill(rect, terrain);
                    continue;
                }
                let extra = [0.0, 0.1, 3.0, -0.6, 50.0, 2e9][rng.below(6) as usize];
                let before = (grid.clone(), grid.revision());
                let touched = grid.set_extra_costs(kind, &[rect], |_| extra).unwrap();
                for cell in grid.bounds().cells() {
                    let changed = before.0.extra_cost(kind, cell) != grid.extra_cost(kind, cell);
                    assert!(!changed || touched.iter().any(|rect| rect.contains(cell)), "{cell} is named");
                    if rect.contains(cell) {
                        extras[cell.y as usize * width as usize + cell.x as usize] = extra;
                    }
                }
                assert_eq!(grid.revision() - before.1, u64::from(!touched.is_empty()));
            }
            let extra = |cell: GridCell| extras[cell.y as usize * width as usize + cell.x as usize];
            let mut anew = Grid::from_fn(width, height, |cell| grid.terrain(cell).unwrap()).unwrap();
            anew.add_kind(grid.kind(kind).unwrap().clone()).unwrap();
            anew.set_extra_costs(kind, &[anew.bounds()], extra).unwrap();
            assert_same_grid(&grid, &anew, &format!("round {round}"));
            for cell in grid.bounds().cells().filter(|&cell| grid.is_walkable(kind, cell)) {
                let own = grid.kind(kind).unwrap().costs.cost(grid.terrain(cell).unwrap()).unwrap();
                let cost = (own + LEVELS[usize::from(level_of(extra(cell)))]).clamp(own / 4.0, 1000.0);
                assert_eq!(grid.cost(kind, cell), Some(cost), "{cell}");
                assert_eq!(grid.cost(KindId::default(), cell), Some(own), "the other kind ignores it");
            }
            let canvas =
                [grid, anew].map(|it| it.on_canvas(glam::UVec2::new(130, 64), glam::IVec2::ONE).unwrap());
            assert_same_grid(&canvas[0], &canvas[1], &format!("round {round}, moved"));
        }
    }

    #[test]
    fn more_pairs_than_classes_cost_nearly_the_same() {
        let mut grid = Grid::from_fn(16, 60, |cell| Terrain(20 + cell.y as u8)).unwrap();
        let kind = grid.add_kind(AgentKind::default()).unwrap();
        grid.set_extra_costs(kind, &[grid.bounds()], |cell| LEVELS[cell.x as usize]).unwrap();
        for cell in grid.bounds().cells() {
            let cost = (1.0 + LEVELS[cell.x as usize]).clamp(0.25, 1000.0);
            assert_eq!(
                grid.cost(kind, cell),
                Some(cost),
                "{cell}: all of these classes cost 1, so a nearest cost is its own"
            );
        }
        grid.set_extra_costs(kind, &[grid.bounds()], |_| 0.0).unwrap();
        assert!(
            grid.known(kind).extra_costs.is_none()
                && grid.bounds().cells().all(|it| grid.cost(kind, it) == Some(1.0))
        );
    }

    #[test]
    fn a_kind_that_is_unknown_or_cells_outside_change_nothing() {
        let mut grid = Grid::new(4, 4).unwrap();
        let all = grid.bounds();
        assert_eq!(grid.set_extra_costs(KindId(3), &[all], |_| 1.0), Err(GridError::UnknownKind(KindId(3))));
        let far = CellRect::new(GridCell::new(9, 9), GridCell::new(i32::MAX, i32::MAX));
        assert_eq!(grid.set_extra_costs(KindId(0), &[far], |_| 1.0), Ok(vec![]));
        assert_eq!((grid.revision(), grid.extra_cost(KindId(0), GridCell::new(9, 9))), (0, 0.0));
    }
}
