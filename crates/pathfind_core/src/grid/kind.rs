//! Kinds of agents: their size and their costs by terrain class.

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};

use super::{CornerRule, CostTable, Grid, GridCell, GridError, Layer, Terrain};

/// The size of an agent on the grid; by default a square of one cell.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum AgentSize {
    /// A square with this side, in cells. Its position, and so its path, is that of its cell of least column and row.
    /// Range: 1 to 64.
    Square(u8),
    /// A disc with this radius, in cells, round the centre of its cell. All cells that the disc overlaps must be
    /// passable, and it keeps its radius from walls and fences all along its path. A disc never cuts corners, whatever the
    /// [`CornerRule`](super::CornerRule). Range: 0 to 32.
    Disc(f32),
}

impl AgentSize {
    pub(crate) fn check(self) -> Result<(), GridError> {
        let fits = match self {
            Self::Square(side) => (1..=64).contains(&side),
            Self::Disc(radius) => (0.0..=32.0).contains(&radius),
        };
        if fits { Ok(()) } else { Err(GridError::BadSize(self)) }
    }

    /// The cells that an agent on cell (0, 0) covers.
    pub(crate) fn footprint(self) -> Vec<GridCell> {
        match self {
            Self::Square(side) => {
                let last = i32::from(side) - 1;
                super::CellRect::new(GridCell::new(0, 0), GridCell::new(last, last)).cells().collect()
            }
            Self::Disc(radius) => {
                let reach = (radius + 0.5).floor() as i32;
                let nearest = |d: i32| (d.abs() as f32 - 0.5).max(0.0);
                let square = super::CellRect::new(GridCell::new(-reach, -reach), GridCell::new(reach, reach));
                let covers = |c: &GridCell| {
                    *c == GridCell::default()
                        || nearest(c.x) * nearest(c.x) + nearest(c.y) * nearest(c.y) < radius * radius
                };
                square.cells().filter(covers).collect()
            }
        }
    }
}

impl Default for AgentSize {
    fn default() -> Self {
        Self::Square(1)
    }
}

/// A kind of agent: its costs by terrain class, its size, and how steep it climbs.
///
/// A cell is walkable for the kind if all cells that an agent covers there are passable, and no
/// [fence](Grid::set_fence) stands between two of them. The cost of a step depends
/// only on the terrain of the agent's own cell, not on the other cells that the agent covers.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct AgentKind {
    /// Cost by terrain class. Default: [`CostTable::default`].
    pub costs: CostTable,
    /// Size of the agent. Default: one cell.
    pub size: AgentSize,
    /// The greatest difference in height between two cells, up or down, that one step overcomes. Where it is greater
    /// there is a cliff: no step leads over it, and no agent falls down it. For a diagonal step the two cells beside
    /// it count too. Only the agent's own cell is compared, so that a wide agent may hang over a cliff. Has no effect
    /// on a grid without [heights](Grid::with_elevation). Unit: cells. Range: 0 and up; infinite for an agent that
    /// climbs anything but fences. Default: `1.0`, a slope of 45 degrees.
    #[cfg_attr(feature = "serde", serde(with = "crate::saved::infinite"))]
    pub climb: f32,
}

impl Default for AgentKind {
    fn default() -> Self {
        Self { costs: CostTable::default(), size: AgentSize::default(), climb: 1.0 }
    }
}

impl AgentKind {
    /// With another cost of a class of terrain.
    ///
    /// # Errors
    /// Those of [`CostTable::with`].
    pub fn with_cost(mut self, terrain: Terrain, cost: f32) -> Result<Self, GridError> {
        self.costs = self.costs.with(terrain, cost)?;
        Ok(self)
    }

    /// With a class of terrain made blocked.
    #[must_use]
    pub fn with_blocked(mut self, terrain: Terrain) -> Self {
        self.costs = self.costs.blocked(terrain);
        self
    }

    /// With another size.
    #[must_use]
    pub const fn with_size(mut self, size: AgentSize) -> Self {
        self.size = size;
        self
    }

    /// With another greatest step in height, in cells.
    #[must_use]
    pub const fn with_climb(mut self, climb: f32) -> Self {
        self.climb = climb;
        self
    }

    /// Whether a grid takes the kind.
    ///
    /// # Errors
    /// [`GridError::BadSize`] and [`GridError::BadClimb`].
    pub fn check(&self) -> Result<(), GridError> {
        self.size.check()?;
        if self.climb >= 0.0 { Ok(()) } else { Err(GridError::BadClimb(self.climb)) }
    }
}

/// The id of a kind of agent on one grid. The default id, 0, is that of the kind that every grid is made with.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect), type_path = "bevy_pathfind")]
#[cfg_attr(feature = "bevy_reflect", reflect(Default, Debug, PartialEq, Hash, Serialize, Deserialize))]
pub struct KindId(pub u8);

