//! The search for the path of a vehicle.

use core::ops::Deref;

use glam::DVec2;

use super::body::swept;
use super::goal_costs::GoalCosts;
use super::motions::Motions;
use super::open_costs::OpenCosts;
use super::path::{Travel, VehiclePath, drive_along};
use super::query::VehicleQuery;
use super::records::{PoseRecord, PoseRecords, packed};
use super::to_goal::ways_to;
use crate::grid::{Grid, GridCell};
use crate::search::{Metrics, Outcome, PartialReason, Progress, SearchError, SearchScratch};
use crate::sight::{Solid, TurnedRectangle};

/// How fine the searches are: the next runs if one has found no path.
const FINENESS: [u16; 3] = [1, 2, 4];
/// Parts of a cell along each axis, at the first fineness: for a body that only drives forwards, and for one that can
/// back out of a pose that is kept in place of another.
const PARTS: [f64; 2] = [3.0, 2.0];
/// A path of no more than this cost, on ground that costs 1, is searched for again at the second fineness: the drives
/// of the first are long for it.
const SHORT: f64 = 8.0;
/// The connection with the goal is tried where the cost with walls is estimated at no more than this many times that
/// without, and taken if it costs no more than this many times the estimate. Steps in eight directions cost up to 1.08
/// times as much as straight lines.
const STRAIGHT: f64 = 1.15;
/// Where terrain costs differ, drives are cut into pieces of this length to find their costs.
const PIECE: f64 = 0.5;

/// The search for the path of a vehicle, which runs in slices and can be dropped between any two.
///
/// `G` is a reference to a grid, or an `Arc`. The answer is the same however the work is sliced.
#[derive(Debug)]
pub struct VehicleSearch<G> {
    grid: G,
    query: VehicleQuery,
    goal_costs: GoalCosts,
    open_costs: OpenCosts,
    state: VehicleSearchState,
    fineness: usize,
    motions: Motions,
    records: PoseRecords,
    /// The record of the least estimate.
    nearest: u32,
    /// Whether poses were left out because they exceed the limit of cost.
    is_cut: bool,
    /// The path of an earlier fineness, then the answer.
    found: Option<VehiclePath>,
    metrics: Metrics,
}

#[derive(Copy, Clone, Debug, PartialEq)]
enum VehicleSearchState {
    /// The estimate is searched for, from the goal to the start.
    Estimating,
    Driving,
    Done(Result<(), SearchError>),
}

impl<G: Deref<Target = Grid>> VehicleSearch<G> {
    /// Begins a search. An error in the query is returned by [`finish`](Self::finish).
    pub fn new(grid: G, mut query: VehicleQuery, mut scratch: SearchScratch) -> Self {
        let (sin, cos) = libm::sincos(query.start.heading.into());
        query.start.heading = libm::atan2(sin, cos) as f32;
        let motions = std::mem::take(&mut scratch.motions);
        let open_costs = std::mem::take(&mut scratch.open_costs);
        let checked = query.check(&grid).and_then(|()| {
            let half = query.body.half();
            let body = TurnedRectangle {
                center: query.start.position.as_dvec2(),
                along: DVec2::new(cos, sin),
                half,
            };
            let stands = Solid::of(&grid, query.kind).is_some_and(|solid| solid.lets_stand(&body));
            stands.then_some(()).ok_or(SearchError::StartBlocked(GridCell::containing(query.start.position)))
        });
        let state = checked
            .map_or_else(|error| VehicleSearchState::Done(Err(error)), |()| VehicleSearchState::Estimating);
        let goal_costs = match state {
            VehicleSearchState::Done(_) => GoalCosts::idle(query.goal_cell(), scratch),
            _ => GoalCosts::new(&grid, &query, scratch),
        };
        let (records, metrics) = Default::default();
        Self {
            grid,
            query,
            goal_costs,
            open_costs,
            state,
            fineness: 0,
            motions,
            records,
            nearest: 0,
            is_cut: false,
            found: None,
            metrics,
        }
    }

    /// Works on the search for about `budget` expansions of poses, or of cells for the estimate.
    pub fn step(&mut self, budget: u32) -> Progress {
        let mut left = budget;
        while left > 0 {
            match self.state {
                VehicleSearchState::Estimating => {
                    left = left.saturating_sub(GoalCosts::TURN);
                    let start = GridCell::containing(self.query.start.position);
                    if self.goal_costs.advance(&self.grid, start)
                        && !self.goal_costs.narrow(&self.grid, start)
                    {
                        self.begin(0);
                    }
                }
                VehicleSearchState::Driving => {
                    left -= 1;
                    self.expand_next();
                }
                VehicleSearchState::Done(_) => break,
            }
        }
        if matches!(self.state, VehicleSearchState::Done(_)) { Progress::Done } else { Progress::Running }
    }

