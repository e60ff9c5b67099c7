//! Pursuit: catches, aim points, and events.

use bevy::math::ops;
use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    steer::{PursuitAim, PursuitMode, UncatchablePolicy},
    world::{Grid, GridTransform, TerrainSpeed},
};
use pathfind_core::{CornerRule as Rule, line_of_sight};

use crate::fixture::*;
use crate::support::{at, grid, order, position, spawn_grid, stats, ticks};

fn prey(app: &mut App, at: Vec3, velocity: Vec3) -> Entity {
    let body = Agent { radius: 0.1, acceleration: f32::INFINITY, ..Agent::new(20.0) };
    spawn(app, (body, ManualVelocity(velocity), Transform::from_translation(at)))
}

fn hunter(app: &mut App, at: Vec3, speed: f32, pursuer: Pursuer) -> Entity {
    let body = Agent { radius: 0.1, ..Agent::new(speed) };
    spawn(app, (body, pursuer.with_catch_radius(0.3), Transform::from_translation(at)))
}

fn is_caught(app: &App, hunter: Entity) -> bool {
    count_steering(app, &SteeringEvent::Caught(hunter)) > 0
}

fn aim(app: &App, hunter: Entity) -> Vec3 {
    app.world().get::<PursuitAim>(hunter).unwrap().point
}

#[test]
fn crossing_prey_is_caught_only_by_intercept() {
    for (speed, by_mode) in [(3.0, [false, false, true, true]), (6.0, [true; 4])] {
        for (&mode, caught) in PursuitMode::ALL.iter().zip(by_mode) {
            let mut app = app();
            let prey = prey(&mut app, Vec3::ZERO, Vec3::X * 4.0);
            let hunter = hunter(&mut app, Vec3::new(10.0, -6.0, 0.0), speed, Pursuer::new(prey, mode));
            ticks(&mut app, 64 * 10);
            assert_eq!(is_caught(&app, hunter), caught, "{mode:?} at speed {speed}");
        }
    }
}

#[test]
fn each_policy_for_too_fast_prey_behaves_as_documented() {
    use UncatchablePolicy::{GiveUp, Hold, LeastMiss, LineOfSight};
    for (policy, stands, says) in
        [(LeastMiss, false, 0), (LineOfSight, false, 0), (Hold, true, 0), (GiveUp, true, 1)]
    {
        let mut app = app();
        let prey = prey(&mut app, Vec3::X * 5.0, Vec3::X * 8.0);
        let hunter = hunter(&mut app, Vec3::ZERO, 4.0, Pursuer::intercept(prey).with_uncatchable(policy));
        ticks(&mut app, 128);
        assert_eq!(velocity(&app, hunter).length() < 1e-3, stands, "{policy:?} stands or runs");
        let told = |app: &App| count_steering(app, &SteeringEvent::Abandoned(hunter));
        assert_eq!(told(&app), says, "{policy:?} tells of it once or never");
        // The prey stops, so it can be caught; then it flees again, and cannot be.
        app.world_mut().entity_mut(prey).insert(ManualVelocity(Vec3::ZERO));
        ticks(&mut app, 64);
        assert!(velocity(&app, hunter).x > 1.0, "{policy:?} runs when there is hope");
        app.world_mut().entity_mut(prey).insert(ManualVelocity(Vec3::X * 8.0));
        ticks(&mut app, 64);
        assert_eq!(told(&app), 2 * says, "{policy:?} tells of it anew");
    }
}

#[test]
fn a_catch_is_sent_at_the_catch_radius() {
    let mut app = app();
    let prey = spawn(&mut app, (Agent::default(), place(10.0, 0.0)));
    let pursuer = Pursuer::intercept(prey).with_catch_radius(3.0);
    let hunter = spawn(&mut app, (Agent::default(), pursuer, place(0.0, 0.0)));
    while steering_events(&app).is_empty() && position(&app, hunter).x < 10.0 {
        ticks(&mut app, 1);
    }
    let gap = 10.0 - position(&app, hunter).x;
    assert_eq!(count_steering(&app, &SteeringEvent::Caught(hunter)), 1);
    assert!((3.0 - 2.0 * 5.0 / 64.0..=3.0).contains(&gap), "three units before it: {gap}");
}

