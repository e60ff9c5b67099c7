//! The grid of every agent without an `OnGrid`: it is looked up once a tick, and stored in `FoundGrid` for all
//! stages.

use bevy::prelude::*;

use super::{Crowd, CrowdIndex};
use crate::parallel::Threads;
use crate::rows::{Rows, rows, tables};
use crate::settings::NavSettings;
use crate::world::{Airborne, FoundGrid, Grids, GroundOffset, OnGrid};

/// The components that the look-up needs.
type Untied = (&'static CrowdIndex, Option<&'static GroundOffset>, &'static mut FoundGrid);

/// Finds the grids of the agents, if there are several grids.
pub(super) fn find_grids(
    mut agents: Query<Untied, (Without<OnGrid>, Without<Airborne>)>,
    (crowd, grids, settings): (Res<Crowd>, Grids, Res<NavSettings>),
) {
    let all = grids.all();
    if !all.are_several() {
        return;
    }
    let mut tables = tables(&mut agents);
    Threads::of(&settings).share(rows(&mut tables), |agents| {
        let (len, mut agents) = agents.cut();
        for row in 0..len {
            let (&slot, offset, mut found) = agents.row(row);
            if let Some(body) = crowd.body(slot) {
                all.find_for(body.position, offset, found.bypass_change_detection());
            }
        }
    });
}
