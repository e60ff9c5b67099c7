//! Reads and writes `.grid.ron`: rows of characters with a legend.

use std::collections::BTreeMap;

use bevy::prelude::Entity;
use pathfind_core::{
    AgentKind, CellRect, CostTable, Grid, GridCell, GridError, KindId, Terrain, TextError, graph::KindSet,
};
use ron::extensions::Extensions;
use ron::ser::PrettyConfig;
use serde::{Deserialize, Serialize};

use super::super::nav_grid::edges::{SavedEdges, SavedFences, load_edges, saved_edges};
use super::super::nav_grid::kinds_of;
use super::super::{GridPlane, LinkEnd, LinkMotion, NavGrid, NavLink};
use super::error::text;
use super::{GridFileError, GridFileErrorKind, GridFileSettings};

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct GridFile<'a> {
    cell_size: Option<f32>,
    plane: Option<GridPlane>,
    legend: Option<BTreeMap<char, LegendEntry>>,
    #[serde(default)]
    kinds: Vec<AgentKind>,
    /// How steep the default kind of agent climbs.
    #[serde(skip_serializing_if = "Option::is_none")]
    climb: Option<f32>,
    /// A height for each cell, row by row.
    #[serde(skip_serializing_if = "Option::is_none")]
    elevation: Option<Vec<Vec<f32>>>,
    /// A cell for each fence, and the direction over it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    fences: SavedFences,
    /// A cell for each edge with another rule, and the direction over it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    edges: SavedEdges,
    /// Links between cells of this grid.
    #[serde(default)]
    links: Vec<FileLink>,
    /// Borrowed from the text, so that an error can name its position in the file.
    #[serde(borrow)]
    rows: Vec<&'a str>,
}

/// A link between cells of the grid.
#[derive(Deserialize, Serialize, Clone, Copy)]
#[serde(deny_unknown_fields)]
struct FileLink {
    /// The first cell of each end.
    from: (i32, i32),
    to: (i32, i32),
    /// Columns and rows of each end.
    #[serde(default = "one_cell")]
    from_size: (u16, u16),
    #[serde(default = "one_cell")]
    to_size: (u16, u16),
    #[serde(default = "default_cost")]
    cost: f32,
    #[serde(default = "default_true")]
    both_ways: bool,
    #[serde(default = "default_true")]
    is_open: bool,
    #[serde(default)]
    crossing: LinkMotion,
    #[serde(default = "all_kinds")]
    kinds: KindSet,
}

const fn one_cell() -> (u16, u16) {
    (1, 1)
}

const fn default_cost() -> f32 {
    1.0
}

const fn default_true() -> bool {
    true
}

const fn all_kinds() -> KindSet {
    KindSet::ALL
}

impl From<FileLink> for NavLink {
    fn from(link: FileLink) -> Self {
        let end = |(x, y): (i32, i32), (columns, rows): (u16, u16)| {
            let last = |first: i32, count: u16| first.saturating_add(i32::from(count.max(1)) - 1);
            let cells =
                CellRect { min: GridCell::new(x, y), max: GridCell::new(last(x, columns), last(y, rows)) };
            LinkEnd::strip(Entity::PLACEHOLDER, cells)
        };
        let FileLink { from, to, from_size, to_size, cost, both_ways, is_open, crossing, kinds } = link;
        Self {
            both_ways,
            cost,
            kinds,
            is_open,
            crossing,
            ..Self::new(end(from, from_size), end(to, to_size))
        }
    }
}

impl From<&NavLink> for FileLink {
    fn from(link: &NavLink) -> Self {
        let first = |end: LinkEnd| (end.cells.min.x, end.cells.min.y);
        let side = |from: i32, to: i32| u16::try_from(i64::from(to) - i64::from(from) + 1).unwrap_or(1);
        let size =
            |LinkEnd { cells, .. }: LinkEnd| (side(cells.min.x, cells.max.x), side(cells.min.y, cells.max.y));
        let &NavLink { from, to, cost, both_ways, is_open, crossing, kinds } = link;
        let (from_size, to_size) = (size(from), size(to));
        Self {
            from: first(from),
            to: first(to),
            from_size,
            to_size,
            cost,
            both_ways,
            is_open,
            crossing,
            kinds,
        }
    }
}

/// The meaning of a character.
#[derive(Deserialize, Serialize, Clone, Copy)]
#[serde(deny_unknown_fields)]
struct LegendEntry {
    class: u8,
    /// Cost for the default kind of agent; if it is missing, the default cost of the class.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<f32>,
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    blocked: bool,
}

