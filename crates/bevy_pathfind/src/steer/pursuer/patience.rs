//! Pursuers whom others keep from their target: they try for a while, and wait.

use bevy::prelude::*;
use pathfind_core::steer::Body;

/// Whether a pursuer waits because others stand between it and its target: of a ring of pursuers round a target, those
/// who cannot get nearer stand still, and try again now and then.
#[derive(Debug, Default)]
pub(super) struct Patience {
    /// Where it was when it last began to try, or to wait, and how far from the target.
    from: Vec3,
    gap: f32,
    /// For how long it has tried since, in seconds.
    tried: f32,
    /// How often it has waited in a row, and for how long it still waits, in seconds.
    waits: u8,
    left: f32,
}

/// How long a pursuer tries, in seconds. If it has then got less than half as far as it could, it waits: twice as long,
/// each time in a row for twice the time before, up to 16 times as long. Not measured.
const TRY: f32 = 0.5;

impl Patience {
    /// Whether a pursuer waits, `gap` from a target. It does not while the target moves, or after it has been moved away
    /// from the target by its radius.
    pub(super) fn waits(&mut self, gap: f32, target: &Body, body: &Body, speed: f32, dt: f32) -> bool {
        if gap > self.gap + body.radius.max(0.0) || target.velocity.length() > 0.1 * speed {
            *self = Self { from: body.position, gap, ..Self::default() };
        } else if self.left > 0.0 {
            self.left -= dt;
            (self.from, self.tried) = (body.position, 0.0);
        } else {
            self.tried += dt;
            if self.tried >= TRY {
                let is_blocked = self.from.distance(body.position) < 0.5 * speed * TRY;
                self.waits = if is_blocked { (self.waits + 1).min(4) } else { 0 };
                self.left = if is_blocked { TRY * f32::from(1_u8 << self.waits) } else { 0.0 };
                (self.from, self.gap, self.tried) = (body.position, gap, 0.0);
            }
        }
        self.left > 0.0
    }
}
