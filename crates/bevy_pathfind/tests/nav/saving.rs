//! Cloning, saving, loading and scenes: entities inside components, agent ids, events.

use bevy::ecs::entity::{EntityHashMap, SceneEntityMapper};
use bevy::ecs::reflect::ReflectEvent;
use bevy::ecs::relationship::RelationshipHookMode;
use bevy::ecs::template::{
    EntityTemplate, FromTemplate, SceneEntityReference, SceneEntityReferences, Template, TemplateContext,
};
use bevy::prelude::*;
use bevy::reflect::TypePath;
use bevy::reflect::serde::{ReflectDeserializer, ReflectSerializer};
use bevy_pathfind::{
    order::{
        Arrival, NavGoalTemplate, PartialReason, PathCause, PathInvalidated, PathOutcome, PathRequestTemplate,
    },
    prelude::*,
    solve::SolveMode,
    steer::{
        AgentInvalid, AgentRecovered, BehaviorTarget, BehaviorTargetTemplate, BehaviorTemplate, InvalidAgent,
        LossReason, PursuerTemplate,
    },
    world::{Grid, LinkEnd, PartOfGrid, Standalone},
};
use serde::de::DeserializeSeed;

use crate::support::*;
use crate::wiring::survives;

/// Saved entities: the components of each as text.
pub(crate) struct Saved(Vec<(Entity, Vec<String>)>);

/// Saves all components of some entities that are registered for reflection.
pub(crate) fn save(world: &World, entities: impl IntoIterator<Item = Entity>) -> Saved {
    let registry = world.resource::<AppTypeRegistry>().read();
    let components = |entity: Entity| -> Vec<String> {
        let kinds = registry.iter().filter_map(|kind| kind.data::<ReflectComponent>());
        let values = kinds.filter_map(|kind| kind.reflect(world.entity(entity)));
        values
            .map(|value| {
                ron::to_string(&ReflectSerializer::new(value.as_partial_reflect(), &registry))
                    .unwrap_or_else(|error| panic!("{value:?} can be written: {error}"))
            })
            .collect()
    };
    Saved(entities.into_iter().map(|entity| (entity, components(entity))).collect())
}

/// Spawns saved entities; returns the new entity for each saved one.
pub(crate) fn load(world: &mut World, saved: &Saved) -> EntityHashMap<Entity> {
    let mut loaded: EntityHashMap<Entity> =
        saved.0.iter().map(|(entity, _)| (*entity, world.spawn_empty().id())).collect();
    let registry = world.resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    for (entity, components) in &saved.0 {
        for text in components {
            let mut source = ron::Deserializer::from_str(text).unwrap();
            let value = ReflectDeserializer::new(&registry).deserialize(&mut source).unwrap();
            let info = value.get_represented_type_info().expect("it is of a known type");
            let kind = registry.get(info.type_id()).unwrap().data::<ReflectComponent>().unwrap();
            let entity = loaded[entity];
            SceneEntityMapper::world_scope(&mut loaded, world, |world, mapper| {
                let mut entity = world.entity_mut(entity);
                let value = value.as_partial_reflect();
                kind.apply_or_insert_mapped(
                    &mut entity,
                    value,
                    &registry,
                    mapper,
                    RelationshipHookMode::Skip,
                );
            });
        }
    }
    loaded
}

fn id(app: &App, agent: Entity) -> AgentId {
    *app.world().get::<AgentId>(agent).expect("it is an agent")
}

#[test]
fn a_clone_gets_its_own_id() {
    let (mut app, _) = app_on(Grid::new(20, 20).unwrap());
    let original = spawn_agent(&mut app, (2, 2));
    app.world_mut().entity_mut(original).insert((Avoider::default(), PathRequest::to(at((15, 2)))));
    ticks(&mut app, 10);
    let clone = app.world_mut().entity_mut(original).clone_and_spawn();
    app.world_mut().get_mut::<Transform>(clone).unwrap().translation = at((2, 8));
    assert_ne!(id(&app, original), id(&app, clone), "each has its number");
    app.update();
    order(&mut app, clone, at((15, 8)));
    ticks(&mut app, 64 * 5);
    stands_at(&app, original, (15, 2), 0.2);
    stands_at(&app, clone, (15, 8), 0.2);
}

