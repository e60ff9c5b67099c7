//! How many searches are queued for the workers that run between two ticks.

/// The least batch size.
const MIN_BATCH: usize = 128;
/// The greatest batch size.
const MAX_BATCH: usize = 8192;

/// The batch size: half as many searches again as the workers began since the last tick. Workers must not run out of
/// searches while requests wait, but preparing a search that no worker begins before the next tick is wasted.
#[derive(Debug)]
pub(super) struct BatchSize {
    batch: usize,
    queued: usize,
}

impl Default for BatchSize {
    fn default() -> Self {
        Self { batch: MIN_BATCH, queued: 0 }
    }
}

impl BatchSize {
    /// The batch size for this tick, where `unstarted` searches of the last batch were not begun.
    pub(super) fn next(&mut self, unstarted: usize) -> usize {
        let begun = self.queued.saturating_sub(unstarted);
        // If all searches were begun, and they were fewer than the batch size, the workers' limit is unknown.
        if unstarted > 0 {
            self.batch = begun + begun / 2;
        } else if begun == self.batch {
            self.batch = 2 * begun;
        }
        self.batch = self.batch.clamp(MIN_BATCH, MAX_BATCH);
        self.batch
    }

    /// Notes how many searches were queued.
    pub(super) const fn note(&mut self, queued: usize) {
        self.queued = queued;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of searches queued in each tick, if `waiting` requests wait and at most `fast` are begun in a tick.
    fn ticks(mut waiting: usize, fast: usize) -> Vec<usize> {
        let (mut size, mut unstarted, mut all) = (BatchSize::default(), 0, Vec::new());
        while waiting > 0 && all.len() < 20 {
            let queued = size.next(unstarted).min(waiting);
            size.note(queued);
            let begun = queued.min(fast);
            (waiting, unstarted) = (waiting - begun, queued - begun);
            all.push(queued);
        }
        all
    }

    #[test]
    fn as_many_are_queued_as_workers_take() {
        assert_eq!(ticks(2000, usize::MAX), [128, 256, 512, 1024, 80], "it doubles as long as all is begun");
        assert_eq!(ticks(700, 150), [128, 256, 225, 225, 122], "then it keeps a little ahead");
        assert_eq!(ticks(300, 10)[..3], [128, 128, 128], "slow workers are given no more than they may need");
    }

    #[test]
    fn an_idle_time_changes_nothing() {
        let mut size = BatchSize::default();
        size.note(size.batch);
        assert_eq!(size.next(0), 256);
        size.note(3);
        assert_eq!(size.next(0), 256, "three of three were begun");
    }
}
