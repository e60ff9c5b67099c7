//! Saved values come back as they were, and what no constructor makes is refused.

use glam::{Vec2, Vec3};
use pathfind_core::steer::MovementPlane;
use pathfind_core::steer::pursue::VelocityEstimate;
use pathfind_core::steer::seek::Wander;
use pathfind_core::{Answer, Cell, CostTable, Cursor, Grid, PathQuery, Route, SearchScratch, Terrain, solve};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn comes_back<T: Serialize + DeserializeOwned + PartialEq + core::fmt::Debug>(value: &T) {
    let text = serde_json::to_string(value).expect("it can be written");
    let back: T = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error} in {text}"));
    assert_eq!(&back, value, "{text}");
}

#[test]
fn serialized_values_round_trip() {
    let table = CostTable::default().with(Terrain(9), 2.5).unwrap().blocked(Terrain::GROUND);
    comes_back(&table);
    comes_back(&CostTable::default());
    comes_back(&MovementPlane::from_up(Vec3::new(0.3, -0.8, 0.5)).unwrap());
    let grid = Grid::from_ascii("....\n.##.\n....").unwrap();
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(3, 2));
    let answer: Answer = solve(&grid, &query, &mut SearchScratch::default()).unwrap();
    comes_back(&answer);
    let mut cursor = Cursor::default();
    _ = cursor.advance(&Route::new(vec![Vec2::ZERO, Vec2::X * 5.0]), 1.5).count();
    comes_back(&cursor);
}

#[test]
fn a_route_is_saved_as_its_points() {
    let route = Route::new(vec![Vec2::ZERO, Vec2::X, Vec2::ONE]);
    assert_eq!(serde_json::to_string(&route).unwrap(), "[[0.0,0.0],[1.0,0.0],[1.0,1.0]]");
    comes_back(&route);
}

#[test]
fn values_that_no_constructor_makes_are_refused() {
    fn refused<T: DeserializeOwned + core::fmt::Debug>(text: &str) -> String {
        serde_json::from_str::<T>(text).expect_err("it is no value").to_string()
    }
    let cost = refused::<CostTable>("[[9, -1.0]]");
    assert!(cost.contains("cost"), "{cost}");
    let plane = refused::<MovementPlane>(r#"{"right": [1.0, 0.0, 0.0], "ahead": [1.0, 0.0, 0.0]}"#);
    assert!(plane.contains("square"), "{plane}");
    let cursor = refused::<Cursor>(r#"{"distance": -1.0}"#);
    assert!(cursor.contains("below 0"), "{cursor}");
    let estimate = refused::<VelocityEstimate>(r#"{"last": [1e39, 0.0, 0.0], "velocity": null}"#);
    assert!(estimate.contains("infinite") || estimate.contains("out of range"), "{estimate}");
    let wander = refused::<Wander>(r#"{"heading": [0.0, 0.0], "offset": [0.0, 0.0, 0.0]}"#);
    assert!(wander.contains("length"), "{wander}");
}