/// A grid and agents: a wolf that pursues a sheep, one that walks to the sheep, one that flees it, and a member of
/// the wolf's flock.
fn pasture(app: &mut App) -> [Entity; 6] {
    let nav = spawn_grid(app, walled(20));
    let [sheep, wolf, walker, shy, mate] = [2, 6, 10, 14, 18].map(|row| spawn_agent(app, (2, row)));
    let world = app.world_mut();
    world.entity_mut(sheep).insert(OnGrid(nav));
    world.entity_mut(wolf).insert(Pursuer::intercept(sheep));
    world.entity_mut(walker).insert(PathRequest::to(sheep));
    world.entity_mut(shy).insert(Behavior::flee(sheep));
    world.entity_mut(mate).insert((Flock::default(), FlockOf(wolf)));
    app.update();
    [nav, sheep, wolf, walker, shy, mate]
}

#[test]
fn entities_inside_components_are_those_of_the_loaded_world() {
    let mut app = app(SolveMode::Inline);
    let before = pasture(&mut app);
    let saved = save(app.world(), before);
    let loaded = load(app.world_mut(), &saved);
    let [nav, sheep, wolf, walker, shy, mate] = before.map(|entity| loaded[&entity]);
    let world = app.world();
    let are_new = [
        ("OnGrid", world.get::<OnGrid>(sheep) == Some(&OnGrid(nav))),
        ("Pursuer", world.get::<Pursuer>(wolf).unwrap().target == sheep),
        ("NavGoal", world.get::<PathRequest>(walker).unwrap().goal == NavGoal::Entity(sheep)),
        ("NavPath", path(&app, walker).grid() == nav),
        ("BehaviorTarget", world.get::<Behavior>(shy).unwrap().target == BehaviorTarget::Entity(sheep)),
        ("FlockOf", world.get::<FlockOf>(mate) == Some(&FlockOf(wolf))),
    ];
    let old: Vec<_> = are_new.into_iter().filter(|&(_, is_new)| !is_new).map(|(name, _)| name).collect();
    assert!(old.is_empty(), "these still name entities of the saved world: {old:?}");
}

#[test]
fn a_loaded_game_goes_on_and_new_agents_have_unused_ids() {
    let mut first = app(SolveMode::Inline);
    (0..5).for_each(|_| _ = spawn_agent(&mut first, (0, 0)));
    let entities = pasture(&mut first);
    let saved = save(first.world(), entities);
    let mut app = app(SolveMode::Inline);
    let loaded = load(app.world_mut(), &saved);
    let [_, sheep, wolf, walker, ..] = entities.map(|entity| loaded[&entity]);
    let fresh: Vec<_> = (0..20).map(|_| spawn_agent(&mut app, (1, 1))).collect();
    let agents: Vec<_> = entities[1..].iter().map(|entity| loaded[entity]).chain(fresh).collect();
    let mut ids: Vec<_> = agents.iter().map(|&agent| id(&app, agent)).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), agents.len(), "every agent has a number of its own");
    until(&mut app, "the wolf has caught the sheep", |app| count(app, &LoggedEvent::Caught(wolf, sheep)) > 0);
    until(&mut app, "the walker has come to it", |app| {
        position(app, walker).distance(position(app, sheep)) < 1.5
    });
}

/// What a template builds on an entity, in a scene with these references.
fn build<T: Template>(world: &mut World, references: &mut SceneEntityReferences, template: &T) -> T::Output {
    let mut entity = world.spawn_empty();
    template.build_template(&mut TemplateContext::new(&mut entity, references)).expect("it can be built")
}

