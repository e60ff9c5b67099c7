//! What stands in the column over one cell: the surfaces at its centre, and what obstructs each of them.

use core::cmp::Ordering;

use glam::DVec2;

use super::BakeSettings;
use super::face::{EDGE, Face, FaceKind, Faces, range_in_cell};
use super::ground::{BakedSpan, Obstruction};
use crate::grid::GridCell;

/// Surfaces that lie no farther apart than this, in cells, are one.
const SAME: f64 = EDGE;
/// What is higher than allowed by no more than this, in cells, is a matter of rounding.
pub(super) const ROUNDING: f64 = 1e-4;

/// A face at the centre of a cell.
#[derive(Copy, Clone, Debug)]
struct Surface<'f> {
    height: f64,
    face: &'f Face,
}

impl Surface<'_> {
    /// From the highest to the lowest, in an order that does not depend on that of the triangles.
    fn order(&self, other: &Self) -> Ordering {
        let key = |it: &Self| (it.face.kind, it.face.terrain, it.face.entry);
        let slopes = self.face.slope.to_array().into_iter().zip(other.face.slope.to_array());
        let by_slope = slopes.map(|(a, b)| a.total_cmp(&b)).find(|order| order.is_ne());
        let by_height = other.height.total_cmp(&self.height);
        by_height.then(key(other).cmp(&key(self))).then(by_slope.unwrap_or(Ordering::Equal))
    }
}

/// Appends the surfaces of a column that are ground or too steep for it, from the lowest to the highest.
pub(super) fn survey(
    settings: &BakeSettings,
    max_rise: f64,
    faces: &Faces,
    cell: GridCell,
    found: &mut Vec<BakedSpan>,
) {
    let center = cell.center().as_dvec2();
    let listed = faces.at(cell);
    let mut surfaces: Vec<Surface> =
        listed.clone().filter_map(|face| Some(Surface { height: face.height_at(center)?, face })).collect();
    surfaces.sort_by(Surface::order);
    let first = found.len();
    let mut above = Above::default();
    let mut last = f64::INFINITY;
    for surface in &surfaces {
        let height = surface.height;
        let is_in_box = (f64::from(settings.low)..=f64::from(settings.high)).contains(&height);
        if surface.face.kind == FaceKind::Ceiling || !is_in_box || last - height <= SAME {
            continue;
        }
        last = height;
        above.advance(&surfaces, height + SAME);
        let has_room = || {
            above.depth <= 0
                && above.lowest >= height + f64::from(settings.head_room)
                && !is_obstructed(settings, max_rise, listed.clone(), surface, cell)
        };
        let obstruction = match surface.face.kind {
            FaceKind::Steep => Some(Obstruction::TooSteep),
            _ if has_room() => None,
            _ => Some(Obstruction::NoRoom),
        };
        found.push(BakedSpan::new(height, surface.face.slope, surface.face.terrain, obstruction));
    }
    found[first..].reverse();
}

/// What lies above a height.
struct Above {
    /// The number of surfaces there.
    count: usize,
    /// How many solids the height is inside of.
    depth: i32,
    /// The height of the lowest surface there.
    lowest: f64,
}

impl Default for Above {
    fn default() -> Self {
        Self { count: 0, depth: 0, lowest: f64::INFINITY }
    }
}

impl Above {
    /// Goes down to a height.
    fn advance(&mut self, surfaces: &[Surface], height: f64) {
        while let Some(next) = surfaces.get(self.count).filter(|next| next.height > height) {
            self.count += 1;
            self.depth += i32::from(next.face.entry);
            self.lowest = next.height;
        }
    }
}

/// Whether a part of any triangle in the square of a cell is in the way of an agent that stands on a surface there.
fn is_obstructed<'f>(
    settings: &BakeSettings,
    max_rise: f64,
    listed: impl Iterator<Item = &'f Face>,
    ground: &Surface,
    cell: GridCell,
) -> bool {
    let step = f64::from(settings.step) + ROUNDING;
    let head_room = f64::from(settings.head_room) - ROUNDING;
    let center = cell.center().as_dvec2();
    let rise = half_rise(ground.face.slope);
    listed.filter(|&face| !core::ptr::eq(face, ground.face)).any(|face| {
        let allowed = if face.kind == FaceKind::Ground { step + max_rise } else { step };
        let (low, high) = bounds_in_cell(face, center);
        let may_obstruct = high > ground.height - rise + allowed && low < ground.height + rise + head_room;
        let above_ground =
            || range_in_cell(face, cell, |point| point.z - ground.face.plane_at(point.truncate()));
        may_obstruct && above_ground().is_some_and(|(low, high)| high > allowed && low < head_room)
    })
}

/// Heights between which the part of a face in a cell lies: a rough estimate, never too narrow.
fn bounds_in_cell(face: &Face, center: DVec2) -> (f64, f64) {
    let (low, high) = face.height_range();
    if face.kind == FaceKind::Steep {
        return (low, high);
    }
    let (height, rise) = (face.plane_at(center), half_rise(face.slope) + ROUNDING);
    (low.max(height - rise), high.min(height + rise))
}

/// By how much a slope rises from the centre of a cell to its highest corner.
fn half_rise(slope: DVec2) -> f64 {
    0.5 * (slope.x.abs() + slope.y.abs())
}

/// Whether nothing is in a column between two heights.
pub(super) fn is_free(faces: &Faces, cell: GridCell, low: f64, high: f64) -> bool {
    let listed = faces.at(cell);
    let is_between = |face: &Face| {
        let (least, greatest) = bounds_in_cell(face, cell.center().as_dvec2());
        greatest > low
            && least < high
            && range_in_cell(face, cell, |point| point.z).is_some_and(|(from, to)| to > low && from < high)
    };
    let entries = listed.clone().filter(|face| face.entry != 0);
    let above = entries.filter(|face| face.height_at(cell.center().as_dvec2()).is_some_and(|it| it >= high));
    let depth: i32 = above.map(|face| i32::from(face.entry)).sum();
    depth <= 0 && !listed.into_iter().any(is_between)
}
