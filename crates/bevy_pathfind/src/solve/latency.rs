//! Latencies: how many ticks requests take from being made to being answered.

use std::collections::VecDeque;

use bevy::prelude::*;

/// How many of the latest requests are remembered.
const WINDOW: usize = 1000;

/// The latencies of the latest requests, in ticks.
#[derive(Resource, Default)]
pub(super) struct Latencies(VecDeque<u32>);

impl Latencies {
    /// Notes the latency of a request; 0 if it was answered in the tick in which it was made.
    pub(super) fn note(&mut self, ticks: u64) {
        if self.0.len() == WINDOW {
            self.0.pop_front();
        }
        self.0.push_back(u32::try_from(ticks).unwrap_or(u32::MAX));
    }

    /// The least number of ticks within which this fraction of the latest requests was answered; 0 if there are none.
    pub(super) fn quantile(&self, fraction: f64) -> u32 {
        let mut ticks: Vec<u32> = self.0.iter().copied().collect();
        let wanted = (ticks.len() as f64 * fraction).ceil() as usize;
        wanted.checked_sub(1).map_or(0, |last| *ticks.select_nth_unstable(last).1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_latest_requests() {
        let mut latencies = Latencies::default();
        assert_eq!(latencies.quantile(0.99), 0, "0 without any request");
        (0..100).for_each(|ticks| latencies.note(ticks));
        assert_eq!((latencies.quantile(0.5), latencies.quantile(0.99)), (49, 98));
        (0..WINDOW).for_each(|_| latencies.note(7));
        assert_eq!(
            (latencies.quantile(0.01), latencies.quantile(1.0)),
            (7, 7),
            "only the latest requests count"
        );
        latencies.note(u64::MAX);
        assert_eq!(latencies.quantile(1.0), u32::MAX, "greater latencies count as the greatest one");
    }
}
