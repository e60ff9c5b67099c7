//! Any sequence of edits and queries.

use proptest::prelude::*;

use crate::runner::{try_all, try_corpus};

mod play;

#[test]
fn an_edited_grid_answers_as_a_rebuilt_grid() {
    let inputs = prop::collection::vec(any::<u8>(), 0..400);
    try_all("edits and questions", 60, inputs, |bytes| play::play(&bytes));
}

#[test]
fn the_corpus_of_edits_passes() {
    try_corpus("edits", play::play);
}
