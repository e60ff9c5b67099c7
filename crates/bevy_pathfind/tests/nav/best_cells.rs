//! The best cells within reach: asked of a `NavQuery`, and by a `CellRequest` on an agent.

use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy_pathfind::{
    order::{Algorithm, CellCondition, CellRequest, CellRequestFailed, CellValue, CellsFound, FoundCell},
    prelude::*,
    solve::{SolveMode, SolveSettings},
};

use crate::support::*;

/// A wall with open ground round it.
const YARD: &str = "............\n............\n.....#......\n............\n............";

#[derive(Resource, Default)]
struct Answers(Vec<(Entity, Result<Vec<FoundCell>, PathError>)>);

fn cells_app(mode: SolveMode, grid: NavGrid) -> App {
    let mut app = app(mode);
    app.world_mut().spawn(grid);
    app.init_resource::<Answers>()
        .add_observer(|on: On<CellsFound>, mut all: ResMut<Answers>| {
            all.0.push((on.entity, Ok(on.cells.clone())));
        })
        .add_observer(|on: On<CellRequestFailed>, mut all: ResMut<Answers>| {
            all.0.push((on.entity, Err(on.error)));
        });
    ticks(&mut app, 2);
    app
}

fn yard() -> App {
    cells_app(SolveMode::Inline, NavGrid::new(grid(YARD)))
}

fn best(app: &mut App, from: Vec3, request: CellRequest) -> Result<Vec<FoundCell>, PathError> {
    app.world_mut()
        .run_system_once(move |nav: NavQuery| nav.best_cells(from, &request))
        .expect("its resources are there")
}

fn cells(found: &[FoundCell]) -> Vec<(i32, i32)> {
    found.iter().map(|found| (found.cell.x, found.cell.y)).collect()
}

#[test]
fn cover_is_behind_the_wall() {
    let mut app = yard();
    let found = best(&mut app, at((2, 0)), CellRequest::cover_from(at((11, 2)), 8.0)).unwrap();
    assert_eq!(cells(&found), [(4, 2)]);
    assert_eq!(found[0].position, at((4, 2)));
    assert!((found[0].cost - 8.0_f32.sqrt()).abs() < 1e-3, "two diagonal steps: {}", found[0].cost);
    assert!((found[0].score - (4.0 - 8.0_f64.sqrt())).abs() < 1e-3, "{}", found[0].score);
}

#[test]
fn lengths_are_in_world_units() {
    let place = Transform::from_xyz(100.0, 0.0, 0.0);
    let mut app = app(SolveMode::Inline);
    let nav = app.world_mut().spawn((NavGrid::new(open(30, 1)).with_cell_size(2.0), place)).id();
    ticks(&mut app, 2);
    let on = |x: i32| Vec3::new(101.0 + 2.0 * x as f32, 1.0, 0.0);
    let far = CellRequest::new(11.0).with_score(CellValue::Distance(on(0).into()), 1.0);
    let found = best(&mut app, on(0), far).unwrap();
    assert_eq!((found[0].position, found[0].score), (on(5), 10.0), "5 cells of 2 units");
    assert_eq!((found[0].grid, found[0].cost), (nav, 10.0));
    let target = on(20);
    let found = best(&mut app, on(0), CellRequest::spot_to_shoot(target, 20.0, 100.0)).unwrap();
    assert_eq!(found[0].position, on(10), "the first cell within 20 units");
}

#[test]
fn free_cells_are_those_of_nobody() {
    let mut app = yard();
    let agent = spawn_agent(&mut app, (1, 1));
    spawn_agent(&mut app, (2, 1));
    let walker = send(&mut app, (9, 1), (0, 1));
    ticks(&mut app, 2);
    assert!(has_path(&app, walker));
    app.world_mut().entity_mut(agent).insert(CellRequest::free_spots(5, 1.5));
    ticks(&mut app, 1);
    let [(entity, Ok(found))] = app.world().resource::<Answers>().0.as_slice() else { panic!() };
    assert_eq!(*entity, agent);
    let mut around = cells(found);
    assert_eq!(around[0], (1, 1), "its own cell is free for it");
    around.sort_unstable();
    assert_eq!(around, [(0, 0), (1, 0), (1, 1), (1, 2), (2, 0)], "not (2, 1), and not the goal (0, 1)");
    ticks(&mut app, 10);
    assert_eq!(app.world().resource::<Answers>().0.len(), 1, "it is answered once");
    app.world_mut().get_mut::<CellRequest>(agent).unwrap().count = 1;
    ticks(&mut app, 1);
    assert_eq!(app.world().resource::<Answers>().0.len(), 2, "and again when it has changed");
}

