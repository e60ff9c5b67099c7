//! Reads projects of LDtk, by its JSON schema (<https://ldtk.io/json>): IntGrid layers, and entities with a tag.

mod schema;

use std::collections::HashMap;

use bevy::prelude::*;
use pathfind_core::{GridCell, Terrain};
use serde_json::Value;

use self::schema::{LdtkEntity, LdtkLayer, LdtkLayerDefinition, LdtkLevel};
use super::super::NavGrid;
use super::level::ReadLevel;
use super::level_objects::{DrawnShape, LevelObject, LevelObjectKind, link_between};
use super::{GridFileErrorKind, LevelSettings};

pub(super) use self::schema::{LdtkProject, level, project};

/// The levels of a project whose external levels have been read.
pub(super) fn levels(
    project: &LdtkProject,
    settings: &LevelSettings,
) -> Result<Vec<ReadLevel>, GridFileErrorKind> {
    let (mut spent, mut found, mut entities) = (0, Vec::new(), Vec::new());
    for (index, (level, corner)) in project.levels().iter().zip(corners(project)).enumerate() {
        let finest = grid_layer(level, settings)?;
        let grid = grid((level, finest), settings, &project.defs.layers, &mut spent)?;
        // Each depth lies a cell higher than the one below, so that grids do not overlap.
        let lift = grid.cell_size() * level.world_depth as f32;
        let position = grid.plane().axes() * ((corner + finest.offset()) * settings.pixel_size).extend(lift);
        found.push(ReadLevel { name: level.identifier.clone(), grid, position, objects: Vec::new() });
        for layer in level.layers() {
            let place = |entity| DrawnEntity::new(index, (layer, finest), entity);
            entities.extend(layer.entity_instances.iter().map(place));
        }
    }
    let by_iid = entities.iter().map(|entity| (entity.entity.iid.as_str(), entity)).collect();
    for entity in &entities {
        let grid = &found[entity.level].grid;
        if let Some(kind) = entity.kind(&by_iid, &found, settings)? {
            let object =
                LevelObject { name: entity.entity.name(), transform: entity.shape.transform(grid), kind };
            found[entity.level].objects.push(object);
        }
    }
    Ok(found)
}

/// The corner of each level in the world, in pixels. In linear layouts levels touch, in the order of the file.
fn corners(project: &LdtkProject) -> Vec<Vec2> {
    let (mut x, mut y) = (0, 0);
    let place = |level: &LdtkLevel| {
        let at = Vec2::new(x as f32, y as f32);
        match project.layout() {
            "LinearHorizontal" => x += u64::from(level.px_wid),
            "LinearVertical" => y += u64::from(level.px_hei),
            _ => return Vec2::new(level.world_x as f32, level.world_y as f32),
        }
        at
    };
    project.levels().iter().map(place).collect()
}

/// The layers of a level whose values say what the terrain is, from the top.
fn int_grids<'a>(level: &'a LdtkLevel, settings: &'a LevelSettings) -> impl Iterator<Item = &'a LdtkLayer> {
    level.layers().iter().filter(|layer| layer.kind == "IntGrid" && settings.reads_layer(&layer.identifier))
}

/// The layer whose cells are those of the grid: the finest. All layers that are read have as many values as cells.
fn grid_layer<'a>(
    level: &'a LdtkLevel,
    settings: &'a LevelSettings,
) -> Result<&'a LdtkLayer, GridFileErrorKind> {
    for layer in int_grids(level, settings) {
        let cells = u64::from(layer.columns) * u64::from(layer.rows);
        let found = layer.int_grid_csv.len() as u64;
        if cells != found {
            let layer = format!("{} of {}", layer.identifier, level.identifier);
            return Err(GridFileErrorKind::CellCount { layer, cells, found });
        }
    }
    let none = || format!("its level {} has no IntGrid layer that is read", level.identifier);
    let finest = int_grids(level, settings).min_by_key(|layer| layer.grid_size);
    finest.filter(|layer| layer.grid_size > 0).ok_or_else(|| GridFileErrorKind::Unsupported(none()))
}

fn grid(
    (level, finest): (&LdtkLevel, &LdtkLayer),
    settings: &LevelSettings,
    definitions: &[LdtkLayerDefinition],
    spent: &mut u64,
) -> Result<NavGrid, GridFileErrorKind> {
    let mut layers = Vec::new();
    for layer in int_grids(level, settings) {
        layers.push((layer, classes(layer, settings, definitions)?));
    }
    let terrain = |cell: GridCell| {
        let said = layers.iter().find_map(|(layer, classes)| *classes.get(layer.index_at(finest, cell)?)?);
        said.unwrap_or(settings.empty)
    };
    settings.grid((finest.columns, finest.rows, finest.grid_size), spent, terrain)
}

