//! What drives to a point cost where there are no walls, with any heading at the end: the part of the estimate that
//! knows how the vehicle turns.

use core::f64::consts::TAU;
use core::iter::once;

use glam::DVec2;

use super::path::Travel;
use super::query::{VehicleBody, VehicleQuery};
use super::to_goal::{turned, ways_to};

/// How far the table reaches, in radii of the turning circle; from there on drives go straight.
const FAR: f64 = 4.0;
/// The number of points from the vehicle to there. The distance grows with the square of their number: costs change
/// most nearby.
const REACH: i32 = 16;
const COLUMNS: i32 = 2 * REACH + 1;
/// The greatest length of an arc before a change of the gear, in radii, and the number of lengths.
const FIRST: (f64, u32) = (3.0, 4);

/// The costs of drives with two changes of the gear at most, by where the point is seen from the vehicle, on ground
/// that costs 1. Between points of the table they are interpolated.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenCosts {
    /// The body, and the distance from the point at which a drive may end.
    made_for: Option<(VehicleBody, f64)>,
    /// For points ahead, behind and to one side, row by row: the costs of drives that begin forwards and backwards.
    costs: Vec<[f64; 2]>,
}

impl OpenCosts {
    pub(super) fn set(&mut self, body: VehicleBody, reach: f64) {
        if self.made_for == Some((body, reach)) {
            return;
        }
        self.made_for = Some((body, reach));
        let radius = f64::from(body.turning_radius);
        let points = (0..COLUMNS * (REACH + 1)).map(|index| {
            let at =
                DVec2::new((index % COLUMNS - REACH).into(), (index / COLUMNS).into()) / f64::from(REACH);
            at * at.abs() * FAR * radius
        });
        let ahead: Vec<f64> = points.clone().map(|point| forwards(point, radius)).collect();
        let mirrored = ahead.chunks(COLUMNS as usize).flat_map(|row| row.iter().rev());
        let factor = if body.reverses { VehicleQuery::REVERSE_COST } else { 1e6 };
        self.costs = ahead.iter().zip(mirrored).map(|(&ahead, back)| [ahead, factor * back]).collect();
        if body.reverses {
            let firsts = [1.0, -1.0].map(|gear| first_drives(radius, gear));
            for _ in 0..2 {
                self.costs = points.clone().map(|point| self.with_change(point, &firsts)).collect();
            }
        }
        let to_disc = |point: DVec2| {
            let reach = reach.min(point.length());
            let rim = (0..8).map(|part| libm::sincos(TAU * f64::from(part) / 8.0));
            let rim = rim.map(|(sin, cos)| point + reach * DVec2::new(cos, sin));
            let costs = once(point).chain(rim).map(|point| self.known(point));
            costs.fold([f64::INFINITY; 2], |a, b| [a[0].min(b[0]), a[1].min(b[1])])
        };
        self.costs = points.map(to_disc).collect();
    }

    /// The costs of drives that begin forwards and backwards, with one more change of the gear than those so far, or as
    /// many.
    fn with_change(&self, point: DVec2, firsts: &[Vec<(f64, (DVec2, DVec2))>; 2]) -> [f64; 2] {
        let known = self.known(point);
        [0, 1].map(|gear| {
            let changed = firsts[gear].iter().map(|&(cost, (moved, turned))| {
                let away = point - moved;
                let seen = DVec2::new(turned.dot(away), turned.perp_dot(away));
                cost + VehicleQuery::GEAR_COST + self.known(seen)[1 - gear]
            });
            changed.fold(known[gear], f64::min)
        })
    }

    /// The costs of drives to a point that begin forwards and backwards.
    fn known(&self, point: DVec2) -> [f64; 2] {
        let radius = self.made_for.map_or(1.0, |(body, _)| body.turning_radius.into());
        let at = DVec2::new(point.x, point.y.abs()) / (radius * FAR);
        let beyond = at.abs().max_element().max(1.0);
        let at = at / beyond;
        let at = DVec2::new(at.x.abs().sqrt().copysign(at.x), at.y.sqrt()) * (f64::from(REACH) - 1e-6);
        let (low, part) = (at.floor(), at - at.floor());
        let index = (low.y as i32 * COLUMNS + low.x as i32 + REACH) as usize;
        let straight = point.length() * (1.0 - 1.0 / beyond);
        [0, 1].map(|gear| {
            let row = |index: usize| {
                let [a, b] = [self.costs[index][gear], self.costs[index + 1][gear]];
                a + (b - a) * part.x
            };
            let [a, b] = [row(index), row(index + COLUMNS as usize)];
            a + (b - a) * part.y + straight
        })
    }

