//! Scene 13: one, two and eight workers, sliced or not: the same paths.
