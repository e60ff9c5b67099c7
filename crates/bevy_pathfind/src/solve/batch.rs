//! How many searches are laid out at a time for hands that work while the frame goes on.

/// The fewest that are laid out, if so many wait.
const LEAST: usize = 128;
/// The most.
const MOST: usize = 8192;

/// Twice as many as the hands took in the tick before: no hand shall be idle while anybody waits, and what
/// nobody takes is laid out in vain, for it goes back in line.
#[derive(Debug)]
pub(super) struct BatchSize {
    batch: usize,
    laid_out: usize,
}

impl Default for BatchSize {
    fn default() -> Self {
        Self { batch: LEAST, laid_out: 0 }
    }
}

impl BatchSize {
    /// How many to lay out, when so many are left of those that were laid out last.
    pub(super) fn next(&mut self, left: usize) -> usize {
        let taken = self.laid_out.saturating_sub(left);
        // Where all was taken that there was, nothing is learnt about how much would have been.
        if left > 0 || taken == self.batch {
            self.batch = (2 * taken).clamp(LEAST, MOST);
        }
        self.batch
    }

    /// Notes how many were laid out.
    pub(super) const fn note(&mut self, laid_out: usize) {
        self.laid_out = laid_out;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many are laid out in each tick when so many wait, and so many are taken in a tick at most.
    fn ticks(mut waiting: usize, fast: usize) -> Vec<usize> {
        let (mut size, mut left, mut laid) = (BatchSize::default(), 0, Vec::new());
        while waiting > 0 && laid.len() < 20 {
            let laid_out = size.next(left).min(waiting);
            size.note(laid_out);
            let taken = laid_out.min(fast);
            (waiting, left) = (waiting - taken, laid_out - taken);
            laid.push(laid_out);
        }
        laid
    }

    #[test]
    fn as_much_is_laid_out_as_hands_can_take() {
        assert_eq!(ticks(2000, usize::MAX), [128, 256, 512, 1024, 80], "it doubles as long as all is taken");
        assert_eq!(ticks(700, 150), [128, 256, 300, 272, 122], "then it keeps a little ahead");
        assert_eq!(ticks(300, 10)[..3], [128, 128, 128], "slow hands are given no more than they may need");
    }

    #[test]
    fn an_idle_time_changes_nothing() {
        let mut size = BatchSize::default();
        size.note(size.batch);
        assert_eq!(size.next(0), 256);
        size.note(3);
        assert_eq!(size.next(0), 256, "three of three were taken");
    }
}
