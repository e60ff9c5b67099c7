//! Saved values come back as they were, and what no constructor makes is refused.

use std::sync::Arc;

use glam::Vec3;
use pathfind_core::{
    AgentKind, Answer, CostTable, Goal, Grid, GridCell, PathQuery, SearchScratch, Terrain,
    graph::{GraphAnswer, GraphQuery, GridId, NavGraph, Place, solve_graph},
    solve,
    steer::{
        MotionLimits, MovementPlane, flock::FlockSettings, pursue::VelocityEstimate,
        reciprocal::AgentPreference, seek::Wander, separate::Separation,
    },
};
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
    let query = PathQuery::new(GridCell::new(0, 0), GridCell::new(3, 2));
    let answer: Answer = solve(&grid, &query, &mut SearchScratch::default()).unwrap();
    comes_back(&answer);
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
    let estimate = refused::<VelocityEstimate>(r#"{"last": [1e39, 0.0, 0.0], "velocity": null}"#);
    assert!(estimate.contains("infinite") || estimate.contains("out of range"), "{estimate}");
    let wander = refused::<Wander>(r#"{"heading": [0.0, 0.0], "offset": [0.0, 0.0, 0.0]}"#);
    assert!(wander.contains("length"), "{wander}");
}

#[test]
fn infinity_comes_back() {
    comes_back(&AgentKind { climb: f32::INFINITY, ..AgentKind::default() });
    comes_back(&AgentPreference::new(1, Vec3::X, 2.0).remaining(f32::INFINITY));
    comes_back(&AgentPreference::new(1, Vec3::X, 2.0).remaining(0.1));
    comes_back(&AgentPreference::default());
    comes_back(&MotionLimits::new(3.0, 0.02));
    comes_back(&FlockSettings::seagull());
    comes_back(&Separation { limit: f32::INFINITY, ..Separation::default() });
    comes_back(&Goal::Within { center: GridCell::new(3, 4), radius: f32::INFINITY });
    let old =
        r#"{"preferred": [1, 0, 0], "max_speed": 2, "yields": 1, "id": 1, "ignores": null, "remaining": 5}"#;
    assert_eq!(
        serde_json::from_str::<AgentPreference>(old).unwrap().remaining,
        Some(5.0),
        "as it was saved before"
    );
    assert!(serde_json::from_str::<AgentKind>(r#"{"climb": null}"#).is_err(), "null may have been NaN");
}

#[test]
fn paths_without_points_are_refused() {
    let grid = Arc::new(Grid::new(4, 4).unwrap());
    let query = PathQuery::new(GridCell::new(0, 0), GridCell::new(3, 2));
    let answer: Answer = solve(&grid, &query, &mut SearchScratch::default()).unwrap();
    let mut text = serde_json::to_value(&answer).unwrap();
    text["waypoints"] = serde_json::json!([]);
    assert!(serde_json::from_value::<Answer>(text).unwrap_err().to_string().contains("empty"));
    let graph = Arc::new(NavGraph::new(vec![grid], Vec::new()).unwrap());
    let query = GraphQuery::new(Place::default(), GridId(0), GridCell::new(3, 2));
    let answer: GraphAnswer = solve_graph(&graph, query, SearchScratch::default()).0.unwrap();
    comes_back(&answer);
    let mut text = serde_json::to_value(&answer).unwrap();
    text["legs"] = serde_json::json!([]);
    assert!(serde_json::from_value::<GraphAnswer>(text).unwrap_err().to_string().contains("empty"));
}
