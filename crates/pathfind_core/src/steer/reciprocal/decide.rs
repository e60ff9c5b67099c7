//! One body's decision.

use glam::{Vec2, Vec3};

use super::disc::Disc;
use super::half_plane::HalfPlane;
use super::programme::Programme;
use super::ranked::{Key, Ranked};
use super::walls::{self, Walls};
use super::{Intent, ReciprocalSettings};
use crate::steer::{Body, Chance, Flat};

/// The shortest time that anything is divided by, in seconds.
const SHORTEST: f32 = 1e-3;

/// A body that gets on at less than this part of what it prefers looks for a way round.
const STUCK: f32 = 0.03;

/// Another holds it up, if its velocity is this near to what the other leaves, in parts of its preferred speed.
const HELD: f32 = 0.1;

/// The memory in which one body after another decides; made once, it allocates nothing. Others are remembered as
/// a `T` each.
pub(super) struct Decision<'a, T> {
    flat: &'a Flat,
    walls: &'a dyn Walls,
    settings: ReciprocalSettings,
    dt: f32,
    others: Ranked<T, { ReciprocalSettings::MAX_NEIGHBORS as usize }>,
    near_walls: Ranked<HalfPlane, { walls::MOST }>,
    programme: Programme,
}

/// A body that decides.
#[derive(Copy, Clone, Debug)]
pub(super) struct Decider {
    pub(super) disc: Disc,
    pub(super) preferred: Vec2,
    pub(super) max_speed: f32,
    ignores: Option<u64>,
}

impl Decider {
    /// `None` if it cannot move: a number is none, or it may not.
    pub(super) fn of(flat: &Flat, body: &Body, intent: &Intent) -> Option<Self> {
        let disc = Disc::of(flat, body, intent);
        let preferred = flat.project(intent.preferred);
        let can_move = intent.max_speed > 0.0 && intent.max_speed < f32::MAX && preferred.is_finite();
        (can_move && !disc.at.is_nan()).then_some(Self {
            disc,
            preferred: preferred.clamp_length_max(intent.max_speed),
            max_speed: intent.max_speed,
            ignores: intent.ignores,
        })
    }
}

impl<'a, T: Copy + Default> Decision<'a, T> {
    pub(super) fn new(settings: &ReciprocalSettings, flat: &'a Flat, walls: &'a dyn Walls, dt: f32) -> Self {
        let at_least = |seconds: f32| if seconds > SHORTEST { seconds } else { SHORTEST };
        let settings = ReciprocalSettings {
            time_horizon: at_least(settings.time_horizon),
            wall_horizon: at_least(settings.wall_horizon),
            range: settings.range.max(0.0),
            sidestep: if settings.sidestep.is_finite() { settings.sidestep.clamp(-1.0, 1.0) } else { 0.0 },
            ..*settings
        };
        Self {
            flat,
            walls,
            dt: at_least(dt),
            others: Ranked::new(settings.max_neighbors as usize),
            near_walls: Ranked::new(walls::MOST),
            programme: Programme::new(),
            settings,
        }
    }

    /// Forgets the others.
    #[inline]
    pub(super) fn begin(&mut self) {
        self.others.clear();
    }

    /// How far away someone may be for `own` to care, if nobody is faster or wider than this.
    #[inline]
    pub(super) fn reach(&self, own: &Decider, fastest: f32, widest: f32) -> f32 {
        let met = self.settings.time_horizon * (own.max_speed + fastest) + own.disc.radius + widest;
        if own.disc.yields > 0.0 && self.settings.max_neighbors > 0 {
            met.min(self.settings.range)
        } else {
            -1.0
        }
    }

    /// Whether another body counts.
    #[inline]
    pub(super) fn is_near(&self, own: &Decider, other: &Disc) -> bool {
        own.disc.is_near(other, self.settings.range)
    }

    /// Takes note of another body.
    #[inline]
    pub(super) fn meet(&mut self, own: &Decider, other: &Disc, remembered: T) {
        if self.is_near(own, other) && own.ignores != Some(other.id) {
            let distance_squared = own.disc.at.distance_squared(other.at);
            self.others.insert(Key::new(distance_squared, other.id), remembered);
        }
    }

    /// Decides, recalling the others.
    #[inline]
    pub(super) fn end(&mut self, own: &Decider, recall: impl Fn(&T) -> Disc) -> Vec3 {
        self.programme.clear();
        self.lay_walls(own);
        self.lay_others(own, recall);
        self.flat.lift(self.choose(own))
    }

    /// The best velocity; for one that is in another's way, the best for what it makes of its wish.
    fn choose(&mut self, own: &Decider) -> Vec2 {
        let (speed, right) = (own.preferred.length(), -own.preferred.perp());
        let (miss, sidestep) = (self.programme.miss(own.preferred), self.settings.sidestep);
        if !(speed > 0.0 && miss > 0.0) || sidestep == 0.0 {
            return self.best_for(own, own.preferred);
        }
        // The more it is in the way, the further it leans.
        let lean = right * (sidestep * (miss / speed).min(1.0));
        let velocity = self.best_for(own, own.preferred + lean);
        let progress = velocity.dot(own.preferred) / (speed * speed);
        if progress > STUCK {
            return velocity;
        }
        // Hemmed in on both sides a small lean changes nothing: it goes round, some further than others, lest a
        // ring of them stands for ever. Held by walls alone it does not.
        let held = (1.0 + self.programme.miss(velocity) / (HELD * speed)).clamp(0.0, 1.0);
        let round = held * (1.0 - progress.max(0.0) / STUCK);
        let back = round * (0.5 + 0.7 * Chance::new(0, own.disc.id, 0).unit());
        let way = own.preferred * (1.0 - back) + right * (round * sidestep.signum());
        self.best_for(own, way.normalize_or_zero() * speed)
    }

    fn best_for(&mut self, own: &Decider, preferred: Vec2) -> Vec2 {
        let velocity = self.programme.solve(preferred, own.max_speed);
        if velocity.is_finite() { velocity.clamp_length_max(own.max_speed) } else { Vec2::ZERO }
    }

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
            self.programme.push(*plane, *max_speed);
        }
        self.programme.close_walls();
    }

    #[inline]
    fn lay_others(&mut self, own: &Decider, recall: impl Fn(&T) -> Disc) {
        if own.disc.yields <= 0.0 {
            return;
        }
        for other in self.others.iter() {
            let other = &recall(other);
            let share = own.disc.share(other);
            let plane = HalfPlane::between(&own.disc, other, share, self.settings.time_horizon, self.dt);
            if let Some(plane) = plane {
                self.programme.push(plane, own.max_speed);
            }
        }
    }
}
