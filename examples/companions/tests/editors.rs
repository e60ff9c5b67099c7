//! Agents that other tools make: scene files, scenes in code, and glTF files from Blender. What a tool reads about the
//! components.

use std::path::PathBuf;
use std::time::Duration;

use bevy::prelude::*;
use bevy::reflect::serde::{ReflectDeserializer, ReflectSerializer};
use bevy::time::TimeUpdateStrategy;
use bevy::world_serialization::{
    DynamicWorldBuilder, DynamicWorldRoot, WorldAssetRoot, WorldSerializationPlugin,
};
use bevy_pathfind::{
    prelude::*,
    presets::PresetOf,
    solve::{SolveMode, SolveSettings},
    steer::{AgentAvoidance, FlockMembers, FlockModel},
};
use bevy_remote::{builtin_methods::export_registry_types, schemas::SchemaTypesMetadata};
use bevy_scene::prelude::*;
use serde::de::DeserializeSeed;
use serde_json::Value;

/// A game without a window, and the folder of its assets, which is deleted with it.
struct Game {
    app: App,
    assets: PathBuf,
}

impl Game {
    fn new(name: &str) -> Self {
        let assets = std::env::temp_dir().join(format!("bevy_pathfind_{name}_{}", std::process::id()));
        std::fs::create_dir_all(&assets).expect("a folder for assets");
        let mut app = App::new();
        app.add_plugins((
            MinimalPlugins,
            TransformPlugin,
            AssetPlugin { file_path: assets.to_string_lossy().into_owned(), ..default() },
            bevy::mesh::MeshPlugin,
            WorldSerializationPlugin,
            bevy_scene::ScenePlugin,
            bevy::gltf::GltfPlugin::default(),
            bevy_skein::SkeinPlugin { handle_brp: false },
            PathfindPlugins::default(),
        ))
        .insert_resource(SolveSettings { mode: SolveMode::Inline, ..default() })
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
        app.finish();
        app.cleanup();
        app.update();
        Self { app, assets }
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.assets.join(name), text).expect("the file can be written");
    }

    /// Runs the game until a condition holds; files take real time to load.
    fn until(&mut self, what: &str, mut holds: impl FnMut(&mut World) -> bool) {
        for _ in 0..5_000 {
            self.app.update();
            if holds(self.app.world_mut()) {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        panic!("{what}: that never came");
    }

    /// The only entity with a `C`.
    fn only<C: Component>(&mut self) -> EntityRef<'_> {
        let world = self.app.world_mut();
        let entity = world.query_filtered::<Entity, With<C>>().single(world).expect("there is one");
        world.entity(entity)
    }
}

impl Drop for Game {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.assets);
    }
}

#[test]
fn a_scene_file_holds_maps_agents_and_orders_and_changes_a_running_game() {
    let mut first = Game::new("saved");
    let world = first.app.world_mut();
    let map =
        NavGrid::from_ascii("..........\n.########.\n..........").expect("a map").with_plane(GridPlane::Xy);
    let map = world.spawn((map, Transform::default())).id();
    let at = |x: f32, y: f32| Transform::from_xyz(x, y, 0.0);
    let leader = world.spawn((Agent::new(1.5), FlockLeader::default(), at(4.5, 0.5))).id();
    let flock = Flock { separation_radius: 3.5, ..Flock::reynolds() };
    let avoider = Avoider { agents: AgentAvoidance::Contact, ..default() };
    let bird = world.spawn((Agent::new(7.25), flock, FlockOf(leader), avoider, at(2.5, 0.5))).id();
    let goal = Vec3::new(8.5, 2.5, 0.0);
    let walker = world.spawn((PathRequest::to(goal), Agent::new(4.0), OnGrid(map), at(0.5, 0.5))).id();
    first.app.update();
    let world = first.app.world();
    let registry = world.resource::<AppTypeRegistry>().read();
    let saved = DynamicWorldBuilder::from_world(world, &registry);
    let saved = saved.extract_entities([map, leader, bird, walker].into_iter()).build();
    let text = saved.serialize(&registry).expect("it can be written");

    let mut game = Game::new("loaded");
    game.write("level.scn.ron", &text);
    let scene = game.app.world().resource::<AssetServer>().load("level.scn.ron");
    game.app.world_mut().spawn(DynamicWorldRoot(scene));
    game.until("the flock", |world| world.query::<&FlockOf>().iter(world).next().is_some());
    let leader = game.only::<FlockLeader>().id();
    let bird = game.only::<Flock>();
    assert_eq!((bird.get(), bird.get()), (Some(&flock), Some(&avoider)));
    assert_eq!(bird.get(), Some(&FlockOf(leader)), "the leader is the one that was loaded");
    game.until("the walker's arrival", |world| {
        let mut walkers = world.query_filtered::<(&PathStatus, &GlobalTransform), With<PathRequest>>();
        let (status, at) = walkers.single(world).expect("there is one");
        *status == PathStatus::Arrived && at.translation().distance(goal) < 0.2
    });

    assert!(text.contains("speed: 7.25"), "{text}");
    game.write("level.scn.ron", &text.replace("speed: 7.25", "speed: 2.5"));
    game.app.world().resource::<AssetServer>().reload("level.scn.ron");
    game.until("the new speed", |world| {
        let mut birds = world.query_filtered::<&Agent, With<Flock>>();
        birds.single(world).is_ok_and(|agent| agent.speed == 2.5)
    });
    assert_eq!(
        game.only::<FlockMembers>().get::<FlockMembers>().map(FlockMembers::count),
        Some(1),
        "it is one flock"
    );
}

