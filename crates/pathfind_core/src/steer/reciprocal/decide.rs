//! The decision of one body: half-planes of its neighbours and walls, the best velocity in them, and a second
//! attempt if the body is stuck.

use glam::{Vec2, Vec3};

use super::disc::Disc;
use super::discs::Discs;
use super::half_plane::{HalfPlane, HalfPlanes, Rates};
use super::linear_program::LinearProgram;
use super::nearest::NearestDiscs;
use super::walls::Walls;
use super::{AgentPreference, ReciprocalSettings, Regard};
use crate::neighbors::Span;
use crate::simd::{LANES, SimdF32x8, Table};
use crate::steer::{CounterRng, MovementPlane};

/// Times below this are raised to it, as they are divided by. In seconds.
const SHORTEST: f32 = 1e-3;

/// A body held up by moving neighbours goes round them if its progress is below this part of its preferred velocity.
/// Measured at half of it: two hundred cross a square in 47 s instead of 69 s, but a ring of 50 does not change places
/// within its limit.
const SLOWED: f32 = 0.9;

/// As [`SLOWED`], for a body held up by standing neighbours only. Half and twice that make no difference in the tests
/// of crowds.
const STUCK: f32 = 0.03;

/// By how much more than its present speed a body near its goal may press on against others, as a part of its top
/// speed. With more, bodies that stand there would be pushed about for ever. Measured at half and at twice that: ten
/// agents each way through a door take 1130 and 700 ticks instead of 613.
const PRESS: f32 = 0.05;

/// A neighbour holds a body up if the body's velocity is less than this inside the neighbour's half-plane, as a
/// part of its preferred speed. Measured at half and at twice that: ten agents each way through a door take 738 and
/// 616 ticks instead of 613; at twice that, two streams of a hundred do not pass each other within their limit.
const HELD: f32 = 0.1;

/// How near two bodies may come, as a part of the sum of their radii: near enough that the hard layer
/// ([`BodyContact`](crate::steer::contact::bodies::BodyContact)) does not yet react. With 1, rounding would make
/// two bodies that just fit past each other stand side by side.
const SLACK: f32 = 0.995;

/// Higher top speeds count as this one: its square is still finite.
const FASTEST: f32 = 1e9;

/// Settings and memory for the decisions of one body after another; after creation it allocates nothing.
pub(super) struct Decision<'a> {
    plane: &'a MovementPlane,
    walls: &'a dyn Walls,
    discs: &'a Discs,
    table: Table<'a, 5>,
    settings: ReciprocalSettings,
    rates: Rates,
    dt: f32,
    nearest: NearestDiscs,
    program: LinearProgram,
}

/// The preferred velocity of a body, in the plane, and what else it states of itself.
#[derive(Copy, Clone, Debug)]
pub(super) struct PlanarPreference {
    pub(super) preferred: Vec2,
    /// Zero if the body cannot move, or if a number is NaN or too large.
    pub(super) max_speed: f32,
    ignores: Option<u64>,
    /// Whether it avoids the body in `ignores` all the same, and does all of it.
    makes_way: bool,
    /// Whether it states its [remaining distance](AgentPreference::remaining).
    has_end: bool,
}

impl PlanarPreference {
    pub(super) fn of(plane: &MovementPlane, preference: &AgentPreference) -> Self {
        let AgentPreference { max_speed, ignores, regard, remaining, .. } = *preference;
        let preferred = plane.project(preference.preferred);
        let can_move = max_speed > 0.0 && max_speed < f32::MAX && preferred.is_finite();
        let max_speed = if can_move { max_speed.min(FASTEST) } else { 0.0 };
        Self {
            preferred: if can_move { preferred.clamp_length_max(max_speed) } else { Vec2::ZERO },
            max_speed,
            ignores,
            makes_way: regard == Regard::MakesWay,
            has_end: remaining.is_some(),
        }
    }
}

/// The body that decides: its disc and its preference.
#[derive(Copy, Clone, Debug)]
pub(super) struct Decider {
    pub(super) disc: Disc,
    pub(super) preference: PlanarPreference,
}

