//! The best velocity that half planes leave.

use glam::Vec2;

use super::half_plane::HalfPlane;

/// The most half planes that are looked at.
pub(super) const MOST: usize = 48;

/// A list of half planes of fixed room, and the memory to find the best velocity among them: a linear
/// programme in two dimensions, solved by adding one half plane after the other (R. Seidel, "Small-dimensional
/// linear programming and convex hulls made easy", 1991), without its shuffling, as the order must be the same
/// every time.
///
/// The first half planes may be walls: they are given up last.
pub(super) struct Programme {
    planes: [HalfPlane; MOST],
    bisectors: [HalfPlane; MOST],
    len: usize,
    walls: usize,
}

/// What is best.
#[derive(Copy, Clone)]
enum Best {
    /// As near to this velocity as can be.
    Near(Vec2),
    /// As fast in this direction as can be.
    Along(Vec2),
}

impl Programme {
    pub(super) fn new() -> Self {
        Self {
            planes: [HalfPlane::default(); MOST],
            bisectors: [HalfPlane::default(); MOST],
            len: 0,
            walls: 0,
        }
    }

    /// Forgets every half plane.
    #[inline]
    pub(super) fn clear(&mut self) {
        (self.len, self.walls) = (0, 0);
    }

    /// Adds a half plane, if it is one, if there is room, and if it leaves out any velocity up to `max_speed`.
    #[inline]
    pub(super) fn push(&mut self, plane: HalfPlane, max_speed: f32) {
        // A comparison with what is no number is false.
        if plane.offset > -max_speed && plane.offset < f32::MAX && self.len < MOST {
            self.planes[self.len] = plane;
            self.len += 1;
        }
    }

    /// Makes walls of what has been pushed up to now.
    #[inline]
    pub(super) fn close_walls(&mut self) {
        self.walls = self.len;
    }

    /// By how much a velocity misses the half planes of bodies; negative if it is in all of them.
    #[inline]
    pub(super) fn miss(&self, velocity: Vec2) -> f32 {
        self.planes[self.walls..self.len].iter().map(|plane| plane.miss(velocity)).fold(f32::MIN, f32::max)
    }

    /// The velocity nearest to `preferred` that is no faster than `max_speed` and in every half plane. Where
    /// there is none, the one that misses the half planes of bodies by the least, walls kept; where the walls
    /// alone leave none, the one that misses all by the least.
    pub(super) fn solve(&mut self, preferred: Vec2, max_speed: f32) -> Vec2 {
        match best(&self.planes[..self.len], Best::Near(preferred), max_speed) {
            Ok(velocity) => velocity,
            Err((reached, velocity)) => self.least_miss(reached, velocity, max_speed),
        }
    }

    /// The velocity that misses by the least, by a programme in three dimensions, the third being the miss. The
    /// half planes before `from` hold for `velocity`.
    fn least_miss(&mut self, from: usize, mut velocity: Vec2, max_speed: f32) -> Vec2 {
        let walls = if from < self.walls { 0 } else { self.walls };
        let mut miss = 0.0;
        for worst in from..self.len {
            let plane = self.planes[worst];
            if plane.miss(velocity) <= miss {
                continue;
            }
            // Where no earlier half plane is missed by more than this one.
            self.bisectors[..walls].copy_from_slice(&self.planes[..walls]);
            let mut len = walls;
            for earlier in &self.planes[walls..worst] {
                let between = earlier.normal - plane.normal;
                let length = between.length();
                if length > 1e-5 {
                    let offset = (earlier.offset - plane.offset) / length;
                    self.bisectors[len] = HalfPlane { normal: between / length, offset };
                    len += 1;
                }
            }
            // It fails by rounding only; what was best then still is.
            if let Ok(better) = best(&self.bisectors[..len], Best::Along(plane.normal), max_speed) {
                velocity = better;
            }
            miss = plane.miss(velocity).max(miss);
        }
        velocity
    }
}

