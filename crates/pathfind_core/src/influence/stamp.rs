//! The disc of influence of one source.

use glam::Vec2;

use crate::grid::{CellRect, GridCell};

/// How the influence of a source falls off with the distance from it.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect), type_path = "bevy_pathfind")]
#[cfg_attr(feature = "bevy_reflect", reflect(Debug, PartialEq))]
#[non_exhaustive]
pub enum Falloff {
    /// The full strength in the whole disc.
    Constant,
    /// Evenly down to 0 at the rim. The default.
    #[default]
    Linear,
    /// Slowly near the source and near the rim: `(1 − d²/r²)²` at the distance d of a source of radius r.
    Smooth,
}

/// The disc of influence of one source, in grid space.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct InfluenceStamp {
    /// The centre, in cells.
    pub center: Vec2,
    /// The radius, in cells. Range: 0 to [`MAX_RADIUS`](Self::MAX_RADIUS). With 0 the cell of the centre alone has the
    /// influence.
    pub radius: f32,
    /// The value at the centre. Range: finite.
    pub strength: f32,
    /// How the value falls off.
    pub falloff: Falloff,
}

impl InfluenceStamp {
    /// The greatest radius, in cells: a source that moves is stamped anew, which takes time for each of its cells.
    pub const MAX_RADIUS: f32 = 256.0;

    /// Whether a layer takes the stamp: the centre and the strength are finite, and the radius is in range.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.center.is_finite()
            && self.strength.is_finite()
            && (0.0..=Self::MAX_RADIUS).contains(&self.radius)
    }

    /// The value at a cell.
    #[must_use]
    pub fn value(&self, cell: GridCell) -> f32 {
        if GridCell::containing(self.center) == cell && self.radius <= 0.5 {
            return self.strength;
        }
        // Without a radius it is infinite or NaN.
        let away = cell.center().distance(self.center) / self.radius;
        if away.is_nan() || away >= 1.0 {
            return 0.0;
        }
        self.strength
            * match self.falloff {
                Falloff::Constant => 1.0,
                Falloff::Linear => 1.0 - away,
                Falloff::Smooth => (1.0 - away * away) * (1.0 - away * away),
            }
    }

    /// The rectangle that holds all its cells.
    pub(super) fn rect(&self) -> CellRect {
        CellRect::new(
            GridCell::containing(self.center - self.radius),
            GridCell::containing(self.center + self.radius),
        )
    }
}