    /// Counts of what the search has done so far.
    #[must_use]
    pub fn metrics(&self) -> Metrics {
        self.metrics
    }

    /// Ends the search, and returns the path and the search's memory.
    ///
    /// # Errors
    /// [`SearchError::NotDrivable`] if steps lead to the goal, but no drive was found; [`SearchError::Unreachable`]
    /// if no steps do. [`SearchError::StartBlocked`] if the body overlaps a wall or a fence;
    /// [`SearchError::StartOutside`], [`SearchError::GoalOutside`], [`SearchError::GoalBlocked`],
    /// [`SearchError::UnknownKind`]; [`SearchError::BadBody`], [`SearchError::BadPoint`],
    /// [`SearchError::BadHeading`], [`SearchError::BadRadius`] and [`SearchError::BadCost`] for numbers that are out
    /// of range; [`SearchError::Unfinished`] if the search was not [done](Progress::Done).
    pub fn finish(self) -> (Result<VehiclePath, SearchError>, SearchScratch) {
        let Self { state, found, mut goal_costs, motions, open_costs, .. } = self;
        (goal_costs.scratch.motions, goal_costs.scratch.open_costs) = (motions, open_costs);
        let path = match state {
            VehicleSearchState::Done(done) => done.and(found.ok_or(SearchError::Unfinished)),
            _ => Err(SearchError::Unfinished),
        };
        (path, goal_costs.scratch)
    }

    /// Ends the search with what was found earlier, or else with the path to a record.
    fn end_short(&mut self, reason: PartialReason) {
        let found = self.found.take().unwrap_or_else(|| self.path(self.nearest, Some(reason)));
        (self.found, self.state) = (Some(found), VehicleSearchState::Done(Ok(())));
    }

    /// Opens the start, of the search of the present fineness.
    fn begin(&mut self, fineness: usize) {
        self.fineness = fineness;
        self.motions.set(&self.query, FINENESS[self.fineness]);
        self.open_costs.set(self.query.body, self.query.reach.into());
        let (at, heading) = (self.query.start.position.as_dvec2(), self.motions.start);
        let Some(estimate) = self.estimate(at, self.motions.direction(heading), 0.0) else {
            self.state = VehicleSearchState::Done(Err(SearchError::Unreachable));
            return;
        };
        if self.goal_costs.is_too_wide {
            self.state = VehicleSearchState::Done(Err(SearchError::NotDrivable));
            return;
        }
        (self.records, self.nearest) = (PoseRecords::default(), 0);
        let is_on_lane = self.motions.is_on_lane(at, heading);
        let (cost, parent, is_goal, drives) = (0.0, 0, false, Default::default());
        self.records
            .open(None, PoseRecord { at, cost, estimate, parent, heading, is_on_lane, is_goal, drives });
        self.state = VehicleSearchState::Driving;
    }

    /// The greater of the costs of steps and of drives without walls, after a drive in a gear. Those are not exact
    /// enough nearby to look for a better path than the one found.
    fn estimate(&mut self, at: DVec2, along: DVec2, gear: f64) -> Option<f64> {
        let field = self.goal_costs.estimate(&self.grid, at)?;
        let open = match self.found {
            Some(_) => self.goal_costs.least() * at.distance(self.query.goal.as_dvec2()),
            None => self.open_cost(at, along, gear),
        };
        Some(field.max(open))
    }

    /// What a drive to the goal itself costs more, about, than one to where it may end.
    fn reach_cost(&self) -> f64 {
        self.goal_costs.least() * f64::from(self.query.reach)
    }

    fn open_cost(&self, at: DVec2, along: DVec2, gear: f64) -> f64 {
        let away = self.query.goal.as_dvec2() - at;
        let seen = DVec2::new(along.dot(away), along.perp_dot(away));
        self.goal_costs.least() * self.open_costs.to(seen, gear)
    }

    /// A number for the part of a cell, the heading and whether it is on a lane.
    fn place(&self, at: DVec2, heading: u16, is_on_lane: bool) -> u64 {
        let parts = PARTS[usize::from(self.query.body.reverses)] * f64::from(FINENESS[self.fineness]);
        let [column, row] = [at.x, at.y].map(|at| (at * parts) as u64);
        let cell = row * (f64::from(self.grid.width()) * parts) as u64 + column;
        (cell * (u64::from(self.motions.count) + 1) + u64::from(heading)) * 2 + u64::from(is_on_lane)
    }

