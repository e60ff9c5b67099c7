//! How far apart the members of a flock keep, by its size and by the length of a tick.

use glam::Vec3;
use pathfind_core::neighbors::Neighbors;
use pathfind_core::steer::flock::{
    FlockGroup, FlockMember, FlockPass, FlockSettings, FlockStats, FlockStep, WanderBox, WanderState,
};
use pathfind_core::steer::{Body, CounterRng};

/// Seconds until a flock has settled, and those measured after that.
const SETTLE: f32 = 20.0;
const MEASURE: f32 = 40.0;

/// Prints the spacing, width and order of flocks round a leader that wanders.
pub(crate) fn print() {
    println!("Flocks by the default law round a wandering leader");
    println!("{:>7} {:>6} {:>12} {:>10} {:>13}", "members", "Hz", "nearest mate", "gyration", "polarisation");
    for (members, rates) in [(20, &[30.0, 60.0, 144.0][..]), (100, &[30.0, 60.0, 144.0]), (400, &[60.0])] {
        for &rate in rates {
            let FlockStats { polarisation, nearest, gyration } = fly(members, rate);
            println!("{members:>7} {rate:>6} {nearest:>12.2} {gyration:>10.2} {polarisation:>13.3}");
        }
    }
}

/// The mean readout of a flock once it has settled.
fn fly(count: u64, rate: f32) -> FlockStats {
    let rules = FlockSettings::default().rules(1.0 / rate);
    let (walls, mut wander) = (WanderBox::default(), WanderState::default());
    let mut leader = Body::default();
    let mut bodies: Vec<Body> = (0..count)
        .map(|agent| {
            let mut chance = CounterRng::new(1, agent, 0);
            Body::new(Vec3::new(chance.signed(), chance.signed(), chance.signed()) * 10.0, chance.direction())
        })
        .collect();
    let mut members: Vec<_> = (0..count).map(|id| FlockMember { id, ..FlockMember::default() }).collect();
    let mut neighbors = Neighbors::default();
    let mut steps = vec![FlockStep::default(); bodies.len()];
    let (mut sum, mut measured) = (FlockStats::default(), 0.0_f32);
    for tick in 0..((SETTLE + MEASURE) * rate) as u64 {
        leader.velocity = walls.velocity(&mut wander, &leader, 1.0 / rate, 2, 0);
        leader.position += leader.velocity / rate;
        neighbors.build(rules.reach(), &bodies, &[]);
        let (all_rules, groups) = ([rules], [FlockGroup::new(&bodies, Some(leader), None)]);
        FlockPass::new(&neighbors, &members, &all_rules, &groups).run(0..bodies.len(), &mut steps);
        for (&index, step) in neighbors.order().iter().zip(&steps) {
            let body = &mut bodies[index as usize];
            body.velocity = step.velocity;
            body.position += step.velocity / rate;
        }
        FlockMember::draw(&mut members, &all_rules, (1, tick), None);
        // Ten times a second will do.
        if tick as f32 > SETTLE * rate && tick % (rate / 10.0) as u64 == 0 {
            neighbors.build(rules.reach(), &bodies, &[]);
            let now = FlockStats::new(&neighbors, &bodies, &[], 0);
            sum.polarisation += now.polarisation;
            sum.nearest += now.nearest;
            sum.gyration += now.gyration;
            measured += 1.0;
        }
    }
    FlockStats {
        polarisation: sum.polarisation / measured,
        nearest: sum.nearest / measured,
        gyration: sum.gyration / measured,
    }
}
