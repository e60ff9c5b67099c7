//! Flocks: leaders, separation from other flocks, and walls.

use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    steer::{FlockStats, SteerTick},
    world::Grid,
};

use crate::fixture::*;
use crate::support::{grid, order, position, spawn_grid, ticks};

/// Spawns members of a flock round a point, in the plane or in space.
fn flock(
    app: &mut App,
    count: usize,
    about: Vec3,
    knobs: Flock,
    of: Option<Entity>,
    is_flat: bool,
) -> Vec<Entity> {
    let mut rng = Xorshift::new(about.to_array().map(f32::to_bits).iter().map(|&bits| u64::from(bits)).sum());
    (0..count)
        .map(|_| {
            let off = Vec3::new(rng.signed(), rng.signed(), if is_flat { 0.0 } else { rng.signed() });
            let at = Transform::from_translation(about + off * (count as f32).sqrt());
            let member = spawn(app, (Agent::new(12.0), knobs, at));
            if let Some(flock) = of {
                app.world_mut().entity_mut(member).insert(FlockOf(flock));
            }
            member
        })
        .collect()
}

fn center(app: &App, members: &[Entity]) -> Vec3 {
    members.iter().map(|&member| position(app, member)).sum::<Vec3>() / members.len() as f32
}

fn flock_stats(app: &App, flock: Entity) -> FlockStats {
    *app.world().get::<FlockStats>(flock).expect("who stands for a flock has its figures")
}

#[test]
fn a_flock_follows_any_leader_entity() {
    // A `FlockLeader`, an entity that is no agent, and an agent on a path.
    for kind in 0..3 {
        let mut app = app();
        let start = Vec3::new(20.0, 20.0, 0.0);
        let at = Transform::from_translation(start);
        let leader = match kind {
            0 => spawn(&mut app, (FlockLeader { bound: Vec3::new(40.0, 40.0, 0.0), ..default() }, at)),
            1 => spawn(&mut app, at),
            _ => {
                spawn_grid(&mut app, Grid::new(100, 100).unwrap());
                let leader = spawn(&mut app, (Agent::new(6.0), at));
                order(&mut app, leader, Vec3::new(80.5, 60.5, 0.0));
                leader
            }
        };
        let members = flock(&mut app, 20, Vec3::new(16.0, 16.0, 0.0), Flock::default(), Some(leader), true);
        let mut farthest = 0.0_f32;
        for tick in 0..64 * 10 {
            if kind == 1 {
                put(&mut app, leader, start + Vec3::new(5.0, 3.0, 0.0) * tick as f32 / 64.0);
            }
            ticks(&mut app, 1);
            if tick > 64 * 3 {
                farthest = farthest.max(center(&app, &members).distance(position(&app, leader)));
            }
        }
        assert!(position(&app, leader).distance(start) > 5.0, "leader {kind} gets about");
        assert!(farthest < 12.0, "the flock is with leader {kind}: {farthest} away at most");
        assert!(members.iter().all(|&member| position(&app, member).z == 0.0), "in its plane");
        assert_eq!(flock_stats(&app, leader).members, 20);
    }
}

#[test]
fn without_a_leader_a_flock_keeps_together_and_two_do_not_mix() {
    let mut app = app();
    let flags = [0, 1].map(|_| spawn(&mut app, Name::new("a flock")));
    let calm = Flock { noise_force: 0.5, ..default() };
    let about = [Vec3::ZERO, Vec3::new(3.0, 0.0, 0.0)];
    let flocks = [0, 1].map(|i| flock(&mut app, 15, about[i], calm, Some(flags[i]), false));
    for (members, way) in flocks.iter().zip([Vec3::X, Vec3::NEG_X]) {
        for &member in members {
            app.world_mut().entity_mut(member).insert(AgentVelocity(way * 6.0));
        }
    }
    ticks(&mut app, 64 * 4);
    let apart = center(&app, &flocks[0]).distance(center(&app, &flocks[1]));
    assert!(apart > 15.0, "each flies its way: {apart}");
    for flag in flags {
        let stats = flock_stats(&app, flag);
        assert!(stats.polarization > 0.9 && stats.gyration < 12.0, "and keeps together: {stats:?}");
    }
}

#[test]
fn when_the_leader_is_despawned_the_flock_flies_on() {
    let mut app = app();
    let leader = spawn(&mut app, (FlockLeader::default(), Transform::IDENTITY));
    let members = flock(&mut app, 12, Vec3::ZERO, Flock::default(), Some(leader), false);
    ticks(&mut app, 128);
    app.world_mut().despawn(leader);
    ticks(&mut app, 128);
    for member in members {
        let velocity = velocity(&app, member);
        assert!(velocity.is_finite() && velocity.length() > 3.0, "it flies on: {velocity}");
        assert!(app.world().get::<FlockOf>(member).is_none(), "and is free");
    }
}

