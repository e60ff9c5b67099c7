//! Spacing: how far apart members of a flock keep, by number of members and tick rate.

use glam::Vec3;
use pathfind_core::neighbors::Neighbors;
use pathfind_core::steer::flock::{
    FlockGroup, FlockMember, FlockPass, FlockSettings, FlockStats, FlockStep, WanderBox, WanderState,
};
use pathfind_core::steer::{Body, CounterRng};

/// Seconds until a flock is taken as settled, and seconds of measurement after that.
const WARM_UP: f32 = 20.0;
const MEASURE: f32 = 40.0;

/// Prints spacing, extent and polarization of flocks round a wandering leader.
pub(crate) fn print() {
    println!("Flocks by the default model round a wandering leader");
    println!("{:>7} {:>6} {:>12} {:>10} {:>13}", "members", "Hz", "nearest mate", "gyration", "polarization");
    for (members, rates) in [(20, &[30.0, 60.0, 144.0][..]), (100, &[30.0, 60.0, 144.0]), (400, &[60.0])] {
        for &rate in rates {
            let FlockStats { polarization, nearest, gyration } = simulate(members, rate);
            println!("{members:>7} {rate:>6} {nearest:>12.2} {gyration:>10.2} {polarization:>13.3}");
        }
    }
}

/// The mean statistics of a flock once it has settled.
fn simulate(count: u64, rate: f32) -> FlockStats {
    let rules = FlockSettings::default().rules(1.0 / rate);
    let (walls, mut wander) = (WanderBox::default(), WanderState::default());
    let mut leader = Body::default();
    let mut bodies: Vec<Body> = (0..count)
        .map(|agent| {
            let mut rng = CounterRng::new(1, agent, 0);
            Body::new(Vec3::new(rng.signed(), rng.signed(), rng.signed()) * 10.0, rng.direction())
        })
        .collect();
    let mut members: Vec<_> = (0..count).map(|id| FlockMember { id, ..FlockMember::default() }).collect();
    let mut neighbors = Neighbors::default();
    let mut steps = vec![FlockStep::default(); bodies.len()];
    let (mut sum, mut measured) = (FlockStats::default(), 0.0_f32);
    for tick in 0..((WARM_UP + MEASURE) * rate) as u64 {
        leader.velocity = walls.velocity(&mut wander, &leader, 1.0 / rate, 2, 0);
        leader.position += leader.velocity / rate;
        neighbors.build(rules.reach(), &bodies, &[]);
        let (all_rules, groups) = ([rules], [FlockGroup::new(&bodies, Some(leader), None)]);
        FlockPass::new(&neighbors, &members, &all_rules, &groups).run(0..bodies.len(), &mut steps).unwrap();
        for (&index, step) in neighbors.order().iter().zip(&steps) {
            let body = &mut bodies[index as usize];
            body.velocity = step.velocity;
            body.position += step.velocity / rate;
        }
        FlockMember::draw(&mut members, &all_rules, (1, tick), None);
        // A sample ten times per second is enough.
        if tick as f32 > WARM_UP * rate && tick % (rate / 10.0) as u64 == 0 {
            neighbors.build(rules.reach(), &bodies, &[]);
            let now = FlockStats::new(&neighbors, &bodies, &[], 0);
            sum.polarization += now.polarization;
            sum.nearest += now.nearest;
            sum.gyration += now.gyration;
            measured += 1.0;
        }
    }
    FlockStats {
        polarization: sum.polarization / measured,
        nearest: sum.nearest / measured,
        gyration: sum.gyration / measured,
    }
}