    /// The least cost of a drive to a point, as seen from the vehicle, after a drive forwards (1) or backwards (-1), or
    /// none (0).
    pub(super) fn to(&self, point: DVec2, gear: f64) -> f64 {
        let [forwards, backwards] = self.known(point);
        let change = |to: f64| if gear * to < 0.0 { VehicleQuery::GEAR_COST } else { 0.0 };
        (forwards + change(1.0)).min(backwards + change(-1.0))
    }
}

/// The arcs before a change of the gear, with their costs, and where they lead from a vehicle that heads along x.
fn first_drives(radius: f64, gear: f64) -> Vec<(f64, (DVec2, DVec2))> {
    let (longest, count) = FIRST;
    let factor = if gear < 0.0 { VehicleQuery::REVERSE_COST } else { 1.0 };
    let lengths =
        (1..=count).map(|part| radius * longest * f64::from(part * part) / f64::from(count * count));
    let drives = lengths.flat_map(|length| [-1.0, 1.0].map(|side| (length, side / radius)));
    let drive = |(length, curvature): (f64, f64)| {
        (factor * length, Travel { curvature, distance: gear * length }.from(DVec2::X))
    };
    drives.map(drive).collect()
}

/// The length of the shortest drive forwards to a point, as seen from a vehicle: an arc and a straight line, or two
/// arcs to a point inside of a turning circle.
fn forwards(point: DVec2, radius: f64) -> f64 {
    let lengths = ways_to(point, DVec2::X, radius, &[1.0]).map(|way| way[0].distance + way[1].distance);
    // In radii, to the left, and seen from the middle of the turning circle on the right. The way along it ends where
    // the circle beyond, of the second arc, goes through the point.
    let point = DVec2::new(point.x, point.y.abs()) / radius;
    let seen = point + DVec2::Y;
    let cos = (seen.length_squared() + 3.0) / (4.0 * seen.length());
    let between = libm::acos(cos.min(1.0));
    let two_arcs = [-between, between].map(|angle| {
        let first = turned(libm::atan2(seen.x, seen.y) + angle);
        let (sin, cos) = libm::sincos(first);
        let out = DVec2::new(sin, cos);
        let to = seen - 2.0 * out;
        first + turned(libm::atan2(-out.perp_dot(to), -out.dot(to)))
    });
    let two_arcs = two_arcs.into_iter().filter(|_| cos <= 1.0).map(|length| length * radius);
    lengths.chain(two_arcs).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRUCK: VehicleBody = VehicleBody { length: 2.0, width: 1.0, turning_radius: 3.0, reverses: true };

    fn cost(reverses: bool, reach: f64, point: (f64, f64), gear: f64) -> f64 {
        let mut costs = OpenCosts::default();
        costs.set(VehicleBody { reverses, ..TRUCK }, reach);
        costs.to(point.into(), gear)
    }

    #[test]
    fn costs_are_those_of_the_shortest_drives() {
        let half_circle = core::f64::consts::PI * 3.0;
        for (reverses, point, gear, expected) in [
            (false, (9.0, 0.0), 0.0, 9.0),
            (false, (40.0, 0.0), 1.0, 40.0),
            // A half circle and straight on; backwards instead, and after a drive forwards.
            (false, (-9.0, 6.0), 1.0, half_circle + 9.0),
            (true, (-3.0, 0.0), 0.0, 4.5),
            (true, (-3.0, 0.0), 1.0, 5.0),
            (true, (3.0, 3.0), -1.0, half_circle / 2.0 + 0.5),
            // Inside of the circle: a circle on the right and one on the left, their middles 6 apart.
            (false, (0.0, 3.0), 0.0, 3.0 * 5.408),
        ] {
            let found = cost(reverses, 0.0, point, gear);
            assert!((found - expected).abs() <= 0.02 * expected, "{point:?}: {found} for {expected}");
        }
        let near = cost(false, 0.5, (9.0, 0.0), 0.0);
        assert!((near - 8.5).abs() <= 0.02 * 8.5, "to within a distance of the point: {near}");
    }
}
