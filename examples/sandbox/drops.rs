//! Files that are dropped on the window: maps open in the search lab, presets join the list of the tuning panel, and
//! the agents that they concern follow them.

use bevy::prelude::*;
use bevy_pathfind::{
    prelude::*,
    presets::{Preset, PresetComponent, PresetFiles, differ, from_ron},
    world::{
        Grid,
        files::{GridFileSettings, GridFormat},
    },
};

use crate::{
    hud::Notice,
    scenes::{GivenMap, SceneControl},
};

/// A file that was dropped.
#[derive(Message, Debug)]
pub(crate) struct DroppedFile {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// The largest map that the search lab shows, in cells.
const MAX_CELLS: u64 = 1 << 20;

pub(crate) fn plugin(app: &mut App) {
    app.add_message::<DroppedFile>().add_systems(Update, (receive_files, open_files).chain());
}

#[cfg(not(target_arch = "wasm32"))]
fn receive_files(
    mut drops: MessageReader<bevy::window::FileDragAndDrop>,
    mut files: MessageWriter<DroppedFile>,
    mut notice: ResMut<Notice>,
) {
    for drop in drops.read() {
        let bevy::window::FileDragAndDrop::DroppedFile { path_buf, .. } = drop else { continue };
        let name = path_buf.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match std::fs::read(path_buf) {
            Ok(bytes) => _ = files.write(DroppedFile { name, bytes }),
            Err(error) => notice.show(format!("{name} cannot be read: {error}")),
        }
    }
}

#[cfg(target_arch = "wasm32")]
fn receive_files(mut files: MessageWriter<DroppedFile>) {
    use crate::web::page;
    while let Some(name) = page::dropped_name() {
        files.write(DroppedFile { name, bytes: page::take_dropped() });
    }
}

/// Opens each file by the end of its name, and shows the result as a notice.
fn open_files(world: &mut World) {
    let files: Vec<_> = world.resource_mut::<Messages<DroppedFile>>().drain().collect();
    for file in files {
        let told = open(world, &file).unwrap_or_else(|fault| fault);
        world.resource_mut::<Notice>().show(told);
    }
}

/// What was done with a file, or why nothing was.
fn open(world: &mut World, DroppedFile { name, bytes }: &DroppedFile) -> Result<String, String> {
    if let Some(format) = grid_format(name) {
        return open_map(world, name, format, bytes);
    }
    let kinds = [
        take_preset::<Agent>,
        take_preset::<Flock>,
        take_preset::<Avoider>,
        take_preset::<Pursuer>,
        take_preset::<Behavior>,
        take_preset::<Separation>,
        take_preset::<FlockLeader>,
    ];
    kinds.into_iter().find_map(|take| take(world, name, bytes)).unwrap_or_else(|| {
        Err(format!("{name} is no map (.map, .grid.ron, .png) and no preset (such as .flock.ron)."))
    })
}

fn grid_format(name: &str) -> Option<GridFormat> {
    let formats = [(".map", GridFormat::Map), (".grid.ron", GridFormat::Ron), (".png", GridFormat::Png)];
    let name = name.to_lowercase();
    formats.into_iter().find(|(end, _)| name.ends_with(end)).map(|(_, format)| format)
}

fn open_map(world: &mut World, name: &str, format: GridFormat, bytes: &[u8]) -> Result<String, String> {
    let settings = GridFileSettings { max_cells: MAX_CELLS, ..default() };
    let nav = NavGrid::from_file(name, format, bytes, &settings).map_err(|error| error.to_string())?;
    let size = nav.grid().size();
    world.resource_mut::<GivenMap>().0 = Some(Grid::clone(nav.grid()));
    world
        .run_system_cached(|mut scenes: SceneControl| scenes.enter("search"))
        .expect("its resources always exist");
    Ok(format!("{name}: {} by {} cells.", size.x, size.y))
}

/// Saves a preset of a `T` under its name, or, if there is another one of that name, under the name with a number,
/// and gives it to all entities with a `T`; `None` if the file is no preset of a `T`.
fn take_preset<T: PresetComponent>(
    world: &mut World,
    name: &str,
    bytes: &[u8],
) -> Option<Result<String, String>> {
    let stem = name.strip_suffix(T::EXTENSION)?.strip_suffix('.')?;
    Some(keep_preset::<T>(world, stem, bytes).map_err(|fault| format!("{name}: {fault}.")))
}

fn keep_preset<T: PresetComponent>(world: &mut World, stem: &str, bytes: &[u8]) -> Result<String, String> {
    let read = |bytes: &[u8]| {
        let text = core::str::from_utf8(bytes).map_err(|fault| fault.to_string())?;
        from_ron::<T>(text).map_err(|fault| fault.to_string())
    };
    let values = read(bytes)?;
    let path = world.resource_scope(|_, mut files: Mut<PresetFiles>| {
        let path = files.path_of::<T>(stem).map_err(|fault| fault.to_string())?;
        let there = files.store.as_ref().and_then(|store| store.read(&path).ok().flatten());
        if there.is_some_and(|there| read(&there).is_ok_and(|there| !differ(&there, &values))) {
            return Ok(path);
        }
        let free = files.free_name::<T>(stem);
        let path = files.path_of::<T>(&free).map_err(|fault| fault.to_string())?;
        let mut preset = Preset::new(values.clone());
        files.save(&path, &mut preset, false).map_err(|fault| fault.to_string())?;
        Ok::<_, String>(path)
    })?;
    let handle: Handle<Preset<T>> = world.resource::<AssetServer>().load(&path);
    let concerned: Vec<_> = world.query_filtered::<Entity, With<T>>().iter(world).collect();
    for &entity in &concerned {
        world.entity_mut(entity).insert(PresetOf::new(handle.clone()));
    }
    Ok(match concerned.len() {
        0 => format!("{path} is in the list of the tuning panel (F2)."),
        count => format!("{path}: {count} follow it; it is in the list of the tuning panel (F2)."),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{scenes::ActiveScene, scenes::tests::scene_app};

    fn drop_on(app: &mut App, name: &str, content: &str) {
        app.world_mut().write_message(DroppedFile { name: name.into(), bytes: content.into() });
        (0..4).for_each(|_| app.update());
    }

    #[test]
    fn a_dropped_map_opens_in_the_search_lab() {
        let mut app = scene_app("chase");
        drop_on(&mut app, "small.map", "type octile\nheight 3\nwidth 5\nmap\n.....\n.@@@.\n.....\n");
        assert_eq!(app.world().resource::<State<ActiveScene>>().get().0, "search");
        let mut boards = app.world_mut().query::<&NavGrid>();
        let sizes: Vec<_> = boards.iter(app.world()).map(|nav| nav.grid().size().to_array()).collect();
        assert!(!sizes.is_empty() && sizes.iter().all(|size| *size == [5, 3]), "{sizes:?}");
    }

    #[test]
    fn a_broken_file_is_told_and_changes_nothing() {
        let mut app = scene_app("chase");
        for (name, content, told) in [
            ("broken.map", "type octile\nheight 3\n", "broken.map"),
            ("broken.flock.ron", "(gravity: )", "broken.flock.ron: line 1"),
            ("story.txt", "once", "no map"),
        ] {
            drop_on(&mut app, name, content);
            let notice = format!("{:?}", app.world().resource::<Notice>());
            assert!(notice.contains(told), "{name}: {notice}");
        }
        assert_eq!(app.world().resource::<State<ActiveScene>>().get().0, "chase");
    }
}
