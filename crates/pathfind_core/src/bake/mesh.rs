//! The triangles that are baked.

use std::sync::Arc;

use glam::{Affine3A, DVec3, UVec2, Vec3};

use super::BakeError;
use super::face::EDGE;
use super::settings::bounds;
use crate::grid::{CellRect, GridCell, Terrain, floor};
use crate::rng::mix;

/// Triangles in the grid space of a bake: x along columns, y along rows, z up, in cells; with a terrain class each.
///
/// Copies and [transformed](Self::transformed) meshes share their triangles.
#[derive(Clone, Debug)]
pub struct BakeMesh {
    vertices: Vec<Vec3>,
    triangles: Arc<[[u32; 3]]>,
    terrains: Arc<[Terrain]>,
    /// Whether every edge has a triangle on either side.
    is_closed: bool,
    /// Six times the volume, as the triangles face; of a mesh that is not closed, 0.
    volume: f64,
    low: Vec3,
    high: Vec3,
    /// The bounds of each [`CHUNK`] triangles that follow one another, so that a rebake skips most of a large mesh.
    chunks: Vec<[Vec3; 2]>,
}

/// How many triangles have common bounds.
const CHUNK: usize = 64;
/// A closed mesh that is thinner than this along columns or rows, in cells, is a sheet.
const THIN: f32 = 8.0 * EDGE as f32;

impl BakeMesh {
    /// A mesh of [`Terrain::GROUND`]. Triangles without area are ignored.
    ///
    /// # Errors
    /// [`BakeError::BadVertex`] and [`BakeError::BadTriangle`].
    pub fn new(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Result<Self, BakeError> {
        check_vertices(&vertices)?;
        let is_inside = |triangle: &[u32; 3]| triangle.iter().all(|&it| (it as usize) < vertices.len());
        if let Some(bad) = triangles.iter().position(|triangle| !is_inside(triangle)) {
            return Err(BakeError::BadTriangle(bad as u32));
        }
        let is_closed = is_closed(&vertices, &triangles);
        let terrains = vec![Terrain::GROUND; triangles.len()].into();
        Ok(Self::measured(vertices, triangles.into(), terrains, is_closed))
    }

    /// A solid box from one corner to another, both finite.
    #[must_use]
    pub fn cuboid(low: Vec3, high: Vec3) -> Self {
        let corner = |i: u32| Vec3::select(glam::BVec3::new(i & 1 > 0, i & 2 > 0, i & 4 > 0), high, low);
        let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles: Vec<_> = sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        let terrains = vec![Terrain::GROUND; triangles.len()].into();
        Self::measured((0..8).map(corner).collect(), triangles.into(), terrains, true)
    }

    /// A sheet of ground by the heights of its columns and rows of points, one cell apart, from (0, 0) on. Points
    /// whose height is not finite are holes.
    #[must_use]
    pub fn heightmap(points: UVec2, mut height: impl FnMut(u32, u32) -> f32) -> Self {
        let all = (0..points.y).flat_map(|y| (0..points.x).map(move |x| (x, y)));
        let vertices: Vec<_> = all.map(|(x, y)| Vec3::new(x as f32, y as f32, height(x, y))).collect();
        let squares = (1..points.y).flat_map(|y| (1..points.x).map(move |x| y * points.x + x));
        let corners = |d: u32| [d - points.x - 1, d - points.x, d, d - 1];
        let is_sound = |it: &[u32; 3]| it.iter().all(|&at| vertices[at as usize].z.is_finite());
        let triangles: Vec<_> =
            squares.map(corners).flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).filter(is_sound).collect();
        let terrains = vec![Terrain::GROUND; triangles.len()].into();
        // Holes keep their vertices; no triangle has them.
        let flat = |it: Vec3| if it.z.is_finite() { it } else { it.truncate().extend(0.0) };
        Self::measured(vertices.iter().copied().map(flat).collect(), triangles.into(), terrains, false)
    }

    /// With one class of terrain all over.
    #[must_use]
    pub fn with_terrain(self, terrain: Terrain) -> Self {
        self.with_terrain_by(|_| terrain)
    }

    /// With a class of terrain for each triangle, by its index.
    #[must_use]
    pub fn with_terrain_by(mut self, terrain: impl FnMut(usize) -> Terrain) -> Self {
        self.terrains = (0..self.triangles.len()).map(terrain).collect();
        self
    }

    /// The mesh at another place, turned, scaled or mirrored.
    ///
    /// # Errors
    /// [`BakeError::BadVertex`] if a vertex is not finite then.
    pub fn transformed(&self, by: &Affine3A) -> Result<Self, BakeError> {
        let vertices: Vec<_> = self.vertices.iter().map(|&vertex| by.transform_point3(vertex)).collect();
        check_vertices(&vertices)?;
        Ok(Self::measured(vertices, self.triangles.clone(), self.terrains.clone(), self.is_closed))
    }

