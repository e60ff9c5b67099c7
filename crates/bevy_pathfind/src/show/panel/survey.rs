//! The survey: which entities an edit applies to, and which values they share.
//!
//! For ten thousand agents a survey costs more than drawing the rest of the panel; so it is cached, and made anew
//! only when something has changed.

use std::collections::BTreeSet;

use bevy::ecs::change_detection::Tick;
use bevy::prelude::*;

use super::aim::{SettingsOwner, places, targets};
use super::history::History;
use super::origin::{Origin, origin};
use super::reflect::mixed_places;
use super::state::{NavPanel, Scope};
use crate::presets::{Preset, PresetComponent, PresetOf};
use crate::steer::FlockOf;

/// The survey of the settings of a `T`, a resource that is cached until the next frame.
#[derive(Resource)]
pub(super) struct Survey<T: PresetComponent> {
    /// The entities that an edit applies to.
    pub(super) targets: Vec<Entity>,
    /// Where the values of these entities are stored.
    pub(super) places: Vec<SettingsOwner<T>>,
    /// The reflection paths of fields whose values differ between the places.
    pub(super) mixed: BTreeSet<String>,
    /// The preset that the entities share.
    pub(super) origin: Origin<T>,
    key: SurveyKey,
    tick: Tick,
}

/// What a survey depends on, besides the values themselves: a cached survey with another key is stale.
#[derive(PartialEq)]
struct SurveyKey {
    selected: Vec<Entity>,
    scope: Scope,
    having: usize,
    following: usize,
    loaded: usize,
    changes: u64,
}

impl<T: PresetComponent> Survey<T> {
    /// Takes the cached survey, if it is still valid, or makes a new one.
    pub(super) fn take(world: &mut World, panel: &NavPanel) -> Self {
        let key = SurveyKey {
            selected: panel.selected.clone(),
            scope: panel.scope,
            having: world.query::<&T>().iter(world).len(),
            following: world.query::<&PresetOf<T>>().iter(world).len(),
            loaded: world.resource::<Assets<Preset<T>>>().len(),
            changes: world.resource::<History>().changes,
        };
        match world.remove_resource::<Self>() {
            Some(last) if last.key == key && !last.is_stale(world) => last,
            _ => Self::new(world, panel, key),
        }
    }

    fn new(world: &mut World, panel: &NavPanel, key: SurveyKey) -> Self {
        let targets = targets::<T>(world, panel);
        let places = places::<T>(world, panel, &targets);
        let values = places.iter().filter_map(|place| place.values(world)).map(T::as_partial_reflect);
        let mixed = mixed_places(values);
        let origin = origin::<T>(world, &targets);
        Self { targets, places, mixed, origin, key, tick: world.change_tick() }
    }

    /// Whether values, presets or flock memberships have changed since the survey.
    fn is_stale(&self, world: &mut World) -> bool {
        // Values of presets have no change ticks. With several places of which one is a preset, survey in every
        // frame: there are never many such places.
        if self.places.len() > 1 && self.places.iter().any(|place| matches!(place, SettingsOwner::Preset(_)))
        {
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
