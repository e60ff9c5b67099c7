//! Solves MovingAI scenarios and compares every answer with the published optimum.
//!
//! `cargo run --release --example movingai -- --algorithm astar assets/maps/*.scen`
//!
//! A scenario's map is expected beside it. For `any_angle` the optima come from `../anyangle/NAME.csv`. Where no
//! optimum is published for a question (other directions, terrain, goals), a plain Dijkstra search is the judge.

mod question;
mod textbook;

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Parser, ValueEnum};
use pathfind_core::{
    Algorithm, Answer, CellRect, CornerRule, DistanceField, Grid, GridCell, KindId, Limits, Outcome,
    PathQuery, SearchError, SearchScratch, StepRules, Terrain, line_of_sight, solve,
};
use serde::Serialize;

use question::{Costs, GoalForm};
use textbook::{Map, Textbook};

/// Solves MovingAI scenarios and compares with the published optimum.
#[derive(Parser)]
struct Options {
    /// The algorithm, by name.
    #[arg(long, default_value = "auto")]
    algorithm: Algorithm,
    /// The corner rule. Default: never, the benchmark's own; for any-angle one-free.
    #[arg(long, ignore_case = true)]
    corner: Option<Corner>,
    /// The directions of steps.
    #[arg(long, value_enum, default_value = "eight")]
    directions: Directions,
    /// Terrain that costs more than open ground. Default: none.
    #[arg(long, value_enum)]
    terrain: Option<Costs>,
    /// The goal: `cell`, `within=R` cells of it, or `any=K` of the next K problems' goals.
    #[arg(long, default_value = "cell")]
    goal: GoalForm,
    /// Limit each search to N expansions.
    #[arg(long)]
    limit: Option<u64>,
    /// Time a textbook A* (with `--field`, a textbook Dijkstra field) for the same question, too.
    #[arg(long)]
    yardstick: bool,
    /// Make a distance field to each problem's goal in place of a path.
    #[arg(long)]
    field: bool,
    /// Solve only every N-th problem.
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// Time each problem this many times, and take the mean.
    #[arg(long, default_value_t = 1)]
    repeat: u32,
    /// Print one JSON object per scenario.
    #[arg(long)]
    json: bool,
    /// Write one line per problem: `sx sy gx gy length x,y x,y …`.
    #[arg(long)]
    paths: Option<PathBuf>,
    /// Scenario files.
    #[arg(required = true)]
    scenarios: Vec<PathBuf>,
}

#[derive(Copy, Clone, PartialEq, ValueEnum)]
enum Directions {
    Four,
    Eight,
}

#[derive(Copy, Clone, ValueEnum)]
enum Corner {
    Never,
    #[value(alias = "one_free", alias = "onefree")]
    OneFree,
    Always,
}

/// One row of a scenario file.
struct Problem {
    start: GridCell,
    goal: GridCell,
    optimum: f64,
}

/// The result of one scenario.
#[derive(Default, Serialize)]
struct Report {
    scenario: String,
    algorithm: &'static str,
    problems: usize,
    solved: usize,
    optimal: usize,
    worst_ratio: f64,
    mean_ratio: f64,
    mean_us: f64,
    median_us: f64,
    p99_us: f64,
    mean_expanded: f64,
    /// The yardstick's mean time, and how many times as long as ours it is: the sum of all problems.
    #[serde(skip_serializing_if = "Option::is_none")]
    yardstick_us: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    field_ns_per_cell: Option<f64>,
    /// The mean time to repair a field after an edit of one cell on the problem's path.
    #[serde(skip_serializing_if = "Option::is_none")]
    field_repair_us: Option<f64>,
    #[serde(skip)]
    repair_times: Vec<f64>,
    #[serde(skip)]
    yardstick_times: Vec<f64>,
    /// The number of cells that all fields together reach.
    #[serde(skip)]
    cells: usize,
    #[serde(skip)]
    failures: Vec<String>,
    #[serde(skip)]
    ratios: Vec<f64>,
    /// The time of each problem, in microseconds.
    #[serde(skip)]
    times: Vec<f64>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let mut paths = String::new();
    let mut failed = false;
    if !options.json {
        println!(
            "scenario                     problems  solved optimal     worst      mean   mean µs \
             median µs    p99 µs   expanded"
        );
    }
    for scenario in &options.scenarios {
        match run(&options, scenario, &mut paths) {
            Ok(report) => {
                failed |= !report.failures.is_empty();
                print(&options, &report);
            }
            Err(error) => {
                eprintln!("{}: {error}", scenario.display());
                failed = true;
            }
        }
    }
    if let Some(file) = &options.paths
        && let Err(error) = fs::write(file, paths)
    {
        eprintln!("{}: {error}", file.display());
        failed = true;
    }
    ExitCode::from(u8::from(failed))
}

