//! The nearest few discs that can be met within the horizon.

use std::ops::Range;

use super::NOBODY;
use super::decide::Decider;
use super::discs::Discs;
use super::linear_program::MAX_LINES;
use crate::simd::{LANE, LANES, SimdF32x8, Table};

/// How many discs may be collected beyond the limit before the farthest are dropped. Measured at 8, 16 and 24, in a
/// crowd of 10,000: 1.03, 1.00 and 1.05 of the time.
const SPARE: usize = 16;

/// Length of the arrays: the most discs before a batch of eight, and that batch.
const CAPACITY: usize = MAX_LINES + SPARE + LANES;

/// The nearest discs that matter to one body, in no particular order. The selection does not depend on the order
/// of the candidates: of equally far ones those with the least ids are kept.
pub(super) struct NearestDiscs {
    slots: [u32; CAPACITY],
    squares: [f32; CAPACITY],
    len: usize,
    limit: usize,
    /// Square of the distance up to which discs count.
    range_squared: f32,
    /// After equally far discs at the distance `within` have been dropped by id: the largest id of those kept.
    last_tied: u64,
    ignored: Option<u64>,
    /// The id of the body itself, which ignores its followers.
    own: u64,
}

/// The value of `last_tied` while no disc is dropped by its id.
const NO_TIE: u64 = u64::MAX;

