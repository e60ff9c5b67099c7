//! The client: it sends orders, and draws units where the server says that they are.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, world::GridTransform};
use bevy_replicon::prelude::*;
use bevy_replicon_example_backend::ExampleClient;
use core::net::Ipv4Addr;

use super::{GoTo, Place, TICK, map};

/// Where a unit was drawn when the server last said where it is, and how many ticks ago that was.
#[derive(Component)]
struct Glide {
    from: Vec3,
    ticks: f32,
}

pub(crate) fn connect(port: &str) -> Result<ExampleClient> {
    Ok(ExampleClient::new((Ipv4Addr::LOCALHOST, port.parse::<u16>()?))?)
}

pub(crate) fn game(app: &mut App) {
    app.add_observer(dress).add_systems(Update, glide);
}

/// A unit that the server has told of for the first time gets a body here.
fn dress(unit: On<Add, Place>, places: Query<&Place>, mut commands: Commands) -> Result {
    let at = places.get(unit.entity)?.0;
    let look = Sprite::from_color(Color::srgb(0.35, 0.84, 0.77), Vec2::splat(0.6));
    let glide = Glide { from: at, ticks: 0.0 };
    commands.entity(unit.entity).insert((look, glide, Transform::from_translation(at)));
    Ok(())
}

/// Draws a unit on its way from where it was drawn to where it is: a tick late, and without jumps.
fn glide(mut units: Query<(Ref<Place>, &mut Glide, &mut Transform)>, time: Res<Time>) {
    for (place, mut glide, mut at) in &mut units {
        if place.is_changed() {
            *glide = Glide { from: at.translation, ticks: 0.0 };
        }
        glide.ticks += time.delta_secs() / TICK.as_secs_f32();
        at.translation = glide.from.lerp(place.0, glide.ticks.min(1.0));
    }
}

/// A client with a window.
pub(crate) fn window(app: &mut App) {
    app.add_systems(Startup, draw_map).add_systems(Update, click);
}

fn draw_map(mut commands: Commands) {
    commands.spawn((Camera2d, Transform::from_scale(Vec3::splat(0.014))));
    let grid = map();
    let place = GridTransform::new(&grid, Transform::IDENTITY);
    for cell in grid.bounds().cells() {
        let shade = if grid.is_walkable(KindId::default(), cell) { 0.2 } else { 0.4 };
        let look = Sprite::from_color(Color::hsl(215.0, 0.2, shade), Vec2::splat(0.95));
        commands.spawn((look, Transform::from_translation(place.cell_center(cell) - Vec3::Z)));
    }
}

fn click(
    (mouse, window): (Res<ButtonInput<MouseButton>>, Single<&Window>),
    camera: Single<(&Camera, &GlobalTransform)>,
    mut commands: Commands,
) {
    let pointer = window.cursor_position().filter(|_| mouse.just_pressed(MouseButton::Left));
    if let Some(at) = pointer.and_then(|at| camera.0.viewport_to_world_2d(camera.1, at).ok()) {
        commands.client_trigger(GoTo(at.extend(0.0)));
    }
}

/// Where a client without a window sends its unit.
#[derive(Resource)]
pub(crate) struct Errand(pub(crate) Vec3);

/// A client without a window.
pub(crate) fn walk(app: &mut App) {
    app.add_observer(send).add_systems(PostUpdate, report);
}

fn send(_: On<Add, Place>, errand: Res<Errand>, mut commands: Commands) {
    commands.client_trigger(GoTo(errand.0));
}

fn report(errand: Res<Errand>, units: Query<&Transform, With<Place>>, mut exit: MessageWriter<AppExit>) {
    for at in &units {
        println!("{} {}", at.translation.x, at.translation.y);
        if at.translation.distance(errand.0) < 0.3 {
            exit.write(AppExit::Success);
        }
    }
}
