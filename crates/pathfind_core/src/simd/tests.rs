use proptest::prelude::*;

use super::*;

/// The bits of a number; those of a NaN are unspecified.
fn bits(value: f32) -> u32 {
    if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() }
}

/// The batch that returns the results of all operations on any number of lanes, as bits: eight for each operation.
struct Given<'a>(&'a [f32; LANES], &'a [f32; LANES]);

impl Batch for Given<'_> {
    type Output = Vec<[u32; LANES]>;

    #[inline(always)]
    fn run<L: SimdF32>(self) -> Self::Output {
        let mut results = Vec::new();
        for first in (0..LANES).step_by(L::WIDTH) {
            // `L::WIDTH` values, from `first` on.
            let part = |row: &[f32; LANES]| std::array::from_fn(|lane| row[(first + lane) % LANES]);
            let (a, b) = (L::load(&part(self.0)), L::load(&part(self.1)));
            let masks = [a.is_more(b), a.is_same(b)];
            let plain = [a.add(b), a.sub(b), a.mul(b), a.div(b), a.mul(a).sqrt(), a.max(b), a.min(b)];
            let whole = [a, b].map(|row| row.max(L::splat(-2e9)).min(L::splat(2e9)).round_i32());
            let whole = [whole[0], whole[0].sub_whole(whole[1])];
            let masked = masks.into_iter().flat_map(|mask| {
                [a.and(mask), a.and_not(mask), b.and(mask.or(masks[0])), mask.select(a, b), a.sub_whole(mask)]
            });
            for mask in masks {
                let is_set = |value: &f32| value.to_bits() != 0;
                assert_eq!(mask.is_any(), mask.to_array().iter().any(is_set), "some lane is set");
                let set =
                    mask.to_array().iter().rev().fold(0, |bits, lane| bits << 1 | u32::from(is_set(lane)));
                assert_eq!(mask.bits(), set, "lane by lane");
            }
            // No NaN: lanes that are not above -1 become 0.
            let some = a.and(a.is_more(L::splat(-1.0)));
            let most = some.to_array()[..L::WIDTH].iter().copied().fold(f32::NEG_INFINITY, f32::max);
            assert_eq!(some.reduce_max(), most, "the largest of all lanes");
            for (at, lanes) in
                plain.into_iter().chain([L::splat(self.0[0])]).chain(whole).chain(masked).enumerate()
            {
                results.resize(results.len().max(at + 1), [0; LANES]);
                let values = lanes.to_array().map(bits);
                results[at][first..first + L::WIDTH].copy_from_slice(&values[..L::WIDTH]);
            }
        }
        results
    }
}

proptest! {
    #[test]
    fn every_instruction_set_computes_the_same(
        a in any::<[f32; LANES]>(), b in any::<[f32; LANES]>(), same in 0..LANES,
    ) {
        let mut b = b;
        b[same] = a[same];
        let given = Simd::Scalar.batch(Given(&a, &b));
        for simd in Simd::ALL {
            prop_assert_eq!(&simd.batch(Given(&a, &b)), &given, "{:?}", simd);
        }
    }
}

#[test]
#[should_panic(expected = "within the columns")]
fn a_table_is_not_read_beyond_its_end() {
    struct Beyond<'a>(Table<'a, 1>);
    impl Pass for Beyond<'_> {
        type Output = f32;

        #[inline(always)]
        fn run<L: SimdF32x8>(self) -> f32 {
            self.0.window(3).lanes::<L>(0).to_array()[0]
        }
    }
    Simd::widest().run(Beyond(Table::new([&[1.0; 10]])));
}

#[test]
fn chosen_lanes_move_to_the_front_in_their_order() {
    struct Packed(u32);
    impl Pass for Packed {
        type Output = [f32; LANES];

        #[inline(always)]
        fn run<L: SimdF32x8>(self) -> [f32; LANES] {
            L::load(&LANE).compress(self.0).and(L::first(self.0.count_ones() as usize)).to_array()
        }
    }
    for simd in Simd::ALL {
        for which in 0..1 << LANES {
            let mut chosen = (0..LANES).filter(|lane| which >> lane & 1 != 0).map(|lane| LANE[lane]);
            let expected: [f32; LANES] = std::array::from_fn(|_| chosen.next().unwrap_or(0.0));
            assert_eq!(simd.run(Packed(which)), expected, "{simd:?}, of {which:#b}");
        }
    }
}
