//! One tick of motion for every agent.

use bevy::math::Affine3A;
use bevy::prelude::*;

use super::context::MotionContext;
use super::parents::ParentTransforms;
use crate::agent::{AdjustedVelocity, Agent, AgentVelocity, Facing, accelerate};
use crate::numbers::is_finite;
use crate::order::NavPath;
use crate::parallel::Threads;
use crate::rows::{RowMut, Rows, rows, tables};
use crate::settings::NavSettings;
use crate::steer::Avoider;
use crate::world::{Airborne, GridList, GridLookupError, Grids, ObstacleMap, OnGrid, Tie};

/// An agent about to move.
type Mover = (
    (&'static Agent, &'static AdjustedVelocity, &'static mut AgentVelocity, &'static mut Transform),
    (Option<&'static NavPath>, Tie, Option<&'static Avoider>),
    Option<&'static ChildOf>,
);

/// What all have.
type Body<'a> = (&'a Agent, &'a AdjustedVelocity, RowMut<'a, AgentVelocity>, RowMut<'a, Transform>);

/// What few have.
type Extras<'a> = (Option<&'a NavPath>, (Option<&'a OnGrid>, Option<&'a Airborne>), Option<&'a Avoider>);

/// Moves every agent by one tick. Each depends on itself alone, so their order cannot show.
pub(super) fn integrate(
    mut movers: Query<Mover>,
    (grids, obstacles, parents): (Grids, Res<ObstacleMap>, Res<ParentTransforms>),
    settings: Option<Res<NavSettings>>,
    time: Res<Time>,
) {
    let dt = time.delta_secs();
    if dt <= 0.0 {
        return;
    }
    let settings = settings.map_or_else(NavSettings::default, |settings| *settings);
    let up = settings.up;
    let setting = Setting { grounds: grids.all(), obstacles: &obstacles, parents: &parents, up, dt };
    let mut tables = tables(&mut movers);
    Threads::of(&settings).share(rows(&mut tables), |movers| {
        let (len, mut movers) = movers.cut();
        for row in 0..len {
            let (body, extras, parent) = movers.row(row);
            // Apart, so that nearly all move without the frame that few have.
            match parent {
                Some(parent) => setting.advance_in(parent, body, extras),
                None => setting.advance(None, body, extras),
            }
        }
    });
}

/// Where agents move.
struct Setting<'a> {
    grounds: GridList<'a>,
    obstacles: &'a ObstacleMap,
    parents: &'a ParentTransforms,
    /// Away from the ground, where there is no grid.
    up: Option<Vec3>,
    /// The length of the tick, in seconds.
    dt: f32,
}

impl Setting<'_> {
    /// Moves an agent that has a parent.
    fn advance_in(&self, parent: &ChildOf, body: Body, extras: Extras) {
        self.advance(self.parents.of(Some(parent)), body, extras);
    }

    /// Moves an agent, in its parent's frame if it has one.
    #[inline(always)]
    fn advance(&self, frame: Option<Affine3A>, body: Body, (path, tie, avoider): Extras) {
        let &Self { ref grounds, obstacles, up, dt, .. } = self;
        let (agent, wanted, mut velocity, transform) = body;
        let own = transform.translation;
        let from = frame.map_or(own, |frame| frame.transform_point3(own));
        let grid = grounds.of(tie, from);
        // Where no wall can be told where it is, nobody moves into one.
        if matches!(grid, Err(GridLookupError::NotFinite | GridLookupError::BadGrid)) {
            velocity.set_if_neq(AgentVelocity::default());
            return;
        }
        let ground = MotionContext { grid: grid.ok(), obstacles, up, since: 0.0 };
        let reached = accelerate(velocity.0, wanted.0, agent.acceleration * dt);
        let aim = from + reached * dt;
        let step = Step { agent, up: ground.up(), frame, own, from, dt };
        // Apart, so that places stay in registers for those who have nothing in their way.
        if ground.is_open() {
            step.end(aim, reached, velocity, transform);
        } else {
            let to = ground.resolve(agent, path, avoider, from, aim, dt);
            let hindered = || ((to - from) / dt).clamp_length_max(reached.length().max(agent.speed));
            step.end(to, if to == aim { reached } else { hindered() }, velocity, transform);
        }
    }
}

/// A step of an agent.
struct Step<'a> {
    agent: &'a Agent,
    /// Away from the ground.
    up: Option<Vec3>,
    /// From its own space to the world, where they are not one.
    frame: Option<Affine3A>,
    /// Where it begins, in its own space.
    own: Vec3,
    /// Where it begins, in the world.
    from: Vec3,
    /// The length of the tick, in seconds.
    dt: f32,
}

impl Step<'_> {
    /// Ends it at a place in the world, and with a velocity.
    #[inline(always)]
    fn end(
        self,
        to: Vec3,
        reached: Vec3,
        mut velocity: RowMut<AgentVelocity>,
        mut transform: RowMut<Transform>,
    ) {
        let Self { agent, up, frame, own, from, dt } = self;
        velocity.set_if_neq(AgentVelocity(reached));
        if to == from {
            return;
        }
        let inside = frame.map(|frame| frame.inverse());
        let moved = inside.map_or(to, |inside| inside.transform_point3(to));
        transform.translation = if is_finite(moved) { moved } else { own };
        if agent.facing != Facing::None {
            let (mut way, mut up) = (to - from, up.unwrap_or(agent.facing.usual_up()));
            if let Some(inside) = inside {
                (way, up) = (inside.transform_vector3(way), inside.transform_vector3(up));
            }
            transform.rotation = agent.facing.turned(transform.rotation, way, up, agent.turn_rate * dt);
        }
    }
}
