//! Reciprocal avoidance between bodies.
