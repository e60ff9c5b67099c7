//! How agents look: small shapes that move smoothly and face their direction of motion, and their paths.

use bevy::{
    asset::RenderAssetUsages,
    image::ImageSampler,
    prelude::*,
    render::render_resource::{Extent3d, TextureDimension, TextureFormat},
};
use bevy_pathfind::prelude::*;
use examples::bevy_version::{OnAdd, OnRemove};

use crate::{
    grid_picture::layer,
    orbit::Orbit,
    orders::Selected,
    scenes::ActiveScene,
    theme,
    view::{View, ViewSystems},
};

/// The look of an agent. Its size follows the agent's radius, but it is always large enough to be seen.
#[derive(Component, Debug, Clone, Copy)]
#[component(on_add = insert_sprite)]
pub(crate) struct Look {
    pub shape: Shape,
    pub color: Color,
    /// How opaque the rest of its path is drawn; 0 hides it.
    pub path: f32,
}

/// Put it beside a [`Look`], and the body is drawn in its true size, however small that is on screen (an arrow has a
/// least size): for dense crowds.
#[derive(Component, Debug, Clone, Copy)]
pub(crate) struct TrueSize;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// An arrowhead that points to the right.
    Arrow,
    /// A disc with a nose on its right side.
    Disc,
}

/// What is drawn besides the agents themselves.
#[derive(Resource, Debug, Clone, Default, PartialEq)]
pub(crate) struct ActorSettings {
    /// Whether remaining paths are drawn: of all agents, or of none; `None` until the user chooses: those of selected
    /// agents, and of those whose look says so.
    paths: Option<bool>,
}

impl ActorSettings {
    /// Whether paths are drawn of agents that look like these.
    pub(crate) fn shows_paths<'a>(&self, looks: impl IntoIterator<Item = &'a Look>) -> bool {
        self.paths.unwrap_or_else(|| looks.into_iter().any(|look| look.path > 0.0))
    }

    /// Draws the paths of all agents if none are drawn, or else those of none.
    pub(crate) fn toggle_paths<'a>(&mut self, looks: impl IntoIterator<Item = &'a Look>) {
        self.paths = Some(!self.shows_paths(looks));
    }
}

/// A thin ring around a selected agent, which is its parent.
#[derive(Component)]
struct Ring;

#[derive(Resource)]
struct Shapes {
    arrow: Handle<Image>,
    disc: Handle<Image>,
    ring: Handle<Image>,
}

/// The size on screen of a body with radius 0, in logical pixels.
const MIN_PIXELS: f32 = 10.0;
/// The side of a picture whose disc has radius 1, in world units.
const TRUE_SIZE: f32 = 3.45;
/// The side of a picture whose arrow hardly sticks out of a body of radius 1, in world units; and its least size on
/// screen, in logical pixels.
const TRUE_ARROW: f32 = 2.5;
const LEAST_ARROW: f32 = 7.0;
/// A move of more than this within a tick is not interpolated, in world units.
const JUMP: f32 = 2.0;
/// Texels along each side of a shape's texture.
const TEXELS: u32 = 48;

pub(crate) fn plugin(app: &mut App) {
    let reset = |mut settings: ResMut<ActorSettings>| *settings = ActorSettings::default();
    app.init_resource::<ActorSettings>()
        .init_resource::<Shapes>()
        .add_observer(add_ring)
        .add_observer(remove_ring)
        .add_systems(Update, reset.run_if(state_changed::<ActiveScene>))
        .add_systems(Update, ((size_bodies, size_rings).chain(), draw_paths).after(ViewSystems));
}

impl FromWorld for Shapes {
    fn from_world(world: &mut World) -> Self {
        let mut images = world.resource_mut::<Assets<Image>>();
        let mut shape = |distance: fn(Vec2) -> f32, border: bool| images.add(shape_image(distance, border));
        Self { arrow: shape(arrow, true), disc: shape(disc, true), ring: shape(ring, false) }
    }
}

/// Gives an agent its sprite. The sprite is on the agent itself, so thousands of agents cost one entity each.
fn insert_sprite(mut world: bevy::ecs::world::DeferredWorld, context: bevy::ecs::lifecycle::HookContext) {
    let (Some(&look), Some(shapes)) = (world.get::<Look>(context.entity), world.get_resource::<Shapes>())
    else {
        return;
    };
    let image = match look.shape {
        Shape::Arrow => shapes.arrow.clone(),
        Shape::Disc => shapes.disc.clone(),
    };
    let sprite = Sprite { image, color: look.color, custom_size: Some(Vec2::ONE), ..default() };
    let drawn = (sprite, InterpolateTransform::default().with_jump(JUMP));
    world.commands().entity(context.entity).insert_if_new(drawn);
}