/// Optional fields are written without `Some`, and numbers of a type of their own without parentheses.
fn options() -> ron::Options {
    ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME | Extensions::UNWRAP_NEWTYPES)
}

/// Reads a `.grid.ron`.
pub(super) fn read(bytes: &[u8], settings: &GridFileSettings) -> Result<NavGrid, GridFileError> {
    let text = text(bytes)?;
    let file: GridFile = options().from_str(text).map_err(|error| {
        let place = error.span.start;
        GridFileError::at(place.line, place.col, GridFileErrorKind::Ron(error.code.to_string()))
    })?;
    let terrain_for = |character: char| match &file.legend {
        Some(legend) => legend.get(&character).map(|entry| Terrain(entry.class)),
        None => Terrain::from_char(character),
    };
    let mut grid = Grid::from_rows(&file.rows, settings.max_cells, terrain_for)
        .map_err(|error| in_rows(text, &file.rows, error))?;
    let mut costs = CostTable::default();
    for (&character, entry) in file.legend.iter().flatten() {
        costs = entry.apply_to(costs).map_err(|error| {
            GridFileError::at_byte(text, text.find(&format!("'{character}'")).unwrap_or(0), error)
        })?;
    }
    let whole = |error: GridError| GridFileError::at(1, 1, error);
    let usual = AgentKind::default();
    let climb = file.climb.unwrap_or(usual.climb);
    grid.set_kind(KindId::default(), AgentKind { costs, climb, ..usual }).map_err(whole)?;
    if let Some(rows) = file.elevation {
        let is_complete =
            rows.len() == grid.height() as usize && rows.iter().all(|row| row.len() == grid.width() as usize);
        if !is_complete {
            let kind = GridFileErrorKind::Elevation { columns: grid.width(), rows: grid.height() };
            return Err(GridFileError::at_byte(text, text.find("elevation").unwrap_or(0), kind));
        }
        grid = grid.with_elevation(|cell| rows[cell.y as usize][cell.x as usize]).map_err(whole)?;
    }
    load_edges(&mut grid, file.fences, file.edges).map_err(whole)?;
    for kind in file.kinds {
        grid.add_kind(kind).map_err(whole)?;
    }
    let links = file.links.into_iter().map(NavLink::from);
    Ok(NavGrid::new(grid)
        .with_cell_size(file.cell_size.unwrap_or(settings.cell_size))
        .with_plane(file.plane.unwrap_or(settings.plane))
        .with_links(Entity::PLACEHOLDER, links))
}

/// An error in the rows, at its position in the file.
fn in_rows(text: &str, rows: &[&str], error: TextError) -> GridFileError {
    let Some(row) = rows.get(error.line as usize - 1).or(rows.last()) else {
        return GridFileError::at(1, 1, error.kind);
    };
    let start = (row.as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len());
    let mut place = GridFileError::at_byte(text, start, error.kind);
    place.column += error.column - 1;
    place
}

impl LegendEntry {
    /// The cost table with the cost of this entry's class.
    fn apply_to(&self, costs: CostTable) -> Result<CostTable, GridError> {
        let class = Terrain(self.class);
        match self.cost {
            _ if self.blocked => Ok(costs.blocked(class)),
            Some(cost) => costs.with(class, cost),
            None => Ok(costs),
        }
    }
}

