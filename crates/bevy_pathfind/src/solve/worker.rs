//! The execution of one search job in slices, from its input to the paths found.

use std::sync::Arc;

use bevy::platform::time::Instant;
use bevy::prelude::*;
use pathfind_core::{
    Answer, Grid, ManyToOne, Metrics, Progress, Recording, Search, SearchError, SearchScratch,
};

use super::assignment::Assignment;
use super::resources::SearchResources;
use super::search_queue::{Asker, SearchJob};
use crate::order::{FoundPath, Promise};

/// Reading so many cells of a path off a shared search costs as much as expanding one cell.
const CELLS_READ: u64 = 2;

/// The result of a search for one request.
pub(crate) struct Solved {
    pub(crate) number: u64,
    pub(crate) grid: Entity,
    pub(crate) lineage: u64,
    pub(crate) revision: u64,
    pub(crate) result: Result<FoundPath, SearchError>,
    /// The metrics of the search that found it.
    pub(crate) metrics: Metrics,
    pub(crate) micros: f32,
    pub(crate) recording: Option<Recording>,
    /// How many requests that search served.
    pub(crate) served: u32,
    /// Whether this is the first answer of the search; statistics count the search with it.
    pub(crate) is_first: bool,
    /// Whether the answer came from the cache, without a search.
    pub(crate) cached: bool,
    /// While it exists, the requester knows that its answer may still come.
    pub(crate) _promise: Promise,
}

/// Answers that wait to be applied.
#[derive(Resource, Default)]
pub(crate) struct CompletedSearches(pub(crate) Vec<(Entity, Solved)>);

/// The source of the answers.
enum Engine {
    CachedAnswer(Arc<Answer>),
    Search(Box<Search<Arc<Grid>>>),
    /// One search backwards from the goal, for all requesters.
    ManyToOne(Box<ManyToOne<Arc<Grid>>>),
}

/// A search job in execution. Dropping it unfinished returns its scratch memory.
pub(crate) struct Worker {
    /// The requesters not yet answered; empty only at the end.
    askers: Vec<Asker>,
    served: u32,
    /// Whether no requester has been answered yet.
    is_fresh: bool,
    engine: Option<Engine>,
    /// Whether a shared search has reached all starts, so that paths can be read off it.
    has_reached: bool,
    recording: Option<Recording>,
    resources: SearchResources,
    spent: u64,
    seconds: f32,
    solved: Vec<(Entity, Solved)>,
}

impl Worker {
    /// Begins a job; `None` if it has no requesters left.
    pub(super) fn new(order: SearchJob, resources: SearchResources) -> Option<Self> {
        let SearchJob { askers, shared } = order;
        let Assignment { grid, snapshot, question, record, cached, .. } = &askers.first()?.assignment;
        let known =
            (!shared && !record && *cached > 0).then(|| resources.cache().get(*grid, snapshot, question));
        let engine = match known.flatten() {
            Some(answer) => Engine::CachedAnswer(answer),
            None if shared => many_to_one(&askers, resources.lend()),
            None => {
                let search = Search::new(snapshot.clone(), question.clone(), resources.lend());
                Engine::Search(Box::new(search))
            }
        };
        Some(Self {
            served: askers.len() as u32,
            is_fresh: true,
            recording: record.then(Recording::default),
            engine: Some(engine),
            has_reached: false,
            askers,
            resources,
            spent: 0,
            seconds: 0.0,
            solved: Vec::new(),
        })
    }

    /// The work done so far, in cells expanded.
    pub(super) const fn expanded(&self) -> u64 {
        self.spent
    }

    /// Removes withdrawn requesters, as `is_withdrawn` says; returns whether none is left.
    pub(super) fn is_withdrawn(&mut self, is_withdrawn: impl Fn(&Asker) -> bool) -> bool {
        self.askers.retain(|asker| !is_withdrawn(asker));
        self.askers.is_empty()
    }

