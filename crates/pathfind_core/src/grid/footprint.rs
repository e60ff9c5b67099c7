//! The cells that a box or an ellipsoid covers when it is projected onto the map.

use glam::{DVec2, Vec2};

use super::{CellRect, GridCell};

/// How far a body may reach into a cell without covering it, in cells. With this tolerance, a box whose sides lie on
/// cell edges covers only the cells inside.
const SLACK: f64 = 1e-3;

/// The outline of a box or an ellipsoid, projected onto the map, in grid space.
///
/// A body is given by its centre and its three half axes, all projected onto the map; rotation, scale and shear are
/// contained in the axes.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Footprint {
    center: Vec2,
    half_axes: [Vec2; 3],
    is_round: bool,
}

impl Footprint {
    /// The largest number of cells in the bounding rectangle of a footprint. Larger bodies are refused: they are to
    /// be part of the map's terrain instead.
    pub const MAX_CELLS: u64 = 1 << 16;

    /// The footprint of a box; the half axes lead from its centre to the centres of three faces.
    #[must_use]
    pub const fn of_box(center: Vec2, half_axes: [Vec2; 3]) -> Self {
        Self { center, half_axes, is_round: false }
    }

    /// The footprint of a ball or an ellipsoid; the half axes lead from its centre to the ends of its axes.
    #[must_use]
    pub const fn of_ball(center: Vec2, half_axes: [Vec2; 3]) -> Self {
        Self { center, half_axes, is_round: true }
    }

    /// The same footprint elsewhere.
    #[must_use]
    pub fn shifted(self, by: Vec2) -> Self {
        Self { center: self.center + by, ..self }
    }

    /// The cells of a rectangle that the footprint overlaps, row by row; `None` if the footprint is not finite or its
    /// bounding rectangle, cut to `within`, has more than [`MAX_CELLS`](Self::MAX_CELLS) cells.
    ///
    /// Boxes are tested by the separating axis theorem (S. Gottschalk, 1996); ellipses by transforming the cell into
    /// the space in which the ellipse is the unit circle.
    #[must_use]
    pub fn cells(&self, within: CellRect) -> Option<Vec<GridCell>> {
        let reach = self.reach();
        if !(self.center.is_finite() && reach.is_finite()) {
            return None;
        }
        let corner = |point: Vec2| GridCell::containing(point);
        let Some(square) =
            CellRect::new(corner(self.center - reach), corner(self.center + reach)).intersection(within)
        else {
            return Some(Vec::new());
        };
        let side = |from: i32, to: i32| u64::from(from.abs_diff(to)) + 1;
        let count = side(square.min.x, square.max.x).saturating_mul(side(square.min.y, square.max.y));
        if count > Self::MAX_CELLS {
            return None;
        }
        let covers: Box<dyn Fn(&GridCell) -> bool> = match self.is_round {
            true => Box::new(self.ellipse()),
            false => Box::new(|cell| self.box_covers(*cell)),
        };
        Some(square.cells().filter(|cell| covers(cell)).collect())
    }

    /// Half the size of the bounding rectangle, along columns and rows.
    fn reach(&self) -> Vec2 {
        let [a, b, c] = self.half_axes;
        if self.is_round { (a * a + b * b + c * c).map(f32::sqrt) } else { a.abs() + b.abs() + c.abs() }
    }

    /// Whether a cell and the outline of the box overlap: no axis separates them.
    fn box_covers(&self, cell: GridCell) -> bool {
        // In `f64`, in which products of any `f32` are finite.
        let apart = cell.center().as_dvec2() - self.center.as_dvec2();
        let axes = self.half_axes.map(Vec2::as_dvec2);
        let normals = axes.map(DVec2::perp).into_iter().chain([DVec2::X, DVec2::Y]);
        normals.filter(|normal| normal.length_squared() > 1e-12).all(|normal| {
            let footprint: f64 = axes.iter().map(|axis| axis.dot(normal).abs()).sum();
            let cell = 0.5 * (normal.x.abs() + normal.y.abs());
            apart.dot(normal).abs() < footprint + cell - SLACK * normal.length()
        })
    }

    /// A test whether the ellipse overlaps a cell that is made smaller by [`SLACK`] on every side.
    fn ellipse(&self) -> impl Fn(&GridCell) -> bool + use<> {
        /// The least half axis of an ellipse: thinner ones are enlarged to it, so that the inverse exists.
        const LEAST_AXIS: f64 = 1e-6;
        const HALF_SIDE: f64 = 0.5 - SLACK;
        let center = self.center.as_dvec2();
        let axes = self.half_axes.map(Vec2::as_dvec2);
        let sum = |f: fn(DVec2) -> f64| axes.iter().map(|&axis| f(axis)).sum::<f64>();
        // The Cholesky factor (x, 0; skew, y) of the ellipse's matrix; its inverse maps the ellipse to the unit circle.
        let x = sum(|axis| axis.x * axis.x).sqrt().max(LEAST_AXIS);
        let skew = sum(|axis| axis.x * axis.y) / x;
        let y = (sum(|axis| axis.y * axis.y) - skew * skew).max(0.0).sqrt().max(LEAST_AXIS);
        move |cell: &GridCell| {
            let at = |dx: f64, dy: f64| {
                let point = cell.center().as_dvec2() + DVec2::new(dx, dy) * HALF_SIDE - center;
                let across = point.x / x;
                DVec2::new(across, (point.y - skew * across) / y)
            };
            let corners = [at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0)];
            let edges = || corners.iter().zip(corners.iter().cycle().skip(1));
            let is_inside = edges().all(|(&a, &b)| (b - a).perp_dot(-a) >= 0.0);
            is_inside || edges().any(|(&a, &b)| distance_from_origin(a, b) < 1.0)
        }
    }
}

