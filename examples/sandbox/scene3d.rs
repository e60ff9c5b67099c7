//! What scenes in 3D share: meshes, camera, sun, floor.

use bevy::{
    asset::RenderAssetUsages, ecs::system::SystemParam, light::CascadeShadowConfigBuilder,
    mesh::PrimitiveTopology, prelude::*,
};

use crate::{
    orbit::Orbit,
    paint::{Paint, Painter},
    scenes::Scene,
    theme,
};

/// The meshes that scenes share. All are about one unit large, stand on or float about their origin, and look along
/// -Z.
#[derive(Resource)]
pub(crate) struct SharedMeshes {
    /// An arrowhead with a ridge, standing on the ground.
    pub dart: Handle<Mesh>,
    /// A pair of wings, centred on the origin.
    pub bird: Handle<Mesh>,
    /// A vertical cylinder of radius 1 and height 1, standing on the ground.
    pub column: Handle<Mesh>,
    /// A cube of side 2.
    pub block: Handle<Mesh>,
}

/// Spawns camera, light and floor of a scene in 3D.
#[derive(SystemParam)]
pub(crate) struct SceneBuilder<'w, 's> {
    pub commands: Commands<'w, 's>,
    pub shared_meshes: Res<'w, SharedMeshes>,
    meshes: ResMut<'w, Assets<Mesh>>,
    painter: Painter<'w>,
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<SharedMeshes>();
}

impl FromWorld for SharedMeshes {
    fn from_world(world: &mut World) -> Self {
        let mut meshes = world.resource_mut::<Assets<Mesh>>();
        let (nose, ridge, notch) =
            (Vec3::new(0.0, 0.1, -1.0), Vec3::new(0.0, 0.55, 0.45), Vec3::new(0.0, 0.1, 0.4));
        let (left, right) = (Vec3::new(-0.7, 0.1, 0.8), Vec3::new(0.7, 0.1, 0.8));
        let dart =
            folded(&[[nose, left, ridge], [nose, ridge, right], [left, notch, ridge], [right, ridge, notch]]);
        let (beak, tail, back) =
            (Vec3::new(0.0, 0.0, -0.7), Vec3::new(0.0, 0.0, 0.6), Vec3::new(0.0, 0.12, 0.0));
        let (left, right) = (Vec3::new(-0.9, 0.28, 0.35), Vec3::new(0.9, 0.28, 0.35));
        let above = [[beak, left, back], [beak, back, right], [left, tail, back], [right, back, tail]];
        let below = [[beak, tail, left], [beak, right, tail]];
        let bird = folded(&[&above[..], &below[..]].concat());
        Self {
            dart: meshes.add(dart),
            bird: meshes.add(bird),
            column: meshes
                .add(Cylinder::new(1.0, 1.0).mesh().anchor(bevy::mesh::CylinderAnchor::Bottom).build()),
            block: meshes.add(Cuboid::from_length(2.0)),
        }
    }
}

/// A mesh with flat-shaded triangles, counterclockwise as seen from outside.
fn folded(triangles: &[[Vec3; 3]]) -> Mesh {
    let corners: Vec<_> = triangles.iter().flatten().map(|corner| corner.to_array()).collect();
    let flat = vec![[0.0, 0.0]; corners.len()];
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, corners)
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, flat)
        .with_computed_flat_normals()
}

/// The triangles of a box without its underside.
fn box_faces([a, b]: [Vec3; 2]) -> Vec<[Vec3; 3]> {
    let (low, high) = (a.min(b), a.max(b));
    let at = |x: f32, y: f32, z: f32| low + (high - low) * Vec3::new(x, y, z);
    let quads = [
        [at(0.0, 1.0, 0.0), at(0.0, 1.0, 1.0), at(1.0, 1.0, 1.0), at(1.0, 1.0, 0.0)],
        [at(0.0, 0.0, 1.0), at(1.0, 0.0, 1.0), at(1.0, 1.0, 1.0), at(0.0, 1.0, 1.0)],
        [at(1.0, 0.0, 0.0), at(0.0, 0.0, 0.0), at(0.0, 1.0, 0.0), at(1.0, 1.0, 0.0)],
        [at(1.0, 0.0, 1.0), at(1.0, 0.0, 0.0), at(1.0, 1.0, 0.0), at(1.0, 1.0, 1.0)],
        [at(0.0, 0.0, 0.0), at(0.0, 0.0, 1.0), at(0.0, 1.0, 1.0), at(0.0, 1.0, 0.0)],
    ];
    quads.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect()
}

/// The rotation that lays a circle flat on the ground.
pub(crate) fn flat() -> Quat {
    Quat::from_rotation_x(core::f32::consts::FRAC_PI_2)
}

impl SceneBuilder<'_, '_> {
    /// A matt paint of one colour.
    pub(crate) fn paint(&mut self, color: Color) -> Paint {
        self.painter.matt(color)
    }

    /// Spawns the camera, with fog from `reach` world units on, and a sun whose shadows reach farther.
    pub(crate) fn light(&mut self, scene: &Scene, orbit: Orbit, reach: f32) {
        self.commands.spawn((
            orbit,
            DistanceFog {
                color: theme::VOID,
                falloff: FogFalloff::Linear { start: reach, end: reach * 2.2 },
                ..default()
            },
            // Together with the sun, enough light to show a surface that faces up in the exact colour of the
            // palette.
            AmbientLight { color: theme::SKY.mix(&theme::TEXT, 0.6), brightness: 420.0, ..default() },
            scene.despawn_on_exit(),
        ));
        let shadow_maps_enabled = self.painter.has_shadows();
        self.commands.spawn((
            DirectionalLight { illuminance: 2_600.0, shadow_maps_enabled, ..default() },
            CascadeShadowConfigBuilder { num_cascades: 1, maximum_distance: reach * 1.6, ..default() }
                .build(),
            Transform::default().looking_to(Vec3::new(0.6, -1.0, -0.28), Vec3::Y),
            scene.despawn_on_exit(),
        ));
    }

    /// A mesh of boxes, each given by two opposite corners; their undersides are left out.
    pub(crate) fn boxes(&mut self, boxes: impl IntoIterator<Item = [Vec3; 2]>) -> Mesh3d {
        let triangles: Vec<_> = boxes.into_iter().flat_map(box_faces).collect();
        self.triangles(&triangles)
    }

    /// A mesh of triangles, counterclockwise as seen from outside.
    pub(crate) fn triangles(&mut self, triangles: &[[Vec3; 3]]) -> Mesh3d {
        Mesh3d(self.meshes.add(folded(triangles)))
    }

    /// Spawns a tiled floor, centred on the origin, at this height.
    pub(crate) fn floor(&mut self, scene: &Scene, size: Vec2, tile: f32, height: f32) {
        let plane = Mesh3d(self.meshes.add(Plane3d::new(Vec3::Y, size / 2.0)));
        let place = Transform::from_xyz(0.0, height, 0.0);
        self.commands.spawn((plane, self.painter.floor(size, tile), place, scene.despawn_on_exit()));
    }
}
