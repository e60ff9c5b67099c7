//! Latencies: how many ticks requests take from being made to being answered.

use std::collections::VecDeque;

use bevy::prelude::*;

/// How many of the latest requests are remembered.
const WINDOW: usize = 1000;
/// Greater latencies count as this one. Unit: ticks.
const MAX_LATENCY: usize = 1023;

/// The latencies of the latest requests, as a window with a histogram.
#[derive(Resource)]
pub(super) struct Latencies {
    latest: VecDeque<u16>,
    /// For each number of ticks, how many of the latest requests took as long.
    counts: Vec<u16>,
}

impl Default for Latencies {
    fn default() -> Self {
        Self { latest: VecDeque::with_capacity(WINDOW), counts: vec![0; MAX_LATENCY + 1] }
    }
}

impl Latencies {
    /// Notes the latency of a request; 0 if it was answered in the tick in which it was made.
    pub(super) fn note(&mut self, ticks: u64) {
        let ticks = ticks.min(MAX_LATENCY as u64) as u16;
        if self.latest.len() == WINDOW
            && let Some(oldest) = self.latest.pop_front()
        {
            self.counts[usize::from(oldest)] -= 1;
        }
        self.latest.push_back(ticks);
        self.counts[usize::from(ticks)] += 1;
    }

    /// The least number of ticks within which this fraction of the latest requests was answered; 0 if there are none.
    pub(super) fn quantile(&self, fraction: f64) -> u32 {
        let wanted = (self.latest.len() as f64 * fraction).ceil() as usize;
        let mut counted = 0;
        let within = self.counts.iter().position(|&count| {
            counted += usize::from(count);
            counted >= wanted
        });
        within.unwrap_or(MAX_LATENCY) as u32
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
        assert_eq!(
            latencies.quantile(1.0),
            MAX_LATENCY as u32,
            "greater latencies count as the greatest one"
        );
    }
}
