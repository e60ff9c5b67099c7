//! Steering behaviours of a game's own: leaves drift with a wind that turns, and walkers queue before a
//! door. Both are blended with avoidance, and the panel (F2) names them.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, world::Grid};

/// The name of a behaviour, for the panel.
pub(crate) const QUEUE: &str = "the queue before the door";

#[derive(Component)]
pub(crate) struct Leaf;

fn main() {
    App::new().add_plugins((DefaultPlugins, NavPanelPlugin::default(), game)).run();
}

pub(crate) fn game(app: &mut App) {
    app.add_plugins(PathfindPlugins::default())
        .add_systems(Startup, setup)
        .adjust_steering(QUEUE, queue)
        .adjust_steering("the wind", drift);
}

fn setup(mut commands: Commands) {
    commands.spawn((Camera2d, Transform::from_scale(Vec3::splat(0.05))));
    let wall = |cell: GridCell| if cell.x == 20 && cell.y != 12 { Terrain::WALL } else { Terrain::GROUND };
    let grid = Grid::from_fn(41, 25, wall).expect("it is small");
    for y in [-6.5, 6.5] {
        let look = Sprite::from_color(Color::srgb(0.4, 0.45, 0.5), Vec2::new(1.0, 12.0));
        commands.spawn((look, Transform::from_xyz(0.0, y, 0.0)));
    }
    commands.spawn((NavGrid::new(grid), Transform::from_xyz(-20.5, -12.5, 0.0)));
    for i in 0..24 {
        let at = Transform::from_xyz(-18.0 + (i % 4) as f32 * 2.0, (i / 4) as f32 * 3.0 - 8.0, 0.0);
        let order = PathRequest::to(Vec3::new(15.0, at.translation.y, 0.0));
        let look = Sprite::from_color(Color::hsl(200.0 + i as f32 * 6.0, 0.7, 0.6), Vec2::splat(0.8));
        commands.spawn((Agent::new(4.0), Avoider::default(), order, look, at));
        let look = Sprite::from_color(Color::srgb(0.9, 0.6, 0.2), Vec2::splat(0.4));
        commands.spawn((Leaf, Airborne, Agent::new(6.0), look, at.with_scale(Vec3::splat(0.8))));
    }
}

/// The wind blows round in a circle every ten seconds.
fn drift(me: In<SteeringId>, time: Res<Time>, mut leaves: Query<SteeringGoal, With<Leaf>>) {
    let wind = Vec2::from_angle(time.elapsed_secs() * core::f32::consts::TAU / 10.0).extend(0.0) * 3.0;
    leaves.iter_mut().for_each(|mut goal| goal.adjust(*me, |velocity| velocity + wind));
}

/// Near the door, which is at the origin, an agent waits while another one is close ahead of it.
fn queue(me: In<SteeringId>, mut walkers: Query<(&Transform, SteeringGoal), Without<Leaf>>) {
    let all: Vec<Vec3> = walkers.iter().map(|(at, _)| at.translation).filter(|at| at.x < 0.0).collect();
    for (&Transform { translation: at, .. }, mut goal) in &mut walkers {
        let is_before = |other: &&Vec3| other.length() < at.length() && other.distance(at) < 1.2;
        if at.x < 0.0 && at.length() < 8.0 && all.iter().any(|other| is_before(&other)) {
            goal.adjust(*me, |_| Vec3::ZERO);
        }
    }
}
