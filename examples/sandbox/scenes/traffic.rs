//! Traffic: a town whose people go to and fro over gates, bridges, alleys and a market, and how much gets through where.

mod counters;
mod town;

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_pathfind::{prelude::*, show::MeasuredIn};

use super::{Scene, SceneControl, Seed, forget_kinds};
use crate::{
    actors::{Look, Shape, TrueSize, standing_at},
    brush::Paintable,
    flags::Flags,
    heat_map::{self, HeatLayers},
    keys::Keys,
    orders::is_at_rest,
    panel::{self, Sliders},
    rng::SplitMix64,
    telemetry::Facts,
    theme::caption,
    view::View,
};
use counters::Counters;
use town::{DISTRICTS, SIZE};

pub(crate) const SCENE: Scene = Scene {
    name: "traffic",
    title: "Traffic",
    about: "A town in which everybody is on the way. In an alley only one direction goes at a time; routes know where \
            the crowd is. Draw walls, tear some down, and watch the counters.",
    try_this: "narrow the wide bridge to one cell with the right button, and see where people go.",
    keys: &[
        ("Right drag", "walls or fences; from one: erase"),
        ("B", "walls or fences"),
        ("Ctrl+Z", "undo a stroke"),
        ("K", "routes know the crowd or not"),
        ("H", "where it is slow"),
    ],
    searches: true,
    build,
    controls,
};

/// The most people.
const MOST: u32 = 1200;

/// The values of the scene's sliders.
#[derive(Resource, Reflect, Debug, Clone, PartialEq)]
pub(super) struct TrafficSettings {
    /// People in the town. Range: 10 to 1200. Default: 320.
    #[reflect(@10..=MOST)]
    people: u32,
    /// Radius of a body; that of a cart is half as large again. Unit: cells. Range: 0.15 to 0.45. Default: 0.3.
    #[reflect(@0.15..=0.45_f32, @MeasuredIn("cells"))]
    radius: f32,
    /// Top speed of the people; carts have two thirds of it. Unit: cells per second. Range: 1 to 10. Default: 4.
    #[reflect(@1.0..=10.0_f32, @MeasuredIn("cells per second"))]
    speed: f32,
    /// Whether paths avoid places where others are slow. Default: yes.
    know_crowd: bool,
    /// Whether the map shows where agents are slowed down. Default: yes.
    heat: bool,
}

impl Default for TrafficSettings {
    fn default() -> Self {
        Self { people: 320, radius: 0.3, speed: 4.0, know_crowd: true, heat: true }
    }
}

impl TrafficSettings {
    fn agent(&self, is_cart: bool) -> Agent {
        let (size, speed) = if is_cart { (1.5, 0.67) } else { (1.0, 1.0) };
        Agent::new(self.speed * speed)
            .with_radius((self.radius * size).min(0.49))
            .with_facing(AgentFacing::Right)
    }
}

/// One of the people, with the district that it goes to.
#[derive(Component)]
struct Walker {
    to: usize,
    is_cart: bool,
}

/// Draws the next goals.
#[derive(Resource, Default)]
struct Errands {
    rng: SplitMix64,
    done: u64,
}

fn build(app: &mut App) {
    let settings = TrafficSettings::default();
    let people = app.world().resource::<Flags>().crowd(settings.people, MOST);
    app.insert_resource(TrafficSettings { people, ..settings })
        .init_resource::<Errands>()
        .init_resource::<Counters>()
        .add_systems(SCENE.enter(), enter)
        .add_systems(SCENE.exit(), (forget_kinds, heat_map::forget_layers))
        .add_systems(
            FixedUpdate,
            (send_on, counters::count).chain().before(NavSystems::World).run_if(SCENE.is_active()),
        )
        .add_systems(
            Update,
            (read_keys, apply_settings, set_heat, write_facts).chain().run_if(SCENE.is_active()),
        )
        .add_systems(bevy_egui::EguiPrimaryContextPass, counters::show_labels.run_if(SCENE.is_active()));
}

fn controls(ui: &mut egui::Ui, world: &mut World) {
    caption(ui, "Through in a minute");
    counters::show(ui, world.resource::<Counters>());
    caption(ui, "Town");
    panel::edit::<TrafficSettings>(ui, world);
}

