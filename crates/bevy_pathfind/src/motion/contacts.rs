//! Contacts between agents: pushes overlapping bodies apart. Velocities that avoid contact are chosen in `steer`.

use std::sync::{Mutex, PoisonError};

use bevy::ecs::query::QueryData;
use bevy::prelude::*;
use pathfind_core::steer::contact::bodies::{BodyContact, ContactBody, ContactSolver, SweepStats};
use pathfind_core::steer::contact::slowed;
use pathfind_core::steer::{Body, MovementPlane};

use super::context::MotionContext;
use super::parents::ParentTransforms;
use super::physics::DynamicBody;
use crate::agent::{Agent, AgentId, AgentVelocity, Vehicle};
use crate::order::{NavPath, OnLink};
use crate::parallel::Threads;
use crate::settings::NavSettings;
use crate::steer::{AgentAvoidance, Avoider, HoldPosition};
use crate::world::{Floor, Floors, GridRef, Grids, LowFlying, ObstacleMap, OwnObstacles, Tie};

/// An agent with an `Avoider`. Those that ignore others are filtered out: all others do not pass through each other.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct Solid {
    id: &'static AgentId,
    agent: &'static Agent,
    avoider: &'static Avoider,
    velocity: &'static mut AgentVelocity,
    transform: &'static mut Transform,
    path: Option<&'static NavPath>,
    tie: Tie,
    flies_low: Has<LowFlying>,
    own_obstacles: Option<&'static OwnObstacles>,
    holds: Has<HoldPosition>,
    is_vehicle: Has<Vehicle>,
    parent: Option<&'static ChildOf>,
}

/// Buffers kept from tick to tick. All are in the order of the query; no result depends on it.
#[derive(Default)]
pub(super) struct ContactScratch {
    /// The positions of the agents, projected onto their grids; the positions of flying agents are not projected.
    projections: Vec<Vec3>,
    bodies: Vec<Body>,
    contact_bodies: Vec<ContactBody>,
    solver: ContactSolver,
    /// The floor of each agent, if any agent is tied to a grid or flies; else empty.
    floors: Vec<Floor>,
    /// The bodies on one floor; those on other floors have NaN positions, so that they touch nothing.
    on_floor: Vec<Body>,
}

