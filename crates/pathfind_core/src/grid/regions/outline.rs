//! What a search over areas reads of most blocks, side by side in memory: of a block with one area, all that there is to know.

/// The outline of a block.
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
    /// Not at all.
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
