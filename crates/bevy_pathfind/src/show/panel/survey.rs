//! Whom a change reaches, and what they have in common.
//!
//! Of ten thousand agents that would take longer to look up than all the rest of the panel; so it is looked up
//! when something has changed, and kept.

use core::any::{Any, TypeId};
use std::collections::BTreeSet;

use bevy::ecs::change_detection::Tick;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;

use super::aim::{Place, Scope, places, targets};
use super::bar::{Origin, origin};
use super::reflect::mixed_places;
use super::state::NavPanel;
use crate::presets::{Preset, PresetComponent, PresetOf};
use crate::steer::FlockOf;

/// The surveys of all kinds of settings.
pub(super) type Surveys = HashMap<TypeId, Box<dyn Any + Send + Sync>>;

/// What was found about the settings of a `T`.
pub(super) struct Survey<T: PresetComponent> {
    /// Whom a change reaches.
    pub(super) targets: Vec<Entity>,
    /// Where their values are kept.
    pub(super) places: Vec<Place<T>>,
    /// The places of what is not the same everywhere.
    pub(super) mixed: BTreeSet<String>,
    /// The preset that they have.
    pub(super) origin: Origin<T>,
    key: Key,
    tick: Tick,
}

/// What a survey depends on, besides the values themselves.
#[derive(PartialEq)]
struct Key {
    selected: Vec<Entity>,
    scope: Scope,
    having: usize,
    following: usize,
    loaded: usize,
    changes: u64,
}

impl<T: PresetComponent> Survey<T> {
    /// The last survey, if nothing has changed since, or a new one.
    pub(super) fn take(world: &mut World, panel: &mut NavPanel) -> Self {
        let key = Key {
            selected: panel.selected.clone(),
            scope: panel.scope,
            having: world.query::<&T>().iter(world).len(),
            following: world.query::<&PresetOf<T>>().iter(world).len(),
            loaded: world.resource::<Assets<Preset<T>>>().len(),
            changes: panel.history.changes(),
        };
        let last = panel.surveys.remove(&TypeId::of::<T>()).and_then(|last| last.downcast::<Self>().ok());
        match last {
            Some(last) if last.key == key && !last.is_stale(world) => *last,
            _ => Self::new(world, panel, key),
        }
    }

    /// Keeps it for the next frame.
    pub(super) fn keep(self, panel: &mut NavPanel) {
        panel.surveys.insert(TypeId::of::<T>(), Box::new(self));
    }

    fn new(world: &mut World, panel: &NavPanel, key: Key) -> Self {
        let targets = targets::<T>(world, panel);
        let places = places::<T>(world, panel, &targets);
        let values = places.iter().filter_map(|place| place.values(world)).map(T::as_partial_reflect);
        let mixed = mixed_places(values);
        let origin = origin::<T>(world, &targets);
        Self { targets, places, mixed, origin, key, tick: world.change_tick() }
    }

    /// Whether values have changed since, or who belongs where.
    fn is_stale(&self, world: &mut World) -> bool {
        // The values of presets bear no ticks; but there are never many of those.
        if self.places.len() > 1 && self.places.iter().any(|place| matches!(place, Place::Preset(_))) {
            return true;
        }
        let is_flock = self.key.scope == Scope::Flock;
        world.last_change_tick_scope(self.tick, |world| {
            let mut values = world.query_filtered::<(), Or<(Changed<T>, Changed<PresetOf<T>>)>>();
            let mut flocks = world.query_filtered::<(), Changed<FlockOf>>();
            values.iter(world).next().is_some() || is_flock && flocks.iter(world).next().is_some()
        })
    }
}
