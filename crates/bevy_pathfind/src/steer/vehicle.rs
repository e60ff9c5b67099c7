//! Driving: a vehicle goes along the arcs and straight legs of its path, its heading bound to its motion.
//!
//! It brakes before it changes its gear, before the end and before a body in its way, and never leaves the path to
//! avoid somebody: others make way. They see a body that is as wide as the vehicle is long, with the velocity that
//! the vehicle wants, so that they also leave one that waits for them.

use bevy::prelude::*;
use pathfind_core::steer::Body;
use pathfind_core::steer::follow::braking_speed;
use pathfind_core::{VehicleBody, VehicleLeg, VehiclePose};

use super::follow_issue::FollowIssues;
use super::{Crowd, CrowdIndex, GoalSource, GoalVelocity, Remaining, SteeringGoal};
use crate::agent::{AdjustedVelocity, Agent, AgentId, AgentVelocity, Vehicle, VehicleCourse};
use crate::order::{NavPath, Requests, Ticket};
use crate::world::{GridRef, Grids};

/// A vehicle that is farther than this from its pose on the path waits, and beyond the second asks for another path.
/// In cells.
const ASTRAY: [f32; 2] = [0.1, 0.5];
/// The distance that a vehicle keeps from a body in its way, and the step in which it looks ahead, in cells.
const GAP: f32 = 0.25;
/// The parts of its acceleration that a vehicle uses along its path and, on arcs, across. Together they are less than
/// all of it, so that it never lags behind its pose.
const USED: [f32; 2] = [0.9, 0.4];

