//! Runs both searches on the current map, records and times them, and compares their costs with the
//! optimum.

use std::sync::Arc;

use bevy::{platform::time::Instant, prelude::*};
use bevy_pathfind::{
    order::{Algorithm, CornerRule, DiagonalCost, Directions, Heuristic},
    prelude::*,
    show::{MeasuredIn, panel::algorithm_label},
    world::Grid,
};
use pathfind_core::{
    Answer, Metrics, PathQuery, Progress, Recording, Search, SearchError, SearchEventKind, SearchScratch,
    StepRules, solve, straighten,
};

use super::{board::Board, replay::Replay};

/// What the lab searches, and how.
#[derive(Resource, Reflect, Debug, Clone, PartialEq)]
pub(super) struct LabSettings {
    /// The search on the left.
    pub left: Side,
    /// Whether a second search runs beside it. Default: yes.
    pub compare: bool,
    /// The search on the right.
    pub right: Side,
    /// Cost of a diagonal step on both sides: √2, 1.4 as in the classic 10/14 costs, or 1. Default: √2.
    pub diagonal: DiagonalCost,
    /// Factor of the estimate in weighted A*. Range: 1 to 10. Default: 1.5.
    #[reflect(@1.0..=10.0_f32)]
    pub weight: f32,
    /// Duration of the replay of the longer search. Unit: seconds. Range: 1 to 60. Default: 6.
    #[reflect(@1.0..=60.0_f32, @MeasuredIn("seconds"))]
    pub seconds: f32,
    /// Whether lines from cells to their parents are drawn. Default: no.
    pub parents: bool,
}

/// The search options of one side.
#[derive(Reflect, Debug, Clone, Copy, PartialEq)]
pub(super) struct Side {
    /// Default: A* on the left, greedy best-first on the right.
    pub algorithm: Algorithm,
    /// The estimate of the remaining cost: Manhattan is the tutorials' simple metric, Euclidean their physical one.
    /// Default: the exact one.
    pub estimate: Heuristic,
    /// Whether a cell has four or eight neighbours. Default: eight.
    pub directions: Directions,
    /// When diagonals may pass blocked cells. Default: never.
    pub corners: CornerRule,
    /// Whether the path is straightened afterwards, where there is a line of sight. Default: no.
    pub straighten: bool,
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
    /// A side with this algorithm and its usual options.
    pub(super) const fn new(algorithm: Algorithm) -> Self {
        Self {
            algorithm,
            estimate: Heuristic::Auto,
            directions: Directions::Eight,
            corners: CornerRule::Never,
            straighten: false,
        }
    }
}

impl LabSettings {
    /// The number of sides that are shown.
    pub(super) fn sides(&self) -> usize {
        1 + usize::from(self.compare)
    }

    /// The options of a side: 0 is the left one.
    pub(super) fn side(&self, side: usize) -> Side {
        if side == 0 { self.left } else { self.right }
    }

    /// Remarks on a side: whether another algorithm ran instead of the chosen one; and, if the same ran on both
    /// sides, how their options differ.
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
        if own.straighten {
            notes.push("pulled straight".to_owned());
        }
        notes
    }

    /// The query of a side.
    pub(super) fn query(&self, side: usize, start: GridCell, goal: GridCell) -> PathQuery {
        let Side { algorithm, estimate, directions, corners, .. } = self.side(side);
        let steps = StepRules { directions, corners, diagonal: self.diagonal };
        PathQuery::new(start, goal)
            .with_algorithm(algorithm)
            .with_steps(steps)
            .with_heuristic(estimate)
            .with_weight(self.weight.clamp(1.0, 100.0))
    }
}

/// The results of both searches.
#[derive(Resource, Default)]
pub(super) struct SearchResults {
    pub start: GridCell,
    pub goal: GridCell,
    pub runs: [Option<Run>; 2],
    /// Incremented with every new result.
    pub version: u64,
    inputs: Option<SearchInputs>,
    scratch: SearchScratch,
}

/// The inputs that the results are for.
#[derive(PartialEq)]
struct SearchInputs {
    grid: Entity,
    revision: u64,
    /// Of each side that is shown: its query, and whether its path is straightened.
    sides: [Option<(PathQuery, bool)>; 2],
}

/// A completed search.
pub(super) struct Run {
    pub answer: Result<Answer, SearchError>,
    pub metrics: Metrics,
    pub recording: Recording,
    /// The path as it is drawn: as found, or straightened. Empty without a path.
    pub line: Vec<Vec2>,
    /// Search time without recording, in microseconds.
    pub micros: f32,
    /// The optimal cost of a path of grid steps, if there is a path.
    pub best: Option<f64>,
    /// For each expansion, the number of events in the recording up to its end.
    ends: Vec<usize>,
}

impl SearchResults {
    /// No results yet.
    pub(super) fn new(start: GridCell, goal: GridCell) -> Self {
        Self { start, goal, ..Self::default() }
    }

