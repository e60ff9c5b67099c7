//! The linear program: the best velocity in a set of half-planes.

use glam::Vec2;

use super::half_plane::{HalfPlane, HalfPlanes};
use super::walls;
use crate::simd::{LANES, SimdF32x8};

/// The most half-planes of bodies.
pub(super) const MAX_LINES: usize = 32;

/// The offset of a half-plane that contains every velocity.
const NONE: f32 = -f32::MAX;

/// Half-planes, and the memory to find the best velocity in them: a linear program in two dimensions, solved by
/// adding one half-plane after the other (R. Seidel, "Small-dimensional linear programming and convex hulls made
/// easy", 1991).
///
/// Seidel adds them in random order; here the next is always the one that is violated most, until none is
/// violated. So most half-planes are never added, and the answer does not depend on the order in which they were
/// given; of equally violated ones the one with the least id is next.
///
/// Half-planes of walls are added first, in their order, and are kept where not all can be.
pub(super) struct LinearProgram {
    /// The half-planes of bodies, as columns.
    normals: [[f32; MAX_LINES]; 2],
    offsets: [f32; MAX_LINES],
    /// How much the body is under way, from 0 to 1.
    goes: [f32; MAX_LINES],
    ids: [u64; MAX_LINES],
    len: usize,
    /// The half-planes of walls, then those of bodies in the order added, with the index of each body's half-plane
    /// in the columns.
    added: [HalfPlane; MAX_LINES + walls::MAX_WALLS],
    places: [u8; MAX_LINES + walls::MAX_WALLS],
    walls: usize,
    count: usize,
    bisectors: [HalfPlane; MAX_LINES + walls::MAX_WALLS],
}

/// The objective.
#[derive(Copy, Clone)]
enum Best {
    /// Least distance to this velocity.
    Near(Vec2),
    /// Greatest speed in this direction.
    Along(Vec2),
}

impl LinearProgram {
    pub(super) fn new() -> Self {
        Self {
            normals: [[0.0; MAX_LINES]; 2],
            offsets: [NONE; MAX_LINES],
            goes: [0.0; MAX_LINES],
            ids: [0; MAX_LINES],
            len: 0,
            added: [HalfPlane::default(); MAX_LINES + walls::MAX_WALLS],
            places: [0; MAX_LINES + walls::MAX_WALLS],
            walls: 0,
            count: 0,
            bisectors: [HalfPlane::default(); MAX_LINES + walls::MAX_WALLS],
        }
    }