    /// The corners of each triangle.
    pub fn corners(&self) -> impl Iterator<Item = [Vec3; 3]> {
        self.triangles.iter().map(|triangle| triangle.map(|it| self.vertices[it as usize]))
    }

    /// The number of triangles.
    #[must_use]
    pub fn triangle_count(&self) -> usize {
        self.triangles.len()
    }

    /// The cells of a box of this size that the mesh may change: those below it and those beside them. `None` if it
    /// lies outside the box.
    #[must_use]
    pub fn cells(&self, size: UVec2) -> Option<CellRect> {
        let cell = |point: Vec3| GridCell::new(floor(point.x.into()), floor(point.y.into()));
        let all = CellRect { min: cell(self.low), max: cell(self.high) }.grown(1);
        all.intersection(bounds(size)).filter(|_| !self.triangles.is_empty())
    }

    fn measured(
        vertices: Vec<Vec3>,
        triangles: Arc<[[u32; 3]]>,
        terrains: Arc<[Terrain]>,
        is_closed: bool,
    ) -> Self {
        let corners = |triangle: &[u32; 3]| triangle.map(|it| vertices[it as usize]);
        let bounds_of = |part: &[[u32; 3]]| {
            let empty = [Vec3::INFINITY, Vec3::NEG_INFINITY];
            part.iter().flat_map(corners).fold(empty, |[low, high], it| [low.min(it), high.max(it)])
        };
        let chunks: Vec<_> = triangles.chunks(CHUNK).map(bounds_of).collect();
        let all = chunks.iter().copied().reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]);
        let [low, high] = all.unwrap_or_default();
        let volume = |triangle: &[u32; 3]| {
            let [a, b, c] = corners(triangle).map(|corner| (corner - low).as_dvec3());
            a.dot(b.cross(c))
        };
        let volume = if is_closed { triangles.iter().map(volume).sum() } else { 0.0 };
        Self { vertices, triangles, terrains, is_closed, volume, low, high, chunks }
    }

    /// Whether the mesh is a body, and whether its triangles face inwards.
    pub(super) fn solid(&self) -> Option<bool> {
        let size = self.high - self.low;
        let is_thick = size.min_element() > THIN
            && self.volume.abs() > 1e-6 * f64::from(size.x) * f64::from(size.y) * f64::from(size.z);
        (self.is_closed && is_thick).then_some(self.volume < 0.0)
    }

    /// The corners and terrain of the triangles that may touch a rectangle of grid space.
    pub(super) fn near(&self, low: Vec3, high: Vec3) -> impl Iterator<Item = ([Vec3; 3], Terrain)> {
        let meets = move |[from, to]: &[Vec3; 2]| from.cmple(high).all() && to.cmpge(low).all();
        let whole = [self.low, self.high];
        let chunks = self.chunks.iter().enumerate().filter(move |(_, bounds)| meets(&whole) && meets(bounds));
        let all = chunks.flat_map(move |(at, _)| at * CHUNK..self.triangles.len().min((at + 1) * CHUNK));
        all.map(|at| (self.triangles[at].map(|it| self.vertices[it as usize]), self.terrains[at]))
            .filter(move |([a, b, c], _)| meets(&[a.min(*b).min(*c), a.max(*b).max(*c)]))
    }
}

fn check_vertices(vertices: &[Vec3]) -> Result<(), BakeError> {
    let bad = vertices.iter().position(|vertex| !vertex.is_finite());
    bad.map_or(Ok(()), |at| Err(BakeError::BadVertex(at as u32)))
}

/// Whether each edge is passed as often in one direction as in the other. Vertices at one point count as one, because
/// meshes repeat those at hard edges.
///
/// Each directed edge adds a hash to a sum, and its opposite subtracts the same: the sum is 0 for a closed mesh, and
/// for an open one with a probability of 2^-64.
fn is_closed(vertices: &[Vec3], triangles: &[[u32; 3]]) -> bool {
    // 0 added makes one zero of both.
    let key = |at: u32| {
        let point = vertices[at as usize] + 0.0;
        point.to_array().into_iter().fold(0, |key, axis| mix(key ^ u64::from(axis.to_bits())))
    };
    let edge = |a: u64, b: u64| mix(a ^ mix(b));
    let sum = triangles.iter().fold(0_u64, |sum, triangle| {
        let [a, b, c] = triangle.map(key);
        [(a, b), (b, c), (c, a)]
            .into_iter()
            .fold(sum, |sum, (a, b)| sum.wrapping_add(edge(a, b)).wrapping_sub(edge(b, a)))
    });
    sum == 0 && !triangles.is_empty()
}

/// The normal of a triangle, whose length is twice its area.
pub(super) fn normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a)
}
