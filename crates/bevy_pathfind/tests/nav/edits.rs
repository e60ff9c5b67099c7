//! Edits of a grid: which agents plan again, and which do not.

use bevy::prelude::*;
use bevy_pathfind::{
    order::{PartialReason, PathOutcome},
    prelude::*,
    solve::{SolveMode, SolveSettings},
    world::Grid,
};

use crate::support::*;

/// Changes a cell in every tick of twenty seconds, far from where agents walk.
fn edit_constantly(app: &mut App, nav: Entity) {
    for tick in 0..64 * 20 {
        let terrain = if tick % 2 == 0 { Terrain::WATER } else { Terrain::GROUND };
        edit(app, nav, (2, 2), terrain);
        app.update();
    }
}

#[test]
fn constant_edits_starve_no_request() {
    let mut app = limited_app(SolveMode::Sliced, 40);
    let nav = spawn_grid(&mut app, walled(40));
    let agent = send(&mut app, (2, 38), (37, 2));
    edit_constantly(&mut app, nav);
    assert_eq!(status(&app, agent), PathStatus::Arrived, "edits far from its way do not hold it up");
}

#[test]
fn constant_edits_still_allow_partial_paths() {
    let mut app = limited_app(SolveMode::Sliced, 300);
    let nav = spawn_grid(&mut app, Grid::new(40, 40).unwrap());
    // The goal is walled in: the path is never complete, however often it is searched for.
    ring(&mut app, nav, (30, 30), Terrain::WALL);
    let agent = send(&mut app, (2, 38), (30, 30));
    edit_constantly(&mut app, nav);
    let short = PathStatus::EndedShort(PartialReason::Unreachable);
    assert_eq!(status(&app, agent), short, "it went as near as it could");
}

#[test]
fn an_agent_on_a_blocked_path_stops_before_the_wall() {
    let mut app = limited_app(SolveMode::Sliced, 1_000_000);
    let nav = spawn_grid(&mut app, Grid::new(60, 60).unwrap());
    let agent = send(&mut app, (1, 30), (58, 30));
    ticks(&mut app, 64);
    set_expansions(&mut app, 1);
    wall(&mut app, nav, (8, 1), (8, 59));
    ticks(&mut app, 30);
    assert_eq!(count(&app, &LoggedEvent::Invalidated(agent)), 1, "it knows before the new path is there");
    assert_eq!(velocity(&app, agent), Vec3::ZERO, "it does not push on blindly");
    assert!(stands_free(&app, nav, agent));
}

#[test]
fn a_grid_that_moves_takes_its_paths_along() {
    let (mut app, nav) = app_on(Grid::new(30, 9).unwrap());
    let agent = send(&mut app, (1, 4), (28, 4));
    ticks(&mut app, 10);
    app.world_mut().get_mut::<Transform>(nav).unwrap().translation.y = 1.0;
    ticks(&mut app, 64 * 8);
    let end = position(&app, agent);
    assert!((end - at((28, 4)) - Vec3::Y).length() < 0.15, "it follows the grid's frame: {end}");
}

/// Sets the eight neighbours of a cell to a terrain.
fn ring(app: &mut App, nav: Entity, centre: (i32, i32), terrain: Terrain) {
    for (x, y) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
        edit(app, nav, (centre.0 + x, centre.1 + y), terrain);
    }
}

#[test]
fn an_erased_ring_lets_stopped_agents_go_on() {
    for (mode, wait) in [(SolveMode::Inline, 64 * 6), (SolveMode::Inline, 64), (SolveMode::Sliced, 64 * 6)] {
        let mut app = app(mode);
        let nav = spawn_grid(&mut app, Grid::new(30, 11).unwrap());
        ring(&mut app, nav, (20, 5), Terrain::WALL);
        let agent = send(&mut app, (2, 5), (20, 5));
        ticks(&mut app, wait);
        let partial = PathOutcome::Partial(PartialReason::Unreachable);
        assert_eq!(path(&app, agent).outcome(), partial, "the ring is shut");
        assert_eq!(count(&app, &LoggedEvent::Arrived(agent)), 0, "outside the ring it has not arrived");
        ring(&mut app, nav, (20, 5), Terrain::GROUND);
        ticks(&mut app, 64 * 6);
        assert_eq!(status(&app, agent), PathStatus::Arrived);
        assert_eq!(count(&app, &LoggedEvent::Arrived(agent)), 1, "now it has arrived, and hears of it");
        stands_at(&app, agent, (20, 5), 0.15);
        assert_eq!(stats(&app).finished, 2, "one more search was enough, after {wait} ticks outside");
    }
}

