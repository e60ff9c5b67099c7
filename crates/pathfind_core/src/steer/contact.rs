//! The hard layer.
