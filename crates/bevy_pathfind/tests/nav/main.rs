//! Tests of the plugin as an application sees it, headless: one binary, one module per topic.

mod bakes;
mod best_cells;
mod breach;
mod disabling;
mod driven;
mod edges;
mod edits;
mod elevation;
mod endings;
mod every_map;
mod failures;
mod fences;
#[cfg(feature = "assets")]
mod files;
mod flee;
mod flow_fields;
#[cfg(all(feature = "assets", feature = "presets"))]
mod goal_queues;
mod hostile;
mod influence;
#[cfg(all(feature = "ldtk", feature = "tiled"))]
mod levels;
mod lifecycle;
mod links;
mod modes;
mod nav_query;
mod obstacles;
mod orders;
mod pausing;
mod pursuit;
mod queue;
mod saving;
mod scenes;
mod seams;
mod soak;
mod support;
mod teleports;
mod walking;
mod wiring;
