//! Castle: guards hunt thieves over floors, stairs, a drawbridge, a gate, a trapdoor, a teleporter and a ladder.

mod floors;
mod show;

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_pathfind::{prelude::*, show::MeasuredIn};
use serde_json::json;

use super::{Scene, Seed};
use crate::{
    hud::Notice,
    keys::Keys,
    orbit::Orbit,
    orders::is_at_rest,
    panel::{self, Sliders},
    pointer::Pointer,
    rng::SplitMix64,
    scene3d::SceneBuilder,
    telemetry::Facts,
    theme::{self, caption},
    view::ViewSystems,
    widgets,
};
use floors::{Drawbridge, FLOORS, MEADOW_FLOOR, Passage};

pub(crate) const SCENE: Scene = Scene {
    name: "castle",
    title: "Castle",
    about: "Guards hunt thieves through a castle of many floors. Shut the gate, raise the bridge, set a ladder: \
            only agents whose path that changes look for another.",
    keys: &[
        ("Left click", "send the captain, to any floor"),
        ("B", "raise or lower the bridge"),
        ("G", "open or shut the gate"),
        ("L", "ladder"),
        ("T", "teleporter on or off"),
        ("Right drag", "turn the view"),
    ],
    searches: true,
    build,
    controls,
};

const GUARDS: usize = 4;
const THIEVES: usize = 5;
/// The range of sight in the fog, in world units.
const FOG: f32 = 120.0;
/// How near a guard catches a thief, in world units.
const CATCH: f32 = 0.9;

/// The values of the scene's sliders.
#[derive(Resource, Reflect, Debug, Clone, PartialEq)]
pub(super) struct CastleSettings {
    /// Top speed of the guards. Unit: cells per second. Range: 1 to 12. Default: 4.6.
    #[reflect(@1.0..=12.0_f32, @MeasuredIn("cells per second"))]
    guard_speed: f32,
    /// Top speed of the thieves. Unit: cells per second. Range: 1 to 12. Default: 4.
    #[reflect(@1.0..=12.0_f32, @MeasuredIn("cells per second"))]
    thief_speed: f32,
}

impl Default for CastleSettings {
    fn default() -> Self {
        Self { guard_speed: 4.6, thief_speed: 4.0 }
    }
}

#[derive(Component)]
struct Guard;

#[derive(Component)]
struct Thief;

/// The agent that the user sends.
#[derive(Component)]
struct Captain;

/// The floors, and what has happened on them.
#[derive(Resource, Default)]
struct Castle {
    floors: Vec<Entity>,
    rng: SplitMix64,
    catches: u32,
    crossings: u32,
}

fn build(app: &mut App) {
    app.init_resource::<CastleSettings>()
        .init_resource::<Castle>()
        .add_systems(SCENE.enter(), enter)
        .add_systems(FixedUpdate, (wander, choose_prey).before(NavSystems::World).run_if(SCENE.is_active()))
        .add_systems(
            Update,
            (
                apply_settings,
                (read_keys, send_captain).after(ViewSystems),
                (show::show_parts, show::draw).after(ViewSystems),
                write_facts,
            )
                .run_if(SCENE.is_active()),
        );
}

fn controls(ui: &mut egui::Ui, world: &mut World) {
    caption(ui, "Passages");
    let is_down = world.query_filtered::<(), With<Drawbridge>>().iter(world).next().is_some();
    let mut links = world.query::<(&Passage, &NavLink)>();
    let [gate, ladder, teleporter] = [Passage::Gate, Passage::Ladder, Passage::Teleporter]
        .map(|wanted| links.iter(world).any(|(passage, link)| *passage == wanted && link.is_open));
    let buttons = [
        (KeyCode::KeyB, "castle.bridge", is_down, "raise the bridge", "lower the bridge", "B"),
        (KeyCode::KeyG, "castle.gate", gate, "shut the gate", "open the gate", "G"),
        (KeyCode::KeyL, "castle.ladder", ladder, "take the ladder away", "set a ladder", "L"),
        (KeyCode::KeyT, "castle.teleporter", teleporter, "teleporter off", "teleporter on", "T"),
    ];
    for (key, name, is_open, shut, open, hint) in buttons {
        if widgets::button(ui, name, if is_open { shut } else { open }, hint)
            && let Err(error) = world.run_system_cached_with(toggle_passage, key)
        {
            error!("the passage stays as it is: {error}");
        }
    }
    caption(ui, "Who is where");
    let mut rows = [[0_u32; 2]; FLOORS.len()];
    let mut all = world.query::<(&Transform, Has<Guard>, Has<Thief>)>();
    for (at, is_guard, is_thief) in all.iter(world) {
        let row = &mut rows[floor_under(at.translation)];
        row[0] += u32::from(is_guard);
        row[1] += u32::from(is_thief);
    }
    let rows = FLOORS.iter().zip(rows).rev().map(|(floor, [guards, thieves])| {
        let colored = |count: u32, color| theme::colored(count.to_string(), color);
        (egui::RichText::new(floor.name), vec![colored(guards, theme::SKY), colored(thieves, theme::PREY)])
    });
    theme::table(ui, "floors", &["", "guards", "thieves"], rows);
    caption(ui, "Castle");
    panel::edit::<CastleSettings>(ui, world);
}

