//! Explains in sentences what the selected agent does and why.

use bevy::prelude::*;
use bevy_egui::egui;

use super::links::links;
use super::names::name_of;
use super::readouts::readouts_ui;
use super::replay::{Replay, replay_ui};
use super::widgets::note;
use crate::agent::{Agent, AgentVelocity};
use crate::order::{NavPath, PartialReason, PathOutcome, PathStatus};
use crate::steer::{
    AvoidProbe, Flock, FlockOf, GoalSource, InterceptForecast, Pursuer, PursuitAim, SteeringBreakdown,
    SteeringNames,
};
use crate::world::GridTransform;

/// The most neighbours that are named.
const NAMED: usize = 6;

/// The status of the agent in focus, and when it got that status.
#[derive(Resource, Default)]
pub(super) struct Since {
    of: Option<(Entity, PathStatus)>,
    begun: f64,
}

impl Since {
    /// For how many ticks the agent has had this status.
    fn ticks(&mut self, world: &World, agent: Entity, status: PathStatus) -> u64 {
        let (now, tick) = match world.get_resource::<Time<Fixed>>() {
            Some(time) => (time.elapsed_secs_f64(), time.timestep().as_secs_f64()),
            None => (0.0, 1.0),
        };
        if self.of != Some((agent, status)) {
            (self.of, self.begun) = (Some((agent, status)), now);
        }
        ((now - self.begun) / tick.max(1e-9)).round().max(0.0) as u64
    }
}

/// Draws the explanation of the agent in focus.
pub(super) fn why_ui(ui: &mut egui::Ui, world: &mut World, agent: Entity) {
    let said = world.resource_scope(|world, mut since: Mut<Since>| sentences(world, &mut since, agent));
    for sentence in said.into_iter().chain(obstructions(world, agent)) {
        note("why", &ui.label(sentence));
    }
    world.resource_scope(|world, mut replay: Mut<Replay>| replay_ui(ui, world, &mut replay, agent));
    let near = neighbors(world, agent);
    if !near.is_empty() {
        let names = near.iter().map(|&(entity, _)| name_of(world, entity));
        ui.weak(format!("Near it: {}", enumerated(names)));
    }
    readouts_ui(ui, world, agent);
}

/// Sentences on what an agent does.
pub(super) fn sentences(world: &World, since: &mut Since, agent: Entity) -> Vec<String> {
    let said = [
        order(world, since, agent),
        shortfall(world, agent),
        hunt(world, agent),
        forecast(world, agent),
        flock_leader(world, agent),
        avoiding(world, agent),
        lead(world, agent),
        speed(world, agent),
    ];
    said.into_iter().flatten().collect()
}

/// The status of the agent's request, and its duration.
fn order(world: &World, since: &mut Since, agent: Entity) -> Option<String> {
    let status = *world.get::<PathStatus>(agent)?;
    let ticks = since.ticks(world, agent, status);
    let ago = if ticks == 1 { "1 tick".to_owned() } else { format!("{ticks} ticks") };
    Some(match (status, world.get::<NavPath>(agent)) {
        (PathStatus::Idle, _) => "It has no order.".to_owned(),
        (PathStatus::Waiting, _) => format!("It has been waiting for a search for {ago}."),
        (PathStatus::Searching, _) => format!("Its path has been searched for {ago}."),
        (PathStatus::Following, Some(path)) => {
            let all = path.waypoints().len();
            let next = all - path.remaining().len() + 1;
            format!("It follows its path: waypoint {} of {all}.", next.min(all))
        }
        (PathStatus::Following, None) => "It flies straight to its goal.".to_owned(),
        (PathStatus::Yielding, _) => format!("It has been letting another agent pass for {ago}."),
        (PathStatus::Crossing, _) => "It crosses a link.".to_owned(),
        (PathStatus::Arrived, _) => "It has arrived.".to_owned(),
        (PathStatus::AwaitingSlot, _) => format!("It has been waiting for a slot at its target for {ago}."),
        (PathStatus::EndedShort(_), _) => "It stands at the end of its path, short of its goal.".to_owned(),
        (PathStatus::Failed(error), _) => format!("It found no path: {error}."),
    })
}

/// Why the agent's path ends short of the goal; `None` if the path is complete.
fn shortfall(world: &World, agent: Entity) -> Option<String> {
    let PathOutcome::Partial(reason) = world.get::<NavPath>(agent)?.outcome() else { return None };
    let reason = match reason {
        PartialReason::GoalBlocked => "it may not stand on the goal",
        PartialReason::Unreachable => "no path leads there",
        PartialReason::ExpansionLimit => "the search reached its limit of cells",
        PartialReason::CostLimit => "every way on costs more than its limit",
        _ => "the search ended early",
    };
    Some(format!("Its path ends as near to the goal as it can get: {reason}."))
}

/// For an agent whose path ends short: the links that cannot be taken.
fn obstructions(world: &mut World, agent: Entity) -> Option<String> {
    shortfall(world, agent)?;
    let shut: Vec<_> = links(world)
        .into_iter()
        .filter_map(|link| Some(format!("{} ({})", link.name, link.obstruction?)))
        .collect();
    (!shut.is_empty()).then(|| format!("Links that cannot be taken: {}.", enumerated(shut.into_iter())))
}

/// The first [`NAMED`] names, and the number of the others.
fn enumerated(names: impl ExactSizeIterator<Item = String>) -> String {
    let others = names.len().saturating_sub(NAMED);
    let text = names.take(NAMED).collect::<Vec<_>>().join(", ");
    if others > 0 { format!("{text} and {others} more") } else { text }
}

