//! One tick of the hunt: who sees whom, who needs a path, who has caught or lost.

use bevy::ecs::query::QueryData;
use bevy::prelude::*;
use pathfind_core::{Cell, line_of_sight};

use super::{Pursuer, TargetCaught, TargetLost};
use crate::motion::Agent;
use crate::request::{DefaultSearch, PathRequest, Ticket};
use crate::solve::{Failures, Path, PathError, PathStatus};
use crate::steer::Wish;
use crate::world::{GridRef, Grids, OnGrid, Positions};

/// What a pursuer remembers of its hunt.
#[derive(Component, Debug, Default)]
pub(crate) struct Chase {
    /// Whom the rest is about.
    target: Option<Entity>,
    /// Where the target was seen last.
    last_seen: Option<Vec3>,
    /// The goal of the path that was asked for last.
    planned: Option<Cell>,
    /// The request that asked for it.
    ordered: Option<PathRequest>,
    caught: bool,
    lost: bool,
    failed: Option<PathError>,
}

/// A pursuer at work.
#[derive(QueryData)]
#[query_data(mutable)]
pub(in crate::steer) struct Hunter {
    entity: Entity,
    pursuer: &'static Pursuer,
    agent: &'static Agent,
    chase: &'static mut Chase,
    wish: &'static mut Wish,
    ticket: &'static Ticket,
    status: &'static mut PathStatus,
    on_grid: Option<&'static OnGrid>,
    path: Option<&'static Path>,
    name: Option<&'static Name>,
}

/// What a pursuer finds this tick.
struct Situation<'a> {
    grid: GridRef<'a>,
    /// Its own place and the target's, in the world.
    at: Vec3,
    target: Vec3,
    sees: bool,
}

/// States the wishes of pursuers, orders their paths, and tells who was caught or lost.
pub(in crate::steer) fn pursue(
    mut hunters: Query<Hunter>,
    positions: Positions,
    grids: Grids,
    defaults: Res<DefaultSearch>,
    time: Res<Time>,
    mut failures: Failures,
    mut commands: Commands,
) {
    let corners = defaults.0.corners.into();
    let mut hunters: Vec<_> = hunters.iter_mut().collect();
    hunters.sort_by_key(|hunter| hunter.entity.index_u32());
    for hunter in &mut hunters {
        hunter.begin_with_target();
        let Some(target) = positions.of(hunter.pursuer.target).filter(|point| point.is_finite()) else {
            hunter.lose(&mut commands);
            continue;
        };
        hunter.chase.lost = false;
        let at = positions.of(hunter.entity).unwrap_or(Vec3::NAN);
        let grid = match hunter.agent.check().and_then(|()| grids.of(hunter.on_grid, at)) {
            Ok(grid) => grid,
            Err(error) => {
                hunter.fail(error, &mut failures);
                continue;
            }
        };
        hunter.recover();
        let (here, there) = (grid.place.to_grid(at), grid.place.to_grid(target));
        let sees = line_of_sight(grid.nav.grid(), hunter.agent.kind, corners, here, there);
        let situation = Situation { grid, at, target, sees };
        if hunter.catches(&situation, &mut commands) {
            hunter.drop_plan(&mut commands);
        } else if sees {
            hunter.drop_plan(&mut commands);
            hunter.run_at(&situation, target, time.delta_secs());
        } else {
            hunter.plan(&situation, &mut commands);
        }
        hunter.chase.last_seen = if sees { Some(target) } else { hunter.chase.last_seen };
        if !sees && hunter.path.is_none() && !hunter.ticket.is_closed() {
            hunter.search_last_place(&situation, corners, time.delta_secs());
        }
    }
}

/// Ends the hunts of those who are no pursuers any more: the path that a hunt had asked for is withdrawn,
/// one of the user's stays.
pub(in crate::steer) fn call_off(
    mut retired: Query<(Entity, &mut Chase, Option<&PathRequest>), Without<Pursuer>>,
    mut commands: Commands,
) {
    for (entity, mut chase, request) in &mut retired {
        if chase.target.is_none() {
            continue;
        }
        let ordered = core::mem::take(&mut *chase).ordered;
        if ordered.is_some() && request.copied() == ordered {
            commands.entity(entity).try_remove::<PathRequest>();
        }
    }
}

