//! What the panels cover of the window, and what they leave to the world.

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_pathfind::prelude::*;

use crate::{hud::StatusLayout, menu::MenuLayout, panel::PanelLayout};

/// The panels around the world.
#[derive(SystemParam)]
pub(crate) struct Chrome<'w> {
    panel: Res<'w, PanelLayout>,
    menu: Res<'w, MenuLayout>,
    tuning: Res<'w, NavPanel>,
    status: Res<'w, StatusLayout>,
}

impl Chrome<'_> {
    /// Whether a point of the screen belongs to a panel.
    pub(crate) fn covers(&self, screen: Vec2) -> bool {
        let is_tuning = self.tuning.area().is_some_and(|area| area.contains(screen));
        is_tuning || self.panel.covers(screen) || self.menu.covers(screen)
    }

    /// The part of a window of this size that is left free.
    pub(crate) fn free(&self, window: Vec2) -> Rect {
        let mut part = self.panel.free(window);
        part.max.y = (window.y - self.status.height).max(1.0);
        beside(self.tuning.area(), self.menu.free(part))
    }

    /// How far the middle of that lies beside the middle of the window, in logical pixels, and how many times too
    /// narrow it is for what a camera in 3D shows of its scene: above 1 it has to go back.
    pub(crate) fn squeeze(&self, window: Vec2) -> (f32, f32) {
        let free = self.free(window);
        (free.center().x - window.x / 2.0, USUAL * window.y / free.width().max(1.0))
    }

    /// Whether everything has been laid out.
    pub(crate) fn is_known(&self) -> bool {
        self.panel.is_known()
    }
}

/// How wide the free part is beside the panel, as a share of the height, in a window of the usual size: scenes in
/// 3D are set up for it.
const USUAL: f32 = 962.0 / 720.0;
/// A world narrower than this, in logical pixels, may as well lie behind the tuning panel.
const LEAST_WIDTH: f32 = 240.0;

/// What an area that covers a side of a part leaves of it: the wider side, if that is wide enough.
fn beside(area: Option<Rect>, part: Rect) -> Rect {
    let Some(area) = area.filter(|area| area.height() > 0.5 * part.height()) else { return part };
    let left = Rect { max: Vec2::new(area.min.x.min(part.max.x), part.max.y), ..part };
    let right = Rect { min: Vec2::new(area.max.x.max(part.min.x), part.min.y), ..part };
    let wider = if left.width() > right.width() { left } else { right };
    if wider.width() >= LEAST_WIDTH { wider } else { part }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_world_is_looked_at_beside_the_tuning_panel() {
        let part = Rect::new(0.0, 90.0, 960.0, 650.0);
        let left = Rect::new(12.0, 96.0, 400.0, 700.0);
        assert_eq!(beside(None, part), part);
        assert_eq!(
            beside(Some(left), part),
            Rect::new(400.0, 90.0, 960.0, 650.0),
            "right of a panel on the left"
        );
        let right = Rect::new(600.0, 96.0, 950.0, 700.0);
        assert_eq!(beside(Some(right), part), Rect::new(0.0, 90.0, 600.0, 650.0), "left of one on the right");
        let rolled_up = Rect::new(12.0, 96.0, 400.0, 130.0);
        assert_eq!(beside(Some(rolled_up), part), part, "one that is rolled up is in nobody's way");
        let middle = Rect::new(200.0, 96.0, 800.0, 700.0);
        assert_eq!(beside(Some(middle), part), part, "where too little is left, it lies above the world");
    }
}