#[test]
fn a_pursuer_respects_its_turn_rate() {
    let mut app = app();
    let prey = spawn(&mut app, place(12.0, 0.0));
    let rate = 2.0;
    let pursuer = Pursuer::line_of_sight(prey).with_turn_rate(rate);
    let hunter = spawn(&mut app, (Agent::new(4.0), pursuer, place(0.0, 0.0)));
    ticks(&mut app, 64);
    put(&mut app, prey, Vec3::new(-20.0, 1.0, 0.0));
    let mut turned = 0.0;
    for _ in 0..150 {
        let before = velocity(&app, hunter);
        ticks(&mut app, 1);
        let angle = before.angle_between(velocity(&app, hunter));
        assert!(angle <= rate / 64.0 + 1e-3, "a tick turns it by {angle}");
        turned += angle;
    }
    assert!(turned > 3.0, "it turns about: {turned}");
}

#[test]
fn bodies_face_their_direction_of_motion() {
    let sides =
        [(AgentFacing::Right, Vec3::X), (AgentFacing::Up, Vec3::Y), (AgentFacing::Forward, Vec3::NEG_Z)];
    for (facing, side) in sides {
        let mut app = app();
        let to_ground = |x: f32, y: f32| {
            if facing == AgentFacing::Forward { Vec3::new(x, 0.0, y) } else { Vec3::new(x, y, 0.0) }
        };
        for way in [(9.0, 2.0), (-9.0, 1.0), (3.0, -9.0), (-3.0, 9.0)] {
            let prey = spawn(&mut app, Transform::from_translation(to_ground(way.0, way.1)));
            let body = Agent::default().with_facing(facing);
            let hunter = spawn(&mut app, (body, Pursuer::line_of_sight(prey), Transform::IDENTITY));
            ticks(&mut app, 64);
            let rotation = app.world().get::<Transform>(hunter).unwrap().rotation;
            let ahead = velocity(&app, hunter).normalize();
            assert!((rotation * side).distance(ahead) < 0.02, "{facing:?} looks along {ahead}");
            app.world_mut().despawn(hunter);
        }
    }
}

const COURT: &str = "
....................
....................
............#.......
............#.......
............#.......
............#.......
............#.......
............#.......
............#.......
....................";

#[test]
fn an_aim_behind_a_wall_is_moved_into_line_of_sight() {
    for (start, way) in [((2.5, 2.5), Vec3::new(6.0, 0.0, 0.0)), ((6.5, 7.5), Vec3::new(3.0, -3.0, 0.0))] {
        let mut app = app();
        let court = grid(COURT.trim_start());
        spawn_grid(&mut app, court.clone());
        let prey = prey(&mut app, Vec3::new(5.5, 4.5, 0.0), way);
        let hunter = hunter(&mut app, Vec3::new(start.0, start.1, 0.0), 5.0, Pursuer::intercept(prey));
        for tick in 0..64 * 4 {
            // The prey runs straight on, into the wall.
            let before = position(&app, hunter).truncate();
            ticks(&mut app, 1);
            let aim = aim(&app, hunter).truncate();
            let here = position(&app, hunter).truncate();
            let seen = line_of_sight(&court, KindId::default(), Rule::Never, before, aim);
            assert!(seen, "from {before} it sees its aim {aim}, tick {tick}");
            assert!(
                court.is_walkable(KindId::default(), GridCell::containing(here)),
                "it is in no wall: {here}"
            );
        }
        assert!(is_caught(&app, hunter), "it catches the prey at the wall");
    }
}

#[test]
fn a_hunt_in_a_maze_takes_few_searches() {
    let mut app = app();
    let maze = Grid::from_fn(41, 41, |cell| {
        let is_gap = (cell.y == 1 && cell.x % 8 == 4) || (cell.y == 39 && cell.x % 8 == 0);
        if cell.x % 4 == 0 && !is_gap { Terrain::WALL } else { Terrain::GROUND }
    });
    spawn_grid(&mut app, maze.unwrap());
    let prey = prey(&mut app, at((38, 20)), Vec3::Y * 1.0);
    let hunter = hunter(&mut app, at((2, 20)), 5.0, Pursuer::intercept(prey));
    ticks(&mut app, 64 * 10);
    let searches = stats(&app).finished;
    assert!((1..=6).contains(&searches), "ten cells of flight out of sight took {searches} searches");
    assert!(position(&app, hunter).distance(at((2, 20))) > 10.0, "it is on its way");
}

