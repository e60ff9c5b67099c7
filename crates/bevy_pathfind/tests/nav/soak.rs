//! The soak: a small world in which everything changes all the time, for as long as requested.
//!
//! Invariants are checked in each tick. Events are drawn from a seed, which is printed on failure; `NAV_SOAK_SEED`
//! repeats it. `NAV_SOAK_MINUTES` is the duration, in minutes of game time. `NAV_SOAK_SEEDS` runs this many seeds,
//! one after another.

use std::collections::{HashMap, HashSet};

use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    solve::{SolveMode, SolveSettings, SolveStats},
    world::Grid,
};
use pathfind_core::{CornerRule as CoreCornerRule, line_of_sight};

use crate::saving::{load, save};
use crate::support::*;

const SIDE: i32 = 96;
const AGENTS: usize = 500;
/// The most ticks within which every request must be answered.
const MAX_WAIT: u32 = 64;
/// The most ticks that an agent in a wall may need to turn round, and how much longer than the direct path its path
/// out of the wall may be, in cells.
const TURN_TICKS: u32 = 3;
const DETOUR: f32 = 1.5;
/// The most ticks within which an agent that does not overlap others must be out of a wall, even if others block
/// its path.
const MAX_BLOCKED: u32 = 64 * 3;
/// The most agents that may be in the pool, disabled.
const POOL: usize = 20;
/// The longest time for which a grid is disabled or time is paused. Unit: frames.
const MAX_REST: u32 = 48;
/// The tick of the first save and load, and the interval of further ones, in ticks.
const FIRST_SAVE: u64 = 80;
const SAVES: u64 = 4096;
/// At most one archetype in this many may first appear in the second half of a long run. There are finitely many
/// combinations of optional components, and the rarest (a disabled clone that was just given an order while its
/// grid was away) take half an hour to come up. An archetype that is created anew with every event exceeds this
/// within minutes.
const RARE_SHARE: usize = 20;
/// How much the memory of the process may grow in the second half of a long run, in KiB.
const MAX_GROWTH: u64 = 4096;

/// A world that changes.
struct Soak {
    app: App,
    random: Random,
    grids: Vec<Entity>,
    agents: Vec<Entity>,
    carts: Vec<Entity>,
    /// For how many ticks each agent has waited for an answer.
    waits: HashMap<Entity, u32>,
    /// Agents that stood in a wall in the last tick.
    walled: HashMap<Entity, Walled>,
    /// Disabled agents.
    pool: Vec<Entity>,
    /// The disabled grid, and the frames until it is enabled.
    away: Option<(Entity, u32)>,
    /// Positions when time was paused, and the frames until it continues.
    paused: Option<(HashMap<Entity, Vec3>, u32)>,
}

/// The state of an agent that stands in a wall.
struct Walled {
    /// Grid and revision: after an edit the nearest walkable cell has to be looked up again.
    map: (Entity, u64),
    ticks: u32,
    /// Its distance from the nearest walkable cell when it turned to it, in cells.
    distance: f32,
}

impl Soak {
    fn new(seed: u64) -> Self {
        let mut app = app(SolveMode::Sliced);
        app.world_mut().resource_mut::<SolveSettings>().seek_shortcuts = seed.is_multiple_of(2);
        app.insert_resource(SearchOptions::default());
        set_expansions(&mut app, 200_000);
        let mut soak = Self {
            app,
            random: Random(seed),
            grids: Vec::new(),
            agents: Vec::new(),
            carts: Vec::new(),
            waits: HashMap::new(),
            walled: HashMap::new(),
            pool: Vec::new(),
            away: None,
            paused: None,
        };
        soak.add_grid();
        soak.add_grid();
        (0..AGENTS).for_each(|_| soak.add_agent());
        (0..12).for_each(|_| soak.add_cart());
        soak
    }

    fn percent(&mut self, in_a_hundred: u32) -> bool {
        self.random.below(100) < in_a_hundred
    }

    fn cell(&mut self) -> GridCell {
        let mut along = || self.random.below(SIDE as u32) as i32;
        GridCell::new(along(), along())
    }

    /// A random point on one of the grids.
    fn point(&mut self) -> Vec3 {
        let corner = self.random.pick(&self.grids).map_or(Vec3::ZERO, |grid| position(&self.app, grid));
        let cell = self.cell();
        corner + at((cell.x, cell.y))
    }

    fn add_grid(&mut self) {
        let mut random = self.random.clone();
        let terrain = |_| match random.below(100) {
            0..15 => Terrain::WALL,
            15..20 => Terrain::weight(5),
            _ => Terrain::GROUND,
        };
        let grid = NavGrid::new(Grid::from_fn(SIDE as u32, SIDE as u32, terrain).unwrap());
        self.random = random;
        // Grids are side by side, without overlap.
        let taken: Vec<f32> = self.grids.iter().map(|&grid| position(&self.app, grid).x).collect();
        let place = (0..).map(|i| (i * (SIDE + 4)) as f32).find(|x| !taken.contains(x)).unwrap();
        self.grids.push(self.app.world_mut().spawn((grid, Transform::from_xyz(place, 0.0, 0.0))).id());
    }

