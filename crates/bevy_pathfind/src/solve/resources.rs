//! What searches work with.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bevy::prelude::*;
use pathfind_core::SearchScratch;

use super::cache::Cache;
use super::spaces::Spaces;

/// What all searches share: memory to work in, and answers that are still good.
#[derive(Resource, Clone, Default)]
pub(crate) struct SearchResources {
    spaces: Arc<Mutex<Spaces>>,
    cache: Arc<Mutex<Cache>>,
}

impl SearchResources {
    /// Says for how many searches memory is kept when fewer are under way.
    pub(super) fn keep(&self, hands: usize) {
        self.spaces().hands = hands;
    }

    pub(super) fn lend(&self) -> SearchScratch {
        self.spaces().lend()
    }

    pub(super) fn give_back(&self, space: SearchScratch) {
        self.spaces().give_back(space);
    }

    fn spaces(&self) -> MutexGuard<'_, Spaces> {
        self.spaces.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
