//! Collects the input of a search from the world, when the request is queued for a worker.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use pathfind_core::{Algorithm, Goal, Grid, GridCell, KindId, Limits, PathQuery, VehiclePose, VehicleQuery};

use super::SolveSettings;
use super::search_input::{OverLinks, SearchInput};
use crate::agent::{AgentBody, Vehicle};
use crate::order::{NavGoal, PathError, RequesterItem, SearchOptions};
use crate::world::{DisabledGrids, GridRef, Grids, LinkGraph, Positions, Tie, TieOf};

/// A body within this distance of a walkable cell counts as standing on it, in cells: one that was pushed onto the
/// edge or corner of a wall stands beside the wall, not in it. Not measured.
const EDGE_TOLERANCE: f32 = 0.05;

/// A question for a search: a start, a goal, and how to search.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) number: u64,
    pub(super) from: Vec3,
    pub(super) grid: GridRef<'a>,
    pub(super) goal: &'a NavGoal,
    pub(super) body: AgentBody,
    /// The vehicle, if it is one, and the direction in which that heads.
    pub(super) vehicle: Option<(Vehicle, Vec3)>,
    /// The options; `None` for those of [`SearchOptions`].
    pub(super) options: Option<SearchOptions>,
    /// The kind for which the path is searched, if it is not that of the body.
    pub(super) breach: Option<KindId>,
    /// The arrival slot to which the path is to lead, instead of to the goal.
    pub(super) slot: Option<GridCell>,
    /// Whether the path may begin at the nearest walkable cell, from a start on blocked ground.
    pub(super) from_blocked: bool,
    /// Whether the plugin asks for another path, not the user for a first.
    pub(super) is_replan: bool,
}

/// The ground on which searches run.
#[derive(SystemParam)]
pub(super) struct Ground<'w, 's> {
    pub(super) grids: Grids<'w, 's>,
    pub(super) disabled: DisabledGrids<'w, 's>,
    pub(super) positions: Positions<'w, 's>,
    links: Res<'w, LinkGraph>,
    ties: Query<'w, 's, Tie>,
    pub(super) defaults: Res<'w, SearchOptions>,
    settings: Res<'w, SolveSettings>,
}

impl Ground<'_, '_> {
    /// The input of the search for a request, as the world is now.
    pub(super) fn input_for(&self, requester: &RequesterItem) -> Result<SearchInput, PathError> {
        let grid = requester.ticket.grid.and_then(|entity| self.grids.get(entity));
        let slot = requester.ticket.slot.filter(|_| !requester.ticket.is_recheck());
        let is_replan = requester.ticket.is_replan();
        let known = requester.request.known().filter(|_| slot.is_none() && !is_replan);
        let input = self.input(&Asked {
            number: requester.ticket.number,
            from: self.positions.of(requester.entity).unwrap_or(Vec3::NAN),
            grid: grid.ok_or(PathError::GridRemoved)?,
            goal: &requester.request.goal,
            body: requester.body(),
            vehicle: requester.vehicle(),
            options: requester.request.options,
            breach: requester.breacher.map(|breacher| breacher.kind),
            slot,
            // An agent that stands in a wall first walks out of it, and one that was thrown off the map on its way walks
            // back. A new request from outside of the map is an error: the map or the agent is probably misplaced.
            from_blocked: requester.agent.is_some(),
            is_replan,
        })?;
        Ok(input.with_known(known))
    }

