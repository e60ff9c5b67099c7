//! The user's orders: companies are selected with the left button, and take the front that is drawn with the right one.

use bevy::prelude::*;
use bevy_pathfind::{prelude::*, steer::FormationMembers};

use super::{
    armies::{Company, Side, Soldier},
    field,
};
use crate::{hud::Notice, orders::Selected, pointer::Pointer, pulse::Pulses, theme};

/// A drag shorter than this, in cells, is a click: the companies keep their width and their facing.
const CLICK: f32 = 2.0;
/// How near to a soldier a click selects its company, in cells.
const NEAR: f32 = 2.0;
/// The gap between two companies that share a front, in cells.
const GAP: f32 = 2.0;

/// Selects our companies by a click on one of their soldiers, or by a box round some; their soldiers get rings.
pub(super) fn select(
    companies: Query<(Entity, &Company, &FormationMembers, Has<Selected>)>,
    soldiers: Query<(&Transform, Has<Selected>), With<Soldier>>,
    (pointer, keys): (Res<Pointer>, Res<ButtonInput<KeyCode>>),
    mut press: Local<Option<Vec2>>,
    mut gizmos: Gizmos,
    mut commands: Commands,
) {
    if pointer.just_pressed(MouseButton::Left) {
        *press = Some(pointer.world);
    }
    let drawn = press.map(|press| Rect::from_corners(press, pointer.world));
    if let Some(drawn) = drawn.filter(|_| pointer.is_dragging(MouseButton::Left)) {
        gizmos.rect_2d(drawn.center(), drawn.size(), theme::FRIEND);
    }
    let released = drawn.filter(|_| pointer.just_released(MouseButton::Left)).inspect(|_| *press = None);
    let adds = keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
    for (entity, company, members, is_chosen) in &companies {
        let mut chosen = is_chosen;
        if let Some(drawn) = released.filter(|_| company.side == Side::Ours) {
            let area = if drawn.size().max_element() < CLICK { drawn.inflate(NEAR) } else { drawn };
            let is_hit =
                |member| soldiers.get(member).is_ok_and(|it| area.contains(it.0.translation.truncate()));
            chosen = members.iter().any(is_hit) || adds && is_chosen;
        }
        match (chosen, is_chosen) {
            (true, false) => _ = commands.entity(entity).insert(Selected),
            (false, true) => _ = commands.entity(entity).remove::<Selected>(),
            _ => {}
        }
        for member in members.iter() {
            match (chosen, soldiers.get(member).is_ok_and(|it| it.1)) {
                (true, false) => _ = commands.entity(member).try_insert(Selected),
                (false, true) => _ = commands.entity(member).try_remove::<Selected>(),
                _ => {}
            }
        }
    }
}

/// Shows the front that is being drawn, and gives the order when the button is released.
pub(super) fn draw(
    pointer: Res<Pointer>,
    chosen: Query<(), (With<Selected>, With<Company>)>,
    mut press: Local<Option<Vec2>>,
    mut notice: ResMut<Notice>,
    mut gizmos: Gizmos,
    mut commands: Commands,
) {
    if pointer.just_pressed(MouseButton::Right) {
        *press = Some(pointer.world);
        if chosen.is_empty() {
            notice.show("No company is selected: draw a box round one, or press A.");
        }
    }
    let Some(from) = *press else { return };
    let to = pointer.world;
    let facing = (to - from).perp().normalize_or_zero();
    if pointer.is_dragging(MouseButton::Right) && from.distance(to) >= CLICK && !chosen.is_empty() {
        gizmos.line_2d(from, to, theme::FRIEND);
        let middle = from.midpoint(to);
        gizmos.arrow_2d(middle, middle + facing * 3.0, theme::FRIEND);
    }
    if pointer.just_released(MouseButton::Right) {
        *press = None;
        commands.run_system_cached_with(take, (from, to));
    }
}

/// Sends the selected companies to a front, the left end first; they share its length by their numbers. A short one is a
/// click: each company keeps its place among the others.
pub(super) fn take(
    In((from, to)): In<(Vec2, Vec2)>,
    mut companies: Query<(Entity, &Company, &mut Formation, &FormationMembers, &Transform), With<Selected>>,
    bodies: Query<&Agent>,
    mut pulses: ResMut<Pulses>,
    mut commands: Commands,
) {
    let along = (to - from).normalize_or_zero();
    let mut sent: Vec<_> = companies.iter_mut().collect();
    // The company nearest to the left end takes the left end, so that their paths do not cross.
    sent.sort_by(|a, b| {
        let part = |at: &Transform| (at.translation.truncate() - from).dot(along);
        part(a.4).total_cmp(&part(b.4)).then(a.1.troop.cmp(&b.1.troop))
    });
    let all: usize = sent.iter().map(|it| it.3.count()).sum();
    let middle = sent.iter().map(|it| it.4.translation.truncate()).sum::<Vec2>() / sent.len().max(1) as f32;
    let length = from.distance(to);
    let room = (length - GAP * sent.len().saturating_sub(1) as f32).max(0.0);
    let half = field::SIZE.as_vec2() / 2.0 - 1.0;
    let mut begin = from;
    for (company, _, mut formation, members, at) in sent {
        let mut goal = to + (at.translation.truncate() - middle);
        if length >= CLICK {
            let width = room * members.count() as f32 / all.max(1) as f32;
            let widest = members.iter().filter_map(|member| bodies.get(member).ok());
            let spacing = formation.spacing * widest.map(Agent::body_unit).fold(0.0, f32::max);
            formation.abreast = Some((width / spacing.max(0.1)) as u32 + 1);
            formation.facing = Some(along.perp().extend(0.0));
            let places =
                formation.shape.places(members.count(), formation.abreast.map(|abreast| abreast as usize));
            let depth = places.first().map_or(0.0, |foremost| foremost.y) * spacing;
            goal = begin + along * width / 2.0 - along.perp() * depth;
            begin += along * (width + GAP);
        } else {
            formation.facing = None;
        }
        let goal = goal.clamp(-half, half);
        pulses.add(goal.extend(0.0), theme::FRIEND);
        commands.entity(company).go_to(goal.extend(0.0));
    }
}
