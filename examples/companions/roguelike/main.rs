//! A roguelike on `bevy_ecs_tilemap`: the arrow keys play a turn. The hero takes a step, or slays the monster in the
//! way; then each monster that sees the hero comes a step nearer. A hero who is bitten begins again.

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_pathfind::{prelude::*, world::GridTransform};

pub(crate) mod dungeon;

/// The hero or a monster, by the cell on which it stands.
#[derive(Component)]
pub(crate) struct Piece(pub(crate) GridCell);

#[derive(Component)]
pub(crate) struct Monster;

fn main() {
    App::new().add_plugins((DefaultPlugins, TilemapPlugin, game)).run();
}

pub(crate) fn game(app: &mut App) {
    app.add_plugins(PathfindPlugins::default())
        // A path that is not straightened turns in the centres of cells only, so that each leg is a row of cells.
        .insert_resource(SearchOptions { straighten: false, ..default() })
        .add_systems(Startup, setup)
        .add_systems(Update, (play_turn, move_pieces).chain())
        .add_systems(FixedUpdate, dungeon::look.after(NavSystems::World));
}

fn setup(mut commands: Commands, images: ResMut<Assets<Image>>) -> Result {
    let middle = Transform::from_translation((dungeon::SIZE.as_vec2() / 2.0).extend(0.0));
    commands.spawn((Camera2d, middle.with_scale(Vec3::splat(0.037))));
    let (grid, rooms) = dungeon::dig(7)?;
    let square = |color, side| Sprite::from_color(color, Vec2::splat(side));
    commands.spawn((Piece(dungeon::START), square(Color::srgb(0.35, 0.84, 0.77), 0.8)));
    for room in rooms {
        commands.spawn((Monster, Piece(room), square(Color::srgb(1.0, 0.45, 0.4), 0.6)));
    }
    // The grid is a component of the tilemap's entity, so that both lie in the same place.
    commands.spawn((grid, dungeon::tiles(images)));
    Ok(())
}

fn play_turn(
    (keys, nav, place): (Res<ButtonInput<KeyCode>>, NavQuery, Single<&GridTransform>),
    mut hero: Single<&mut Piece, Without<Monster>>,
    mut monsters: Query<(Entity, &mut Piece), With<Monster>>,
    mut commands: Commands,
) {
    let axis = |less, more| i32::from(keys.just_pressed(more)) - i32::from(keys.just_pressed(less));
    let step = (axis(KeyCode::ArrowLeft, KeyCode::ArrowRight), axis(KeyCode::ArrowDown, KeyCode::ArrowUp));
    let there = GridCell::new(hero.0.x + step.0, hero.0.y + step.1);
    if there == hero.0 || !nav.is_walkable(place.cell_center(there)) {
        return;
    }
    let slain = monsters.iter().find(|(_, piece)| piece.0 == there).map(|(monster, _)| monster);
    match slain {
        Some(monster) => commands.entity(monster).despawn(),
        None => hero.0 = there,
    }
    let mut taken: Vec<GridCell> = monsters.iter().map(|(_, piece)| piece.0).collect();
    for (index, (monster, mut piece)) in monsters.iter_mut().enumerate() {
        let next = next_cell(&nav, &place, piece.0, hero.0).filter(|next| !taken.contains(next));
        if let Some(next) = next.filter(|_| Some(monster) != slain) {
            (piece.0, taken[index]) = (next, next);
        }
    }
    if taken.contains(&hero.0) {
        hero.0 = dungeon::START;
    }
}

/// The next cell on the path of a monster to the hero; `None` if it does not see the hero.
fn next_cell(nav: &NavQuery, place: &GridTransform, from: GridCell, to: GridCell) -> Option<GridCell> {
    let (start, end) = (place.cell_center(from), place.cell_center(to));
    let path = nav.sees(start, end).then(|| nav.path(start, end).ok())??;
    let turn = place.cell_at(*path.points.get(1)?);
    Some(GridCell::new(from.x + (turn.x - from.x).signum(), from.y + (turn.y - from.y).signum()))
}

/// The picture of each piece lies on its cell.
fn move_pieces(mut pieces: Query<(&Piece, &mut Transform)>) {
    pieces.iter_mut().for_each(|(piece, mut at)| at.translation = piece.0.center().extend(1.0));
}