/// The floor that lies nearest below a point.
fn floor_under(at: Vec3) -> usize {
    let lies_under = |number: &usize| {
        let away = at - FLOORS[*number].corner;
        let size = FLOORS[*number].grid().size().as_vec2();
        away.y > -0.5 && away.xz().cmpge(Vec2::ZERO).all() && away.xz().cmplt(size).all()
    };
    let height = |number: &usize| FLOORS[*number].corner.y;
    let under = (0..FLOORS.len()).filter(lies_under).max_by(|a, b| height(a).total_cmp(&height(b)));
    under.unwrap_or(MEADOW_FLOOR)
}

fn enter(
    mut builder: SceneBuilder,
    mut castle: ResMut<Castle>,
    settings: Res<CastleSettings>,
    seed: Res<Seed>,
) {
    *castle = Castle { rng: SplitMix64(seed.0), ..default() };
    builder.light(&SCENE, Orbit::new(Vec3::new(20.0, 2.0, 18.0), 58.0, 0.3, 0.74), FOG);
    show::build(&mut builder);
    castle.floors = floors::spawn(&mut builder.commands).to_vec();
    let thieves: Vec<Entity> = (0..THIEVES)
        .map(|number| {
            let at = castle.place_on(number % FLOORS.len());
            let name = format!("Thief {}", number + 1);
            let thief = body(&mut builder, name, settings.thief_speed, theme::PREY, at);
            builder.commands.entity(thief).insert(Thief).observe(start_again).id()
        })
        .collect();
    for number in 0..GUARDS {
        let at = castle.place_on(1 + number % (FLOORS.len() - 1));
        let guard = body(&mut builder, format!("Guard {}", number + 1), settings.guard_speed, theme::SKY, at);
        let pursuer = Pursuer::line_of_sight(thieves[number % THIEVES]).with_catch_radius(CATCH);
        builder.commands.entity(guard).insert((Guard, pursuer));
    }
    let at = FLOORS[1].at(GridCell::new(20, 13));
    let captain = body(&mut builder, "Captain".into(), settings.guard_speed * 1.2, theme::FRIEND, at);
    let roof = FLOORS[4].at(GridCell::new(8, 1));
    builder.commands.entity(captain).insert((Captain, PathRequest::to(roof)));
    builder.commands.add_observer(count_crossings).insert(SCENE.despawn_on_exit());
}

/// An agent with its figure.
fn body(builder: &mut SceneBuilder, name: String, speed: f32, color: Color, at: Vec3) -> Entity {
    let (mesh, paint) = (Mesh3d(builder.shared_meshes.dart.clone()), builder.paint(color));
    let agent = Agent {
        acceleration: 24.0,
        turn_rate: 9.0,
        radius: 0.35,
        ..Agent::new(speed).with_facing(AgentFacing::Forward)
    };
    builder
        .commands
        .spawn((
            Name::new(name),
            agent,
            Avoider::default(),
            Transform::from_translation(at),
            Visibility::default(),
            InterpolateTransform::default().with_jump(2.0),
            SCENE.despawn_on_exit(),
        ))
        .with_child((mesh, paint, Transform::from_scale(Vec3::splat(0.75))))
        .id()
}

impl Castle {
    /// A random place on a floor where an agent can stand.
    fn place_on(&mut self, number: usize) -> Vec3 {
        let floor = &FLOORS[number];
        let grid = floor.grid();
        let mut any = || GridCell::new(self.rng.below(grid.width()), self.rng.below(grid.height()));
        let free = (0..200).map(|_| any()).find(|&cell| floor.is_open(&grid, cell));
        floor.at(free.unwrap_or_default())
    }

