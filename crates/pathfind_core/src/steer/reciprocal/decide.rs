//! One body's decision.

use std::ops::Range;

use glam::{Vec2, Vec3};

use super::disc::Disc;
use super::discs::Discs;
use super::half_plane::{HalfPlane, HalfPlanes, Rates};
use super::linear_program::LinearProgram;
use super::nearest::Nearest;
use super::ranked::{Key, Ranked};
use super::walls::{self, Walls};
use super::{AgentPreference, ReciprocalSettings};
use crate::simd::{LANES, SimdF32x8, Table};
use crate::steer::{CounterRng, MovementPlane};

/// The shortest time that anything is divided by, in seconds.
const SHORTEST: f32 = 1e-3;

/// Held up by those who go, a body that gets on at less than this part of what it prefers looks for a way round.
const SLOWED: f32 = 0.9;

/// The same, held up by those who stand.
const STUCK: f32 = 0.03;

/// How much faster than it is a body that settles presses on against others, in parts of its top speed: those who
/// stand there would be pushed about for ever.
const PRESS: f32 = 0.05;

/// Another holds it up, if its velocity is this near to what the other leaves, in parts of its preferred speed.
const HELD: f32 = 0.1;

/// How near two may come, as a part of both radii: so near that nothing is made of it yet where they are kept out of
/// one another ([`BodyContact`](crate::steer::contact::bodies::BodyContact)). Else two that just fit past each other
/// would stand shoulder to shoulder, as rounding has it.
const SLACK: f32 = 0.995;

/// The greatest speed that is told from a greater one: squares of it are numbers still.
const FASTEST: f32 = 1e9;

/// The memory in which one body after another decides; made once, it allocates nothing.
pub(super) struct Decision<'a> {
    flat: &'a MovementPlane,
    walls: &'a dyn Walls,
    discs: &'a Discs,
    table: Table<'a, 5>,
    settings: ReciprocalSettings,
    rates: Rates,
    dt: f32,
    nearest: Nearest,
    near_walls: Ranked<HalfPlane, { walls::MAX_WALLS }>,
    program: LinearProgram,
}

/// What a body would do if it were alone.
#[derive(Copy, Clone, Debug)]
pub(super) struct Wish {
    preferred: Vec2,
    /// Zero, if it may not move or a number is none.
    max_speed: f32,
    ignores: Option<u64>,
    /// Whether it told how far it has yet to go.
    has_end: bool,
}

impl Wish {
    pub(super) fn of(flat: &MovementPlane, preference: &AgentPreference) -> Self {
        let AgentPreference { max_speed, ignores, .. } = *preference;
        let has_end = preference.remaining.is_some();
        let preferred = flat.project(preference.preferred);
        if max_speed > 0.0 && max_speed < f32::MAX && preferred.is_finite() {
            let max_speed = max_speed.min(FASTEST);
            Self { preferred: preferred.clamp_length_max(max_speed), max_speed, ignores, has_end }
        } else {
            Self { preferred: Vec2::ZERO, max_speed: 0.0, ignores, has_end }
        }
    }
}

/// A body that decides.
#[derive(Copy, Clone, Debug)]
pub(super) struct Decider {
    pub(super) disc: Disc,
    pub(super) preferred: Vec2,
    pub(super) max_speed: f32,
    ignores: Option<u64>,
    has_end: bool,
}

impl Decider {
    /// `None` if it cannot move: a number is none, or it may not.
    #[inline]
    pub(super) fn of(disc: Disc, wish: &Wish) -> Option<Self> {
        let Wish { preferred, max_speed, ignores, has_end } = *wish;
        (max_speed > 0.0 && !disc.at.is_nan()).then_some(Self {
            disc,
            preferred,
            max_speed,
            ignores,
            has_end,
        })
    }

    /// What it prefers where others are in its way; one that settles presses on but gently.
    #[inline(always)]
    fn patient(&self) -> Vec2 {
        if !self.has_end || self.disc.goes >= 1.0 {
            return self.preferred;
        }
        let way = self.preferred.normalize_or_zero();
        self.preferred.clamp_length_max(self.disc.velocity.dot(way).max(0.0) + PRESS * self.max_speed)
    }
}

