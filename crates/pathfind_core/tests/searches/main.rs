//! Searches compared with slow and simple references.

mod common;

mod any_angle;
mod costs;
mod field;
mod large;
mod limits;
mod many_to_one;
mod maps;
mod oracle;
mod property;
mod saved;
mod sight;
mod sizes;
mod straight;
mod tutorial;
