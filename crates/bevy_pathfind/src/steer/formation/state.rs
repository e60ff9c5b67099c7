//! Where a group is on its way, and which places its members have.

use bevy::ecs::change_detection::Tick;
use bevy::prelude::*;
use pathfind_core::AgentShape;
use pathfind_core::steer::follow::braking_speed;
use pathfind_core::steer::formation::{Room, TightGround, Track, across, assign, extent, rows};

use super::Formation;
use super::march::Mate;
use crate::agent::AgentId;
use crate::order::NavPath;
use crate::world::GridRef;

/// For how long a group waits for members that come no nearer to their places, in seconds. Not measured.
const PATIENCE: f32 = 4.0;
/// A group slows down for a member that is farther from its place than the first, and stands for one that is as far as
/// the second; in units of the spacing. Not measured.
const LAG: [f32; 2] = [1.0, 4.0];
/// A member is at its place if it is no farther from it than this, in units of the spacing.
pub(super) const AT_PLACE: f32 = 0.5;
/// Stretches of narrow ground that are nearer to one another than so many times the width and depth of the formation
/// count as one. Not measured.
const MIN_APART: f32 = 2.0;
/// Narrow ground that is at least this share as wide as the formation is passed as a column; what is narrower, one by
/// one.
const MIN_SHARE: f32 = 0.4;
/// How often places are given out anew while the group forms, in seconds: a member that cannot get through to its place
/// takes another, and whoever comes out of narrow ground first goes farthest. Not measured.
const SORT_INTERVAL: f32 = 0.5;

/// The state of a group between ticks: its track, its places, and how far its members are from these. Lengths are in
/// cells.
#[derive(Component, Debug, Default)]
pub(crate) struct March {
    /// The change tick of the path that the track is from, and the grid with its map id.
    path: Option<Tick>,
    grid: Option<(Entity, u64)>,
    pub(super) track: Track,
    pub(super) room: Room,
    /// Where the centre is along the track, where it shall stop, and how fast it goes.
    pub(super) at: f32,
    end: f32,
    pub(super) speed: f32,
    settings: Option<Formation>,
    pub(super) spacing: f32,
    /// The members that have places, by id; and by place.
    team: Vec<Entity>,
    pub(super) order: Vec<Entity>,
    /// The places: x to the right, y forward; and their extent.
    pub(super) places: Vec<Vec2>,
    low: Vec2,
    high: Vec2,
    /// The narrow ground that the group goes through as a column.
    pub(super) column: Option<TightGround>,
    /// The narrow ground that members pass one by one, to form behind it.
    pub(super) passage: Option<TightGround>,
    since_sorted: f32,
    /// How much faster the fastest place moves than the centre, 1 or more.
    pub(super) haste: f32,
    /// The greatest distance of a member from its place, and the sum of all; of members that are not left behind.
    pub(super) lag: f32,
    pub(super) total_lag: f32,
    least_lag: f32,
    /// For how long no member has come nearer, or out of narrow ground, in seconds.
    pub(super) waited: f32,
    /// Whether the front points at the goal as the settings say.
    has_turned: bool,
    pub(super) has_arrived: bool,
    /// 1 if the right-hand side of the x axis of the grid is towards lesser y, else -1.
    pub(super) right: f32,
}

impl March {
    /// Takes over a path that has changed. `is_new` says whether it is for a new order.
    pub(super) fn follow(
        &mut self,
        (path, changed): (&NavPath, Tick),
        grid: &GridRef,
        center: Vec2,
        is_new: bool,
    ) -> bool {
        if self.path == Some(changed) {
            return false;
        }
        let on = Some((grid.entity, grid.nav.map_id()));
        let is_new = is_new || self.grid != on;
        (self.path, self.grid) = (Some(changed), on);
        let rest = path.remaining_points();
        if rest.is_empty() && !is_new {
            return false;
        }
        let kept = if is_new { 0.0 } else { (self.high.y - self.low.y).min(self.at).max(0.0) };
        let passed: Vec<_> =
            if is_new { vec![center] } else { self.track.part(self.at - kept, self.at).collect() };
        self.track = Track::new(passed.into_iter().chain(rest.iter().copied()));
        (self.at, self.end) = (kept, self.track.length());
        (self.has_turned, self.has_arrived, self.waited) = (false, false, 0.0);
        let [origin, x, y] = [Vec2::ZERO, Vec2::X, Vec2::Y].map(|point| grid.place.to_world(point, 0.0));
        self.right = if (x - origin).cross(y - origin).dot(grid.place.up()) < 0.0 { -1.0 } else { 1.0 };
        true
    }

