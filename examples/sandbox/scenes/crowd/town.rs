//! The town: a wall with gates across its middle, and houses that the user builds and removes.

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_pathfind::{prelude::*, world::Grid};

use super::{SCENE, Unit};
use crate::{
    grid_picture::{GridPicture, layer},
    hud::Notice,
    keys::Keys,
    pointer::Pointer,
    theme,
};

/// The size of the town, in cells.
pub(super) const SIZE: Vec2 = Vec2::new(120.0, 72.0);
/// Half of the width and height of a gate, in cells.
pub(super) const GATE: Vec2 = Vec2::new(1.0, 5.0);
/// Positions of the gates along the middle wall, relative to the centre of the town.
const GATES: [f32; 3] = [-22.0, 0.0, 22.0];
/// The lower left cells of the initial houses.
const HOUSES: [(i32, i32); 8] =
    [(22, 14), (34, 50), (46, 26), (40, 8), (72, 50), (92, 18), (80, 8), (68, 32)];
/// The size of a house, in cells.
const HOUSE: (i32, i32) = (6, 5);

/// Houses and gates of the town.
#[derive(Resource, Debug, Default)]
pub(super) struct Town {
    /// The cells of each house.
    pub houses: Vec<CellRect>,
    /// The cells of each gate, and whether it is shut.
    gates: Vec<(CellRect, bool)>,
}

/// The sprite of a gate, with the gate's index.
#[derive(Component)]
pub(super) struct Gate(usize);

/// A rectangle of cells, from its lower left cell and its size.
fn cells(x: i32, y: i32, (width, height): (i32, i32)) -> CellRect {
    CellRect::new(GridCell::new(x, y), GridCell::new(x + width - 1, y + height - 1))
}

impl Town {
    /// The initial town, and its map.
    pub(super) fn initial() -> (Self, NavGrid) {
        let (width, height) = (SIZE.x as i32, SIZE.y as i32);
        let mut grid = Grid::new(width as u32, height as u32).expect("the town is no giant");
        grid.fill(grid.bounds(), Terrain::WALL);
        grid.fill(cells(1, 1, (width - 2, height - 2)), Terrain::GROUND);
        grid.fill(cells(width / 2 - 1, 0, (2, height)), Terrain::WALL);
        let (wide, high) = (GATE.x as i32, GATE.y as i32);
        let gates = GATES
            .map(|y| (cells(width / 2 - wide, height / 2 + y as i32 - high, (2 * wide, 2 * high)), false));
        let houses = HOUSES.map(|(x, y)| cells(x, y, HOUSE));
        for (gate, _) in gates {
            grid.fill(gate, Terrain::GROUND);
        }
        for house in houses {
            grid.fill(house, Terrain::WALL);
        }
        (Self { houses: houses.to_vec(), gates: gates.to_vec() }, NavGrid::new(grid))
    }

    /// Spawns the sprites of the gates.
    pub(super) fn spawn_gates(&self, commands: &mut Commands) {
        for (i, y) in GATES.into_iter().enumerate() {
            let sprite = Sprite { custom_size: Some(GATE * 2.0), ..default() };
            let at = Transform::from_xyz(0.0, y, layer::CELLS);
            commands.spawn((Gate(i), sprite, at, SCENE.despawn_on_exit()));
        }
    }
}

/// Access to what building needs.
#[derive(SystemParam)]
pub(super) struct Builder<'w, 's> {
    grids: Query<'w, 's, &'static mut NavGrid, With<GridPicture>>,
    bodies: Query<'w, 's, (&'static Transform, &'static Agent), With<Unit>>,
    notice: ResMut<'w, Notice>,
}

impl Builder<'_, '_> {
    /// Whether no unit stands on these cells; shows a notice if one does.
    fn is_empty(&mut self, rect: CellRect) -> bool {
        let touches = |(at, agent): (&Transform, &Agent)| {
            rect.distance_to(at.translation.truncate() + SIZE / 2.0) < agent.radius
        };
        let is_empty = !self.bodies.iter().any(touches);
        if !is_empty {
            self.notice.show("A unit stands there.");
        }
        is_empty
    }

