//! Maps of Tiled.

use bevy_pathfind::world::{LinkEnd, Obstacle};

use super::*;

/// Tiles: 1 says nothing, 2 is a wall by its class, 3 mud by its property, 4 is blocked.
const TILES: &str = r#"<tileset firstgid="1" name="t" tilewidth="16" tileheight="16" tilecount="8" columns="4">
  <image source="t.png" width="64" height="32"/>
  <tile id="1" type="Wall"/>
  <tile id="2" class="decor"><properties><property name="terrain" value="mud"/></properties></tile>
  <tile id="3"><properties><property name="blocked" type="bool" value="true"/></properties></tile>
 </tileset>"#;

/// A map of 5 by 3 tiles with these layers and objects.
fn map(attributes: &str, inside: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" tiledversion="1.11.0" orientation="orthogonal" width="5" height="3" tilewidth="16" tileheight="16"
 infinite="0" {attributes}>
 {TILES}
 {inside}
</map>"#
    )
}

fn layer(name: &str, inside: &str, encoding: &str, data: &str) -> String {
    format!(
        r#"<layer id="1" name="{name}" width="5" height="3">{inside}<data {encoding}>{data}</data></layer>"#
    )
}

const CSV: &str = "encoding=\"csv\"";
const GROUND: &str = "1,2,3,4,0,\n1,2,3,4,0,\n1,1,1,1,1\n";

fn mud() -> LevelSettings {
    LevelSettings { terrain: [("mud".into(), Terrain::weight(5))].into(), ..default() }
}

/// The grid of a map, as a picture.
fn picture_of(text: &str, settings: &LevelSettings) -> String {
    let (app, source) = level_app(&[("a.tmx", text)], settings);
    picture(&app, grids(&app, source)[0])
}

#[test]
fn tiles_and_layers_say_what_the_terrain_is() {
    let ground = layer("Ground", "", CSV, GROUND);
    assert_eq!(picture_of(&map("", &ground), &mud()), ".#5#.\n.#5#.\n.....\n");
    let shallow = LevelSettings { empty: Terrain::SHALLOW, ..mud() };
    assert_eq!(picture_of(&map("", &ground), &shallow), ".#5#S\n.#5#S\n.....\n", "cells without a tile");
    // A tile that says nothing leaves what lies under it; flags of flipped tiles are no part of their numbers.
    let top = layer("Top", "", CSV, "0,1,2147483650,1,1,0,0,0,0,0,4,0,0,0,0");
    let both = map("", &format!("<group>{ground}<group>{top}</group></group>"));
    assert_eq!(picture_of(&both, &mud()), ".###.\n.#5#.\n#....\n");
    let only = LevelSettings { layers: vec!["Top".into()], ..mud() };
    assert_eq!(picture_of(&both, &only), "..#..\n.....\n#....\n");
    let water = "<properties><property name=\"terrain\" value=\"water\"/></properties>";
    let top = layer("Top", water, CSV, "0,0,0,0,1,0,0,0,0,1,0,0,0,0,3");
    assert_eq!(
        picture_of(&map("", &(ground + &top)), &mud()),
        ".#5#W\n.#5#W\n....5\n",
        "a tile's own word counts"
    );
}

#[test]
fn all_encodings_that_are_read_say_the_same() {
    let plain = "AQAAAAIAAAADAAAABAAAAAAAAAABAAAAAgAAAAMAAAAEAAAAAAAAAAEAAAABAAAAAQAAAAEAAAABAAAA";
    let zlib = "eJxjZGBgYAJiZiBmYYAARhxi6BgAA8AAGg==";
    let gzip = "H4sIAAAAAAACA2NkYGBgAmJmIGZhgABGHGLoGADq19kMPAAAAA==";
    let elements = "<tile gid=\"1\"/><tile gid=\"2\"/><tile gid=\"3\"/><tile gid=\"4\"/><tile/>".repeat(2)
        + &"<tile gid=\"1\"/>".repeat(5);
    let packed = |name: &str| format!("encoding=\"base64\" compression=\"{name}\"");
    for (encoding, data) in [
        ("", elements.as_str()),
        ("encoding=\"base64\"", plain),
        (packed("zlib").as_str(), zlib),
        (packed("gzip").as_str(), gzip),
    ] {
        let text = map("", &layer("Ground", "", encoding, data));
        assert_eq!(picture_of(&text, &mud()), ".#5#.\n.#5#.\n.....\n", "{encoding}");
    }
}

