//! Where agents go from floor to floor, and where they jump.

use super::BakeSettings;
use super::column::is_free;
use super::face::Faces;
use super::floors::STRAIGHT;
use super::ground::{BakedSpan, Ground};
use crate::grid::{CellRect, Direction, GridCell};

/// A connection of two lines of cells, on two floors or on one: the first cell of one leads to the first of the other,
/// and so on.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct BakedLink {
    /// How agents go over it.
    pub kind: BakedLinkKind,
    /// Where it begins.
    pub from: BakedLinkEnd,
    /// Where it leads to.
    pub to: BakedLinkEnd,
    /// The greatest length of the straight line from a cell to its opposite, in cells.
    pub length: f32,
}

/// The cells at one end of a [`BakedLink`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct BakedLinkEnd {
    /// The floor.
    pub floor: usize,
    /// Cells side by side, in one row or one column.
    pub cells: CellRect,
}

/// What a [`BakedLink`] is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum BakedLinkKind {
    /// Ground that goes on, on another floor. It leads both ways.
    Joint,
    /// A ledge, to jump down from. It leads one way.
    Drop,
    /// A gap between ground of about the same height. It leads both ways.
    Gap,
}

impl BakedLinkKind {
    /// Whether it leads both ways.
    #[must_use]
    pub const fn is_both_ways(self) -> bool {
        !matches!(self, Self::Drop)
    }
}

/// A link of single cells; the order is that in which links of cells side by side follow one another.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CellLink {
    kind: BakedLinkKind,
    /// Columns and rows to the other end; one of them is 0.
    away: (i32, i32),
    floors: (u8, u8),
    /// The row of a crossing along a column, or the column of one along a row; then the other of the two.
    line: i32,
    at: i32,
    /// The bits of the length, which is never negative: they are in the order of lengths.
    length: u32,
}

impl CellLink {
    fn new(kind: BakedLinkKind, from: LinkSide, to: LinkSide) -> Option<Self> {
        let floors = (from.span.floor()? as u8, to.span.floor()? as u8);
        let away = (to.cell.x - from.cell.x, to.cell.y - from.cell.y);
        let (line, at) = if away.0 == 0 { (from.cell.y, from.cell.x) } else { (from.cell.x, from.cell.y) };
        let (flat, rise) = ((away.0 + away.1) as f32, to.span.height - from.span.height);
        let length = (flat * flat + rise * rise).sqrt().to_bits();
        Some(Self { kind, away, floors, line, at, length })
    }

    pub(super) const fn cell(&self) -> GridCell {
        if self.away.0 == 0 { GridCell::new(self.at, self.line) } else { GridCell::new(self.line, self.at) }
    }

    /// Whether another crossing lies beside this one, and can be one link with it.
    fn goes_on_in(&self, next: &Self) -> bool {
        let key = |it: &Self| (it.kind, it.away, it.floors, it.line);
        key(self) == key(next) && next.at == self.at + 1
    }
}

/// Ground over a cell.
#[derive(Copy, Clone)]
struct LinkSide<'g> {
    cell: GridCell,
    span: &'g BakedSpan,
}

/// Appends all crossings that begin on the ground over a cell.
pub(super) fn find(
    settings: &BakeSettings,
    ground: &Ground,
    faces: &Faces,
    cell: GridCell,
    found: &mut Vec<CellLink>,
) {
    for span in ground.column(cell).iter().filter(|span| span.is_walkable()) {
        let from = LinkSide { cell, span };
        for direction in STRAIGHT {
            let next = cell.step(direction);
            let joined = ground.joined(cell, span, direction);
            found.extend(match joined.map(|at| &ground.column(next)[at]) {
                Some(other) if other.floor() == span.floor() || is_backwards(direction) => None,
                Some(span) => CellLink::new(BakedLinkKind::Joint, from, LinkSide { cell: next, span }),
                None => jump(settings, ground, faces, from, direction),
            });
        }
    }
}

const fn is_backwards(direction: Direction) -> bool {
    matches!(direction, Direction::W | Direction::N)
}

/// The nearest landing of a jump from ground that ends in a direction.
fn jump(
    settings: &BakeSettings,
    ground: &Ground,
    faces: &Faces,
    from: LinkSide,
    direction: Direction,
) -> Option<CellLink> {
    let (step, height) = (f64::from(settings.step), f64::from(from.span.height));
    let top = height + f64::from(settings.head_room);
    let mut cell = from.cell;
    for away in 1..=settings.reach() {
        cell = cell.step(direction);
        let landings = ground.column(cell).iter().rev().filter(|span| span.is_walkable());
        let kind_of = |span: &BakedSpan| {
            let fall = height - f64::from(span.height);
            if fall > step && fall <= f64::from(settings.max_drop) {
                Some(BakedLinkKind::Drop)
            } else {
                (fall.abs() <= step && away > 1).then_some(BakedLinkKind::Gap)
            }
        };
        let landing = landings.filter_map(|span| Some((span, kind_of(span)?))).next();
        if let Some((span, kind)) = landing {
            let is_clear = is_free(faces, cell, f64::from(span.height) + step + max_lift(settings), top);
            // A gap is found from both sides.
            let is_wanted = is_clear && !(kind == BakedLinkKind::Gap && is_backwards(direction));
            return is_wanted.then(|| CellLink::new(kind, from, LinkSide { cell, span })).flatten();
        }
        if !is_free(faces, cell, height + step, top) {
            return None;
        }
    }
    None
}

/// How far ground rises from the centre of a cell to its corner at most.
fn max_lift(settings: &BakeSettings) -> f64 {
    f64::from(settings.max_rise())
}

/// Joins crossings side by side to links. They have to be sorted.
pub(super) fn joined(crossings: &[CellLink]) -> Vec<BakedLink> {
    let strips = crossings.chunk_by(CellLink::goes_on_in);
    let link = |strip: &[CellLink]| {
        let [first, last] = [strip[0], strip[strip.len() - 1]];
        let beyond = |cell: GridCell| GridCell::new(cell.x + first.away.0, cell.y + first.away.1);
        let cells = CellRect { min: first.cell(), max: last.cell() };
        let across = CellRect { min: beyond(cells.min), max: beyond(cells.max) };
        let length = strip.iter().map(|it| it.length).max().unwrap_or_default();
        BakedLink {
            kind: first.kind,
            from: BakedLinkEnd { floor: usize::from(first.floors.0), cells },
            to: BakedLinkEnd { floor: usize::from(first.floors.1), cells: across },
            length: f32::from_bits(length),
        }
    };
    strips.map(link).collect()
}