    /// A random place on any floor but this one.
    fn place_off(&mut self, number: usize) -> Vec3 {
        let others = FLOORS.len() as u32 - 1;
        let other = number + 1 + self.rng.below(others) as usize;
        self.place_on(other % FLOORS.len())
    }
}

/// Sends thieves that have come to the end of their path elsewhere.
fn wander(
    thieves: Query<(Entity, &PathStatus, &Transform), With<Thief>>,
    mut castle: ResMut<Castle>,
    mut commands: Commands,
) {
    for (thief, status, at) in &thieves {
        if is_at_rest(status) {
            commands.entity(thief).insert(PathRequest::to(castle.place_off(floor_under(at.translation))));
        }
    }
}

/// Every three seconds each guard in turn takes as its target the nearest thief that no guard before it has taken.
fn choose_prey(
    mut guards: Query<(&mut Pursuer, &Transform), With<Guard>>,
    thieves: Query<(Entity, &Transform), With<Thief>>,
    time: Res<Time>,
    mut since: Local<f32>,
) {
    const INTERVAL: f32 = 3.0;
    *since += time.delta_secs();
    if *since < INTERVAL {
        return;
    }
    *since = 0.0;
    let mut free: Vec<(Entity, Vec3)> = thieves.iter().map(|(thief, at)| (thief, at.translation)).collect();
    for (mut pursuer, at) in &mut guards {
        // Differences in height count five times: an agent on another floor is far away by path.
        let far = |there: Vec3| at.translation.distance(there) + 4.0 * (at.translation.y - there.y).abs();
        let nearest = (0..free.len()).min_by(|&a, &b| far(free[a].1).total_cmp(&far(free[b].1)));
        if let Some(nearest) = nearest {
            let (thief, _) = free.swap_remove(nearest);
            if pursuer.target != thief {
                pursuer.target = thief;
            }
        }
    }
}

/// A thief that is caught begins again on another floor.
fn start_again(
    caught: On<CaughtBy>,
    mut castle: ResMut<Castle>,
    (names, places): (Query<&Name>, Query<&Transform>),
    mut notice: ResMut<Notice>,
    mut commands: Commands,
) {
    castle.catches += 1;
    let floor = places.get(caught.entity).map_or(MEADOW_FLOOR, |at| floor_under(at.translation));
    let elsewhere = castle.place_off(floor);
    commands.entity(caught.entity).try_remove::<PathRequest>().teleport_to(elsewhere);
    let name = |entity: Entity| names.get(entity).map_or("an agent", Name::as_str);
    notice.show(format!("{} has caught {}.", name(caught.pursuer), name(caught.entity)));
}

fn count_crossings(_: On<LinkCrossed>, mut castle: ResMut<Castle>) {
    castle.crossings += 1;
}

fn read_keys(keys: Keys, mut commands: Commands) {
    for key in [KeyCode::KeyB, KeyCode::KeyG, KeyCode::KeyL, KeyCode::KeyT] {
        if keys.just_pressed(key) {
            commands.run_system_cached_with(toggle_passage, key);
        }
    }
}

/// Opens or shuts the passage of a key: the bridge, the gate, the teleporter or the ladder.
fn toggle_passage(
    In(key): In<KeyCode>,
    bridges: Query<Entity, With<Drawbridge>>,
    mut links: Query<(Entity, &Passage, &mut NavLink)>,
    castle: Res<Castle>,
    mut commands: Commands,
) {
    let wanted = match key {
        KeyCode::KeyB if bridges.is_empty() => return floors::spawn_bridge(&mut commands),
        KeyCode::KeyB => return bridges.iter().for_each(|bridge| commands.entity(bridge).despawn()),
        KeyCode::KeyG => Passage::Gate,
        KeyCode::KeyT => Passage::Teleporter,
        _ => Passage::Ladder,
    };
    match links.iter_mut().find(|(_, passage, _)| **passage == wanted) {
        Some((ladder, Passage::Ladder, _)) => commands.entity(ladder).despawn(),
        Some((.., mut link)) => link.is_open = !link.is_open,
        // Gate and teleporter are always there.
        None => floors::spawn_ladder(&mut commands, &castle.floors),
    }
}

/// Sends the captain to the floor under the pointer.
fn send_captain(
    captains: Query<Entity, With<Captain>>,
    pointer: Res<Pointer>,
    floors: NavQuery,
    mut commands: Commands,
) {
    if !pointer.just_pressed(MouseButton::Left) {
        return;
    }
    let Some(hit) = pointer.ray.and_then(|ray| floors.hit(ray)) else { return };
    for captain in &captains {
        commands.entity(captain).insert(PathRequest::to(hit.point));
    }
}

