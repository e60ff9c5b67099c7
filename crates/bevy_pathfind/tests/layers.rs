//! Imports point one way: what a module uses lies in its own layer's list or above it, in both crates. And the manifests
//! of the workspaces for other Bevy versions are that of the main workspace.

use std::fs;
use std::path::{Path, PathBuf};

/// The layers of `pathfind_core`, from the bottom. A module may use its own layer and those before it.
const CORE: &[&[&str]] = &[
    &["body", "rng", "rounded", "saved"],
    &["simd"],
    &["grid"],
    &["influence", "sight", "neighbors"],
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

/// Every import that points up, with file and line.
fn upward(folder: &Path, layers: &[&[&str]]) -> (usize, Vec<String>) {
    let (mut files, mut wrong, mut looked_at) = (Vec::new(), Vec::new(), 0);
    sources(folder, &mut files);
    for file in files {
        let inside = file.strip_prefix(folder).expect("it lies in the folder");
        let module = inside.components().next().expect("it has a name").as_os_str().to_string_lossy();
        let module = module.trim_end_matches(".rs");
        if module == "testing" || inside.ends_with("tests.rs") {
            continue;
        }
        let own = layer(layers, module);
        let text = fs::read_to_string(&file).expect("it can be read");
        let (mut skips_item, mut is_guarded) = (false, false);
        for (index, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            // What is compiled for tests or documentation only may look anywhere: a module to its end, an import alone.
            if code.trim_start().starts_with("#[cfg(test)]") || code.trim_start().starts_with("#[cfg(doc)]") {
                is_guarded = true;
                continue;
            }
            if is_guarded {
                skips_item = code.contains("mod ") && code.contains('{');
                is_guarded = false;
                if !skips_item {
                    continue;
                }
            }
            if skips_item {
                skips_item = code != "}";
                continue;
            }
            for name in used(code) {
                looked_at += 1;
                if layer(layers, &name) > own {
                    wrong.push(format!("{}:{}: {module} uses {name}", file.display(), index + 1));
                }
            }
        }
    }
    (looked_at, wrong)
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
