//! Terrain classes, and tables of the cost of each class for a kind of agent.

use std::sync::{Arc, LazyLock};

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};

use super::GridError;

/// The class of a cell: a small number that a [`CostTable`] maps to a cost, or to "blocked".
///
/// A game may give the numbers 5 to 10, 20 to 253 and 255 a meaning of its own; each costs 1 until a table says
/// otherwise. The other numbers are those of the constants below and of [`weight`](Self::weight).
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect), type_path = "bevy_pathfind")]
#[cfg_attr(feature = "bevy_reflect", reflect(Default, Debug, PartialEq, Hash, Serialize, Deserialize))]
pub struct Terrain(pub u8);

impl Terrain {
    /// Open ground: `.` and `G` in maps. Costs 1 by default.
    pub const GROUND: Self = Self(0);
    /// A wall, or outside the map: `@`, `O` and `#` in maps. Blocked by default.
    pub const WALL: Self = Self(1);
    /// Trees: `T` in maps. Blocked by default.
    pub const TREES: Self = Self(2);
    /// Shallow water: `S` in maps. Costs 1 by default.
    pub const SHALLOW: Self = Self(3);
    /// Deep water: `W` in maps. Blocked by default.
    pub const WATER: Self = Self(4);
    /// No ground at all: a hole in a floor, or a part of an endless world that is not loaded. Nothing can stand on it:
    /// a [`CostTable`] cannot make it passable.
    pub const VOID: Self = Self(254);

    /// Terrain that costs `cost` times open ground by default: the digits `1` to `9` in ASCII maps.
    /// Range: 1 to 9; others are clamped.
    #[must_use]
    pub const fn weight(cost: u8) -> Self {
        let at_least_1 = if cost < 1 { 1 } else { cost };
        Self(10 + if at_least_1 > 9 { 9 } else { at_least_1 })
    }
}

/// The cost of each terrain class for one kind of agent, as a multiple of the length walked on it.
///
/// By default every class costs 1, apart from those that [`Terrain`] names as blocked or as
/// [weights](Terrain::weight). A step costs its length times the cost of the cell that it enters. A table is
/// serialized as a list of the classes whose cost differs from [`CostTable::default`], with `None` for a blocked
/// class.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "Vec<(Terrain, Option<f32>)>", into = "Vec<(Terrain, Option<f32>)>")
)]
pub struct CostTable {
    /// Shared by clones, so that the kinds of thousands of grids have one table.
    costs: Arc<[f32; 256]>,
}

impl CostTable {
    /// The least cost of a passable class.
    pub const MIN_COST: f32 = 0.01;
    /// The greatest cost of a passable class.
    pub const MAX_COST: f32 = 1000.0;
    const BLOCKED: f32 = f32::INFINITY;

    /// The table with a class made passable at `cost`.
    ///
    /// Range: [`MIN_COST`](Self::MIN_COST) to [`MAX_COST`](Self::MAX_COST); 1 is open ground.
    ///
    /// # Errors
    /// [`GridError::BadCost`] if `cost` is out of range or NaN, and for [`Terrain::VOID`], which is always blocked.
    pub fn with(mut self, terrain: Terrain, cost: f32) -> Result<Self, GridError> {
        if !(Self::MIN_COST..=Self::MAX_COST).contains(&cost) || terrain == Terrain::VOID {
            return Err(GridError::BadCost { terrain, cost });
        }
        Arc::make_mut(&mut self.costs)[usize::from(terrain.0)] = cost;
        Ok(self)
    }

    /// The table with a class made blocked.
    #[must_use]
    pub fn blocked(mut self, terrain: Terrain) -> Self {
        Arc::make_mut(&mut self.costs)[usize::from(terrain.0)] = Self::BLOCKED;
        self
    }

    /// The table in which every class is blocked: the first step towards a kind that may enter a few classes only,
    /// such as a boat.
    #[must_use]
    pub fn all_blocked() -> Self {
        Self { costs: Arc::new([Self::BLOCKED; 256]) }
    }

    /// The cost of a class, or `None` if it is blocked.
    #[must_use]
    pub fn cost(&self, terrain: Terrain) -> Option<f32> {
        let cost = self.costs[usize::from(terrain.0)];
        (cost != Self::BLOCKED).then_some(cost)
    }

    /// Sets the cost of a class, which is in range; `None` for a blocked one.
    pub(super) fn put(&mut self, class: u8, cost: Option<f32>) {
        Arc::make_mut(&mut self.costs)[usize::from(class)] = cost.unwrap_or(Self::BLOCKED);
    }

    /// Whether an agent may stand on cells of a class.
    #[must_use]
    pub fn is_passable(&self, terrain: Terrain) -> bool {
        self.costs[usize::from(terrain.0)] != Self::BLOCKED
    }
}

impl From<CostTable> for Vec<(Terrain, Option<f32>)> {
    fn from(table: CostTable) -> Self {
        let usual = CostTable::default();
        let classes = (0..=u8::MAX).map(Terrain);
        classes.filter(|&it| table.cost(it) != usual.cost(it)).map(|it| (it, table.cost(it))).collect()
    }
}

impl TryFrom<Vec<(Terrain, Option<f32>)>> for CostTable {
    type Error = GridError;

    /// # Errors
    /// [`GridError::BadCost`] if a cost is out of range or NaN.
    fn try_from(costs: Vec<(Terrain, Option<f32>)>) -> Result<Self, GridError> {
        costs.into_iter().try_fold(Self::default(), |table, (terrain, cost)| match cost {
            Some(cost) => table.with(terrain, cost),
            None => Ok(table.blocked(terrain)),
        })
    }
}

impl Default for CostTable {
    /// The costs of the MovingAI benchmarks: ground and shallow water cost 1; walls, trees, deep water and
    /// [`Terrain::VOID`] are blocked. Besides, [`Terrain::weight`] costs its digit, and every other class 1.
    fn default() -> Self {
        static COSTS: LazyLock<Arc<[f32; 256]>> = LazyLock::new(|| {
            let mut costs = [1.0; 256];
            for terrain in [Terrain::WALL, Terrain::TREES, Terrain::WATER, Terrain::VOID] {
                costs[usize::from(terrain.0)] = CostTable::BLOCKED;
            }
            for digit in 1..=9 {
                costs[usize::from(Terrain::weight(digit).0)] = f32::from(digit);
            }
            Arc::new(costs)
        });
        Self { costs: COSTS.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_out_of_range_are_refused() {
        for cost in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e9] {
            assert!(CostTable::default().with(Terrain(7), cost).is_err(), "{cost} is no cost");
        }
        assert!(CostTable::default().with(Terrain::VOID, 1.0).is_err(), "there is nothing to walk on");
        let table = CostTable::default().with(Terrain::WATER, 3.0).unwrap().blocked(Terrain::GROUND);
        assert_eq!(table.cost(Terrain::WATER), Some(3.0), "a swimmer's table opens water");
        assert_eq!(table.cost(Terrain::GROUND), None);
        let boat = CostTable::all_blocked().with(Terrain::WATER, 1.0).unwrap();
        let passable = (0..=u8::MAX).map(Terrain).filter(|&terrain| boat.is_passable(terrain));
        assert!(passable.eq([Terrain::WATER]), "a boat's table opens water alone");
    }
}
