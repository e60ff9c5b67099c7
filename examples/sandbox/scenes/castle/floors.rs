//! The floors of the castle, and what joins them.

use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    world::{Grid, LinkEnd},
};

use super::{
    SCENE,
    raid::{GATE_WALL, OLD_WALL},
};

/// Before the moat.
const MEADOW: &str = "\
........................................
....T.........................TT........
...TT..........................T....T...
............T......................TT...
.....T........................T.........
...........TT.............T.............
........................................
..T.....T.........................T..T..";

/// Within the walls: the ground floor of the keep stands at its back. `~` is where the rise stands. `O` is the old wall,
/// `G` the wall above the gate: both can be broken.
const YARD: &str = "\
####################################
#~~~~~~~~~~.......................##
#~~~~~~~~~~.......................##
#~~~~~~~~~~.......................##
#~~~~~~~~~~~~..#####################
#~~~~~~~~~~~~..#..................##
#~~~~~~~~~~~~..#..................##
#~~~~~~~~~~....#...#....#....#....##
#~~~~~~~~~~.......................##
#~~~~~~~~~~.......................##
#..............#...#....#....#....##
#..............#..................##
#..............########..###########
#..................................#
#..................................#
#..................................#
#####OOOO#######GGGG################
####................################
####................################
####................################";

/// The courtyard on the rise.
const RISE: &str = "\
##########
#........#
#........#
#..##.....
#..##.....
#.........
#........#
#........#
##########";

const UPPER: &str = "\
....................
....................
.........####.......
....................
....................
.......#............
.......#............
....................";

const ROOF: &str = "\
.................
.##...........##.
.................
.................";

/// The bridge over the moat.
const BRIDGE: &str = "....\n....\n....\n....";

/// A floor: its name, map, where its first cell lies, and the hills on it.
pub(super) struct Floor {
    pub(super) name: &'static str,
    pub(super) map: &'static str,
    pub(super) corner: Vec3,
    hills: &'static [Hill],
}

/// A hill: the cell of its top, how high it is and how far it reaches, in cells. A hill that is steeper than an agent
/// climbs is a rock.
struct Hill {
    top: (i32, i32),
    height: f32,
    reach: f32,
}

/// The hills of the meadow, and a rock between them.
const MEADOW_HILLS: [Hill; 3] = [
    Hill { top: (9, 5), height: 1.6, reach: 5.0 },
    Hill { top: (27, 5), height: 1.3, reach: 4.0 },
    Hill { top: (15, 4), height: 2.2, reach: 1.2 },
];

pub(super) const FLOORS: [Floor; 5] = [
    Floor { name: "meadow", map: MEADOW, corner: Vec3::new(0.0, 0.0, 24.0), hills: &MEADOW_HILLS },
    Floor { name: "yard", map: YARD, corner: Vec3::new(2.0, 0.0, 0.0), hills: &[] },
    Floor { name: "rise", map: RISE, corner: Vec3::new(3.0, 2.0, 1.0), hills: &[] },
    Floor { name: "upper floor", map: UPPER, corner: Vec3::new(17.0, 5.0, 2.0), hills: &[] },
    Floor { name: "roof", map: ROOF, corner: Vec3::new(20.0, 10.0, 2.0), hills: &[] },
];
pub(super) const BRIDGE_FLOOR: Floor =
    Floor { name: "drawbridge", map: BRIDGE, corner: Vec3::new(18.0, 0.0, 20.0), hills: &[] };

pub(super) const MEADOW_FLOOR: usize = 0;
pub(super) const YARD_FLOOR: usize = 1;
pub(super) const RISE_FLOOR: usize = 2;
pub(super) const UPPER_FLOOR: usize = 3;
pub(super) const ROOF_FLOOR: usize = 4;

/// What a link looks like.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Passage {
    Stairs,
    Ramp,
    Gate,
    Trapdoor,
    Teleporter,
    Ladder,
}

/// On the grid of the drawbridge, while it is down.
#[derive(Component)]
pub(super) struct Drawbridge;

impl Floor {
    pub(super) fn grid(&self) -> Grid {
        // The rise stands on the yard: there is no ground below it.
        let cells: Vec<Vec<u8>> = self.map.lines().map(|line| line.bytes().collect()).collect();
        Grid::from_fn(cells[0].len() as u32, cells.len() as u32, |cell| {
            match cells[cell.y as usize][cell.x as usize] {
                b'#' => Terrain::WALL,
                b'T' => Terrain::TREES,
                b'~' => Terrain::VOID,
                b'O' => OLD_WALL[0],
                b'G' => GATE_WALL[0],
                _ => Terrain::GROUND,
            }
        })
        .and_then(|grid| {
            if self.hills.is_empty() { Ok(grid) } else { grid.with_elevation(|cell| self.height(cell)) }
        })
        .expect("the size of a floor is one of a grid, and hills are low")
    }

