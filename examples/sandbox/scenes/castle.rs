//! Castle: guards hunt thieves over floors, stairs, a drawbridge, a gate, a trapdoor, a teleporter and a ladder, and
//! raiders break in.

mod floors;
mod raid;
mod show;

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_pathfind::{prelude::*, show::MeasuredIn};
use serde_json::json;

use super::{Scene, Seed, forget_kinds};
use crate::{
    hud::Notice,
    keys::Keys,
    orbit::Orbit,
    orders::is_at_rest,
    panel::{self, Sliders},
    pointer::Pointer,
    pulse::Pulses,
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
    about: "Guards hunt thieves through a castle of many floors: shut the gate, set a ladder, and those whose path that \
            changes look for another. Raiders break through the weakest wall.",
    try_this: "press K: raiders land. Then open the gate with G before the wall falls.",
    keys: &[
        ("Left click", "send the captain, to any floor"),
        ("B", "raise or lower the bridge"),
        ("G", "open or shut the gate"),
        ("L", "ladder"),
        ("T", "teleporter on or off"),
        ("K", "raiders land"),
        ("U", "cut upper floors away"),
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
    /// How many raiders have come to the treasure.
    stolen: u32,
    /// How many parts of walls raiders have broken.
    breaches: u32,
    /// The kind for which raiders plan.
    raiders: KindId,
}

fn build(app: &mut App) {
    app.init_resource::<CastleSettings>()
        .init_resource::<Castle>()
        .init_resource::<show::Cut>()
        .add_systems(SCENE.enter(), enter)
        .add_systems(SCENE.exit(), forget_kinds)
        .add_systems(
            FixedUpdate,
            (wander, choose_prey, raid::break_walls).before(NavSystems::World).run_if(SCENE.is_active()),
        )
        .add_systems(
            Update,
            (
                apply_settings,
                (read_keys, send_captain).after(ViewSystems),
                (show::show_parts, show::cut_away, show::draw, raid::show_walls).after(ViewSystems),
                write_facts,
            )
                .run_if(SCENE.is_active()),
        )
        .add_systems(bevy_egui::EguiPrimaryContextPass, show::labels.run_if(SCENE.is_active()));
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
    if widgets::button(ui, "castle.raid", "let raiders land", "K")
        && let Err(error) = world.run_system_cached(raid::land)
    {
        error!("no raiders land: {error}");
    }
    let stolen = world.resource::<Castle>().stolen;
    if stolen > 0 {
        ui.label(theme::colored(format!("{stolen} of the raiders got to the treasure"), theme::OPENED));
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
    (mut castle, mut kinds): (ResMut<Castle>, ResMut<AgentKinds>),
    (settings, seed): (Res<CastleSettings>, Res<Seed>),
) {
    let raiders = raid::set_kinds(&mut kinds, &settings);
    *castle = Castle { rng: SplitMix64(seed.0), raiders, ..default() };
    builder.light(&SCENE, Orbit::new(Vec3::new(20.0, 2.0, 18.0), 58.0, 0.3, 0.74), FOG);
    show::build(&mut builder);
    raid::build(&mut builder);
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
        .with_child((mesh, paint, Transform::from_scale(Vec3::splat(1.3))))
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

/// A thief, or a raider.
type Intruder = (Entity, &'static Transform, Has<raid::Raider>);
type IsIntruder = Or<(With<Thief>, With<raid::Raider>)>;

/// Every three seconds each guard in turn takes as its target the nearest thief, or raider within the walls, that no
/// guard before it has taken.
fn choose_prey(
    mut guards: Query<(&mut Pursuer, &Transform), With<Guard>>,
    thieves: Query<Intruder, IsIntruder>,
    time: Res<Time>,
    mut since: Local<f32>,
) {
    const INTERVAL: f32 = 3.0;
    *since += time.delta_secs();
    if *since < INTERVAL {
        return;
    }
    *since = 0.0;
    let mut free: Vec<(Entity, Vec3)> = thieves
        .iter()
        .filter(|(_, at, is_raider)| !is_raider || at.translation.z < 16.0)
        .map(|(thief, at, _)| (thief, at.translation))
        .collect();
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

fn read_keys(keys: Keys, mut cut: ResMut<show::Cut>, mut commands: Commands) {
    if keys.just_pressed(KeyCode::KeyU) {
        cut.go_down();
    }
    if keys.just_pressed(KeyCode::KeyK) {
        commands.run_system_cached(raid::land);
    }
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
    mut pulses: ResMut<Pulses>,
    mut commands: Commands,
) {
    if !pointer.just_pressed(MouseButton::Left) {
        return;
    }
    let Some(hit) = pointer.ray.and_then(|ray| floors.hit(ray)) else { return };
    pulses.add(hit.point, theme::FRIEND);
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
    facts.set("breaches", castle.breaches);
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
mod tests;
