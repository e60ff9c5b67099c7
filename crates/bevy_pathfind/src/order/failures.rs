//! Ends failed requests: status, event, and a limited number of warnings.

use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use super::{NavPath, PathError, PathFailed, PathStatus, RequesterItem};
use crate::warnings::Warnings;

/// Which failures have been logged.
#[derive(Resource, Default)]
pub(crate) struct Warned {
    /// The errors that were logged for each agent, each kind once.
    by_agent: EntityHashMap<Vec<PathError>>,
    /// The number of warnings for each kind of error.
    by_kind: Vec<(PathError, Warnings)>,
}

impl Warned {
    /// The counter of this kind of error, if this failure is to be logged: it is the agent's first of this kind, and
    /// the limit for the kind is not reached.
    fn counter_to_log(&mut self, entity: Entity, error: PathError) -> Option<&mut Warnings> {
        let index = self.by_kind.iter().position(|(kind, _)| kind.is_same_kind(error)).unwrap_or_else(|| {
            self.by_kind.push((error, Warnings::default()));
            self.by_kind.len() - 1
        });
        let warnings = &mut self.by_kind[index].1;
        if warnings.are_enough() {
            return None;
        }
        let logged = self.by_agent.entry(entity).or_default();
        if logged.iter().any(|&known| known.is_same_kind(error)) {
            return None;
        }
        logged.push(error);
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
        if let Some(warnings) = self.warned.counter_to_log(entity, error) {
            warnings.warn(entity, name, format_args!("gets no path: {error}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_are_limited_per_agent_and_per_kind_of_error() {
        let mut world = World::new();
        let agents: Vec<_> = (0..20).map(|_| world.spawn_empty().id()).collect();
        let mut warned = Warned::default();
        let mut is_logged = |agent, error| {
            let warnings = warned.counter_to_log(agent, error);
            warnings.map(|warnings| warnings.warn(agent, None, error)).is_some()
        };
        assert!(is_logged(agents[0], PathError::NoGrid), "the first failure is logged");
        assert!(!is_logged(agents[0], PathError::NoGrid), "the same failure of the same agent is not");
        assert!(is_logged(agents[0], PathError::BadSpeed), "another kind of failure is");
        let logged = agents.iter().filter(|&&agent| is_logged(agent, PathError::NoGrid)).count();
        assert_eq!(logged, Warnings::MAX_WARNINGS - 1, "one of the limit was used up before");
    }
}
