//! The raid: raiders land before the castle, break through where its wall is weakest, and go for the treasure.

use bevy::prelude::*;
use bevy_pathfind::{order::PartialReason, prelude::*};

use super::{
    Castle, CastleSettings, SCENE, body,
    floors::{FLOORS, Passage, YARD_FLOOR},
    show::{self, SLAB},
};
use crate::{
    hud::Notice,
    pulse::Pulses,
    rng::{mixed, share},
    scene3d::SceneBuilder,
    theme,
};

/// The old wall: as it was built, cracked, and about to fall.
pub(super) const OLD_WALL: [Terrain; 3] = [Terrain(22), Terrain(23), Terrain(24)];
/// The wall above the gate: the same.
pub(super) const GATE_WALL: [Terrain; 3] = [Terrain(25), Terrain(26), Terrain(27)];
/// How much a raider breaks in a second, and how much each wall can take.
const BREAKS: f32 = 10.0;
const HIT_POINTS: [(f32, [Terrain; 3]); 2] = [(120.0, OLD_WALL), (400.0, GATE_WALL)];

const RAIDERS: i32 = 6;
/// Where the raiders land, and where they go: cells of the yard.
const LANDING: GridCell = GridCell::new(5, 18);
const TREASURE: GridCell = GridCell::new(26, 9);

/// A raider, and the cell of the yard that it stands before.
#[derive(Component, Default)]
pub(super) struct Raider {
    before: Option<GridCell>,
}

/// Two cells of a wall that fall together, and what they can still take.
#[derive(Component)]
pub(super) struct Masonry {
    cells: CellRect,
    terrains: [Terrain; 3],
    most: f32,
    left: f32,
}

/// What a part of a wall looks like: the mesh of this state, 0 for a whole one.
#[derive(Component)]
#[require(Visibility)]
pub(super) struct Stones(usize);

impl Masonry {
    /// 0 for a whole wall, 3 for a broken one.
    fn state(&self) -> usize {
        if self.left <= 0.0 { 3 } else { 2 - ((self.left / self.most * 3.0) as usize).min(2) }
    }

    fn terrain(&self) -> Terrain {
        self.terrains.get(self.state()).copied().unwrap_or(Terrain::GROUND)
    }
}

/// The kinds of agents: nobody walks through walls that can be broken; returns that for which raiders plan, at the price
/// of breaking them.
pub(super) fn set_kinds(kinds: &mut AgentKinds, settings: &CastleSettings) -> KindId {
    let (mut walker, mut raider) = (AgentKind::default(), AgentKind::default());
    for (most, terrains) in HIT_POINTS {
        for (state, terrain) in terrains.into_iter().enumerate() {
            let left = most * (3 - state) as f32 / 3.0;
            walker = walker.with_blocked(terrain);
            raider = raider.with_cost(terrain, left / BREAKS * settings.guard_speed).expect("it is a cost");
        }
    }
    kinds.set(KindId::default(), walker).expect("the default kind exists");
    kinds.add(raider).expect("two kinds are few")
}

/// Spawns the walls that can be broken, each with its meshes, and the treasure.
pub(super) fn build(builder: &mut SceneBuilder) {
    let yard = &FLOORS[YARD_FLOOR];
    let grid = yard.grid();
    let is_left = |cell: &GridCell| cell.x % 2 == if cell.x < 10 { 1 } else { 0 };
    for cell in grid.bounds().cells().filter(is_left) {
        let kind = HIT_POINTS.into_iter().find(|(_, terrains)| grid.terrain(cell) == Some(terrains[0]));
        let Some((most, terrains)) = kind else { continue };
        let cells = CellRect::new(cell, GridCell::new(cell.x + 1, cell.y));
        let corner = yard.at(cell) - Vec3::new(0.5, 0.0, 0.5);
        let paint = if terrains == OLD_WALL { theme::BRICK } else { theme::WALL.mix(&theme::BRICK, 0.3) };
        let meshes: Vec<_> = (0..4)
            .map(|state| {
                let stones = stones(cell, state).map(|stone| stone.map(|at| corner + at));
                show::put(builder, stones, paint.mix(&theme::VOID, 0.1 * state as f32))
                    .insert(Stones(state))
                    .id()
            })
            .collect();
        let wall =
            (Masonry { cells, terrains, most, left: most }, Transform::default(), Visibility::default());
        builder.commands.spawn((wall, SCENE.despawn_on_exit())).add_children(&meshes);
    }
    let at = yard.at(TREASURE);
    let chest = [[at - Vec3::new(0.45, SLAB, 0.3), at + Vec3::new(0.45, 0.5, 0.3)]];
    show::put(builder, chest, theme::OPENED);
    let at = yard.at(LANDING).with_z(21.2);
    let hull = [[at - Vec3::new(1.6, 1.0, 0.7), at + Vec3::new(1.6, -0.2, 0.7)]];
    show::put(builder, hull, theme::BRICK.mix(&theme::VOID, 0.3));
}

/// The stones of two cells: eight by four columns, of which some lean, sink and fall as the wall is broken.
fn stones(cell: GridCell, state: usize) -> impl Iterator<Item = [Vec3; 2]> {
    (0..32_u64).map(move |stone| {
        let (x, z) = ((stone % 8) as f32 / 4.0, (stone / 8) as f32 / 4.0);
        let chance = share(mixed((cell.x as u64) << 20 | (cell.y as u64) << 8 | stone));
        let whole = show::WALL + 0.12 * ((stone + stone / 8) % 2) as f32;
        let height = match state {
            0 => whole,
            1 if chance < 0.6 => whole,
            1 => 0.6 * whole,
            2 => whole * (0.15 + 0.6 * chance),
            _ => 0.16 * chance - 0.06,
        };
        // From the first crack on there are gaps between stones.
        let gap = 0.03 * state.min(2) as f32;
        [Vec3::new(x + gap, -SLAB, z + gap), Vec3::new(x + 0.25 - gap, height, z + 0.25 - gap)]
    })
}

