//! Pursuit.
