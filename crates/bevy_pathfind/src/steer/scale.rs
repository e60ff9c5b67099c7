//! Warns of lengths that do not suit the size of the cells, such as settings for cells of 1 world unit on a grid with
//! cells of 20 units. There is one warning for all agents.

use bevy::prelude::*;

use super::{Avoider, Crowd, CrowdIndex, SteerTick};
use crate::agent::Agent;
use crate::world::{Grids, NavGrid, Tie};

/// A radius of at most `1 / MAX_RATIO` cells or of more than `MAX_RATIO` cells causes a warning. Not measured: the
/// default radius on cells of 16 units is 1/40 of a cell.
const MAX_RATIO: f32 = 40.0;

/// Every how many ticks the agents are checked, because finding the few that have changed costs time for every agent.
/// Not measured.
const CHECK_TICKS: u64 = 16;

/// The components that are compared with the cells.
type Compared =
    (Entity, Option<&'static Name>, &'static Agent, Option<&'static Avoider>, &'static CrowdIndex, Tie);

/// New agents, and those whose avoider was changed.
type Changes = Or<(Added<Agent>, Changed<Avoider>)>;

/// Whether this is a tick in which the agents are checked: the first one, and every [`CHECK_TICKS`]th after it.
pub(super) fn is_due(tick: Res<SteerTick>) -> bool {
    tick.0 % CHECK_TICKS == 1
}

/// Checks agents that are new or whose avoider was changed; when there is a new grid, all agents. Warns of the first
/// agent whose lengths do not suit the cells that it stands on, once per application.
pub(super) fn compare_with_cells(
    changed: Query<Compared, Changes>,
    all: Query<Compared>,
    new_grids: Query<(), Added<NavGrid>>,
    (grids, crowd): (Grids, Res<Crowd>),
    mut has_warned: Local<bool>,
) {
    if *has_warned {
        return;
    }
    let grid_list = grids.all();
    let problem = |agent: &Agent, avoider: Option<&Avoider>, &slot: &CrowdIndex, tie| {
        let grid = grid_list.of(tie, crowd.body(slot)?.position).ok()?;
        problem(agent, avoider, grid.place.cell_size())
    };
    let check =
        |(entity, name, agent, avoider, slot, tie)| Some((entity, name, problem(agent, avoider, slot, tie)?));
    let found = match new_grids.is_empty() {
        true => changed.iter().find_map(check),
        false => all.iter().find_map(check),
    };
    if let Some((entity, name, what)) = found {
        *has_warned = true;
        let who = name.map_or_else(|| entity.to_string(), ToString::to_string);
        warn!("{who} {what}");
    }
}

/// What does not suit cells of this size, as the rest of a sentence that begins with the name of the agent; `None` if
/// all lengths suit.
fn problem(agent: &Agent, avoider: Option<&Avoider>, cell: f32) -> Option<String> {
    let advice =
        "if lengths are in pixels, make them with `scaled` (as in `Agent::with_speed(3.0).scaled(20.0)`)";
    if agent.radius > 0.0 && (agent.radius * MAX_RATIO <= cell || agent.radius > MAX_RATIO * cell) {
        let radius = agent.radius;
        return Some(format!(
            "has a radius of {radius}, but its grid has cells of {cell} world units: {advice}"
        ));
    }
    let range = avoider.filter(|avoider| avoider.is_reciprocal())?.neighbor_range;
    let sees_little = range > 0.0 && range < cell;
    sees_little.then(|| {
        format!("sees others within {range} world units, but its grid has cells of {cell}: {advice}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_for_other_cells_are_a_problem_and_scaled_ones_are_none() {
        let (agent, avoider) = (Agent::default(), Avoider::reciprocal());
        assert_eq!(problem(&agent, Some(&avoider), 1.0), None, "the defaults are for cells of 1");
        assert!(problem(&agent, None, 16.0).is_some(), "on tiles of 16 pixels");
        assert!(problem(&agent, None, 20.0).is_some_and(|what| what.contains("a radius of 0.4")));
        assert!(problem(&agent, None, 0.005).is_some(), "so is a radius of 80 cells");
        let large = agent.scaled(20.0);
        assert!(problem(&large, Some(&avoider), 20.0).is_some_and(|what| what.contains("within 10")));
        assert_eq!(problem(&large, Some(&avoider.scaled(20.0)), 20.0), None);
        assert_eq!(
            problem(&Agent { radius: 0.0, ..agent }, None, 1e6),
            None,
            "an agent without a body fits any cell"
        );
    }
}