    /// The answers since the last call.
    pub(super) fn take_solved(&mut self) -> impl Iterator<Item = (Entity, Solved)> + '_ {
        self.solved.drain(..)
    }

    /// Expands up to `budget` cells more; returns whether all requesters are answered.
    pub(super) fn step(&mut self, budget: u32) -> bool {
        let began = Instant::now();
        match self.engine.take() {
            None => (),
            Some(Engine::CachedAnswer(answer)) => self.answer_known(&answer, began),
            Some(Engine::Search(search)) => self.step_search(search, budget, began),
            Some(Engine::ManyToOne(search)) => self.step_many_to_one(search, budget, began),
        }
        self.askers.is_empty()
    }

    fn answer_known(&mut self, answer: &Answer, began: Instant) {
        let asker = self.askers.swap_remove(0);
        let found = asker.assignment.shape(answer.clone());
        self.seconds += began.elapsed().as_secs_f32();
        self.hand_out(asker, Ok(found), Metrics::default(), true);
    }

    fn step_search(&mut self, mut search: Box<Search<Arc<Grid>>>, budget: u32, began: Instant) {
        let before = search.metrics().expanded;
        let progress = match &mut self.recording {
            Some(recording) => search.step_with(budget, recording),
            None => search.step(budget),
        };
        let metrics = search.metrics();
        self.spent += metrics.expanded - before;
        if progress == Progress::Running {
            self.engine = Some(Engine::Search(search));
            self.seconds += began.elapsed().as_secs_f32();
            return;
        }
        let (result, scratch) = search.finish();
        self.resources.give_back(scratch);
        let asker = self.askers.swap_remove(0);
        let Assignment { grid, snapshot, question, cached, .. } = &asker.assignment;
        if let Ok(answer) = &result
            && *cached > 0
        {
            self.resources.cache().put(*grid, snapshot, question, answer, *cached as usize);
        }
        let result = result.map(|answer| asker.assignment.shape(answer));
        self.seconds += began.elapsed().as_secs_f32();
        self.hand_out(asker, result, metrics, false);
    }

    /// Runs the shared search, then reads one path after another off it. Requesters whose start is in another
    /// connected region than that of the first one are served by a new search.
    fn step_many_to_one(&mut self, mut search: Box<ManyToOne<Arc<Grid>>>, budget: u32, began: Instant) {
        if !self.has_reached {
            let before = search.metrics().expanded;
            self.has_reached = search.step(budget) == Progress::Done;
            self.spent += search.metrics().expanded - before;
            self.seconds += began.elapsed().as_secs_f32();
            self.engine = Some(Engine::ManyToOne(search));
            return;
        }
        let most = self.spent + u64::from(budget);
        let mut index = 0;
        let metrics = search.metrics();
        while index < self.askers.len() && self.spent < most {
            let assignment = &self.askers[index].assignment;
            let result = match search.answer(assignment.question.start) {
                None => {
                    index += 1;
                    continue;
                }
                Some(result) => result,
            };
            // A start that is blocked or outside concerns only the first requester, not the others.
            let is_start_bad =
                matches!(result, Err(SearchError::StartOutside(_) | SearchError::StartBlocked(_)));
            let result = result.map(|answer| assignment.shape(answer));
            let cells = result.as_ref().map_or(0, |found| u64::from(found.cells));
            self.spent += 1 + cells / CELLS_READ;
            let asker = self.askers.remove(index);
            self.hand_out(asker, result, metrics, false);
            if is_start_bad {
                index = self.askers.len();
            }
        }
        self.seconds += began.elapsed().as_secs_f32();
        self.engine = if index >= self.askers.len() {
            let scratch = search.finish();
            self.has_reached = false;
            if self.askers.is_empty() {
                self.resources.give_back(scratch);
                None
            } else {
                Some(many_to_one(&self.askers, scratch))
            }
        } else {
            Some(Engine::ManyToOne(search))
        };
    }

    fn hand_out(
        &mut self,
        asker: Asker,
        result: Result<FoundPath, SearchError>,
        metrics: Metrics,
        cached: bool,
    ) {
        let Asker { entity, assignment, promise } = asker;
        let solved = Solved {
            number: assignment.number,
            grid: assignment.grid,
            lineage: assignment.lineage,
            revision: assignment.snapshot.revision(),
            result,
            metrics,
            micros: self.seconds * 1e6,
            recording: self.recording.take(),
            served: self.served,
            is_first: core::mem::take(&mut self.is_fresh),
            cached,
            _promise: promise,
        };
        self.solved.push((entity, solved));
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        match self.engine.take() {
            Some(Engine::Search(search)) => self.resources.give_back(search.finish().1),
            Some(Engine::ManyToOne(search)) => self.resources.give_back(search.finish()),
            Some(Engine::CachedAnswer(_)) | None => (),
        }
    }
}

/// One shared search for all requesters, with the query of the first.
fn many_to_one(askers: &[Asker], scratch: SearchScratch) -> Engine {
    let starts: Vec<_> = askers.iter().map(|asker| asker.assignment.question.start).collect();
    let first = &askers[0].assignment;
    let search = ManyToOne::new(first.snapshot.clone(), first.question.clone(), &starts, scratch);
    Engine::ManyToOne(Box::new(search))
}
