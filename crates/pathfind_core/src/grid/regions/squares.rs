//! Areas joined to regions, in two steps: within squares of blocks, then across the borders of the squares.
//!
//! An edit outdates the squares of its blocks alone. Of the other squares only the components that reach a border are
//! joined again: the time after an edit follows the length of all borders, not the number of areas.

use super::{DisjointSet, NEIGHBORS, Regions};
use crate::grid::{CellRect, GridCell};

/// Blocks along the side of a square.
const SIDE: i32 = 8;
/// The bit of a [label](Square::labels) that says that the component reaches a border.
const AT_BORDER: u32 = 1 << 31;

/// The components of the areas of one square.
#[derive(Debug)]
pub(super) struct Square {
    /// For each block, row by row, the index in `labels` of its first area.
    first_area: [u32; (SIDE * SIDE) as usize],
    /// For each area its component: [`AT_BORDER`] and the index in `at_border`, or the component's first area.
    labels: Box<[u32]>,
    /// The first area of each component that has a link to another square: the block in the upper 16 bits, the area's
    /// number in the block in the lower 16.
    at_border: Box<[u32]>,
}

/// Which region each area belongs to, together with the squares.
#[derive(Debug)]
pub(super) struct Joined {
    /// For each block the number of areas in the blocks before it.
    pub(super) first_area: Box<[u32]>,
    pub(super) area_count: usize,
    /// For each square the number of components at borders in the squares before it.
    first_at_border: Box<[u32]>,
    /// The region of each component at a border.
    regions: Box<[u32]>,
}

pub(super) fn square_of((column, row): (i32, i32)) -> (i32, i32) {
    (column / SIDE, row / SIDE)
}

/// The place of a block in its square.
fn place((column, row): (i32, i32)) -> usize {
    (row % SIDE * SIDE + column % SIDE) as usize
}

impl Regions {
    /// The region of an area: the index of the region's first area among all.
    pub(super) fn region_of(&self, block: (i32, i32), number: u16) -> u32 {
        let (joined, square) = (self.joined(), square_of(block));
        match self.label(block, number) {
            label if label & AT_BORDER == 0 => self.first_index(joined, square, label),
            label => joined.regions[self.component_index(&joined.first_at_border, square, label)],
        }
    }

    /// Joins the areas of all blocks to regions along all links.
    pub(super) fn join(&self) -> Joined {
        let (mut first_area, mut area_count) = (Vec::new(), 0);
        for (column, row) in self.all_blocks() {
            first_area.push(area_count);
            area_count += u32::from(self.block(column, row).count);
        }
        let mut joined = Joined {
            first_area: first_area.into(),
            area_count: area_count as usize,
            first_at_border: Box::default(),
            regions: Box::default(),
        };
        let (mut first_at_border, mut regions) = (Vec::new(), Vec::new());
        for square in self.all_squares() {
            first_at_border.push(regions.len() as u32);
            let firsts = self.square(square).at_border.iter();
            regions.extend(firsts.map(|&first| self.first_index(&joined, square, first)));
        }
        #[cfg(test)]
        crate::testing::count(regions.len());
        let mut sets = DisjointSet::new(regions.len() as u32);
        for block in self.all_blocks() {
            let (x, y) = (block.0 % SIDE, block.1 % SIDE);
            if (1..SIDE - 1).contains(&x) && y < SIDE - 1 {
                continue;
            }
            for (other, a, b) in self.links_of(block) {
                let [here, there] = [block, other].map(square_of);
                if here != there {
                    let index = |square, block, number| {
                        self.component_index(&first_at_border, square, self.label(block, number)) as u32
                    };
                    sets.join(index(here, block, a), index(there, other, b));
                }
            }
        }
        let roots: Vec<usize> = (0..regions.len() as u32).map(|at| sets.root(at) as usize).collect();
        for (at, &root) in roots.iter().enumerate() {
            regions[root] = regions[root].min(regions[at]);
        }
        joined.regions = roots.iter().map(|&root| regions[root]).collect();
        joined.first_at_border = first_at_border.into();
        joined
    }

    fn join_square(&self, (x, y): (i32, i32)) -> Square {
        let own = CellRect::square(GridCell::new(x * SIDE, y * SIDE), SIDE);
        let (mut first_area, mut labels) = ([0; (SIDE * SIDE) as usize], Vec::new());
        for block in self.blocks_in(own) {
            let place = place(block);
            first_area[place] = labels.len() as u32;
            labels.extend(
                (0..self.block(block.0, block.1).count).map(|area| (place << 16) as u32 | u32::from(area)),
            );
        }
        #[cfg(test)]
        crate::testing::count(labels.len());
        let mut sets = DisjointSet::new(labels.len() as u32);
        let mut is_at_border = vec![false; labels.len()];
        for block in self.blocks_in(own.grown(1)) {
            for (other, a, b) in self.links_of(block) {
                let index = |block: (i32, i32), area: u16| {
                    own.contains(block.into()).then(|| first_area[place(block)] + u32::from(area))
                };
                match (index(block, a), index(other, b)) {
                    (Some(a), Some(b)) => sets.join(a, b),
                    (Some(at), None) | (None, Some(at)) => is_at_border[at as usize] = true,
                    (None, None) => {}
                }
            }
        }
        // The root of a set is its least member: a component's first area.
        let mut at_border = Vec::new();
        for area in (0..labels.len()).filter(|&area| is_at_border[area]) {
            let label = &mut labels[sets.root(area as u32) as usize];
            if *label & AT_BORDER == 0 {
                at_border.push(std::mem::replace(label, AT_BORDER | at_border.len() as u32));
            }
        }
        for area in 0..labels.len() {
            labels[area] = labels[sets.root(area as u32) as usize];
        }
        Square { first_area, labels: labels.into(), at_border: at_border.into() }
    }

