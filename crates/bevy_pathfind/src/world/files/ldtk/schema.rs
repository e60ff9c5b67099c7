//! The fields of LDtk's JSON that are read. The format has many more.

use bevy::prelude::*;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::super::{GridFileError, GridFileErrorKind};
use super::GridCell;

/// A project.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in super::super) struct LdtkProject {
    pub(super) defs: LdtkDefinitions,
    world_layout: Option<String>,
    #[serde(default)]
    levels: Vec<LdtkLevel>,
    /// In a project of several worlds: all of them, each with its levels.
    #[serde(default)]
    worlds: Vec<LdtkWorld>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LdtkWorld {
    world_layout: Option<String>,
    #[serde(default)]
    levels: Vec<LdtkLevel>,
}

#[derive(Deserialize)]
pub(super) struct LdtkDefinitions {
    #[serde(default)]
    pub(super) layers: Vec<LdtkLayerDefinition>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LdtkLayerDefinition {
    pub(super) uid: i64,
    #[serde(default)]
    int_grid_values: Vec<LdtkValueName>,
}

#[derive(Deserialize)]
struct LdtkValueName {
    value: u32,
    identifier: Option<String>,
}

/// A level; in a file of its own if the project says so.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in super::super) struct LdtkLevel {
    pub(super) identifier: String,
    pub(super) world_x: i32,
    pub(super) world_y: i32,
    #[serde(default)]
    pub(super) world_depth: i32,
    pub(super) px_wid: u32,
    pub(super) px_hei: u32,
    pub(in super::super) external_rel_path: Option<String>,
    /// From the top; `None` if they are in the level's own file.
    pub(in super::super) layer_instances: Option<Vec<LdtkLayer>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in super::super) struct LdtkLayer {
    #[serde(rename = "__identifier")]
    pub(super) identifier: String,
    #[serde(rename = "__type")]
    pub(super) kind: String,
    #[serde(rename = "__cWid")]
    pub(super) columns: u32,
    #[serde(rename = "__cHei")]
    pub(super) rows: u32,
    #[serde(rename = "__gridSize")]
    pub(super) grid_size: u32,
    #[serde(rename = "__pxTotalOffsetX", default)]
    offset_x: i32,
    #[serde(rename = "__pxTotalOffsetY", default)]
    offset_y: i32,
    pub(super) layer_def_uid: i64,
    #[serde(default)]
    pub(super) int_grid_csv: Vec<u32>,
    #[serde(default)]
    pub(super) entity_instances: Vec<LdtkEntity>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LdtkEntity {
    #[serde(rename = "__identifier")]
    identifier: String,
    #[serde(rename = "__tags", default)]
    pub(super) tags: Vec<String>,
    /// Where in the entity its position is, as shares of its size.
    #[serde(rename = "__pivot")]
    pivot: Vec2,
    px: Vec2,
    width: f32,
    height: f32,
    #[serde(default)]
    pub(super) iid: String,
    #[serde(default)]
    field_instances: Vec<LdtkField>,
}

#[derive(Deserialize)]
struct LdtkField {
    #[serde(rename = "__identifier")]
    identifier: String,
    #[serde(rename = "__value")]
    value: Value,
}

/// Reads a project.
pub(in super::super) fn project(bytes: &[u8]) -> Result<LdtkProject, GridFileError> {
    json(bytes)
}

/// Reads a level that has a file of its own.
pub(in super::super) fn level(bytes: &[u8]) -> Result<LdtkLevel, GridFileError> {
    json(bytes)
}

fn json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, GridFileError> {
    serde_json::from_slice(bytes).map_err(|error| {
        let words = error.to_string();
        let what = words.split(" at line ").next().unwrap_or_default();
        GridFileError::at(error.line(), error.column(), GridFileErrorKind::Json(what.into()))
    })
}

impl LdtkProject {
    /// The levels of the project; of its first world, if there are several.
    pub(super) fn levels(&self) -> &[LdtkLevel] {
        self.world().map_or(&self.levels, |world| &world.levels)
    }

    /// The same levels, to be completed.
    pub(in super::super) fn levels_mut(&mut self) -> &mut [LdtkLevel] {
        match self.worlds.first_mut() {
            Some(world) if self.levels.is_empty() => &mut world.levels,
            _ => &mut self.levels,
        }
    }

    pub(super) fn layout(&self) -> &str {
        self.world().map_or(&self.world_layout, |world| &world.world_layout).as_deref().unwrap_or_default()
    }

    fn world(&self) -> Option<&LdtkWorld> {
        self.worlds.first().filter(|_| self.levels.is_empty())
    }
}

impl LdtkLevel {
    pub(super) fn layers(&self) -> &[LdtkLayer] {
        self.layer_instances.as_deref().unwrap_or_default()
    }
}

impl LdtkLayerDefinition {
    /// The name of an IntGrid value.
    pub(super) fn name_of(&self, value: u32) -> Option<&str> {
        self.int_grid_values.iter().find(|it| it.value == value)?.identifier.as_deref()
    }
}

impl LdtkLayer {
    /// The offset of the layer from the corner of its level, in pixels.
    pub(super) fn offset(&self) -> Vec2 {
        Vec2::new(self.offset_x as f32, self.offset_y as f32)
    }

    /// The index of this layer's cell at the centre of a cell of another layer.
    pub(super) fn index_at(&self, other: &Self, cell: GridCell) -> Option<usize> {
        let along = |cell: i32, [other_offset, offset]: [i32; 2], count: u32| {
            let halves = i64::from(2 * cell + 1) * i64::from(other.grid_size);
            let pixels = halves + 2 * (i64::from(other_offset) - i64::from(offset));
            let at = pixels.div_euclid(2 * i64::from(self.grid_size));
            usize::try_from(at).ok().filter(|&at| at < count as usize)
        };
        let x = along(cell.x, [other.offset_x, self.offset_x], self.columns)?;
        let y = along(cell.y, [other.offset_y, self.offset_y], self.rows)?;
        Some(x + y * self.columns as usize)
    }
}

impl LdtkEntity {
    /// The centre and the size, in pixels of the layer.
    pub(super) fn rect(&self) -> (Vec2, Vec2) {
        let size = Vec2::new(self.width, self.height);
        (self.px + (Vec2::splat(0.5) - self.pivot) * size, size)
    }

    pub(super) fn field(&self, name: &str) -> Option<&Value> {
        let field = self.field_instances.iter().find(|field| field.identifier.eq_ignore_ascii_case(name));
        field.map(|field| &field.value).filter(|value| !value.is_null())
    }

    /// The field `name`, else what kind of entity it is.
    pub(super) fn name(&self) -> String {
        self.field("name").and_then(Value::as_str).unwrap_or(&self.identifier).into()
    }
}
