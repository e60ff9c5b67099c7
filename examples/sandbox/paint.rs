//! Materials of surfaces in 3D: lit, with shadows; or, with a software renderer, as simple as possible, because
//! such a renderer evaluates every feature of a material for every pixel.

use bevy::{
    asset::uuid_handle,
    ecs::{lifecycle::HookContext, system::SystemParam, world::DeferredWorld},
    prelude::*,
    render::render_resource::AsBindGroup,
    shader::ShaderRef,
};
use examples::bevy_version::fragment_shader;

use crate::{grid_picture::blank_image, quality::RenderQuality, theme};

const SHADER: Handle<Shader> = uuid_handle!("6c0a5f0e-7d0c-4a8e-9a36-5b7f3c1d2e90");

/// The material of a surface.
#[derive(Component, Clone, PartialEq)]
#[component(on_insert = insert_material)]
pub(crate) enum Paint {
    Lit(Handle<StandardMaterial>),
    Plain(Handle<Plain>),
}

/// Tiles of two colours, lit by the scene's sun and faded by its fog, without shadows.
#[derive(Asset, TypePath, AsBindGroup, Debug, Clone)]
pub(crate) struct Plain {
    #[uniform(0)]
    even: LinearRgba,
    #[uniform(0)]
    odd: LinearRgba,
    /// The side of a tile, in world units.
    #[uniform(0)]
    side: f32,
}

impl Material for Plain {
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
    app.add_plugins(MaterialPlugin::<Plain>::default());
    if let Some(mut shaders) = app.world_mut().get_resource_mut::<Assets<Shader>>() {
        let shader = fragment_shader("paint.wgsl", include_str!("paint.wgsl"));
        shaders.insert(&SHADER, shader).expect("the handle is no index");
    }
}

/// Inserts the material component of an entity's paint.
fn insert_material(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    let paint = world.get::<Paint>(entity).expect("it was just inserted").clone();
    let mut commands = world.commands();
    let mut entity = commands.entity(entity);
    match paint {
        Paint::Lit(material) => entity.insert(MeshMaterial3d(material)),
        Paint::Plain(material) => entity.insert(MeshMaterial3d(material)),
    };
}

/// Creates paints.
#[derive(SystemParam)]
pub(crate) struct Painter<'w> {
    lit: ResMut<'w, Assets<StandardMaterial>>,
    plain: ResMut<'w, Assets<Plain>>,
    images: ResMut<'w, Assets<Image>>,
    quality: RenderQuality<'w>,
}

impl Painter<'_> {
    /// Whether surfaces cast shadows.
    pub(crate) fn has_shadows(&self) -> bool {
        !self.quality.is_low()
    }

    /// A matt paint of one colour.
    pub(crate) fn matt(&mut self, color: Color) -> Paint {
        if self.quality.is_low() {
            return self.plain_tiles([color, color], 1.0);
        }
        let matt = StandardMaterial { perceptual_roughness: 0.85, reflectance: 0.2, ..color.into() };
        Paint::Lit(self.lit.add(matt))
    }

    /// The tiles of a floor of this size.
    pub(crate) fn floor(&mut self, size: Vec2, side: f32) -> Paint {
        let shades = [0.05, 0.0].map(|lift| theme::GROUND.mix(&theme::WALL, lift));
        if self.quality.is_low() {
            return self.plain_tiles(shades, side);
        }
        let tiles = (size / side).ceil().as_uvec2();
        let mut image = blank_image(tiles);
        for (i, texel) in image.data.iter_mut().flat_map(|data| data.chunks_exact_mut(4)).enumerate() {
            let (column, row) = (i as u32 % tiles.x, i as u32 / tiles.x);
            let shade = shades[(column + row) as usize % 2];
            texel.copy_from_slice(&shade.to_srgba().to_u8_array());
        }
        let material = StandardMaterial {
            base_color_texture: Some(self.images.add(image)),
            perceptual_roughness: 1.0,
            reflectance: 0.0,
            ..default()
        };
        Paint::Lit(self.lit.add(material))
    }

    fn plain_tiles(&mut self, shades: [Color; 2], side: f32) -> Paint {
        let [even, odd] = shades.map(|color| color.to_linear());
        Paint::Plain(self.plain.add(Plain { even, odd, side }))
    }
}
