//! Flock: thousands of birds behind three leaders, and a predator.

mod predator;
mod stats;

use bevy::{ecs::bundle::NoBundleEffect, light::NotShadowCaster, prelude::*};
use bevy_egui::{EguiPrimaryContextPass, egui};
use bevy_pathfind::{
    prelude::*,
    show::{MeasuredIn, panel::FieldEditor},
    steer::AgentAvoidance,
};

use super::{Scene, SceneControl, Seed};
use crate::{
    flags::Flags,
    keys::Keys,
    orbit::Orbit,
    panel::{self, Sliders, write_moved},
    rng::SplitMix64,
    scene3d::SceneBuilder,
    theme::{self, caption},
    view::ViewSystems,
};

pub(crate) const SCENE: Scene = Scene {
    name: "flock",
    title: "Flock",
    about: "Each leader wanders in its box, its birds follow and keep their distance. Try the models of four \
            sources on the same birds, and fly the predator among them.",
    try_this: "press F for another model of a flock; fly the red predator through it with WASD.",
    keys: &[
        ("WASD, QE", "fly the predator"),
        ("F", "next preset"),
        ("B", "boxes"),
        ("Right drag", "turn the view"),
    ],
    searches: false,
    build,
    controls,
};

/// The flocks: the centre of the leader's wander box, and the flock's colour.
const FLOCKS: [(Vec3, Color); 3] = [
    (Vec3::new(-38.0, 20.0, 8.0), theme::FRIEND),
    (Vec3::new(38.0, 24.0, 12.0), theme::SKY),
    (Vec3::new(0.0, 17.0, -36.0), theme::CLOSED[1]),
];
/// Half the size of a wander box.
const BOX: Vec3 = Vec3::new(32.0, 9.0, 26.0);
/// Pillars: position, and half their side.
const PILLARS: [(Vec2, f32); 6] = [
    (Vec2::new(-52.0, 2.0), 3.0),
    (Vec2::new(-24.0, 20.0), 2.2),
    (Vec2::new(-30.0, -8.0), 2.6),
    (Vec2::new(26.0, 2.0), 3.0),
    (Vec2::new(-8.0, -44.0), 2.6),
    (Vec2::new(14.0, -28.0), 2.2),
];
/// Height at which the pillars stand, and half their height.
const FLOOR: f32 = -6.0;
const TALL: f32 = 22.0;
/// Range of sight in the fog, in world units.
const FOG: f32 = 170.0;

/// The flock model and settings of the birds.
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Preset {
    /// The plugin's default.
    #[default]
    Robust,
    /// Unity's island demo.
    Seagull,
    /// The Unity book's version of the island demo.
    UnityFlock,
    /// OpenSteer's boids.
    Reynolds,
}

impl Preset {
    fn flock(self) -> Flock {
        match self {
            Self::Robust => Flock::default(),
            Self::Seagull => Flock::seagull(),
            Self::UnityFlock => Flock::unity_flock(),
            Self::Reynolds => Flock::reynolds(),
        }
    }

    fn next(self) -> Self {
        const ALL: [Preset; 4] = [Preset::Robust, Preset::Seagull, Preset::UnityFlock, Preset::Reynolds];
        ALL[(self as usize + 1) % ALL.len()]
    }
}

/// The most birds.
const MAX_BIRDS: u32 = 6000;

/// The values of the scene's sliders.
#[derive(Resource, Reflect, Debug, Clone, PartialEq)]
pub(super) struct FlockSettings {
    /// The flock settings of the birds. Default: Robust.
    preset: Preset,
    /// Birds in all flocks together. Range: 30 to 6000. Default: 1800.
    #[reflect(@30..=MAX_BIRDS)]
    birds: u32,
    /// Speed of the leaders. Unit: world units per second. Range: 0 to 20. Default: 9.
    #[reflect(@0.0..=20.0_f32, @MeasuredIn("world units per second"))]
    leader_speed: f32,
    /// Distance from the predator at which birds flee. Unit: world units. Range: 0 to 40. Default: 13.
    #[reflect(@0.0..=40.0_f32, @MeasuredIn("world units"))]
    flee_distance: f32,
    /// Whether the leaders' wander boxes are drawn. Default: yes.
    boxes: bool,
}

impl Default for FlockSettings {
    fn default() -> Self {
        Self { preset: Preset::Robust, birds: 1800, leader_speed: 9.0, flee_distance: 13.0, boxes: true }
    }
}

