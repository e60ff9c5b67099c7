//! The cells under colliders of avian2d that are carved.

use avian2d::collision::collider::contact_query::intersection_test;
use avian2d::prelude::*;
use bevy::ecs::query::QueryData;
use bevy::prelude::*;
use pathfind_core::{CellRect, GridCell, Terrain};

use super::carving::CarvedCells;
use super::{GridRef, GridTransform, Grids};
use crate::bevy_version::{OnRemove, collider_box};
use crate::stage::{NavStage, NavSystems};
use crate::warnings::Warnings;

/// How far a collider may reach into a cell without covering it, in cells, if it covers a neighbour.
const SLACK: f32 = 1e-3;
/// The most cells in the bounding box of a collider.
const MAX_CELLS: u64 = 1 << 20;

/// Carves the avian2d `Collider` of its entity into the grids under it, as a carved [`Obstacle`](super::Obstacle) is:
/// the cells that it reaches into, by more than a thousandth of a cell, have this terrain. Walls thinner than a cell
/// cover every cell that they run through, and a wall without width along the border of two cells covers one of them. Cells
/// change when the collider is moved, changed or removed; a collider whose bounding box has more than 1,048,576 cells
/// is not carved, and there is one warning. An entity that has an `Obstacle` as well is carved as that one says.
///
/// Colliders of static and kinematic bodies can be carved by their layer instead: see [`CarvedLayers`].
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::{prelude::*, world::{CarvedCollider, CarvedLayers}};
/// # use avian2d::prelude::*;
/// fn build(mut commands: Commands, mut layers: ResMut<CarvedLayers>) {
///     layers.0.push((0b100, Terrain::WATER)); // all colliders on the layer 4
///     let bar = (RigidBody::Static, Collider::rectangle(6.0, 0.1), Transform::from_xyz(3.0, 2.5, 0.0));
///     commands.spawn((bar, CarvedCollider::default()));
/// }
/// ```
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq)]
pub struct CarvedCollider(
    /// The terrain of the cells. Default: [`Terrain::WALL`].
    pub Terrain,
);

impl Default for CarvedCollider {
    fn default() -> Self {
        Self(Terrain::WALL)
    }
}

/// The layers whose colliders are carved, as masks of memberships of avian2d's `CollisionLayers`, and their terrain;
/// the first that a collider shares a layer with counts. Sensors and colliders of dynamic bodies are not carved by
/// their layer. Default: none.
#[derive(Resource, Reflect, Debug, Clone, Default, PartialEq, Eq)]
#[type_path = "bevy_pathfind"]
#[reflect(Resource, Default, Debug, PartialEq)]
pub struct CarvedLayers(pub Vec<(u32, Terrain)>);

/// What decides which cells a collider covers.
#[derive(QueryData)]
struct ColliderInput {
    entity: Entity,
    collider: &'static Collider,
    position: &'static Position,
    rotation: &'static Rotation,
    carved: Option<&'static CarvedCollider>,
    layers: Option<&'static CollisionLayers>,
    body: Option<&'static ColliderOf>,
    is_sensor: Has<Sensor>,
    name: Option<&'static Name>,
    cells: Option<&'static CarvedCells>,
}

/// Whether any of it has changed, as far as it is on the collider's own entity.
type ColliderChanged = Or<(
    Changed<Position>,
    Changed<Rotation>,
    Changed<Collider>,
    Changed<CarvedCollider>,
    Changed<CollisionLayers>,
    Changed<ColliderOf>,
    Changed<RigidBody>,
)>;

pub(super) fn plug_in(app: &mut App) {
    app.init_resource::<CarvedLayers>()
        .register_type::<CarvedLayers>()
        .register_type::<CarvedCollider>()
        .add_observer(forget)
        .add_systems(
            NavStage(NavSystems::World),
            find.after(super::seams::join).before(super::carving::stamp),
        );
}