#[test]
fn infinite_maps_are_as_large_as_their_chunks() {
    let chunk = |x: i32, y: i32, tile: u32| {
        let tiles = [tile; 4].map(|it| it.to_string()).join(",");
        format!("<chunk x=\"{x}\" y=\"{y}\" width=\"2\" height=\"2\">{tiles}</chunk>")
    };
    let data = [chunk(-2, -2, 2), chunk(0, 0, 1), chunk(2, -2, 3)].concat();
    let text = map("", &layer("Ground", "", CSV, &data)).replace("infinite=\"0\"", "infinite=\"1\"");
    let (app, source) = level_app(&[("a.tmx", &text)], &mud());
    let grid = grids(&app, source)[0];
    let terrain = |x, y| nav_grid(&app, grid).grid().terrain(GridCell::new(x, y)).unwrap();
    assert_eq!(
        [terrain(0, 0), terrain(2, 2), terrain(5, 1)],
        [Terrain::WALL, Terrain::GROUND, Terrain::weight(5)]
    );
    assert_eq!(terrain(2, 0), Terrain::VOID, "there is no chunk");
    assert_eq!(app.world().get::<Transform>(grid).unwrap().translation, Vec3::new(-32.0, 32.0, 0.0));
}

#[test]
fn isometric_and_staggered_maps_are_seen_from_above() {
    let ground = layer("Ground", "", CSV, GROUND);
    let isometric = |attributes: &str| {
        let text = map(attributes, &ground)
            .replace("tilewidth=\"16\" tileheight=\"16\"\n", "tilewidth=\"32\" tileheight=\"16\"\n");
        text.replace("orientation=\"orthogonal\"", "")
    };
    let (app, source) = level_app(&[("a.tmx", &isometric("orientation=\"isometric\""))], &mud());
    let grid = grids(&app, source)[0];
    assert_eq!(picture(&app, grid), ".#5#.\n.#5#.\n.....\n");
    assert_eq!(nav_grid(&app, grid).cell_size(), 16.0, "the height of a tile");
    // Neighbours on the screen are neighbours on the grid: rows of a staggered map run along diagonals.
    for (stagger, why) in [
        ("orientation=\"staggered\" staggeraxis=\"y\" staggerindex=\"odd\"", "odd rows to the right"),
        ("orientation=\"staggered\" staggeraxis=\"y\" staggerindex=\"even\"", "even rows to the right"),
        ("orientation=\"staggered\" staggeraxis=\"x\" staggerindex=\"odd\"", "odd columns down"),
        ("orientation=\"staggered\" staggeraxis=\"x\" staggerindex=\"even\"", "even columns down"),
    ] {
        let (by_column, odd) = (stagger.contains("=\"x\""), stagger.contains("odd"));
        let (mut cells, mut goals) = (Vec::new(), String::new());
        for (x, y) in (0..3).flat_map(|y| (0..5).map(move |x| (x, y))) {
            let line = if by_column { x } else { y };
            let shifted = f32::from((line % 2 == 1) == odd);
            // The middle of the tile on the screen, in tiles.
            let at = match by_column {
                true => Vec2::new((x as f32 + 1.0) / 2.0, y as f32 + (1.0 + shifted) / 2.0),
                false => Vec2::new(x as f32 + (1.0 + shifted) / 2.0, (y as f32 + 1.0) / 2.0),
            };
            let pixels = at * Vec2::new(32.0, 16.0);
            goals += &format!(
                "<object id=\"1\" name=\"{x},{y}\" class=\"goal\" x=\"{}\" y=\"{}\"/>",
                pixels.x, pixels.y
            );
            cells.push((format!("{x},{y}"), at, GROUND.split(',').nth(x + 5 * y).unwrap().trim().to_owned()));
        }
        let text = isometric(stagger).replace("</map>", &format!("<objectgroup>{goals}</objectgroup></map>"));
        let (mut app, source) = level_app(&[("a.tmx", &text)], &mud());
        let grid = grids(&app, source)[0];
        let corner = app.world().get::<Transform>(grid).unwrap().translation;
        let mut grid_points = Vec::new();
        for (name, screen, tile) in &cells {
            let from_corner = (named(&mut app, name) - corner) * Vec3::new(1.0, -1.0, 1.0) / 16.0;
            let cell = GridCell::containing(from_corner.truncate());
            assert!(
                from_corner.truncate().distance(cell.center()) < 1e-4,
                "{why}: {name} is at {from_corner}"
            );
            let expected =
                [Terrain::GROUND, Terrain::GROUND, Terrain::WALL, Terrain::weight(5), Terrain::WALL];
            let expected = expected[tile.parse::<usize>().unwrap()];
            assert_eq!(nav_grid(&app, grid).grid().terrain(cell), Some(expected), "{why}: {name}");
            grid_points.push((*screen, cell.center()));
        }
        // As seen on the screen, one cell to the right of the grid is half a tile right and half a tile down.
        for (screen, point) in &grid_points {
            let (by, along) = (*screen - grid_points[0].0, *point - grid_points[0].1);
            let expected = Vec2::new((along.x - along.y) / 2.0, (along.x + along.y) / 2.0);
            assert!(by.distance(expected) < 1e-4, "{why}: {by} and {along}");
        }
    }
}

