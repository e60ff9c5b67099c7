//! What users do most: 25 tasks that have to compile and run, in at most 125 lines.
use bevy::prelude::*;
use bevy_pathfind::prelude::*;

const MAP: &str = "
    ..........
    ..##......
    ..........";

fn map(mut commands: Commands) -> Result {
    commands.spawn(NavGrid::from_ascii(MAP)?.with_cell_size(32.0).centered()); // 1: a map
    commands.spawn(NavGrid::from_fn(9, 9, |cell| if cell.x == 4 { Terrain::WALL } else { Terrain::GROUND })?);
    Ok(())
}
fn click(ray: In<Ray3d>, unit: Single<Entity, With<Agent>>, nav: NavQuery, mut commands: Commands) {
    if let Some(hit) = nav.hit(*ray) {
        commands.entity(*unit).go_to(hit.point); // 2: click to move
    }
}

fn spawn(mut commands: Commands) {
    let prey = commands.spawn(Agent::new(4.0)).id();
    commands.spawn(Pursuer::intercept(prey)); // 3: chase, stop beside it
    commands.spawn_batch((0..50).map(move |i| (Flock::default(), FlockOf(prey), at(i)))); // 4: flock
    commands.spawn((Agent::new(128.0).with_radius(12.0), Avoider::default())); // 5: avoid, cells of 32
    commands.spawn(GoalQueue::ping_pong([Vec3::X, Vec3::Y]).with_wait(2.0)); // 6: patrol
    let field = commands.spawn(FlowField::to(Vec3::X)).id();
    commands.spawn_batch((0..9).map(move |i| (FollowField(field), at(i)))); // 10: a field for a horde
}
fn edit(point: In<Vec3>, mut maps: ParamSet<(NavQuery, Query<&mut NavGrid>)>) -> Result {
    let Some((grid, cell)) = maps.p0().cell_at(*point) else { return Ok(()) };
    maps.p1().get_mut(grid)?.set(cell, Terrain::WALL)?; // 7: edit the map at a point
    Ok(())
}

fn kinds(mut kinds: ResMut<AgentKinds>, mut commands: Commands) -> Result {
    let wide = kinds.add(AgentKind::default().with_size(AgentSize::Disc(0.8)))?; // 8: a body of 0.8
    commands.spawn(Agent::new(4.0).with_radius(0.8).with_kind(wide));
    kinds.set(KindId::default(), AgentKind::default().with_cost(Terrain(20), 3.0)?)?; // 9: mud costs three times as much
    Ok(())
}

fn links(mut commands: Commands) -> Result {
    let ground = commands.spawn(NavGrid::from_ascii(MAP)?.with_plane(GridPlane::Xz)).id();
    let upper = NavGrid::from_ascii(MAP)?.with_plane(GridPlane::Xz);
    let upper = commands.spawn((upper, Transform::from_xyz(0.0, 3.0, 0.0))).id();
    commands.spawn(NavLink::new((ground, (9, 0)), (upper, (9, 0))).with_cost(5.0)); // 12: floors and stairs
    let ledge = NavLink::new((ground, (1, 0)), (ground, (4, 0))).with_both_ways(false);
    commands.spawn(ledge.with_crossing(LinkMotion::Jump { height: 1.5 })); // 13: a jump down a ledge
    commands.spawn((Name::new("door"), Obstacle::cuboid(Vec3::new(1.0, 0.2, 0.0)).carved())); // 11: a door
    Ok(())
}
fn open(door: Single<Entity, With<Obstacle>>, mut commands: Commands) {
    commands.entity(*door).remove::<Obstacle>(); // 11: and it opens
}
fn command(mut agents: Query<(Entity, &mut Agent)>, mut commands: Commands) {
    for (unit, mut agent) in &mut agents {
        commands.entity(unit).insert(HoldPosition); // 14: it stands, and keeps its order
        commands.entity(unit).stop(); // 19: cancel everything
        agent.speed = 8.0; // 20: run
        commands.entity(unit).teleport_to(Vec3::X); // 21: teleport
    }
}
type Saved = (Vec<NavGrid>, Vec<(AgentId, Agent, Transform, GoalQueue)>);
fn save(grids: Query<&NavGrid>, units: Query<(&AgentId, &Agent, &Transform, &GoalQueue)>) -> Saved {
    let units = units.iter().map(|(&id, &agent, &at, queue)| (id, agent, at, queue.clone())); // 15: save
    (grids.iter().cloned().collect(), units.collect())
}
fn load(In((grids, units)): In<Saved>, mut commands: Commands) {
    commands.spawn_batch(grids); // 15: and load
    commands.spawn_batch(units);
}

#[derive(Component)]
struct Hurt(Vec3);
fn run_home(me: In<SteeringId>, mut agents: Query<(&Hurt, &Transform, &Agent, SteeringGoal)>) {
    for (home, at, agent, mut goal) in &mut agents {
        goal.set(*me, (home.0 - at.translation).normalize_or_zero() * agent.speed); // 17: a behaviour of one's own
    }
}
fn plug_in(app: &mut App) {
    app.add_plugins((MinimalPlugins, PathfindPlugins::default(), TransformPlugin)) // 16: + NavPanelPlugin::default()
        .insert_resource(NavGizmos::all()) // 24: see what goes on
        .add_steering("its fear", run_home)
        .add_observer(|on: On<AgentArrived>| info!("{} is at {}", on.entity, on.goal)) // 18: every end
        .add_observer(|on: On<PathEndedShort>| info!("{}: {:?}", on.entity, on.reason))
        .add_observer(|on: On<PathFailed>| info!("{}: {}", on.entity, on.error))
        .add_systems(Startup, (map, spawn, kinds, links));
}
fn path(ends: In<[Vec3; 2]>, nav: NavQuery) -> Option<Vec<Vec3>> {
    Some(nav.path(ends[0], ends[1]).ok()?.points) // 22: a path now
}
fn nearest(from: In<Vec3>, nav: NavQuery, units: Query<&Transform, With<Agent>>) -> Option<(usize, f32)> {
    nav.nearest(*from, &units.iter().map(|at| at.translation).collect::<Vec<_>>()) // 23: nearest of many by path
}
#[cfg(feature = "presets")]
fn preset(assets: Res<AssetServer>, mut commands: Commands) {
    commands.spawn(PresetOf::<Flock>::new(assets.load("presets/tight.flock.ron"))); // 25: settings from a file
}
fn at(i: i32) -> Transform {
    Transform::from_xyz(i as f32 * 0.5, 0.0, 0.0)
}

#[test]
fn they_all_run() -> Result {
    let mut app = App::new();
    plug_in(&mut app);
    app.update();
    let world = app.world_mut();
    world.run_schedule(FixedUpdate);
    let point = Vec3::new(33.0, 1.0, 0.0);
    assert!(world.run_system_cached_with(path, [point, point])?.is_some());
    assert!(world.run_system_cached_with(nearest, point)?.is_some());
    let (): () = world.run_system_cached_with(edit, point)?;
    world.register_system(click);
    #[cfg(feature = "presets")]
    world.register_system(preset);
    let saved = world.run_system_cached(save)?;
    world.run_system_cached_with(load, saved)?;
    world.run_system_cached(open)?;
    world.run_system_cached(command)?;
    world.run_schedule(FixedUpdate);
    Ok(())
}
