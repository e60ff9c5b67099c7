//! The execution of one search job in slices, from its input to the paths found.
//!
//! A job has one requester, or several with the same goal: then one search backwards from the goal answers them all.

use std::sync::Arc;

use bevy::platform::time::Instant;
use bevy::prelude::*;
use pathfind_core::graph::GraphSearch;
use pathfind_core::{
    Answer, Grid, ManyToOne, Metrics, PartialReason, Progress, Recording, Search, SearchError, SearchScratch,
    VehicleSearch,
};

use super::resources::SearchResources;
use super::search_input::SearchInput;
use super::search_queue::{Recipient, SearchJob};
use crate::order::{FoundPath, SearchHandle};

/// How many cells of a path can be read from a finished shared search in the time of one expansion. An estimate; it
/// decides only how many paths are read in one slice.
const CELLS_READ_PER_EXPANSION: u64 = 2;

/// The result of a search for one request.
pub(crate) struct Solved {
    /// The number of the request, as in its `Ticket`.
    pub(crate) number: u64,
    pub(crate) grid: Entity,
    /// The map id of the grid that was searched; a grid that replaces it has another map id.
    pub(crate) map_id: u64,
    /// The revision of the grid that was searched.
    pub(crate) revision: u64,
    /// The version of the links that were searched.
    pub(crate) links_version: u64,
    pub(crate) result: Result<FoundPath, SearchError>,
    /// The metrics of the search, for all its requests together; zero for a cached answer.
    pub(crate) metrics: Metrics,
    /// The time spent on the job until this answer. Unit: microseconds.
    pub(crate) micros: f32,
    /// The events of the search, if they were recorded; only the first answer of a job has them.
    pub(crate) recording: Option<Recording>,
    /// How many requesters the job had when it began.
    pub(crate) served: u32,
    /// Whether this is the first answer of the job. The statistics of the job are counted once, with this answer.
    pub(crate) is_first: bool,
    /// Whether the answer came without a search: from the cache, or with the request.
    pub(crate) cached: bool,
    /// Held until the answer is applied: while it exists, `CancelToken::may_be_answered` is true, and the request is
    /// not queued again.
    pub(crate) _handle: SearchHandle,
}

/// The answers to apply in this run of the stage, each with the entity of its requester.
#[derive(Resource, Default)]
pub(crate) struct CompletedSearches(pub(crate) Vec<(Entity, Solved)>);

/// What a job gets its answers from.
enum AnswerSource {
    /// An answer that needs no search: it is cached, or came with the request.
    CachedAnswer(Arc<Answer>),
    Search(Box<Search<Arc<Grid>>>),
    /// One search backwards from the goal, for all requesters. Once it is done, their paths can be read.
    ManyToOne {
        search: Box<ManyToOne<Arc<Grid>>>,
        is_done: bool,
    },
    Vehicle(Box<VehicleSearch<Arc<Grid>>>),
    /// A search over several grids. If it cannot reach the goal's grid, a second search for the reachable cell
    /// nearest to the goal follows: then `first` is the reason, with the metrics of the first search.
    Graph {
        search: Box<GraphSearch>,
        first: Option<(PartialReason, Metrics)>,
    },
}

/// A search job in execution. Dropping it unfinished returns its scratch memory.
pub(crate) struct JobRun {
    /// The requesters not yet answered; empty only at the end.
    recipients: Vec<Recipient>,
    /// How many requesters the job had when it began.
    served: u32,
    /// Whether no requester has been answered yet.
    is_first: bool,
    /// `None` once all requesters are answered, and while a slice runs.
    source: Option<AnswerSource>,
    recording: Option<Recording>,
    resources: SearchResources,
    /// The work done so far. Unit: expansions.
    spent: u64,
    /// The time spent so far, without that since `slice_start`. Unit: seconds.
    seconds: f32,
    /// When the latest slice began.
    slice_start: Instant,
    /// The answers not yet taken with [`take_solved`](Self::take_solved).
    solved: Vec<(Entity, Solved)>,
}

