//! The floor of scenes in 3D: it fills half of the picture, so that a renderer in software gets a plain one.

use bevy::{
    asset::uuid_handle, ecs::system::SystemParam, prelude::*, render::render_resource::AsBindGroup,
    shader::ShaderRef,
};

use crate::{ground::blank_image, power::Power, solid::Reach, theme};

const SHADER: Handle<Shader> = uuid_handle!("6c0a5f0e-7d0c-4a8e-9a36-5b7f3c1d2e90");

/// Lays floors.
#[derive(SystemParam)]
pub(crate) struct Floors<'w> {
    pub lit: ResMut<'w, Assets<StandardMaterial>>,
    plain: ResMut<'w, Assets<PlainTiles>>,
    images: ResMut<'w, Assets<Image>>,
    power: Power<'w>,
}

/// Tiles in a fog, without light and shadow.
#[derive(Asset, TypePath, AsBindGroup, Debug, Clone)]
struct PlainTiles {
    #[uniform(0)]
    even: LinearRgba,
    #[uniform(0)]
    odd: LinearRgba,
    #[uniform(0)]
    fog: LinearRgba,
    /// The side of a tile; how far away the fog begins, and where nothing else is left.
    #[uniform(0)]
    measures: Vec3,
}

impl Material for PlainTiles {
    fn fragment_shader() -> ShaderRef {
        SHADER.into()
    }

    fn enable_prepass() -> bool {
        false
    }

    fn enable_shadows() -> bool {
        false
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.add_plugins(MaterialPlugin::<PlainTiles>::default());
    if let Some(mut shaders) = app.world_mut().get_resource_mut::<Assets<Shader>>() {
        let shader = Shader::from_wgsl(include_str!("floor.wgsl"), "floor.wgsl");
        shaders.insert(&SHADER, shader).expect("the handle is no index");
    }
}

impl Floors<'_> {
    /// Gives a floor of this size its tiles.
    pub(crate) fn pave(&mut self, floor: &mut EntityCommands, size: Vec2, tile: f32, reach: Reach) {
        let shade = |lift| theme::GROUND.mix(&theme::WALL, lift);
        let (even, odd) = (shade(0.05), shade(0.0));
        if self.power.is_low() {
            let measures = Vec3::new(tile, reach.fog_begins(), reach.fog_ends());
            let [even, odd, fog] = [even, odd, theme::VOID].map(|color| color.to_linear());
            floor.insert(MeshMaterial3d(self.plain.add(PlainTiles { even, odd, fog, measures })));
            return;
        }
        let tiles = (size / tile).ceil().as_uvec2();
        let mut image = blank_image(tiles);
        for (i, texel) in image.data.iter_mut().flat_map(|data| data.chunks_exact_mut(4)).enumerate() {
            let (column, row) = (i as u32 % tiles.x, i as u32 / tiles.x);
            let shade = if (column + row) % 2 == 0 { even } else { odd };
            texel.copy_from_slice(&shade.to_srgba().to_u8_array());
        }
        let material = StandardMaterial {
            base_color_texture: Some(self.images.add(image)),
            perceptual_roughness: 1.0,
            reflectance: 0.0,
            ..default()
        };
        floor.insert(MeshMaterial3d(self.lit.add(material)));
    }
}
