//! The headings of a search, and the drives from each to the next ones.

use core::f64::consts::TAU;
use core::ops::Range;

use glam::DVec2;

use super::body::swept;
use super::path::{Travel, arc_offset};
use super::query::{VehicleBody, VehicleQuery};
use crate::sight::TurnedRectangle;

/// The length of an arc from one heading to the next, about, where the number of headings allows, and of a straight
/// drive.
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

/// A turn from a heading to an axis.
#[derive(Clone, Debug)]
pub(super) struct LaneTurn {
    turn: Motion,
    gear: f64,
    /// How the distance across the axis changes with the distance driven straight before the turn.
    rate: f64,
}

/// The headings, all multiples of one angle, and the heading of the start if it is none of them; and the drives.
#[derive(Clone, Debug, Default)]
pub(crate) struct Motions {
    /// The body and the fineness that they are for.
    made_for: Option<(VehicleBody, u16)>,
    /// The directions of the headings; that of the start is the last.
    directions: Vec<DVec2>,
    /// The number of headings without that of the start.
    pub(super) count: u16,
    /// The index of the heading of the start.
    pub(super) start: u16,
    /// For each heading its drives and its turns to lanes.
    ranges: Vec<[Range<u32>; 2]>,
    motions: Vec<Motion>,
    turns: Vec<LaneTurn>,
    /// The rectangles that the body sweeps, relative to where it begins, of all drives.
    checks: Vec<TurnedRectangle>,
}

impl Motions {
    /// Makes the drives for a query. `finer`: so many times more headings, and shorter drives.
    pub(super) fn set(&mut self, query: &VehicleQuery, finer: u16) {
        let body = query.body;
        if self.made_for != Some((body, finer)) {
            let eighths = libm::round(TAU * f64::from(body.turning_radius) / LENGTHS[0] / 8.0);
            self.count = (8.0 * eighths).clamp(HEADINGS[0], HEADINGS[1]) as u16 * finer;
            self.directions.clear();
            self.directions.extend((0..self.count).map(|heading| direction(heading, self.count)));
            self.clear_from(0);
            self.made_for = Some((body, finer));
            let angle = TAU / f64::from(self.count);
            for heading in 0..self.count {
                let next =
                    [((heading + 1) % self.count, angle), ((heading + self.count - 1) % self.count, -angle)];
                self.add(heading, next);
            }
        }
        self.set_start(f64::from(query.start.heading));
    }

    /// Sets the heading of the start, with drives of its own unless it is one of the others.
    fn set_start(&mut self, heading: f64) {
        let count = self.count;
        self.directions.truncate(usize::from(count));
        self.clear_from(usize::from(count));
        let angle = TAU / f64::from(count);
        // In steps from one heading to the next.
        let steps = heading / angle - f64::from(count) * libm::floor(heading / TAU);
        let (below, rest) = (libm::floor(steps) as u16 % count, steps - libm::floor(steps));
        let above = (below + 1) % count;
        self.start = match rest {
            0.0..1e-6 => below,
            _ if rest > 1.0 - 1e-6 => above,
            _ => count,
        };
        if self.start == count {
            let (sin, cos) = libm::sincos(heading);
            self.directions.push(DVec2::new(cos, sin));
            self.add(count, [(above, (1.0 - rest) * angle), (below, -rest * angle)]);
        }
    }

    /// Takes away the drives from this heading on.
    fn clear_from(&mut self, heading: usize) {
        let Some([motions, turns]) = self.ranges.get(heading).cloned() else { return };
        let motion = self.motions.get(motions.start as usize).map_or(0, |motion| motion.checks.start);
        self.motions.truncate(motions.start as usize);
        self.turns.truncate(turns.start as usize);
        self.checks.truncate(motion as usize);
        self.ranges.truncate(heading);
    }

    fn body(&self) -> (VehicleBody, u16) {
        self.made_for.expect("the drives are for a body")
    }

