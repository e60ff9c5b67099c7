//! Puts finished work into the world: floors, edits of floors, and links.

use bevy::prelude::*;
use bevy::tasks::futures::check_ready;
use pathfind_core::bake::{BakedLink, BakedLinkEnd, BakedLinkKind};
use pathfind_core::{CellRect, Grid};

use super::super::{GridPlane, LinkEnd, LinkMotion, NavGrid, NavLink, Standalone};
use super::follow::BakeWork;
use super::{BakeFailed, BakedGround, GridBaked, NavGridBake};
use crate::bevy_version::OnRemove;
use crate::warnings::Warnings;

/// Collects what is finished.
pub(super) fn apply(
    mut bakes: Query<(Entity, &NavGridBake, &mut BakeWork, &mut BakedGround, Option<&Name>)>,
    mut grids: Query<&mut NavGrid>,
    mut commands: Commands,
    mut warnings: Local<Warnings>,
) {
    for (entity, bake, mut work, mut ground, name) in &mut bakes {
        let work = work.bypass_change_detection();
        let ready = work.task.as_mut().and_then(check_ready);
        if ready.is_some() {
            work.task = None;
        }
        let Some(mut outcome) = ready.or_else(|| work.done.take()) else { continue };
        work.store = outcome.store.take();
        if let Some(error) = outcome.error {
            warnings.warn(entity, name, format_args!("could not be baked: {error}"));
            commands.trigger(BakeFailed { entity, error });
        }
        let Some(store) = &work.store else { continue };
        let old_floors = if outcome.cells.is_some() { ground.floors.len() } else { 0 };
        put_floors(entity, bake, &mut ground, (old_floors, outcome.grids), &mut commands);
        for rect in outcome.cells.iter().flatten() {
            for (floor, &grid) in ground.floors[..old_floors].iter().enumerate() {
                if let Ok(mut nav) = grids.get_mut(grid) {
                    nav.edit(|edit| store.baked.write(floor, *rect, edit));
                }
            }
        }
        if let Some(links) = outcome.links {
            put_links(entity, bake, &ground, &mut work.links, links, &mut commands);
        }
        ground.progress = 1.0;
        let cells = outcome.cells.and_then(|rects| rects.into_iter().reduce(CellRect::union));
        commands.trigger(GridBaked { entity, floors: ground.floors.len(), cells });
    }
}

/// Puts grids on the floors from a number on, and takes away those that are too many after a full bake.
fn put_floors(
    entity: Entity,
    bake: &NavGridBake,
    ground: &mut BakedGround,
    (first, grids): (usize, Vec<Grid>),
    commands: &mut Commands,
) {
    let count = if first == 0 { grids.len() } else { ground.floors.len() };
    for surplus in ground.floors.drain(count.min(ground.floors.len())..) {
        commands.entity(surplus).try_despawn();
    }
    for (floor, grid) in (first..).zip(grids) {
        let nav = NavGrid::new(grid).with_cell_size(bake.cell_size).with_plane(GridPlane::Xz);
        let at = Transform::from_translation(bake.corner());
        match ground.floors.get(floor) {
            Some(&old) => _ = commands.entity(old).try_insert((nav, at)),
            None => {
                let new = (Name::new(format!("floor {floor}")), nav, at, Standalone, ChildOf(entity));
                ground.floors.push(commands.spawn(new).id());
            }
        }
    }
}

/// Spawns links that are new, and despawns those that are gone.
fn put_links(
    entity: Entity,
    bake: &NavGridBake,
    ground: &BakedGround,
    known: &mut Vec<(BakedLink, Entity)>,
    links: Vec<BakedLink>,
    commands: &mut Commands,
) {
    let mut old = core::mem::take(known);
    for link in links {
        let same = old.iter().position(|(before, _)| *before == link);
        let there = match same {
            Some(at) => old.swap_remove(at).1,
            None => commands.spawn((nav_link(bake, ground, &link), ChildOf(entity))).id(),
        };
        known.push((link, there));
    }
    old.into_iter().for_each(|(_, gone)| commands.entity(gone).try_despawn());
}

fn nav_link(bake: &NavGridBake, ground: &BakedGround, link: &BakedLink) -> NavLink {
    let end = |end: BakedLinkEnd| {
        LinkEnd::strip(ground.floors.get(end.floor).copied().unwrap_or(Entity::PLACEHOLDER), end.cells)
    };
    let motion = match link.kind {
        BakedLinkKind::Joint => LinkMotion::Walk,
        _ => LinkMotion::Jump { height: bake.step },
    };
    let both_ways = link.kind.is_both_ways();
    NavLink::new(end(link.from), end(link.to))
        .with_cost(link.length)
        .with_both_ways(both_ways)
        .with_crossing(motion)
}

/// Takes the grids and links of a bake away that was removed, and ends the work on it.
pub(super) fn cancel(
    on: OnRemove<NavGridBake>,
    mut bakes: Query<(&mut BakeWork, &mut BakedGround)>,
    mut commands: Commands,
) {
    let Ok((mut work, mut ground)) = bakes.get_mut(on.entity) else { return };
    let work = core::mem::take(&mut *work);
    let links = work.links.into_iter().map(|(_, link)| link);
    for child in core::mem::take(&mut *ground).floors.into_iter().chain(links) {
        commands.entity(child).try_despawn();
    }
}
