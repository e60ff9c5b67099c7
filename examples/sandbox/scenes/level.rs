//! Level: geometry of boxes that is baked to grids before the user's eyes: ramps, a bridge, stairs, a cave, ledges; and
//! crates that fall on it.

mod build;
mod ground;

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_pathfind::{
    prelude::*,
    show::MeasuredIn,
    world::{BakeFailed, BakedGround},
};

use super::{Scene, Seed};
use crate::{
    hud::Notice,
    keys::Keys,
    orbit::Orbit,
    orders::is_at_rest,
    panel::{self, Sliders},
    pointer::Pointer,
    rng::SplitMix64,
    scene3d::SceneBuilder,
    telemetry::Facts,
    theme::{self, caption},
    view::ViewSystems,
};

pub(crate) const SCENE: Scene = Scene {
    name: "level",
    title: "Level",
    about: "Grids are found in the geometry of a level, floor over floor, and again where a crate falls. \
            Coloured cells can be walked on; jumps lead down the ledges.",
    try_this: "drop crates on the bridge until nobody gets over it; then make slopes less steep.",
    keys: &[
        ("Left click", "drop a crate"),
        ("X", "take the crates away"),
        ("V", "cells that can be walked on"),
        ("Right drag", "turn the view"),
    ],
    searches: true,
    build,
    controls,
};

/// How many walkers there are.
const WALKERS: usize = 16;
/// The range of sight in the fog, in world units.
const FOG: f32 = 110.0;

/// The values of the scene's sliders.
#[derive(Resource, Reflect, Debug, Clone, PartialEq)]
pub(super) struct LevelSettings {
    /// The steepest ground. Unit: degrees. Range: 5 to 60. Default: 40.
    #[reflect(@5.0..=60.0_f32, @MeasuredIn("degrees"))]
    slope: f32,
    /// The highest step. Unit: world units. Range: 0.1 to 0.8. Default: 0.4.
    #[reflect(@0.1..=0.8_f32, @MeasuredIn("world units"))]
    step: f32,
    /// The room above ground. Unit: world units. Range: 1.7 to 3. Default: 1.8.
    #[reflect(@1.7..=3.0_f32, @MeasuredIn("world units"))]
    head_room: f32,
    /// How far down walkers jump. Unit: world units. Range: 0 to 4. Default: 3.5.
    #[reflect(@0.0..=4.0_f32, @MeasuredIn("world units"))]
    drop: f32,
    /// Radius of the walkers. Unit: world units. Range: 0.15 to 0.9. Default: 0.3.
    #[reflect(@0.15..=0.9_f32, @MeasuredIn("world units"))]
    radius: f32,
    /// Whether cells that can be walked on are coloured. Default: yes.
    cells: bool,
}

impl Default for LevelSettings {
    fn default() -> Self {
        Self { slope: 40.0, step: 0.4, head_room: 1.8, drop: 3.5, radius: 0.3, cells: true }
    }
}

impl LevelSettings {
    fn bake(&self) -> NavGridBake {
        NavGridBake::new(build::HALF_SIZE)
            .with_max_slope(self.slope.to_radians())
            .with_step(self.step)
            .with_head_room(self.head_room)
            .with_max_drop(self.drop)
    }

    fn agent(&self) -> Agent {
        let agent = Agent::new(3.5).with_radius(self.radius).with_facing(AgentFacing::Forward);
        Agent { acceleration: 16.0, turn_rate: 8.0, ..agent }
    }
}

#[derive(Component)]
struct Walker;

/// A crate, how fast it falls, and the height of the ground under it; it stands with a speed of 0.
#[derive(Component)]
struct Crate {
    falls: f32,
    ground: f32,
}

/// Draws the next goals, and counts.
#[derive(Resource, Default)]
struct Level {
    rng: SplitMix64,
    baked: u32,
    arrivals: u32,
}

fn build(app: &mut App) {
    app.init_resource::<LevelSettings>()
        .init_resource::<Level>()
        .add_systems(SCENE.enter(), enter)
        .add_systems(FixedUpdate, (fall, wander).before(NavSystems::World).run_if(SCENE.is_active()))
        .add_systems(
            Update,
            (
                (read_keys, apply_settings).chain(),
                drop_crate.after(ViewSystems),
                (ground::tint_changed, ground::draw_links),
                write_facts,
            )
                .run_if(SCENE.is_active()),
        );
}

