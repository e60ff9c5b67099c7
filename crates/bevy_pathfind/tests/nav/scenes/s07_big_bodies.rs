//! Scene 7: units of two and three cells in corridors one, two and three wide; discs round corners.
