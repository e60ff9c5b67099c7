//! Which part of the window the panels cover, and which part they leave to the world.

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_pathfind::show::panel::NavPanel;

use crate::{hud::StatusLayout, menu::MenuLayout, panel::PanelLayout, theme::NARROW};

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
        let areas = [self.tuning.area(), self.panel.panel, self.menu.bar];
        areas.into_iter().flatten().any(|area| area.contains(screen))
    }

    /// The part of the window that no panel covers, for a window of this size.
    pub(crate) fn free(&self, window: Vec2) -> Rect {
        let mut part = self.panel.free(window);
        part.max.y = part.max.y.min(window.y - self.status.height).max(1.0);
        beside(self.tuning.area(), self.menu.free(part))
    }

    /// How far the centre of the free part is from that of the window, horizontally, in logical pixels; and how
    /// many times narrower than usual the free part is. At a factor above 1 a camera in 3D has to move back.
    pub(crate) fn squeeze(&self, window: Vec2) -> (f32, f32) {
        let free = self.free(window);
        (free.center().x - window.x / 2.0, USUAL * window.y / free.width().max(1.0))
    }

    /// Whether a panel lies as a sheet over the lower part of a narrow window.
    pub(crate) fn has_sheet(&self, window: Vec2) -> bool {
        window.x < NARROW && (self.panel.panel.is_some() || self.tuning.area().is_some())
    }

    /// Whether all panels have been laid out.
    pub(crate) fn is_known(&self) -> bool {
        self.panel.is_known()
    }
}

/// The usual width of the free part, in window heights: scenes in 3D are set up for it.
const USUAL: f32 = 962.0 / 720.0;
/// If less than this width is left beside the tuning panel, in logical pixels, the panel is ignored.
const MIN_WIDTH: f32 = 240.0;

/// If less than this height is left above it, likewise.
const MIN_HEIGHT: f32 = 160.0;

/// What an area at a side of a part leaves free of it: the wider side, if that is wide enough; what is above the area,
/// if it is as wide as the part.
fn beside(area: Option<Rect>, part: Rect) -> Rect {
    if let Some(area) = area.filter(|area| area.width() > 0.8 * part.width()) {
        let above = Rect { max: Vec2::new(part.max.x, area.min.y.min(part.max.y)), ..part };
        return if above.max.y - above.min.y >= MIN_HEIGHT { above } else { part };
    }
    let Some(area) = area.filter(|area| area.height() > 0.5 * part.height()) else { return part };
    let left = Rect { max: Vec2::new(area.min.x.min(part.max.x), part.max.y), ..part };
    let right = Rect { min: Vec2::new(area.max.x.max(part.min.x), part.min.y), ..part };
    let wider = if left.width() > right.width() { left } else { right };
    if wider.width() >= MIN_WIDTH { wider } else { part }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_world_is_shown_beside_the_tuning_panel() {
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
        assert_eq!(beside(Some(rolled_up), part), part, "a panel that is rolled up covers nothing");
        let sheet = Rect::new(12.0, 400.0, 948.0, 700.0);
        assert_eq!(beside(Some(sheet), part), Rect::new(0.0, 90.0, 960.0, 400.0), "above a sheet");
        let middle = Rect::new(200.0, 96.0, 800.0, 700.0);
        assert_eq!(beside(Some(middle), part), part, "where too little is left, it lies above the world");
    }
}