/// As a designer writes it: what a component does not say has its default.
const BY_HAND: &str = r#"(
    resources: {},
    entities: {
        4294967290: (components: { "bevy_pathfind::NavGridSource": (Path("town.map")) }),
        4294967291: (components: {
            "bevy_pathfind::FlockLeader": (near: 3.0),
            "bevy_pathfind::Agent": (speed: 2.0),
        }),
        4294967292: (components: {
            "bevy_pathfind::Avoider": (margin: 0.5),
            "bevy_pathfind::FlockOf": (4294967291),
            "bevy_pathfind::PresetOf<bevy_pathfind::Flock>": (handle: Path("tight.flock.ron"), follows: true),
        }),
    },
)"#;

#[test]
fn a_scene_file_names_maps_and_presets_by_their_paths() {
    let mut game = Game::new("by_hand");
    game.write("level.scn.ron", BY_HAND);
    game.write("tight.flock.ron", "(separation_radius: 1.25)");
    game.write("town.map", "type octile\nheight 2\nwidth 3\nmap\n...\n.@.\n");
    let scene = game.app.world().resource::<AssetServer>().load("level.scn.ron");
    game.app.world_mut().spawn(DynamicWorldRoot(scene));
    game.until("the preset and the map", |world| {
        let (mut flocks, mut maps) = (world.query::<&Flock>(), world.query::<&NavGrid>());
        flocks.iter(world).next().is_some() && maps.iter(world).next().is_some()
    });
    let leader = game.only::<FlockLeader>();
    assert_eq!(leader.get(), Some(&Agent { speed: 2.0, ..default() }));
    let leader = leader.id();
    let bird = game.only::<Flock>();
    assert_eq!(bird.get(), Some(&Flock { separation_radius: 1.25, ..default() }));
    assert_eq!(bird.get(), Some(&Avoider { margin: 0.5, ..default() }));
    assert_eq!(bird.get(), Some(&FlockOf(leader)));
    assert_eq!(bird.get::<PresetOf<Flock>>().map(|preset| preset.follows), Some(true));
    assert_eq!(game.only::<NavGrid>().get::<NavGrid>().map(|map| map.grid().width()), Some(3));
}

