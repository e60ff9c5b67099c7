//! Invalid agents: those with a value that is NaN or infinite, or with a parent of scale 0.
//!
//! An invalid agent stands still, and other agents do not see it. It is reported once; after it has recovered it can
//! be reported again.

use bevy::platform::collections::{HashMap, HashSet};
use bevy::prelude::*;

use super::Crowd;
use crate::agent::Agent;
use crate::order::PathStatus;
use crate::warnings::Warnings;

/// What is wrong with an agent.
#[derive(Reflect, Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[type_path = "bevy_pathfind"]
#[reflect(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum InvalidAgent {
    /// Its position in the world is not finite.
    #[error("its place in the world is not finite")]
    Place,
    /// Its velocity is not finite.
    #[error("its velocity is not finite")]
    Velocity,
    /// A field of its [`Agent`] is NaN, or its speed or radius is infinite.
    #[error("a field of its Agent is NaN or infinite")]
    Settings,
    /// It has a parent with a scale of zero, so that movement in the world has no counterpart in its `Transform`.
    #[error("it has a parent with a scale of zero")]
    Scale,
}

impl InvalidAgent {
    /// What is wrong with these values, if anything.
    pub(super) fn of(agent: &Agent, place: Vec3, velocity: Vec3, is_flattened: bool) -> Option<Self> {
        let settings = [agent.acceleration, agent.turn_rate, agent.arrive_radius];
        let is_finite = agent.speed.is_finite() && agent.radius.is_finite();
        if !place.is_finite() {
            Some(Self::Place)
        } else if is_flattened {
            Some(Self::Scale)
        } else if !velocity.is_finite() {
            Some(Self::Velocity)
        } else if !is_finite || settings.iter().any(|setting| setting.is_nan()) {
            Some(Self::Settings)
        } else {
            None
        }
    }
}

/// An agent has become invalid: it stands still, and no other agent sees it. Triggered once, with a warning in the
/// log; after it has recovered it can be triggered again.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct AgentInvalid {
    /// The agent.
    pub entity: Entity,
    /// What is wrong with it.
    pub reason: InvalidAgent,
}

/// An agent that was invalid is valid again: it goes on.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct AgentRecovered {
    /// The agent.
    pub entity: Entity,
}

/// The agents that have been reported as invalid.
#[derive(Resource, Debug, Default)]
pub(crate) struct ReportedAgents {
    reasons: HashMap<Entity, InvalidAgent>,
    warnings: Warnings,
}

/// Reports agents that have become invalid, and agents that have recovered.
pub(super) fn report_invalid(
    mut reported: ResMut<ReportedAgents>,
    crowd: Res<Crowd>,
    names: Query<(Option<&Name>, Option<&PathStatus>)>,
    mut commands: Commands,
) {
    let invalid_agents = crowd.invalid_agents();
    if invalid_agents.is_empty() && reported.reasons.is_empty() {
        return;
    }
    let invalid: HashSet<_> = invalid_agents.iter().map(|&(_, entity, _)| entity).collect();
    let mut recovered: Vec<_> =
        reported.reasons.keys().copied().filter(|entity| !invalid.contains(entity)).collect();
    recovered.sort_by_key(|entity| entity.index_u32());
    for entity in recovered {
        reported.reasons.remove(&entity);
        if let Ok(mut entity) = commands.get_entity(entity) {
            entity.trigger(|entity| AgentRecovered { entity });
        }
    }
    for &(_, entity, reason) in invalid_agents {
        if reported.reasons.insert(entity, reason).is_some() {
            continue;
        }
        commands.trigger(AgentInvalid { entity, reason });
        let Ok((name, status)) = names.get(entity) else { continue };
        // A failed path request has been logged already.
        let is_logged = matches!(status, Some(PathStatus::Failed(_)));
        if !is_logged {
            reported.warnings.warn(entity, name, format_args!("stands still: {reason}"));
        }
    }
}
