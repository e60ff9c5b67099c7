//! The state of the panel.

use core::any::TypeId;
use core::fmt;

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

/// Distance between the panel and the edge of the window, in logical pixels.
pub(super) const MARGIN: f32 = 12.0;

/// The state of the panel: whether it is open, and what is selected. Insert it before the plugin to start with
/// other values.
#[derive(Resource)]
pub struct NavPanel {
    /// Whether the panel is open. Default: `false`.
    pub is_open: bool,
    /// The key that opens and closes the panel. Default: F2.
    pub key: Option<KeyCode>,
    /// The mouse button that selects agents in the world; with Shift or Ctrl it adds to the selection or removes
    /// from it. `None` for none. Default: the left button.
    pub pick_with: Option<MouseButton>,
    /// The camera whose egui context shows the panel, if there are several contexts; `None` for that of the primary
    /// window. Default: `None`.
    pub context: Option<Entity>,
    /// The upper left corner of the panel when it opens for the first time, so that it does not cover the game's
    /// own interface. Unit: logical pixels from that of the window. Default: `12`, `12`.
    pub corner: Vec2,
    /// The selected agents, clicked in the world or in the list. Default: none.
    pub selected: Vec<Entity>,
    /// Which agents besides the selected ones a change applies to. Default: all with the same preset.
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

impl fmt::Debug for NavPanel {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let mut panel = formatter.debug_struct("NavPanel");
        panel.field("is_open", &self.is_open).field("selected", &self.selected).field("scope", &self.scope);
        panel.finish_non_exhaustive()
    }
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
    /// The rectangle of the window in which the panel was last drawn, in logical pixels; `None` while it is closed.
    #[must_use]
    pub fn area(&self) -> Option<Rect> {
        self.area.filter(|_| self.is_open)
    }

    /// The agent that is explained: the one selected last.
    #[must_use]
    pub fn focus(&self) -> Option<Entity> {
        self.selected.last().copied()
    }

    /// Selects an agent. With `further` the other agents stay selected, and an agent that is selected already is
    /// removed from the selection.
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
