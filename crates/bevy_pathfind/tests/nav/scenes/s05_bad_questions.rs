//! Scene 5: goal solid, start solid, start = goal, out of bounds, empty grids: typed outcomes, no panic, no flood.
