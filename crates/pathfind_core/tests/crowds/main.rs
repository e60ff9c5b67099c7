//! Crowds that avoid each other, tick by tick.

// A world that ticks.
mod world;

// What happens in it.
mod doors;
mod meetings;
mod streams;