fn print(options: &Options, report: &Report) {
    for failure in report.failures.iter().take(10) {
        eprintln!("{}: {failure}", report.scenario);
    }
    if options.json {
        println!("{}", serde_json::to_string(report).expect("a report is plain data"));
        return;
    }
    println!(
        "{:<28} {:>8} {:>7} {:>7} {:>9.6} {:>9.6} {:>9.2} {:>9.2} {:>9.2} {:>10.1}{}{}",
        report.scenario,
        report.problems,
        report.solved,
        report.optimal,
        report.worst_ratio,
        report.mean_ratio,
        report.mean_us,
        report.median_us,
        report.p99_us,
        report.mean_expanded,
        report.ratio.map_or(String::new(), |ratio| format!("   {ratio:.2} times as fast as the textbook")),
        report.field_ns_per_cell.map_or(String::new(), |time| format!("   {time:.1} ns a cell"))
            + &report.field_repair_us.map_or(String::new(), |time| format!("   {time:.1} us a repair"))
    );
}

/// The corner rule that the optima were published for.
fn published_rule(algorithm: Algorithm) -> CornerRule {
    if algorithm == Algorithm::AnyAngle { CornerRule::OneFree } else { CornerRule::Never }
}

/// A scenario and its map.
struct Scenario {
    grid: Grid,
    kind: KindId,
    steps: StepRules,
    /// The same as the textbook search reads it.
    map: Map,
    problems: Vec<Problem>,
    /// Whether the published optima are for this question.
    is_published: bool,
}

impl Scenario {
    fn read(options: &Options, file: &Path) -> Result<Self, String> {
        let text =
            |path: &Path| fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
        let mut problems = problems(&text(file)?)?;
        let map = map_beside(file)?;
        let mut grid = Grid::from_map(&text(&map)?).map_err(|error| format!("{}: {error}", map.display()))?;
        let kind = options.terrain.map_or(KindId::default(), |costs| costs.apply(&mut grid));
        let corners = match options.corner {
            None => published_rule(options.algorithm),
            Some(Corner::Never) => CornerRule::Never,
            Some(Corner::OneFree) => CornerRule::OneFree,
            Some(Corner::Always) => CornerRule::Always,
        };
        let steps = match options.directions {
            Directions::Four => StepRules::FOUR,
            Directions::Eight => StepRules::eight(corners),
        };
        let mut is_published = corners == published_rule(options.algorithm)
            && options.directions == Directions::Eight
            && options.terrain.is_none()
            && matches!(options.goal, GoalForm::GridCell);
        if is_published && options.algorithm == Algorithm::AnyAngle {
            let lengths = map.parent().unwrap_or(Path::new(".")).join("../anyangle");
            let lengths = lengths.join(map.with_extension("csv").file_name().unwrap_or_default());
            is_published = lengths.exists();
            if is_published {
                set_any_angle_lengths(&mut problems, &text(&lengths)?)?;
            }
        }
        let map = question::map(&grid, kind, steps);
        Ok(Self { grid, kind, steps, map, problems, is_published })
    }
}