fn add_ring(selected: OnAdd<Selected>, mut commands: Commands, looks: Query<&Look>, shapes: Res<Shapes>) {
    let Ok(look) = looks.get(selected.entity) else { return };
    let color = look.color.mix(&theme::TEXT, 0.5).with_alpha(0.55);
    let sprite = Sprite { image: shapes.ring.clone(), color, custom_size: Some(Vec2::ONE), ..default() };
    commands.entity(selected.entity).with_child((Ring, sprite, Transform::from_xyz(0.0, 0.0, -0.5)));
}

fn remove_ring(
    deselected: OnRemove<Selected>,
    mut commands: Commands,
    children: Query<&Children>,
    rings: Query<(), With<Ring>>,
) {
    let children = children.get(deselected.entity).into_iter().flatten();
    children.filter(|&&child| rings.contains(child)).for_each(|&ring| commands.entity(ring).try_despawn());
}

fn size_bodies(mut bodies: Query<(&Agent, &mut Sprite, &Look, Has<TrueSize>)>, view: Res<View>) {
    for (agent, mut sprite, look, is_true) in &mut bodies {
        let size = match (is_true, look.shape) {
            (true, Shape::Disc) => agent.radius * TRUE_SIZE,
            (true, Shape::Arrow) => (agent.radius * TRUE_ARROW).max(LEAST_ARROW * view.scale),
            (false, _) => body_size(agent.radius, view.scale),
        };
        resize(&mut sprite, size);
    }
}

fn size_rings(mut rings: Query<(&ChildOf, &mut Sprite), With<Ring>>, bodies: Query<&Sprite, Without<Ring>>) {
    for (of, mut sprite) in &mut rings {
        if let Some(size) = bodies.get(of.parent()).ok().and_then(|body| body.custom_size) {
            resize(&mut sprite, size.x * 1.3);
        }
    }
}

/// Sets a sprite's size, and its change tick only if the size differs.
fn resize(sprite: &mut Mut<Sprite>, side: f32) {
    let size = Some(Vec2::splat(side));
    if sprite.custom_size != size {
        sprite.custom_size = size;
    }
}

/// The side of a body's picture in world units: a visible minimum plus the body's size, so that a larger radius
/// looks larger at every zoom.
pub(crate) fn body_size(radius: f32, scale: f32) -> f32 {
    radius * 2.6 + MIN_PIXELS * scale
}

/// The length of the remaining path, in world units.
pub(crate) fn remaining_length(from: Vec3, path: &NavPath) -> f32 {
    let points = std::iter::once(&from).chain(path.remaining());
    let legs = points.clone().zip(points.skip(1));
    legs.map(|(from, to)| from.truncate().distance(to.truncate())).sum()
}

/// The most paths that are drawn.
const MAX_PATHS: usize = 400;
/// Of more selected agents no paths are drawn until the user wants all.
const FEW: usize = 24;
/// How opaque the path of an agent is whose look has none.
const FAINT: f32 = 0.35;

/// An agent on a path.
type Walker =
    (&'static Transform, &'static NavPath, Option<&'static Look>, Option<&'static Sprite>, Has<Selected>);

fn draw_paths(
    agents: Query<Walker>,
    settings: Res<ActorSettings>,
    orbits: Query<(), With<Orbit>>,
    view: Res<View>,
    mut gizmos: Gizmos,
) {
    // In 3D a little above the ground.
    let (is_flat, lift) = (orbits.is_empty(), if orbits.is_empty() { Vec3::ZERO } else { Vec3::Y * 0.15 });
    let are_few = agents.iter().filter(|(.., is_selected)| *is_selected).nth(FEW).is_none();
    let is_shown = |look: Option<&Look>, is_selected: bool| {
        settings.paths.unwrap_or(is_selected && are_few || look.is_some_and(|look| look.path > 0.0))
    };
    let shown = agents.iter().filter(|(_, path, look, _, is_selected)| {
        is_shown(*look, *is_selected) && !path.remaining().is_empty()
    });
    for (transform, path, look, sprite, is_selected) in shown.take(MAX_PATHS) {
        let strength = look.map_or(0.0, |look| look.path).max(FAINT) * if is_selected { 1.0 } else { 0.6 };
        let color = look.map(|look| look.color).or(sprite.map(|sprite| sprite.color)).unwrap_or(theme::TEXT);
        let color = color.with_alpha(strength);
        let points = core::iter::once(&transform.translation).chain(path.remaining());
        if is_flat {
            gizmos.linestrip_2d(points.map(|point| point.truncate()), color);
            let end = path.remaining().last().map_or(Vec2::ZERO, |end| end.truncate());
            gizmos.circle_2d(end, 5.0 * view.scale, color).resolution(24);
        } else {
            gizmos.linestrip(points.map(|&point| point + lift), color);
        }
    }
}

