//! What floors and passages look like.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use bevy_pathfind::{prelude::*, steer::PursuitAim};

use super::{
    SCENE, floor_under,
    floors::{Drawbridge, FLOORS, Passage, RISE_FLOOR, ROOF_FLOOR, UPPER_FLOOR},
};
use crate::{
    chrome::Chrome,
    hud::label,
    orbit::Orbit,
    scene3d::{SceneBuilder, flat},
    theme,
};

/// How thick floors are, and how high walls stand: low, so that one sees over them.
pub(super) const SLAB: f32 = 0.35;
pub(super) const WALL: f32 = 0.9;
/// How much lighter floors are than the ground of other scenes.
const BRIGHTER: f32 = 0.16;
/// The pads of the teleporter, each with its floor, and the trapdoor.
const PADS: [(Vec3, usize); 2] =
    [(Vec3::new(5.5, 2.0, 7.5), RISE_FLOOR), (Vec3::new(34.5, 10.0, 4.5), ROOF_FLOOR)];
const TRAPDOOR: Vec3 = Vec3::new(27.5, 5.0, 8.5);

/// On a part of the castle that is shown only while a passage is in this state.
#[derive(Component)]
#[require(Visibility)]
pub(super) enum ShownWhile {
    BridgeDown,
    BridgeUp,
    GateShut,
    Ladder,
}

/// On what stands on a floor, or carries it: it is hidden when that floor is cut away.
#[derive(Component)]
#[require(Visibility)]
pub(super) struct OfFloor(usize);

/// The floors from this one up are cut away.
#[derive(Resource)]
pub(super) struct Cut(pub(super) usize);

impl Default for Cut {
    fn default() -> Self {
        Self(FLOORS.len())
    }
}

impl Cut {
    /// Cuts away one floor more, down to the rise; then none.
    pub(super) fn go_down(&mut self) {
        self.0 = if self.0 > UPPER_FLOOR { self.0 - 1 } else { FLOORS.len() };
    }
}

/// Builds the castle.
pub(super) fn build(builder: &mut SceneBuilder) {
    builder.floor(&SCENE, Vec2::new(260.0, 240.0), 8.0, -1.6);
    let tints =
        [theme::GROWTH.mix(&theme::GROUND, 0.55), theme::GROUND, theme::GROUND, theme::GROUND, theme::GROUND];
    for (number, tint) in tints.into_iter().enumerate() {
        floor(builder, number, tint.mix(&theme::TEXT, BRIGHTER));
    }
    // The moat, and the rock under the castle.
    let water = [[Vec3::new(-40.0, -1.5, 20.0), Vec3::new(80.0, -0.7, 24.0)]];
    put(builder, water, theme::WATER_EDGE.mix(&theme::WATER, 0.6));
    let rise = [[Vec3::new(3.0, -0.3, 1.0), Vec3::new(13.0, 2.0 - SLAB, 10.0)]];
    put(builder, rise, theme::WALL.mix(&theme::VOID, 0.45));
    let ramp = (0..12).map(|step| {
        let (x, height) = (13.0 + step as f32 / 6.0, 2.0 - step as f32 / 6.0);
        [Vec3::new(x, -0.2, 4.0), Vec3::new(x + 1.0 / 6.0, height, 7.0)]
    });
    put(builder, ramp, theme::WALL);
    // Columns carry the upper floors.
    let columns = [(17.4, 9.5), (22.5, 9.6), (31.5, 9.6), (36.5, 9.6), (22.5, 2.4), (36.5, 2.4)];
    let columns =
        columns.map(|(x, z)| [Vec3::new(x - 0.3, 0.0, z - 0.3), Vec3::new(x + 0.3, 5.0 - SLAB, z + 0.3)]);
    put(builder, columns, theme::WALL).insert(OfFloor(UPPER_FLOOR));
    let roof = [(20.4, 5.6), (36.5, 5.6)]
        .map(|(x, z)| [Vec3::new(x - 0.25, 5.0, z - 0.25), Vec3::new(x + 0.25, 10.0 - SLAB, z + 0.25)]);
    put(builder, roof, theme::WALL).insert(OfFloor(ROOF_FLOOR));
    // Both stairs, as steps in the air between their ends.
    stairs(builder, Vec3::new(33.5, 0.0, 10.5), Vec3::new(33.5, 5.0, 8.5)).insert(OfFloor(UPPER_FLOOR));
    stairs(builder, Vec3::new(18.5, 5.0, 8.5), Vec3::new(20.5, 10.0, 5.5)).insert(OfFloor(ROOF_FLOOR));
    for (at, floor) in PADS {
        let (column, paint) = (builder.shared_meshes.column.clone(), builder.paint(theme::CLOSED[1]));
        let place = Transform::from_translation(at).with_scale(Vec3::new(0.48, 0.06, 0.48));
        builder.commands.spawn((Mesh3d(column), paint, place, OfFloor(floor), SCENE.despawn_on_exit()));
    }
    let hatch = [[TRAPDOOR - Vec3::new(0.4, 0.0, 0.4), TRAPDOOR + Vec3::new(0.4, 0.04, 0.4)]];
    put(builder, hatch, theme::VOID).insert(OfFloor(UPPER_FLOOR));
    bridge_and_gate(builder);
}