/// The flock settings that all birds share, as sliders.
#[derive(Resource, Clone, Default, PartialEq)]
struct SharedFlock(Flock);

/// A leader: the index of its flock in [`FLOCKS`].
#[derive(Component, Clone, Copy)]
struct Leader(usize);

/// A bird.
#[derive(Component)]
struct Bird;

fn build(app: &mut App) {
    let settings = FlockSettings::default();
    let birds = app.world().resource::<Flags>().crowd(settings.birds, MAX_BIRDS);
    app.insert_resource(FlockSettings { birds, ..settings })
        .init_resource::<SharedFlock>()
        .add_systems(SCENE.enter(), enter)
        .add_systems(
            Update,
            (
                read_keys,
                (apply_settings, apply_shared_flock).chain(),
                predator::fly,
                (stats::draw_boxes, predator::show).after(ViewSystems),
                stats::write_facts,
            )
                .run_if(SCENE.is_active()),
        )
        .add_systems(EguiPrimaryContextPass, stats::show_labels.run_if(SCENE.is_active()));
}

fn controls(ui: &mut egui::Ui, world: &mut World) {
    caption(ui, "Flocks");
    stats::show(ui, world);
    caption(ui, "Scene");
    panel::edit::<FlockSettings>(ui, world);
    caption(ui, "Model");
    let mut shared = world.resource::<SharedFlock>().0;
    let usual = Flock::default();
    let mut editor = FieldEditor::default().named("Model").around(usual.as_partial_reflect());
    editor.show(ui, shared.as_partial_reflect_mut());
    if !editor.changed().is_empty() {
        world.resource_mut::<SharedFlock>().0 = shared;
    }
}

fn enter(mut builder: SceneBuilder, settings: Res<FlockSettings>, shared: Res<SharedFlock>, seed: Res<Seed>) {
    let mut rng = SplitMix64(seed.0);
    builder.light(&SCENE, Orbit::new(Vec3::new(0.0, 14.0, 3.5), 140.0, 0.3, 0.42), FOG);
    builder.floor(&SCENE, Vec2::new(220.0, 200.0), 10.0, FLOOR);
    spawn_pillars(&mut builder);
    let predator = predator::spawn(&mut builder);
    let count = settings.birds / FLOCKS.len() as u32;
    let gold = builder.paint(theme::PREY);
    for (i, (home, color)) in FLOCKS.into_iter().enumerate() {
        let crown = (
            Mesh3d(builder.shared_meshes.bird.clone()),
            gold.clone(),
            Transform::from_scale(Vec3::splat(2.2)),
        );
        let leader = leader(i, home, settings.leader_speed);
        let leader = builder.commands.spawn(leader).with_child(crown).id();
        let flee = Behavior { far: Some(settings.flee_distance), horizon: 0.6, ..Behavior::evade(predator) };
        let look = (Mesh3d(builder.shared_meshes.bird.clone()), builder.paint(color), NotShadowCaster);
        let birds: Vec<_> = (0..count)
            .map(|_| (bird(&mut rng, home), FlockOf(leader), shared.0, flee, look.clone()))
            .collect();
        builder.commands.spawn_batch(birds);
    }
}

fn spawn_pillars(builder: &mut SceneBuilder) {
    let stone = builder.paint(theme::WALL);
    for (at, half) in PILLARS {
        let half = Vec3::new(half, TALL, half);
        let place = Transform::from_xyz(at.x, FLOOR + TALL, at.y);
        let mesh = Mesh3d(builder.shared_meshes.block.clone());
        builder
            .commands
            .spawn((Obstacle::cuboid(half), place, Visibility::default(), SCENE.despawn_on_exit()))
            .with_child((mesh, stone.clone(), Transform::from_scale(half)));
    }
}

fn leader(number: usize, home: Vec3, speed: f32) -> impl Bundle {
    (
        Name::new(format!("Leader {}", number + 1)),
        Leader(number),
        FlockLeader { bound: BOX, ..default() },
        Agent { turn_rate: 4.0, ..Agent::new(speed).with_facing(AgentFacing::Forward) },
        Transform::from_translation(home),
        Visibility::default(),
        InterpolateTransform::default(),
        SCENE.despawn_on_exit(),
    )
}

