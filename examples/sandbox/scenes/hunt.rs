//! Hunt: three hunters after a prey that flees, in a round fortress, and a squad of scouts under the user's command.

mod danger;
mod sight;

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_egui::egui;
use bevy_pathfind::{
    prelude::*,
    show::MeasuredIn,
    steer::{Fugitive, FugitiveCornered},
    world::{Grid, GridTransform},
};

use super::{Scene, Seed, forget_kinds};
use crate::{
    actors::{Look, Shape, standing_at},
    brush::Paintable,
    drive::KeyboardControl,
    flags::Flags,
    grid_picture::{GridPicture, ring},
    heat_map::{self, HeatLayers},
    hud::Notice,
    keys::Keys,
    orders::{Selectable, Selected, is_at_rest},
    panel::{self, Sliders, write_moved},
    pulse::Pulses,
    rng::SplitMix64,
    telemetry::Facts,
    theme::{self, caption},
    view::{View, ViewSystems},
};

pub(crate) const SCENE: Scene = Scene {
    name: "hunt",
    title: "Hunt",
    about: "Three hunters close in on a prey that flees by path and keeps out of dead ends. Your scouts avoid the \
            danger round the hunters, where that costs little.",
    try_this: "draw a wall before the prey; send the scouts past a hunter, once with H and once without.",
    keys: &[
        ("Left click", "send the scouts"),
        ("Left drag", "select (Shift adds)"),
        ("Right drag", "walls or fences; from one: erase"),
        ("B", "walls or fences"),
        ("Ctrl+Z", "undo a stroke"),
        ("H", "danger on or off"),
        ("F", "prey flees or not"),
        ("WASD, arrows", "drive the prey"),
    ],
    searches: true,
    build,
    controls,
};

const MAP: &str = include_str!("../../../assets/maps/lak303d.map");
const SCOUTS: u32 = 6;
const HUNTERS: u32 = 3;
/// A prey that has not been driven for this many seconds looks for a quieter place, if it may.
const IDLE_TIME: f32 = 3.0;
/// The prey flees from hunters that are nearer than this by path, in cells.
const FLIGHT: f32 = 36.0;

/// The values of the scene's sliders.
#[derive(Resource, Reflect, Debug, Clone, PartialEq)]
pub(super) struct HuntSettings {
    /// Top speed of your scouts. Unit: cells per second. Range: 1 to 40. Default: 16.
    #[reflect(@1.0..=40.0_f32, @MeasuredIn("cells per second"))]
    speed: f32,
    /// How fast scouts and hunters turn. Unit: radians per second. Range: 0.5 to 25. Default: 10.
    #[reflect(@0.5..=25.0_f32, @MeasuredIn("radians per second"))]
    turn_rate: f32,
    /// Radius of a body. Unit: cells. Range: 0.1 to 2. Default: 0.4.
    #[reflect(@0.1..=2.0_f32, @MeasuredIn("cells"))]
    radius: f32,
    /// Top speed of the hunters. Unit: cells per second. Range: 1 to 40. Default: 13.
    #[reflect(@1.0..=40.0_f32, @MeasuredIn("cells per second"))]
    hunter_speed: f32,
    /// Top speed of the prey. Unit: cells per second. Range: 1 to 40. Default: 19.
    #[reflect(@1.0..=40.0_f32, @MeasuredIn("cells per second"))]
    prey_speed: f32,
    /// Whether the prey moves to a quieter place when the user does not drive it. Default: yes.
    prey_roams: bool,
    /// Whether the prey flees by path from hunters that come near, unless the user drives it. Default: yes.
    prey_flees: bool,
    /// Whether scouts keep away from the danger round hunters, which is drawn in red. Default: yes.
    danger: bool,
}

impl HuntSettings {
    /// The body of an agent with this top speed.
    fn agent(&self, speed: f32) -> Agent {
        Agent {
            speed,
            acceleration: speed * 6.0,
            turn_rate: self.turn_rate,
            radius: self.radius,
            ..Agent::default().with_facing(AgentFacing::Right)
        }
    }

    /// The distance at which hunters catch the prey.
    fn catch_radius(&self) -> f32 {
        1.2 + self.radius
    }
}

impl Default for HuntSettings {
    fn default() -> Self {
        Self {
            speed: 16.0,
            turn_rate: 10.0,
            radius: 0.4,
            hunter_speed: 13.0,
            prey_speed: 19.0,
            prey_roams: true,
            prey_flees: true,
            danger: true,
        }
    }
}

#[derive(Component)]
struct Hunter;

#[derive(Component)]
struct Prey;

/// The number of catches.
#[derive(Resource, Default)]
struct Score {
    catches: u32,
}

/// Draws random free cells, from the scene's seed.
#[derive(Resource, Default)]
struct RandomCells(SplitMix64);

