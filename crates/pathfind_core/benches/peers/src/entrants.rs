//! All who take part: the yardsticks, this project, and the peers, each under its own rule.

mod grid_pathfinding;
mod hierarchical_pathfinding;
mod outline;
mod own;
mod pathfinding;
mod polyanya;
mod scratch;
mod textbook_astar;
mod textbook_theta;

use pathfind_core::{Algorithm, CornerRule};

use crate::entrant::{Entry, Moves};

/// The name of the A* that every time is divided by.
pub(crate) const YARDSTICK: &str = "textbook_astar";
/// The name of the Theta* that times of any-angle searches may be held against.
pub(crate) const THETA_YARDSTICK: &str = "textbook_theta";

/// Every entrant, yardsticks first.
pub(crate) fn all() -> Vec<Entry> {
    let mut entries = vec![
        Entry::own(YARDSTICK, Moves::Steps, CornerRule::Never, textbook_astar::TextbookAStar::new),
        Entry::own(THETA_YARDSTICK, Moves::AnyAngle, CornerRule::Never, textbook_theta::TextbookTheta::new),
    ];
    entries.extend(Algorithm::ALL.into_iter().map(own::entry));
    entries.extend([
        Entry::peer("pathfinding", Moves::Steps, CornerRule::Never, pathfinding::Pathfinding::new),
        Entry::peer(
            "grid_pathfinding",
            Moves::Steps,
            CornerRule::Always,
            grid_pathfinding::GridPathfinding::new,
        ),
        Entry::peer(
            "hierarchical_pathfinding",
            Moves::Steps,
            CornerRule::Always,
            hierarchical_pathfinding::Hierarchical::new,
        ),
        Entry::peer("polyanya", Moves::AnyAngle, CornerRule::OneFree, polyanya::Polyanya::new),
    ]);
    entries
}
