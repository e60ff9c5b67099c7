//! The order of the grid's axes: a permutation of the world's axes with the axis of least extent last.

use glam::{Vec3, Vec3Swizzles};

/// Which of the world's axes is the grid's last, which varies slowest: that of the bodies' least extent.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Axes {
    /// y, z, x.
    SlowX,
    /// x, z, y.
    SlowY,
    /// x, y, z.
    #[default]
    SlowZ,
}

impl Axes {
    /// The order for bodies with these extents along the world's axes.
    pub(crate) fn by_extent(extent: Vec3) -> Self {
        if extent.z <= extent.x && extent.z <= extent.y {
            Self::SlowZ
        } else if extent.y <= extent.x {
            Self::SlowY
        } else {
            Self::SlowX
        }
    }

    /// A vector of the world in the grid's axes.
    #[inline(always)]
    pub(crate) fn grid(self, world: Vec3) -> Vec3 {
        match self {
            Self::SlowX => world.yzx(),
            Self::SlowY => world.xzy(),
            Self::SlowZ => world,
        }
    }

    /// Three items, one for each of the grid's axes, in the order of the world's axes.
    #[inline(always)]
    pub(crate) fn world_of<T>(self, [x, y, z]: [T; 3]) -> [T; 3] {
        match self {
            Self::SlowX => [z, x, y],
            Self::SlowY => [x, z, y],
            Self::SlowZ => [x, y, z],
        }
    }

    /// A vector of the grid in the world's axes.
    #[inline(always)]
    pub(crate) fn world(self, grid: Vec3) -> Vec3 {
        match self {
            Self::SlowX => grid.zxy(),
            Self::SlowY => grid.xzy(),
            Self::SlowZ => grid,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_extent_comes_last_and_the_way_back_is_exact() {
        let extents = [Vec3::new(0.0, 2.0, 3.0), Vec3::new(1.0, 0.0, 3.0), Vec3::new(1.0, 2.0, 0.0)];
        for extent in extents {
            let axes = Axes::by_extent(extent);
            assert_eq!(axes.grid(extent).z, 0.0, "{extent} is flat along the last axis");
            let grid = axes.grid(extent);
            assert_eq!(axes.world(grid), extent);
            assert_eq!(axes.world_of(grid.to_array()), extent.to_array());
        }
    }
}
