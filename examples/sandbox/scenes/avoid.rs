//! Avoidance: the tutorials' single ray and a sweep of the body's width, in the same field of obstacles.

mod field;
mod goals;
mod show;

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_pathfind::{
    prelude::*,
    show::MeasuredIn,
    steer::{AgentAvoidance, ObstacleAvoidance},
};
use serde_json::json;

use super::{Scene, SceneControl, Seed};
use crate::{
    flags::Flags,
    keys::Keys,
    orbit::Orbit,
    panel::{self, Sliders, write_moved},
    rng::SplitMix64,
    scene3d::SceneBuilder,
    telemetry::Facts,
    theme::{self, caption},
    view::ViewSystems,
};
use field::{Bumps, surface};
use goals::VehicleGoals;

pub(crate) const SCENE: Scene = Scene {
    name: "avoid",
    title: "Avoidance",
    about: "Two equal squads cross one field: red probes with the tutorials' single ray, teal with the width \
            of its body. A body that pushes into an obstacle has bumped.",
    try_this: "drag an obstacle into the way of both squads, and count the bumps.",
    keys: &[
        ("Left click", "send all"),
        ("Left drag", "move an obstacle"),
        ("Right drag", "turn the view"),
        ("V", "probes"),
    ],
    searches: false,
    build,
    controls,
};

/// The two squads: avoidance rule, name, colour.
const SQUADS: [(ObstacleAvoidance, &str, Color); 2] =
    [(ObstacleAvoidance::Ray, "Ray", theme::HUNTER), (ObstacleAvoidance::Sweep, "Sweep", theme::FRIEND)];

/// Size of the field, in world units.
const FIELD: Vec2 = Vec2::new(100.0, 60.0);
/// Radius of a vehicle, in world units.
const RADIUS: f32 = 0.7;
/// Range of sight in the fog, in world units.
const FOG: f32 = 150.0;

/// The values of the scene's sliders.
#[derive(Resource, Reflect, Debug, Clone, PartialEq)]
pub(super) struct AvoidSettings {
    /// Vehicles in each squad. Range: 1 to 60. Default: 16.
    #[reflect(@1..=60_u32)]
    vehicles: u32,
    /// Top speed of both squads. Unit: world units per second. Range: 2 to 30. Default: 12.
    #[reflect(@2.0..=30.0_f32, @MeasuredIn("world units per second"))]
    speed: f32,
    /// Length of the ray. Unit: world units. Range: 0 to 40. Default: 20, the tutorial's.
    #[reflect(@0.0..=40.0_f32, @MeasuredIn("world units"))]
    ray_range: f32,
    /// Strength of the ray's push. Range: 0 to 100. Default: 50, the tutorial's.
    #[reflect(@0.0..=100.0_f32)]
    ray_force: f32,
    /// Reaction time of the sweep, in addition to its braking time. Unit: seconds. Range: 0 to 3. Default: 0.2.
    #[reflect(@0.0..=3.0_f32, @MeasuredIn("seconds"))]
    sweep_reaction_time: f32,
    /// Clearance that the sweep keeps from obstacles, as a part of the radius. Range: 0 to 2. Default: 0.1.
    #[reflect(@0.0..=2.0_f32)]
    sweep_margin: f32,
    /// Whether the vehicles' probes are drawn. Default: yes.
    probes: bool,
}

impl Default for AvoidSettings {
    fn default() -> Self {
        let (ray, sweep) = (Avoider::ray(20.0), Avoider::default());
        Self {
            vehicles: 16,
            speed: 12.0,
            ray_range: 20.0,
            ray_force: ray.force,
            sweep_reaction_time: sweep.reaction_time,
            sweep_margin: sweep.margin,
            probes: true,
        }
    }
}

impl AvoidSettings {
    fn avoider(&self, rule: ObstacleAvoidance) -> Avoider {
        let by_rule = match rule {
            ObstacleAvoidance::Ray => Avoider { force: self.ray_force, ..Avoider::ray(self.ray_range) },
            _ => Avoider { reaction_time: self.sweep_reaction_time, margin: self.sweep_margin, ..default() },
        };
        Avoider { agents: AgentAvoidance::Ignore, ..by_rule }
    }
}

/// A vehicle: the index of its squad in [`SQUADS`], and its number within the squad.
#[derive(Component, Clone, Copy)]
struct Vehicle {
    squad: usize,
    rank: u32,
}

fn build(app: &mut App) {
    let settings = AvoidSettings::default();
    // This scene has two squads, and no larger crowd.
    let usual = 2 * settings.vehicles;
    let vehicles = app.world().resource::<Flags>().crowd(usual, usual) / 2;
    app.insert_resource(AvoidSettings { vehicles, ..settings })
        .init_resource::<VehicleGoals>()
        .add_systems(SCENE.enter(), enter)
        .add_systems(
            FixedUpdate,
            (goals::shuttle.before(NavSystems::World), field::count_bumps.after(NavSystems::Motion))
                .run_if(SCENE.is_active()),
        )
        .add_systems(
            Update,
            (
                read_keys,
                apply_settings,
                goals::read_pointer.after(ViewSystems),
                (show::draw_probes, show::draw_goal, show::light_up).after(ViewSystems),
                write_facts,
            )
                .run_if(SCENE.is_active()),
        );
}

fn controls(ui: &mut egui::Ui, world: &mut World) {
    caption(ui, "Bumps");
    let tallies = tally(world.query::<(&Vehicle, &Bumps)>().iter(world));
    let rows = SQUADS.into_iter().zip(tallies).map(|((_, name, color), (bumps, seconds))| {
        (theme::colored(name, color), vec![bumps.to_string(), format!("{seconds:.1} s")])
    });
    theme::table(ui, "bumps", &["", "bumps", "in touch"], rows);
    caption(ui, "Vehicles");
    panel::edit::<AvoidSettings>(ui, world);
}

