//! Selecting agents with the left button, and giving them goals.
//!
//! A click on an agent selects it, with Shift in addition to others; a drag selects all agents in the box; a click
//! on the map sends the selected agents there. A click beside the map does nothing but say so.

use bevy_pathfind::{prelude::*, world::GridTransform};
use pathfind_core::{NearestCells, StepRules};
use std::collections::HashSet;

use bevy::{
    ecs::{query::QueryData, system::SystemParam},
    prelude::*,
};

use crate::{
    actors::body_size,
    grid_picture::GridPicture,
    hud::Notice,
    pointer::Pointer,
    pulse::Pulses,
    theme,
    view::{View, ViewSystems},
};

/// On an agent that the user may command. Of several agents that are sent together, the one with the lowest rank gets
/// the goal itself, the others the nearest free cells.
#[derive(Component, Debug, Clone, Copy)]
pub(crate) struct Selectable {
    pub rank: u32,
}

/// Whether an agent has no request, or has come to the end of what it was asked.
pub(crate) fn is_at_rest(status: &PathStatus) -> bool {
    use PathStatus::{Arrived, EndedShort, Failed, Idle};
    matches!(status, Idle | Arrived | EndedShort(_) | Failed(_))
}

/// Marks agents that the next order applies to.
#[derive(Component, Debug)]
pub(crate) struct Selected;

/// On the entity of a `NavGrid`: the right button gives goals, and the left one only selects. All agents get the same
/// goal; the plugin assigns them places round it.
#[derive(Component, Debug, Default)]
pub(crate) struct RightClickOrders;

/// An agent that the user may command.
#[derive(QueryData)]
struct Unit {
    entity: Entity,
    selectable: &'static Selectable,
    transform: &'static Transform,
    agent: &'static Agent,
    is_selected: Has<Selected>,
}

impl UnitItem<'_, '_> {
    fn at(&self) -> Vec2 {
        self.transform.translation.truncate()
    }
}

/// A press that moves farther than this, in logical pixels, draws a selection box.
const CLICK_TOLERANCE: f32 = 6.0;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Update, (command, send_by_right_click, show_nearest).after(ViewSystems));
}

/// Draws a ring round the agent that a click would select.
fn show_nearest(squad: Query<Unit>, pointer: Res<Pointer>, view: Res<View>, mut gizmos: Gizmos) {
    let hit = nearest(&squad, pointer.world, view.scale).filter(|_| !pointer.is_over_panel);
    if let Some(unit) = hit.and_then(|hit| squad.get(hit).ok()) {
        let radius = 0.75 * body_size(unit.agent.radius, view.scale);
        gizmos.circle_2d(unit.at(), radius, theme::TEXT).resolution(32);
    }
}

/// Follows the left button from press to release, and acts on release. `press` is where it was pressed, on screen and
/// in the world.
fn command(
    squad: Query<Unit>,
    pointer: Res<Pointer>,
    keys: Res<ButtonInput<KeyCode>>,
    view: Res<View>,
    mut press: Local<Option<(Vec2, Vec2)>>,
    mut orders: Orders,
    mut gizmos: Gizmos,
) {
    if pointer.just_pressed(MouseButton::Left) {
        *press = Some((pointer.screen, pointer.world));
    }
    let Some((screen, world)) = *press else { return };
    if squad.is_empty() {
        *press = None;
        return;
    }
    let is_box = screen.distance(pointer.screen) > CLICK_TOLERANCE;
    let area = Rect::from_corners(world, pointer.world);
    if is_box {
        gizmos.rect_2d(area.center(), area.size(), theme::FRIEND);
    }
    if !pointer.just_released(MouseButton::Left) {
        return;
    }
    *press = None;
    let hit: Vec<_> = if is_box {
        squad.iter().filter(|unit| area.contains(unit.at())).map(|unit| unit.entity).collect()
    } else {
        nearest(&squad, pointer.world, view.scale).into_iter().collect()
    };
    if is_box || !hit.is_empty() || !orders.right_click_maps.is_empty() {
        let add = keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
        orders.select(&squad, &hit, add);
    } else {
        orders.send(&squad, pointer.world, true);
    }
}

/// Sends the selected agents, on maps with [`RightClickOrders`].
fn send_by_right_click(squad: Query<Unit>, pointer: Res<Pointer>, mut orders: Orders) {
    if pointer.just_pressed(MouseButton::Right) && !orders.right_click_maps.is_empty() {
        orders.send(&squad, pointer.world, false);
    }
}

