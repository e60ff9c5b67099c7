//! The yardstick and the judge: a textbook search for every question that the other searches are asked.
//!
//! A binary heap, flat arrays with one entry for each cell, a cell that becomes cheaper is pushed again. With an
//! estimate it is A*, without one Dijkstra's search; without a goal it is a Dijkstra field.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use pathfind_core::{CornerRule, Directions, Goal, GridCell, StepRules};

const SQRT_2: f32 = std::f32::consts::SQRT_2;

/// The cost of a step onto each cell; 0 where an agent cannot stand.
pub(crate) struct Map {
    pub(crate) width: i32,
    pub(crate) height: i32,
    pub(crate) costs: Vec<f32>,
    pub(crate) steps: StepRules,
}

impl Map {
    fn has_four_directions(&self) -> bool {
        self.steps.directions == Directions::Four
    }

    fn index(&self, cell: GridCell) -> usize {
        (cell.y * self.width + cell.x) as usize
    }

    fn cost(&self, x: i32, y: i32) -> f32 {
        let is_inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        if is_inside { self.costs[(y * self.width + x) as usize] } else { 0.0 }
    }

    /// Calls `each` for every legal step out of a cell, with its length.
    #[inline]
    fn for_steps(&self, GridCell { x, y }: GridCell, mut each: impl FnMut(GridCell, f32)) {
        let is_free = |dx: i32, dy: i32| self.cost(x + dx, y + dy) > 0.0;
        let (north, south, west, east) = (is_free(0, -1), is_free(0, 1), is_free(-1, 0), is_free(1, 0));
        for (is_free, dx, dy) in [(north, 0, -1), (south, 0, 1), (west, -1, 0), (east, 1, 0)] {
            if is_free {
                each(GridCell::new(x + dx, y + dy), 1.0);
            }
        }
        if self.has_four_directions() {
            return;
        }
        let is_legal = |a: bool, b: bool| match self.steps.corners {
            CornerRule::Never => a && b,
            CornerRule::OneFree => a || b,
            CornerRule::Always => true,
        };
        let diagonals =
            [(north, west, -1, -1), (north, east, 1, -1), (south, west, -1, 1), (south, east, 1, 1)];
        for (a, b, dx, dy) in diagonals {
            if is_legal(a, b) && is_free(dx, dy) {
                each(GridCell::new(x + dx, y + dy), SQRT_2);
            }
        }
    }

    /// The least cost across so many columns and rows where every cell costs 1.
    fn estimate(&self, dx: i32, dy: i32) -> f32 {
        let (dx, dy) = (dx.abs() as f32, dy.abs() as f32);
        if self.has_four_directions() { dx + dy } else { dx.max(dy) + (SQRT_2 - 1.0) * dx.min(dy) }
    }
}

/// An entry of the open list; the least key comes first, of equal keys the greatest cost so far.
#[derive(PartialEq)]
struct Open {
    key: f32,
    g: f32,
    cell: u32,
}

impl Eq for Open {}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        other.key.total_cmp(&self.key).then(self.g.total_cmp(&other.g))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The memory of searches on one map.
pub(crate) struct Textbook<'m> {
    map: &'m Map,
    g: Vec<f32>,
    closed: Vec<bool>,
    touched: Vec<u32>,
    open: BinaryHeap<Open>,
}

impl<'m> Textbook<'m> {
    pub(crate) fn new(map: &'m Map) -> Self {
        let cells = map.costs.len();
        let (g, closed) = (vec![f32::INFINITY; cells], vec![false; cells]);
        Self { map, g, closed, touched: Vec::new(), open: BinaryHeap::new() }
    }

    /// The cost of the cheapest path, with an estimate of the rest if `guided`; `None` if there is none.
    pub(crate) fn path(&mut self, start: GridCell, goal: &Goal, guided: bool) -> Option<f64> {
        let map = self.map;
        let rest = |cell: GridCell, goal: GridCell| map.estimate(cell.x - goal.x, cell.y - goal.y);
        match goal {
            _ if !guided => self.search(start, |cell| is_goal(goal, cell), |_| 0.0),
            Goal::GridCell(goal) => self.search(start, |cell| cell == *goal, |cell| rest(cell, *goal)),
            Goal::Within { center, radius } => {
                let slack = radius * if map.has_four_directions() { SQRT_2 } else { 1.083 };
                let estimate = |cell| (rest(cell, *center) - slack).max(0.0);
                self.search(start, |cell| is_goal(goal, cell), estimate)
            }
            Goal::AnyOf(goals) => {
                let each = |cell| goals.iter().map(move |&goal| rest(cell, goal));
                self.search(
                    start,
                    |cell| is_goal(goal, cell),
                    |cell| each(cell).fold(f32::INFINITY, f32::min),
                )
            }
            _ => None,
        }
    }

    fn search(
        &mut self,
        start: GridCell,
        is_goal: impl Fn(GridCell) -> bool,
        estimate: impl Fn(GridCell) -> f32,
    ) -> Option<f64> {
        let map = self.map;
        self.begin(start, estimate(start));
        while let Some(Open { g, cell, .. }) = self.open.pop() {
            if std::mem::replace(&mut self.closed[cell as usize], true) {
                continue;
            }
            let at = GridCell::new(cell as i32 % map.width, cell as i32 / map.width);
            if is_goal(at) {
                return Some(f64::from(g));
            }
            map.for_steps(at, |next, step| {
                let cost = g + step * map.cost(next.x, next.y);
                self.relax(next, cost, || cost + estimate(next));
            });
        }
        None
    }

    /// The cost from every cell to one cell; infinite where there is no path.
    pub(crate) fn field(&mut self, goal: GridCell) -> &[f32] {
        let map = self.map;
        self.begin(goal, 0.0);
        while let Some(Open { g, cell, .. }) = self.open.pop() {
            if std::mem::replace(&mut self.closed[cell as usize], true) {
                continue;
            }
            let at = GridCell::new(cell as i32 % map.width, cell as i32 / map.width);
            // Backwards, a step costs what the cell costs that it leaves.
            let terrain = map.cost(at.x, at.y);
            map.for_steps(at, |next, step| {
                let cost = g + step * terrain;
                self.relax(next, cost, || cost);
            });
        }
        &self.g
    }

    fn begin(&mut self, start: GridCell, key: f32) {
        for cell in self.touched.drain(..) {
            (self.g[cell as usize], self.closed[cell as usize]) = (f32::INFINITY, false);
        }
        self.open.clear();
        self.relax(start, 0.0, || key);
    }

    #[inline]
    fn relax(&mut self, cell: GridCell, g: f32, key: impl Fn() -> f32) {
        let index = self.map.index(cell);
        let known = &mut self.g[index];
        if g < *known {
            if *known == f32::INFINITY {
                self.touched.push(index as u32);
            }
            *known = g;
            self.open.push(Open { key: key(), g, cell: index as u32 });
        }
    }
}

fn is_goal(goal: &Goal, cell: GridCell) -> bool {
    match goal {
        Goal::GridCell(goal) => cell == *goal,
        Goal::AnyOf(goals) => goals.contains(&cell),
        Goal::Within { center, radius } => {
            cell.distance_squared(*center) as f64 <= f64::from(*radius) * f64::from(*radius)
        }
        _ => false,
    }
}
