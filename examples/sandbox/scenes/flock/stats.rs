//! Statistics of the flocks: the table in the panel, and labels beside the leaders.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use bevy_pathfind::{prelude::*, steer::FlockStats};
use serde_json::json;

use super::{BOX, Bird, FLOCKS, FlockSettings, Leader};
use crate::{chrome::Chrome, hud::label, orbit::Orbit, telemetry::Facts, theme};

type Leaders<'w, 's> = Query<'w, 's, (Entity, &'static Leader, &'static Transform, &'static FlockStats)>;
type Birds<'w, 's> = Query<'w, 's, (&'static FlockOf, &'static Transform), With<Bird>>;

/// Draws the table in the panel.
pub(super) fn show(ui: &mut egui::Ui, world: &mut World) {
    let mut leaders: Vec<_> = world.query::<(&Leader, &FlockStats)>().iter(world).collect();
    leaders.sort_by_key(|(leader, _)| leader.0);
    let rows = leaders.into_iter().map(|(&Leader(i), stats)| {
        let values = vec![
            stats.members.to_string(),
            format!("{:.2}", stats.polarization),
            format!("{:.2}", stats.nearest),
            format!("{:.1}", stats.gyration),
        ];
        (theme::colored(format!("Flock {}", i + 1), FLOCKS[i].1), values)
    });
    theme::table(ui, "flocks", &["", "birds", "as one", "nearest", "spread"], rows);
}

/// Draws size and polarization of a flock beside its leader.
pub(super) fn show_labels(
    mut contexts: EguiContexts,
    leaders: Leaders,
    camera: Query<(&Camera, &Transform), With<Orbit>>,
    chrome: Chrome,
) -> Result {
    let Ok((camera, &place)) = camera.single() else { return Ok(()) };
    let painter = contexts.ctx_mut()?.layer_painter(egui::LayerId::background());
    // While the clock is paused at the start, there are no statistics yet.
    for (_, leader, at, stats) in leaders.iter().filter(|(.., stats)| stats.members > 0) {
        let Ok(screen) = camera.world_to_viewport(&place.into(), at.translation) else { continue };
        // Leave the label out if either of its ends is behind a panel.
        if [Vec2::ZERO, Vec2::new(140.0, -20.0)].iter().any(|&off| chrome.covers(screen + off)) {
            continue;
        }
        let text = format!("{} birds, {:.0} % as one", stats.members, stats.polarization * 100.0);
        let at = egui::pos2(screen.x + 18.0, screen.y - 20.0);
        label(&painter, at, egui::Align2::LEFT_CENTER, text, FLOCKS[leader.0].1);
    }
    Ok(())
}

pub(super) fn draw_boxes(settings: Res<FlockSettings>, mut gizmos: Gizmos) {
    if settings.boxes {
        for (home, color) in FLOCKS {
            let edges = Transform::from_translation(home).with_scale(BOX * 2.0);
            gizmos.cube(edges, color.with_alpha(0.14));
        }
    }
}

/// Writes statistics and places of all flocks, in the order of [`FLOCKS`].
pub(super) fn write_facts(mut facts: ResMut<Facts>, leaders: Leaders, birds: Birds) {
    let mut leaders: Vec<_> = leaders.iter().collect();
    leaders.sort_by_key(|(_, leader, ..)| leader.0);
    let mut sums = vec![(Vec3::ZERO, 0.0); leaders.len()];
    for (of, at) in &birds {
        if let Some(i) = leaders.iter().position(|(entity, ..)| *entity == of.0) {
            sums[i] = (sums[i].0 + at.translation, sums[i].1 + 1.0);
        }
    }
    let flocks = leaders.iter().zip(sums).map(|((_, _, at, stats), (sum, count))| {
        let center = sum / f32::max(count, 1.0);
        json!({
            "nearest": stats.nearest,
            "gyration": stats.gyration,
            "center": center.to_array(),
            // From the flock's centre to its leader.
            "gap": center.distance(at.translation),
        })
    });
    facts.set("flocks", flocks.collect::<Vec<_>>());
}
