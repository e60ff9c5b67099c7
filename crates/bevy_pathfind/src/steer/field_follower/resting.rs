//! The crowd at the goal of a field. Only few bodies have room on the goal, and the others would press on them for
//! ever: a follower that is held up by others rests if one of them stands at the goal, or rests nearer to it.
//!
//! Ranks say who is nearer: 0 at the goal, and one more than the least rank round it for an agent that rests. An agent
//! whose neighbours of lower rank have left moves on, and so do those behind it, one after another.

use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use pathfind_core::{CellRect, GridCell};

use crate::agent::AgentId;

/// A follower at the goal of its field or in the crowd round it. Lengths are in cells.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rester {
    pub(super) id: AgentId,
    pub(super) field: Entity,
    pub(super) at: Vec2,
    pub(super) radius: f32,
    /// 0 at the goal; the greater, the farther off.
    pub(super) rank: u32,
}

/// All of them, as they were in the last tick, by field and cell.
#[derive(Debug, Default)]
pub(in crate::steer) struct Resters {
    by_cell: HashMap<(Entity, GridCell), Vec<Rester>>,
    widest: f32,
}

impl Resters {
    pub(super) fn new(all: Vec<Rester>) -> Self {
        let mut resters = Self::default();
        for rester in all.into_iter().filter(|it| it.radius.is_finite()) {
            resters.widest = resters.widest.max(rester.radius);
            resters.by_cell.entry((rester.field, GridCell::containing(rester.at))).or_default().push(rester);
        }
        resters
    }

    /// The least rank of the others round an agent: those so near that it does not fit between itself and them.
    pub(super) fn least_rank_round(&self, me: &Rester) -> Option<u32> {
        let is_near = |other: &&Rester| {
            let near = 3.0 * me.radius + other.radius;
            other.id != me.id && other.field == me.field && other.at.distance_squared(me.at) < near * near
        };
        let least = |resters: &Vec<Rester>| resters.iter().filter(is_near).map(|it| it.rank).min();
        let reach = 3.0 * me.radius + self.widest;
        let cells = CellRect::new(GridCell::containing(me.at - reach), GridCell::containing(me.at + reach));
        // Bodies may be far wider than cells.
        let side = |low: i32, high: i32| high.abs_diff(low) as usize + 1;
        let (columns, rows) = (side(cells.min.x, cells.max.x), side(cells.min.y, cells.max.y));
        if columns.saturating_mul(rows) > self.by_cell.len() {
            return self.by_cell.values().filter_map(least).min();
        }
        cells.cells().filter_map(|cell| least(self.by_cell.get(&(me.field, cell))?)).min()
    }
}