#[test]
fn objects_become_obstacles_links_and_goals() {
    let objects = r#"<objectgroup id="2" name="Objects">
      <object id="1" class="obstacle" x="16" y="0" width="16" height="16"/>
      <object id="2" type="Obstacle" x="72" y="8" width="16" height="16" rotation="90"><properties>
        <property name="terrain" value="water"/></properties></object>
      <object id="3" class="obstacle" x="40" y="24"><polyline points="0,0 0,16"/></object>
      <object id="4" name="exit" class="goal" x="8" y="24"><point/></object>
      <object id="5" class="link" x="0" y="32" width="16" height="16"><properties>
        <property name="to" type="object" value="6"/><property name="cost" type="float" value="2.5"/>
        <property name="both_ways" type="bool" value="false"/></properties></object>
      <object id="6" name="far" x="64" y="0" width="16" height="16"/>
      <object id="7" class="link" x="8" y="8"><polyline points="0,0 0,16 64,32"/></object>
      <object id="8" name="fern" x="0" y="0" width="80" height="48"/>
     </objectgroup>"#;
    let ground = layer("Ground", "", CSV, &["1"; 15].join(","));
    let (mut app, source) = level_app(&[("a.tmx", &map("", &(ground + objects)))], &mud());
    let grid = grids(&app, source)[0];
    // The turned square covers what lies left of its corner; the line touches two cells.
    assert_eq!(picture(&app, grid), ".#.WW\n..#WW\n..#..\n");
    assert_eq!(app.world_mut().query::<&Obstacle>().iter(app.world()).count(), 3);
    assert_eq!(named(&mut app, "exit"), Vec3::new(8.0, -24.0, 0.0));
    let end = |x, y| LinkEnd::new(grid, GridCell::new(x, y));
    let mut links: Vec<_> = app.world_mut().query::<&NavLink>().iter(app.world()).copied().collect();
    links.sort_by_key(|link| link.from.cells.min.y);
    let far = NavLink::new(end(0, 2), end(4, 0)).with_cost(2.5).with_both_ways(false);
    assert_eq!(links, [NavLink::new(end(0, 0), end(4, 2)), far]);
}

#[test]
fn an_external_tileset_is_read_and_a_map_changes_with_it() {
    let text = map("", &layer("Ground", "", CSV, GROUND))
        .replace(TILES, "<tileset firstgid=\"1\" source=\"../t.tsx\"/>");
    let tiles = TILES.replacen(" firstgid=\"1\"", "", 1);
    let (mut app, dir) = app_with(&[("levels/a.tmx", &text), ("t.tsx", &tiles)]);
    let source = spawn_level(&mut app, "levels/a.tmx", &mud());
    wait(&mut app, "the level is there", |app| !grids(app, source).is_empty());
    let grid = grids(&app, source)[0];
    assert_eq!(picture(&app, grid), ".#5#.\n.#5#.\n.....\n");
    dir.insert_asset_text(Path::new("t.tsx"), &tiles.replace("Wall", "Water"));
    app.world().resource::<AssetServer>().reload("levels/a.tmx");
    wait(&mut app, "it has changed", |app| picture(app, grid) == ".W5#.\n.W5#.\n.....\n");
    let broken = error_of(&[("levels/a.tmx", &text), ("t.tsx", "<tileset>\n<tile></tileset>")], &mud());
    assert!(broken.contains("t.tsx, line 2"), "{broken}");
    assert!(error_of(&[("levels/a.tmx", &text)], &mud()).contains("../t.tsx"), "it is missing");
}

