//! Chokepoints: the narrow lines that a path crosses.

use glam::Vec2;

use crate::grid::{CornerRule, Direction, Grid, GridCell, KindId, StepRules, leg_parts};

/// A narrow line across a path, from wall to wall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chokepoint {
    /// The cells of the line, straight or diagonal, from one end to the other. One of them is on the path.
    pub cells: Vec<GridCell>,
    /// Whether walls on these cells would leave no way between the ends of the path.
    pub is_cut: bool,
}

/// The chokepoints of a path, in its order: one for each part of it on which it crosses lines of at most `most` cells.
/// `points` are the turning points of the path, in grid space.
///
/// A line consists of the cells in one of four directions on which the agent may stand; it ends where a diagonal step on
/// would touch a wall, a fence or a cliff. Lines with an end of the path on them are left out. Of the lines of a part the
/// shortest is taken; of several as short, the first that is a cut, else the first.
///
/// ```text
///  ....#....#....
///  ....#....#....
///  A...1....#....     two chokepoints of one cell, both cuts
///  ....#....2...B
///  ....#....#....
/// ```
///
/// The time is that of a look at `most` cells for each cell of the path, and of a [prediction](Grid::would_disconnect)
/// for each of the shortest lines until one is a cut. Empty for points that are not finite.
#[must_use]
pub fn chokepoints(
    grid: &Grid,
    kind: KindId,
    steps: StepRules,
    points: &[Vec2],
    most: usize,
) -> Vec<Chokepoint> {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return Vec::new() };
    if !points.iter().all(|point| point.is_finite()) {
        return Vec::new();
    }
    let [from, to] = [first, last].map(|&end| GridCell::containing(end));
    let mut parts: Vec<Vec<Vec<GridCell>>> = vec![Vec::new()];
    let cells = points.windows(2).flat_map(|leg| leg_parts(leg[0], leg[1]));
    for (cell, _) in cells.filter(|&(cell, _)| grid.is_walkable(kind, cell)) {
        match shortest_line(grid, kind, steps, (cell, most)) {
            None if parts.last().is_some_and(|part| !part.is_empty()) => parts.push(Vec::new()),
            Some(line) if !line.contains(&from) && !line.contains(&to) => {
                let part = parts.last_mut().expect("it begins with one");
                part.push(line);
            }
            _ => (),
        }
    }
    let chosen = |mut lines: Vec<Vec<GridCell>>| {
        let least = lines.iter().map(Vec::len).min()?;
        lines.retain(|line| line.len() == least);
        let cut = lines.iter().position(|line| grid.would_disconnect(kind, steps, line, from, to));
        Some(Chokepoint { cells: lines.swap_remove(cut.unwrap_or(0)), is_cut: cut.is_some() })
    };
    parts.into_iter().filter_map(chosen).collect()
}

/// The shortest line through a walkable cell, of at most so many cells.
fn shortest_line(
    grid: &Grid,
    kind: KindId,
    steps: StepRules,
    (cell, most): (GridCell, usize),
) -> Option<Vec<GridCell>> {
    // A diagonal line of walls stops all agents but those that squeeze between two walls that meet at a corner.
    let squeezes = grid.steps_for(kind, steps) == StepRules::eight(CornerRule::Always);
    let lines = [Direction::S, Direction::E, Direction::SE, Direction::NE].map(|along| {
        if squeezes && along.is_diagonal() {
            return None;
        }
        let mut line = vec![cell];
        for side in [along, along.opposite()] {
            let is_open = |&at: &GridCell| {
                grid.steps_from(kind, StepRules::default(), at).any(|direction| direction == side)
            };
            while let Some(&end) = line.last().filter(|&end| line.len() <= most && is_open(end)) {
                line.push(end.step(side));
            }
            line.reverse();
        }
        (line.len() <= most).then_some(line)
    });
    lines.into_iter().flatten().min_by_key(Vec::len)
}