    /// Forms the group: gives places to all, if the track, the settings or the members have changed.
    pub(super) fn form(&mut self, formation: &Formation, team: &[Mate], grid: &GridRef, is_new_track: bool) {
        let has_same_team = team.iter().map(|mate| mate.entity).eq(self.team.iter().copied());
        if !is_new_track && has_same_team && self.settings.as_ref() == Some(formation) {
            return;
        }
        self.has_turned &= self.settings.as_ref().is_some_and(|before| before.facing == formation.facing);
        self.settings = Some(formation.clone());
        self.forget_lag();
        self.team = team.iter().map(|mate| mate.entity).collect();
        let Some(widest) = team.iter().max_by(|a, b| a.body.radius.total_cmp(&b.body.radius)) else {
            (self.places, self.order) = (Vec::new(), Vec::new());
            return;
        };
        self.spacing = formation.spacing * widest.unit / grid.place.cell_size();
        self.take_shape(formation, team.len());
        self.measure(grid, widest.body);
        if is_new_track {
            (self.column, self.passage) = (None, None);
            self.begin_on_ground();
            if !formation.keeps_together {
                self.at = self.end;
            }
        } else if let Some(column) = self.column {
            self.take_column(team.len(), column);
        }
        self.assign(team);
    }

    /// The places of the whole shape.
    fn take_shape(&mut self, formation: &Formation, count: usize) {
        self.places = formation.places(count).into_iter().map(|place| place * self.spacing).collect();
        (self.low, self.high) = extent(&self.places);
    }

    /// The places of a column of what fits in a stretch.
    fn take_column(&mut self, count: usize, stretch: TightGround) {
        let gaps = stretch.abreast.saturating_sub(1).max(1) as f32;
        let across = (stretch.width / gaps).clamp(0.0, self.spacing) / self.spacing;
        let places = rows(count, stretch.abreast, across);
        self.places = places.into_iter().map(|place| place * self.spacing).collect();
        (self.low, self.high) = extent(&self.places);
        self.column = Some(stretch);
    }

    /// Puts the centre so far ahead on a new track that there is ground for the last rows.
    fn begin_on_ground(&mut self) {
        let behind = (self.at + self.low.y, self.at);
        if let Some(tight) = self.room.next_tight(behind, self.high.x - self.low.x, f32::INFINITY) {
            self.at = self.behind(tight).min(self.end);
        }
    }

    fn measure(&mut self, grid: &GridRef, body: AgentShape) {
        let depth = self.high.y - self.low.y;
        let range = (self.at - depth, self.track.length() + depth + self.spacing);
        let width = self.high.x - self.low.x + self.spacing;
        self.room = Room::along(grid.nav.grid(), body, &self.track, range, (width, self.reach(), self.right));
    }

    /// How far the places reach to the left (negative) and to the right.
    pub(super) const fn width(&self) -> (f32, f32) {
        (self.low.x, self.high.x)
    }

    /// How far before and behind a point of the track its direction is taken from, so that inner files do not go back
    /// where the formation wheels.
    pub(super) fn reach(&self) -> f32 {
        self.high.x.max(self.spacing)
    }

