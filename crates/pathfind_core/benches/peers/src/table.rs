//! Rows as text.

use crate::row::Row;

/// Prints rows as a table, or as one JSON object per line.
pub(crate) fn print(title: &str, rows: &[Row], json: bool) {
    if json {
        for row in rows {
            println!("{}", serde_json::to_string(row).expect("a row is plain data"));
        }
        return;
    }
    println!("\n{title}");
    println!(
        "{:<26}{:<21}{:>11}{:>11}{:>9}{:>9}{:>10}{:>10}{:>8}{:>12}",
        "", "rule", "mean µs", "median µs", "× A*", "× Theta*", "optimal", "length", "failed", "prepared ms"
    );
    for row in rows {
        println!(
            "{:<26}{:<21}{:>11.2}{:>11.2}{:>9}{:>9}{:>10}{:>10}{:>8}{:>12.2}",
            row.name,
            row.rule,
            row.mean_us,
            row.median_us,
            known(row.times_astar, ratio),
            known(row.times_theta, ratio),
            known(row.optimal, |share| format!("{:.1} %", 100.0 * share)),
            known(row.length, |length| format!("{length:.4}")),
            row.failed,
            row.prepare_ms
        );
    }
}

/// Prints in which scenarios each entrant is slowest and fastest, relative to the textbook A*.
pub(crate) fn print_range(rows: &[Row], summary: &[Row]) {
    println!("\nslowest and fastest beside the textbook A*");
    for total in summary {
        let ratios = rows.iter().filter(|row| row.name == total.name);
        let mut ratios: Vec<(f64, &str)> =
            ratios.filter_map(|row| Some((row.times_astar?, row.scenario.as_str()))).collect();
        ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
        if let (Some(worst), Some(best)) = (ratios.first(), ratios.last()) {
            println!(
                "{:<26}{:>9} {:<30}{:>9} {}",
                total.name,
                ratio(worst.0),
                worst.1,
                ratio(best.0),
                best.1
            );
        }
    }
}

fn known(value: Option<f64>, text: impl Fn(f64) -> String) -> String {
    value.map_or_else(|| "-".into(), text)
}

fn ratio(ratio: f64) -> String {
    if ratio < 100.0 { format!("{ratio:.2}") } else { format!("{ratio:.0}") }
}
