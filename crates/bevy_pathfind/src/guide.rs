//! The guide: how to build a game's movement with this crate, topic by topic.
//!
//! | you want to | read |
//! |---|---|
//! | put a map into the world, and change it | [`world`] |
//! | make grids of a level's geometry | [`levels`] |
//! | use several grids: floors over one another, grids that touch, endless worlds in chunks | [`floors`] |
//! | send an agent somewhere, and learn what came of it | [`requests`] |
//! | make agents chase, avoid and flock, and see why an agent turns | [`steering`] |
//! | move many agents in formation, or as they stand | [`groups`] |
//! | steer agents by rules of your own | [`own_behaviour`] |
//! | check that a tower leaves a path open, and find the nearest target by path | [`tower_defence`] |
//! | break walls and doors, give out jobs, keep a place free | [`recipes`] |
//! | make paths mind danger, crowds, fences and one-way edges | [`known_ground`] |
//! | pause the game, or some stages of it | [`pausing`] |
//! | save and load a game | [`saving`] |
//! | keep settings in files, and tune them while the game runs | [`presets`] |
//! | set up agents in an inspector, a scene file or Blender | [`editors`] |
//! | leave movement to a physics engine | [`physics`] |
//! | get the same run twice, for replays or over a network | [`determinism`] |
//! | find out what went wrong | [`troubleshooting`] |
//! | find the names here of what you know from another library | [`coming_from`] |
//! | know how fast it is | [`benchmarks`] |
//!
//! The code of each page is compiled with the crate's tests. Details of a type or a setting are in its own
//! documentation, not here.

/// What the pages link to.
mod links {
    pub(super) use crate::{
        agent::*, motion::*, order::*, prelude::*, show::*, solve::*, steer::*, world::*,
    };
}

pub mod world;

pub mod levels;

pub mod floors;

pub mod requests;

pub mod steering;

pub mod groups;

pub mod own_behaviour;

pub mod tower_defence;

pub mod recipes;

pub mod known_ground;

pub mod pausing;

pub mod saving;

pub mod presets;

pub mod editors;

pub mod physics;

pub mod determinism;

pub mod troubleshooting;

pub mod coming_from;

pub mod benchmarks;