fn bridge_and_gate(builder: &mut SceneBuilder) {
    let planks = (0..8).map(|plank| {
        let z = 20.0 + plank as f32 * 0.5;
        [Vec3::new(18.0, -SLAB, z + 0.03), Vec3::new(22.0, 0.0, z + 0.47)]
    });
    put(builder, planks, theme::BRICK).insert(ShownWhile::BridgeDown);
    let planks = (0..8).map(|plank| {
        let y = plank as f32 * 0.5;
        [Vec3::new(18.0, y + 0.03, 19.7), Vec3::new(22.0, y + 0.47, 20.0)]
    });
    put(builder, planks, theme::BRICK).insert(ShownWhile::BridgeUp);
    let posts = [17.6, 22.0].map(|x| [Vec3::new(x, 0.0, 16.0), Vec3::new(x + 0.4, 2.4, 17.0)]);
    let lintel = [[Vec3::new(17.6, 2.4, 16.0), Vec3::new(22.4, 2.8, 17.0)]];
    put(builder, posts.into_iter().chain(lintel), theme::WALL);
    let threshold = [[Vec3::new(18.0, -SLAB, 16.0), Vec3::new(22.0, 0.0, 17.0)]];
    put(builder, threshold, theme::BRICK.mix(&theme::VOID, 0.4));
    let bars = (0..9).map(|bar| {
        let x = 18.1 + bar as f32 * 0.475;
        [Vec3::new(x - 0.06, 0.0, 16.44), Vec3::new(x + 0.06, 2.4, 16.56)]
    });
    put(builder, bars, theme::HUNTER).insert(ShownWhile::GateShut);
    let rungs = (0..14).map(|rung| {
        let share = (rung as f32 + 0.5) / 14.0;
        let at = Vec3::new(15.5, 0.0, 2.5).lerp(Vec3::new(17.2, 5.0, 3.2), share);
        [at - Vec3::new(0.06, 0.05, 0.45), at + Vec3::new(0.06, 0.05, 0.45)]
    });
    put(builder, rungs, theme::PREY).insert(ShownWhile::Ladder);
}

fn stairs<'a>(builder: &'a mut SceneBuilder, from: Vec3, to: Vec3) -> EntityCommands<'a> {
    let steps = (0..16).map(|step| {
        let at = from.lerp(to, (step as f32 + 0.5) / 16.0);
        [at - Vec3::new(0.5, 0.16, 0.25), at + Vec3::new(0.5, 0.0, 0.25)]
    });
    put(builder, steps, theme::WALL.mix(&theme::TEXT, 0.12))
}

/// The tiles and walls of a floor.
fn floor(builder: &mut SceneBuilder, number: usize, tint: Color) {
    let floor = &FLOORS[number];
    let grid = floor.grid();
    let corner = |cell: GridCell| floor.corner + Vec3::new(cell.x as f32, floor.height(cell), cell.y as f32);
    let boxes_of = |wanted: &dyn Fn(GridCell, Terrain) -> bool, low: f32, high: f32| -> Vec<[Vec3; 2]> {
        let cells =
            grid.bounds().cells().filter(|&cell| grid.terrain(cell).is_some_and(|it| wanted(cell, it)));
        // From the plane of the floor up, so that a hill has no hollow.
        let below = |cell: GridCell| floor.corner + Vec3::new(cell.x as f32, low, cell.y as f32);
        cells.map(|cell| [below(cell), corner(cell) + Vec3::new(1.0, high, 1.0)]).collect()
    };
    let is_even = |cell: GridCell| (cell.x / 2 + cell.y / 2) % 2 == 0;
    let is_rock = |cell: GridCell| floor.is_rock(cell);
    let is_tile = |terrain: Terrain| matches!(terrain, Terrain::GROUND | Terrain::TREES);
    let tiles = [
        (boxes_of(&|cell, it| is_tile(it) && is_even(cell) && !is_rock(cell), -SLAB, 0.0), tint),
        (
            boxes_of(&|cell, it| is_tile(it) && !is_even(cell) && !is_rock(cell), -SLAB, 0.0),
            tint.mix(&theme::WALL, 0.14),
        ),
        (boxes_of(&|cell, _| is_rock(cell), -SLAB, 0.0), theme::WALL.mix(&theme::VOID, 0.1)),
        (boxes_of(&|_, it| it == Terrain::WALL, -SLAB, WALL), theme::WALL.mix(&theme::VOID, 0.25)),
        (boxes_of(&|_, it| it == Terrain::TREES, 0.0, 1.3), theme::GROWTH_EDGE),
    ];
    for (boxes, color) in tiles.into_iter().filter(|(boxes, _)| !boxes.is_empty()) {
        put(builder, boxes, color).insert(OfFloor(number));
    }
}

