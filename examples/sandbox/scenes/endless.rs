//! Endless: a generated world of chunks that are loaded round the view and the herds, and herds that wander over it.

mod chunks;
mod overview;
mod terrain;

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_pathfind::{prelude::*, show::MeasuredIn, world::JoinedGrid};

use super::{Scene, SceneControl, Seed};
use crate::{
    actors::{Look, Shape, TrueSize, standing_at},
    flags::Flags,
    keys::Keys,
    panel::{self, Sliders},
    pointer::Pointer,
    pulse::Pulses,
    rng::SplitMix64,
    telemetry::Facts,
    theme::{self, caption},
    view::{View, ViewSystems},
};
use chunks::{Chunks, needed, open_places};
use terrain::Landscape;

pub(crate) const SCENE: Scene = Scene {
    name: "endless",
    title: "Endless",
    about: "Herds wander over a world without borders. It is made of grids of 64 by 64 cells that come and \
            go; where they touch, they are one.",
    try_this: "click far away: the nearest herd comes, and the ground comes with it.",
    keys: &[
        ("Left click", "call the nearest herd"),
        ("N", "ride with the next herd"),
        ("Middle drag", "look round"),
        ("Home", "back to the herd"),
    ],
    searches: true,
    build,
    controls,
};

/// The colours of the herds.
const HERDS: [Color; 3] = [theme::FRIEND, theme::PREY, theme::SKY];
/// The part of the world that is shown.
const SHOWN: Vec2 = Vec2::new(190.0, 120.0);
/// How far the next goal of a herd lies from it, in cells.
const STAGE: f32 = 110.0;
/// A herd goes on when this share of its animals has come to the goal.
const GATHERED: f32 = 0.6;
/// The longest time on the way to a goal, in seconds; then the herd gets another one.
const MAX_TRAVEL_TIME: f32 = 40.0;

/// The values of the scene's sliders.
#[derive(Resource, Reflect, Debug, Clone, PartialEq)]
pub(super) struct EndlessSettings {
    /// Animals in all herds together. Range: 3 to 600. Default: 120.
    #[reflect(@3..=600_u32)]
    animals: u32,
    /// Top speed of the animals. Unit: cells per second. Range: 1 to 40. Default: 11.
    #[reflect(@1.0..=40.0_f32, @MeasuredIn("cells per second"))]
    speed: f32,
    /// How far round a herd chunks are loaded. Unit: chunks. Range: 1 to 4. Default: 1.
    #[reflect(@1..=4_u32, @MeasuredIn("chunks"))]
    reach: u32,
}

impl Default for EndlessSettings {
    fn default() -> Self {
        Self { animals: 120, speed: 11.0, reach: 1 }
    }
}

/// An animal, and the number of its herd.
#[derive(Component, Clone, Copy)]
struct Animal(usize);

/// Where the herds are and where they go.
#[derive(Resource, Default)]
struct Herds {
    rng: SplitMix64,
    herds: [Herd; HERDS.len()],
    /// The herd that the view follows.
    followed: usize,
}

#[derive(Default, Clone, Copy)]
struct Herd {
    center: Vec2,
    goal: Vec2,
    heading: f32,
    /// The share of its animals that are at their goal or have none that they can reach, and for how long the herd has
    /// had its goal, in seconds.
    settled: f32,
    underway: f32,
}

fn build(app: &mut App) {
    let settings = EndlessSettings::default();
    let animals = app.world().resource::<Flags>().crowd(settings.animals, 600);
    app.insert_resource(EndlessSettings { animals, ..settings })
        .init_resource::<Chunks>()
        .init_resource::<Herds>()
        .add_systems(SCENE.enter(), enter)
        .add_systems(
            Update,
            (
                apply_settings,
                read_keys,
                survey_herds,
                chunks::stream,
                chunks::lift_veils,
                call_herd,
                wander,
                write_facts,
            )
                .chain()
                .run_if(SCENE.is_active()),
        )
        .add_systems(Update, overview::draw_goals.after(ViewSystems).run_if(SCENE.is_active()))
        .add_systems(bevy_egui::EguiPrimaryContextPass, overview::show.run_if(SCENE.is_active()));
}