impl Decider {
    /// `None` if the body cannot move: its top speed is 0, or its disc has no position.
    #[inline]
    pub(super) fn of(disc: Disc, preference: &PlanarPreference) -> Option<Self> {
        let preference = *preference;
        (preference.max_speed > 0.0 && !disc.at.is_nan()).then_some(Self { disc, preference })
    }

    /// The preferred velocity of a body that is in conflict with others: near its goal no faster than its present
    /// speed in that direction and a little more.
    #[inline(always)]
    fn preferred_in_conflict(&self) -> Vec2 {
        let PlanarPreference { preferred, max_speed, has_end, .. } = self.preference;
        if !has_end || self.disc.under_way >= 1.0 {
            return preferred;
        }
        let direction = preferred.normalize_or_zero();
        preferred.clamp_length_max(self.disc.velocity.dot(direction).max(0.0) + PRESS * max_speed)
    }
}

impl<'a> Decision<'a> {
    pub(super) fn new(
        settings: &ReciprocalSettings,
        plane: &'a MovementPlane,
        discs: &'a Discs,
        walls: &'a dyn Walls,
        dt: f32,
    ) -> Self {
        let at_least = |seconds: f32| if seconds > SHORTEST { seconds } else { SHORTEST };
        let settings = ReciprocalSettings {
            time_horizon: at_least(settings.time_horizon),
            wall_horizon: at_least(settings.wall_horizon),
            range: settings.range.max(0.0),
            side_bias: if settings.side_bias.is_finite() { settings.side_bias.clamp(-1.0, 1.0) } else { 0.0 },
            ..*settings
        };
        let dt = at_least(dt);
        Self {
            plane,
            walls,
            discs,
            table: discs.table(),
            rates: Rates { horizon: settings.time_horizon.recip(), step: dt.recip(), slack: SLACK },
            dt,
            nearest: NearestDiscs::new(settings.max_neighbors as usize),
            program: LinearProgram::new(),
            settings,
        }
    }

    /// The distance within which neighbours can matter to `own`, if none is faster than `fastest` or wider than
    /// `widest`; -1 if it avoids no others.
    #[inline]
    pub(super) fn reach(&self, own: &Decider, fastest: f32, widest: f32) -> f32 {
        let met =
            (fastest + own.preference.max_speed) * self.settings.time_horizon + (widest + own.disc.radius);
        if self.avoids_others(own) { met.min(self.settings.range) } else { -1.0 }
    }

    fn avoids_others(&self, own: &Decider) -> bool {
        own.disc.yields > 0.0 && self.settings.max_neighbors > 0
    }

    /// The decision of a body among the discs at some slots; a disc at slot `skip` is its own.
    #[inline(always)]
    pub(super) fn decide<L: SimdF32x8>(&mut self, own: &Decider, slots: &[Span], skip: usize) -> Vec3 {
        let avoids_others = self.avoids_others(own);
        let PlanarPreference { ignores, makes_way, .. } = own.preference;
        self.nearest.begin(self.settings.range, own.disc.id, ignores.filter(|_| !makes_way));
        for slots in slots.iter().filter(|_| avoids_others) {
            let slots = slots.start as usize..slots.end as usize;
            let horizon = self.settings.time_horizon;
            self.nearest.note::<L>(own, horizon, (self.discs, &self.table), slots, skip);
        }
        self.program.clear();
        self.add_walls(own);
        self.add_neighbors::<L>(own);
        self.plane.lift(self.choose::<L>(own))
    }

