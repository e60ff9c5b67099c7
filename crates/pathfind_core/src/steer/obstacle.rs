//! Obstacles and probes.
