//! Steering compared with slow and simple references, and properties that hold for any input.

mod common;

mod arrival;
mod finite;
mod intercept;
mod rates;
mod reciprocal;
mod rotation;