    fn expand_next(&mut self) {
        if self.query.limits.expansions.is_some_and(|most| self.metrics.expanded >= most) {
            self.end_short(PartialReason::ExpansionLimit);
            return;
        }
        let Some(index) = self.records.pop() else {
            self.state = VehicleSearchState::Done(match self.found {
                Some(_) => Ok(()),
                None if self.is_cut => return self.end_short(PartialReason::CostLimit),
                None if self.fineness + 1 < FINENESS.len() => return self.begin(self.fineness + 1),
                None => Err(SearchError::NotDrivable),
            });
            return;
        };
        self.metrics.expanded += 1;
        let record = self.records.all[index as usize];
        let distance = record.at.distance(self.query.goal.as_dvec2());
        if record.is_goal || distance <= f64::from(self.query.reach) {
            self.found = Some(self.path(index, None));
            match self.fineness == 0 && record.cost <= SHORT * self.goal_costs.least() {
                true => self.begin(1),
                false => self.state = VehicleSearchState::Done(Ok(())),
            }
            return;
        }
        if self.query.limits.cost.is_some_and(|most| record.cost + record.estimate > most) {
            self.is_cut = true;
            return;
        }
        if record.estimate < self.records.all[self.nearest as usize].estimate {
            self.nearest = index;
        }
        let along = self.motions.direction(record.heading);
        if record.estimate <= STRAIGHT * (self.open_cost(record.at, along, record.gear()) + self.reach_cost())
        {
            self.connect(index, &record);
        }
        self.expand(index, &record);
    }

    /// Opens the poses to which drives lead from a pose.
    fn expand(&mut self, index: u32, record: &PoseRecord) {
        // Taken out while poses are offered, which needs the number of headings only.
        let motions = std::mem::take(&mut self.motions);
        self.motions.count = motions.count;
        let along = motions.direction(record.heading);
        let half = self.query.body.half();
        let reach = half.length()
            + motions.from(record.heading).iter().map(|it| it.travel.distance).fold(0.0, f64::max);
        let is_open = self.solid().is_open_between(record.at - reach, record.at + reach);
        let lets_stand = |search: &Self, body: TurnedRectangle| search.solid().lets_stand(&body);
        for motion in motions.from(record.heading) {
            let is_on_lane = record.is_on_lane && motion.travel.curvature == 0.0;
            let end = (record.at + motion.offset, motion.heading, is_on_lane);
            let to = motions.direction(motion.heading);
            let fits = |search: &Self| {
                is_open || motions.checks(motion, record.at).all(|body| lets_stand(search, body))
            };
            self.offer((index, record), [along, to], [Travel::default(), motion.travel], end, fits);
        }
        if !is_open {
            for (straight, turns_at, turn, end) in motions.to_lanes(record.at, record.heading) {
                let fits = |search: &Self| {
                    search.fits(record.at, along, [straight, Travel::default()])
                        && motions.checks(turn, turns_at).all(|body| lets_stand(search, body))
                };
                let end = (end, turn.heading, true);
                let to = motions.direction(turn.heading);
                self.offer((index, record), [along, to], [straight, turn.travel], end, fits);
            }
        }
        self.motions = motions;
    }

    /// Offers an arc and a straight drive that end on the goal, if there are such.
    fn connect(&mut self, index: u32, record: &PoseRecord) {
        let (along, goal) = (self.motions.direction(record.heading), self.query.goal.as_dvec2());
        let ways =
            ways_to(goal - record.at, along, self.query.body.turning_radius.into(), self.motions.gears());
        let costs = ways.map(|drives| (self.cost(record, along, drives), drives));
        let most = STRAIGHT * (record.estimate + self.reach_cost());
        let mut costs: Vec<(f64, [Travel; 2])> = costs.filter(|it| it.0 <= most).collect();
        costs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let way = costs.into_iter().find(|&(_, drives)| self.fits(record.at, along, drives));
        if let Some((cost, drives)) = way {
            let cost = record.cost + cost;
            if self.found.as_ref().is_some_and(|found| found.cost <= cost) {
                return;
            }
            let (drives, is_goal) = (packed(drives), true);
            self.records.open(
                None,
                PoseRecord { at: goal, cost, estimate: 0.0, parent: index, is_goal, drives, ..*record },
            );
        }
    }