/// A bird at a random place near the home of its flock.
fn bird(rng: &mut SplitMix64, home: Vec3) -> impl Bundle<Effect: NoBundleEffect> + use<> {
    let mut anywhere = |reach: f32| {
        Vec3::new(rng.in_range(-reach..reach), rng.in_range(-reach..reach) * 0.4, rng.in_range(-reach..reach))
    };
    let (at, direction) = (home + anywhere(14.0), anywhere(1.0).normalize_or(Vec3::X));
    (
        Bird,
        Agent { acceleration: 60.0, turn_rate: 9.0, ..Agent::new(12.0).with_facing(AgentFacing::Forward) },
        Avoider { agents: AgentAvoidance::Ignore, walls: false, ..default() },
        AgentVelocity(direction * 5.0),
        Transform::from_translation(at).looking_to(direction, Vec3::Y),
        InterpolateTransform::default(),
        SCENE.despawn_on_exit(),
    )
}

fn read_keys(keys: Keys, mut settings: ResMut<FlockSettings>) {
    if keys.just_pressed(KeyCode::KeyF) {
        settings.preset = settings.preset.next();
    }
    if keys.just_pressed(KeyCode::KeyB) {
        settings.boxes = !settings.boxes;
    }
}

fn apply_settings(
    mut sliders: Sliders<FlockSettings>,
    mut birds: Query<&mut Behavior, With<Bird>>,
    mut leaders: Query<&mut Agent, With<Leader>>,
    mut shared: ResMut<SharedFlock>,
    mut scenes: SceneControl,
) {
    let Some((before, settings)) = sliders.moved() else { return };
    if before.preset != settings.preset {
        shared.0 = settings.preset.flock();
    }
    if before.birds != settings.birds {
        scenes.restart();
    }
    if before.flee_distance != settings.flee_distance {
        birds.iter_mut().for_each(|mut behavior| behavior.far = Some(settings.flee_distance));
    }
    if before.leader_speed != settings.leader_speed {
        leaders.iter_mut().for_each(|mut leader| leader.speed = settings.leader_speed);
    }
}

/// Writes settings whose sliders have moved to all birds.
fn apply_shared_flock(mut shared: Sliders<SharedFlock>, mut birds: Query<&mut Flock, With<Bird>>) {
    let Some((before, shared)) = shared.moved() else { return };
    for mut flock in &mut birds {
        write_moved(&before.0, &shared.0, &mut flock);
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;
    use bevy_egui::EguiContexts;

    use super::*;
    use crate::{
        scenes::tests::{scene_app, set_ticks_per_frame, tap},
        telemetry::Facts,
    };

    #[test]
    fn keys_do_nothing_while_text_is_typed() {
        let mut app = scene_app(SCENE.name);
        let preset = |app: &App| app.world().resource::<FlockSettings>().preset;
        tap(&mut app, KeyCode::KeyF);
        assert_eq!(preset(&app), Preset::Seagull, "it is the key of the next preset");
        app.add_systems(EguiPrimaryContextPass, |mut contexts: EguiContexts| -> Result {
            let ctx = contexts.ctx_mut()?;
            egui::Area::new("a text".into())
                .show(ctx, |ui| ui.text_edit_singleline(&mut String::new()).request_focus());
            Ok(())
        });
        (0..3).for_each(|_| app.update());
        tap(&mut app, KeyCode::KeyF);
        assert_eq!(preset(&app), Preset::Seagull, "while a text is typed it is a letter");
    }

    #[test]
    fn every_flock_follows_its_leader() {
        let mut app = scene_app(SCENE.name);
        set_ticks_per_frame(&mut app, 4);
        let mut moved = [0.0; FLOCKS.len()];
        let mut last = [None; FLOCKS.len()];
        for tick in (4..=500).step_by(4) {
            app.update();
            let flocks = &app.world().resource::<Facts>().0["flocks"];
            for (i, flock) in flocks.as_array().expect("it is a list").iter().enumerate() {
                let number = |value: &serde_json::Value| value.as_f64().expect("it is a number");
                let center = DVec3::from([0_usize, 1, 2].map(|axis| number(&flock["center"][axis])));
                moved[i] += last[i].replace(center).map_or(0.0, |last| center.distance(last));
                let [gap, gyration] = ["gap", "gyration"].map(|name| number(&flock[name]));
                assert!(
                    tick < 200 || gap < 2.0 * gyration + 12.0,
                    "flock {i} is with its leader after {tick} ticks: {gap} away"
                );
            }
        }
        assert!(moved.iter().all(|&moved| moved > 20.0), "wherever that goes: {moved:?}");
    }
}
