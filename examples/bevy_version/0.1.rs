// Bevy 0.19.

use bevy::prelude::*;

/// The parameter of an observer that runs when components are added.
pub type OnAdd<'w, 't, C> = On<'w, 't, Add, C>;
/// The parameter of an observer that runs when components are removed.
pub type OnRemove<'w, 't, C> = On<'w, 't, Remove, C>;
/// The event of a click on something.
pub type PointerClick = Pointer<Click>;

/// The plugin that prepares entities for a renderer.
pub fn sync_world() -> impl Plugin {
    bevy::render::sync_world::SyncWorldPlugin
}

/// A fragment shader of a material in 3D, after the imports that it needs.
pub fn fragment_shader(path: &str, code: &str) -> Shader {
    let imports = "
        #import bevy_pbr::forward_io::VertexOutput
        #import bevy_pbr::mesh_view_bindings::{fog, lights, view}
        const MATERIAL_BIND_GROUP = #{MATERIAL_BIND_GROUP};
    ";
    Shader::from_wgsl(format!("{imports}{code}"), path)
}
