//! Meshes, random scenes, and the ground of a bake in a form that does not depend on the numbers of its floors.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use glam::{Affine3A, Quat, UVec2, Vec3};
use pathfind_core::bake::{BakeMesh, BakeSettings, Baked, BakedLinkKind};
use pathfind_core::steer::CounterRng;
use pathfind_core::{AgentKind, Grid, GridCell, KindId, StepRules, Terrain};

/// Whole random numbers.
pub(crate) trait Below {
    /// A number less than `end`.
    fn below(&mut self, end: u32) -> u32;
}

impl Below for CounterRng {
    fn below(&mut self, end: u32) -> u32 {
        (self.bits() % u64::from(end)) as u32
    }
}

pub(crate) fn settings(width: u32, height: u32) -> BakeSettings {
    BakeSettings { size: UVec2::new(width, height), ..BakeSettings::default() }
}

/// A solid box.
pub(crate) fn solid(low: (f32, f32, f32), high: (f32, f32, f32)) -> BakeMesh {
    BakeMesh::cuboid(low.into(), high.into())
}

/// A sheet with four corners.
pub(crate) fn sheet(corners: [(f32, f32, f32); 4]) -> BakeMesh {
    BakeMesh::new(corners.map(Vec3::from).into(), vec![[0, 1, 2], [0, 2, 3]]).expect("a sound mesh")
}

/// A level sheet.
pub(crate) fn level(low: (f32, f32), high: (f32, f32), z: f32) -> BakeMesh {
    sheet([(low.0, low.1, z), (high.0, low.1, z), (high.0, high.1, z), (low.0, high.1, z)])
}

pub(crate) fn bake(settings: BakeSettings, meshes: &[BakeMesh]) -> Baked {
    Baked::new(settings, &meshes.iter().collect::<Vec<_>>()).expect("it can be baked")
}

/// A floor as text: `.` for ground, `#` for none.
pub(crate) fn picture(baked: &Baked, floor: usize) -> String {
    let mark = |x, y| {
        let on_floor = baked.spans((x, y)).iter().any(|span| span.floor() == Some(floor));
        if on_floor { '.' } else { '#' }
    };
    let size = baked.settings().size.as_ivec2();
    (0..size.y).map(|y| (0..size.x).map(|x| mark(x, y)).chain(['\n']).collect::<String>()).collect()
}

/// A random solid or sheet within a box of 24 cells.
pub(crate) fn random_mesh(rng: &mut CounterRng) -> BakeMesh {
    let mut between = {
        let mut own = CounterRng::new(rng.bits(), 0, 0);
        move |low: f32, high: f32| low + (high - low) * own.unit()
    };
    let size = Vec3::new(between(0.05, 6.0), between(0.05, 6.0), between(0.05, 3.0));
    let place = Vec3::new(between(-2.0, 26.0), between(-2.0, 26.0), between(-1.0, 5.0));
    let (turn, tilt) = (between(0.0, 6.3), between(-0.9, 0.9));
    let kind = rng.below(6);
    let rotation = match kind {
        0 | 1 => Quat::IDENTITY,
        2 | 3 => Quat::from_rotation_z(turn),
        _ => Quat::from_rotation_z(turn) * Quat::from_rotation_x(tilt),
    };
    let mesh = if rng.below(4) == 0 {
        level((-size.x / 2.0, -size.y / 2.0), (size.x / 2.0, size.y / 2.0), 0.0)
    } else {
        BakeMesh::cuboid(-size / 2.0, size / 2.0)
    };
    // Whole numbers too, so that faces lie on the borders of cells.
    let place = if kind == 1 { place.round() } else { place };
    let terrain = Terrain([0, 0, 0, 7][rng.below(4) as usize]);
    let at = Affine3A::from_rotation_translation(rotation, place);
    mesh.transformed(&at).expect("it is finite").with_terrain(terrain)
}

