//! Making way for other agents.

use bevy::ecs::query::QueryData;
use bevy::prelude::*;
use pathfind_core::steer::Flat;
use pathfind_core::steer::obstacle::{self, Mask, Obstacles};
use pathfind_core::steer::reciprocal::{Intent, ReciprocalPass, ReciprocalSettings, Traffic, Wall, Walls};
use pathfind_core::{AgentSize, KindId};

use super::{Avoider, OtherAgents};
use crate::motion::{AdjustedVelocity, Agent};
use crate::steer::spread::Spread;
use crate::steer::{Company, Crowd, Pursuer, Slot, SteerSettings, Wishes};
use crate::world::{GridRef, Grids, ObstacleMap, OnGrid};

/// How much room an agent keeps from walls that its kind may walk along with its centre, in cells.
const LEAST_ROOM: f32 = 0.1;

/// Memory lent from tick to tick.
#[derive(Resource, Default)]
pub(crate) struct Making {
    traffic: Traffic,
    intents: Vec<Intent>,
    /// Who makes way, ground by ground.
    turns: Vec<Turn>,
    /// The turn of each agent, by its slot; beyond `turns` for those that make no way.
    by_slot: Vec<u32>,
    velocities: Spread<Vec3>,
}

/// One agent that makes way.
#[derive(Clone, Copy)]
struct Turn {
    slot: Slot,
    up: Vec3,
    manner: Manner,
}

/// How an agent makes way, and what stands still for it: who does it alike is worked out together.
#[derive(Clone, Copy, PartialEq)]
struct Manner {
    rule: ReciprocalSettings,
    grid: Option<Entity>,
    kind: KindId,
    radius: f32,
    mask: Mask,
}

/// What making way needs of an agent.
#[derive(QueryData)]
#[query_data(mutable)]
pub(in crate::steer) struct Yielding {
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
    let making = &mut *making;
    if agents.iter().all(|it| it.avoider.others != OtherAgents::Reciprocal) {
        return;
    }
    let grounds = grids.all();
    making.turns.clear();
    making.intents.clear();
    making.intents.extend(crowd.bodies().iter().zip(crowd.ids()).map(|(body, &id)| {
        // Those who do not make way go on as they do.
        Intent::new(id, body.velocity, body.velocity.length()).yielding(0.0)
    }));
    for it in &agents {
        if it.avoider.others != OtherAgents::Reciprocal {
            continue;
        }
        let (slot, &id) = match crowd.ids().get(it.slot.index()) {
            Some(id) => (*it.slot, id),
            None => continue,
        };
        let mut intent = Intent::new(id, it.adjusted.0, it.agent.speed);
        // A pursuer does not make way for its prey.
        let prey = it.pursuer.and_then(|pursuer| slots.get(pursuer.target).ok());
        intent.ignores = prey.and_then(|slot| crowd.ids().get(slot.index()).copied());
        making.intents[slot.index()] = intent;
        let grid = grounds.of(it.on_grid, crowd.bodies()[slot.index()].position).ok();
        let up = grid.map_or(settings.up.unwrap_or(Vec3::Z), |grid| grid.place.up());
        let manner = Manner {
            rule: it.avoider.reciprocal_rule(),
            grid: grid.map(|grid| grid.entity),
            kind: it.agent.kind,
            radius: it.agent.radius,
            mask: Mask(it.avoider.mask),
        };
        making.turns.push(Turn { slot, up, manner });
    }
    let by_up = |a: &Turn, b: &Turn| {
        let [a, b] = [a.up, b.up].map(|up| up.to_array());
        let mut orders = a.iter().zip(&b).map(|(a, b)| a.total_cmp(b));
        orders.find(|order| order.is_ne()).unwrap_or(core::cmp::Ordering::Equal)
    };
    making.turns.sort_by(by_up);
    let Making { traffic, intents, turns, by_slot, velocities } = making;
    for turns in turns.chunk_by(|a, b| a.up == b.up) {
        let up = turns[0].up;
        let Some(flat) = Flat::from_up(up) else { continue };
        traffic.gather(flat, company.neighbors(), crowd.bodies(), intents);
        by_slot.clear();
        by_slot.resize(crowd.len(), u32::MAX);
        for (number, turn) in turns.iter().enumerate() {
            by_slot[turn.slot.index()] = number as u32;
        }
        let manner = |place: usize| {
            let slot = company.neighbors().order()[place] as usize;
            turns.get(by_slot[slot] as usize).map(|turn| &turn.manner)
        };
        velocities.fill(&company, |places, out| {
            let (mut first, end) = (places.start, places.end);
            while first < end {
                let alike = manner(first);
                let next = (first + 1..end).find(|&place| manner(place) != alike).unwrap_or(end);
                if let Some(&Manner { rule, grid, kind, radius, mask }) = alike {
                    let grid = grid.and_then(|grid| grids.get(grid));
                    let walls =
                        Surroundings { grid, kind, radius, obstacles: obstacles.seen(Some(up)), mask };
                    let pass = ReciprocalPass {
                        settings: rule,
                        neighbors: company.neighbors(),
                        traffic,
                        walls: &walls,
                        dt: time.delta_secs(),
                    };
                    pass.run(first..next, &mut out[first - places.start..next - places.start]);
                }
                first = next;
            }
        });
        agents.par_iter_mut().for_each(|mut it| {
            let Some(velocity) = velocities.get(*it.slot) else { return };
            // What is across the ground is not its business.
            let velocity = velocity + up * it.adjusted.0.dot(up);
            it.wishes.reciprocal = velocity - it.adjusted.0;
            it.adjusted.set_if_neq(AdjustedVelocity(velocity));
        });
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
