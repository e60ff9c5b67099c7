//! F12 saves a screenshot of the window.

use std::path::PathBuf;

use bevy::{
    prelude::*,
    render::view::screenshot::{Screenshot, save_to_disk},
};

use crate::{hud::Notice, scenes::ActiveScene};

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        save_screenshot.run_if(bevy::input::common_conditions::input_just_pressed(KeyCode::F12)),
    );
}

fn save_screenshot(mut commands: Commands, active: Res<State<ActiveScene>>, mut notice: ResMut<Notice>) {
    let Some(path) = free_name(active.get().0) else { return };
    notice.show(format!("{} is saved here.", path.display()));
    commands.spawn(Screenshot::primary_window()).observe(save_to_disk(path));
}

/// The first unused file name, in the working directory.
fn free_name(scene: &str) -> Option<PathBuf> {
    (1..10_000).map(|i| PathBuf::from(format!("sandbox-{scene}-{i}.png"))).find(|path| !path.exists())
}