fn controls(ui: &mut egui::Ui, world: &mut World) {
    caption(ui, "World");
    let mut joined = world.query_filtered::<&NavGrid, With<JoinedGrid>>();
    let sizes = joined.iter(world).map(|nav| {
        let size = nav.grid().size();
        ("canvas of a joined grid", format!("{} × {}", size.x, size.y))
    });
    let loaded = ("chunks loaded", world.resource::<Chunks>().loaded.len().to_string());
    let rows = [loaded].into_iter().chain(sizes).map(|(title, value)| (theme::quiet(title), vec![value]));
    theme::table(ui, "world", &[], rows);
    caption(ui, "Herds");
    panel::edit::<EndlessSettings>(ui, world);
}

fn enter(
    mut commands: Commands,
    (mut view, seed): (ResMut<View>, Res<Seed>),
    (mut chunks, mut herds): (ResMut<Chunks>, ResMut<Herds>),
    settings: Res<EndlessSettings>,
) {
    *chunks = Chunks { land: Landscape(seed.0), ..default() };
    *herds = Herds { rng: SplitMix64(seed.0), ..default() };
    let count = settings.animals / HERDS.len() as u32;
    for (number, color) in HERDS.into_iter().enumerate() {
        let angle = number as f32 * core::f32::consts::TAU / HERDS.len() as f32;
        let home = chunks.open_place(Vec2::from_angle(angle) * 45.0);
        herds.herds[number] = Herd { center: home, goal: home, heading: angle, settled: 1.0, ..default() };
        for place in open_places(chunks.land, home, count as usize) {
            let look = Look { shape: Shape::Arrow, color, path: 0.0 };
            let agent = Agent {
                acceleration: 40.0,
                turn_rate: 7.0,
                radius: 0.45,
                ..Agent::new(settings.speed).with_facing(AgentFacing::Right)
            };
            commands.spawn((
                Animal(number),
                agent,
                Avoider::default(),
                (look, TrueSize),
                standing_at(place.extend(0.0)),
                SCENE.despawn_on_exit(),
            ));
        }
    }
    view.frame_within(Rect::from_center_size(herds.herds[0].center, SHOWN), chunks::WIDEST);
    // The world round the herds is there from the beginning.
    let needed = needed(&herds, &settings, Rect::from_center_size(herds.herds[0].center, SHOWN));
    let mut all: Vec<_> = needed.into_iter().collect();
    all.sort_unstable();
    for chunk in all {
        chunks.load(chunk, &mut commands);
    }
}

/// Notes where the herds are, and moves the view with the herd that it follows.
fn survey_herds(
    mut herds: ResMut<Herds>,
    animals: Query<(&Animal, &Transform, &PathStatus)>,
    mut view: ResMut<View>,
    time: Res<Time>,
) {
    let mut sums = [(Vec2::ZERO, 0.0_f32, 0.0_f32); HERDS.len()];
    for (animal, at, status) in &animals {
        let (sum, count, settled) = &mut sums[animal.0];
        *sum += at.translation.truncate();
        *count += 1.0;
        *settled += f32::from(u8::from(matches!(
            status,
            PathStatus::Idle | PathStatus::Arrived | PathStatus::Failed(_)
        )));
    }
    for (herd, (sum, count, settled)) in herds.herds.iter_mut().zip(sums) {
        if count > 0.0 {
            (herd.center, herd.settled) = (sum / count, settled / count);
        }
        herd.underway += time.delta_secs();
    }
    view.carry_home(herds.herds[herds.followed].center);
}

/// Sends each herd that has gathered at its goal, or does not get there, on to the next one.
fn wander(
    mut herds: ResMut<Herds>,
    mut commands: Commands,
    animals: Query<(Entity, &Animal)>,
    chunks: Res<Chunks>,
) {
    let Herds { rng, herds, .. } = &mut *herds;
    for (number, herd) in herds.iter_mut().enumerate() {
        if herd.settled < GATHERED && herd.underway < MAX_TRAVEL_TIME {
            continue;
        }
        herd.heading += rng.in_range(-0.9..0.9);
        let goal = chunks.open_place(herd.center + Vec2::from_angle(herd.heading) * STAGE);
        send(herd, number, goal, &animals, &mut commands);
    }
}

