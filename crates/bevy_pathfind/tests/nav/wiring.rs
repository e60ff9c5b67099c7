//! The plugins: system order, type registration, and requirements on the application.

use bevy::ecs::schedule::{LogLevel, ScheduleBuildSettings};
use bevy::prelude::*;
use bevy::reflect::serde::{ReflectDeserializer, ReflectSerializer};
use bevy::reflect::{TypePath, TypeRegistry};
use bevy::time::TimeUpdateStrategy;
use bevy_pathfind::{
    agent::DesiredVelocity,
    motion::MotionPlugin,
    order::{Algorithm, CellCondition, CellRequest, CornerRule, RequestPlugin},
    prelude::*,
    presets::{PresetFiles, PresetsPlugin},
    show::{ShowPlugin, SolveDiagnostics},
    solve::{SolveMode, SolvePlugin, SolveSettings},
    steer::{
        AgentAvoidance, AvoidProbe, FlockStats, Fugitive, GoalSource, PursuitAim, SteerPlugin, SteerSettings,
        SteerTick, SteeringBreakdown,
    },
    world::{Grid, GridTransform, WorldPlugin},
};
use serde::de::DeserializeSeed;

use crate::support::*;

/// Runs some ticks with a pursuit and a path, with ambiguous system order as an error.
fn run_strictly(plugins: impl PluginGroup) {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, plugins))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.configure_schedules(ScheduleBuildSettings { ambiguity_detection: LogLevel::Error, ..default() });
    app.world_mut().spawn(NavGrid::new(walled(12)));
    let prey = spawn_agent(&mut app, (10, 2));
    app.world_mut().spawn((Pursuer::line_of_sight(prey), Transform::from_translation(at((2, 2)))));
    send(&mut app, (1, 1), (10, 10));
    ticks(&mut app, 20);
}

#[test]
fn systems_have_no_ambiguous_order() {
    run_strictly(PathfindPlugins::default());
    run_strictly(PathfindPlugins::new(Update));
}

#[test]
fn every_plugin_can_be_left_out() {
    let group = || PathfindPlugins::default().build();
    run_strictly(group().disable::<WorldPlugin>());
    run_strictly(group().disable::<RequestPlugin>());
    run_strictly(group().disable::<SolvePlugin>());
    run_strictly(group().disable::<SteerPlugin>());
    run_strictly(group().disable::<MotionPlugin>());
    run_strictly(group().disable::<ShowPlugin>());
}

/// The stages that are switched off.
#[derive(Resource, Default)]
struct SwitchedOff(Vec<NavSystems>);

#[test]
fn stages_may_be_switched_off_for_a_while() {
    use NavSystems::{Motion, Request, Solve, Steer, World};
    let all = [World, Request, Solve, Steer, Motion];
    let off = all.map(|stage| vec![stage]).into_iter().chain([vec![Steer, Motion], all.to_vec()]);
    for off in off {
        let mut app = app(SolveMode::Inline);
        app.init_resource::<SwitchedOff>();
        for stage in all {
            let is_on = move |off: Res<SwitchedOff>| !off.0.contains(&stage);
            app.configure_sets(FixedUpdate, stage.run_if(is_on));
        }
        let nav = spawn_grid(&mut app, walled(24));
        let agents = [2, 6, 10, 14].map(|row| spawn_agent(&mut app, (2, row)));
        let [walker, ordered, gone, hunter] = agents;
        order(&mut app, walker, at((20, 2)));
        order(&mut app, gone, at((20, 10)));
        app.world_mut().entity_mut(hunter).insert((Pursuer::intercept(walker), Avoider::default()));
        ticks(&mut app, 20);
        app.world_mut().resource_mut::<SwitchedOff>().0.clone_from(&off);
        ticks(&mut app, 10);
        edit(&mut app, nav, (12, 23), Terrain::WALL);
        edit(&mut app, nav, (12, 12), Terrain::GROUND);
        order(&mut app, ordered, at((20, 6)));
        app.world_mut().despawn(gone);
        let late = send(&mut app, (2, 18), (20, 18));
        let place = position(&app, walker);
        ticks(&mut app, 20);
        let is_answered = !off.contains(&Request) && !off.contains(&Solve);
        assert_eq!(has_path(&app, late), is_answered, "without {off:?}");
        if off.contains(&Motion) {
            assert_eq!(position(&app, walker), place, "without {off:?} nothing moves");
        }
        app.world_mut().resource_mut::<SwitchedOff>().0.clear();
        let has_arrived =
            |app: &App, agent| app.world().get::<PathStatus>(agent) == Some(&PathStatus::Arrived);
        until(&mut app, &format!("all arrive, without {off:?} for a while"), |app| {
            [walker, ordered, late].iter().all(|&agent| has_arrived(app, agent))
        });
        for (agent, row) in [(walker, 2), (ordered, 6), (late, 18)] {
            stands_at(&app, agent, (20, row), 0.2);
        }
    }
}

