//! Reciprocal avoidance of other agents (ORCA), floor by floor.
//!
//! The method is in `pathfind_core::steer::reciprocal`; here it gets the agents, walls and obstacles of the world.
//! Bodies that overlap nevertheless are separated by `motion`.

use bevy::prelude::*;
use pathfind_core::steer::obstacle::{self, LayerMask, Obstacles};
use pathfind_core::steer::reciprocal::{
    AgentPreference, CrowdState, ReciprocalPass, ReciprocalSettings, Regard, Wall, Walls,
};
use pathfind_core::steer::{Body, MovementPlane};
use pathfind_core::{AgentShape, CornerRule, KindId};

use super::{Avoider, Remaining};
use crate::agent::{AdjustedVelocity, Agent, accelerate};
use crate::numbers::by_numbers;
use crate::order::PathStatus;
use crate::parallel::Threads;
use crate::rows::{Rows, rows, tables};
use crate::settings::NavSettings;
use crate::steer::agent_floors::AgentFloors;
use crate::steer::parameter_runs::ParameterRuns;
use crate::steer::per_agent::{PerAgentOutput, SentinelResult};
use crate::steer::{
    Crowd, CrowdIndex, GoalSource, InterceptForecast, NeighborIndex, Pursuer, PursuitAim, SteeringBreakdown,
};
use crate::world::{Floor, GridRef, Grids, ObstacleMap, OwnObstacles, Tie};

/// How far from walls the centre of an agent stays if its kind is not a disc, in cells. Not measured.
const DEFAULT_WALL_DISTANCE: f32 = 0.1;

/// The data of one tick, kept to reuse its memory.
#[derive(Resource, Default)]
pub(crate) struct OrcaScratch {
    crowd_state: CrowdState,
    preferences: Vec<AgentPreference>,
    /// The parameters of the agents that avoid others.
    parameters: ParameterRuns<PassParameters>,
    velocities: PerAgentOutput<Vec3>,
    /// The agents as seen from one floor, where there are several floors.
    bodies: Vec<Body>,
}

/// The parameters of an agent that avoids others; agents with equal ones are computed together. `grid` is the one
/// whose walls it avoids.
#[derive(Clone, Copy, PartialEq)]
struct PassParameters {
    up: Vec3,
    floor: Floor,
    rule: ReciprocalSettings,
    grid: Option<Entity>,
    kind: KindId,
    radius: f32,
    mask: LayerMask,
    /// The obstacles that the agent carries.
    own: Option<u64>,
}

/// The components of an agent that may avoid others.
type Avoiding = (
    (&'static CrowdIndex, &'static Avoider, &'static Agent, &'static Remaining),
    (Tie, Option<(&'static Pursuer, &'static PursuitAim)>, Option<&'static OwnObstacles>),
    (&'static mut AdjustedVelocity, &'static mut SteeringBreakdown, &'static PathStatus),
);

/// Adjusts the velocities of agents that avoid others reciprocally: to velocities one tick ahead, limited by the
/// agents' acceleration.
pub(in crate::steer) fn adjust_velocities(
    mut agents: Query<Avoiding>,
    slots: Query<&CrowdIndex>,
    crowd: Res<Crowd>,
    (neighbor_index, agent_floors): (Res<NeighborIndex>, Res<AgentFloors>),
    (grids, obstacles, settings): (Grids, Res<ObstacleMap>, Res<NavSettings>),
    mut scratch: ResMut<OrcaScratch>,
    time: Res<Time>,
) {
    if agents.iter().all(|((_, avoider, ..), ..)| !avoider.is_reciprocal()) {
        return;
    }
    scratch.collect(&agents, &slots, (&crowd, &agent_floors), &grids, settings.up.unwrap_or(Vec3::Z));
    let OrcaScratch { crowd_state, preferences, parameters, velocities, bodies } = &mut *scratch;
    let (neighbors, threads, dt) = (neighbor_index.neighbors(), Threads::of(&settings), time.delta_secs());
    for (floor, up) in floors_with_up(parameters.all()) {
        let Some(plane) = MovementPlane::from_up(up) else { continue };
        crowd_state.gather(plane, neighbors, agent_floors.seen_from(floor, &crowd, bodies), preferences);
        let (crowd_state, obstacles) = (&*crowd_state, obstacles.seen(Some(up)));
        velocities.fill(neighbors, neighbor_index.slots(), threads, |places, out| {
            out.fill(Vec3::NONE);
            let start = places.start;
            parameters.for_each_run(neighbors.order(), places, |&common, run| {
                let PassParameters { rule, grid, kind, radius, mask, own, .. } = common;
                if (common.floor, common.up) != (floor, up) {
                    return;
                }
                let grid = grid.and_then(|grid| grids.get(grid));
                let walls = NearWalls { grid: grid.as_ref(), kind, radius, obstacles, mask, own };
                let pass = ReciprocalPass { settings: rule, neighbors, crowd_state, walls: &walls, dt };
                let out = &mut out[run.start - start..run.end - start];
                pass.run(run, out).expect("each share has a place for each of its slots");
            });
        });
        let mut tables = tables(&mut agents);
        threads.share(rows(&mut tables), |agents| {
            let (len, mut agents) = agents.cut();
            for row in 0..len {
                let ((slot, _, agent, _), _, (mut adjusted, mut breakdown, _)) = agents.row(row);
                let (Some(velocity), Some(body)) = (velocities.get(*slot), crowd.body(*slot)) else {
                    continue;
                };
                // ORCA is planar: keep the component along `up`.
                let velocity = velocity + part_along(adjusted.0, up);
                breakdown.bypass_change_detection().reciprocal = velocity - adjusted.0;
                let reached = accelerate(body.velocity, velocity, agent.acceleration * dt);
                adjusted.set_if_neq(AdjustedVelocity(reached));
            }
        });
    }
}

/// The floors of the agents that avoid others, each with its up direction, in an order that does not depend on that
/// of any query.
fn floors_with_up(parameters: &[PassParameters]) -> Vec<(Floor, Vec3)> {
    let mut floors: Vec<(Floor, Vec3)> = Vec::new();
    for common in parameters {
        let floor = (common.floor, common.up);
        if !floors.contains(&floor) {
            floors.push(floor);
        }
    }
    floors.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| by_numbers(a.1.to_array(), b.1.to_array())));
    floors
}