/// Orders all animals of a herd to a goal.
fn send(
    herd: &mut Herd,
    number: usize,
    goal: Vec2,
    animals: &Query<(Entity, &Animal)>,
    commands: &mut Commands,
) {
    (herd.goal, herd.settled, herd.underway) = (goal, 0.0, 0.0);
    for (animal, _) in animals.iter().filter(|(_, animal)| animal.0 == number) {
        commands.entity(animal).try_insert(PathRequest::to(goal.extend(0.0)));
    }
}

/// Calls the herd that is nearest to a click.
fn call_herd(
    mut herds: ResMut<Herds>,
    pointer: Res<Pointer>,
    animals: Query<(Entity, &Animal)>,
    (chunks, mut pulses): (Res<Chunks>, ResMut<Pulses>),
    mut commands: Commands,
) {
    if !pointer.just_pressed(MouseButton::Left) {
        return;
    }
    let gap = |herd: &Herd| herd.center.distance_squared(pointer.world);
    let nearest = (0..HERDS.len()).min_by(|&a, &b| gap(&herds.herds[a]).total_cmp(&gap(&herds.herds[b])));
    let goal = chunks.open_place(pointer.world);
    if let Some(number) = nearest {
        let herd = &mut herds.herds[number];
        herd.heading = (goal - herd.center).to_angle();
        pulses.add(goal.extend(0.0), HERDS[number]);
        send(herd, number, goal, &animals, &mut commands);
    }
}

fn read_keys(keys: Keys, mut herds: ResMut<Herds>) {
    if keys.just_pressed(KeyCode::KeyN) {
        herds.followed = (herds.followed + 1) % HERDS.len();
    }
}

fn apply_settings(
    mut sliders: Sliders<EndlessSettings>,
    mut animals: Query<&mut Agent, With<Animal>>,
    mut scenes: SceneControl,
) {
    let Some((before, settings)) = sliders.moved() else { return };
    if before.animals != settings.animals {
        scenes.restart();
    }
    if before.speed != settings.speed {
        animals.iter_mut().for_each(|mut agent| agent.speed = settings.speed);
    }
}

fn write_facts(chunks: Res<Chunks>, joined: Query<(), With<JoinedGrid>>, mut facts: ResMut<Facts>) {
    facts.set("chunks", chunks.loaded.len());
    facts.set("chunks_loaded", chunks.loads);
    facts.set("joined_grids", joined.iter().len());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::tests::{scene_app_with, set_ticks_per_frame};

    /// The herds leave the chunks that they began on, on ground that was loaded on the way.
    #[test]
    fn herds_wander_into_chunks_that_are_loaded_on_the_way() {
        let mut app = scene_app_with(SCENE.name, 12);
        set_ticks_per_frame(&mut app, 8);
        let center = |app: &App| app.world().resource::<Herds>().herds[0].center;
        let (begun, mut farthest) = (center(&app), 0.0_f32);
        for _ in 0..400 {
            app.update();
            farthest = farthest.max(center(&app).distance(begun));
        }
        let chunks = app.world().resource::<Chunks>();
        assert!(farthest > 64.0 && chunks.loads > 5, "{farthest} cells, {} chunks", chunks.loads);
        assert!(chunks.loaded.len() < 120, "what is far is unloaded: {}", chunks.loaded.len());
        let land = chunks.land;
        let mut animals = app.world_mut().query_filtered::<&Transform, With<Animal>>();
        for at in animals.iter(app.world()) {
            let cell = GridCell::containing(at.translation.truncate());
            assert!(
                !matches!(land.terrain(cell), Terrain::WATER | Terrain::TREES),
                "no animal stands on a blocked cell: {cell}"
            );
        }
    }
}
