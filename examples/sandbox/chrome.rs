//! What the panels cover of the window, and what they leave to the world.

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_pathfind::prelude::*;

use crate::{menu::MenuLayout, panel::PanelLayout};

/// The panels around the world.
#[derive(SystemParam)]
pub(crate) struct Chrome<'w> {
    panel: Res<'w, PanelLayout>,
    menu: Res<'w, MenuLayout>,
    tuning: Res<'w, NavPanel>,
}

impl Chrome<'_> {
    /// Whether a point of the screen belongs to a panel.
    pub(crate) fn covers(&self, screen: Vec2) -> bool {
        let is_tuning = self.tuning.area().is_some_and(|area| area.contains(screen));
        is_tuning || self.panel.covers(screen) || self.menu.covers(screen)
    }

    /// The part of a window of this size that is left free.
    pub(crate) fn free(&self, window: Vec2) -> Rect {
        self.menu.free(self.panel.free(window))
    }

    /// Whether everything has been laid out.
    pub(crate) fn is_known(&self) -> bool {
        self.panel.is_known()
    }
}