/// Access to what an order needs.
#[derive(SystemParam)]
struct Orders<'w, 's> {
    commands: Commands<'w, 's>,
    grids: Query<'w, 's, (&'static NavGrid, &'static Transform), With<GridPicture>>,
    right_click_maps: Query<'w, 's, (), With<RightClickOrders>>,
    notice: ResMut<'w, Notice>,
    pulses: ResMut<'w, Pulses>,
}

impl Orders<'_, '_> {
    fn select(&mut self, squad: &Query<Unit>, hit: &[Entity], add: bool) {
        let hit: HashSet<_> = hit.iter().collect();
        for unit in squad {
            let mut entity = self.commands.entity(unit.entity);
            match (hit.contains(&unit.entity), unit.is_selected) {
                (true, false) => drop(entity.insert(Selected)),
                (false, true) if !add => drop(entity.remove::<Selected>()),
                _ => {}
            }
        }
    }

    /// Sends the selected agents to a point, or to separate places round it.
    fn send(&mut self, squad: &Query<Unit>, to: Vec2, is_spread: bool) {
        let Ok((nav, &place)) = self.grids.single() else { return };
        let place = GridTransform::new(nav, place);
        let goal = place.cell_at(to.extend(0.0));
        let mut sent: Vec<_> = squad.iter().filter(|unit| unit.is_selected).collect();
        sent.sort_by_key(|unit| unit.selectable.rank);
        if !nav.grid().contains(goal) {
            self.notice.show("There is no ground there: click on the map.");
        } else if sent.is_empty() {
            self.notice.show("No agent is selected: drag a box round one first.");
        } else {
            self.pulses.add(to.extend(0.0), theme::FRIEND);
            let cells = if is_spread { spread(nav, goal, sent.len()) } else { vec![goal; sent.len()] };
            for (unit, cell) in sent.iter().zip(cells) {
                let point = if cell == goal { to.extend(0.0) } else { place.cell_center(cell) };
                self.commands.entity(unit.entity).insert(PathRequest::to(point).with_priority(10));
            }
        }
    }
}

/// The minimal distance at which a click hits an agent, in logical pixels.
const CLICK_RADIUS: f32 = 9.0;

/// The agent under the pointer.
fn nearest(squad: &Query<Unit>, at: Vec2, scale: f32) -> Option<Entity> {
    let reach = |agent: &Agent| (body_size(agent.radius, scale) / 2.0).max(CLICK_RADIUS * scale);
    squad
        .iter()
        .map(|unit| (unit.at().distance(at), reach(unit.agent), unit.entity))
        .filter(|(distance, reach, _)| distance <= reach)
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, _, entity)| entity)
}

/// Distance between agents that were sent together, in cells.
const SPACING: u32 = 3;

/// `count` cells around `goal`, itself first, that are connected with it and at least [`SPACING`] cells from each
/// other. If there are fewer such cells, the goal is repeated.
fn spread(nav: &NavGrid, goal: GridCell, count: usize) -> Vec<GridCell> {
    let mut found = vec![goal];
    let mut cells = NearestCells::new(KindId::default(), StepRules::default(), goal);
    if let Some(start) = nav.nearest_walkable(KindId::default(), goal) {
        cells.begin_at(nav.grid(), start);
    }
    for near in (0..).map_while(|index| cells.get(nav.grid(), index)) {
        if found.len() >= count {
            break;
        }
        let gap = |other: &GridCell| other.x.abs_diff(near.x).max(other.y.abs_diff(near.y));
        if found.iter().all(|other| gap(other) >= SPACING) {
            found.push(near);
        }
    }
    // Agents without a cell of their own share the goal.
    found.resize(count.max(1), goal);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_spaced_and_connected_with_the_clicked_cell() {
        let nav = NavGrid::from_ascii(&"........#...\n".repeat(8)).unwrap();
        let cells = spread(&nav, GridCell::new(7, 1), 5);
        assert_eq!(cells[0], GridCell::new(7, 1));
        assert_eq!(cells.iter().collect::<HashSet<_>>().len(), 5, "{cells:?} are five places");
        assert!(cells.iter().all(|cell| cell.x < 8), "{cells:?} do not lie beyond the wall");
    }

    #[test]
    fn agents_share_the_goal_if_there_are_too_few_cells() {
        let nav = NavGrid::from_ascii(".#\n##\n").unwrap();
        assert_eq!(spread(&nav, GridCell::new(0, 0), 3), [GridCell::new(0, 0); 3]);
    }
}
