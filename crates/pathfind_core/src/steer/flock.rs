//! Flocking.
