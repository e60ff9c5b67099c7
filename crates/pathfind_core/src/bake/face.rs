//! Triangles as a bake reads them, and the lists of those that touch each cell.

use glam::{DVec2, DVec3, Vec3};

use super::mesh::normal;
use super::settings::MAX_PIECES;
use super::{BakeError, BakeMesh, BakeSettings};
use crate::grid::{CellRect, GridCell, Terrain, floor};

/// A face of a solid counts in a cell that it reaches into by more than this, in cells: so a wall that ends at the
/// border of a cell does not block the cell beyond, however its corners are rounded.
pub(super) const EDGE: f64 = 1.0 / 512.0;

/// What a triangle is to an agent.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FaceKind {
    /// The lower side of a solid.
    Ceiling,
    /// Too steep to stand on.
    Steep,
    Ground,
}

/// A triangle that is not degenerate.
#[derive(Copy, Clone, Debug)]
pub(super) struct Face {
    pub(super) corners: [Vec3; 3],
    /// The rise per column and per row, of ground.
    pub(super) slope: DVec2,
    pub(super) kind: FaceKind,
    pub(super) terrain: Terrain,
    /// By how much a ray that goes down and passes the face gets into solids: 1 or -1, and 0 for a sheet.
    pub(super) entry: i8,
    pub(super) is_solid: bool,
}

impl Face {
    fn new(corners: [Vec3; 3], terrain: Terrain, solid: Option<bool>, min_up: f64) -> Option<Self> {
        let normal = normal(corners.map(Vec3::as_dvec3));
        let length = normal.length();
        if length == 0.0 || !length.is_finite() {
            return None;
        }
        let outwards = if solid == Some(true) { -normal } else { normal };
        let entry = if solid.is_some() && normal.z != 0.0 { outwards.z.signum() as i8 } else { 0 };
        let kind = if normal.z.abs() < min_up * length {
            FaceKind::Steep
        } else if entry < 0 {
            FaceKind::Ceiling
        } else {
            FaceKind::Ground
        };
        let slope =
            if kind == FaceKind::Steep { DVec2::ZERO } else { DVec2::new(-normal.x, -normal.y) / normal.z };
        Some(Self { corners, slope, kind, terrain, entry, is_solid: solid.is_some() })
    }

    /// The height of the plane of ground at a point.
    pub(super) fn plane_at(&self, point: DVec2) -> f64 {
        let corner = self.corners[0].as_dvec3();
        corner.z + self.slope.dot(point - corner.truncate())
    }

    /// The height at which the vertical line through a point passes the triangle; `None` if it passes by. A line
    /// through an edge passes exactly one of the two triangles there: it counts as moved by a hair along x, and by a
    /// hair of that along y.
    pub(super) fn height_at(&self, point: DVec2) -> Option<f64> {
        let [a, b, c] = self.corners.map(Vec3::as_dvec3);
        let sides = [(b, c), (c, a), (a, b)].map(|(from, to)| side(from.truncate(), to.truncate(), point));
        let is_inside = sides.iter().all(|side| side.1) || sides.iter().all(|side| !side.1);
        if !is_inside {
            return None;
        }
        let parts = sides.map(|side| side.0);
        let sum: f64 = parts.iter().sum();
        let height = (a.z * parts[0] + b.z * parts[1] + c.z * parts[2]) / sum;
        let (low, high) = self.height_range();
        Some(if height.is_finite() { height.clamp(low, high) } else { high })
    }

    /// The lowest and the greatest height.
    pub(super) fn height_range(&self) -> (f64, f64) {
        let [a, b, c] = self.corners.map(|corner| f64::from(corner.z));
        (a.min(b).min(c), a.max(b).max(c))
    }

