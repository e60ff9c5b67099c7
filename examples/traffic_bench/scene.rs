//! The scenes: where the walls are, and who goes where.

use bevy::prelude::*;
use bevy_pathfind::prelude::GridCell;
use clap::ValueEnum;

/// The kinds of scenes. Rooms are 20 cells wide and high, and narrow places lie between two rooms.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub(crate) enum Kind {
    /// Two groups against each other through a corridor 20 cells long
    CounterFlow,
    /// The same with a bay of two cells in the middle of one side
    Bay,
    /// A room with one door
    Door,
    /// Two groups against each other, and two doors
    TwoDoors,
    /// A short way, and a detour 6 cells wide and 1.4 times as long
    TwoRoutes,
    /// A corridor round three corners
    Corners,
    /// Two streams that meet at a right angle and go on together
    Merge,
    /// Two streams that cross
    Crossing,
    /// A chain of three doors with small rooms between
    Passes,
    /// A circle: each agent goes to the point opposite
    Circle,
    /// Two groups through each other in the open
    Through,
    /// A group through others that stand
    Idle,
    /// A corridor with a standing agent in it
    Blocked,
}

/// An agent of a scene.
pub(crate) struct Walker {
    pub(crate) from: Vec2,
    pub(crate) to: Vec2,
    /// It arrives within this distance.
    pub(crate) within: f32,
}

pub(crate) struct Scene {
    pub(crate) size: UVec2,
    kind: Kind,
    width: i32,
    pub(crate) walkers: Vec<Walker>,
    /// Where agents without an order stand.
    pub(crate) idle: Vec<Vec2>,
}

impl Scene {
    /// `counts`: how many go one way, and how many the other way or stand.
    pub(crate) fn new(kind: Kind, width: u32, [one, other]: [usize; 2]) -> Self {
        let size = match kind {
            Kind::Door => UVec2::new(40, 30),
            Kind::TwoRoutes => UVec2::new(60, 40),
            Kind::Corners => UVec2::new(70, 40),
            Kind::Circle => UVec2::splat(100),
            Kind::Merge | Kind::Crossing => UVec2::splat(50),
            _ => UVec2::new(60, 20),
        };
        let mut scene =
            Self { size, kind, width: width.clamp(1, 12) as i32, walkers: Vec::new(), idle: Vec::new() };
        let (right, left) = (Vec2::new(56.0, 9.0), Vec2::new(4.0, 9.0));
        match kind {
            Kind::CounterFlow | Kind::Bay | Kind::TwoDoors | Kind::Passes | Kind::Through => {
                scene.walk(block(one, 12, Vec2::new(1.0, 3.0), Vec2::new(1.15, 1.15)), right, 3.5);
                scene.walk(block(other, 12, Vec2::new(59.0, 3.0), Vec2::new(-1.15, 1.15)), left, 3.5);
            }
            Kind::Door => scene.walk(
                block(one, 20, Vec2::new(2.0, 8.0), Vec2::new(1.0, 1.3)),
                Vec2::new(35.0, 15.0),
                4.0,
            ),
            Kind::TwoRoutes => {
                scene.walk(block(one, 14, Vec2::new(1.5, 1.5), Vec2::new(1.1, 1.1)), right, 4.5)
            }
            Kind::Corners => scene.walk(
                block(one, 10, Vec2::new(1.5, 4.0), Vec2::new(1.3, 1.3)),
                Vec2::new(65.0, 20.0),
                4.0,
            ),
            Kind::Merge | Kind::Crossing => {
                let is_merge = kind == Kind::Merge;
                scene.walk(
                    block(one, 10, Vec2::new(1.5, 19.0), Vec2::new(1.2, 1.2)),
                    Vec2::new(45.0, 25.0),
                    4.0,
                );
                let goal = if is_merge { Vec2::new(45.0, 25.0) } else { Vec2::new(25.0, 45.0) };
                scene.walk(block(other, 10, Vec2::new(19.0, 1.5), Vec2::new(1.2, 1.2)), goal, 4.0);
            }
            Kind::Circle => {
                let turn = |index| Vec2::from_angle(std::f32::consts::TAU * index as f32 / one as f32) * 25.0;
                let opposite =
                    |index| Walker { from: 50.0 + turn(index), to: 50.0 - turn(index), within: 0.5 };
                scene.walkers = (0..one).map(opposite).collect();
            }
            Kind::Idle => {
                scene.walk(block(one, 8, Vec2::new(2.0, 3.0), Vec2::new(1.2, 1.6)), right, 3.5);
                scene.idle = block(other, 6, Vec2::new(26.0, 0.6), Vec2::new(1.2, 1.0));
            }
            Kind::Blocked => {
                scene.walk(block(one, 10, Vec2::new(1.0, 3.0), Vec2::new(1.2, 1.2)), right, 3.5);
                scene.idle = block(other, 1, Vec2::new(30.0, 8.5), Vec2::new(0.0, 1.0));
            }
        }
        scene
    }

    fn walk(&mut self, from: Vec<Vec2>, to: Vec2, within: f32) {
        self.walkers.extend(from.into_iter().map(|from| Walker { from, to, within }));
    }

    pub(crate) fn is_wall(&self, GridCell { x, y }: GridCell) -> bool {
        let width = self.width;
        let is_between = (20..40).contains(&x);
        let in_gap = |from: i32| (from..from + width).contains(&y);
        match self.kind {
            Kind::CounterFlow | Kind::Blocked => is_between && !in_gap(8),
            Kind::Bay => is_between && !in_gap(8) && !((29..31).contains(&x) && y == 8 + width),
            Kind::Door => x == 25 && !in_gap(14),
            Kind::TwoDoors => (28..32).contains(&x) && !in_gap(5) && !in_gap(13),
            Kind::TwoRoutes => is_between && !in_gap(8) && !(31..37).contains(&y),
            Kind::Corners => {
                let first = (16..40).contains(&x) && in_gap(10);
                let second = (40 - width..40).contains(&x) && (10..30).contains(&y);
                let third = (40 - width..60).contains(&x) && (30 - width..30).contains(&y);
                (16..58).contains(&x) && !(first || second || third)
            }
            Kind::Merge | Kind::Crossing => {
                let is_in = |value: i32| (25 - width / 2..25 - width / 2 + width).contains(&value);
                let is_end = |value: i32| !(15..35).contains(&value);
                !(is_in(y)
                    || is_end(x) && (14..36).contains(&y)
                    || is_in(x)
                    || is_end(y) && (14..36).contains(&x))
            }
            Kind::Passes => matches!(x, 20 | 27 | 34) && !in_gap(8),
            Kind::Circle | Kind::Through | Kind::Idle => false,
        }
    }
}

/// The places of a block of agents, row by row from `origin`.
fn block(count: usize, per_row: usize, origin: Vec2, spacing: Vec2) -> Vec<Vec2> {
    let at = |index: usize| Vec2::new((index % per_row) as f32, (index / per_row) as f32);
    (0..count).map(|index| origin + at(index) * spacing).collect()
}
