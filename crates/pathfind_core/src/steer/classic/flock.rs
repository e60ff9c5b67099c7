//! The tutorial's and the Reynolds flock model, for one member at a time.

use glam::Vec3;

use crate::steer::flock::{FlockGroup, FlockParts, FlockRules, Zone};
use crate::steer::{Body, CounterRng, MovementPlane};

/// The parts of a member's acceleration by the tutorial's model, without noise.
///
/// `mates` are the members of its group near it, without those at exactly its position, each with the number of mates
/// that it stands for: usually 1. `push` is the sum of the unit vectors away from those at exactly its position, in
/// directions chosen by their ids. Separation and alignment are divided by the number of the group's other members.
#[must_use]
pub fn tutorial_flock(
    rules: &FlockRules,
    own: &Body,
    group: &FlockGroup,
    push: Vec3,
    mates: impl Iterator<Item = (Body, f32)>,
) -> FlockParts {
    let (mut separation, mut alignment) = (push, Vec3::ZERO);
    for (mate, weight) in mates {
        let offset = mate.position - own.position;
        let distance = offset.length();
        if distance < rules.alignment.radius {
            separation -= offset / distance * (1.0 - distance / rules.separation.radius).max(0.0) * weight;
            alignment += mate.velocity.normalize_or_zero() * (distance / rules.alignment.radius) * weight;
        }
    }
    // A flock of one has no mates, and no other centre than the member's position.
    let others = group.count.saturating_sub(1);
    let share = 1.0 / others.max(1) as f32;
    let to_center = if others > 0 { group.center - own.position } else { Vec3::ZERO };
    let to_leader = group.leader.map_or(Vec3::ZERO, |leader| leader.position - own.position);
    FlockParts {
        separation: separation * (rules.separation_force * share),
        leader: to_leader * rules.pull,
        alignment: alignment * (rules.alignment_force * share),
        cohesion: to_center.normalize_or_zero() * rules.cohesion_force,
        noise: Vec3::ZERO,
        damping: rules.raised_to_start_speed(own.velocity) * -rules.drag,
    }
}

/// The tutorial's noise for the next tick: an acceleration that stays the same until it is drawn anew,
/// `noise_frequency` times a second on average.
pub(in crate::steer) fn tutorial_noise(
    rules: &FlockRules,
    noise: Vec3,
    mut rng: CounterRng,
    plane: Option<MovementPlane>,
) -> Vec3 {
    if noise != Vec3::ZERO && rng.unit() < rules.memory {
        return noise;
    }
    let direction = rng.direction();
    plane.map_or(direction, |plane| plane.flat(direction)).normalize_or_zero() * rules.noise_force
}

/// Mates nearer than this fraction of the separation radius count at any angle, as in OpenSteer's boids within three
/// of their radii.
const CLOSE: f32 = 0.3;

/// The parts of a member's acceleration by the Reynolds model, without noise: three unit directions, each with a
/// weight, and a spring to the leader. The arguments are those of [`tutorial_flock`].
#[must_use]
pub fn reynolds_flock(
    rules: &FlockRules,
    own: &Body,
    group: &FlockGroup,
    push: Vec3,
    mates: impl Iterator<Item = (Body, f32)>,
) -> FlockParts {
    let heading = own.velocity.normalize_or_zero();
    let (mut separation, mut alignment, mut cohesion, mut aligned) = (push, Vec3::ZERO, Vec3::ZERO, 0.0);
    for (mate, weight) in mates {
        let offset = mate.position - own.position;
        let distance = offset.length();
        let is_close = distance < CLOSE * rules.separation.radius;
        let counts =
            |zone: Zone| distance < zone.radius && (is_close || heading.dot(offset) > zone.cosine * distance);
        if counts(rules.separation) {
            separation -= offset / (distance * distance) * weight;
        }
        if counts(rules.alignment) {
            alignment += mate.velocity.normalize_or_zero() * weight;
            aligned += weight;
        }
        if counts(rules.cohesion) {
            cohesion += offset * weight;
        }
    }
    let turn = if aligned > 0.0 { alignment / aligned - heading } else { Vec3::ZERO };
    FlockParts {
        separation: separation.normalize_or_zero() * rules.separation_force,
        leader: spring(rules, own, group),
        alignment: turn.normalize_or_zero() * rules.alignment_force,
        cohesion: cohesion.normalize_or_zero() * rules.cohesion_force,
        ..FlockParts::default()
    }
}

/// A damped spring to the leader, whose rest length grows with the flock, as in `FlockModel::Robust`.
fn spring(rules: &FlockRules, own: &Body, group: &FlockGroup) -> Vec3 {
    let Some(leader) = group.leader else { return Vec3::ZERO };
    let offset = leader.position - own.position;
    let beyond = (offset.length() - rules.leader_distance * group.width).max(0.0);
    let pull = offset.normalize_or_zero() * (rules.pull * beyond);
    let drag = (leader.velocity - own.velocity) * rules.drag;
    (pull + drag).clamp_length_max(rules.max_acceleration)
}
