//! Agents with numbers that are none: kept apart from the others, told of once, and taken back.

use bevy::platform::collections::{HashMap, HashSet};
use bevy::prelude::*;

use super::Crowd;
use crate::agent::Agent;
use crate::order::PathStatus;
use crate::warnings::Warnings;

/// What is wrong with an agent.
#[derive(Reflect, Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[reflect(Debug, Clone, PartialEq)]
pub enum InvalidAgent {
    /// Its place in the world is not finite.
    #[error("its place in the world is not finite")]
    Place,
    /// Its velocity is not finite.
    #[error("its velocity is not finite")]
    AgentVelocity,
    /// A number of its [`Agent`] is NaN, or its speed or radius infinite.
    #[error("a number of its Agent is not one")]
    Settings,
    /// It has a parent with a scale of zero, so that no movement can be undone.
    #[error("it has a parent with a scale of zero")]
    Scale,
}

impl InvalidAgent {
    /// What is wrong with these numbers, if anything.
    pub(super) fn of(agent: &Agent, place: Vec3, velocity: Vec3, is_flattened: bool) -> Option<Self> {
        let settings = [agent.acceleration, agent.turn_rate, agent.arrive_radius];
        let is_sound = agent.speed.is_finite() && agent.radius.is_finite();
        if !place.is_finite() {
            Some(Self::Place)
        } else if is_flattened {
            Some(Self::Scale)
        } else if !velocity.is_finite() {
            Some(Self::AgentVelocity)
        } else if !is_sound || settings.iter().any(|setting| setting.is_nan()) {
            Some(Self::Settings)
        } else {
            None
        }
    }
}

/// An agent has a number that is none: it stands still, and no other agent sees it. Told once, with a
/// warning in the log, until it has recovered.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct AgentInvalid {
    /// The agent.
    pub entity: Entity,
    /// What is wrong with it.
    pub reason: InvalidAgent,
}

/// All numbers of an agent in quarantine are numbers again: it goes on.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct AgentRecovered {
    /// The agent.
    pub entity: Entity,
}

/// Who is in quarantine.
#[derive(Resource, Debug, Default)]
pub(crate) struct Quarantine {
    invalid_agents: HashMap<Entity, InvalidAgent>,
    warnings: Warnings,
}

/// Tells who has fallen ill and who has recovered.
pub(super) fn examine(
    mut quarantine: ResMut<Quarantine>,
    crowd: Res<Crowd>,
    names: Query<(Option<&Name>, Option<&PathStatus>)>,
    mut commands: Commands,
) {
    let invalid_agents = crowd.invalid_agents();
    if invalid_agents.is_empty() && quarantine.invalid_agents.is_empty() {
        return;
    }
    let still: HashSet<_> = invalid_agents.iter().map(|&(_, entity, _)| entity).collect();
    let mut recovered: Vec<_> =
        quarantine.invalid_agents.keys().copied().filter(|entity| !still.contains(entity)).collect();
    recovered.sort_by_key(|entity| entity.index_u32());
    for entity in recovered {
        quarantine.invalid_agents.remove(&entity);
        if let Ok(mut entity) = commands.get_entity(entity) {
            entity.trigger(|entity| AgentRecovered { entity });
        }
    }
    for &(_, entity, reason) in invalid_agents {
        if quarantine.invalid_agents.insert(entity, reason).is_some() {
            continue;
        }
        commands.trigger(AgentInvalid { entity, reason });
        let Ok((name, status)) = names.get(entity) else { continue };
        // Whoever gets no path for it has been told of.
        let is_told = matches!(status, Some(PathStatus::Failed(_)));
        if !is_told {
            quarantine.warnings.warn(entity, name, format_args!("stands still: {reason}"));
        }
    }
}
