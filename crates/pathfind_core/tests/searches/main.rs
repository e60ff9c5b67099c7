//! Searches against slow and simple references.

mod common;

mod field;
mod oracle;
mod sizes;
mod tutorial;
