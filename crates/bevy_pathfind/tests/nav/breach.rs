//! Agents that break through what stands in their way, where that is quicker than the way round.

use bevy::prelude::*;
use bevy_pathfind::{order::PartialReason, prelude::*, solve::SolveMode};

use crate::support::*;

const GATE: Terrain = Terrain(20);
const STONE: Terrain = Terrain(21);

/// A town behind a wall at column 20: of stone, but for a gate of two cells in rows 14 and 15; open at `gap`, if any.
const fn town(cell: GridCell, gap: Option<i32>) -> Terrain {
    match (cell.x, cell.y) {
        (20, y) if matches!(gap, Some(gap) if gap == y) => Terrain::GROUND,
        (20, 14 | 15) => GATE,
        (20, _) => STONE,
        _ => Terrain::GROUND,
    }
}

#[derive(Resource, Default)]
struct Blocked(Vec<PathBlocked>);

/// An application with the town. Raiders break the gate at `gate` cells' worth, and stone at 200.
fn raid(gate: f32, gap: Option<i32>) -> (App, Entity, impl Bundle + Copy) {
    let mut app = app(SolveMode::Inline);
    app.init_resource::<Blocked>();
    app.add_observer(|on: On<PathBlocked>, mut blocked: ResMut<Blocked>| blocked.0.push(on.event().clone()));
    let mut kinds = app.world_mut().resource_mut::<AgentKinds>();
    let walker = kinds.add(AgentKind::default().with_blocked(GATE).with_blocked(STONE)).unwrap();
    let raider = AgentKind::default().with_cost(GATE, gate).unwrap().with_cost(STONE, 200.0).unwrap();
    let raider = kinds.add(raider).unwrap();
    let grid = NavGrid::from_fn(40, 30, |cell| town(cell, gap)).unwrap();
    let nav = app.world_mut().spawn(grid).id();
    ticks(&mut app, 1);
    (app, nav, (Agent::new(5.0).with_kind(walker), Breacher { kind: raider }))
}

fn spawn_raider(app: &mut App, raider: impl Bundle, cell: (i32, i32)) -> Entity {
    spawn_with(app, cell, (raider, PathRequest::to(at((35, 5)))))
}

fn blocked(app: &App) -> &[PathBlocked] {
    &app.world().resource::<Blocked>().0
}

#[test]
fn it_stops_before_the_gate_and_goes_on_when_that_is_broken() {
    let (mut app, nav, raider) = raid(20.0, None);
    let agent = spawn_raider(&mut app, raider, (5, 5));
    until(&mut app, "it stands before the gate", |app| !blocked(app).is_empty());
    let [told] = blocked(&app) else { panic!("it is told once") };
    assert_eq!((told.entity, told.grid, told.cell), (agent, nav, GridCell::new(20, 14)));
    assert_eq!(told.at, at((20, 14)));
    assert_eq!(status(&app, agent), PathStatus::EndedShort(PartialReason::Breach));
    assert_eq!(path(&app, agent).barrier(), Some(told.cell));
    stands_at(&app, agent, (19, 14), 0.3);
    ticks(&mut app, 200);
    assert_eq!(blocked(&app).len(), 1, "it waits");
    edit(&mut app, nav, (20, 14), Terrain::GROUND);
    arrives(&mut app, agent, at((35, 5)));
    assert_eq!(path(&app, agent).barrier(), None);
}

#[test]
fn it_goes_round_where_that_is_quicker() {
    let (mut app, _, raider) = raid(60.0, Some(27));
    let agent = spawn_raider(&mut app, raider, (5, 5));
    arrives(&mut app, agent, at((35, 5)));
    assert!(blocked(&app).is_empty(), "the way through the gap costs less than the gate");
}

