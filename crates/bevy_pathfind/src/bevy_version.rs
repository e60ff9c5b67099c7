//! The items that differ between the Bevy versions that the crate supports, under the newest Bevy's names. The rest of
//! the source is the same for all of them.
//!
//! There is a file for each Bevy, named after the crate's version for it: `0.1.rs` is for Bevy 0.19, `0.2.rs` for 0.20.
//! All files have the same items.

include!(concat!(
    "bevy_version/",
    env!("CARGO_PKG_VERSION_MAJOR"),
    ".",
    env!("CARGO_PKG_VERSION_MINOR"),
    ".rs"
));
