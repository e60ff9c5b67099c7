//! Allocations of searches and crowds, and the memory of grids.
//!
//! A single test, because the counters are for the whole process.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use glam::{IVec2, UVec2, Vec3};
use pathfind_core::{
    AgentKind, Algorithm, CellRect, CornerRule, CostTable, Grid, GridCell, KindId, PathQuery, SearchScratch,
    StepRules, Terrain,
    neighbors::Neighbors,
    solve,
    steer::{
        Body, CounterRng, MovementPlane,
        contact::bodies::{BodyContact, ContactBody, ContactSolver},
        flock::{FlockGroup, FlockMember, FlockMoved, FlockPass, FlockSettings, FlockStep},
        reciprocal::{AgentPreference, CrowdState, ReciprocalPass, ReciprocalSettings, Wall},
    },
};

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);
static BYTES: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, with counters.
struct Counted;

#[expect(unsafe_code, reason = "an allocator cannot be written without; every call is passed on as it came")]
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        BYTES.fetch_add(layout.size(), Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        BYTES.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTED: Counted = Counted;

#[test]
fn a_warm_search_allocates_its_answer_and_grids_are_small() {
    let before = BYTES.load(Relaxed);
    let side = 512;
    // Rooms of 16 cells with doors, and a scatter of pillars.
    let grid = Grid::from_fn(side, side, |GridCell { x, y }| {
        let wall = (x % 16 == 0 && y % 16 != 8) || (y % 16 == 0 && x % 16 != 8);
        let pillar = (x * 7 + y * 13) % 29 == 0;
        if wall || pillar { Terrain::WALL } else { Terrain::GROUND }
    })
    .unwrap();
    let cells = (side * side) as usize;
    let grid_bytes = BYTES.load(Relaxed) - before;
    assert!(grid_bytes <= 3 * cells, "a grid takes {} bytes a cell", grid_bytes as f64 / cells as f64);
    let before = BYTES.load(Relaxed);
    let scatter = Grid::from_fn(side, side, |GridCell { x, y }| {
        let hash = (x as u32).wrapping_mul(0x9e37_79b1) ^ (y as u32).wrapping_mul(0x85eb_ca6b);
        if hash.wrapping_mul(0xc2b2_ae35) >> 16 < 22_938 { Terrain::WALL } else { Terrain::GROUND }
    })
    .unwrap();
    let scatter_bytes = BYTES.load(Relaxed) - before;
    assert!(scatter_bytes <= 3 * cells, "35 % walls: {} bytes a cell", scatter_bytes as f64 / cells as f64);
    drop(scatter);

    let before = BYTES.load(Relaxed);
    let mut space = SearchScratch::default();
    let corner = GridCell::new(side as i32 - 8, side as i32 - 8);
    // The hierarchical search is jump point search here; over long distances it has lists of its own.
    let all = Algorithm::ALL.iter().filter(|&&algorithm| algorithm != Algorithm::Hierarchical);
    for &algorithm in all {
        // Any-angle searches store visible sectors instead of cells; on a map with as many corners as this one,
        // that takes more memory.
        let is_by_cells = algorithm != Algorithm::AnyAngle;
        let corners = if is_by_cells { CornerRule::Never } else { CornerRule::OneFree };
        let query = PathQuery::new(GridCell::new(8, 8), corner)
            .with_algorithm(algorithm)
            .with_steps(StepRules::eight(corners));
        let first = solve(&grid, &query, &mut space).unwrap();
        let space_bytes = BYTES.load(Relaxed) - before;
        assert!(space_bytes <= 10 * cells || !is_by_cells, "{algorithm} works in {space_bytes}");
        let allocations = ALLOCATIONS.load(Relaxed);
        let again = solve(&grid, &query, &mut space).unwrap();
        assert_eq!(ALLOCATIONS.load(Relaxed) - allocations, 1, "{algorithm} allocates its waypoints");
        assert_eq!(first, again, "the same question has the same answer");
    }
    let touches_nothing =
        PathQuery::new(GridCell::new(8, 8), GridCell::new(88, 72)).with_algorithm(Algorithm::AnyAngle);
    solve(&grid, &touches_nothing, &mut space).unwrap();
    let allocations = ALLOCATIONS.load(Relaxed);
    solve(&grid, &touches_nothing, &mut space).unwrap();
    assert_eq!(ALLOCATIONS.load(Relaxed) - allocations, 1, "it allocates its waypoints");

    void_takes_no_memory();
    a_compact_grid_is_small();
    warm_crowds_allocate_nothing();
    warm_flocks_allocate_nothing();
}

/// A chunk of a larger world keeps only its cells, in as few bits as they need.
fn a_compact_grid_is_small() {
    for (classes, most) in [(1, 0.01), (2, 0.14), (4, 0.26), (16, 0.51)] {
        let mut rng = CounterRng::new(13, 0, 0);
        let before = BYTES.load(Relaxed);
        let mut chunk = Grid::from_fn(64, 64, |_| Terrain((rng.unit() * classes as f32) as u8)).unwrap();
        let taken = || (BYTES.load(Relaxed) - before) as f64 / (64.0 * 64.0);
        let expanded = taken();
        chunk.compact();
        assert!(taken() <= most, "{classes} classes: {} bytes a cell, of {expanded}", taken());
        chunk.set(GridCell::new(3, 3), Terrain::WALL).unwrap();
        assert!(chunk.is_compact() && taken() <= most + 0.14, "an edit expands nothing");
        assert!(!chunk.is_walkable(KindId(0), GridCell::new(3, 3)) && !chunk.is_compact(), "a question does");
    }
}

/// Worlds of which a quarter is loaded, in chunks, at random and in a band: what is not loaded takes next to nothing,
/// before and after.
fn void_takes_no_memory() {
    let (chunks, side) = (32i32, 32 * 64);
    for is_band in [false, true] {
        let mut rng = CounterRng::new(12, 0, 0);
        let loaded: Vec<CellRect> = (0..chunks * chunks)
            .map(|at| (at % chunks, at / chunks))
            .filter(|&(x, y)| if is_band { (x - y).abs() <= 4 } else { rng.unit() < 0.25 })
            .map(|(x, y)| {
                CellRect::new(GridCell::new(64 * x, 64 * y), GridCell::new(64 * x + 63, 64 * y + 63))
            })
            .collect();
        let cells = loaded.len() * 64 * 64;
        assert!((200..300).contains(&loaded.len()), "about a quarter");
        let before = BYTES.load(Relaxed);
        let taken = || (BYTES.load(Relaxed) - before) as f64 / cells as f64;
        let mut world = Grid::new(1, 1).unwrap();
        world.set(GridCell::new(0, 0), Terrain::VOID).unwrap();
        let mut world = world.on_canvas(UVec2::splat(side), IVec2::ZERO).unwrap();
        assert!(taken() <= 0.1, "an empty world takes {} bytes a cell to be loaded", taken());
        for &chunk in &loaded {
            let terrain =
                |rng: &mut CounterRng| if rng.unit() < 0.125 { Terrain::WALL } else { Terrain::GROUND };
            world.edit(|edit| edit.map(chunk, |_, _| terrain(&mut rng)));
        }
        let one_kind = taken();
        assert!(one_kind <= 3.0, "{one_kind} bytes a loaded cell, in a band: {is_band}");
        let swimmer = CostTable::default().blocked(Terrain::SHALLOW);
        world.add_kind(AgentKind { costs: swimmer, ..AgentKind::default() }).unwrap();
        let kind = taken() - one_kind;
        assert!(kind <= 1.7, "{kind} bytes a loaded cell and further kind, in a band: {is_band}");
        // The same world from a function.
        let made = BYTES.load(Relaxed);
        let same = Grid::from_fn(side, side, |cell| world.terrain(cell).unwrap()).unwrap();
        let made = (BYTES.load(Relaxed) - made) as f64 / cells as f64;
        assert!(made <= 3.0, "{made} bytes a loaded cell, made by a function, in a band: {is_band}");
        drop(same);
        for &chunk in &loaded {
            world.fill(chunk, Terrain::VOID);
        }
        assert!(taken() <= 0.3, "{} bytes are left for each cell that is not loaded any more", taken());
    }
}

/// Bodies that avoid each other, with contacts, tick by tick.
fn warm_crowds_allocate_nothing() {
    let mut rng = CounterRng::new(9, 0, 0);
    let mut level = |size: f32| Vec3::new(rng.signed(), rng.signed(), 0.0) * size;
    let (mut bodies, preferences): (Vec<Body>, Vec<AgentPreference>) = (0..500)
        .map(|id| {
            (Body::new(level(15.0), level(1.0)).with_radius(0.5), AgentPreference::new(id, level(1.0), 2.0))
        })
        .unzip();
    let contact_bodies: Vec<ContactBody> = (0..500).map(|id| ContactBody { id, yields: 1.0 }).collect();
    let walls = [Wall::new(Vec3::ZERO, Vec3::X * 5.0)];
    let (mut neighbors, mut crowd_state) = (Neighbors::default(), CrowdState::default());
    let mut solver = ContactSolver::default();
    let mut velocities = vec![Vec3::ZERO; bodies.len()];
    let mut tick = || {
        neighbors.build(5.0, &bodies, &[]);
        crowd_state.gather(MovementPlane::XY, &neighbors, &bodies, &preferences);
        let settings = ReciprocalSettings::default();
        let pass = ReciprocalPass {
            settings,
            neighbors: &neighbors,
            crowd_state: &crowd_state,
            walls: &walls,
            dt: 0.02,
        };
        pass.run(0..velocities.len(), &mut velocities).unwrap();
        let before = bodies.clone();
        let allocations = ALLOCATIONS.load(Relaxed);
        solver.solve(&BodyContact::default(), Some(MovementPlane::XY), &mut bodies, &contact_bodies).unwrap();
        bodies = before;
        ALLOCATIONS.load(Relaxed) - allocations
    };
    tick();
    let allocations = ALLOCATIONS.load(Relaxed);
    assert_eq!(tick(), 0, "keeping bodies apart allocates nothing");
    assert_eq!(ALLOCATIONS.load(Relaxed) - allocations, 1, "the copy of the bodies is the test's");
}

/// A flock in a plane and one in space, tick by tick, with some members at one point and a dense cluster.
fn warm_flocks_allocate_nothing() {
    for height in [0.0, 1.0] {
        let mut rng = CounterRng::new(4, 0, 0);
        let mut vector = |size: f32| Vec3::new(rng.signed(), rng.signed(), rng.signed() * height) * size;
        let mut bodies: Vec<Body> = (0..1_000)
            .map(|id| Body::new(vector(if id % 3 == 0 { 2.0 } else { 30.0 }), vector(8.0)))
            .chain([Body::default(); 20])
            .collect();
        let mut members: Vec<FlockMember> =
            (0..bodies.len() as u64).map(|id| FlockMember { id, ..FlockMember::default() }).collect();
        let (mut to, mut to_members) = (bodies.clone(), members.clone());
        let mut steps = vec![FlockStep::default(); bodies.len()];
        let mut neighbors = Neighbors::default();
        let rules = [FlockSettings::default().rules(1.0 / 60.0)];
        let mut tick = |number: u64| {
            let allocations = ALLOCATIONS.load(Relaxed);
            neighbors.build(rules[0].reach(), &bodies, &[]);
            let plane = (height == 0.0).then_some(MovementPlane::XY);
            let groups = [FlockGroup::of(bodies.len(), Vec3::ZERO, None, plane)];
            let pass = FlockPass::new(&neighbors, &members, &rules, &groups).with_plane(plane);
            pass.run(0..steps.len(), &mut steps).unwrap();
            let moved = FlockMoved { bodies: &mut to, members: &mut to_members };
            pass.advance(0..steps.len(), &bodies, &steps, (1, number), moved).unwrap();
            std::mem::swap(&mut bodies, &mut to);
            std::mem::swap(&mut members, &mut to_members);
            ALLOCATIONS.load(Relaxed) - allocations
        };
        assert!(tick(0) > 0, "the first build makes room");
        // A flock that spreads may need more cells, until there are as many as its members allow.
        for number in 1..30 {
            tick(number);
        }
        let allocated: usize = (30..40).map(&mut tick).sum();
        assert_eq!(allocated, 0, "a warm tick allocates nothing, at height {height}");
    }
}
