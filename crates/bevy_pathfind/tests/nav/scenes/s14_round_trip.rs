//! Scene 14: negative origin, 64-unit and 0.25-unit cells, xz plane, rotated grid: world → cell → world.
