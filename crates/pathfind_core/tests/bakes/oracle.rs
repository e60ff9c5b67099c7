//! A reference that shares nothing with the code under test: points strewn densely over all triangles, a vertical ray
//! through each centre, and the parity of the surfaces above for the inside of solids.

use glam::Vec3;
use pathfind_core::bake::{BakeMesh, BakeSettings, Obstruction};
use pathfind_core::steer::CounterRng;

use crate::support::{bake, check_floors, random_scene, settings};

/// The distance of samples, in cells.
const SPACING: f32 = 1.0 / 12.0;

/// A triangle, and whether it belongs to a solid.
struct Facet {
    corners: [Vec3; 3],
    solid: Option<usize>,
    /// The cosine of its slope.
    up: f32,
}

struct Reference {
    facets: Vec<Facet>,
    solids: usize,
    /// Samples of each cell of 24 by 24, with the facet.
    samples: Vec<Vec<(Vec3, usize)>>,
}

impl Reference {
    fn new(meshes: &[BakeMesh]) -> Self {
        let mut facets = Vec::new();
        for (index, mesh) in meshes.iter().enumerate() {
            for corners in mesh.corners() {
                let [a, b, c] = corners;
                let up = (b - a).cross(c - a).normalize_or_zero().z.abs();
                facets.push(Facet { corners, solid: (mesh.triangle_count() == 12).then_some(index), up });
            }
        }
        let mut samples = vec![Vec::new(); 24 * 24];
        for (index, facet) in facets.iter().enumerate() {
            let [a, b, c] = facet.corners;
            let count = (((b - a).length().max((c - a).length()) / SPACING) as usize + 1).max(1);
            for (i, j) in (0..=count).flat_map(|i| (0..=count - i).map(move |j| (i, j))) {
                let at = a + (b - a) * (i as f32 / count as f32) + (c - a) * (j as f32 / count as f32);
                let cell = at.truncate().floor();
                if cell.min_element() >= 0.0 && cell.max_element() < 24.0 {
                    samples[cell.y as usize * 24 + cell.x as usize].push((at, index));
                }
            }
        }
        Self { facets, solids: meshes.len(), samples }
    }