fn apply_settings(
    mut sliders: Sliders<CastleSettings>,
    mut agents: Query<(&mut Agent, Has<Guard>, Has<Thief>)>,
) {
    let Some((_, settings)) = sliders.moved() else { return };
    for (mut agent, is_guard, is_thief) in &mut agents {
        agent.speed = match (is_guard, is_thief) {
            (true, _) => settings.guard_speed,
            (_, true) => settings.thief_speed,
            _ => settings.guard_speed * 1.2,
        };
    }
}

fn write_facts(
    castle: Res<Castle>,
    bridges: Query<(), With<Drawbridge>>,
    links: Query<(&Passage, &NavLink)>,
    captains: Query<(&Transform, &PathStatus), With<Captain>>,
    camera: Query<(&Camera, &GlobalTransform), With<Orbit>>,
    mut facts: ResMut<Facts>,
) {
    let is_open = |wanted: Passage| links.iter().any(|(passage, link)| *passage == wanted && link.is_open);
    facts.set("bridge", !bridges.is_empty());
    facts.set("gate", is_open(Passage::Gate));
    facts.set("ladder", is_open(Passage::Ladder));
    facts.set("teleporter", is_open(Passage::Teleporter));
    facts.set("catches", castle.catches);
    facts.set("crossings", castle.crossings);
    if let Ok((at, status)) = captains.single() {
        facts.set("captain", json!({"at": at.translation.to_array(), "status": format!("{status:?}")}));
    }
    // A place on the roof and one on the meadow, on screen.
    if let Ok((camera, place)) = camera.single() {
        let on_screen = |at: Vec3| camera.world_to_viewport(place, at).map(|screen| screen.to_array()).ok();
        let spots = [FLOORS[4].at(GridCell::new(9, 3)), FLOORS[0].at(GridCell::new(10, 4))];
        facts.set("spots", json!(spots.map(on_screen)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::tests::{scene_app, set_ticks_per_frame, tap};

    fn castle() -> App {
        let mut app = scene_app(SCENE.name);
        set_ticks_per_frame(&mut app, 8);
        app
    }

    fn captain(app: &mut App) -> (Entity, Vec3) {
        let mut captains = app.world_mut().query_filtered::<(Entity, &Transform), With<Captain>>();
        let (captain, at) = captains.single(app.world()).expect("there is one");
        (captain, at.translation)
    }

    fn goes(app: &mut App, to: Vec3, frames: usize) -> bool {
        let (captain_entity, _) = captain(app);
        app.world_mut().entity_mut(captain_entity).insert(PathRequest::to(to));
        (0..frames).any(|_| {
            app.update();
            captain(app).1.distance(to) < 1.0
        })
    }

    #[test]
    fn every_floor_can_be_reached_from_every_other() {
        let mut app = castle();
        let places = [(0, 3, 2), (4, 8, 1), (2, 5, 2), (3, 12, 1), (1, 22, 8), (2, 1, 6), (0, 20, 6)];
        for (floor, x, y) in places {
            let to = FLOORS[floor].at(GridCell::new(x, y));
            assert!(
                goes(&mut app, to, 400),
                "to {} at {to}, from {}",
                FLOORS[floor].name,
                captain(&mut app).1
            );
        }
        let castle = app.world().resource::<Castle>();
        assert!(castle.crossings > 6, "over links: {}", castle.crossings);
    }

    #[test]
    fn a_raised_bridge_keeps_agents_on_their_side_until_it_falls() {
        let mut app = castle();
        let (yard, meadow) = (FLOORS[1].at(GridCell::new(20, 14)), FLOORS[0].at(GridCell::new(20, 2)));
        assert!(goes(&mut app, yard, 200));
        tap(&mut app, KeyCode::KeyB);
        assert!(!goes(&mut app, meadow, 200), "the bridge is up");
        assert!(captain(&mut app).1.z < 20.0);
        tap(&mut app, KeyCode::KeyB);
        assert!((0..200).any(|_| {
            app.update();
            captain(&mut app).1.distance(meadow) < 1.0
        }));
        tap(&mut app, KeyCode::KeyG);
        assert!(!goes(&mut app, yard, 200), "the gate is shut");
    }

    #[test]
    fn guards_catch_thieves_on_any_floor() {
        let mut app = castle();
        let caught = |app: &App| app.world().resource::<Castle>().catches;
        assert!((0..1500).any(|_| {
            app.update();
            caught(&app) >= 3
        }));
    }
}
