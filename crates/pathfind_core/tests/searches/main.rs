//! Searches against slow and simple references.

mod common;

mod any_angle;
mod field;
mod oracle;
mod sizes;
mod tutorial;