fn controls(ui: &mut egui::Ui, world: &mut World) {
    caption(ui, "Found");
    let ground = world.query::<&BakedGround>().iter(world).next().map(|it| (it.floors.clone(), it.progress));
    let (floors, progress) = ground.unwrap_or_default();
    let links = world.query::<&NavLink>().iter(world).count();
    let level = world.resource::<Level>();
    let rows = [
        ("floors", floors.len().to_string()),
        ("links", links.to_string()),
        ("times baked", level.baked.to_string()),
    ];
    theme::table(ui, "found", &[], rows.map(|(title, value)| (theme::quiet(title), vec![value])));
    ui.add(egui::ProgressBar::new(progress).desired_height(6.0));
    caption(ui, "Baking");
    panel::edit::<LevelSettings>(ui, world);
}

fn enter(
    mut builder: SceneBuilder,
    mut level: ResMut<Level>,
    (settings, seed): (Res<LevelSettings>, Res<Seed>),
) {
    *level = Level { rng: SplitMix64(seed.0), ..default() };
    builder.light(&SCENE, Orbit::new(Vec3::new(0.0, 0.5, 0.0), 46.0, 0.5, 0.72), FOG);
    build::spawn(&mut builder);
    let bake = Transform::from_xyz(0.0, build::HALF_SIZE.y - 1.0, 0.0);
    builder.commands.spawn((settings.bake(), bake, Visibility::default(), SCENE.despawn_on_exit()));
    builder.commands.add_observer(note_baked).insert(SCENE.despawn_on_exit());
    builder.commands.add_observer(note_failed).insert(SCENE.despawn_on_exit());
}

/// The walkers come when the first ground is there.
fn note_baked(
    baked: On<GridBaked>,
    walkers: Query<(), With<Walker>>,
    settings: Res<LevelSettings>,
    mut level: ResMut<Level>,
    mut builder: SceneBuilder,
) {
    level.baked += 1;
    if baked.floors == 0 || !walkers.is_empty() {
        return;
    }
    for number in 0..WALKERS {
        let color = [theme::FRIEND, theme::SKY, theme::PREY, theme::OPENED][number % 4];
        let (mesh, paint) = (Mesh3d(builder.shared_meshes.dart.clone()), builder.paint(color));
        let walker = (
            Name::new(format!("Walker {}", number + 1)),
            Walker,
            settings.agent(),
            Avoider::default(),
            PathStatus::default(),
            Transform::from_translation(build::SPOTS[number % build::SPOTS.len()] + Vec3::X * 0.3),
            Visibility::default(),
            InterpolateTransform::default().with_jump(2.0),
            SCENE.despawn_on_exit(),
        );
        builder.commands.spawn(walker).with_child((mesh, paint));
    }
}

fn note_failed(failed: On<BakeFailed>, mut notice: ResMut<Notice>) {
    notice.show(format!("The level cannot be baked: {}", failed.error));
}

/// Sends walkers that are at rest to another spot of the level.
fn wander(
    walkers: Query<(Entity, &PathStatus), With<Walker>>,
    mut level: ResMut<Level>,
    mut commands: Commands,
) {
    for (walker, status) in walkers.iter().filter(|(_, status)| is_at_rest(status)) {
        level.arrivals += u32::from(*status == PathStatus::Arrived);
        let spot = build::SPOTS[level.rng.below(build::SPOTS.len() as u32) as usize];
        commands.entity(walker).insert(PathRequest::to(spot));
    }
}

/// Drops a crate over the ground under the pointer.
fn drop_crate(pointer: Res<Pointer>, floors: NavQuery, mut builder: SceneBuilder) {
    if !pointer.just_pressed(MouseButton::Left) {
        return;
    }
    let Some(hit) = pointer.ray.and_then(|ray| floors.hit(ray)) else { return };
    let (block, paint) = (builder.shared_meshes.block.clone(), builder.paint(theme::BRICK_EDGE));
    let place = Transform::from_translation(hit.point + Vec3::Y * DROP).with_scale(Vec3::splat(CRATE));
    let it = Crate { falls: 0.1, ground: hit.point.y };
    builder.commands.spawn((it, Mesh3d(block), paint, place, SCENE.despawn_on_exit()));
}

/// Half the side of a crate, and how high it is dropped.
const CRATE: f32 = 0.7;
const DROP: f32 = 5.0;

