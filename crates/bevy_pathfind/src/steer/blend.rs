//! One velocity from many wishes.

use bevy::ecs::query::QueryData;
use bevy::ecs::system::{StaticSystemParam, SystemParamItem};
use bevy::prelude::*;
use pathfind_core::steer::blend::{self as core_blend, Rank, blend as grant};
use pathfind_core::steer::flock::FlockRules;

use super::avoider::{Feeler, Physics, Surface, Way};
use super::separation::Pushes;
use super::{Company, Crowd, Errand, Formation, GoalSource, Slot, SteerSettings, Wish, Wishes};
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
    (crowd, formation, company, pushes): (Res<Crowd>, Res<Formation>, Res<Company>, Res<Pushes>),
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
    let grounds = grids.all();
    // Taken apart, an item is not copied.
    agents.par_iter_mut().for_each(|item| {
        let WishingItem { entity, slot, agent, velocity, on_grid, feeler, .. } = item;
        let WishingItem { mut wish, mut wishes, mut desired, mut adjusted, .. } = item;
        let errand = wish.bypass_change_detection().take();
        let Some(body) = crowd.body(*slot) else {
            *wishes.bypass_change_detection() = Wishes::default();
            desired.set_if_neq(DesiredVelocity::default());
            adjusted.set_if_neq(AdjustedVelocity::default());
            return;
        };
        let grid = grounds.of(on_grid, body.position).ok();
        let up = grid.map_or(settings.up, |grid| Some(grid.place.up()));
        let flock = formation.wish(*slot).map(|(push, rules)| (along(push, up), rules));
        let normal = up.or(normal);
        let separation = pushes.on(*slot);
        let aims = Aims::new(agent, velocity.0, errand, flock, normal, dt);
        let source = aims.source;
        let avoided = feeler.and_then(|mut feeler| {
            let surface =
                Surface::<P> { grid, obstacles: &obstacles, physics: &physics, up: settings.up, me: entity };
            let is_on_path = source == GoalSource::Path;
            feeler.feel(&Way { agent, body, desired: aims.desired, goal: aims.end, is_on_path }, &surface, dt)
        });
        let mut ranked = core_blend::Wishes::default();
        match avoided {
            // What leads round an obstacle leads to the goal as well.
            Some(avoided) => ranked[Rank::Avoid] = avoided - aims.now,
            None => {
                ranked[Rank::Goal] = aims.goal - aims.now;
                ranked[Rank::Rest] = aims.flock * dt;
            }
        }
        ranked[Rank::Separation] = separation * dt;
        let free = aims.now + grant(&ranked, &weights, agent.acceleration * dt).change;
        // Most that fly in a flock have nothing else to mind.
        let is_desired = flock.is_some() && free == aims.free;
        let velocity =
            if is_desired { aims.desired } else { limited(aims.now, free, flock, normal, aims.top) };
        *wishes.bypass_change_detection() = Wishes {
            source,
            goal: if source == GoalSource::None { Vec3::ZERO } else { aims.goal },
            separation,
            flock: aims.flock,
            avoidance: avoided.map_or(Vec3::ZERO, |avoided| avoided - aims.desired),
            reciprocal: Vec3::ZERO,
        };
        desired.set_if_neq(DesiredVelocity(aims.desired));
        adjusted.set_if_neq(AdjustedVelocity(velocity));
    });
}

/// What an agent wants in a tick, before it minds anything.
struct Aims {
    now: Vec3,
    source: GoalSource,
    /// The velocity that it has a mind to have; without a goal, that in which it rests.
    goal: Vec3,
    flock: Vec3,
    /// What it would do if its flock knew no limits, and what it does by them.
    free: Vec3,
    desired: Vec3,
    /// Where it goes in the end, if that is known.
    end: Option<Vec3>,
    top: f32,
}

/// The acceleration that a flock wishes for, and its rules.
type Flocking<'a> = Option<(Vec3, &'a FlockRules)>;

impl Aims {
    #[inline(always)]
    fn new(
        agent: &Agent,
        velocity: Vec3,
        errand: Option<(GoalSource, Errand)>,
        flock: Flocking,
        normal: Option<Vec3>,
        dt: f32,
    ) -> Self {
        let now = if velocity.is_finite() { velocity } else { Vec3::ZERO };
        let haste = errand.map_or(1.0, |(_, errand)| errand.haste);
        let top = agent.speed.max(0.0) * haste;
        // Who wants nothing wants to stand; who flies in a flock flies on.
        let rest = if flock.is_some() { now } else { Vec3::ZERO };
        let (source, goal, end) = match errand {
            Some((source, errand)) if errand.velocity.is_finite() => (source, errand.velocity, errand.end),
            _ => (GoalSource::None, rest, None),
        };
        let goal = goal.clamp_length_max(top);
        let push = flock.map_or(Vec3::ZERO, |(push, _)| push);
        let free = goal + push * dt;
        let desired = if flock.is_some() { limited(now, free, flock, normal, top) } else { goal };
        Self { now, source, goal, flock: push, free, desired, end, top }
    }
}

/// A velocity within the limits of the agent and its flock.
#[inline(always)]
fn limited(now: Vec3, velocity: Vec3, flock: Flocking, normal: Option<Vec3>, top: f32) -> Vec3 {
    let within = flock.map_or(velocity, |(_, rules)| rules.limited(now, velocity, normal));
    within.clamp_length_max(top)
}

/// The part of a vector along the ground, if there is one.
fn along(vector: Vec3, up: Option<Vec3>) -> Vec3 {
    let up = up.and_then(Vec3::try_normalize);
    up.map_or(vector, |up| vector.reject_from_normalized(up))
}
