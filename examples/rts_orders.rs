//! Orders of a strategy game: drag a box to select, right-click to send, with Shift to add the goal to the queue,
//! with A held to fight on the way; P lets the selected patrol between where they are and the pointer.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, world::Grid};

const SIZE: IVec2 = IVec2::new(48, 28);

#[derive(Component)]
pub(crate) struct Soldier;

#[derive(Component)]
pub(crate) struct Enemy;

#[derive(Component)]
pub(crate) struct Selected;

/// Pursues enemies that come near, and goes on with its orders afterwards.
#[derive(Component)]
pub(crate) struct AttackMove;

#[derive(Event, Clone, Copy)]
pub(crate) enum Order {
    /// To a point: instead of all earlier orders, or after them.
    Go { to: Vec3, is_added: bool, attacks: bool },
    /// To and fro between a point and where each is now.
    Patrol(Vec3),
}

#[derive(Event)]
pub(crate) struct BoxDrawn(pub(crate) Rect);

fn main() {
    App::new().add_plugins((DefaultPlugins, game)).add_systems(Update, input).run();
}

pub(crate) fn game(app: &mut App) {
    app.add_plugins(PathfindPlugins::default())
        .add_systems(Startup, setup)
        .add_systems(FixedUpdate, engage.before(NavSystems::World))
        .add_observer(select)
        .add_observer(give)
        .add_observer(|it: On<CaughtTarget>, mut commands: Commands| commands.entity(it.target).try_despawn())
        .add_observer(|it: On<LostTarget>, mut commands: Commands| {
            commands.entity(it.entity).remove::<Pursuer>();
        });
}

fn setup(mut commands: Commands) {
    commands.spawn((Camera2d, Transform::from_scale(Vec3::splat(0.045))));
    let rock = |cell: GridCell| (cell.x / 4 * 7 + cell.y / 3 * 5) % 11 < 2 && cell.x > 8;
    let terrain = |cell| if rock(cell) { Terrain::WALL } else { Terrain::GROUND };
    let grid = Grid::from_fn(SIZE.x as u32, SIZE.y as u32, terrain).expect("it is small");
    let square = |color, side| Sprite::from_color(color, Vec2::splat(side));
    for cell in grid.bounds().cells().filter(|&cell| rock(cell)) {
        let at = Transform::from_translation(center(cell.x, cell.y));
        commands.spawn((square(Color::srgb(0.36, 0.42, 0.5), 1.0), at));
    }
    commands.spawn((NavGrid::new(grid), Transform::from_translation((SIZE.as_vec2() / -2.0).extend(0.0))));
    for i in 0..20 {
        let at = Transform::from_translation(center(1 + i % 4, 4 + i / 4 * 4));
        let body = (Agent::new(5.0), Avoider::default(), at);
        commands.spawn((Soldier, body, square(Color::srgb(0.35, 0.84, 0.77), 0.8)));
    }
    for i in 0..5 {
        let at = Transform::from_translation(center(36 + i % 2 * 5, 2 + i * 6));
        let body = (Agent::new(2.0), Behavior::wander(), Avoider::default(), at);
        commands.spawn((Enemy, body, square(Color::srgb(1.0, 0.45, 0.4), 0.8)));
    }
}

pub(crate) fn center(x: i32, y: i32) -> Vec3 {
    (IVec2::new(x, y).as_vec2() - SIZE.as_vec2() / 2.0 + 0.5).extend(0.0)
}

fn select(drawn: On<BoxDrawn>, soldiers: Query<(Entity, &Transform), With<Soldier>>, mut commands: Commands) {
    for (soldier, at) in &soldiers {
        match drawn.0.contains(at.translation.truncate()) {
            true => commands.entity(soldier).insert(Selected),
            false => commands.entity(soldier).remove::<Selected>(),
        };
    }
}

fn give(
    order: On<Order>,
    mut selected: Query<(Entity, &Transform, Option<&mut GoalQueue>), With<Selected>>,
    mut commands: Commands,
) {
    if let Order::Go { to, is_added: false, .. } = *order {
        // They keep their arrangement.
        let soldiers: Vec<Entity> = selected.iter().map(|it| it.0).collect();
        commands.queue(Formation::as_they_stand(&soldiers, to));
    }
    for (soldier, at, queue) in &mut selected {
        let mut soldier = commands.entity(soldier);
        match (*order, queue) {
            (Order::Go { to, is_added: true, .. }, Some(mut queue)) => queue.goals.push(to.into()),
            (Order::Go { to, is_added: true, .. }, None) => _ = soldier.insert(GoalQueue::to([to])),
            (Order::Go { attacks: true, .. }, _) => _ = soldier.insert(AttackMove),
            (Order::Go { .. }, _) => _ = soldier.remove::<AttackMove>(),
            (Order::Patrol(to), _) => {
                let patrol = GoalQueue::ping_pong([to, at.translation]);
                soldier.remove::<(PathRequest, Pursuer)>().insert((patrol, AttackMove));
            }
        }
    }
}

/// Each soldier with [`AttackMove`] that pursues no enemy yet pursues the nearest one within 6 units.
fn engage(
    soldiers: Query<(Entity, &Transform, Has<Pursuer>), With<AttackMove>>,
    enemies: Query<(Entity, &Transform), With<Enemy>>,
    mut commands: Commands,
) {
    for (soldier, at, _) in soldiers.iter().filter(|it| !it.2) {
        let gap = |other: &Transform| other.translation.distance(at.translation);
        let near = enemies.iter().filter(|(_, other)| gap(other) < 6.0);
        if let Some((enemy, _)) = near.min_by(|a, b| gap(a.1).total_cmp(&gap(b.1))) {
            commands.entity(soldier).insert(Pursuer::intercept(enemy));
        }
    }
}

fn input(
    (buttons, keys): (Res<ButtonInput<MouseButton>>, Res<ButtonInput<KeyCode>>),
    (window, camera): (Single<&Window>, Single<(&Camera, &GlobalTransform)>),
    selected: Query<&Transform, With<Selected>>,
    (mut from, mut gizmos, mut commands): (Local<Vec2>, Gizmos, Commands),
) -> Result {
    selected.iter().for_each(|at| _ = gizmos.circle_2d(at.translation.truncate(), 0.7, Color::WHITE));
    let Some(pointer) = window.cursor_position() else { return Ok(()) };
    let at = camera.0.viewport_to_world_2d(camera.1, pointer)?;
    if buttons.just_pressed(MouseButton::Left) {
        *from = at;
    }
    let drawn = Rect::from_corners(*from, at);
    if buttons.pressed(MouseButton::Left) {
        gizmos.rect_2d(drawn.center(), drawn.size(), Color::WHITE);
    } else if buttons.just_released(MouseButton::Left) {
        commands.trigger(BoxDrawn(drawn));
    }
    if buttons.just_pressed(MouseButton::Right) {
        let is_added = keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
        commands.trigger(Order::Go { to: at.extend(0.0), is_added, attacks: keys.pressed(KeyCode::KeyA) });
    }
    if keys.just_pressed(KeyCode::KeyP) {
        commands.trigger(Order::Patrol(at.extend(0.0)));
    }
    Ok(())
}
