//! Tests of every scene without a window: it runs, it ends, it leaves no entities behind, and nothing is logged as
//! a warning or error.

use std::{
    env,
    sync::{Mutex, MutexGuard, Once, OnceLock, PoisonError},
};

use bevy::{
    input::{
        ButtonState,
        keyboard::{Key, KeyboardInput, NativeKey},
    },
    log::{
        tracing,
        tracing_subscriber::{self, Layer, layer::SubscriberExt},
    },
    reflect::{Typed, structs::Struct},
    time::TimeUpdateStrategy,
    window::PrimaryWindow,
};
use bevy_pathfind::solve::{SolveMode, SolveSettings};

use super::*;
use crate::host;

/// Ticks per scene: long enough for everything that happens in the first seconds. `SANDBOX_TICKS=10000` makes runs
/// longer.
const TICKS: u32 = 200;

/// The number of agents of a crowd, small for unoptimised builds: enough for three flocks that meet.
const CROWD: u32 = 60;

fn ticks() -> u32 {
    env::var("SANDBOX_TICKS").ok().and_then(|ticks| ticks.parse().ok()).unwrap_or(TICKS)
}

/// Warnings and errors in the log of this process.
static WARNINGS: OnceLock<Mutex<Vec<String>>> = OnceLock::new();

/// A log layer that collects warnings and errors.
struct WarningCollector;

impl<S: tracing::Subscriber> Layer<S> for WarningCollector {
    fn on_event(&self, event: &tracing::Event<'_>, _: tracing_subscriber::layer::Context<'_, S>) {
        // A headless run has no renderer, about which Bevy warns.
        let is_known = ["bevy_extract", "bevy_render", "bevy_gizmos_render"]
            .iter()
            .any(|target| event.metadata().target().starts_with(target));
        if *event.metadata().level() <= tracing::Level::WARN && !is_known {
            let mut text = MessageText(String::new());
            event.record(&mut text);
            warnings().push(format!("{}: {}", event.metadata().target(), text.0));
        }
    }
}

struct MessageText(String);

impl tracing::field::Visit for MessageText {
    fn record_debug(&mut self, _: &tracing::field::Field, value: &dyn std::fmt::Debug) {
        self.0 += &format!("{value:?} ");
    }
}

fn warnings() -> MutexGuard<'static, Vec<String>> {
    WARNINGS.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner)
}

/// Presses and releases a key.
pub(crate) fn tap(app: &mut App, key_code: KeyCode) {
    let mut windows = app.world_mut().query_filtered::<Entity, With<PrimaryWindow>>();
    let window = windows.single(app.world()).expect("there is a window");
    for state in [ButtonState::Pressed, ButtonState::Released] {
        let logical_key = Key::Unidentified(NativeKey::Unidentified);
        let input = KeyboardInput { key_code, logical_key, state, text: None, repeat: false, window };
        app.world_mut().write_message(input);
    }
    app.update();
}

/// The sandbox without a window, in this scene.
pub(crate) fn scene_app(name: &str) -> App {
    begin(Flags::headless(name))
}

/// The same with at most this many agents, if the scene has a crowd.
pub(crate) fn scene_app_with(name: &str, agents: u32) -> App {
    let mut flags = Flags::headless(name);
    flags.agents = Some(agents);
    begin(flags)
}

/// Goes to a scene, or to none.
pub(crate) fn go(app: &mut App, name: &'static str) {
    app.world_mut().resource_mut::<NextState<ActiveScene>>().set(ActiveScene(name));
    (0..3).for_each(|_| app.update());
}

/// Lets a frame run this many ticks, for tests that do not depend on frames in between.
pub(crate) fn set_ticks_per_frame(app: &mut App, ticks: u32) {
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(ticks));
}

/// With inline searches, so that the outcome does not depend on how busy the machine is.
fn begin(flags: Flags) -> App {
    let mut app = host::app(flags);
    app.insert_resource(SolveSettings { mode: SolveMode::Inline, ..default() });
    app.finish();
    app.cleanup();
    app.update();
    app
}

