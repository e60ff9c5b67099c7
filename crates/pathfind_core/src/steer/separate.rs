//! Separation.
