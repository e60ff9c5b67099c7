//! Two that meet head-on where only one can pass.
//!
//! Each stands in the other's way, their ways lead in opposite directions, and no other path helps. The one with the lower
//! number backs off: to the nearest cell that lies off the other's way and that it comes to without passing the other. If
//! there is none, the other one backs off. There it waits until the other is past, and asks for its path anew. Meanwhile the
//! other stands, or it would push the first one past that cell; in a crowd it goes on, as agents behind it depend on it.
//!
//! ```text
//! ########      ########
//! #.1><2.#  ─▶  #.<<<2.#
//! ##.#####      ##1#####
//! ```

mod contender;

use bevy::prelude::*;

use super::{FollowIssue, FollowIssues, Walker, WalkerItem, WalkerReadOnlyItem};
use crate::order::{NavPath, PathYielded, TicketCounter};
use crate::steer::{AgentAvoidance, SteerSettings};
use crate::world::{GridRef, Grids, Positions};
use contender::Contender;

/// How many agents in a tick look whom they meet; the others do at their next attempt.
const MOST_MEETINGS: usize = 16;
/// After how long one does not wait any more, in seconds.
const PATIENCE: f32 = 10.0;
/// How long one stands for another that makes way, in seconds.
const COURTESY: f32 = 2.0;
/// Who is so near to two that meet is with them, in cells: in a crowd nobody stands for anybody.
const COMPANY: f32 = 4.0;

/// Where an agent waits until another is past.
#[derive(Debug, Clone, Copy)]
struct PullOut {
    /// Where it stands, in grid space: the end of its path meanwhile.
    place: Vec2,
    other: Entity,
    /// For how long it goes on waiting, in seconds.
    patience: f32,
}

/// What an agent does where only one of two can pass.
#[derive(Component, Debug, Default)]
pub(crate) struct HeadOn {
    /// The bay that it is in or on the way to, if it makes way for another.
    pull_out: Option<PullOut>,
    /// Who makes way for it, and is not off its way yet; for how long it goes on standing for that one, in seconds.
    awaits: Option<(Entity, f32)>,
}

impl HeadOn {
    /// Whether the agent makes way on its path. Who has been given another path does not.
    pub(super) fn is_on(&self, path: &NavPath) -> bool {
        self.pull_out.is_some_and(|pull_out| path.end() == Some(pull_out.place))
    }

    /// Whether the agent stands until another is out of its way.
    pub(super) fn waits(&self) -> bool {
        self.awaits.is_some()
    }
}

/// Sends one of two that meet out of the way, and on again when the other is past. Whom it helps needs no
/// other help.
pub(in crate::steer) fn pass(
    mut walkers: Query<Walker>,
    grids: Grids,
    positions: Positions,
    mut issues: ResMut<FollowIssues>,
    mut counter: ResMut<TicketCounter>,
    (settings, time): (Res<SteerSettings>, Res<Time>),
    mut commands: Commands,
) {
    issues.0.sort_unstable();
    let mut meetings = 0;
    issues.0.retain(|&(_, issue, entity)| {
        let Ok(walker) = walkers.get(entity) else { return false };
        let Some(grid) = grids.get(walker.path.grid()) else { return false };
        match issue {
            FollowIssue::Turn => {
                let is_clear = is_clear(&walkers, &walker, &grid, &positions);
                let is_over = is_past(&walkers, &walker, &grid, &positions);
                if let Ok(mut walker) = walkers.get_mut(entity) {
                    walker.stand(is_clear, time.delta_secs());
                    walker.wait(is_over, time.delta_secs(), &mut counter);
                }
                false
            }
            FollowIssue::Help | FollowIssue::Told if settings.back_off && meetings < MOST_MEETINGS => {
                meetings += 1;
                let Some(Meeting { who, way, other, is_alone }) =
                    meeting(&walkers, &walker, &grid, &positions)
                else {
                    return true;
                };
                if let Ok(mut walker) = walkers.get_mut(who.entity) {
                    walker.back_off(&grid, who.here, &way, other);
                    commands.trigger(PathYielded { entity: who.entity, other });
                }
                if let Ok(mut walker) = walkers.get_mut(other) {
                    walker.head_on.awaits = is_alone.then_some((who.entity, COURTESY));
                }
                false
            }
            _ => true,
        }
    });
}

/// Two agents that meet head-on where one of them has to back off.
struct Meeting {
    /// The agent that backs off.
    who: Contender,
    /// Its way to where it waits.
    way: Vec<Vec2>,
    /// The agent for which it backs off.
    other: Entity,
    /// Whether no third agent is near.
    is_alone: bool,
}