/// The shape of one agent: its kind, and the radius of its body.
///
/// Under [`CornerRule::Never`], the default, a body of a kind of [one cell](AgentSize::Square), which is the default
/// size, is a disc of this radius: it keeps its whole disc out of walls. A radius of more than half a cell counts as
/// half a cell, because the kind says that the body fits into one. For all other kinds and rules the radius has no
/// effect: their sizes say all, and the other rules let bodies cut corners, so that only the centre stays out of walls.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect), type_path = "bevy_pathfind")]
#[cfg_attr(feature = "bevy_reflect", reflect(Default, Debug, PartialEq, Serialize, Deserialize))]
pub struct AgentShape {
    /// The kind. Default: the kind that every grid has.
    pub kind: KindId,
    /// The radius of the body. Unit: cells. Range: 0 and up; NaN and negative numbers count as 0. Default: 0, a point.
    pub radius: f32,
}

impl From<KindId> for AgentShape {
    fn from(kind: KindId) -> Self {
        Self { kind, radius: 0.0 }
    }
}

impl AgentShape {
    /// The radius of the disc that stays out of walls, in cells; `None` for a point or a square, or if the grid does not
    /// know the kind.
    #[must_use]
    pub fn disc(self, grid: &Grid, corners: CornerRule) -> Option<f32> {
        let radius = match grid.kind(self.kind)?.size {
            AgentSize::Disc(radius) => radius,
            AgentSize::Square(1) if corners == CornerRule::Never => self.radius.clamp(0.0, 0.5),
            AgentSize::Square(_) => 0.0,
        };
        (radius > 0.0).then_some(radius)
    }
}

impl Grid {
    /// Adds a kind of agent; its walkable cells and regions are updated with every later edit.
    ///
    /// # Errors
    /// [`GridError::BadSize`], [`GridError::BadClimb`] and [`GridError::TooManyKinds`].
    pub fn add_kind(&mut self, kind: AgentKind) -> Result<KindId, GridError> {
        kind.check()?;
        if self.kinds.len() == Self::MAX_KINDS {
            return Err(GridError::TooManyKinds);
        }
        self.put_kind(self.kinds.len(), kind);
        Ok(KindId(self.kinds.len() as u8 - 1))
    }

    /// Replaces a kind of agent, for example to open a gate for its owners or to let a tank swim. Returns whether the
    /// new kind differs from the old one.
    ///
    /// # Errors
    /// [`GridError::UnknownKind`], [`GridError::BadSize`] and [`GridError::BadClimb`].
    pub fn set_kind(&mut self, id: KindId, kind: AgentKind) -> Result<bool, GridError> {
        kind.check()?;
        let old = self.kind(id).ok_or(GridError::UnknownKind(id))?;
        if *old == kind {
            return Ok(false);
        }
        self.put_kind(usize::from(id.0), kind);
        Ok(true)
    }

    /// Puts a kind at an index, in place of the one there or as the last, and derives its data unless the grid is compact.
    fn put_kind(&mut self, index: usize, kind: AgentKind) {
        let layer = (!self.is_compact()).then(|| Layer::new(kind.clone(), self.data()));
        if let Some((expanded, layer)) = self.expanded.get_mut().zip(layer) {
            expanded.layers.splice(index..self.kinds.len().min(index + 1), [layer]);
        }
        self.kinds.splice(index..self.kinds.len().min(index + 1), [kind]);
        self.revision += 1;
    }

    /// The number of kinds of agents on the grid.
    #[must_use]
    pub fn kind_count(&self) -> usize {
        self.kinds.len()
    }

    /// A kind of agent, or `None` if the grid has no kind with this id.
    #[must_use]
    pub fn kind(&self, id: KindId) -> Option<&AgentKind> {
        self.kinds.get(usize::from(id.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_of_one_cell_is_a_disc_where_it_cuts_no_corners() {
        let mut grid = Grid::new(3, 3).unwrap();
        let mut add = |size| grid.add_kind(AgentKind::default().with_size(size)).unwrap();
        let [wide, disc, point] =
            [AgentSize::Square(2), AgentSize::Disc(1.5), AgentSize::Disc(0.0)].map(&mut add);
        let disc_of = |kind, radius, corners| AgentShape { kind, radius }.disc(&grid, corners);
        let never = CornerRule::Never;
        for (radius, found) in
            [(0.4, Some(0.4)), (0.8, Some(0.5)), (0.0, None), (-1.0, None), (f32::NAN, None)]
        {
            assert_eq!(disc_of(KindId::default(), radius, never), found, "{radius}");
        }
        assert_eq!(disc_of(KindId::default(), 0.4, CornerRule::OneFree), None, "it cuts corners");
        assert_eq!(disc_of(disc, 0.4, CornerRule::Always), Some(1.5), "the kind says all");
        assert_eq!([wide, point, KindId(9)].map(|kind| disc_of(kind, 0.4, never)), [None; 3]);
    }

    #[test]
    fn footprints() {
        assert_eq!(AgentSize::Disc(0.0).footprint(), [GridCell::default()]);
        assert_eq!(AgentSize::Square(3).footprint().len(), 9);
        // At 0.5 it touches the edges and reaches into none; at 0.6 four sides, and no corners.
        let cells = [0.5, 0.6, 1.0].map(|radius| AgentSize::Disc(radius).footprint().len());
        assert_eq!(cells, [1, 5, 9]);
        for size in [AgentSize::Square(0), AgentSize::Disc(f32::NAN), AgentSize::Disc(-1.0)] {
            assert!(size.check().is_err());
        }
    }
}
