//! Settings in files.
//!
//! Every setting of an agent is a field with a range and a unit, and can be kept in a file (feature `presets`, on by
//! default): `gulls.flock.ron` holds a [`Flock`], `careful.avoid.ron` an [`Avoider`], `wolf.pursuit.ron` a [`Pursuer`],
//! `truck.agent.ron` an [`Agent`].
//!
//! ```ron
//! // assets/presets/tight.flock.ron: what is not named has its default.
//! (
//!     avoidance_radius: 1.5,
//!     gravity: 9.0,
//! )
//! ```
//!
//! Add `PresetsPlugin`, and put `PresetOf::<Flock>::new(assets.load("presets/tight.flock.ron"))` on an entity: it takes its
//! values from the file, and follows it while the game runs. A broken file changes nothing; what is wrong with it
//! is told, with line and column. The module `presets` has the whole story.
//!
//! # Tune while it runs
//!
//! With the feature `panel` add `NavPanelPlugin::default()` and press F2: pick agents, drag sliders, see what each wish
//! does to them, and save what you like as a preset.
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
//!         flock.random_force *= 2.0;
//!     }
//! }
//! ```

use crate::prelude::*;
