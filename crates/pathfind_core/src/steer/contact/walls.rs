//! Steps that end outside of a grid's walls: discs keep their rim out, points their centre.

mod disc;
mod point;
mod touching;

use glam::Vec2;

use crate::grid::{AgentShape, CornerRule, Grid, KindId};
use crate::sight::Solid;

/// How much a disc may overlap a wall, in cells: too little to be seen, and enough to move where it just fits.
pub const OVERLAP: f32 = 1e-3;

/// Where a step from one point of grid space to another ends: it slides along the walls that it meets, and
/// stops in a corner.
///
/// An agent that is a [disc](AgentShape::disc) keeps its whole disc out of walls, up to [`OVERLAP`], and slides round
/// their corners. A disc that overlaps a wall, because it was built beside it, is pushed out as far as possible, and
/// counts as a smaller disc until it overlaps none. Its centre never enters or crosses a wall.
///
/// Any other agent keeps its centre out of the cells that it cannot enter. A step that a wall stops within a tenth
/// of a cell of the wall's corner goes on round the corner. Between two walls that meet only at a corner a point
/// passes under [`CornerRule::Always`] alone; a disc never does.
///
/// A [fence](Grid::set_fence) is a wall, from both sides. The centre crosses no cliff
/// ([`AgentKind::climb`](crate::AgentKind::climb)); the rim of a disc may hang over one.
///
/// A centre on the edge between a wall and a free cell counts as outside of the wall. A step that starts inside a
/// wall or outside of the grid is not changed. A step from or to a position that is not finite ends where it
/// starts.
#[must_use]
#[inline]
pub fn slide(grid: &Grid, shape: impl Into<AgentShape>, corners: CornerRule, from: Vec2, to: Vec2) -> Vec2 {
    let shape = shape.into();
    if is_certainly_free(grid, shape, from, to) {
        return to;
    }
    if !(from.is_finite() && to.is_finite()) {
        return from;
    }
    match shape.disc(grid, corners) {
        Some(radius) => slide_disc(grid, shape.kind, radius, from, to),
        None => point::slide(grid, shape.kind, corners, from, to),
    }
}

/// Whether [`slide`] leaves a step as it is, whatever the corner rule, because the centre stays within its cell, or
/// crosses an edge of it into a free cell, and no wall or fence is as near as the radius: a cheap test, true for most steps.
#[must_use]
#[inline]
pub fn is_certainly_free(grid: &Grid, shape: AgentShape, from: Vec2, to: Vec2) -> bool {
    point::is_certainly_free(grid, shape.kind, from, to) && {
        let reach = Vec2::splat(shape.disc(grid, CornerRule::Never).unwrap_or(0.0));
        let (low, high) = (from.min(to) - reach, from.max(to) + reach);
        reach == Vec2::ZERO || grid.is_open_all_over(shape.kind, low, high)
    }
}

/// The longest piece of a step of a disc among cliffs, in cells. Cliffs are looked for on the straight line between the
/// ends of a piece. In a long piece the disc's way round a wall could lead over a cliff that this line misses.
const PIECE: f32 = 0.25;

/// Where the step of a disc ends, at walls and cliffs.
fn slide_disc(grid: &Grid, kind: KindId, radius: f32, from: Vec2, to: Vec2) -> Vec2 {
    let Some(solid) = Solid::of(grid, kind) else { return to };
    if grid.cliffs(kind).is_none() {
        return disc::slide(solid, radius, from, to);
    }
    // The limit bounds the time: a step longer than twice both sides of the grid together is made in longer pieces.
    let most = 8.0 * (grid.width() + grid.height()) as f32;
    let pieces = (from.distance(to) / PIECE).ceil().clamp(1.0, most);
    let mut at = from;
    for piece in 0..pieces as u32 {
        let [begin, end] = [piece, piece + 1].map(|it| from.lerp(to, it as f32 / pieces));
        let next = slide_piece(grid, solid, (kind, radius), at, end + (at - begin));
        if next == at {
            break;
        }
        at = next;
    }
    at
}