    /// The number of expansions of the longer search.
    pub(super) fn last(&self) -> u32 {
        self.runs.iter().flatten().map(|run| run.ends.len() as u32).max().unwrap_or(0)
    }
}

impl Run {
    fn new(grid: &Arc<Grid>, query: &PathQuery, straightens: bool, scratch: &mut SearchScratch) -> Self {
        let mut recording = Recording::default();
        let mut search = Search::new(grid.clone(), query.clone(), std::mem::take(scratch));
        while search.step_with(u32::MAX, &mut recording) == Progress::Running {}
        let metrics = search.metrics();
        let (answer, returned) = search.finish();
        *scratch = returned;
        let found = answer.as_ref().map_or(&[][..], |answer| &answer.waypoints);
        let line = if straightens {
            straighten(grid, query.kind, query.steps.corners, found)
        } else {
            found.to_vec()
        };
        let best = query.clone().with_algorithm(pathfind_core::Algorithm::Auto);
        let best = best.with_heuristic(pathfind_core::Heuristic::Auto).with_partial(false);
        Self {
            micros: time(grid, query, scratch),
            best: solve(grid, &best, scratch).ok().map(|answer| answer.cost),
            ends: ends(&recording),
            line,
            answer,
            metrics,
            recording,
        }
    }

    /// The length of the drawn path, in cells; `None` without one.
    pub(super) fn length(&self) -> Option<f64> {
        let legs = self.line.windows(2).map(|leg| leg[0].as_dvec2().distance(leg[1].as_dvec2()));
        (!self.line.is_empty()).then(|| legs.sum())
    }

    /// The number of events after this many expansions.
    pub(super) fn events_after(&self, expansions: u32) -> usize {
        let first = self.ends.first().copied().unwrap_or(self.recording.events().len());
        match expansions {
            0 => first.min(1),
            n => self.ends.get(n as usize - 1).copied().unwrap_or(self.recording.events().len()),
        }
    }

    /// The number of cells that were opened after this many expansions.
    pub(super) fn opened_after(&self, expansions: u32) -> u64 {
        let events = &self.recording.events()[..self.events_after(expansions)];
        events.iter().filter(|event| event.kind == SearchEventKind::Opened).count() as u64
    }

    /// Whether the search is complete after this many expansions.
    pub(super) fn is_over(&self, expansions: u32) -> bool {
        expansions as usize >= self.ends.len()
    }

    /// The relative excess of the path's cost over the optimum of grid steps: 0 for an optimal path, negative for
    /// an any-angle path that is shorter.
    pub(super) fn excess(&self) -> Option<f64> {
        let (answer, best) = (self.answer.as_ref().ok()?, self.best?);
        (best > 0.0).then(|| answer.cost / best - 1.0)
    }
}

/// The number of events at the end of each expansion: before the next closed cell, or at the end.
fn ends(recording: &Recording) -> Vec<usize> {
    let closed =
        recording.events().iter().enumerate().filter(|(_, event)| event.kind == SearchEventKind::Closed);
    let mut ends: Vec<_> = closed.skip(1).map(|(i, _)| i).collect();
    if recording.events().iter().any(|event| event.kind == SearchEventKind::Closed) {
        ends.push(recording.events().len());
    }
    ends
}

/// A search that takes longer than this, in microseconds, is timed only once.
const QUICK: f32 = 4000.0;

/// The minimum of three search times, in microseconds.
fn time(grid: &Grid, query: &PathQuery, scratch: &mut SearchScratch) -> f32 {
    let mut once = || {
        let begun = Instant::now();
        let _ = std::hint::black_box(solve(grid, query, scratch));
        begun.elapsed().as_secs_f32() * 1e6
    };
    let first = once();
    if first > QUICK { first } else { first.min(once()).min(once()) }
}

/// Searches again whenever an input of the results has changed.
pub(super) fn search_again(
    boards: Query<(Entity, &Board, &NavGrid)>,
    settings: Res<LabSettings>,
    mut results: ResMut<SearchResults>,
    mut replay: ResMut<Replay>,
) {
    let Some((grid, _, nav)) = boards.iter().find(|(_, board, _)| board.side == 0) else { return };
    let (start, goal) = (results.start, results.goal);
    let sides = [0, 1].map(|side| {
        let input = (settings.query(side, start, goal), settings.side(side).straighten);
        (side < settings.sides()).then_some(input)
    });
    let inputs = SearchInputs { grid, revision: nav.revision(), sides };
    if results.inputs.as_ref() == Some(&inputs) {
        return;
    }
    let results = &mut *results;
    for (run, side) in results.runs.iter_mut().zip(&inputs.sides) {
        *run = side
            .as_ref()
            .map(|(query, straightens)| Run::new(nav.grid(), query, *straightens, &mut results.scratch));
    }
    results.version += 1;
    // If the replay was at its end, it stays at the end of the new search.
    let was_searched = results.inputs.replace(inputs).is_some();
    replay.results_changed(results.last(), was_searched);
}