#[test]
fn every_preset_stays_within_its_speed_and_finite() {
    for knobs in [Flock::default(), Flock::seagull(), Flock::unity_flock(), Flock::reynolds()] {
        for is_flat in [true, false] {
            let mut app = app();
            let leader =
                spawn(&mut app, (FlockLeader { bound: Vec3::splat(20.0), ..default() }, place(0.0, 0.0)));
            let members = flock(&mut app, 30, Vec3::ZERO, knobs, Some(leader), is_flat);
            for _ in 0..64 * 3 {
                ticks(&mut app, 1);
                for &member in &members {
                    let (at, velocity) = (position(&app, member), velocity(&app, member));
                    assert!(at.is_finite() && at.length() < 200.0, "{:?}: {at}", knobs.model);
                    assert!(velocity.length() <= 12.0 * 1.001, "{:?}: {velocity}", knobs.model);
                }
            }
        }
    }
}

#[test]
fn avoidance_changes_nothing_without_obstacles_and_neighbors() {
    for (is_flat, knobs) in [(true, Flock::default()), (false, Flock::reynolds())] {
        // With radius 0, bodies do not block each other.
        let [alone, minding] = [false, true].map(|minds| {
            let mut app = app();
            let members = flock(&mut app, 40, Vec3::ZERO, knobs, None, is_flat);
            for &member in &members {
                let mut agent = app.world_mut().entity_mut(member);
                agent.insert(Agent { radius: 0.0, ..Agent::new(12.0) });
                if minds {
                    agent.insert(Avoider::contact());
                }
            }
            ticks(&mut app, 200);
            members.iter().map(|&member| position(&app, member)).collect::<Vec<_>>()
        });
        assert_eq!(alone, minding, "both fly the same way, bit for bit");
    }
}

#[test]
fn a_flat_flock_stays_exactly_flat_whatever_its_layers_and_its_leader() {
    let mut app = planar_app();
    let leader = spawn(&mut app, Transform::from_xyz(3.0, 3.0, 7.0));
    let members = flock(&mut app, 20, Vec3::ZERO, Flock::default(), Some(leader), true);
    for (i, &member) in members.iter().enumerate() {
        let at = position(&app, member).with_z(i as f32 * 0.125);
        put(&mut app, member, at);
    }
    // The flock circles its leader, so a mean over time is taken.
    let mut apart = 0.0;
    for _ in 0..20 {
        ticks(&mut app, 64);
        apart += center(&app, &members).truncate().distance(Vec2::splat(3.0)) / 20.0;
    }
    for (i, &member) in members.iter().enumerate() {
        assert_eq!(position(&app, member).z, i as f32 * 0.125, "it keeps its layer");
    }
    assert!(apart < 10.0, "and keeps by its leader along the ground: {apart} in the mean of 20 seconds");
}

#[test]
fn a_flock_among_walls_and_obstacles_is_in_none() {
    let mut app = app();
    let map = "############\n#..........#\n#..........#\n#....##....#\n#....##....#\n#..........#\n#..........#\n############";
    let walls = grid(map);
    spawn_grid(&mut app, walls.clone());
    let leader = spawn(&mut app, place(2.5, 2.5));
    let members = flock(&mut app, 12, Vec3::new(3.0, 2.5, 0.0), Flock::default(), Some(leader), true);
    for (i, &member) in members.iter().enumerate() {
        put(&mut app, member, Vec3::new(1.6 + (i % 4) as f32 * 0.6, 1.6 + (i / 4) as f32 * 0.5, 0.0));
        let small = Agent { radius: 0.2, ..Agent::new(6.0) };
        app.world_mut().entity_mut(member).insert((small, Avoider::contact()));
    }
    let post = Vec3::new(9.0, 4.0, 0.0);
    spawn(&mut app, (Obstacle::sphere(0.7), Transform::from_translation(post)));
    for tick in 0..64 * 12 {
        let turn = Vec2::from_angle(tick as f32 / 64.0) * Vec2::new(4.0, 2.2);
        put(&mut app, leader, Vec3::new(6.0 + turn.x, 4.0 + turn.y, 0.0));
        ticks(&mut app, 1);
        for &member in &members {
            let at = position(&app, member);
            assert!(
                walls.is_walkable(KindId::default(), GridCell::containing(at.truncate())),
                "in a wall: {at}"
            );
            assert!(at.distance(post) > 0.89, "in the obstacle: {at}");
        }
    }
    let away = center(&app, &members).distance(position(&app, leader));
    assert!(away < 6.0, "it follows all the same: {away}");
}