/// The meeting of an agent with another, head-on, if there is one. Among others two back off only where there is no
/// room for both: where there is, they pass by reciprocal avoidance, and an agent that turned back would only be in
/// the way of the agents behind it.
fn meeting(
    walkers: &Query<Walker>,
    walker: &WalkerReadOnlyItem,
    grid: &GridRef,
    positions: &Positions,
) -> Option<Meeting> {
    let party = |walker: &WalkerReadOnlyItem| {
        let is_free =
            walker.ticket.is_settled() && !walker.path.is_finished() && !walker.head_on.is_on(walker.path);
        (is_free && walker.path.grid() == grid.entity && walker.is_solid())
            .then(|| Contender::of(walker, grid, positions))
            .flatten()
    };
    let me = party(walker)?;
    let others = walkers.iter().filter(|other| other.entity != walker.entity);
    let met = others.filter_map(|other| party(&other).filter(|other| me.meets(other)));
    let other = met.min_by_key(|other| other.id)?;
    let (first, second) = if me.id < other.id { (me, other) } else { (other, me) };
    let cells = grid.nav.grid();
    let is_alone = is_alone(walkers, [first.entity, second.entity], grid, first.here, positions);
    if !is_alone && first.has_room_beside(&second, cells) {
        return None;
    }
    if let Some(way) = first.way_off(&second, cells) {
        return Some(Meeting { who: first, way, other: second.entity, is_alone });
    }
    let way = second.way_off(&first, cells)?;
    Some(Meeting { who: second, way, other: first.entity, is_alone })
}

/// Whether two meet with nobody else about, who would have to wait as well.
fn is_alone(
    walkers: &Query<Walker>,
    two: [Entity; 2],
    grid: &GridRef,
    here: Vec2,
    positions: &Positions,
) -> bool {
    let is_near =
        |entity| positions.of(entity).is_some_and(|at| grid.place.to_grid(at).distance(here) < COMPANY);
    !walkers.iter().any(|it| !two.contains(&it.entity) && is_near(it.entity))
}

/// Whether the one for whom an agent waits is past, or does not come any more.
fn is_past(
    walkers: &Query<Walker>,
    walker: &WalkerReadOnlyItem,
    grid: &GridRef,
    positions: &Positions,
) -> bool {
    let other = walker.head_on.pull_out.and_then(|pull_out| walkers.get(pull_out.other).ok());
    let comes = |other: &WalkerReadOnlyItem| !other.path.is_finished() && !other.head_on.is_on(other.path);
    let Some(other) = other.filter(comes) else { return true };
    match (Contender::of(walker, grid, positions), Contender::of(&other, grid, positions)) {
        (Some(me), Some(other)) => other.is_past(&me),
        _ => true,
    }
}

/// Whether the one that makes way for an agent is off its way, or does not make way any more.
fn is_clear(
    walkers: &Query<Walker>,
    walker: &WalkerReadOnlyItem,
    grid: &GridRef,
    positions: &Positions,
) -> bool {
    let other = walker.head_on.awaits.and_then(|(other, _)| walkers.get(other).ok());
    let makes_way = |other: &WalkerReadOnlyItem| {
        other.head_on.is_on(other.path)
            && other.head_on.pull_out.is_some_and(|pull_out| pull_out.other == walker.entity)
    };
    let Some(other) = other.filter(makes_way) else { return true };
    match (Contender::of(walker, grid, positions), Contender::of(&other, grid, positions)) {
        (Some(me), Some(it)) => it.has_come() || me.can_pass(&it),
        _ => true,
    }
}

impl WalkerReadOnlyItem<'_, '_> {
    /// Whether it does not walk through others.
    fn is_solid(&self) -> bool {
        self.avoider.is_some_and(|avoider| avoider.agents != AgentAvoidance::Ignore)
    }
}

impl WalkerItem<'_, '_> {
    /// Goes out of the way of another.
    fn back_off(&mut self, grid: &GridRef, here: Vec2, way: &[Vec2], other: Entity) {
        let Some(&place) = way.last() else { return };
        *self.head_on = HeadOn { pull_out: Some(PullOut { place, other, patience: PATIENCE }), awaits: None };
        self.path.end_at(grid, here, way);
    }

    /// Goes on standing until the one that makes way is off its way, or that takes too long.
    fn stand(&mut self, is_clear: bool, dt: f32) {
        let left = self.head_on.awaits.map(|(other, patience)| (other, patience - dt));
        self.head_on.awaits = left.filter(|&(_, patience)| !is_clear && patience > 0.0);
    }

    /// Goes on waiting, or asks for its path anew.
    fn wait(&mut self, is_over: bool, dt: f32, counter: &mut TicketCounter) {
        let Some(pull_out) = self.head_on.pull_out.as_mut() else { return };
        pull_out.patience -= dt;
        if is_over || pull_out.patience <= 0.0 {
            self.head_on.pull_out = None;
            self.ask_anew(counter);
        }
    }
}