impl JobRun {
    /// Begins a job; `None` if it has no requesters left.
    pub(super) fn new(job: SearchJob, resources: SearchResources) -> Option<Self> {
        let SearchJob { recipients, shared } = job;
        let input = &recipients.first()?.input;
        let &SearchInput { grid, ref snapshot, ref query, record, cache_capacity, ref over_links, .. } =
            input;
        // A search that is to be recorded has to run.
        let use_cache =
            !shared && !record && cache_capacity > 0 && over_links.is_none() && input.vehicle.is_none();
        let cached_answer = input
            .known
            .clone()
            .filter(|_| input.vehicle.is_none())
            .or_else(|| use_cache.then(|| resources.cache().get(grid, snapshot, query)).flatten());
        let source = match cached_answer {
            Some(answer) => AnswerSource::CachedAnswer(answer),
            None if let Some(vehicle) = input.vehicle => {
                let search = VehicleSearch::new(snapshot.clone(), vehicle, resources.lend());
                AnswerSource::Vehicle(Box::new(search))
            }
            None if shared => many_to_one(&recipients, resources.lend()),
            None if let Some((over, query)) = over_links.as_ref().zip(input.graph_query()) => {
                let graph = over.world.graph.clone();
                let search = Box::new(GraphSearch::new(graph, query, resources.lend()));
                AnswerSource::Graph { search, first: None }
            }
            None => {
                let search = Search::new(snapshot.clone(), query.clone(), resources.lend());
                AnswerSource::Search(Box::new(search))
            }
        };
        Some(Self {
            served: recipients.len() as u32,
            is_first: true,
            recording: (record && !matches!(source, AnswerSource::Graph { .. } | AnswerSource::Vehicle(_)))
                .then(Recording::default),
            source: Some(source),
            recipients,
            resources,
            spent: 0,
            seconds: 0.0,
            slice_start: Instant::now(),
            solved: Vec::new(),
        })
    }

    /// The work done so far, in expansions; reading paths from a shared search counts too.
    pub(super) const fn expanded(&self) -> u64 {
        self.spent
    }

    /// Removes the requesters that have withdrawn; returns whether none is left.
    pub(super) fn drop_withdrawn(&mut self) -> bool {
        self.recipients.retain(|recipient| !recipient.handle.is_withdrawn());
        self.recipients.is_empty()
    }

