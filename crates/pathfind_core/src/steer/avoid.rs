//! Avoidance of what stands ahead.