#[test]
fn an_unblocked_goal_is_reached_by_refused_agents() {
    let (mut app, nav) = app_on(Grid::new(30, 11).unwrap());
    edit(&mut app, nav, (20, 5), Terrain::WALL);
    let options = SearchOptions { allow_partial: false, ..default() };
    let agent = spawn_with(&mut app, (2, 5), PathRequest::to(at((20, 5))).with_options(options));
    ticks(&mut app, 5);
    let refused = PathError::GoalBlocked(IVec2::new(20, 5));
    assert_eq!(status(&app, agent), PathStatus::Failed(refused));
    edit(&mut app, nav, (3, 3), Terrain::WALL);
    ticks(&mut app, 20);
    assert_eq!(
        logged_events(&app),
        [LoggedEvent::Failed(agent, refused)],
        "an edit that changes nothing for it is not told"
    );
    edit(&mut app, nav, (20, 5), Terrain::GROUND);
    ticks(&mut app, 64 * 6);
    assert_eq!(status(&app, agent), PathStatus::Arrived, "the wall on the goal is gone, so it goes");
}

#[test]
fn an_agent_covered_by_a_wall_walks_out_and_on() {
    for mode in [SolveMode::Inline, SolveMode::Background] {
        let mut app = app(mode);
        let nav = spawn_grid(&mut app, Grid::new(30, 9).unwrap());
        let agent = send(&mut app, (1, 4), (28, 4));
        until(&mut app, "it is under way", |app| position(app, agent).x > 5.0);
        let here = GridCell::containing(position(&app, agent).truncate());
        edit(&mut app, nav, (here.x, here.y), Terrain::WALL);
        ticks(&mut app, 64);
        assert!(stands_free(&app, nav, agent), "it is out within a second");
        all_arrive(&mut app, &[agent]);
        assert_eq!(count(&app, &LoggedEvent::Invalidated(agent)), 1, "it heard of it");
    }
}

#[test]
fn an_idle_agent_covered_by_a_building_leaves_by_the_nearest_side() {
    let (mut app, nav) = app_on(Grid::new(30, 30).unwrap());
    let agents = [(12, 15), (15, 11), (19, 14), (3, 3)].map(|cell| spawn_agent(&mut app, cell));
    ticks(&mut app, 5);
    wall(&mut app, nav, (10, 10), (20, 20));
    ticks(&mut app, 64 * 2);
    let cells = agents.map(|agent| GridCell::containing(position(&app, agent).truncate()));
    assert_eq!(cells, [(9, 15), (15, 9), (21, 14), (3, 3)].map(GridCell::from), "each by its nearest wall");
    assert_eq!(position(&app, agents[3]), at((3, 3)), "who stood elsewhere stands there still");
    assert!(agents.iter().all(|&agent| velocity(&app, agent).length() < 1e-3));
}

/// An agent walks to a far gap in a wall, when a nearer gap opens.
fn a_nearer_gap_opens(settings: SolveSettings, gap: i32) -> (App, Entity) {
    let mut app = app(SolveMode::Inline);
    app.insert_resource(SolveSettings { mode: SolveMode::Inline, ..settings });
    let nav = spawn_grid(&mut app, walled(40));
    let agent = send(&mut app, (2, 20), (37, 20));
    ticks(&mut app, 20);
    edit(&mut app, nav, (20, gap), Terrain::GROUND);
    all_arrive(&mut app, &[agent]);
    (app, agent)
}

#[test]
fn shortcuts_are_taken_only_if_enabled() {
    let seek_shortcuts = SolveSettings { seek_shortcuts: true, ..default() };
    for (settings, gap, gains) in
        [(seek_shortcuts, 20, 1), (seek_shortcuts, 0, 0), (SolveSettings::default(), 20, 0)]
    {
        let (app, agent) = a_nearer_gap_opens(settings, gap);
        assert_eq!(count(&app, &LoggedEvent::Invalidated(agent)), gains, "{settings:?}, a gap in row {gap}");
        let found = count(&app, &LoggedEvent::Found(agent, PathOutcome::Complete));
        assert!(found > gains, "the shorter way comes as a path");
        assert!(gains > 0 || stats(&app).finished == 1, "no search for nothing");
    }
    // A gap with too small a gain is searched, but not taken.
    let greedy = SolveSettings { seek_shortcuts: true, min_gain: 0.9, ..default() };
    let (app, agent) = a_nearer_gap_opens(greedy, 20);
    assert_eq!(stats(&app).finished, 2, "it looked");
    assert_eq!(count(&app, &LoggedEvent::Invalidated(agent)), 0, "and stayed on its way");
}