fn enter(
    mut commands: Commands,
    (mut view, mut errands, mut counters): (ResMut<View>, ResMut<Errands>, ResMut<Counters>),
    (settings, seed): (Res<TrafficSettings>, Res<Seed>),
    mut layers: HeatLayers,
) {
    *errands = Errands { rng: SplitMix64(seed.0), done: 0 };
    *counters = Counters::default();
    let (_, citizen) = layers.begin(InfluenceLayers::CROWDING, heat_map::of_delay);
    let nav = NavGrid::new(town::grid());
    let free: Vec<GridCell> =
        nav.bounds().cells().filter(|&cell| nav.is_walkable(KindId::default(), cell)).collect();
    for number in 0..settings.people {
        let to = errands.rng.below(DISTRICTS.len() as u32) as usize;
        let cell = free[errands.rng.below(free.len() as u32) as usize];
        let is_cart = number % 8 == 0;
        let look = Look {
            shape: if is_cart { Shape::Disc } else { Shape::Arrow },
            color: DISTRICTS[to].color,
            path: 0.0,
        };
        commands.spawn((
            Walker { to, is_cart },
            settings.agent(is_cart).with_kind(citizen),
            Avoider::default(),
            PathRequest::to(DISTRICTS[to].any_point(&mut errands.rng)),
            standing_at((cell.center() - SIZE / 2.0).extend(0.0)),
            (look, TrueSize, SCENE.despawn_on_exit()),
        ));
    }
    let corner = Transform::from_translation((SIZE / -2.0).extend(0.0));
    commands.spawn((SCENE.map("Town", nav, corner), Paintable));
    view.frame(Rect::from_center_size(Vec2::ZERO, SIZE));
}

/// Sends everybody who has come to the end of a path to another district; its colour is that of the district.
fn send_on(
    mut walkers: Query<(Entity, &mut Walker, &mut Sprite, &PathStatus)>,
    mut errands: ResMut<Errands>,
    mut commands: Commands,
) {
    let Errands { rng, done } = &mut *errands;
    for (entity, mut walker, mut sprite, status) in &mut walkers {
        if !is_at_rest(status) {
            continue;
        }
        *done += u64::from(*status == PathStatus::Arrived);
        let others = DISTRICTS.len() as u32 - 1;
        walker.to = (walker.to + 1 + rng.below(others) as usize) % DISTRICTS.len();
        sprite.color = DISTRICTS[walker.to].color;
        commands.entity(entity).insert(PathRequest::to(DISTRICTS[walker.to].any_point(rng)));
    }
}

fn read_keys(keys: Keys, mut settings: ResMut<TrafficSettings>) {
    if keys.just_pressed(KeyCode::KeyK) {
        settings.know_crowd = !settings.know_crowd;
    }
    if keys.just_pressed(KeyCode::KeyH) {
        settings.heat = !settings.heat;
    }
}

fn apply_settings(
    mut sliders: Sliders<TrafficSettings>,
    mut walkers: Query<(&Walker, &mut Agent)>,
    mut scenes: SceneControl,
) {
    let Some((before, settings)) = sliders.moved() else { return };
    if before.people != settings.people {
        scenes.restart();
    }
    for (walker, mut agent) in &mut walkers {
        panel::write_moved(&before.agent(walker.is_cart), &settings.agent(walker.is_cart), &mut agent);
    }
}

fn set_heat(settings: Res<TrafficSettings>, mut layers: HeatLayers) {
    // With a weight of 1 the cost of a path is the time that it takes.
    layers.set(if settings.know_crowd { 1.0 } else { 0.0 }, settings.heat);
}

fn write_facts(mut facts: ResMut<Facts>, errands: Res<Errands>, counters: Res<Counters>) {
    facts.set("errands", errands.done);
    counters.facts().for_each(|(name, count)| facts.set(name, count));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::tests::{scene_app_with, set_ticks_per_frame};

    #[test]
    fn people_get_through_every_gate_and_to_the_end_of_their_ways() {
        let mut app = scene_app_with(SCENE.name, 80);
        set_ticks_per_frame(&mut app, 8);
        (0..700).for_each(|_| app.update());
        let done = app.world().resource::<Errands>().done;
        assert!(done > 80, "everybody has been somewhere: {done}");
        let counts: Vec<_> = app.world().resource::<Counters>().facts().collect();
        assert!(counts.iter().all(|&(_, count)| count > 0), "{counts:?}");
    }
}
