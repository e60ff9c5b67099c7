//! Who takes which place: the assignment with the least sum of squared ways.
//!
//! In such an assignment no two ways cross: exchanging the ends of two that cross makes the sum less.

use glam::Vec2;

/// Up to this number the assignment is optimal.
pub const MAX_EXACT: usize = 200;
/// The greatest number that is assigned at once beyond that.
const PART: usize = 160;
/// How often the ground is cut into strips after that, in each of [`CUTS`].
const ROUNDS: usize = 3;
/// The directions in which strips follow one another.
const CUTS: [Vec2; 4] = [Vec2::X, Vec2::Y, Vec2::ONE, Vec2::new(1.0, -1.0)];

/// For each body the index of its place, so that the sum of squared distances is the least: exactly for up to
/// [`MAX_EXACT`] bodies. More are divided into halves along the longer side of the places until the parts are small,
/// each part is assigned exactly, and then each strip of the ground is assigned anew, in several directions: in tests
/// the sum is at most 5 % above the least, without what all assignments have in common.
///
/// There have to be as many places as bodies: what exceeds the shorter list is left out. Takes time in proportion to
/// the
/// cube of the number, and beyond [`MAX_EXACT`] to the number. (H. W. Kuhn, "The Hungarian Method for the Assignment
/// Problem", 1955; with the shortest augmenting paths of R. Jonker and A. Volgenant, 1987.)
#[must_use]
pub fn assign(bodies: &[Vec2], places: &[Vec2]) -> Vec<usize> {
    let count = bodies.len().min(places.len());
    let mut taken = vec![0; count];
    let [mut of_bodies, mut of_places]: [Vec<usize>; 2] = core::array::from_fn(|_| (0..count).collect());
    assign_part((bodies, places), (&mut of_bodies, &mut of_places), &mut taken);
    if count > MAX_EXACT {
        (0..ROUNDS).for_each(|round| improve(bodies, places, &mut taken, round % 2 * PART / 2));
    }
    taken
}

fn cost(body: Vec2, place: Vec2) -> f64 {
    let squared = f64::from(body.distance_squared(place));
    if squared.is_finite() { squared } else { f64::from(f32::MAX) }
}

/// Assigns some bodies to as many places.
fn assign_part(
    (bodies, places): (&[Vec2], &[Vec2]),
    (some, targets): (&mut [usize], &mut [usize]),
    taken: &mut [usize],
) {
    let count = some.len();
    if count <= if taken.len() <= MAX_EXACT { MAX_EXACT } else { PART } {
        return assign_exactly((bodies, places), (some, targets), taken);
    }
    let first = places[targets[0]];
    let (low, high) =
        targets.iter().fold((first, first), |(low, high), &it| (low.min(places[it]), high.max(places[it])));
    let axis = usize::from((high - low).y > (high - low).x);
    some.sort_by(|&a, &b| bodies[a][axis].total_cmp(&bodies[b][axis]).then(a.cmp(&b)));
    targets.sort_by(|&a, &b| places[a][axis].total_cmp(&places[b][axis]).then(a.cmp(&b)));
    let (some, others) = some.split_at_mut(count / 2);
    let (targets, other_targets) = targets.split_at_mut(count / 2);
    assign_part((bodies, places), (some, targets), taken);
    assign_part((bodies, places), (others, other_targets), taken);
}

/// Assigns some bodies to as many places, with the least sum.
fn assign_exactly(
    (bodies, places): (&[Vec2], &[Vec2]),
    (some, targets): (&[usize], &[usize]),
    taken: &mut [usize],
) {
    let costs = |row: usize, column: usize| cost(bodies[some[row]], places[targets[column]]);
    for (row, column) in hungarian(some.len(), costs).into_iter().enumerate() {
        taken[some[row]] = targets[column];
    }
}

/// Assigns the bodies whose places lie in one strip of the ground anew, strip by strip, the first of them narrower by
/// `shift` bodies.
fn improve(bodies: &[Vec2], places: &[Vec2], taken: &mut [usize], shift: usize) {
    let mut order: Vec<usize> = (0..taken.len()).collect();
    for across in CUTS {
        let along = |body: usize| (places[taken[body]] + bodies[body]).dot(across);
        order.sort_by(|&a, &b| along(a).total_cmp(&along(b)).then(a.cmp(&b)));
        let (first, others) = order.split_at(PART - shift);
        for strip in core::iter::once(first).chain(others.chunks(PART)) {
            let targets: Vec<_> = strip.iter().map(|&body| taken[body]).collect();
            assign_exactly((bodies, places), (strip, &targets), taken);
        }
    }
}

