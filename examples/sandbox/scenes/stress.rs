//! Stress: many agents, path requests and map edits, and their cost.

mod gauge;

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_pathfind::prelude::*;

use super::{Director, Scene, Seed};
use crate::{
    actors::{Look, Shape, TrueSize, standing_at},
    chance::Chance,
    flags::Flags,
    ground::Ground,
    keys::Keys,
    panel::{self, Sliders},
    telemetry::Facts,
    theme::{self, caption},
    view::View,
};
use gauge::Gauge;

pub(crate) const SCENE: Scene = Scene {
    name: "stress",
    title: "Stress",
    digit: 7,
    about: "A storm: thousands of agents, new orders and new walls every second. The numbers on the right \
            say what it costs; turn everything up until it hurts.",
    keys: &[("C", "copy the numbers"), ("+ -", "a harder, a softer storm")],
    searches: true,
    build,
    controls,
};

/// Side of the map, in cells.
const SIDE: u32 = 128;

/// The most agents.
const MOST: u32 = 10_000;

/// The values of the scene's sliders.
#[derive(Resource, Reflect, Debug, Clone, PartialEq)]
struct StressSettings {
    /// Agents on the map. Range: 10 to 10000. Default: 2000.
    #[reflect(@10..=MOST)]
    agents: u32,
    /// New goals of agents. Unit: 1/s. Range: 0 to 5000. Default: 400.
    #[reflect(@0.0..=5000.0_f32)]
    orders: f32,
    /// Walls that appear or disappear. Unit: 1/s. Range: 0 to 200. Default: 10.
    #[reflect(@0.0..=200.0_f32)]
    edits: f32,
    /// Whether agents avoid one another. Default: yes.
    make_way: bool,
}

impl Default for StressSettings {
    fn default() -> Self {
        Self { agents: 2000, orders: 400.0, edits: 10.0, make_way: true }
    }
}

/// Fractions of goals and edits that are due, and counts of those made.
#[derive(Resource, Default)]
struct Storm {
    chance: Chance,
    orders: f32,
    edits: f32,
    /// New goals and edits since the scene began.
    given: u64,
    made: u64,
}

/// An agent of the scene.
#[derive(Component)]
struct Droplet;

fn build(app: &mut App) {
    let settings = StressSettings::default();
    let agents = app.world().resource::<Flags>().crowd(settings.agents, MOST);
    app.insert_resource(StressSettings { agents, ..settings })
        .init_resource::<Storm>()
        .init_resource::<Gauge>()
        .add_systems(SCENE.enter(), enter)
        .add_systems(FixedUpdate, (rage, raze).before(NavSystems::World).run_if(SCENE.is_active()))
        .add_systems(
            Update,
            (read_keys, apply_settings, gauge::read, tell_facts).chain().run_if(SCENE.is_active()),
        );
}

fn controls(ui: &mut egui::Ui, world: &mut World) {
    caption(ui, "Gauge");
    gauge::show(ui, world);
    caption(ui, "Storm");
    panel::edit::<StressSettings>(ui, world);
}

fn enter(
    mut commands: Commands,
    mut view: ResMut<View>,
    mut storm: ResMut<Storm>,
    mut gauge: ResMut<Gauge>,
    settings: Res<StressSettings>,
    seed: Res<Seed>,
) {
    *gauge = Gauge::default();
    *storm = Storm { chance: Chance(seed.0), ..default() };
    let chance = &mut storm.chance;
    let mut grid = Grid::new(SIDE, SIDE).expect("the map is no giant");
    for _ in 0..SIDE * 2 {
        let (x, y) = (chance.below(SIDE), chance.below(SIDE));
        let (width, height) = (1 + chance.below(6), 1 + chance.below(6));
        grid.fill(CellRect::new(Cell::new(x, y), Cell::new(x + width, y + height)), Terrain::WALL);
    }
    let free: Vec<_> =
        grid.bounds().cells().filter(|&cell| grid.is_walkable(KindId::default(), cell)).collect();
    let nav = NavGrid::new(grid);
    let corner = Transform::from_xyz(-(SIDE as f32) / 2.0, -(SIDE as f32) / 2.0, 0.0);
    let colors = [theme::FRIEND, theme::SKY, theme::PREY, theme::HUNTER];
    let agents: Vec<_> = (0..settings.agents)
        .map(|i| {
            let cell = free[chance.below(free.len() as u32) as usize];
            let at = nav.cell_to_world(&corner.into(), cell);
            let look = Look { shape: Shape::Arrow, color: colors[i as usize % colors.len()], path: 0.0 };
            (
                Droplet,
                Agent { radius: 0.42, ..Agent::with_speed(6.0).with_facing(Facing::Right) },
                avoider(&settings),
                PathStatus::default(),
                standing_at(at),
                look,
                TrueSize,
                SCENE.own(),
            )
        })
        .collect();
    commands.spawn_batch(agents);
    commands.spawn((Name::new("Map"), nav, corner, Visibility::default(), Ground::default(), SCENE.own()));
    view.frame(Rect::from_center_size(Vec2::ZERO, Vec2::splat(SIDE as f32)));
}