#[cfg(feature = "presets")]
#[test]
fn presets_are_part_of_the_group_wherever_there_are_assets() {
    let is_there = |app: &App| app.world().contains_resource::<PresetFiles>();
    let mut before = App::new();
    before.add_plugins((MinimalPlugins, AssetPlugin::default(), PathfindPlugins::default(), PresetsPlugin));
    assert!(is_there(&before), "added once more it does no harm");
    let mut after = App::new();
    after.add_plugins((MinimalPlugins, PathfindPlugins::default(), AssetPlugin::default()));
    after.finish();
    assert!(is_there(&after), "the order of the plugins does not matter");
}

#[cfg(feature = "presets")]
#[test]
fn a_preset_without_the_presets_plugin_is_warned_of_once() {
    let heard = warnings();
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PathfindPlugins::default()));
    app.finish();
    let count =
        || heard.lock().unwrap().iter().filter(|text| text.contains("presets are not loaded")).count();
    assert_eq!(count(), 0, "an application without presets hears nothing");
    app.world_mut().spawn(PresetOf::<Agent>::new(Handle::default()));
    app.world_mut().spawn(PresetOf::<Avoider>::new(Handle::default()));
    assert_eq!(count(), 1, "the first is told of, and no other");
}

#[test]
fn stages_can_be_added_one_by_one_in_any_order() {
    let mut app = App::new();
    app.add_plugins(MinimalPlugins)
        .add_plugins((MotionPlugin::default(), SteerPlugin::default(), SolvePlugin::new(FixedUpdate)))
        .add_plugins((RequestPlugin::default(), WorldPlugin::default()))
        .insert_resource(SolveSettings { mode: SolveMode::Inline, ..default() })
        .insert_resource(bevy::time::TimeUpdateStrategy::FixedTimesteps(1));
    app.update();
    spawn_grid(&mut app, Grid::new(8, 8).unwrap());
    let agent = send(&mut app, (1, 1), (6, 6));
    ticks(&mut app, 64 * 4);
    stands_at(&app, agent, (6, 6), 0.2);
}

#[test]
fn settings_inserted_before_the_plugin_are_kept() {
    let mut app = App::new();
    app.insert_resource(SolveSettings { workers: Some(7), ..default() })
        .insert_resource(SearchOptions { straighten: false, ..default() })
        .add_plugins((MinimalPlugins, PathfindPlugins::default()));
    assert_eq!(app.world().resource::<SolveSettings>().workers, Some(7));
    assert!(!app.world().resource::<SearchOptions>().straighten);
}

#[test]
fn requests_without_their_own_options_take_the_default_ones() {
    let mut app = app(SolveMode::Inline);
    app.insert_resource(SearchOptions { straighten: false, ..default() });
    spawn_grid(&mut app, Grid::new(10, 10).unwrap());
    let agent = send(&mut app, (1, 1), (8, 3));
    app.update();
    assert!(path(&app, agent).waypoints().len() > 2, "its turns are left in");
}

/// Serializes a value by reflection, and reads it back.
fn round_trip<T: Reflect + FromReflect + TypePath>(value: &T, registry: &TypeRegistry) -> (T, String) {
    assert!(registry.get(core::any::TypeId::of::<T>()).is_some(), "{} is registered", T::type_path());
    let text = ron::to_string(&ReflectSerializer::new(value, registry))
        .unwrap_or_else(|error| panic!("{} can be written: {error}", T::type_path()));
    let mut source = ron::Deserializer::from_str(&text).unwrap();
    let back = ReflectDeserializer::new(registry)
        .deserialize(&mut source)
        .unwrap_or_else(|error| panic!("{text} can be read: {error}"));
    (T::from_reflect(&*back).unwrap_or_else(|| panic!("{text} is a {}", T::type_path())), text)
}

/// Checks that nothing of a value is lost by that.
pub(crate) fn survives<T: Reflect + FromReflect + TypePath + PartialEq + core::fmt::Debug>(
    value: T,
    registry: &TypeRegistry,
) {
    let (back, text) = round_trip(&value, registry);
    assert_eq!(back, value, "{text} says all");
}

