//! Stress: many agents, path requests and map edits, and their cost.

mod cost_figures;
mod flashes;

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_pathfind::{
    prelude::*,
    show::MeasuredIn,
    solve::SolveStats,
    steer::AgentAvoidance,
    world::{Grid, GridTransform},
};

use super::{Scene, SceneControl, Seed, forget_kinds};
use crate::{
    actors::{Look, Shape, TrueSize, standing_at},
    flags::Flags,
    heat_map::{self, HeatLayers},
    keys::Keys,
    panel::{self, Sliders},
    rng::SplitMix64,
    telemetry::Facts,
    theme::{self, caption},
    view::View,
};
use cost_figures::CostFigures;

pub(crate) const SCENE: Scene = Scene {
    name: "stress",
    title: "Stress",
    about: "A storm: thousands of agents, new orders and new walls every second. The numbers on the right \
            say what it costs; turn everything up until it hurts.",
    try_this: "turn orders up to 5,000 a second, and look at the latency.",
    keys: &[("C", "copy the numbers"), ("+ -", "a harder, a softer storm"), ("H", "where it is slow")],
    searches: true,
    build,
    controls,
};

/// Side of the map, in cells.
const SIDE: u32 = 128;

/// The most agents.
const MAX_AGENTS: u32 = 10_000;

/// The values of the scene's sliders.
#[derive(Resource, Reflect, Debug, Clone, PartialEq)]
pub(super) struct StressSettings {
    /// Agents on the map. Range: 10 to 10000. Default: 2000.
    #[reflect(@10..=MAX_AGENTS)]
    agents: u32,
    /// New goals of agents. Unit: orders per second. Range: 0 to 5000. Default: 400.
    #[reflect(@0.0..=5000.0_f32, @MeasuredIn("orders per second"))]
    orders: f32,
    /// Walls that appear or disappear. Unit: walls per second. Range: 0 to 200. Default: 10.
    #[reflect(@0.0..=200.0_f32, @MeasuredIn("walls per second"))]
    edits: f32,
    /// Whether agents avoid one another. Default: yes.
    avoid_agents: bool,
    /// Whether walls that come and go flash, and agents that plan anew. Default: yes.
    flashes: bool,
    /// Whether the map shows where agents are slowed down. Default: no.
    heat: bool,
}

impl Default for StressSettings {
    fn default() -> Self {
        Self { agents: 2000, orders: 400.0, edits: 10.0, avoid_agents: true, flashes: true, heat: false }
    }
}

/// The load: fractions of goals and edits that are due, and counts of those made.
#[derive(Resource, Default)]
struct Storm {
    rng: SplitMix64,
    orders: f32,
    edits: f32,
    /// New goals and edits since the scene began.
    orders_given: u64,
    edits_made: u64,
}

/// An agent of the scene.
#[derive(Component)]
struct StressAgent;

fn build(app: &mut App) {
    let settings = StressSettings::default();
    let agents = app.world().resource::<Flags>().crowd(settings.agents, MAX_AGENTS);
    app.insert_resource(StressSettings { agents, ..settings })
        .init_resource::<Storm>()
        .init_resource::<CostFigures>()
        .init_resource::<flashes::Flashes>()
        .add_systems(SCENE.enter(), enter)
        .add_systems(SCENE.exit(), (forget_kinds, heat_map::forget_layers))
        .add_systems(
            FixedUpdate,
            (give_orders, edit_walls).before(NavSystems::World).run_if(SCENE.is_active()),
        )
        .add_systems(
            Update,
            (read_keys, apply_settings, cost_figures::read, flashes::show, write_facts)
                .chain()
                .run_if(SCENE.is_active()),
        );
}

fn controls(ui: &mut egui::Ui, world: &mut World) {
    caption(ui, "Cost");
    cost_figures::show(ui, world);
    caption(ui, "Storm");
    panel::edit::<StressSettings>(ui, world);
}

fn enter(
    mut commands: Commands,
    mut view: ResMut<View>,
    mut storm: ResMut<Storm>,
    mut figures: ResMut<CostFigures>,
    settings: Res<StressSettings>,
    seed: Res<Seed>,
    mut layers: HeatLayers,
) {
    layers.begin(InfluenceLayers::CROWDING, heat_map::of_delay);
    layers.set(0.0, settings.heat);
    commands.add_observer(flashes::note_replanned).insert(SCENE.despawn_on_exit());
    *figures = CostFigures::default();
    *storm = Storm { rng: SplitMix64(seed.0), ..default() };
    let rng = &mut storm.rng;
    let mut grid = Grid::new(SIDE, SIDE).expect("the map is no giant");
    for _ in 0..SIDE * 2 {
        let (x, y) = (rng.below(SIDE), rng.below(SIDE));
        let (width, height) = (1 + rng.below(6), 1 + rng.below(6));
        grid.fill(CellRect::new(GridCell::new(x, y), GridCell::new(x + width, y + height)), Terrain::WALL);
    }
    let free: Vec<_> =
        grid.bounds().cells().filter(|&cell| grid.is_walkable(KindId::default(), cell)).collect();
    let nav = NavGrid::new(grid);
    let corner = Transform::from_xyz(-(SIDE as f32) / 2.0, -(SIDE as f32) / 2.0, 0.0);
    let place = GridTransform::new(&nav, corner);
    let colors = [theme::FRIEND, theme::SKY, theme::PREY, theme::HUNTER];
    let agents: Vec<_> = (0..settings.agents)
        .map(|i| {
            let cell = free[rng.below(free.len() as u32) as usize];
            let at = place.cell_center(cell);
            let look = Look { shape: Shape::Arrow, color: colors[i as usize % colors.len()], path: 0.0 };
            (
                StressAgent,
                Agent { radius: 0.42, ..Agent::new(6.0).with_facing(AgentFacing::Right) },
                avoider(&settings),
                PathStatus::default(),
                standing_at(at),
                look,
                TrueSize,
                SCENE.despawn_on_exit(),
            )
        })
        .collect();
    commands.spawn_batch(agents);
    commands.spawn(SCENE.map("Map", nav, corner));
    view.frame(Rect::from_center_size(Vec2::ZERO, Vec2::splat(SIDE as f32)));
}

