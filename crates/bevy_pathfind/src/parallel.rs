//! Divides work on [rows](crate::rows) of components among the threads of Bevy's compute pool, if there are enough
//! rows.

use std::sync::{Mutex, PoisonError};

use bevy::tasks::ComputeTaskPool;

use crate::rows::Rows;
use crate::settings::NavSettings;

/// Fewer rows than this are not divided: one thread does all the work.
const MIN_ROWS: usize = 4096;
/// The least number of rows in a part, except for the last.
const MIN_PART_ROWS: usize = 512;
/// How many parts there are for each thread at most: more than one, so that the others do not wait for a slow thread.
const PARTS_PER_THREAD: usize = 8;

/// How many threads may work at once, the calling thread included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Threads(usize);

impl Threads {
    /// The calling thread and the threads of the compute pool, but no more than the settings allow.
    pub(crate) fn of(settings: &NavSettings) -> Self {
        let all = 1 + ComputeTaskPool::try_get().map_or(0, |pool| pool.thread_num());
        Self(match settings.threads {
            None => all,
            Some(most) => all.min(most.max(1) as usize),
        })
    }

    /// Whether there is more than one thread, and this many rows are worth dividing among them.
    const fn is_worth_dividing(self, rows: usize) -> bool {
        self.0 > 1 && rows >= MIN_ROWS
    }

    /// Runs `work` on all rows, in parts. The result of `work` must not depend on the division into parts.
    pub(crate) fn share<R: Rows>(self, all: Vec<R>, work: impl Fn(R) + Sync) {
        self.share_from(MIN_ROWS, all, work);
    }

    /// As [`share`](Self::share), for work that is worth dividing from `min_rows` rows on.
    pub(crate) fn share_from<R: Rows>(self, min_rows: usize, all: Vec<R>, work: impl Fn(R) + Sync) {
        let count: usize = all.iter().map(R::len).sum();
        if self.0 == 1 || count < min_rows {
            all.into_iter().for_each(work);
            return;
        }
        // One task per thread, each of which takes part after part: a task per part would wake a thread for each.
        let parts = parts(all, count.div_ceil(self.0 * PARTS_PER_THREAD).max(MIN_PART_ROWS));
        let threads = self.0.min(parts.len());
        let parts = Mutex::new(parts.into_iter());
        let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
        let work_on = || {
            while let Some(part) = next() {
                part.into_iter().for_each(&work);
            }
        };
        ComputeTaskPool::get().scope(|scope| {
            (1..threads).for_each(|_| scope.spawn(async { work_on() }));
            work_on();
        });
    }

    /// Runs two closures that work on `rows` rows: in parallel if there are enough rows, else one after the other.
    /// The result must not depend on which runs first.
    pub(crate) fn both(self, rows: usize, one: impl FnOnce() + Send, other: impl FnOnce()) {
        if !self.is_worth_dividing(rows) {
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

/// Divides the rows of all tables into parts of `size` rows; the last part may have fewer. A part may consist of rows
/// of several tables.
fn parts<R: Rows>(all: Vec<R>, size: usize) -> Vec<Vec<R>> {
    let (mut parts, mut part, mut missing) = (Vec::new(), Vec::new(), size);
    for mut rows in all {
        while rows.len() >= missing {
            let (last, rest) = rows.split_at(missing);
            part.push(last);
            parts.push(core::mem::take(&mut part));
            (rows, missing) = (rest, size);
        }
        missing -= rows.len();
        part.push(rows);
    }
    parts.push(part);
    parts
}

#[cfg(test)]
mod tests {
    use core::ops::Range;

    use bevy::tasks::TaskPoolBuilder;

    use super::*;

    fn threads(most: u32) -> Threads {
        ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(3).build());
        Threads::of(&NavSettings { threads: Some(most), ..NavSettings::default() })
    }

    #[test]
    fn every_row_is_worked_on_once_with_any_number_of_threads() {
        let tables = [0..3, 3..9000, 9000..9000, 9000..9001, 9001..30_000];
        for most in [1, 2, 3] {
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
    fn threads_are_limited_by_the_pool_and_by_the_settings() {
        let all =
            1 + ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(3).build()).thread_num();
        assert_eq!([0, 1, 2, 99].map(threads), [1, 1, 2, all].map(Threads));
        assert!(!threads(1).is_worth_dividing(100_000), "one thread does all");
        assert!(!threads(2).is_worth_dividing(100), "few rows are not worth dividing");
    }
}
