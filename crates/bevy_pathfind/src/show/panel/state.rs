//! What the panel remembers.

use core::any::TypeId;

use bevy::platform::collections::HashMap;
use bevy::prelude::*;

use super::aim::Scope;
use super::bar::Bar;
use super::context::Screen;
use super::history::History;
use super::list::List;
use super::plots::Plots;
use super::reasons::Since;
use super::replay::Replay;
use super::survey::Surveys;

/// Room between the panel and the rim of the window, in logical pixels.
pub(super) const MARGIN: f32 = 12.0;

/// The panel: whether it is open, and what is selected. Insert it before the plugin to start with other values.
#[derive(Resource)]
pub struct NavPanel {
    /// Whether it is open. Default: `false`.
    pub is_open: bool,
    /// The key that opens and closes it. Default: F2.
    pub key: Option<KeyCode>,
    /// The button that selects agents in the world, with Shift or Ctrl further ones; `None` for none.
    /// Default: the left one.
    pub pick_with: Option<MouseButton>,
    /// The camera whose egui context shows the panel, where there are several; `None` for the one of the primary
    /// window. Default: `None`.
    pub context: Option<Entity>,
    /// Where its upper left corner is when it opens for the first time, so that it covers nothing of the game's own.
    /// Unit: logical pixels from that of the window. Default: `12`, `12`.
    pub corner: Vec2,
    /// Whom changes are for: the agents that were clicked in the world or in the list. Default: nobody.
    pub selected: Vec<Entity>,
    /// How far changes reach beyond those. Default: everyone with the same preset.
    pub scope: Scope,
    pub(super) screen: Option<Screen>,
    pub(super) area: Option<Rect>,
    pub(super) list: List,
    pub(super) surveys: Surveys,
    pub(super) history: History,
    pub(super) bars: HashMap<TypeId, Bar>,
    pub(super) plots: Plots,
    pub(super) replay: Replay,
    pub(super) since: Since,
}

impl Default for NavPanel {
    fn default() -> Self {
        Self {
            is_open: false,
            key: Some(KeyCode::F2),
            pick_with: Some(MouseButton::Left),
            context: None,
            corner: Vec2::splat(MARGIN),
            selected: Vec::new(),
            scope: Scope::default(),
            screen: None,
            area: None,
            list: List::default(),
            surveys: Surveys::default(),
            history: History::default(),
            bars: HashMap::default(),
            plots: Plots::default(),
            replay: Replay::default(),
            since: Since::default(),
        }
    }
}

impl NavPanel {
    /// Where on its window the panel was drawn last, in logical pixels; `None` while it is closed.
    #[must_use]
    pub fn area(&self) -> Option<Rect> {
        self.area.filter(|_| self.is_open)
    }

    /// The agent whose reasons are shown: the one that was selected last.
    #[must_use]
    pub fn focus(&self) -> Option<Entity> {
        self.selected.last().copied()
    }

    /// Selects an agent alone, or adds it to the selection, or takes it out again.
    pub fn select(&mut self, agent: Entity, further: bool) {
        let before = self.selected.len();
        if further {
            self.selected.retain(|&one| one != agent);
            if self.selected.len() < before {
                return;
            }
        } else {
            self.selected.clear();
        }
        self.selected.push(agent);
    }
}
