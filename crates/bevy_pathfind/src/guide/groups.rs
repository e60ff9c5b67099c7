//! Groups: one order for many agents, in formation or as they stand.
//!
//! # In formation
//!
//! A group is an entity with a [`Formation`]; its members are agents with [`FormationOf`]:
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! fn muster(mut commands: Commands) {
//!     let legion = commands.spawn(Formation::line().with_facing(Vec3::X)).id();
//!     for i in 0..40 {
//!         let rank = if i < 14 { 0 } else { 1 }; // shields in front of archers
//!         let member = FormationOf::new(legion).with_rank(rank);
//!         let at = Transform::from_xyz(i as f32, 0.5, 0.0);
//!         commands.spawn((Agent::new(4.0), Avoider::default(), member, at));
//!     }
//!     commands.entity(legion).go_to(Vec3::new(80.5, 20.5, 0.0));
//! }
//! ```
//!
//! | you want | write |
//! |---|---|
//! | another shape | [`Formation::line`], `column`, `wedge`, `square`, `ring`, `loose`, or [`Formation::offsets`] for your own |
//! | to change it on the way | write the component: the members go to their new places |
//! | each as fast as it can | `keeps_together: false` |
//! | to know when it is there | [`AgentArrived`] and [`PathStatus`] of the group |
//! | one of them to go elsewhere | an order for it; `go_to` on the group takes it back |
//! | to dissolve it | despawn the group, or remove [`FormationOf`] |
//!
//! One search finds the path of the centre, for the kind and the radius of the widest member. Places move along that
//! path,
//! and wheel at its corners no faster than the outer files can follow. Who stands where is decided anew only for a new
//! order, another shape, or when members come or go: with the least sum of squared ways, so that no two cross.
//!
//! The group goes as fast as its slowest member. It waits for those who lag behind as long as they come nearer, and
//! four seconds more.
//!
//! # Narrow ground
//!
//! A tree is gone round on both sides; a lake, or a wall, makes room on one side only. Where the formation does not
//! fit,
//! it becomes a column of what does. Through a door, and through any stretch shorter than the formation is deep, the
//! members go one by one, with [right of way](super::steering#narrow-places), and form behind it: whoever is through
//! first goes farthest.
//!
//! # As they stand
//!
//! [`Formation::as_they_stand`] sends any agents to a point so that they keep their arrangement, without a group: the
//! default of strategy games.
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! fn send(mut commands: Commands, agents: &[Entity]) {
//!     commands.queue(Formation::as_they_stand(agents, Vec3::new(12.5, 3.5, 0.0)));
//! }
//! ```
//!
//! # Places at a target
//!
//! [`TargetSlots`] on an entity say where agents stand that attack, use or surround it, one each. A [`Pursuer`] of it goes
//! to a slot; so does an agent that is sent to [`NavGoal::SlotOf`] it.
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! fn surround(mut commands: Commands, wolves: &[Entity], workers: &[Entity]) {
//!     let stag = commands.spawn((Agent::new(3.0), TargetSlots::ring(1.2, 1.2))).id();
//!     for &wolf in wolves {
//!         commands.entity(wolf).insert(Pursuer::intercept(stag));
//!     }
//!     let bench = commands.spawn(TargetSlots::points([Vec3::NEG_X, Vec3::X])).id();
//!     for &worker in workers {
//!         commands.entity(worker).go_to(NavGoal::SlotOf(bench));
//!     }
//! }
//! ```
//!
//! | you want | write |
//! |---|---|
//! | spears that reach over the first row | `TargetSlots::ring(1.2, 2.5)`: rings from the radius to the reach |
//! | to know who has a slot | [`SlotClaim`] of the agent; [`CaughtTarget`] or [`AgentArrived`] when it is there |
//! | to know who waits | [`PathStatus::AwaitingSlot`]; it takes the slot that becomes free by itself |
//! | a worker that goes on when it is done | a [`GoalQueue`] with [`NavGoal::SlotOf`], or another order: the slot is given back |
//! | a cell kept for an agent that is not there yet | [`Reservation`] |
//!
//! Slots move with the entity, points turn with it too. A slot in a wall does not exist. A hundred agents that stand round
//! a target fill its ring of ten in 0.8 s, or in 1.3 s while it goes away at a quarter of their speed; a block of a hundred
//! that comes from one side takes 2.7 and 3.2 s from the first to the last of them. (Development build, game time.)

//! # Vehicles among them
//!
//! A [`Vehicle`] cannot turn on the spot. Its paths are made of arcs of its turning circle and straight legs, driven
//! forwards and, if it can, backwards, as in a three-point turn; its rectangle stays out of walls.
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pathfind::prelude::*;
//! fn supply(mut commands: Commands) {
//!     let truck = Vehicle { length: 2.4, width: 1.0, turning_radius: 3.0, ..default() };
//!     commands.spawn((Agent::new(4.0).with_radius(0.5), truck)).go_to(Vec3::new(40.5, 8.5, 0.0));
//! }
//! ```
//!
//! | you want | look at |
//! |---|---|
//! | a truck that only drives forwards | `reverses: false` |
//! | which legs are arcs, and which are driven backwards | [`NavPath::vehicle_legs`] |
//! | to know that no drive leads to the goal | [`PathFailed`] with [`PathError::NotDrivable`] |
//! | soldiers who make way | an [`Avoider`] for them; a truck needs none, and waits for those who have none |
//!
//! A vehicle drives slower for nobody: it brakes, waits and goes on. It ends at the point of its goal, or within half a
//! cell of it, with any heading. A path takes longer to find than that of a soldier, because the search knows headings;
//! it waits in the same queue. Two vehicles that meet on a narrow road both wait.

use super::links::*;
