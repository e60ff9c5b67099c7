//! The crate `polyanya`: optimal any-angle search over a mesh of convex polygons.
//!
//! M. Cui, D. Harabor and A. Grastien, "Compromise-free Pathfinding on a Navigation Mesh", 2017. The crate itself
//! makes the mesh from the outlines of the free areas: a constrained triangulation, whose polygons are merged as
//! far as possible, and baked. Paths turn at corners and may slide along walls; as areas are connected through
//! edges only, paths do not squeeze between two blocked cells.

use std::rc::Rc;

use glam::{Vec2, vec2};
use pathfind_core::GridCell;
use polyanya::{Mesh, Polygon, Triangulation, Vertex};

use super::outline::outlines;
use crate::board::{Board, Point, center};
use crate::entrant::Entrant;

pub(super) struct Polyanya {
    mesh: Option<Mesh>,
    start: GridCell,
    found: Vec<Vec2>,
}

impl Polyanya {
    pub(super) fn new(board: &Rc<Board>) -> Self {
        Self { mesh: mesh(board), start: GridCell::new(0, 0), found: Vec::new() }
    }
}

/// One mesh of all free areas; `None` without free cells.
fn mesh(board: &Board) -> Option<Mesh> {
    let (mut vertices, mut polygons) = (Vec::<Vertex>::new(), Vec::<Polygon>::new());
    for area in outlines(board) {
        let mut nearest_cells =
            area.into_iter().map(|ring| ring.into_iter().map(|(x, y)| vec2(x as f32, y as f32)));
        let outer: Vec<Vec2> = nearest_cells.next()?.collect();
        let mut triangulation = Triangulation::from_outer_edges(&outer);
        triangulation.add_obstacles(nearest_cells);
        let mut layer = triangulation.as_layer();
        while layer.merge_polygons() {}
        let (first_vertex, first_polygon) = (vertices.len() as u32, polygons.len() as u32);
        vertices.extend(layer.vertices.into_iter().map(|mut vertex| {
            for polygon in vertex.polygons.iter_mut().filter(|polygon| **polygon != u32::MAX) {
                *polygon += first_polygon;
            }
            vertex
        }));
        polygons.extend(layer.polygons.into_iter().map(|mut polygon| {
            polygon.vertices.iter_mut().for_each(|vertex| *vertex += first_vertex);
            polygon
        }));
    }
    // `Mesh::new` also bakes it.
    Mesh::new(vertices, polygons).ok()
}

impl Entrant for Polyanya {
    fn search(&mut self, start: GridCell, goal: GridCell) -> bool {
        let place = |cell: GridCell| vec2(cell.x as f32 + 0.5, cell.y as f32 + 0.5);
        let found = self.mesh.as_ref().and_then(|mesh| mesh.path(place(start), place(goal)));
        let is_found = found.is_some();
        self.start = start;
        self.found = found.map_or_else(Vec::new, |path| path.path);
        is_found
    }

    fn path(&self) -> Vec<Point> {
        // Its path does not contain the start.
        let rest = self.found.iter().map(|point| (f64::from(point.x), f64::from(point.y)));
        std::iter::once(center(self.start)).chain(rest).collect()
    }
}
