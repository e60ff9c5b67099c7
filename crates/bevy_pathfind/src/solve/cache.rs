//! A cache of answers; each is valid for one revision of a grid.

use std::collections::VecDeque;
use std::sync::{Arc, Weak};

use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use pathfind_core::{Answer, Cell, Goal, Grid, PathQuery};

/// Paths with more waypoints are not cached, so that the memory for each is bounded. Unit: waypoints.
const LONGEST: usize = 512;

/// Grid, start and goal.
type Key = (Entity, Cell, Cell);

/// The answers to the latest queries.
///
/// An answer is valid for one snapshot of a grid, identified by its address. The entry's `Weak` reference keeps that
/// address in use, and an edit of a referenced grid makes a new allocation, so that no other map has the same
/// address.
#[derive(Default)]
pub(super) struct Cache {
    entries: HashMap<Key, Entry>,
    /// The keys in order of insertion, oldest first.
    order: VecDeque<Key>,
}

struct Entry {
    snapshot: Weak<Grid>,
    question: PathQuery,
    answer: Arc<Answer>,
}

impl Cache {
    /// The cached answer to a query on a snapshot.
    pub(super) fn get(
        &self,
        grid: Entity,
        snapshot: &Arc<Grid>,
        question: &PathQuery,
    ) -> Option<Arc<Answer>> {
        let entry = self.entries.get(&key(grid, question)?)?;
        let is_same_map = core::ptr::eq(entry.snapshot.as_ptr(), Arc::as_ptr(snapshot));
        (is_same_map && entry.question == *question).then(|| entry.answer.clone())
    }

    /// Caches an answer; the cache holds at most `most`.
    pub(super) fn put(
        &mut self,
        grid: Entity,
        snapshot: &Arc<Grid>,
        question: &PathQuery,
        answer: &Answer,
        most: usize,
    ) {
        let Some(key) = key(grid, question) else { return };
        if most == 0 || answer.waypoints.len() > LONGEST {
            return;
        }
        let (snapshot, question) = (Arc::downgrade(snapshot), question.clone());
        let entry = Entry { snapshot, question, answer: Arc::new(answer.clone()) };
        if self.entries.insert(key, entry).is_none() {
            self.order.push_back(key);
        }
        while self.order.len() > most
            && let Some(oldest) = self.order.pop_front()
        {
            self.entries.remove(&oldest);
        }
    }
}

fn key(grid: Entity, question: &PathQuery) -> Option<Key> {
    match question.goal {
        Goal::Cell(goal) => Some((grid, question.start, goal)),
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
        let question = PathQuery::new(Cell::new(0, 0), Cell::new(7, 7));
        let answer = solve(&map, &question, &mut SearchScratch::default()).unwrap();
        cache.put(entity, &map, &question, &answer, 4);
        assert_eq!(cache.get(entity, &map, &question).as_deref(), Some(&answer));
        let four = question.clone().with_steps(pathfind_core::Steps::FOUR);
        assert!(cache.get(entity, &map, &four).is_none(), "another question has another answer");
        Arc::make_mut(&mut map).set(Cell::new(3, 3), Terrain::WALL).unwrap();
        assert!(cache.get(entity, &map, &question).is_none(), "another map too");
    }

    #[test]
    fn the_oldest_goes_when_there_is_no_more_room() {
        let mut cache = Cache::default();
        let map = Arc::new(Grid::new(8, 8).unwrap());
        let ask = |x| PathQuery::new(Cell::new(x, 0), Cell::new(7, 7));
        for x in 0..5 {
            let answer = solve(&map, &ask(x), &mut SearchScratch::default()).unwrap();
            cache.put(Entity::PLACEHOLDER, &map, &ask(x), &answer, 3);
        }
        let kept = (0..5).map(|x| cache.get(Entity::PLACEHOLDER, &map, &ask(x)).is_some());
        assert_eq!(kept.collect::<Vec<_>>(), [false, false, true, true, true]);
        assert_eq!(cache.entries.len(), cache.order.len(), "nothing is kept unseen");
    }
}
