//! The application: plugins and settings, with a window or headless.

use std::time::Duration;

use bevy::{
    app::{PluginGroupBuilder, ScheduleRunnerPlugin},
    log::{DEFAULT_FILTER, LogPlugin},
    prelude::*,
    render::{RenderPlugin, settings::WgpuSettings},
    time::TimeUpdateStrategy,
    window::PresentMode,
    winit::WinitPlugin,
};
use bevy_egui::{EguiGlobalSettings, EguiPlugin};
use bevy_pathfind::{
    prelude::*,
    show::panel::NavPanel,
    solve::{SolveMode, SolveSettings},
};
use examples::bevy_version::sync_world;

use crate::{
    actors, brush, clock, drive, drops, flags::Flags, grid_picture, heat_map, hud, keys, line_width, menu,
    orbit, orders, overlay, paint, panel, pointer, pulse, scene3d, scenes, session, strokes, telemetry,
    theme, touch, view, widgets,
};

/// The whole application.
pub(crate) fn app(flags: Flags) -> App {
    let mut app = App::new();
    #[cfg(target_arch = "wasm32")]
    crate::web::add_assets(&mut app);
    if flags.is_stepped() {
        app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    }
    if flags.screenshot.is_some() {
        // With inline searches every answer comes in the same tick on every machine.
        app.insert_resource(SolveSettings { mode: SolveMode::Inline, ..default() });
    }
    // The 2D camera draws the panels, whatever other cameras there are; headless runs have no panels.
    let enable_ime = !flags.headless;
    app.insert_resource(EguiGlobalSettings { enable_ime, auto_create_primary_context: false, ..default() })
        .insert_resource(ClearColor(theme::VOID))
        .add_plugins((bevy_plugins(&flags), EguiPlugin::default(), PathfindPlugins::default()))
        .insert_resource(flags)
        .add_plugins((
            view::plugin,
            orbit::plugin,
            scene3d::plugin,
            paint::plugin,
            grid_picture::plugin,
            heat_map::plugin,
        ))
        .add_plugins((actors::plugin, overlay::plugin, line_width::plugin, pulse::plugin))
        .add_plugins((touch::plugin, pointer::plugin, keys::plugin, clock::plugin))
        .add_plugins((drive::plugin, orders::plugin, brush::plugin, strokes::plugin))
        .add_plugins((theme::plugin, menu::plugin, panel::plugin, hud::plugin, NavPanelPlugin::default()))
        .add_plugins((widgets::plugin, drops::plugin, telemetry::plugin, session::plugin, scenes::plugin));
    // In a browser F12 is the browser's.
    #[cfg(not(target_arch = "wasm32"))]
    app.add_plugins(crate::screenshot::plugin);
    #[cfg(target_arch = "wasm32")]
    app.add_plugins(crate::web::plugin);
    // The tuning panel opens below the menu; in a narrow window over the lower half.
    let (width, height) = app.world().resource::<Flags>().size;
    let is_narrow = (width as f32) < theme::NARROW;
    app.world_mut().resource_mut::<NavPanel>().corner.y = if is_narrow { height as f32 / 2.0 } else { 96.0 };
    app
}

/// Bevy's plugins. A headless run has no renderer, so its warnings are filtered out of the log.
fn bevy_plugins(flags: &Flags) -> PluginGroupBuilder {
    let window = Window {
        title: "bevy_pathfind sandbox".into(),
        resolution: flags.size.into(),
        present_mode: PresentMode::AutoVsync,
        // In a browser: the whole page, whose script keeps from the browser those keys that the sandbox uses.
        canvas: Some("#sandbox".into()),
        fit_canvas_to_parent: true,
        prevent_default_event_handling: false,
        ..default()
    };
    let assets = AssetPlugin { file_path: assets(flags), ..default() };
    let window = WindowPlugin { primary_window: Some(window), ..default() };
    let mut plugins = DefaultPlugins.set(window).set(assets);
    if flags.screenshot.is_some() {
        // Pipelines are compiled synchronously, so that the screenshot is complete.
        plugins = plugins.set(RenderPlugin { synchronous_pipeline_compilation: true, ..default() });
    }
    if flags.headless {
        let nothing = WgpuSettings { backends: None, ..default() };
        let filter = format!("{DEFAULT_FILTER},bevy_extract=off,bevy_render=off,bevy_gizmos_render=off");
        plugins = plugins
            .set(LogPlugin { filter, ..default() })
            .set(RenderPlugin { render_creation: nothing.into(), ..default() })
            .disable::<WinitPlugin>()
            .add(ScheduleRunnerPlugin::run_loop(Duration::ZERO))
            // Lights and cameras in 3D need this plugin even if nothing is rendered.
            .add(sync_world());
    }
    if cfg!(test) {
        // A process has one log, which the tests of a process share.
        plugins = plugins.disable::<LogPlugin>();
    }
    plugins
}

/// The folder of assets: the one of `--assets`; else the repository's, if the sandbox runs where it was built; else
/// the one beside the program.
fn assets(flags: &Flags) -> String {
    if let Some(folder) = &flags.assets {
        return folder.to_string_lossy().into_owned();
    }
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/../assets");
    if std::path::Path::new(own).is_dir() { own.into() } else { "assets".into() }
}
