//! Steering against slow and simple references, and what holds for any input.

mod common;

mod arrival;
mod crowd;
mod finite;
mod intercept;
mod rates;
mod rotation;
