//! Scene 9: two agents head-on in a corridor with a pocket; twenty through a door both ways.
