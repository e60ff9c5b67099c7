//! `NavGrid` as data, for serde.

use core::iter::repeat_n;

use pathfind_core::{AgentKind, Grid, GridError, KindId, Terrain};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::nav_grid::edges::{SavedEdges, SavedFences, load_edges, saved_edges};
use super::nav_grid::kinds_of;
use super::{GridPlane, NavGrid};

/// The data of a [`NavGrid`] that serde keeps: cell size, plane, terrain, elevation, fences and other rules of edges,
/// and kinds of agents.
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
    /// A cell for each fence, and the direction over it.
    #[serde(default)]
    fences: SavedFences,
    /// A cell for each edge with another rule, and the direction over it.
    #[serde(default)]
    edges: SavedEdges,
    /// The default kind of agent, if it differs from [`AgentKind::default`].
    #[serde(default)]
    default_kind: Option<AgentKind>,
    /// The kinds of agents after the default one, in the order of their ids.
    kinds: Vec<AgentKind>,
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
        let default_kind =
            grid.kind(KindId::default()).filter(|kind| **kind != AgentKind::default()).cloned();
        let kinds = kinds_of(grid).skip(1).cloned().collect();
        let (width, height) = (grid.width(), grid.height());
        let (cell_size, plane, is_centered) = (nav.cell_size(), nav.plane(), nav.is_centered());
        let (fences, edges) = saved_edges(grid);
        Self {
            cell_size,
            plane,
            is_centered,
            width,
            height,
            terrain,
            elevation,
            fences,
            edges,
            default_kind,
            kinds,
        }
    }
}

impl TryFrom<SavedGrid> for NavGrid {
    type Error = SavedGridError;

    fn try_from(saved: SavedGrid) -> Result<Self, SavedGridError> {
        let cells = u64::from(saved.width) * u64::from(saved.height);
        let mut terrain = expanded("terrain", saved.terrain, cells)?;
        let mut grid =
            Grid::from_fn(saved.width, saved.height, |_| Terrain(terrain.next().unwrap_or_default()))?;
        if !saved.elevation.is_empty() {
            let mut heights = expanded("elevation", saved.elevation, cells)?;
            grid = grid.with_elevation(|_| heights.next().unwrap_or_default())?;
        }
        load_edges(&mut grid, saved.fences, saved.edges)?;
        if let Some(kind) = saved.default_kind {
            grid.set_kind(KindId::default(), kind)?;
        }
        for kind in saved.kinds {
            grid.add_kind(kind)?;
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

/// The values of a run-length code, one for each cell.
fn expanded<T: Clone>(
    what: &'static str,
    runs: Vec<(T, u32)>,
    expected: u64,
) -> Result<impl Iterator<Item = T>, SavedGridError> {
    let found: u64 = runs.iter().map(|&(_, count)| u64::from(count)).sum();
    if found != expected {
        return Err(SavedGridError::WrongLength { what, found, expected });
    }
    Ok(runs.into_iter().flat_map(|(value, count)| repeat_n(value, count as usize)))
}

#[cfg(test)]
mod tests {
    use bevy::prelude::default;
    use pathfind_core::{AgentSize, CostTable, Direction, EdgeRule, GridCell};

    use super::*;

    #[test]
    fn terrain_and_kinds_survive_a_file() {
        let mut nav = NavGrid::new(Grid::from_ascii("..#\nW.5\n...").unwrap())
            .with_cell_size(4.0)
            .with_plane(GridPlane::Xz);
        nav.set(GridCell::new(2, 2), Terrain(200)).unwrap();
        nav.set_elevation(GridCell::new(1, 2), 1.25).unwrap();
        nav.set_fence((0, 0), Direction::S, true).unwrap();
        nav.set_fence((2, 2), Direction::W, true).unwrap();
        nav.set_edge((0, 2), Direction::E, EdgeRule::ONE_WAY).unwrap();
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
        assert!(back.fences().eq(nav.fences()) && back.fences().count() == 2);
        assert!(back.directed_edges().eq(nav.directed_edges()) && back.directed_edges().count() == 1);
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
        let far = "(cell_size:1.0,plane:Xy,width:2,height:2,terrain:[(0,4)],fences:[((7,0),E)],kinds:[])";
        assert!(ron::from_str::<NavGrid>(far).is_err(), "a fence stands between two cells");
        let bad = far.replace("fences:[((7,0),E)]", "edges:[((0,0),E,Directed(there:Some(-1.0),back:None))]");
        assert!(ron::from_str::<NavGrid>(&bad).is_err(), "no step costs less for its edge");
    }
}
