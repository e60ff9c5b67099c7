//! Flow fields and their followers.

use bevy::prelude::*;
use bevy_pathfind::{
    order::{DistanceField, FlowFieldValues},
    prelude::*,
    solve::SolveMode,
};
use pathfind_core::StepRules;

use crate::support::*;

/// Two paths round a wall; the upper one is shorter from the left.
const MAP: &str = "\
...........
....#......
....#......
....#......
....#......
...........
...........
...........";

#[derive(Resource, Default)]
struct Arrivals(Vec<AgentArrived>);

fn field_app(mode: SolveMode) -> App {
    let mut app = app(mode);
    app.init_resource::<Arrivals>();
    app.add_observer(|event: On<AgentArrived>, mut arrivals: ResMut<Arrivals>| {
        arrivals.0.push(event.event().clone());
    });
    app
}

fn arrivals(app: &App) -> usize {
    app.world().resource::<Arrivals>().0.len()
}

fn values(app: &App, field: Entity) -> &FlowFieldValues {
    app.world().get::<FlowFieldValues>(field).expect("it comes with the field")
}

fn spawn_follower(app: &mut App, field: Entity, cell: (i32, i32)) -> Entity {
    spawn_with(app, cell, (Agent::new(4.0), FollowField(field)))
}

#[test]
fn followers_come_to_the_goal_and_are_told_once() {
    for mode in [SolveMode::Inline, SolveMode::Background] {
        let mut app = field_app(mode);
        let nav = spawn_grid(&mut app, grid(MAP));
        let field = app.world_mut().spawn(FlowField::to(at((9, 2)))).id();
        let followers: Vec<Entity> = (0..8).map(|y| spawn_follower(&mut app, field, (0, y))).collect();
        until(&mut app, "all are there", |app| {
            assert!(followers.iter().all(|&follower| stands_free(app, nav, follower)));
            arrivals(app) == followers.len()
        });
        ticks(&mut app, 128);
        assert_eq!(arrivals(&app), followers.len(), "each is told once");
        followers.into_iter().for_each(|follower| stands_at(&app, follower, (9, 2), 0.6));
    }
}

#[test]
fn a_field_follows_edits_and_goals_that_move() {
    for mode in [SolveMode::Inline, SolveMode::Background] {
        let mut app = field_app(mode);
        let nav = spawn_grid(&mut app, grid(MAP));
        let goal = app.world_mut().spawn(Transform::from_translation(at((9, 2)))).id();
        let field = app.world_mut().spawn(FlowField::to(goal)).id();
        let from = GridCell::new(0, 2);
        let check = |app: &App, what: &str| {
            let (map, cell) =
                (nav_grid(app, nav).grid(), GridCell::containing(position(app, goal).truncate()));
            let mut scratch = pathfind_core::SearchScratch::default();
            let fresh =
                DistanceField::new(map, KindId::default(), StepRules::default(), &[cell], &mut scratch);
            assert_eq!(values(app, field).field(), fresh.ok().as_ref(), "{what}");
        };
        until(&mut app, "the field is made", |app| values(app, field).field().is_some());
        check(&app, "the first");
        let first = values(&app, field).distance(from).expect("a path leads there");
        edit(&mut app, nav, (4, 0), Terrain::WALL);
        until(&mut app, "the way is longer", |app| values(app, field).distance(from) > Some(first));
        check(&app, "after an edit");
        app.world_mut().get_mut::<Transform>(goal).expect("it is there").translation = at((2, 2));
        until(&mut app, "the goal is near", |app| values(app, field).distance(from) == Some(2.0));
        check(&app, "after a move");
        assert_eq!(values(&app, field).grid(), Some(nav));
        // Two fields take turns: each repair begins with the field before the last repair.
        let edits = [((6, 2), Terrain::WALL), ((7, 3), Terrain::WALL), ((6, 2), Terrain::GROUND)];
        for (cell, terrain) in edits.into_iter().chain([((5, 6), Terrain::WALL), ((7, 3), Terrain::GROUND)]) {
            edit(&mut app, nav, cell, terrain);
            until(&mut app, "the field is repaired", |app| {
                let now = nav_grid(app, nav).grid().revision();
                values(app, field).field().is_some_and(|field| field.revision() == now)
            });
            check(&app, "after one of several edits");
        }
    }
}

/// The grid keeps its revision when a goal moves: agents must notice the new field all the same.
#[test]
fn followers_under_way_notice_that_the_goal_has_moved() {
    for moved_to in [12, 2] {
        let mut app = field_app(SolveMode::Inline);
        spawn_grid(&mut app, grid(&".".repeat(40)));
        let goal = app.world_mut().spawn(Transform::from_translation(at((35, 0)))).id();
        let field = app.world_mut().spawn(FlowField::to(goal)).id();
        let follower = spawn_follower(&mut app, field, (0, 0));
        until(&mut app, "the agent is under way", |app| position(app, follower).x > 10.2);
        app.world_mut().get_mut::<Transform>(goal).expect("it is there").translation = at((moved_to, 0));
        let mut farthest = 0.0_f32;
        until(&mut app, "the agent is at the goal", |app| {
            farthest = farthest.max(position(app, follower).x);
            arrivals(app) == 1
        });
        ticks(&mut app, 64);
        stands_at(&app, follower, (moved_to, 0), 0.6);
        let most = if moved_to > 10 { 13.0 } else { 11.6 };
        assert!(farthest < most, "it turns at once, not at {farthest}");
    }
}

