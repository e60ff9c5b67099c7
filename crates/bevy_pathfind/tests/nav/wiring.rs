//! The plugins themselves: order, registration, what they need of an application.

use bevy::ecs::schedule::{LogLevel, ScheduleBuildSettings};
use bevy::prelude::*;
use bevy::reflect::serde::{ReflectDeserializer, ReflectSerializer};
use bevy::reflect::{TypePath, TypeRegistry};
use bevy::time::TimeUpdateStrategy;
use bevy_pathfind::prelude::*;
use serde::de::DeserializeSeed;

use crate::support::*;

/// Runs some ticks with a hunt and a walk, under the strictest reading of the system order.
fn run_strictly(plugins: impl PluginGroup) {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, plugins))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.configure_schedules(ScheduleBuildSettings { ambiguity_detection: LogLevel::Error, ..default() });
    app.world_mut().spawn(NavGrid::new(walled(12)));
    let prey = spawn_agent(&mut app, (10, 2));
    app.world_mut().spawn((Pursuer::line_of_sight(prey), Transform::from_translation(at((2, 2)))));
    let walker = spawn_agent(&mut app, (1, 1));
    order(&mut app, walker, at((10, 10)));
    ticks(&mut app, 20);
}

#[test]
fn no_two_systems_are_without_an_order() {
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

#[test]
fn settings_inserted_before_the_plugin_stand() {
    let mut app = App::new();
    app.insert_resource(SolveSettings { workers: 7, ..default() })
        .insert_resource(DefaultSearch(SearchOptions { straighten: false, ..default() }))
        .add_plugins((MinimalPlugins, PathfindPlugins::default()));
    assert_eq!(app.world().resource::<SolveSettings>().workers, 7);
    assert!(!app.world().resource::<DefaultSearch>().0.straighten);
}

#[test]
fn requests_without_their_own_options_take_the_default_ones() {
    let mut app = app(SolveMode::Inline);
    app.insert_resource(DefaultSearch(SearchOptions { straighten: false, ..default() }));
    spawn_grid(&mut app, Grid::new(10, 10).unwrap());
    let agent = spawn_agent(&mut app, (1, 1));
    order(&mut app, agent, at((8, 3)));
    app.update();
    assert!(app.world().get::<Path>(agent).unwrap().waypoints().len() > 2, "its turns are left in");
}

/// Writes a value by reflection alone and reads it back.
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

fn survives<T: Reflect + FromReflect + TypePath + PartialEq + core::fmt::Debug>(
    value: T,
    registry: &TypeRegistry,
) {
    let (back, text) = round_trip(&value, registry);
    assert_eq!(back, value, "{text} says all");
}

#[test]
fn every_component_and_resource_survives_a_file() {
    let mut app = app(SolveMode::Inline);
    let nav = spawn_grid(&mut app, walled(12));
    let agent = spawn_agent(&mut app, (1, 1));
    order(&mut app, agent, at((10, 1)));
    ticks(&mut app, 5);
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let registry = &registry.read();
    let options = SearchOptions { algorithm: Algorithm::Dijkstra, corners: CornerRule::OneFree, ..default() };
    survives(Agent { speed: 3.0, kind: KindId(2), facing: Facing::Up, ..default() }, registry);
    survives(PathRequest::to(Vec3::X).with_options(options).with_priority(3), registry);
    survives(PathRequest::to(agent), registry);
    survives(Pursuer::line_of_sight(agent).with_catch_radius(2.0), registry);
    survives(Driven(Vec3::Y), registry);
    survives(Avoider { force: 0.5, others: OtherAgents::Reciprocal, ..Avoider::ray(3.0) }, registry);
    survives(Flock { avoidance_radius: 2.0, ..Flock::seagull() }, registry);
    survives(FlockOf(agent), registry);
    survives(FlockLeader { near: 3.0, ..default() }, registry);
    survives(FlockReadout { members: 3, ..default() }, registry);
    survives(Behavior::towards(BehaviorKind::Evade, agent), registry);
    survives(Separation { radius: 3.0, ..default() }, registry);
    survives(Obstacle::cuboid(Vec3::new(1.0, 2.0, 3.0)).with_layers(5), registry);
    survives(AgentId(7), registry);
    survives(SteerSettings { seed: 3, up: Some(Vec3::Y), ..default() }, registry);
    survives(SteerTick(9), registry);
    survives(PursuitAim { time: 2.0, ..default() }, registry);
    survives(AvoidProbe { radius: 2.0, ..default() }, registry);
    survives(Wishes { goal: Vec3::X, source: GoalSource::Path, ..default() }, registry);
    survives(DesiredVelocity(Vec3::X), registry);
    survives(AdjustedVelocity(Vec3::X), registry);
    survives(Velocity(Vec3::X), registry);
    survives(OnGrid(nav), registry);
    survives(PathStatus::Following, registry);
    survives(PathStatus::Failed(PathError::GoalBlocked(IVec2::new(3, 4))), registry);
    survives(app.world().get::<Path>(agent).unwrap().clone(), registry);
    survives(*app.world().get::<GridPlace>(nav).unwrap(), registry);
    survives(NavObstacle::cuboid(Vec3::ONE).with_terrain(Terrain::WATER), registry);
    survives(RepairSettings { improve: true, ..default() }, registry);
    survives(DefaultSearch(options), registry);
    survives(SolveSettings { mode: SolveMode::Sliced, workers: 3, ..default() }, registry);
    let grid = NavGrid::new(walled(5)).with_cell_size(2.0).with_plane(Plane::Xz);
    let (back, _) = round_trip(&grid, registry);
    assert_eq!(back.grid().to_ascii(), grid.grid().to_ascii(), "the cells are as they were");
    assert_eq!((back.cell_size(), back.plane()), (2.0, Plane::Xz));
}

#[test]
fn diagnostics_are_measured_where_there_are_any() {
    use bevy::diagnostic::{DiagnosticsPlugin, DiagnosticsStore};
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, DiagnosticsPlugin, PathfindPlugins::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(DefaultSearch(patient()))
        .insert_resource(SolveSettings { mode: SolveMode::Inline, ..default() });
    app.world_mut().spawn(NavGrid::new(walled(12)));
    let agent = spawn_agent(&mut app, (1, 1));
    order(&mut app, agent, at((10, 1)));
    ticks(&mut app, 4);
    let store = app.world().resource::<DiagnosticsStore>();
    let measured = store.get(&SolveDiagnostics::EXPANDED).expect("it is registered");
    assert!(measured.values().any(|&cells| cells > 10.0), "the search was counted");
}

#[cfg(feature = "gizmos")]
#[test]
fn everything_can_be_drawn_without_a_window() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default()))
        .add_plugins((bevy::mesh::MeshPlugin, bevy::gizmos::GizmoPlugin))
        .insert_resource(ShowSettings {
            grid: true,
            terrain: true,
            regions: true,
            clearance: true,
            flow_field: true,
            paths: true,
            search: true,
            targets: true,
            probes: true,
            radii: true,
            agents: true,
            ..default()
        })
        .add_plugins(PathfindPlugins::default())
        .insert_resource(SolveSettings { mode: SolveMode::Inline, record: true, ..default() })
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    let nav = spawn_grid(&mut app, walled(12));
    edit(&mut app, nav, (1, 1), Terrain::WATER);
    let prey = spawn_agent(&mut app, (10, 2));
    let hunter = (Pursuer::line_of_sight(prey), Avoider::default(), Flock::default());
    app.world_mut().spawn((hunter, Transform::from_translation(at((2, 2)))));
    app.world_mut().spawn((Obstacle::sphere(0.5), Transform::from_translation(at((3, 4)))));
    ticks(&mut app, 10);
    assert!(app.world().resource::<SolveStats>().finished > 0, "there was something to draw");
}
