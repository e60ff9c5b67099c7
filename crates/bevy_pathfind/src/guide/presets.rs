//! Settings in files, and tuning while the game runs.
//!
//! Every setting of an agent is a field with a range and a unit, and can be kept in a file (feature `presets`, on by
//! default). The file's extension says which component it holds:
//!
//! | file | component | file | component |
//! |---|---|---|---|
//! | `truck.agent.ron` | [`Agent`] | `gulls.flock.ron` | [`Flock`] |
//! | `careful.avoid.ron` | [`Avoider`] | `queue.separation.ron` | [`Separation`] |
//! | `wolf.pursuit.ron` | [`Pursuer`] | `far.leader.ron` | [`FlockLeader`] |
//! | `shy.behavior.ron` | [`Behavior`] | `deer.flight.ron` | [`Fugitive`] |
//!
//! ```ron
//! // assets/presets/tight.flock.ron: fields that are not named have their defaults.
//! (
//!     separation_radius: 1.5,
//!     cohesion_force: 9.0,
//! )
//! ```
//!
//! Add `PresetOf::<Flock>::new(assets.load("presets/tight.flock.ron"))` to an entity: it takes its values from the
//! file, and takes them again whenever the file changes while the game runs. A broken file changes nothing; the error
//! names line and column. `PresetsPlugin` does this; it is part of [`PathfindPlugins`], and needs Bevy's
//! `AssetPlugin`. A flock's file may also use the parameter names of Unity's `Seagull` and `UnityFlock` scripts
//! (`minSpeed`, `gravity`, `avoidanceRadius`). Fields that name an entity, such as a pursuer's target, are not in
//! files. The module `presets` documents all of it.
//!
//! # Tune while it runs
//!
//! Open the sandbox, or add `NavPanelPlugin::default()` to a game (feature `panel`; it brings the egui renderer), and
//! press F2.
//!
//! 1. `cargo run --release --example sandbox -- --scene flock`, and F2: the panel opens on the left.
//! 2. Scroll to *Flock* in the section *Steer*, and drag *Separation radius* to the left: the birds fly closer
//!    together while you watch. A dot marks a changed value, a click on the dot puts it back; Ctrl+Z takes any change
//!    back. Double-click a slider to type a number.
//! 3. *Save as…*, a name, Enter: `assets/presets/NAME.flock.ron` has the values.
//! 4. Close the sandbox, open it again, and choose the name under *Preset*: the birds fly closer together.
//!
//! Changes apply to all agents until you select one, in the world or in the list. Then you choose which agents a
//! change applies to: the selected one alone, all with its preset, or its flock. The panel also shows why an agent
//! goes where it goes, replays its last search step by step, plots what each stage costs, and has a switch for each
//! kind of gizmo.
//!
//! The panel is drawn in the egui context of the primary window; `NavPanel::context` selects another one. While the
//! panel is closed it only watches its key. Open beside 10,000 agents it takes 1.1 ms of a frame, 1.6 ms with one
//! agent selected, and their gizmos 0.7 ms, without the rendering (3.7 GHz Zen 4, release build:
//! `cargo test --release --workspace --test panel cost -- --ignored --nocapture`).
//!
//! # Components of your own
//!
//! Everything is registered for reflection, so that tools can read and change settings from another process: the
//! example `remote_tuning` does so over the Bevy Remote Protocol.
//!
//! A component of your game gets presets by one call, and sliders in the section *Game* of the panel by another: see
//! [`PresetComponentPlugin`] and `PanelComponentPlugin` (feature `panel`), which includes it. Sliders are made from
//! the field's attributes, its range and its unit (`#[reflect(@0.0..=5.0_f32, @MeasuredIn("world units"))]`, see
//! [`MeasuredIn`]), and its documentation is the tooltip. The range of a slider for world units is for
//! cells of 1 unit; on a grid with larger cells it reaches farther.
//!
//! # In code
//!
//! The components are plain data that reflection knows: change them at any time, on one agent or in a query.
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! fn panic_at_night(mut flocks: Query<&mut Flock>) {
//!     for mut flock in &mut flocks {
//!         flock.noise_force *= 2.0;
//!     }
//! }
//! ```

use super::links::*;
use crate::presets::*;
