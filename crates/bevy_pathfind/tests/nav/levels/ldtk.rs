//! Projects of LDtk.

use bevy_pathfind::world::{LinkEnd, Obstacle};

use super::*;

/// A project of LDtk with these levels.
fn project(layout: &str, levels: &[String]) -> String {
    let levels = levels.join(",");
    format!(
        r#"{{"__header__": {{"app": "LDtk"}}, "jsonVersion": "1.5.3", "worldLayout": "{layout}", "worlds": [],
        "defs": {{"layers": [{{"__type": "IntGrid", "uid": 7, "intGridValues": [
            {{"value": 1, "identifier": "Walls", "color": "\#000000"}},
            {{"value": 2, "identifier": "mud", "color": "\#000000"}},
            {{"value": 4, "identifier": null, "color": "\#000000"}}]}}]}}, "levels": [{levels}]}}"#
    )
    .replace("\\#", "#")
}

/// A level 5 cells of 16 pixels wide and 3 high.
fn level(name: &str, at: (i32, i32), cells: [u32; 15], entities: &str) -> String {
    let csv = cells.map(|value| value.to_string()).join(",");
    let layer = |kind: &str, csv: &str, entities: &str| {
        format!(
            r#"{{"__identifier": "{kind}", "__type": "{kind}", "__cWid": 5, "__cHei": 3, "__gridSize": 16,
            "__pxTotalOffsetX": 0, "__pxTotalOffsetY": 0, "layerDefUid": 7, "intGridCsv": [{csv}],
            "autoLayerTiles": [], "entityInstances": [{entities}]}}"#
        )
    };
    let layers = [layer("Entities", "", entities), layer("IntGrid", &csv, "")].join(",");
    format!(
        r#"{{"identifier": "{name}", "iid": "{name}", "worldX": {}, "worldY": {}, "worldDepth": 0, "pxWid": 80,
        "pxHei": 48, "externalRelPath": null, "layerInstances": [{layers}]}}"#,
        at.0, at.1
    )
}

/// An entity whose position is its top left corner.
fn entity(tag: &str, iid: &str, [x, y, width, height]: [i32; 4], fields: &[(&str, &str)]) -> String {
    let field = |(name, value): &(&str, &str)| format!(r#"{{"__identifier": "{name}", "__value": {value}}}"#);
    let fields: Vec<_> = fields.iter().map(field).collect();
    format!(
        r#"{{"__identifier": "Thing", "__tags": ["{tag}"], "__pivot": [0, 0], "px": [{x}, {y}], "width": {width},
        "height": {height}, "iid": "{iid}", "fieldInstances": [{}]}}"#,
        fields.join(",")
    )
}

const OPEN: [u32; 15] = [0; 15];

#[test]
fn values_become_terrain_by_table_by_name_and_by_number() {
    let cells = [0, 1, 2, 4, 0, 0, 1, 2, 4, 0, 0, 0, 0, 0, 0];
    let text = project("Free", &[level("A", (32, 16), cells, "")]);
    let settings = LevelSettings { terrain: [("mud".into(), Terrain::weight(5))].into(), ..default() };
    let (app, source) = level_app(&[("a.ldtk", &text)], &settings);
    let grid = grids(&app, source)[0];
    assert_eq!(picture(&app, grid), ".#5W.\n.#5W.\n.....\n");
    assert_eq!(nav_grid(&app, grid).cell_size(), 16.0, "in pixels");
    assert_eq!(app.world().get::<Transform>(grid).unwrap().translation, Vec3::new(32.0, -16.0, 0.0));
    assert_eq!(app.world().get::<Name>(grid).unwrap().as_str(), "A");

    let half = LevelSettings { pixel_size: 0.125, plane: GridPlane::Xz, empty: Terrain::SHALLOW, ..settings };
    let (app, source) = level_app(&[("a.ldtk", &text)], &half);
    let grid = grids(&app, source)[0];
    assert_eq!(picture(&app, grid), "S#5WS\nS#5WS\nSSSSS\n", "what no layer says is shallow water");
    assert_eq!(nav_grid(&app, grid).cell_size(), 2.0, "eight pixels to a world unit");
    assert_eq!(app.world().get::<Transform>(grid).unwrap().translation, Vec3::new(4.0, 0.0, 2.0));
}

#[test]
fn levels_side_by_side_join_and_agents_walk_from_one_to_the_other() {
    let text = project("GridVania", &[level("A", (0, 0), OPEN, ""), level("B", (80, 0), OPEN, "")]);
    let (mut app, source) = level_app(&[("a.ldtk", &text)], &LevelSettings::default());
    assert_eq!(grids(&app, source).len(), 2);
    let start = Transform::from_xyz(8.0, -8.0, 0.0);
    let goal = Vec3::new(152.0, -40.0, 0.0);
    let agent =
        app.world_mut().spawn((Agent::new(160.0).with_radius(4.0), start, PathRequest::to(goal))).id();
    all_arrive(&mut app, &[agent]);
    assert!(app.world().get::<Transform>(agent).unwrap().translation.distance(goal) < 2.0);
}

