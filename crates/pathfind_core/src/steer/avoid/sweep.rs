//! Avoidance by sweeping the body's own width ahead: the rule to use.

use glam::Vec3;

use super::{Avoidance, AvoidanceInput};
use crate::steer::obstacle::{Cast, Hit, LayerMask, ObstacleProbe};
use crate::steer::wide::size;

/// Sweeps the body's own width ahead. If an obstacle is hit, takes the smallest turn that leads past it, keeps to
/// that side for a while, and brakes if the body could not stop in time otherwise.
///
/// ```text
///            ╭───╮
///  ●─────────┤ █ │   1. the direct path is swept: it is blocked
///   ╲        ╰───╯   2. directions turned ever further to both sides are swept
///    ╲____________   3. the first free one gives the side, which is kept for `side_hold_time` seconds
/// ```
///
/// The look-ahead is max(radius, speed · reaction_time + braking distance), but not beyond the goal. The nearer
/// the obstacle, the more the velocity turns from the desired direction to the free one.
///
/// In a plane there are two sides, in space four: towards the goal, the present velocity and the surface's normal
/// taken together, opposite to that, and square to both. A body enclosed on all of them takes the direction with
/// the most free length and brakes before its end. A body that would hit something on its present course before it
/// has turned only brakes.
///
/// It gets round obstacles about as large as its look-ahead. It finds no way out of a deep dead end; that takes a
/// path.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Sweep {
    /// Time that the look-ahead adds to the braking distance. Unit: seconds. Range: 0 and up; above 0.3 it avoids
    /// narrow gaps. Default: `0.2`.
    pub reaction_time: f32,
    /// Deceleration of the body when it brakes; half of its acceleration works well, as it turns at the same time.
    /// Unit: lengths/s². Range: 0.001 and up; less counts as 0.001. Default: `10.0`.
    pub braking: f32,
    /// How early it turns fully to the free direction: at 1 only at contact, at 2 from half of the look-ahead on.
    /// Range: 0 and up. Default: `4.0`.
    pub force: f32,
    /// Clearance to obstacles, as a part of its radius. Range: 0 and up. Default: `0.1`.
    pub margin: f32,
    /// Time that it keeps to a side. Unit: seconds. Range: 0 and up; 0.3 to 0.5 works well. Default: `0.4`.
    pub side_hold_time: f32,
    /// The layers that it avoids. Default: all.
    pub mask: LayerMask,
    /// The number of the obstacles that it does not avoid: those of the body itself. Default: `None`.
    pub except: Option<u64>,
}

impl Default for Sweep {
    fn default() -> Self {
        Self {
            reaction_time: 0.2,
            braking: 10.0,
            force: 4.0,
            margin: 0.1,
            side_hold_time: 0.4,
            mask: LayerMask::ALL,
            except: None,
        }
    }
}

/// The state of [`Sweep`] for one body, from tick to tick.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AvoidState {
    /// The side on which it passes, square to its direction; zero if none. Length 1 or 0.
    pub side: Vec3,
    /// Time left for which it keeps to that side. Unit: seconds. Range: 0 and up. Default: `0.0`.
    pub left: f32,
}

/// A direction past the obstacle, and its free length.
#[derive(Copy, Clone, Debug)]
struct Maneuver {
    direction: Vec3,
    side: Vec3,
    /// Turn from the desired direction, as an index of [`TURNS`].
    turn: usize,
    free: f32,
    is_clear: bool,
    /// Cosine of its angle to the desired direction. Range: -1 to 1.
    cosine: f32,
}

/// Cosine and sine of the turns that are tried, each 11.25° further than the one before.
const TURNS: [(f32, f32); 12] = [
    (0.980_785_25, 0.195_090_32),
    (0.923_879_5, 0.382_683_43),
    (0.831_469_6, 0.555_570_24),
    (0.707_106_77, 0.707_106_77),
    (0.555_570_24, 0.831_469_6),
    (0.382_683_43, 0.923_879_5),
    (0.195_090_32, 0.980_785_25),
    (0.0, 1.0),
    (-0.195_090_32, 0.980_785_25),
    (-0.382_683_43, 0.923_879_5),
    (-0.555_570_24, 0.831_469_6),
    (-0.707_106_77, 0.707_106_77),
];

// The next three were measured in the dense field of the table in [`avoid`](super), where 99.7 % arrive, after 9.0 s.

/// How often the interval between a blocked and a clear turn is halved: to within 1.4°. Measured at 1 and 6: 99.7 % and
/// 99.5 % arrive.
const HALVINGS: usize = 3;

/// Factor on the look-ahead when it chooses a side. Measured at 1 and 4: 99.7 % arrive, after 8.9 s and 9.2 s.
const FORESIGHT: f32 = 2.0;

/// How many steps of [`TURNS`] another side must be better by to replace the kept side. Measured at 1 and 6:
/// 99.8 % and 100 % arrive, after 9.1 s and 9.0 s.
const HYSTERESIS: usize = 3;