fn avoider(settings: &StressSettings) -> Avoider {
    let agents = if settings.make_way { AgentAvoidance::Reciprocal } else { AgentAvoidance::Ignore };
    Avoider { agents, time_horizon: 1.0, neighbor_range: 4.0, max_neighbors: 6, ..default() }
}

/// Gives random agents new goals.
fn rage(
    mut commands: Commands,
    mut storm: ResMut<Storm>,
    drops: Query<Entity, With<Droplet>>,
    mut all: Local<Vec<Entity>>,
    settings: Res<StressSettings>,
    time: Res<Time>,
) {
    storm.orders += settings.orders * time.delta_secs();
    let due = storm.orders as u32;
    storm.orders -= due as f32;
    all.clear();
    all.extend(&drops);
    let half = SIDE as f32 / 2.0 - 1.0;
    for _ in 0..if all.is_empty() { 0 } else { due } {
        let who = all[storm.chance.below(all.len() as u32) as usize];
        let to = Vec3::new(storm.chance.within(-half..half), storm.chance.within(-half..half), 0.0);
        commands.entity(who).insert(PathRequest::to(to));
        storm.given += 1;
    }
}

/// Adds and removes walls where no agent stands.
fn raze(
    mut grids: Query<&mut NavGrid>,
    mut storm: ResMut<Storm>,
    drops: Query<&Transform, With<Droplet>>,
    settings: Res<StressSettings>,
    time: Res<Time>,
) {
    storm.edits += settings.edits * time.delta_secs();
    let due = storm.edits as u32;
    storm.edits -= due as f32;
    let Ok(mut nav) = grids.single_mut() else { return };
    for _ in 0..due {
        let (x, y) = (storm.chance.below(SIDE - 4), storm.chance.below(SIDE - 4));
        let wall = CellRect::new(Cell::new(x, y), Cell::new(x + 3, y + 3));
        let middle = Vec2::new(x as f32 + 2.0, y as f32 + 2.0) - SIDE as f32 / 2.0;
        let stands = |at: &Transform| (at.translation.truncate() - middle).abs().max_element() < 2.5;
        let is_wall = nav.grid().terrain(Cell::new(x + 1, y + 1)) == Some(Terrain::WALL);
        if is_wall || !drops.iter().any(stands) {
            nav.fill(wall, if is_wall { Terrain::GROUND } else { Terrain::WALL });
            storm.made += 1;
        }
    }
}

fn read_keys(keys: Keys, mut settings: ResMut<StressSettings>, mut gauge: ResMut<Gauge>) {
    let step = [
        (KeyCode::Equal, 1.5),
        (KeyCode::NumpadAdd, 1.5),
        (KeyCode::Minus, 1.0 / 1.5),
        (KeyCode::NumpadSubtract, 1.0 / 1.5),
    ];
    for (_, factor) in step.into_iter().filter(|(key, _)| keys.just_pressed(*key)) {
        settings.orders = (settings.orders * factor).clamp(1.0, 5000.0);
        settings.edits = (settings.edits * factor).clamp(1.0, 200.0);
    }
    if keys.just_pressed(KeyCode::KeyC) {
        gauge.copy();
    }
}

fn apply_settings(
    mut sliders: Sliders<StressSettings>,
    mut drops: Query<&mut Avoider, With<Droplet>>,
    mut director: Director,
) {
    let Some((before, settings)) = sliders.moved() else { return };
    if before.make_way != settings.make_way {
        drops.iter_mut().for_each(|mut it| it.agents = avoider(settings).agents);
    }
    if before.agents != settings.agents {
        director.again();
    }
}

fn tell_facts(mut facts: ResMut<Facts>, storm: Res<Storm>, stats: Res<SolveStats>, gauge: Res<Gauge>) {
    facts.set("orders", storm.given);
    facts.set("edits", storm.made);
    facts.set("answered", gauge.answered(&stats));
    facts.set("gauge", gauge.lines(&stats));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::tests::{hints_are_true, play};

    #[test]
    fn the_storm_is_answered() {
        let mut app = play(SCENE.name);
        for _ in 0..300 {
            app.update();
        }
        let world = app.world();
        let (storm, stats) = (world.resource::<Storm>(), world.resource::<SolveStats>());
        let gauge = world.resource::<Gauge>();
        assert!(storm.given > 1000, "orders are given: {}", storm.given);
        assert!(storm.made > 10, "walls come and go: {}", storm.made);
        assert!(gauge.answered(stats) > 500, "and answers come: {}", gauge.answered(stats));
    }

    #[test]
    fn hints_tell_the_defaults() {
        hints_are_true::<StressSettings>();
    }
}
