//! Work on arrays, divided among the threads of Bevy's compute pool where that pays.

use core::ops::Range;

use bevy::tasks::ComputeTaskPool;

/// Fewer places than this are not worth another thread.
const LEAST: usize = 2048;

/// How many of so many places make a part; all of them, where dividing does not pay.
pub(super) fn part_of(places: usize) -> usize {
    let threads = ComputeTaskPool::try_get().map_or(1, |pool| pool.thread_num());
    if threads < 2 || places < 2 * LEAST {
        return places.max(1);
    }
    // More parts than threads, so that a slow part does not keep all waiting.
    places.div_ceil(threads * 4).max(LEAST)
}

/// Fills `out`, part by part: `work` is given the places of a part and their values. What it writes must not
/// depend on the division.
pub(super) fn in_parts<T: Send>(out: &mut [T], work: impl Fn(Range<usize>, &mut [T]) + Sync) {
    let size = part_of(out.len());
    if size >= out.len() {
        work(0..out.len(), out);
        return;
    }
    let work = &work;
    ComputeTaskPool::get().scope(|scope| {
        for (number, part) in out.chunks_mut(size).enumerate() {
            let start = number * size;
            scope.spawn(async move { work(start..start + part.len(), part) });
        }
    });
}
