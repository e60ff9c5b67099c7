//! Directions and corner rules of jump point search, as types.

use std::marker::PhantomData;

use crate::grid::CornerRule;

/// Directions and corner rule as a type, so that the code is compiled for each; and once more for wide worlds that
/// are mostly void, where some lines are stored in [parts](InParts). Code for both kinds of worlds would be a tenth
/// slower.
pub(crate) trait Rule {
    const CORNERS: CornerRule;
    /// Whether there are four directions: runs along columns then take the place of diagonal runs.
    const FOUR: bool = false;
    /// Whether a diagonal step may pass a blocked cell beside it.
    const CUTS: bool = !matches!(Self::CORNERS, CornerRule::Never);
    /// Whether that step needs the other cell beside it to be free.
    const NEEDS_ONE: bool = matches!(Self::CORNERS, CornerRule::OneFree);
    /// Whether the words of every line are stored one after the other.
    const WHOLE: bool = true;

    /// Whether a diagonal step is legal, by which of the two cells beside it are free.
    #[inline]
    fn allows_diagonal([a, b]: [bool; 2]) -> bool {
        match Self::CORNERS {
            CornerRule::Never => a && b,
            CornerRule::OneFree => a || b,
            CornerRule::Always => true,
        }
    }
}

/// The same rule where some lines are stored in parts.
pub(crate) struct InParts<R>(PhantomData<R>);

impl<R: Rule> Rule for InParts<R> {
    const CORNERS: CornerRule = R::CORNERS;
    const FOUR: bool = R::FOUR;
    const WHOLE: bool = false;
}

pub(crate) struct Never;
pub(crate) struct OneFree;
pub(crate) struct Always;
/// Four directions, where no corner can be cut.
pub(crate) struct Four;

impl Rule for Never {
    const CORNERS: CornerRule = CornerRule::Never;
}

impl Rule for OneFree {
    const CORNERS: CornerRule = CornerRule::OneFree;
}

impl Rule for Always {
    const CORNERS: CornerRule = CornerRule::Always;
}

impl Rule for Four {
    const CORNERS: CornerRule = CornerRule::Never;
    const FOUR: bool = true;
}