/// The target of a pursuer.
fn hunt(world: &World, agent: Entity) -> Option<String> {
    let target = world.get::<Pursuer>(agent)?.target;
    Some(match gap(world, agent, target) {
        Some(gap) => format!("It hunts {}, {gap:.1} u away.", name_of(world, target)),
        None => "Its target is gone.".to_owned(),
    })
}

fn forecast(world: &World, agent: Entity) -> Option<String> {
    let aim = world.get::<PursuitAim>(agent)?;
    match aim.forecast {
        InterceptForecast::Caught => Some("It has its target.".to_owned()),
        InterceptForecast::Meets => Some(format!("It will meet its target in {:.1} s.", aim.time)),
        InterceptForecast::Escapes => Some("Its target is too fast to be caught.".to_owned()),
        InterceptForecast::Abandoned => {
            Some("Its target is too fast to be caught; it has given up.".to_owned())
        }
        // There is no forecast.
        _ => None,
    }
}

/// The leader of the flock that the agent belongs to.
fn flock_leader(world: &World, agent: Entity) -> Option<String> {
    let &FlockOf(leader) = world.get::<FlockOf>(agent)?;
    let gap = gap(world, agent, leader)?;
    Some(format!("It keeps with {}, {gap:.1} u away.", name_of(world, leader)))
}

/// Whether the agent avoids an obstacle, and on which side.
fn avoiding(world: &World, agent: Entity) -> Option<String> {
    let probe = world.get::<AvoidProbe>(agent)?;
    let hit = probe.hit?;
    let up = world.try_query::<&GridTransform>()?.iter(world).next().map_or(Vec3::Z, GridTransform::up);
    let side = up.cross(probe.look).dot(probe.side);
    let round = if side > 0.0 {
        ", going round it on the left"
    } else if side < 0.0 {
        ", going round it on the right"
    } else {
        ""
    };
    Some(format!("It avoids what is {:.1} u ahead{round}.", probe.from.distance(hit)))
}

/// The source of the goal that the agent steers to.
fn lead(world: &World, agent: Entity) -> Option<String> {
    let leads = match world.get::<SteeringBreakdown>(agent)?.source {
        GoalSource::None => return None,
        GoalSource::Custom(behaviour) => {
            let names = world.get_resource::<SteeringNames>();
            let name = names.and_then(|names| names.name(behaviour)).unwrap_or("the game");
            return Some(format!("It goes where {name} leads."));
        }
        GoalSource::Hold => return Some("It holds its position.".to_owned()),
        GoalSource::Manual => "its manual velocity",
        GoalSource::Return => return Some("It goes back to where it was pushed away from.".to_owned()),
        GoalSource::Escape => "the way out of the wall",
        GoalSource::Pursuit => "the hunt",
        GoalSource::Behavior => "its simple behaviour",
        GoalSource::Path => "its path",
        GoalSource::Field => "its flow field",
        GoalSource::Formation => return Some("It goes to its place in the formation.".to_owned()),
    };
    Some(format!("It goes where {leads} leads."))
}

fn speed(world: &World, agent: Entity) -> Option<String> {
    let &AgentVelocity(velocity) = world.get::<AgentVelocity>(agent)?;
    let body = world.get::<Agent>(agent)?;
    Some(if velocity == Vec3::ZERO {
        "It stands still.".to_owned()
    } else {
        format!("It goes at {:.1} of {:.1} u/s.", velocity.length(), body.speed)
    })
}

fn gap(world: &World, agent: Entity, other: Entity) -> Option<f32> {
    let at = |entity| world.get::<GlobalTransform>(entity).map(GlobalTransform::translation);
    Some(at(agent)?.distance(at(other)?))
}

/// The agents near an agent, nearest first: within the alignment radius of its flock settings, or five of its own
/// radii.
pub(super) fn neighbors(world: &mut World, agent: Entity) -> Vec<(Entity, Vec3)> {
    let Some(at) = world.get::<GlobalTransform>(agent).map(GlobalTransform::translation) else {
        return Vec::new();
    };
    let flock = world.get::<Flock>(agent).map(|flock| flock.alignment_radius);
    let reach = flock.or_else(|| Some(world.get::<Agent>(agent)?.radius * 5.0)).unwrap_or(0.0);
    let mut query = world.query_filtered::<(Entity, &GlobalTransform), With<Agent>>();
    let mut near: Vec<_> = query
        .iter(world)
        .filter(|&(entity, other)| entity != agent && other.translation().distance(at) < reach)
        .map(|(entity, other)| (entity, other.translation()))
        .collect();
    near.sort_by(|(_, one), (_, other)| one.distance(at).total_cmp(&other.distance(at)));
    near
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::PathError;

    fn said(bundle: impl Bundle) -> String {
        let mut world = World::new();
        let agent = world.spawn(bundle).id();
        sentences(&world, &mut Since::default(), agent).join(" ")
    }

    #[test]
    fn states_are_told_in_words() {
        assert!(said(PathStatus::Idle).contains("no order"));
        assert!(said(PathStatus::Waiting).contains("waiting for a search for 0 ticks"));
        assert!(said(PathStatus::Failed(PathError::NoGrid)).contains("there is no NavGrid"));
        let aim = PursuitAim { time: 1.5, forecast: InterceptForecast::Meets, ..default() };
        assert!(said(aim).contains("meet its target in 1.5 s"));
    }

    #[test]
    fn the_side_is_told_as_the_agent_sees_it() {
        let probe = AvoidProbe { look: Vec3::X, hit: Some(Vec3::X), side: Vec3::Y, ..default() };
        let mut world = World::new();
        world.register_component::<GridTransform>();
        let agent = world.spawn(probe).id();
        assert!(
            sentences(&world, &mut Since::default(), agent).join(" ").contains("on the left"),
            "+Y is left of +X"
        );
    }
}
