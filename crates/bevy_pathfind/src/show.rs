//! Show: what the other stages do, made visible. No stage reads anything from here.
//!
//! Numbers go to Bevy's diagnostics, if the application has them; lines are drawn with gizmos (feature
//! `gizmos`), if it has those. Both are off where the application lacks them, and never add them.

mod diagnostics;
#[cfg(feature = "gizmos")]
mod gizmos;
mod interpolate;
#[cfg(feature = "panel")]
pub mod panel;
#[cfg(feature = "gizmos")]
mod settings;

use bevy::prelude::*;
use bevy::transform::TransformSystems;

pub use diagnostics::SolveDiagnostics;
#[cfg(feature = "gizmos")]
pub use gizmos::{MotionGizmos, SolveGizmos, SteerGizmos, WorldGizmos};
pub use interpolate::InterpolateTransform;
#[cfg(feature = "gizmos")]
pub use settings::{Heading, NavGizmoSettings};

use crate::solve::SolveStats;
use crate::stage::NavSystems;

/// Draws and measures; see [`NavSystems::Show`].
#[derive(Debug, Clone, Copy)]
pub struct ShowPlugin;

impl Plugin for ShowPlugin {
    fn build(&self, app: &mut App) {
        app.configure_sets(PostUpdate, NavSystems::Show.after(TransformSystems::Propagate));
        app.init_resource::<SolveStats>();
        diagnostics::wire(app);
        interpolate::wire(app);
        #[cfg(feature = "gizmos")]
        {
            app.register_type::<NavGizmoSettings>()
                .register_type::<Heading>()
                .init_resource::<NavGizmoSettings>();
            gizmos::wire(app);
        }
    }

    /// Once more, for what plugins added after this one have brought.
    fn finish(&self, app: &mut App) {
        diagnostics::wire(app);
        #[cfg(feature = "gizmos")]
        gizmos::wire(app);
    }
}
