//! Obstacles: avoiders turn in time, and no body passes through.

use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    steer::ObstacleAvoidance,
    world::{Grid, ObstacleShape},
};

use crate::fixture::*;
use crate::support::{at, grid, plot, position, spawn_grid, status, ticks};

/// The distance of a point from an obstacle of this shape at the origin.
fn outside(shape: ObstacleShape, point: Vec3) -> f32 {
    match shape {
        ObstacleShape::Sphere { radius } => point.length() - radius,
        ObstacleShape::Cuboid { half_size } => (point.abs() - half_size).max(Vec3::ZERO).length(),
        other => unreachable!("{other:?} is not tested here"),
    }
}

const SHAPES: [ObstacleShape; 2] =
    [ObstacleShape::Sphere { radius: 1.2 }, ObstacleShape::Cuboid { half_size: Vec3::new(0.6, 1.5, 1.0) }];

/// Sends an agent past a moving obstacle: whether it arrives, and the smallest distance on the way.
fn pass(avoider: Option<Avoider>, shape: ObstacleShape, velocity: Vec3) -> (bool, f32) {
    let mut app = planar_app();
    let goal = Vec3::new(18.0, 0.0, 0.0);
    let agent = spawn(&mut app, (Behavior::arrive(goal), place(0.0, 0.0)));
    if let Some(avoider) = avoider {
        app.world_mut().entity_mut(agent).insert(avoider);
    }
    let start = Vec3::new(8.0, 0.3, 0.0) - velocity * 1.6;
    let obstacle = spawn(&mut app, (Obstacle { shape, ..default() }, Transform::from_translation(start)));
    let mut least = f32::INFINITY;
    for tick in 0..64 * 8 {
        put(&mut app, obstacle, start + velocity * tick as f32 / 64.0);
        ticks(&mut app, 1);
        let gap = outside(shape, position(&app, agent) - position(&app, obstacle));
        least = least.min(gap - Agent::default().radius);
    }
    (position(&app, agent).distance(goal) < 0.2, least)
}

#[test]
fn no_tick_ends_in_an_obstacle_and_avoiders_pass_it() {
    for shape in SHAPES {
        for velocity in [Vec3::ZERO, Vec3::Y * 2.0, Vec3::new(-3.0, 0.5, 0.0)] {
            for rule in [Some(Avoider::contact()), Some(Avoider::ray(4.0)), None] {
                let name = rule.map(|avoider| avoider.obstacles);
                let (there, least) = pass(rule, shape, velocity);
                assert!(least > -0.01, "{name:?}, {shape:?} at {velocity}: {least} inside");
                // The ray's known weakness: it finds no path round a flat surface that it hits at a right angle.
                let is_round = matches!(shape, ObstacleShape::Sphere { .. });
                let is_able = name == Some(ObstacleAvoidance::Sweep)
                    || (name == Some(ObstacleAvoidance::Ray) && is_round);
                assert!(there || !is_able, "{name:?} comes past {shape:?} at {velocity}");
            }
        }
        let (_, least) = pass(Some(Avoider::contact()), shape, Vec3::ZERO);
        assert!(least > 0.01, "who looks with its width does not touch {shape:?}: {least}");
    }
}

#[test]
fn an_obstacle_on_a_layer_outside_of_the_mask_is_air() {
    for (mask, is_air) in [(1, true), (2, false), (3, false)] {
        for rule in [Avoider::contact(), Avoider::ray(4.0)] {
            let mut app = planar_app();
            let driven = ManualVelocity(Vec3::X * 5.0);
            let agent = spawn(&mut app, (rule.with_mask(mask), driven, place(0.0, 0.0)));
            spawn(&mut app, (Obstacle::sphere(1.0).with_layers(2), place(4.0, 0.1)));
            let mut aside = 0.0_f32;
            for _ in 0..128 {
                ticks(&mut app, 1);
                aside = aside.max(position(&app, agent).y.abs());
            }
            assert_eq!(aside < 1e-3, is_air, "mask {mask}, {:?}: {aside} aside", rule.obstacles);
        }
    }
}

#[test]
fn what_lies_beyond_the_goal_is_not_avoided() {
    let mut app = planar_app();
    let goal = Vec3::new(5.0, 0.0, 0.0);
    let behavior = Behavior::arrive(goal);
    let agent = spawn(&mut app, (Avoider::contact(), behavior, place(0.0, 0.0)));
    spawn(&mut app, (Obstacle::sphere(1.0), place(6.6, 0.1)));
    for _ in 0..128 {
        ticks(&mut app, 1);
        assert!(position(&app, agent).y.abs() < 0.02, "it goes straight: {}", position(&app, agent));
    }
    assert!(position(&app, agent).distance(goal) < 0.05);
}

