//! One velocity from many wishes.

use bevy::ecs::query::QueryData;
use bevy::ecs::system::{StaticSystemParam, SystemParamItem};
use bevy::prelude::*;
use pathfind_core::steer::blend::{self as core_blend, Rank, blend as grant};
use pathfind_core::steer::flock::FlockRules;

use super::avoider::{Feeler, Physics, Surface, Way};
use super::separation::Push;
use super::{Company, Crowd, Formation, GoalSource, Slot, SteerSettings, Wish, Wishes};
use crate::motion::{AdjustedVelocity, Agent, DesiredVelocity, Velocity};
use crate::world::{Grids, ObstacleMap, OnGrid};

/// What blending needs of an agent.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct Wishing {
    entity: Entity,
    slot: &'static Slot,
    agent: &'static Agent,
    velocity: &'static Velocity,
    on_grid: Option<&'static OnGrid>,
    push: Option<&'static Push>,
    feeler: Option<Feeler>,
    wish: &'static mut Wish,
    wishes: &'static mut Wishes,
    desired: &'static mut DesiredVelocity,
    adjusted: &'static mut AdjustedVelocity,
}

/// Writes the desired velocity, no faster than the agent's top speed, and the adjusted one, which minds
/// obstacles and others as far as the agent's acceleration allows.
///
/// Wishes are served in order, each with what acceleration those before have left: off obstacles, off other
/// agents, to the goal, with the flock (C. Reynolds, "Flocks, Herds, and Schools", 1987).
pub(super) fn blend<P: Physics>(
    mut agents: Query<Wishing>,
    (crowd, formation, company): (Res<Crowd>, Res<Formation>, Res<Company>),
    (grids, obstacles): (Grids, Res<ObstacleMap>),
    physics: StaticSystemParam<P>,
    settings: Res<SteerSettings>,
    time: Res<Time>,
) where
    for<'w, 's> SystemParamItem<'w, 's, P>: Sync,
{
    let (weights, dt) = (settings.blend(), time.delta_secs());
    let normal = company.normal();
    let physics = physics.into_inner();
    agents.par_iter_mut().for_each(|mut it| {
        let Some(body) = crowd.body(*it.slot) else {
            it.stand();
            return;
        };
        let grid = grids.of(it.on_grid, body.position).ok();
        let up = grid.map_or(settings.up, |grid| Some(grid.place.up()));
        let flock = formation.wish(it.slot.index(), company.place(it.slot.index()));
        let flock = flock.map(|(push, rules)| (along(push, up), rules));
        let normal = up.or(normal);
        let aims = it.aims(flock, normal, dt);
        let (agent, source) = (it.agent, aims.source);
        let avoided = it.feeler.as_mut().and_then(|feeler| {
            let surface = Surface::<P> {
                grid,
                obstacles: &obstacles,
                physics: &physics,
                up: settings.up,
                me: it.entity,
            };
            let is_on_path = source == GoalSource::Path;
            feeler.feel(&Way { agent, body, desired: aims.desired, goal: aims.end, is_on_path }, &surface, dt)
        });
        let mut wishes = core_blend::Wishes::default();
        match avoided {
            // What leads round an obstacle leads to the goal as well.
            Some(avoided) => wishes[Rank::Avoid] = avoided - aims.now,
            None => {
                wishes[Rank::Goal] = aims.goal - aims.now;
                wishes[Rank::Rest] = aims.flock * dt;
            }
        }
        wishes[Rank::Separation] = aims.separation * dt;
        let granted = grant(&wishes, &weights, agent.acceleration * dt);
        let mut velocity = aims.now + granted.change;
        if let Some((_, rules)) = flock {
            velocity = rules.limited(aims.now, velocity, normal);
        }
        let velocity = velocity.clamp_length_max(aims.top);
        *it.wishes.bypass_change_detection() = Wishes {
            source,
            goal: if source == GoalSource::None { Vec3::ZERO } else { aims.goal },
            separation: aims.separation,
            flock: aims.flock,
            avoidance: avoided.map_or(Vec3::ZERO, |avoided| avoided - aims.desired),
            reciprocal: Vec3::ZERO,
        };
        it.desired.set_if_neq(DesiredVelocity(aims.desired));
        it.adjusted.set_if_neq(AdjustedVelocity(velocity));
    });
}

/// What an agent wants in a tick, before it minds anything.
struct Aims {
    now: Vec3,
    source: GoalSource,
    /// The velocity that it has a mind to have; without a goal, that in which it rests.
    goal: Vec3,
    separation: Vec3,
    flock: Vec3,
    desired: Vec3,
    /// Where it goes in the end, if that is known.
    end: Option<Vec3>,
    top: f32,
}

/// The part of a vector along the ground, if there is one.
fn along(vector: Vec3, up: Option<Vec3>) -> Vec3 {
    let up = up.and_then(Vec3::try_normalize);
    up.map_or(vector, |up| vector.reject_from_normalized(up))
}

impl WishingItem<'_, '_> {
    /// Wants nothing: its numbers are none.
    fn stand(&mut self) {
        *self.wish.bypass_change_detection() = Wish::default();
        *self.wishes.bypass_change_detection() = Wishes::default();
        self.desired.set_if_neq(DesiredVelocity::default());
        self.adjusted.set_if_neq(AdjustedVelocity::default());
    }

    fn aims(&mut self, flock: Option<(Vec3, &FlockRules)>, normal: Option<Vec3>, dt: f32) -> Aims {
        let now = if self.velocity.0.is_finite() { self.velocity.0 } else { Vec3::ZERO };
        let errand = self.wish.bypass_change_detection().take();
        let haste = errand.map_or(1.0, |(_, errand)| errand.haste);
        let top = self.agent.speed.max(0.0) * haste;
        // Who wants nothing wants to stand; who flies in a flock flies on.
        let rest = if flock.is_some() { now } else { Vec3::ZERO };
        let (source, goal, end) = match errand {
            Some((source, errand)) if errand.velocity.is_finite() => (source, errand.velocity, errand.end),
            _ => (GoalSource::None, rest, None),
        };
        let goal = goal.clamp_length_max(top);
        let desired = match flock {
            Some((push, rules)) => rules.limited(now, goal + push * dt, normal).clamp_length_max(top),
            None => goal,
        };
        let flock = flock.map_or(Vec3::ZERO, |(push, _)| push);
        let separation = self.push.map_or(Vec3::ZERO, |push| push.0);
        Aims { now, source, goal, separation, flock, desired, end, top }
    }
}
