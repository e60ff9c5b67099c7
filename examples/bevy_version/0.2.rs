// Bevy 0.20.

use bevy::prelude::*;

pub use bevy::picking::events::PointerClick;

/// The parameter of an observer that runs when components are added.
pub type OnAdd<'w, 't, C> = On<'w, 't, Add<C>>;
/// The parameter of an observer that runs when components are removed.
pub type OnRemove<'w, 't, C> = On<'w, 't, Remove<C>>;

/// The plugin that prepares entities for a renderer.
pub fn sync_world() -> impl Plugin {
    bevy::extract::sync_world::SyncWorldPlugin::<bevy::render::RenderApp>::default()
}

/// A fragment shader of a material in 3D, after the imports that it needs.
pub fn fragment_shader(path: &str, code: &str) -> Shader {
    let imports = "
        import bevy_pbr::render::forward_io::VertexOutput;
        import bevy_pbr::render::mesh_view_bindings::{fog, lights, view};
        const MATERIAL_BIND_GROUP = constants::MATERIAL_BIND_GROUP;
    ";
    Shader::from_wesl(format!("{imports}{code}"), path)
}
