//! The bench: both searches are put to the map as it is, recorded, timed, and held against the best.

use std::sync::Arc;

use bevy::{platform::time::Instant, prelude::*};
use bevy_pathfind::{
    pathfind_core::{
        self, Answer, Metrics, PathQuery, Progress, Recording, Search, SearchError, SearchEventKind,
        SearchScratch, Steps, solve, straighten,
    },
    prelude::*,
    show::panel::algorithm_label,
};

use super::{board::Board, replay::Replay};

/// What is searched, and how.
#[derive(Resource, Reflect, Debug, Clone, PartialEq)]
pub(super) struct LabSettings {
    /// The search on the left.
    pub left: Side,
    /// Whether a second search runs beside it. Default: yes.
    pub compare: bool,
    /// The search on the right.
    pub right: Side,
    /// What a diagonal step costs on both sides: √2, 1.4 as in the classic 10/14 costs, or 1. Default: √2.
    pub diagonal: DiagonalCost,
    /// How often weighted A* counts the estimate. Range: 1 to 10. Default: 1.5.
    #[reflect(@1.0..=10.0_f32)]
    pub weight: f32,
    /// How long the replay of the longer search takes. Unit: seconds. Range: 1 to 60. Default: 6.
    #[reflect(@1.0..=60.0_f32)]
    pub seconds: f32,
    /// Whether lines lead from cells to their parents. Default: no.
    pub parents: bool,
}

/// How one side searches.
#[derive(Reflect, Debug, Clone, Copy, PartialEq)]
pub(super) struct Side {
    /// Default: A* on the left, greedy best-first on the right.
    pub algorithm: Algorithm,
    /// The estimate of the way that is left: Manhattan is the tutorials' simple metric, Euclidean their physical
    /// one. Default: the exact one.
    pub estimate: Heuristic,
    /// Four or eight ways out of a cell. Default: eight.
    pub directions: Directions,
    /// When diagonals may pass blocked cells. Default: never.
    pub corners: CornerRule,
    /// Whether the path is pulled straight afterwards, wherever one sees past its corners. Default: no.
    pub pull_straight: bool,
}

impl Default for LabSettings {
    fn default() -> Self {
        Self {
            left: Side::new(Algorithm::AStar),
            compare: true,
            right: Side::new(Algorithm::Greedy),
            diagonal: DiagonalCost::Sqrt2,
            weight: 1.5,
            seconds: 6.0,
            parents: false,
        }
    }
}

impl Side {
    /// An algorithm, as it is usually asked.
    pub(super) const fn new(algorithm: Algorithm) -> Self {
        Self {
            algorithm,
            estimate: Heuristic::Auto,
            directions: Directions::Eight,
            corners: CornerRule::Never,
            pull_straight: false,
        }
    }
}

impl LabSettings {
    /// The sides that are shown.
    pub(super) fn sides(&self) -> usize {
        1 + usize::from(self.compare)
    }

    /// How a side searches: 0 is the left one.
    pub(super) fn side(&self, side: usize) -> Side {
        if side == 0 { self.left } else { self.right }
    }

    /// What there is to say of a side besides the search that ran there: whether it stands in for another, and in
    /// what the sides differ if it is the same on both.
    pub(super) fn notes(&self, side: usize, ran: Algorithm) -> Vec<String> {
        let (own, other) = (self.side(side), self.side(1 - side));
        let mut notes = Vec::new();
        if own.algorithm != ran && own.algorithm != Algorithm::Auto {
            notes.push(format!("instead of {}", algorithm_label(own.algorithm)));
        }
        if self.compare && own.algorithm == other.algorithm {
            if own.estimate != other.estimate {
                notes.push(format!("{:?}", own.estimate));
            }
            if own.directions != other.directions {
                notes.push(format!("{:?} directions", own.directions).to_lowercase());
            }
            if own.corners != other.corners {
                notes.push(format!("corners {:?}", own.corners).to_lowercase());
            }
        }
        if own.pull_straight {
            notes.push("pulled straight".to_owned());
        }
        notes
    }

    /// The question of a side.
    pub(super) fn question(&self, side: usize, start: Cell, goal: Cell) -> PathQuery {
        let Side { algorithm, estimate, directions, corners, .. } = self.side(side);
        let steps =
            Steps { directions: directions.into(), corners: corners.into(), diagonal: self.diagonal.into() };
        PathQuery::new(start, goal)
            .with_algorithm(algorithm.into())
            .with_steps(steps)
            .with_heuristic(estimate.into())
            .with_weight(self.weight.clamp(1.0, 100.0))
    }
}

/// What was found.
#[derive(Resource, Default)]
pub(super) struct Bench {
    pub start: Cell,
    pub goal: Cell,
    pub runs: [Option<Run>; 2],
    /// Grows with every answer.
    pub version: u64,
    asked: Option<Asked>,
    space: SearchScratch,
}

/// What the answers are for.
#[derive(PartialEq)]
struct Asked {
    grid: Entity,
    revision: u64,
    start: Cell,
    goal: Cell,
    questions: [PathQuery; 2],
    pulls: [bool; 2],
    two: bool,
}