    /// Opens the pose at the end of drives if that is of use and the body fits; with the directions before and after.
    fn offer(
        &mut self,
        (parent, from): (u32, &PoseRecord),
        [along, to]: [DVec2; 2],
        drives: [Travel; 2],
        (at, heading, is_on_lane): (DVec2, u16, bool),
        fits: impl Fn(&Self) -> bool,
    ) {
        self.metrics.generated += 1;
        let cost = from.cost + self.cost(from, along, drives);
        if !(cost.is_finite() && at.min_element() >= 0.0) {
            return;
        }
        let place = self.place(at, heading, is_on_lane);
        // Without its estimate first, which takes longer.
        if self.records.is_closed(place) {
            return;
        }
        let gear = drives[1].distance.signum();
        let Some(estimate) = self.estimate(at, to, gear) else { return };
        if self.found.as_ref().is_some_and(|found| found.cost <= cost + estimate) {
            return;
        }
        let (drives, is_goal) = (packed(drives), false);
        let record = PoseRecord { at, cost, estimate, parent, heading, is_on_lane, is_goal, drives };
        if self.records.is_dominated(place, &record) || !fits(self) {
            return;
        }
        self.records.open(Some(place), record);
    }

    fn solid(&self) -> Solid<'_> {
        Solid::of(&self.grid, self.query.kind).expect("the kind was checked")
    }

    /// Whether the body can drive so.
    fn fits(&self, mut at: DVec2, mut along: DVec2, drives: [Travel; 2]) -> bool {
        let (solid, half) = (self.solid(), self.query.body.half());
        drives.into_iter().filter(|drive| drive.distance != 0.0).all(|drive| {
            let fits = swept(half, at, along, drive).all(|body| solid.lets_stand(&body));
            let (moved, turned) = drive.from(along);
            (at, along) = (at + moved, turned);
            fits
        })
    }

    /// The cost of drives from a pose; infinite where edges or cliffs are in the way.
    fn cost(&self, from: &PoseRecord, along: DVec2, drives: [Travel; 2]) -> f64 {
        let (mut at, mut along, mut sum, mut gear) = (from.at, along, 0.0, from.gear());
        for drive in drives.into_iter().filter(|drive| drive.distance != 0.0) {
            let factor = if drive.distance < 0.0 { VehicleQuery::REVERSE_COST } else { 1.0 };
            let changes = gear != 0.0 && gear != drive.distance.signum();
            gear = drive.distance.signum();
            let (terrain, end) = self.terrain_cost(at, along, drive);
            sum += factor * terrain;
            if changes {
                sum += VehicleQuery::GEAR_COST * self.goal_costs.least();
            }
            (at, along) = end;
        }
        sum
    }

    /// What a drive costs by terrain and edges, and its end.
    fn terrain_cost(&self, at: DVec2, along: DVec2, drive: Travel) -> (f64, (DVec2, DVec2)) {
        if self.goal_costs.is_uniform() {
            let (moved, turned) = drive.from(along);
            return (drive.distance.abs() * self.goal_costs.least(), (at + moved, turned));
        }
        let pieces = libm::ceil(drive.distance.abs() / PIECE).max(1.0);
        let piece = Travel { distance: drive.distance / pieces, ..drive };
        let mut end = (at, along);
        let costs = (0..pieces as u32).map(|_| {
            let (moved, turned) = piece.from(end.1);
            let to = end.0 + moved;
            // The chord is shorter than the arc.
            let longer = piece.distance.abs() / moved.length();
            let cost = self.grid.leg_cost(self.query.kind, end.0.as_vec2(), to.as_vec2()) * longer;
            end = (to, turned);
            cost
        });
        (costs.sum(), end)
    }

    /// The path to a record; with a reason if that is not at the goal.
    fn path(&self, last: u32, reason: Option<PartialReason>) -> VehiclePath {
        let (legs, end, length) = drive_along(self.query.start, self.records.drives_to(last));
        let nearest = GridCell::containing(end.position);
        VehiclePath {
            outcome: reason.map_or(Outcome::Complete, |reason| Outcome::Partial { nearest, reason }),
            legs,
            end,
            cost: self.records.all[last as usize].cost,
            length,
            metrics: self.metrics,
            revision: self.grid.revision(),
        }
    }
}

/// Finds the path of a vehicle in one call.
///
/// # Errors
/// As [`VehicleSearch::finish`].
pub fn solve_vehicle(
    grid: &Grid,
    query: VehicleQuery,
    scratch: &mut SearchScratch,
) -> Result<VehiclePath, SearchError> {
    let mut search = VehicleSearch::new(grid, query, core::mem::take(scratch));
    while search.step(u32::MAX) == Progress::Running {}
    let (path, lent) = search.finish();
    *scratch = lent;
    path
}
