//! The linear program: the velocity nearest to the preferred one in a set of half-planes.
//!
//! It replaces RVO2's `linearProgram1` ([`best_on_edge`]), `linearProgram2` ([`LinearProgram::solve`], [`fastest`])
//! and `linearProgram3` ([`LinearProgram::minimize_largest_violation`]).

use glam::Vec2;

mod edge;

use edge::{Objective, best_on_edge, fastest};

use super::half_plane::{HalfPlane, HalfPlanes};
use super::walls::MAX_WALLS;
use crate::simd::{LANES, SimdF32x8};

/// The most half-planes of bodies, one for each neighbour. A multiple of [`LANES`], and no more than the bits of the
/// `u32` in [`LinearProgram::most_violated`].
pub(super) const MAX_LINES: usize = 32;

/// The offset of a half-plane that contains every velocity.
const NO_LIMIT: f32 = -f32::MAX;

/// Half-planes, and the memory to find the best velocity in them: a linear program in two dimensions, solved by
/// adding one half-plane after the other (R. Seidel, "Small-dimensional linear programming and convex hulls made
/// easy", 1991).
///
/// Seidel adds the half-planes in random order. Here the next half-plane is always the one that the present velocity
/// violates most, until no half-plane is violated. So most half-planes are never added, and the answer does not
/// depend on the order in which the half-planes were given: of equally violated ones, the one with the least id is
/// next.
///
/// The half-planes of walls are added before those of bodies, nearest first. If no velocity is in all half-planes,
/// those of walls are kept where that is possible, and those of bodies are violated.
pub(super) struct LinearProgram {
    // The half-planes of bodies as a structure of arrays: the entries at one index belong to one body. Valid up to
    // `len`, which is a multiple of `LANES`; entries without a half-plane have the offset `NO_LIMIT`.
    /// The x, then the y of the normals.
    normals: [[f32; MAX_LINES]; 2],
    /// The offsets; `NO_LIMIT` while the half-plane is in `added`.
    offsets: [f32; MAX_LINES],
    /// How much each body is under way, from 0 (standing or at its goal) to 1 (far from its goal).
    under_way: [f32; MAX_LINES],
    /// The bodies' ids.
    ids: [u64; MAX_LINES],
    len: usize,
    /// The half-planes that the present velocity was computed from: `wall_count` of walls, then those of bodies in the
    /// order added, `added_count` in all.
    added: [HalfPlane; MAX_LINES + MAX_WALLS],
    /// For each entry of `added` that belongs to a body, its index in `offsets`; unused for walls.
    indices: [u8; MAX_LINES + MAX_WALLS],
    wall_count: usize,
    added_count: usize,
    /// The distance of each wall.
    wall_distances: [f32; MAX_WALLS],
    /// Scratch memory of [`minimize_violation`](Self::minimize_violation).
    bisectors: [HalfPlane; MAX_LINES + MAX_WALLS],
}

impl LinearProgram {
    pub(super) fn new() -> Self {
        Self {
            normals: [[0.0; MAX_LINES]; 2],
            offsets: [NO_LIMIT; MAX_LINES],
            under_way: [0.0; MAX_LINES],
            ids: [0; MAX_LINES],
            len: 0,
            added: [HalfPlane::default(); MAX_LINES + MAX_WALLS],
            indices: [0; MAX_LINES + MAX_WALLS],
            wall_count: 0,
            added_count: 0,
            wall_distances: [0.0; MAX_WALLS],
            bisectors: [HalfPlane::default(); MAX_LINES + MAX_WALLS],
        }
    }

