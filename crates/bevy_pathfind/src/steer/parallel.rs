//! Work on arrays, divided among the threads of Bevy's compute pool where that pays.

use core::ops::Range;

use bevy::tasks::ComputeTaskPool;

/// Fewer places than this are not worth another thread.
const LEAST: usize = 2048;

/// Fills `out`, part by part: `work` is given the places of a part and their values. What it writes must not
/// depend on the division.
pub(super) fn in_parts<T: Send>(out: &mut [T], work: impl Fn(Range<usize>, &mut [T]) + Sync) {
    let threads = ComputeTaskPool::try_get().map_or(1, |pool| pool.thread_num());
    if threads < 2 || out.len() < 2 * LEAST {
        work(0..out.len(), out);
        return;
    }
    // More parts than threads, so that a slow part does not keep all waiting.
    let size = out.len().div_ceil(threads * 4).max(LEAST);
    let work = &work;
    ComputeTaskPool::get().scope(|scope| {
        for (number, part) in out.chunks_mut(size).enumerate() {
            let start = number * size;
            scope.spawn(async move { work(start..start + part.len(), part) });
        }
    });
}