#[test]
fn influence_counts() {
    let mut app = yard();
    let danger = app.world_mut().resource_mut::<InfluenceLayers>().add("danger");
    let source = InfluenceSource::new(danger, 4.0).with_strength(8.0);
    app.world_mut().spawn((source, Transform::from_translation(at((0, 4)))));
    ticks(&mut app, 40);
    let request = CellRequest::new(20.0);
    let low = request.clone().with_condition(CellCondition::InfluenceBelow { layer: danger, bound: 0.5 });
    let found = best(&mut app, at((0, 4)), low).unwrap();
    let gap = found[0].position.distance(at((0, 4)));
    assert!((3.5..5.0).contains(&gap), "the nearest cell at the rim: {gap}");
    let worst = request.clone().with_score(CellValue::Influence(danger), 1.0);
    assert_eq!(cells(&best(&mut app, at((9, 0)), worst).unwrap()), [(0, 4)]);
    let unknown = request.with_condition(CellCondition::InfluenceBelow { layer: InfluenceId(9), bound: 0.5 });
    assert_eq!(cells(&best(&mut app, at((3, 3)), unknown).unwrap()), [(3, 3)], "no values are zeros");
}

#[test]
fn the_slices_change_nothing() {
    let map = || NavGrid::new(walled(60));
    let request = |target: Entity| {
        CellRequest::cover_from(target, 60.0)
            .with_score(CellValue::Distance(target.into()), 0.2)
            .with_count(9)
    };
    let mut answers = Vec::new();
    for (mode, budget) in [(SolveMode::Inline, 1), (SolveMode::Sliced, 100), (SolveMode::Background, 37)] {
        let mut app = cells_app(mode, map());
        app.insert_resource(SolveSettings { mode, expansions_per_frame: budget, ..default() });
        let target = spawn_agent(&mut app, (50, 10));
        let agents: Vec<_> = (0..3).map(|i| spawn_agent(&mut app, (10 + i, 30))).collect();
        for &agent in agents.iter().rev() {
            app.world_mut().entity_mut(agent).insert(request(target));
        }
        app.update();
        let at_once = app.world().resource::<Answers>().0.len();
        assert_eq!(at_once, if mode == SolveMode::Inline { 3 } else { 0 }, "{mode:?}");
        until(&mut app, "all are answered", |app| app.world().resource::<Answers>().0.len() == 3);
        let all = &mut app.world_mut().resource_mut::<Answers>().0;
        // Of several workers one may be faster.
        if mode == SolveMode::Background {
            all.sort_by_key(|(entity, _)| agents.iter().position(|agent| agent == entity));
        }
        assert!(all.iter().map(|(entity, _)| *entity).eq(agents), "in the order of their ids");
        answers.push(all.iter().map(|(_, found)| cells(found.as_ref().unwrap())).collect::<Vec<_>>());
    }
    assert_eq!(answers[0][0].len(), 9);
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
}

#[test]
fn requests_can_be_cancelled() {
    let mut app = cells_app(SolveMode::Sliced, NavGrid::new(open(60, 60)));
    app.insert_resource(SolveSettings { mode: SolveMode::Sliced, expansions_per_frame: 50, ..default() });
    let agents: Vec<_> =
        (0..3).map(|i| spawn_with(&mut app, (30 + i, 30), CellRequest::free_spots(3, 30.0))).collect();
    ticks(&mut app, 3);
    app.world_mut().entity_mut(agents[0]).remove::<CellRequest>();
    app.world_mut().despawn(agents[1]);
    until(&mut app, "the last is answered", |app| !app.world().resource::<Answers>().0.is_empty());
    ticks(&mut app, 100);
    let answered: Vec<_> = app.world().resource::<Answers>().0.iter().map(|(entity, _)| *entity).collect();
    assert_eq!(answered, [agents[2]]);
}

#[test]
fn what_is_no_agent_may_ask_too() {
    for mode in MODES {
        let mut app = cells_app(mode, NavGrid::new(open(9, 9)));
        let turret = (CellRequest::new(3.0), Transform::from_translation(at((4, 4))));
        let turret = app.world_mut().spawn(turret).id();
        until(&mut app, "it is answered", |app| !app.world().resource::<Answers>().0.is_empty());
        let [(entity, Ok(found))] = app.world().resource::<Answers>().0.as_slice() else { panic!() };
        assert_eq!((*entity, cells(found)), (turret, vec![(4, 4)]), "{mode:?}");
    }
}