    fn add_agent(&mut self) {
        let place = self.point();
        let agent = Agent { acceleration: 400.0, ..default() };
        let mut agent = self.app.world_mut().spawn((agent, Transform::from_translation(place)));
        match self.random.below(8) {
            0 => _ = agent.insert(Avoider::contact()),
            1 => _ = agent.insert(Avoider::default()),
            _ => (),
        }
        self.agents.push(agent.id());
    }

    fn add_cart(&mut self) {
        let place = Transform::from_translation(self.point());
        let shape = match self.random.below(2) {
            0 => Obstacle::sphere(0.5 + self.random.below(30) as f32 / 10.0).carved(),
            _ => Obstacle::cuboid(Vec3::new(1.0, 2.5, 0.0)).carved(),
        };
        self.carts.push(self.app.world_mut().spawn((shape, place)).id());
    }

    /// A random request.
    fn request(&mut self) -> PathRequest {
        let goal = self.point();
        let goal: NavGoal = match self.random.below(8) {
            0 => self.random.pick(&self.agents).map_or(goal.into(), NavGoal::from),
            1 => NavGoal::any_of(&[goal, self.point(), self.point()]).unwrap(),
            2 => NavGoal::within(goal, self.random.below(80) as f32 / 10.0),
            _ => goal.into(),
        };
        let request = PathRequest::to(goal).with_priority(self.random.below(3) as i32 - 1);
        if self.percent(10) { request.with_spread(false) } else { request }
    }

    /// Makes random changes.
    fn change_world(&mut self) {
        if self.percent(40)
            && let Some(grid) = self.random.pick(&self.grids)
        {
            self.edit(grid);
        }
        for _ in 0..5 {
            let request = self.request();
            if let Some(agent) = self.random.pick(&self.agents) {
                let withdraws = self.random.below(20) == 0;
                let mut agent = self.app.world_mut().entity_mut(agent);
                if withdraws {
                    agent.remove::<PathRequest>()
                } else {
                    agent.insert(request)
                };
            }
        }
        if self.percent(5) {
            let index = self.random.below(self.agents.len() as u32) as usize;
            let gone = self.agents.swap_remove(index);
            self.app.world_mut().despawn(gone);
            self.add_agent();
        }
        for cart in self.carts.clone() {
            if self.percent(20) {
                let mut place = self.app.world_mut().get_mut::<Transform>(cart).unwrap();
                place.translation.x += 0.37;
                place.rotate_z(0.1);
            }
        }
        if self.percent(2) {
            let gone = self.carts.swap_remove(0);
            self.app.world_mut().despawn(gone);
            self.add_cart();
        }
        self.interrupt();
        if self.away.is_none() && self.random.below(1000) == 0 {
            let gone = self.grids.swap_remove(self.random.below(2) as usize);
            self.app.world_mut().despawn(gone);
            self.add_grid();
        }
    }

    /// Disables, enables and clones agents, disables a grid, stops time.
    fn interrupt(&mut self) {
        if self.percent(10) {
            let index = self.random.below(self.agents.len() as u32) as usize;
            let rests = self.agents.swap_remove(index);
            self.app.world_mut().entity_mut(rests).insert(Disabled);
            self.pool.push(rests);
        }
        if (self.pool.len() > POOL || self.percent(8))
            && let Some(returns) = self.random.pick(&self.pool)
        {
            self.pool.retain(|&agent| agent != returns);
            self.app.world_mut().entity_mut(returns).remove::<Disabled>();
            self.agents.push(returns);
            self.waits.remove(&returns);
            self.walled.remove(&returns);
        }
        if self.percent(5) {
            let count = self.agents.len();
            let index = self.random.below(count as u32) as usize;
            let clone = self.app.world_mut().entity_mut(self.agents[index]).clone_and_spawn();
            let gone = self.agents.swap_remove((index + 1) % count);
            self.app.world_mut().despawn(gone);
            self.agents.push(clone);
        }
        match self.away {
            Some((grid, 0)) => {
                self.app.world_mut().entity_mut(grid).remove::<Disabled>();
                self.away = None;
                self.walled.clear();
            }
            Some((_, left)) => self.away = self.away.map(|(grid, _)| (grid, left - 1)),
            None if self.random.below(500) == 0 => {
                let grid = self.random.pick(&self.grids).expect("there are two");
                self.app.world_mut().entity_mut(grid).insert(Disabled);
                self.away = Some((grid, self.random.below(MAX_REST)));
            }
            None => (),
        }
        let mut time = self.app.world_mut().resource_mut::<Time<Virtual>>();
        match &mut self.paused {
            Some((_, 0)) => {
                time.unpause();
                self.paused = None;
            }
            Some((_, left)) => *left -= 1,
            None if self.random.below(300) == 0 => {
                time.pause();
                let agents = self.agents.iter().chain(&self.pool);
                let places = agents.map(|&agent| (agent, position(&self.app, agent))).collect();
                self.paused = Some((places, self.random.below(MAX_REST)));
            }
            None => (),
        }
    }