/// Finds the cells of colliders that changed; of all, if grids or layers changed.
fn find(
    changed: Query<ColliderInput, ColliderChanged>,
    all: Query<ColliderInput>,
    bodies: Query<&RigidBody>,
    (grids, layers): (Grids, Res<CarvedLayers>),
    mut seen: Local<Vec<(Entity, GridTransform, CellRect)>>,
    mut warnings: Local<Warnings>,
    mut commands: Commands,
) {
    let place = |grid: &GridRef| (grid.entity, *grid.place, grid.nav.grid().bounds());
    let have_grids_changed = grids.have_changed(&mut seen, place);
    let list = grids.all();
    let mut update = |it: ColliderInputItem| {
        // avian has not placed it yet.
        if *it.position == Position::PLACEHOLDER {
            return;
        }
        let is_dynamic = it.body.is_some_and(|of| bodies.get(of.body).is_ok_and(RigidBody::is_dynamic));
        let by_layer = || {
            let memberships = it.layers.map_or(1, |layers| layers.memberships.0);
            let found = layers.0.iter().find(|(mask, _)| mask & memberships != 0);
            found.filter(|_| !is_dynamic && !it.is_sensor).map(|&(_, terrain)| terrain)
        };
        let Some(terrain) = it.carved.map(|carved| carved.0).or_else(by_layer) else {
            if it.cells.is_some() {
                commands.entity(it.entity).try_remove::<CarvedCells>();
            }
            return;
        };
        let on = list.usable().map(|grid| Some((grid.entity, covered(&it, &grid)?)));
        if let Some(by_grid) = on.collect() {
            commands.entity(it.entity).try_insert(CarvedCells { terrain, by_grid });
        } else {
            let what = "covers nothing: its Collider is not finite, or too large to carve";
            warnings.warn(it.entity, it.name, what);
        }
    };
    if have_grids_changed || layers.is_changed() {
        all.iter().for_each(&mut update);
    } else {
        changed.iter().for_each(&mut update);
    }
}

/// The cells of a grid under a collider; `None` if it is not finite or too large.
fn covered(it: &ColliderInputItem, grid: &GridRef) -> Option<Vec<GridCell>> {
    let angle = it.rotation.as_radians();
    // Of a height field, only the boxes round its pieces would be tested.
    let heights = it.collider.shape_scaled().as_heightfield().map(|field| field.to_polyline());
    let heights = heights.map(|(points, ends)| Collider::polyline(points, Some(ends)));
    let collider = heights.as_ref().unwrap_or(it.collider);
    let ColliderAabb { min, max } = collider_box(collider, it.position.0, angle);
    let corners = [min, Vec2::new(max.x, min.y), max, Vec2::new(min.x, max.y)];
    let corners = corners.map(|corner| grid.place.to_grid(corner.extend(0.0)));
    if !corners.iter().all(|corner| corner.is_finite()) {
        return None;
    }
    let [low, high] = [Vec2::min, Vec2::max].map(|pick| corners.into_iter().reduce(pick).unwrap_or_default());
    // With the neighbours of the cells at its border, along which it may run.
    let around =
        CellRect::new(GridCell::containing(low - 2.0 * SLACK), GridCell::containing(high + 2.0 * SLACK));
    let Some(rect) = around.intersection(grid.nav.grid().bounds()) else { return Some(Vec::new()) };
    let side = |min: i32, max: i32| u64::from(min.abs_diff(max)) + 1;
    let columns = side(rect.min.x, rect.max.x);
    if columns * side(rect.min.y, rect.max.y) > MAX_CELLS {
        return None;
    }
    let [column, row] = [Vec2::X, Vec2::Y]
        .map(|axis| (grid.place.to_world(axis, 0.0) - grid.place.to_world(Vec2::ZERO, 0.0)).truncate());
    let square = |size: Vec2| Collider::rectangle(size.x * column.length(), size.y * row.length());
    let meets = |square: &Collider, center: Vec2| {
        let center = grid.place.to_world(center, 0.0).truncate();
        // A shape that cannot be tested counts with its bounding box.
        intersection_test(collider, it.position.0, angle, square, center, column.to_angle()).unwrap_or(true)
    };
    let inside = square(Vec2::splat(1.0 - 2.0 * SLACK));
    let mut is_covered: Vec<bool> = rect.cells().map(|cell| meets(&inside, cell.center())).collect();
    // A collider without width may lie on the border between two cells.
    let strip = Vec2::new(4.0 * SLACK, 1.0 - 4.0 * SLACK);
    let borders = [(square(strip), 1, 0), (square(strip.yx()), 0, 1)];
    for (index, cell) in rect.cells().enumerate() {
        for (border, dx, dy) in &borders {
            let is_inner = cell.x + dx <= rect.max.x && cell.y + dy <= rect.max.y;
            let next = index + *dx as usize + *dy as usize * columns as usize;
            if is_inner && !is_covered[index] && !is_covered[next] {
                let middle = cell.center() + Vec2::new(*dx as f32, *dy as f32) / 2.0;
                is_covered[index] = meets(border, middle);
            }
        }
    }
    Some(rect.cells().zip(is_covered).filter_map(|(cell, covered)| covered.then_some(cell)).collect())
}

/// Removes the cells of a collider that is removed, or no longer carved.
fn forget(carved: OnRemove<(CarvedCollider, Collider)>, mut commands: Commands) {
    commands.entity(carved.entity).try_remove::<CarvedCells>();
}
