//! `NavGrid` as data, for serde.

use pathfind_core::{AgentKind, AgentSize, CostTable, Grid, GridCell, GridError, KindId, Terrain};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{GridPlane, NavGrid};

/// The data of a [`NavGrid`] that serde keeps: cell size, plane, terrain, elevation and kinds of agents.
///
/// Not kept are the revision and the journal of edits, which begin anew, and what carved `Obstacle`s cover: the terrain
/// saved is the one under them. A grid that was loaded counts as a new map for all paths. Terrain and elevation are
/// run-length coded, row by row.
#[derive(Serialize, Deserialize)]
pub(super) struct SavedGrid {
    cell_size: f32,
    plane: GridPlane,
    #[serde(default)]
    is_centered: bool,
    width: u32,
    height: u32,
    /// Terrain class, and the number of cells in the run.
    terrain: Vec<(u8, u32)>,
    /// Height, and the number of cells in the run; empty for a flat grid.
    #[serde(default)]
    elevation: Vec<(f32, u32)>,
    /// The default kind of agent, if it differs from [`AgentKind::default`].
    #[serde(default)]
    default_kind: Option<SavedKind>,
    /// The kinds of agents after the default one, in the order of their ids.
    kinds: Vec<SavedKind>,
}

/// A kind of agent: its size, how steep it climbs, and the classes whose cost differs from the default table.
#[derive(Serialize, Deserialize)]
pub(super) struct SavedKind {
    size: AgentSize,
    #[serde(default = "usual_climb")]
    climb: f32,
    /// Class and cost; `None` is blocked.
    costs: Vec<(u8, Option<f32>)>,
}

fn usual_climb() -> f32 {
    AgentKind::default().climb
}

/// Why data describes no grid.
#[derive(Error, Debug)]
pub(super) enum SavedGridError {
    #[error(transparent)]
    Grid(#[from] GridError),
    #[error("the {what} has {found} cells, but the grid has {expected}")]
    WrongLength { what: &'static str, found: u64, expected: u64 },
}

impl From<NavGrid> for SavedGrid {
    fn from(nav: NavGrid) -> Self {
        let grid = nav.grid();
        let terrain = runs(grid.bounds().cells().filter_map(|cell| nav.ground(cell)).map(|it| it.0));
        let heights = grid.bounds().cells().map(|cell| grid.elevation(cell));
        let elevation = if grid.has_elevation() { runs(heights) } else { Vec::new() };
        let kinds = (1..).map_while(|id| grid.kind(KindId(id))).map(SavedKind::from).collect();
        let default_kind = grid.kind(KindId::default()).filter(|kind| **kind != AgentKind::default());
        let default_kind = default_kind.map(SavedKind::from);
        let (width, height) = (grid.width(), grid.height());
        let (cell_size, plane, is_centered) = (nav.cell_size(), nav.plane(), nav.is_centered());
        Self { cell_size, plane, is_centered, width, height, terrain, elevation, default_kind, kinds }
    }
}

impl TryFrom<SavedGrid> for NavGrid {
    type Error = SavedGridError;

    fn try_from(saved: SavedGrid) -> Result<Self, SavedGridError> {
        let expected = u64::from(saved.width) * u64::from(saved.height);
        let check = |what: &'static str, found: u64| {
            if found == expected {
                Ok(())
            } else {
                Err(SavedGridError::WrongLength { what, found, expected })
            }
        };
        check("terrain", saved.terrain.iter().map(|&(_, count)| u64::from(count)).sum())?;
        if !saved.elevation.is_empty() {
            check("elevation", saved.elevation.iter().map(|&(_, count)| u64::from(count)).sum())?;
        }
        let mut cells = saved
            .terrain
            .into_iter()
            .flat_map(|(class, count)| core::iter::repeat_n(Terrain(class), count as usize));
        let mut grid =
            Grid::from_fn(saved.width, saved.height, |_: GridCell| cells.next().unwrap_or_default())?;
        if !saved.elevation.is_empty() {
            let mut heights = saved
                .elevation
                .into_iter()
                .flat_map(|(height, count)| core::iter::repeat_n(height, count as usize));
            grid = grid.with_elevation(|_| heights.next().unwrap_or_default())?;
        }
        if let Some(kind) = saved.default_kind {
            grid.set_kind(KindId::default(), kind.try_into()?)?;
        }
        for kind in saved.kinds {
            grid.add_kind(kind.try_into()?)?;
        }
        let nav = Self::new(grid).with_cell_size(saved.cell_size).with_plane(saved.plane);
        Ok(if saved.is_centered { nav.centered() } else { nav })
    }
}

/// The run-length code of values: each value with the length of its run.
fn runs<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<(T, u32)> {
    let mut runs: Vec<(T, u32)> = Vec::new();
    for value in values {
        match runs.last_mut() {
            Some((last, count)) if *last == value => *count += 1,
            _ => runs.push((value, 1)),
        }
    }
    runs
}

impl From<&AgentKind> for SavedKind {
    fn from(kind: &AgentKind) -> Self {
        let plain = CostTable::default();
        let costs = (0..=u8::MAX)
            .map(|class| (class, kind.costs.cost(Terrain(class))))
            .filter(|&(class, cost)| cost != plain.cost(Terrain(class)))
            .collect();
        Self { size: kind.size, climb: kind.climb, costs }
    }
}

impl TryFrom<SavedKind> for AgentKind {
    type Error = GridError;