    /// Gives out the places: in front to members of a low rank, and so that the sum of squared ways is the least.
    /// Before narrow ground the way is that along the track.
    fn assign(&mut self, team: &[Mate]) {
        let mut ranked: Vec<_> = team.iter().collect();
        ranked.sort_by_key(|mate| (mate.rank, mate.id));
        let narrow = self.column;
        let reach = self.reach();
        let place_of = |place: &Vec2| match narrow {
            Some(_) => *place + Vec2::new(0.0, self.at),
            None => {
                let at = self.at + place.y;
                self.track.point(at) + across(self.track.direction(at, reach), self.right) * place.x
            }
        };
        let body_of = |mate: &&Mate| match narrow {
            Some(stretch) => {
                let at = self.track.project(mate.at);
                let off = mate.at - self.track.point(at);
                let side = off.dot(across(self.track.direction(at, 1.0), self.right));
                // Those who come from the side have farther to go.
                let mouth = self.track.point(stretch.from);
                let along = if at < stretch.from { stretch.from - mouth.distance(mate.at) } else { at };
                Vec2::new(side, along)
            }
            None => mate.at,
        };
        self.order = vec![Entity::PLACEHOLDER; team.len()];
        let mut first = 0;
        for mates in ranked.chunk_by(|a, b| a.rank == b.rank) {
            let mut bodies: Vec<_> = mates.iter().map(|mate| (body_of(mate), mate.entity)).collect();
            let mut places: Vec<_> =
                (first..first + mates.len()).map(|it| (place_of(&self.places[it]), it)).collect();
            if let Some(stretch) = self.passage {
                // Those behind the stretch take the places that are farthest from its end, the next to come out the
                // farthest of the rest.
                let exit = self.track.point(stretch.to);
                let ahead = |mate: &Mate| {
                    let at = self.track.project(mate.at);
                    let outside =
                        self.track.point(stretch.from).distance(mate.at) + stretch.to - stretch.from;
                    if at < stretch.from { outside } else { (stretch.to - at).max(0.0) }
                };
                let mut queue: Vec<_> =
                    mates.iter().map(|mate| (ahead(mate), mate.at, mate.entity)).collect();
                queue.sort_by(|a, b| a.0.total_cmp(&b.0));
                places.sort_by(|a, b| b.0.distance_squared(exit).total_cmp(&a.0.distance_squared(exit)));
                let out = queue.partition_point(|it| it.0 <= 0.0);
                for (&(.., entity), &(_, place)) in queue[out..].iter().zip(&places[out..]) {
                    self.order[place] = entity;
                }
                bodies = queue[..out].iter().map(|&(_, at, entity)| (at, entity)).collect();
                places.truncate(out);
            }
            let [from, to]: [Vec<Vec2>; 2] =
                [bodies.iter().map(|it| it.0).collect(), places.iter().map(|it| it.0).collect()];
            for (&(_, entity), place) in bodies.iter().zip(assign(&from, &to)) {
                self.order[places[place].1] = entity;
            }
            first += mates.len();
        }
    }

    /// Whether a member still has its place in this tick.
    pub(super) fn is_jump(&self, before: Vec2, now: Vec2) -> bool {
        before.distance_squared(now) > self.spacing * self.spacing
    }

    /// Looks ahead for ground that is too narrow for the formation, and takes the form that fits. Returns whether it
    /// has changed; members then look anew where they are.
    pub(super) fn mind_ground(&mut self, formation: &Formation, team: &[Mate], dt: f32) -> bool {
        if team.is_empty() || !formation.keeps_together {
            return false;
        }
        self.since_sorted += dt;
        if self.since_sorted >= SORT_INTERVAL && self.lag > self.spacing {
            self.since_sorted = 0.0;
            self.assign(team);
        }
        if self.passage.is_some() {
            return false;
        }
        let front = self.at + self.high.y;
        if let Some(stretch) = self.column {
            if front < stretch.to {
                return false;
            }
            self.take_shape(formation, team.len());
            if self.fits_behind(stretch) {
                return self.pass(stretch, team);
            }
            self.take_column(team.len(), stretch);
            return false;
        }
        let size = self.high - self.low;
        // Where the group would have to form between two stretches it would soon wait again: both count as one.
        let apart = MIN_APART * (size.x + size.y) + self.spacing;
        // The outer files have to come to the mouth, and those behind to follow.
        let ahead = front + self.high.x + self.spacing + 2.0 * self.lag;
        let within = (self.at, self.end + self.high.y);
        let tight = self.room.next_tight(within, size.x, apart);
        let Some(stretch) = tight.filter(|stretch| stretch.from <= ahead) else { return false };
        let is_long = stretch.to - stretch.from > size.y.max(2.0 * self.spacing);
        let is_wide = stretch.abreast > 1 && stretch.width >= MIN_SHARE * size.x;
        let fits_behind = self.fits_behind(stretch);
        if is_long && is_wide || !fits_behind {
            self.take_column(team.len(), stretch);
            // Its front is where that of the shape was; at the goal its front is at the goal.
            self.at = front - self.high.y;
            if !fits_behind {
                self.end = (self.track.length() - self.high.y).max(self.at);
            }
            self.forget_lag();
            self.assign(team);
            return true;
        }
        self.pass(stretch, team)
    }

