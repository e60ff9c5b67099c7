//! One tick of flight: whether a fugitive is safe, and where it runs.

use std::sync::Arc;

use bevy::ecs::query::QueryData;
use bevy::prelude::*;
use pathfind_core::{FleeOutcome, FleeQuery, Grid, GridCell, KindId, StepRules, find_refuge};

use super::super::pursuer::withdraw_request;
use super::settings::FleeDistances;
use super::threat_fields::{Threat, ThreatCosts, ThreatFields};
use super::{FleeStats, Fugitive, FugitiveCornered};
use crate::agent::{Agent, AgentId};
use crate::order::{
    AgentArrived, Arrival, KnownPath, OnLink, PathRequest, PathStatus, SearchOptions, SteeringRequest, Ticket,
};
use crate::steer::{BehaviorTarget, Pursuer, SteerSettings, SteerTick};
use crate::world::{GridList, GridRef, Grids, Positions, Tie};

/// Of more threats only so many nearest ones count, which bounds the time that a decision takes.
const MAX_THREATS: usize = 16;
/// The ratio of a threat's speed to that of a fugitive is taken to be in this range: a threat that stands may walk at any
/// time.
const SPEED_RATIOS: (f32, f32) = (0.1, 10.0);

/// What a fugitive keeps from tick to tick.
#[derive(Component, Debug, Default)]
pub(crate) struct FugitiveState {
    mode: FlightMode,
    /// The tick of the last decision.
    decided: Option<u64>,
    /// What the last refuge was chosen for.
    seen: Option<FlightInput>,
}

#[derive(Debug, Default)]
enum FlightMode {
    #[default]
    Safe,
    /// It runs to its refuge.
    Running(Arc<KnownPath>),
    /// It stays, as no cell is better.
    Staying {
        /// Whether the threats can shut it in.
        is_cornered: bool,
    },
}

/// What the choice of a refuge depends on.
#[derive(Debug, PartialEq)]
struct FlightInput {
    /// Map id and revision of the map.
    map: (u64, u64),
    /// The agent's cell, unless it runs.
    own: Option<GridCell>,
    threats: Vec<Threat>,
}

impl FugitiveState {
    /// Whether it runs from threats, or stays before them.
    pub(in crate::steer) const fn is_fleeing(&self) -> bool {
        !matches!(self.mode, FlightMode::Safe)
    }
}

/// The components of a fugitive.
#[derive(QueryData)]
#[query_data(mutable)]
pub(in crate::steer) struct Fleeing {
    entity: Entity,
    id: &'static AgentId,
    fugitive: &'static Fugitive,
    agent: &'static Agent,
    state: &'static mut FugitiveState,
    ticket: &'static mut Ticket,
    status: &'static mut PathStatus,
    tie: Tie,
}

/// The situation of a fugitive.
struct Danger<'a> {
    grid: &'a GridRef<'a>,
    /// Its own cell, on which it may stand.
    own: GridCell,
    /// Its position in the world.
    at: Vec3,
    threats: Vec<Threat>,
}

/// The distances from all threats of a fugitive.
struct ThreatDistances<'a> {
    map: &'a Grid,
    steps: StepRules,
    costs: Vec<(Threat, Arc<ThreatCosts>)>,
    /// The greatest distance that the fields hold.
    bound: f32,
}

impl ThreatDistances<'_> {
    /// The cost of the way from the nearest threat; the bound for all cells beyond it, `None` where no threat can come.
    fn of(&self, cell: GridCell) -> Option<f32> {
        let nearest =
            self.costs.iter().fold(f32::INFINITY, |nearest, (_, costs)| nearest.min(costs.of(cell)));
        if nearest.is_finite() {
            return Some(nearest);
        }
        let comes = |threat: &Threat| self.map.connected(threat.kind, self.steps, threat.cell, cell);
        self.costs.iter().any(|(threat, _)| comes(threat)).then_some(self.bound)
    }
}

/// Where fugitives look for their threats.
struct ThreatSearch<'a, 'w, 's> {
    grids: GridList<'a>,
    positions: &'a Positions<'w, 's>,
    agents: &'a Query<'w, 's, &'static Agent>,
    ties: &'a Query<'w, 's, Tie>,
}