/// A vehicle on a path.
type Driver = (
    (&'static CrowdIndex, &'static AgentId, &'static Agent, &'static Vehicle, &'static AgentVelocity),
    (&'static mut NavPath, &'static Ticket, Requests),
    (&'static mut VehicleCourse, SteeringGoal),
);

/// Shows vehicles to others, see the module, and takes back the courses of the last tick.
pub(super) fn show_vehicles(
    mut crowd: ResMut<Crowd>,
    mut vehicles: Query<(&CrowdIndex, &Vehicle, &mut VehicleCourse)>,
) {
    for (&slot, vehicle, mut course) in &mut vehicles {
        let wanted = core::mem::take(&mut course.wanted);
        course.pose = None;
        if let Some(body) = crowd.body_mut(slot).filter(|_| vehicle.length.is_finite()) {
            body.radius = body.radius.max(vehicle.length / 2.0);
            if wanted != Vec3::ZERO {
                body.velocity = wanted;
            }
        }
    }
}

/// Drives every vehicle on by one tick along its path.
pub(super) fn drive(
    mut drivers: Query<Driver>,
    (crowd, grids, time): (Res<Crowd>, Grids, Res<Time>),
    mut found: ResMut<FollowIssues>,
) {
    let dt = time.delta_secs();
    for (body, (mut path, ticket, mut requests), (mut course, mut goal)) in &mut drivers {
        let (&slot, &id, agent, vehicle, &AgentVelocity(velocity)) = body;
        *course = VehicleCourse { driven: course.driven, ..default() };
        if path.is_changed() {
            course.driven = 0.0;
        }
        let (Some(grid), Some(body), Some(entity)) =
            (grids.get(path.grid()), crowd.body(slot), crowd.entity(slot))
        else {
            continue;
        };
        let may_drive = !path.is_finished() && ticket.has_answer() && !goal.is_led() && agent.check().is_ok();
        if !may_drive || dt <= 0.0 {
            continue;
        }
        let here = grid.place.to_grid(body.position);
        let path = path.bypass_change_detection();
        let lane =
            PathAhead { legs: path.vehicle_legs(), body: vehicle.body(grid.place.cell_size()), grid: &grid };
        let length = lane.length();
        let astray = lane.pose_at(course.driven).map_or(0.0, |(pose, _)| pose.position.distance(here));
        if length - course.driven <= 1e-3 && astray <= ASTRAY[0] {
            found.arrivals.push((id, entity, body.position));
            continue;
        }
        if astray > ASTRAY[1] {
            requests.serve_anew();
            continue;
        }
        let cell_size = grid.place.cell_size();
        let [along, across] = USED.map(|part| part * agent.acceleration);
        let top = agent.speed * grid.speed_factor(agent.kind, || here);
        let top = top.min((across * vehicle.turning_radius).sqrt());
        let others = crowd.all().filter(|&(other, _)| other != entity).map(|(_, body)| body);
        let free = lane.free_length(course.driven, top * top / (2.0 * along), others);
        let run = lane.run_left(course.driven);
        let most = braking_speed(run.min(free) * cell_size, along, dt, 0.0).min(top);
        // Backwards after it has driven forwards, it begins at a speed below 0.
        let now = lane.onwards(course.driven).dot(velocity);
        let speed = if astray <= ASTRAY[0] { most.min(now + along * dt).max(0.0) } else { 0.0 };
        // A last step that is shorter than rounding ends on the leg's end.
        let step = if run * cell_size < 1e-3 { run } else { (speed * dt / cell_size).min(run) };
        course.driven += if astray <= ASTRAY[0] { step } else { 0.0 };
        let Some((pose, _)) = lane.pose_at(course.driven) else { continue };
        let target = grid.place.to_world(pose.position, 0.0);
        course.pose = Some(pose);
        course.velocity = grid.place.flatten(target - body.position) / dt;
        course.ahead = lane.ahead(pose);
        course.wanted = lane.onwards(course.driven) * if free < run { top } else { speed };
        while let [next, _, ..] = path.remaining_points()
            && next.distance(here) < 2.0 * GAP
        {
            path.advance();
        }
        let remaining =
            Remaining { is_in_file: true, ..Remaining::new((length - course.driven) * cell_size) };
        goal.state(GoalSource::Path, GoalVelocity::new(course.velocity).with_remaining(remaining));
    }
}

/// Gives vehicles the velocity that keeps them on their paths, whatever else has been blended with it.
pub(super) fn keep_course(mut vehicles: Query<(&VehicleCourse, &mut AdjustedVelocity), With<Vehicle>>) {
    for (course, mut adjusted) in &mut vehicles {
        if course.pose.is_some() {
            adjusted.set_if_neq(AdjustedVelocity(course.velocity));
        }
    }
}

/// The path of a vehicle. Lengths are in cells.
struct PathAhead<'a> {
    legs: &'a [VehicleLeg],
    body: VehicleBody,
    grid: &'a GridRef<'a>,
}

impl PathAhead<'_> {
    fn length(&self) -> f32 {
        self.legs.iter().map(|leg| leg.length).sum()
    }

    /// The pose after a distance, and whether it is reached backwards.
    fn pose_at(&self, mut distance: f32) -> Option<(VehiclePose, bool)> {
        let (last, before) = self.legs.split_last()?;
        for leg in before {
            if distance <= leg.length {
                return Some((leg.pose_at(distance), leg.is_reverse));
            }
            distance -= leg.length;
        }
        Some((last.pose_at(distance), last.is_reverse))
    }

    /// How far it is from a distance on to the next change of the gear, or to the end.
    fn run_left(&self, distance: f32) -> f32 {
        let mut end = 0.0;
        for run in self.legs.chunk_by(|a, b| a.is_reverse == b.is_reverse) {
            end += run.iter().map(|leg| leg.length).sum::<f32>();
            if end - distance > 1e-4 {
                return end - distance;
            }
        }
        0.0
    }

    /// How far it may drive from a distance on without touching a body: at most the braking distance and a cell.
    fn free_length<'b>(&self, distance: f32, braking: f32, others: impl Iterator<Item = &'b Body>) -> f32 {
        let cell_size = self.grid.place.cell_size();
        let sight = braking / cell_size + 1.0;
        let Some((now, is_reverse)) = self.pose_at(distance + 1e-3) else { return 0.0 };
        let onwards = now.ahead() * if is_reverse { -1.0 } else { 1.0 };
        let reach = sight + self.body.length + self.body.width;
        let near = others.filter_map(|body| {
            let (at, radius) = (self.grid.place.to_grid(body.position), body.radius / cell_size);
            let is_near =
                at.distance(now.position) <= reach + radius && (at - now.position).dot(onwards) > 0.0;
            is_near.then_some((at, radius))
        });
        let near: Vec<(Vec2, f32)> = near.collect();
        let steps = (sight / GAP).ceil() as u32;
        for step in 1..=steps.min(1000) {
            let ahead = step as f32 * GAP;
            let Some((pose, _)) = self.pose_at(distance + ahead) else { break };
            if near.iter().any(|&(at, radius)| self.gap(pose, at) < radius) {
                return (ahead - 2.0 * GAP).max(0.0);
            }
        }
        f32::INFINITY
    }

    /// The distance between the rectangle and a point.
    fn gap(&self, pose: VehiclePose, at: Vec2) -> f32 {
        let (away, along) = (at - pose.position, pose.ahead());
        let own = Vec2::new(away.dot(along), away.perp_dot(along)).abs();
        (own - Vec2::new(self.body.length, self.body.width) / 2.0).max(Vec2::ZERO).length()
    }

    /// The direction in which it drives on from a distance, in the world.
    fn onwards(&self, distance: f32) -> Vec3 {
        let next = self.pose_at(distance + 1e-3);
        next.map_or(Vec3::ZERO, |(pose, is_reverse)| self.ahead(pose) * if is_reverse { -1.0 } else { 1.0 })
    }

    /// The direction of a heading in the world.
    fn ahead(&self, pose: VehiclePose) -> Vec3 {
        let [from, to] =
            [0.0, 1.0].map(|by| self.grid.place.to_world(pose.position + pose.ahead() * by, 0.0));
        (to - from).normalize_or_zero()
    }
}
