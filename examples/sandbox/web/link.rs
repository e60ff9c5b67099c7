//! The address of the page: it follows what is shown, so that it can be copied, and a change of it is obeyed.

use bevy::prelude::*;

use super::page;
use crate::{
    flags::Flags,
    hud::Notice,
    scenes::{ActiveScene, MapChoice, SceneControl, Seed, by_name},
};

/// Writes the scene, its seed and the map of the search lab into the address when one of them changes.
pub(super) fn show_link(scene: Res<State<ActiveScene>>, seed: Res<Seed>, map: Res<MapChoice>) {
    if !scene.is_changed() && !seed.is_changed() && !map.is_changed() {
        return;
    }
    let name = scene.get().0;
    let map = if name == "search" { format!("&map={}", map.name()) } else { String::new() };
    page::set_link(&format!("scene={name}{map}&seed={}", seed.0));
}

/// Goes where the address points, after it was changed by hand or by a link on the page.
pub(super) fn follow_link(
    mut scenes: SceneControl,
    mut map: ResMut<MapChoice>,
    mut flags: ResMut<Flags>,
    mut notice: ResMut<Notice>,
) {
    if !page::has_new_link() {
        return;
    }
    let wanted = match Flags::from_link(&page::link()) {
        Ok(wanted) => wanted,
        Err(fault) => return notice.show(fault),
    };
    if let Some(number) = wanted.lab_map {
        map.choose(number);
    }
    if let Some(scene) = by_name(&wanted.scene) {
        scenes.go(scene.name, wanted.seed);
    }
    flags.agents = wanted.agents;
}
