//! Settings in files.
//!
//! Every setting of an agent is a field with a range and a unit, and can be kept in a file (feature `presets`, on by
//! default): `gulls.flock.ron` holds a [`Flock`], `careful.avoid.ron` an [`Avoider`], `wolf.pursuit.ron` a [`Pursuer`],
//! `truck.agent.ron` an [`Agent`].
//!
//! ```ron
//! // assets/presets/tight.flock.ron: what is not named has its default.
//! (
//!     separation_radius: 1.5,
//!     cohesion_force: 9.0,
//! )
//! ```
//!
//! Add `PresetsPlugin`, and put `PresetOf::<Flock>::new(assets.load("presets/tight.flock.ron"))` on an entity: it takes its
//! values from the file, and follows it while the game runs. A broken file changes nothing; what is wrong with it
//! is told, with line and column. The module `presets` has the whole story.
//!
//! # Tune while it runs
//!
//! Open the sandbox, or add `NavPanelPlugin::default()` to a game (feature `panel`; it brings the egui renderer), and press F2.
//!
//! 1. `cargo run --release --example sandbox -- --scene flock`, and F2: the panel opens on the left.
//! 2. Scroll to *Flock* in the section *Steer*, and drag *Avoidance radius* to the left: the birds fly closer together while you
//!    watch. A dot marks a changed value, a click on the dot puts it back; Ctrl+Z takes any change back. Double-click a slider to
//!    type a number.
//! 3. *Save as…*, a name, Enter: `assets/presets/NAME.flock.ron` has the values.
//! 4. Close the sandbox, open it again, and choose the name under *Preset*: the birds fly closer together.
//!
//! Changes are for all agents until you click one, in the world or in the list. Then you choose whom a change is for: the agent
//! alone, all agents with its preset, or its flock. The panel also shows why an agent goes where it goes, replays its last search
//! step by step, plots what each stage costs, and has a switch for each kind of gizmo.
//!
//! The panel draws into the egui context of the primary window; `NavPanel::context` names another one. While the panel is closed,
//! only its key is looked at. Open beside 10,000 agents it takes 1.1 ms of a frame, 1.6 ms with one agent selected, and their
//! gizmos 0.7 ms, without the rendering (3.7 GHz Zen 4, release build:
//! `cargo test --release --workspace --test panel cost -- --ignored --nocapture`).
//!
//! # In code
//!
//! The components are plain data, reflected and serialisable: change them at any time, on one agent or in a query.
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

use crate::prelude::*;