impl NearestDiscs {
    /// An empty list that keeps at most `limit`.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            slots: [0; CAPACITY],
            squares: [0.0; CAPACITY],
            len: 0,
            limit: limit.min(MAX_LINES),
            range_squared: 0.0,
            last_tied: NO_TIE,
            ignored: None,
            own: NOBODY,
        }
    }

    /// Empties the list, for the body `own` that sees as far as `range` and ignores the disc with the id `ignored`.
    #[inline(always)]
    pub(super) fn begin(&mut self, range: f32, own: u64, ignored: Option<u64>) {
        (self.len, self.range_squared, self.own, self.ignored) = (0, range * range, own, ignored);
        self.last_tied = NO_TIE;
    }

    /// Adds the discs at a range of slots, except slot `skip`, that are at the same height (within both radii),
    /// within the range, and can be met within the horizon.
    #[inline(always)]
    pub(super) fn note<L: SimdF32x8>(
        &mut self,
        own: &Decider,
        horizon: f32,
        (discs, table): (&Discs, &Table<'_, 5>),
        range: Range<usize>,
        skip: usize,
    ) {
        let disc = &own.disc;
        let (x, y) = (L::splat(disc.at.x), L::splat(disc.at.y));
        let (height, radius) = (L::splat(disc.height), L::splat(disc.radius));
        let (speed, horizon) = (L::splat(own.preference.max_speed), L::splat(horizon));
        let mut at = range.start;
        while at < range.end {
            let window = table.window(at);
            let gap = [window.lanes::<L>(Discs::X).sub(x), window.lanes::<L>(Discs::Y).sub(y)];
            let squares = gap[0].mul(gap[0]).add(gap[1].mul(gap[1]));
            let other_height = window.lanes::<L>(Discs::HEIGHT);
            let rise = other_height.sub(height).max(height.sub(other_height));
            let touch = window.lanes::<L>(Discs::RADIUS).add(radius);
            let is_level = touch.is_more(rise).or(touch.is_same(rise));
            let met = window.lanes::<L>(Discs::TOP_SPEED).add(speed).mul(horizon).add(touch);
            let is_met = met.mul(met).is_more(squares);
            let is_near = is_met.and(is_level).and_not(squares.is_more(L::splat(self.range_squared)));

            let is_other = !(1_u32 << skip.wrapping_sub(at).min(31));
            let is_in_range = 0xff_u32 >> (LANES - (range.end - at).min(LANES));
            let mut which = is_near.bits() & is_other & is_in_range;
            if self.last_tied != NO_TIE {
                which = self.without_late_ties(discs, at as u32, which, &squares.to_array());
            }
            self.take(at as u32, which, squares);
            if self.len >= self.limit + SPARE {
                self.drop_farthest::<L>(discs);
            }
            at += LANES;
        }
    }

    /// Of the lanes set in `which`, those that [`drop_ties`](Self::drop_ties) would not drop at once. Where very
    /// many are at one position, it would drop nearly all.
    #[cold]
    fn without_late_ties(&self, discs: &Discs, first: u32, which: u32, squares: &[f32; LANES]) -> u32 {
        (0..LANES).filter(|lane| which >> lane & 1 != 0).fold(which, |which, lane| {
            let is_late =
                squares[lane] == self.range_squared && discs.id(first + lane as u32) >= self.last_tied;
            which & !(u32::from(is_late) << lane)
        })
    }

    /// Adds the slots `first + lane` for the lanes set in `which`.
    #[inline(always)]
    fn take<L: SimdF32x8>(&mut self, first: u32, which: u32, squares: L) {
        // The trait has only integer subtraction, so subtract `-first`.
        let below = L::splat(f32::from_bits(first.wrapping_neg()));
        let slots = L::load(&LANE).round_i32().sub_whole(below);
        self.set(self.len, slots.compress(which), squares.compress(which));
        self.len += which.count_ones() as usize;
    }

    /// Writes eight slots (integers) and squares from `place` on.
    #[inline(always)]
    fn set<L: SimdF32x8>(&mut self, place: usize, slots: L, squares: L) {
        self.slots[place..][..LANES].copy_from_slice(&slots.to_array().map(f32::to_bits));
        self.squares[place..][..LANES].copy_from_slice(&squares.to_array());
    }

    /// Reduces the list to the nearest, without the ignored.
    #[inline(always)]
    pub(super) fn end<L: SimdF32x8>(&mut self, discs: &Discs) {
        self.drop_ignored(discs);
        if self.len > self.limit {
            self.drop_farthest::<L>(discs);
        }
    }

    /// The slots, eight at a time, and how many of the eight count; the rest belong to other discs and are
    /// ignored.
    #[inline(always)]
    pub(super) fn slots(&self) -> impl Iterator<Item = (usize, &[u32; LANES])> {
        let eights = self.slots.as_chunks().0.iter().enumerate();
        eights
            .map(|(chunk, slots)| (self.len.saturating_sub(chunk * LANES), slots))
            .take_while(|eight| eight.0 > 0)
    }

    /// Keeps the discs to which fewer than `limit` others are nearer, and drops ties beyond the limit by id.
    #[inline(always)]
    fn drop_farthest<L: SimdF32x8>(&mut self, discs: &Discs) {
        self.drop_ignored(discs);
        let (one, limit) = (L::splat(1.0), L::splat(self.limit as f32));
        let mut kept = 0_u64;
        for (chunk, squares) in
            self.squares[..self.len.next_multiple_of(LANES)].as_chunks().0.iter().enumerate()
        {
            let (squares, mut nearer) = (L::load(squares), L::splat(0.0));
            for &other in &self.squares[..self.len] {
                nearer = nearer.add(one.and(squares.is_more(L::splat(other))));
            }
            kept |= u64::from(limit.is_more(nearer).bits()) << (chunk * LANES);
        }
        kept &= (1 << self.len) - 1;
        let (chunks, mut farthest) = (self.len.div_ceil(LANES), L::splat(0.0));
        self.len = 0;
        for chunk in 0..chunks {
            let which = (kept >> (chunk * LANES)) as u32 & 0xff;
            let (slots, squares) = (self.slots.as_chunks().0[chunk], self.squares.as_chunks().0[chunk]);
            let (slots, squares) = (L::load(&slots.map(f32::from_bits)), L::load(&squares).compress(which));
            // In place: the entries read later lie beyond those written.
            self.set(self.len, slots.compress(which), squares);
            let count = which.count_ones() as usize;
            farthest = farthest.max(squares.and(L::first(count)));
            self.len += count;
        }
        self.range_squared = farthest.reduce_max();
        self.last_tied = NO_TIE;
        if self.len > self.limit {
            self.drop_ties(discs);
        }
    }

    #[inline(always)]
    fn drop_ignored(&mut self, discs: &Discs) {
        if let Some(ignored) = self.ignored
            && let Some(place) = (0..self.len).find(|&place| discs.id(self.slots[place]) == ignored)
        {
            self.drop(place);
        }
        if discs.has_leaders() {
            for place in (0..self.len).rev() {
                if discs.follows(self.slots[place], self.own) {
                    self.drop(place);
                }
            }
        }
    }

    fn drop(&mut self, place: usize) {
        self.len -= 1;
        self.slots.swap(place, self.len);
        self.squares.swap(place, self.len);
    }

    /// Of the equally far discs drops those with the largest ids.
    #[cold]
    fn drop_ties(&mut self, discs: &Discs) {
        loop {
            let tied = (0..self.len).filter(|&place| self.squares[place] == self.range_squared);
            let Some(last) = tied.max_by_key(|&place| discs.id(self.slots[place])) else { return };
            if self.len <= self.limit {
                self.last_tied = discs.id(self.slots[last]);
                return;
            }
            self.drop(last);
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::{Vec2, Vec3};

    use super::*;
    use crate::simd::EightLanes;
    use crate::steer::reciprocal::AgentPreference;
    use crate::steer::reciprocal::decide::PlanarPreference;
    use crate::steer::reciprocal::disc::Disc;
    use crate::steer::{CounterRng, MovementPlane};

    const HORIZON: f32 = 2.0;

    /// The ids that the first disc keeps of all others, which it is given `part` slots at a time.
    fn noted(all: &[Disc], limit: usize, range: f32, ignored: Option<u64>, part: usize) -> Vec<u64> {
        let preference = PlanarPreference::of(&MovementPlane::XY, &AgentPreference::new(0, Vec3::X, 1.0));
        let own = Decider::of(all[0], &preference).unwrap();
        let (mut discs, mut nearest) = (Discs::default(), NearestDiscs::new(limit));
        discs.fill(all.iter().copied());
        nearest.begin(range, all[0].id, ignored);
        for start in (0..all.len()).step_by(part) {
            let slots = start..all.len().min(start + part);
            nearest.note::<EightLanes>(&own, HORIZON, (&discs, &discs.table()), slots, 0);
        }
        nearest.end::<EightLanes>(&discs);
        let slots = nearest.slots().flat_map(|(count, slots)| slots.iter().take(count));
        let mut ids: Vec<u64> = slots.map(|&slot| discs.id(slot)).collect();
        ids.sort_unstable();
        ids
    }

    fn disc(at: (f32, f32), id: u64) -> Disc {
        Disc::new(at.into(), Vec2::ZERO, 0.5, id)
    }

    #[test]
    fn it_keeps_the_nearest_whatever_comes_first() {
        let mut rng = CounterRng::new(5, 0, 0);
        // Integer coordinates, so that many are equally far; and many at one position.
        let mut place = |id: u64| if id.is_multiple_of(3) { 0.0 } else { (rng.signed() * 3.0).round() };
        let mut discs: Vec<Disc> = (0..200).map(|id| disc((place(id), place(id)), id)).collect();
        for limit in [1, 5, 10, 32] {
            let mut all: Vec<_> = discs[1..]
                .iter()
                .map(|other| (other.at.distance_squared(discs[0].at), other.id))
                .filter(|&(squared, id)| squared <= 2.5 * 2.5 && id != 7)
                .collect();
            all.sort_by(|one, other| one.partial_cmp(other).unwrap());
            let mut ids: Vec<u64> = all.iter().take(limit).map(|other| other.1).collect();
            ids.sort_unstable();
            for part in [1, 7, 8, 50, 200] {
                assert_eq!(noted(&discs, limit, 2.5, Some(7), part), ids, "{limit} of them, by {part}");
                discs[1..].reverse();
            }
        }
    }

    #[test]
    fn discs_on_other_floors_or_too_far_to_be_met_do_not_count() {
        let beside = Disc { height: 0.9, ..disc((3.0, 4.0), 1) };
        assert!(
            noted(&[disc((0.0, 0.0), 0), beside], 4, 5.0, None, 8).is_empty(),
            "they cannot meet in time"
        );
        let fast = Disc { top_speed: 2.0, ..beside };
        assert_eq!(noted(&[disc((0.0, 0.0), 0), fast], 4, 5.0, None, 8), [1]);
        assert!(noted(&[disc((0.0, 0.0), 0), fast], 4, 4.9, None, 8).is_empty(), "it is out of sight");
        assert!(noted(&[disc((0.0, 0.0), 0), fast], 4, 5.0, Some(1), 8).is_empty(), "it is not avoided");
        let above = Disc { height: 3.0, ..fast };
        assert!(noted(&[disc((0.0, 0.0), 0), above], 4, 5.0, None, 8).is_empty(), "it is on the floor above");
        let nowhere = [disc((0.0, 0.0), 0), Disc::NOWHERE];
        assert!(noted(&nowhere, 4, f32::MAX, None, 8).is_empty(), "a disc that is left out is not near");
    }
}
