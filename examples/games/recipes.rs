//! The recipes: a server without a window, turns on cells, a ferry.

use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy_pathfind::prelude::*;

use super::{colony, headless_server, moving_ship, play, seconds, turn_based};

#[test]
fn porters_on_the_server_fill_the_store() {
    let mut app = play(headless_server::game);
    seconds(&mut app, 60.0);
    let stock = app.world().resource::<headless_server::Stock>().0;
    assert!(stock >= 24, "each of twelve porters has come twice: {stock}");
    assert!(app.world_mut().query::<&Window>().iter(app.world()).next().is_none());
}

#[test]
fn workers_dig_out_all_ore_and_the_wolf_stays_outside() {
    let mut app = play(colony::game);
    for _ in 0..90 {
        seconds(&mut app, 1.0);
        let mut wolves = app.world_mut().query_filtered::<&Transform, With<colony::Wolf>>();
        assert!(wolves.iter(app.world()).all(|at| at.translation.x > 7.5), "the gate keeps it out");
    }
    assert_eq!(app.world().resource::<colony::Colony>().stock, 4, "all ore is in the store");
}

/// Where the pieces are: the knight first.
fn pieces(app: &mut App) -> Vec<Vec3> {
    use turn_based::{Piece, Wolf};
    let mut pieces = app.world_mut().query::<(Entity, &Piece, Has<Wolf>)>();
    let mut pieces: Vec<_> =
        pieces.iter(app.world()).map(|(it, piece, wolf)| (wolf, it.index(), piece.0)).collect();
    pieces.sort_by_key(|&(is_wolf, index, _)| (is_wolf, index));
    pieces.into_iter().map(|(.., at)| at).collect()
}

#[test]
fn pieces_move_by_cells_in_turns() {
    let mut app = play(turn_based::game);
    seconds(&mut app, 1.0);
    let begin = pieces(&mut app);
    seconds(&mut app, 5.0);
    assert_eq!(pieces(&mut app), begin, "no turn passes while the player thinks");
    // First out of sight of the wolves, then into their sight.
    for (steps, is_caught) in [((2.0, -1.0), false), ((16.0, 0.0), true)] {
        let goal = begin[0] + Vec3::new(steps.0, steps.1, 0.0);
        app.world_mut().resource_mut::<turn_based::Goal>().0 = Some(goal);
        let (mut last, mut was_caught) = (pieces(&mut app), false);
        while app.world().resource::<turn_based::Goal>().0.is_some() {
            seconds(&mut app, 0.25);
            let now = pieces(&mut app);
            was_caught |= now[0] == begin[0];
            for (piece, (from, to)) in last.iter().zip(&now).enumerate() {
                let step = (*to - *from).abs();
                let is_one_cell = step.max_element() < 1.01;
                assert!(is_one_cell || piece == 0 && was_caught, "{piece}: from {from} to {to}");
            }
            let mut cells = now.clone();
            cells.sort_by(|a, b| (a.x, a.y).partial_cmp(&(b.x, b.y)).expect("they are numbers"));
            cells.dedup();
            assert_eq!(cells.len(), now.len(), "no two stand on one cell: {now:?}");
            last = now;
        }
        assert_eq!((last[0] == goal, was_caught), (!is_caught, is_caught), "{last:?}");
    }
}

#[test]
fn the_ferry_carries_its_sailor_and_all_passengers() {
    use moving_ship::{BERTH, Ferry, Passenger};
    let mut app = play(moving_ship::game);
    let mut passengers = app.world_mut().query_filtered::<Entity, With<Passenger>>();
    let passengers: Vec<Entity> = passengers.iter(app.world()).collect();
    let mut crew = app.world_mut().query_filtered::<&Transform, (With<Agent>, Without<Passenger>)>();
    let mut ferries = app.world_mut().query_filtered::<&Transform, With<Ferry>>();
    let (mut crossings, mut sides) = (vec![0; passengers.len()], vec![0.0; passengers.len()]);
    let (mut west, mut east, mut aboard) = (f32::INFINITY, f32::NEG_INFINITY, 0);
    for _ in 0..64 * 120 {
        app.update();
        let sailor = crew.single(app.world()).expect("there is one").translation;
        (west, east) = (west.min(sailor.x), east.max(sailor.x));
        let is_under_way = ferries.single(app.world()).expect("there is one").translation.x.abs() < BERTH;
        // Passengers who board may push it ashore, and over the edge a little as the ferry casts off.
        let is_on_deck = sailor.abs().cmple(Vec3::new(132.0, 64.0, 3.0)).all();
        assert!(is_on_deck || !is_under_way, "the sailor is on deck: {sailor}");
        let ask = |nav: NavQuery,
                   places: TransformHelper,
                   crowd: Query<(Entity, Has<ChildOf>), With<Passenger>>|
         -> Vec<_> {
            let told = |(it, is_aboard)| {
                let at = places.compute_global_transform(it).expect("it has a place").translation();
                (it, at, is_aboard, nav.cell_at(at).is_some())
            };
            crowd.iter().map(told).collect()
        };
        for (it, at, is_aboard, is_on_ground) in app.world_mut().run_system_once(ask).expect("it can run") {
            assert!(is_on_ground, "nobody is in the water: {at}");
            aboard += u32::from(is_aboard && is_under_way);
            let index = passengers.iter().position(|&other| other == it).expect("none is new");
            if at.x.abs() > BERTH + 128.0 && at.x.signum() != sides[index] {
                crossings[index] += usize::from(sides[index] != 0.0);
                sides[index] = at.x.signum();
            }
        }
    }
    assert!(west < -60.0 && east > 60.0, "the sailor walks from {west} to {east}");
    assert!(aboard > 0 && crossings.iter().all(|&count| count >= 2), "each there and back: {crossings:?}");
}
