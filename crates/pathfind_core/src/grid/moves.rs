//! The rules for steps between cells: which steps are legal, and what a diagonal step costs. All searches and distance
//! fields use these rules.
//!
//! ```text
//!   a step from s to d        Never        OneFree      Always
//!   . d    # d    # d
//!   s .    s .    s #         1st only     1st, 2nd     all
//! ```
//!
//! No step leads over a cliff or a [fence](super::Grid::set_fence), and under none of the rules a diagonal one through a
//! corner at which a cliff or a fence between free cells ends. [Rules of edges](super::EdgeRule) close single
//! directions.

use super::{Bitmap, Direction};
#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};

/// The order in which successors are generated: up, down, left, right, then the diagonals. Since the newest node wins
/// ties, a search prefers right and down among equal paths.
pub(crate) const SUCCESSORS: [Direction; 8] = [
    Direction::N,
    Direction::S,
    Direction::W,
    Direction::E,
    Direction::NW,
    Direction::NE,
    Direction::SW,
    Direction::SE,
];

/// The directions of some steps, given as one bit for each of [`SUCCESSORS`], in that order.
#[inline]
pub(crate) fn directions_of(mut steps: u8) -> impl Iterator<Item = Direction> {
    std::iter::from_fn(move || {
        let direction = *SUCCESSORS.get(steps.trailing_zeros() as usize)?;
        steps &= steps - 1;
        Some(direction)
    })
}

/// The steps to a set of neighbours, which is given as [`Bitmap::neighbor_mask`] gives it.
#[inline]
pub(crate) fn steps_to(neighbors: usize) -> u8 {
    StepRules::eight(CornerRule::Always).table()[neighbors]
}

/// The directions of the steps out of a cell.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect), type_path = "bevy_pathfind")]
#[cfg_attr(feature = "bevy_reflect", reflect(Default, Debug, PartialEq, Hash, Serialize, Deserialize))]
pub enum Directions {
    /// Along rows and columns.
    Four,
    /// Along rows, columns and diagonals.
    #[default]
    Eight,
}

/// When a diagonal step past blocked cells is legal. Past the end of a [fence](super::Grid::set_fence) none is, whatever the
/// rule.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect), type_path = "bevy_pathfind")]
#[cfg_attr(feature = "bevy_reflect", reflect(Default, Debug, PartialEq, Hash, Serialize, Deserialize))]
pub enum CornerRule {
    /// Only when both cells beside the step are free (the rule of the MovingAI benchmarks).
    #[default]
    Never,
    /// When at least one of the two cells beside the step is free.
    OneFree,
    /// Always, even between two blocked cells.
    Always,
}

impl CornerRule {
    /// Every rule, from the strictest.
    pub const ALL: &'static [Self] = &[Self::Never, Self::OneFree, Self::Always];
}

/// The cost of a diagonal step, where a straight step costs 1.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect), type_path = "bevy_pathfind")]
#[cfg_attr(feature = "bevy_reflect", reflect(Default, Debug, PartialEq, Hash, Serialize, Deserialize))]
pub enum DiagonalCost {
    /// √2, its length.
    #[default]
    Sqrt2,
    /// 1.4, as in the common integer costs of 10 and 14.
    FourteenTenths,
    /// 1, as a king moves in chess (Chebyshev distance).
    One,
}

impl DiagonalCost {
    /// The cost of one diagonal step.
    #[must_use]
    pub const fn value(self) -> f64 {
        match self {
            Self::Sqrt2 => core::f64::consts::SQRT_2,
            Self::FourteenTenths => 1.4,
            Self::One => 1.0,
        }
    }
}

/// The steps that a search may take, and the cost of diagonal ones.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StepRules {
    /// Four or eight directions out of a cell. Default: `Eight`.
    pub directions: Directions,
    /// When diagonal steps may pass blocked cells. Default: `Never`.
    pub corners: CornerRule,
    /// Cost of diagonal steps. Default: `Sqrt2`.
    pub diagonal: DiagonalCost,
}

impl StepRules {
    /// StepRules along rows and columns only.
    pub const FOUR: Self =
        Self { directions: Directions::Four, corners: CornerRule::Never, diagonal: DiagonalCost::Sqrt2 };

    /// Steps of every rule: four directions, and eight under each corner rule.
    pub(crate) const RULES: [Self; 4] = [
        Self::FOUR,
        Self::eight(CornerRule::Never),
        Self::eight(CornerRule::OneFree),
        Self::eight(CornerRule::Always),
    ];

    /// Eight directions under a corner rule, diagonals at √2.
    #[must_use]
    pub const fn eight(corners: CornerRule) -> Self {
        Self { directions: Directions::Eight, corners, diagonal: DiagonalCost::Sqrt2 }
    }

    /// The legal steps, one bit for each of [`SUCCESSORS`], by the [walkable neighbours](Bitmap::neighbor_mask).
    #[inline]
    pub(crate) fn table(self) -> &'static [u8; 256] {
        static TABLES: [[u8; 256]; 4] = {
            let [four, never, one_free, always] = StepRules::RULES;
            [four.legal_steps(), never.legal_steps(), one_free.legal_steps(), always.legal_steps()]
        };
        &TABLES[self.rule()]
    }

    /// The index of the rule for steps among [`RULES`](Self::RULES).
    pub(super) const fn rule(self) -> usize {
        match (self.directions, self.corners) {
            (Directions::Four, _) => 0,
            (Directions::Eight, CornerRule::Never) => 1,
            (Directions::Eight, CornerRule::OneFree) => 2,
            (Directions::Eight, CornerRule::Always) => 3,
        }
    }

    /// The contents of [`table`](Self::table) as a constant, for tables that are derived from it.
    pub(super) const fn legal_steps(self) -> [u8; 256] {
        let mut table = [0; 256];
        let mut around = 0;
        while around < 256 {
            // In the order of `Direction`, clockwise from E.
            let mut free = [0; 8];
            let mut d = 0;
            while d < 8 {
                let (dx, dy) = Direction::ALL[d].offset();
                free[d] = around >> Bitmap::neighbor_bit(dx, dy) & 1;
                d += 1;
            }
            let mut steps = 0;
            let mut i = 0;
            while i < 8 {
                let d = SUCCESSORS[i] as usize;
                let beside = free[(d + 7) % 8] + free[(d + 1) % 8];
                let legal = match (self.directions, self.corners) {
                    _ if d.is_multiple_of(2) => true,
                    (Directions::Four, _) => false,
                    (Directions::Eight, CornerRule::Never) => beside == 2,
                    (Directions::Eight, CornerRule::OneFree) => beside >= 1,
                    (Directions::Eight, CornerRule::Always) => true,
                };
                if legal && free[d] == 1 {
                    steps |= 1 << i;
                }
                i += 1;
            }
            table[around] = steps;
            around += 1;
        }
        table
    }

    /// Whether a step may join areas that meet only at a corner.
    pub(crate) fn joins_corners(self) -> bool {
        self.directions == Directions::Eight && self.corners == CornerRule::Always
    }

    /// The legal steps out of a cell, one bit for each of [`SUCCESSORS`]; `rows` is a bitmap along rows.
    #[inline]
    pub(crate) fn legal(self, rows: &Bitmap, x: i32, y: i32) -> u8 {
        self.table()[rows.neighbor_mask(y, x)]
    }
}