impl NavGrid {
    /// The grid in the `.grid.ron` format: its terrain without what obstacles cover, its elevation, its fences and
    /// other rules of edges, a legend of every class that occurs with its costs, its kinds of agents, and its
    /// [links](Self::with_links).
    #[must_use]
    pub fn to_grid_ron(&self) -> String {
        let grid = self.bare();
        let kind = grid.kind(KindId::default()).cloned().unwrap_or_default();
        let usual = AgentKind::default();
        let mut occurs = [false; 256];
        for terrain in grid.bounds().cells().filter_map(|cell| grid.terrain(cell)) {
            occurs[usize::from(terrain.0)] = true;
        }
        let mut spare =
            ('a'..='z').chain('A'..='Z').chain('À'..).filter(|&c| Terrain::from_char(c).is_none());
        let (mut characters, mut legend) = (BTreeMap::new(), BTreeMap::new());
        for class in (0..=u8::MAX).map(Terrain) {
            let cost = kind.costs.cost(class);
            let is_usual = cost == usual.costs.cost(class);
            if occurs[usize::from(class.0)] || !is_usual {
                let character =
                    class.to_char().or_else(|| spare.next()).expect("there are more characters than classes");
                characters.insert(class, character);
                let (cost, blocked) = (cost.filter(|_| !is_usual), cost.is_none() && !is_usual);
                legend.insert(character, LegendEntry { class: class.0, cost, blocked });
            }
        }
        let row = |y| (0..grid.width() as i32).map(|x| grid.elevation(GridCell::new(x, y))).collect();
        let rows = grid.to_rows(|terrain| characters.get(&terrain).copied());
        let rows = rows.expect("the legend holds all classes");
        let (fences, edges) = saved_edges(&grid);
        let file = GridFile {
            cell_size: Some(self.cell_size()),
            plane: Some(self.plane()),
            legend: Some(legend),
            kinds: kinds_of(&grid).skip(1).cloned().collect(),
            climb: Some(kind.climb).filter(|&climb| climb != usual.climb),
            elevation: grid.has_elevation().then(|| (0..grid.height() as i32).map(row).collect()),
            fences,
            edges,
            links: self.links(Entity::PLACEHOLDER).map(|link| FileLink::from(&link)).collect(),
            rows: rows.iter().map(String::as_str).collect(),
        };
        // One line for each kind, link, and row.
        let layout = PrettyConfig::new().new_line("\n").depth_limit(2);
        options().to_string_pretty(&file, layout).expect("the file is plain data")
    }
}

#[cfg(test)]
mod tests {
    use pathfind_core::{AgentSize, Direction, EdgeRule};

    use super::super::GridFormat;
    use super::*;

    fn read(text: &str) -> Result<NavGrid, GridFileError> {
        NavGrid::from_file("a.grid.ron", GridFormat::Ron, text.as_bytes(), &GridFileSettings::default())
    }

    #[test]
    fn a_link_whose_ends_are_no_strips_can_be_written() {
        let all = CellRect { min: GridCell::new(i32::MIN, 0), max: GridCell::new(i32::MAX, 0) };
        let end = LinkEnd::strip(Entity::PLACEHOLDER, all);
        assert_eq!(FileLink::from(&NavLink::new(end, end)).from_size, (1, 1));
    }

    #[test]
    fn a_written_grid_is_read_as_it_was() {
        let grid = Grid::from_fn(40, 20, |GridCell { x, y }| Terrain((x * 7 + y * 40) as u8)).unwrap();
        let mut nav = NavGrid::new(grid).with_cell_size(0.1).with_plane(GridPlane::XyDown);
        let costs = CostTable::default().with(Terrain(7), 3.25).unwrap().blocked(Terrain(9));
        let climber = AgentKind { costs: costs.clone(), climb: 2.5, ..AgentKind::default() };
        nav.set_elevation(GridCell::new(30, 4), -0.1).unwrap();
        nav.set_fence((30, 3), Direction::N, true).unwrap();
        nav.set_edge((31, 3), Direction::W, EdgeRule::ONE_WAY).unwrap();
        nav.set_edge((31, 3), Direction::S, EdgeRule::surcharge(0.1, 30.0)).unwrap();
        let giant =
            AgentKind { size: AgentSize::Disc(1.5), costs: costs.blocked(Terrain(8)), climb: f32::INFINITY };
        nav.set_kinds([&climber, &giant]);
        let back = read(&nav.to_grid_ron()).unwrap();
        for cell in nav.grid().bounds().cells() {
            assert_eq!(back.grid().terrain(cell), nav.grid().terrain(cell), "{cell}");
            assert_eq!(back.grid().elevation(cell), nav.grid().elevation(cell), "{cell}");
            let edges = |grid: &NavGrid| Direction::ALL.map(|direction| grid.edge(cell, direction));
            assert_eq!(edges(&back), edges(&nav), "{cell}");
        }
        assert_eq!(back.grid().kind(KindId(0)), nav.grid().kind(KindId(0)));
        assert_eq!(back.grid().kind(KindId(1)), Some(&giant));
        assert_eq!((back.cell_size(), back.plane()), (0.1, GridPlane::XyDown));
        assert_eq!(back.to_grid_ron(), nav.to_grid_ron(), "and is written the same");
    }

