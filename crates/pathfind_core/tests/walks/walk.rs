//! Walking along a path, with checks of every step.

use glam::Vec2;
use pathfind_core::{
    AgentSize, CellRect, GridCell, Terrain,
    steer::{
        CounterRng,
        contact::walls::{OVERLAP, slide},
    },
};

use crate::map::{Journey, KIND, pick};

/// A walk along a path.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Walk {
    /// Length of a step, in cells.
    pub(crate) step: f32,
    /// The distance within which a waypoint or the end is reached, in cells.
    pub(crate) tolerance: f32,
}

impl Walk {
    pub(crate) fn draw(rng: &mut CounterRng) -> Self {
        let step = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0][pick(rng, 9)];
        let tolerance = [0.01, 0.02, 0.05, 0.1, 0.2][pick(rng, 5)];
        Self { step, tolerance }
    }

    /// Walks to the end of a path; the number of steps, or an error.
    pub(crate) fn run(&self, journey: &Journey) -> Result<u64, String> {
        let points = &journey.points;
        let length: f32 = points.windows(2).map(|leg| leg[0].distance(leg[1])).sum();
        let most = (20.0 + 3.0 * length / self.step) as u64 + 10 * points.len() as u64;
        let (mut at, last, mut next) = (points[0], points.len() - 1, 1);
        for steps in 0..most {
            while next < last && at.distance(points[next]) <= self.tolerance {
                next += 1;
            }
            if next >= last && at.distance(points[last]) <= self.tolerance {
                return Ok(steps);
            }
            let step = (points[next] - at).clamp_length_max(self.step);
            at = self.take(journey, at, at + step)?;
        }
        Err(format!("after {most} steps it is at {at}, on its way to {}, {}", next, journey.points[next]))
    }

    fn take(&self, journey: &Journey, from: Vec2, to: Vec2) -> Result<Vec2, String> {
        let end = slide(&journey.grid, KIND, journey.corners, from, to);
        let moved = end.distance(from) - from.distance(to);
        if moved > 4e-3 {
            return Err(format!("from {from} to {to} it goes {moved} too far, to {end}"));
        }
        if falls(journey, from, end) {
            return Err(format!("from {from} to {to} it crosses a cliff, to {end}"));
        }
        match overlap(journey, end) {
            Some(cell) => Err(format!("from {from} to {to} it ends at {end}, in the wall {cell}")),
            None => Ok(end),
        }
    }
}

/// Whether a short step leads from a cell to one beside it that is too high or too low.
fn falls(journey: &Journey, from: Vec2, to: Vec2) -> bool {
    let [a, b] = [from, to].map(GridCell::containing);
    let climb = journey.grid.kind(KIND).expect("it was set").climb;
    let difference = (journey.grid.elevation(a) - journey.grid.elevation(b)).abs();
    from.distance(to) < 0.5 && a.distance_squared(b) == 1 && difference > climb
}

/// A wall that an agent overlaps by more than permitted.
fn overlap(journey: &Journey, at: Vec2) -> Option<GridCell> {
    let is_wall = |cell: GridCell| journey.grid.terrain(cell).is_none_or(|terrain| terrain == Terrain::WALL);
    let AgentSize::Disc(radius) = journey.size else {
        let cell = GridCell::containing(at);
        return (!journey.grid.is_walkable(KIND, cell)).then_some(cell);
    };
    let around = CellRect::new(GridCell::containing(at - radius), GridCell::containing(at + radius));
    let mut near = around.cells().filter(|&cell| is_wall(cell));
    let gap = |cell: GridCell| ((at - cell.center()).abs() - 0.5).max(Vec2::ZERO).length();
    near.find(|&cell| gap(cell) < radius - 1.5 * OVERLAP)
}
