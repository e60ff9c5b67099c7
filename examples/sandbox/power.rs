//! How much may be drawn.

use bevy::{ecs::system::SystemParam, prelude::*, render::renderer::RenderAdapterInfo};

use crate::flags::Flags;

/// What renderers in software are called.
const SOFTWARE: [&str; 3] = ["llvmpipe", "SwiftShader", "Microsoft Basic Render"];

/// Whether the picture is made without a GPU, so that it has to be a simpler one.
#[derive(SystemParam)]
pub(crate) struct Power<'w> {
    adapter: Option<Res<'w, RenderAdapterInfo>>,
    flags: Res<'w, Flags>,
}

impl Power<'_> {
    /// A picture that is kept may take its time.
    pub(crate) fn is_low(&self) -> bool {
        let is_software =
            |adapter: &Res<RenderAdapterInfo>| SOFTWARE.iter().any(|name| adapter.name.contains(name));
        self.flags.screenshot.is_none() && self.adapter.as_ref().is_some_and(is_software)
    }
}
