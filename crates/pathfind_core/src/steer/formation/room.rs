//! How far the ground is free on both sides of a track.

use glam::Vec2;

use super::Track;
use crate::grid::{AgentShape, Grid};
use crate::sight::sweep_disc;

/// How far apart the lines across the track are along which the ground is tested, in cells.
const STEP: f32 = 0.5;
/// A formation goes on both sides of what is at most so long and so wide that bodies cannot stand there, in diameters
/// of a body: a tree. Not measured.
const TREE: f32 = 4.0;
/// How much farther apart two bodies stand than they have to. Bodies that touch push one another.
const GAP: f32 = 1.05;

/// The free ground on both sides of a track, for the centres of bodies.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Room {
    /// The length along the track at which the first line across it lies.
    start: f32,
    /// For each line how far the ground is free to the left (negative) and to the right, in cells.
    lines: Vec<[f32; 2]>,
    /// The least distance between the centres of two bodies.
    touch: f32,
}

/// A part of a track beside which there is too little room, by its beginning and its end along the track.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TightGround {
    /// Where it begins.
    pub from: f32,
    /// Where it ends.
    pub to: f32,
    /// The least width that is free for the centres of bodies, in cells; negative where not even one fits.
    pub width: f32,
    /// How many bodies fit side by side everywhere, at least 1.
    pub abreast: usize,
}

/// How far the ground is free to one side.
#[derive(Clone, Copy)]
struct Side {
    free: f32,
    /// The same beyond the first obstacle, if that is no wider than a tree.
    beyond: Option<f32>,
}

impl Room {
    /// Measures the room along a part of a track, up to `width` cells to each side. `reach` is that of
    /// [`Track::direction`], and `right` is 1 if the right-hand side of the x axis is towards lesser y, else -1.
    #[must_use]
    pub fn along(
        grid: &Grid,
        body: AgentShape,
        track: &Track,
        (from, to): (f32, f32),
        (width, reach, right): (f32, f32, f32),
    ) -> Self {
        let count = if to > from { ((to - from) / STEP).ceil() as usize + 1 } else { 1 };
        let tree = 2.0 * TREE * body.radius;
        let sides = (0..count).map(|index| {
            let at = from + index as f32 * STEP;
            let (center, side) = (track.point(at), across(track.direction(at, reach), right));
            [-1.0, 1.0].map(|sign| Side::measure(grid, body, center, side * sign, [width, tree]))
        });
        let sides: Vec<_> = sides.collect();
        let mut lines = vec![[0.0; 2]; count];
        for side in 0..2 {
            let mut index = 0;
            for run in sides.chunk_by(|a, b| a[side].beyond.is_some() == b[side].beyond.is_some()) {
                let is_tree = run.len() as f32 * STEP <= tree;
                for line in run {
                    let Side { free, beyond } = line[side];
                    lines[index][side] = beyond.filter(|_| is_tree).unwrap_or(free);
                    index += 1;
                }
            }
        }
        lines.iter_mut().for_each(|line| line[0] = -line[0]);
        Self { start: from, lines, touch: (2.0 * body.radius * GAP).max(1e-3) }
    }

    /// How far the ground is free to the left (negative) and to the right at a length along the track; without bounds
    /// if nothing was measured.
    #[must_use]
    pub fn at(&self, at: f32) -> [f32; 2] {
        let index = ((at - self.start) / STEP).max(0.0) as usize;
        self.lines.get(index).or(self.lines.last()).copied().unwrap_or([f32::NEG_INFINITY, f32::INFINITY])
    }

    /// How far a row that reaches from `low` to `high` across the track has to be shifted at a length along the track
    /// to lie on free ground.
    #[must_use]
    pub fn shift(&self, at: f32, (low, high): (f32, f32)) -> f32 {
        let [left, right] = self.at(at);
        (left - low).max(0.0) + (right - high).min(0.0)
    }

    /// The next part of the track, between two lengths along it, where a row of this width does not fit; parts that are
    /// less than `apart` from one another count as one.
    #[must_use]
    pub fn next_tight(&self, (from, until): (f32, f32), width: f32, apart: f32) -> Option<TightGround> {
        let mut found: Option<TightGround> = None;
        for (index, &[left, right]) in self.lines.iter().enumerate() {
            let at = self.start + index as f32 * STEP;
            if at + STEP < from || at > until || right - left >= width - 1e-3 {
                continue;
            }
            match &mut found {
                Some(stretch) if at - stretch.to > apart => break,
                Some(stretch) => (stretch.to, stretch.width) = (at, stretch.width.min(right - left)),
                None => found = Some(TightGround { from: at, to: at, width: right - left, abreast: 1 }),
            }
        }
        let abreast = |width: f32| 1 + (width / self.touch).clamp(0.0, 1e6) as usize;
        found.map(|stretch| TightGround { abreast: abreast(stretch.width), ..stretch })
    }
}

