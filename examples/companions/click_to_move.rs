//! Click to move, with `bevy_enhanced_input`: orders are actions, and which keys and buttons give them is data.
//!
//! A click sends the unit, with Shift it adds a goal to those before, X stops the unit, and WASD moves the camera.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_enhanced_input::prelude::*;
use bevy_pathfind::{prelude::*, world::GridTransform};

const MAP: &str = "
....................
.....#..............
.....#.....#######..
.....#...........#..
.....#######.....#..
....................";

/// The unit that the player commands: its entity has the actions, and gets their events.
#[derive(Component)]
pub(crate) struct Unit;

#[derive(InputAction)]
#[action_output(bool)]
pub(crate) struct Go;

#[derive(InputAction)]
#[action_output(bool)]
pub(crate) struct GoThen;

#[derive(InputAction)]
#[action_output(bool)]
pub(crate) struct Stop;

#[derive(InputAction)]
#[action_output(Vec2)]
pub(crate) struct Pan;

fn main() {
    App::new().add_plugins((DefaultPlugins, game)).run();
}

pub(crate) fn game(app: &mut App) {
    app.add_plugins((EnhancedInputPlugin, PathfindPlugins::default()))
        .insert_resource(NavGizmos { paths: true, targets: true, ..default() })
        .add_input_context::<Unit>()
        .add_systems(Startup, setup)
        .add_observer(|order: On<Start<Go>>, ground: UnderPointer, mut commands: Commands| {
            let Some(goal) = ground.get() else { return };
            commands.entity(order.context).go_to(goal);
        })
        .add_observer(|order: On<Start<GoThen>>, ground: UnderPointer, mut commands: Commands| {
            let Some(goal) = ground.get() else { return };
            let mut unit = commands.entity(order.context);
            unit.entry::<GoalQueue>().or_default().and_modify(move |mut it| it.goals.push(goal.into()));
        })
        .add_observer(|order: On<Start<Stop>>, mut commands: Commands| {
            commands.entity(order.context).stop();
        })
        .add_observer(|pan: On<Fire<Pan>>, mut camera: Single<&mut Transform, With<Camera>>| {
            camera.translation += pan.value.extend(0.0);
        });
}

/// The point of the ground under the pointer.
#[derive(SystemParam)]
struct UnderPointer<'w, 's> {
    window: Single<'w, 's, &'static Window>,
    camera: Single<'w, 's, (&'static Camera, &'static GlobalTransform)>,
    nav: NavQuery<'w, 's>,
}

impl UnderPointer<'_, '_> {
    fn get(&self) -> Option<Vec3> {
        let ray = self.camera.0.viewport_to_world(self.camera.1, self.window.cursor_position()?).ok()?;
        self.nav.hit(ray).map(|hit| hit.point)
    }
}

fn setup(mut commands: Commands) {
    commands.spawn(Camera2d);
    let grid = NavGrid::from_ascii(MAP).expect("the map is sound").with_cell_size(48.0).centered();
    let place = GridTransform::new(&grid, Transform::IDENTITY);
    let tile =
        |at, tint, side| (Transform::from_translation(at), Sprite::from_color(tint, Vec2::splat(side)));
    for cell in grid.bounds().cells() {
        let shade = if grid.is_walkable(KindId::default(), cell) { 0.2 } else { 0.4 };
        commands.spawn(tile(place.cell_center(cell) - Vec3::Z, Color::hsl(215.0, 0.2, shade), 46.0));
    }
    commands.spawn(grid);
    let only = ActionSettings { consume_input: true, ..default() }; // else the click would be a `Go` as well
    let controls = actions!(Unit[
        (Action::<GoThen>::new(), only, bindings![MouseButton::Left.with_mod_keys(ModKeys::SHIFT)]),
        (Action::<Go>::new(), bindings![MouseButton::Left]),
        (Action::<Stop>::new(), bindings![KeyCode::KeyX]),
        (Action::<Pan>::new(), DeltaScale::AUTO, Scale::splat(400.0), Bindings::spawn(Cardinal::wasd_keys())),
    ]);
    let unit = (Unit, Agent::new(240.0).with_radius(16.0), InterpolateTransform::default());
    commands.spawn((unit, tile(Vec3::new(-456.0, 24.0, 0.0), Color::srgb(1.0, 0.8, 0.4), 24.0), controls));
}