/// Spawns boxes of one colour.
pub(super) fn put<'a>(
    builder: &'a mut SceneBuilder,
    boxes: impl IntoIterator<Item = [Vec3; 2]>,
    color: Color,
) -> EntityCommands<'a> {
    let (mesh, paint) = (builder.boxes(boxes), builder.paint(color));
    builder.commands.spawn((mesh, paint, Transform::default(), SCENE.despawn_on_exit()))
}

/// Shows what is open, shut, up and down.
pub(super) fn show_parts(
    mut parts: Query<(&ShownWhile, &mut Visibility)>,
    bridges: Query<(), With<Drawbridge>>,
    links: Query<(&Passage, &NavLink)>,
) {
    let is_down = !bridges.is_empty();
    let gate = links.iter().find(|(passage, _)| **passage == Passage::Gate);
    let has_ladder = links.iter().any(|(passage, _)| *passage == Passage::Ladder);
    for (part, mut visibility) in &mut parts {
        let is_shown = match part {
            ShownWhile::BridgeDown => is_down,
            ShownWhile::BridgeUp => !is_down,
            ShownWhile::GateShut => gate.is_some_and(|(_, link)| !link.is_open),
            ShownWhile::Ladder => has_ladder,
        };
        visibility.set_if_neq(if is_shown { Visibility::Inherited } else { Visibility::Hidden });
    }
}

/// Hides the floors that are cut away, and who is on them.
pub(super) fn cut_away(
    cut: Res<Cut>,
    mut parts: Query<(&OfFloor, &mut Visibility), Without<Agent>>,
    mut agents: Query<(&Transform, &mut Visibility), With<Agent>>,
) {
    let shown = |floor: usize| if floor < cut.0 { Visibility::Inherited } else { Visibility::Hidden };
    for (part, mut visibility) in &mut parts {
        visibility.set_if_neq(shown(part.0));
    }
    for (at, mut visibility) in &mut agents {
        visibility.set_if_neq(shown(floor_under(at.translation)));
    }
}

/// Draws the path of the captain, over all floors, and rings round thieves that are in sight of a guard.
pub(super) fn draw(
    captains: Query<(&NavPath, &Transform), With<super::Captain>>,
    guards: Query<(&Pursuer, &PursuitAim)>,
    thieves: Query<&Transform, With<super::Thief>>,
    mut gizmos: Gizmos,
) {
    for (path, at) in &captains {
        let points = core::iter::once(&at.translation).chain(path.remaining());
        gizmos.linestrip(points.map(|&point| point + Vec3::Y * 0.15), theme::FRIEND.with_alpha(0.6));
        if let Some(end) = path.remaining().last() {
            gizmos.circle(Isometry3d::new(*end + Vec3::Y * 0.1, flat()), 0.5, theme::FRIEND).resolution(24);
        }
    }
    let seen = guards.iter().filter(|(_, aim)| aim.is_in_sight).map(|(pursuer, _)| pursuer.target);
    for at in seen.filter_map(|thief| thieves.get(thief).ok()) {
        let ring = Isometry3d::new(at.translation + Vec3::Y * 0.15, flat());
        gizmos.circle(ring, 0.7, theme::HUNTER.with_alpha(0.8)).resolution(24);
    }
}

/// Writes who the agents are, and what pads and trapdoor are.
pub(super) fn labels(
    mut contexts: EguiContexts,
    agents: Query<(&Name, &Transform), With<Agent>>,
    camera: Query<(&Camera, &Transform), With<Orbit>>,
    (cut, chrome): (Res<Cut>, Chrome),
) -> Result {
    let Ok((camera, &place)) = camera.single() else { return Ok(()) };
    let painter = contexts.ctx_mut()?.layer_painter(egui::LayerId::background());
    let things = PADS.map(|(at, _)| ("teleporter", at, theme::CLOSED[1])).into_iter().chain([(
        "trapdoor",
        TRAPDOOR,
        theme::TEXT,
    )]);
    let agents = agents.iter().map(|(name, at)| (name.as_str(), at.translation + Vec3::Y * 1.2, theme::TEXT));
    for (text, at, color) in things.chain(agents).filter(|(_, at, _)| floor_under(*at) < cut.0) {
        let Ok(screen) = camera.world_to_viewport(&place.into(), at) else { continue };
        if !chrome.covers(screen) {
            let at = egui::pos2(screen.x, screen.y);
            label(&painter, at, egui::Align2::CENTER_BOTTOM, text.to_owned(), color);
        }
    }
    Ok(())
}