impl HunterItem<'_, '_> {
    /// Forgets the last hunt when the target is another.
    fn begin_with_target(&mut self) {
        if self.chase.target != Some(self.pursuer.target) {
            *self.chase = Chase {
                target: Some(self.pursuer.target),
                planned: self.chase.planned.map(|_| Cell::new(i32::MIN, i32::MIN)),
                ordered: self.chase.ordered,
                ..Chase::default()
            };
        }
    }

    /// The target is gone: stops, and says so once.
    fn lose(&mut self, commands: &mut Commands) {
        self.drop_plan(commands);
        if !self.chase.lost {
            self.chase.lost = true;
            commands.trigger(TargetLost { entity: self.entity, target: self.pursuer.target });
        }
    }

    /// Nothing can be hunted like this: stops, and says so once.
    fn fail(&mut self, error: PathError, failures: &mut Failures) {
        if self.chase.failed != Some(error) {
            self.chase.failed = Some(error);
            // On a path the failure has been told already.
            if *self.status != PathStatus::Failed(error) {
                *self.status = PathStatus::Failed(error);
                failures.report(self.entity, self.name, error);
            }
        }
    }

    /// All is well again: what was wrong may be told anew if it comes back.
    fn recover(&mut self) {
        if let Some(error) = self.chase.failed.take()
            && *self.status == PathStatus::Failed(error)
        {
            *self.status = PathStatus::Idle;
        }
    }

    /// Whether the target is caught; tells so when it has just been.
    fn catches(&mut self, situation: &Situation, commands: &mut Commands) -> bool {
        let gap = situation.gap(situation.target).length();
        let reach = self.pursuer.catch_radius.max(0.0);
        if situation.sees && gap <= reach {
            if !self.chase.caught {
                self.chase.caught = true;
                commands.trigger(TargetCaught { entity: self.entity, target: self.pursuer.target });
            }
        } else if gap > reach * 1.1 || !situation.sees {
            self.chase.caught = false;
        }
        self.chase.caught
    }

    /// Withdraws the path that the hunt had asked for.
    fn drop_plan(&mut self, commands: &mut Commands) {
        self.chase.ordered = None;
        if self.chase.planned.take().is_some() {
            commands.entity(self.entity).try_remove::<PathRequest>();
        }
    }

    /// Wishes to be at a point, without running past it.
    fn run_at(&mut self, situation: &Situation, point: Vec3, dt: f32) {
        let gap = situation.gap(point);
        let speed = self.agent.speed.min(gap.length() / dt.max(1e-6));
        self.wish.pursue = Some(gap.normalize_or_zero() * speed);
    }

    /// Asks for a path if there is none that leads near enough to the target.
    fn plan(&mut self, situation: &Situation, commands: &mut Commands) {
        let goal = situation.grid.cell(situation.target);
        let wanted = match self.chase.planned {
            None => true,
            Some(_) if !self.ticket.is_closed() => false,
            Some(cell) => {
                let strayed = cell.x.abs_diff(goal.x).max(cell.y.abs_diff(goal.y));
                let ended = matches!(*self.status, PathStatus::Arrived | PathStatus::Failed(_));
                strayed as f32 > self.pursuer.replan_distance.max(1.0) || (ended && strayed > 0)
            }
        };
        if wanted {
            let order = PathRequest::to(situation.target);
            (self.chase.planned, self.chase.ordered) = (Some(goal), Some(order));
            commands.entity(self.entity).try_insert(order);
        }
    }

    /// Goes for where the target was seen last, while the first path is being made.
    fn search_last_place(&mut self, situation: &Situation, corners: pathfind_core::CornerRule, dt: f32) {
        let Some(last) = self.chase.last_seen else { return };
        let place = situation.grid.place;
        let (here, there) = (place.to_grid(situation.at), place.to_grid(last));
        if line_of_sight(situation.grid.nav.grid(), self.agent.kind, corners, here, there) {
            self.run_at(situation, last, dt);
        }
    }
}

impl Situation<'_> {
    /// From the pursuer to a point, along the ground.
    fn gap(&self, point: Vec3) -> Vec3 {
        self.grid.place.flatten(point - self.at)
    }
}