fn run(options: &Options, file: &Path, paths: &mut String) -> Result<Report, String> {
    let scenario = Scenario::read(options, file)?;
    let mut space = SearchScratch::default();
    let mut report = Report {
        scenario: file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        algorithm: options.algorithm.name(),
        ..Report::default()
    };
    let mut textbook = Textbook::new(&scenario.map);
    for (index, problem) in scenario.problems.iter().enumerate().step_by(options.every.max(1)) {
        if options.field {
            report.time_field(options, &scenario, problem, &mut space, &mut textbook);
            continue;
        }
        let goal = options.goal.goal(&scenario.problems, index);
        let query = PathQuery::new(problem.start, goal)
            .with_kind(scenario.kind)
            .with_steps(scenario.steps)
            .with_algorithm(options.algorithm)
            .with_limits(Limits { expansions: options.limit, cost: None })
            .with_partial(false);
        let answer = solve(&scenario.grid, &query, &mut space);
        let repeat = options.repeat.max(1);
        report.times.push(time(repeat, || solve(&scenario.grid, &query, &mut space)));
        if options.yardstick {
            report.yardstick_times.push(time(repeat, || textbook.path(query.start, &query.goal, true)));
        }
        if let Ok(answer) = &answer {
            write_path(paths, problem, answer);
        }
        report.judge(&scenario, problem, &query, answer, &mut textbook);
    }
    report.finish();
    Ok(report)
}

/// The mean time of `repeat` runs, in microseconds.
fn time<T>(repeat: u32, mut run: impl FnMut() -> T) -> f64 {
    let started = Instant::now();
    for _ in 0..repeat {
        std::hint::black_box(&run());
    }
    started.elapsed().as_secs_f64() * 1e6 / f64::from(repeat)
}

impl Report {
    /// Compares the answer to a problem with the optimum.
    fn judge(
        &mut self,
        scenario: &Scenario,
        problem: &Problem,
        query: &PathQuery,
        answer: Result<Answer, SearchError>,
        textbook: &mut Textbook<'_>,
    ) {
        self.problems += 1;
        let fail = |what: String| format!("{} to {}: {what}", problem.start, problem.goal);
        let answer = match answer {
            Ok(answer) => answer,
            // Nothing is known of a path that a limit cut off.
            Err(SearchError::LimitReached) if query.limits.expansions.is_some() => return,
            Err(SearchError::Unreachable)
                if if scenario.is_published {
                    problem.optimum == 0.0 && problem.start != problem.goal
                } else {
                    textbook.path(query.start, &query.goal, false).is_none()
                } =>
            {
                self.solved += 1;
                self.optimal += 1;
                self.ratios.push(1.0);
                return;
            }
            Err(error) => {
                self.failures.push(fail(error.to_string()));
                return;
            }
        };
        self.solved += usize::from(answer.outcome == Outcome::Complete);
        self.mean_expanded += answer.metrics.expanded as f64;
        if let Err(what) = check(&scenario.grid, query, &answer) {
            self.failures.push(fail(what));
        }
        let is_published = scenario.is_published;
        let is_any_angle = query.algorithm.is_any_angle();
        let optimum = if is_published {
            problem.optimum
        } else {
            textbook.path(query.start, &query.goal, false).unwrap_or(f64::NAN)
        };
        // Published lengths are rounded: see the maps' README. Where no optimum is published, the reference is the
        // cheapest path of grid steps; an any-angle path is accepted if it costs no more than that.
        let tolerance = 1e-4 * optimum + if is_published { 0.005 } else { 0.0 };
        let found = if is_published { answer.length } else { answer.cost };
        let is_optimal = if is_any_angle && !is_published {
            answer.is_optimal() && found <= optimum + tolerance
        } else {
            (found - optimum).abs() <= tolerance
        };
        self.optimal += usize::from(is_optimal);
        if answer.is_optimal() && !is_optimal {
            self.failures.push(fail(format!("{found} instead of {optimum}")));
        }
        self.ratios.push(if optimum > 0.0 { found / optimum } else { 1.0 });
    }

