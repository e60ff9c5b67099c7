//! Orders of groups: to another floor, after a moving goal, through a corridor; and groups that lose everybody.

use bevy::prelude::*;
use bevy_pathfind::prelude::*;

use crate::formations::{CORRIDOR, Legion, SPACING, SPEED, rooms};
use crate::support::*;

#[test]
fn in_a_corridor_the_formation_is_a_column() {
    let mut legion = Legion::new(rooms(100, &[(24, 74, 3)]), Formation::square(), 24);
    legion.order(94.5, 13.5);
    let seconds = legion.until(60, |legion| legion.places().iter().any(|at| at.x > 70.0));
    assert!(seconds.is_finite(), "they come through the corridor");
    let x: Vec<_> = legion.places().iter().map(|at| at.x).collect();
    let length = x.iter().copied().fold(f32::MIN, f32::max) - x.iter().copied().fold(f32::MAX, f32::min);
    // Three bodies fit side by side: eight rows.
    let ideal = 7.0 * SPACING;
    println!("{length} long, {ideal} would be the least");
    assert!((ideal..1.5 * ideal).contains(&length), "{length} long");
}

#[test]
fn a_group_goes_up_the_stairs() {
    let mut legion = Legion::new(open(40, 24), Formation::square(), 16);
    let world = legion.app.world_mut();
    let below = world.query_filtered::<Entity, With<NavGrid>>().single(world).expect("one grid");
    let above = world.spawn((NavGrid::new(open(40, 24)), Transform::from_xyz(60.0, 0.0, 0.0))).id();
    world.spawn(NavLink::new((below, (36, 12)), (above, (2, 12))));
    legion.app.update();
    legion.order(85.5, 12.5);
    let seconds = legion.until(120, |legion| legion.arrivals(legion.group) > 0);
    assert!(seconds.is_finite(), "it arrives");
    assert!(legion.places().iter().all(|at| at.x > 60.0), "all of them: {:?}", legion.places());
    assert!(legion.off(Vec2::X) < SPACING / 2.0, "in form: {}", legion.off(Vec2::X));
}

#[test]
fn a_group_follows_an_entity() {
    let mut legion = Legion::new(open(120, 24), Formation::square(), 16);
    let banner = legion.app.world_mut().spawn(Transform::from_xyz(25.0, 12.5, 0.0)).id();
    legion.app.world_mut().commands().entity(legion.group).go_to(banner);
    for _ in 0..64 * 20 {
        let mut at = legion.app.world_mut().get_mut::<Transform>(banner).expect("it is there");
        at.translation.x += 0.5 * SPEED / 64.0;
        legion.app.update();
    }
    let center = |legion: &Legion| legion.places().iter().sum::<Vec2>() / 16.0;
    let gap = position(&legion.app, banner).truncate().distance(center(&legion));
    assert!(gap < 10.0, "on the way it is not far behind: {gap}");
    let seconds = legion.until(20, |legion| status(&legion.app, legion.group) == PathStatus::Arrived);
    let (gap, off) =
        (position(&legion.app, banner).truncate().distance(center(&legion)), legion.off(Vec2::X));
    assert!(seconds.is_finite() && gap < 3.0, "it arrives {gap} from the banner");
    assert!(off < SPACING / 2.0, "{off} off");
}

#[test]
fn a_group_may_lose_everybody() {
    for (after, with_group) in [(0.1, false), (4.0, false), (9.0, false), (4.0, true)] {
        let mut legion = Legion::new(rooms(80, CORRIDOR), Formation::line(), 12);
        legion.order(64.5, 12.5);
        legion.run(after);
        let gone: Vec<_> = legion.members.drain(..).chain(with_group.then_some(legion.group)).collect();
        gone.into_iter().for_each(|entity| _ = legion.app.world_mut().despawn(entity));
        legion.run(2.0);
        if with_group {
            continue;
        }
        assert_eq!(legion.arrivals(legion.group), 1, "without members it is at its goal ({after} s)");
        let recruit = (Agent::new(SPEED), Avoider::default(), FormationOf::new(legion.group));
        let recruit = spawn_with(&mut legion.app, (50, 12), recruit);
        legion.order(70.5, 12.5);
        legion.run(10.0);
        stands_at(&legion.app, recruit, (70, 12), 0.5);
    }
}