#[test]
fn of_several_goals_each_agent_goes_to_the_nearest() {
    let mut app = field_app(SolveMode::Inline);
    spawn_grid(&mut app, grid(MAP));
    let goals = vec![at((0, 7)).into(), NavGoal::within(at((10, 0)), 1.0)];
    let field = app.world_mut().spawn(FlowField { goals, ..default() }).id();
    let [left, right] = [(1, 3), (8, 3)].map(|cell| spawn_follower(&mut app, field, cell));
    until(&mut app, "both are there", |app| arrivals(app) == 2);
    stands_at(&app, left, (0, 7), 1.0);
    stands_at(&app, right, (10, 0), 2.0);
}

#[test]
fn without_a_field_no_agent_moves_and_nothing_panics() {
    let mut app = field_app(SolveMode::Inline);
    let nav = spawn_grid(&mut app, grid(MAP));
    let field = app.world_mut().spawn(FlowField::to(at((9, 2)))).id();
    let follower = spawn_follower(&mut app, field, (0, 2));
    ticks(&mut app, 8);
    assert!(position(&app, follower).x > at((0, 2)).x, "it has set out");
    app.world_mut().despawn(field);
    ticks(&mut app, 64);
    let rests = position(&app, follower);
    ticks(&mut app, 32);
    assert_eq!(position(&app, follower), rests, "its field is gone");

    let wrong = [
        (FlowField { goals: vec![], ..default() }, PathError::InvalidQuery),
        (FlowField::to(Vec3::NAN), PathError::NotFinite),
        (FlowField::to(at((4, 2))), PathError::GoalBlocked(IVec2::new(4, 2))),
        (FlowField::to(at((40, 2))), PathError::GoalOutside(IVec2::new(40, 2))),
        (FlowField::to(field), PathError::TargetGone),
        (FlowField::to(at((9, 2))).with_kind(KindId(7)), PathError::UnknownKind(7)),
    ];
    for (bad, error) in wrong {
        let bad = app.world_mut().spawn(bad).id();
        ticks(&mut app, 2);
        assert_eq!(values(&app, bad).error(), Some(error));
        assert!(values(&app, bad).field().is_none());
    }

    // An attempt that failed is not repeated, and not lost: it succeeds once the wall is gone.
    let blocked = app.world_mut().spawn(FlowField::to(at((4, 2)))).id();
    ticks(&mut app, 2);
    let changed =
        |app: &App| app.world().entity(blocked).get_change_ticks::<FlowFieldValues>().map(|it| it.changed);
    let seen = changed(&app);
    ticks(&mut app, 4);
    assert_eq!(changed(&app), seen, "nothing is tried while nothing changes");
    edit(&mut app, nav, (4, 2), Terrain::GROUND);
    ticks(&mut app, 2);
    assert_eq!(values(&app, blocked).error(), None);
    assert_eq!(values(&app, blocked).distance(GridCell::new(4, 2)), Some(0.0));

    let kept = app.world_mut().spawn(FlowField::to(at((9, 2)))).id();
    ticks(&mut app, 2);
    assert_eq!(values(&app, kept).error(), None);
    app.world_mut().despawn(nav);
    ticks(&mut app, 2);
    assert_eq!(values(&app, kept).error(), Some(PathError::NoGrid), "its grid is gone");
}

/// Only few have room on the goal: the others do not press on them for ever.
#[test]
fn a_crowd_of_followers_comes_to_rest_round_the_goal_and_moves_on_with_it() {
    for avoider in [Avoider::contact(), Avoider::default()] {
        let mut app = field_app(SolveMode::Inline);
        let nav = spawn_grid(&mut app, open(30, 20));
        let goal = app.world_mut().spawn(Transform::from_translation(at((9, 9)))).id();
        let field = app.world_mut().spawn(FlowField::to(goal)).id();
        let followers: Vec<Entity> = (0..24)
            .map(|i| {
                let follower = spawn_follower(&mut app, field, (2 + i % 6 * 3, 2 + i / 6 * 4));
                app.world_mut().entity_mut(follower).insert(avoider);
                follower
            })
            .collect();
        for cell in [(9, 9), (22, 12)] {
            app.world_mut().get_mut::<Transform>(goal).unwrap().translation = at(cell);
            ticks(&mut app, 64 * 12);
            assert!(arrivals(&app) > 0);
            let before: Vec<_> = followers.iter().map(|&follower| position(&app, follower)).collect();
            ticks(&mut app, 64 * 2);
            for (&follower, before) in followers.iter().zip(before) {
                let (now, off) = (position(&app, follower), position(&app, follower).distance(at(cell)));
                assert!(now.distance(before) < 0.01, "it stands, and went from {before} to {now}");
                assert!(off < 5.0, "it is {off} from the goal");
            }
        }
        // One that is pushed out comes back.
        let thrown = followers[0];
        app.world_mut().get_mut::<Transform>(thrown).unwrap().translation = at((15, 3));
        ticks(&mut app, 64 * 5);
        assert!(position(&app, thrown).distance(at((22, 12))) < 5.0, "it is at {}", position(&app, thrown));
        // Those at the goal leave: others take their places, and are told.
        let told = arrivals(&app);
        let stand_on_goal = |app: &App, follower: Entity| {
            GridCell::containing(position(app, follower).truncate()) == GridCell::new(22, 12)
        };
        let gone: Vec<_> = followers.iter().copied().filter(|&it| stand_on_goal(&app, it)).collect();
        assert!(!gone.is_empty());
        gone.iter().for_each(|&follower| _ = app.world_mut().despawn(follower));
        ticks(&mut app, 64 * 3);
        assert!(arrivals(&app) > told, "the place on the goal is taken again");
        assert!(followers.iter().filter(|it| !gone.contains(it)).all(|&it| stands_free(&app, nav, it)));
    }
}
