//! Ends failed requests: status, event, and a limited number of warnings.

use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use super::{NavPath, PathError, PathFailed, PathStatus, RequesterItem};
use crate::warnings::Warnings;

/// Which failures have been logged.
#[derive(Resource, Default)]
pub(crate) struct Warned {
    /// By agent; each agent is logged once for each kind of error.
    by_agent: EntityHashMap<Vec<PathError>>,
    by_kind: Vec<(PathError, Warnings)>,
}

impl Warned {
    /// The counter of this kind of error, if this failure shall be logged too.
    fn admit(&mut self, entity: Entity, error: PathError) -> Option<&mut Warnings> {
        let index = self.by_kind.iter().position(|(kind, _)| kind.is_same_kind(error)).unwrap_or_else(|| {
            self.by_kind.push((error, Warnings::default()));
            self.by_kind.len() - 1
        });
        let warnings = &mut self.by_kind[index].1;
        if warnings.are_enough() {
            return None;
        }
        let heard = self.by_agent.entry(entity).or_default();
        if heard.iter().any(|&known| known.is_same_kind(error)) {
            return None;
        }
        heard.push(error);
        Some(warnings)
    }
}

/// Ends requests with an error: a status, an event and one warning.
#[derive(SystemParam)]
pub(crate) struct Failures<'w, 's> {
    commands: Commands<'w, 's>,
    warned: ResMut<'w, Warned>,
}

impl Failures<'_, '_> {
    /// Ends a request: its search is dropped and its path removed.
    pub(crate) fn fail(&mut self, requester: &mut RequesterItem, error: PathError) {
        requester.ticket.close();
        *requester.status = PathStatus::Failed(error);
        self.report(requester.entity, requester.name, error);
    }

    /// Reports a failure by event and log, and removes the entity's path.
    pub(crate) fn report(&mut self, entity: Entity, name: Option<&Name>, error: PathError) {
        self.commands.entity(entity).try_remove::<NavPath>();
        self.commands.trigger(PathFailed { entity, error });
        if let Some(warnings) = self.warned.admit(entity, error) {
            warnings.warn(entity, name, format_args!("gets no path: {error}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_warns_once_of_a_kind_and_a_crowd_not_without_end() {
        let mut world = World::new();
        let agents: Vec<_> = (0..20).map(|_| world.spawn_empty().id()).collect();
        let mut warned = Warned::default();
        let mut is_heard = |agent, error| {
            let warnings = warned.admit(agent, error);
            warnings.map(|warnings| warnings.warn(agent, None, error)).is_some()
        };
        assert!(is_heard(agents[0], PathError::NoGrid), "the first is heard");
        assert!(!is_heard(agents[0], PathError::NoGrid), "the same again is not");
        assert!(is_heard(agents[0], PathError::ZeroSpeed), "another kind is");
        let heard = agents.iter().filter(|&&agent| is_heard(agent, PathError::NoGrid)).count();
        assert_eq!(heard, Warnings::MAX_WARNINGS - 1, "a crowd is cut short");
    }
}