    #[test]
    fn a_legend_says_what_characters_mean() {
        let nav = read(
            "(legend: {'_': (class: 0), 'm': (class: 20, cost: 4.5), '~': (class: 3, blocked: true)},\n rows: [\"_m~\"])",
        )
        .unwrap();
        let cost = |x| nav.grid().cost(KindId(0), GridCell::new(x, 0));
        assert_eq!([cost(0), cost(1), cost(2)], [Some(1.0), Some(4.5), None]);
        let plain = read("(rows: [\"..5\", \".#.\"])").unwrap();
        assert_eq!(plain.grid().to_ascii().unwrap(), "..5\n.#.\n", "without a legend, as ASCII maps");
    }

    #[test]
    fn links_are_read_and_written() {
        let text = "(links: [(from: (0, 0), to: (2, 1), cost: 3.5, both_ways: false, crossing: Teleport),
             (from: (1, 0), to: (1, 1), from_size: (2, 1), to_size: (2, 1))], rows: [\"...\", \"...\"])";
        let (nav, grid) = (read(text).unwrap(), Entity::from_raw_u32(7).unwrap());
        let links: Vec<NavLink> = nav.links(grid).collect();
        let end = |x, y| LinkEnd::new(grid, GridCell::new(x, y));
        let teleporter = NavLink::new(end(0, 0), end(2, 1)).with_cost(3.5).with_both_ways(false);
        assert_eq!(links[0], teleporter.with_crossing(LinkMotion::Teleport));
        let strip = |y| LinkEnd::strip(grid, CellRect::new(GridCell::new(1, y), GridCell::new(2, y)));
        assert_eq!(links[1], NavLink::new(strip(0), strip(1)));
        let other = LinkEnd::new(Entity::PLACEHOLDER, GridCell::new(0, 0));
        let all = links.iter().copied().chain([NavLink::new(end(0, 0), other)]);
        let written = nav.clone().with_links(grid, all).to_grid_ron();
        assert!(read(&written).unwrap().links(grid).eq(links), "but for the one that leads to another grid");
        assert!(read("(links: [(from: (0, 0))], rows: [\".\"])").is_err(), "a link has two ends");
    }

    #[test]
    fn errors_name_line_and_column() {
        let place = |text: &str| {
            let error = read(text).map(|_| ()).expect_err("the text is broken");
            (error.line, error.column, error.to_string())
        };
        let (line, column, words) = place("(\n  rows: [\n    \"...\",\n    \".?.\",\n  ],\n)");
        assert_eq!((line, column), (4, 7), "{words}");
        assert_eq!(words, "a.grid.ron, line 4, column 7: '?' stands for no terrain");
        assert_eq!(place("(\n  rows: [\"...\", \"..\"],\n)").0, 2);
        assert_eq!(
            place("(\n  rows: [],\n)").2,
            "a.grid.ron, line 1, column 1: a side of 0 cells is not between 1 and 16384"
        );
        let (line, column, words) =
            place("(\n  legend: {\n    'm': (class: 2, cost: -4.0),\n  },\n  rows: [\"m\"],\n)");
        assert_eq!((line, column), (3, 5), "{words}");
        let (line, _, words) = place("(\n  rows: [\"...\"],\n  speed: 3,\n)");
        assert_eq!(line, 3, "{words}");
        assert_eq!(place("(rows: [\"..\\u{2e}\"])").0, 1, "a row with escapes is refused");
        assert!(place("").2.starts_with("a.grid.ron, line 1"), "nothing is no map");
        let bad_kind = "(kinds: [(size: Square(0), costs: [])], rows: [\"..\"])";
        assert!(read(bad_kind).is_err(), "no agent is zero cells wide");
        assert_eq!(
            place("(\n  rows: [\"...\"],\n  elevation: [[0.0, 1.0]],\n)"),
            (3, 3, "a.grid.ron, line 3, column 3: elevation needs 1 rows of 3 heights".to_owned())
        );
        assert!(read("(rows: [\".\"], elevation: [[1e9]])").is_err(), "nothing is that high");
    }

    #[test]
    fn too_many_cells_are_refused() {
        let settings = GridFileSettings { max_cells: 5, ..Default::default() };
        let error = NavGrid::from_file("a", GridFormat::Ron, b"(rows: [\"...\", \"...\"])", &settings);
        let kind = pathfind_core::TextErrorKind::TooManyCells { cells: 6, max: 5 };
        assert_eq!(error.unwrap_err().kind, GridFileErrorKind::Map(kind));
    }
}