    /// Saves the game, ends it, and loads it.
    fn save_and_load(&mut self) {
        let all = [&self.grids, &self.agents, &self.pool, &self.carts];
        let all: Vec<_> = all.into_iter().flatten().copied().collect();
        let world = self.app.world_mut();
        let saved = save(world, all.iter().copied());
        for entity in all {
            world.despawn(entity);
        }
        let loaded = load(world, &saved);
        for list in [&mut self.grids, &mut self.agents, &mut self.pool, &mut self.carts] {
            list.iter_mut().for_each(|entity| *entity = loaded[&*entity]);
        }
        self.away = self.away.map(|(grid, left)| (loaded[&grid], left));
        if let Some((places, _)) = &mut self.paused {
            *places = places.drain().filter_map(|(agent, at)| Some((*loaded.get(&agent)?, at))).collect();
        }
        self.waits.clear();
        self.walled.clear();
    }

    fn edit(&mut self, grid: Entity) {
        let (a, b) = (self.cell(), GridCell::new(self.random.below(7) as i32, self.random.below(7) as i32));
        let terrain = [Terrain::WALL, Terrain::GROUND, Terrain::GROUND, Terrain::weight(3)];
        let terrain = terrain[self.random.below(4) as usize];
        let kind = self.random.below(4);
        let mut nav = self.app.world_mut().get_mut::<NavGrid>(grid).unwrap();
        match kind {
            0 => _ = nav.set(a, terrain),
            1 => _ = nav.fill(CellRect::new(a, GridCell::new(a.x + b.x, a.y + b.y)), terrain),
            2 => _ = nav.fill_disc(a.center(), b.x as f32 * 0.7, terrain),
            _ => nav.edit(|edit| (0..9).for_each(|i| _ = edit.set(GridCell::new(a.x, a.y + i), terrain))),
        }
    }

    /// A description of the first violated invariant.
    fn violation(&mut self) -> Option<String> {
        for agent in self.agents.clone() {
            let violation = self.is_not_finite(agent).or_else(|| self.waits_too_long(agent));
            let violation =
                violation.or_else(|| self.stays_in_a_wall(agent)).or_else(|| self.path_crosses_a_wall(agent));
            if violation.is_some() {
                return violation;
            }
        }
        if let Some(violation) = self.has_shared_id().or_else(|| self.moves_while_paused()) {
            return Some(violation);
        }
        let world = self.app.world();
        self.waits.retain(|agent, _| world.entities().contains(*agent));
        self.walled.retain(|agent, _| world.entities().contains(*agent));
        None
    }

    /// A description of an agent whose id is not unique.
    fn has_shared_id(&self) -> Option<String> {
        let mut ids = HashSet::new();
        let mut agents = self.agents.iter().chain(&self.pool);
        let other = agents.find(|&&agent| !ids.insert(self.app.world().get::<AgentId>(agent)))?;
        Some(format!("{other} has the number of another: {:?}", self.app.world().get::<AgentId>(*other)))
    }

    fn moves_while_paused(&self) -> Option<String> {
        let (places, _) = self.paused.as_ref()?;
        let still_there = |agent: &&Entity| self.app.world().entities().contains_spawned(**agent);
        let moved =
            places.keys().filter(still_there).find(|&&agent| position(&self.app, agent) != places[&agent])?;
        Some(format!("{moved} moves while time stands still"))
    }

    fn is_not_finite(&self, agent: Entity) -> Option<String> {
        let at = position(&self.app, agent);
        (!at.is_finite()).then(|| format!("{agent} is nowhere: {at}"))
    }

    fn waits_too_long(&mut self, agent: Entity) -> Option<String> {
        let (world, status) = (self.app.world(), self.app.world().get::<PathStatus>(agent)?);
        let waited = self.waits.entry(agent).or_default();
        let waits = matches!(status, PathStatus::Waiting | PathStatus::Searching);
        // Requests on a disabled grid wait for it.
        let is_excused = self.away.is_some() || self.paused.is_some();
        *waited = if waits && !is_excused { *waited + 1 } else { 0 };
        if *waited <= MAX_WAIT {
            return None;
        }
        let (at, stats) = (position(&self.app, agent), world.resource::<SolveStats>());
        let goal = world.get::<PathRequest>(agent).map(|request| request.goal.clone());
        let line = (stats.waiting, stats.running);
        Some(format!("{agent} at {at} is {status:?} since {waited} ticks for {goal:?}; {line:?}"))
    }

