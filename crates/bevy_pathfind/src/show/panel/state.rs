//! The state of the panel.

use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::prelude::*;

/// Distance between the panel and the edge of the window, in logical pixels.
pub(super) const MARGIN: f32 = 12.0;

/// Which agents an edit applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Scope {
    /// The selected agents only; an edit gives them values of their own.
    Selected,
    /// All agents that follow the same preset as a selected agent.
    #[default]
    Preset,
    /// All agents in the flock of a selected agent.
    Flock,
    /// All agents. Every scope means this while no agent is selected.
    Everyone,
}

/// A context that can show the panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Screen {
    pub(super) camera: Entity,
    /// The window that the camera renders to; `None` for another target.
    pub(super) window: Option<Entity>,
    /// The schedule in which widgets of this context are drawn.
    pub(super) pass: InternedScheduleLabel,
}

/// The state of the panel: whether it is open, and what is selected. Insert it before the plugin to start with
/// other values.
#[derive(Resource, Debug)]
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

/// Run condition: whether the panel is open.
pub(super) fn is_open(panel: Option<Res<NavPanel>>) -> bool {
    panel.is_some_and(|panel| panel.is_open)
}
