//! Turn-based movement on cells: click where the knight shall go, or the knight to let a turn pass. It takes a step a
//! turn; a wolf that sees it takes a step every second turn. Pieces are no agents, and nothing steers them:
//! [`NavQuery`] finds a path, and the game moves them from cell to cell.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, world::GridTransform};

const START: (i32, i32) = (1, 3);
const MAP: &str = "
....................
..####...####....#..
..#.........#....#..
..#..####...#.......
....#.......##...#..";

/// A piece on the board, at the centre of a cell.
#[derive(Component)]
pub(crate) struct Piece(pub(crate) Vec3);

#[derive(Component)]
pub(crate) struct Wolf;

/// The centre of the cell that the knight is sent to. Turns pass while there is one.
#[derive(Resource, Default)]
pub(crate) struct Goal(pub(crate) Option<Vec3>);

fn main() {
    App::new().add_plugins((DefaultPlugins, game)).add_systems(Update, choose).run();
}

pub(crate) fn game(app: &mut App) {
    app.add_plugins(PathfindPlugins::default())
        .insert_resource(SearchOptions { straighten: false, ..default() }) // each leg is a row of cells
        .insert_resource(Time::<Fixed>::from_seconds(0.25))
        .init_resource::<Goal>()
        .add_systems(Startup, setup)
        .add_systems(FixedUpdate, play_turn.after(NavSystems::World))
        .add_systems(FixedPostUpdate, |mut pieces: Query<(&Piece, &mut Transform)>| {
            pieces.iter_mut().for_each(|(piece, mut at)| at.translation = piece.0);
        });
}

fn setup(mut commands: Commands) {
    commands.spawn((Camera2d, Transform::from_scale(Vec3::splat(0.02))));
    let grid = NavGrid::from_ascii(MAP).expect("the map is sound").centered();
    let place = GridTransform::new(&grid, Transform::IDENTITY);
    let tile =
        |at, color, size| (Transform::from_translation(at), Sprite::from_color(color, Vec2::ONE * size));
    for cell in grid.bounds().cells() {
        let shade = if grid.is_walkable(KindId::default(), cell) { 0.2 } else { 0.4 };
        commands.spawn(tile(place.cell_center(cell) - Vec3::Z, Color::hsl(215.0, 0.2, shade), 0.95));
    }
    let piece = |cell: (i32, i32), color| {
        let at = place.cell_center(cell.into());
        (Piece(at), tile(at, color, 0.6), InterpolateTransform::default()) // slides from cell to cell
    };
    commands.spawn(piece(START, Color::srgb(0.35, 0.84, 0.77)));
    for cell in [(18, 0), (10, 2), (18, 3)] {
        commands.spawn((Wolf, piece(cell, Color::srgb(1.0, 0.45, 0.4))));
    }
    commands.spawn(grid);
}

/// The centre of the next cell on the path between two points; `None` at the end of the path.
fn next_cell(nav: &NavQuery, place: &GridTransform, from: Vec3, to: Vec3) -> Option<Vec3> {
    let path = nav.path(from, to).ok()?;
    let [here, turn] = [from, *path.points.get(1)?].map(|at| place.cell_at(at));
    let next = GridCell::new(here.x + (turn.x - here.x).signum(), here.y + (turn.y - here.y).signum());
    (next != here).then(|| place.cell_center(next))
}

fn play_turn(
    (nav, place, mut goal, mut turn): (NavQuery, Single<&GridTransform>, ResMut<Goal>, Local<u32>),
    mut knight: Single<&mut Piece, Without<Wolf>>,
    mut wolves: Query<&mut Piece, With<Wolf>>,
) {
    let (Some(to), knight) = (goal.0, &mut knight.0) else { return };
    *turn += 1;
    let mut taken: Vec<Vec3> = wolves.iter().map(|wolf| wolf.0).collect();
    let step = next_cell(&nav, &place, *knight, to).filter(|next| !taken.contains(next));
    goal.0 = step.filter(|&next| next != to).and(goal.0);
    *knight = step.unwrap_or(*knight);
    for (index, mut wolf) in wolves.iter_mut().enumerate().filter(|_| turn.is_multiple_of(2)) {
        let next = next_cell(&nav, &place, wolf.0, *knight).filter(|next| !taken.contains(next));
        wolf.0 = next.filter(|_| nav.sees(wolf.0, *knight)).unwrap_or(wolf.0);
        taken[index] = wolf.0;
    }
    if taken.contains(knight) {
        (*knight, goal.0) = (place.cell_center(START.into()), None); // caught
    }
}

fn choose(
    (mouse, window, mut goal): (Res<ButtonInput<MouseButton>>, Single<&Window>, ResMut<Goal>),
    (camera, place): (Single<(&Camera, &GlobalTransform)>, Single<&GridTransform>),
) {
    let pointer = window.cursor_position().filter(|_| mouse.just_pressed(MouseButton::Left));
    let at = pointer.and_then(|at| camera.0.viewport_to_world_2d(camera.1, at).ok());
    goal.0 = at.map(|at| place.cell_center(place.cell_at(at.extend(0.0)))).or(goal.0);
}
