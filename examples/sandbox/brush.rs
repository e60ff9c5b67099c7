//! Painting walls with the right button on maps that allow it; a stroke that begins on a wall erases.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, show::MeasuredIn, world::GridTransform};

use crate::{pointer::Pointer, theme, view::ViewSystems};

/// Put it beside a `NavGrid`, and the user may paint walls on it.
#[derive(Component, Debug, Default)]
pub(crate) struct Paintable;

/// The settings of the brush.
#[derive(Resource, Reflect, Debug, Clone, PartialEq)]
pub(crate) struct Brush {
    /// Width of the brush. Unit: cells. Range: 1 to 9. Default: `3`.
    #[reflect(@1.0..=9.0_f32, @MeasuredIn("cells"))]
    pub brush: f32,
}

/// The stroke in progress, if any.
#[derive(Resource, Debug, Default)]
struct Painting(Option<Stroke>);

/// A stroke.
#[derive(Debug, Clone, Copy)]
struct Stroke {
    /// The grid that it was begun on: if that is despawned, the stroke ends.
    grid: Entity,
    paint: Terrain,
    last: Vec2,
}

pub(crate) fn plugin(app: &mut App) {
    app.insert_resource(Brush { brush: 3.0 })
        .init_resource::<Painting>()
        .add_systems(Update, (paint, show_brush).chain().after(ViewSystems));
}

fn paint(
    mut grids: Query<(Entity, &mut NavGrid, &Transform), With<Paintable>>,
    agents: Query<(&Agent, &Transform), Without<Paintable>>,
    pointer: Res<Pointer>,
    brush: Res<Brush>,
    mut painting: ResMut<Painting>,
) {
    let Ok((grid, mut nav, &transform)) = grids.single_mut() else { return };
    let place = GridTransform::new(&nav, transform);
    let to_grid = |point: Vec3| place.to_grid(point);
    let at = to_grid(pointer.world.extend(0.0));
    if pointer.just_pressed(MouseButton::Right) {
        let is_wall = !nav.grid().is_walkable(KindId::default(), GridCell::containing(at));
        let paint = if is_wall { Terrain::GROUND } else { Terrain::WALL };
        painting.0 = Some(Stroke { grid, paint, last: at });
    }
    let is_over = !pointer.is_dragging(MouseButton::Right);
    painting.0 = painting.0.filter(|stroke| stroke.grid == grid);
    let Some(now) = painting.0.as_mut() else { return };
    let bodies: Vec<_> = agents.iter().map(|(agent, at)| (to_grid(at.translation), agent.radius)).collect();
    let is_free = |cell: GridCell| {
        let rect = CellRect::new(cell, cell);
        bodies.iter().all(|&(body, radius)| rect.distance_to(body) >= radius.max(0.1))
    };
    let cells: Vec<_> = along(now.last, at, brush.brush).filter(|&cell| nav.grid().contains(cell)).collect();
    for cell in cells {
        if now.paint == Terrain::GROUND || is_free(cell) {
            nav.set(cell, now.paint).expect("the cell lies on the grid");
        }
    }
    now.last = at;
    if is_over {
        painting.0 = None;
    }
}

/// The cells under a round brush that moves from one point to another.
pub(crate) fn along(from: Vec2, to: Vec2, width: f32) -> impl Iterator<Item = GridCell> {
    let reach = (width / 2.0).max(0.5);
    let (low, high) = (from.min(to) - reach, from.max(to) + reach);
    let (low, high) = (GridCell::containing(low), GridCell::containing(high));
    let line = Segment2d::new(from, to);
    (low.y..=high.y).flat_map(move |y| (low.x..=high.x).map(move |x| GridCell::new(x, y))).filter(
        move |cell| {
            let nearest = line.closest_point(cell.center());
            cell.center().distance(nearest) <= reach || GridCell::containing(nearest) == *cell
        },
    )
}

fn show_brush(
    pointer: Res<Pointer>,
    brush: Res<Brush>,
    painting: Res<Painting>,
    grids: Query<&NavGrid, With<Paintable>>,
    mut gizmos: Gizmos,
) {
    let Ok(nav) = grids.single() else { return };
    if painting.0.is_some() {
        let radius = brush.brush.max(1.0) / 2.0 * nav.cell_size();
        gizmos.circle_2d(pointer.world, radius, theme::TEXT).resolution(32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thin_stroke_leaves_no_gap() {
        let cells: Vec<_> = along(Vec2::new(0.5, 0.5), Vec2::new(9.5, 4.5), 1.0).collect();
        for x in 0..10 {
            assert!(cells.iter().any(|cell| cell.x == x), "column {x} is painted");
        }
    }

    #[test]
    fn a_dab_is_as_wide_as_the_brush() {
        let cells: Vec<_> = along(Vec2::new(5.5, 5.5), Vec2::new(5.5, 5.5), 3.0).collect();
        assert_eq!(cells.iter().filter(|cell| cell.y == 5).count(), 3);
        assert!(cells.len() >= 5 && cells.len() <= 9);
    }
}
