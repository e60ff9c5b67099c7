//! Scales gizmo lines with the window's scale factor, because gizmos measure widths in physical pixels.

use bevy::{prelude::*, window::PrimaryWindow};

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Update, scale_line_width);
}

fn scale_line_width(
    windows: Query<&Window, (With<PrimaryWindow>, Changed<Window>)>,
    mut store: ResMut<GizmoConfigStore>,
    mut factor: Local<Option<f32>>,
) {
    let Ok(window) = windows.single() else { return };
    let (before, now) = (factor.unwrap_or(1.0), window.scale_factor());
    *factor = Some(now);
    if before != now {
        store.iter_mut().for_each(|(_, config, _)| config.line.width *= now / before);
    }
}
