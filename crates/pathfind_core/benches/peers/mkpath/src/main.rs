//! Compares the jump point search of `pathfind_core` with that of [mkpath](https://github.com/MinusKelvin/mkpath), as
//! `peers` compares others, whose options and columns it shares.
//!
//! `cargo run --release -- --repeat 5 FILE.scen...` in this folder. The first build fetches mkpath from GitHub.

#[path = "../../src/board.rs"]
mod board;
#[path = "../../src/contest.rs"]
mod contest;
#[path = "../../src/entrant.rs"]
mod entrant;
mod entrants;
#[path = "../../src/legal.rs"]
mod legal;
#[path = "../../src/options.rs"]
mod options;
#[path = "../../src/referee.rs"]
mod referee;
#[path = "../../src/row.rs"]
mod row;
#[path = "../../src/scenario.rs"]
mod scenario;
#[path = "../../src/table.rs"]
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
    let mut all = Vec::new();
    for file in options.scenarios()? {
        let scenario = Scenario::read(&file, options.every, options.question)?;
        let rows = contest::run(&scenario, &entries, options.repeat);
        table::print(
            &format!("{}, {} problems", scenario.name, scenario.problems.len()),
            &rows,
            options.json,
        );
        if scenario.has_paths() {
            all.extend(rows);
        }
    }
    let summary = Row::summarise(&all, "all");
    table::print("all", &summary, options.json);
    if !options.json {
        table::print_range(&all, &summary);
    }
    Ok(all.iter().all(|row| !row.is_own || row.failed == 0))
}