/// One search, done.
pub(super) struct Run {
    pub answer: Result<Answer, SearchError>,
    pub metrics: Metrics,
    pub recording: Recording,
    /// The path as it is drawn: as it was found, or pulled straight. Empty without one.
    pub line: Vec<Vec2>,
    /// Time without anybody watching, in microseconds.
    pub micros: f32,
    /// The least cost of a path of steps, if there is a path.
    pub best: Option<f64>,
    /// Up to where the recording goes with each expansion.
    ends: Vec<usize>,
}

impl Bench {
    /// Nothing is asked yet.
    pub(super) fn new(start: Cell, goal: Cell) -> Self {
        Self { start, goal, ..Self::default() }
    }

    /// How many expansions the longer of the searches has.
    pub(super) fn last(&self) -> u32 {
        self.runs.iter().flatten().map(|run| run.ends.len() as u32).max().unwrap_or(0)
    }
}

impl Run {
    fn new(grid: &Arc<Grid>, question: &PathQuery, pulls: bool, space: &mut SearchScratch) -> Self {
        let mut recording = Recording::default();
        let mut search = Search::new(grid.clone(), question.clone(), std::mem::take(space));
        while search.step_with(u32::MAX, &mut recording) == Progress::Running {}
        let metrics = search.metrics();
        let (answer, lent) = search.finish();
        *space = lent;
        let found = answer.as_ref().map_or(&[][..], |answer| &answer.waypoints);
        let line = if pulls {
            straighten(grid, question.kind, question.steps.corners, found)
        } else {
            found.to_vec()
        };
        let best = question.clone().with_algorithm(pathfind_core::Algorithm::Auto);
        let best = best.with_heuristic(pathfind_core::Heuristic::Auto).with_partial(false);
        Self {
            micros: time(grid, question, space),
            best: solve(grid, &best, space).ok().map(|answer| answer.cost),
            ends: ends(&recording),
            line,
            answer,
            metrics,
            recording,
        }
    }

    /// How long the path is that is drawn, in cells; `None` without one.
    pub(super) fn length(&self) -> Option<f64> {
        let legs = self.line.windows(2).map(|leg| leg[0].as_dvec2().distance(leg[1].as_dvec2()));
        (!self.line.is_empty()).then(|| legs.sum())
    }

    /// How many events have happened after so many expansions.
    pub(super) fn events_after(&self, expansions: u32) -> usize {
        let first = self.ends.first().copied().unwrap_or(self.recording.events().len());
        match expansions {
            0 => first.min(1),
            n => self.ends.get(n as usize - 1).copied().unwrap_or(self.recording.events().len()),
        }
    }

    /// Whether the search is over after so many expansions.
    pub(super) fn is_over(&self, expansions: u32) -> bool {
        expansions as usize >= self.ends.len()
    }

    /// By how much the path costs more than the best of steps, as a share: 0 for the best, below 0 for
    /// one that cuts across at any angle.
    pub(super) fn excess(&self) -> Option<f64> {
        let (answer, best) = (self.answer.as_ref().ok()?, self.best?);
        (best > 0.0).then(|| answer.cost / best - 1.0)
    }
}

/// After which event each expansion is over: before the next closed cell, or at the end.
fn ends(recording: &Recording) -> Vec<usize> {
    let closed =
        recording.events().iter().enumerate().filter(|(_, event)| event.kind == SearchEventKind::Closed);
    let mut ends: Vec<_> = closed.skip(1).map(|(i, _)| i).collect();
    if recording.events().iter().any(|event| event.kind == SearchEventKind::Closed) {
        ends.push(recording.events().len());
    }
    ends
}

/// Searches that take longer are timed once.
const QUICK: f32 = 4000.0;

/// The least time of three, in microseconds.
fn time(grid: &Grid, question: &PathQuery, space: &mut SearchScratch) -> f32 {
    let mut once = || {
        let begun = Instant::now();
        let _ = std::hint::black_box(solve(grid, question, space));
        begun.elapsed().as_secs_f32() * 1e6
    };
    let first = once();
    if first > QUICK { first } else { first.min(once()).min(once()) }
}

/// Asks again whenever something has changed that the answers depend on.
pub(super) fn ask(
    boards: Query<(Entity, &Board, &NavGrid)>,
    settings: Res<LabSettings>,
    mut bench: ResMut<Bench>,
    mut replay: ResMut<Replay>,
) {
    let Some((grid, _, nav)) = boards.iter().find(|(_, board, _)| board.side == 0) else { return };
    let (start, goal) = (bench.start, bench.goal);
    let questions = [0, 1].map(|side| settings.question(side, start, goal));
    let pulls = [0, 1].map(|side| settings.side(side).pull_straight);
    let asked =
        Asked { grid, revision: nav.revision(), start, goal, questions, pulls, two: settings.compare };
    if bench.asked.as_ref() == Some(&asked) {
        return;
    }
    let bench = &mut *bench;
    for (side, run) in bench.runs.iter_mut().enumerate() {
        let is_shown = side < settings.sides();
        *run = is_shown
            .then(|| Run::new(nav.grid(), &asked.questions[side], asked.pulls[side], &mut bench.space));
    }
    bench.version += 1;
    // Who has seen the end of the last search sees that of the next.
    let was_asked = bench.asked.replace(asked).is_some();
    replay.answered(bench.last(), was_asked);
}
