//! Hostile map files.

use proptest::prelude::*;
use proptest::sample::Index;

use crate::runner::{try_all, try_corpus};

mod read;

const GOOD: &str = "type octile\nheight 3\nwidth 4\nmap\n..@.\nTSWG\nO...\n";

/// Sides that a file may claim.
fn side() -> impl Strategy<Value = String> {
    prop_oneof![
        (0..9u32).prop_map(|side| side.to_string()),
        prop::sample::select(vec![
            "16384",
            "16385",
            "4294967296",
            "18446744073709551615",
            "99999999999999999999"
        ])
        .prop_map(str::to_owned),
        "[-+]?[0-9a-f. ]{0,4}",
    ]
}

/// A map whose header may be wrong.
fn map_with_claimed_size() -> impl Strategy<Value = Vec<u8>> {
    let rows = prop::collection::vec("[.@OTSWG]{0,6}", 0..6);
    let ends = prop_oneof![4 => Just("\n"), 1 => Just("\r\n"), 1 => Just("\r"), 1 => Just("\n\n")];
    (side(), side(), rows, ends).prop_map(|(height, width, rows, end)| {
        let mut lines = vec!["type octile".to_owned(), format!("height {height}"), format!("width {width}")];
        lines.push("map".to_owned());
        lines.extend(rows);
        lines.join(end).into_bytes()
    })
}

/// A valid map with some bytes replaced, removed or doubled.
fn corrupted_map() -> impl Strategy<Value = Vec<u8>> {
    let corruptions = prop::collection::vec((any::<Index>(), any::<u8>(), 0..3u8), 1..6);
    corruptions.prop_map(|corruptions| {
        let mut bytes = GOOD.as_bytes().to_vec();
        for (at, byte, how) in corruptions {
            if bytes.is_empty() {
                break;
            }
            let at = at.index(bytes.len());
            match how {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => _ = bytes.remove(at),
            }
        }
        bytes
    })
}

#[test]
fn any_text_is_a_map_or_an_error_with_its_place() {
    let inputs = prop_oneof![
        3 => map_with_claimed_size(),
        3 => corrupted_map(),
        1 => any::<String>().prop_map(String::into_bytes),
    ];
    try_all("maps", 1000, inputs, |bytes| read::read(&bytes));
}

#[test]
fn the_corpus_of_maps_passes() {
    try_corpus("map", read::read);
}
