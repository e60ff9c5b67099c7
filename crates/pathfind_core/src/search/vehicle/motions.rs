//! The headings of a search, and the drives from each to the next ones.

use core::f64::consts::TAU;
use core::ops::Range;

use glam::DVec2;

use super::body::swept;
use super::path::{Travel, arc_offset};
use super::query::{VehicleBody, VehicleQuery};
use crate::sight::TurnedRectangle;

/// The length of an arc from one heading to the next, about, where the number of headings allows, and of a straight drive.
const LENGTHS: [f64; 2] = [0.6, 0.75];
/// The least and the greatest number of headings.
const HEADINGS: [f64; 2] = [32.0, 128.0];
/// The distance between lanes.
const LANE: f64 = 0.5;

/// A drive from one heading to another.
#[derive(Clone, Debug)]
pub(super) struct Motion {
    /// The index of the heading at the end.
    pub(super) heading: u16,
    pub(super) travel: Travel,
    /// The change of the position.
    pub(super) offset: DVec2,
    checks: Range<u32>,
}

/// The headings, all multiples of one angle, and the heading of the start if it is none of them; and the drives.
#[derive(Debug, Default)]
pub(super) struct Motions {
    /// The directions of the headings; that of the start is the last.
    directions: Vec<DVec2>,
    /// The number of headings without that of the start.
    pub(super) count: u16,
    /// The index of the heading of the start.
    pub(super) start: u16,
    radius: f64,
    gears: &'static [f64],
    /// For each heading its drives.
    ranges: Vec<Range<u32>>,
    motions: Vec<Motion>,
    /// The rectangles that the body sweeps, relative to where it begins, of all drives.
    checks: Vec<TurnedRectangle>,
}

impl Motions {
    /// `finer`: so many times more headings, and shorter drives.
    pub(super) fn new(query: &VehicleQuery, finer: u16) -> Self {
        let VehicleBody { turning_radius, reverses, .. } = query.body;
        let radius = f64::from(turning_radius);
        let eighths = libm::round(TAU * radius / LENGTHS[0] / 8.0);
        let count = (8.0 * eighths).clamp(HEADINGS[0], HEADINGS[1]) as u16 * finer;
        let gears: &[f64] = if reverses { &[1.0, -1.0] } else { &[1.0] };
        let directions: Vec<DVec2> = (0..count).map(|heading| direction(heading, count)).collect();
        let mut made = Self { directions, count, radius, gears, ..Self::default() };
        let angle = TAU / f64::from(count);
        // The heading of the start, in steps from one heading to the next.
        let start = f64::from(query.start.heading) / angle;
        let start = start - f64::from(count) * libm::floor(start / f64::from(count));
        let (below, rest) = (libm::floor(start) as u16 % count, start - libm::floor(start));
        let straight = LENGTHS[1] / f64::from(finer);
        for heading in 0..count {
            let next = [((heading + 1) % count, angle), ((heading + count - 1) % count, -angle)];
            made.add(query.body.half(), heading, next, straight);
        }
        match rest {
            0.0..1e-6 => made.start = below,
            _ if rest > 1.0 - 1e-6 => made.start = (below + 1) % count,
            _ => {
                made.start = count;
                let (sin, cos) = libm::sincos(query.start.heading.into());
                made.directions.push(DVec2::new(cos, sin));
                let next = [((below + 1) % count, (1.0 - rest) * angle), (below, -rest * angle)];
                made.add(query.body.half(), count, next, straight);
            }
        }
        made
    }

    /// Adds the drives from a heading: to the next ones, by these angles, and straight.
    fn add(&mut self, half: DVec2, heading: u16, next: [(u16, f64); 2], straight: f64) {
        let first = self.motions.len() as u32;
        let along = self.directions[usize::from(heading)];
        for &gear in self.gears {
            let turns = next.map(|(heading, angle)| (heading, self.turn(angle, gear)));
            let on = (heading, Travel { curvature: 0.0, distance: gear * straight });
            for (heading, travel) in turns.into_iter().chain([on]) {
                let offset = self.offset(along, heading, travel);
                let from = self.checks.len() as u32;
                self.checks.extend(swept(half, DVec2::ZERO, along, travel));
                let checks = from..self.checks.len() as u32;
                self.motions.push(Motion { heading, travel, offset, checks });
            }
        }
        self.ranges.push(first..self.motions.len() as u32);
    }

