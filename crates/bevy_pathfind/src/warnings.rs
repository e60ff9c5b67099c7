//! Warnings in the log about entities, limited in number for each kind of warning.

use core::fmt::Display;

use bevy::prelude::*;

/// Logs warnings of one kind, and counts them.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Warnings(usize);

impl Warnings {
    /// The greatest number of warnings of one kind that are logged.
    pub(crate) const MAX_WARNINGS: usize = 8;

    /// Whether the limit is reached.
    pub(crate) const fn are_enough(self) -> bool {
        self.0 >= Self::MAX_WARNINGS
    }

    /// Logs a warning about an entity, unless the limit is reached. The last one says that no more follow.
    pub(crate) fn warn(&mut self, entity: Entity, name: Option<&Name>, what: impl Display) {
        if self.are_enough() {
            return;
        }
        self.0 += 1;
        let who = name.map_or_else(|| entity.to_string(), ToString::to_string);
        let more = if self.are_enough() { " (more warnings of this kind are not shown)" } else { "" };
        warn!("{who} {what}{more}");
    }
}
