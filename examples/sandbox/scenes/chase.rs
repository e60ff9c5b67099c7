//! Chase: the pursuit modes race for the same prey.

mod prey_motion;
mod score;
mod trails;

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_pathfind::{prelude::*, show::MeasuredIn, steer::PursuitMode, world::Grid};
use serde_json::json;

use super::{Scene, Seed};
use crate::{
    actors::{Look, Shape, standing_at},
    drive::KeyboardControl,
    keys::Keys,
    panel::{self, Sliders},
    rng::SplitMix64,
    telemetry::Facts,
    theme::{self, caption},
    view::View,
};
use prey_motion::PreyMotion;
use score::Score;
use trails::Trail;

pub(crate) const SCENE: Scene = Scene {
    name: "chase",
    title: "Chase",
    about: "Four hunters of equal speed, each with a mode of pursuit of its own, race for one prey that is \
            faster. Crosses show where a hunter expects to intercept it.",
    try_this: "press C until the prey zigzags. Who leads now?",
    keys: &[("WASD, arrows", "drive the prey"), ("C", "next motion"), ("N", "next round")],
    searches: false,
    build,
    controls,
};

/// The hunters: mode, name, colour.
const HUNTERS: [(PursuitMode, &str, Color); 4] = [
    (PursuitMode::Basic, "Basic", theme::CLOSED[1]),
    (PursuitMode::LineOfSight, "Line of sight", theme::HUNTER),
    (PursuitMode::Intercept, "Intercept", theme::FRIEND),
    (PursuitMode::ClosingTime, "Closing time", theme::SKY),
];

/// Half the size of the field, without its walls, in cells.
const FIELD: Vec2 = Vec2::new(49.0, 27.0);
/// Where the hunters start.
const CAMP: Vec2 = Vec2::new(0.0, -20.0);
/// How long the end of a round is shown, in seconds.
const PAUSE: f32 = 1.5;

/// The values of the scene's sliders.
#[derive(Resource, Reflect, Debug, Clone, PartialEq)]
pub(super) struct ChaseSettings {
    /// The movement of the prey. Default: Straight.
    prey_motion: PreyMotion,
    /// Top speed of the prey. Unit: cells per second. Range: 1 to 30. Default: 10.
    #[reflect(@1.0..=30.0_f32, @MeasuredIn("cells per second"))]
    prey_speed: f32,
    /// Top speed of all hunters. Unit: cells per second. Range: 1 to 30. Default: 8.
    #[reflect(@1.0..=30.0_f32, @MeasuredIn("cells per second"))]
    hunter_speed: f32,
    /// Distance at which the prey counts as caught. Unit: cells. Range: 0.2 to 4. Default: 1.
    #[reflect(@0.2..=4.0_f32, @MeasuredIn("cells"))]
    catch_radius: f32,
    /// Whether trails of hunters and prey are drawn. Default: yes.
    trails: bool,
}

impl Default for ChaseSettings {
    fn default() -> Self {
        Self {
            prey_motion: PreyMotion::Straight,
            prey_speed: 10.0,
            hunter_speed: 8.0,
            catch_radius: 1.0,
            trails: true,
        }
    }
}

#[derive(Component)]
struct Prey;

/// A hunter: its index in [`HUNTERS`].
#[derive(Component, Clone, Copy)]
struct Hunter(usize);

/// The current round, and the score of all.
#[derive(Resource, Default)]
struct Round {
    rng: SplitMix64,
    score: Score,
    /// Seconds since the round began.
    clock: f32,
    /// Seconds until the next round, if this one is over.
    pause: Option<f32>,
}

fn build(app: &mut App) {
    app.init_resource::<ChaseSettings>()
        .init_resource::<Round>()
        .add_systems(SCENE.enter(), enter)
        .add_systems(
            FixedUpdate,
            (run_round, prey_motion::drive).chain().before(NavSystems::World).run_if(SCENE.is_active()),
        )
        .add_systems(Update, (read_keys, apply_settings, write_facts).run_if(SCENE.is_active()));
    trails::build(app);
}

fn controls(ui: &mut egui::Ui, world: &mut World) {
    caption(ui, "Catches");
    score::show(ui, &world.resource::<Round>().score);
    caption(ui, "Race");
    let prey_motion = world.resource::<ChaseSettings>().prey_motion;
    panel::edit::<ChaseSettings>(ui, world);
    if world.resource::<ChaseSettings>().prey_motion != prey_motion {
        world.resource_mut::<Round>().skip();
    }
}

