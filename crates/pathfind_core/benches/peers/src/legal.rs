//! Whether a path is legal, decided exactly and from the map alone.
//!
//! Points are rounded to 1/1024 of a cell; all else is integer arithmetic. No entrant's own definition of legal
//! steps or sight is used.

use pathfind_core::CornerRule;

use crate::board::{Board, Point};

/// Points are rounded to this fraction of a cell.
const UNIT: i64 = 1024;

/// A point or a direction, in multiples of that fraction.
type Exact = (i64, i64);

/// Whether every part of a path is legal under a corner rule.
///
/// `Never`: it touches no blocked cell. `Always`: it enters none, and does not run along a border between two.
/// `OneFree`: in addition, it does not pass between two that touch at a corner.
pub(crate) fn is_legal(board: &Board, corners: CornerRule, path: &[Point]) -> bool {
    let exact = |v: f64| (v * UNIT as f64).round() as i64;
    let mut points: Vec<Exact> = path.iter().map(|&(x, y)| (exact(x), exact(y))).collect();
    points.dedup();
    points.windows(2).all(|leg| is_clear(board, corners, leg[0], leg[1]))
        && (corners != CornerRule::OneFree || points.windows(3).all(|bend| stays_beside(board, bend)))
}

fn is_clear(board: &Board, corners: CornerRule, a: Exact, b: Exact) -> bool {
    let touched = |low: i64, high: i64| (low - 1).div_euclid(UNIT)..=high.div_euclid(UNIT);
    for y in touched(a.1.min(b.1), a.1.max(b.1)) {
        let (low, high) = columns(a, b, y * UNIT);
        for x in touched(low, high) {
            if !board.is_free(x as i32, y as i32) && meets(a, b, (x, y), corners == CornerRule::Never) {
                return false;
            }
        }
    }
    corners == CornerRule::Never
        || !runs_between(board, a, b)
            && (corners == CornerRule::Always || crossings(a, b).all(|point| side(board, point).is_none()))
}

/// A range of x that contains the part of a segment in the row of cells from `top` on.
fn columns(a: Exact, b: Exact, top: i64) -> (i64, i64) {
    let (low, high) = (a.0.min(b.0), a.0.max(b.0));
    if a.1 == b.1 {
        return (low, high);
    }
    let at = |y: i64| {
        let y = y.clamp(a.1.min(b.1), a.1.max(b.1));
        a.0 + (b.0 - a.0) * (y - a.1) / (b.1 - a.1)
    };
    let (one, other) = (at(top), at(top + UNIT));
    // Division is off by less than one unit.
    ((one.min(other) - 1).max(low), (one.max(other) + 1).min(high))
}

/// Whether a segment meets a cell: its inside, or, with `border`, also its border.
fn meets(a: Exact, b: Exact, (x, y): (i64, i64), border: bool) -> bool {
    let touch = i64::from(border);
    let overlaps =
        |a: i64, b: i64, cell: i64| a.max(b) + touch > cell * UNIT && a.min(b) < (cell + 1) * UNIT + touch;
    let side_of = |i: i64, j: i64| {
        let corner = ((x + i) * UNIT - a.0, (y + j) * UNIT - a.1);
        (b.0 - a.0) * corner.1 - (b.1 - a.1) * corner.0
    };
    let sides = [side_of(0, 0), side_of(1, 0), side_of(0, 1), side_of(1, 1)];
    let is_beside = if border { |side: i64| side > 0 } else { |side: i64| side >= 0 };
    overlaps(a.0, b.0, x)
        && overlaps(a.1, b.1, y)
        && !sides.iter().all(|&side| is_beside(side))
        && !sides.iter().all(|&side| is_beside(-side))
}

/// Whether a segment runs along the common border of two blocked cells.
fn runs_between(board: &Board, a: Exact, b: Exact) -> bool {
    let cells = |a: i64, b: i64| a.min(b).div_euclid(UNIT)..=(a.max(b) - 1).div_euclid(UNIT);
    let line = |v: i64| (v % UNIT == 0).then_some((v / UNIT) as i32);
    let blocked = |x: i32, y: i32| !board.is_free(x, y);
    match (line(a.0), line(a.1)) {
        (Some(x), _) if a.0 == b.0 => {
            cells(a.1, b.1).any(|y| blocked(x - 1, y as i32) && blocked(x, y as i32))
        }
        (_, Some(y)) if a.1 == b.1 => {
            cells(a.0, b.0).any(|x| blocked(x as i32, y - 1) && blocked(x as i32, y))
        }
        _ => false,
    }
}

/// The cell corners that a segment passes between its ends.
fn crossings(a: Exact, b: Exact) -> impl Iterator<Item = Exact> {
    let is_flat = a.1 == b.1;
    let (from, to) = if is_flat { (a.0, b.0) } else { (a.1, b.1) };
    let (low, high) = (from.min(to), from.max(to));
    let lines = (low.div_euclid(UNIT) + 1)..=(high - 1).div_euclid(UNIT);
    lines.filter_map(move |line| {
        let at = line * UNIT;
        if is_flat {
            return (a.1 % UNIT == 0).then_some((at, a.1));
        }
        let rise = (at - a.1) * (b.0 - a.0);
        let x = a.0 + rise / (b.1 - a.1);
        (rise % (b.1 - a.1) == 0 && x % UNIT == 0).then_some((x, at))
    })
}

/// Where two blocked cells touch at a corner: whether the free ones are along the rising diagonal.
fn side(board: &Board, (x, y): Exact) -> Option<bool> {
    if x % UNIT != 0 || y % UNIT != 0 {
        return None;
    }
    let free = |i: i32, j: i32| board.is_free((x / UNIT) as i32 + i, (y / UNIT) as i32 + j);
    match [free(-1, -1), free(0, -1), free(-1, 0), free(0, 0)] {
        [false, true, true, false] => Some(true),
        [true, false, false, true] => Some(false),
        _ => None,
    }
}

/// Whether a path that turns where two blocked cells touch stays on one side of them.
fn stays_beside(board: &Board, bend: &[Exact]) -> bool {
    let Some(rising) = side(board, bend[1]) else { return true };
    let flip = if rising { -1 } else { 1 };
    let directions = [bend[0], bend[2]].map(|to| (to.0 - bend[1].0, flip * (to.1 - bend[1].1)));
    directions.iter().all(|&(dx, dy)| dx >= 0 && dy >= 0)
        || directions.iter().all(|&(dx, dy)| dx <= 0 && dy <= 0)
}

#[cfg(test)]
#[path = "legal/tests.rs"]
mod tests;
