//! The discs of all bodies, as a structure of arrays.

use glam::{Vec2, Vec3};

use super::disc::{Disc, SETTLING};
use super::{AgentPreference, NOBODY};
use crate::simd::{BodyRows, LANES, Pass, SimdF32x8, Table, dot, prefetch};
use crate::steer::{Body, MovementPlane};

/// How many bodies ahead of the present one are prefetched. Measured: 8, 24, 48 and 96 differ by less than the noise.
const AHEAD: usize = 24;

/// Number of entries beyond the last disc, so that eight can be read from any slot on.
const PADDING: usize = LANES;

/// Discs by slot: the numbers that tell which are near as columns, the numbers that make half-planes as rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Discs {
    columns: [Vec<f32>; 5],
    rows: Vec<[f32; LANES]>,
    ids: Vec<u64>,
    /// The id of the body that each follows; empty if none follows another.
    leaders: Vec<u64>,
    len: usize,
}

impl Discs {
    /// Indices of the columns.
    pub(super) const X: usize = 0;
    pub(super) const Y: usize = 1;
    pub(super) const HEIGHT: usize = 2;
    pub(super) const RADIUS: usize = 3;
    pub(super) const TOP_SPEED: usize = 4;

    /// These discs, each at the slot of its index.
    pub(super) fn of(all: &[Disc]) -> Self {
        let mut discs = Self::default();
        discs.resize(all.len());
        all.iter().enumerate().for_each(|(slot, disc)| discs.set(slot, disc));
        discs
    }

    /// Resizes to `len` discs, to be overwritten.
    fn resize(&mut self, len: usize) {
        self.len = len;
        self.leaders.clear();
        // Entries beyond the last are read, but masked out.
        self.columns.iter_mut().for_each(|column| column.resize(len + PADDING, 0.0));
        self.rows.resize(len + PADDING, [0.0; LANES]);
        self.ids.resize(len + PADDING, 0);
    }

    fn set(&mut self, slot: usize, disc: &Disc) {
        let (at, velocity) = (disc.at, disc.velocity);
        let numbers = [at.x, at.y, disc.height, disc.radius, disc.top_speed];
        for (column, number) in self.columns.iter_mut().zip(numbers) {
            column[slot] = number;
        }
        self.rows[slot] = [at.x, at.y, velocity.x, velocity.y, disc.radius, disc.yields, disc.under_way, 0.0];
        self.ids[slot] = disc.id;
    }

    /// The disc at a slot.
    #[inline(always)]
    pub(super) fn disc(&self, slot: usize) -> Disc {
        let [x, y, vx, vy, radius, yields, under_way, _] = self.rows[slot];
        Disc {
            at: Vec2::new(x, y),
            height: self.columns[Self::HEIGHT][slot],
            velocity: Vec2::new(vx, vy),
            radius,
            yields,
            top_speed: self.columns[Self::TOP_SPEED][slot],
            under_way,
            id: self.ids[slot],
        }
    }

    /// Notes which body each follows.
    pub(super) fn note_leaders(&mut self, leaders: impl IntoIterator<Item = u64>) {
        self.leaders.clear();
        self.leaders.extend(leaders);
    }

    pub(super) fn has_leaders(&self) -> bool {
        !self.leaders.is_empty()
    }

    /// Whether the disc at a slot follows the body with this id.
    pub(super) fn follows(&self, slot: u32, leader: u64) -> bool {
        leader != NOBODY && self.leaders.get(slot as usize) == Some(&leader)
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The columns.
    #[inline(always)]
    pub(super) fn table(&self) -> Table<'_, 5> {
        Table::new(self.columns.each_ref().map(Vec::as_slice))
    }

    /// Position (2), velocity (2), radius, `yields` and `under_way` of the disc at a slot.
    #[inline(always)]
    pub(super) fn row(&self, slot: u32) -> &[f32; LANES] {
        &self.rows[slot as usize]
    }

    #[inline(always)]
    pub(super) fn id(&self, slot: u32) -> u64 {
        self.ids[slot as usize]
    }
}

/// Projects bodies on the plane in a given order, eight at a time, each as [`Disc::of`] does. Bodies without a
/// preference stand and do not make way. Returns the highest top speed and the largest radius.
pub(super) struct Projection<'a> {
    pub(super) plane: &'a MovementPlane,
    pub(super) order: &'a [u32],
    pub(super) bodies: &'a [Body],
    pub(super) preferences: &'a [AgentPreference],
    pub(super) discs: &'a mut Discs,
}

