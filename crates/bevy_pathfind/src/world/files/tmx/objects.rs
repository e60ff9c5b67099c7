//! Objects of a map of Tiled that become obstacles, links and goals.

use std::collections::HashMap;

use bevy::prelude::*;
use pathfind_core::Terrain;

use super::super::super::NavGrid;
use super::super::level_objects::{DrawnShape, LevelObject, LevelObjectKind, link_between};
use super::super::{GridFileError, GridFileErrorKind, LevelSettings};
use super::layout::TileLayout;
use super::{Element, at, children, class, number, property};

/// The objects of the classes `obstacle`, `link` and `goal`.
pub(super) fn read(
    map: Element,
    layout: &TileLayout,
    grid: &NavGrid,
    settings: &LevelSettings,
) -> Result<Vec<LevelObject>, GridFileError> {
    let objects = || map.descendants().filter(|it| it.has_tag_name("object"));
    let by_id: HashMap<&str, Element> = objects().filter_map(|it| Some((it.attribute("id")?, it))).collect();
    let mut found = Vec::new();
    for object in objects() {
        let is = |name: &str| class(object).is_some_and(|class| class.eq_ignore_ascii_case(name));
        let mut add = |shape: &DrawnShape, kind| {
            let name = object.attribute("name").unwrap_or_default().into();
            found.push(LevelObject { name, transform: shape.transform(grid), kind });
        };
        if is("obstacle") {
            let terrain = property(object, "terrain").map_or(Ok(Terrain::WALL), |name| {
                let no_terrain = || at(object, GridFileErrorKind::NoTerrain(name.into()));
                settings.terrain_of(&[name]).ok_or_else(no_terrain)
            })?;
            for part in parts(object, layout)? {
                add(&part, LevelObjectKind::Obstacle(part.carved(grid, terrain)));
            }
        } else if is("goal") {
            add(&whole(object, layout)?, LevelObjectKind::Goal);
        } else if is("link") {
            let (from, to) = link_ends(object, &by_id, layout)?;
            let cost = property(object, "cost").and_then(|cost| cost.parse().ok());
            let both_ways = property(object, "both_ways").map(|both| both == "true");
            let link = link_between([(&from, grid), (&to, grid)], cost, both_ways);
            add(&from, LevelObjectKind::Link { link, to_level: 0 });
        }
    }
    Ok(found)
}

/// A rectangle, an ellipse, a point, or the place of a tile.
fn whole(object: Element, layout: &TileLayout) -> Result<DrawnShape, GridFileError> {
    let or_zero = |name| if object.has_attribute(name) { number(object, name) } else { Ok(0.0) };
    let size = Vec2::new(or_zero("width")?, or_zero("height")?);
    let turn = or_zero("rotation")?.to_radians();
    // The position is the upper left corner; of a tile, the lower left.
    let up = if object.has_attribute("gid") { -0.5 } else { 0.5 };
    let center = position(object)? + Vec2::from_angle(turn).rotate(size * Vec2::new(0.5, up));
    let is_round = children(object, "ellipse").next().is_some();
    Ok(DrawnShape { center: layout.point(center), size: size / layout.side as f32, turn, is_round })
}

fn position(object: Element) -> Result<Vec2, GridFileError> {
    Ok(Vec2::new(number(object, "x")?, number(object, "y")?))
}

/// The shape of an obstacle: one, or the lines of a polygon or polyline.
fn parts(object: Element, layout: &TileLayout) -> Result<Vec<DrawnShape>, GridFileError> {
    let Some((points, is_closed)) = points(object, layout)? else { return Ok(vec![whole(object, layout)?]) };
    let end = points.first().filter(|_| is_closed && points.len() > 2);
    let ends = points.iter().skip(1).chain(end);
    let line = |(&from, &to): (&Vec2, &Vec2)| {
        let along = to - from;
        let (size, turn) = (Vec2::new(along.length(), 0.0), along.to_angle());
        DrawnShape { center: (from + to) / 2.0, size, turn, is_round: false }
    };
    Ok(points.iter().zip(ends).map(line).collect())
}

/// The points of a polygon or polyline in grid space, and whether it is closed.
fn points(object: Element, layout: &TileLayout) -> Result<Option<(Vec<Vec2>, bool)>, GridFileError> {
    let line = |name: &'static str| children(object, name).next();
    let Some(line) = line("polygon").or_else(|| line("polyline")) else { return Ok(None) };
    let origin = position(object)?;
    let turn: f32 = if object.has_attribute("rotation") { number(object, "rotation")? } else { 0.0 };
    let point = |words: &str| {
        let (x, y) = words.split_once(',')?;
        let from_origin =
            Vec2::from_angle(turn.to_radians()).rotate(Vec2::new(x.parse().ok()?, y.parse().ok()?));
        Some(layout.point(origin + from_origin))
    };
    let read: Option<Vec<Vec2>> =
        line.attribute("points").unwrap_or_default().split_whitespace().map(point).collect();
    let broken = || at(line, GridFileErrorKind::Tmx("its points are no pairs of numbers".into()));
    Ok(Some((read.ok_or_else(broken)?, line.has_tag_name("polygon"))))
}

/// The ends of a link: those of its line, or its own place and that of the object in its property `to`.
fn link_ends(
    link: Element,
    by_id: &HashMap<&str, Element>,
    layout: &TileLayout,
) -> Result<(DrawnShape, DrawnShape), GridFileError> {
    if let Some((points, _)) = points(link, layout)?
        && let [from, .., to] = points[..]
    {
        let end = |center| DrawnShape { center, ..DrawnShape::default() };
        return Ok((end(from), end(to)));
    }
    let target = property(link, "to").and_then(|id| by_id.get(id));
    let nowhere = "the link leads nowhere: draw it as a line, or give it a property 'to' of the type object";
    let target = target.ok_or_else(|| at(link, GridFileErrorKind::Unsupported(nowhere.into())))?;
    Ok((whole(link, layout)?, whole(*target, layout)?))
}
