//! Paths of bodies that cannot turn on the spot: trucks, tanks with a trailer, ships. The search knows headings.
//!
//! It is hybrid A* (D. Dolgov, S. Thrun, M. Montemerlo and J. Diebel, "Path Planning for Autonomous Vehicles in
//! Unknown Semi-structured Environments", 2010): positions are exact, and of all that lie in the same part of a cell
//! with the same heading one is kept. A path is made of the curves of a car that reverses (J. A. Reeds and L. A.
//! Shepp, "Optimal paths for a car that goes both forwards and backwards", 1990): arcs of the turning circle, and
//! straight lines. Three things are added:
//!
//! - Headings are multiples of one angle, so that a search turns by tables; the four along the axes are among them. A
//!   body that turns to an axis can first drive straight until it ends on a *lane*, a line along the axis in the
//!   middle of cells or between them: so it fits into a road that is hardly wider than itself.
//! - The estimate is the greater of two: the cost of the path of steps, by Dijkstra's search backwards from the goal, as
//!   far as needed; and the cost of the drive to the goal if there were no walls, from a table made once for a body.
//!   Estimates count a little more than they are (weighted A*), which finds a path sooner.
//! - Steps count only where a disc as wide as the body gets through. Where none lead to the goal, no drive does.
//! - A search that finds no path is repeated with finer headings, parts and arcs, before the answer is that there is
//!   none.
//!
//! A path is no shortest one: it is made of the turns that the search tries, and the estimates are too great in places:
//! steps go in eight directions.

mod body;
mod drive;
mod goal_costs;
mod motions;
mod open_costs;
mod path;
mod query;
mod records;
mod to_goal;
mod wide_steps;

pub use drive::{VehicleSearch, solve_vehicle};
pub(super) use motions::Motions;
pub(super) use open_costs::OpenCosts;
pub use path::{VehicleLeg, VehiclePath};
pub use query::{VehicleBody, VehiclePose, VehicleQuery};
