//! Divides work on rows among the threads of Bevy's compute pool, if there are enough rows.

use std::sync::{Mutex, PoisonError};

use bevy::tasks::ComputeTaskPool;

use crate::rows::Rows;
use crate::settings::NavSettings;

/// The least number of rows that are worth another thread.
const LEAST: usize = 4096;
/// The least number of rows of a part.
const PART: usize = 512;
/// How many parts there are for each thread at most: more than one, so that a slow thread does not keep the others waiting.
const PARTS: usize = 8;

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

    /// Whether work on so many rows is worth another thread.
    const fn pays(self, rows: usize) -> bool {
        self.0 > 1 && rows >= LEAST
    }

    /// Runs `work` on all rows, in parts. The result of `work` must not depend on the division into parts.
    pub(crate) fn share<R: Rows>(self, all: Vec<R>, work: impl Fn(R) + Sync) {
        let count = all.iter().map(R::len).sum();
        if !self.pays(count) {
            all.into_iter().for_each(work);
            return;
        }
        // Each thread takes the next part when it has done one. Handing out a task per part would wake a thread for each.
        let parts = parts(all, count.div_ceil(self.0 * PARTS).max(PART));
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

    /// Runs two closures that concern `rows` rows: at once if there are enough rows, else one after the other.
    pub(crate) fn both(self, rows: usize, one: impl FnOnce() + Send, other: impl FnOnce()) {
        if !self.pays(rows) {
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

/// The rows of all tables in parts of `size` rows, each of which may consist of rows of several tables.
fn parts<R: Rows>(all: Vec<R>, size: usize) -> Vec<Vec<R>> {
    let (mut parts, mut part, mut room) = (Vec::new(), Vec::new(), size);
    for mut rows in all {
        while rows.len() >= room {
            let (last, rest) = rows.split_at(room);
            part.push(last);
            parts.push(core::mem::take(&mut part));
            (rows, room) = (rest, size);
        }
        room -= rows.len();
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
        assert!(!threads(1).pays(100_000), "one does all");
        assert!(!threads(2).pays(100), "few are not worth dividing");
    }
}