    /// Where the centre is when the last row is out of a stretch.
    fn behind(&self, stretch: TightGround) -> f32 {
        stretch.to + self.spacing.max(1.0) - self.low.y
    }

    /// Whether the shape fits behind a stretch.
    fn fits_behind(&self, stretch: TightGround) -> bool {
        let (at, width) = (self.behind(stretch), self.high.x - self.low.x);
        at <= self.track.length() + self.high.y - self.low.y
            && self.room.next_tight((at + self.low.y, at + self.high.y), width, 0.0).is_none()
    }

    /// Forms behind a stretch, which the members pass one by one.
    fn pass(&mut self, stretch: TightGround, team: &[Mate]) -> bool {
        self.at = self.behind(stretch);
        self.end = self.end.max(self.at);
        (self.column, self.passage) = (None, Some(stretch));
        self.forget_lag();
        self.assign(team);
        true
    }

    /// Moves the centre on: as fast as the slowest member, the wheeling outer files and those behind allow. `slowest`
    /// is a speed and an acceleration.
    pub(super) fn advance(&mut self, slowest: [f32; 2], dt: f32) {
        let [speed, acceleration] = slowest;
        let lag = (self.lag / self.spacing.max(1e-6) - LAG[0]) / (LAG[1] - LAG[0]);
        let speed = speed * (1.0 - lag).clamp(0.0, 1.0) / self.haste.max(1.0);
        let before_end = braking_speed(self.end - self.at, acceleration, dt, 0.0);
        self.speed = speed.min(before_end).min(self.speed + acceleration * dt);
        self.at = (self.at + self.speed * dt).min(self.end.max(self.at));
    }

    /// Begins to measure anew how far members are from their places, after these have changed.
    const fn forget_lag(&mut self) {
        (self.total_lag, self.least_lag) = (f32::INFINITY, f32::INFINITY);
    }

    /// Whether the group has waited long enough for those behind.
    pub(super) fn loses_patience(&mut self, dt: f32) -> bool {
        if self.is_formed() {
            (self.waited, self.least_lag) = (0.0, f32::INFINITY);
        } else if self.total_lag < self.least_lag - 0.1 * self.spacing {
            (self.waited, self.least_lag) = (0.0, self.total_lag);
        } else {
            self.waited += dt;
        }
        let is_over = self.waited > PATIENCE;
        if is_over {
            (self.waited, self.least_lag) = (0.0, f32::INFINITY);
        }
        is_over
    }

    /// Whether all members are where they shall be.
    pub(super) fn is_formed(&self) -> bool {
        self.lag <= AT_PLACE * self.spacing
    }

    /// Whether the centre is at the end of its way.
    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.end - 1e-3
    }

    /// Turns the front at the goal; returns whether it has to turn. `facing` is a direction in grid space.
    pub(super) fn turn(&mut self, facing: Option<Vec2>, team: &[Mate]) -> bool {
        let facing = facing.and_then(Vec2::try_normalize);
        let Some(facing) = facing.filter(|_| !core::mem::replace(&mut self.has_turned, true)) else {
            return false;
        };
        let center = self.track.point(self.at);
        self.track = Track::new([center - facing, center]);
        (self.at, self.end, self.room) = (1.0, 1.0, Room::default());
        (self.column, self.passage) = (None, None);
        self.assign(team);
        true
    }
}

/// A key by which members are sorted, whatever the order in which they joined.
pub(super) fn rank(id: AgentId, entity: Entity) -> (AgentId, u32) {
    (id, entity.index_u32())
}