    /// The input of a search, as the world is now.
    pub(super) fn input(&self, asked: &Asked) -> Result<SearchInput, PathError> {
        let &Asked { grid, slot, body, .. } = asked;
        let (kind, cell_size) = (body.kind, grid.place.cell_size());
        let points = asked.goal.points(&self.positions)?;
        if !grid.place.is_usable() {
            return Err(PathError::BadGrid);
        }
        let from = grid.place.to_grid(asked.from);
        let goal_point = points.first().copied().unwrap_or(Vec3::NAN);
        let is_vehicle = asked.vehicle.is_some();
        let goal_grid = if is_vehicle { grid } else { self.grid_of_goal(&grid, asked.goal, &points) };
        let mut to: Vec<_> = match slot {
            // The slot may be the cell of a point of the goal.
            Some(slot) => {
                let mut points = points.into_iter().map(|point| grid.place.to_grid(point));
                let point = points.find(|&point| GridCell::containing(point) == slot);
                // An agent that had settled and was sent to the same goal stays as it stands.
                let has_settled = !asked.is_replan && GridCell::containing(from) == slot;
                let there = if has_settled { from } else { slot.center() };
                vec![point.unwrap_or(there)]
            }
            None => points.into_iter().map(|point| goal_grid.place.to_grid(point)).collect(),
        };
        if !from.is_finite() || !to.iter().all(|to| to.is_finite()) {
            return Err(PathError::NotFinite);
        }
        to.sort_by(|a, b| a.distance_squared(from).total_cmp(&b.distance_squared(from)));
        // Of several goal points only those on loaded parts of the grid count; if there are none, the path leads
        // towards the nearest goal point.
        let loaded = to.iter().filter(|&&to| self.grids.beyond_canvas(&goal_grid, to).is_none());
        let cells: Vec<_> = loaded.copied().map(GridCell::containing).collect();
        let beyond = to.first().filter(|_| cells.is_empty());
        let beyond = beyond.and_then(|&to| self.grids.beyond_canvas(&goal_grid, to));
        let goal = match (slot, beyond) {
            (Some(slot), _) => Goal::GridCell(slot),
            (None, Some(towards)) => Goal::GridCell(towards),
            (None, None) => asked.goal.on(&goal_grid, cells),
        };
        let options = asked.options.unwrap_or(*self.defaults);
        let own_cell = start_cell(grid.nav.grid(), kind, from);
        let is_inside = grid.nav.grid().contains(own_cell);
        let may_move = asked.from_blocked && (is_inside || asked.is_replan);
        let walkable = may_move.then(|| grid.nav.grid().nearest_walkable(kind, own_cell)).flatten();
        let start = walkable.unwrap_or(own_cell);
        // To a slot, which lies on this side of what has to be broken, the agent goes by its own ways.
        let breach = asked.breach.filter(|&breach| slot.is_none() && grid.nav.grid().kind(breach).is_some());
        let mut query = options.path_query(start, goal, breach.unwrap_or(kind));
        if query.algorithm.is_any_angle() {
            query.radius = body.shape(cell_size).radius;
        }
        if query.algorithm == Algorithm::Auto && is_farther(&query, self.settings.exact_within) {
            query.algorithm = Algorithm::Hierarchical;
        }
        let vehicle = asked.vehicle.map(|(vehicle, ahead)| {
            let heading = grid.place.to_grid(asked.from + ahead * cell_size) - from;
            let start = VehiclePose { position: from, heading: libm::atan2f(heading.y, heading.x) };
            let default = VehicleQuery::new(start, to[0], vehicle.body(cell_size)).with_kind(kind);
            let expansions = query.limits.expansions.or(default.limits.expansions);
            default.with_limits(Limits { expansions, ..query.limits })
        });
        let over_links =
            if slot.is_some() || is_vehicle { None } else { self.over_links(&grid, &goal_grid, goal_point) };
        Ok(SearchInput {
            number: asked.number,
            grid: grid.entity,
            map_id: grid.nav.map_id(),
            snapshot: grid.nav.grid().clone(),
            from,
            to,
            query,
            body,
            vehicle,
            is_breach: breach.is_some(),
            cell_size,
            corners: options.corners,
            straighten: options.straighten,
            record: self.settings.record,
            cache_capacity: self.settings.cache_capacity,
            over_links,
            links_version: self.links.version(),
            is_beyond: slot.is_none() && beyond.is_some(),
            known: None,
        })
    }