/// The number of bumps and the seconds in contact, of each squad.
fn tally<'a>(vehicles: impl Iterator<Item = (&'a Vehicle, &'a Bumps)>) -> [(u32, f32); SQUADS.len()] {
    let mut tallies = [(0, 0.0); SQUADS.len()];
    for (vehicle, bumps) in vehicles {
        tallies[vehicle.squad].0 += bumps.count;
        tallies[vehicle.squad].1 += bumps.seconds;
    }
    tallies
}

fn enter(
    mut builder: SceneBuilder,
    mut goals: ResMut<VehicleGoals>,
    settings: Res<AvoidSettings>,
    seed: Res<Seed>,
) {
    let mut rng = SplitMix64(seed.0);
    *goals = VehicleGoals::default();
    builder.light(&SCENE, Orbit::new(Vec3::new(-2.5, 0.0, 1.0), 106.0, 0.0, 1.05), FOG);
    builder.floor(&SCENE, FIELD, 4.0, 0.0);
    field::spawn(&mut builder, &mut rng);
    let count = settings.vehicles;
    for (squad, (rule, name, color)) in SQUADS.into_iter().enumerate() {
        let paint = builder.paint(color);
        for rank in 0..count {
            // Both squads start at the same places; a small difference in height avoids flickering.
            let at = goals.place(rank, count) + Vec3::Y * 0.02 * squad as f32;
            let agent = Agent {
                acceleration: 40.0,
                turn_rate: 5.0,
                radius: RADIUS,
                ..Agent::new(settings.speed).with_facing(AgentFacing::Forward)
            };
            let mesh = Mesh3d(builder.shared_meshes.dart.clone());
            builder.commands.spawn((
                Name::new(format!("{name} {}", rank + 1)),
                Vehicle { squad, rank },
                Bumps::default(),
                agent,
                settings.avoider(rule),
                Behavior::arrive(at),
                Transform::from_translation(at).looking_to(Vec3::X, Vec3::Y),
                InterpolateTransform::default().with_jump(2.0),
                (mesh, paint.clone(), SCENE.despawn_on_exit()),
            ));
        }
    }
}

fn read_keys(keys: Keys, mut settings: ResMut<AvoidSettings>) {
    if keys.just_pressed(KeyCode::KeyV) {
        settings.probes = !settings.probes;
    }
}

fn apply_settings(
    mut sliders: Sliders<AvoidSettings>,
    mut vehicles: Query<(&Vehicle, &mut Agent, &mut Avoider)>,
    mut scenes: SceneControl,
) {
    let Some((before, settings)) = sliders.moved() else { return };
    let count = vehicles.iter().count() as u32 / 2;
    if count > 0 && count != settings.vehicles {
        scenes.restart();
    }
    for (vehicle, mut agent, mut avoider) in &mut vehicles {
        if before.speed != settings.speed {
            agent.speed = settings.speed;
        }
        let rule = SQUADS[vehicle.squad].0;
        write_moved(&before.avoider(rule), &settings.avoider(rule), &mut avoider);
    }
}

fn write_facts(mut facts: ResMut<Facts>, vehicles: Query<(&Vehicle, &Bumps)>) {
    let [ray, sweep] = tally(vehicles.iter());
    facts.set("bumps", json!({"ray": ray.0, "sweep": sweep.0}));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::tests::{scene_app, set_ticks_per_frame};

    #[test]
    fn the_sweep_bumps_less_than_the_ray() {
        let mut app = scene_app(SCENE.name);
        set_ticks_per_frame(&mut app, 4);
        (0..100).for_each(|_| app.update());
        let world = app.world_mut();
        let [ray, sweep] = tally(world.query::<(&Vehicle, &Bumps)>().iter(world));
        assert!(ray.0 > 0, "a ray has no width");
        assert!(sweep.0 * 2 < ray.0, "the sweep bumps {} times, the ray {}", sweep.0, ray.0);
    }

    #[test]
    fn values_of_the_tuning_panel_stay_until_the_scene_slider_moves() {
        let mut app = scene_app(SCENE.name);
        (0..3).for_each(|_| app.update());
        let world = app.world_mut();
        for mut avoider in world.query::<&mut Avoider>().iter_mut(world) {
            (avoider.margin, avoider.time_horizon, avoider.range) = (1.5, 7.0, Some(33.0));
        }
        let mut agents = world.query::<&mut Agent>();
        agents.iter_mut(world).for_each(|mut agent| agent.speed = 21.0);
        world.resource_mut::<AvoidSettings>().ray_force = 80.0;
        world.resource_mut::<AvoidSettings>().probes = false;
        (0..3).for_each(|_| app.update());
        let world = app.world_mut();
        let mut vehicles = world.query::<(&Vehicle, &Agent, &Avoider)>();
        assert!(vehicles.iter(world).len() > 0, "there are vehicles");
        for (vehicle, agent, avoider) in vehicles.iter(world) {
            assert_eq!(agent.speed, 21.0, "the slider of the speed has not moved");
            let tuned = (avoider.margin, avoider.time_horizon, avoider.range);
            assert_eq!(tuned, (1.5, 7.0, Some(33.0)), "nor have those of other fields");
            let is_ray = SQUADS[vehicle.squad].0 == ObstacleAvoidance::Ray;
            assert_eq!(avoider.force == 80.0, is_ray, "the one that has moved is written");
        }
    }
}
