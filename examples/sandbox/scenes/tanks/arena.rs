//! The arena: streets between bricks, steel and water; a base, and gates for enemies.

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_pathfind::{
    prelude::*,
    world::{CostTable, Grid, GridTransform},
};
use pathfind_core::cast_ray;

use super::{
    SCENE,
    art::Art,
    game::{Game, TanksSettings},
    player,
};
use crate::{
    grid_picture::{BRICK, STEEL, layer},
    scenes::Seed,
    theme,
    view::View,
};

/// A letter is a block of three by three cells, the width of a street: `b` bricks, `#` steel, `w` water, `E` a
/// gate, `P` a start of the player, `H` the base.
const BLOCKS: &str = "\
E.........E........E
.bb.bb.#.bb.#.bb.bb.
.bb.bb...bb...bb.bb.
.........bb.........
.#bb.ww......ww.bb#.
..bb.ww.b##b.ww.bb..
........b..b........
.bb.bbb......bbb.bb.
.bbbb#bbbbbbbb#bbbb.
......b......b......
.bb.b...bbb...b.bb..
....b..PbHbP..b.....";
const BLOCK: u32 = 3;

/// The radius of a tank, in cells: it fits through a street one block wide.
pub(super) const RADIUS: f32 = 0.95;

/// Places in the arena, and the kinds of agents.
#[derive(Component, Debug, Clone)]
pub(super) struct Arena {
    pub tank: KindId,
    /// The kind of shells, which fly over water.
    pub shell: KindId,
    pub gates: Vec<Vec3>,
    /// Where the player's tank begins, and begins again: the first, or the one that is farthest from all enemies.
    pub starts: Vec<Vec3>,
}

/// The base that the player defends.
#[derive(Component, Debug)]
pub(super) struct Base;

/// Access to the arena, its map and the base.
#[derive(SystemParam)]
pub(super) struct Field<'w, 's> {
    arenas: Query<'w, 's, (&'static Arena, &'static NavGrid, &'static Transform)>,
    base: Query<'w, 's, &'static Transform, (With<Base>, Without<Arena>)>,
}

impl Field<'_, '_> {
    pub(super) fn arena(&self) -> Option<&Arena> {
        self.arenas.single().ok().map(|(arena, ..)| arena)
    }

    pub(super) fn base(&self) -> Option<Vec3> {
        self.base.single().ok().map(|at| at.translation)
    }

    pub(super) fn revision(&self) -> u64 {
        self.arenas.single().map_or(0, |(_, nav, _)| nav.revision())
    }