    /// The agent's grid and the goal cell of a request whose goal is a single point, taken to be on that grid. It is
    /// the same cell as in [`input`](Self::input), if no links are involved, and costs less.
    pub(super) fn goal_cell(&self, requester: &RequesterItem) -> Option<(Entity, GridCell)> {
        let grid = requester.ticket.grid.and_then(|entity| self.grids.get(entity))?;
        if let Some(slot) = requester.ticket.slot.filter(|_| !requester.ticket.is_recheck()) {
            return Some((grid.entity, slot));
        }
        let point = match requester.request.goal {
            NavGoal::Point(point) => point,
            NavGoal::Entity(entity) | NavGoal::SlotOf(entity) => self.positions.of(entity)?,
            NavGoal::AnyOf(ref points) => *points.points().first().filter(|_| points.points().len() == 1)?,
            NavGoal::Within { .. } => return None,
        };
        let point = grid.place.is_usable().then(|| grid.place.to_grid(point))?;
        let cell = self.grids.beyond_canvas(&grid, point).unwrap_or_else(|| GridCell::containing(point));
        Some((grid.entity, cell))
    }

    /// The grid that the goal lies on. Without links this is the grid of the agent. With links it is the grid that
    /// the goal entity stands on, or the grid nearest above or below the first goal point, if links join that grid to
    /// the agent's; if not, it is the grid of the agent.
    fn grid_of_goal<'a>(&'a self, own: &GridRef<'a>, goal: &NavGoal, points: &[Vec3]) -> GridRef<'a> {
        if self.links.is_empty() {
            return *own;
        }
        let (on, _, offset, _) = match *goal {
            NavGoal::Entity(entity) | NavGoal::SlotOf(entity) => self.ties.get(entity).unwrap_or_default(),
            _ => TieOf::default(),
        };
        let of_point = |&point: &Vec3| self.grids.of((on, None, offset, None), point).ok();
        points
            .first()
            .and_then(of_point)
            .filter(|goal| self.links.needs_links(own.entity, goal.entity))
            .unwrap_or(*own)
    }

    /// The graph of grids and links, if a path between two grids, or between two cells of one grid, may lead over
    /// links.
    fn over_links(&self, own: &GridRef, goal_grid: &GridRef, goal: Vec3) -> Option<OverLinks> {
        if !self.links.needs_links(own.entity, goal_grid.entity) {
            return None;
        }
        let world = self.links.graph(&self.grids).clone();
        let (from, to) = (world.id(own.entity)?, world.id(goal_grid.entity)?);
        Some(OverLinks { world, from, to, goal })
    }
}

/// Whether the goal of a query is more than `cells` columns or rows away from the start. A goal of several cells
/// never is.
fn is_farther(query: &PathQuery, cells: u32) -> bool {
    let Goal::GridCell(goal) = query.goal else { return false };
    query.start.x.abs_diff(goal.x).max(query.start.y.abs_diff(goal.y)) > cells
}

/// The cell on which a body at a point stands: the first walkable one of those within [`EDGE_TOLERANCE`], else the
/// cell that contains the point.
pub(super) fn start_cell(grid: &Grid, kind: KindId, point: Vec2) -> GridCell {
    let own = GridCell::containing(point);
    let sides = [(0.0, 0.0), (-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)];
    let corners = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)];
    let near = sides
        .into_iter()
        .chain(corners)
        .map(|step| GridCell::containing(point + EDGE_TOLERANCE * Vec2::from(step)));
    near.into_iter().find(|&cell| grid.is_walkable(kind, cell)).unwrap_or(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_on_the_corner_of_a_wall_counts_as_on_a_free_cell() {
        let grid = Grid::from_ascii("...\n.#.\n...").unwrap();
        let on = |x: f32, y: f32| start_cell(&grid, KindId::default(), Vec2::new(x, y));
        assert_eq!(
            on(1.0, 1.0),
            GridCell::new(0, 1),
            "the corner is in the cell of the wall, and touches free cells"
        );
        assert_eq!(on(1.5, 1.0), GridCell::new(1, 0), "so does a point on the edge");
        assert_eq!(on(1.5, 1.5), GridCell::new(1, 1), "a point inside the wall is in the wall");
        assert_eq!(on(0.99, 0.5), GridCell::new(0, 0), "a free cell is kept");
    }
}