/// Lets raiders land. The walls are mended before, and the gate is shut.
pub(super) fn land(
    mut builder: SceneBuilder,
    (settings, castle): (Res<CastleSettings>, Res<Castle>),
    raiders: Query<Entity, With<Raider>>,
    (mut walls, mut grids): (Query<&mut Masonry>, Query<&mut NavGrid>),
    mut links: Query<(&Passage, &mut NavLink)>,
    mut notice: ResMut<Notice>,
) {
    raiders.iter().for_each(|raider| builder.commands.entity(raider).despawn());
    for mut wall in &mut walls {
        wall.left = wall.most;
        set_terrain(&wall, &castle, &mut grids);
    }
    for (_, mut gate) in links.iter_mut().filter(|(passage, _)| **passage == Passage::Gate) {
        gate.is_open = false;
    }
    let yard = &FLOORS[YARD_FLOOR];
    for number in 0..RAIDERS {
        let at = yard.at(GridCell::new(LANDING.x - 1 + number % 3, LANDING.y + number / 3));
        let name = format!("Raider {}", number + 1);
        let raider = body(&mut builder, name, settings.guard_speed, theme::HUNTER, at);
        let plans =
            (Raider::default(), Breacher { kind: castle.raiders }, PathRequest::to(yard.at(TREASURE)));
        builder.commands.entity(raider).insert(plans).observe(stand).observe(steal).observe(give_up);
    }
    notice.show("Raiders! The gate is shut: they break the wall where it is weakest.");
}

/// Notes the cell that a raider has to break.
fn stand(blocked: On<PathBlocked>, mut raiders: Query<&mut Raider>) {
    let cell = (blocked.at - FLOORS[YARD_FLOOR].corner).floor();
    if let Ok(mut raider) = raiders.get_mut(blocked.entity) {
        raider.before = Some(GridCell::new(cell.x as i32, cell.z as i32));
    }
}

/// A raider that has come to the treasure is gone, with some of it.
fn steal(
    arrived: On<AgentArrived>,
    at: Query<&Transform>,
    (mut castle, mut pulses): (ResMut<Castle>, ResMut<Pulses>),
    mut commands: Commands,
) {
    at.get(arrived.entity).into_iter().for_each(|at| pulses.add(at.translation, theme::OPENED));
    commands.entity(arrived.entity).despawn();
    castle.stolen += 1;
}

fn give_up(
    caught: On<CaughtBy>,
    at: Query<&Transform>,
    (mut notice, mut pulses): (ResMut<Notice>, ResMut<Pulses>),
    mut commands: Commands,
) {
    at.get(caught.entity).into_iter().for_each(|at| pulses.add(at.translation, theme::SKY));
    commands.entity(caught.entity).despawn();
    notice.show("A guard has caught a raider.");
}

/// Raiders break what they stand before; at each state of its decay a wall gets another terrain, which costs less.
pub(super) fn break_walls(
    raiders: Query<(&Raider, &PathStatus)>,
    mut walls: Query<&mut Masonry>,
    (mut castle, time): (ResMut<Castle>, Res<Time>),
    mut grids: Query<&mut NavGrid>,
) {
    for (raider, _) in
        raiders.iter().filter(|(_, status)| **status == PathStatus::EndedShort(PartialReason::Breach))
    {
        let is_before = |wall: &Mut<Masonry>| {
            raider.before.is_some_and(|cell| wall.cells.contains(cell)) && wall.left > 0.0
        };
        let Some(mut wall) = walls.iter_mut().find(is_before) else { continue };
        let before = wall.state();
        wall.left -= BREAKS * time.delta_secs();
        if wall.state() != before {
            set_terrain(&wall, &castle, &mut grids);
        }
        castle.breaches += u32::from(wall.left <= 0.0);
    }
}

fn set_terrain(wall: &Masonry, castle: &Castle, grids: &mut Query<&mut NavGrid>) {
    if let Some(mut yard) = castle.floors.get(YARD_FLOOR).and_then(|&yard| grids.get_mut(yard).ok()) {
        yard.fill(wall.cells, wall.terrain());
    }
}

/// Shows the meshes of the walls' states, and what damaged walls can still take.
pub(super) fn show_walls(
    walls: Query<(&Masonry, &Children)>,
    mut stones: Query<(&Stones, &mut Visibility)>,
    mut gizmos: Gizmos,
) {
    for (wall, children) in &walls {
        for &child in children {
            if let Ok((stones, mut visibility)) = stones.get_mut(child) {
                let is_shown = stones.0 == wall.state();
                visibility.set_if_neq(if is_shown { Visibility::Inherited } else { Visibility::Hidden });
            }
        }
        if wall.left < wall.most && wall.left > 0.0 {
            let left = FLOORS[YARD_FLOOR].at(wall.cells.min) + Vec3::new(-0.5, 1.6, 0.0);
            gizmos.line(left, left + 2.0 * Vec3::X, theme::VOID);
            gizmos.line(left, left + 2.0 * Vec3::X * wall.left / wall.most, theme::PREY);
        }
    }
}
