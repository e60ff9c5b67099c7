//! The show stage: makes the results of the other stages visible. No other stage reads anything from here.
//!
//! Numbers go to Bevy's diagnostics, lines to its gizmos (feature `gizmos`), and the transforms of
//! [`InterpolateTransform`] are smoothed. The plugin never adds Bevy's diagnostics or gizmos: in an application
//! that lacks them, this stage leaves them out.

mod diagnostics;
#[cfg(feature = "gizmos")]
mod gizmos;
mod interpolate;
#[cfg(feature = "panel")]
pub mod panel;
mod settings;

use bevy::prelude::*;
use bevy::transform::TransformSystems;

pub use diagnostics::SolveDiagnostics;
#[cfg(feature = "gizmos")]
pub use gizmos::{MotionGizmos, SolveGizmos, SteerGizmos, WorldGizmos};
pub use interpolate::InterpolateTransform;
pub use settings::NavGizmos;

pub use crate::attributes::{Heading, LayerBits, MeasuredIn, WorldPoint, ZeroMeans};
use crate::solve::SolveStats;
use crate::stage::NavSystems;

/// The plugin of the show stage: interpolation, diagnostics and gizmos; see [`NavSystems::Show`].
#[derive(Debug, Clone, Copy)]
pub struct ShowPlugin;

impl Plugin for ShowPlugin {
    fn build(&self, app: &mut App) {
        app.configure_sets(PostUpdate, NavSystems::Show.after(TransformSystems::Propagate));
        app.init_resource::<SolveStats>();
        diagnostics::wire(app);
        interpolate::wire(app);
        app.register_type::<NavGizmos>().init_resource::<NavGizmos>();
        #[cfg(feature = "gizmos")]
        gizmos::wire(app);
    }

    /// Again, for diagnostics and gizmos of plugins that were added after this one.
    fn finish(&self, app: &mut App) {
        diagnostics::wire(app);
        #[cfg(feature = "gizmos")]
        gizmos::wire(app);
    }
}
