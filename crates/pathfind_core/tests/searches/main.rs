//! Searches against slow and simple references.

mod common;

mod any_angle;
mod field;
mod maps;
mod oracle;
mod property;
mod sizes;
mod sweep;
mod tutorial;
