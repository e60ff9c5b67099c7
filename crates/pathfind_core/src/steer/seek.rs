//! Simple behaviours.