    /// The tightest arc that changes the heading by an angle, forwards (1) or backwards (-1).
    fn turn(&self, angle: f64, gear: f64) -> Travel {
        let distance = gear * angle.abs() * self.radius;
        Travel { curvature: angle / distance, distance }
    }

    fn offset(&self, along: DVec2, heading: u16, travel: Travel) -> DVec2 {
        match travel.curvature {
            0.0 => along * travel.distance,
            curvature => arc_offset(along, self.directions[usize::from(heading)], 1.0 / curvature),
        }
    }

    /// The gears: forwards (1) and, if it can, backwards (-1).
    pub(super) const fn gears(&self) -> &'static [f64] {
        self.gears
    }

    pub(super) fn direction(&self, heading: u16) -> DVec2 {
        self.directions[usize::from(heading)]
    }

    /// The drives from a heading.
    pub(super) fn from(&self, heading: u16) -> &[Motion] {
        let Range { start, end } = self.ranges[usize::from(heading)];
        &self.motions[start as usize..end as usize]
    }

    /// What the body sweeps, relative to where it begins.
    pub(super) fn checks(&self, motion: &Motion) -> &[TurnedRectangle] {
        &self.checks[motion.checks.start as usize..motion.checks.end as usize]
    }

    /// Whether a pose lies on a lane: a line along an axis, in the middle of cells or between them.
    pub(super) fn is_on_lane(&self, at: DVec2, heading: u16) -> bool {
        let across = at.dot(self.direction(heading).perp()) / LANE;
        self.is_axis(heading) && (across - libm::round(across)).abs() < 1e-6
    }

    fn is_axis(&self, heading: u16) -> bool {
        heading < self.count && heading % (self.count / 4) == 0
    }

    /// The drives from a pose to a lane of the nearest axis, or of two: straight, then a turn. With the heading and the
    /// position at the end.
    pub(super) fn to_lanes(
        &self,
        at: DVec2,
        heading: u16,
    ) -> impl Iterator<Item = ([Travel; 2], u16, DVec2)> {
        let along = self.direction(heading);
        let axes = (0..4).map(move |quarter| quarter * (self.count / 4));
        axes.flat_map(|axis| self.gears.iter().map(move |&gear| (axis, gear))).filter_map(
            move |(axis, gear)| {
                let to = self.direction(axis);
                // By at most 45 degrees, and not from an axis.
                let (cos, sin) = (along.dot(to), along.perp_dot(to));
                if cos < 0.7 || self.is_axis(heading) {
                    return None;
                }
                let turn = self.turn(libm::atan2(sin, cos), gear);
                let (offset, across) = (self.offset(along, axis, turn), to.perp());
                let (lateral, rate) = ((at + offset).dot(across), gear * along.dot(across));
                let lane = if rate > 0.0 {
                    libm::ceil(lateral / LANE - 1e-6)
                } else {
                    libm::floor(lateral / LANE + 1e-6)
                };
                let distance = ((lane * LANE - lateral) / rate).max(0.0);
                let straight = Travel { curvature: 0.0, distance: gear * distance };
                let end = at + along * straight.distance + offset;
                // On the lane without the error of rounding.
                let end = to * end.dot(to) + across * (lane * LANE);
                Some(([straight, turn], axis, end))
            },
        )
    }
}

/// The direction of one of so many headings; those along the axes without an error of rounding.
fn direction(heading: u16, count: u16) -> DVec2 {
    let (quarter, rest) = (heading / (count / 4), heading % (count / 4));
    let (sin, cos) = libm::sincos(TAU * f64::from(rest) / f64::from(count));
    (0..quarter).fold(DVec2::new(cos, sin), |direction, _| direction.perp())
}