/// The best velocity in every half plane, no faster than `max_speed`; or the first half plane that leaves none,
/// and the best velocity without it and what follows.
#[inline]
fn best(planes: &[HalfPlane], aim: Best, max_speed: f32) -> Result<Vec2, (usize, Vec2)> {
    let mut velocity = match aim {
        Best::Near(preferred) => preferred.clamp_length_max(max_speed),
        Best::Along(direction) => direction * max_speed,
    };
    for (index, plane) in planes.iter().enumerate() {
        if plane.miss(velocity) > 0.0 {
            velocity = best_on_edge(plane, &planes[..index], aim, max_speed).ok_or((index, velocity))?;
        }
    }
    Ok(velocity)
}

/// The best velocity on the edge of a half plane, within the earlier ones.
#[inline]
fn best_on_edge(edge: &HalfPlane, earlier: &[HalfPlane], aim: Best, max_speed: f32) -> Option<Vec2> {
    let (start, along) = (edge.normal * edge.offset, edge.normal.perp());
    let room = max_speed * max_speed - edge.offset * edge.offset;
    if room < 0.0 {
        return None;
    }
    let (mut low, mut high) = (-room.sqrt(), room.sqrt());
    for plane in earlier {
        let (slope, lacks) = (plane.normal.dot(along), plane.miss(start));
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

    fn plane(angle: f32, offset: f32) -> HalfPlane {
        HalfPlane { normal: Vec2::new(libm::cosf(angle), libm::sinf(angle)), offset }
    }

    fn programme(planes: &[HalfPlane], walls: usize) -> Programme {
        let mut programme = Programme::new();
        for (index, &plane) in planes.iter().enumerate() {
            if index == walls {
                programme.close_walls();
            }
            programme.push(plane, f32::MAX);
        }
        programme
    }

    /// Velocities all over the disc.
    fn samples(max_speed: f32) -> impl Iterator<Item = Vec2> {
        let grid = -60..=60;
        grid.clone()
            .flat_map(move |x| grid.clone().map(move |y| Vec2::new(x as f32, y as f32) / 60.0 * max_speed))
            .filter(move |velocity| velocity.length() <= max_speed)
    }

    fn worst(planes: &[HalfPlane], velocity: Vec2) -> f32 {
        planes.iter().map(|plane| plane.miss(velocity)).fold(0.0, f32::max)
    }

    #[test]
    fn what_holds_already_is_kept() {
        let planes = [plane(0.0, -1.0), plane(1.0, -2.0)];
        assert_eq!(programme(&planes, 0).solve(Vec2::new(0.5, 0.25), 2.0), Vec2::new(0.5, 0.25));
        assert_eq!(
            programme(&[], 0).solve(Vec2::new(0.0, 4.0), 2.0),
            Vec2::new(0.0, 2.0),
            "speed is limited"
        );
    }

    #[test]
    fn between_two_that_contradict_each_other_the_middle_is_taken_but_walls_stand() {
        let planes = [plane(0.0, 1.0), plane(std::f32::consts::PI, 0.0)];
        let middle = programme(&planes, 0).solve(Vec2::ZERO, 5.0);
        assert!((middle.x - 0.5).abs() < 1e-4, "both are missed by as much: {middle}");
        let behind = programme(&planes, 1).solve(Vec2::ZERO, 5.0);
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
            let found = programme(&planes, 0).solve(preferred, max_speed);
            prop_assert!(found.length() <= max_speed * 1.00001, "{found} is no faster than allowed");
            let misses = worst(&planes, found);
            let least = samples(max_speed).map(|sample| worst(&planes, sample)).fold(f32::MAX, f32::min);
            prop_assert!(misses <= least + 1e-3, "{found} misses by {misses}, a sample by {least} only");
            let near = samples(max_speed)
                .filter(|&sample| worst(&planes, sample) <= 0.0)
                .map(|sample| sample.distance(preferred))
                .fold(f32::MAX, f32::min);
            let distance = found.distance(preferred);
            prop_assert!(near == f32::MAX || misses < 1e-4, "a velocity in all half planes exists");
            prop_assert!(distance <= near + 1e-3, "{found} is {distance} away, a sample {near}");
        }
    }
}