    /// Takes the answers found since the last call, each with the entity of its requester.
    pub(super) fn take_solved(&mut self) -> impl Iterator<Item = (Entity, Solved)> + '_ {
        self.solved.drain(..)
    }

    /// Expands up to `budget` cells more, or reads paths for about as long; returns whether all requesters are
    /// answered.
    pub(super) fn step(&mut self, budget: u32) -> bool {
        self.slice_start = Instant::now();
        match self.source.take() {
            None => (),
            Some(AnswerSource::CachedAnswer(answer)) => self.answer_from_cache(&answer),
            Some(AnswerSource::Search(search)) => self.step_search(search, budget),
            Some(AnswerSource::Vehicle(search)) => self.step_vehicle(search, budget),
            Some(AnswerSource::ManyToOne { search, is_done: false }) => self.step_many_to_one(search, budget),
            Some(AnswerSource::ManyToOne { search, is_done: true }) => self.read_paths(search, budget),
            Some(AnswerSource::Graph { search, first }) => self.step_graph(search, first, budget),
        }
        self.seconds += self.slice_start.elapsed().as_secs_f32();
        self.recipients.is_empty()
    }

    /// Answers the only requester without a search.
    fn answer_from_cache(&mut self, answer: &Answer) {
        let recipient = self.recipients.swap_remove(0);
        let found = recipient.input.shape(answer.clone());
        self.push_solved(recipient, Ok(found), Metrics::default(), true);
    }

    /// Continues the search for the only requester, and answers it when the search ends.
    fn step_search(&mut self, mut search: Box<Search<Arc<Grid>>>, budget: u32) {
        let before = search.metrics().expanded;
        let progress = match &mut self.recording {
            Some(recording) => search.step_with(budget, recording),
            None => search.step(budget),
        };
        let metrics = search.metrics();
        self.spent += metrics.expanded - before;
        if progress == Progress::Running {
            self.source = Some(AnswerSource::Search(search));
            return;
        }
        let (result, scratch) = search.finish();
        self.resources.give_back(scratch);
        let recipient = self.recipients.swap_remove(0);
        let &SearchInput { grid, ref snapshot, ref query, cache_capacity, .. } = &recipient.input;
        if let Ok(answer) = &result {
            self.resources.cache().put(grid, snapshot, query, answer, cache_capacity as usize);
        }
        let result = result.map(|answer| recipient.input.shape(answer));
        self.push_solved(recipient, result, metrics, false);
    }

    /// Continues the search for the path of a vehicle, and answers it when the search ends.
    fn step_vehicle(&mut self, mut search: Box<VehicleSearch<Arc<Grid>>>, budget: u32) {
        let before = search.metrics().expanded;
        let progress = search.step(budget);
        let metrics = search.metrics();
        // At least 1: the estimate is searched for without expanding a pose.
        self.spent += (metrics.expanded - before).max(1);
        if progress == Progress::Running {
            self.source = Some(AnswerSource::Vehicle(search));
            return;
        }
        let (result, scratch) = search.finish();
        self.resources.give_back(scratch);
        let recipient = self.recipients.swap_remove(0);
        let result = result.map(|path| recipient.input.shape_drive(path));
        self.push_solved(recipient, result, metrics, false);
    }

    /// Continues the search over links for the only requester, and answers it when the search ends.
    fn step_graph(
        &mut self,
        mut search: Box<GraphSearch>,
        first: Option<(PartialReason, Metrics)>,
        budget: u32,
    ) {
        let before = search.metrics().expanded;
        let progress = search.step(budget);
        let metrics = search.metrics();
        // At least 1: also a step that expands nothing uses up the caller's budget.
        self.spent += (metrics.expanded - before).max(1);
        if progress == Progress::Running {
            self.source = Some(AnswerSource::Graph { search, first });
            return;
        }
        let (result, scratch) = search.finish();
        let input = &self.recipients[0].input;
        let nearest = result.as_ref().ok().and_then(|answer| input.nearest_query(answer));
        if let Some((over, (query, reason))) =
            input.over_links.as_ref().zip(nearest).filter(|_| first.is_none())
        {
            let search = Box::new(GraphSearch::new(over.world.graph.clone(), query, scratch));
            self.source = Some(AnswerSource::Graph { search, first: Some((reason, metrics)) });
            return;
        }
        self.resources.give_back(scratch);
        let recipient = self.recipients.swap_remove(0);
        let (reason, first_metrics) = first.unzip();
        let result = result.map(|answer| recipient.input.shape_legs(answer, reason));
        let metrics = metrics + first_metrics.unwrap_or_default();
        self.push_solved(recipient, result, metrics, false);
    }

    /// Continues the shared search.
    fn step_many_to_one(&mut self, mut search: Box<ManyToOne<Arc<Grid>>>, budget: u32) {
        let before = search.metrics().expanded;
        let is_done = search.step(budget) == Progress::Done;
        self.spent += search.metrics().expanded - before;
        self.source = Some(AnswerSource::ManyToOne { search, is_done });
    }

    /// Reads one path after another from the shared search, which is done.
    ///
    /// The search reaches only the starts in the same connected region as the first requester's start. Once their
    /// paths are read, a new search begins for the requesters left, with the query of the first of them.
    fn read_paths(&mut self, search: Box<ManyToOne<Arc<Grid>>>, budget: u32) {
        let limit = self.spent + u64::from(budget);
        let mut index = 0;
        let metrics = search.metrics();
        while index < self.recipients.len() && self.spent < limit {
            let input = &self.recipients[index].input;
            let Some(result) = search.answer(input.query.start) else {
                // This start was not reached: the requester is left for the next search.
                index += 1;
                continue;
            };
            // If the first requester's start is blocked or outside the grid, the search answers every start with this
            // error. Only the first requester gets it; a new search begins for the others.
            let is_start_invalid =
                matches!(result, Err(SearchError::StartOutside(_) | SearchError::StartBlocked(_)));
            let result = result.map(|answer| input.shape(answer));
            let cells = result.as_ref().map_or(0, |found| u64::from(found.cells));
            self.spent += 1 + cells / CELLS_READ_PER_EXPANSION;
            let recipient = self.recipients.remove(index);
            self.push_solved(recipient, result, metrics, false);
            if is_start_invalid {
                index = self.recipients.len();
            }
        }
        if index < self.recipients.len() {
            self.source = Some(AnswerSource::ManyToOne { search, is_done: true });
        } else if self.recipients.is_empty() {
            self.resources.give_back(search.finish());
        } else {
            self.source = Some(many_to_one(&self.recipients, search.finish()));
        }
    }

    /// Makes the answer for a requester, to be taken with [`take_solved`](Self::take_solved).
    fn push_solved(
        &mut self,
        recipient: Recipient,
        result: Result<FoundPath, SearchError>,
        metrics: Metrics,
        cached: bool,
    ) {
        let Recipient { entity, input, handle } = recipient;
        let solved = Solved {
            number: input.number,
            grid: input.grid,
            map_id: input.map_id,
            revision: input.snapshot.revision(),
            links_version: input.links_version,
            result,
            metrics,
            micros: (self.seconds + self.slice_start.elapsed().as_secs_f32()) * 1e6,
            recording: self.recording.take(),
            served: self.served,
            is_first: core::mem::take(&mut self.is_first),
            cached,
            _handle: handle,
        };
        self.solved.push((entity, solved));
    }
}

impl Drop for JobRun {
    fn drop(&mut self) {
        match self.source.take() {
            Some(AnswerSource::Search(search)) => self.resources.give_back(search.finish().1),
            Some(AnswerSource::Vehicle(search)) => self.resources.give_back(search.finish().1),
            Some(AnswerSource::ManyToOne { search, .. }) => self.resources.give_back(search.finish()),
            Some(AnswerSource::Graph { search, .. }) => self.resources.give_back(search.finish().1),
            Some(AnswerSource::CachedAnswer(_)) | None => (),
        }
    }
}

/// One search for all requesters, backwards from their common goal, with the query of the first. `recipients` must
/// not be empty.
fn many_to_one(recipients: &[Recipient], scratch: SearchScratch) -> AnswerSource {
    let starts: Vec<_> = recipients.iter().map(|recipient| recipient.input.query.start).collect();
    let first = &recipients[0].input;
    let search = ManyToOne::new(first.snapshot.clone(), first.query.clone(), &starts, scratch);
    AnswerSource::ManyToOne { search: Box::new(search), is_done: false }
}
