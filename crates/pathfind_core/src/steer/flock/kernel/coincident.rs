//! Mates at the same position as a member.

use crate::simd::SimdF32;

/// Counts mates, and mates at another position: a member shares its position if the counts differ by more than
/// itself.
pub(super) struct CoincidentCounter<L> {
    group: L,
    all: L,
    apart: L,
}

impl<L: SimdF32> CoincidentCounter<L> {
    /// A counter for members of these groups.
    #[inline(always)]
    pub(super) fn new(group: L) -> Self {
        Self { group, all: L::splat(0.0), apart: L::splat(0.0) }
    }

    /// Counts a candidate of a group. The mask is set for the members whose mate it is, at another position than
    /// theirs.
    #[inline(always)]
    pub(super) fn count(&mut self, group: L, squared: L) -> L {
        let same = self.mates(group);
        let mask = same.and(squared.is_more(L::splat(0.0)));
        self.all = self.all.sub_whole(same);
        self.apart = self.apart.sub_whole(mask);
        mask
    }

    /// The members of the candidate's group: it is their mate, or the member itself.
    #[inline(always)]
    pub(super) fn mates(&self, group: L) -> L {
        group.is_same(self.group)
    }

    /// The members that share their position with a mate.
    #[inline(always)]
    pub(super) fn is_any(&self) -> L {
        // No mate shares the position if all but the member itself are elsewhere; it may be missing in a sample.
        let is_alone = self.apart.sub_whole(L::every()).is_same(self.all).or(self.apart.is_same(self.all));
        L::every().and_not(is_alone)
    }
}
