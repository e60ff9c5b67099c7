//! Scene 4: two equally near cells to a blocked goal: the cheaper to reach wins.
