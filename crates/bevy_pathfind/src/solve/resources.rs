//! Resources that all searches share.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bevy::prelude::*;
use pathfind_core::SearchScratch;

use super::cache::Cache;
use super::scratch_pool::ScratchPool;

/// Scratch memory for searches and the cache of answers. Clones share both.
#[derive(Resource, Clone, Default)]
pub(crate) struct SearchResources {
    scratches: Arc<Mutex<ScratchPool>>,
    cache: Arc<Mutex<Cache>>,
}

impl SearchResources {
    /// Sets for how many searches scratch memory is kept when fewer are under way.
    pub(super) fn set_workers(&self, workers: usize) {
        self.scratches().workers = workers;
    }

    pub(super) fn lend(&self) -> SearchScratch {
        self.scratches().lend()
    }

    pub(super) fn give_back(&self, scratch: SearchScratch) {
        self.scratches().give_back(scratch);
    }

    fn scratches(&self) -> MutexGuard<'_, ScratchPool> {
        self.scratches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