#[test]
fn scenes_name_targets_by_their_places_in_the_scene() {
    let mut world = World::new();
    let mut references = SceneEntityReferences::default();
    let reference = SceneEntityReference::new(("scene", 1, 1), 0, 0);
    let prey = references.get(reference, &mut world);
    let named = || EntityTemplate::SceneEntityReference(reference);
    let pursuer = PursuerTemplate { target: named(), catch_radius: Some(3.0), ..default() };
    let pursuer = build(&mut world, &mut references, &pursuer.clone_template());
    assert_eq!(
        pursuer,
        Pursuer { catch_radius: Some(3.0), ..Pursuer::intercept(prey) },
        "all else is as usual"
    );
    let request = PathRequestTemplate { goal: NavGoalTemplate::Entity(named()), priority: 2, ..default() };
    let request = build(&mut world, &mut references, &request.clone_template());
    assert_eq!(request, PathRequest::to(prey).with_priority(2));
    let behavior = BehaviorTemplate { target: BehaviorTargetTemplate::Entity(named()), ..default() };
    let behavior = build(&mut world, &mut references, &behavior.clone_template());
    assert_eq!(behavior, Behavior::seek(prey));
    let tie = <OnGrid as FromTemplate>::Template::default();
    let mut entity = world.spawn_empty();
    let nowhere = tie.build_template(&mut TemplateContext::new(&mut entity, &mut references));
    assert!(nowhere.is_err(), "which grid it is has to be said");
    let plain = build(&mut world, &mut references, &<PathRequest as FromTemplate>::Template::default());
    assert_eq!(plain, PathRequest::default(), "what is not said is as usual");
}

/// Checks that an event can be deserialized and triggered by its type name alone.
fn is_known<E>(app: &App, event: E)
where
    E: Event + Reflect + TypePath + bevy::reflect::FromReflect + core::fmt::Debug + PartialEq,
{
    let registry = app.world().resource::<AppTypeRegistry>().read();
    let name = E::type_path();
    let kind = registry.get_with_type_path(name).unwrap_or_else(|| panic!("{name} is registered"));
    assert!(kind.data::<ReflectEvent>().is_some(), "{name} is known as an event");
    survives(event, &registry);
}

#[test]
fn events_are_known_to_reflection() {
    let app = app(SolveMode::Inline);
    let (entity, target) = (Entity::from_raw_u32(3).unwrap(), Entity::from_raw_u32(4).unwrap());
    let outcome = PathOutcome::Partial(PartialReason::GoalBlocked);
    is_known(&app, PathFound { entity, outcome, cause: PathCause::GoalMoved });
    is_known(&app, PathFailed { entity, error: PathError::GoalOutside(IVec2::new(3, -4)) });
    is_known(&app, AgentArrived { entity, goal: Vec3::X, arrival: Arrival::BesideGoal { distance: 1.5 } });
    is_known(&app, PathEndedShort { entity, nearest: Vec3::X, reason: PartialReason::GoalBlocked });
    is_known(&app, PathInvalidated { entity, cause: PathCause::NewMap });
    is_known(&app, AgentStuck { entity });
    is_known(&app, QueueFinished { entity });
    is_known(&app, CaughtTarget { entity, target });
    is_known(&app, CaughtBy { entity: target, pursuer: entity });
    is_known(&app, LostTarget { entity, target, reason: LossReason::Gone });
    is_known(&app, AgentInvalid { entity, reason: InvalidAgent::Velocity });
    is_known(&app, AgentRecovered { entity });
}

#[test]
fn an_event_is_triggered_by_name() {
    let mut app = app(SolveMode::Inline);
    let agent = spawn_agent(&mut app, (1, 1));
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    let kind = registry.get_with_type_path(AgentArrived::type_path()).unwrap();
    let event = AgentArrived { entity: agent, goal: Vec3::X, arrival: Arrival::AtGoal };
    kind.data::<ReflectEvent>().unwrap().trigger(app.world_mut(), &event, &registry);
    assert_eq!(count(&app, &LoggedEvent::Arrived(agent)), 1, "its observers hear of it");
}

