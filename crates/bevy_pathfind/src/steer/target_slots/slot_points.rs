//! The points at a target: its slots, and rings round these for agents that wait.

use core::f32::consts::TAU;

use bevy::math::ops;
use bevy::prelude::*;
use pathfind_core::{AgentShape, CornerRule, can_walk_straight};

use crate::order::{SlotLayout, SlotPlace, TargetSlots, nearest_on};
use crate::world::GridRef;

/// The most rings of slots, and of those that wait; and the most points of a ring. They bound time and memory.
const MAX_RINGS: usize = 16;
const MAX_IN_RING: usize = 512;
/// How far from the slots others go round them, how far agents wait, and how far the rings of these are apart, in times of
/// the spacing. Not measured.
const LANE: f32 = 1.0;
const WAITING_FROM: f32 = 2.0;
const WAITING_GAP: f32 = 1.5;
/// An agent goes round if the straight way comes nearer to another slot than this, in times of the spacing.
const CLEAR: f32 = 0.6;
/// How far ahead on its way round an agent heads, in radians. Not measured.
const AHEAD: f32 = 0.4;

/// The points at a target in a tick, in the space of its grid.
pub(super) struct SlotPoints<'a> {
    pub(super) grid: &'a GridRef<'a>,
    pub(super) corners: CornerRule,
    pub(super) center: Vec2,
    /// The distance of slots from one another.
    pub(super) spacing: f32,
    pub(super) slots: Vec<Vec2>,
    /// Where agents wait, and how far that is from the innermost of these rings.
    pub(super) waiting: Vec<(Vec2, f32)>,
    is_ring: bool,
    /// How far from the centre agents go round it: between the slots and those that wait.
    lane: f32,
}

impl<'a> SlotPoints<'a> {
    /// The points of a target, with room for so many agents that wait. `unit` is the greatest body unit of the agents, in
    /// world units.
    pub(super) fn new(
        settings: &TargetSlots,
        (grid, corners): (&'a GridRef<'a>, CornerRule),
        target: &GlobalTransform,
        (unit, count): (f32, usize),
    ) -> Self {
        let side = grid.place.cell_size();
        let (center, spacing) = (grid.place.to_grid(target.translation()), settings.spacing * unit / side);
        let (slots, reach) = match &settings.layout {
            &SlotLayout::Ring { radius, reach } => {
                let (radius, reach) = (radius / side, reach / side);
                // Within rounding, a ring at the reach counts.
                let rings = ((reach - radius) / spacing + 1e-3).max(0.0) as usize + 1;
                let radii = (0..rings.min(MAX_RINGS)).map(|ring| radius + ring as f32 * spacing);
                let outer = radii.clone().next_back().unwrap_or(radius);
                (radii.flat_map(|radius| ring(center, radius, spacing)).collect(), outer)
            }
            SlotLayout::Points(points) => {
                let on_grid = |&point: &Vec3| grid.place.to_grid(target.transform_point(point));
                let slots: Vec<_> = points.iter().map(on_grid).collect();
                let outer = slots.iter().map(|slot| slot.distance(center)).fold(0.0, f32::max);
                (slots, outer)
            }
        };
        let gap = WAITING_GAP * spacing;
        let mut waiting = Vec::new();
        for number in 0..MAX_RINGS {
            // Walls may take some of the points.
            if waiting.len() >= 2 * count {
                break;
            }
            let out = number as f32 * gap;
            waiting.extend(ring(center, reach + WAITING_FROM * spacing + out, gap).map(|point| (point, out)));
        }
        let lane = reach + LANE * spacing;
        let is_ring = matches!(settings.layout, SlotLayout::Ring { .. });
        Self { grid, corners, center, spacing, slots, waiting, is_ring, lane }
    }

    /// The point of a place; `None` if there is no such place any more.
    pub(super) fn point(&self, place: SlotPlace) -> Option<Vec2> {
        match place {
            SlotPlace::Slot(slot) => self.slots.get(slot as usize).copied(),
            SlotPlace::Waiting(number) => self.waiting.get(number as usize).map(|&(point, _)| point),
        }
    }

    /// Where an agent heads for that goes to a point of the rings, round the target and the slots the shorter way; and how
    /// long its way is.
    pub(super) fn way_round(&self, here: Vec2, point: Vec2) -> (Vec2, f32) {
        let [from, to] = [here, point].map(|it| it - self.center);
        let [near, end] = [from.length(), to.length()];
        let clear = CLEAR * self.spacing;
        let is_in_way = |&slot: &Vec2| slot != point && nearest_on(here, point, slot).distance(slot) < clear;
        let crosses = nearest_on(from, to, Vec2::ZERO).length() < 0.5 * near.min(end);
        if near < self.lane - self.spacing || !crosses && !self.slots.iter().any(is_in_way) {
            return (point, here.distance(point));
        }
        // To the tangent of the lane, along that, and from there to the point.
        let [onto, off] =
            [near, end].map(|far| if far > self.lane { ops::acos(self.lane / far) } else { 0.0 });
        let straight =
            |far: f32| (far * far - self.lane * self.lane).abs().sqrt().min((far - self.lane).abs());
        let arc = self.lane * (from.angle_to(to).abs() - onto - off).max(0.0);
        let turned = Vec2::from(ops::sin_cos(onto.max(AHEAD).copysign(from.perp_dot(to)))).yx();
        let first = self.center + self.lane * turned.rotate(from.normalize_or(Vec2::X));
        (first, here.distance(first).max(straight(near)) + arc + straight(end))
    }

    pub(super) fn sees(&self, shape: AgentShape, from: Vec2, to: Vec2) -> bool {
        can_walk_straight(self.grid.nav.grid(), shape, self.corners, from, to)
    }

    /// Whether a body can stand at a point. If the target stands on ground where the body can stand, the point of a ring
    /// has to be in sight of it too.
    pub(super) fn exists(&self, place: SlotPlace, shape: AgentShape) -> bool {
        let is_of_ring = self.is_ring || place.slot().is_none();
        self.point(place).is_some_and(|point| {
            let from =
                if is_of_ring && self.sees(shape, self.center, self.center) { self.center } else { point };
            self.sees(shape, from, point)
        })
    }
}

/// Points of a ring that are a distance apart: at least one.
fn ring(center: Vec2, radius: f32, apart: f32) -> impl Iterator<Item = Vec2> + Clone {
    let count = ((TAU * radius / apart) as usize).clamp(1, MAX_IN_RING);
    (0..count).map(move |index| {
        let (sin, cos) = ops::sin_cos(TAU * index as f32 / count as f32);
        center + radius * Vec2::new(cos, sin)
    })
}
