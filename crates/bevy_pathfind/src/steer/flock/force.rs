//! The force of the flock on each member, for the members of all flocks at once.

use bevy::ecs::entity::EntityHashMap;
use bevy::math::DVec3;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use pathfind_core::steer::flock::{
    FlockGroup, FlockMember, FlockPass, FlockRules, FlockSettings, FlockStats as CoreStats, FlockStep,
};
use pathfind_core::steer::{Body, MovementPlane};

use super::{Flock, FlockOf, FlockStats};
use crate::agent::{Agent, AgentVelocity, TeleportCount};
use crate::parallel::Threads;
use crate::settings::NavSettings;
use crate::steer::parameter_runs::find_or_push;
use crate::steer::per_agent::PerAgentOutput;
use crate::steer::target_estimate::TargetEstimate;
use crate::steer::{Crowd, CrowdIndex, NeighborIndex, SteerSettings, SteerTick};
use crate::world::Positions;

/// Every how many ticks the [statistics](FlockStats) of the flocks are computed.
const STATS_TICKS: u64 = 8;

/// The members of all flocks with their groups and rules. The lists `members` and `groups` have an entry for each
/// agent, in the order of the [`Crowd`].
#[derive(Resource, Default)]
pub(crate) struct FlockState {
    /// The number of rebuilds of the crowd when the lists of agents were filled.
    rebuilds: u64,
    members: Vec<FlockMember>,
    /// The group of each agent: an index into `flocks`, or [`NONE`] for agents that are no members.
    groups: Vec<u32>,
    /// The flock entity of each group. The first group has none: it holds the members without [`FlockOf`].
    flocks: Vec<Option<Entity>>,
    settings: Vec<FlockSettings>,
    /// The [body unit](Agent::body_unit) of each agent, in the order of the crowd, when its rules were found.
    units: Vec<f32>,
    /// The top speed of the fastest member then.
    fastest: f32,
    rules: Vec<FlockRules>,
    tallies: Vec<Tally>,
    leaders: Vec<FlockGroup>,
    /// The forces on the members in this tick.
    steps: PerAgentOutput<FlockStep>,
    /// The plane that the members fly in and its normal, if there is one.
    plane: Option<(MovementPlane, Vec3)>,
    /// How many members there are.
    count: usize,
    /// How many members have [`FlockOf`].
    with_flock_of: usize,
}

pub(crate) struct FlockForce<'a> {
    /// The force as an acceleration, in world units per second².
    pub(crate) push: Vec3,
    /// The plane that the member flies in, if there is one.
    pub(crate) plane: Option<MovementPlane>,
    pub(crate) rules: &'a FlockRules,
}

/// Two planes are the same if the cosine of the angle between their normals is no less than this.
const SAME_PLANE_COSINE: f32 = 1.0 - 1e-6;

/// The group, and the index into the rules, of agents that are no members of any flock.
const NONE: u32 = u32::MAX;

impl FlockState {
    /// The largest distance at which a flock mate counts, in world units.
    pub(crate) fn reach(&self) -> f32 {
        self.rules.iter().map(FlockRules::reach).fold(0.0, f32::max)
    }

    /// The step of an agent as its flock alone would have it; `None` if it is in no flock, or if the flocks do not
    /// fly in the plane with the normal `up`.
    #[inline(always)]
    pub(crate) fn step(&self, slot: CrowdIndex, up: Option<Vec3>) -> Option<FlockStep> {
        let is_member = self.groups.get(slot.index()).is_some_and(|&group| group != NONE);
        if is_member && self.flies_in(up) { self.steps.get(slot) } else { None }
    }

