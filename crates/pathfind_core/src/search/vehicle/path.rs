//! The path of a vehicle: arcs and straight legs, forwards and backwards.

use core::f64::consts::TAU;

use glam::{DVec2, Vec2};

use super::query::VehiclePose;
use crate::grid::GridCell;
use crate::search::{Metrics, Outcome};

/// A part of a path with one curvature and one gear.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct VehicleLeg {
    /// The pose at the beginning.
    pub start: VehiclePose,
    /// 1 divided by the radius of the arc, in cells; 0 for a straight leg. Driven forwards, a positive one raises the
    /// heading. In absolute value at most that of the turning circle.
    pub curvature: f32,
    /// The length of the leg, in cells.
    pub length: f32,
    /// Whether the leg is driven backwards.
    pub is_reverse: bool,
}

impl VehicleLeg {
    /// The pose after a distance from the beginning, in cells; distances beyond the ends count as the ends.
    #[must_use]
    pub fn pose_at(&self, distance: f32) -> VehiclePose {
        let VehiclePose { position, heading } = self.start;
        let distance = f64::from(distance.clamp(0.0, self.length));
        let travel = Travel {
            curvature: self.curvature.into(),
            distance: if self.is_reverse { -distance } else { distance },
        };
        let (sin, cos) = libm::sincos(heading.into());
        let (moved, _) = travel.from(DVec2::new(cos, sin));
        let heading = f64::from(heading) + travel.angle();
        VehiclePose { position: (position.as_dvec2() + moved).as_vec2(), heading: turned_into_range(heading) }
    }

    /// The pose at the end.
    #[must_use]
    pub fn end(&self) -> VehiclePose {
        self.pose_at(self.length)
    }
}

/// The path of a vehicle. Poses that follow one another join: the end of a leg is the beginning of the next.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct VehiclePath {
    /// Whether the path ends at the goal.
    pub outcome: Outcome,
    /// The legs in order; none if the vehicle is at its goal.
    pub legs: Vec<VehicleLeg>,
    /// The pose at the end.
    pub end: VehiclePose,
    /// The cost: length weighted by terrain, more for what is driven [backwards](super::VehicleQuery::REVERSE_COST)
    /// and for each [change of the gear](super::VehicleQuery::GEAR_COST).
    pub cost: f64,
    /// The length, in cells.
    pub length: f64,
    /// Counts of what the search did.
    pub metrics: Metrics,
    /// The [revision](crate::Grid::revision) of the grid that was searched.
    pub revision: u64,
}

impl VehiclePath {
    /// Whether the path ends at the goal.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.outcome == Outcome::Complete
    }

    /// Points along the middle of the body from start to end, at most `spacing` cells apart, with the ends of all
    /// legs. A spacing that is not above 0.01 counts as 0.01.
    pub fn points(&self, spacing: f32) -> impl Iterator<Item = Vec2> {
        let spacing = if spacing > 0.01 { spacing } else { 0.01 };
        let first = self.legs.first().map_or(self.end, |leg| leg.start);
        let rest = self.legs.iter().flat_map(move |leg| {
            let parts = (leg.length / spacing).ceil().max(1.0);
            (1..=parts as u32).map(move |part| leg.pose_at(leg.length * part as f32 / parts).position)
        });
        core::iter::once(first.position).chain(rest)
    }

    /// The cell at the end.
    #[must_use]
    pub fn end_cell(&self) -> GridCell {
        GridCell::containing(self.end.position)
    }
}

/// The legs of drives, each a curvature and a distance, from a pose on; with the pose at the end, and the length of all.
/// Drives of one curvature and gear that follow one another are one leg.
pub(super) fn drive_along(
    start: VehiclePose,
    drives: Vec<(f32, f32)>,
) -> (Vec<VehicleLeg>, VehiclePose, f64) {
    let mut joined: Vec<(f32, f32)> = Vec::new();
    for (curvature, distance) in drives {
        match joined.last_mut() {
            Some(last) if last.0 == curvature && last.1.signum() == distance.signum() => last.1 += distance,
            _ => joined.push((curvature, distance)),
        }
    }
    let (mut at, mut angle, mut length) = (start.position.as_dvec2(), f64::from(start.heading), 0.0);
    let pose =
        |at: DVec2, angle: f64| VehiclePose { position: at.as_vec2(), heading: turned_into_range(angle) };
    let legs = joined.into_iter().map(|(curvature, distance)| {
        let (start, is_reverse) = (pose(at, angle), distance < 0.0);
        let drive = Travel { curvature: curvature.into(), distance: distance.into() };
        let (sin, cos) = libm::sincos(angle);
        at += drive.from(DVec2::new(cos, sin)).0;
        angle += drive.angle();
        length += drive.distance.abs();
        VehicleLeg { start, curvature, length: distance.abs(), is_reverse }
    });
    let legs = legs.collect();
    (legs, pose(at, angle), length)
}

/// A heading as the nearest angle to 0.
fn turned_into_range(heading: f64) -> f32 {
    (heading - TAU * libm::round(heading / TAU)) as f32
}

/// A drive with one curvature; the distance is negative backwards.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(super) struct Travel {
    pub(super) curvature: f64,
    pub(super) distance: f64,
}

impl Travel {
    /// By how much the heading changes.
    pub(super) fn angle(self) -> f64 {
        self.curvature * self.distance
    }

    /// The change of the position, and the direction at the end, for a direction at the beginning.
    pub(super) fn from(self, along: DVec2) -> (DVec2, DVec2) {
        if self.curvature == 0.0 {
            return (along * self.distance, along);
        }
        let (sin, cos) = libm::sincos(self.angle());
        let to = along.rotate(DVec2::new(cos, sin));
        (arc_offset(along, to, 1.0 / self.curvature), to)
    }
}

/// The way along an arc between two directions; the radius is negative for an arc to the other side.
pub(super) fn arc_offset(from: DVec2, to: DVec2, radius: f64) -> DVec2 {
    DVec2::new(to.y - from.y, from.x - to.x) * radius
}
