//! Obstacles. Their avoidance is in [`steer`](crate::steer); those that are carved into a grid are read by
//! [`carving`](super::carving).

use bevy::prelude::*;
use pathfind_core::Terrain;
use pathfind_core::steer::MovementPlane;
use pathfind_core::steer::obstacle::{LayerMask, Obstacles, Shape, ShapeKind};
use serde::{Deserialize, Serialize};

use super::{FoundGrid, GridTransform, NavGrid};
use crate::numbers::by_numbers;
use crate::settings::NavSettings;

/// For how many seconds ahead the index holds the motion of moving obstacles.
const HORIZON: f32 = 4.0;
/// An obstacle that moves farther in a tick than this multiple of its bounding radius counts as teleported.
const TELEPORT_RADII: f32 = 10.0;

/// A ball or a box at the entity's `Transform`, which rotates and scales it: something that moves about among agents, or,
/// [carved](Self::carved), a part of the map.
///
/// **As it is made**, searches ignore it: agents with an [`Avoider`](crate::steer::Avoider) steer round it, and no agent
/// ends a tick inside it. An `Avoider` whose mask shares no layer with the obstacle neither sees nor touches it. The
/// obstacle may move: its velocity is measured from its position one tick before. One that moves farther in a tick
/// than ten times its bounding radius counts as teleported, with no velocity. Move it before
/// [`NavSystems::World`](crate::NavSystems::World) or outside the schedule. An agent may be an obstacle to the others,
/// by itself or by its children: its own obstacles do not hinder it.
///
/// **Carved**, the cells under it have its terrain, whatever terrain they had, and paths lead round it or over it: a
/// cart, a door, a raft that opens water. When it moves on, is changed, or is despawned, the terrain of the cells shows
/// again, with the edits made to it meanwhile. Where several cover one cell, one that is blocked for the default kind
/// of agent wins, else the one that costs this kind most. It stands on the grid that an agent in its place would walk
/// on (see [`OnGrid`](super::OnGrid)), at any height above it. The grid is edited, and agents replan, only when the
/// covered cells or their terrain change. Carve no blocked terrain with an agent: it would block its own path. Passable
/// terrain, such as [`Terrain::weight`]`(4)`, on an agent that stands makes others plan round it where that is cheaper;
/// end it before the agent walks, because every cell that it enters would be an edit of the grid.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// fn park(mut commands: Commands) {
///     commands.spawn((Obstacle::cuboid(Vec3::new(2.0, 1.0, 0.0)).carved(), Transform::from_xyz(8.0, 6.0, 0.0)));
///     commands.spawn((Obstacle::sphere(0.5), Transform::from_xyz(3.0, 6.0, 0.0)));
/// }
/// ```
///
/// A ball is scaled by the middle one of the three scale factors, so that the unused axis of a 2D scale does not
/// matter.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[require(Transform, Trail)]
pub struct Obstacle {
    /// The shape. Default: a ball of radius `0.5`.
    pub shape: ObstacleShape,
    /// The layers that it lies on, one bit each: avoiders whose mask shares none with it neither see nor touch it.
    /// Default: all.
    pub layers: u32,
    /// The terrain of the cells that the projection of the shape onto the grid reaches into; `None` if it is not
    /// carved. Default: `None`.
    pub carved: Option<Terrain>,
}

/// The shape of an obstacle, in the entity's frame: the entity's scale applies.
#[derive(Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[type_path = "bevy_pathfind"]
#[reflect(Default, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ObstacleShape {
    /// A ball; a circle, where the world is flat.
    Sphere {
        /// Its radius, in world units. Range: 0 and up.
        radius: f32,
    },
    /// A box; a rectangle, where the world is flat.
    Cuboid {
        /// Half of its sides, in world units. Range: 0 and up.
        half_size: Vec3,
    },
}

impl Default for ObstacleShape {
    fn default() -> Self {
        Self::Sphere { radius: 0.5 }
    }
}

impl Default for Obstacle {
    fn default() -> Self {
        Self { shape: ObstacleShape::default(), layers: u32::MAX, carved: None }
    }
}

impl Obstacle {
    /// A ball (a circle) of this radius, in world units.
    #[must_use]
    pub fn sphere(radius: f32) -> Self {
        Self { shape: ObstacleShape::Sphere { radius }, ..Self::default() }
    }

    /// A box (a rectangle) by half of its sides, in world units.
    #[must_use]
    pub fn cuboid(half_size: Vec3) -> Self {
        Self { shape: ObstacleShape::Cuboid { half_size }, ..Self::default() }
    }

    /// The same obstacle on these layers alone.
    #[must_use]
    pub const fn with_layers(mut self, layers: u32) -> Self {
        self.layers = layers;
        self
    }

    /// The same obstacle, carved as a wall.
    #[must_use]
    pub const fn carved(self) -> Self {
        self.with_carved(Terrain::WALL)
    }

    /// The same obstacle, carved as this terrain, such as mud or a bridge.
    #[must_use]
    pub const fn with_carved(mut self, terrain: Terrain) -> Self {
        self.carved = Some(terrain);
        self
    }

    /// The shape in the world, if its entity has the transform `global`.
    fn at(&self, global: &GlobalTransform) -> Shape {
        let (scale, rotation, position) = global.to_scale_rotation_translation();
        let scale = scale.abs();
        let kind = match self.shape {
            ObstacleShape::Sphere { radius } => ShapeKind::Sphere { radius: radius * middle(scale) },
            ObstacleShape::Cuboid { half_size } => ShapeKind::Cuboid { half: half_size * scale },
        };
        let shape = Shape::sphere(position, 0.0).with_rotation(rotation).with_layers(LayerMask(self.layers));
        Shape { kind, ..shape }
    }
}

