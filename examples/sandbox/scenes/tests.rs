//! Every scene without a window: it runs, it ends, it leaves nothing behind, and nothing is complained about.

use std::{
    env,
    sync::{Mutex, MutexGuard, OnceLock, PoisonError},
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
    window::PrimaryWindow,
};

use super::*;
use crate::host;

/// How long each scene runs: long enough for whatever happens in the first seconds. `SANDBOX_TICKS=10000` has
/// each run longer, and `SANDBOX_SCENE` only one.
const TICKS: u32 = 200;

fn ticks() -> u32 {
    env::var("SANDBOX_TICKS").ok().and_then(|ticks| ticks.parse().ok()).unwrap_or(TICKS)
}

/// Complaints in the log since [`listen`] was called.
static COMPLAINTS: OnceLock<Mutex<Vec<String>>> = OnceLock::new();

/// Notes every warning and error.
struct Ear;

impl<S: tracing::Subscriber> Layer<S> for Ear {
    fn on_event(&self, event: &tracing::Event<'_>, _: tracing_subscriber::layer::Context<'_, S>) {
        if *event.metadata().level() <= tracing::Level::WARN {
            let mut text = Text(String::new());
            event.record(&mut text);
            complaints().push(format!("{}: {}", event.metadata().target(), text.0));
        }
    }
}

struct Text(String);

impl tracing::field::Visit for Text {
    fn record_debug(&mut self, _: &tracing::field::Field, value: &dyn std::fmt::Debug) {
        self.0 += &format!("{value:?} ");
    }
}

fn complaints() -> MutexGuard<'static, Vec<String>> {
    COMPLAINTS.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner)
}

/// Presses a key and lets it go, as a hand would.
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

/// The sandbox without a window, with this scene in play.
pub(crate) fn play(name: &str) -> App {
    let mut app = host::app(Flags::headless(name));
    app.finish();
    app.cleanup();
    app.update();
    app
}

fn entities(app: &mut App) -> usize {
    let mut all = app.world_mut().query_filtered::<(), Without<bevy::ecs::resource::IsResource>>();
    all.iter(app.world()).count()
}

#[test]
fn every_scene_runs_and_leaves_nothing_behind() {
    let subscriber = tracing_subscriber::registry().with(Ear);
    tracing::subscriber::set_global_default(subscriber).expect("no other log in this process");
    let mut app = play(SCENES[0].name);
    let go = |app: &mut App, name: &'static str| {
        app.world_mut().resource_mut::<NextState<Active>>().set(Active(name));
        (0..3).for_each(|_| app.update());
    };
    go(&mut app, "nowhere");
    let empty = entities(&mut app);
    let only = env::var("SANDBOX_SCENE").ok();
    for scene in SCENES.iter().filter(|scene| only.as_deref().is_none_or(|only| only == scene.name)) {
        complaints().clear();
        go(&mut app, scene.name);
        let begun = entities(&mut app);
        assert!(begun > empty, "{} has something to show", scene.name);
        (0..ticks()).for_each(|_| app.update());
        go(&mut app, scene.name);
        assert_eq!(entities(&mut app), begun, "{} begins again as it began", scene.name);
        go(&mut app, "nowhere");
        assert_eq!(entities(&mut app), empty, "{} leaves nothing behind", scene.name);
        assert!(complaints().is_empty(), "{} is without complaint: {:?}", scene.name, *complaints());
    }
}

#[test]
fn scenes_have_names_and_keys_of_their_own() {
    for (i, scene) in SCENES.iter().enumerate() {
        assert!((1..=9).contains(&scene.digit), "{} has a key", scene.name);
        assert!(scene.about.len() < 200, "{} is explained in two lines", scene.name);
        for other in &SCENES[..i] {
            assert_ne!(scene.name, other.name);
            assert_ne!(scene.digit, other.digit, "{} and {} have the same key", scene.name, other.name);
        }
    }
}