    fn try_from(saved: SavedKind) -> Result<Self, GridError> {
        let mut costs = CostTable::default();
        for (class, cost) in saved.costs {
            costs = match cost {
                Some(cost) => costs.with(Terrain(class), cost)?,
                None => costs.blocked(Terrain(class)),
            };
        }
        Ok(Self { costs, size: saved.size, climb: saved.climb })
    }
}

#[cfg(test)]
mod tests {
    use bevy::prelude::default;

    use super::*;

    #[test]
    fn terrain_and_kinds_survive_a_file() {
        let mut nav = NavGrid::new(Grid::from_ascii("..#\nW.5\n...").unwrap())
            .with_cell_size(4.0)
            .with_plane(GridPlane::Xz);
        nav.set(GridCell::new(2, 2), Terrain(200)).unwrap();
        nav.set_elevation(GridCell::new(1, 2), 1.25).unwrap();
        let swimmer = AgentKind {
            costs: CostTable::default().with(Terrain::WATER, 2.5).unwrap().blocked(Terrain::GROUND),
            size: AgentSize::Disc(0.5),
            climb: f32::INFINITY,
        };
        let climber =
            AgentKind { costs: CostTable::default().with(Terrain::TREES, 3.0).unwrap(), ..default() };
        nav.set_kinds([&climber, &swimmer]);
        let text = ron::to_string(&nav).unwrap();
        let back: NavGrid = ron::from_str(&text).unwrap();
        for cell in nav.grid().bounds().cells() {
            assert_eq!(back.grid().terrain(cell), nav.grid().terrain(cell), "cell {cell} is as it was");
            assert_eq!(back.grid().elevation(cell), nav.grid().elevation(cell), "and as high as it was");
        }
        assert_eq!(back.grid().kind(KindId(0)), Some(&climber), "the climber is as it was");
        assert_eq!(back.grid().kind(KindId(1)), Some(&swimmer), "the swimmer is as it was");
        assert_eq!((back.cell_size(), back.plane()), (4.0, GridPlane::Xz));
    }

    #[test]
    fn a_broken_file_is_an_error() {
        let broken = "(cell_size:1.0,plane:Xy,width:2,height:2,terrain:[(0,3)],kinds:[])";
        assert!(ron::from_str::<NavGrid>(broken).is_err(), "three cells are no grid of four");
        let low = "(cell_size:1.0,plane:Xy,width:2,height:2,terrain:[(0,4)],elevation:[(1.0,3)],kinds:[])";
        assert!(ron::from_str::<NavGrid>(low).is_err(), "three heights are not enough either");
        let bad = "(cell_size:1.0,plane:Xy,width:2,height:2,terrain:[(0,4)],elevation:[(1e9,4)],kinds:[])";
        assert!(ron::from_str::<NavGrid>(bad).is_err(), "nothing is that high");
    }
}
