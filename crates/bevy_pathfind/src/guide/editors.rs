//! In an editor: agents, flocks and avoidance set and tuned by other tools than code.
//!
//! Every component and every setting is registered for reflection, with a short path (`bevy_pathfind::Flock`), its
//! default, its documentation and the ranges of its numbers. Tools for Bevy 0.19 that were tried:
//!
//! | tool | use it to | a running game changes |
//! |---|---|---|
//! | the [panel](super::presets#tune-while-it-runs) (feature `panel`) | tune all agents, a flock or one agent, with undo; keep presets | at once |
//! | `bevy-inspector-egui` 0.37, [below](#an-inspector) | look at any entity and set its components | at once |
//! | scene files, [below](#scene-files) | keep whole levels | when the file does |
//! | scenes in code, [below](#scenes-in-code) | describe prefabs | – |
//! | Blender with `bevy_skein` 0.6, [below](#blender) | place agents and obstacles among a level's models | when it is exported again |
//! | `jackdaw` 0.19.0-rc.10, [below](#jackdaw) | edit levels (read, not run) | at once |
//!
//! Several of them can be used at once. The panel and the inspector read a value before they draw it, and write it only while its widget
//! is held: what one of them writes, or a file, or another process (the example `remote_tuning`), the others show, and
//! the last one counts. Undo in the panel takes back what the panel did. One thing to know: an agent that follows a
//! preset takes all values from it whenever the preset changes, and the panel shows the preset's values. To give such an
//! agent values of its own elsewhere than in the panel, set `follows` of its [`PresetOf`] to `false` first.
//!
//! # An inspector
//!
#![doc = include_str!("pictures/inspector.html")]
//!
//! `bevy-inspector-egui` shows all components of the crate, with their doc comments as tooltips. It does not know of
//! ranges and units; `describe_settings` in the example `inspector` tells it, in forty lines to copy:
//! `cargo run --example inspector` in the folder `examples/companions`. They give it units, drag speeds and lower
//! limits. Upper ends of ranges are left out, because the inspector clamps every number that it shows, and values above
//! the panel's slider are sound. In the picture the inspector has given one bird another separation radius, so the
//! panel shows a mixed value.
//!
//! # Scene files
//!
//! A `.scn.ron` file holds maps, agents, flocks and orders. References between its entities, maps and presets by path
//! work; what is left out of a component has its default.
//!
//! ```ron
//! (
//!     resources: {},
//!     entities: {
//!         4294967290: (components: { "bevy_pathfind::NavGridSource": (Path("town.map")) }),
//!         4294967291: (components: {
//!             "bevy_pathfind::FlockLeader": (near: 3.0),
//!             "bevy_pathfind::Agent": (speed: 2.0),
//!         }),
//!         4294967292: (components: {
//!             "bevy_pathfind::Avoider": (margin: 0.5),
//!             "bevy_pathfind::FlockOf": (4294967291),
//!             "bevy_pathfind::PresetOf<bevy_pathfind::Flock>": (handle: Path("tight.flock.ron"), follows: true),
//!         }),
//!     },
//! )
//! ```
//!
//! Spawn a `DynamicWorldRoot` with it. With Bevy's feature `file_watcher`, all of its entities are despawned and spawned
//! anew when the file changes, with the positions in the file; to tune settings alone, use [presets](super::presets).
//! `DynamicWorldBuilder` writes such a file from a running game, with the entities that you name.
//!
//! # Scenes in code
//!
//! The components work in Bevy's `bsn!` (feature `bevy_scene`); those that name an entity take its name in the scene:
//!
//! ```ignore
//! fn birds() -> impl Scene {
//!     bsn! {
//!         #Leader
//!         FlockLeader
//!         Agent { speed: 6.0 }
//!         FlockMembers [
//!             (Flock { separation_radius: 3.5 } Avoider { margin: 0.5 }),
//!             (Flock Pursuer { target: #Leader, horizon: 3.0 }),
//!         ]
//!     }
//! }
//! ```
//!
//! # Blender
//!
//! Add `SkeinPlugin` to the game, run it, and let the Skein add-on fetch the types; turn its *presets* on, or every
//! number of a new component is 0. Components arrive with the glTF file. What an object of Blender cannot say is a map
//! and another object: give the entity of the map a [`NavGridSource`], and name targets and leaders by code.
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! type Loose = (With<Flock>, Without<FlockOf>);
//!
//! fn join(birds: Query<Entity, Loose>, leader: Single<Entity, With<FlockLeader>>, mut commands: Commands) {
//!     birds.iter().for_each(|bird| _ = commands.entity(bird).insert(FlockOf(*leader)));
//! }
//! ```
//!
//! JSON, in which glTF files and editors' messages are written, has no infinity: for an [`Agent::acceleration`] or a
//! [`Flock::max_acceleration`] without a limit write a large number.
//!
//! # Jackdaw
//!
//! By its sources: the game adds `JackdawPlugin` of `jackdaw_runtime`; the editor builds and starts the game once to read
//! the registered types, and lists ours in *Add Component* under `bevy_pathfind`. Numbers and flags without `Option` can
//! be edited; options, enums and references to entities are shown only. With the feature `pie` edits go to the game
//! that is being played. Ranges and units are not shown.

use super::links::*;
use crate::presets::*;
