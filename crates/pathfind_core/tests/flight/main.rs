//! Flight by path, compared with simpler ways to flee and with the best play that there is.

mod choice;
mod game;
mod map;
mod ways_to_flee;