#[test]
fn constant_edits_are_cheap_while_shortcuts_are_sought() {
    let (mut app, nav) = app_on(Grid::new(30, 11).unwrap());
    ring(&mut app, nav, (20, 5), Terrain::WALL);
    let outside = send(&mut app, (2, 5), (20, 5));
    send(&mut app, (2, 9), (28, 9));
    ticks(&mut app, 64 * 6);
    let before = stats(&app).finished;
    let heard = logged_events(&app).len();
    for tick in 0..160 {
        let terrain = if tick % 2 == 0 { Terrain::WATER } else { Terrain::GROUND };
        edit(&mut app, nav, (2, 0), terrain);
        app.update();
    }
    let searches = stats(&app).finished - before;
    assert!((1..=20).contains(&searches), "160 edits made one agent search {searches} times");
    assert_eq!(logged_events(&app).len(), heard, "and nobody was told anything");
    let short = PathStatus::EndedShort(PartialReason::Unreachable);
    assert_eq!(status(&app, outside), short, "it is still as near as it can be");
    assert_eq!(stats(&app).replanned, 0, "no path was touched");
}

#[test]
fn an_agent_that_was_kept_from_a_far_goal_goes_all_the_way_once_it_can() {
    let (mut app, nav) = app_on(grid(&format!("{}#{}", ".".repeat(20), ".".repeat(30))));
    let agent = send(&mut app, (15, 0), (48, 0));
    until(&mut app, "it stops at the wall", |app| matches!(status(app, agent), PathStatus::EndedShort(_)));
    ticks(&mut app, 64);
    edit(&mut app, nav, (20, 0), Terrain::GROUND);
    all_arrive(&mut app, &[agent]);
    stands_at(&app, agent, (48, 0), 0.6);
}

/// An agent on its way from (2, 2) to (2, 17) past a wall with a gap of one cell near it and one of five far off, and
/// the kind of agent that passes only the wide one.
fn on_its_way_through_the_gap() -> (App, Entity, KindId) {
    let is_wall = |cell: GridCell| cell.y == 9 && !(cell.x == 4 || (30..35).contains(&cell.x));
    let terrain = |cell| if is_wall(cell) { Terrain::WALL } else { Terrain::GROUND };
    let mut map = Grid::from_fn(40, 20, terrain).unwrap();
    let wide = map.add_kind(AgentKind { size: AgentSize::Disc(1.4), ..default() }).unwrap();
    let (mut app, _) = app_on(map);
    let agent = send(&mut app, (2, 2), (2, 17));
    ticks(&mut app, 20);
    (app, agent, wide)
}

#[test]
fn an_agent_that_becomes_another_kind_takes_another_path_in_the_same_tick() {
    let (mut app, agent, wide) = on_its_way_through_the_gap();
    let kind = |app: &mut App, kind| app.world_mut().get_mut::<Agent>(agent).unwrap().kind = kind;
    let turns_at = |app: &App| path(app, agent).remaining().iter().map(|at| at.x).fold(0.0, f32::max);
    assert!(turns_at(&app) < 6.0, "the near gap");
    kind(&mut app, wide);
    app.update();
    assert!(turns_at(&app) > 25.0, "grown, the far gap");
    kind(&mut app, KindId::default());
    app.update();
    assert!(turns_at(&app) < 6.0, "small again, the near gap");
    let searches = stats(&app).finished;
    app.world_mut().get_mut::<Agent>(agent).unwrap().speed = 6.0;
    ticks(&mut app, 2);
    assert_eq!(stats(&app).finished, searches, "another speed needs no other path");
    arrives(&mut app, agent, at((2, 17)));
}

#[test]
fn an_agent_that_grows_keeps_farther_from_the_corners_in_the_same_tick() {
    let (mut app, _) = app_on(grid("............\n............\n.....##.....\n............\n............"));
    let agent = spawn_with(&mut app, (0, 2), Agent { radius: 0.05, ..Agent::new(1.0) });
    order(&mut app, agent, at((11, 2)));
    ticks(&mut app, 10);
    let length = |app: &App| path(app, agent).remaining_length(position(app, agent));
    let thin = length(&app);
    app.world_mut().get_mut::<Agent>(agent).unwrap().radius = 0.5;
    app.update();
    assert!(length(&app) > thin + 0.01, "{} instead of {thin}", length(&app));
}

#[test]
fn an_agent_whose_kind_had_no_path_goes_on_as_another_kind() {
    for allow_partial in [true, false] {
        let map = grid(".......#.......\n...............\n.......#.......");
        let (mut app, _) = app_on(map);
        let disc = AgentKind { size: AgentSize::Disc(1.4), ..default() };
        let wide = app.world_mut().resource_mut::<AgentKinds>().add(disc).unwrap();
        app.insert_resource(SearchOptions { allow_partial, ..default() });
        let agent = spawn_with(&mut app, (2, 1), Agent { kind: wide, ..default() });
        order(&mut app, agent, at((12, 1)));
        ticks(&mut app, 64 * 3);
        let ended = status(&app, agent);
        assert!(matches!(ended, PathStatus::EndedShort(_) | PathStatus::Failed(_)), "{ended:?}");
        app.world_mut().get_mut::<Agent>(agent).unwrap().kind = KindId::default();
        arrives(&mut app, agent, at((12, 1)));
    }
}
