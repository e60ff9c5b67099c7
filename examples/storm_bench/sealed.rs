//! All agents are sent to one goal that is walled in: the cost per frame of searching for the nearest reachable
//! cells.

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pathfind::{
    prelude::*,
    solve::{SolveMode, SolveSettings, SolveStats},
    world::Grid,
};

use crate::frame;
use crate::measure::{Measured, add_clocks, print_stages, quantiles};
use crate::{Flags, RATE};

/// Time limit of the run, in seconds.
const TIME_LIMIT: u32 = 60;

/// Search budget per frame, in microseconds.
const BUDGET: u32 = 800;

/// Runs the scene. All searches run on the main thread within a budget, so that the stage clock measures them.
pub(crate) fn run(flags: &Flags) {
    let middle = flags.side as i32 / 2;
    let goal = GridCell::new(middle, middle);
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PathfindPlugins::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(Time::<Fixed>::from_hz(f64::from(RATE)))
        .insert_resource(SolveSettings {
            mode: SolveMode::Sliced,
            micros_per_frame: Some(BUDGET),
            ..default()
        });
    add_clocks(&mut app, || ());
    let mut map = Grid::new(flags.side, flags.side).expect("the side is within the limits of a grid");
    map.fill(CellRect::new((middle - 1, middle - 1).into(), (middle + 1, middle + 1).into()), Terrain::WALL);
    map.set(goal, Terrain::GROUND).expect("the middle lies on the map");
    app.world_mut().spawn(NavGrid::new(map));
    app.update();
    // The agents stand in a block beside the goal, one per cell.
    let wide = (flags.agents as f32).sqrt().ceil() as i32;
    for i in 0..flags.agents as i32 {
        let at = GridCell::new(middle - wide / 2 + i % wide, middle + 20 + i / wide);
        let request = PathRequest::to(goal.center().extend(0.0));
        let place = Transform::from_translation(at.center().extend(0.0));
        app.world_mut().spawn((Agent::default(), place, request));
    }
    Measured::restart(&mut app);
    let mut arrived = app.world_mut().query::<&PathStatus>();
    let settled = (0..TIME_LIMIT * RATE).find(|_| {
        frame(&mut app);
        arrived.iter(app.world()).all(|status| matches!(status, PathStatus::EndedShort(_)))
    });
    let stats = app.world().resource::<SolveStats>().clone();
    let mut measured = Measured::restart(&mut app);
    let [_, _, search] = quantiles(&mut measured.stages[2]);
    print_stages(&mut measured);
    match settled {
        Some(ticks) => println!("sealed   all {} settled after {} ticks", flags.agents, ticks + 1),
        None => println!("sealed   not all of {} have settled after {TIME_LIMIT} s", flags.agents),
    }
    println!(
        "solve    {search:.3} ms in the longest frame, of which up to {:.1} ms to search; {} searches, {} requests shared",
        f64::from(BUDGET) / 1e3,
        stats.finished,
        stats.shared_requests,
    );
}