impl<'a> Projection<'a> {
    /// The preference of a body; of one without, to stand and not to avoid.
    #[inline(always)]
    pub(super) fn preference(preferences: &'a [AgentPreference], index: u32) -> &'a AgentPreference {
        const STANDING: AgentPreference = AgentPreference::new(0, Vec3::ZERO, 0.0).yielding(0.0);
        preferences.get(index as usize).unwrap_or(&STANDING)
    }
}

impl Pass for Projection<'_> {
    type Output = (f32, f32);

    #[inline(always)]
    fn run<L: SimdF32x8>(self) -> (f32, f32) {
        let Self { plane, order, bodies, preferences, discs } = self;
        discs.resize(order.len());
        let (rows, axes) = (BodyRows::new(bodies), Axes::<L>::of(plane));
        let (mut fastest, mut widest) = (L::splat(0.0), L::splat(0.0));
        let (mut highest, mut largest) = (0.0_f32, 0.0_f32);
        for (number, eight) in order.chunks(LANES).enumerate() {
            let slot = number * LANES;
            // Bodies are not stored in this order: prefetch those to come.
            if let Some(later) = order.get(slot + AHEAD..) {
                for &index in later.iter().take(LANES) {
                    prefetch(bodies, index as usize);
                    prefetch(preferences, index as usize);
                }
            }
            let mut projected = None;
            if let Ok(eight) = <&[u32; LANES]>::try_from(eight) {
                let (mut own, mut wanted) = ([L::splat(0.0); LANES], [L::splat(0.0); LANES]);
                for lane in 0..LANES {
                    own[lane] = rows.row(eight[lane] as usize);
                    wanted[lane] = L::load(&row_of(Self::preference(preferences, eight[lane])));
                }
                projected = axes.project(L::transpose(own), L::transpose(wanted));
            }
            let Some([x, y, height, vx, vy, radius, yields, top_speed, under_way]) = projected else {
                for (slot, &index) in (slot..).zip(eight) {
                    let disc = Disc::of(plane, &bodies[index as usize], Self::preference(preferences, index));
                    (highest, largest) = (highest.max(disc.top_speed), largest.max(disc.radius));
                    discs.set(slot, &disc);
                }
                continue;
            };
            (fastest, widest) = (fastest.max(top_speed), widest.max(radius));
            let [to_x, to_y, to_height, to_radius, to_top_speed] = &mut discs.columns;
            x.write(to_x, slot);
            y.write(to_y, slot);
            height.write(to_height, slot);
            radius.write(to_radius, slot);
            top_speed.write(to_top_speed, slot);
            let transposed = L::transpose([x, y, vx, vy, radius, yields, under_way, L::splat(0.0)]);
            for lane in 0..LANES {
                discs.rows[slot + lane] = transposed[lane].to_array();
                discs.ids[slot + lane] = Self::preference(preferences, eight[lane]).id;
            }
        }
        (highest.max(fastest.reduce_max()), largest.max(widest.reduce_max()))
    }
}

/// A preference as a row: preferred velocity (3), top speed, `yields`, remaining distance, whether that is known,
/// padding.
#[inline(always)]
fn row_of(preference: &AgentPreference) -> [f32; LANES] {
    let AgentPreference { preferred, max_speed, yields, remaining, .. } = *preference;
    let tells = if remaining.is_some() { 1.0 } else { 0.0 };
    [preferred.x, preferred.y, preferred.z, max_speed, yields, remaining.unwrap_or(0.0), tells, 0.0]
}

/// The axes of a plane and its normal, each number in all lanes.
struct Axes<L> {
    right: [L; 3],
    ahead: [L; 3],
    up: [L; 3],
}

impl<L: SimdF32x8> Axes<L> {
    #[inline(always)]
    fn of(plane: &MovementPlane) -> Self {
        let [right, ahead] = plane.axes();
        let up = plane.up();
        let splat = |axis: Vec3| [L::splat(axis.x), L::splat(axis.y), L::splat(axis.z)];
        Self { right: splat(right), ahead: splat(ahead), up: splat(up) }
    }