    /// Removes all half-planes.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        (self.len, self.wall_count, self.added_count) = (0, 0, 0);
    }

    /// Adds the half-plane of a wall at a distance, if it excludes any velocity up to `max_speed`. One whose offset is
    /// not finite is ignored. The nearest [`MAX_WALLS`] are kept, in the order of their distances; of walls at the same
    /// distance those added first.
    #[inline]
    pub(super) fn push_wall(&mut self, distance: f32, plane: HalfPlane, max_speed: f32) {
        let place = self.wall_distances[..self.wall_count].partition_point(|&other| other <= distance);
        // False for NaN, too.
        let counts = plane.offset > -max_speed && plane.offset < f32::MAX;
        if !counts || place == MAX_WALLS {
            return;
        }
        let kept = self.wall_count.min(MAX_WALLS - 1);
        self.wall_distances.copy_within(place..kept, place + 1);
        self.added.copy_within(place..kept, place + 1);
        (self.wall_distances[place], self.added[place]) = (distance, plane);
        self.wall_count = kept + 1;
        self.added_count = self.wall_count;
    }

    /// Adds the half-planes of eight bodies, with how much each body is under way (from 0 to 1) and its id. Lanes
    /// without a half-plane are filled with one that contains every velocity.
    ///
    /// # Panics
    ///
    /// If that makes more than [`MAX_LINES`] half-planes of bodies.
    #[inline(always)]
    pub(super) fn push<L: SimdF32x8>(&mut self, planes: &HalfPlanes<L>, under_way: L, ids: [u64; LANES]) {
        let range = self.len..self.len + LANES;
        let offset = planes.is_some.select(planes.offset, L::splat(NO_LIMIT));
        for axis in 0..2 {
            let normal = planes.normal[axis].and(planes.is_some);
            self.normals[axis][range.clone()].copy_from_slice(&normal.to_array());
        }
        self.offsets[range.clone()].copy_from_slice(&offset.to_array());
        self.under_way[range.clone()].copy_from_slice(&under_way.to_array());
        self.ids[range.clone()].copy_from_slice(&ids);
        self.len = range.end;
    }

    /// Sets the half-plane of a body that was pushed without one; `index` counts the lanes of all calls of
    /// [`push`](Self::push).
    pub(super) fn set(&mut self, index: usize, plane: HalfPlane) {
        [self.normals[0][index], self.normals[1][index]] = plane.normal.to_array();
        self.offsets[index] = plane.offset;
    }

    pub(super) fn has_walls(&self) -> bool {
        self.wall_count > 0
    }

    /// The largest violation by a velocity of the half-planes of bodies that are not in `added`; 0 or less if the
    /// velocity is in all of them.
    #[inline(always)]
    pub(super) fn violation<L: SimdF32x8>(&self, velocity: Vec2) -> f32 {
        let mut largest = L::splat(NO_LIMIT);
        for chunk in 0..self.len / LANES {
            largest = self.violations::<L>(chunk, velocity).max(largest);
        }
        largest.reduce_max()
    }

    /// How much a velocity is limited by moving bodies, and how much by standing ones, each from 0 to 1. A single body
    /// limits it by 1 on the border of the body's half-plane, by 0 if inside by `margin` (a speed) or more, and
    /// linearly between. The body's `under_way` divides that between moving and standing; the largest over all bodies
    /// counts.
    #[inline(always)]
    pub(super) fn held<L: SimdF32x8>(&self, velocity: Vec2, margin: f32) -> (f32, f32) {
        let (zero, one, inverse) = (L::splat(0.0), L::splat(1.0), L::splat(margin.recip()));
        let (mut by_moving, mut by_standing) = (zero, zero);
        for chunk in 0..self.len / LANES {
            let violation = self.violations::<L>(chunk, velocity);
            let limited = one.add(violation.mul(inverse)).max(zero).min(one);
            let under_way = L::load(&self.under_way.as_chunks().0[chunk]);
            by_moving = limited.mul(under_way).max(by_moving);
            by_standing = limited.mul(one.sub(under_way)).max(by_standing);
        }
        (by_moving.reduce_max(), by_standing.reduce_max())
    }

    /// The violations of the half-planes of eight bodies: those at the indices from `chunk * LANES` on.
    #[inline(always)]
    fn violations<L: SimdF32x8>(&self, chunk: usize, velocity: Vec2) -> L {
        let x = L::load(&self.normals[0].as_chunks().0[chunk]).mul(L::splat(velocity.x));
        let y = L::load(&self.normals[1].as_chunks().0[chunk]).mul(L::splat(velocity.y));
        L::load(&self.offsets.as_chunks().0[chunk]).sub(x.add(y))
    }

    /// The index of the half-plane of a body that is violated most; `None` if no violation is larger than `threshold`.
    /// Half-planes in `added` are skipped.
    #[inline(always)]
    fn most_violated<L: SimdF32x8>(&self, velocity: Vec2, threshold: f32) -> Option<usize> {
        let largest = self.violation::<L>(velocity);
        // Each half-plane is added at most once, so `added` cannot overflow, unless extreme numbers are rounded: the
        // second condition guards against that.
        if largest <= threshold || self.added_count == self.added.len() {
            return None;
        }
        // One bit for each half-plane that is violated by as much as `largest`.
        let mut ties = 0_u32;
        for chunk in 0..self.len / LANES {
            let is_less = L::splat(largest).is_more(self.violations::<L>(chunk, velocity));
            ties |= (!is_less.bits() & 0xff) << (chunk * LANES);
        }
        Some(if ties.is_power_of_two() { ties.trailing_zeros() as usize } else { self.least_id(ties)? })
    }

    /// Of the indices whose bits are set in `ties`, the one of the body with the least id.
    #[cold]
    fn least_id(&self, ties: u32) -> Option<usize> {
        (0..self.len).filter(|index| ties >> index & 1 == 1).min_by_key(|&index| self.ids[index])
    }

    fn plane(&self, index: usize) -> HalfPlane {
        let normal = Vec2::new(self.normals[0][index], self.normals[1][index]);
        HalfPlane { normal, offset: self.offsets[index] }
    }

    /// Appends the half-plane at `index` to `added`; [`most_violated`](Self::most_violated) then skips it.
    #[inline(always)]
    fn add(&mut self, index: usize, plane: HalfPlane) {
        self.added[self.added_count] = plane;
        self.indices[self.added_count] = index as u8;
        self.added_count += 1;
        self.offsets[index] = NO_LIMIT;
    }

    /// The velocity nearest to `preferred` that is no faster than `max_speed` and in every half-plane. If there is
    /// none, the velocity in all half-planes of walls whose largest violation of a body's half-plane is least. If no
    /// velocity is in all half-planes of walls, the velocity whose largest violation of any half-plane is least.
    ///
    /// The half-planes stay as they were, for another call.
    #[inline(always)]
    pub(super) fn solve<L: SimdF32x8>(&mut self, preferred: Vec2, max_speed: f32) -> Vec2 {
        let objective = Objective::Nearest(preferred);
        let mut velocity = preferred.clamp_length_max(max_speed);
        let mut failed_wall = None;
        for wall in 0..self.wall_count {
            let plane = self.added[wall];
            if plane.violation(velocity) > 0.0 {
                match best_on_edge(&plane, &self.added[..wall], objective, max_speed) {
                    Some(better) => velocity = better,
                    None => {
                        failed_wall = Some(wall);
                        break;
                    }
                }
            }
        }
        let mut is_feasible = failed_wall.is_none();
        while is_feasible && let Some(index) = self.most_violated::<L>(velocity, 0.0) {
            let plane = self.plane(index);
            match best_on_edge(&plane, &self.added[..self.added_count], objective, max_speed) {
                Some(better) => {
                    velocity = better;
                    self.add(index, plane);
                }
                None => is_feasible = false,
            }
        }
        if !is_feasible {
            velocity = self.minimize_largest_violation::<L>(failed_wall, velocity, max_speed);
        }
        // Restore the offsets that `add` replaced.
        for added in self.wall_count..self.added_count {
            self.offsets[usize::from(self.indices[added])] = self.added[added].offset;
        }
        self.added_count = self.wall_count;
        velocity
    }

    /// The velocity whose largest violation is least: a linear program in three dimensions, of which the third is the
    /// violation.
    ///
    /// `velocity` is in all half-planes of `added`, or, if the half-plane of `failed_wall` left no velocity, in those
    /// of the walls before it. In the first case all walls are kept, in the second none.
    #[inline(always)]
    fn minimize_largest_violation<L: SimdF32x8>(
        &mut self,
        failed_wall: Option<usize>,
        mut velocity: Vec2,
        max_speed: f32,
    ) -> Vec2 {
        let kept = if failed_wall.is_some() { 0 } else { self.wall_count };
        // The largest violation by `velocity` of the half-planes considered so far.
        let mut violation = 0.0;
        for wall in failed_wall.unwrap_or(self.wall_count)..self.wall_count {
            let plane = self.added[wall];
            if plane.violation(velocity) > violation {
                velocity = self.minimize_violation(&plane, kept, wall, max_speed).unwrap_or(velocity);
                violation = plane.violation(velocity).max(violation);
            }
        }
        while let Some(index) = self.most_violated::<L>(velocity, violation) {
            let plane = self.plane(index);
            velocity = self.minimize_violation(&plane, kept, self.added_count, max_speed).unwrap_or(velocity);
            violation = plane.violation(velocity).max(violation);
            self.add(index, plane);
        }
        velocity
    }

    /// The velocity that violates `plane` least, is in the first `kept` half-planes of `added`, and violates each of
    /// the following ones, up to index `end`, by no more than `plane`. Such a velocity exists, so `None` is a rounding
    /// error: the caller then keeps its velocity.
    fn minimize_violation(
        &mut self,
        plane: &HalfPlane,
        kept: usize,
        end: usize,
        max_speed: f32,
    ) -> Option<Vec2> {
        self.bisectors[..kept].copy_from_slice(&self.added[..kept]);
        let mut len = kept;
        for earlier in &self.added[kept..end] {
            // The bisector is the half-plane of velocities that violate `earlier` by no more than `plane`.
            let difference = earlier.normal - plane.normal;
            let length = difference.length();
            // With equal normals every velocity does, as `plane` is the one violated more: no bisector is needed.
            if length > 1e-5 {
                let offset = (earlier.offset - plane.offset) / length;
                self.bisectors[len] = HalfPlane { normal: difference / length, offset };
                len += 1;
            }
        }
        fastest(&self.bisectors[..len], plane.normal, max_speed)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::simd::{EightLanes, SimdF32};

    fn plane(angle: f32, offset: f32) -> HalfPlane {
        HalfPlane { normal: Vec2::new(libm::cosf(angle), libm::sinf(angle)), offset }
    }

    /// The best velocity in half-planes, of which the first `walls` are those of walls.
    fn solve(planes: &[HalfPlane], walls: usize, preferred: Vec2, max_speed: f32) -> Vec2 {
        let (walls, bodies) = planes.split_at(walls);
        let (mut program, zero) = (LinearProgram::new(), EightLanes::splat(0.0));
        (0..).zip(walls).for_each(|(at, &wall)| program.push_wall(at as f32, wall, f32::MAX));
        for (index, &plane) in bodies.iter().enumerate() {
            if index % LANES == 0 {
                let none = HalfPlanes { normal: [zero; 2], offset: zero, is_some: zero, is_undirected: zero };
                program.push(&none, zero, std::array::from_fn(|lane| (index + lane) as u64));
            }
            program.set(index, plane);
        }
        let velocity = program.solve::<EightLanes>(preferred, max_speed);
        assert_eq!(
            velocity,
            program.solve::<EightLanes>(preferred, max_speed),
            "a second call finds the same"
        );
        velocity
    }

    /// Velocities on a fine grid over the disc of radius `max_speed`.
    fn samples(max_speed: f32) -> impl Iterator<Item = Vec2> {
        let grid = -60..=60;
        grid.clone()
            .flat_map(move |x| grid.clone().map(move |y| Vec2::new(x as f32, y as f32) / 60.0 * max_speed))
            .filter(move |velocity| velocity.length() <= max_speed)
    }

    fn largest_violation(planes: &[HalfPlane], velocity: Vec2) -> f32 {
        planes.iter().map(|plane| plane.violation(velocity)).fold(0.0, f32::max)
    }

    #[test]
    fn an_allowed_preferred_velocity_is_kept() {
        let planes = [plane(0.0, -1.0), plane(1.0, -2.0)];
        assert_eq!(solve(&planes, 0, Vec2::new(0.5, 0.25), 2.0), Vec2::new(0.5, 0.25));
        assert_eq!(solve(&[], 0, Vec2::new(0.0, 4.0), 2.0), Vec2::new(0.0, 2.0), "speed is limited");
    }

    #[test]
    fn contradicting_half_planes_are_violated_equally_but_those_of_walls_are_kept() {
        let planes = [plane(0.0, 1.0), plane(std::f32::consts::PI, 0.0)];
        let two_bodies = solve(&planes, 0, Vec2::ZERO, 5.0);
        assert!((two_bodies.x - 0.5).abs() < 1e-4, "both are violated equally: {two_bodies}");
        let wall_and_body = solve(&planes, 1, Vec2::ZERO, 5.0);
        assert!((wall_and_body.x - 1.0).abs() < 1e-4, "only the body's is violated: {wall_and_body}");
    }

    #[test]
    fn the_nearest_walls_are_kept_in_order() {
        // Two at each distance; the offset tells which was added first.
        let mut walls: Vec<_> = (0..40).map(|step| ((step * 7 % 40 / 2) as f32, step as f32)).collect();
        let mut program = LinearProgram::new();
        walls.iter().for_each(|&(distance, step)| program.push_wall(distance, plane(0.0, step), 99.0));
        walls.sort_by(|one, other| one.0.total_cmp(&other.0));
        let kept = program.added[..program.wall_count].iter().map(|wall| wall.offset);
        assert!(kept.eq(walls[..MAX_WALLS].iter().map(|wall| wall.1)), "of equally far ones the first");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn no_sample_is_better(
            raw in prop::collection::vec((-3.2_f32..3.2, -1.5_f32..1.2), 1..14),
            preferred in (-2.0_f32..2.0, -2.0_f32..2.0),
        ) {
            let planes: Vec<_> = raw.iter().map(|&(angle, offset)| plane(angle, offset)).collect();
            let (preferred, max_speed) = (Vec2::from(preferred), 1.5);
            let found = solve(&planes, 0, preferred, max_speed);
            prop_assert!(found.length() <= max_speed * 1.00001, "{found} is no faster than allowed");
            let violation = largest_violation(&planes, found);
            let least = samples(max_speed).map(|sample| largest_violation(&planes, sample)).fold(f32::MAX, f32::min);
            prop_assert!(violation <= least + 1e-3, "{found} violates by {violation}, a sample by {least} only");
            let near = samples(max_speed)
                .filter(|&sample| largest_violation(&planes, sample) <= 0.0)
                .map(|sample| sample.distance(preferred))
                .fold(f32::MAX, f32::min);
            let distance = found.distance(preferred);
            prop_assert!(near == f32::MAX || violation < 1e-4, "a velocity in all half-planes exists");
            prop_assert!(distance <= near + 1e-3, "{found} is {distance} away, a sample {near}");
        }
    }
}
