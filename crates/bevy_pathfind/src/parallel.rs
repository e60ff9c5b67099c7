//! Divides work on rows among the threads of Bevy's compute pool, if there are enough rows.

use bevy::tasks::ComputeTaskPool;

use crate::rows::Rows;
use crate::settings::NavSettings;

/// The least number of rows per part: fewer are not worth another thread.
const LEAST: usize = 2048;

/// How many threads may work at once, the calling thread included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Threads(usize);

impl Threads {
    /// The calling thread and the threads of the compute pool, but no more than the settings allow.
    pub(crate) fn of(settings: &NavSettings) -> Self {
        let all = 1 + ComputeTaskPool::try_get().map_or(0, |pool| pool.thread_num());
        Self(match settings.threads {
            0 => all,
            most => all.min(most as usize),
        })
    }

    /// How many rows make a part; all rows, where dividing does not pay.
    fn part_of(self, rows: usize) -> usize {
        if self.0 < 2 || rows < 2 * LEAST {
            return rows.max(1);
        }
        // More parts than threads, so that one slow part does not keep the other threads waiting.
        rows.div_ceil(self.0 * 4).max(LEAST)
    }

    /// Runs `work` on all rows, in parts. The result of `work` must not depend on the division into parts.
    pub(crate) fn share<R: Rows>(self, all: Vec<R>, work: impl Fn(R) + Sync) {
        let count = all.iter().map(R::len).sum();
        let size = self.part_of(count);
        if size >= count {
            all.into_iter().for_each(work);
            return;
        }
        let work = &work;
        ComputeTaskPool::get().scope(|scope| {
            let hand_out = |part: Vec<R>| scope.spawn(async move { part.into_iter().for_each(work) });
            let (mut part, mut room) = (Vec::new(), size);
            for mut rows in all {
                while rows.len() >= room {
                    let (last, rest) = rows.split_at(room);
                    part.push(last);
                    hand_out(core::mem::take(&mut part));
                    (rows, room) = (rest, size);
                }
                room -= rows.len();
                part.push(rows);
            }
            hand_out(part);
        });
    }

    /// Runs two closures that concern `rows` rows: at once if there are enough rows, else one after the other.
    pub(crate) fn both(self, rows: usize, one: impl FnOnce() + Send, other: impl FnOnce()) {
        if self.part_of(rows) >= rows {
            other();
            one();
            return;
        }
        ComputeTaskPool::get().scope(|scope| {
            scope.spawn(async { one() });
            other();
        });
    }
}

#[cfg(test)]
mod tests {
    use core::ops::Range;
    use std::sync::Mutex;

    use bevy::tasks::TaskPoolBuilder;

    use super::*;

    fn threads(most: u32) -> Threads {
        ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(3).build());
        Threads::of(&NavSettings::default().with_threads(most))
    }

    #[test]
    fn every_row_is_worked_on_once_by_any_worker() {
        let tables = [0..3, 3..9000, 9000..9000, 9000..9001, 9001..30_000];
        for most in [0, 1, 2, 3] {
            let parts = Mutex::new(Vec::new());
            threads(most).share(tables.to_vec(), |rows: Range<usize>| {
                parts.lock().expect("no worker panics").push(rows);
            });
            let mut parts = parts.into_inner().expect("no worker panics");
            parts.retain(|part| !part.is_empty());
            parts.sort_by_key(|part| part.start);
            let rows: Vec<usize> = parts.iter().cloned().flatten().collect();
            assert!(rows.into_iter().eq(0..30_000), "{most} threads: {parts:?}");
            let least = if most == 1 { 4 } else { 8 };
            assert!(parts.len() >= least, "{most} threads have work: {parts:?}");
        }
    }

    #[test]
    fn no_more_threads_are_asked_than_there_are_or_may_be() {
        let all =
            1 + ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(3).build()).thread_num();
        assert_eq!([0, 1, 2, 99].map(threads), [all, 1, 2, all].map(Threads));
        assert_eq!(threads(1).part_of(100_000), 100_000, "one does all");
        assert_eq!(threads(2).part_of(100), 100, "few are not worth dividing");
    }
}