    /// Removes all half-planes.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        (self.len, self.walls, self.count) = (0, 0, 0);
    }

    /// Adds the half-plane of a wall, if it excludes any velocity up to `max_speed`.
    #[inline]
    pub(super) fn push_wall(&mut self, plane: HalfPlane, max_speed: f32) {
        // Comparisons with NaN are false.
        if plane.offset > -max_speed && plane.offset < f32::MAX && self.walls < walls::MAX_WALLS {
            self.added[self.walls] = plane;
            self.walls += 1;
            self.count = self.walls;
        }
    }

    /// Adds the half-planes of eight bodies; `goes` tells how much each is under way.
    ///
    /// # Panics
    ///
    /// If more than [`MAX_LINES`] have been added.
    #[inline(always)]
    pub(super) fn push<L: SimdF32x8>(&mut self, planes: &HalfPlanes<L>, goes: L, ids: [u64; LANES]) {
        let room = self.len..self.len + LANES;
        let offset = planes.is_some.select(planes.offset, L::splat(NONE));
        for axis in 0..2 {
            let normal = planes.normal[axis].and(planes.is_some);
            self.normals[axis][room.clone()].copy_from_slice(&normal.to_array());
        }
        self.offsets[room.clone()].copy_from_slice(&offset.to_array());
        self.goes[room.clone()].copy_from_slice(&goes.to_array());
        self.ids[room.clone()].copy_from_slice(&ids);
        self.len = room.end;
    }

    /// Sets the half-plane of a body whose place holds none.
    pub(super) fn set(&mut self, place: usize, plane: HalfPlane) {
        [self.normals[0][place], self.normals[1][place]] = plane.normal.to_array();
        self.offsets[place] = plane.offset;
    }

    pub(super) fn has_walls(&self) -> bool {
        self.walls > 0
    }

    /// The largest violation of the half-planes of bodies by a velocity; 0 or less if it is in all of them.
    #[inline(always)]
    pub(super) fn violation<L: SimdF32x8>(&self, velocity: Vec2) -> f32 {
        let mut most = L::splat(NONE);
        for chunk in 0..self.len / LANES {
            most = self.violations::<L>(chunk, velocity).max(most);
        }
        most.reduce_max()
    }

    /// How much a velocity is limited by moving and by standing bodies, each from 0 to 1: 1 on the border of a
    /// half-plane, 0 if inside by `margin` or more.
    #[inline(always)]
    pub(super) fn held<L: SimdF32x8>(&self, velocity: Vec2, margin: f32) -> (f32, f32) {
        let (zero, one, inverse) = (L::splat(0.0), L::splat(1.0), L::splat(margin.recip()));
        let (mut by_goers, mut by_standers) = (zero, zero);
        for chunk in 0..self.len / LANES {
            let violation = self.violations::<L>(chunk, velocity);
            let held = one.add(violation.mul(inverse)).max(zero).min(one);
            let goes = L::load(&self.goes.as_chunks().0[chunk]);
            by_goers = held.mul(goes).max(by_goers);
            by_standers = held.mul(one.sub(goes)).max(by_standers);
        }
        (by_goers.reduce_max(), by_standers.reduce_max())
    }

    #[inline(always)]
    fn violations<L: SimdF32x8>(&self, chunk: usize, velocity: Vec2) -> L {
        let x = L::load(&self.normals[0].as_chunks().0[chunk]).mul(L::splat(velocity.x));
        let y = L::load(&self.normals[1].as_chunks().0[chunk]).mul(L::splat(velocity.y));
        L::load(&self.offsets.as_chunks().0[chunk]).sub(x.add(y))
    }

    /// The body's half-plane, not yet added, that is violated most, and by more than `least`.
    #[inline(always)]
    fn worst<L: SimdF32x8>(&self, velocity: Vec2, least: f32) -> Option<usize> {
        let most = self.violation::<L>(velocity);
        // Each is added at most once; the bound ends the loop if rounding of extreme numbers would not.
        if most <= least || self.count == self.added.len() {
            return None;
        }
        let mut which = 0_u32;
        for chunk in 0..self.len / LANES {
            let is_less = L::splat(most).is_more(self.violations::<L>(chunk, velocity));
            which |= (!is_less.bits() & 0xff) << (chunk * LANES);
        }
        Some(if which.is_power_of_two() { which.trailing_zeros() as usize } else { self.first_of(which)? })
    }

    /// Of the places set in `which`, the one with the least id.
    #[cold]
    fn first_of(&self, which: u32) -> Option<usize> {
        (0..self.len).filter(|place| which >> place & 1 == 1).min_by_key(|&place| self.ids[place])
    }

    fn plane(&self, place: usize) -> HalfPlane {
        let normal = Vec2::new(self.normals[0][place], self.normals[1][place]);
        HalfPlane { normal, offset: self.offsets[place] }
    }

    /// Adds a half-plane, which [`worst`](Self::worst) then skips.
    #[inline(always)]
    fn add(&mut self, place: usize, plane: HalfPlane) {
        self.added[self.count] = plane;
        self.places[self.count] = place as u8;
        self.count += 1;
        self.offsets[place] = NONE;
    }

    /// The velocity nearest to `preferred` that is no faster than `max_speed` and in every half-plane. If there is
    /// none, the velocity whose largest violation of the half-planes of bodies is least, with walls kept; if the
    /// walls alone leave none, the one whose largest violation of all is least.
    #[inline(always)]
    pub(super) fn solve<L: SimdF32x8>(&mut self, preferred: Vec2, max_speed: f32) -> Vec2 {
        let (mut velocity, aim) = (preferred.clamp_length_max(max_speed), Best::Near(preferred));
        let mut failed = None;
        for wall in 0..self.walls {
            let plane = self.added[wall];
            if plane.violation(velocity) > 0.0 {
                match best_on_edge(&plane, &self.added[..wall], aim, max_speed) {
                    Some(better) => velocity = better,
                    None => {
                        failed = Some(wall);
                        break;
                    }
                }
            }
        }
        let mut is_left = failed.is_none();
        while is_left && let Some(place) = self.worst::<L>(velocity, 0.0) {
            let plane = self.plane(place);
            match best_on_edge(&plane, &self.added[..self.count], aim, max_speed) {
                Some(better) => {
                    velocity = better;
                    self.add(place, plane);
                }
                None => is_left = false,
            }
        }
        if !is_left {
            velocity = self.least_miss::<L>(failed, velocity, max_speed);
        }
        for added in self.walls..self.count {
            self.offsets[usize::from(self.places[added])] = self.added[added].offset;
        }
        self.count = self.walls;
        velocity
    }

    /// The velocity with the least largest violation, by a linear program in three dimensions, the third being the
    /// violation. The half-planes added so far hold for `velocity`; of the walls only those before `failed`.
    #[inline(always)]
    fn least_miss<L: SimdF32x8>(
        &mut self,
        failed: Option<usize>,
        mut velocity: Vec2,
        max_speed: f32,
    ) -> Vec2 {
        let kept = if failed.is_some() { 0 } else { self.walls };
        let mut violation = 0.0;
        for wall in failed.unwrap_or(self.walls)..self.walls {
            let plane = self.added[wall];
            if plane.violation(velocity) > violation {
                velocity = self.minimize_violation(&plane, (kept, wall), max_speed).unwrap_or(velocity);
                violation = plane.violation(velocity).max(violation);
            }
        }
        while let Some(place) = self.worst::<L>(velocity, violation) {
            let plane = self.plane(place);
            velocity = self.minimize_violation(&plane, (kept, self.count), max_speed).unwrap_or(velocity);
            violation = plane.violation(velocity).max(violation);
            self.add(place, plane);
        }
        velocity
    }

    /// The velocity that violates `plane` least and none of the first `end` added by more than it, the first
    /// `kept` of them not at all. `None` only by rounding; then the previous velocity stays.
    fn minimize_violation(
        &mut self,
        plane: &HalfPlane,
        (kept, end): (usize, usize),
        max_speed: f32,
    ) -> Option<Vec2> {
        self.bisectors[..kept].copy_from_slice(&self.added[..kept]);
        let mut len = kept;
        for earlier in &self.added[kept..end] {
            let between = earlier.normal - plane.normal;
            let length = between.length();
            if length > 1e-5 {
                let offset = (earlier.offset - plane.offset) / length;
                self.bisectors[len] = HalfPlane { normal: between / length, offset };
                len += 1;
            }
        }
        best(&self.bisectors[..len], plane.normal, max_speed)
    }
}

