//! What the behaviours of an agent would like to do this tick.

use bevy::prelude::*;

/// The velocities that an agent's behaviours wish for, in world units per second; `None` has no opinion.
/// Emptied each tick.
#[derive(Component, Debug, Default)]
pub(crate) struct Wish {
    /// Along its path.
    pub(crate) follow: Option<Vec3>,
    /// After its target.
    pub(crate) pursue: Option<Vec3>,
    /// With its flock.
    pub(crate) flock: Option<Vec3>,
    /// As the user says.
    pub(crate) drive: Option<Vec3>,
}

impl Wish {
    /// The wish that counts: the user's, then the chase, then the path, then the flock. Empties all.
    pub(super) fn take(&mut self) -> Vec3 {
        let Self { follow, pursue, flock, drive } = core::mem::take(self);
        drive.or(pursue).or(follow).or(flock).unwrap_or(Vec3::ZERO)
    }
}
