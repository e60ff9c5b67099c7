//! Agents on a moving ship: a ferry carries passengers between two shores, and its sailor walks the deck meanwhile.
//!
//! The deck is a grid, and moves with the `Transform` of the ferry. Three things let agents go along:
//! - Agents on board are children of the ferry. One system makes them so, by the grid under their feet.
//! - A goal on board is an entity that is a child of the ferry. A point of the world would stay behind.
//! - The ferry lands exactly at the edge of a shore, so that both grids become one. Requests for goals beyond the water,
//!   which fail while there is no way, are made again then: agents walk aboard, and ashore on the other side.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, world::PartOfGrid};

const SIZE: f32 = 32.0;
/// How far the middle of the ferry is from the middle of the water when it lies at a shore.
pub(crate) const BERTH: f32 = 7.0 * SIZE;

#[derive(Component)]
pub(crate) struct Ferry;

/// An agent that travels to and fro between the shores.
#[derive(Component)]
pub(crate) struct Passenger;

fn main() {
    let water = ClearColor(Color::srgb(0.12, 0.22, 0.34));
    App::new().insert_resource(water).add_plugins((DefaultPlugins, game)).run();
}

pub(crate) fn game(app: &mut App) {
    app.add_plugins(PathfindPlugins::default())
        .add_systems(Startup, setup)
        .add_systems(FixedUpdate, (sail, board).chain().before(NavSystems::World))
        .add_systems(FixedUpdate, ask_again.after(NavSystems::World).before(NavSystems::Request))
        .add_observer(turn_round);
}

fn setup(mut commands: Commands) -> Result {
    commands.spawn(Camera2d);
    // Each ground is as large as its picture, and both lie round the origin of their entity.
    let ground = |columns: u32, rows: u32, color| -> Result<_> {
        let grid = NavGrid::from_fn(columns, rows, |_| Terrain::GROUND)?.with_cell_size(SIZE).centered();
        Ok((grid, Sprite::from_color(color, UVec2::new(columns, rows).as_vec2() * SIZE)))
    };
    for side in [-1.0, 1.0] {
        let shore = ground(6, 16, Color::srgb(0.25, 0.36, 0.25))?;
        commands.spawn((shore, Transform::from_xyz(side * (BERTH + 7.0 * SIZE), 0.0, -2.0)));
    }
    // Grids are joined if they lie in one plane.
    let deck = (ground(8, 4, Color::srgb(0.45, 0.34, 0.24))?, InterpolateTransform::default());
    let ferry = commands.spawn((Ferry, deck, Transform::from_xyz(-BERTH, 0.0, -2.0))).id();
    let body = || (Agent::new(3.0 * SIZE).with_radius(0.3 * SIZE), Avoider::default());
    let look = |color| (Sprite::from_color(color, Vec2::splat(0.6 * SIZE)), InterpolateTransform::default());
    let [bow, stern] = [2.5, -2.5]
        .map(|x| commands.spawn((ChildOf(ferry), Transform::from_xyz(x * SIZE, 1.5 * SIZE, 0.0))).id());
    let sailor = (ChildOf(ferry), Transform::from_xyz(0.0, 0.0, 2.0), look(Color::srgb(0.35, 0.84, 0.77)));
    commands.spawn((sailor, body(), GoalQueue::ping_pong([bow, stern])));
    for (i, side) in [-1.0, 1.0].into_iter().cycle().take(10).enumerate() {
        let home = Vec3::new(side * 15.0 * SIZE, (i as f32 - 4.5) * SIZE, 0.0);
        let trip = (Transform::from_translation(home), PathRequest::to(home * Vec3::new(-1.0, 1.0, 1.0)));
        commands.spawn((Passenger, body(), trip, look(Color::srgb(1.0, 0.8, 0.4))));
    }
    Ok(())
}

/// The ferry lies at each shore for four seconds, and takes four to cross.
fn sail(mut ferry: Single<&mut Transform, With<Ferry>>, time: Res<Time>) {
    let wave = (time.elapsed_secs() * 0.5 % 8.0 - 4.0).abs() - 2.0;
    ferry.translation.x = wave.clamp(-1.0, 1.0) * -BERTH;
}

/// Agents on deck are children of the ferry, agents ashore are not.
fn board(
    passengers: Query<(Entity, Has<ChildOf>), With<Passenger>>,
    ferry: Single<Entity, With<Ferry>>,
    (nav, places): (NavQuery, TransformHelper),
    mut commands: Commands,
) -> Result {
    for (passenger, is_aboard) in &passengers {
        let at = places.compute_global_transform(passenger)?;
        let is_on_deck = nav.cell_at(at.translation()).is_some_and(|(grid, _)| grid == *ferry);
        if is_on_deck && !is_aboard {
            let on_deck = at.reparented_to(&places.compute_global_transform(*ferry)?);
            commands.entity(passenger).insert((ChildOf(*ferry), on_deck));
        } else if is_aboard && !is_on_deck {
            commands.entity(passenger).remove::<ChildOf>().insert(at.compute_transform());
        }
    }
    Ok(())
}

/// When the ferry has become part of a larger grid, passengers look for a way once more.
fn ask_again(_: Single<&Ferry, Changed<PartOfGrid>>, mut requests: Query<&mut PathRequest, With<Passenger>>) {
    requests.iter_mut().for_each(|mut request| request.set_changed());
}

/// A passenger that has arrived goes back.
fn turn_round(arrived: On<AgentArrived>, passengers: Query<&Passenger>, mut commands: Commands) {
    if passengers.contains(arrived.entity) {
        commands.entity(arrived.entity).go_to(arrived.goal * Vec3::new(-1.0, 1.0, 1.0));
    }
}
