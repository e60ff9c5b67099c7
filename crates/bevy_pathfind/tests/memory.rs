//! The memory of a world of chunks.
//!
//! A single test, because the counter is for the whole process.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    world::{Grid, PartOfGrid},
};

static BYTES: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, with a counter.
struct Counted;

#[expect(unsafe_code, reason = "an allocator cannot be written without; every call is passed on as it came")]
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
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

/// A world of 64² chunks of which a quarter is loaded, with one cell in eight blocked and three kinds of ground.
#[test]
fn a_loaded_cell_takes_three_bytes() {
    const SIDE: i32 = 64;
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PathfindPlugins::default()));
    for _ in 0..3 {
        app.update();
    }
    let before = BYTES.load(Relaxed);
    let mut random = 1u32;
    let mut draw = |below: u32| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 16) % below
    };
    let mut cells = 0;
    for (column, row) in (0..SIDE * SIDE).map(|at| (at % SIDE, at / SIDE)) {
        // A band from corner to corner, so that all chunks are joined.
        if (column - row).abs() > 8 {
            continue;
        }
        let chunk = Grid::from_fn(64, 64, |_| match draw(32) {
            0..4 => Terrain::WALL,
            4 => Terrain::WATER,
            5 => Terrain::SHALLOW,
            _ => Terrain::GROUND,
        });
        let corner = Transform::from_xyz(64.0 * column as f32, 64.0 * row as f32, 0.0);
        app.world_mut().spawn((NavGrid::new(chunk.unwrap()), corner));
        cells += 64 * 64;
    }
    for _ in 0..3 {
        app.update();
    }
    let parts = app.world_mut().query::<&PartOfGrid>().iter(app.world()).count();
    assert_eq!(64 * 64 * parts, cells, "all chunks are joined");
    let taken = (BYTES.load(Relaxed) - before) as f64 / cells as f64;
    assert!(taken <= 3.0, "{taken} bytes a loaded cell");
}
