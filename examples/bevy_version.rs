//! The items of the examples that differ between the Bevy versions: a file for each, as in the crate `bevy_pathfind`.

include!(concat!(
    "bevy_version/",
    env!("CARGO_PKG_VERSION_MAJOR"),
    ".",
    env!("CARGO_PKG_VERSION_MINOR"),
    ".rs"
));
