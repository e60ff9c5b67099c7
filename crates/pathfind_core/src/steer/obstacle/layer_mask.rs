//! Layers of obstacles, as a bit mask.

use core::ops::BitOr;

/// A set of up to 32 layers, one bit each, as Unity's layer masks: an obstacle lies on layers, a query has layers,
/// and the obstacle is seen if the two sets share a layer.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LayerMask(pub u32);

impl LayerMask {
    /// Every layer.
    pub const ALL: Self = Self(u32::MAX);
    /// No layer.
    pub const NONE: Self = Self(0);

    /// The set of one layer. Range: 0 to 31; a larger number gives the empty set.
    #[must_use]
    pub const fn layer(number: u32) -> Self {
        Self(if number < 32 { 1 << number } else { 0 })
    }

    /// Whether the two share a layer.
    #[must_use]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl Default for LayerMask {
    fn default() -> Self {
        Self::ALL
    }
}

impl BitOr for LayerMask {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_meet_if_they_share_a_layer() {
        let both = LayerMask::layer(3) | LayerMask::layer(31);
        assert!(both.meets(LayerMask::layer(31)) && both.meets(LayerMask::ALL));
        assert!(!both.meets(LayerMask::layer(4)) && !both.meets(LayerMask::NONE));
        assert_eq!(LayerMask::layer(32), LayerMask::NONE, "there is no layer 32");
    }
}
