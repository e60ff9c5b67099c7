//! Hunt: three hunters after a prey in a round fortress, and a squad of scouts under the user's command.

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_egui::egui;
use bevy_pathfind::prelude::*;

use super::{Scene, Seed};
use crate::{
    actors::{Look, Shape, body_size, standing_at},
    brush::Paintable,
    chance::Chance,
    drive::Keyboard,
    flags::Flags,
    ground::Ground,
    hud::Notice,
    orders::{Selectable, Selected},
    panel::{self, Sliders, write_moved},
    telemetry::Facts,
    theme::{self, caption},
    view::{View, ViewSystems},
};

pub(crate) const SCENE: Scene = Scene {
    name: "hunt",
    title: "Hunt",
    digit: 8,
    about: "Hunters run straight at the prey while they see it, and by path round walls while they do \
            not. Wall them in, or send your scouts about.",
    keys: &[
        ("Left click", "send the scouts"),
        ("Left drag", "select (Shift adds)"),
        ("Right drag", "walls; from a wall: erase"),
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
const PATIENCE: f32 = 3.0;

/// The values of the scene's sliders.
#[derive(Resource, Reflect, Debug, Clone, PartialEq)]
struct HuntSettings {
    /// Top speed of your scouts. Unit: cells per second. Range: 1 to 40. Default: 16.
    #[reflect(@1.0..=40.0_f32)]
    speed: f32,
    /// How fast scouts and hunters turn. Unit: radians per second. Range: 0.5 to 25. Default: 10.
    #[reflect(@0.5..=25.0_f32)]
    turn_rate: f32,
    /// Radius of a body. Unit: cells. Range: 0.1 to 2. Default: 0.4.
    #[reflect(@0.1..=2.0_f32)]
    radius: f32,
    /// Top speed of the hunters. Unit: cells per second. Range: 1 to 40. Default: 13.
    #[reflect(@1.0..=40.0_f32)]
    hunter_speed: f32,
    /// Top speed of the prey. Unit: cells per second. Range: 1 to 40. Default: 15.
    #[reflect(@1.0..=40.0_f32)]
    prey_speed: f32,
    /// Whether the prey moves to a quieter place when the user does not drive it. Default: yes.
    prey_roams: bool,
}

impl HuntSettings {
    /// The body of an agent with this top speed.
    fn agent(&self, speed: f32) -> Agent {
        Agent {
            speed,
            acceleration: speed * 6.0,
            turn_rate: self.turn_rate,
            radius: self.radius,
            ..Agent::default().with_facing(Facing::Right)
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
            prey_speed: 15.0,
            prey_roams: true,
        }
    }
}

#[derive(Component)]
struct Scout;

#[derive(Component)]
struct Hunter;

#[derive(Component)]
struct Prey;

/// An expanding ring where a prey was caught.
#[derive(Component)]
struct Flash {
    at: Vec2,
    age: f32,
}

/// The number of catches.
#[derive(Resource, Default)]
struct Score {
    catches: u32,
}

/// Random places, from the scene's seed.
#[derive(Resource, Default)]
struct Places(Chance);

impl Places {
    /// A free cell with free neighbours, as far from all of `others` as a few tries find.
    fn place(&mut self, grid: &Grid, others: &[Cell]) -> Cell {
        let free = |cell: Cell| grid.is_walkable(KindId::default(), cell);
        let roomy =
            |cell: Cell| (-1..=1).all(|dy| (-1..=1).all(|dx| free(Cell::new(cell.x + dx, cell.y + dy))));
        let gap =
            |cell: Cell| others.iter().map(|other| (cell.center() - other.center()).length() as u32).min();
        (0..400)
            .map(|_| Cell::new(self.0.below(grid.width()), self.0.below(grid.height())))
            .filter(|&cell| roomy(cell))
            .take(if others.is_empty() { 1 } else { 12 })
            .max_by_key(|&cell| gap(cell))
            .or_else(|| grid.bounds().cells().find(|&cell| free(cell)))
            .unwrap_or_default()
    }
}

fn build(app: &mut App) {
    app.init_resource::<HuntSettings>()
        .init_resource::<Places>()
        .init_resource::<Score>()
        .add_systems(SCENE.enter(), enter)
        .add_systems(
            Update,
            (apply_settings, roam, show_flashes.after(ViewSystems), tell_facts).run_if(SCENE.is_active()),
        );
}

fn controls(ui: &mut egui::Ui, world: &mut World) {
    caption(ui, "Agents");
    panel::edit::<HuntSettings>(ui, world);
}

fn enter(
    mut commands: Commands,
    mut view: ResMut<View>,
    mut places: ResMut<Places>,
    mut score: ResMut<Score>,
    seed: Res<Seed>,
    flags: Res<Flags>,
    settings: Res<HuntSettings>,
) {
    places.0 = Chance(seed.0);
    *score = Score::default();
    let grid = flags.grid.clone().unwrap_or_else(|| Grid::from_map(MAP).expect("the map in assets is sound"));
    let nav = NavGrid::new(grid).with_plane(Plane::XyDown);
    let size = nav.grid().size().as_vec2();
    let transform = Transform::from_xyz(-size.x / 2.0, size.y / 2.0, 0.0);
    let place = GlobalTransform::from(transform);
    let at = |cell: Cell| standing_at(nav.cell_to_world(&place, cell));

    let camp = places.place(nav.grid(), &[]);
    let lair = places.place(nav.grid(), &[camp]);
    let prey = spawn_prey(&mut commands, &settings, at(lair));
    for i in 0..HUNTERS {
        let cell = places.place(nav.grid(), &[camp, lair]);
        spawn_hunter(&mut commands, &settings, i, prey, at(cell));
    }
    // The scouts start with a goal, so that there is something to see.
    let outpost = nearby(nav.grid(), places.place(nav.grid(), &[camp]), SCOUTS);
    for (rank, cell) in (0..).zip(nearby(nav.grid(), camp, SCOUTS)) {
        let goal = outpost.get(rank as usize).copied().unwrap_or(camp);
        let errand = PathRequest::to(nav.cell_to_world(&place, goal));
        spawn_scout(&mut commands, &settings, rank, errand, at(cell));
    }
    view.frame(Rect::from_center_size(Vec2::ZERO, size));
    commands.spawn((
        Name::new("Fortress"),
        nav,
        transform,
        Visibility::default(),
        Ground::default(),
        Paintable,
        SCENE.own(),
    ));
}

fn spawn_prey(commands: &mut Commands, settings: &HuntSettings, at: Transform) -> Entity {
    let look = Look { shape: Shape::Disc, color: theme::PREY, path: 0.0 };
    commands
        .spawn((Name::new("Prey"), Prey, Keyboard::default(), PathStatus::default(), at))
        .insert((settings.agent(settings.prey_speed), look, SCENE.own()))
        .observe(caught)
        .id()
}

fn spawn_hunter(commands: &mut Commands, settings: &HuntSettings, i: u32, prey: Entity, at: Transform) {
    let look = Look { shape: Shape::Arrow, color: theme::HUNTER, path: 0.5 };
    let pursuer = Pursuer::line_of_sight(prey).with_catch_radius(settings.catch_radius());
    commands
        .spawn((Name::new(format!("Hunter {}", i + 1)), Hunter, pursuer, at, look))
        .insert((settings.agent(settings.hunter_speed), SCENE.own()))
        .observe(tell_catch);
}

fn spawn_scout(
    commands: &mut Commands,
    settings: &HuntSettings,
    rank: u32,
    errand: PathRequest,
    at: Transform,
) {
    let look = Look { shape: Shape::Arrow, color: theme::FRIEND, path: 0.8 };
    commands.spawn((Name::new(format!("Scout {}", rank + 1)), Scout, Selected, errand, at, look)).insert((
        settings.agent(settings.speed),
        Selectable { rank },
        SCENE.own(),
    ));
}

/// Places for a squad round a cell: free cells, four cells apart.
fn nearby(grid: &Grid, camp: Cell, count: u32) -> Vec<Cell> {
    let spots = (0..9).flat_map(|ring: i32| {
        (-ring..=ring)
            .flat_map(move |dy| (-ring..=ring).map(move |dx| (dx, dy)))
            .filter(move |&(dx, dy): &(i32, i32)| dx.abs().max(dy.abs()) == ring)
    });
    spots
        .map(|(dx, dy)| Cell::new(camp.x + 4 * dx, camp.y + 4 * dy))
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
        pursuers.iter_mut().for_each(|mut pursuer| pursuer.catch_radius = settings.catch_radius());
    }
}

/// The map, and the hunters that a prey should stay away from.
#[derive(SystemParam)]
struct Field<'w, 's> {
    grids: Query<'w, 's, (&'static NavGrid, &'static Transform), With<Ground>>,
    hunters: Query<'w, 's, (&'static Name, &'static Transform), With<Hunter>>,
    places: ResMut<'w, Places>,
}

impl Field<'_, '_> {
    /// A place far from all hunters, and from `here`.
    fn hideout(&mut self, here: Vec3) -> Option<Vec3> {
        let (nav, &place) = self.grids.single().ok()?;
        let place = GlobalTransform::from(place);
        let others = self.hunters.iter().map(|(_, at)| at.translation).chain([here]);
        let others: Vec<_> = others.map(|at| nav.world_to_cell(&place, at)).collect();
        Some(nav.cell_to_world(&place, self.places.place(nav.grid(), &others)))
    }
}

/// Sends an idle prey to another place now and then.
fn roam(
    mut commands: Commands,
    settings: Res<HuntSettings>,
    mut field: Field,
    prey: Query<(Entity, &Keyboard, &Transform, &PathStatus), With<Prey>>,
) {
    for (entity, keyboard, transform, status) in &prey {
        let is_busy = matches!(status, PathStatus::Waiting | PathStatus::Searching | PathStatus::Following);
        if !settings.prey_roams {
            commands.entity(entity).try_remove::<PathRequest>();
        } else if !is_busy
            && keyboard.idle > PATIENCE
            && let Some(goal) = field.hideout(transform.translation)
        {
            commands.entity(entity).insert(PathRequest::to(goal));
        }
    }
}

/// [`TargetCaught`] is an event of the hunter; this forwards it to the prey.
fn tell_catch(caught: On<TargetCaught>, mut commands: Commands) {
    commands.trigger(Caught { entity: caught.target, by: caught.entity });
}

fn tell_facts(score: Res<Score>, mut facts: ResMut<Facts>) {
    facts.set("catches", score.catches);
}

/// An event of the prey: it was caught.
#[derive(EntityEvent, Debug, Clone)]
struct Caught {
    entity: Entity,
    by: Entity,
}

/// Moves the caught prey to another place, so that the hunt goes on.
fn caught(
    event: On<Caught>,
    mut commands: Commands,
    prey: Query<&Transform, With<Prey>>,
    mut field: Field,
    mut score: ResMut<Score>,
    mut notice: ResMut<Notice>,
    time: Res<Time<Real>>,
) {
    let Ok(transform) = prey.get(event.entity) else { return };
    commands.spawn((Flash { at: transform.translation.truncate(), age: 0.0 }, SCENE.own()));
    if let Some(place) = field.hideout(transform.translation) {
        commands.entity(event.entity).insert(standing_at(place));
    }
    commands.entity(event.entity).try_remove::<PathRequest>();
    score.catches += 1;
    let by = field.hunters.get(event.by).map_or("A hunter", |(name, _)| name.as_str());
    notice.say(format!("{by} has caught the prey. It begins again elsewhere."), &time);
}

fn show_flashes(
    mut commands: Commands,
    mut flashes: Query<(Entity, &mut Flash)>,
    time: Res<Time>,
    view: Res<View>,
    mut gizmos: Gizmos,
) {
    for (entity, mut flash) in &mut flashes {
        flash.age += time.delta_secs();
        let grown = flash.age / 0.8;
        let radius = body_size(0.4, view.scale) * (0.5 + 3.0 * grown);
        gizmos.circle_2d(flash.at, radius, theme::PREY.with_alpha((1.0 - grown).max(0.0))).resolution(48);
        if grown >= 1.0 {
            commands.entity(entity).despawn();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::tests::hints_are_true;

    #[test]
    fn the_same_seed_gives_the_same_places_on_free_cells() {
        let grid = Grid::from_map(MAP).expect("the map in assets is sound");
        let (mut one, mut two) = (Places(Chance(3)), Places(Chance(3)));
        for _ in 0..20 {
            let cell = one.place(&grid, &[Cell::new(90, 90)]);
            assert_eq!(cell, two.place(&grid, &[Cell::new(90, 90)]));
            assert!(grid.is_walkable(KindId::default(), cell), "{cell} is free");
        }
        let camp = one.place(&grid, &[]);
        assert_eq!(nearby(&grid, camp, SCOUTS).len(), SCOUTS as usize);
    }

    #[test]
    fn a_full_map_is_no_endless_loop() {
        let mut grid = Grid::new(4, 4).unwrap();
        grid.fill(grid.bounds(), Terrain::WALL);
        assert_eq!(Places(Chance(1)).place(&grid, &[]), Cell::default());
    }

    #[test]
    fn hints_tell_the_defaults() {
        hints_are_true::<HuntSettings>();
    }
}