/// Checks that the defaults in the tooltips of settings are the actual defaults.
pub(crate) fn assert_tooltip_defaults<S: Default + Struct + Typed>() {
    let settings = S::default();
    let info = S::type_info().as_struct().expect("settings are a struct");
    let mut checked = 0;
    for (i, field) in info.iter().enumerate() {
        let words = field.docs().and_then(|docs| docs.split("Default: ").nth(1)).unwrap_or_default();
        let word = words.split([',', ' ', '\n']).next().unwrap_or_default().trim_end_matches('.');
        let value = settings.field_at(i).expect("the field is there");
        let number = value.try_downcast_ref::<f32>().copied();
        let number = number.or(value.try_downcast_ref::<u32>().map(|&count| count as f32));
        if let Some(number) = number {
            assert_eq!(word.parse(), Ok(number), "{} of {}", field.name(), info.type_path());
            checked += 1;
        }
    }
    assert!(checked > 0, "{} has numbers", info.type_path());
}

fn entities(app: &mut App) -> usize {
    let mut all = app.world_mut().query_filtered::<(), Without<bevy::ecs::resource::IsResource>>();
    all.iter(app.world()).count()
}

/// Plays a scene, restarts it, and leaves it.
fn runs_and_leaves_no_entities(name: &str) {
    static LOGGER: Once = Once::new();
    LOGGER.call_once(|| {
        let subscriber = tracing_subscriber::registry().with(WarningCollector);
        tracing::subscriber::set_global_default(subscriber).expect("no other log in this process");
    });
    let mut app = scene_app_with(SCENES[0].name, CROWD);
    let scene = by_name(name).expect("there is such a scene");
    go(&mut app, "nowhere");
    let empty = entities(&mut app);
    go(&mut app, scene.name);
    let begun = entities(&mut app);
    assert!(begun > empty, "it has something to show");
    (0..ticks()).for_each(|_| app.update());
    go(&mut app, scene.name);
    assert_eq!(entities(&mut app), begun, "it begins again as it began");
    go(&mut app, "nowhere");
    assert_eq!(entities(&mut app), empty, "it leaves nothing behind");
    assert!(warnings().is_empty(), "nothing is logged as a warning: {:?}", *warnings());
}

/// A test for each scene, so that they run in parallel.
macro_rules! each_scene {
    ($($scene:ident),+) => {
        $(#[test]
        fn $scene() {
            runs_and_leaves_no_entities(stringify!($scene));
        })+

        const TRIED: &[&str] = &[$(stringify!($scene)),+];
    };
}

each_scene!(search, chase, avoid, flock, crowd, tanks, stress, hunt, endless, castle, battle, traffic, level);

/// The names of tests are distinct, so those of scenes are, too.
#[test]
fn every_scene_has_a_test_and_a_short_description() {
    let names: Vec<_> = SCENES.iter().map(|scene| scene.name).collect();
    assert_eq!(names, TRIED, "each scene has a test");
    for scene in SCENES {
        assert!(scene.about.len() < 200, "{} is explained in two lines", scene.name);
    }
}

#[test]
fn tooltips_state_the_actual_defaults() {
    assert_tooltip_defaults::<avoid::AvoidSettings>();
    assert_tooltip_defaults::<battle::BattleSettings>();
    assert_tooltip_defaults::<castle::CastleSettings>();
    assert_tooltip_defaults::<chase::ChaseSettings>();
    assert_tooltip_defaults::<crowd::CrowdSettings>();
    assert_tooltip_defaults::<endless::EndlessSettings>();
    assert_tooltip_defaults::<flock::FlockSettings>();
    assert_tooltip_defaults::<hunt::HuntSettings>();
    assert_tooltip_defaults::<level::LevelSettings>();
    assert_tooltip_defaults::<stress::StressSettings>();
    assert_tooltip_defaults::<traffic::TrafficSettings>();
}
