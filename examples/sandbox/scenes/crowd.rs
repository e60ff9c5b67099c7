//! Crowd: units of three sizes in a town; the user builds houses and opens or shuts gates.

mod clearance;
mod roofs;
mod town;

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_pathfind::{prelude::*, show::MeasuredIn};

use super::{Scene, SceneControl, forget_kinds};
use crate::{
    actors::{Look, Shape, TrueSize, standing_at},
    flags::Flags,
    keys::Keys,
    orders::{RightClickOrders, Selectable, Selected},
    panel::{self, Sliders},
    telemetry::Facts,
    theme::{self, caption},
    view::{View, ViewSystems},
    widgets::button,
};
use town::{GATE, SIZE, Town};

pub(crate) const SCENE: Scene = Scene {
    name: "crowd",
    title: "Crowd",
    about: "Three sizes of units find paths that are wide enough for them, avoid one another, and \
            settle round one goal. Build houses, raze them, shut the gates.",
    try_this: "press A, right-click on the other side, then shut the gates with G.",
    keys: &[
        ("Left drag", "select (Shift adds)"),
        ("Right click", "send"),
        ("A", "select all"),
        ("B", "build a house"),
        ("X", "raze it"),
        ("G", "open or shut a gate"),
        ("V", "who fits where"),
    ],
    searches: true,
    build,
    controls,
};

/// A size class of units.
struct Size {
    name: &'static str,
    radius: f32,
    speed: f32,
    color: Color,
    /// Their fraction of all units; the first class takes what the others leave.
    share: f32,
}

const SIZES: [Size; 3] = [
    Size { name: "small", radius: 0.4, speed: 7.0, color: theme::FRIEND, share: 0.72 },
    Size { name: "middle", radius: 0.75, speed: 6.0, color: theme::SKY, share: 0.22 },
    Size { name: "large", radius: 1.3, speed: 5.0, color: theme::PREY, share: 0.06 },
];

/// The most units.
const MAX_UNITS: u32 = 3000;

/// The values of the scene's sliders.
#[derive(Resource, Reflect, Debug, Clone, PartialEq)]
pub(super) struct CrowdSettings {
    /// Units of all sizes. Range: 20 to 3000. Default: 900.
    #[reflect(@20..=MAX_UNITS)]
    units: u32,
    /// Top speed of all units, relative to the usual. Range: 0.2 to 3. Default: 1.
    #[reflect(@0.2..=3.0_f32)]
    speed_factor: f32,
    /// How far ahead collisions between units are predicted. Unit: seconds. Range: 0.1 to 5. Default: 1.
    #[reflect(@0.1..=5.0_f32, @MeasuredIn("seconds"))]
    time_horizon: f32,
    /// Whether cells that are too narrow for the large units have the colour of the largest that fit. Default: no.
    clearance: bool,
}

impl Default for CrowdSettings {
    fn default() -> Self {
        Self { units: 900, speed_factor: 1.0, time_horizon: 1.0, clearance: false }
    }
}

impl CrowdSettings {
    /// The number of units of a size class: its fraction of all; the first class takes what is left.
    fn units_of(&self, size: usize) -> u32 {
        let share = |size: &Size| (self.units as f32 * size.share).round() as u32;
        match size {
            0 => self.units - SIZES[1..].iter().map(share).sum::<u32>(),
            i => share(&SIZES[i]),
        }
    }
}

/// A unit: the index of its size class in [`SIZES`].
#[derive(Component, Clone, Copy)]
struct Unit(usize);

fn build(app: &mut App) {
    let settings = CrowdSettings::default();
    let units = app.world().resource::<Flags>().crowd(settings.units, MAX_UNITS);
    app.insert_resource(CrowdSettings { units, ..settings })
        .init_resource::<Town>()
        .add_systems(SCENE.enter(), enter)
        .add_systems(SCENE.exit(), forget_kinds)
        .add_systems(
            Update,
            (
                (select_all.run_if(|keys: Keys| keys.just_pressed(KeyCode::KeyA)), town::read_keys)
                    .chain()
                    .after(ViewSystems),
                clearance::show,
                (apply_settings, town::show_gates, roofs::update_roofs, write_facts),
            )
                .chain()
                .run_if(SCENE.is_active()),
        );
}

