//! Scene 2: a wall placed on nobody's path: zero plans made again.
