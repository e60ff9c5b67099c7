//! Searches against slow and simple references.

mod common;

mod any_angle;
mod costs;
mod field;
mod large;
mod maps;
mod oracle;
mod property;
mod sight;
mod sizes;
mod straight;
mod sweep;
mod tutorial;
