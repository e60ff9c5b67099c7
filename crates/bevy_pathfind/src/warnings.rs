//! Warnings in the log: by name, and not without end.

use core::fmt::Display;

use bevy::prelude::*;

/// How many warnings of one kind the log has heard.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Warnings(usize);

impl Warnings {
    /// How many it hears at most.
    pub(crate) const MOST: usize = 8;

    /// Whether it has heard enough.
    pub(crate) const fn are_enough(self) -> bool {
        self.0 >= Self::MOST
    }

    /// Warns of an entity, unless that is enough by now.
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