/// Draws a shape from its signed distance function, in units of half the picture: white, antialiased over one
/// texel, and with a dark border if `border` is set.
pub(crate) fn shape_image(distance: fn(Vec2) -> f32, border: bool) -> Image {
    let half = TEXELS as f32 / 2.0;
    texture(UVec2::splat(TEXELS), |at| {
        let texels = distance((at - half) / half) * half;
        let (inside, rim) = ((0.5 - texels).clamp(0.0, 1.0), if border { 3.0 } else { 0.0 });
        let cover = (0.5 - texels + rim).clamp(0.0, 1.0);
        let dark = if border { (inside * 255.0) as u8 } else { 255 };
        [dark, dark, dark, (cover * 255.0) as u8]
    })
}

/// A smooth picture, from the colour at the centre of each texel.
pub(crate) fn texture(size: UVec2, color: impl Fn(Vec2) -> [u8; 4]) -> Image {
    let centers = (0..size.y).flat_map(|y| (0..size.x).map(move |x| UVec2::new(x, y).as_vec2() + 0.5));
    let data = centers.flat_map(color).collect();
    let size = Extent3d { width: size.x, height: size.y, depth_or_array_layers: 1 };
    let (format, usage) = (TextureFormat::Rgba8UnormSrgb, RenderAssetUsages::RENDER_WORLD);
    let mut image = Image::new(size, TextureDimension::D2, data, format, usage);
    image.sampler = ImageSampler::linear();
    image
}

/// The signed distance to a polygon, negative inside.
fn polygon(point: Vec2, corners: &[Vec2]) -> f32 {
    let mut nearest = f32::MAX;
    let mut sign = 1.0;
    for (i, &a) in corners.iter().enumerate() {
        let b = corners[(i + corners.len() - 1) % corners.len()];
        let (edge, from) = (b - a, point - a);
        nearest = nearest.min(Segment2d::new(a, b).closest_point(point).distance_squared(point));
        let above = [point.y >= a.y, point.y < b.y, edge.x * from.y > edge.y * from.x];
        if above.iter().all(|&is| is) || above.iter().all(|&is| !is) {
            sign = -sign;
        }
    }
    sign * nearest.sqrt()
}

fn arrow(point: Vec2) -> f32 {
    let corners = [Vec2::new(0.72, 0.0), Vec2::new(-0.6, 0.62), Vec2::new(-0.3, 0.0), Vec2::new(-0.6, -0.62)];
    polygon(point, &corners) - 0.1
}

fn disc(point: Vec2) -> f32 {
    let nose = [Vec2::new(0.78, 0.0), Vec2::new(0.3, 0.42), Vec2::new(0.3, -0.42)];
    (point.length() - 0.58).min(polygon(point, &nose) - 0.06)
}

fn ring(point: Vec2) -> f32 {
    (point.length() - 0.9).abs() - 0.045
}

/// The transform of an agent at a point: on the layer of agents.
pub(crate) fn standing_at(point: Vec3) -> Transform {
    Transform::from_translation(point.with_z(layer::ACTORS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_have_an_inside_and_leave_a_margin() {
        for shape in [arrow as fn(Vec2) -> f32, disc] {
            assert!(shape(Vec2::ZERO) < 0.0, "the middle is inside");
            assert!(shape(Vec2::new(0.7, 0.0)) < 0.0, "the nose is on the right");
            assert!(shape(Vec2::ONE) > 0.1 && shape(Vec2::X) > 0.05, "the border of the picture is outside");
        }
        assert!(ring(Vec2::ZERO) > 0.0 && ring(Vec2::new(0.0, 0.9)) < 0.0);
    }
}