#[test]
fn every_component_and_resource_survives_a_file() {
    let (mut app, nav) = app_on(walled(12));
    let agent = send(&mut app, (1, 1), (10, 1));
    ticks(&mut app, 5);
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let registry = &registry.read();
    let options = SearchOptions { algorithm: Algorithm::Dijkstra, corners: CornerRule::OneFree, ..default() };
    survives(Agent { speed: 3.0, kind: KindId(2), facing: AgentFacing::Up, ..default() }, registry);
    survives(PathRequest::to(Vec3::X).with_options(options).with_priority(3), registry);
    survives(PathRequest::to(agent), registry);
    survives(Pursuer::line_of_sight(agent).with_catch_radius(2.0), registry);
    survives(Fugitive::from_threats([agent], 3.0).with_safe_ratio(2.0), registry);
    survives(CellRequest::cover_from(agent, 3.0).with_condition(CellCondition::Free), registry);
    survives(ManualVelocity(Vec3::Y), registry);
    survives(Avoider { force: 0.5, agents: AgentAvoidance::Reciprocal, ..Avoider::ray(3.0) }, registry);
    survives(Flock { separation_radius: 2.0, ..Flock::seagull() }, registry);
    survives(FlockOf(agent), registry);
    survives(FlockLeader { near: 3.0, ..default() }, registry);
    survives(FlockStats { members: 3, ..default() }, registry);
    survives(Behavior::evade(agent), registry);
    survives(Separation { radius: 3.0, ..default() }, registry);
    survives(Obstacle::cuboid(Vec3::new(1.0, 2.0, 3.0)).with_layers(5), registry);
    survives(AgentId(7), registry);
    survives(SteerSettings { seed: 3, ..default() }, registry);
    survives(NavSettings::default().with_up(Vec3::Y), registry);
    survives(SteerTick(9), registry);
    survives(PursuitAim { time: 2.0, ..default() }, registry);
    survives(AvoidProbe { radius: 2.0, ..default() }, registry);
    survives(SteeringBreakdown { goal: Vec3::X, source: GoalSource::Path, ..default() }, registry);
    survives(DesiredVelocity(Vec3::X), registry);
    survives(AdjustedVelocity(Vec3::X), registry);
    survives(AgentVelocity(Vec3::X), registry);
    survives(OnGrid(nav), registry);
    survives(PathStatus::Following, registry);
    survives(PathStatus::Failed(PathError::GoalBlocked(IVec2::new(3, 4))), registry);
    survives(path(&app, agent).clone(), registry);
    survives(*app.world().get::<GridTransform>(nav).unwrap(), registry);
    survives(Obstacle::cuboid(Vec3::ONE).with_carved(Terrain::WATER), registry);
    survives(options, registry);
    survives(
        SolveSettings { mode: SolveMode::Sliced, workers: Some(3), seek_shortcuts: true, ..default() },
        registry,
    );
    let grid = NavGrid::new(walled(5)).with_cell_size(2.0).with_plane(GridPlane::Xz);
    let (back, _) = round_trip(&grid, registry);
    assert_eq!(back.grid().to_ascii(), grid.grid().to_ascii(), "the cells are as they were");
    assert_eq!((back.cell_size(), back.plane()), (2.0, GridPlane::Xz));
}

#[test]
fn diagnostics_are_measured_where_there_are_any() {
    use bevy::diagnostic::{DiagnosticsPlugin, DiagnosticsStore};
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, DiagnosticsPlugin, PathfindPlugins::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(exhaustive_search())
        .insert_resource(SolveSettings { mode: SolveMode::Inline, ..default() });
    app.world_mut().spawn(NavGrid::new(walled(12)));
    send(&mut app, (1, 1), (10, 1));
    ticks(&mut app, 4);
    let store = app.world().resource::<DiagnosticsStore>();
    let measured = store.get(&SolveDiagnostics::EXPANDED).expect("it is registered");
    assert!(measured.values().any(|&cells| cells > 10.0), "the search was counted");
}

#[cfg(feature = "gizmos")]
#[test]
fn everything_can_be_drawn_without_a_window() {
    let of_world = NavGizmos { grid: true, terrain: true, regions: true, clearance: true, ..default() };
    let of_paths = NavGizmos { flow_field: true, paths: true, search: true, ..of_world };
    let gizmos = NavGizmos { targets: true, probes: true, radii: true, agents: true, ..of_paths };
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default()))
        .add_plugins((bevy::mesh::MeshPlugin, bevy::gizmos::GizmoPlugin))
        .insert_resource(gizmos)
        .add_plugins(PathfindPlugins::default())
        .insert_resource(SolveSettings { mode: SolveMode::Inline, record: true, ..default() })
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    let nav = spawn_grid(&mut app, walled(12));
    edit(&mut app, nav, (1, 1), Terrain::WATER);
    let prey = spawn_agent(&mut app, (10, 2));
    let hunter = (Pursuer::line_of_sight(prey), Avoider::contact(), Flock::default());
    app.world_mut().spawn((hunter, Transform::from_translation(at((2, 2)))));
    app.world_mut().spawn((Obstacle::sphere(0.5), Transform::from_translation(at((3, 4)))));
    ticks(&mut app, 10);
    assert!(stats(&app).finished > 0, "there was something to draw");
}
