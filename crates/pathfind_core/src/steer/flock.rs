//! Flocking: members keep apart from near mates, match their velocity, stay together, and follow a leader if there
//! is one.
//!
//! A mate is another member of the same group. Three models read the same settings; the robust one computes many
//! members at once, the other two are plain code in [`classic`](super::classic). Each answers with an
//! acceleration and changes no body, so that all members of a tick see the same state. The same members in the
//! same order get the same accelerations, bit for bit, on every machine and with every instruction set. In another
//! order, members of one grid cell are summed in another order, and accelerations can differ in their last bits:
//! to compare flocks bit for bit, give the members in the same order, for example sorted by id. Of a dense crowd in
//! [packed cells](crate::neighbors), a sample stands for all.
//!
//! - [`FlockModel::Robust`], the default: separation is not divided by the number of mates, so spacing does not
//!   depend on the flock's size; the leader pulls by a damped spring; noise is correlated in time; all parts share
//!   one limit of acceleration in order of priority (C. Reynolds, "Flocks, Herds, and Schools", 1987).
//! - [`FlockModel::Tutorial`]: the model of Unity's island demo (`Seagull`), which the book "Unity AI Programming
//!   Essentials" (Packt) took over as `UnityFlock`, term by term. Two things differ: members are updated together
//!   instead of in place, and a velocity of zero gives no NaN. Its defects stay: pushes are divided by the flock's
//!   size, so that a larger flock gets denser and not bigger, and alignment grows with distance.
//! - [`FlockModel::Reynolds`]: separation, alignment and cohesion as in OpenSteer's boids, each with a radius and
//!   a field of view of its own.
//!
//! # A tick
//!
//! - [`WanderBox`] says where a leader flies that nothing else moves.
//! - [`FlockSettings::rules`] checks the settings and computes the constants of the tick; [`Neighbors`] sorts the
//!   bodies into a grid, where a slot is a body's place; [`FlockGroup`] is the count, centre and leader of each flock.
//! - [`FlockPass::run`] takes 64 slots at a time. It sums over the mates of as many members as there are lanes, which
//!   share one list of candidates (`kernel`), turns the sums into accelerations (`parts`) and these into
//!   velocities (`limits`). Members with rules of another model are computed one by one by
//!   [`classic`](super::classic).
//! - [`FlockPass::advance`] moves the bodies and draws the noise of the next tick.
//!
//! [`Neighbors`]: crate::neighbors::Neighbors
//!
//! # The models
//!
//! For a member at `x` with velocity `v` and each mate j at `xj` with velocity `vj`, `dj = |xj - x|` is the distance
//! and `uj = (xj - x) / dj` the direction of the mate; `L` stands for the leader. A quantity below 0 in `[ ]+` counts
//! as 0; `clamp(a, m)` is the vector `a` shortened to the length `m`; `unit(a)` has length 1 or is zero. The other
//! names are the fields of [`FlockSettings`].
//!
//! Robust:
//!
//! ```text
//!  separation = separation_force · Σ [1 - dj / separation_radius]+ · -uj        all round
//!  wj         = [1 - dj / alignment_radius]+ within alignment_angle, else 0     W = Σ wj
//!  alignment  = alignment_force · Σ wj (vj - v) / W
//!  cohesion   = cohesion_force · clamp( Σ wj (xj - x) / (W · alignment_radius / 4), 1 )
//!  leader     = clamp( ω² · [dL - R]+ · uL + 2 · damping · ω · (vL - v), max_acceleration )
//!               ω² = leader_force / leader_range;   R = leader_distance · ∛n, in a plane · √n, for n members
//!  noise      = m · noise + noise_force · √(3 (1 - m²) / k) · q,   m = exp(-noise_frequency · dt)
//!               q uniform in [-1, 1] on each axis, projected on the plane if there is one; k = 3, in a plane 2
//!  a          = separation, leader, alignment, cohesion, noise, added in this order; each is shortened to what
//!               the lengths of those before it leave of max_acceleration
//! ```
//!
//! Without a mate of weight above 0, alignment and cohesion are zero.
//!
//! Tutorial, with sums over mates nearer than `alignment_radius`, and N members:
//!
//! ```text
//!  v         is first raised to min_speed, unless it is 0
//!  a         = ( separation_force · Σ [1 - dj / separation_radius]+ · -uj
//!              + alignment_force · Σ dj / alignment_radius · unit(vj) ) / (N - 1)
//!              + leader_force / leader_range · (xL - x) + cohesion_force · unit(centre - x) + noise - damping · v
//!  noise     of length noise_force, kept until it is drawn anew, noise_frequency times a second in the mean
//! ```
//!
//! Reynolds, each sum over mates within its own radius that are within its own angle or nearer than 0.3 ·
//! `separation_radius`; leader and noise as in the robust model:
//!
//! ```text
//!  separation = separation_force · unit( Σ -uj / dj )
//!  alignment  = alignment_force · unit( mean of unit(vj) - unit(v) )
//!  cohesion   = cohesion_force · unit( Σ (xj - x) )
//!  a          = clamp( the sum of all parts, max_acceleration )
//! ```
//!
//! All models end alike: `v + a·dt`, its heading turned from `v` by at most `turn_speed · dt`, its speed clamped
//! to `min_speed` and `max_speed`; then `x + v·dt`.
//!
//! # Where the numbers come from
//!
//! [`FlockSettings::seagull`] has the numbers of Unity's `Seagull` script, [`FlockSettings::unity_flock`] those of
//! the book's `UnityFlock`, [`FlockSettings::reynolds`] those of OpenSteer's boids demo. The defaults are this
//! library's own, for the robust model; the table below shows what was measured with them. Of the defaults,
//! `cohesion_radius`, `cohesion_angle` and `separation_angle`, which only the Reynolds model reads, are
//! OpenSteer's.
//!
//! # Example
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
//! pass.run(0..neighbors.len(), &mut steps)?;
//! for (&index, step) in neighbors.order().iter().zip(&steps) {
//!     let body = &mut bodies[index as usize];
//!     body.velocity = step.velocity;
//!     body.position += step.velocity / 60.0;
//! }
//! assert!(bodies[0].position.distance(bodies[1].position) > 1.0, "they are too near, and part");
//! # Ok::<(), pathfind_core::steer::LengthError>(())
//! ```
//!
//! # Measured
//!
//! The default model with a leader that wanders in its box, means over 40 seconds. The distance to the nearest
//! mate hardly depends on the number of members, and no figure depends noticeably on the length of a tick:
//!
//! | members | ticks a second | nearest mate | radius of gyration | polarization |
//! |---|---|---|---|---|
//! | 20 | 30, 60, 144 | 2.26, 2.26, 2.25 | 2.73, 2.74, 2.74 | 0.999 |
//! | 100 | 30, 60, 144 | 2.20, 2.19, 2.20 | 4.66, 4.66, 4.66 | 0.999 |
//! | 400 | 60 | 2.16 | 7.35 | 0.999 |
//!
//! Printed by `cargo run --release -p pathfind_core --example steering_tables spacing`.

// Settings, and the constants of a tick computed from them.
mod rules;
mod settings;

// Noise, limits of turn and speed, and the leader's box.
mod leader;
mod limits;
mod noise;

// Accelerations and velocities of many members at once, and the step that follows.
mod advance;
mod group;
mod kernel;
mod list;
mod parts;
mod pass;
mod step_buffer;

// Statistics for tuning.
mod stats;

pub use advance::FlockMoved;
pub use group::FlockGroup;
pub use leader::{WanderBox, WanderState};
pub use parts::FlockParts;
pub use pass::{FlockMember, FlockPass, FlockStep};
pub use rules::FlockRules;
pub(super) use rules::Zone;
pub use settings::{FlockModel, FlockSettings};
pub use stats::FlockStats;

#[cfg(test)]
mod tests;
