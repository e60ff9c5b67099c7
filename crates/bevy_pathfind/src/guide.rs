//! The guide: how to build a game's movement with this crate, topic by topic.
//!
//! | you want to | read |
//! |---|---|
//! | put a map into the world, and change it | [`world`] |
//! | send someone somewhere, and hear how it went | [`requests`] |
//! | chase, avoid, flock, and see why somebody turns | [`steering`] |
//! | keep settings in files, and tune them while the game runs | [`presets`] |
//! | leave movement to a physics engine | [`physics`] |
//! | have the same run twice, for replays or over a network | [`determinism`] |
//! | know what went wrong | [`troubleshooting`] |
//! | carry over what you know of another library | [`coming_from`] |
//! | know how fast it is | [`benchmarks`] |
//!
//! The code of each page is compiled with the crate's tests. What is not here stands with the item that it
//! is about.

pub mod world;

pub mod requests;

pub mod steering;

pub mod presets;

pub mod physics;

pub mod determinism;

pub mod troubleshooting;

pub mod coming_from;

pub mod benchmarks;