/// The velocity in all half-planes that is fastest in a direction, no faster than `max_speed`.
fn best(planes: &[HalfPlane], direction: Vec2, max_speed: f32) -> Option<Vec2> {
    let mut velocity = direction * max_speed;
    for (index, plane) in planes.iter().enumerate() {
        if plane.violation(velocity) > 0.0 {
            velocity = best_on_edge(plane, &planes[..index], Best::Along(direction), max_speed)?;
        }
    }
    Some(velocity)
}

/// The best velocity on the edge of a half-plane, within the earlier ones.
#[inline]
fn best_on_edge(edge: &HalfPlane, earlier: &[HalfPlane], aim: Best, max_speed: f32) -> Option<Vec2> {
    let (start, along) = (edge.normal * edge.offset, edge.normal.perp());
    let room = max_speed * max_speed - edge.offset * edge.offset;
    if room < 0.0 {
        return None;
    }
    let (mut low, mut high) = (-room.sqrt(), room.sqrt());
    for plane in earlier {
        let (slope, lacks) = (plane.normal.dot(along), plane.violation(start));
        if slope > 1e-6 {
            low = low.max(lacks / slope);
        } else if slope < -1e-6 {
            high = high.min(lacks / slope);
        } else if lacks > 0.0 {
            return None;
        }
        if low > high {
            return None;
        }
    }
    let place = match aim {
        Best::Near(preferred) => along.dot(preferred).max(low).min(high),
        Best::Along(direction) if along.dot(direction) > 0.0 => high,
        Best::Along(_) => low,
    };
    Some(start + along * place)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::simd::{Pass, Simd};

    fn plane(angle: f32, offset: f32) -> HalfPlane {
        HalfPlane { normal: Vec2::new(libm::cosf(angle), libm::sinf(angle)), offset }
    }

    /// Test pass: the best velocity in half-planes, of which the first few are walls'.
    struct Solve<'a>(&'a [HalfPlane], usize, Vec2, f32);

    impl Pass for Solve<'_> {
        type Output = Vec2;

        #[inline(always)]
        fn run<L: SimdF32x8>(self) -> Vec2 {
            let Self(planes, walls, preferred, max_speed) = self;
            let mut program = LinearProgram::new();
            let none = L::splat(0.0);
            for (place, &plane) in planes.iter().enumerate() {
                if place < walls {
                    program.push_wall(plane, f32::MAX);
                    continue;
                }
                if (place - walls) % LANES == 0 {
                    let planes = HalfPlanes { normal: [none; 2], offset: none, is_some: none, is_any: none };
                    program.push(&planes, none, std::array::from_fn(|lane| (place + lane) as u64));
                }
                program.set(place - walls, plane);
            }
            let velocity = program.solve::<L>(preferred, max_speed);
            assert_eq!(velocity, program.solve::<L>(preferred, max_speed), "and a second time");
            velocity
        }
    }

    fn solve(planes: &[HalfPlane], walls: usize, preferred: Vec2, max_speed: f32) -> Vec2 {
        let found = Simd::ALL.map(|simd| simd.run(Solve(planes, walls, preferred, max_speed)));
        assert_eq!(found, [found[0]; Simd::ALL.len()], "all instructions find the same");
        found[0]
    }

    /// Velocities all over the disc.
    fn samples(max_speed: f32) -> impl Iterator<Item = Vec2> {
        let grid = -60..=60;
        grid.clone()
            .flat_map(move |x| grid.clone().map(move |y| Vec2::new(x as f32, y as f32) / 60.0 * max_speed))
            .filter(move |velocity| velocity.length() <= max_speed)
    }

    fn worst(planes: &[HalfPlane], velocity: Vec2) -> f32 {
        planes.iter().map(|plane| plane.violation(velocity)).fold(0.0, f32::max)
    }

    #[test]
    fn what_holds_already_is_kept() {
        let planes = [plane(0.0, -1.0), plane(1.0, -2.0)];
        assert_eq!(solve(&planes, 0, Vec2::new(0.5, 0.25), 2.0), Vec2::new(0.5, 0.25));
        assert_eq!(solve(&[], 0, Vec2::new(0.0, 4.0), 2.0), Vec2::new(0.0, 2.0), "speed is limited");
    }

    #[test]
    fn between_two_that_contradict_each_other_the_middle_is_taken_but_walls_stand() {
        let planes = [plane(0.0, 1.0), plane(std::f32::consts::PI, 0.0)];
        let middle = solve(&planes, 0, Vec2::ZERO, 5.0);
        assert!((middle.x - 0.5).abs() < 1e-4, "both are missed by as much: {middle}");
        let behind = solve(&planes, 1, Vec2::ZERO, 5.0);
        assert!((behind.x - 1.0).abs() < 1e-4, "the wall is kept, the body is not: {behind}");
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
            let violations = worst(&planes, found);
            let least = samples(max_speed).map(|sample| worst(&planes, sample)).fold(f32::MAX, f32::min);
            prop_assert!(violations <= least + 1e-3, "{found} misses by {violations}, a sample by {least} only");
            let near = samples(max_speed)
                .filter(|&sample| worst(&planes, sample) <= 0.0)
                .map(|sample| sample.distance(preferred))
                .fold(f32::MAX, f32::min);
            let distance = found.distance(preferred);
            prop_assert!(near == f32::MAX || violations < 1e-4, "a velocity in all half planes exists");
            prop_assert!(distance <= near + 1e-3, "{found} is {distance} away, a sample {near}");
        }
    }
}
