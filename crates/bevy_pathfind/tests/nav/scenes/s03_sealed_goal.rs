//! Scene 3: a thousand agents and a sealed goal on a large map: all end at the nearest ring, no two on a cell.