#[test]
fn a_flat_obstacle_is_as_wide_as_it_is_drawn() {
    let mut app = app();
    spawn_grid(&mut app, Grid::new(20, 20).unwrap());
    let drawn = place(10.0, 10.0).with_scale(Vec3::new(0.5, 0.5, 1.0));
    spawn(&mut app, (Obstacle::sphere(2.0), drawn));
    let agent = spawn(&mut app, (ManualVelocity(Vec3::X * 3.0), place(5.0, 10.0)));
    let mut nearest = f32::INFINITY;
    for _ in 0..128 {
        ticks(&mut app, 1);
        nearest = nearest.min(position(&app, agent).distance(Vec3::new(10.0, 10.0, 0.0)));
    }
    assert!((nearest - 1.4).abs() < 0.01, "its circle of two is drawn with one: {nearest}");
}

#[test]
fn a_teleported_obstacle_pushes_no_agent_along() {
    let mut app = planar_app();
    let agents = [4.0, 8.0, 12.0].map(|x| spawn(&mut app, (Avoider::contact(), place(x, 0.0))));
    let obstacle = spawn(&mut app, (Obstacle::sphere(1.0), place(-5.0, 0.0)));
    ticks(&mut app, 10);
    put(&mut app, obstacle, Vec3::new(30.0, 0.0, 0.0));
    ticks(&mut app, 30);
    for (agent, x) in agents.into_iter().zip([4.0, 8.0, 12.0]) {
        assert_eq!(position(&app, agent), Vec3::new(x, 0.0, 0.0), "nothing came by");
    }
}

const YARD: &str = "
########################
#......#...............#
#......#...............#
#......#...............#
#......................#
#......................#
#...##.................#
#...##.................#
#......................#
#............#.........#
#............#.........#
#............#.........#
#............#.........#
#......................#
#......................#
########################";

#[test]
fn a_hundred_random_agents_are_never_in_a_wall_or_obstacle() {
    let mut app = app();
    let yard = grid(YARD.trim_start());
    spawn_grid(&mut app, yard.clone());
    let mut rng = Xorshift::new(3);
    let agents: Vec<_> = (0..100)
        .map(|i| {
            let body = Agent { radius: 0.25, ..Agent::new(6.0) };
            let at = place(1.6 + (i % 10) as f32 * 0.5, 1.6 + (i / 10) as f32 * 0.45);
            let agent = spawn(&mut app, (body, ManualVelocity(Vec3::X), at));
            match i % 3 {
                0 => app.world_mut().entity_mut(agent).insert(Avoider::contact()),
                1 => app.world_mut().entity_mut(agent).insert(Avoider::default()),
                _ => app.world_mut().entity_mut(agent).insert(()),
            };
            agent
        })
        .collect();
    // Round obstacles in the open, with space on both sides.
    let centers = [Vec2::new(17.5, 5.0), Vec2::new(10.0, 5.5), Vec2::new(18.0, 10.5)];
    let posts = centers.map(|center| spawn(&mut app, (Obstacle::sphere(0.6), place(center.x, center.y))));
    let mut deepest = 0.0_f32;
    let mut been_away = vec![false; agents.len()];
    for tick in 0..600 {
        for (post, center) in posts.into_iter().zip(centers) {
            let turn = Vec2::from_angle(tick as f32 * 0.02) * 1.2;
            put(&mut app, post, (center + turn).extend(0.0));
        }
        if tick % 20 == 0 {
            for &agent in &agents {
                let velocity = Vec3::new(rng.signed(), rng.signed(), 0.0) * 6.0;
                app.world_mut().entity_mut(agent).insert(ManualVelocity(velocity));
            }
        }
        ticks(&mut app, 1);
        for (&agent, been_away) in agents.iter().zip(&mut been_away) {
            let at = position(&app, agent);
            assert!(at.is_finite() && at.z == 0.0, "tick {tick}: {at}");
            *been_away |= at.x > 8.0;
            let cell = GridCell::containing(at.truncate());
            assert!(yard.is_walkable(KindId::default(), cell), "in a wall at {at}, tick {tick}");
            for post in posts {
                deepest = deepest.max(0.85 - at.distance(position(&app, post)));
            }
        }
    }
    assert!(deepest < 0.01, "somebody was {deepest} deep in an obstacle");
    let away = been_away.iter().filter(|&&away| away).count();
    assert!(away > 24, "they get about: {away} have been on the other side");
}

