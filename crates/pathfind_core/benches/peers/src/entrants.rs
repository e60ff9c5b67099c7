//! All entrants: the textbook searches, this project, and other crates, each under its own rule.

mod grid_pathfinding;
mod hierarchical_pathfinding;
mod outline;
mod own;
mod pathfinding;
mod polyanya;
mod scratch;
mod textbook_astar;
mod textbook_theta;

use ::hierarchical_pathfinding::prelude::{ManhattanNeighborhood, MooreNeighborhood};
use pathfind_core::{Algorithm, CornerRule};

use crate::board::Question;
use crate::entrant::{Entry, Moves};
use hierarchical_pathfinding::Hierarchical;

/// The name of the A* that all times are compared with.
pub(crate) const YARDSTICK: &str = "textbook_astar";
/// The name of the Theta* that times of any-angle searches are compared with.
pub(crate) const THETA_YARDSTICK: &str = "textbook_theta";

/// All entrants, textbook searches first.
pub(crate) fn all() -> Vec<Entry> {
    let mut entries = vec![
        Entry::own(YARDSTICK, Moves::Steps, CornerRule::Never, textbook_astar::TextbookAStar::new),
        Entry::own(THETA_YARDSTICK, Moves::AnyAngle, CornerRule::Never, textbook_theta::TextbookTheta::new),
    ];
    entries.extend(Algorithm::ALL.iter().copied().map(own::entry));
    entries.extend([
        Entry::peer("pathfinding", Moves::Steps, CornerRule::Never, pathfinding::Pathfinding::new),
        Entry::peer(
            "grid_pathfinding",
            Moves::Steps,
            CornerRule::Always,
            grid_pathfinding::GridPathfinding::new,
        )
        .answering(&[Question::Plain, Question::Four]),
        Entry::peer("hierarchical_pathfinding", Moves::Steps, CornerRule::Always, |board| {
            Hierarchical::new(board, MooreNeighborhood::new)
        })
        .answering(&[Question::Plain, Question::Blocks]),
        Entry::peer("hierarchical_pathfinding", Moves::Steps, CornerRule::Always, |board| {
            Hierarchical::new(board, ManhattanNeighborhood::new)
        })
        .answering(&[Question::Four]),
        Entry::peer("polyanya", Moves::AnyAngle, CornerRule::OneFree, polyanya::Polyanya::new),
    ]);
    entries
}