    /// Whether a shell can fly from one point to another.
    pub(super) fn is_clear(&self, from: Vec3, to: Vec3) -> bool {
        let Ok((arena, nav, &place)) = self.arenas.single() else { return false };
        let [from, to] = [from, to].map(|point| GridTransform::new(nav, place).to_grid(point));
        cast_ray(nav.grid(), arena.shell, from, to).is_none()
    }
}

/// Spawns the arena and everything in it.
pub(super) fn enter(
    mut commands: Commands,
    art: Res<Art>,
    mut game: ResMut<Game>,
    mut view: ResMut<View>,
    settings: Res<TanksSettings>,
    seed: Res<Seed>,
    mut agent_kinds: ResMut<AgentKinds>,
) {
    *game = Game::new(&settings, seed.0, game.best);
    let nav = NavGrid::new(grid()).with_plane(GridPlane::XyDown);
    let size = nav.grid().size().as_vec2();
    let transform = Transform::from_xyz(-size.x / 2.0, size.y / 2.0, 0.0);
    let (tank, shell) = kinds(&mut agent_kinds);
    let place = GridTransform::new(&nav, transform);
    let find = |letter| blocks(letter).map(|block| center(&place, block)).collect::<Vec<_>>();
    let (gates, starts) = (find('E'), find('P'));
    for base in find('H') {
        let (sprite, at) = (art.sprite(&art.base, theme::PREY, 3.0), Transform::from_translation(base));
        commands.spawn((Name::new("Base"), Base, sprite, at, SCENE.despawn_on_exit()));
    }
    for &gate in &gates {
        let sprite = art.sprite(&art.ring, theme::HUNTER.with_alpha(0.35), 2.6);
        let at = Transform::from_translation(gate.with_z(layer::CELLS));
        commands.spawn((sprite, at, SCENE.despawn_on_exit()));
    }
    player::spawn(&mut commands, &art, tank, starts[0]);
    // With space for the score at the top.
    view.frame(Rect::from_corners(-size / 2.0, size / 2.0 + Vec2::Y * 3.5));
    commands.spawn((SCENE.map("Arena", nav, transform), Arena { tank, shell, gates, starts }));
}

fn grid() -> Grid {
    let rows: Vec<&[u8]> = BLOCKS.lines().map(str::as_bytes).collect();
    let (width, height) = (rows[0].len() as u32 * BLOCK, rows.len() as u32 * BLOCK);
    let terrain =
        |cell: GridCell| match rows[cell.y as usize / BLOCK as usize][cell.x as usize / BLOCK as usize] {
            b'b' => BRICK,
            b'#' => STEEL,
            b'w' => Terrain::WATER,
            _ => Terrain::GROUND,
        };
    Grid::from_fn(width, height, terrain).expect("the arena is small")
}

fn kinds(all: &mut AgentKinds) -> (KindId, KindId) {
    let walls = CostTable::default().blocked(BRICK).blocked(STEEL);
    let shell = walls.clone().with(Terrain::WATER, 1.0).expect("1 is a cost");
    let tank = AgentKind { costs: walls, size: AgentSize::Disc(RADIUS), ..default() };
    let shell = AgentKind { costs: shell, ..AgentKind::default() };
    let mut add = |kind| all.add(kind).expect("two kinds fit");
    (add(tank), add(shell))
}

/// The positions of a letter, in blocks.
fn blocks(letter: char) -> impl Iterator<Item = (u32, u32)> {
    BLOCKS.lines().enumerate().flat_map(move |(y, row)| {
        row.chars().enumerate().filter(move |&(_, c)| c == letter).map(move |(x, _)| (x as u32, y as u32))
    })
}

fn center(place: &GridTransform, (x, y): (u32, u32)) -> Vec3 {
    let middle = Vec2::new(x as f32 + 0.5, y as f32 + 0.5) * BLOCK as f32;
    place.to_world(middle, 0.0).with_z(layer::ACTORS)
}

#[cfg(test)]
mod tests {
    use pathfind_core::{PathQuery, SearchScratch, solve};

    use super::*;

    #[test]
    fn every_gate_is_connected_with_the_players_start() {
        let mut all = AgentKinds::default();
        let (tank, _) = kinds(&mut all);
        let nav = NavGrid::new(grid()).with_kinds(&all);
        let cell = |(x, y): (u32, u32)| GridCell::new((x * BLOCK + 1) as i32, (y * BLOCK + 1) as i32);
        let start = cell(blocks('P').next().expect("there is a start"));
        assert_eq!(blocks('E').count(), 3);
        for gate in blocks('E') {
            let query = PathQuery::new(cell(gate), start).with_kind(tank).with_partial(false);
            assert!(solve(nav.grid(), &query, &mut SearchScratch::default()).is_ok(), "gate {gate:?}");
        }
    }

    #[test]
    fn the_base_is_enclosed_by_bricks() {
        let mut all = AgentKinds::default();
        let (tank, _) = kinds(&mut all);
        let nav = NavGrid::new(grid()).with_kinds(&all);
        let base = blocks('H').next().expect("there is a base");
        let query = PathQuery::new(
            GridCell::new(1, 1),
            GridCell::new((base.0 * 3 + 1) as i32, (base.1 * 3 + 1) as i32),
        );
        let query = query.with_kind(tank).with_partial(false);
        assert!(
            solve(nav.grid(), &query, &mut SearchScratch::default()).is_err(),
            "no path leads into the base"
        );
    }
}
