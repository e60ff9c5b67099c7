//! How a request stands, as a component.

use bevy::prelude::*;

use super::PathError;

/// How an entity's request stands.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq)]
#[reflect(Component, Default, Debug, PartialEq)]
pub enum PathStatus {
    /// Nothing is asked for.
    #[default]
    Idle,
    /// In line: nothing is being searched for it yet. An older path, if there is one, is walked meanwhile. A request
    /// for a grid that is disabled waits until the grid is enabled again.
    Waiting,
    /// Its search has begun, and is not done.
    Searching,
    /// A path is in place and is being walked.
    Following,
    /// At the end of the path, perhaps still braking; for a partial path, as near as one can get.
    Arrived,
    /// There is no path.
    Failed(PathError),
}
