//! Rings that grow and fade: the answer to an order, and the mark of a catch.

use bevy::prelude::*;

use crate::{
    orbit::Orbit,
    scene3d::flat,
    scenes::ActiveScene,
    view::{View, ViewSystems},
};

/// The rings on screen.
#[derive(Resource, Default)]
pub(crate) struct Pulses(Vec<Pulse>);

struct Pulse {
    at: Vec3,
    color: Color,
    age: f32,
}

/// The duration of a ring in seconds, and its last radius, in logical pixels.
const DURATION: f32 = 0.8;
const RADIUS: f32 = 26.0;
/// Its last radius in a scene in 3D, in world units.
const RADIUS_3D: f32 = 1.6;

pub(crate) fn plugin(app: &mut App) {
    let forget = |mut pulses: ResMut<Pulses>| pulses.0.clear();
    app.init_resource::<Pulses>()
        .add_systems(Update, (forget.run_if(state_changed::<ActiveScene>), show).chain().after(ViewSystems));
}

impl Pulses {
    /// Begins a ring at a point of the world.
    pub(crate) fn add(&mut self, at: Vec3, color: Color) {
        self.0.push(Pulse { at, color, age: 0.0 });
    }
}

fn show(
    mut pulses: ResMut<Pulses>,
    orbits: Query<(), With<Orbit>>,
    (time, view): (Res<Time<Real>>, Res<View>),
    mut gizmos: Gizmos,
) {
    for pulse in &mut pulses.0 {
        pulse.age += time.delta_secs();
        let grown = pulse.age / DURATION;
        let color = pulse.color.with_alpha((1.0 - grown).max(0.0));
        for share in [0.4 + 0.6 * grown, grown] {
            if orbits.is_empty() {
                gizmos.circle_2d(pulse.at.truncate(), RADIUS * share * view.scale, color).resolution(48);
            } else {
                let ring = Isometry3d::new(pulse.at + Vec3::Y * 0.1, flat());
                gizmos.circle(ring, RADIUS_3D * share, color).resolution(48);
            }
        }
    }
    pulses.0.retain(|pulse| pulse.age < DURATION);
}