/// Hills under the whole box.
pub(crate) fn hills(rng: &mut CounterRng) -> BakeMesh {
    let (a, b, c) = (rng.unit(), rng.unit(), rng.unit());
    let hills = BakeMesh::heightmap(UVec2::splat(25), |x, y| {
        let (x, y) = (x as f32, y as f32);
        3.0 * a * libm::sinf(x * 0.7 * b) + 2.0 * libm::cosf(y * 0.6 * c) + 0.05 * ((x * 7.0 + y * 3.0) % 5.0)
    });
    // So that the centres of cells lie on no edges.
    let off = Affine3A::from_scale_rotation_translation(
        Vec3::new(1.07, 1.03, 1.0),
        Quat::IDENTITY,
        Vec3::new(-0.71, -0.37, 0.0),
    );
    hills.transformed(&off).expect("it is finite")
}

pub(crate) fn random_scene(rng: &mut CounterRng, meshes: u64) -> Vec<BakeMesh> {
    let ground = if rng.below(2) == 0 { hills(rng) } else { level((0.0, 0.0), (24.0, 25.0), 0.0) };
    core::iter::once(ground).chain((0..meshes).map(|_| random_mesh(rng))).collect()
}

/// A walkable surface: its cell, and its index in the column.
pub(crate) type Place = (i32, i32, usize);

/// The surface of a floor over a cell.
pub(crate) fn place_on(baked: &Baked, floor: usize, cell: GridCell) -> Option<Place> {
    let at = baked.spans(cell).iter().position(|span| span.floor() == Some(floor))?;
    Some((cell.x, cell.y, at))
}

/// The straight steps between walkable surfaces that an agent who climbs anything can take, joints among them: what
/// the grids and links of a bake say, without the numbers of the floors.
pub(crate) fn steps(baked: &Baked) -> BTreeSet<(Place, Place)> {
    let climber = AgentKind::default().with_climb(f32::INFINITY);
    let mut all = BTreeSet::new();
    for floor in 0..baked.floor_count() {
        let mut grid: Grid = baked.grid(floor);
        // Terrain 7 is ground as well.
        grid.set_kind(KindId::default(), climber.clone()).expect("a sound kind");
        for cell in grid.bounds().cells() {
            for direction in grid.steps_from(KindId::default(), StepRules::FOUR, cell) {
                let ends = [cell, cell.step(direction)].map(|cell| place_on(baked, floor, cell));
                all.insert((ends[0].expect("a surface"), ends[1].expect("a surface")));
            }
        }
    }
    for (from, to) in crossings(baked, |kind| kind == BakedLinkKind::Joint) {
        all.extend([(from, to), (to, from)]);
    }
    all
}

/// The links of some kinds, cell by cell.
pub(crate) fn crossings(baked: &Baked, wanted: impl Fn(BakedLinkKind) -> bool) -> BTreeSet<(Place, Place)> {
    let mut all = BTreeSet::new();
    for link in baked.links().into_iter().filter(|link| wanted(link.kind)) {
        for (from, to) in link.from.cells.cells().zip(link.to.cells.cells()) {
            let ends = [(link.from.floor, from), (link.to.floor, to)];
            let [from, to] =
                ends.map(|(floor, cell)| place_on(baked, floor, cell).expect("it ends on ground"));
            all.insert((from, to));
        }
    }
    all
}

/// Whether steps and joints lead from one surface to another.
pub(crate) fn is_connected(baked: &Baked, from: Place, to: Place) -> bool {
    let mut next: BTreeMap<Place, Vec<Place>> = BTreeMap::new();
    steps(baked).into_iter().for_each(|(a, b)| next.entry(a).or_default().push(b));
    let (mut seen, mut open) = (BTreeSet::from([from]), VecDeque::from([from]));
    while let Some(at) = open.pop_front() {
        open.extend(next.get(&at).into_iter().flatten().copied().filter(|&it| seen.insert(it)));
    }
    seen.contains(&to)
}

/// Checks what holds for every bake: each walkable surface has a floor, and no two of a column have the same.
pub(crate) fn check_floors(baked: &Baked) {
    for cell in baked.grid(0).bounds().cells() {
        let floors: Vec<_> = baked.spans(cell).iter().filter_map(|span| span.floor()).collect();
        let walkable = baked.spans(cell).iter().filter(|span| span.obstruction().is_none()).count();
        let different: BTreeSet<_> = floors.iter().collect();
        assert_eq!((different.len(), floors.len()), (walkable, walkable), "{cell}: {floors:?}");
        assert!(floors.iter().all(|&floor| floor < baked.floor_count()), "{cell}: {floors:?}");
    }
}
