//! Attributes of reflected fields: what the documentation of a field says to people, these say to the panel.

use bevy::reflect::Reflect;

/// The unit of a number, which the panel and preset files show: `#[reflect(@MeasuredIn("world units per second"))]`. The
/// sliders of lengths and speeds in world units are as long as the cells are wide.
#[derive(Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[type_path = "bevy_pathfind"]
pub struct MeasuredIn(pub &'static str);

/// The meaning of 0, a word that the panel shows instead of the number.
#[derive(Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[type_path = "bevy_pathfind"]
pub struct ZeroMeans(pub &'static str);

/// A `u32` is a set of layers, one bit each: the panel has a switch for each.
#[derive(Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[type_path = "bevy_pathfind"]
pub struct LayerBits;

/// A vector is a point of the world; the panel draws it as a cross, and other vectors of a read-out as arrows.
#[derive(Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[type_path = "bevy_pathfind"]
pub struct WorldPoint;

/// The heading that the panel shows above the field and those that follow.
#[derive(Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[type_path = "bevy_pathfind"]
pub struct Heading(pub &'static str);
