//! Mates on the very spot.

use crate::simd::SimdF32;

/// Counts mates, and those of them that lie elsewhere.
pub(super) struct CoincidentCounter<L> {
    group: L,
    all: L,
    apart: L,
}

impl<L: SimdF32> CoincidentCounter<L> {
    /// Of members of these groups.
    #[inline(always)]
    pub(super) fn new(group: L) -> Self {
        Self { group, all: L::splat(0.0), apart: L::splat(0.0) }
    }

    /// Counts a candidate of some group: it is a mate, and on another spot, where the mask is set.
    #[inline(always)]
    pub(super) fn count(&mut self, group: L, squared: L) -> L {
        let same = self.mates(group);
        let mask = same.and(squared.is_more(L::splat(0.0)));
        self.all = self.all.sub_whole(same);
        self.apart = self.apart.sub_whole(mask);
        mask
    }

    /// Whose mate a candidate of some group is, or he himself.
    #[inline(always)]
    pub(super) fn mates(&self, group: L) -> L {
        group.is_same(self.group)
    }

    /// Who has any on the very spot.
    #[inline(always)]
    pub(super) fn is_any(&self) -> L {
        // All are elsewhere but itself.
        L::every().and_not(self.apart.sub_whole(L::every()).is_same(self.all))
    }
}
