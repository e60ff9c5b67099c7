//! Measures the rules of steering against each other, and prints what the docs quote.
//!
//! `cargo run --release -p pathfind_core --example steering_tables -- capture|clipping|spacing|all`

mod capture;
mod clipping;
mod spacing;

use clap::{Parser, ValueEnum};

/// Prints tables of how the rules of steering do.
#[derive(Parser)]
struct Options {
    /// Which table.
    #[arg(default_value = "all")]
    table: Table,
}

#[derive(Copy, Clone, PartialEq, ValueEnum)]
enum Table {
    /// How often and how fast each mode of pursuit catches its prey.
    Capture,
    /// How often each rule of avoidance touches an obstacle.
    Clipping,
    /// How far apart the members of flocks keep, by size and rate.
    Spacing,
    /// Every table.
    All,
}

fn main() {
    let chosen = Options::parse().table;
    for (table, print) in [
        (Table::Capture, capture::print as fn()),
        (Table::Clipping, clipping::print),
        (Table::Spacing, spacing::print),
    ] {
        if chosen == table || chosen == Table::All {
            print();
        }
    }
}
