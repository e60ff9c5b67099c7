//! Groups in formation: on open ground, through narrow places, with losses; and agents that are sent as they stand.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, solve::SolveMode, steer::FormationShape, world::Grid};

use crate::support::*;

const RADIUS: f32 = 0.4;
const SPEED: f32 = 4.0;
/// The default distance of neighbours.
const SPACING: f32 = 1.25;
/// Ground with a door of one cell, a corridor of two cells, and both, with rooms between and behind.
const DOOR: &[(i32, i32, i32)] = &[(24, 25, 1)];
const CORRIDOR: &[(i32, i32, i32)] = &[(24, 44, 2)];
const BOTH: &[(i32, i32, i32)] = &[(24, 25, 1), (45, 65, 2)];

/// A map of 24 rows with walls in these columns, but for so many rows in the middle.
fn rooms(width: u32, walls: &[(i32, i32, i32)]) -> Grid {
    let is_wall = |cell: GridCell| {
        walls.iter().any(|&(from, to, gap)| (from..to).contains(&cell.x) && !(12..12 + gap).contains(&cell.y))
    };
    Grid::from_fn(width, 24, |cell| if is_wall(cell) { Terrain::WALL } else { Terrain::GROUND }).expect("it is small")
}

fn body() -> (Agent, Avoider) {
    (Agent { radius: RADIUS, ..Agent::new(SPEED) }, Avoider::default())
}

/// Where the members of a block of 40 start: five columns of eight.
fn start(index: usize) -> Vec3 {
    Vec3::new(4.5 + (index / 8) as f32 * 1.3, 7.5 + (index % 8) as f32 * 1.3, 0.0)
}

struct Legion {
    app: App,
    group: Entity,
    members: Vec<Entity>,
}

impl Legion {
    fn new(map: Grid, formation: Formation, count: usize) -> Self {
        let mut app = app(SolveMode::Inline);
        app.insert_resource(SearchOptions::default());
        spawn_grid(&mut app, map);
        let world = app.world_mut();
        let group = world.spawn(formation).id();
        let member = |index| (body(), FormationOf::new(group), Transform::from_translation(start(index)));
        let members = (0..count).map(|index| world.spawn(member(index)).id()).collect();
        Self { app, group, members }
    }

    fn order(&mut self, x: f32, y: f32) {
        self.app.world_mut().commands().entity(self.group).go_to(Vec3::new(x, y, 0.0));
        self.app.world_mut().flush();
    }

    fn arrivals(&self, of: Entity) -> usize {
        count(&self.app, &LoggedEvent::Arrived(of))
    }

    /// Seconds until something is so; infinity after `limit` seconds.
    fn until(&mut self, limit: usize, is_so: impl Fn(&Self) -> bool) -> f32 {
        for tick in 0..64 * limit {
            if is_so(self) {
                return tick as f32 / 64.0;
            }
            self.app.update();
        }
        f32::INFINITY
    }

    fn run(&mut self, seconds: f32) {
        (0..(64.0 * seconds) as usize).for_each(|_| self.app.update());
    }

    fn places(&self) -> Vec<Vec2> {
        let world = self.app.world();
        self.members
            .iter()
            .filter_map(|&member| Some(world.get::<Transform>(member)?.translation.truncate()))
            .collect()
    }

    /// The mean distance of the members from the places of the formation, whose front points at `forward`.
    fn off(&self, forward: Vec2) -> f32 {
        let (members, world) = (self.places(), self.app.world());
        let formation = world.get::<Formation>(self.group).expect("it is a group");
        let center = members.iter().sum::<Vec2>() / members.len() as f32;
        let ideal = formation.shape.places(members.len(), formation.abreast.map(|it| it as usize));
        let middle = ideal.iter().sum::<Vec2>() / ideal.len() as f32;
        // Without walls x grows to the right of y.
        let right = Vec2::new(forward.y, -forward.x);
        let mut free: Vec<_> = ideal
            .iter()
            .map(|place| center + ((place.x - middle.x) * right + (place.y - middle.y) * forward) * SPACING)
            .collect();
        let mut off = 0.0;
        // Greedily: the pair that is nearest first.
        let mut left = members.clone();
        while !left.is_empty() {
            let pairs = left.iter().enumerate().flat_map(|(i, a)| free.iter().enumerate().map(move |(j, b)| (a.distance(*b), i, j)));
            let (gap, i, j) = pairs.min_by(|a, b| a.0.total_cmp(&b.0)).expect("as many places as members");
            off += gap;
            left.swap_remove(i);
            free.swap_remove(j);
        }
        off / members.len() as f32
    }
}

fn all_shapes() -> [Formation; 7] {
    let tips = (0..10).map(|index| Vec2::new(index as f32 - 4.5, -(index as f32 - 4.5).abs()));
    [
        Formation::line(),
        Formation::column(),
        Formation::wedge(),
        Formation::square(),
        Formation::ring(),
        Formation::loose(),
        Formation::offsets(tips),
    ]
}

/// Seconds until 40 single agents are all beyond a column, and until all have arrived.
fn alone(map: Grid, beyond: f32, goal: (f32, f32)) -> (f32, f32) {
    let mut legion = Legion::new(map, Formation::line(), 0);
    let goal = Vec3::new(goal.0, goal.1, 0.0);
    legion.members = (0..40)
        .map(|index| {
            let at = Transform::from_translation(start(index));
            legion.app.world_mut().spawn((body(), at, PathRequest::to(goal))).id()
        })
        .collect();
    let through = legion.until(120, |legion| legion.places().iter().all(|at| at.x > beyond));
    let rest = legion.until(60, |legion| legion.members.iter().all(|&it| legion.arrivals(it) > 0));
    (through, through + rest)
}

#[test]
fn every_shape_arrives_in_form() {
    for formation in all_shapes() {
        let name = format!("{:?}", formation.shape);
        let mut legion = Legion::new(open(70, 24), formation, 40);
        legion.order(50.5, 12.5);
        let seconds = legion.until(40, |legion| legion.arrivals(legion.group) > 0);
        let off = legion.off(Vec2::X);
        println!("{name}: arrives after {seconds} s, {off} off");
        assert!(seconds < 20.0, "{name}: it arrives after {seconds} s");
        assert!(off < SPACING / 2.0, "{name}: {off} from the places");
        assert!(legion.members.iter().all(|&member| legion.arrivals(member) == 0), "only the group tells");
    }
}

#[test]
fn a_formation_passes_narrow_ground_as_fast_as_single_agents() {
    for (name, walls, width, goal) in [("door", DOOR, 60, 44.5), ("corridor", CORRIDOR, 80, 64.5), ("both", BOTH, 100, 84.5)] {
        let beyond = walls.iter().map(|it| it.1).max().expect("there is one") as f32;
        let (through, end) = alone(rooms(width, walls), beyond, (goal, 12.5));
        for formation in [Formation::line(), Formation::column(), Formation::wedge(), Formation::square()] {
            let shape = format!("{:?}", formation.shape);
            let mut legion = Legion::new(rooms(width, walls), formation, 40);
            legion.order(goal, 12.5);
            let all = legion.until(120, |legion| legion.places().iter().all(|at| at.x > beyond));
            legion.run(3.0);
            let off = legion.off(Vec2::X);
            let rest = legion.until(60, |legion| legion.arrivals(legion.group) > 0);
            println!(
                "{name}, {shape}: through {all} s (alone {through}), {off} off 3 s later, arrives {} s (alone {end})",
                all + 3.0 + rest
            );
        }
    }
}
