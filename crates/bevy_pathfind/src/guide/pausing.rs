//! Pausing: the whole game, the movement alone, or single agents.
//!
//! # The whole game
//!
//! Pause Bevy's `Time<Virtual>`. While it is paused, or its speed is 0, Bevy runs no fixed schedule, so nothing
//! moves. Requests are still answered, once a frame: a game with an active pause can give orders, edit the map, and
//! show the paths at once. Deadlines do not count down meanwhile.
//!
//! ```
//! use bevy::prelude::*;
//! use bevy::time::TimeUpdateStrategy;
//! use bevy_pathfind::{solve::{SolveMode, SolveSettings}, world::Grid};
//! use bevy_pathfind::prelude::*;
//!
//! let mut app = App::new();
//! app.add_plugins((MinimalPlugins, PathfindPlugins::default()))
//!     .insert_resource(TimeUpdateStrategy::FixedTimesteps(1)) // one tick per update
//!     .insert_resource(SolveSettings { mode: SolveMode::Inline, ..default() });
//! app.update();
//! app.world_mut().spawn(NavGrid::new(Grid::new(20, 20)?));
//! app.world_mut().resource_mut::<Time<Virtual>>().pause();
//!
//! let start = Vec3::new(2.5, 2.5, 0.0);
//! let order = PathRequest::to(Vec3::new(15.5, 2.5, 0.0));
//! let unit = app.world_mut().spawn((Agent::default(), order, Transform::from_translation(start))).id();
//! for _ in 0..3 {
//!     app.update();
//! }
//! assert!(app.world().get::<NavPath>(unit).is_some(), "its path is found");
//! let at = app.world().get::<Transform>(unit).map(|at| at.translation);
//! assert_eq!(at, Some(start), "and it does not move");
//! # Ok::<(), GridError>(())
//! ```
//!
//! Slow motion is `Time::<Virtual>::set_relative_speed`: there are fewer ticks per second, each as long as before.
//! Then [`InterpolateTransform`] on the agents keeps their motion smooth on the screen.
//!
//! [`NavSettings::while_paused`] switches the work in a pause off; requests are then accepted when time goes on. That
//! is needed where runs must be the same bit by bit, as a pause lasts for another number of frames on every machine:
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! # fn plug_in(app: &mut App) {
//! app.insert_resource(NavSettings { while_paused: false, ..default() });
//! # }
//! ```
//!
//! If the plugins are in a schedule that is not fixed (`PathfindPlugins::new(Update)`), all stages run once a frame
//! in a pause too; as no time passes, nothing moves.
//!
//! # Some stages
//!
//! The sets of [`NavSystems`] take run conditions. Switch `Steer` and `Motion` off together: `Motion` alone would
//! move agents on at their last [`AdjustedVelocity`]. Time goes on here, so deadlines count down.
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! /// Exists while a dialogue is open; all agents stand meanwhile.
//! #[derive(Resource)]
//! struct Dialogue;
//!
//! fn plug_in(app: &mut App) {
//!     for stage in [NavSystems::Steer, NavSystems::Motion] {
//!         app.configure_sets(FixedUpdate, stage.run_if(not(resource_exists::<Dialogue>)));
//!     }
//! }
//! ```
//!
//! A stage that did not run for a while goes on from what it finds: requests, edits and despawns of the time between
//! are not lost. In a pause of `Time<Virtual>` the sets `World`, `Request` and `Solve` run in `RunFixedMainLoop`:
//! give them their condition in that schedule as well if it is to hold there.
//!
//! # Single agents
//!
//! - Remove the [`PathRequest`], and the agent brakes and stands. Insert it again, and it searches from where it
//!   stands.
//! - Insert Bevy's `Disabled`, and no system finds the entity: it does not move, and other agents ignore it. Enabled
//!   again, it goes on with its request, on the map as it is then.
//! - Set [`Agent::speed`] to 0, and the agent brakes and stands, wherever it is, and keeps all that it was asked for. It
//!   goes on when it has its speed back.

use super::links::*;
