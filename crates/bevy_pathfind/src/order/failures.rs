//! Ends failed requests: status, event, and a limited number of warnings.

use core::mem::{Discriminant, discriminant};

use bevy::ecs::system::SystemParam;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;

use super::{NavPath, PathError, PathFailed, PathStatus, RequesterItem};
use crate::warnings::Warnings;

/// The warnings that were logged, by the kind of error, whatever cells the errors name.
#[derive(Resource, Default)]
pub(crate) struct Warned(HashMap<Discriminant<PathError>, Warnings>);

impl Warned {
    /// Logs a failure if it is the entity's first of this kind. Returns whether it was logged.
    fn warn(&mut self, entity: Entity, name: Option<&Name>, error: PathError) -> bool {
        let warnings = self.0.entry(discriminant(&error)).or_default();
        warnings.warn(entity, name, format_args!("gets no path: {error}"))
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
        self.warned.warn(entity, name, error);
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
        let mut is_logged = |agent, error| warned.warn(agent, None, error);
        assert!(is_logged(agents[0], PathError::NoGrid), "the first failure is logged");
        assert!(!is_logged(agents[0], PathError::NoGrid), "the same failure of the same agent is not");
        assert!(is_logged(agents[0], PathError::BadSpeed), "another kind of failure is");
        let logged = agents.iter().filter(|&&agent| is_logged(agent, PathError::NoGrid)).count();
        assert_eq!(logged, Warnings::MAX_WARNINGS - 1, "one of the limit was used up before");
    }
}
