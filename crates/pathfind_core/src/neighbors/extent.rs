//! The bounds of the positions and velocities of all bodies.

use glam::Vec3;

use crate::body::Body;
use crate::simd::{BodyRows, LANES, Pass, Simd, SimdF32x8};

/// The bounds of the bodies whose fields are all in range.
pub(super) struct Extent {
    /// The least and the greatest position along each axis.
    pub(super) low: Vec3,
    pub(super) high: Vec3,
    /// The largest absolute velocity along each axis.
    pub(super) speed: Vec3,
    /// The number of bodies whose fields are all in range.
    pub(super) count: usize,
}

impl Extent {
    pub(super) fn of(bodies: &[Body]) -> Self {
        // The fast path: usually all bodies are in range.
        if let Some((low, high)) = Simd::widest().run(ExtentPass { bodies }) {
            return Self::within(low, high, bodies.len());
        }
        let (mut low, mut high, mut count) = ([f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES], 0);
        for body in bodies.iter().filter(|body| body.is_in_range()) {
            for (lane, number) in body.row().into_iter().enumerate() {
                (low[lane], high[lane]) = (low[lane].min(number), high[lane].max(number));
            }
            count += 1;
        }
        Self::within(low, high, count)
    }

    /// The extent of `count` bodies, from the least and the greatest value in each lane of their rows.
    fn within(low: [f32; LANES], high: [f32; LANES], count: usize) -> Self {
        if count == 0 {
            return Self { low: Vec3::ZERO, high: Vec3::ZERO, speed: Vec3::ZERO, count };
        }
        let [place, velocity] = [0, 3].map(|first| {
            let of = |row: [f32; LANES]| Vec3::new(row[first], row[first + 1], row[first + 2]);
            [of(low), of(high)]
        });
        let speed = velocity[0].abs().max(velocity[1].abs());
        Self { low: place[0], high: place[1], speed, count }
    }
}

/// The bounds of places without those far away: more than 16 times as far from the middle as three quarters of them
/// are, and as `reach`. `all` are the bounds of all places.
pub(super) fn bounds_of_most(
    places: impl Iterator<Item = Vec3> + Clone,
    count: usize,
    reach: f32,
    all: [Vec3; 2],
) -> [Vec3; 2] {
    let (mut some, mut taken) = ([Vec3::ZERO; 64], 0);
    for (to, place) in some.iter_mut().zip(places.clone().step_by(count / 64 + 1)) {
        (*to, taken) = (place, taken + 1);
    }
    let median = |axis: usize| {
        some[..taken].sort_unstable_by(|one, other| one[axis].total_cmp(&other[axis]));
        some[taken / 2][axis]
    };
    let middle = Vec3::from_array([0, 1, 2].map(median));
    // The power of two of a distance from the middle.
    let power = |distance: f32| (distance.to_bits() >> 23) as usize;
    let power_of = |place: Vec3| power((place - middle).abs().max_element());
    // Usually a sample shows that none are.
    let mut powers = some.map(power_of);
    powers[..taken].sort_unstable();
    let of_most = powers[taken / 2].max(power(reach)) + 4;
    if all.into_iter().map(power_of).max() <= Some(of_most) {
        return all;
    }
    let mut counts = [0; 256];
    places.clone().for_each(|place| counts[power_of(place)] += 1);
    let (mut most, mut within) = (0, 0);
    while within < count - count / 4 {
        within += counts[most];
        most += 1;
    }
    let most = most.max(power(reach)) + 4;
    let near = places.filter(|&place| power_of(place) <= most);
    near.fold([Vec3::INFINITY, Vec3::NEG_INFINITY], bounds)
}

/// The bounds of a box and a place.
pub(super) fn bounds([low, high]: [Vec3; 2], place: Vec3) -> [Vec3; 2] {
    [low.min(place), high.max(place)]
}

/// The pass that finds the least and the greatest value in each lane of the bodies' rows; `None` if any value is out of
/// range.
struct ExtentPass<'a> {
    bodies: &'a [Body],
}

impl Pass for ExtentPass<'_> {
    type Output = Option<([f32; LANES], [f32; LANES])>;

    #[inline(always)]
    fn run<L: SimdF32x8>(self) -> Self::Output {
        let zero = L::splat(0.0);
        let (mut low, mut high) = (L::splat(f32::INFINITY), L::splat(f32::NEG_INFINITY));
        let (mut low_too, mut high_too, mut zeros) = (low, high, zero);
        let (rows, count) = (BodyRows::new(self.bodies), self.bodies.len());
        // Two rows at a time, with separate minima and maxima: that halves the chain of dependent operations.
        for pair in 0..count / 2 {
            let (one, other) = (rows.row::<L>(2 * pair), rows.row::<L>(2 * pair + 1));
            (low, high) = (one.min(low), one.max(high));
            (low_too, high_too) = (other.min(low_too), other.max(high_too));
            // Zero times a number is zero if the number is finite, else NaN: `min` and `max` may drop NaN.
            zeros = zeros.add(one.mul(zero).add(other.mul(zero)));
        }
        if count % 2 == 1 {
            let row = rows.row::<L>(count - 1);
            (low, high) = (row.min(low), row.max(high));
            zeros = zeros.add(row.mul(zero));
        }
        let is_finite = zeros.to_array().iter().all(|&zero| zero == 0.0);
        let (low, high) = (low_too.min(low).to_array(), high_too.max(high).to_array());
        let is_in_range = low.iter().chain(&high).all(|number| number.abs() <= Body::LARGEST);
        (is_finite && (count == 0 || is_in_range)).then_some((low, high))
    }
}
