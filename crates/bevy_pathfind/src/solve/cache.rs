//! A cache of answers from one cell to one cell. Each answer is valid for one revision of a grid.

use std::collections::VecDeque;
use std::sync::{Arc, Weak};

use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use pathfind_core::{Answer, Goal, Grid, GridCell, PathQuery};

/// Paths with more waypoints are not cached. It bounds the memory of an answer: at 8 bytes a waypoint to 4 KiB, so
/// that the default 1,024 answers take at most about 4 MiB.
const MAX_WAYPOINTS: usize = 512;

/// The entity of the grid, the start and the goal. At most one answer is cached for each.
type CacheKey = (Entity, GridCell, GridCell);

/// The answers to the latest queries; when the cache is full, the oldest entry is removed first.
///
/// An answer is valid for one snapshot of a grid. The snapshot is identified by the address of its allocation, and no
/// other snapshot has that address while the entry exists: the entry's `Weak` reference keeps the allocation, and
/// `Arc::make_mut`, with which a grid is edited, moves the grid to a new allocation while there is such a reference.
#[derive(Default)]
pub(super) struct Cache {
    entries: HashMap<CacheKey, CachedAnswer>,
    /// The keys of `entries` in order of insertion, oldest first. Replacing the answer for a key keeps its place.
    order: VecDeque<CacheKey>,
}

struct CachedAnswer {
    /// The grid for which the answer is valid.
    snapshot: Weak<Grid>,
    /// The whole query, as queries with the same key can differ in kind of agent, steps or algorithm.
    query: PathQuery,
    answer: Arc<Answer>,
}

impl Cache {
    /// The cached answer to a query on a snapshot of the grid on entity `grid`; `None` if there is none.
    pub(super) fn get(&self, grid: Entity, snapshot: &Arc<Grid>, query: &PathQuery) -> Option<Arc<Answer>> {
        let entry = self.entries.get(&key(grid, query)?)?;
        let is_same_snapshot = core::ptr::eq(entry.snapshot.as_ptr(), Arc::as_ptr(snapshot));
        (is_same_snapshot && entry.query == *query).then(|| entry.answer.clone())
    }

    /// Caches an answer, then removes the oldest entries until at most `capacity` are left.
    ///
    /// Nothing is cached if `capacity` is 0, if the path has more than [`MAX_WAYPOINTS`], or if the goal is not a
    /// single cell.
    pub(super) fn put(
        &mut self,
        grid: Entity,
        snapshot: &Arc<Grid>,
        query: &PathQuery,
        answer: &Answer,
        capacity: usize,
    ) {
        let Some(key) = key(grid, query) else { return };
        if capacity == 0 || answer.waypoints.len() > MAX_WAYPOINTS {
            return;
        }
        let (snapshot, query) = (Arc::downgrade(snapshot), query.clone());
        let entry = CachedAnswer { snapshot, query, answer: Arc::new(answer.clone()) };
        if self.entries.insert(key, entry).is_none() {
            self.order.push_back(key);
        }
        while self.order.len() > capacity
            && let Some(oldest) = self.order.pop_front()
        {
            self.entries.remove(&oldest);
        }
    }
}

/// The key of a query; `None` if its goal is not a single cell.
fn key(grid: Entity, query: &PathQuery) -> Option<CacheKey> {
    match query.goal {
        Goal::GridCell(goal) => Some((grid, query.start, goal)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use pathfind_core::{SearchScratch, Terrain, solve};

    use super::*;

    #[test]
    fn an_answer_is_kept_until_the_map_changes() {
        let mut cache = Cache::default();
        let entity = Entity::PLACEHOLDER;
        let mut map = Arc::new(Grid::new(8, 8).unwrap());
        let query = PathQuery::new(GridCell::new(0, 0), GridCell::new(7, 7));
        let answer = solve(&map, &query, &mut SearchScratch::default()).unwrap();
        cache.put(entity, &map, &query, &answer, 4);
        assert_eq!(cache.get(entity, &map, &query).as_deref(), Some(&answer));
        let four = query.clone().with_steps(pathfind_core::StepRules::FOUR);
        assert!(cache.get(entity, &map, &four).is_none(), "the query has other steps");
        Arc::make_mut(&mut map).set(GridCell::new(3, 3), Terrain::WALL).unwrap();
        assert!(cache.get(entity, &map, &query).is_none(), "the map has changed");
    }

    #[test]
    fn the_oldest_entries_are_removed_when_the_cache_is_full() {
        let mut cache = Cache::default();
        let map = Arc::new(Grid::new(8, 8).unwrap());
        let query = |x| PathQuery::new(GridCell::new(x, 0), GridCell::new(7, 7));
        for x in 0..5 {
            let answer = solve(&map, &query(x), &mut SearchScratch::default()).unwrap();
            cache.put(Entity::PLACEHOLDER, &map, &query(x), &answer, 3);
        }
        let kept = (0..5).map(|x| cache.get(Entity::PLACEHOLDER, &map, &query(x)).is_some());
        assert_eq!(kept.collect::<Vec<_>>(), [false, false, true, true, true]);
        assert_eq!(cache.entries.len(), cache.order.len(), "each entry has its key in the order");
    }
}