#[test]
fn it_plans_again_when_a_gate_opens_elsewhere() {
    let (mut app, nav, raider) = raid(20.0, None);
    let agent = spawn_raider(&mut app, raider, (5, 5));
    until(&mut app, "it stands before the gate", |app| !blocked(app).is_empty());
    edit(&mut app, nav, (20, 22), Terrain::GROUND);
    arrives(&mut app, agent, at((35, 5)));
    assert_eq!(nav_grid(&app, nav).terrain((20, 14).into()), Some(GATE), "the gate still stands");
}

#[test]
fn a_horde_takes_the_weakest_wall_and_nobody_runs_into_stone() {
    let (mut app, nav, raider) = raid(20.0, None);
    let horde: Vec<Entity> = (0..60)
        .map(|index| spawn_raider(&mut app, (raider, Avoider::default()), (1 + index % 6, 2 + index / 6 * 2)))
        .collect();
    ticks(&mut app, 64 * 12);
    assert!(!blocked(&app).is_empty(), "some stand before the gate");
    for told in blocked(&app) {
        assert_eq!(nav_grid(&app, nav).terrain(told.cell), Some(GATE), "nobody breaks stone");
    }
    assert!(horde.iter().all(|&agent| position(&app, agent).x < 20.0), "all are outside");
    for y in [14, 15] {
        edit(&mut app, nav, (20, y), Terrain::GROUND);
    }
    // Sixty need more than a minute to come through a gate of two cells, and to settle round one point.
    ticks(&mut app, 64 * 60);
    all_arrive(&mut app, &horde);
}

/// Two gates that open in turn for three seconds each: 20 cells apart, and a wait is worth 10 cells.
#[test]
fn of_two_gates_that_open_in_turn_it_waits_at_one() {
    let (mut app, nav, raider) = raid(10.0, None);
    edit(&mut app, nav, (20, 27), GATE);
    let agent = spawn_raider(&mut app, raider, (5, 5));
    until(&mut app, "it stands before the gate", |app| !blocked(app).is_empty());
    let mut is_wide = false;
    for turn in 0..6 {
        let opens = if turn % 2 == 0 { (20, 27) } else { (20, 15) };
        // Nobody opens the near gate before it has been shut twice: the agent must not run to the far one meanwhile.
        if turn != 1 && turn != 3 {
            edit(&mut app, nav, opens, Terrain::GROUND);
        }
        ticks(&mut app, 64 * 3);
        is_wide |= position(&app, agent).y > 20.0;
        if status(&app, agent) == PathStatus::Arrived {
            break;
        }
        edit(&mut app, nav, opens, GATE);
    }
    assert!(!is_wide, "it does not run to and fro");
    arrives(&mut app, agent, at((35, 5)));
}

/// What the kind minds for which it plans counts on its way, too.
#[test]
fn it_minds_the_influence_that_the_kind_of_its_plans_minds() {
    let (mut app, _, raider) = raid(60.0, Some(14));
    let agent = spawn_raider(&mut app, raider, (5, 5));
    app.world_mut().get_mut::<Agent>(agent).unwrap().speed = 1.0;
    let kind = app.world().get::<Breacher>(agent).unwrap().kind;
    let mut layers = app.world_mut().resource_mut::<InfluenceLayers>();
    let danger = layers.add("danger");
    layers.set_cost(danger, kind, InfluenceCost::default());
    ticks(&mut app, 64);
    let before = path(&app, agent).waypoints().to_vec();
    let source = InfluenceSource::new(danger, 3.0).with_strength(30.0);
    app.world_mut().spawn((source, Transform::from_translation(at((13, 10)))));
    ticks(&mut app, 64 * 3);
    assert_ne!(path(&app, agent).waypoints(), before, "it goes round the danger");
}

#[test]
fn a_kind_that_is_unknown_counts_as_none() {
    let (mut app, _, raider) = raid(20.0, Some(27));
    let agent = spawn_raider(&mut app, (raider,), (5, 5));
    app.world_mut().entity_mut(agent).insert(Breacher { kind: KindId(31) });
    arrives(&mut app, agent, at((35, 5)));
}