#[test]
fn despawned_prey_is_reported_once_and_the_pursuer_stops() {
    let mut app = app();
    let prey = prey(&mut app, Vec3::X * 30.0, Vec3::ZERO);
    let hunter = hunter(&mut app, Vec3::ZERO, 4.0, Pursuer::intercept(prey));
    ticks(&mut app, 30);
    app.world_mut().despawn(prey);
    ticks(&mut app, 100);
    assert_eq!(steering_events(&app), [SteeringEvent::Lost(hunter)]);
    assert_eq!(velocity(&app, hunter), Vec3::ZERO);
}

#[test]
fn teleported_prey_has_no_velocity_from_it() {
    let mut app = app();
    let prey = spawn(&mut app, place(20.0, 0.0));
    let hunter = hunter(&mut app, Vec3::ZERO, 2.0, Pursuer::intercept(prey));
    for leap in 0..10 {
        let there = Vec3::new(20.0 + 7.0 * leap as f32, (leap % 2 * 30) as f32, 0.0);
        put(&mut app, prey, there);
        for _ in 0..10 {
            ticks(&mut app, 1);
            let aim = aim(&app, hunter);
            assert!(aim.distance(there) < 0.01, "it aims at where the prey is, {there}, not at {aim}");
        }
    }
}

#[test]
fn lead_does_not_depend_on_the_cell_size() {
    let lead = |scale: f32| {
        let mut app = app();
        let body = Agent { radius: 0.1 * scale, ..Agent::new(8.0 * scale) };
        let prey = spawn(&mut app, (body, ManualVelocity(Vec3::X * 4.0 * scale), Transform::IDENTITY));
        let pursuer = Pursuer::intercept(prey).with_catch_radius(0.3 * scale);
        let at = place(10.0 * scale, -6.0 * scale);
        let body = Agent { radius: 0.1 * scale, ..Agent::new(3.0 * scale) };
        let hunter = spawn(&mut app, (body, pursuer, at));
        ticks(&mut app, 32);
        aim(&app, hunter).distance(position(&app, prey)) / scale
    };
    let (small, large) = (lead(1.0), lead(64.0));
    assert!(small > 2.0, "prey that crosses is led: {small}");
    assert!((large - small).abs() < 0.05, "64 times as large, 64 times as fast: {large}, not {small}");
}

#[test]
fn on_xy_and_on_xz_the_hunt_is_the_same() {
    let run = |plane: GridPlane| -> Vec<Vec2> {
        let mut app = app();
        let nav = spawn(&mut app, NavGrid::new(grid(COURT.trim_start())).with_plane(plane));
        ticks(&mut app, 1);
        let ground = *app.world().get::<GridTransform>(nav).unwrap();
        let stand = |x: f32, y: f32| Transform::from_translation(ground.to_world(Vec2::new(x, y), 0.0));
        let prey = spawn(&mut app, (Agent::default(), stand(17.5, 5.5)));
        let away = ground.to_world(Vec2::new(0.0, 1.5), 0.0) - ground.to_world(Vec2::ZERO, 0.0);
        app.world_mut().entity_mut(prey).insert(ManualVelocity(away));
        let avoider = Avoider::default();
        let hunter = spawn(&mut app, (Agent::default(), Pursuer::intercept(prey), avoider, stand(2.5, 5.5)));
        let post = stand(5.5, 7.6);
        spawn(&mut app, (Obstacle::sphere(0.5), post));
        (0..64 * 6)
            .map(|_| {
                ticks(&mut app, 1);
                assert!(ground.height(position(&app, hunter)).abs() < 1e-4, "it stays on the ground");
                ground.to_grid(position(&app, hunter))
            })
            .collect()
    };
    let (flat, ground) = (run(GridPlane::Xy), run(GridPlane::Xz));
    let off = flat.iter().zip(&ground).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(flat.last().unwrap().x > 12.0, "it comes round the wall: {:?}", flat.last());
    assert!(off < 0.01, "on both it goes the same way: {off}");
}

#[test]
fn in_space_prey_is_caught_in_all_three_dimensions() {
    for &mode in PursuitMode::ALL {
        let mut app = app();
        let prey = prey(&mut app, Vec3::new(6.0, -5.0, 3.0), Vec3::new(0.5, 1.0, 2.0));
        let hunter = hunter(&mut app, Vec3::ZERO, 5.0, Pursuer::new(prey, mode));
        ticks(&mut app, 64 * 8);
        assert!(is_caught(&app, hunter), "{mode:?}");
    }
}

