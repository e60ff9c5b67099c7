//! How much rendering may cost: less with a software renderer.

use bevy::{ecs::system::SystemParam, prelude::*, render::renderer::RenderAdapterInfo};

use crate::flags::Flags;

/// Names of software renderers.
const SOFTWARE: [&str; 3] = ["llvmpipe", "SwiftShader", "Microsoft Basic Render"];

/// Tells whether the renderer works without a GPU, so that the picture has to be simpler.
#[derive(SystemParam)]
pub(crate) struct RenderQuality<'w> {
    adapter: Option<Res<'w, RenderAdapterInfo>>,
    flags: Res<'w, Flags>,
}

impl RenderQuality<'_> {
    /// Whether rendering has to be cheap. Screenshots are rendered in full.
    pub(crate) fn is_low(&self) -> bool {
        let is_software =
            |adapter: &Res<RenderAdapterInfo>| SOFTWARE.iter().any(|name| adapter.name.contains(name));
        self.flags.screenshot.is_none() && self.adapter.as_ref().is_some_and(is_software)
    }
}
