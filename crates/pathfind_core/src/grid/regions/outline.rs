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
    use crate::grid::regions::{Regions, WalkableCells};
    use crate::grid::{Bitmap, CellRect};
    use crate::steer::CounterRng;

    #[test]
    fn outlines_follow_edits_and_moves_to_another_canvas() {
        let side = 200;
        let [mut rows, mut columns] = [0, 0].map(|_| Bitmap::new(side, side));
        let mut regions = Regions::new(side, side, true);
        let (mut rng, mut seen) = (CounterRng::new(3, 0, 0), [0; 3]);
        for edit in 0..120 {
            // Whole words become free, blocked or riddled with walls.
            let (x, y) = (64 * rng.below(3) as i32, rng.below(side) as i32);
            let word = [0, rng.below(u32::MAX).into(), u64::MAX, u64::MAX][edit % 4];
            let changed = CellRect::new((x, y).into(), (x + 63, (y + 20).min(side as i32 - 1)).into());
            (changed.min.y..=changed.max.y).for_each(|line| rows.set_word(line, x, word));
            columns.set_transpose_of(&rows, changed);
            regions.update(WalkableCells { rows: &rows, columns: &columns, cliffs: None }, &[changed]);
            for regions in [&regions, &regions.moved(side + 64, side + 128, [1, 2])] {
                for (column, row) in regions.all_blocks() {
                    let (block, at) = (regions.block(column, row), (row as usize, column as usize));
                    let Outline { is_walkable, first_middle, joints } = regions.outlines[at.0][at.1];
                    assert_eq!(is_walkable, block.count > 0, "block {column}, {row}");
                    assert!(!is_walkable || first_middle == block.first_middle, "block {column}, {row}");
                    assert_eq!(joints, Joints::of(&regions.links[at.0][at.1]), "block {column}, {row}");
                    (0..4).for_each(|side| seen[joints.with(side) as usize] += 1);
                }
            }
        }
        assert!(seen.iter().all(|&count| count > 50), "all kinds of joints occur: {seen:?}");
    }
}