    /// Solves the linear program for the preferred velocity, or if that is not allowed, for one that leans aside;
    /// once more with a larger turn if the body is stuck.
    #[inline(always)]
    fn choose<L: SimdF32x8>(&mut self, own: &Decider) -> Vec2 {
        let PlanarPreference { preferred, max_speed, .. } = own.preference;
        let violation = self.program.violation::<L>(preferred);
        let is_free = violation <= 0.0;
        if is_free && !self.program.has_walls() {
            return preferred;
        }
        let preferred = if is_free { preferred } else { own.preferred_in_conflict() };
        let (speed, right, side_bias) = (preferred.length(), -preferred.perp(), self.settings.side_bias);
        let leans = !is_free && speed > 0.0 && side_bias != 0.0;
        // It leans in proportion to the violation.
        let mut sought =
            if leans { preferred + right * (side_bias * (violation / speed).min(1.0)) } else { preferred };
        let mut is_last = !leans;
        loop {
            let velocity = self.program.solve::<L>(sought, max_speed);
            let velocity =
                if velocity.is_finite() { velocity.clamp_length_max(max_speed) } else { Vec2::ZERO };
            let progress = velocity.dot(preferred) / (speed * speed);
            if is_last || progress >= SLOWED {
                return velocity;
            }
            // Neighbours that hold the body up count; walls do not.
            let (by_goers, by_standers) = self.program.held::<L>(velocity, HELD * speed);
            let stuck = (SLOWED * own.disc.under_way * by_goers * (1.0 - by_standers)).max(STUCK);
            if progress >= stuck {
                return velocity;
            }
            // Between neighbours on both sides a small lean changes nothing, so the body turns further. How far
            // depends on its id: if all turned alike, a ring of bodies would stand for ever. Moving neighbours
            // make room in turn, so a body goes round them before it has nearly stopped.
            let round = by_goers.max(by_standers) * (1.0 - progress.max(0.0) / stuck);
            let back = round * (0.5 + 0.7 * CounterRng::new(0, own.disc.id, 0).unit());
            let direction = preferred * (1.0 - back) + right * (round * side_bias.signum());
            sought = direction.normalize_or_zero() * speed;
            is_last = true;
        }
    }

    #[inline(always)]
    fn add_walls(&mut self, own: &Decider) {
        let Self { plane, walls, settings, dt, program, .. } = self;
        let (disc, max_speed) = (&own.disc, own.preference.max_speed);
        let center = plane.lift(disc.at) + plane.up() * disc.height;
        let reach = disc.radius + max_speed * settings.wall_horizon;
        walls.near(center, reach, &mut |wall| {
            let nearest = wall.nearest(plane, disc.at);
            let distance = nearest.distance(disc.at);
            if distance > reach {
                return;
            }
            if let Some(half_plane) = HalfPlane::wall(disc, nearest, settings.wall_horizon, *dt, max_speed) {
                program.push_wall(distance, half_plane, max_speed);
            }
        });
    }

    #[inline(always)]
    fn add_neighbors<L: SimdF32x8>(&mut self, own: &Decider) {
        self.nearest.end::<L>(self.discs);
        let leader = own.preference.ignores.filter(|_| own.preference.makes_way);
        for (chunk, (count, slots)) in self.nearest.slots().enumerate() {
            let mut rows = [L::splat(0.0); LANES];
            let mut ids = [0; LANES];
            for lane in 0..LANES {
                rows[lane] = L::load(self.discs.row(slots[lane]));
                ids[lane] = self.discs.id(slots[lane]);
                if leader == Some(ids[lane]) {
                    // The leader does none of the avoiding.
                    let [x, y, vx, vy, radius, _, under_way, rest] = *self.discs.row(slots[lane]);
                    rows[lane] = L::load(&[x, y, vx, vy, radius, 0.0, under_way, rest]);
                }
            }
            let [x, y, vx, vy, radius, yields, under_way, _] = L::transpose(rows);
            let mut planes = HalfPlanes::between(&own.disc, [x, y, vx, vy, radius, yields], self.rates);
            let is_there = L::first(count);
            planes.is_some = planes.is_some.and(is_there);
            self.program.push(&planes, under_way, ids);
            let mut left = planes.is_undirected.and(is_there).bits();
            while left != 0 {
                let lane = left.trailing_zeros() as usize;
                left &= left - 1;
                let row = self.discs.row(slots[lane]);
                if let Some(half_plane) =
                    HalfPlane::by_ids(&own.disc, ids[lane], [row[4], row[5]], self.rates)
                {
                    self.program.set(chunk * LANES + lane, half_plane);
                }
            }
        }
    }
}