    /// The first and the last row, or column, that a part of the face from `low` to `high` lies in; none if the last is
    /// less than the first.
    fn span(&self, low: f64, high: f64) -> (i32, i32) {
        let last_below = |end: f64| floor(end).saturating_sub(i32::from(f64::from(floor(end)) == end));
        if self.is_solid {
            (floor(low + EDGE), last_below(high - EDGE))
        } else {
            // A sheet that only touches a border belongs to the cell of greater coordinates.
            (floor(low), last_below(high).max(floor(low)))
        }
    }

    /// How far into a cell its border is ignored.
    pub(super) const fn margin(&self) -> f64 {
        if self.is_solid { EDGE } else { 0.0 }
    }

    /// The rows that the face touches, each with its first and last column.
    fn runs(&self, within: CellRect) -> impl Iterator<Item = (i32, i32, i32)> {
        let corners = self.corners.map(|corner| corner.truncate().as_dvec2());
        let [a, b, c] = corners;
        let (first, last) = self.span(a.y.min(b.y).min(c.y), a.y.max(b.y).max(c.y));
        (first.max(within.min.y)..=last.min(within.max.y)).filter_map(move |row| {
            let (low, high) = (f64::from(row) + self.margin(), f64::from(row) + 1.0 - self.margin());
            let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let (from, to) = if from.y <= to.y { (from, to) } else { (to, from) };
                if to.y < low || from.y > high {
                    continue;
                }
                let x_at = |y: f64| {
                    let part = (y - from.y) / (to.y - from.y);
                    from.x + (to.x - from.x) * part.clamp(0.0, 1.0)
                };
                let ends = [
                    if from.y < low { x_at(low) } else { from.x },
                    if to.y > high { x_at(high) } else { to.x },
                ];
                least = least.min(ends[0]).min(ends[1]);
                greatest = greatest.max(ends[0]).max(ends[1]);
            }
            let (first, last) = self.span(least, greatest);
            let (first, last) = (first.max(within.min.x), last.min(within.max.x));
            (least <= greatest && first <= last).then_some((row, first, last))
        })
    }
}

/// On which side of a line a point lies: twice the area of the triangle that they make, and whether it counts as left.
/// The same line the other way round gives exactly the opposite.
fn side(from: DVec2, to: DVec2, point: DVec2) -> (f64, bool) {
    let is_turned = (to.x, to.y) < (from.x, from.y);
    let (a, b) = if is_turned { (to, from) } else { (from, to) };
    let along = b - a;
    let area = along.perp_dot(point - a);
    let is_left = if area != 0.0 {
        area > 0.0
    } else if along.y != 0.0 {
        along.y < 0.0
    } else {
        along.x > 0.0
    };
    if is_turned { (-area, !is_left) } else { (area, is_left) }
}

/// The triangles that touch the cells of a rectangle.
#[derive(Debug)]
pub(super) struct Faces {
    pub(super) all: Vec<Face>,
    rect: CellRect,
    /// For each cell of the rectangle, row by row, where its list begins in `listed`; and the end of the last.
    starts: Vec<u32>,
    listed: Vec<u32>,
}

impl Faces {
    pub(super) fn new(
        settings: &BakeSettings,
        meshes: &[&BakeMesh],
        rect: CellRect,
    ) -> Result<Self, BakeError> {
        let corner = |cell: GridCell, height: f32| Vec3::new(cell.x as f32, cell.y as f32, height);
        let low = corner(rect.min, settings.low - settings.step);
        let high = corner(rect.max, settings.high + settings.head_room) + Vec3::new(1.0, 1.0, 0.0);
        let min_up = f64::from(libm::cosf(settings.max_slope)) - 1e-6;
        let mut all = Vec::new();
        for mesh in meshes {
            let solid = mesh.solid();
            // Solids count wherever they end above: a column is solid below their upper side.
            let near = mesh.near(low, if solid.is_some() { high.with_z(f32::MAX) } else { high });
            all.extend(near.filter_map(|(corners, terrain)| Face::new(corners, terrain, solid, min_up)));
        }
        let mut faces = Self { all, rect, starts: Vec::new(), listed: Vec::new() };
        faces.list()?;
        Ok(faces)
    }