/// The budget of a frame is one for paths and cells, which take turns: neither waits until the other has ended.
#[test]
fn searches_for_cells_and_paths_share_a_budget() {
    let answered = |with_paths: bool, with_cells: bool| {
        let mut app = cells_app(SolveMode::Sliced, NavGrid::new(walled(60)));
        app.insert_resource(SolveSettings {
            mode: SolveMode::Sliced,
            expansions_per_frame: 200,
            ..default()
        });
        app.insert_resource(SearchOptions { algorithm: Algorithm::Dijkstra, ..default() });
        let walkers: Vec<_> = (0..20).map(|i| spawn_agent(&mut app, (i, 0))).collect();
        for (&walker, i) in walkers.iter().zip(0..) {
            if with_paths {
                order(&mut app, walker, at((59 - i, 59)));
            }
            if with_cells {
                app.world_mut().entity_mut(walker).insert(CellRequest::free_spots(3, 20.0));
            }
        }
        let mut frames = 0;
        let mut first = [None; 2];
        loop {
            app.update();
            frames += 1;
            let cells = app.world().resource::<Answers>().0.len();
            let paths = walkers.iter().filter(|&&walker| has_path(&app, walker)).count();
            for (first, count) in first.iter_mut().zip([paths, cells]) {
                *first = first.or((count > 0).then_some(frames));
            }
            let is_done = |is_asked: bool, count: usize| !is_asked || count == walkers.len();
            if is_done(with_paths, paths) && is_done(with_cells, cells) {
                return (frames, first);
            }
            assert!(frames < 10_000, "{paths} paths, {cells} answers");
        }
    };
    let ((paths, _), (cells, _), (both, first)) =
        (answered(true, false), answered(false, true), answered(true, true));
    assert!(both * 10 > (paths + cells) * 9, "{both} frames; alone {paths} and {cells}");
    assert!(first.iter().all(|first| first.is_some_and(|first| first * 2 < both)), "{first:?} of {both}");
}

#[test]
fn bad_questions_are_errors() {
    let mut app = yard();
    let (start, base) = (at((1, 1)), CellRequest::new(5.0));
    for off in [Vec3::NAN, Vec3::INFINITY] {
        assert_eq!(best(&mut app, off, base.clone()), Err(PathError::NotFinite), "{off}");
        assert_eq!(best(&mut app, start, CellRequest::cover_from(off, 5.0)), Err(PathError::NotFinite));
    }
    let outside = best(&mut app, at((-5, 0)), base.clone());
    assert_eq!(outside, Err(PathError::StartOutside(IVec2::new(-5, 0))));
    assert_eq!(best(&mut app, at((5, 2)), base.clone()), Err(PathError::StartBlocked(IVec2::new(5, 2))));
    let gone = CellRequest::cover_from(Entity::PLACEHOLDER, 5.0);
    assert_eq!(best(&mut app, start, gone), Err(PathError::TargetGone));
    let unknown = base.clone().with_sight_kind(KindId(7)).with_condition(CellCondition::Sees(start.into()));
    assert_eq!(best(&mut app, start, unknown), Err(PathError::UnknownKind(7)));
    for within in [f32::NAN, -1.0] {
        assert_eq!(best(&mut app, start, CellRequest::new(within)), Err(PathError::InvalidQuery));
    }
    let weight = base.with_score(CellValue::PathCost, f32::NAN);
    assert_eq!(best(&mut app, start, weight), Err(PathError::InvalidQuery));
    let agent = spawn_with(&mut app, (1, 1), CellRequest::new(f32::NAN));
    ticks(&mut app, 3);
    assert_eq!(app.world().resource::<Answers>().0, [(agent, Err(PathError::InvalidQuery))], "told once");
}

#[test]
fn cells_of_joined_grids_are_those_of_their_parts() {
    let mut app = app(SolveMode::Inline);
    let part = |app: &mut App, x: f32| {
        app.world_mut().spawn((NavGrid::new(open(6, 1)), Transform::from_xyz(x, 0.0, 0.0))).id()
    };
    let (_, right) = (part(&mut app, 0.0), part(&mut app, 6.0));
    ticks(&mut app, 2);
    let far = CellRequest::new(20.0).with_score(CellValue::Distance(at((0, 0)).into()), 1.0);
    let found = best(&mut app, at((1, 0)), far).unwrap();
    assert_eq!((found[0].grid, cells(&found)), (right, vec![(5, 0)]));
    assert_eq!(found[0].position, at((11, 0)));
}
