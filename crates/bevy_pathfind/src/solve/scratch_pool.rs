//! A pool of scratch memory for searches.

use pathfind_core::SearchScratch;

/// Scratch memory for the searches under way: 8 bytes for each cell that a search comes near, and a little more.
///
/// Memory for one search per worker is kept. The additional memory of a search that was
/// [suspended](super::search_queue) is freed as soon as there are no more searches than workers.
#[derive(Default)]
pub(super) struct ScratchPool {
    pub(super) workers: usize,
    idle: Vec<SearchScratch>,
    lent: usize,
}

impl ScratchPool {
    pub(super) fn lend(&mut self) -> SearchScratch {
        self.lent += 1;
        self.idle.pop().unwrap_or_default()
    }

    pub(super) fn give_back(&mut self, scratch: SearchScratch) {
        self.lent -= 1;
        let is_spare = self.lent < self.workers && self.lent + self.idle.len() >= self.workers;
        if !is_spare {
            self.idle.push(scratch);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_of_a_suspended_search_is_freed_when_it_ends() {
        let mut scratches = ScratchPool { workers: 1, ..ScratchPool::default() };
        let long = scratches.lend();
        for _ in 0..3 {
            let short = scratches.lend();
            scratches.give_back(short);
            assert_eq!(scratches.idle.len(), 1, "the memory of the short search is kept for the next one");
        }
        scratches.give_back(long);
        assert_eq!((scratches.lent, scratches.idle.len()), (0, 1), "then memory for one search is kept");
    }

    #[test]
    fn memory_is_kept_for_one_search_per_worker() {
        let mut scratches = ScratchPool { workers: 3, ..ScratchPool::default() };
        let lent: Vec<_> = (0..4).map(|_| scratches.lend()).collect();
        lent.into_iter().for_each(|scratch| scratches.give_back(scratch));
        assert_eq!((scratches.lent, scratches.idle.len()), (0, 3));
    }
}
