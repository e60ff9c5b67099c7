//! Behaviour trees of `bevior_tree` give the orders: guards walk from post to post, and chase a thief whom they see.
//!
//! A leaf gives an order when it begins, and takes it away when it ends. A walk is over when [`PathStatus`] says so, or
//! the thief is seen; then the tree tries its first branch again.

use bevior_tree::{node::Node, prelude::*};
use bevy::prelude::*;
use bevy_pathfind::{prelude::*, world::GridTransform};

const MAP: &str = "
..........................
....####.......######.....
....#...............#.....
....#...####....#...#.....
.......#...######...#.....";
const HIDEOUT: Vec3 = Vec3::new(-12.5, 0.0, 0.0);

#[derive(Component)]
pub(crate) struct Thief;

/// The leaves of the tree of a guard. Trees can be saved, and so can leaves.
#[derive(Debug, Clone, Copy, serde::Serialize, serde::Deserialize)]
enum Leaf {
    Chase,
    Walk(Vec3),
}

#[typetag::serde]
impl TaskDefinition for Leaf {
    fn build_event_listeners(&self) -> Vec<(TaskEvent, Box<TaskEventListener>)> {
        let leaf = *self;
        let begin = move |me: In<Entity>, thief: Single<Entity, With<Thief>>, mut commands: Commands| {
            let mut guard = commands.entity(*me);
            match leaf {
                Self::Chase => guard.insert((Pursuer::intercept(*thief), square(0.0))),
                // Until the next tick the status is that of the last walk.
                Self::Walk(post) => guard.go_to(post).insert((PathStatus::Waiting, square(210.0))),
            };
        };
        let end = |me: In<Entity>, mut commands: Commands| _ = commands.entity(*me).stop();
        let (begin, end) = (IntoSystem::into_system(begin), IntoSystem::into_system(end));
        vec![(TaskEvent::Enter, Box::new(begin)), (TaskEvent::Exit, Box::new(end))]
    }

    fn build_checker(&self) -> Box<TaskChecker> {
        let leaf = *self;
        let check = move |me: In<Entity>,
                          (nav, thief): (NavQuery, Single<&Transform, With<Thief>>),
                          guards: Query<(&Transform, &PathStatus)>| {
            let (at, status) = guards.get(*me).expect("a guard has both");
            let [at, thief] = [at.translation, thief.translation];
            match (leaf, at.distance(thief) < 7.0 && nav.sees(at, thief), status) {
                (Leaf::Walk(_), false, PathStatus::Arrived) => TaskStatus::Complete(NodeResult::Success),
                (Leaf::Walk(_), false, PathStatus::Failed(_)) => TaskStatus::Complete(NodeResult::Failure),
                (Leaf::Walk(_), false, _) | (Leaf::Chase, true, _) => TaskStatus::Running,
                _ => TaskStatus::Complete(NodeResult::Failure),
            }
        };
        Box::new(IntoSystem::into_system(check))
    }
}

fn main() {
    App::new().add_plugins((DefaultPlugins, game)).run();
}

pub(crate) fn game(app: &mut App) {
    app.add_plugins((PathfindPlugins::default(), BehaviorTreePlugin::default().in_schedule(FixedUpdate)))
        .configure_sets(FixedUpdate, BehaviorTreeSystemSet::Update.before(NavSystems::World))
        .add_systems(Startup, setup)
        .add_observer(|caught: On<CaughtBy>, mut commands: Commands| {
            commands.entity(caught.entity).teleport_to(HIDEOUT);
        });
}

fn square(hue: f32) -> Sprite {
    Sprite::from_color(Color::hsl(hue, 0.8, 0.65), Vec2::splat(0.7))
}

fn setup(mut commands: Commands, mut trees: ResMut<Assets<BehaviorTreeRoot>>) -> Result {
    commands.spawn((Camera2d, Transform::from_scale(Vec3::splat(0.022))));
    let grid = NavGrid::from_ascii(MAP)?.centered();
    let place = GridTransform::new(&grid, Transform::IDENTITY);
    for cell in grid.bounds().cells().filter(|&cell| !grid.is_walkable(KindId::default(), cell)) {
        let at = Transform::from_translation(place.cell_center(cell));
        commands.spawn((Sprite::from_color(Color::srgb(0.36, 0.42, 0.5), Vec2::ONE), at));
    }
    commands.spawn(grid);
    let center = |(x, y)| place.cell_center(GridCell::new(x, y));
    let body = |speed, at, hue| (Agent::new(speed), Transform::from_translation(at), square(hue));
    let rounds = [(24, 0), (24, 4), (8, 4), (3, 0)].map(center);
    commands.spawn((Thief, GoalQueue::looped(rounds), body(3.5, HIDEOUT, 50.0)));
    for posts in [[(5, 3), (18, 3)], [(6, 4), (6, 0)], [(22, 1), (10, 1)]].map(|posts| posts.map(center)) {
        let leaf = |leaf| -> Box<dyn Node> { Box::new(TaskBridge::new(Box::new(leaf))) };
        let patrol = Sequence::new(posts.map(|post| leaf(Leaf::Walk(post))).into());
        let tree = InfiniteLoop::new(Selector::new(vec![leaf(Leaf::Chase), Box::new(patrol)]));
        commands.spawn((BehaviorTree::from_node(tree, &mut trees), body(4.0, posts[0], 210.0)));
    }
    Ok(())
}
