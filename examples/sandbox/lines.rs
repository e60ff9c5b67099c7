//! Lines look equally wide on every screen: gizmos count in its pixels, of which a fine screen has more.

use bevy::{prelude::*, window::PrimaryWindow};

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Update, widen);
}

fn widen(
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
