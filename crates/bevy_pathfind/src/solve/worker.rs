//! One search at work: from an assignment to a path, in slices.

use std::sync::{Arc, Mutex, PoisonError};

use bevy::platform::time::Instant;
use bevy::prelude::*;
use pathfind_core::{
    Algorithm, Answer, Grid, KindId, Metrics, Outcome, Progress, Query as Question, Recording, Search,
    SearchError, SearchSpace, line_of_sight, straighten,
};

use crate::request::{Asked, CornerRule, PathRequest};

/// Scratch memory that searches lend and give back.
#[derive(Resource, Clone, Default)]
pub(crate) struct Spaces(Arc<Mutex<Vec<SearchSpace>>>);

impl Spaces {
    fn lend(&self) -> SearchSpace {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn give_back(&self, space: SearchSpace) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(space);
    }
}

/// Everything that a search needs to know: nothing in it follows the world.
pub(crate) struct Assignment {
    /// The request that is answered.
    pub(crate) number: u64,
    pub(crate) grid: Entity,
    pub(crate) lineage: u64,
    pub(crate) snapshot: Arc<Grid>,
    /// Where the agent stands and wants to be, in grid space.
    pub(crate) from: Vec2,
    pub(crate) to: Vec2,
    pub(crate) question: Question,
    pub(crate) corners: CornerRule,
    pub(crate) straighten: bool,
    pub(crate) record: bool,
}

/// A path as the core found it, made to begin and end where it was asked to.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) points: Vec<Vec2>,
    pub(crate) outcome: Outcome,
    pub(crate) cost: f64,
    pub(crate) length: f64,
    pub(crate) cells: u32,
    pub(crate) kind: KindId,
    pub(crate) corners: CornerRule,
    pub(crate) algorithm: Algorithm,
}

/// What came out of an assignment.
pub(crate) struct Solved {
    pub(crate) number: u64,
    pub(crate) grid: Entity,
    pub(crate) lineage: u64,
    pub(crate) revision: u64,
    pub(crate) result: Result<Found, SearchError>,
    pub(crate) metrics: Metrics,
    pub(crate) micros: f32,
    pub(crate) recording: Option<Recording>,
}

/// Answers that wait to be applied.
#[derive(Resource, Default)]
pub(crate) struct Outbox(pub(crate) Vec<(Entity, Solved)>);

/// A search at work. Dropping it unfinished gives its memory back.
pub(crate) struct Worker {
    assignment: Assignment,
    search: Option<Search<Arc<Grid>>>,
    recording: Option<Recording>,
    spaces: Spaces,
    seconds: f32,
}

impl Worker {
    pub(crate) fn new(assignment: Assignment, spaces: Spaces) -> Self {
        let search = Search::new(assignment.snapshot.clone(), assignment.question.clone(), spaces.lend());
        let recording = assignment.record.then(Recording::default);
        Self { assignment, search: Some(search), recording, spaces, seconds: 0.0 }
    }

    /// The number of cells expanded so far.
    pub(crate) fn expanded(&self) -> u64 {
        self.search.as_ref().map_or(0, |search| search.metrics().expanded)
    }

    /// Expands up to `budget` cells more; the result, once there is one.
    pub(crate) fn step(&mut self, budget: u32) -> Option<Solved> {
        let began = Instant::now();
        let search = self.search.as_mut()?;
        let progress = match &mut self.recording {
            Some(recording) => search.step_with(budget, recording),
            None => search.step(budget),
        };
        let result = match progress {
            Progress::Running => None,
            Progress::Done => self.search.take().map(|search| {
                let metrics = search.metrics();
                let (result, space) = search.finish();
                self.spaces.give_back(space);
                (result.map(|answer| self.assignment.shape(answer)), metrics)
            }),
        };
        self.seconds += began.elapsed().as_secs_f32();
        let (result, metrics) = result?;
        Some(Solved {
            number: self.assignment.number,
            grid: self.assignment.grid,
            lineage: self.assignment.lineage,
            revision: self.assignment.snapshot.revision(),
            result,
            metrics,
            micros: self.seconds * 1e6,
            recording: self.recording.take(),
        })
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if let Some(search) = self.search.take() {
            self.spaces.give_back(search.finish().1);
        }
    }
}

impl Assignment {
    /// What the search is begun for, for the ticket.
    pub(crate) const fn asked(&self, request: &PathRequest) -> Asked {
        Asked { request: *request, from: self.from, to: self.to }
    }

    /// Makes the answer begin where the agent stands and, if it is complete, end at the very point that
    /// was asked for; then leaves out the turns that sight makes needless.
    fn shape(&self, answer: Answer) -> Found {
        let grid = &self.snapshot;
        let (kind, corners) = (self.question.kind, self.corners.into());
        let sees = |a: Vec2, b: Vec2| line_of_sight(grid, kind, corners, a, b);
        let cells = answer.cells().count() as u32;
        let mut points = answer.waypoints;
        if points.len() > 1 && sees(self.from, points[1]) {
            points[0] = self.from;
        } else {
            points.insert(0, self.from);
        }
        if answer.outcome == Outcome::Complete {
            let before_last = points[points.len().saturating_sub(2)];
            if points.len() > 1 && sees(before_last, self.to) {
                points.pop();
            }
            points.push(self.to);
        }
        if self.straighten {
            points = straighten(grid, kind, corners, &points);
        }
        Found {
            points,
            outcome: answer.outcome,
            cost: answer.cost,
            length: answer.length,
            cells,
            kind,
            corners: self.corners,
            algorithm: answer.algorithm,
        }
    }
}
