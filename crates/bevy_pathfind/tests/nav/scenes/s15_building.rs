//! Scene 15: a 10×10 building placed in one frame: one merged repair.