impl<'a> Decision<'a> {
    pub(super) fn new(
        settings: &ReciprocalSettings,
        flat: &'a MovementPlane,
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
            flat,
            walls,
            discs,
            table: discs.table(),
            rates: Rates { horizon: settings.time_horizon.recip(), step: dt.recip(), room: SLACK },
            dt,
            nearest: Nearest::new(settings.max_neighbors as usize),
            near_walls: Ranked::new(walls::MAX_WALLS),
            program: LinearProgram::new(),
            settings,
        }
    }

    /// How far away someone may be for `own` to care, if nobody is faster or wider than this; below 0 if it does
    /// not care.
    #[inline]
    pub(super) fn reach(&self, own: &Decider, fastest: f32, widest: f32) -> f32 {
        let met = (fastest + own.max_speed) * self.settings.time_horizon + (widest + own.disc.radius);
        if self.has_regard(own) { met.min(self.settings.range) } else { -1.0 }
    }

    fn has_regard(&self, own: &Decider) -> bool {
        own.disc.yields > 0.0 && self.settings.max_neighbors > 0
    }

    /// The best velocity for a body among all others.
    #[inline(always)]
    pub(super) fn decide_among_all<L: SimdF32x8>(&mut self, own: &Decider) -> Vec3 {
        let all = 0..self.discs.len() as u32;
        self.decide::<L>(own, std::slice::from_ref(&all), usize::MAX)
    }

    /// The best velocity for one body among those at some slots, itself at one that does not count.
    #[inline(always)]
    pub(super) fn decide<L: SimdF32x8>(&mut self, own: &Decider, slots: &[Range<u32>], skip: usize) -> Vec3 {
        let has_regard = self.has_regard(own);
        self.nearest.begin(self.settings.range, own.ignores);
        for slots in slots.iter().filter(|_| has_regard) {
            let slots = slots.start as usize..slots.end as usize;
            let horizon = self.settings.time_horizon;
            self.nearest.note::<L>(own, horizon, (self.discs, &self.table), slots, skip);
        }
        self.program.clear();
        self.lay_walls(own);
        self.lay_others::<L>(own);
        self.flat.lift(self.choose::<L>(own))
    }

    /// The best velocity; for one that is in another's way, the best for what it makes of its wish.
    #[inline(always)]
    fn choose<L: SimdF32x8>(&mut self, own: &Decider) -> Vec2 {
        let violation = self.program.violation::<L>(own.preferred);
        let is_free = violation <= 0.0;
        if is_free && !self.program.has_walls() {
            return own.preferred;
        }
        let preferred = if is_free { own.preferred } else { own.patient() };
        let (speed, right, side_bias) = (preferred.length(), -preferred.perp(), self.settings.side_bias);
        let leans = !is_free && speed > 0.0 && side_bias != 0.0;
        // The more it is in the way, the further it leans.
        let mut wish =
            if leans { preferred + right * (side_bias * (violation / speed).min(1.0)) } else { preferred };
        let mut is_last = !leans;
        loop {
            let velocity = self.program.solve::<L>(wish, own.max_speed);
            let velocity =
                if velocity.is_finite() { velocity.clamp_length_max(own.max_speed) } else { Vec2::ZERO };
            let progress = velocity.dot(preferred) / (speed * speed);
            if is_last || progress >= SLOWED {
                return velocity;
            }
            // Held by walls alone it does not go round.
            let (by_goers, by_standers) = self.program.held::<L>(velocity, HELD * speed);
            let stuck = (SLOWED * own.disc.goes * by_goers * (1.0 - by_standers)).max(STUCK);
            if progress >= stuck {
                return velocity;
            }
            // Hemmed in on both sides a small lean changes nothing: it goes round, some further than others, lest a
            // ring of them stands for ever. Those who also go make room, so that it need not wait until it hardly
            // gets on.
            let round = by_goers.max(by_standers) * (1.0 - progress.max(0.0) / stuck);
            let back = round * (0.5 + 0.7 * CounterRng::new(0, own.disc.id, 0).unit());
            let way = preferred * (1.0 - back) + right * (round * side_bias.signum());
            wish = way.normalize_or_zero() * speed;
            is_last = true;
        }
    }

    #[inline(always)]
    fn lay_walls(&mut self, own: &Decider) {
        self.near_walls.clear();
        let Self { flat, walls, settings, dt, near_walls, .. } = self;
        let Decider { disc, max_speed, .. } = own;
        let center = flat.lift(disc.at) + flat.up() * disc.height;
        let reach = disc.radius + max_speed * settings.wall_horizon;
        walls.near(center, reach, &mut |wall| {
            let nearest = wall.nearest(flat, disc.at);
            let distance = nearest.distance(disc.at);
            if distance > reach {
                return;
            }
            if let Some(plane) = HalfPlane::wall(disc, nearest, settings.wall_horizon, *dt, *max_speed) {
                near_walls.insert(Key::new(distance, 0), plane);
            }
        });
        for plane in self.near_walls.iter() {
            self.program.push_wall(*plane, *max_speed);
        }
    }

    #[inline(always)]
    fn lay_others<L: SimdF32x8>(&mut self, own: &Decider) {
        self.nearest.end::<L>(self.discs);
        for (chunk, (count, slots)) in self.nearest.slots().enumerate() {
            let mut rows = [L::splat(0.0); LANES];
            let mut ids = [0; LANES];
            for lane in 0..LANES {
                rows[lane] = L::load(self.discs.row(slots[lane]));
                ids[lane] = self.discs.id(slots[lane]);
            }
            let [x, y, vx, vy, radius, yields, goes, _] = L::transpose(rows);
            let mut planes = HalfPlanes::between(&own.disc, [x, y, vx, vy, radius, yields], self.rates);
            let is_there = L::first(count);
            planes.is_some = planes.is_some.and(is_there);
            self.program.push(&planes, goes, ids);
            let mut is_any = planes.is_any.and(is_there).bits();
            while is_any != 0 {
                let lane = is_any.trailing_zeros() as usize;
                is_any &= is_any - 1;
                let row = self.discs.row(slots[lane]);
                if let Some(plane) = HalfPlane::out_of(&own.disc, ids[lane], [row[4], row[5]], self.rates) {
                    self.program.set(chunk * LANES + lane, plane);
                }
            }
        }
    }
}