/// Pushes overlapping agents apart, without pushing them into walls or obstacles.
pub(super) fn resolve_bodies(
    mut solids: Query<Solid, (Without<OnLink>, Without<DynamicBody>)>,
    (grids, obstacles, parents): (Grids, Res<ObstacleMap>, Res<ParentTransforms>),
    settings: Option<Res<NavSettings>>,
    mut scratch: Local<ContactScratch>,
    time: Res<Time>,
) {
    let dt = time.delta_secs();
    if dt <= 0.0 {
        return;
    }
    let ContactScratch { projections, bodies, contact_bodies, solver, floors, on_floor } = &mut *scratch;
    projections.clear();
    bodies.clear();
    contact_bodies.clear();
    floors.clear();
    let grid_list = grids.all();
    let settings = settings.map_or_else(NavSettings::default, |settings| *settings);
    let (default_up, threads) = (settings.up, Threads::of(&settings));
    // Where grids lie in different planes, the grid of the agent with the least id gives the up direction.
    let mut first_on_grid: Option<(AgentId, Vec3)> = None;
    let (mut is_any_tied, mut widest) = (false, 0.0_f32);
    for solid in solids.iter().filter(|solid| solid.avoider.agents != AgentAvoidance::Ignore) {
        let own = solid.transform.translation;
        let at = parents.of(solid.parent).map_or(own, |frame| frame.transform_point3(own));
        let grid = grid_list.of(solid.tie, at).ok();
        let (on_grid, airborne, ..) = solid.tie;
        let flies = airborne.is_some() || solid.flies_low;
        is_any_tied |= on_grid.is_some() || flies;
        if let Some(grid) = grid
            && first_on_grid.is_none_or(|(id, _)| *solid.id < id)
        {
            first_on_grid = Some((*solid.id, grid.place.up()));
        }
        let position = if flies { at } else { projection(at, grid, default_up) };
        let radius = if solid.agent.radius.is_finite() { solid.agent.radius } else { f32::NAN };
        widest = widest.max(radius);
        bodies.push(Body { position, velocity: solid.velocity.0, radius });
        let yields = if solid.holds || solid.is_vehicle { 0.0 } else { 1.0 };
        contact_bodies.push(ContactBody { id: solid.id.0, yields });
        projections.push(position);
    }
    if bodies.len() < 2 {
        return;
    }
    let up = first_on_grid.map(|(_, up)| up).or(default_up);
    let mut solve = |plane: Option<MovementPlane>, bodies: &mut [Body]| {
        solver
            .solve_with(&BodyContact::default(), plane, bodies, contact_bodies, |sweep, out| {
                let sweep_stats = Mutex::new(SweepStats::default());
                threads.share(vec![(0..out.len(), out)], |(slots, out)| {
                    let part = sweep.run(slots, out).expect("each share has a place for each of its slots");
                    let mut all = sweep_stats.lock().unwrap_or_else(PoisonError::into_inner);
                    *all = all.and(part);
                });
                Ok(sweep_stats.into_inner().unwrap_or_else(PoisonError::into_inner))
            })
            .expect("each body has its contact body");
    };
    if is_any_tied {
        let solid_agents = || solids.iter().filter(|solid| solid.avoider.agents != AgentAvoidance::Ignore);
        let tied = solid_agents().filter(|solid| solid.tie.1.is_none()).filter_map(|solid| solid.tie.0);
        let known = Floors::new(&grids, tied.map(|on| on.0), widest);
        let floor = |solid: SolidReadOnlyItem| if solid.flies_low { Floor::Air } else { known.of(solid.tie) };
        floors.extend(solid_agents().map(floor));
    }
    let mut present = floors.clone();
    present.sort_unstable();
    present.dedup();
    if present.len() < 2 {
        solve(plane_of(present.first(), up, default_up), bodies);
    } else {
        for floor in present {
            on_floor.clear();
            on_floor.extend(
                bodies.iter().zip(floors.iter()).map(|(body, other)| {
                    if *other == floor { *body } else { Body::new(Vec3::NAN, Vec3::ZERO) }
                }),
            );
            solve(plane_of(Some(&floor), up, default_up), on_floor);
            for ((body, settled), other) in bodies.iter_mut().zip(on_floor.iter()).zip(floors.iter()) {
                if *other == floor {
                    *body = *settled;
                }
            }
        }
    }
    let solids = solids.iter_mut().filter(|solid| solid.avoider.agents != AgentAvoidance::Ignore);
    for ((mut solid, body), &projection) in solids.zip(bodies.iter()).zip(projections.iter()) {
        let pushed = body.position - projection;
        if pushed.length_squared() < 1e-12 || !pushed.is_finite() {
            continue;
        }
        let (frame, own) = (parents.of(solid.parent), solid.transform.translation);
        let from = frame.map_or(own, |frame| frame.transform_point3(own));
        let grid = grid_list.of(solid.tie, from).ok();
        let context = MotionContext {
            grid,
            obstacles: &obstacles,
            own: solid.own_obstacles,
            up: default_up,
            since: dt,
        };
        let to = context.resolve(solid.agent, solid.path, Some(solid.avoider), from, from + pushed, 0.0);
        let moved = frame.map_or(to, |frame| frame.inverse().transform_point3(to));
        if moved.is_finite() {
            solid.transform.translation = moved;
        }
        solid.velocity.0 = slowed(solid.velocity.0, pushed, dt);
    }
}

/// The plane in which bodies at exactly the same position are parted: the plane of the ground, or for flying agents
/// the one across [`NavSettings::up`]; `None` in three dimensions.
fn plane_of(floor: Option<&Floor>, up: Option<Vec3>, default_up: Option<Vec3>) -> Option<MovementPlane> {
    let up = if floor == Some(&Floor::Air) { default_up } else { up };
    up.and_then(MovementPlane::from_up)
}

/// The projection of a position onto the agent's grid, or onto the plane across `up`; the position itself in three
/// dimensions.
fn projection(at: Vec3, grid: Option<&GridRef>, up: Option<Vec3>) -> Vec3 {
    match (grid, up.and_then(Vec3::try_normalize)) {
        (Some(GridRef { place, .. }), _) => place.to_world(place.to_grid(at), 0.0),
        (None, Some(up)) => at.reject_from_normalized(up),
        (None, None) => at,
    }
}
