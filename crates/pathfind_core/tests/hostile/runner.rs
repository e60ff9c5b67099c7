//! Runs properties on generated inputs, and on the files of a corpus.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, TestRunner};

/// Tries a property on a number of inputs, or for `NAV_FUZZ_MINUTES`; an input on which it panics is shrunk and
/// reported.
pub(crate) fn try_all<S: Strategy>(name: &str, cases: u32, inputs: S, property: impl Fn(S::Value)) {
    let minutes = std::env::var("NAV_FUZZ_MINUTES").ok().and_then(|minutes| minutes.parse::<f64>().ok());
    let end = minutes.map(|minutes| Instant::now() + Duration::from_secs_f64(minutes * 60.0));
    let config = || Config { cases, failure_persistence: None, max_shrink_time: 60_000, ..Config::default() };
    let mut tried = 0;
    loop {
        let test = |input| {
            property(input);
            Ok(())
        };
        if let Err(error) = TestRunner::new(config()).run(&inputs, test) {
            panic!("{name}: {error}");
        }
        tried += u64::from(cases);
        if end.is_none_or(|end| Instant::now() >= end) {
            break;
        }
    }
    println!("{name}: {tried} inputs tried");
}

/// Tries a property on every file in the corpus of a cargo-fuzz target.
pub(crate) fn try_corpus(target: &str, property: impl Fn(&[u8])) {
    let folder = Path::new("fuzz/corpus").join(target);
    let mut tried = 0;
    for file in fs::read_dir(folder).expect("the target has a corpus") {
        let path = file.expect("the folder can be read").path();
        println!("{}", path.display()); // shown if it panics
        property(&fs::read(&path).expect("the file can be read"));
        tried += 1;
    }
    assert!(tried > 2, "the corpus of {target} has {tried} files");
}