#[test]
fn a_real_project_with_a_file_for_each_level_is_read() {
    const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/levels/");
    let read = |file: &str| std::fs::read_to_string(format!("{ROOT}{file}")).expect("it is there");
    let files =
        ["0000-Level_A", "0001-Level_B", "0002-Level_C"].map(|it| format!("SeparateLevelFiles/{it}.ldtkl"));
    let mut texts = vec![(String::from("SeparateLevelFiles.ldtk"), read("SeparateLevelFiles.ldtk"))];
    texts.extend(files.map(|file| (file.clone(), read(&file))));
    let all: Vec<_> = texts.iter().map(|(file, text)| (file.as_str(), text.as_str())).collect();
    let (mut app, source) = level_app(&all, &LevelSettings::default());
    let grids = grids(&app, source);
    let walls = |grid: &Entity| picture(&app, *grid).matches('#').count();
    assert_eq!(grids.iter().map(walls).collect::<Vec<_>>(), [18, 20, 13], "the letters A, B and C");
    // In a vertical layout each level lies under the one before.
    let tops: Vec<_> =
        grids.iter().map(|&grid| app.world().get::<Transform>(grid).unwrap().translation.y).collect();
    assert_eq!(tops, [0.0, -224.0, -464.0]);
    let (start, goal) = (Transform::from_xyz(8.0, -8.0, 0.0), Vec3::new(200.0, -690.0, 0.0));
    let agent =
        app.world_mut().spawn((Agent::new(160.0).with_radius(4.0), start, PathRequest::to(goal))).id();
    all_arrive(&mut app, &[agent]);
    assert!(error_of(&all[..3], &LevelSettings::default()).contains("SeparateLevelFiles/0002-Level_C.ldtkl"));
}