    fn fill(&mut self, rect: CellRect, terrain: Terrain) {
        if let Ok(mut nav) = self.grids.single_mut() {
            nav.fill(rect, terrain);
        }
    }

    fn is_buildable(&self, rect: CellRect) -> bool {
        let Ok(nav) = self.grids.single() else { return false };
        rect.cells().all(|cell| nav.grid().terrain(cell) == Some(Terrain::GROUND))
    }
}

pub(super) fn rect_size(rect: CellRect) -> Vec2 {
    Vec2::new((rect.max.x - rect.min.x + 1) as f32, (rect.max.y - rect.min.y + 1) as f32)
}

/// The centre of a rectangle of cells in the world, whose origin is the centre of the town.
pub(super) fn rect_middle(rect: CellRect) -> Vec2 {
    Vec2::new(rect.min.x as f32, rect.min.y as f32) + rect_size(rect) / 2.0 - SIZE / 2.0
}

/// Builds and removes houses, opens and shuts gates, by keys.
pub(super) fn read_keys(
    keys: Keys,
    pointer: Res<Pointer>,
    mut town: ResMut<Town>,
    mut builder: Builder,
    mut gizmos: Gizmos,
) {
    let at = GridCell::containing(pointer.world + SIZE / 2.0);
    let plan = cells(at.x - HOUSE.0 / 2, at.y - HOUSE.1 / 2, HOUSE);
    if keys.any_pressed([KeyCode::KeyB]) {
        gizmos.rect_2d(rect_middle(plan), rect_size(plan), theme::TEXT);
    }
    if keys.just_pressed(KeyCode::KeyB) {
        if !builder.is_buildable(plan) {
            builder.notice.show("There is no room for a house.");
        } else if builder.is_empty(plan) {
            builder.fill(plan, Terrain::WALL);
            town.houses.push(plan);
        }
    }
    if keys.just_pressed(KeyCode::KeyX)
        && let Some(i) = town.houses.iter().position(|house| house.contains(at))
    {
        builder.fill(town.houses.remove(i), Terrain::GROUND);
    }
    if keys.just_pressed(KeyCode::KeyG) {
        let far = |gate: &(CellRect, bool)| rect_middle(gate.0).distance(pointer.world);
        let nearest = town.gates.iter_mut().min_by(|a, b| far(a).total_cmp(&far(b)));
        let Some((gate, is_shut)) = nearest else { return };
        if *is_shut || builder.is_empty(*gate) {
            *is_shut = !*is_shut;
            builder.fill(*gate, if *is_shut { Terrain::WALL } else { Terrain::GROUND });
        }
    }
}

/// Colours the gates: shut ones red, open ones faint.
pub(super) fn show_gates(town: Res<Town>, mut gates: Query<(&Gate, &mut Sprite)>) {
    for (gate, mut sprite) in &mut gates {
        let is_shut = town.gates.get(gate.0).is_some_and(|gate| gate.1);
        let color = if is_shut { theme::HUNTER.with_alpha(0.85) } else { theme::FRIEND.with_alpha(0.16) };
        if sprite.color != color {
            sprite.color = color;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_initial_town_has_open_gates_and_closed_walls() {
        let (town, nav) = Town::initial();
        let free = |x, y| nav.grid().is_walkable(KindId::default(), GridCell::new(x, y));
        assert!(free(59, 36) && free(60, 36), "the middle gate is open");
        assert!(!free(59, 46) && !free(0, 5), "walls are walls");
        assert!(town.houses.len() == HOUSES.len() && town.gates.iter().all(|(_, is_shut)| !is_shut));
        assert_eq!(rect_middle(town.gates[1].0), Vec2::ZERO, "and it lies in the middle of the town");
    }
}