impl OrcaScratch {
    /// Notes the parameters of the agents that avoid others, and the preferred velocities of all agents.
    fn collect(
        &mut self,
        agents: &Query<Avoiding>,
        slots: &Query<&CrowdIndex>,
        (crowd, agent_floors): (&Crowd, &AgentFloors),
        grids: &Grids,
        default_up: Vec3,
    ) {
        // Agents that do not avoid others are expected to keep their velocities.
        self.preferences.clear();
        self.preferences.extend(crowd.bodies().iter().zip(crowd.ids()).map(|(body, &id)| {
            AgentPreference::new(id, body.velocity, body.velocity.length()).yielding(0.0)
        }));
        self.parameters.clear(crowd.len());
        let grid_list = grids.all();
        for ((&slot, avoider, agent, remaining), (tie, pursuer, own), (adjusted, breakdown, status)) in agents
        {
            // An agent that holds its position or goes in file does not avoid: the others do all of it.
            if !avoider.is_reciprocal() || breakdown.source == GoalSource::Hold || remaining.is_in_file {
                continue;
            }
            let index = slot.index();
            let Some(&id) = crowd.ids().get(index) else { continue };
            // Near their goals agents push others less. Agents that share a goal and do not spread round it would
            // wait for each other for ever: for them the distance counts as infinite.
            let distance = if remaining.spreads { remaining.distance } else { f32::INFINITY };
            let grid = grid_list.of(tie, crowd.bodies()[index].position).ok();
            let up = grid.map_or(default_up, |grid| grid.place.up());
            let slowing = grid.map_or(1.0, |grid| {
                grid.speed_factor(agent.kind, || grid.place.to_grid(crowd.bodies()[index].position))
            });
            let top_speed = planar_top_speed(agent.speed * slowing, adjusted.0, up);
            let mut preference = AgentPreference::new(id, adjusted.0, top_speed).remaining(distance);
            let stands = breakdown.source == GoalSource::None && *status == PathStatus::Idle;
            let is_still = adjusted.0.length_squared() <= f32::EPSILON;
            preference.yields = if stands && is_still { STANDING_YIELD } else { YIELD };
            // A pursuer does not avoid its target; one that has caught the target makes way for it.
            if let Some((pursuer, aim)) = pursuer {
                let target = slots.get(pursuer.target).ok();
                preference.ignores = target.and_then(|slot| crowd.ids().get(slot.index()).copied());
                preference.regard = match aim.forecast {
                    InterceptForecast::Caught => Regard::MakesWay,
                    // The target does not make way either: else it would flee from each of its hunters.
                    _ => Regard::Follows,
                };
            }
            self.preferences[index] = preference;
            if !up.is_finite() {
                continue;
            }
            // Agents on paths do not consider walls: a path keeps out of walls by itself, and `motion` stops every
            // agent at walls. As ORCA half planes, the corners of a door would let through only agents that come
            // straight and slowly. Agents that leave blocked ground do not either: the walls all round would hold
            // them. Bodies that, together with their distance from walls, are wider than a cell do consider walls,
            // or they would squeeze past each other; discs have no room for that, as `motion` keeps their full radius
            // from walls.
            let passes = |grid: &GridRef| {
                let shape = agent.shape(grid.place.cell_size());
                let width = 2.0 * (agent.radius + wall_distance(grid, shape));
                width <= grid.place.cell_size() * 1.001 || disc_radius(grid, shape).is_some()
            };
            let is_escaping = breakdown.source == GoalSource::Escape;
            let walls = grid.filter(|grid| !is_escaping && (!breakdown.is_on_path || !passes(grid)));
            let common = PassParameters {
                up,
                floor: agent_floors.of(slot),
                rule: rule_of(avoider, agent, remaining),
                grid: walls.map(|grid| grid.entity),
                kind: agent.kind,
                radius: agent.radius,
                mask: LayerMask(avoider.mask),
                own: own.map(|own| own.0),
            };
            self.parameters.note(slot, common);
        }
    }
}