/// Where a short step of a disc ends.
fn slide_piece(grid: &Grid, solid: Solid, (kind, radius): (KindId, f32), from: Vec2, to: Vec2) -> Vec2 {
    let end = disc::slide(solid, radius, from, to);
    let kept = |to: Vec2| point::stay_off_cliffs(grid, kind, from, to);
    let before_cliffs = kept(end);
    if before_cliffs == end {
        return end;
    }
    // Along the cliff a wall may stand.
    let beside_walls = disc::slide(solid, radius, from, before_cliffs);
    if kept(beside_walls) == beside_walls { beside_walls } else { from }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::steer::CounterRng;
    use crate::testing::{distance_to_wall, scattered};
    use crate::{AgentKind, AgentSize, Direction, GridCell, KindId, StepRules, Terrain};

    fn slide_on(map: &str, from: (f32, f32), to: (f32, f32)) -> Vec2 {
        let grid = Grid::from_ascii(map).unwrap();
        slide(&grid, KindId::default(), CornerRule::Never, from.into(), to.into())
    }

    #[test]
    fn a_certainly_free_step_is_left_alone_by_the_whole_walk() {
        let mut rng = CounterRng::new(5, 0, 0);
        let mut free = 0;
        for _ in 0..40 {
            let grid = scattered(&mut rng, 12, 9, 0.3);
            for _ in 0..200 {
                let from = Vec2::new(13.0 * rng.unit() - 0.5, 10.0 * rng.unit() - 0.5);
                let to = from + Vec2::new(rng.signed(), rng.signed());
                if !is_certainly_free(&grid, KindId::default().into(), from, to) {
                    continue;
                }
                free += usize::from(GridCell::containing(from) != GridCell::containing(to));
                for corners in [CornerRule::Never, CornerRule::OneFree, CornerRule::Always] {
                    let end = point::slide(&grid, KindId::default(), corners, from, to);
                    assert_eq!(end, to, "from {from}");
                }
            }
        }
        assert!(free > 1000, "{free} steps lead into another cell");
    }

    #[test]
    fn a_step_into_a_wall_slides_along_it() {
        let end = slide_on("....\n####", (0.5, 0.5), (2.5, 1.5));
        assert!((end.x - 2.5).abs() < 0.05, "the part along the wall is kept: {end}");
        assert!(end.y < 1.0 && end.y > 0.9, "the part into the wall is not: {end}");
    }

    #[test]
    fn a_point_does_not_stop_on_the_edge_of_a_wall() {
        for (from, to) in [
            ((0.5, 1.5), (1.0, 1.5)),
            ((2.5, 1.5), (2.0, 1.5)),
            ((1.5, 0.5), (1.5, 1.0)),
            ((1.5, 2.5), (1.5, 2.0)),
            ((0.5, 0.5), (0.5, 0.0)),
            ((2.0, 1.5), (2.0, 1.5)),
        ] {
            let end = slide_on("...\n.#.\n...", from, to);
            let off = end.distance(to.into());
            assert!(off > 0.0 && off < 0.01, "from {from:?} to {to:?} it stops just before the edge: {end}");
        }
    }

    #[test]
    fn a_body_that_was_walled_in_may_walk_out() {
        assert_eq!(slide_on("#..", (0.5, 0.5), (1.5, 0.5)), Vec2::new(1.5, 0.5));
    }

    /// Bodies that are pushed about for a long time stay in the pens that fences and walls make, and keep their radius.
    #[test]
    fn no_push_brings_a_body_over_a_fence() {
        let mut rng = CounterRng::new(41, 0, 0);
        let (mut moved, mut stopped) = (0.0, 0);
        for round in 0..240 {
            let (mut grid, share) = (scattered(&mut rng, 9, 8, 0.08), [0.2, 0.35, 0.5][round % 3]);
            for cell in grid.bounds().cells() {
                for direction in [Direction::E, Direction::S] {
                    if rng.unit() < share {
                        _ = grid.set_fence(cell, direction, true);
                    }
                }
            }
            let radius = [0.0, 0.2, 0.45, 0.5, 0.8][round % 5];
            let kind = if radius > 0.5 { disc_on(&mut grid, radius) } else { KindId::default() };
            let shape = AgentShape { kind, radius };
            let corners = if radius > 0.0 { CornerRule::Never } else { CornerRule::ALL[round / 5 % 3] };
            let steps = StepRules::eight(corners);
            let pen = |at: Vec2| grid.region(KindId::default(), steps, GridCell::containing(at));
            let homes: Vec<_> = grid.bounds().cells().filter(|&cell| grid.is_walkable(kind, cell)).collect();
            for _ in 0..if homes.is_empty() { 0 } else { 6 } {
                let mut at = homes[rng.below(homes.len() as u32) as usize].center();
                let home = pen(at);
                for push in 0..400 {
                    let length = [0.02, 0.3, 4.0][rng.below(3) as usize];
                    let to = at + Vec2::new(rng.signed(), rng.signed()) * length;
                    let end = slide(&grid, shape, corners, at, to);
                    assert_eq!(pen(end), home, "round {round}, push {push}: {at} to {to} ends at {end}");
                    let free = distance_to_wall(&grid, kind, end, radius);
                    assert!(free >= radius - 2.0 * OVERLAP, "round {round}, push {push}: {end}, {free}");
                    if is_certainly_free(&grid, shape, at, to) {
                        assert_eq!(end, to, "a short cut");
                    }
                    moved += end.distance(at);
                    stopped += u32::from(end != to);
                    at = end;
                }
            }
        }
        assert!(moved > 10_000.0 && stopped > 50_000, "{moved} cells, {stopped} stops");
    }

    /// As with fences: a long step round walls ends on no ground to which no way leads.
    #[test]
    fn no_push_brings_a_body_over_a_cliff() {
        let mut rng = CounterRng::new(43, 0, 0);
        let (mut moved, mut stopped) = (0.0, 0);
        for round in 0..240 {
            let grid = scattered(&mut rng, 9, 8, [0.08, 0.25][round / 4 % 2]);
            let high = [0.2, 0.4][round / 8 % 2];
            let mut grid = grid.with_elevation(|_| if rng.unit() < high { 3.0 } else { 0.0 }).unwrap();
            let radius = [0.2, 0.45, 0.5, 0.8][round % 4];
            let kind = if radius > 0.5 { disc_on(&mut grid, radius) } else { KindId::default() };
            let shape = AgentShape { kind, radius };
            let pen = |at: Vec2| {
                let steps = StepRules::eight(CornerRule::Never);
                grid.region(KindId::default(), steps, GridCell::containing(at))
            };
            let homes: Vec<_> = grid.bounds().cells().filter(|&cell| grid.is_walkable(kind, cell)).collect();
            for _ in 0..if homes.is_empty() { 0 } else { 6 } {
                let mut at = homes[rng.below(homes.len() as u32) as usize].center();
                let home = pen(at);
                for push in 0..200 {
                    let length = [0.02, 0.3, 6.0][rng.below(3) as usize];
                    let to = at + Vec2::new(rng.signed(), rng.signed()) * length;
                    let end = slide(&grid, shape, CornerRule::Never, at, to);
                    assert_eq!(pen(end), home, "round {round}, push {push}: {at} to {to} ends at {end}");
                    moved += end.distance(at);
                    stopped += u32::from(end != to);
                    at = end;
                }
            }
        }
        assert!(moved > 10_000.0 && stopped > 50_000, "{moved} cells, {stopped} stops");
    }

    #[test]
    fn a_disc_across_which_a_fence_comes_up_is_pushed_to_its_side() {
        let mut grid = Grid::new(4, 3).unwrap();
        let kind = disc_on(&mut grid, 0.4);
        grid.set_fence(GridCell::new(1, 1), Direction::E, true).unwrap();
        for (x, end) in [(1.8, 1.6), (2.2, 2.4)] {
            let at = Vec2::new(x, 1.5);
            let pushed = slide(&grid, kind, CornerRule::Never, at, at);
            assert!((pushed.x - end).abs() < 2.0 * OVERLAP, "from {at} to {pushed}");
        }
    }

    fn disc_on(grid: &mut Grid, radius: f32) -> KindId {
        let size = AgentSize::Disc(radius);
        grid.add_kind(AgentKind { size, ..AgentKind::default() }).unwrap()
    }

    #[test]
    fn a_disc_walks_where_it_just_fits() {
        let mut grid = Grid::from_ascii("#######\n.......\n#######").unwrap();
        let kind = disc_on(&mut grid, 0.5);
        let end = slide(&grid, kind, CornerRule::Never, Vec2::new(0.5, 1.5), Vec2::new(6.0, 1.7));
        assert!((end.x - 6.0).abs() < 0.05 && (end.y - 1.5).abs() < 2.0 * OVERLAP, "in the corridor: {end}");
    }

    #[test]
    fn a_disc_beside_which_a_wall_comes_up_is_pushed_out_of_it() {
        let mut grid = Grid::from_ascii("....\n....\n....").unwrap();
        let kind = disc_on(&mut grid, 0.4);
        let at = Vec2::new(1.8, 1.5);
        grid.set(GridCell::new(2, 1), Terrain::WALL).unwrap();
        let end = slide(&grid, kind, CornerRule::Never, at, at);
        assert!((end.x - 1.6).abs() < 2.0 * OVERLAP, "as far as it takes: {end}");
    }

    proptest! {
        #[test]
        fn no_step_ends_in_a_wall(
            seed in any::<u64>(), radius in prop::sample::select(vec![0.0f32, 0.2, 0.5, 0.9]),
            from in [0.0f32..12.0, 0.0f32..12.0], way in [-15.0f32..15.0, -15.0f32..15.0], tiny in any::<bool>(),
        ) {
            let mut rng = CounterRng::new(seed, 0, 0);
            let mut grid = scattered(&mut rng, 12, 12, 0.2);
            let kind = disc_on(&mut grid, radius);
            let (from, way) = (Vec2::from(from), Vec2::from(way) * if tiny { 0.02 } else { 1.0 });
            let before = distance_to_wall(&grid, kind, from, radius);
            prop_assume!(before > 0.0 || radius == 0.0 && grid.is_walkable(kind, GridCell::containing(from)));
            let end = slide(&grid, kind, CornerRule::Never, from, from + way);
            let after = distance_to_wall(&grid, kind, end, radius);
            prop_assert!(grid.is_walkable(KindId::default(), GridCell::containing(end)), "its centre is free: {end}");
            prop_assert!(after >= before - 2.0 * OVERLAP, "and no wall is nearer: {after}, not {before}");
            if (0.1..=0.5).contains(&radius) {
                let shape = AgentShape { radius, ..AgentShape::default() };
                let of_default_kind = slide(&grid, shape, CornerRule::Never, from, from + way);
                prop_assert_eq!(of_default_kind, end, "a body of the default kind is the same disc");
            }
        }
    }
}