    /// Adds the drives from a heading: to the next ones, by these angles, and straight.
    fn add(&mut self, heading: u16, next: [(u16, f64); 2]) {
        let (first, first_turn) = (self.motions.len() as u32, self.turns.len() as u32);
        let along = self.directions[usize::from(heading)];
        let straight = LENGTHS[1] / f64::from(self.body().1);
        for &gear in self.gears() {
            for (to, angle) in next {
                let motion = self.motion(heading, to, self.turn(angle, gear));
                self.motions.push(motion);
            }
            let on = self.motion(heading, heading, Travel { curvature: 0.0, distance: gear * straight });
            self.motions.push(on);
        }
        for quarter in 0..4 {
            let axis = quarter * (self.count / 4);
            let to = self.directions[usize::from(axis)];
            let (cos, sin) = (along.dot(to), along.perp_dot(to));
            // By at most 45 degrees, and not from an axis.
            if cos < 0.7 || self.is_axis(heading) {
                continue;
            }
            for &gear in self.gears() {
                let turn = self.motion(heading, axis, self.turn(libm::atan2(sin, cos), gear));
                self.turns.push(LaneTurn { turn, gear, rate: gear * along.dot(to.perp()) });
            }
        }
        self.ranges.push([first..self.motions.len() as u32, first_turn..self.turns.len() as u32]);
    }

    fn motion(&mut self, from: u16, heading: u16, travel: Travel) -> Motion {
        let [along, to] = [from, heading].map(|heading| self.directions[usize::from(heading)]);
        let offset = match travel.curvature {
            0.0 => along * travel.distance,
            curvature => arc_offset(along, to, 1.0 / curvature),
        };
        let first = self.checks.len() as u32;
        self.checks.extend(swept(self.body().0.half(), DVec2::ZERO, along, travel));
        Motion { heading, travel, offset, checks: first..self.checks.len() as u32 }
    }

    /// The tightest arc that changes the heading by an angle, forwards (1) or backwards (-1).
    fn turn(&self, angle: f64, gear: f64) -> Travel {
        let distance = gear * angle.abs() * f64::from(self.body().0.turning_radius);
        Travel { curvature: angle / distance, distance }
    }

    /// The gears: forwards (1) and, if it can, backwards (-1).
    pub(super) fn gears(&self) -> &'static [f64] {
        if self.body().0.reverses { &[1.0, -1.0] } else { &[1.0] }
    }

    pub(super) fn direction(&self, heading: u16) -> DVec2 {
        self.directions[usize::from(heading)]
    }

    /// The drives from a heading.
    pub(super) fn from(&self, heading: u16) -> &[Motion] {
        let Range { start, end } = self.ranges[usize::from(heading)][0];
        &self.motions[start as usize..end as usize]
    }

    /// What the body sweeps from a point on.
    pub(super) fn checks(&self, motion: &Motion, at: DVec2) -> impl Iterator<Item = TurnedRectangle> {
        let checks = &self.checks[motion.checks.start as usize..motion.checks.end as usize];
        checks.iter().map(move |body| TurnedRectangle { center: at + body.center, ..*body })
    }

    /// Whether a pose lies on a lane: a line along an axis, in the middle of cells or between them.
    pub(super) fn is_on_lane(&self, at: DVec2, heading: u16) -> bool {
        let across = at.dot(self.direction(heading).perp()) / LANE;
        self.is_axis(heading) && (across - libm::round(across)).abs() < 1e-6
    }

    fn is_axis(&self, heading: u16) -> bool {
        heading < self.count && heading.is_multiple_of(self.count / 4)
    }

    /// The drives from a pose to a lane of the nearest axis, or of two: straight by a travel, then a turn from a
    /// point on. With the position at the end.
    pub(super) fn to_lanes(
        &self,
        at: DVec2,
        heading: u16,
    ) -> impl Iterator<Item = (Travel, DVec2, &Motion, DVec2)> {
        let along = self.direction(heading);
        let Range { start, end } = self.ranges[usize::from(heading)][1];
        self.turns[start as usize..end as usize].iter().map(move |LaneTurn { turn, gear, rate }| {
            let to = self.direction(turn.heading);
            let lateral = (at + turn.offset).dot(to.perp()) / LANE;
            let lane = if *rate > 0.0 { libm::ceil(lateral - 1e-6) } else { libm::floor(lateral + 1e-6) };
            let distance = ((lane - lateral) * LANE / rate).max(0.0);
            let straight = Travel { curvature: 0.0, distance: gear * distance };
            let turns_at = at + along * straight.distance;
            // On the lane without the error of rounding.
            let end = to * (turns_at + turn.offset).dot(to) + to.perp() * (lane * LANE);
            (straight, turns_at, turn, end)
        })
    }
}

/// The direction of one of so many headings; those along the axes without an error of rounding.
fn direction(heading: u16, count: u16) -> DVec2 {
    let (quarter, rest) = (heading / (count / 4), heading % (count / 4));
    let (sin, cos) = libm::sincos(TAU * f64::from(rest) / f64::from(count));
    (0..quarter).fold(DVec2::new(cos, sin), |direction, _| direction.perp())
}
