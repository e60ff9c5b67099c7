//! The rules of tutorials and textbooks as plain scalar code, to be read and compared with the fast and robust ones.
//!
//! | rule | source | the one to use |
//! |---|---|---|
//! | [`Ray`] | Unity tutorials (`AvoidingObstacles`) | [`Sweep`](super::avoid::Sweep) |
//! | [`closing_time`](fn@closing_time) | D. Bourg & G. Seemann, *AI for Game Developers* (2004), and most tutorials | [`intercept_time`](super::pursue::intercept_time) |
//! | [`tutorial_flock`] | Unity's `Seagull` script | [`FlockModel::Robust`](super::flock::FlockModel::Robust) |
//! | [`reynolds_flock`] | OpenSteer's boids | [`FlockModel::Robust`](super::flock::FlockModel::Robust) |
//!
//! All are reached by settings, too: [`PursuitMode::ClosingTime`](super::pursue::PursuitMode::ClosingTime), and the
//! [`FlockModel`](super::flock::FlockModel) of a flock's settings. [`flock`](super::flock) has the flock models'
//! formulas.

mod closing_time;
mod flock;
mod ray;

pub use closing_time::closing_time;
pub use flock::{reynolds_flock, tutorial_flock};
pub(super) use flock::{reynolds_of_weighted, tutorial_noise, tutorial_of_weighted};
pub use ray::Ray;