    /// The facets over a point, with their heights; `None` if an edge is too near to tell.
    fn over(&self, x: f32, y: f32) -> Option<Vec<(f32, usize)>> {
        let mut found = Vec::new();
        for (index, facet) in self.facets.iter().enumerate() {
            let [a, b, c] = facet.corners.map(|it| it.as_dvec3());
            let (x, y) = (f64::from(x), f64::from(y));
            let det = (b.y - c.y) * (a.x - c.x) + (c.x - b.x) * (a.y - c.y);
            if det.abs() < 1e-9 {
                continue;
            }
            let u = ((b.y - c.y) * (x - c.x) + (c.x - b.x) * (y - c.y)) / det;
            let v = ((c.y - a.y) * (x - c.x) + (a.x - c.x) * (y - c.y)) / det;
            let least = u.min(v).min(1.0 - u - v);
            if least.abs() < 1e-3 {
                return None;
            }
            if least > 0.0 {
                found.push(((u * a.z + v * b.z + (1.0 - u - v) * c.z) as f32, index));
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        Some(found)
    }

    /// Whether a height is inside any solid, by the number of its faces above.
    fn is_inside(&self, over: &[(f32, usize)], height: f32) -> bool {
        let above = |solid| {
            over.iter().filter(|(z, facet)| *z > height && self.facets[*facet].solid == Some(solid)).count()
        };
        (0..self.solids).any(|solid| above(solid) % 2 == 1)
    }

    /// What stands on ground of a facet in a cell, with limits made wider by `slack`: `Some(true)` if something does,
    /// for negative slack what does so beyond doubt.
    fn is_obstructed(&self, with: &BakeSettings, cell: (i32, i32), ground: usize, slack: f32) -> bool {
        let [a, b, c] = self.facets[ground].corners;
        let normal = (b - a).cross(c - a);
        let plane = |at: Vec3| a.z - ((at.x - a.x) * normal.x + (at.y - a.y) * normal.y) / normal.z;
        let is_ground = |facet: &Facet| facet.up >= libm::cosf(with.max_slope);
        self.samples[cell.1 as usize * 24 + cell.0 as usize].iter().any(|&(at, index)| {
            let facet = &self.facets[index];
            let border = (at.x.fract().min(1.0 - at.x.fract())).min(at.y.fract().min(1.0 - at.y.fract()));
            let rise =
                if is_ground(facet) && !self.is_ceiling(index) { libm::tanf(with.max_slope) } else { 0.0 };
            let above = at.z - plane(at);
            let is_in_cell = slack >= 0.0 || border > 0.01;
            index != ground
                && is_in_cell
                && above > with.step + rise - slack
                && above < with.head_room + slack
        })
    }

    /// Whether a facet is the lower side of a solid: the solid lies above it.
    fn is_ceiling(&self, index: usize) -> bool {
        let facet = &self.facets[index];
        let Some(solid) = facet.solid else { return false };
        let all = self.facets.iter().filter(|other| other.solid == Some(solid)).flat_map(|it| it.corners);
        let (sum, count) = all.fold((Vec3::ZERO, 0.0), |(sum, count), it| (sum + it, count + 1.0));
        let [a, b, c] = facet.corners;
        let normal = (b - a).cross(c - a);
        (sum / count - a).dot(normal) * normal.z > 0.0
    }
}

#[test]
fn random_scenes_are_as_dense_samples_say() {
    let (mut walkable, mut steep, mut blocked, mut unsure) = (0, 0, 0, 0);
    for seed in 0..40 {
        let mut rng = CounterRng::new(seed, 54, 0);
        let scene = random_scene(&mut rng, 4 + seed % 20);
        let step = [0.1, 0.4, 0.8][seed as usize % 3];
        let with = BakeSettings { step, low: -4.0, high: 9.0, ..settings(24, 24) };
        let baked = bake(with, &scene);
        check_floors(&baked);
        let reference = Reference::new(&scene);
        for (x, y) in (0..24).flat_map(|y| (0..24).map(move |x| (x, y))) {
            let Some(over) = reference.over(x as f32 + 0.5, y as f32 + 0.5) else {
                unsure += 1;
                continue;
            };
            for (at, &(height, facet)) in over.iter().enumerate() {
                let up = reference.facets[facet].up;
                let is_one = at > 0 && over[at - 1].0 - height < 0.01;
                let is_limit = (up - libm::cosf(with.max_slope)).abs() < 1e-4 || height < with.low + 0.01;
                if is_one
                    || is_limit
                    || height > with.high - 0.01
                    || over.get(at + 1).is_some_and(|it| height - it.0 < 0.01)
                {
                    continue;
                }
                let spans = baked.spans((x, y));
                let found = spans.iter().find(|span| (span.height - height).abs() < 0.005);
                if reference.is_ceiling(facet) && up >= libm::cosf(with.max_slope) {
                    assert!(found.is_none(), "{seed}: ({x}, {y}) has ground on the lower side at {height}");
                    continue;
                }
                let found =
                    found.unwrap_or_else(|| panic!("{seed}: ({x}, {y}) has nothing at {height}: {spans:?}"));
                if up < libm::cosf(with.max_slope) {
                    assert_eq!(
                        found.obstruction(),
                        Some(Obstruction::TooSteep),
                        "{seed}: ({x}, {y}) {height}"
                    );
                    steep += 1;
                    continue;
                }
                let low = over[..at].iter().any(|above| above.0 - height < with.head_room - 0.01);
                let maybe_low = over[..at].iter().any(|above| above.0 - height < with.head_room + 0.01);
                let is_inside = reference.is_inside(&over, height + 0.005);
                let surely = low || is_inside || reference.is_obstructed(&with, (x, y), facet, -0.01);
                let maybe = maybe_low
                    || is_inside
                    || reference.is_obstructed(&with, (x, y), facet, 2.5 * SPACING)
                    || is_near_border(&reference, (x, y));
                let is_walkable = found.obstruction().is_none();
                assert!(!(surely && is_walkable), "{seed}: ({x}, {y}) at {height} is obstructed");
                assert!(maybe || is_walkable, "{seed}: ({x}, {y}) at {height} is free");
                walkable += u32::from(is_walkable);
                blocked += u32::from(!is_walkable);
            }
        }
    }
    assert!(
        walkable > 5000 && steep > 200 && blocked > 2000 && unsure < 1500,
        "{walkable} {steep} {blocked} {unsure}"
    );
}

/// Whether a small part of a triangle may reach into the cell between all samples.
fn is_near_border(reference: &Reference, (x, y): (i32, i32)) -> bool {
    let around = (y - 1..=y + 1).flat_map(|y| (x - 1..=x + 1).map(move |x| (x, y)));
    let inside = around.filter(|&(x, y)| (0..24).contains(&x) && (0..24).contains(&y));
    let own = (x as f32, y as f32);
    inside.filter(|&it| it != (x, y)).any(|(x, y)| {
        reference.samples[(y * 24 + x) as usize].iter().any(|(at, facet)| {
            let away = (own.0 - at.x).max(at.x - own.0 - 1.0).max(own.1 - at.y).max(at.y - own.1 - 1.0);
            // Only what is no ground can block by so little.
            away < 1.5 * SPACING && reference.facets[*facet].solid.is_some()
        })
    })
}