fn distance_from_origin(a: DVec2, b: DVec2) -> f64 {
    let along = b - a;
    let at = -a.dot(along) / along.length_squared();
    (a + along * at.clamp(0.0, 1.0)).length()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steer::CounterRng;
    use crate::testing::walled;

    #[test]
    fn pictures() {
        let upright = |x, y| [Vec2::new(x, 0.0), Vec2::new(0.0, y), Vec2::ZERO];
        let turned = [Vec2::new(1.2, 1.2), Vec2::new(-0.3, 0.3), Vec2::ZERO];
        let (middle, v) = (Vec2::new(3.5, 2.5), Vec2::new);
        let (boxed, ball) = (Footprint::of_box, Footprint::of_ball);
        let draws = |footprint: Footprint, rows: &str, why: &str| {
            let covered = footprint.cells(CellRect::new(GridCell::new(0, 0), GridCell::new(6, 4))).unwrap();
            let grid = walled(7, 5, |cell| covered.contains(&cell));
            assert_eq!(grid.to_ascii().unwrap().trim_end().replace('\n', " "), rows, "{why}");
        };
        draws(boxed(v(3.0, 2.0), upright(2.0, 1.0)), "....... .####.. .####.. ....... .......", "no more");
        draws(boxed(middle, turned), "....... ..##... ..###.. ...##.. .......", "turned");
        draws(ball(middle, upright(0.5, 0.5)), "....... ....... ...#... ....... .......", "from within");
        draws(ball(middle, upright(2.1, 2.1)), "..###.. .#####. .#####. .#####. ..###..", "no corners");
        draws(boxed(v(3.5, 1.5), upright(1.6, 0.0)), "....... .#####. ....... ....... .......", "a beam");
    }

    #[test]
    fn covered_cells_agree_with_sampling() {
        let mut rng = CounterRng::new(11, 0, 0);
        let mut random = |low: f32, high: f32| low + (high - low) * rng.unit();
        let bounds = CellRect::new(GridCell::new(0, 0), GridCell::new(11, 11));
        for round in 0..200 {
            let mut axis = || Vec2::new(random(-1.5, 1.5), random(-1.5, 1.5));
            let (center, axes) = (axis() + 6.0, [axis(), axis(), axis()]);
            let is_round = round % 2 == 0;
            let footprint = Footprint { center, half_axes: axes, is_round };
            let covered = footprint.cells(bounds).unwrap();
            // The projection of every point of the body lies on a covered cell.
            for _ in 0..300 {
                let weights = [random(-1.0, 1.0), random(-1.0, 1.0), random(-1.0, 1.0)];
                let length = weights.iter().map(|w| w * w).sum::<f32>().sqrt();
                let far = if is_round { length.max(1.0) } else { 1.0 };
                let point = (0..3).fold(center, |at, i| at + axes[i] * (weights[i] / far * 0.99));
                assert!(covered.contains(&GridCell::containing(point)), "{point} of {footprint:?}");
            }
            assert!(covered.len() < 144, "and it does not cover everything");
        }
    }

    /// A ball that is flat as a line, or nearly so, covers the cells that it runs through.
    #[test]
    fn thin_ellipses_cover_the_cells_that_they_run_through() {
        let mut rng = CounterRng::new(12, 0, 0);
        let bounds = CellRect::new(GridCell::new(0, 0), GridCell::new(23, 23));
        for round in 0..300 {
            let center = Vec2::new(12.0 + rng.signed(), 12.0 + rng.signed());
            let long = Vec2::new(rng.signed(), rng.signed()) * 8.0;
            let thickness = [0.0, 1e-6, 1e-4, 1e-3, 0.01, 0.1][round % 6];
            let short = long.perp().normalize_or_zero() * thickness;
            let covered = Footprint::of_ball(center, [long, short, Vec2::ZERO]).cells(bounds).unwrap();
            for part in -99..=99 {
                let point = center + long * (part as f32 / 100.0);
                let cell = GridCell::containing(point);
                let is_at_edge = (point - cell.center()).abs().max_element() > 0.5 - 2.0 * SLACK as f32;
                assert!(
                    is_at_edge || covered.contains(&cell),
                    "{point} on {long}, {thickness} round {center}"
                );
            }
            for cell in &covered {
                let along = (cell.center() - center).dot(long) / long.length_squared();
                let nearest = center + long * along.clamp(-1.0, 1.0);
                let away = nearest.distance(cell.center());
                assert!(away < 0.71 + thickness, "{cell} is {away} from a ball of {long} round {center}");
            }
        }
    }

    #[test]
    fn bodies_of_any_size_cover_cells_or_are_refused() {
        let rect = |first: i32, last: i32| CellRect::new((first, first).into(), (last, last).into());
        let ball = |center: f32, radius| {
            Footprint::of_ball(Vec2::splat(center), [Vec2::X * radius, Vec2::Y * radius, Vec2::ZERO])
        };
        let bounds = rect(0, 9999);
        for (body, within, cells, why) in [
            (ball(f32::NAN, 1.0), bounds, None, "nowhere"),
            (ball(0.0, f32::INFINITY), bounds, None, "endless"),
            (ball(5000.0, 4000.0), bounds, None, "as large as a map"),
            (ball(0.0, 1e18), rect(i32::MIN, i32::MAX), None, "as large as can be"),
            (ball(-50.0, 3.0), bounds, Some(0), "beside the map"),
            (ball(5.5, 0.0), bounds, Some(1), "a point"),
            (Footprint { is_round: false, ..ball(0.0, 1e20) }, rect(0, 9), Some(100), "over the whole map"),
        ] {
            assert_eq!(body.cells(within).map(|cells| cells.len()), cells, "{why}");
        }
    }
}