#[test]
fn flock_stats_match_a_direct_count() {
    let mut app = app();
    let flag = spawn(&mut app, Transform::IDENTITY);
    let members = flock(&mut app, 25, Vec3::ZERO, Flock::default(), Some(flag), false);
    flock(&mut app, 10, Vec3::ONE, Flock::default(), None, false);
    for _ in 0..64 {
        let before: Vec<_> = members.iter().map(|&it| (position(&app, it), velocity(&app, it))).collect();
        ticks(&mut app, 1);
        let tick = app.world().resource::<SteerTick>().0;
        if !tick.is_multiple_of(8) {
            continue;
        }
        let count = before.len() as f32;
        let center = before.iter().map(|&(at, _)| at).sum::<Vec3>() / count;
        let spread = before.iter().map(|(at, _)| at.distance_squared(center)).sum::<f32>() / count;
        let heading = before.iter().map(|(_, way)| way.normalize_or_zero()).sum::<Vec3>() / count;
        let nearest = |i: usize| {
            let others = before.iter().enumerate().filter(|&(j, _)| j != i);
            others.map(|(_, (at, _))| at.distance(before[i].0)).fold(f32::INFINITY, f32::min)
        };
        let mean = (0..before.len()).map(nearest).sum::<f32>() / count;
        let stats = flock_stats(&app, flag);
        assert_eq!(stats.members, 25);
        assert!((stats.gyration - spread.sqrt()).abs() < 1e-3, "{stats:?}, not {}", spread.sqrt());
        assert!((stats.polarization - heading.length()).abs() < 1e-3, "{stats:?}, not {heading}");
        assert!((stats.nearest - mean).abs() < 1e-3, "nearest {stats:?}, not {mean}");
    }
}

#[test]
fn a_flock_of_one_flies_and_an_empty_flock_has_default_stats() {
    let mut app = app();
    let leader = spawn(&mut app, Transform::from_xyz(10.0, 0.0, 0.0));
    let members = flock(&mut app, 1, Vec3::ZERO, Flock::default(), Some(leader), false);
    ticks(&mut app, 128);
    assert!(position(&app, members[0]).distance(Vec3::X * 10.0) < 6.0, "one alone follows as well");
    assert_eq!(flock_stats(&app, leader).members, 1);
    app.world_mut().entity_mut(members[0]).remove::<Flock>();
    ticks(&mut app, 8);
    assert_eq!(flock_stats(&app, leader), FlockStats::default(), "without `Flock` it is no member");
    app.world_mut().entity_mut(members[0]).insert(Flock::default());
    ticks(&mut app, 8);
    assert_eq!(flock_stats(&app, leader).members, 1);
    app.world_mut().entity_mut(members[0]).remove::<FlockOf>();
    ticks(&mut app, 8);
    assert_eq!(flock_stats(&app, leader), FlockStats::default(), "nobody is left");
    app.world_mut().despawn(members[0]);
    ticks(&mut app, 8);
}

#[test]
fn agents_despawned_between_ticks_are_ignored() {
    let mut app = app();
    // Four frames per tick.
    let frame = core::time::Duration::from_micros(3907);
    app.insert_resource(bevy::time::TimeUpdateStrategy::ManualDuration(frame));
    let flag = spawn(&mut app, Transform::IDENTITY);
    let members = flock(&mut app, 4, Vec3::ZERO, Flock::default(), Some(flag), false);
    let apart = Separation { radius: 1.0, ..default() };
    let walker = spawn(&mut app, (Agent::default(), apart, place(30.0, 0.0)));
    let other = spawn(&mut app, (Agent::default(), place(30.0, 0.1)));
    for _ in 0..12 {
        let tick = app.world().resource::<SteerTick>().0;
        app.update();
        if app.world().resource::<SteerTick>().0 > tick && tick > 0 {
            break;
        }
    }
    app.world_mut().despawn(other);
    app.world_mut().despawn(members[0]);
    put(&mut app, walker, Vec3::new(30.0, 0.0, 0.0));
    ticks(&mut app, 80);
    assert_eq!(velocity(&app, walker), Vec3::ZERO, "nobody pushes any more");
    assert_eq!(flock_stats(&app, flag).members, 3);
}
