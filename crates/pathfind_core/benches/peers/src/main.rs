//! Compares the searches of `pathfind_core` with textbook searches and other crates, on the same queries.
//!
//! `cargo run --release -- [--question plain|four|blocks] [--every N] [--repeat R] [--algorithms a,b,c] [--json]
//! FILE.scen...`
//!
//! All entrants that can answer the question (paths on uniform terrain; in four directions; where one in four blocks
//! of 8×8 cells costs 3) search maps that were prepared beforehand, warm, with diagonals of √2 where that can be set,
//! and each under its own rule, which the table names: *never* passes no corner of a blocked cell, *one free* passes
//! it unless it is between two blocked cells, *always* passes it. Queries are interleaved: each goes to all entrants
//! before the next one. Every path is checked to be legal under its rule, and compared with the minimal length for
//! that rule, which is the published one; for steps that pass corners it is the length found by this project's A*, as
//! for the other questions, and for any-angle paths that pass none it is a lower bound. Scenarios whose problems have
//! no answer are summarized separately.
//!
//! Columns: mean and median time per query; speed-up of the mean over the textbook A* and Theta* of the same run;
//! share of optimal answers; mean length relative to the optimum; wrong answers; and time to prepare a map. In the
//! summary, ratios and medians are geometric means over scenarios.

// Maps and problems, entrants, referee, and results.
mod board;
mod scenario;

mod entrant;
mod entrants;

mod legal;
mod referee;

mod contest;
mod options;
mod row;
mod table;

use std::process::ExitCode;

use clap::Parser;

use options::Options;
use row::Row;
use scenario::Scenario;

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs all scenarios; returns whether all answers of this project were right.
fn run(options: &Options) -> Result<bool, String> {
    let entries = options.entries()?;
    let (mut with_path, mut without_path) = (Vec::new(), Vec::new());
    for file in options.scenarios()? {
        let scenario = Scenario::read(&file, options.every, options.question)
            .map_err(|error| format!("{}: {error}", file.display()))?;
        let rows = contest::run(&scenario, &entries, options.repeat);
        let title = format!("{}, {} problems", scenario.name, scenario.problems.len());
        table::print(&title, &rows, options.json);
        if scenario.has_paths() { &mut with_path } else { &mut without_path }.extend(rows);
    }
    for (name, rows) in [("all", &with_path), ("all without a path", &without_path)] {
        let summary = Row::summarise(rows, name);
        if summary.is_empty() {
            continue;
        }
        let scenarios = rows.len() / summary.len();
        table::print(&format!("{name}: {scenarios} scenarios"), &summary, options.json);
        if !options.json {
            table::print_range(rows, &summary);
        }
    }
    Ok(with_path.iter().chain(&without_path).all(|row| !row.is_own || row.failed == 0))
}
