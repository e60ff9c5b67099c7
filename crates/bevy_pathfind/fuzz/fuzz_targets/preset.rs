//! Any text as a preset of each kind: `cargo +nightly fuzz run preset`, in `crates/bevy_pathfind`.
#![no_main]

use std::sync::LazyLock;

use bevy::reflect::TypeRegistry;
use bevy_pathfind::prelude::{Agent, Avoider, Flock, Pursuer};

#[expect(dead_code, reason = "grids have their own targets")]
#[path = "../../tests/nav/hostile/read.rs"]
mod read;

static REGISTRY: LazyLock<TypeRegistry> = LazyLock::new(|| {
    let mut registry = TypeRegistry::default();
    registry.register::<Agent>();
    registry.register::<Avoider>();
    registry.register::<Flock>();
    registry.register::<Pursuer>();
    registry
});

libfuzzer_sys::fuzz_target!(|text: &str| {
    read::read_preset::<Agent>(text, &REGISTRY);
    read::read_preset::<Avoider>(text, &REGISTRY);
    read::read_preset::<Flock>(text, &REGISTRY);
    read::read_preset::<Pursuer>(text, &REGISTRY);
});