/// Decides for the fugitives whose turn it is where they run, those who have waited longest first.
pub(in crate::steer) fn flee(
    mut fugitives: Query<Fleeing, (Without<Pursuer>, Without<OnLink>)>,
    (agents, ties): (Query<&'static Agent>, Query<Tie>),
    (positions, grids): (Positions, Grids),
    (defaults, settings): (Res<SearchOptions>, Res<SteerSettings>),
    (time, tick): (Res<Time>, Res<SteerTick>),
    (mut fields, mut stats): (ResMut<ThreatFields>, ResMut<FleeStats>),
    mut commands: Commands,
) {
    let dt = time.delta_secs();
    if dt <= 0.0 {
        return;
    }
    let mut due: Vec<_> = fugitives.iter_mut().filter(|fleeing| fleeing.is_due(tick.0, dt)).collect();
    due.sort_by_key(|fleeing| (fleeing.state.decided, *fleeing.id, fleeing.entity.index_u32()));
    fields.begin(tick.0, defaults.steps());
    let surroundings =
        ThreatSearch { grids: grids.all(), positions: &positions, agents: &agents, ties: &ties };
    let last = stats.threat_fields + stats.refuges + u64::from(settings.flee_searches.max(1));
    for fleeing in &mut due {
        if stats.threat_fields + stats.refuges >= last {
            break;
        }
        fleeing.state.decided = Some(tick.0);
        if let Some(danger) = fleeing.danger(&surroundings) {
            fleeing.decide(&danger, &mut fields, &mut stats, &mut commands);
            stats.threat_fields = fields.made;
        }
    }
}

/// Agents that do not flee.
type NoFugitive = Or<(Without<Fugitive>, With<Pursuer>)>;

/// Ends the flight of agents that are no fugitives any more, or have begun to pursue: they go on with the request that
/// they had before.
pub(in crate::steer) fn end_flights(
    mut former: Query<(Entity, &mut FugitiveState), NoFugitive>,
    mut commands: Commands,
) {
    for (entity, mut state) in former.iter_mut().filter(|(_, state)| state.is_fleeing()) {
        *state = FugitiveState::default();
        withdraw_request(entity, &mut commands);
    }
}

impl ThreatSearch<'_, '_, '_> {
    /// A threat, if it stands on the grid; `None` too for the agent itself.
    fn threat(&self, target: BehaviorTarget, agent: Entity, grid: &GridRef) -> Option<Threat> {
        let (at, tie, body) = match target {
            BehaviorTarget::Point(point) => (point, Default::default(), None),
            BehaviorTarget::Entity(entity) if entity == agent => return None,
            BehaviorTarget::Entity(entity) => {
                let tie = self.ties.get(entity).unwrap_or_default();
                (self.positions.of(entity)?, tie, self.agents.get(entity).ok())
            }
        };
        self.grids.of(tie, at).ok().filter(|on| on.entity == grid.entity)?;
        let kind = body.map_or(KindId::default(), |body| body.kind);
        Some(Threat { cell: standing_cell(grid, kind, at)?, kind, speed: body.map(|body| body.speed) })
    }
}

/// The cell on which an agent of a kind stands at a point of the world: the nearest walkable one, if the point is on the
/// grid.
fn standing_cell(grid: &GridRef, kind: KindId, at: Vec3) -> Option<GridCell> {
    let (cell, map) = (grid.cell(at), grid.nav.grid());
    map.contains(cell).then(|| map.nearest_walkable(kind, cell)).flatten()
}

impl FleeingItem<'_, '_> {
    /// Whether its last decision is long enough ago.
    fn is_due(&self, tick: u64, dt: f32) -> bool {
        let every = (self.fugitive.decide_every / dt).ceil() as u64;
        self.state.decided.is_none_or(|decided| tick.wrapping_sub(decided) >= every)
    }

