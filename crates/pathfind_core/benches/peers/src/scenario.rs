//! Scenarios: problems with published optima.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use pathfind_core::GridCell;

use crate::board::{Board, Question};

/// One query and what is known about its answer.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) start: GridCell,
    pub(crate) goal: GridCell,
    /// The minimal length of a path of steps that never pass a corner; `None` if there is no path.
    pub(crate) by_steps: Option<f64>,
    /// The minimal length of an any-angle path, which turns at corners, if it is published.
    pub(crate) any_angle: Option<f64>,
}

/// A map and problems on it.
pub(crate) struct Scenario {
    pub(crate) name: String,
    pub(crate) board: Board,
    pub(crate) problems: Vec<Problem>,
}

impl Scenario {
    /// Reads every `every`-th problem of a `.scen` file, the map beside it, and any-angle lengths from
    /// `../anyangle/NAME.csv` beside its folder if they are there.
    pub(crate) fn read(file: &Path, every: usize, question: Question) -> Result<Self, String> {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let end = name.find(".map").ok_or("a scenario is named after its map: NAME.map.scen")?;
        let board = Board::from_map(&read(&file.with_file_name(&name[..end + 4]))?, question)?;
        let lengths = file.with_file_name("..").join("anyangle").join(format!("{}.csv", &name[..end]));
        let lengths = fs::read_to_string(lengths).map(|text| any_angle_lengths(&text)).unwrap_or_default();
        let text = read(file)?;
        let rows = text.lines().enumerate().skip(1).filter(|(_, row)| !row.trim().is_empty());
        let problems: Result<Vec<Problem>, String> = rows
            .step_by(every.max(1))
            .map(|(i, row)| problem(row, &lengths).ok_or(format!("line {}: no problem: {row}", i + 1)))
            .collect();
        let problems = problems?;
        if problems.is_empty() {
            return Err("there are no problems in it".into());
        }
        let name = name.trim_end_matches(".scen").replace(".map", "");
        Ok(Self { name, board, problems })
    }

    /// Whether any problem has a path.
    pub(crate) fn has_paths(&self) -> bool {
        self.problems.iter().any(|problem| problem.by_steps.is_some())
    }
}

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

type Ends = [i32; 4];

/// The columns start, goal and `anyangle_opt`.
fn any_angle_lengths(text: &str) -> HashMap<Ends, f64> {
    let rows = text.lines().skip(1).filter_map(|row| {
        let fields: Vec<&str> = row.split(',').collect();
        let ends = ends(fields.get(1..5)?)?;
        Some((ends, fields.get(6)?.parse().ok()?))
    });
    rows.collect()
}

fn problem(row: &str, lengths: &HashMap<Ends, f64>) -> Option<Problem> {
    let fields: Vec<&str> = row.split_whitespace().collect();
    let ends = ends(fields.get(4..8)?)?;
    let length: f64 = fields.get(8)?.parse().ok()?;
    let (start, goal) = (GridCell::new(ends[0], ends[1]), GridCell::new(ends[2], ends[3]));
    Some(Problem {
        start,
        goal,
        // A pair without a path has length 0 in the file.
        by_steps: (length > 0.0 || start == goal).then_some(length),
        any_angle: lengths.get(&ends).copied(),
    })
}

fn ends(fields: &[&str]) -> Option<Ends> {
    let mut ends = [0; 4];
    for (end, field) in ends.iter_mut().zip(fields) {
        *end = field.parse().ok()?;
    }
    Some(ends)
}