/// The unit vector to the right of a direction.
#[must_use]
pub fn across(direction: Vec2, right: f32) -> Vec2 {
    Vec2::new(direction.y, -direction.x) * right
}

impl Side {
    fn measure(grid: &Grid, body: AgentShape, center: Vec2, side: Vec2, [width, tree]: [f32; 2]) -> Self {
        let free_from = |from: f32, to: f32| {
            let hit = sweep_disc(grid, body.kind, center + side * from, center + side * to, body.radius);
            hit.map_or(1.0, |hit| hit.fraction)
        };
        let free = width * free_from(0.0, width);
        let (near, far) = (free + 1e-3, free + tree);
        // From beyond the obstacle back to it: a body that cannot stand there gets nowhere.
        if free >= width || free_from(far, near) < 1e-3 {
            return Self { free, beyond: None };
        }
        let rest = (width - far).max(0.0);
        Self { free, beyond: Some((far + rest * free_from(far, far + rest)).min(width)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::KindId;

    /// The room of a body of radius 0.4 along the middle row of a map, from its left to its right border.
    fn room(map: &str, width: f32) -> (Room, f32) {
        let grid = Grid::from_ascii(map).unwrap();
        let y = grid.height() as f32 / 2.0;
        let track = Track::new([Vec2::new(0.5, y), Vec2::new(grid.width() as f32 - 0.5, y)]);
        let body = AgentShape { kind: KindId::default(), radius: 0.4 };
        (Room::along(&grid, body, &track, (0.0, track.length()), (width, 1.0, 1.0)), track.length())
    }

    #[test]
    fn a_door_and_a_corridor_are_tight_and_open_ground_is_not() {
        let map = "......#....\n......#....\n...........\n......#....\n......#....";
        let (door, end) = room(map, 5.0);
        let [left, right] = door.at(0.0);
        assert!((right - left - 4.2).abs() < 1e-3, "five cells less a body: {left} {right}");
        let tight = door.next_tight((0.0, 99.0), 2.0, 3.0).expect("the door");
        assert_eq!(tight.abreast, 1);
        assert!(tight.from > 4.0 && tight.to < 8.0, "{tight:?}");
        assert_eq!(door.next_tight((tight.to + 1.0, 99.0), 2.0, 3.0), None, "behind it");
        assert_eq!(
            door.next_tight((0.0, 99.0), 0.1, end),
            door.next_tight((0.0, 99.0), 0.1, 0.0),
            "one door"
        );
        let (corridor, _) = room("......\n......\n......\n......\n##..##", 5.0);
        assert_eq!(corridor.next_tight((0.0, 99.0), 3.0, 3.0), None);
        let (corridor, _) = room("..####..\n........\n........\n..####..", 5.0);
        let tight = corridor.next_tight((0.0, 99.0), 3.0, 3.0).expect("the corridor");
        assert_eq!(tight.abreast, 2, "two bodies of 0.8 fit in two cells");
    }

    #[test]
    fn a_tree_is_no_wall_but_a_lake_is() {
        let row = "................";
        let beside = |blocked: &str| format!("{row}\n{row}\n{blocked}\n{row}\n{row}\n{row}\n{row}");
        let (free, _) = room(&format!("{row}\n{row}\n{row}\n{row}\n{row}\n{row}\n{row}"), 3.0);
        let (tree, _) = room(&beside("......#........."), 3.0);
        let (lake, _) = room(&beside("...########....."), 3.0);
        assert_eq!(free.next_tight((0.0, 99.0), 5.5, 1.0), None);
        assert_eq!(tree.next_tight((0.0, 99.0), 5.5, 1.0), None, "round a tree on both sides");
        assert!(lake.next_tight((0.0, 99.0), 5.5, 1.0).is_some(), "not round a lake");
        let shift = lake.shift(7.0, (-2.0, 2.0));
        assert!(shift.abs() > 1.0 && lake.shift(0.0, (-2.0, 2.0)) == 0.0, "aside by {shift}");
    }

    #[test]
    fn without_ground_there_is_no_room() {
        let (room, _) = room("#####\n#####\n#####", 2.0);
        assert!(room.next_tight((0.0, 99.0), 1.0, 1.0).is_some_and(|tight| tight.abreast == 1));
        assert_eq!(Room::default().shift(1.0, (-1.0, 2.0)), 0.0, "nothing was measured");
    }
}