impl Sweep {
    /// How far a body looks ahead at a speed, in units of length.
    #[must_use]
    pub fn look_ahead(&self, radius: f32, speed: f32) -> f32 {
        let far = speed * size(self.reaction_time) + self.braking_distance(speed);
        far.max(radius).min(1e6)
    }

    /// The velocity that a body should take instead of the desired one, for a tick of `dt` seconds.
    ///
    /// If a number of the body or of the desired velocity is NaN or beyond ±10¹⁸, the velocity is zero, and nothing
    /// is probed.
    #[must_use]
    pub fn steer(
        &self,
        input: AvoidanceInput,
        state: &mut AvoidState,
        dt: f32,
        probe: &(impl ObstacleProbe + ?Sized),
    ) -> Avoidance {
        let Some(input) = input.checked() else {
            *state = AvoidState::default();
            return Avoidance::none(Vec3::ZERO);
        };
        state.left = size(state.left - size(dt));
        let Some(ahead) = input.desired.try_normalize() else {
            return Avoidance::none(input.desired);
        };
        let wanted = input.desired.length();
        let speed = wanted.max(input.body.velocity.length());
        let radius = input.body.radius * (1.0 + size(self.margin));
        let to_goal = input.goal.map_or(f32::INFINITY, |goal| goal.distance(input.body.position));
        let look = self.look_ahead(input.body.radius, speed).min(to_goal);
        let mut avoidance = Avoidance::none(Vec3::ZERO);
        // No cast reaches farther.
        let reach = FORESIGHT * look + radius;
        probe.within(input.body.position, reach, self.mask, &mut |probe| {
            let sweeper = Sweeper { sweep: self, input, radius, speed, look, to_goal, dt: size(dt), probe };
            avoidance = self.steer_by(&sweeper, ahead, wanted, state);
        });
        avoidance
    }

    /// The same for a body that wants to move along `ahead` at the speed `wanted`.
    fn steer_by(&self, sweeper: &Sweeper, ahead: Vec3, wanted: f32, state: &mut AvoidState) -> Avoidance {
        let look = sweeper.look;
        let (cast, hit) = sweeper.along(ahead, look);
        let Some(first) = hit else {
            if state.left == 0.0 {
                state.side = Vec3::ZERO;
            }
            let velocity = sweeper.in_time(ahead * wanted);
            return Avoidance { velocity, probed: Some(cast), hit: None };
        };
        let maneuver = self.choose(sweeper, ahead, first, state);
        let nearness = 1.0 - first.distance / look.max(f32::MIN_POSITIVE);
        let aside = if maneuver.is_clear { (size(self.force) * nearness).clamp(0.0, 1.0) } else { 1.0 };
        let direction = ahead.lerp(maneuver.direction, aside).try_normalize().unwrap_or(maneuver.direction);
        let allowed =
            if maneuver.is_clear { wanted } else { wanted.min(self.stoppable_within(maneuver.free)) };
        let velocity = sweeper.in_time(direction * allowed);
        Avoidance { velocity, probed: Some(cast), hit: Some(first) }
    }

    /// The direction past the obstacle ahead: on the side chosen lately, else on the best side.
    fn choose(&self, sweeper: &Sweeper, ahead: Vec3, first: Hit, state: &mut AvoidState) -> Maneuver {
        let look = sweeper.look;
        let kept = sweeper.kept_side(ahead, state.side).map(|side| sweeper.past(ahead, side, look));
        if let Some(maneuver) = kept
            && maneuver.is_clear
            && state.left > 0.0
        {
            state.side = maneuver.side;
            return maneuver;
        }
        let sides = sweeper.sides(ahead, first.normal);
        let best_within = |look: f32| {
            let maneuvers = sides.into_iter().flatten().map(|side| sweeper.past(ahead, side, look));
            maneuvers.reduce(|a, b| if b.is_better_than(&a) { b } else { a }).expect("there are sides")
        };
        // A longer look-ahead shows better which side is shorter.
        let mut best = sweeper.past(ahead, best_within((look * FORESIGHT).min(sweeper.to_goal)).side, look);
        if !best.is_clear {
            best = best_within(look);
        }
        if let Some(kept) = kept
            && kept.is_clear
            && best.turn + HYSTERESIS > kept.turn
        {
            best = kept;
        }
        *state = AvoidState { side: best.side, left: size(self.side_hold_time) };
        best
    }

    fn braking_distance(&self, speed: f32) -> f32 {
        speed * speed / (2.0 * size(self.braking).max(1e-3))
    }

    /// The speed from which a body can stop within a distance.
    fn stoppable_within(&self, distance: f32) -> f32 {
        (2.0 * size(self.braking).max(1e-3) * distance).sqrt()
    }
}

