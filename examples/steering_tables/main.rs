//! Compares the rules of steering by measurement, and prints the tables that the documentation quotes.
//!
//! `cargo run --release -p pathfind_core --example steering_tables -- capture|clipping|spacing|all`

mod capture;
mod clipping;
mod spacing;

use clap::{Parser, ValueEnum};

/// Prints measurements of the rules of steering.
#[derive(Parser)]
struct Options {
    /// Which table to print.
    #[arg(default_value = "all")]
    table: Table,
}

#[derive(Copy, Clone, PartialEq, ValueEnum)]
enum Table {
    /// How often and how fast each pursuit mode catches its prey.
    Capture,
    /// How often each avoidance rule touches an obstacle.
    Clipping,
    /// How far apart members of flocks keep, by number of members and tick rate.
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