/// The weight of an agent's share in avoiding others. One that stands and has no order has 1, and so does the larger part:
/// a crowd that stands makes way for who goes through it. All others have the same, so that each does half. Measured:
/// bodies of radius 0.4 that stand 0.85 apart in eight ranks let a walker through in 46 s with 0.2, in 24 s with 0.05, and
/// never if all have 1. If those that have arrived yielded more as well, groups round a goal would go on jostling.
const STANDING_YIELD: f32 = 1.0;
const YIELD: f32 = 0.1;

/// The part of a velocity along `up`, which may have any length. Mostly there is none, which is told without a division.
fn part_along(velocity: Vec3, up: Vec3) -> Vec3 {
    match velocity.dot(up) {
        0.0 => Vec3::ZERO,
        along => up * (along / up.length_squared()),
    }
}

/// The top speed across `up` of an agent that keeps its velocity along `up`.
fn planar_top_speed(speed: f32, velocity: Vec3, up: Vec3) -> f32 {
    match part_along(velocity, up).length_squared() {
        0.0 => speed,
        climb => (speed * speed - climb).max(0.0).sqrt(),
    }
}

/// The settings by which an agent avoids others. An agent that does not spread round its goal looks no farther ahead
/// than the time that it still needs: agents that come to one point from all sides would not let each other in. The
/// horizon is halved in steps, so that many agents have the same settings.
fn rule_of(avoider: &Avoider, agent: &Agent, remaining: &Remaining) -> ReciprocalSettings {
    let rule = avoider.reciprocal_rule(agent);
    let left = remaining.distance / agent.speed;
    if remaining.spreads || left >= rule.time_horizon {
        return rule;
    }
    let shorter = [0.5, 0.25, 0.125].map(|part| rule.time_horizon * part);
    let time_horizon = shorter.into_iter().find(|&time| time <= left).unwrap_or(shorter[2]);
    ReciprocalSettings { time_horizon, ..rule }
}

/// The walls and obstacles round an agent.
struct NearWalls<'a> {
    grid: Option<&'a GridRef<'a>>,
    kind: KindId,
    radius: f32,
    obstacles: &'a Obstacles,
    mask: LayerMask,
    own: Option<u64>,
}

impl Walls for NearWalls<'_> {
    fn near(&self, center: Vec3, reach: f32, visit: &mut dyn FnMut(Wall)) {
        let mut visit_point = |at: Vec3| visit(Wall::new(at, at));
        let Self { obstacles, mask, own, .. } = *self;
        obstacles.nearest_points_except(center, reach, mask, own).for_each(&mut visit_point);
        let Some(grid) = self.grid else { return };
        // Most kinds may come nearer to a wall with their centre than their radius: the wall is moved back by the
        // rest.
        let shape = AgentShape { kind: self.kind, radius: self.radius / grid.place.cell_size() };
        let excess = (self.radius - wall_distance(grid, shape)).max(0.0);
        let walls = obstacle::GridWalls { grid: grid.nav.grid(), kind: self.kind };
        let (at, height) = (grid.place.to_grid(center), grid.place.height(center));
        for point in walls.nearest_points(at, reach / grid.place.cell_size()) {
            let point = grid.place.to_world(point, height);
            visit_point(point + (point - center).normalize_or_zero() * excess);
        }
    }
}

/// How far from walls the centre of an agent stays, in world units.
fn wall_distance(grid: &GridRef, shape: AgentShape) -> f32 {
    disc_radius(grid, shape).unwrap_or(DEFAULT_WALL_DISTANCE * grid.place.cell_size())
}

/// The radius of an agent that is a disc for walls, in world units.
fn disc_radius(grid: &GridRef, shape: AgentShape) -> Option<f32> {
    shape.disc(grid.nav.grid(), CornerRule::Never).map(|radius| radius * grid.place.cell_size())
}
