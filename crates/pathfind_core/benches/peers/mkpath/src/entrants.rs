//! The textbook A*, this project's jump point search, and mkpath's.

mod mkpath;
#[path = "../../src/entrants/own.rs"]
mod own;
#[path = "../../src/entrants/scratch.rs"]
mod scratch;
#[path = "../../src/entrants/textbook_astar.rs"]
mod textbook_astar;

use pathfind_core::{Algorithm, CornerRule};

use crate::board::Question;
use crate::entrant::{Entry, Moves};

/// The name of the A* that all times are compared with.
pub(crate) const YARDSTICK: &str = "textbook_astar";
/// The name of a Theta* that times would be compared with.
pub(crate) const THETA_YARDSTICK: &str = "textbook_theta";

/// All entrants, the textbook search first.
pub(crate) fn all() -> Vec<Entry> {
    vec![
        Entry::own(YARDSTICK, Moves::Steps, CornerRule::Never, textbook_astar::TextbookAStar::new),
        own::entry(Algorithm::Jps),
        Entry::peer("mkpath", Moves::Steps, CornerRule::Never, mkpath::MkPath::new)
            .answering(&[Question::Plain]),
    ]
}
