//! Scene 1: a wall placed on an agent's remaining path: within a tick it hears of it.
