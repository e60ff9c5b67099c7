//! Scene 6: each corner rule with each algorithm, sight and smoothing: nothing forbidden is crossed.