fn controls(ui: &mut egui::Ui, world: &mut World) {
    caption(ui, "Units");
    let mut rows = [[0_u32; 3]; SIZES.len()];
    for (unit, status, velocity) in world.query::<(&Unit, &PathStatus, &AgentVelocity)>().iter(world) {
        let row = &mut rows[unit.0];
        row[0] += 1;
        row[1] += u32::from(has_ended(status));
        row[2] += u32::from(velocity.0.length() > STILL);
    }
    let rows = SIZES.iter().zip(rows).map(|(size, row)| {
        (theme::colored(size.name, size.color), row.iter().map(u32::to_string).collect::<Vec<_>>())
    });
    theme::table(ui, "units", &["", "all", "arrived", "moving"], rows);
    if button(ui, "crowd.all", "Select all", "A") {
        world.run_system_cached(select_all).expect("it asks for nothing that may be missing");
    }
    caption(ui, "Crowd");
    panel::edit::<CrowdSettings>(ui, world);
}

/// A unit slower than this stands still, in cells per second.
const STILL: f32 = 0.2;

fn enter(
    mut commands: Commands,
    mut view: ResMut<View>,
    mut town: ResMut<Town>,
    settings: Res<CrowdSettings>,
    mut agent_kinds: ResMut<AgentKinds>,
) {
    let (new, nav) = Town::initial();
    *town = new;
    let kinds = SIZES.map(|size| {
        let kind = AgentKind { size: AgentSize::Disc(size.radius), ..default() };
        agent_kinds.add(kind).expect("three kinds are few")
    });
    let nav = nav.with_kinds(&agent_kinds);
    let corner = Transform::from_translation((-SIZE / 2.0).extend(0.0));
    let mut start_places = StartPlaces::new(-1.0);
    let mut rank = 0;
    // The goal is the mirrored place: in file through the nearest gate, and in the same order on the other side.
    let goal = |at: Vec2| at - Vec2::X * MARCH * at.x.signum();
    // The large units are last in file, because they are the slowest.
    for (i, size) in SIZES.iter().enumerate().rev() {
        let is_free = |at: Vec2| nav.grid().is_walkable(kinds[i], GridCell::containing(at + SIZE / 2.0));
        for _ in 0..settings.units_of(i) {
            let places = || start_places.next(size.radius);
            let Some(at) = std::iter::from_fn(places).find(|&at| is_free(at) && is_free(goal(at))) else {
                break;
            };
            let agent = Agent {
                radius: size.radius,
                kind: kinds[i],
                ..Agent::new(size.speed * settings.speed_factor).with_facing(AgentFacing::Right)
            };
            commands.spawn((
                Unit(i),
                Selectable { rank },
                agent,
                Avoider { time_horizon: settings.time_horizon, ..Avoider::default() },
                PathRequest::to(goal(at).extend(0.0)),
                standing_at(at.extend(0.0)),
                (
                    Look { shape: Shape::Disc, color: size.color, path: 0.0 },
                    TrueSize,
                    SCENE.despawn_on_exit(),
                ),
            ));
            rank += 1;
        }
    }
    town.spawn_gates(&mut commands);
    commands.spawn((SCENE.map("Town", nav, corner), RightClickOrders));
    view.frame(Rect::from_center_size(Vec2::ZERO, SIZE));
}

/// Distance of the initial march, in cells.
const MARCH: f32 = 88.0;

/// Start places in file from an outer wall to the middle one; when one side of the town is full, on the other side.
struct StartPlaces {
    /// -1 on the left, 1 on the right.
    side: f32,
    at: Vec2,
    width: f32,
}

impl StartPlaces {
    fn new(side: f32) -> Self {
        Self { side, at: Vec2::new(SIZE.x / 2.0 - 2.0, 3.0 - SIZE.y / 2.0), width: 0.0 }
    }