/// The column of each row of a square table, so that the sum of the costs is the least.
///
/// Rows are added one by one: each by a shortest path, over reduced costs, from the row to a free column. Rows and
/// columns count from 1 inside; 0 is the column at which each path begins.
fn hungarian(count: usize, costs: impl Fn(usize, usize) -> f64) -> Vec<usize> {
    let (mut of_rows, mut of_columns) = (vec![0.0; count + 1], vec![0.0; count + 1]);
    let (mut row_of, mut came_from) = (vec![0; count + 1], vec![0; count + 1]);
    let (mut shortest, mut is_done) = (vec![0.0; count + 1], vec![false; count + 1]);
    for row in 1..=count {
        row_of[0] = row;
        shortest.fill(f64::INFINITY);
        is_done.fill(false);
        let mut column = 0;
        while row_of[column] != 0 {
            is_done[column] = true;
            let (from, mut step, mut next) = (row_of[column], f64::INFINITY, 0);
            for other in (1..=count).filter(|&other| !is_done[other]) {
                let reduced = costs(from - 1, other - 1) - of_rows[from] - of_columns[other];
                if reduced < shortest[other] {
                    (shortest[other], came_from[other]) = (reduced, column);
                }
                if shortest[other] < step {
                    (step, next) = (shortest[other], other);
                }
            }
            for other in 0..=count {
                if is_done[other] {
                    of_rows[row_of[other]] += step;
                    of_columns[other] -= step;
                } else {
                    shortest[other] -= step;
                }
            }
            column = next;
        }
        while column != 0 {
            row_of[column] = row_of[came_from[column]];
            column = came_from[column];
        }
    }
    let mut columns = vec![0; count];
    (1..=count).for_each(|column| columns[row_of[column] - 1] = column - 1);
    columns
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::CounterRng;

    fn points(count: usize, seed: u64) -> Vec<Vec2> {
        let mut rng = CounterRng::new(seed, count as u64, 0);
        (0..count).map(|_| Vec2::new(rng.signed(), rng.signed()) * 10.0).collect()
    }

    fn sum(bodies: &[Vec2], places: &[Vec2], taken: &[usize]) -> f64 {
        bodies.iter().zip(taken).map(|(&body, &place)| cost(body, places[place])).sum()
    }

    /// The least sum, by trying all assignments.
    fn least(bodies: &[Vec2], places: &[Vec2]) -> f64 {
        let Some((&first, rest)) = bodies.split_first() else { return 0.0 };
        let with = |taken: usize| {
            let others: Vec<_> = (0..places.len()).filter(|&it| it != taken).map(|it| places[it]).collect();
            cost(first, places[taken]) + least(rest, &others)
        };
        (0..places.len()).map(with).fold(f64::INFINITY, f64::min)
    }

    fn is_permutation(taken: &[usize]) -> bool {
        let mut sorted = taken.to_vec();
        sorted.sort_unstable();
        sorted.into_iter().eq(0..taken.len())
    }

    #[test]
    fn no_assignment_has_a_lesser_sum() {
        for seed in 0..3000 {
            let count = seed as usize % 8;
            let (bodies, places) = (points(count, seed), points(count, !seed));
            let taken = assign(&bodies, &places);
            let (found, least) = (sum(&bodies, &places, &taken), least(&bodies, &places));
            assert!(is_permutation(&taken) && found <= least + 1e-6, "seed {seed}: {found} for {least}");
        }
    }

    #[test]
    fn equal_and_infinite_points_are_assigned_too() {
        let strange = [Vec2::ZERO, Vec2::ZERO, Vec2::NAN, Vec2::INFINITY, Vec2::ZERO];
        for count in [5, 300] {
            let bodies: Vec<_> = strange.into_iter().cycle().take(count).collect();
            assert!(is_permutation(&assign(&bodies, &points(count, 1))), "{count}");
            assert!(is_permutation(&assign(&bodies, &bodies)), "{count}");
        }
        assert_eq!(assign(&points(3, 1), &points(2, 1)).len(), 2, "what exceeds is left out");
    }

    #[test]
    fn beyond_the_exact_number_the_sum_is_near_the_least() {
        let mut worst = 1.0_f64;
        for (seed, count) in [(1, 240), (2, 400), (3, 600), (4, 600)] {
            let bodies = points(count, seed);
            // Far away, turned, and a grid as formations are.
            let side = (count as f32).sqrt().ceil() as usize;
            let grid = |index: usize| Vec2::new((index % side) as f32, (index / side) as f32);
            let places: Vec<_> = match seed {
                4 => (0..count).map(|index| grid(index) + Vec2::splat(30.0)).collect(),
                _ => points(count, !seed),
            };
            let taken = assign(&bodies, &places);
            assert!(is_permutation(&taken));
            let exact = hungarian(count, |row, column| cost(bodies[row], places[column]));
            // How far the middles are apart is the same for all assignments: it would hide the gap.
            let middle = |points: &[Vec2]| points.iter().sum::<Vec2>() / count as f32;
            let shift = f64::from(middle(&bodies).distance_squared(middle(&places))) * count as f64;
            let [found, least] = [&taken, &exact].map(|taken| sum(&bodies, &places, taken) - shift);
            println!("{count}: {:.4}", found / least);
            worst = worst.max(found / least);
        }
        assert!(worst < 1.05, "{worst} times the least sum");
    }
}