    /// The force of its flock on an agent, and its rules; `None` if it is in no flock. With `up`, the force is
    /// projected onto the plane with that normal.
    // Inline: the result is large, and would otherwise be returned through memory.
    #[inline(always)]
    pub(crate) fn flock_force(&self, slot: CrowdIndex, up: Option<Vec3>) -> Option<FlockForce<'_>> {
        let FlockStep { acceleration, .. } = self.steps.get(slot)?;
        let rules = self.rules.get(self.members.get(slot.index())?.rules as usize)?;
        Some(match up {
            Some(up) if !self.flies_in(Some(up)) => {
                let plane = MovementPlane::from_up(up);
                FlockForce { push: acceleration.reject_from_normalized(up), plane, rules }
            }
            _ => FlockForce { push: acceleration, plane: self.plane.map(|(plane, _)| plane), rules },
        })
    }

    /// Whether the steps of the members need not be projected onto the plane with this normal.
    #[inline(always)]
    fn flies_in(&self, up: Option<Vec3>) -> bool {
        up.is_none_or(|up| self.plane.is_some_and(|(_, normal)| normal.dot(up) >= SAME_PLANE_COSINE))
    }

    /// Computes the centres of the groups and the noise, which do not depend on neighbours, while `sort` sorts the
    /// agents by groups and positions on another thread.
    pub(crate) fn prepare(
        &mut self,
        crowd: &Crowd,
        (settings, nav): (&SteerSettings, &NavSettings),
        tick: SteerTick,
        sort: impl FnOnce(&[u32]),
    ) {
        let Self { members, groups, flocks, rules, tallies, count, .. } = self;
        if *count == 0 {
            sort(groups);
            return;
        }
        let prepare_members = || {
            tally(tallies, crowd, groups, flocks.len());
            if let Some(up) = nav.unit_up() {
                FlockMember::draw(members, rules, (settings.seed, tick.0), MovementPlane::from_up(up));
            }
        };
        Threads::of(nav).both(crowd.len(), prepare_members, || sort(groups));
    }

    fn clear(&mut self, crowd: &Crowd) {
        // Old and new members are both in the order of ids, so that one pass carries the noise over.
        let mut old = core::mem::take(&mut self.members).into_iter().peekable();
        self.members = crowd
            .ids()
            .iter()
            .map(|&id| {
                while old.next_if(|member| member.id < id).is_some() {}
                let noise = old.next_if(|member| member.id == id).map_or(Vec3::ZERO, |member| member.noise);
                FlockMember { rules: NONE, id, noise }
            })
            .collect();
        self.groups.clear();
        self.groups.resize(crowd.len(), NONE);
        self.flocks.clear();
        self.flocks.push(None);
        self.settings.clear();
        self.units.clear();
        self.units.resize(crowd.len(), 0.0);
        self.fastest = 0.0;
        (self.count, self.with_flock_of) = (0, 0);
        self.rebuilds = crowd.rebuilds();
    }
}

/// Members whose settings or flock have changed.
type ChangedMember = Or<(Changed<Flock>, Changed<FlockOf>)>;

/// Members whose body may have another size.
type ChangedBody = (With<Flock>, Changed<Agent>);

/// Assigns groups and rules to the members where they have changed, and computes the rules for the length of the
/// tick.
pub(in crate::steer) fn update_members(
    mut flock_state: ResMut<FlockState>,
    crowd: Res<Crowd>,
    members: Query<(&CrowdIndex, &Flock, &Agent, Option<&FlockOf>)>,
    with_flock_of: Query<(), (With<Flock>, With<FlockOf>)>,
    changed: Query<(), ChangedMember>,
    changed_bodies: Query<(&CrowdIndex, &Agent), ChangedBody>,
    time: Res<Time>,
) {
    let flock_state = &mut *flock_state;
    // Members are counted: where frames are shorter than ticks, Bevy drops removal events before a tick reads them.
    let has_left =
        (members.iter().len(), with_flock_of.iter().len()) != (flock_state.count, flock_state.with_flock_of);
    let is_resized = |(slot, agent): (&CrowdIndex, &Agent)| {
        flock_state.units.get(slot.index()).is_none_or(|&unit| unit != agent.body_unit())
    };
    let has_changed = !changed.is_empty() || changed_bodies.iter().any(is_resized);
    if has_left || has_changed || flock_state.rebuilds != crowd.rebuilds() {
        flock_state.clear(&crowd);
        let mut known = HashMap::new();
        // In the order of the crowd, so that the numbers of the flocks do not depend on archetypes.
        let mut all: Vec<_> = members.iter().collect();
        all.sort_by_key(|(slot, ..)| slot.index());
        for (slot, flock, agent, of) in all {
            let Some(member) = flock_state.members.get_mut(slot.index()) else { continue };
            member.rules = find_or_push(flock.settings(agent), &mut flock_state.settings);
            flock_state.units[slot.index()] = agent.body_unit();
            flock_state.fastest = flock_state.fastest.max(agent.speed);
            flock_state.groups[slot.index()] = of.map_or(0, |&FlockOf(flock)| {
                *known.entry(flock).or_insert_with(|| {
                    flock_state.flocks.push(Some(flock));
                    (flock_state.flocks.len() - 1) as u32
                })
            });
            flock_state.count += 1;
            flock_state.with_flock_of += usize::from(of.is_some());
        }
    }
    let dt = time.delta_secs();
    flock_state.rules.clear();
    flock_state.rules.extend(flock_state.settings.iter().map(|settings| settings.rules(dt)));
}

/// The velocity of a leader that has no [`AgentVelocity`], estimated from its positions.
#[derive(Component, Debug, Default)]
pub(crate) struct LeaderVelocity(TargetEstimate);