#[test]
fn an_arcade_hunter_is_faster_on_diagonals_only_if_it_may_be() {
    for (normalize_diagonal, most) in [(true, 4.0), (false, 4.0 * core::f32::consts::SQRT_2)] {
        let mut app = app();
        let prey = spawn(&mut app, place(40.0, 40.0));
        let pursuer = Pursuer { normalize_diagonal, ..Pursuer::new(prey, PursuitMode::Basic) };
        let hunter = spawn(&mut app, (Agent::new(4.0), pursuer, place(0.0, 0.0)));
        ticks(&mut app, 64);
        let speed = velocity(&app, hunter).length();
        assert!((speed - most).abs() < 0.01, "it runs at {speed}, not {most}");
    }
}

#[test]
fn the_target_gets_an_event_with_its_hunter() {
    #[derive(Resource, Default)]
    struct Heard(Vec<CaughtBy>);
    let mut app = app();
    app.init_resource::<Heard>().add_observer(
        |caught: On<CaughtBy>, mut heard: ResMut<Heard>, mut commands: Commands| {
            heard.0.push(caught.event().clone());
            commands.entity(caught.entity).despawn();
        },
    );
    let prey = spawn(&mut app, (Agent::default(), place(6.0, 0.0)));
    let hunter = spawn(&mut app, (Agent::default(), Pursuer::intercept(prey), place(0.0, 0.0)));
    ticks(&mut app, 64 * 3);
    assert_eq!(app.world().resource::<Heard>().0, [CaughtBy { entity: prey, pursuer: hunter }]);
    assert!(app.world().get_entity(prey).is_err(), "it may be despawned at once");
}

/// A leader on a path, and followers behind it: both in an open room.
fn led(app: &mut App, followers: usize, avoider: Avoider) -> (Entity, Vec<Entity>) {
    spawn_grid(app, Grid::new(30, 20).unwrap());
    let body = |speed: f32| Agent { radius: 0.35, ..Agent::new(speed) };
    let order = PathRequest::to(Vec3::new(28.5, 10.5, 0.0));
    let leader = spawn(app, (body(3.0), avoider, order, place(5.5, 10.5)));
    let followers = (0..followers).map(|i| {
        let pursuer = Pursuer { arrives: true, ..Pursuer::line_of_sight(leader) };
        spawn(app, (body(3.5), avoider, pursuer, place(2.5 + (i % 3) as f32, 9.5 + (i / 3) as f32)))
    });
    (leader, followers.collect())
}

#[test]
fn followers_do_not_hold_up_their_leader_and_stay_with_it() {
    for avoider in [Avoider::contact(), Avoider::default()] {
        for count in [1, 2, 4] {
            let mut app = app();
            let (leader, followers) = led(&mut app, count, avoider);
            let case = format!("{count} followers, {:?}", avoider.agents);
            for goal in [Vec3::new(28.5, 10.5, 0.0), Vec3::new(3.5, 10.5, 0.0)] {
                order(&mut app, leader, goal);
                let arrival = (0..64 * 14).find(|_| {
                    ticks(&mut app, 1);
                    app.world().get::<PathStatus>(leader) == Some(&PathStatus::Arrived)
                });
                assert!(arrival.is_some(), "{case}: the leader is at {}", position(&app, leader));
                ticks(&mut app, 64 * 2);
            }
            for &follower in &followers {
                let caught = count_steering(&app, &SteeringEvent::Caught(follower));
                assert!((1..=6).contains(&caught), "{case}: one has caught it {caught} times");
                let gap = position(&app, follower).distance(position(&app, leader));
                assert!(gap < 3.0, "{case}: one has stayed {gap} behind");
            }
        }
    }
}

#[test]
fn a_pursuer_that_arrives_brakes_before_a_body() {
    let speed_at_catch = |arrives: bool| {
        let mut app = app();
        let prey = spawn(&mut app, (Agent::default(), place(10.0, 0.0)));
        let pursuer = Pursuer { arrives, ..Pursuer::intercept(prey) };
        let hunter = spawn(&mut app, (Agent::new(4.0), pursuer, place(0.0, 0.0)));
        // In the tick of the catch it begins to brake: the speed is that of the tick before.
        let mut before = 0.0;
        while !is_caught(&app, hunter) {
            before = velocity(&app, hunter).length();
            ticks(&mut app, 1);
        }
        before
    };
    assert_eq!(speed_at_catch(false), 4.0);
    assert!(speed_at_catch(true) < 2.0, "it is slow when it gets there: {}", speed_at_catch(true));
}