    /// Its situation; `None` on no grid.
    fn danger<'a>(&self, surroundings: &'a ThreatSearch) -> Option<Danger<'a>> {
        let at = surroundings.positions.of(self.entity)?;
        let grid = surroundings.grids.of(self.tie, at).ok()?;
        let own = standing_cell(grid, self.agent.kind, at)?;
        let threats = self.fugitive.threats.iter();
        let mut threats: Vec<_> =
            threats.filter_map(|&target| surroundings.threat(target, self.entity, grid)).collect();
        threats.sort_by_key(|threat| {
            (threat.cell.distance_squared(own), threat.cell.y, threat.cell.x, threat.kind.0)
        });
        threats.truncate(MAX_THREATS);
        Some(Danger { grid, own, at, threats })
    }

    /// Decides whether it is safe, and where it runs.
    fn decide(
        &mut self,
        danger: &Danger,
        fields: &mut ThreatFields,
        stats: &mut FleeStats,
        commands: &mut Commands,
    ) {
        let Some(FleeDistances { begin, safe, limit }) =
            self.fugitive.distances(danger.grid.place.cell_size())
        else {
            return self.be_safe(danger, commands);
        };
        let least = if self.state.is_fleeing() { safe } else { begin };
        if danger.threats.iter().all(|threat| danger.least_distance(threat) >= least) {
            return self.be_safe(danger, commands);
        }
        let distances = danger.distances(fields, safe + limit + 1.0);
        if distances.of(danger.own).is_none_or(|distance| distance >= least) {
            return self.be_safe(danger, commands);
        }
        let is_running = matches!(self.state.mode, FlightMode::Running(_)) && !self.has_ended_path();
        let seen = FlightInput {
            map: (danger.grid.nav.map_id(), distances.map.revision()),
            own: (!is_running).then_some(danger.own),
            threats: danger.threats.clone(),
        };
        if self.state.seen.as_ref() == Some(&seen) {
            return;
        }
        let ratio = self.speed_ratio(danger);
        let query = FleeQuery::new(danger.own)
            .with_kind(self.agent.kind)
            .with_steps(distances.steps)
            .with_safe_distance(safe)
            .with_speed_ratio(ratio)
            .with_limit(limit);
        let outcome = find_refuge(distances.map, &query, &|cell| distances.of(cell), fields.scratch());
        stats.refuges += 1;
        self.state.seen = Some(seen);
        match outcome {
            Ok(FleeOutcome::Flee(refuge)) => {
                let path = KnownPath {
                    map: (danger.grid.nav.map_id(), distances.map.revision()),
                    kind: self.agent.kind,
                    cells: refuge.path,
                    cost: refuge.cost,
                    // The way round a slower threat may be longer than that past it. Of threats as fast as the agent
                    // none is on the cheapest way to a cell that the agent reaches before them.
                    may_straighten: ratio >= 1.0,
                };
                self.run(danger, path, commands);
            }
            Ok(FleeOutcome::Stay { is_dead_end }) => self.stay(danger, is_dead_end, commands),
            Ok(FleeOutcome::Safe) | Err(_) => self.be_safe(danger, commands),
        }
    }

    /// The speed of the fastest threat divided by its own.
    fn speed_ratio(&self, danger: &Danger) -> f32 {
        let own = self.agent.speed;
        let ratios = danger.threats.iter().map(|threat| threat.speed.map_or(1.0, |speed| speed / own));
        let valid = ratios.map(|ratio| if ratio.is_finite() && own > 0.0 { ratio } else { 1.0 });
        valid.reduce(f32::max).unwrap_or(1.0).clamp(SPEED_RATIOS.0, SPEED_RATIOS.1)
    }

    /// Whether the path to its refuge has ended, wherever.
    fn has_ended_path(&self) -> bool {
        let is_over =
            matches!(*self.status, PathStatus::Arrived | PathStatus::EndedShort(_) | PathStatus::Failed(_));
        is_over && self.ticket.is_closed()
    }

    /// Runs along a path to a refuge, unless it does already.
    fn run(&mut self, danger: &Danger, path: KnownPath, commands: &mut Commands) {
        if let FlightMode::Running(present) = &self.state.mode
            && present.map == path.map
            && present.cells.ends_with(&path.cells)
            && !self.has_ended_path()
        {
            return;
        }
        let Some(goal) = path.cells.last() else { return };
        let request = PathRequest::to(danger.grid.above_ground(goal.center(), 0.0));
        let path = Arc::new(path);
        self.state.mode = FlightMode::Running(path.clone());
        commands.entity(self.entity).try_insert(SteeringRequest { request, known: Some(path) });
    }

    /// Stays where it is; tells once if it is cornered.
    fn stay(&mut self, danger: &Danger, is_cornered: bool, commands: &mut Commands) {
        let entity = self.entity;
        let before = core::mem::replace(&mut self.state.mode, FlightMode::Staying { is_cornered });
        if !matches!(before, FlightMode::Staying { .. }) {
            commands.entity(entity).try_insert(SteeringRequest::to(danger.at));
        }
        if is_cornered && !matches!(before, FlightMode::Staying { is_cornered: true }) {
            commands.trigger(FugitiveCornered { entity });
        }
    }

    /// Ends the flight, if it fled.
    fn be_safe(&mut self, danger: &Danger, commands: &mut Commands) {
        self.state.seen = None;
        if !self.state.is_fleeing() {
            return;
        }
        self.state.mode = FlightMode::Safe;
        *self.ticket = Ticket::default();
        *self.status = PathStatus::Arrived;
        withdraw_request(self.entity, commands);
        let goal = danger.grid.above_ground(danger.grid.place.to_grid(danger.at), 0.0);
        commands.trigger(AgentArrived { entity: self.entity, goal, arrival: Arrival::AtGoal });
    }
}

impl Danger<'_> {
    /// A lower bound of the cost of the way from a threat.
    fn least_distance(&self, threat: &Threat) -> f32 {
        let straight = (threat.cell.distance_squared(self.own) as f32).sqrt();
        straight * self.grid.nav.grid().least_cost(threat.kind)
    }

    /// The distances from the threats up to a bound.
    fn distances(&self, fields: &mut ThreatFields, bound: f32) -> ThreatDistances<'_> {
        // From farther away no threat comes to a cell that is looked at within the bound.
        let near = self.threats.iter().filter(|threat| self.least_distance(threat) <= 2.0 * bound);
        let field = |&threat: &Threat| Some((threat, fields.of(self.grid, threat, f64::from(bound))?));
        let costs = near.filter_map(field).collect();
        ThreatDistances { map: self.grid.nav.grid(), steps: fields.steps(), costs, bound }
    }
}
