//! Flocking: near mates keep apart, fly alike and stay together, and follow a leader if there is one.
//!
//! Three laws, of which the knobs have the same names. All answer with an acceleration and never change a
//! body, so that every member of a tick sees the same mates. The same members given in the same order wish for the
//! same, bit for bit, on every machine. Given in another order, members in one cell of the grid are added up in
//! another order, and wishes can differ in their last bits: to compare flocks bit for bit, give their members in the
//! same order, as by their ids.
//!
//! - [`FlockModel::Robust`], the default: pushes that do not thin out as the flock grows, matched velocities,
//!   a leader on a damped spring, noise with a memory, all within one budget of acceleration that is handed
//!   out by urgency (C. Reynolds, "Flocks, Herds, and Schools", 1987).
//! - [`FlockModel::Tutorial`]: the law of Unity's island demo (`Seagull`), which the book "Unity AI
//!   Programming Essentials" (Packt) took over as `UnityFlock`, term by term. Two things differ: members
//!   are updated together instead of in place, and a velocity of zero is no NaN. What is odd about it stays:
//!   pushes are divided by the flock's size, so that a flock gets denser and never bigger, and alignment
//!   grows with distance.
//! - [`FlockModel::Reynolds`]: separation, alignment and cohesion as in OpenSteer's boids, each with a radius
//!   and a field of view of its own.
//!
//! ```
//! use glam::Vec3;
//! use pathfind_core::neighbors::Neighbors;
//! use pathfind_core::steer::Body;
//! use pathfind_core::steer::flock::{FlockGroup, FlockMember, FlockPass, FlockSettings, FlockStep};
//!
//! let mut bodies = vec![Body::new(Vec3::ZERO, Vec3::X), Body::new(Vec3::Y, Vec3::Y)];
//! let settings = FlockSettings::default();
//! let rules = [settings.rules(1.0 / 60.0)];
//! let mut neighbors = Neighbors::default();
//! neighbors.build(rules[0].reach(), &bodies, &[]);
//!
//! let groups = [FlockGroup::new(&bodies, None, None)];
//! let members = [FlockMember::default(); 2];
//! let pass = FlockPass::new(&neighbors, &members, &rules, &groups);
//! let mut steps = vec![FlockStep::default(); neighbors.len()];
//! pass.run(0..neighbors.len(), &mut steps);
//! for (&index, step) in neighbors.order().iter().zip(&steps) {
//!     let body = &mut bodies[index as usize];
//!     body.velocity = step.velocity;
//!     body.position += step.velocity / 60.0;
//! }
//! assert!(bodies[0].position.distance(bodies[1].position) > 1.0, "they are too near, and part");
//! ```
//!
//! What the default law keeps up round a leader that wanders, in the mean of 40 seconds, hardly depends on the size of
//! the flock and on the length of a tick:
//!
//! | members | ticks a second | nearest mate | radius of gyration | polarisation |
//! |---|---|---|---|---|
//! | 20 | 30, 60, 144 | 2.26, 2.26, 2.25 | 2.73, 2.74, 2.74 | 0.999 |
//! | 100 | 30, 60, 144 | 2.20, 2.19, 2.20 | 4.66, 4.66, 4.66 | 0.999 |
//! | 400 | 60 | 2.16 | 7.35 | 0.999 |
//!
//! Printed by `cargo run --release -p pathfind_core --example steering_tables spacing`.

// What a flock is told, and what is made of it for one tick.
mod rules;
mod settings;

// Chance, limits, and the leader's box.
mod leader;
mod limits;
mod noise;

// The wishes of many members at once, and where they lead.
mod advance;
mod group;
mod kernel;
mod list;
mod parts;
mod pass;
mod step_buffer;
mod wish;

// What came of it.
mod stats;

pub use advance::FlockMoved;
pub use group::FlockGroup;
pub use leader::{WanderBox, WanderState};
pub use limits::{Turn, limit, rotate_towards};
pub use parts::FlockParts;
pub use pass::{FlockMember, FlockPass, FlockStep};
pub use rules::FlockRules;
pub use settings::{FlockModel, FlockSettings};
pub use stats::FlockStats;

#[cfg(test)]
mod tests;