#[test]
fn broken_maps_are_refused_with_file_and_place() {
    let good = map("", &layer("Ground", "", CSV, GROUND));
    for (from, to, says) in [
        ("1,1,1,1,1\n", "1,1,1,1\n", "the layer Ground has 15 cells, and values for 14"),
        ("1,1,1,1,1\n", "1,1,1,1,1,1\n", "the layer Ground has 15 cells, and values for 16"),
        ("1,1,1,1,1\n", "1,1,1,1,-1\n", "a tile's number is wrong"),
        ("1,1,1,1,1\n", "1,1,1,1,\n", "a tile's number is wrong"),
        ("firstgid=\"1\"", "firstgid=\"9\"", "its tile 1 is in no tileset"),
        ("name=\"Ground\" width=\"5\"", "name=\"Ground\" width=\"1000000000\"", "too large"),
        ("name=\"Ground\" width=\"5\"", "name=\"Ground\" width=\"10000000\"", "cells"),
        ("name=\"Ground\" width=\"5\"", "name=\"Ground\" width=\"-5\"", "the attribute width of <layer>"),
        ("name=\"Ground\" width=\"5\"", "name=\"Ground\" width=\"0\"", "no tiles"),
        ("tilewidth=\"16\" tileheight=\"16\"\n", "tilewidth=\"16\" tileheight=\"8\"\n", "are no squares"),
        ("tilewidth=\"16\" tileheight=\"16\"\n", "tilewidth=\"0\" tileheight=\"0\"\n", "have no size"),
        ("orthogonal", "hexagonal", "its orientation hexagonal is not read"),
        ("value=\"mud\"", "value=\"lava\"", "'lava' stands for no terrain"),
        (CSV, "encoding=\"base64\"", "Invalid"),
        (CSV, "encoding=\"yEnc\"", "its encoding yEnc is not known"),
        ("</map>", "", "opened but never closed"),
        (
            "<layer",
            "<objectgroup><object id=\"1\" class=\"link\" x=\"1\" y=\"1\"/></objectgroup><layer",
            "leads nowhere",
        ),
        (
            "<layer",
            "<objectgroup><object id=\"1\" class=\"goal\" x=\"a\" y=\"1\"/></objectgroup><layer",
            "attribute x",
        ),
    ] {
        let broken = good.replacen(from, to, 1);
        assert_ne!(broken, good, "{from}");
        let words = error_of(&[("mods/a.tmx", &broken)], &mud());
        assert!(words.contains("mods/a.tmx, line") && words.contains(says), "{to}: {words}");
    }
    assert!(error_of(&[("a.tmx", "<svg/>")], &mud()).contains("it is no map of Tiled"));
    let zstd = good.replace(CSV, "encoding=\"base64\" compression=\"zstd\"").replace(GROUND, "AAAA");
    assert!(error_of(&[("a.tmx", &zstd)], &mud()).contains("compression zstd is not read"));
    // More than the layer holds.
    let bomb = good.replace(CSV, "encoding=\"base64\" compression=\"zlib\"").replace(GROUND, ZEROS);
    assert!(!error_of(&[("a.tmx", &bomb)], &mud()).contains("none"), "it is not unpacked");
    let few = LevelSettings { max_cells: 14, ..mud() };
    assert!(error_of(&[("a.tmx", &good)], &few).contains("15 cells"));
}

/// 1,000 zeros, packed by zlib.
const ZEROS: &str = "eJxjYBgFo2AUDHcAAAPoAAE=";

#[test]
fn objects_of_any_numbers_are_no_trouble() {
    let wild = ["NaN", "inf", "-inf", "1e38", "-1e38", "1e-38"];
    let object = |class: &str, value: &str| {
        format!(
            "<object id=\"{value}\" class=\"{class}\" x=\"{value}\" y=\"{value}\" width=\"{value}\" height=\"{value}\"
            rotation=\"{value}\"><properties><property name=\"to\" value=\"{value}\"/></properties></object>"
        )
    };
    let line = |value: &str| {
        format!(
            "<object id=\"l\" class=\"obstacle\" x=\"{value}\" y=\"0\"><polygon points=\"0,0 {value},1 1,1\"/></object>"
        )
    };
    let objects: String = wild
        .iter()
        .map(|value| ["obstacle", "link", "goal"].map(|class| object(class, value)).concat() + &line(value))
        .collect();
    let ground = layer("Ground", "", CSV, GROUND);
    let text = map("", &format!("{ground}<objectgroup>{objects}</objectgroup>"));
    let (mut app, source) = level_app(&[("a.tmx", &text)], &mud());
    ticks(&mut app, 3);
    assert_eq!(grids(&app, source).len(), 1);
}

#[test]
fn no_beginning_of_a_map_is_a_map() {
    let object = "<object id=\"1\" class=\"obstacle\" x=\"1\" y=\"1\"><polygon points=\"0,0 9,0\"/></object>";
    let text = map("", &format!("{}<objectgroup>{object}</objectgroup>", layer("Ground", "", CSV, GROUND)));
    assert_eq!(accepted_beginnings("a.tmx", &text), Vec::<usize>::new());
}
