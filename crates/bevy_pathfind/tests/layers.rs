//! Rules about the sources of both crates. Imports point one way: what a module uses lies in its own layer's list or above
//! it. A type name stands for one type of a crate. And the manifests of the workspaces for other Bevy versions are that of
//! the main workspace.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The layers of `pathfind_core`, from the bottom. A module may use its own layer and those before it.
const CORE: &[&[&str]] = &[
    &["body", "rng", "rounded", "saved"],
    &["simd"],
    &["grid"],
    &["influence", "sight", "neighbors", "bake"],
    &["search"],
    &["field", "graph", "straighten", "corridor"],
    &["steer"],
    &["lib", "testing"],
];

/// The layers of `bevy_pathfind`, from the bottom.
const PLUGIN: &[&[&str]] = &[
    &["attributes", "bevy_version", "numbers", "settings", "template", "warnings"],
    &["rows", "parallel", "stage"],
    &["world"],
    &["agent"],
    &["order"],
    &["solve"],
    &["steer"],
    &["motion"],
    &["agent_commands"],
    &["presets"],
    &["show"],
    &["plugins"],
    &["lib", "guide", "prelude"],
];

/// Every Rust file under a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be listed").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The layer of a module; a module that no layer lists is an error of the list.
fn layer(layers: &[&[&str]], module: &str) -> usize {
    layers
        .iter()
        .position(|layer| layer.contains(&module))
        .unwrap_or_else(|| panic!("no layer lists the module `{module}`"))
}

/// The first segments of all paths that begin with `crate::` in a line of code, groups included.
fn used(code: &str) -> Vec<String> {
    let ident =
        |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        // `pathfind_core::…` and `$crate::…` are other paths.
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$') {
            continue;
        }
        let rest = &code[at + "crate::".len()..];
        match rest.strip_prefix('{') {
            Some(group) => {
                let group = &group[..group.find('}').unwrap_or(group.len())];
                found.extend(group.split(',').map(|part| ident(part.trim())));
            }
            None => found.push(ident(rest)),
        }
    }
    found.retain(|name| name.starts_with(|c: char| c.is_lowercase()));
    found
}

/// The lines of a file with their numbers, without comments and without what is compiled for tests or documentation only:
/// a module to its end, an import alone.
fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let (mut skips_item, mut is_guarded) = (false, false);
    text.lines().enumerate().filter_map(move |(index, line)| {
        let code = line.split("//").next().unwrap_or_default();
        if ["#[cfg(test)]", "#[cfg(doc)]"].iter().any(|guard| code.trim_start().starts_with(guard)) {
            is_guarded = true;
            return None;
        }
        if is_guarded {
            skips_item = code.contains("mod ") && code.contains('{');
            is_guarded = false;
            return None;
        }
        let is_skipped = skips_item;
        skips_item &= code != "}";
        (!is_skipped).then_some((index + 1, code))
    })
}

/// The sources of a crate outside of test modules, each with its path in the crate.
fn modules(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    sources(folder, &mut files);
    let inside = |file: &Path| file.strip_prefix(folder).expect("it lies in the folder").to_path_buf();
    let is_test = |path: &Path| path.starts_with("testing.rs") || path.ends_with("tests.rs");
    let read = |file: &PathBuf| (inside(file), fs::read_to_string(file).expect("it can be read"));
    files.iter().map(read).filter(|(path, _)| !is_test(path)).collect()
}

/// Every import that points up, with file and line.
fn upward(folder: &Path, layers: &[&[&str]]) -> (usize, Vec<String>) {
    let (mut wrong, mut looked_at) = (Vec::new(), 0);
    for (path, text) in modules(folder) {
        let module = path.components().next().expect("it has a name").as_os_str().to_string_lossy();
        let module = module.trim_end_matches(".rs");
        let own = layer(layers, module);
        for (line, code) in code_lines(&text) {
            for name in used(code) {
                looked_at += 1;
                if layer(layers, &name) > own {
                    wrong.push(format!("{}:{line}: {module} uses {name}", path.display()));
                }
            }
        }
    }
    (looked_at, wrong)
}

