//! What the examples share: colours, and what differs between Bevy versions.

use bevy::color::Color;

pub mod bevy_version;

/// The background: beyond the map, and inside walls.
pub const VOID: Color = Color::srgb_u8(0x0d, 0x11, 0x17);
/// Walkable terrain.
pub const GROUND: Color = Color::srgb_u8(0x32, 0x3d, 0x4b);
/// The visible edge of a wall.
pub const WALL: Color = Color::srgb_u8(0x6b, 0x7c, 0x92);
/// Agents that the user commands.
pub const FRIEND: Color = Color::srgb_u8(0x58, 0xd6, 0xc4);
/// Pursuers.
pub const HUNTER: Color = Color::srgb_u8(0xff, 0x6f, 0x61);
/// Agents that are pursued.
pub const PREY: Color = Color::srgb_u8(0xff, 0xd1, 0x66);