/// Estimates the velocities of leaders that are no agents.
pub(in crate::steer) fn estimate_leaders(
    mut leaders: Query<(Entity, &mut LeaderVelocity, Option<&TeleportCount>), Without<AgentVelocity>>,
    flock_state: Res<FlockState>,
    positions: Positions,
    time: Res<Time>,
) {
    for (entity, mut estimate, teleports) in &mut leaders {
        let place = positions.of(entity).unwrap_or(Vec3::NAN);
        estimate.0.observe(place, teleports, time.delta_secs(), flock_state.fastest);
    }
}

/// Computes the force on every member.
pub(in crate::steer) fn compute_forces(
    mut flock_state: ResMut<FlockState>,
    neighbor_index: Res<NeighborIndex>,
    leading: Query<(Option<&AgentVelocity>, &LeaderVelocity)>,
    positions: Positions,
    (settings, nav, tick): (Res<SteerSettings>, Res<NavSettings>, Res<SteerTick>),
) {
    let FlockState { members, tallies, flocks, rules, leaders, steps, plane, count, .. } = &mut *flock_state;
    if *count == 0 {
        steps.clear();
        return;
    }
    let common = nav.unit_up().or(neighbor_index.normal()).and_then(MovementPlane::from_up);
    *plane = common.map(|plane| (plane, plane.up()));
    let plane = common;
    leaders.clear();
    leaders.extend(flocks.iter().zip(tallies).map(|(flock, &mut (count, sum))| {
        let leader = flock.and_then(|flock| {
            let (velocity, estimate) = leading.get(flock).ok()?;
            let velocity = velocity.map_or_else(|| estimate.0.velocity(), |velocity| velocity.0);
            Some(Body::new(positions.of(flock)?, velocity))
        });
        let center = (sum / f64::from(count.max(1))).as_vec3();
        // In a plane a leader's height is ignored: it is moved to that of the members' centre.
        let leader = leader.map(|leader| {
            let lift = plane
                .map_or(Vec3::ZERO, |plane| (center - leader.position).project_onto_normalized(plane.up()));
            Body { position: leader.position + lift, ..leader }
        });
        FlockGroup::of(count as usize, center, leader, plane)
    }));
    let threads = Threads::of(&nav);
    // With `NavSettings::up`, `prepare` has drawn the noise already.
    if nav.unit_up().is_none() {
        let rng = (settings.seed, tick.0);
        threads.share(vec![&mut members[..]], |members| FlockMember::draw(members, rules, rng, plane));
    }
    let pass = FlockPass::new(neighbor_index.neighbors(), members, rules, leaders).with_plane(plane);
    steps.fill(neighbor_index.neighbors(), neighbor_index.slots(), threads, |places, out| {
        pass.run(places, out).expect("each share has a place for each of its slots");
    });
}

/// How many valid members a group has, and the sum of their positions.
type Tally = (u32, DVec3);

/// Counts the members of each group and sums up their positions.
fn tally(tallies: &mut Vec<Tally>, crowd: &Crowd, groups: &[u32], count: usize) {
    tallies.clear();
    tallies.resize(count, (0, DVec3::ZERO));
    // Members of one group are mostly adjacent: sum up run by run.
    let mut start = 0;
    for mates in groups.chunk_by(|a, b| a == b) {
        let bodies = &crowd.bodies()[start..start + mates.len()];
        start += mates.len();
        let Some(entry) = tallies.get_mut(mates[0] as usize) else { continue };
        let (mut members, mut sum) = *entry;
        // Nearly always all agents are valid: then no body needs a test.
        if crowd.invalid_agents().is_empty() {
            members += bodies.len() as u32;
            sum += bodies.iter().map(|body| body.position.as_dvec3()).sum::<DVec3>();
        } else {
            for body in bodies.iter().filter(|body| body.is_finite()) {
                members += 1;
                sum += body.position.as_dvec3();
            }
        }
        *entry = (members, sum);
    }
}

/// Measures the flocks every [`STATS_TICKS`] ticks.
pub(in crate::steer) fn measure(
    flock_state: Res<FlockState>,
    crowd: Res<Crowd>,
    neighbor_index: Res<NeighborIndex>,
    mut stats_of_flocks: Query<(Entity, &mut FlockStats)>,
    tick: Res<SteerTick>,
) {
    if !tick.0.is_multiple_of(STATS_TICKS) {
        return;
    }
    let groups = flock_state.flocks.iter().zip(0..).filter_map(|(flock, group)| Some(((*flock)?, group)));
    let groups: EntityHashMap<u32> = groups.collect();
    for (flock, mut stats) in &mut stats_of_flocks {
        stats.set_if_neq(groups.get(&flock).map_or_else(FlockStats::default, |&group| {
            let measured =
                CoreStats::new(neighbor_index.neighbors(), crowd.bodies(), &flock_state.groups, group);
            let CoreStats { polarization, nearest, gyration } = measured;
            let members = flock_state.leaders.get(group as usize).map_or(0, |group| group.count as u32);
            FlockStats { members, polarization, nearest, gyration }
        }));
    }
}