    fn stays_in_a_wall(&mut self, agent: Entity) -> Option<String> {
        if self.away.is_some() || self.paused.is_some() {
            self.walled.clear();
            return None;
        }
        let (world, at) = (self.app.world(), position(&self.app, agent));
        let (grid, nav, local) = self.grids.iter().find_map(|&grid| {
            let local = (at - position(&self.app, grid)).truncate();
            let nav = world.get::<NavGrid>(grid)?;
            nav.grid().contains(GridCell::containing(local)).then_some((grid, nav, local))
        })?;
        let here = GridCell::containing(local);
        let out = nav.grid().nearest_walkable(KindId::default(), here).expect("there is ground");
        if out == here {
            self.walled.remove(&agent);
            return None;
        }
        let (map, distance) = ((grid, nav.revision()), local.distance(out.center()));
        let walled = self.walled.entry(agent).or_insert(Walled { map, ticks: 0, distance });
        if walled.map != map {
            *walled = Walled { map, ticks: 0, distance };
        }
        walled.ticks += 1;
        let is_solid = world.get::<Avoider>(agent).is_some();
        let walked = walled.ticks.saturating_sub(TURN_TICKS) as f32 * Agent::default().speed / 64.0;
        let is_late = !is_solid && distance > walled.distance + DETOUR - walked;
        let (ticks, began) = (walled.ticks, walled.distance);
        (is_late || ticks > MAX_BLOCKED).then(|| {
            format!(
                "{agent} at {local} is in a wall and has come from {began} to {distance} cells in {ticks} ticks"
            )
        })
    }

    /// A description of a path that crosses a wall. The path of an agent in a wall may begin there.
    fn path_crosses_a_wall(&self, agent: Entity) -> Option<String> {
        let world = self.app.world();
        let path = world.get::<NavPath>(agent).filter(|_| !self.walled.contains_key(&agent))?;
        let nav = world.get::<NavGrid>(path.grid())?;
        let corner = position(&self.app, path.grid());
        let points: Vec<Vec2> = path.remaining().iter().map(|&point| (point - corner).truncate()).collect();
        let is_free = |point: &Vec2| nav.grid().is_walkable(KindId::default(), GridCell::containing(*point));
        let crosses = |leg: &&[Vec2]| {
            leg.iter().all(is_free)
                && !line_of_sight(nav.grid(), KindId::default(), CoreCornerRule::Never, leg[0], leg[1])
        };
        let leg = points.windows(2).find(crosses)?;
        Some(format!("{agent} is to cross a wall from {} to {}", leg[0], leg[1]))
    }

    /// Numbers that must not grow: entities and archetypes.
    fn counts(&self) -> (usize, usize) {
        let world = self.app.world();
        (world.entities().count_spawned() as usize, world.archetypes().len())
    }
}

/// Resident memory of the process, in KiB; `None` if the system does not report it.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}

fn soak(seed: u64, minutes: f32) {
    let mut soak = Soak::new(seed);
    soak.app.update();
    let (entities, _) = soak.counts();
    let ticks = (minutes * 60.0 * 64.0) as u64;
    let mut at_half = (usize::MAX, None);
    for tick in 0..ticks {
        soak.change_world();
        if tick % SAVES == FIRST_SAVE {
            soak.save_and_load();
        }
        soak.app.update();
        soak.app.world_mut().resource_mut::<EventLog>().0.clear();
        if let Some(violation) = soak.violation() {
            panic!("seed {seed}, tick {tick}: {violation}");
        }
        let (now, kinds) = soak.counts();
        assert!(now == entities, "seed {seed}, tick {tick}: {now} entities, {entities} at the start");
        if tick == ticks / 2 && minutes >= 4.0 {
            at_half = (kinds + kinds / RARE_SHARE, memory());
        }
        assert!(
            kinds <= at_half.0,
            "seed {seed}, tick {tick}: {kinds} archetypes, too many more than at half time"
        );
    }
    if let (Some(half), Some(end)) = (at_half.1, memory()) {
        let kinds = soak.counts().1;
        println!("seed {seed}: {half} KiB at half time, {end} KiB and {kinds} archetypes at the end");
        assert!(end <= half + MAX_GROWTH, "seed {seed}: {half} KiB at half time have become {end} KiB");
    }
}

fn from_environment<T: core::str::FromStr>(name: &str, otherwise: T) -> T {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn invariants_hold_while_everything_changes() {
    let seed = from_environment("NAV_SOAK_SEED", 6);
    for seed in seed..seed + from_environment("NAV_SOAK_SEEDS", 1) {
        soak(seed, from_environment("NAV_SOAK_MINUTES", 0.05));
    }
}