#[test]
fn tagged_entities_become_obstacles_links_and_goals() {
    let to_far = ("to", r#"{"entityIid": "far", "layerIid": "", "levelIid": "B", "worldIid": ""}"#);
    let things = [
        entity("obstacle", "o", [16, 0, 16, 48], &[]),
        entity("OBSTACLE", "w", [64, 0, 16, 16], &[("terrain", "\"water\"")]),
        entity("goal", "g", [64, 32, 16, 16], &[("name", "\"exit\"")]),
        entity("link", "l", [0, 0, 16, 16], &[to_far, ("cost", "2.5"), ("both_ways", "false")]),
        entity("link", "p", [0, 32, 16, 16], &[("to", r#"{"cx": 3, "cy": 1}"#)]),
        entity("decoration", "d", [0, 0, 8, 8], &[("name", "\"fern\"")]),
    ];
    let levels = [
        level("A", (0, 0), OPEN, &things.join(",")),
        level("B", (400, 0), OPEN, &entity("mark", "far", [64, 32, 16, 16], &[])),
    ];
    let (mut app, source) = level_app(&[("a.ldtk", &project("Free", &levels))], &LevelSettings::default());
    let all = grids(&app, source);
    assert_eq!(picture(&app, all[0]), ".#..W\n.#...\n.#...\n", "carved");
    assert_eq!(app.world_mut().query::<&Obstacle>().iter(app.world()).count(), 2);
    assert_eq!(named(&mut app, "exit"), Vec3::new(72.0, -40.0, 0.0));
    assert_eq!(app.world_mut().query::<&LevelGoal>().iter(app.world()).count(), 1);
    let end = |level: usize, x, y| LinkEnd::new(all[level], GridCell::new(x, y));
    let far = NavLink::new(end(0, 0, 0), end(1, 4, 2)).with_cost(2.5).with_both_ways(false);
    let near = NavLink::new(end(0, 0, 2), end(0, 3, 1));
    let links: Vec<_> = app.world_mut().query::<&NavLink>().iter(app.world()).copied().collect();
    assert_eq!(links, [far, near]);
    let goal = Vec3::new(472.0, -8.0, 0.0);
    let start = Transform::from_xyz(8.0, -24.0, 0.0);
    let agent =
        app.world_mut().spawn((Agent::new(160.0).with_radius(4.0), start, PathRequest::to(goal))).id();
    all_arrive(&mut app, &[agent]);
    app.world_mut().despawn(source);
    assert_eq!(app.world_mut().query::<&NavLink>().iter(app.world()).count(), 0, "all go with the source");
}

#[test]
fn a_changed_file_changes_what_differs() {
    let goal = |x: i32| entity("goal", "g", [x, 0, 16, 16], &[("name", "\"exit\"")]);
    let (a, b) = (level("A", (0, 0), OPEN, &goal(0)), level("B", (80, 0), OPEN, &goal(0)));
    let (mut app, dir) = app_with(&[("a.ldtk", &project("Free", &[a.clone(), b]))]);
    let source = spawn_level(&mut app, "a.ldtk", &LevelSettings::default());
    wait(&mut app, "two levels", |app| grids(app, source).len() == 2);
    ticks(&mut app, 2);
    let first = grids(&app, source)[0];
    let kept = app.world().get::<Children>(first).unwrap().to_vec();
    let cells = [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0];
    let changed = [level("A", (0, 0), cells, &goal(0)), level("C", (80, 48), OPEN, &goal(16))];
    dir.insert_asset_text(Path::new("a.ldtk"), &project("Free", &changed));
    app.world().resource::<AssetServer>().reload("a.ldtk");
    wait(&mut app, "the wall is there", |app| picture(app, first).contains('#'));
    ticks(&mut app, 2);
    let names: Vec<_> =
        grids(&app, source).iter().map(|&grid| app.world().get::<Name>(grid).unwrap().to_string()).collect();
    assert_eq!(names, ["A", "C"], "a level has gone, another has come");
    assert_eq!(nav_grid(&app, first).revision(), 1, "one cell differs: one edit");
    assert_eq!(app.world().get::<Children>(first).unwrap().to_vec(), kept, "its objects are the same");
    assert_eq!(app.world_mut().query::<&LevelGoal>().iter(app.world()).count(), 2);
}

#[test]
fn a_level_is_a_source_for_a_grid_by_itself() {
    let text = project("Free", &[level("A", (0, 0), OPEN, ""), level("B", (80, 0), [1; 15], "")]);
    let (mut app, _) = app_with(&[("a.ldtk", &text)]);
    let level: Handle<NavGrid> = app.world().resource::<AssetServer>().load("a.ldtk#B");
    let nav = app.world_mut().spawn(NavGridSource(level)).id();
    wait(&mut app, "it is there", |app| app.world().get::<NavGrid>(nav).is_some());
    assert_eq!(picture(&app, nav), "#####\n".repeat(3));
}

#[test]
fn broken_projects_are_refused_with_file_and_place() {
    let usual = LevelSettings::default();
    let good = project("Free", &[level("A", (0, 0), OPEN, "")]);
    let error = |text: &str| error_of(&[("mods/a.ldtk", text)], &usual);
    let words = error("{\n \"defs\": 3 }");
    assert!(words.contains("mods/a.ldtk, line 2, column"), "{words}");
    for (from, to, says) in [
        (
            "\"__cWid\": 5",
            "\"__cWid\": 1000000000",
            "the layer IntGrid of A has 3000000000 cells, and values for 15",
        ),
        ("\"__cWid\": 5", "\"__cWid\": 4", "the layer IntGrid of A has 12 cells, and values for 15"),
        ("\"__cWid\": 5", "\"__cWid\": -5", "invalid value"),
        ("\"__gridSize\": 16", "\"__gridSize\": 0", "has no IntGrid layer that is read"),
        ("[0,0,0", "[9999,0,0", "'9999' stands for no terrain"),
        ("[0,0,0", "[1e99,0,0", "line"),
        (
            "\"__type\": \"IntGrid\", \"__cWid\"",
            "\"__type\": \"Tiles\", \"__cWid\"",
            "level A has no IntGrid layer",
        ),
    ] {
        let broken = good.replace(from, to);
        assert_ne!(broken, good, "{from}");
        let words = error(&broken);
        assert!(words.contains("mods/a.ldtk, line") && words.contains(says), "{to}: {words}");
    }
    let twice = project("Free", &[level("A", (0, 0), OPEN, ""), level("A", (0, 0), OPEN, "")]);
    assert!(error(&twice).contains("two of its levels have the name A"));
    let nowhere = level("A", (0, 0), OPEN, &entity("link", "x1", [0; 4], &[("to", "null")]));
    assert!(error(&project("Free", &[nowhere])).contains("the link x1 leads nowhere"));
    let few = LevelSettings { max_cells: 29, ..default() };
    let two = project("Free", &[level("A", (0, 0), OPEN, ""), level("B", (0, 0), OPEN, "")]);
    assert!(error_of(&[("a.ldtk", &two)], &few).contains("30 cells"), "of all levels together");
    let flat = LevelSettings { pixel_size: f32::NAN, ..default() };
    assert!(error_of(&[("a.ldtk", &good)], &flat).contains("its cells are NaN wide"));
}

#[test]
fn a_level_far_away_or_of_any_shape_is_no_trouble() {
    let mut wild = level("A", (i32::MAX, i32::MIN), OPEN, &entity("obstacle", "o", [i32::MAX; 4], &[]));
    wild = wild.replace("\"pxWid\": 80", "\"pxWid\": 4294967295");
    let (mut app, source) =
        level_app(&[("a.ldtk", &project("LinearHorizontal", &[wild]))], &LevelSettings::default());
    ticks(&mut app, 3);
    assert_eq!(picture(&app, grids(&app, source)[0]), ".....\n".repeat(3));
}

#[test]
fn no_beginning_of_a_project_is_a_project() {
    let things =
        [entity("goal", "g", [0; 4], &[]), entity("link", "l", [0; 4], &[("to", r#"{"cx": 1, "cy": 1}"#)])];
    let text = project("Free", &[level("A", (0, 0), OPEN, &things.join(","))]);
    assert_eq!(accepted_beginnings("a.ldtk", &text), Vec::<usize>::new());
}