/// Orders as plain data, for a save format of one's own.
#[test]
fn orders_survive_a_text() {
    fn survives<T>(order: T)
    where
        T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + core::fmt::Debug,
    {
        let text = ron::to_string(&order).expect("it can be written");
        assert_eq!(ron::from_str::<T>(&text).expect(&text), order, "{text}");
    }
    let entity = Entity::from_raw_u32(7).unwrap();
    let points = [Vec3::X, Vec3::Y];
    survives(PathRequest::to(Vec3::new(1.5, 2.5, 0.0)).with_priority(3).with_deadline(9).with_spread(false));
    survives(PathRequest::to(NavGoal::any_of(&points).unwrap()).with_options(SearchOptions::default()));
    survives(NavGoal::any_of(&[Vec3::Y; 20]).unwrap());
    survives(NavGoal::within(Vec3::Z, 4.0));
    survives(NavGoal::Entity(entity));
    survives(Pursuer::line_of_sight(entity).with_catch_radius(3.0));
    survives(Behavior::flee(entity));
    survives(FlowField::to(Vec3::X).with_kind(KindId(2)));
    survives(FollowField(entity));
    let unsaid: PathRequest = ron::from_str("()").unwrap();
    assert_eq!(unsaid, PathRequest::default(), "what is left out is as usual");
    assert!(ron::from_str::<NavGoal>("AnyOf([])").is_err(), "a goal of no points is none");
}

/// Floors, links and grids that touch, saved with everything that is reflected: stale marks of joined grids do no harm.
#[test]
fn links_and_grids_that_touch_survive_saving() {
    let mut app = app(SolveMode::Inline);
    let room = || grid("..........\n..........");
    let [west, east, upper] = [(0.0, 0.0), (10.0, 0.0), (0.0, 5.0)]
        .map(|(x, z)| app.world_mut().spawn((NavGrid::new(room()), Transform::from_xyz(x, 0.0, z))).id());
    let stairs =
        NavLink::new(LinkEnd::new(east, GridCell::new(8, 1)), LinkEnd::new(upper, GridCell::new(3, 0)));
    let stairs = app.world_mut().spawn(stairs.with_cost(3.0)).id();
    app.world_mut().entity_mut(upper).insert(Standalone);
    let goal = at((8, 1)) + Vec3::Z * 5.0;
    let agent = spawn_with(&mut app, (1, 1), PathRequest::to(goal));
    ticks(&mut app, 2);
    assert!(app.world().get::<PartOfGrid>(west).is_some(), "they are joined");
    let entities = [west, east, upper, stairs, agent];
    let saved = save(app.world(), entities);
    let mut app = crate::support::app(SolveMode::Inline);
    let loaded = load(app.world_mut(), &saved);
    let [_, east, upper, stairs, agent] = entities.map(|entity| loaded[&entity]);
    let link = app.world().get::<NavLink>(stairs).expect("it is saved");
    assert_eq!((link.from.grid, link.to.grid, link.cost), (east, upper, 3.0));
    arrives(&mut app, agent, goal);
}

#[test]
fn the_paths_of_reflected_types_name_no_modules() {
    let app = app(SolveMode::Inline);
    let registry = app.world().resource::<AppTypeRegistry>().read();
    let tables = registry.iter().map(|kind| kind.type_info().type_path_table());
    let ours = tables.filter(|table| {
        let crate_name = table.crate_name().unwrap_or_default();
        matches!(crate_name, "bevy_pathfind" | "pathfind_core") && !table.path().contains('<')
    });
    let mut paths: Vec<&str> = ours.map(|table| table.path()).collect();
    paths.sort_unstable();
    assert!(paths.len() > 90, "the crate's types are registered: {paths:#?}");
    for path in paths {
        let name = path.strip_prefix("bevy_pathfind::");
        assert!(name.is_some_and(|name| !name.contains("::")), "files may move, so {path} is to be flat");
    }
}
