//! Searches compared with slow and simple references.

mod common;

mod any_angle;
mod areas;
mod best_cells;
mod chokepoints;
mod costs;
mod distance_field;
mod edge_rules;
mod fences;
mod graph;
mod hierarchical;
mod large;
mod limits;
mod line_of_sight;
mod many_to_one;
mod maps;
mod oracle;
mod property;
mod reach;
#[cfg(feature = "serde")]
mod serialization;
mod sizes;
mod straightening;
mod tutorial;
mod vehicle;