/// The name of the type that a line declares; associated types, which are indented, have none.
fn declared_type(code: &str) -> Option<&str> {
    let mut words = code.split_whitespace().skip_while(|word| word.starts_with("pub") || word.ends_with(')'));
    let is_type = match words.next()? {
        "struct" | "enum" | "trait" | "union" => true,
        "type" => !code.starts_with(' '),
        _ => false,
    };
    let name = words.next().filter(|_| is_type)?;
    name.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

#[test]
fn a_type_name_has_one_bearer_in_a_crate() {
    for folder in [Path::new("src"), Path::new("../pathfind_core/src")] {
        let mut bearers = BTreeMap::<String, Vec<String>>::new();
        // Each version of Bevy has a file with the same names.
        for (path, text) in modules(folder).iter().filter(|(path, _)| !path.starts_with("bevy_version")) {
            for (line, name) in code_lines(text).filter_map(|(line, code)| Some((line, declared_type(code)?)))
            {
                bearers.entry(name.into()).or_default().push(format!("{}:{line}", path.display()));
            }
        }
        assert!(bearers.len() > 200, "{}: only {} types were found", folder.display(), bearers.len());
        bearers.retain(|_, places| places.len() > 1);
        assert!(bearers.is_empty(), "names that several types bear: {bearers:#?}");
    }
}

#[test]
fn declarations_of_types_are_found() {
    assert_eq!(declared_type("pub(in super::super) struct Part<'a> {"), Some("Part"));
    assert_eq!(declared_type("type Key = (u32, u32);"), Some("Key"));
    assert_eq!(declared_type("    type Output = f32;"), None);
    assert_eq!(declared_type("    let kind = structure;"), None);
}

#[test]
fn imports_point_one_way() {
    // Cargo runs tests in the folder of their package.
    for (folder, layers) in [(Path::new("src"), PLUGIN), (Path::new("../pathfind_core/src"), CORE)] {
        let (looked_at, wrong) = upward(folder, layers);
        assert!(looked_at > 50, "{}: only {looked_at} imports were found", folder.display());
        assert!(wrong.is_empty(), "imports that point up:\n{}", wrong.join("\n"));
    }
}

#[test]
fn an_import_that_points_up_is_found() {
    assert_eq!(used("use crate::{steer::Body, grid::GridCell};"), ["steer", "grid"]);
    assert_eq!(used("    let it: crate::solve::Worker = pathfind_core::solve();"), ["solve"]);
    assert!(layer(PLUGIN, "solve") > layer(PLUGIN, "world"), "world may not use solve");
}

/// A manifest without comments, version numbers, and the feature `f32`, which avian has had since its version 0.8
/// without being asked.
fn without_versions(manifest: &Path) -> Vec<String> {
    let text = fs::read_to_string(manifest).unwrap_or_else(|error| panic!("{}: {error}", manifest.display()));
    let is_version = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit() || c == '.');
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.replace("\"f32\", ", ""))
        .map(|line| line.split('"').filter(|part| !is_version(part)).collect())
        .collect()
}

#[test]
fn workspaces_for_other_bevy_versions_differ_in_versions_only() {
    // From either workspace: the folder of this package in the main one.
    let source = fs::canonicalize("src").expect("the source is there");
    let package = source.parent().expect("the source lies in its package");
    let main = without_versions(&package.join("../../Cargo.toml"));
    let entries = fs::read_dir(package).expect("the package can be listed");
    let is_workspace =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("bevy-"));
    let others: Vec<_> =
        entries.map(|entry| entry.expect("it can be listed").path()).filter(is_workspace).collect();
    assert!(!others.is_empty(), "no workspace was found");
    for other in others {
        assert_eq!(without_versions(&other.join("Cargo.toml")), main, "{}", other.display());
    }
}