/// A leader, a member of its flock, and a hunter after the leader.
fn birds() -> impl Scene {
    bsn! {
        #Leader
        FlockLeader
        Agent { speed: 6.0 }
        FlockMembers [
            (Flock { separation_radius: 3.5 } Avoider { margin: 0.5 } Transform { translation: Vec3 { x: 2.0 } }),
            (Flock Pursuer { target: #Leader, horizon: 3.0 }),
        ]
    }
}

#[test]
fn scenes_in_code_have_flocks_and_targets() {
    let mut game = Game::new("bsn");
    game.app.world_mut().spawn_scene(birds()).expect("it needs no assets");
    let leader = game.only::<FlockLeader>();
    assert_eq!(leader.get(), Some(&Agent { speed: 6.0, ..default() }));
    let leader = leader.id();
    let bird = game.only::<Avoider>();
    assert_eq!(bird.get(), Some(&Flock { separation_radius: 3.5, ..default() }));
    assert_eq!(bird.get(), Some(&FlockOf(leader)));
    assert_eq!(game.only::<Pursuer>().get(), Some(&Pursuer { horizon: 3.0, ..Pursuer::intercept(leader) }));
}

/// As Blender exports it, with two objects that have components.
const FROM_BLENDER: &str = r#"{
    "asset": {"version": "2.0"},
    "scene": 0,
    "scenes": [{"nodes": [0, 1]}],
    "nodes": [
        {"name": "bird", "translation": [2, 0, 3], "extras": {"skein": [
            {"bevy_pathfind::Agent": {"speed": 7, "facing": "Forward"}},
            {"bevy_pathfind::Flock": {"model": "Reynolds", "turn_speed": 1.5}},
            {"bevy_pathfind::Avoider": {"agents": "Contact", "range": 8.0, "neighbor_range": null}},
            {"bevy_pathfind::Pursuer": {"horizon": 3}}
        ]}},
        {"name": "rock", "extras": {"skein": [
            {"bevy_pathfind::Obstacle": {"shape": {"Sphere": {"radius": 1.5}}}}
        ]}}
    ]
}"#;

#[test]
fn components_set_in_blender_arrive() {
    let mut game = Game::new("blender");
    game.write("level.gltf", FROM_BLENDER);
    let label = bevy::gltf::GltfAssetLabel::Scene(0).from_asset("level.gltf");
    let scene = game.app.world().resource::<AssetServer>().load(label);
    game.app.world_mut().spawn(WorldAssetRoot(scene));
    game.until("the bird", |world| world.query::<&Flock>().iter(world).next().is_some());
    let bird = game.only::<Flock>();
    assert_eq!(bird.get::<Name>().map(Name::as_str), Some("bird"));
    assert_eq!(bird.get(), Some(&Agent { speed: 7.0, ..default() }.with_facing(AgentFacing::Forward)));
    assert_eq!(bird.get(), Some(&Flock { model: FlockModel::Reynolds, turn_speed: 1.5, ..default() }));
    let avoider = Avoider { agents: AgentAvoidance::Contact, range: Some(8.0), ..default() };
    assert_eq!(bird.get(), Some(&avoider));
    assert_eq!(bird.get(), Some(&Pursuer { horizon: 3.0, ..default() }), "by reflection alone");
    assert_eq!(game.only::<Obstacle>().get::<Name>().map(Name::as_str), Some("rock"));
}

/// The names of types that a schema refers to.
fn references<'a>(schema: &'a Value, found: &mut Vec<&'a str>) {
    match schema {
        Value::Object(fields) => {
            found.extend(
                fields.get("$ref").and_then(Value::as_str).and_then(|it| it.strip_prefix("#/$defs/")),
            );
            fields.values().for_each(|inner| references(inner, found));
        }
        Value::Array(items) => items.iter().for_each(|inner| references(inner, found)),
        _ => {}
    }
}

#[test]
fn the_schema_that_tools_read_is_complete() {
    let mut game = Game::new("schema");
    game.app.init_resource::<SchemaTypesMetadata>();
    let schema = export_registry_types(In(None), game.app.world()).expect("there is one");
    let types = schema.as_object().expect("a map from paths to types");
    let ours = types.iter().filter(|(path, _)| path.starts_with("bevy_pathfind::"));
    let mut unknown = Vec::new();
    let mut components = 0;
    for (path, schema) in ours {
        let mut named = Vec::new();
        references(schema, &mut named);
        unknown.extend(named.into_iter().filter(|name| !types.contains_key(*name)).map(|name| (path, name)));
        components +=
            usize::from(schema["reflectTypes"].as_array().is_some_and(|it| it.contains(&"Component".into())));
    }
    assert!(unknown.is_empty(), "types without a registration: {unknown:#?}");
    assert!(components > 30, "{components} components are known");
}

/// Tools offer a component with its default, which they get as JSON and send back.
#[test]
fn defaults_survive_json() {
    let game = Game::new("json");
    let registry = game.app.world().resource::<AppTypeRegistry>().read();
    let mut lost = Vec::new();
    for kind in registry.iter().filter(|kind| kind.type_info().type_path().starts_with("bevy_pathfind::")) {
        let (Some(_), Some(usual)) = (kind.data::<ReflectComponent>(), kind.data::<ReflectDefault>()) else {
            continue;
        };
        let usual = usual.default();
        let path = usual.reflect_type_path();
        let json = serde_json::to_value(ReflectSerializer::new(usual.as_partial_reflect(), &registry));
        let back = json.map(|json| ReflectDeserializer::new(&registry).deserialize(&json));
        let is_same = match &back {
            Ok(Ok(back)) => back.reflect_partial_eq(usual.as_partial_reflect()) != Some(false),
            _ => false,
        };
        if !is_same {
            lost.push((path.to_owned(), format!("{back:?}")));
        }
    }
    assert!(lost.is_empty(), "{lost:#?}");
}
