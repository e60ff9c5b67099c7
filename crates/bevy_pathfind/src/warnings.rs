//! Warnings in the log about entities, limited in number for each kind of warning.

use core::fmt::Display;

use bevy::ecs::entity::EntityHashSet;
use bevy::prelude::*;

/// The entities of which warnings of one kind were logged: one for each, and not many in all.
#[derive(Debug, Default)]
pub(crate) struct Warnings(EntityHashSet);

impl Warnings {
    /// The greatest number of warnings of one kind that are logged.
    pub(crate) const MAX_WARNINGS: usize = 8;

    /// Logs a warning about an entity, unless there was one about it before or the limit is reached. The last one
    /// says that no more follow. Returns whether it was logged.
    pub(crate) fn warn(&mut self, entity: Entity, name: Option<&Name>, what: impl Display) -> bool {
        let is_logged = self.0.len() < Self::MAX_WARNINGS && self.0.insert(entity);
        if is_logged {
            let who = name.map_or_else(|| entity.to_string(), ToString::to_string);
            let is_last = self.0.len() == Self::MAX_WARNINGS;
            let more = if is_last { " (more warnings of this kind are not shown)" } else { "" };
            warn!("{who} {what}{more}");
        }
        is_logged
    }
}