    /// Makes the distance field to a problem's goal, and compares it with the textbook's.
    fn time_field(
        &mut self,
        options: &Options,
        scenario: &Scenario,
        problem: &Problem,
        space: &mut SearchScratch,
        textbook: &mut Textbook<'_>,
    ) {
        self.problems += 1;
        let Scenario { grid, kind, steps, .. } = scenario;
        let mut make = || DistanceField::new(grid, *kind, *steps, &[problem.goal], space);
        let field = match make() {
            Ok(field) => field,
            Err(error) => return self.failures.push(format!("{}: {error}", problem.goal)),
        };
        let repeat = options.repeat.max(1);
        self.times.push(time(repeat, make));
        let exact = textbook.field(problem.goal);
        let reached = exact.iter().filter(|cost| cost.is_finite()).count();
        self.cells += reached;
        let mut worst = 0.0_f32;
        for (cell, &exact) in grid.bounds().cells().zip(exact) {
            let found = field.distance(cell).unwrap_or(f32::INFINITY);
            if found != exact {
                worst = worst.max((found - exact).abs() / exact);
            }
        }
        self.solved += 1;
        if worst <= 1e-4 {
            self.optimal += 1;
        } else {
            self.failures.push(format!("field to {}: off by {worst}", problem.goal));
        }
        self.ratios.push(1.0 + f64::from(worst));
        self.time_repairs(scenario, problem, field, space);
        if options.yardstick {
            self.yardstick_times.push(time(repeat, || textbook.field(problem.goal).len()));
        }
    }

    /// Puts a wall on the middle of the problem's path and takes it away again, and repairs the field after both; each
    /// must equal a field made anew.
    fn time_repairs(
        &mut self,
        scenario: &Scenario,
        problem: &Problem,
        mut field: DistanceField,
        space: &mut SearchScratch,
    ) {
        let path: Vec<GridCell> = field.path(problem.start).collect();
        let Some(&cell) = path.get(path.len() / 2).filter(|&&cell| cell != problem.goal) else { return };
        let Scenario { kind, steps, .. } = scenario;
        let mut grid = scenario.grid.clone();
        let Some(ground) = grid.terrain(cell) else { return };
        for terrain in [Terrain::WALL, ground] {
            let edited = grid.set(cell, terrain);
            let mut repair = || field.repair(&grid, &[CellRect::new(cell, cell)], space);
            self.repair_times.push(time(1, || repair().is_ok()));
            let fresh = DistanceField::new(&grid, *kind, *steps, &[problem.goal], space);
            if edited.is_err() || fresh.as_ref() != Ok(&field) {
                self.failures.push(format!("field to {}: an edit of {cell} is not repaired", problem.goal));
            }
        }
    }

    /// Computes the summary figures from the collected ones.
    fn finish(&mut self) {
        let Self { ratios, times, yardstick_times, repair_times, .. } = self;
        let (total, textbook): (f64, f64) = (times.iter().sum(), yardstick_times.iter().sum());
        if !yardstick_times.is_empty() {
            self.yardstick_us = Some(textbook / yardstick_times.len() as f64);
            self.ratio = Some(textbook / total);
        }
        self.field_ns_per_cell = (self.cells > 0).then(|| total * 1e3 / self.cells as f64);
        self.field_repair_us =
            (!repair_times.is_empty()).then(|| repair_times.iter().sum::<f64>() / repair_times.len() as f64);
        times.sort_unstable_by(f64::total_cmp);
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
        let at =
            |part: f64| times.get(((times.len() as f64 * part) as usize).min(times.len().saturating_sub(1)));
        self.mean_us = mean(times);
        self.median_us = at(0.5).copied().unwrap_or_default();
        self.p99_us = at(0.99).copied().unwrap_or_default();
        self.mean_ratio = mean(ratios);
        self.worst_ratio = ratios.iter().copied().fold(0.0, f64::max);
        self.mean_expanded /= ratios.len().max(1) as f64;
    }
}

