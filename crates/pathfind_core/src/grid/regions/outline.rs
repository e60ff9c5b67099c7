//! What a search over areas reads of most blocks, side by side in memory: of a block with one area, all that there is
//! to know.

#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(super) struct Outline {
    /// Whether the block has an area.
    pub(super) is_walkable: bool,
    /// Column and row, in the block, of the middle of its first area.
    pub(super) first_middle: [u8; 2],
    pub(super) joints: Joints,
}

/// How a block is linked with each of its [`NEIGHBORS`](super::NEIGHBORS), two bits for each.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(super) struct Joints(u8);

/// How a block is linked with a neighbour.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) enum Joint {
    None,
    /// By one link, from the first area of the block to the first of the neighbour.
    OfFirst,
    /// As the list of links says.
    Listed,
}

impl Joints {
    pub(super) fn of(links: &[(u8, u16, u16)]) -> Self {
        let joint = |side: u8| {
            let mut of_side = links.iter().filter(|link| link.0 == side);
            match (of_side.next(), of_side.next()) {
                (None, _) => Joint::None,
                (Some((_, 0, 0)), None) => Joint::OfFirst,
                _ => Joint::Listed,
            }
        };
        Self((0..4).fold(0, |bits, side| bits | (joint(side) as u8) << (2 * side)))
    }

    #[inline]
    pub(super) fn with(self, side: usize) -> Joint {
        match self.0 >> (2 * side) & 3 {
            0 => Joint::None,
            1 => Joint::OfFirst,
            _ => Joint::Listed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::regions::Regions;
    use crate::grid::{Bitmap, CellRect};
    use crate::steer::CounterRng;

    #[test]
    fn outlines_follow_edits_and_moves_to_another_canvas() {
        let side = 200;
        let [mut rows, mut columns] = [0, 0].map(|_| Bitmap::new(side, side));
        let mut regions = Regions::new(side, side, true);
        let mut rng = CounterRng::new(3, 0, 0);
        let mut seen = [0; 3];
        for edit in 0..120 {
            // Whole words become free, blocked or riddled with walls.
            let (x, y) = (64 * rng.below(3) as i32, rng.below(side) as i32);
            let word = match edit % 4 {
                0 => 0,
                1 => rng.below(u32::MAX).into(),
                _ => u64::MAX,
            };
            let changed = CellRect::new((x, y).into(), (x + 63, (y + 20).min(side as i32 - 1)).into());
            for line in changed.min.y..=changed.max.y {
                rows.set_word(line, x, word);
            }
            columns.set_transpose_of(&rows, changed);
            let walkable = super::super::WalkableCells { rows: &rows, columns: &columns, cliffs: None };
            regions.update(walkable, &[changed]);
            let moved = regions.moved(side + 64, side + 128, [1, 2]);
            for (regions, by) in [(&regions, 0), (&moved, 1)] {
                for (column, row) in regions.all_blocks() {
                    let block = regions.block(column, row);
                    let links = &regions.links[row as usize][column as usize];
                    let outline = regions.outlines[row as usize][column as usize];
                    assert_eq!(outline.is_walkable, block.count > 0, "block {column}, {row}, moved by {by}");
                    if block.count > 0 {
                        assert_eq!(outline.first_middle, block.first_middle);
                    }
                    assert_eq!(outline.joints, Joints::of(links), "block {column}, {row}, moved by {by}");
                    for side in 0..4 {
                        seen[outline.joints.with(side) as usize] += 1;
                    }
                }
            }
        }
        assert!(seen.iter().all(|&count| count > 50), "all kinds of joints occur: {seen:?}");
    }
}
