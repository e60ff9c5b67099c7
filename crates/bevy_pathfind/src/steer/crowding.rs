//! Crowding as influence: how much agents on their way are slowed down, as a layer over the cells that they are in.

use bevy::math::ops;
use bevy::prelude::*;

use crate::agent::{Agent, AgentVelocity};
use crate::order::PathStatus;
use crate::world::{GridInfluence, Grids, InfluenceLayers, NavGrid, Positions, Tie};

/// For how many seconds the delay of agents is averaged: a few lengths of a body at walking speed, so that one that
/// makes way for another does not count, and a queue does.
const AVERAGED: f32 = 2.0;
/// The slowest that an agent counts as, as a part of its top speed: what stands is taken to move on some time.
const LEAST_SPEED: f32 = 0.1;

/// Writes the layer [`InfluenceLayers::CROWDING`], if there is one, as often as layers are applied.
///
/// The value of a cell is the delay of the agents in it: the time that they need for a length, in times of what they
/// need at their top speed, less 1; 0 where all move freely, at most 9. With a weight of 1 the cost of a path so is the
/// time that it takes.
pub(super) fn write_crowding(
    layers: Res<InfluenceLayers>,
    agents: Query<(Entity, &Agent, &AgentVelocity, &PathStatus, Tie)>,
    (grids, positions, time): (Grids, Positions, Res<Time>),
    mut influences: Query<&mut GridInfluence>,
    mut waited: Local<f32>,
) {
    let Some(layer) = layers.id(InfluenceLayers::CROWDING) else { return };
    *waited += time.delta_secs();
    if *waited < layers.apply_every {
        return;
    }
    let kept = ops::exp(-core::mem::take(&mut *waited) / AVERAGED);
    let all = grids.all();
    let mut delays: Vec<_> = agents
        .iter()
        .filter(|(_, agent, _, status, _)| **status == PathStatus::Following && agent.speed > 0.0)
        .filter_map(|(entity, agent, velocity, _, tie)| {
            let at = positions.of(entity)?;
            let grid = all.of(tie, at).ok()?;
            let speed = (velocity.0.length() / agent.speed).clamp(LEAST_SPEED, 1.0);
            Some((grid.entity, grid.cell(at), 1.0 / speed - 1.0))
        })
        .filter(|(_, _, delay)| delay.is_finite())
        .collect();
    delays.sort_unstable_by(|a, b| (a.0, a.1.y, a.1.x).cmp(&(b.0, b.1.y, b.1.x)).then(a.2.total_cmp(&b.2)));
    for grid in all.usable() {
        let Ok(mut influence) = influences.get_mut(grid.entity) else { continue };
        let first = delays.partition_point(|&(on, ..)| on < grid.entity);
        let here = delays[first..].partition_point(|&(on, ..)| on == grid.entity);
        let here = &delays[first..first + here];
        let nav: &NavGrid = grid.nav;
        if here.is_empty() && influence.layer(layer).is_none() {
            continue;
        }
        let values = influence.layer_mut(layer, nav);
        values.fade(kept);
        let of_cells = here.chunk_by(|a, b| a.1 == b.1).map(|cell| {
            let mean = cell.iter().map(|&(_, _, delay)| delay).sum::<f32>() / cell.len() as f32;
            (cell[0].1, mean * (1.0 - kept))
        });
        values.add(of_cells);
    }
}
