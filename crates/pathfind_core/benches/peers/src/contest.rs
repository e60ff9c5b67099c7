//! One scenario: all entrants answer the same queries, in turn, and every answer is checked.

use std::hint::black_box;
use std::rc::Rc;
use std::time::Instant;

use crate::board::Board;
use crate::entrant::{Entrant, Entry};
use crate::referee::{Referee, Verdict};
use crate::row::Row;
use crate::scenario::{Problem, Scenario};

/// An entrant on one map, and its results so far.
struct Runner<'e> {
    entry: &'e Entry,
    entrant: Box<dyn Entrant>,
    prepare_ms: f64,
    solved: usize,
    failures: Vec<String>,
    /// For each answer: length relative to the optimum, and whether it is optimal.
    lengths: Vec<(f64, bool)>,
    /// Microseconds of each query.
    times: Vec<f64>,
}

/// Runs a scenario; wrong answers are reported on the error stream.
///
/// The first pass warms all entrants up and checks the answers. In the second pass each timed search follows an
/// untimed one of the same query, so that no entrant's time depends on what the previous one left in the caches.
pub(crate) fn run(scenario: &Scenario, entries: &[Entry], repeat: u32) -> Vec<Row> {
    let board = Rc::new(scenario.board.clone());
    let mut referee = Referee::new(&board);
    let mut runners: Vec<Runner> =
        entries.iter().map(|entry| Runner::prepare(entry, &board, &scenario.problems[0])).collect();
    for problem in &scenario.problems {
        for runner in &mut runners {
            runner.check(problem, &mut referee);
        }
    }
    for problem in &scenario.problems {
        for runner in &mut runners {
            runner.time(problem, repeat);
        }
    }
    for runner in &runners {
        for failure in runner.failures.iter().take(3) {
            eprintln!("{}, {}: {failure}", scenario.name, runner.entry.name);
        }
    }
    let mut rows: Vec<Row> = runners.into_iter().map(|runner| runner.row(scenario)).collect();
    Row::compare(&mut rows);
    rows
}

impl<'e> Runner<'e> {
    /// Prepares an entrant. What its first query takes longer than a second run of it counts as preparation.
    fn prepare(entry: &'e Entry, board: &Rc<Board>, problem: &Problem) -> Self {
        let started = Instant::now();
        let mut entrant = (entry.prepare)(board);
        let prepared = micros(started);
        let mut search = || {
            let started = Instant::now();
            black_box(entrant.search(problem.start, problem.goal));
            micros(started)
        };
        let first = search();
        let extra = (first - search()).max(0.0);
        Self {
            entry,
            entrant,
            prepare_ms: (prepared + extra) / 1e3,
            solved: 0,
            failures: Vec::new(),
            lengths: Vec::new(),
            times: Vec::new(),
        }
    }

    fn check(&mut self, problem: &Problem, referee: &mut Referee) {
        let is_found = self.entrant.search(problem.start, problem.goal);
        let path = is_found.then(|| self.entrant.path());
        match referee.judge(problem, self.entry, path.as_deref()) {
            Verdict::Path(length) => {
                self.solved += 1;
                self.lengths.extend(length);
            }
            Verdict::NoPath => {
                self.solved += 1;
                self.lengths.push((1.0, true));
            }
            Verdict::Wrong(what) => {
                self.failures.push(format!("{} to {}: {what}", problem.start, problem.goal));
            }
        }
    }

    fn time(&mut self, problem: &Problem, repeat: u32) {
        black_box(self.entrant.search(problem.start, problem.goal));
        let times = (0..repeat.max(1)).map(|_| {
            let started = Instant::now();
            black_box(self.entrant.search(problem.start, problem.goal));
            micros(started)
        });
        self.times.push(times.fold(f64::INFINITY, f64::min));
    }

    fn row(mut self, scenario: &Scenario) -> Row {
        self.times.sort_unstable_by(f64::total_cmp);
        let judged = self.lengths.len() as f64;
        let optimal = self.lengths.iter().filter(|(_, is_optimal)| *is_optimal).count() as f64;
        Row {
            scenario: scenario.name.clone(),
            name: self.entry.name,
            rule: self.entry.rule(),
            is_own: self.entry.is_own,
            problems: scenario.problems.len(),
            solved: self.solved,
            failed: self.failures.len(),
            // Without an answer of known optimum there is no share.
            optimal: (judged > 0.0).then(|| optimal / judged),
            length: (judged > 0.0).then(|| self.lengths.iter().map(|(ratio, _)| ratio).sum::<f64>() / judged),
            mean_us: self.times.iter().sum::<f64>() / self.times.len() as f64,
            median_us: self.times[self.times.len() / 2],
            times_astar: None,
            times_theta: None,
            prepare_ms: self.prepare_ms,
        }
    }
}

fn micros(started: Instant) -> f64 {
    started.elapsed().as_secs_f64() * 1e6
}
