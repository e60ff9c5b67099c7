//! Painting walls and fences with the right button on maps that allow it; a stroke that begins on one erases.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, show::MeasuredIn, world::GridTransform};

use crate::{
    keys::Keys,
    pointer::Pointer,
    strokes::{Strokes, edge_at, edges_along},
    theme,
    view::ViewSystems,
};

/// Put it beside a `NavGrid`, and the user may paint walls and fences on it.
#[derive(Component, Debug, Default)]
pub(crate) struct Paintable;

/// The settings of the brush.
#[derive(Resource, Reflect, Debug, Clone, PartialEq)]
pub(crate) struct Brush {
    /// What the right button draws: walls over cells, or fences between cells. Default: walls.
    pub draw: Drawn,
    /// Width of the brush. Unit: cells. Range: 1 to 9. Default: `3`.
    #[reflect(@1.0..=9.0_f32, @MeasuredIn("cells"))]
    pub brush: f32,
}

/// What a brush draws.
#[derive(Reflect, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Drawn {
    /// Cells that no agent enters.
    Walls,
    /// Edges of cells that no agent crosses: nothing stands on them, and they take no room.
    Fences,
}

/// The stroke in progress, if any.
#[derive(Resource, Debug, Default)]
struct Painting(Option<Stroke>);

/// A stroke.
#[derive(Debug, Clone, Copy)]
struct Stroke {
    /// The grid that it was begun on: if that is despawned, the stroke ends.
    grid: Entity,
    draw: Drawn,
    erases: bool,
    last: Vec2,
}

pub(crate) fn plugin(app: &mut App) {
    app.insert_resource(Brush { draw: Drawn::Walls, brush: 3.0 })
        .init_resource::<Painting>()
        .add_systems(Update, (change_brush, paint, show_brush).chain().after(ViewSystems));
}

fn change_brush(keys: Keys, grids: Query<(), With<Paintable>>, mut brush: ResMut<Brush>) {
    if keys.just_pressed(KeyCode::KeyB) && !grids.is_empty() {
        brush.draw = if brush.draw == Drawn::Walls { Drawn::Fences } else { Drawn::Walls };
    }
}

fn paint(
    mut grids: Query<(Entity, &mut NavGrid, &Transform), With<Paintable>>,
    agents: Query<(&Agent, &Transform), Without<Paintable>>,
    pointer: Res<Pointer>,
    brush: Res<Brush>,
    (mut painting, mut strokes): (ResMut<Painting>, ResMut<Strokes>),
) {
    let Ok((grid, mut nav, &transform)) = grids.single_mut() else { return };
    let place = GridTransform::new(&nav, transform);
    let to_grid = |point: Vec3| place.to_grid(point);
    let at = to_grid(pointer.world.extend(0.0));
    if pointer.just_pressed(MouseButton::Right) {
        let has_fence = |(cell, side)| nav.grid().has_fence(cell, side);
        let erases = match brush.draw {
            Drawn::Walls => !nav.grid().is_walkable(KindId::default(), GridCell::containing(at)),
            Drawn::Fences => edge_at(at).is_some_and(has_fence),
        };
        strokes.begin(grid);
        painting.0 = Some(Stroke { grid, draw: brush.draw, erases, last: at });
    }
    let is_over = !pointer.is_dragging(MouseButton::Right);
    painting.0 = painting.0.filter(|stroke| stroke.grid == grid);
    let Some(now) = painting.0.as_mut() else { return };
    let bodies: Vec<_> = agents.iter().map(|(agent, at)| (to_grid(at.translation), agent.radius)).collect();
    let is_free = |cell: GridCell| {
        let rect = CellRect::new(cell, cell);
        bodies.iter().all(|&(body, radius)| rect.distance_to(body) >= radius.max(0.1))
    };
    match now.draw {
        Drawn::Walls => {
            let terrain = if now.erases { Terrain::GROUND } else { Terrain::WALL };
            for cell in along(now.last, at, brush.brush).filter(|&cell| now.erases || is_free(cell)) {
                strokes.set(&mut nav, cell, terrain);
            }
        }
        Drawn::Fences => {
            edges_along(now.last, at).for_each(|edge| strokes.set_fence(&mut nav, edge, !now.erases));
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
    if painting.0.is_some_and(|stroke| stroke.draw == Drawn::Walls) {
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
