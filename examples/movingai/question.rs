//! The questions that a scenario's problems are turned into: other steps, other terrain, other goals.

use std::str::FromStr;

use clap::ValueEnum;
use pathfind_core::{AgentKind, CostTable, Goal, Grid, GridCell, KindId, StepRules, Terrain};

use crate::Problem;
use crate::textbook::Map;

/// Which terrain costs more than open ground.
#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
pub(crate) enum Costs {
    /// The map's own classes: shallow water 1.5, trees 2, deep water 3.
    Classes,
    /// One in four blocks of 8x8 cells costs 3, by a hash of its column and row.
    Blocks,
}

impl Costs {
    /// Makes the terrain cost; the kind of agent that moves there.
    pub(crate) fn apply(self, grid: &mut Grid) -> KindId {
        match self {
            Self::Classes => {
                let costs = [(Terrain::SHALLOW, 1.5), (Terrain::TREES, 2.0), (Terrain::WATER, 3.0)];
                let table = costs
                    .into_iter()
                    .try_fold(CostTable::default(), |table, (class, cost)| table.with(class, cost));
                let kind =
                    AgentKind { costs: table.expect("the costs are in range"), ..AgentKind::default() };
                grid.add_kind(kind).expect("the grid has one kind")
            }
            Self::Blocks => {
                let is_dear = |cell: GridCell| {
                    let block = ((cell.x as u32 / 8) << 16) | (cell.y as u32 / 8);
                    // Multiplicative hashing (Knuth): the upper bits are mixed best.
                    (block.wrapping_mul(0x9e37_79b1) ^ block).wrapping_mul(0x85eb_ca6b) >> 30 == 0
                };
                let bounds = grid.bounds();
                let dear = |cell, terrain: Terrain| {
                    let is_free = matches!(terrain, Terrain::GROUND | Terrain::SHALLOW);
                    if is_free && is_dear(cell) { Terrain::weight(3) } else { terrain }
                };
                grid.edit(|edit| edit.map(bounds, dear));
                KindId::default()
            }
        }
    }
}

/// What takes the place of a problem's goal.
#[derive(Copy, Clone)]
pub(crate) enum GoalForm {
    /// The goal's cell.
    GridCell,
    /// Any cell within so many cells of it.
    Within(f32),
    /// Any of so many cells: the goal's and those of the problems that follow.
    Any(usize),
}

impl FromStr for GoalForm {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = match text.split_once('=') {
            None if text == "cell" => Some(Self::GridCell),
            Some(("within", radius)) => radius.parse().ok().map(Self::Within),
            Some(("any", count)) => count.parse().ok().map(Self::Any),
            _ => None,
        };
        form.ok_or_else(|| "cell, within=R or any=K".into())
    }
}

impl GoalForm {
    /// The goal of a problem, in this form.
    pub(crate) fn goal(self, problems: &[Problem], index: usize) -> Goal {
        let center = problems[index].goal;
        match self {
            Self::GridCell => Goal::GridCell(center),
            Self::Within(radius) => Goal::Within { center, radius },
            Self::Any(count) => {
                let cycle = (0..count.max(1)).map(|more| problems[(index + more) % problems.len()].goal);
                Goal::AnyOf(cycle.collect())
            }
        }
    }
}

/// The costs of a grid's cells for a kind of agent, as the textbook search reads them.
pub(crate) fn map(grid: &Grid, kind: KindId, steps: StepRules) -> Map {
    Map {
        width: grid.width() as i32,
        height: grid.height() as i32,
        costs: grid.bounds().cells().map(|cell| grid.cost(kind, cell).unwrap_or(0.0)).collect(),
        steps,
    }
}