impl Round {
    /// Ends the round at once. Catches so far count.
    fn skip(&mut self) {
        self.score.rounds += u32::from(self.pause.is_none());
        self.pause = Some(0.0);
    }
}

fn enter(
    mut commands: Commands,
    mut view: ResMut<View>,
    mut round: ResMut<Round>,
    (settings, seed): (Res<ChaseSettings>, Res<Seed>),
) {
    *round = Round { rng: SplitMix64(seed.0), pause: Some(0.0), ..default() };
    spawn_racers(&mut commands, &settings);
    let size = (FIELD + 1.0) * 2.0;
    let mut grid = Grid::new(size.x as u32, size.y as u32).expect("the field is no giant");
    let all = grid.bounds();
    grid.fill(all, Terrain::WALL);
    grid.fill(all.grown(-1), Terrain::GROUND);
    let corner = Transform::from_translation((-size / 2.0).extend(0.0));
    commands.spawn(SCENE.map("Field", NavGrid::new(grid), corner));
    view.frame(Rect::from_center_size(Vec2::ZERO, size));
}

/// Begins the first round; ends a round when every hunter has caught the prey or the prey has completed its motion, and
/// begins the next.
fn run_round(
    mut commands: Commands,
    mut round: ResMut<Round>,
    settings: Res<ChaseSettings>,
    mut racers: Query<(Entity, &mut Trail, Has<Prey>)>,
    hunting: Query<Entity, (With<Hunter>, Without<HoldPosition>)>,
    prey: Query<&Transform, With<Prey>>,
    time: Res<Time>,
) {
    round.clock += time.delta_secs();
    if let Some(pause) = round.pause {
        round.pause = Some(pause - time.delta_secs());
        if pause <= 0.0 {
            begin(&mut commands, &mut round, &settings, &mut racers);
        }
        return;
    }
    let is_away = prey.iter().any(|at| settings.prey_motion.is_over(at.translation.truncate(), round.clock));
    if hunting.is_empty() || is_away {
        round.score.rounds += 1;
        round.pause = Some(PAUSE);
        hunting.iter().for_each(|hunter| _ = commands.entity(hunter).insert(HoldPosition));
    }
}

/// Begins a round: the same prey and hunters at their starting places, so that a selection in the tuning panel stays.
fn begin(
    commands: &mut Commands,
    round: &mut Round,
    settings: &ChaseSettings,
    racers: &mut Query<(Entity, &mut Trail, Has<Prey>)>,
) {
    (round.clock, round.pause) = (0.0, None);
    let (lane, camp) = (round.rng.in_range(-4.0..4.0), CAMP + Vec2::X * round.rng.in_range(-6.0..6.0));
    for (racer, mut trail, is_prey) in racers {
        *trail = Trail::default();
        let at = if is_prey { settings.prey_motion.start(lane) } else { camp };
        let mut racer = commands.entity(racer);
        racer.remove::<(HoldPosition, trails::Catch)>().teleport_to(standing_at(at.extend(0.0)).translation);
    }
}

fn spawn_racers(commands: &mut Commands, settings: &ChaseSettings) {
    let prey = commands
        .spawn((
            Name::new("Prey"),
            Prey,
            KeyboardControl::default(),
            Trail::default(),
            Agent::new(settings.prey_speed).with_facing(AgentFacing::Right),
            standing_at(settings.prey_motion.start(0.0).extend(0.0)),
            Look { shape: Shape::Disc, color: theme::PREY, path: 0.0 },
            SCENE.despawn_on_exit(),
        ))
        .id();
    for (i, (mode, name, color)) in HUNTERS.into_iter().enumerate() {
        commands
            .spawn((
                Name::new(name),
                Hunter(i),
                Trail::default(),
                Pursuer::new(prey, mode).with_catch_radius(settings.catch_radius),
                Agent::new(settings.hunter_speed).with_facing(AgentFacing::Right),
                standing_at(CAMP.extend(0.0)),
                Look { shape: Shape::Arrow, color, path: 0.0 },
                SCENE.despawn_on_exit(),
            ))
            .observe(count_catch);
    }
}

/// Counts a catch, and takes the hunter out of the race.
fn count_catch(
    caught: On<CaughtTarget>,
    mut commands: Commands,
    mut round: ResMut<Round>,
    hunters: Query<(&Hunter, &Transform)>,
) {
    let Ok((&Hunter(i), at)) = hunters.get(caught.entity) else { return };
    let after = round.clock;
    round.score.modes[i].add(after);
    let goal = trails::Catch { at: at.translation.truncate(), after };
    commands.entity(caught.entity).insert((goal, HoldPosition));
}