/// Crates fall until they stand, and are geometry of the level from then on. One that falls on another stands on it.
fn fall(mut crates: Query<(Entity, &mut Crate, &mut Transform)>, time: Res<Time>, mut commands: Commands) {
    let stand: Vec<Vec3> =
        crates.iter().filter(|(_, it, _)| it.falls == 0.0).map(|(.., at)| at.translation).collect();
    for (entity, mut it, mut at) in crates.iter_mut().filter(|(_, it, _)| it.falls > 0.0) {
        let here = at.translation;
        let is_under =
            |other: &&Vec3| (**other - here).xz().abs().max_element() < 2.0 * CRATE && other.y < here.y;
        let tops = stand.iter().filter(is_under).map(|other| other.y + CRATE);
        let rests_at = tops.fold(it.ground, f32::max) + CRATE;
        it.falls += 9.8 * time.delta_secs();
        at.translation.y -= it.falls * time.delta_secs();
        if at.translation.y <= rests_at {
            at.translation.y = rests_at;
            it.falls = 0.0;
            commands.entity(entity).insert(BakeTerrain::default());
        }
    }
}

fn read_keys(
    keys: Keys,
    crates: Query<Entity, With<Crate>>,
    mut settings: ResMut<LevelSettings>,
    mut commands: Commands,
) {
    if keys.just_pressed(KeyCode::KeyV) {
        settings.cells = !settings.cells;
    }
    if keys.just_pressed(KeyCode::KeyX) {
        crates.iter().for_each(|it| commands.entity(it).despawn());
    }
}

fn apply_settings(
    mut sliders: Sliders<LevelSettings>,
    mut bakes: Query<&mut NavGridBake>,
    mut walkers: Query<&mut Agent, With<Walker>>,
) {
    let Some((_, settings)) = sliders.moved() else { return };
    for mut bake in &mut bakes {
        bake.set_if_neq(settings.bake());
    }
    walkers.iter_mut().for_each(|mut agent| *agent = settings.agent());
}

fn write_facts(
    mut facts: ResMut<Facts>,
    level: Res<Level>,
    ground: Query<&BakedGround>,
    crates: Query<&Crate>,
) {
    facts.set("floors", ground.iter().map(|it| it.floors.len()).sum::<usize>());
    facts.set("baked", level.baked);
    facts.set("arrivals", level.arrivals);
    facts.set("crates", crates.iter().filter(|it| it.falls == 0.0).count());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::tests::{scene_app, set_ticks_per_frame};

    /// Runs until something holds.
    fn until(app: &mut App, mut holds: impl FnMut(&mut App) -> bool) -> bool {
        (0..1500).any(|_| {
            // A bake runs on threads of its own.
            std::thread::sleep(std::time::Duration::from_millis(2));
            app.update();
            holds(app)
        })
    }

    #[test]
    fn walkers_reach_every_floor_of_the_level_that_is_found() {
        let mut app = scene_app(SCENE.name);
        assert!(until(&mut app, |app| app.world().resource::<Level>().baked > 0), "it is baked");
        set_ticks_per_frame(&mut app, 8);
        assert!(until(&mut app, |app| app.world().resource::<Level>().arrivals > 20), "walkers arrive");
        let high = |app: &mut App, least: f32| {
            let mut walkers = app.world_mut().query_filtered::<&Transform, With<Walker>>();
            walkers.iter(app.world()).any(|at| at.translation.y > least)
        };
        assert!(until(&mut app, |app| high(app, 2.7)), "one is up on the tower or the bridge");
    }

    #[test]
    fn ground_rises_where_a_crate_falls() {
        let mut app = scene_app(SCENE.name);
        assert!(until(&mut app, |app| app.world().resource::<Level>().baked > 0), "it is baked");
        let at = Vec3::new(-16.2, 0.0, 10.2);
        // The ground at that point, or on the crate.
        let height = |In(at): In<Vec3>, nav: NavQuery| nav.ground_at(at).map_or(f32::NAN, |it| it.y);
        let is_free =
            move |app: &mut App| app.world_mut().run_system_cached_with(height, at).expect("it runs") < 0.1;
        assert!(is_free(&mut app));
        let place = Transform::from_translation(at + Vec3::Y * DROP).with_scale(Vec3::splat(CRATE));
        let block = app.world().resource::<crate::scene3d::SharedMeshes>().block.clone();
        let fallen = app.world_mut().spawn((Crate { falls: 0.1, ground: 0.0 }, Mesh3d(block), place)).id();
        assert!(until(&mut app, |app| !is_free(app)), "it stands there");
        app.world_mut().despawn(fallen);
        assert!(until(&mut app, is_free), "until it is taken away");
    }
}
