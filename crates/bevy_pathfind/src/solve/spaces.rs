//! The memory that searches work in, lent out and taken back.

use pathfind_core::SearchScratch;

/// Memory for as many searches as are under way: 8 bytes for each cell that one comes near, and a little more.
///
/// For each hand some is kept. What it takes more while a long search [makes way](super::desk) is freed as soon
/// as there are no more searches than hands.
#[derive(Default)]
pub(super) struct Spaces {
    pub(super) hands: usize,
    idle: Vec<SearchScratch>,
    lent: usize,
}

impl Spaces {
    pub(super) fn lend(&mut self) -> SearchScratch {
        self.lent += 1;
        self.idle.pop().unwrap_or_default()
    }

    pub(super) fn give_back(&mut self, space: SearchScratch) {
        self.lent -= 1;
        let is_spare = self.lent < self.hands && self.lent + self.idle.len() >= self.hands;
        if !is_spare {
            self.idle.push(space);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_search_aside_took_is_freed_when_it_is_over() {
        let mut spaces = Spaces { hands: 1, ..Spaces::default() };
        let long = spaces.lend();
        for _ in 0..3 {
            let short = spaces.lend();
            spaces.give_back(short);
            assert_eq!(spaces.idle.len(), 1, "the next short one finds memory");
        }
        spaces.give_back(long);
        assert_eq!((spaces.lent, spaces.idle.len()), (0, 1), "then there is memory for one again");
    }

    #[test]
    fn each_hand_has_its_own() {
        let mut spaces = Spaces { hands: 3, ..Spaces::default() };
        let lent: Vec<_> = (0..4).map(|_| spaces.lend()).collect();
        lent.into_iter().for_each(|space| spaces.give_back(space));
        assert_eq!((spaces.lent, spaces.idle.len()), (0, 3));
    }
}