fn read_keys(
    keys: Keys,
    prey: Query<&KeyboardControl, With<Prey>>,
    mut round: ResMut<Round>,
    mut settings: ResMut<ChaseSettings>,
) {
    if keys.just_pressed(KeyCode::KeyC) {
        settings.prey_motion = settings.prey_motion.next();
        round.skip();
    }
    if keys.just_pressed(KeyCode::KeyN) {
        round.skip();
    }
    if settings.prey_motion != PreyMotion::Manual && prey.iter().any(|keyboard| keyboard.is_driven) {
        settings.prey_motion = PreyMotion::Manual;
    }
}

fn apply_settings(
    mut sliders: Sliders<ChaseSettings>,
    mut agents: Query<(&mut Agent, Has<Prey>), With<Trail>>,
    mut pursuers: Query<&mut Pursuer>,
) {
    let Some((before, settings)) = sliders.moved() else { return };
    for (mut agent, is_prey) in &mut agents {
        let speed = |of: &ChaseSettings| if is_prey { of.prey_speed } else { of.hunter_speed };
        if speed(&before) != speed(settings) {
            agent.speed = speed(settings);
            agent.acceleration = agent.speed * 8.0;
        }
    }
    if before.catch_radius != settings.catch_radius {
        pursuers.iter_mut().for_each(|mut pursuer| pursuer.catch_radius = Some(settings.catch_radius));
    }
}

fn write_facts(mut facts: ResMut<Facts>, round: Res<Round>) {
    let score = &round.score;
    facts.set("rounds", score.rounds);
    // In the order of `HUNTERS`.
    for (name, tally) in ["basic", "line_of_sight", "intercept", "closing_time"].into_iter().zip(&score.modes)
    {
        facts.set(name, json!({"caught": tally.caught}));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::tests::{scene_app, tap};

    #[test]
    fn intercept_catches_a_faster_prey_and_line_of_sight_does_not() {
        let mut app = scene_app(SCENE.name);
        while app.world().resource::<Round>().score.rounds < 1 {
            app.update();
            assert!(app.world().resource::<Round>().clock < 30.0, "rounds come to an end");
        }
        let score = &app.world().resource::<Round>().score;
        let caught = |mode| {
            let i = HUNTERS.iter().position(|&(other, ..)| other == mode).expect("it hunts");
            score.modes[i].caught
        };
        assert_eq!(caught(PursuitMode::Intercept), 1, "it meets a faster prey");
        assert_eq!(caught(PursuitMode::LineOfSight), 0, "it only ever runs behind");
    }

    #[test]
    fn the_same_racers_run_every_round() {
        let mut app = scene_app(SCENE.name);
        let racers = |app: &mut App| {
            let mut racers = app.world_mut().query_filtered::<Entity, (With<Pursuer>, With<Trail>)>();
            racers.iter(app.world()).collect::<std::collections::HashSet<_>>()
        };
        let first = racers(&mut app);
        assert_eq!(first.len(), HUNTERS.len());
        while app.world().resource::<Round>().score.rounds < 2 {
            app.update();
            assert_eq!(racers(&mut app), first, "each is a pursuer all the time");
        }
        let score = &app.world().resource::<Round>().score;
        let intercept = HUNTERS.iter().position(|&(mode, ..)| mode == PursuitMode::Intercept);
        assert_eq!(intercept.map(|i| score.modes[i].caught), Some(2), "and catches in the second round, too");
    }

    #[test]
    fn a_skipped_round_counts_and_a_restart_on_a_paused_clock_spawns_all() {
        let mut app = scene_app(SCENE.name);
        (0..5).for_each(|_| app.update());
        tap(&mut app, KeyCode::KeyN);
        (0..2).for_each(|_| app.update());
        assert_eq!(app.world().resource::<Round>().score.rounds, 1, "what was caught in it counts too");
        tap(&mut app, KeyCode::Space);
        tap(&mut app, KeyCode::KeyR);
        app.update();
        let mut racers = app.world_mut().query_filtered::<(), With<Trail>>();
        assert_eq!(
            racers.iter(app.world()).count(),
            1 + HUNTERS.len(),
            "begun again on a clock that stands still"
        );
    }
}