/// Replaces the optima by those of a file with rows `map,sx,sy,gx,gy,octile,any-angle,…`; pairs without a path keep
/// theirs.
fn set_any_angle_lengths(problems: &mut [Problem], text: &str) -> Result<(), String> {
    let mut lengths = HashMap::new();
    for row in text.lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let number = |field: usize| -> Option<i32> { fields.get(field)?.parse().ok() };
        let entry = || {
            let (start, goal) =
                (GridCell::new(number(1)?, number(2)?), GridCell::new(number(3)?, number(4)?));
            Some(((start, goal), fields.get(6)?.parse::<f64>().ok()?))
        };
        let (pair, length) = entry().ok_or_else(|| format!("this is no any-angle length: {row}"))?;
        lengths.insert(pair, length);
    }
    for problem in problems.iter_mut().filter(|problem| problem.optimum > 0.0) {
        let length = lengths.get(&(problem.start, problem.goal));
        problem.optimum = *length.ok_or_else(|| format!("no any-angle length from {}", problem.start))?;
    }
    Ok(())
}

/// Checks that every leg of a path is legal under its corner rule, and that the path has the claimed length.
fn check(grid: &Grid, query: &PathQuery, answer: &Answer) -> Result<(), String> {
    let kind = query.kind;
    for leg in answer.waypoints.windows(2) {
        if !line_of_sight(grid, kind, query.steps.corners, leg[0], leg[1]) {
            return Err(format!("the leg from {} to {} is not legal", leg[0], leg[1]));
        }
    }
    let length: f64 =
        answer.waypoints.windows(2).map(|leg| leg[0].as_dvec2().distance(leg[1].as_dvec2())).sum();
    if (length - answer.length).abs() > 1e-6 * length.max(1.0) {
        return Err(format!("the path is {length} long, not {}", answer.length));
    }
    Ok(())
}

fn write_path(paths: &mut String, problem: &Problem, answer: &Answer) {
    let Problem { start, goal, .. } = problem;
    write!(paths, "{} {} {} {} {}", start.x, start.y, goal.x, goal.y, answer.length)
        .expect("writing to a string does not fail");
    for point in &answer.waypoints {
        write!(paths, " {},{}", point.x - 0.5, point.y - 0.5).expect("writing to a string does not fail");
    }
    paths.push('\n');
}

/// The path of the map of a scenario: `NAME.map` for `NAME.map.scen` and `NAME.map.unreachable.scen`.
fn map_beside(scenario: &Path) -> Result<PathBuf, String> {
    let name = scenario.file_name().unwrap_or_default().to_string_lossy();
    let end = name.find(".map").ok_or("a scenario is named after its map: NAME.map.scen")?;
    Ok(scenario.with_file_name(&name[..end + 4]))
}

fn problems(text: &str) -> Result<Vec<Problem>, String> {
    let rows = text.lines().enumerate().skip(1).filter(|(_, row)| !row.trim().is_empty());
    rows.map(|(i, row)| {
        let fields: Vec<&str> = row.split_whitespace().collect();
        let number = |field: usize| -> Option<i32> { fields.get(field)?.parse().ok() };
        let problem = || {
            Some(Problem {
                start: GridCell::new(number(4)?, number(5)?),
                goal: GridCell::new(number(6)?, number(7)?),
                optimum: fields.get(8)?.parse().ok()?,
            })
        };
        problem().ok_or_else(|| format!("line {}: this is no problem: {row}", i + 1))
    })
    .collect()
}