    /// Fills the lists of all cells.
    fn list(&mut self) -> Result<(), BakeError> {
        let width = (self.rect.max.x - self.rect.min.x + 1) as usize;
        let height = (self.rect.max.y - self.rect.min.y + 1) as usize;
        let index = |x: i32, y: i32| (y - self.rect.min.y) as usize * width + (x - self.rect.min.x) as usize;
        let mut counts = vec![0_u32; width * height + 1];
        let mut pieces = 0_usize;
        for (row, first, last) in self.all.iter().flat_map(|face| face.runs(self.rect)) {
            let (first, last) = (index(first, row), index(last, row));
            pieces += last - first + 1;
            if pieces > MAX_PIECES {
                return Err(BakeError::TooManyPieces);
            }
            counts[first..=last].iter_mut().for_each(|count| *count += 1);
        }
        let mut end = 0;
        for count in &mut counts {
            end += *count;
            *count = end;
        }
        let mut listed = vec![0; pieces];
        // From the last face to the first, so that each list is in order; each start ends where it has to be.
        for (at, face) in self.all.iter().enumerate().rev() {
            for (row, first, last) in face.runs(self.rect) {
                for start in &mut counts[index(first, row)..=index(last, row)] {
                    *start -= 1;
                    listed[*start as usize] = at as u32;
                }
            }
        }
        (self.starts, self.listed) = (counts, listed);
        Ok(())
    }

    /// The triangles that touch a cell of the rectangle; none outside.
    pub(super) fn at(&self, cell: GridCell) -> impl Iterator<Item = &Face> + Clone {
        let width = self.rect.max.x - self.rect.min.x + 1;
        let index = ((cell.y - self.rect.min.y) * width + cell.x - self.rect.min.x) as usize;
        let listed = if self.rect.contains(cell) {
            &self.listed[self.starts[index] as usize..self.starts[index + 1] as usize]
        } else {
            &[]
        };
        listed.iter().map(|&at| &self.all[at as usize])
    }
}

/// The least and the greatest value of a linear function on the part of a triangle in the square of a cell, without the
/// face's [margin](Face::margin); `None` if no part lies there.
pub(super) fn range_in_cell(face: &Face, cell: GridCell, value: impl Fn(DVec3) -> f64) -> Option<(f64, f64)> {
    let corner = DVec2::new(f64::from(cell.x), f64::from(cell.y));
    let (low, high) = (corner + face.margin(), corner + 1.0 - face.margin());
    // Three corners, and at most one more for each of four cuts.
    let mut polygon = [DVec3::ZERO; 8];
    let mut count = 3;
    polygon[..3].copy_from_slice(&face.corners.map(Vec3::as_dvec3));
    for (axis, sign, limit) in [(0, 1.0, low.x), (1, 1.0, low.y), (0, -1.0, -high.x), (1, -1.0, -high.y)] {
        let inside = |point: DVec3| sign * point[axis] - limit;
        let mut cut = [DVec3::ZERO; 8];
        let mut cut_count = 0;
        let mut push = |point: DVec3| {
            // Rounding can make a polygon that is not convex; a corner more than fits is none that counts.
            if cut_count < cut.len() {
                cut[cut_count] = point;
                cut_count += 1;
            }
        };
        for at in 0..count {
            let (from, to) = (polygon[at], polygon[(at + 1) % count]);
            let (a, b) = (inside(from), inside(to));
            if a >= 0.0 {
                push(from);
            }
            if (a >= 0.0) != (b >= 0.0) {
                push(from + (to - from) * (a / (a - b)));
            }
        }
        (polygon, count) = (cut, cut_count);
    }
    polygon[..count].iter().map(|&point| value(point)).fold(None, |range, value| {
        let (low, high) = range.unwrap_or((value, value));
        Some((f64::min(low, value), f64::max(high, value)))
    })
}