    /// The height of a cell above the plane of the floor.
    pub(super) fn height(&self, cell: GridCell) -> f32 {
        let height = |hill: &Hill| {
            let away = GridCell::from(hill.top).center().distance(cell.center()) / hill.reach;
            if hill.reach < 2.0 {
                return if away <= 1.0 { hill.height } else { 0.0 };
            }
            // Steps of an eighth, as the tiles show them.
            (hill.height * (1.0 - away * away).max(0.0) * 8.0).round() / 8.0
        };
        self.hills.iter().map(height).fold(0.0, f32::max)
    }

    /// Whether an agent can come to a cell: it is walkable, and not on a rock.
    pub(super) fn is_open(&self, grid: &Grid, cell: GridCell) -> bool {
        let is_wall = grid.terrain(cell).is_some_and(|it| OLD_WALL.contains(&it) || GATE_WALL.contains(&it));
        grid.is_walkable(KindId::default(), cell) && !is_wall && !self.is_rock(cell)
    }

    pub(super) fn is_rock(&self, cell: GridCell) -> bool {
        self.height(cell) > 2.0
    }

    /// The middle of a cell in the world.
    pub(super) fn at(&self, cell: GridCell) -> Vec3 {
        self.corner + Vec3::new(cell.x as f32 + 0.5, self.height(cell), cell.y as f32 + 0.5)
    }

    pub(super) fn bundle(&self) -> impl Bundle + use<> {
        (
            Name::new(self.name),
            NavGrid::new(self.grid()).with_plane(GridPlane::Xz),
            Transform::from_translation(self.corner),
            Visibility::default(),
            SCENE.despawn_on_exit(),
        )
    }
}

/// Spawns the floors, and the links between them.
pub(super) fn spawn(commands: &mut Commands) -> [Entity; FLOORS.len()] {
    let floors = FLOORS.each_ref().map(|floor| commands.spawn(floor.bundle()).id());
    spawn_bridge(commands);
    let cell = |floor: usize, x: i32, y: i32| LinkEnd::new(floors[floor], GridCell::new(x, y));
    let strip = |floor: usize, x: [i32; 2], y: [i32; 2]| {
        LinkEnd::strip(floors[floor], CellRect::new(GridCell::new(x[0], y[0]), GridCell::new(x[1], y[1])))
    };
    let mut link = |name: &'static str, passage: Passage, link: NavLink| {
        commands.spawn((Name::new(name), passage, link, SCENE.despawn_on_exit()));
    };
    let ramp = NavLink::new(strip(RISE_FLOOR, [9, 9], [3, 5]), strip(YARD_FLOOR, [13, 13], [4, 6]));
    link("ramp", Passage::Ramp, ramp.with_cost(4.0));
    let gate = NavLink::new(strip(YARD_FLOOR, [16, 19], [15, 15]), strip(YARD_FLOOR, [16, 19], [17, 17]));
    link("gate", Passage::Gate, gate.with_cost(2.0));
    let stairs = |below: LinkEnd, above: LinkEnd| NavLink::new(below, above).with_cost(7.0);
    link("stairs of the keep", Passage::Stairs, stairs(cell(YARD_FLOOR, 31, 10), cell(UPPER_FLOOR, 16, 6)));
    link("stairs to the roof", Passage::Stairs, stairs(cell(UPPER_FLOOR, 1, 6), cell(ROOF_FLOOR, 0, 3)));
    let fall = NavLink::new(cell(UPPER_FLOOR, 10, 6), cell(YARD_FLOOR, 25, 8)).with_both_ways(false);
    link("trapdoor", Passage::Trapdoor, fall.with_cost(2.0).with_crossing(LinkMotion::Jump { height: 0.6 }));
    let teleporter = NavLink::new(cell(RISE_FLOOR, 2, 6), cell(ROOF_FLOOR, 14, 2)).with_cost(3.0);
    link("teleporter", Passage::Teleporter, teleporter.with_crossing(LinkMotion::Teleport));
    floors
}

/// Lowers the drawbridge: a grid that touches both banks is joined with them.
pub(super) fn spawn_bridge(commands: &mut Commands) {
    commands.spawn((Drawbridge, BRIDGE_FLOOR.bundle()));
}

/// A ladder from the yard to the upper floor.
pub(super) fn spawn_ladder(commands: &mut Commands, floors: &[Entity]) {
    let ends = (
        LinkEnd::new(floors[YARD_FLOOR], GridCell::new(13, 2)),
        LinkEnd::new(floors[UPPER_FLOOR], GridCell::new(0, 1)),
    );
    let link = NavLink::new(ends.0, ends.1).with_cost(6.0);
    commands.spawn((Name::new("ladder"), Passage::Ladder, link, SCENE.despawn_on_exit()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floors_are_maps_whose_lines_are_of_one_length() {
        for floor in FLOORS.iter().chain([&BRIDGE_FLOOR]) {
            let width = floor.grid().width() as usize;
            assert!(floor.map.lines().all(|line| line.len() == width), "{}", floor.name);
        }
    }
}
