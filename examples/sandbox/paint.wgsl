// A matt surface in tiles, one sun and a fog, and nothing else: see `paint.rs`. The imports are in `bevy_version`.

struct Plain {
    even: vec4<f32>,
    odd: vec4<f32>,
    // The side of a tile.
    side: f32,
}

// What shows of a surface that the sun does not see.
const SHADE: f32 = 0.45;

@group(MATERIAL_BIND_GROUP) @binding(0) var<uniform> plain: Plain;

@fragment
fn fragment(in: VertexOutput) -> @location(0) vec4<f32> {
    let tile = floor(in.world_position.xz / plain.side);
    let is_odd = fract((tile.x + tile.y) / 2.0) > 0.25;
    let color = select(plain.even, plain.odd, is_odd);
    // A surface that looks up shows the very colour.
    let sun = lights.directional_lights[0u].direction_to_light;
    let light = saturate(dot(normalize(in.world_normal), sun) / sun.y);
    let shaded = color.rgb * mix(SHADE, 1.0, light);
    let away = distance(in.world_position.xyz, view.world_position);
    let thickness = saturate((away - fog.be.x) / (fog.be.y - fog.be.x));
    return vec4<f32>(mix(shaded, fog.base_color.rgb, thickness), 1.0);
}
