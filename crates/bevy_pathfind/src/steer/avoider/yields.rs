//! Making way for other agents.

use bevy::ecs::query::QueryData;
use bevy::prelude::*;
use pathfind_core::steer::Flat;
use pathfind_core::steer::obstacle::{self, Mask, Obstacles};
use pathfind_core::steer::reciprocal::{Intent, ReciprocalPass, ReciprocalSettings, Traffic, Wall, Walls};
use pathfind_core::{AgentSize, KindId};

use super::{Avoider, OtherAgents};
use crate::motion::{AdjustedVelocity, Agent};
use crate::steer::{Company, Crowd, Pursuer, Slot, SteerSettings, Wishes};
use crate::world::{GridRef, Grids, ObstacleMap, OnGrid};

/// How much room an agent keeps from walls that its kind may walk along with its centre, in cells.
const LEAST_ROOM: f32 = 0.1;

/// Memory lent from tick to tick.
#[derive(Resource, Default)]
pub(crate) struct Making {
    traffic: Traffic,
    intents: Vec<Intent>,
    /// Who makes way, in the order of the crowd.
    turns: Vec<Turn>,
}

/// One agent that makes way.
#[derive(Clone, Copy)]
struct Turn {
    entity: Entity,
    index: usize,
    rule: ReciprocalSettings,
    up: Vec3,
}

/// What making way needs of an agent.
#[derive(QueryData)]
#[query_data(mutable)]
pub(in crate::steer) struct Yielding {
    entity: Entity,
    slot: &'static Slot,
    avoider: &'static Avoider,
    agent: &'static Agent,
    on_grid: Option<&'static OnGrid>,
    pursuer: Option<&'static Pursuer>,
    adjusted: &'static mut AdjustedVelocity,
    wishes: &'static mut Wishes,
}

/// Adjusts the velocities of agents that make way for others.
pub(in crate::steer) fn make_way(
    mut agents: Query<Yielding>,
    slots: Query<&Slot>,
    crowd: Res<Crowd>,
    company: Res<Company>,
    (grids, obstacles, settings): (Grids, Res<ObstacleMap>, Res<SteerSettings>),
    mut making: ResMut<Making>,
    time: Res<Time>,
) {
    let Making { traffic, intents, turns } = &mut *making;
    turns.clear();
    intents.clear();
    intents.extend(crowd.bodies().iter().zip(crowd.ids()).map(|(body, &id)| {
        // Those who do not make way go on as they do.
        Intent::new(id, body.velocity, body.velocity.length()).yielding(0.0)
    }));
    for it in &agents {
        if it.avoider.others != OtherAgents::Reciprocal {
            continue;
        }
        let index = it.slot.index();
        let Some(intent) = intents.get_mut(index) else { continue };
        *intent = Intent::new(crowd.ids()[index], it.adjusted.0, it.agent.speed);
        // A pursuer does not make way for its prey.
        let prey = it.pursuer.and_then(|pursuer| slots.get(pursuer.target).ok());
        intent.ignores = prey.and_then(|slot| crowd.ids().get(slot.index()).copied());
        let grid = grids.of(it.on_grid, crowd.bodies()[index].position).ok();
        let up = grid.map_or(settings.up.unwrap_or(Vec3::Z), |grid| grid.place.up());
        turns.push(Turn { entity: it.entity, index, rule: it.avoider.reciprocal_rule(), up });
    }
    // Ground by ground; within one, by the crowd's order.
    turns.sort_by(|a, b| {
        let [a_up, b_up] = [a.up, b.up].map(|up| up.to_array());
        let by_up = a_up.iter().zip(&b_up).map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne());
        by_up.unwrap_or(core::cmp::Ordering::Equal).then(a.index.cmp(&b.index))
    });
    for turns in turns.chunk_by(|a, b| a.up == b.up) {
        let Some(flat) = Flat::from_up(turns[0].up) else { continue };
        traffic.gather(flat, company.neighbors(), crowd.bodies(), intents);
        for turn in turns {
            let (Some(place), Ok(mut it)) = (company.place(turn.index), agents.get_mut(turn.entity)) else {
                continue;
            };
            let body = &crowd.bodies()[turn.index];
            let grid = grids.of(it.on_grid, body.position).ok();
            let walls = Surroundings {
                grid,
                kind: it.agent.kind,
                radius: it.agent.radius,
                obstacles: obstacles.seen(Some(turn.up)),
                mask: Mask(it.avoider.mask),
            };
            let pass = ReciprocalPass {
                settings: turn.rule,
                neighbors: company.neighbors(),
                traffic,
                walls: &walls,
                dt: time.delta_secs(),
            };
            let mut velocity = [Vec3::ZERO];
            pass.run(place..place + 1, &mut velocity);
            // What is across the ground is not its business.
            let across = turn.up * it.adjusted.0.dot(turn.up);
            let velocity = velocity[0] + across;
            it.wishes.reciprocal = velocity - it.adjusted.0;
            it.adjusted.set_if_neq(AdjustedVelocity(velocity));
        }
    }
}

/// What stands still round an agent.
struct Surroundings<'a> {
    grid: Option<GridRef<'a>>,
    kind: KindId,
    radius: f32,
    obstacles: &'a Obstacles,
    mask: Mask,
}

impl Walls for Surroundings<'_> {
    fn near(&self, center: Vec3, reach: f32, visit: &mut dyn FnMut(Wall)) {
        let mut post = |at: Vec3| visit(Wall::new(at, at));
        self.obstacles.nearest_points(center, reach, self.mask).for_each(&mut post);
        let Some(grid) = self.grid else { return };
        // The centre of most kinds may come nearer to a wall than their radius.
        let excess = (self.radius - room(&grid, self.kind)).max(0.0);
        let walls = obstacle::Walls { grid: grid.nav.grid(), kind: self.kind };
        let (at, height) = (grid.place.to_grid(center), grid.place.height(center));
        for point in walls.nearest_points(at, reach / grid.place.cell_size()) {
            let point = grid.place.to_world(point, height);
            post(point + (point - center).normalize_or_zero() * excess);
        }
    }
}

/// How much room a kind keeps from walls, in world units.
fn room(grid: &GridRef, kind: KindId) -> f32 {
    let cells = match grid.nav.grid().kind(kind).map(|kind| kind.size) {
        Some(AgentSize::Disc(radius)) => radius,
        _ => LEAST_ROOM,
    };
    cells * grid.place.cell_size()
}