impl Maneuver {
    fn is_better_than(&self, other: &Self) -> bool {
        match (self.is_clear, other.is_clear) {
            (true, true) => self.cosine > other.cosine,
            (false, false) => self.score() > other.score(),
            (clear, _) => clear,
        }
    }

    /// The value of a blocked direction: its free length, weighted by how well it leads on.
    fn score(&self) -> f32 {
        self.free * (1.5 + self.cosine)
    }
}

/// Sweeps directions for one body in one tick.
struct Sweeper<'a> {
    sweep: &'a Sweep,
    input: AvoidanceInput,
    /// Its radius plus the clearance.
    radius: f32,
    speed: f32,
    /// The look-ahead.
    look: f32,
    to_goal: f32,
    dt: f32,
    probe: &'a dyn ObstacleProbe,
}

impl Sweeper<'_> {
    fn along(&self, direction: Vec3, max: f32) -> (Cast, Option<Hit>) {
        self.cast(direction, self.radius, max, self.speed)
    }

    fn cast(&self, direction: Vec3, radius: f32, max: f32, speed: f32) -> (Cast, Option<Hit>) {
        let Sweep { mask, except, .. } = *self.sweep;
        let origin = self.input.body.position;
        let cast = Cast { origin, direction, radius, max, speed, mask, except };
        (cast, self.probe.sweep(&cast))
    }

    /// The first free direction on one side; if there is none, the best blocked one.
    fn past(&self, ahead: Vec3, side: Vec3, look: f32) -> Maneuver {
        let maneuver = |direction: Vec3, turn: usize| {
            let hit = self.along(direction, look).1;
            let (free, cosine) = (hit.map_or(look, |hit| hit.distance), direction.dot(ahead));
            Maneuver { direction, side, turn, free, is_clear: hit.is_none(), cosine }
        };
        let (mut best, mut blocked): (Option<Maneuver>, Vec3) = (None, ahead);
        for (turn, &(cos, sin)) in TURNS.iter().enumerate() {
            let tried = maneuver(ahead * cos + side * sin, turn);
            if tried.is_clear {
                return Self::narrowed(blocked, tried, maneuver);
            }
            blocked = tried.direction;
            if best.is_none_or(|best| tried.is_better_than(&best)) {
                best = Some(tried);
            }
        }
        best.expect("there are turns")
    }

    /// A clear direction between a blocked and a clear one, which turns less.
    fn narrowed(
        mut blocked: Vec3,
        mut clear: Maneuver,
        maneuver: impl Fn(Vec3, usize) -> Maneuver,
    ) -> Maneuver {
        for _ in 0..HALVINGS {
            let between = maneuver((blocked + clear.direction).normalize_or(clear.direction), clear.turn);
            if between.is_clear {
                clear = between;
            } else {
                blocked = between.direction;
            }
        }
        clear
    }

    /// The kept side, made square to the present direction.
    fn kept_side(&self, ahead: Vec3, side: Vec3) -> Option<Vec3> {
        match self.input.plane {
            Some(plane) => {
                let left = plane.up().cross(ahead);
                let on_left = side.dot(left);
                // False for NaN, too.
                (on_left.abs() > 0.0).then(|| left * on_left.signum())
            }
            None => (side - ahead * side.dot(ahead)).try_normalize(),
        }
    }

    /// The sides to choose from, the most promising first.
    fn sides(&self, ahead: Vec3, normal: Vec3) -> [Option<Vec3>; 4] {
        let to_goal = self.input.goal.map_or(Vec3::ZERO, |goal| goal - self.input.body.position);
        let hint = normal + to_goal.normalize_or_zero() + self.input.body.velocity.normalize_or_zero();
        match self.input.plane {
            Some(plane) => {
                let left = plane.up().cross(ahead);
                let first = if hint.dot(left) < 0.0 { -left } else { left };
                [Some(first), Some(-first), None, None]
            }
            None => {
                let across = (hint - ahead * hint.dot(ahead)).try_normalize();
                let first = across.unwrap_or_else(|| ahead.any_orthonormal_vector());
                let second = ahead.cross(first);
                [Some(first), Some(second), Some(-second), Some(-first)]
            }
        }
    }

    /// `wanted`, unless the body would hit something on its present course before it has turned: then its velocity
    /// without the component towards that obstacle.
    fn in_time(&self, wanted: Vec3) -> Vec3 {
        let body = self.input.body;
        let speed = body.velocity.length();
        let Some(direction) = body.velocity.try_normalize() else { return wanted };
        let max = self.sweep.look_ahead(body.radius, speed).min(self.to_goal);
        let Some(hit) = self.cast(direction, body.radius, max, speed).1 else { return wanted };
        let closing = -body.velocity.dot(hit.normal);
        // One tick passes before it begins to brake.
        if closing <= self.sweep.stoppable_within((hit.distance - speed * self.dt).max(0.0)) {
            return wanted;
        }
        (body.velocity + hit.normal * closing).clamp_length_max(self.speed)
    }
}

#[cfg(test)]
mod tests;
