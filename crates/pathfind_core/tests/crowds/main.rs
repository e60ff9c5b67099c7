//! Crowds that avoid each other, tick by tick.

// The simulated world.
mod world;

// The scenes.
mod doors;
mod meetings;
mod streams;
