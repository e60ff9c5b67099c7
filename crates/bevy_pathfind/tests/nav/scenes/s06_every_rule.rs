//! Scene 6: each corner rule with each algorithm, line of sight and smoothing: no path crosses what the rule
//! forbids.
//!
//! The core's own tests compare costs with a slow reference; here they are compared with Dijkstra's search.

use bevy::prelude::*;
use bevy_pathfind::{
    order::{Algorithm, CornerRule},
    prelude::*,
    world::Grid,
};
use pathfind_core::line_of_sight;

use crate::support::*;

#[test]
fn paths_obey_the_rule_in_force() {
    let mut random = Random(6);
    let map = Grid::from_fn(40, 30, |_| match random.below(10) {
        0..3 => Terrain::WALL,
        3 => Terrain::weight(4),
        _ => Terrain::GROUND,
    })
    .unwrap();
    let is_free = |cell: GridCell| map.is_walkable(KindId::default(), cell);
    let free: Vec<GridCell> = map.bounds().cells().filter(|&cell| is_free(cell)).collect();
    let (mut app, _) = app_on(map.clone());
    let mut compared = 0;
    for &corners in CornerRule::ALL {
        for _ in 0..3 {
            let [start, goal] = [(); 2].map(|()| free[random.below(free.len() as u32) as usize]);
            let mut least = None;
            for (&algorithm, straighten) in Algorithm::ALL.iter().flat_map(|a| [(a, false), (a, true)]) {
                let options = |algorithm| SearchOptions { algorithm, corners, straighten, ..default() };
                let mut ask = |algorithm| {
                    let request = PathRequest::to(at((goal.x, goal.y))).with_options(options(algorithm));
                    let agent = spawn_with(&mut app, (start.x, start.y), request);
                    app.update();
                    let path = path(&app, agent).clone();
                    app.world_mut().despawn(agent);
                    path
                };
                let least = *least.get_or_insert_with(|| ask(Algorithm::Dijkstra).cost());
                let path = ask(algorithm);
                if matches!(algorithm, Algorithm::Auto | Algorithm::AStar | Algorithm::Jps) {
                    assert!((path.cost() - least).abs() <= 1e-4 * least.max(1.0), "{algorithm} is optimal");
                    compared += 1;
                }
                for leg in path.waypoints().windows(2) {
                    let (a, b) = (leg[0].truncate(), leg[1].truncate());
                    let sees = line_of_sight(&map, KindId::default(), corners, a, b);
                    assert!(sees, "{algorithm}, {corners:?}: from {a} to {b} it crosses what it may not");
                }
            }
        }
    }
    assert!(compared > 50, "there was something to compare");
}