    /// A square, whose areas are joined if no query has done so since its last change.
    fn square(&self, (x, y): (i32, i32)) -> &Square {
        self.squares[y as usize][x as usize].get_or_init(|| self.join_square((x, y)))
    }

    fn all_squares(&self) -> impl Iterator<Item = (i32, i32)> + use<> {
        let (columns, rows) = square_of((self.columns - 1, self.rows - 1));
        (0..=rows).flat_map(move |y| (0..=columns).map(move |x| (x, y)))
    }

    pub(super) fn blocks_in(&self, rect: CellRect) -> impl Iterator<Item = (i32, i32)> + use<> {
        let map = CellRect::new(GridCell::new(0, 0), GridCell::new(self.columns - 1, self.rows - 1));
        rect.intersection(map).into_iter().flat_map(|rect| rect.cells()).map(|block| (block.x, block.y))
    }

    /// The links of a block: the neighbouring block, the area in the block, and that in the neighbouring one.
    fn links_of(&self, (column, row): (i32, i32)) -> impl Iterator<Item = ((i32, i32), u16, u16)> {
        self.links[row as usize][column as usize].iter().map(move |&(side, a, b)| {
            let (dx, dy) = NEIGHBORS[usize::from(side)];
            ((column + dx, row + dy), a, b)
        })
    }

    /// The [label](Square::labels) of an area.
    fn label(&self, block: (i32, i32), number: u16) -> u32 {
        let square = self.square(square_of(block));
        square.labels[square.first_area[place(block)] as usize + usize::from(number)]
    }

    /// The index among all areas of the first area of a component.
    fn first_index(&self, joined: &Joined, (x, y): (i32, i32), first: u32) -> u32 {
        let place = (first >> 16) as i32;
        let block = self.index(x * SIDE + place % SIDE, y * SIDE + place / SIDE);
        joined.first_area[block] + (first & 0xffff)
    }

    /// The index among all components at borders of one with this label.
    fn component_index(&self, first_at_border: &[u32], (x, y): (i32, i32), label: u32) -> usize {
        let columns = square_of((self.columns - 1, 0)).0 + 1;
        (first_at_border[(y * columns + x) as usize] + (label & !AT_BORDER)) as usize
    }
}

#[cfg(test)]
mod tests {
    use crate::grid::{Grid, GridCell, KindId, StepRules, Terrain};
    use crate::rng::CounterRng;
    use crate::testing::{assert_same_grid, walled, work_of};

    const KIND: KindId = KindId(0);

    /// On maps of several squares, with walls that leave many areas: the same regions as on a map made anew.
    #[test]
    fn regions_after_edits_are_those_of_a_new_grid() {
        let mut rng = CounterRng::new(19, 0, 0);
        let mut grid = walled(1100, 530, |_| rng.below(100) < 45);
        for _ in 0..3 {
            _ = grid.region(KIND, StepRules::default(), GridCell::new(0, 0));
            for _ in 0..60 {
                // Half of them beside the borders of squares.
                let (x, y) = (rng.below(1100) as i32, rng.below(530) as i32);
                let x = if x % 2 == 0 { x } else { x / 512 * 512 + y % 3 };
                let is_free = grid.is_walkable(KIND, (x, y).into());
                grid.set((x, y).into(), if is_free { Terrain::WALL } else { Terrain::GROUND }).unwrap();
            }
            let anew = walled(1100, 530, |cell| !grid.is_walkable(KIND, cell));
            assert_same_grid(&grid, &anew, "edits");
        }
    }

    /// The work is the number of areas and components that are joined.
    #[test]
    fn after_an_edit_only_what_is_near_is_joined_again() {
        let mut grid = walled(2048, 1024, |cell| (cell.x + cell.y) % 2 == 1);
        let region =
            |grid: &Grid| work_of(|| _ = grid.region(KIND, StepRules::default(), GridCell::new(0, 0)));
        let all = region(&grid);
        assert_eq!(all, 1024 * 1024, "each walkable cell is an area");
        grid.set(GridCell::new(700, 700), Terrain::WALL).unwrap();
        let again = region(&grid);
        assert!(again <= all / 8, "{again} of {all}");
        assert_eq!(region(&grid), 0, "until the next edit");
    }
}
