//! Pause and plan: while the game is paused (Space), orders are answered, so that the new paths can be seen and
//! changed. A click adds a goal to the queue of the unit nearest to it; a right click builds a wall, and paths lead
//! round it.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, world::Grid};

/// A point that was clicked, and whether a wall is asked for there instead of a goal.
#[derive(Event)]
pub(crate) struct Plan(pub(crate) Vec3, pub(crate) bool);

fn main() {
    App::new().add_plugins((DefaultPlugins, game)).add_systems(Update, input).run();
}

pub(crate) fn game(app: &mut App) {
    app.add_plugins(PathfindPlugins::default())
        .insert_resource(NavGizmos { grid: true, paths: true, agents: true, ..default() })
        .add_systems(Startup, setup)
        .add_observer(plan);
}

fn setup(mut commands: Commands, mut time: ResMut<Time<Virtual>>) {
    commands.spawn((Camera2d, Transform::from_xyz(18.0, 10.0, 0.0).with_scale(Vec3::splat(0.03))));
    commands.spawn(NavGrid::new(Grid::new(36, 20).expect("it is small")));
    for y in [4.5, 10.5, 16.5] {
        commands.spawn((Agent::new(4.0), GoalQueue::default(), Transform::from_xyz(2.5, y, 0.0)));
    }
    time.pause();
}

fn plan(
    plan: On<Plan>,
    mut units: Query<(&Transform, &mut GoalQueue)>,
    mut nav: Single<&mut NavGrid>,
) -> Result {
    let &Plan(at, is_wall) = plan.event();
    let gap = |unit: &Transform| unit.translation.distance(at);
    if is_wall {
        nav.set(GridCell::containing(at.truncate()), Terrain::WALL)?;
    } else if let Some((_, mut queue)) = units.iter_mut().min_by(|a, b| gap(a.0).total_cmp(&gap(b.0))) {
        queue.goals.push(at.into());
    }
    Ok(())
}

fn input(
    (buttons, keys): (Res<ButtonInput<MouseButton>>, Res<ButtonInput<KeyCode>>),
    (window, camera): (Single<&Window>, Single<(&Camera, &GlobalTransform)>),
    (mut time, mut commands): (ResMut<Time<Virtual>>, Commands),
) -> Result {
    if keys.just_pressed(KeyCode::Space) {
        if time.is_paused() { time.unpause() } else { time.pause() }
    }
    let Some(pointer) = window.cursor_position() else { return Ok(()) };
    let at = camera.0.viewport_to_world_2d(camera.1, pointer)?.extend(0.0);
    if buttons.any_just_pressed([MouseButton::Left, MouseButton::Right]) {
        commands.trigger(Plan(at, buttons.just_pressed(MouseButton::Right)));
    }
    Ok(())
}