impl RandomCells {
    /// A free cell with free neighbours, as far from all of `others` as a few tries find.
    fn free_cell(&mut self, grid: &Grid, others: &[GridCell]) -> GridCell {
        let free = |cell: GridCell| grid.is_walkable(KindId::default(), cell);
        let has_free_neighbors = |cell: GridCell| {
            (-1..=1).all(|dy| (-1..=1).all(|dx| free(GridCell::new(cell.x + dx, cell.y + dy))))
        };
        let gap = |cell: GridCell| {
            others.iter().map(|other| (cell.center() - other.center()).length() as u32).min()
        };
        (0..400)
            .map(|_| GridCell::new(self.0.below(grid.width()), self.0.below(grid.height())))
            .filter(|&cell| has_free_neighbors(cell))
            .take(if others.is_empty() { 1 } else { 12 })
            .max_by_key(|&cell| gap(cell))
            .or_else(|| grid.bounds().cells().find(|&cell| free(cell)))
            .unwrap_or_default()
    }
}

fn build(app: &mut App) {
    app.init_resource::<HuntSettings>()
        .init_resource::<RandomCells>()
        .init_resource::<Score>()
        .add_systems(SCENE.enter(), enter)
        .add_systems(SCENE.exit(), (forget_kinds, heat_map::forget_layers))
        .add_systems(
            Update,
            (
                (read_keys, apply_settings, danger::apply_settings).chain(),
                (roam, flee, sight::show.after(ViewSystems), write_facts),
            )
                .run_if(SCENE.is_active()),
        );
}

fn read_keys(keys: Keys, mut settings: ResMut<HuntSettings>) {
    if keys.just_pressed(KeyCode::KeyH) {
        settings.danger = !settings.danger;
    }
    if keys.just_pressed(KeyCode::KeyF) {
        settings.prey_flees = !settings.prey_flees;
    }
}

fn controls(ui: &mut egui::Ui, world: &mut World) {
    caption(ui, "Agents");
    panel::edit::<HuntSettings>(ui, world);
}

fn enter(
    mut commands: Commands,
    mut view: ResMut<View>,
    mut random_cells: ResMut<RandomCells>,
    mut score: ResMut<Score>,
    (seed, flags, settings): (Res<Seed>, Res<Flags>, Res<HuntSettings>),
    mut layers: HeatLayers,
) {
    let (source, wary) = danger::begin(&mut layers);
    random_cells.0 = SplitMix64(seed.0);
    *score = Score::default();
    let grid = flags.grid.clone().unwrap_or_else(|| Grid::from_map(MAP).expect("the map in assets is sound"));
    let nav = NavGrid::new(grid).with_plane(GridPlane::XyDown);
    let size = nav.grid().size().as_vec2();
    let transform = Transform::from_xyz(-size.x / 2.0, size.y / 2.0, 0.0);
    let place = GridTransform::new(&nav, transform);
    let at = |cell: GridCell| standing_at(place.cell_center(cell));

    let camp = random_cells.free_cell(nav.grid(), &[]);
    let lair = random_cells.free_cell(nav.grid(), &[camp]);
    let look = |shape, color, path| (Look { shape, color, path }, SCENE.despawn_on_exit());
    let prey = commands
        .spawn((Name::new("Prey"), Prey, KeyboardControl::default(), PathStatus::default(), at(lair)))
        .insert((settings.agent(settings.prey_speed), look(Shape::Disc, theme::PREY, 0.0)))
        .observe(relocate_prey)
        .observe(show_cornered)
        .id();
    for i in 0..HUNTERS {
        let cell = random_cells.free_cell(nav.grid(), &[camp, lair]);
        let pursuer = Pursuer::line_of_sight(prey).with_catch_radius(settings.catch_radius());
        commands
            .spawn((Name::new(format!("Hunter {}", i + 1)), Hunter, pursuer, at(cell)))
            .insert((source, sight::LastSeen::default()))
            .insert((settings.agent(settings.hunter_speed), look(Shape::Arrow, theme::HUNTER, 0.5)));
    }
    // The scouts start with a goal, so that there is something to see.
    let outpost = nearby(nav.grid(), random_cells.free_cell(nav.grid(), &[camp]), SCOUTS);
    for (rank, cell) in (0..).zip(nearby(nav.grid(), camp, SCOUTS)) {
        let goal = outpost.get(rank as usize).copied().unwrap_or(camp);
        let request = PathRequest::to(place.cell_center(goal));
        // Together with `Selected`: the ring of a selected agent has the colour of its look.
        let look = look(Shape::Arrow, theme::FRIEND, 0.8);
        commands
            .spawn((Name::new(format!("Scout {}", rank + 1)), Selected, request, at(cell), look))
            .insert((settings.agent(settings.speed).with_kind(wary), Selectable { rank }));
    }
    view.frame(Rect::from_center_size(Vec2::ZERO, size));
    commands.spawn((SCENE.map("Fortress", nav, transform), Paintable));
}

