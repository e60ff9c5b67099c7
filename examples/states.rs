//! A menu, play and pause as Bevy states: in the menu the plugin's stages are switched off, in a pause orders are
//! still answered and nothing moves. Enter begins, P pauses, Escape ends the round.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, world::Grid};

#[derive(States, Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) enum Phase {
    #[default]
    Menu,
    Play,
    Pause,
}

fn main() {
    App::new().add_plugins((DefaultPlugins, game)).add_systems(Update, keys).run();
}

pub(crate) fn game(app: &mut App) {
    app.add_plugins(PathfindPlugins::default())
        .init_state::<Phase>()
        .add_systems(Startup, |mut commands: Commands| {
            commands.spawn((Camera2d, Transform::from_scale(Vec3::splat(0.04))));
        })
        .add_systems(OnExit(Phase::Menu), begin)
        .add_systems(OnEnter(Phase::Menu), open_menu)
        .add_systems(OnEnter(Phase::Pause), |mut time: ResMut<Time<Virtual>>| time.pause())
        .add_systems(OnExit(Phase::Pause), |mut time: ResMut<Time<Virtual>>| time.unpause());
    // In the menu no stage runs: neither in ticks nor, while time stands still, between them.
    for stage in
        [NavSystems::World, NavSystems::Request, NavSystems::Solve, NavSystems::Steer, NavSystems::Motion]
    {
        app.configure_sets(FixedUpdate, stage.run_if(not(in_state(Phase::Menu))))
            .configure_sets(RunFixedMainLoop, stage.run_if(not(in_state(Phase::Menu))));
    }
}

/// Everything that belongs to a round.
#[derive(Component)]
pub(crate) struct Round;

fn begin(mut commands: Commands) {
    let wall =
        |cell: GridCell| if cell.x % 7 == 3 && cell.y % 8 != 0 { Terrain::WALL } else { Terrain::GROUND };
    let grid = Grid::from_fn(40, 24, wall).expect("it is small");
    let corner = Vec3::new(-20.0, -12.0, 0.0);
    for cell in grid.bounds().cells().filter(|&cell| wall(cell) == Terrain::WALL) {
        let at = corner + Vec3::new(cell.x as f32 + 0.5, cell.y as f32 + 0.5, 0.0);
        commands.spawn((
            Round,
            Sprite::from_color(Color::srgb(0.36, 0.42, 0.5), Vec2::ONE),
            Transform::from_translation(at),
        ));
    }
    commands.spawn((Round, NavGrid::new(grid), Transform::from_translation(corner)));
    for i in 0..12 {
        let (from, to) =
            (Vec3::new(0.5, i as f32 * 2.0 + 0.5, 0.0), Vec3::new(39.5, 23.5 - i as f32 * 2.0, 0.0));
        let look = Sprite::from_color(Color::hsl(i as f32 * 30.0, 0.7, 0.6), Vec2::splat(0.8));
        let queue = GoalQueue::ping_pong([corner + to, corner + from]);
        let body = (Agent::new(5.0), Avoider::default(), Transform::from_translation(corner + from));
        commands.spawn((Round, body, queue, look));
    }
}

/// Ends the round, if there was one, and shows the keys.
fn open_menu(round: Query<Entity, With<Round>>, mut commands: Commands) {
    commands.spawn((Text::new("Enter: begin   P: pause   Escape: back"), DespawnOnExit(Phase::Menu)));
    round.iter().for_each(|entity| commands.entity(entity).despawn());
}

fn keys(keys: Res<ButtonInput<KeyCode>>, phase: Res<State<Phase>>, mut next: ResMut<NextState<Phase>>) {
    match phase.get() {
        Phase::Menu if keys.just_pressed(KeyCode::Enter) => next.set(Phase::Play),
        Phase::Play if keys.just_pressed(KeyCode::KeyP) => next.set(Phase::Pause),
        Phase::Pause if keys.just_pressed(KeyCode::KeyP) => next.set(Phase::Play),
        Phase::Play | Phase::Pause if keys.just_pressed(KeyCode::Escape) => next.set(Phase::Menu),
        _ => (),
    }
}