    /// A place for a body of this radius; `None` if the town is full.
    fn next(&mut self, radius: f32) -> Option<Vec2> {
        let room = 2.0 * radius + 0.3;
        if self.at.y + room > SIZE.y / 2.0 - 3.0 || self.width > room * 1.5 {
            self.at = Vec2::new(self.at.x - self.width.max(room), 3.0 - SIZE.y / 2.0);
            self.width = 0.0;
        }
        self.width = self.width.max(room);
        let place = self.at + Vec2::new(-room, room) / 2.0;
        self.at.y += room;
        if place.x > GATE.x + room {
            return Some(place * Vec2::new(self.side, 1.0));
        }
        if self.side > 0.0 {
            return None;
        }
        *self = Self::new(1.0);
        self.next(radius)
    }
}

/// Whether a unit is at its goal, or, where buildings block the goal, as near to it as possible.
fn has_ended(status: &PathStatus) -> bool {
    matches!(status, PathStatus::Arrived | PathStatus::EndedShort(_))
}

fn select_all(mut commands: Commands, units: Query<Entity, With<Unit>>) {
    for unit in &units {
        commands.entity(unit).insert(Selected);
    }
}

fn apply_settings(
    mut sliders: Sliders<CrowdSettings>,
    mut units: Query<(&Unit, &mut Agent, &mut Avoider)>,
    mut scenes: SceneControl,
) {
    let Some((before, settings)) = sliders.moved() else { return };
    for (unit, mut agent, mut avoider) in &mut units {
        if before.speed_factor != settings.speed_factor {
            agent.speed = SIZES[unit.0].speed * settings.speed_factor;
            agent.acceleration = agent.speed * 8.0;
        }
        if before.time_horizon != settings.time_horizon {
            avoider.time_horizon = settings.time_horizon;
        }
    }
    if before.units != settings.units {
        scenes.restart();
    }
}

fn write_facts(mut facts: ResMut<Facts>, units: Query<(&AgentVelocity, &PathStatus), With<Unit>>) {
    facts.set("units", units.iter().count());
    facts.set("moving", units.iter().filter(|(velocity, _)| velocity.0.length() > STILL).count());
    facts.set("arrived", units.iter().filter(|(_, status)| has_ended(status)).count());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::tests::scene_app;

    /// The deepest overlap of two bodies, relative to the smaller radius.
    fn overlap(world: &mut World) -> f32 {
        let bodies: Vec<_> = world
            .query_filtered::<(&Transform, &Agent), With<Unit>>()
            .iter(world)
            .map(|(at, agent)| (at.translation.truncate(), agent.radius))
            .collect();
        let pairs = bodies.iter().enumerate().flat_map(|(i, a)| bodies[..i].iter().map(move |b| (a, b)));
        pairs.map(|(a, b)| (a.1 + b.1 - a.0.distance(b.0)) / a.1.min(b.1)).fold(0.0, f32::max)
    }

    /// Sends each unit to the nearer of two places on its side of the town.
    fn rally(world: &mut World) {
        let units: Vec<_> = world
            .query_filtered::<(Entity, &Transform), With<Unit>>()
            .iter(world)
            .map(|(unit, at)| (unit, if at.translation.y < 0.0 { -10.0 } else { 6.0 }))
            .collect();
        for (unit, y) in units {
            world.entity_mut(unit).insert(PathRequest::to(Vec3::new(-26.0, y, 0.0)));
        }
    }

    #[test]
    fn groups_come_to_rest_at_their_goals_without_overlap() {
        let mut app = scene_app(SCENE.name);
        rally(app.world_mut());
        let mut units = app.world_mut().query_filtered::<&AgentVelocity, With<Unit>>();
        let mut rested = 0;
        for _ in 0..1300 {
            app.update();
            let all = units.iter(app.world()).count();
            let moving = units.iter(app.world()).filter(|velocity| velocity.0.length() > STILL).count();
            assert!(all >= 100, "there is a crowd: {all}");
            rested = if moving * 4 <= all { rested + 1 } else { 0 };
            if rested > 30 {
                break;
            }
        }
        assert!(rested > 30, "it comes to rest");
        let overlap = overlap(app.world_mut());
        assert!(overlap < 0.2, "bodies stand beside one another: {overlap}");
    }

    #[test]
    fn the_size_classes_sum_to_the_number_of_units() {
        for units in 20..=MAX_UNITS {
            let settings = CrowdSettings { units, ..default() };
            assert_eq!((0..SIZES.len()).map(|size| settings.units_of(size)).sum::<u32>(), units);
        }
    }
}