/// Places for a squad round a cell: free cells, four cells apart.
fn nearby(grid: &Grid, camp: GridCell, count: u32) -> Vec<GridCell> {
    (0..9)
        .flat_map(|far| ring(GridCell::default(), far))
        .map(|step| GridCell::new(camp.x + 4 * step.x, camp.y + 4 * step.y))
        .filter(|&cell| grid.is_walkable(KindId::default(), cell))
        .take(count as usize)
        .collect()
}

fn apply_settings(
    mut sliders: Sliders<HuntSettings>,
    mut agents: Query<(&mut Agent, Has<Hunter>, Has<Prey>)>,
    mut pursuers: Query<&mut Pursuer>,
) {
    let Some((before, settings)) = sliders.moved() else { return };
    for (mut agent, is_hunter, is_prey) in &mut agents {
        let values = |of: &HuntSettings| {
            of.agent(match (is_hunter, is_prey) {
                (true, _) => of.hunter_speed,
                (_, true) => of.prey_speed,
                _ => of.speed,
            })
        };
        write_moved(&values(&before), &values(settings), &mut agent);
    }
    if before.radius != settings.radius {
        pursuers.iter_mut().for_each(|mut pursuer| pursuer.catch_radius = Some(settings.catch_radius()));
    }
}

/// The map, and the hunters that a prey should stay away from.
#[derive(SystemParam)]
struct HuntMap<'w, 's> {
    grids: Query<'w, 's, (&'static NavGrid, &'static Transform), With<GridPicture>>,
    hunters: Query<'w, 's, (&'static Name, &'static Transform), With<Hunter>>,
    random_cells: ResMut<'w, RandomCells>,
}

impl HuntMap<'_, '_> {
    /// A place far from all hunters, and from `here`.
    fn hiding_place(&mut self, here: Vec3) -> Option<Vec3> {
        let (nav, &place) = self.grids.single().ok()?;
        let place = GridTransform::new(nav, place);
        let others = self.hunters.iter().map(|(_, at)| at.translation).chain([here]);
        let others: Vec<_> = others.map(|at| place.cell_at(at)).collect();
        Some(place.cell_center(self.random_cells.free_cell(nav.grid(), &others)))
    }
}

/// Sends an idle prey to another place now and then.
fn roam(
    mut commands: Commands,
    settings: Res<HuntSettings>,
    mut map: HuntMap,
    prey: Query<(Entity, &KeyboardControl, &Transform, &PathStatus), With<Prey>>,
) {
    for (entity, keyboard, transform, status) in &prey {
        if !settings.prey_roams {
            commands.entity(entity).try_remove::<PathRequest>();
        } else if is_at_rest(status)
            && keyboard.idle > IDLE_TIME
            && let Some(goal) = map.hiding_place(transform.translation)
        {
            commands.entity(entity).insert(PathRequest::to(goal));
        }
    }
}

/// Lets the prey flee from the hunters, unless the user drives it.
fn flee(
    mut commands: Commands,
    settings: Res<HuntSettings>,
    prey: Query<(Entity, &KeyboardControl, Has<Fugitive>), With<Prey>>,
    hunters: Query<Entity, With<Hunter>>,
) {
    for (entity, keyboard, flees) in &prey {
        let wants = settings.prey_flees && keyboard.idle > 0.5;
        if wants && !flees {
            commands.entity(entity).insert(Fugitive::from_threats(hunters, FLIGHT).with_look_ahead(120.0));
        } else if flees && !wants {
            commands.entity(entity).try_remove::<Fugitive>();
        }
    }
}

fn show_cornered(_: On<FugitiveCornered>, mut notice: ResMut<Notice>) {
    notice.show("The prey is cornered: wherever it runs, the hunters are there first.");
}

fn write_facts(score: Res<Score>, mut facts: ResMut<Facts>) {
    facts.set("catches", score.catches);
}

/// Moves the caught prey to another place, so that the hunt goes on.
fn relocate_prey(
    caught: On<CaughtBy>,
    mut commands: Commands,
    prey: Query<&Transform, With<Prey>>,
    mut map: HuntMap,
    (mut score, mut notice): (ResMut<Score>, ResMut<Notice>),
    mut pulses: ResMut<Pulses>,
) {
    let Ok(transform) = prey.get(caught.entity) else { return };
    pulses.add(transform.translation, theme::PREY);
    commands.run_system_cached(sight::forget);
    if let Some(place) = map.hiding_place(transform.translation) {
        commands.entity(caught.entity).insert(standing_at(place));
    }
    commands.entity(caught.entity).try_remove::<PathRequest>();
    score.catches += 1;
    let by = map.hunters.get(caught.pursuer).map_or("A hunter", |(name, _)| name.as_str());
    notice.show(format!("{by} has caught the prey. It begins again elsewhere."));
}

#[cfg(test)]
mod tests;
