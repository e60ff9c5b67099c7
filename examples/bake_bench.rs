//! Times of a bake, without an engine: a level of hills, walls, boxes and bridges with as many triangles as you ask
//! for, baked as a whole, and again where a door of four cells opens and shuts.
//!
//! ```sh
//! cargo run --release -p pathfind_core --example bake_bench -- --side 512 --triangles 100000
//! ```
//!
//! `edit_ms` is what the rebake of the door costs the thread that owns the grid.

use std::hint::black_box;
use std::time::Instant;

use clap::Parser;
use glam::{UVec2, Vec3};
use pathfind_core::bake::{BakeMesh, BakeSettings, Baked};
use pathfind_core::steer::CounterRng;

#[derive(Parser)]
struct Options {
    /// Cells along a side of the level.
    #[arg(long, default_value_t = 512)]
    side: u32,
    /// About how many triangles the hills have; the boxes on them are more.
    #[arg(long, default_value_t = 100_000)]
    triangles: u32,
    /// How many boxes stand about.
    #[arg(long, default_value_t = 1000)]
    boxes: u32,
    /// How often each is timed; the median counts.
    #[arg(long, default_value_t = 9)]
    rounds: usize,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

fn main() {
    let options = Options::parse();
    let side = options.side as f32;
    let level = level(&options);
    let corner = Vec3::new(side / 2.0, side / 2.0, 0.0).floor() + Vec3::new(30.0, 30.0, -9.0);
    let door = BakeMesh::cuboid(corner, corner + Vec3::new(4.0, 1.0, 18.0));
    let settings =
        BakeSettings { size: UVec2::splat(options.side), low: -8.0, high: 24.0, ..BakeSettings::default() };
    let open: Vec<&BakeMesh> = level.iter().collect();
    let shut: Vec<&BakeMesh> = level.iter().chain([&door]).collect();
    let bake = || Baked::new(settings, &open).expect("the level is sound");
    let bake_ms = median(options.rounds, || _ = black_box(bake()));
    let mut baked = bake();
    let grid_ms = median(options.rounds, || _ = black_box(baked.grid(0)));
    let mut floor = baked.grid(0);
    let rect = door.cells(settings.size).expect("the door stands in the level");
    let (mut is_shut, mut edits) = (false, Vec::new());
    let rebake_ms = median(100 * options.rounds, || {
        is_shut = !is_shut;
        baked.rebake(rect, if is_shut { &shut } else { &open }).expect("the level is sound");
        let begun = Instant::now();
        floor.edit(|edit| baked.write(0, rect, edit));
        edits.push(ms(begun));
    });
    edits.sort_by(f64::total_cmp);
    let edit_ms = edits[edits.len() / 2];
    let triangles: usize = level.iter().map(BakeMesh::triangle_count).sum();
    let (floors, links) = (baked.floor_count(), baked.links().len());
    if options.json {
        let rebake_ms = rebake_ms - edit_ms;
        let side = options.side;
        println!(
            "{{\"triangles\":{triangles},\"side\":{side},\"floors\":{floors},\"links\":{links},\
             \"bake_ms\":{bake_ms:.3},\"grid_ms\":{grid_ms:.3},\"rebake_ms\":{rebake_ms:.4},\"edit_ms\":{edit_ms:.4}}}"
        );
    } else {
        println!("{triangles} triangles on {0} by {0} cells: {floors} floors, {links} links", options.side);
        println!("bake {bake_ms:.1} ms, a floor as a grid {grid_ms:.1} ms");
        println!("door: rebake {:.3} ms, edit {edit_ms:.3} ms", rebake_ms - edit_ms);
    }
}

/// Hills, and boxes and bridges on them.
fn level(options: &Options) -> Vec<BakeMesh> {
    let points = (options.triangles as f32 / 2.0).sqrt() as u32 + 1;
    let scale = options.side as f32 / (points - 1) as f32;
    let hills = BakeMesh::heightmap(UVec2::splat(points), |x, y| {
        let (x, y) = (x as f32 * scale, y as f32 * scale);
        3.0 * libm::sinf(x * 0.05) * libm::cosf(y * 0.04)
    });
    let stretch = glam::Affine3A::from_scale(Vec3::new(scale, scale, 1.0));
    let mut rng = CounterRng::new(54, 0, 0);
    let boxes = (0..options.boxes).map(|i| {
        let size = Vec3::new(1.0 + 6.0 * rng.unit(), 1.0 + 6.0 * rng.unit(), 0.5 + 3.0 * rng.unit());
        let at = Vec3::new(rng.unit() * options.side as f32, rng.unit() * options.side as f32, -2.0);
        let turn = glam::Quat::from_rotation_z(rng.unit() * 3.0);
        let lift = if i % 8 == 0 { Vec3::Z * 7.0 } else { Vec3::ZERO };
        let place = glam::Affine3A::from_rotation_translation(turn, at + lift);
        BakeMesh::cuboid(-size, size).transformed(&place).expect("it is finite")
    });
    let boxes: Vec<_> = boxes.collect();
    [hills.transformed(&stretch).expect("it is finite")].into_iter().chain(boxes).collect()
}

/// The median time of some rounds, in milliseconds.
fn median(rounds: usize, mut work: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..rounds.max(1))
        .map(|_| {
            let begun = Instant::now();
            work();
            ms(begun)
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn ms(begun: Instant) -> f64 {
    begun.elapsed().as_secs_f64() * 1e3
}
