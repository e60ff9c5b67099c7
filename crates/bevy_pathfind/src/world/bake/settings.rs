//! The box that is baked.

use bevy::math::Affine3A;
use bevy::prelude::*;
use pathfind_core::bake::{BakeError, BakeSettings};
use serde::{Deserialize, Serialize};

use super::super::GridPlane;
use super::BakedGround;
use super::follow::BakeWork;
use crate::attributes::MeasuredIn;

/// A box round the entity's origin, whose geometry becomes grids: the ground in it is found in the background, and
/// again where a [`BakeSource`](super::BakeSource) moves, appears or goes.
///
/// Each floor is a [`NavGrid`](super::super::NavGrid) on an entity of its own, a child of this one, with heights;
/// [`NavLink`](super::super::NavLink)s, which are children too, join floors where ground goes on, and lead over ledges
/// and gaps if [`max_drop`](Self::max_drop) and [`max_gap`](Self::max_gap) say so. [`GridBaked`](super::GridBaked) is
/// triggered when they are there, and after each rebake; [`BakeFailed`](super::BakeFailed) if something is wrong.
/// [`BakedGround`] tells how far it is.
///
/// The Y axis of the entity is up; lengths are those of its frame. Move it, and its grids move with it: nothing is
/// baked again until sources move or the settings change. Remove the component, or despawn the entity, to cancel a bake
/// and to take the grids away. What [kinds](super::super::AgentKinds) climb has to be at least what the slope and the
/// step make together, in cells; a kind that climbs less finds cliffs.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// # use bevy_pathfind::world::{BakeMesh, BakeSource};
/// fn level(mut commands: Commands) {
///     commands.spawn(NavGridBake::new(Vec3::new(20.0, 4.0, 20.0)).with_cell_size(0.5).with_max_drop(2.0));
///     // With the feature `meshes`, a `Mesh3d` with a `BakeTerrain` is a source too.
///     let ground = BakeMesh::cuboid(Vec3::new(-20.0, -1.0, -20.0), Vec3::new(20.0, 0.0, 20.0));
///     commands.spawn(BakeSource::new(ground));
/// }
/// ```
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[require(Transform, BakedGround, BakeWork)]
pub struct NavGridBake {
    /// Half of the sides of the box. Unit: world units. Range: above 0; at most 2^24 cells. Default: 16, 4 and 16.
    pub half_size: Vec3,
    /// The side of a cell. Unit: world units. Range: above 0. Default: `0.5`.
    #[reflect(@0.05..=10.0_f32, @MeasuredIn("world units"))]
    pub cell_size: f32,
    /// The steepest ground. Unit: radians. Range: 0 to 1.5. Default: 40 degrees.
    #[reflect(@0.0..=1.5_f32, @MeasuredIn("radians"))]
    pub max_slope: f32,
    /// The highest step that agents take. Unit: world units. Range: 0 and up. Default: `0.4`.
    #[reflect(@0.0..=4.0_f32, @MeasuredIn("world units"))]
    pub step: f32,
    /// How much room there has to be above ground. Unit: world units. Range: more than twice the step. Default: `1.8`.
    #[reflect(@0.1..=10.0_f32, @MeasuredIn("world units"))]
    pub head_room: f32,
    /// How far down agents jump from a ledge. Unit: world units. Range: 0, for not at all, and up. Default: `0.0`.
    #[reflect(@0.0..=20.0_f32, @MeasuredIn("world units"))]
    pub max_drop: f32,
    /// Over how wide a gap agents jump, rounded down to cells. Unit: world units. Range: 0, for none, to 16 cells.
    /// Default: `0.0`.
    #[reflect(@0.0..=10.0_f32, @MeasuredIn("world units"))]
    pub max_gap: f32,
    /// Whether it is baked in the tick in which it is due, which then takes that long: for lockstep and replays.
    /// Without the feature `multi_threaded` it takes a frame in any case. Default: `false`.
    pub is_inline: bool,
}

impl Default for NavGridBake {
    fn default() -> Self {
        Self {
            half_size: Vec3::new(16.0, 4.0, 16.0),
            cell_size: 0.5,
            max_slope: 40_f32.to_radians(),
            step: 0.4,
            head_room: 1.8,
            max_drop: 0.0,
            max_gap: 0.0,
            is_inline: false,
        }
    }
}

impl NavGridBake {
    /// A box by half of its sides.
    #[must_use]
    pub fn new(half_size: Vec3) -> Self {
        Self { half_size, ..Self::default() }
    }

    /// The same box with other cells.
    #[must_use]
    pub const fn with_cell_size(mut self, cell_size: f32) -> Self {
        self.cell_size = cell_size;
        self
    }

    /// The same box with ground up to another slope, in radians.
    #[must_use]
    pub const fn with_max_slope(mut self, max_slope: f32) -> Self {
        self.max_slope = max_slope;
        self
    }

    /// The same box for agents that take other steps.
    #[must_use]
    pub const fn with_step(mut self, step: f32) -> Self {
        self.step = step;
        self
    }

    /// The same box for agents of another height.
    #[must_use]
    pub const fn with_head_room(mut self, head_room: f32) -> Self {
        self.head_room = head_room;
        self
    }

    /// The same box for agents that jump down from ledges.
    #[must_use]
    pub const fn with_max_drop(mut self, max_drop: f32) -> Self {
        self.max_drop = max_drop;
        self
    }

    /// The same box for agents that jump over gaps.
    #[must_use]
    pub const fn with_max_gap(mut self, max_gap: f32) -> Self {
        self.max_gap = max_gap;
        self
    }

    /// The same box, baked in the tick in which it is due.
    #[must_use]
    pub const fn with_inline(mut self, is_inline: bool) -> Self {
        self.is_inline = is_inline;
        self
    }

    /// The settings of the core, in cells, with the ground of the box at height 0.
    pub(super) fn in_cells(&self) -> Result<BakeSettings, BakeError> {
        let cells = |length: f32| length / self.cell_size;
        // Not one cell more for rounding.
        let count = |half: f32| (cells(2.0 * half) - 1e-3).ceil() as u32;
        let settings = BakeSettings {
            size: UVec2::new(count(self.half_size.x), count(self.half_size.z)),
            low: 0.0,
            high: cells(2.0 * self.half_size.y),
            max_slope: self.max_slope,
            step: cells(self.step),
            head_room: cells(self.head_room),
            max_drop: cells(self.max_drop),
            max_gap: (cells(self.max_gap) + 1e-3) as u32,
        };
        settings.check().map(|()| settings)
    }

    /// Where cell (0, 0) lies in the frame of the entity.
    pub(super) fn corner(&self) -> Vec3 {
        -self.half_size
    }

    /// The map from the grid space of its grids to the frame of the entity.
    pub(super) fn frame(&self) -> Affine3A {
        Affine3A::from_mat3_translation(GridPlane::Xz.axes() * self.cell_size, self.corner())
    }
}