#[test]
fn an_agent_that_is_an_obstacle_hinders_the_others_and_not_itself() {
    let mut app = app();
    let mut ogres = Vec::new();
    for avoider in [None, Some(Avoider::contact()), Some(Avoider::default()), Some(Avoider::ray(5.0))] {
        for carries in [false, true] {
            let corner = plot(&mut app, ogres.len(), Grid::new(20, 10).unwrap());
            let ogre = spawn(&mut app, (Agent::default(), Transform::from_translation(corner + at((4, 4)))));
            match carries {
                false => _ = app.world_mut().entity_mut(ogre).insert(Obstacle::sphere(0.9)),
                true => _ = spawn(&mut app, (Obstacle::sphere(0.4), place(0.5, 0.0), ChildOf(ogre))),
            }
            if let Some(avoider) = avoider {
                app.world_mut().entity_mut(ogre).insert(avoider);
            }
            let beside = Transform::from_translation(corner + at((5, 4)));
            let other = spawn(&mut app, (Agent::default(), Avoider::contact(), beside));
            ogres.push((ogre, other, corner));
        }
    }
    ticks(&mut app, 64);
    for &(ogre, other, corner) in &ogres {
        assert_eq!(position(&app, ogre), corner + at((4, 4)), "it stands still");
        let gap = position(&app, other).distance(position(&app, ogre));
        assert!(gap > 1.25, "another is pushed off, to {gap}");
        app.world_mut().despawn(other);
        app.world_mut().entity_mut(ogre).insert(PathRequest::to(corner + at((16, 4))));
    }
    ticks(&mut app, 64 * 4);
    assert!(ogres.iter().all(|&(ogre, ..)| status(&app, ogre) == PathStatus::Arrived), "all get on");
}

/// Counts events of agents that are stuck, and of paths found.
#[derive(Resource, Default)]
struct Told {
    stuck: usize,
    found: usize,
}

/// An agent on a path past an obstacle: in how many ticks it arrives, if it does within 24 s, and what was told.
fn walk_past(
    map: Grid,
    avoider: Avoider,
    obstacle: (Obstacle, Transform),
    (from, goal): (Vec3, Vec3),
) -> (Option<usize>, Told) {
    let mut app = app();
    app.init_resource::<Told>()
        .add_observer(|_: On<AgentStuck>, mut told: ResMut<Told>| told.stuck += 1)
        .add_observer(|_: On<PathFound>, mut told: ResMut<Told>| told.found += 1);
    spawn_grid(&mut app, map);
    spawn(&mut app, obstacle);
    let agent = Agent::new(3.0);
    let agent = spawn(&mut app, (agent, avoider, PathRequest::to(goal), Transform::from_translation(from)));
    let arrival = (0..64 * 24).find(|_| {
        ticks(&mut app, 1);
        app.world().get::<PathStatus>(agent) == Some(&PathStatus::Arrived)
    });
    (arrival, app.world_mut().remove_resource::<Told>().unwrap())
}

/// A corridor of this width that turns once: its inner corner is at (2 + width, 2 + width).
fn bend(width: i32) -> Grid {
    let is_in = |a: i32, b: i32| (2..2 + width).contains(&a) && b >= 2;
    Grid::from_fn(16, 16, |cell| {
        if is_in(cell.x, cell.y) || is_in(cell.y, cell.x) { Terrain::GROUND } else { Terrain::WALL }
    })
    .unwrap()
}

#[test]
fn an_obstacle_on_a_waypoint_at_an_inner_corner_is_passed() {
    for (width, far) in [(2, 0.45), (3, 0.1), (3, 0.45)] {
        for avoider in [Avoider::contact(), Avoider::default()] {
            let (corner, middle) = (2.0 + width as f32 - far, 2.0 + width as f32 / 2.0);
            let way = (Vec3::new(middle, 13.5, 0.0), Vec3::new(13.5, middle, 0.0));
            let obstacle = (Obstacle::sphere(0.4), place(corner, corner));
            let (arrival, told) = walk_past(bend(width), avoider, obstacle, way);
            let case = format!("{far} from the corner of a bend {width} wide, {:?}", avoider.agents);
            assert!(
                arrival.is_some_and(|ticks| ticks < 64 * 12),
                "{case}: it arrives after {arrival:?} ticks"
            );
            assert!(told.stuck == 0 && told.found < 6, "{case}: {} paths, stuck {}", told.found, told.stuck);
        }
    }
}

#[test]
fn an_agent_that_an_obstacle_shuts_in_says_once_that_it_is_stuck() {
    let shut_corridor = (Obstacle::sphere(0.9), place(3.0, 9.0));
    let covered_corner = (Obstacle::cuboid(Vec3::splat(1.0)), place(3.0, 3.0));
    for obstacle in [shut_corridor, covered_corner] {
        let way = (Vec3::new(3.0, 13.5, 0.0), Vec3::new(13.5, 3.0, 0.0));
        let (arrival, told) = walk_past(bend(2), Avoider::contact(), obstacle, way);
        assert_eq!((arrival, told.stuck), (None, 1), "{:?}", obstacle.0);
        assert!(told.found < 16, "it asks for few paths: {}", told.found);
    }
}