/// The middle one of three numbers.
fn middle(Vec3 { x, y, z }: Vec3) -> f32 {
    x.min(y).max(x.max(y).min(z))
}

/// The position of an obstacle one tick ago.
#[derive(Component, Debug, Default)]
pub(crate) struct Trail(Option<Vec3>);

impl Trail {
    /// Turns a shape at its present position into the shape as it was when the tick began, with a velocity that leads
    /// to the present position. A teleported shape is taken as it is, without a velocity.
    fn with_motion(&mut self, shape: Shape, dt: f32) -> Shape {
        let now = shape.position;
        let before = self.0.replace(now).unwrap_or(now);
        let velocity = (now - before) / dt;
        let is_teleported = before.distance(now) > TELEPORT_RADII * shape.bounding_radius();
        if is_teleported || !velocity.is_finite() {
            return shape;
        }
        Shape { position: before, ..shape }.with_velocity(velocity)
    }
}

/// On an agent that is an obstacle, or has descendants that are: the number of these obstacles, which do not hinder it.
#[derive(Component, Debug, Clone, Copy)]
pub(crate) struct OwnObstacles(pub(crate) u64);

/// All obstacles, indexed in three dimensions, and as seen along the normal of each grid.
#[derive(Resource, Debug, Default)]
pub(crate) struct ObstacleMap {
    shapes: Vec<Shape>,
    in_space: Obstacles,
    on_ground: Vec<(Vec3, Obstacles)>,
}

impl ObstacleMap {
    /// The obstacles as seen along `up`, the direction away from the ground; in three dimensions if it is `None` or
    /// not indexed.
    pub(crate) fn seen(&self, up: Option<Vec3>) -> &Obstacles {
        let found = up.and_then(|up| self.on_ground.iter().find(|(known, _)| *known == up));
        found.map_or(&self.in_space, |(_, obstacles)| obstacles)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    fn rebuild(&mut self, shapes: Vec<Shape>, ups: Vec<Vec3>) {
        let is_known = |up: &Vec3| self.on_ground.iter().any(|(known, _)| known == up);
        if shapes == self.shapes && ups.iter().all(is_known) {
            return;
        }
        self.shapes = shapes;
        self.in_space.rebuild(self.shapes.iter().copied(), HORIZON);
        self.on_ground = ups.into_iter().map(|up| (up, Obstacles::new(MovementPlane::from_up(up)))).collect();
        for (_, obstacles) in &mut self.on_ground {
            obstacles.rebuild(self.shapes.iter().copied(), HORIZON);
        }
    }
}

/// Reads the positions of all obstacles that are not carved, and rebuilds the index if they have changed.
pub(super) fn survey(
    mut map: ResMut<ObstacleMap>,
    mut obstacles: Query<(Entity, &Obstacle, &mut Trail)>,
    (agents, parents): (Query<Has<OwnObstacles>, With<FoundGrid>>, Query<&ChildOf>),
    places: Query<&GridTransform, With<NavGrid>>,
    (settings, time): (Option<Res<NavSettings>>, Res<Time>),
    transforms: TransformHelper,
    mut commands: Commands,
) {
    if obstacles.is_empty() && map.is_empty() {
        return;
    }
    let mut shapes = Vec::with_capacity(map.shapes.len());
    for (entity, obstacle, mut trail) in
        obstacles.iter_mut().filter(|(_, obstacle, _)| obstacle.carved.is_none())
    {
        let Ok(global) = transforms.compute_global_transform(entity) else { continue };
        let shape = trail.with_motion(obstacle.at(&global), time.delta_secs());
        // The obstacles of an agent have its number. (Only agents have a `FoundGrid`.)
        let owner =
            core::iter::once(entity).chain(parents.iter_ancestors(entity)).find(|&it| agents.contains(it));
        let who = owner.unwrap_or(entity).to_bits();
        if let Some(owner) = owner.filter(|&owner| agents.get(owner) == Ok(false)) {
            commands.entity(owner).try_insert(OwnObstacles(who));
        }
        shapes.push(shape.with_who(who));
    }
    // If an agent touches two obstacles at once, the first one counts: sorted, so that query order does not matter.
    shapes.sort_by(|a, b| by_numbers(numbers(a), numbers(b)));
    let mut ups: Vec<Vec3> =
        places.iter().map(GridTransform::up).chain(settings.and_then(|settings| settings.up)).collect();
    ups.sort_by(|a, b| by_numbers(a.to_array(), b.to_array()));
    ups.dedup();
    map.rebuild(shapes, ups);
}

/// All numbers that describe a shape, as a sort key.
fn numbers(shape: &Shape) -> impl Iterator<Item = f32> {
    let (size, kind) = match shape.kind {
        ShapeKind::Sphere { radius } => (Vec3::splat(radius), 0.0),
        ShapeKind::Cuboid { half } => (half, 1.0),
        _ => (Vec3::ZERO, 2.0),
    };
    let place = shape.position.extend(kind).to_array();
    let (turn, velocity) = (shape.rotation.to_array(), shape.velocity.to_array());
    place.into_iter().chain(size.to_array()).chain(turn).chain(velocity)
}
