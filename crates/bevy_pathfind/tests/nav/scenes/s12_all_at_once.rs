//! Scene 12: eight hundred orders at once across the map: no frame over budget, nobody left without an answer.
