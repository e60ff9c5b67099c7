//! Failing loudly, once.

use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use super::{ClientItem, Path, PathError, PathFailed, PathStatus};

/// How many agents may warn of the same kind of failure before the log has heard enough.
const MOST_WARNINGS: usize = 8;

/// Which failures the log has heard of.
#[derive(Resource, Default)]
pub(crate) struct Warned {
    /// By agent, in the order in which they came; an agent repeats none.
    by_agent: EntityHashMap<Vec<PathError>>,
    /// How often each kind has been logged.
    by_kind: Vec<(PathError, usize)>,
}

impl Warned {
    /// Whether the log should hear of this, and whether it is the last of its kind that it will.
    fn admit(&mut self, entity: Entity, error: PathError) -> Option<bool> {
        let index = self.by_kind.iter().position(|(kind, _)| kind.is_same_kind(error)).unwrap_or_else(|| {
            self.by_kind.push((error, 0));
            self.by_kind.len() - 1
        });
        let count = &mut self.by_kind[index].1;
        if *count == MOST_WARNINGS {
            return None;
        }
        let heard = self.by_agent.entry(entity).or_default();
        if heard.iter().any(|&known| known.is_same_kind(error)) {
            return None;
        }
        heard.push(error);
        *count += 1;
        Some(*count == MOST_WARNINGS)
    }
}

/// Ends requests with an error: a status, an event and one warning.
#[derive(SystemParam)]
pub(crate) struct Failures<'w, 's> {
    commands: Commands<'w, 's>,
    warned: ResMut<'w, Warned>,
}

impl Failures<'_, '_> {
    /// Ends a request: its work is dropped, its path is taken away.
    pub(crate) fn fail(&mut self, client: &mut ClientItem, error: PathError) {
        client.ticket.close();
        *client.status = PathStatus::Failed(error);
        self.report(client.entity, client.name, error);
    }

    /// Tells of a failure; the entity's path is taken away.
    pub(crate) fn report(&mut self, entity: Entity, name: Option<&Name>, error: PathError) {
        self.commands.entity(entity).try_remove::<Path>();
        self.commands.trigger(PathFailed { entity, error });
        if let Some(is_last) = self.warned.admit(entity, error) {
            let who = name.map_or_else(|| entity.to_string(), ToString::to_string);
            let more = if is_last { " (more warnings of this kind are not shown)" } else { "" };
            warn!("{who} gets no path: {error}{more}");
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
        assert_eq!(warned.admit(agents[0], PathError::NoGrid), Some(false), "the first is heard");
        assert_eq!(warned.admit(agents[0], PathError::NoGrid), None, "the same again is not");
        assert_eq!(warned.admit(agents[0], PathError::ZeroSpeed), Some(false), "another kind is");
        let heard = agents.iter().filter(|&&agent| warned.admit(agent, PathError::NoGrid).is_some()).count();
        assert_eq!(heard, MOST_WARNINGS - 1, "a crowd is cut short");
    }
}