    /// Eight discs, as columns, from the columns of eight bodies and preferences; `None` if a body has a number
    /// that is not finite: then each is projected alone.
    #[inline(always)]
    fn project(&self, body: [L; LANES], preference: [L; LANES]) -> Option<[L; 9]> {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let [px, py, pz, vx, vy, vz, radius, _] = body;
        let [wx, wy, wz, max_speed, yields, remaining, tells, _] = preference;
        // Zero times a finite number is zero.
        let zeros = px.mul(zero).add(py.mul(zero)).add(pz.mul(zero)).add(radius.mul(zero));
        let zeros = zeros.add(vx.mul(zero)).add(vy.mul(zero)).add(vz.mul(zero));
        if !zeros.mul(zeros).is_same(zero).is_every() {
            return None;
        }
        let [x, y, height] =
            [dot(self.right, [px, py, pz]), dot(self.ahead, [px, py, pz]), dot(self.up, [px, py, pz])];
        let (vx, vy) = (dot(self.right, [vx, vy, vz]), dot(self.ahead, [vx, vy, vz]));
        let radius = radius.max(zero);
        let speed = vx.mul(vx).add(vy.mul(vy)).sqrt();
        let top_speed = speed.max(max_speed.and(L::splat(f32::MAX).is_more(max_speed)));
        let yields = yields.min(one).and(yields.is_more(zero));

        let by_way = remaining.div(L::splat(SETTLING).mul(radius));
        let by_speed = dot([wx, wy, wz], [wx, wy, wz]).sqrt().div(max_speed);
        let part = tells.is_more(zero).select(by_way, by_speed);
        let (signless, mut stands) = (L::splat(f32::from_bits(!(1 << 31))), L::every());
        for number in [wx, wy, wz] {
            stands = stands.and(number.and(signless).is_same(zero));
        }
        let under_way = part.min(one).and(part.is_more(zero)).and_not(stands);
        Some([x, y, height, vx, vy, radius, yields, top_speed, under_way])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Simd;
    use crate::steer::CounterRng;

    /// Bodies and preferences, some with invalid numbers, and an order of most of them.
    fn crowd(count: u32) -> (Vec<u32>, Vec<Body>, Vec<AgentPreference>) {
        let mut rng = CounterRng::new(5, 0, 0);
        let mut vector = |size: f32| Vec3::new(rng.signed(), rng.signed(), rng.signed()) * size;
        let bodies = (0..count).map(|index| {
            let velocity = if index % 29 == 3 { Vec3::splat(f32::INFINITY) } else { vector(3.0) };
            Body::new(vector(50.0), velocity).with_radius([0.5, 0.0, -1.0, 2.0][index as usize % 4])
        });
        let bodies = bodies.collect();
        // The last few have no preference.
        let preferences = (0..count - 5).map(|index| {
            let odd = [f32::NAN, f32::INFINITY, -1.0, 0.0, 1e-30];
            let number = |of: u32, usual: f32| if index % of == 1 { odd[index as usize % 5] } else { usual };
            let preferred = if index % 11 == 0 { Vec3::splat(number(3, 0.0)) } else { vector(2.0) };
            let preference = AgentPreference::new(u64::from(index) << 33, preferred, number(13, 2.5))
                .yielding(number(7, 0.7));
            if index % 3 == 0 { preference.remaining(number(5, 3.0)) } else { preference }
        });
        let preferences = preferences.collect();
        ((0..count).map(|slot| slot * 7 % count).skip(3).collect(), bodies, preferences)
    }

    #[test]
    fn eight_at_a_time_are_projected_as_each_alone() {
        let (order, bodies, preferences) = crowd(200);
        let tilted = MovementPlane::from_up(Vec3::new(0.3, -0.8, 0.5)).expect("a way up");
        for plane in [MovementPlane::XY, MovementPlane::XZ, tilted] {
            for simd in Simd::ALL {
                let mut discs = Discs::default();
                let (order, bodies, preferences, plane) = (&order, &bodies, &preferences, &plane);
                let (fastest, widest) =
                    simd.run(Projection { plane, order, bodies, preferences, discs: &mut discs });
                let mut most = (0.0_f32, 0.0_f32);
                for (slot, &index) in order.iter().enumerate() {
                    let body = &bodies[index as usize];
                    let alone = Disc::of(plane, body, Projection::preference(preferences, index));
                    let found = discs.disc(slot);
                    if body.is_finite() {
                        assert_eq!(found, alone, "{index} with {simd:?}");
                    } else {
                        assert!(alone.at.is_nan() && found.at.is_nan(), "{index} is nowhere");
                    }
                    let column = |column: usize| discs.columns[column][slot];
                    assert_eq!(column(Discs::RADIUS), alone.radius, "{index}");
                    assert!(column(Discs::X) == alone.at.x || alone.at.is_nan(), "{index}");
                    most = (most.0.max(alone.top_speed), most.1.max(alone.radius));
                }
                assert_eq!((fastest, widest), most, "the most of all");
                assert_eq!(discs.len(), order.len());
            }
        }
    }
}
