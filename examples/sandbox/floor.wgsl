// Tiles and fog, and nothing else: see `floor.rs`.

#import bevy_pbr::forward_io::VertexOutput
#import bevy_pbr::mesh_view_bindings::view

struct PlainTiles {
    even: vec4<f32>,
    odd: vec4<f32>,
    fog: vec4<f32>,
    // The side of a tile; how far away the fog begins, and where nothing else is left.
    measures: vec3<f32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> tiles: PlainTiles;

@fragment
fn fragment(in: VertexOutput) -> @location(0) vec4<f32> {
    let tile = floor(in.world_position.xz / tiles.measures.x);
    let is_odd = fract((tile.x + tile.y) / 2.0) > 0.25;
    let away = distance(in.world_position.xyz, view.world_position);
    let thickness = saturate((away - tiles.measures.y) / (tiles.measures.z - tiles.measures.y));
    return mix(select(tiles.even, tiles.odd, is_odd), tiles.fog, thickness);
}