fn avoider(settings: &StressSettings) -> Avoider {
    let agents = if settings.avoid_agents { AgentAvoidance::Reciprocal } else { AgentAvoidance::Ignore };
    Avoider { agents, time_horizon: 1.0, neighbor_range: Some(4.0), max_neighbors: 6, ..default() }
}

/// Gives random agents new goals.
fn give_orders(
    mut commands: Commands,
    mut storm: ResMut<Storm>,
    agents: Query<Entity, With<StressAgent>>,
    mut all: Local<Vec<Entity>>,
    settings: Res<StressSettings>,
    time: Res<Time>,
) {
    storm.orders += settings.orders * time.delta_secs();
    let due = storm.orders as u32;
    storm.orders -= due as f32;
    all.clear();
    all.extend(&agents);
    let half = SIDE as f32 / 2.0 - 1.0;
    for _ in 0..if all.is_empty() { 0 } else { due } {
        let agent = all[storm.rng.below(all.len() as u32) as usize];
        let to = Vec3::new(storm.rng.in_range(-half..half), storm.rng.in_range(-half..half), 0.0);
        commands.entity(agent).insert(PathRequest::to(to));
        storm.orders_given += 1;
    }
}

/// Adds and removes walls where no agent stands.
fn edit_walls(
    mut grids: Query<&mut NavGrid>,
    mut storm: ResMut<Storm>,
    agents: Query<&Transform, With<StressAgent>>,
    settings: Res<StressSettings>,
    time: Res<Time>,
    mut flashes: ResMut<flashes::Flashes>,
) {
    storm.edits += settings.edits * time.delta_secs();
    let due = storm.edits as u32;
    storm.edits -= due as f32;
    let Ok(mut nav) = grids.single_mut() else { return };
    for _ in 0..due {
        let (x, y) = (storm.rng.below(SIDE - 4), storm.rng.below(SIDE - 4));
        let wall = CellRect::new(GridCell::new(x, y), GridCell::new(x + 3, y + 3));
        let middle = Vec2::new(x as f32 + 2.0, y as f32 + 2.0) - SIDE as f32 / 2.0;
        let stands = |at: &Transform| (at.translation.truncate() - middle).abs().max_element() < 2.5;
        let is_wall = nav.grid().terrain(GridCell::new(x + 1, y + 1)) == Some(Terrain::WALL);
        if is_wall || !agents.iter().any(stands) {
            nav.fill(wall, if is_wall { Terrain::GROUND } else { Terrain::WALL });
            storm.edits_made += 1;
            flashes.edit(middle, !is_wall);
        }
    }
}

fn read_keys(keys: Keys, mut settings: ResMut<StressSettings>, mut figures: ResMut<CostFigures>) {
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
    if keys.just_pressed(KeyCode::KeyH) {
        settings.heat = !settings.heat;
    }
    if keys.just_pressed(KeyCode::KeyC) {
        figures.wants_copy = true;
    }
}

fn apply_settings(
    mut sliders: Sliders<StressSettings>,
    mut agents: Query<&mut Avoider, With<StressAgent>>,
    mut scenes: SceneControl,
    mut layers: HeatLayers,
) {
    let Some((before, settings)) = sliders.moved() else { return };
    layers.set(0.0, settings.heat);
    if before.avoid_agents != settings.avoid_agents {
        agents.iter_mut().for_each(|mut it| it.agents = avoider(settings).agents);
    }
    if before.agents != settings.agents {
        scenes.restart();
    }
}

fn write_facts(
    mut facts: ResMut<Facts>,
    storm: Res<Storm>,
    stats: Res<SolveStats>,
    figures: Res<CostFigures>,
) {
    facts.set("orders", storm.orders_given);
    facts.set("edits", storm.edits_made);
    facts.set("answered", figures.answered(&stats));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::tests::scene_app;

    #[test]
    fn requests_are_answered_while_walls_change() {
        let mut app = scene_app(SCENE.name);
        for _ in 0..300 {
            app.update();
        }
        let world = app.world();
        let (storm, stats) = (world.resource::<Storm>(), world.resource::<SolveStats>());
        let figures = world.resource::<CostFigures>();
        assert!(storm.orders_given > 1000, "orders are given: {}", storm.orders_given);
        assert!(storm.edits_made > 10, "walls come and go: {}", storm.edits_made);
        assert!(figures.answered(stats) > 500, "and answers come: {}", figures.answered(stats));
    }
}
