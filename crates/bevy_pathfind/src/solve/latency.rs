//! How many ticks requests take from being opened to being answered.

use std::collections::VecDeque;

use bevy::prelude::*;

/// How many of the latest requests are remembered.
const WINDOW: usize = 1000;
/// Longer ones count as this long. Unit: ticks.
const LONGEST: usize = 1023;

/// The latencies of the latest requests, ready to be asked for quantiles.
#[derive(Resource)]
pub(super) struct Latencies {
    latest: VecDeque<u16>,
    /// How many of those took so many ticks.
    counts: Vec<u16>,
}

impl Default for Latencies {
    fn default() -> Self {
        Self { latest: VecDeque::with_capacity(WINDOW), counts: vec![0; LONGEST + 1] }
    }
}

impl Latencies {
    /// Notes that a request took so many ticks; 0 if it was answered in its own.
    pub(super) fn note(&mut self, ticks: u64) {
        let ticks = ticks.min(LONGEST as u64) as u16;
        if self.latest.len() == WINDOW
            && let Some(oldest) = self.latest.pop_front()
        {
            self.counts[usize::from(oldest)] -= 1;
        }
        self.latest.push_back(ticks);
        self.counts[usize::from(ticks)] += 1;
    }

    /// The least number of ticks within which such a part of the requests was answered; 0 without any.
    pub(super) fn quantile(&self, part: f64) -> u32 {
        let wanted = (self.latest.len() as f64 * part).ceil() as usize;
        let mut counted = 0;
        let within = self.counts.iter().position(|&count| {
            counted += usize::from(count);
            counted >= wanted
        });
        within.unwrap_or(LONGEST) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_latest_requests() {
        let mut latencies = Latencies::default();
        assert_eq!(latencies.quantile(0.99), 0, "nothing has been slow yet");
        (0..100).for_each(|ticks| latencies.note(ticks));
        assert_eq!((latencies.quantile(0.5), latencies.quantile(0.99)), (49, 98));
        (0..WINDOW).for_each(|_| latencies.note(7));
        assert_eq!((latencies.quantile(0.01), latencies.quantile(1.0)), (7, 7), "the old are forgotten");
        latencies.note(u64::MAX);
        assert_eq!(latencies.quantile(1.0), LONGEST as u32, "what takes for ever is counted as long");
    }
}
