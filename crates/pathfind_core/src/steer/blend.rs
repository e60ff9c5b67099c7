//! One velocity from many wishes.