#[test]
fn a_standing_target_is_not_driven_away() {
    for count in [1, 16] {
        let mut app = planar_app();
        let prey = spawn(&mut app, (Agent::default(), Avoider::default(), place(0.0, 0.0)));
        for i in 0..count {
            let at = Vec2::from_angle(i as f32 * 0.2).extend(0.0) * 8.0;
            let body = (Agent::new(3.5), Avoider::default(), Transform::from_translation(at));
            spawn(&mut app, (body, Pursuer::line_of_sight(prey)));
        }
        ticks(&mut app, 64 * 20);
        let pushed = position(&app, prey).length();
        assert!(pushed < 0.5, "{count} hunters push it by {pushed} in 20 s");
    }
}

#[test]
fn pursuers_who_cannot_get_nearer_stand_still() {
    for avoider in [Avoider::contact(), Avoider::default()] {
        let mut app = planar_app();
        let prey = spawn(&mut app, (Agent::default(), avoider, place(0.0, 0.0)));
        let hunters: Vec<_> = (0..30)
            .map(|i| {
                let at = Vec3::new(ops::cos(i as f32 * 0.21), ops::sin(i as f32 * 0.21), 0.0) * 8.0;
                let pursuer = Pursuer { arrives: true, ..Pursuer::line_of_sight(prey) };
                spawn(&mut app, (Agent::new(3.5), avoider, pursuer, Transform::from_translation(at)))
            })
            .collect();
        ticks(&mut app, 64 * 15);
        let mut ways = vec![0.0; hunters.len()];
        for _ in 0..64 * 5 {
            let before: Vec<_> = hunters.iter().map(|&it| position(&app, it)).collect();
            ticks(&mut app, 1);
            for ((way, &it), before) in ways.iter_mut().zip(&hunters).zip(before) {
                *way += position(&app, it).distance(before);
            }
        }
        let mean = ways.iter().sum::<f32>() / ways.len() as f32;
        assert!(mean < 0.25, "{:?}: in five seconds each goes {mean}", avoider.agents);
    }
}

#[test]
fn a_target_that_touches_a_wall_stays_in_sight() {
    for at in [Vec3::new(9.9999, 2.5, 0.0), Vec3::new(0.0, 0.0001, 0.0), Vec3::new(5.9999, 2.5, 0.0)] {
        let mut app = app();
        spawn_grid(&mut app, grid("..........\n......#...\n......#...\n......#...\n.........."));
        let prey = spawn(&mut app, Transform::from_translation(at));
        let x = if at.x > 6.0 { 7.5 } else { 1.5 };
        let hunter = spawn(&mut app, (Agent::default(), Pursuer::line_of_sight(prey), place(x, 2.5)));
        ticks(&mut app, 2);
        assert!(app.world().get::<PursuitAim>(hunter).unwrap().is_in_sight, "at {at}");
    }
}

#[test]
fn pursuit_and_braking_keep_to_the_speed_that_terrain_allows() {
    const MUD: Terrain = Terrain::weight(3);
    let mut app = app();
    app.insert_resource(TerrainSpeed::default().with(MUD, 0.25));
    spawn_grid(&mut app, Grid::from_fn(40, 3, |_| MUD).unwrap());
    let prey = spawn(&mut app, place(30.5, 1.5));
    let pursuer = Pursuer { arrives: true, ..Pursuer::intercept(prey) };
    let hunter = spawn(&mut app, (Agent::new(4.0), pursuer, place(1.5, 1.5)));
    ticks(&mut app, 64 * 4);
    let (speed, gone) = (velocity(&app, hunter).length(), position(&app, hunter).x - 1.5);
    assert!((speed - 1.0).abs() < 1e-3 && (gone - 4.0).abs() < 0.2, "at {speed} it has gone {gone}");
    let beside = position(&app, hunter) + Vec3::new(3.0, 1.0, 0.0);
    put(&mut app, prey, beside);
    ticks(&mut app, 64 * 5);
    assert!(is_caught(&app, hunter), "it gets there");
}