/// What each cell of a layer says; 0 says nothing.
fn classes(
    layer: &LdtkLayer,
    settings: &LevelSettings,
    definitions: &[LdtkLayerDefinition],
) -> Result<Vec<Option<Terrain>>, GridFileErrorKind> {
    let definition = definitions.iter().find(|definition| definition.uid == layer.layer_def_uid);
    let mut known = HashMap::from([(0, None)]);
    let mut class_of = |&value: &u32| {
        if let Some(&class) = known.get(&value) {
            return Ok(class);
        }
        let number = value.to_string();
        let name = definition.and_then(|definition| definition.name_of(value)).unwrap_or(&number);
        let class = terrain(settings, &[name, &number])?;
        known.insert(value, Some(class));
        Ok(Some(class))
    };
    layer.int_grid_csv.iter().map(&mut class_of).collect()
}

fn terrain(settings: &LevelSettings, words: &[&str]) -> Result<Terrain, GridFileErrorKind> {
    settings.terrain_of(words).ok_or_else(|| GridFileErrorKind::NoTerrain(words[0].into()))
}

/// An entity of a level.
struct DrawnEntity<'a> {
    /// The index of its level.
    level: usize,
    /// The cells of its layer, and of the grid, in pixels.
    pixels: [u32; 2],
    entity: &'a LdtkEntity,
    shape: DrawnShape,
}

impl<'a> DrawnEntity<'a> {
    fn new(level: usize, (layer, finest): (&LdtkLayer, &LdtkLayer), entity: &'a LdtkEntity) -> Self {
        let side = finest.grid_size as f32;
        let (center, size) = entity.rect();
        let center = (center + layer.offset() - finest.offset()) / side;
        let shape = DrawnShape { center, size: size / side, ..DrawnShape::default() };
        Self { level, pixels: [layer.grid_size, finest.grid_size], entity, shape }
    }

    /// What the entity becomes; `None` if none of its tags says so.
    fn kind(
        &self,
        all: &HashMap<&str, &Self>,
        levels: &[ReadLevel],
        settings: &LevelSettings,
    ) -> Result<Option<LevelObjectKind>, GridFileErrorKind> {
        let has_tag = |name: &str| self.entity.tags.iter().any(|tag| tag.eq_ignore_ascii_case(name));
        let grid = &levels[self.level].grid;
        Ok(if has_tag("obstacle") {
            let class = match self.entity.field("terrain") {
                Some(Value::String(name)) => terrain(settings, &[name])?,
                Some(number) => terrain(settings, &[&number.to_string()])?,
                None => Terrain::WALL,
            };
            Some(LevelObjectKind::Obstacle(self.shape.carved(grid, class)))
        } else if has_tag("link") {
            let (to_level, to) = self.target(all)?;
            let cost = self.entity.field("cost").and_then(Value::as_f64).map(|cost| cost as f32);
            let both_ways = self.entity.field("both_ways").and_then(Value::as_bool);
            let ends = [(&self.shape, grid), (&to, &levels[to_level].grid)];
            Some(LevelObjectKind::Link { link: link_between(ends, cost, both_ways), to_level })
        } else {
            has_tag("goal").then_some(LevelObjectKind::Goal)
        })
    }

    /// Where a link leads to, by its field `to`: another entity, or a point of the same level.
    fn target(&self, all: &HashMap<&str, &Self>) -> Result<(usize, DrawnShape), GridFileErrorKind> {
        let to = self.entity.field("to");
        let entity = |value: &Value| {
            let found = all.get(value.get("entityIid")?.as_str()?)?;
            Some((found.level, found.shape.clone()))
        };
        let point = |value: &Value| {
            let [x, y] = [value.get("cx")?.as_i64()?, value.get("cy")?.as_i64()?];
            let center =
                (Vec2::new(x as f32, y as f32) + 0.5) * self.pixels[0] as f32 / self.pixels[1] as f32;
            Some((self.level, DrawnShape { center, ..DrawnShape::default() }))
        };
        to.and_then(|value| entity(value).or_else(|| point(value))).ok_or_else(|| {
            GridFileErrorKind::Unsupported(format!(
                "the link {} leads nowhere: set its field to",
                self.entity.iid
            ))
        })
    }
}
