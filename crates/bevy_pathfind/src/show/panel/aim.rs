//! Which entities an edit applies to, and where their values are stored.

use bevy::asset::AssetId;
use bevy::platform::collections::HashSet;
use bevy::prelude::*;
use bevy::reflect::PartialReflect;

use super::history::{Change, EditTarget};
use super::state::{NavPanel, Scope};
use crate::presets::{Preset, PresetComponent, PresetOf};
use crate::steer::{FlockMembers, FlockOf};

/// A place where values are stored.
pub(super) enum SettingsOwner<T: PresetComponent> {
    /// In a preset whose followers are all affected by the edit.
    Preset(AssetId<Preset<T>>),
    /// In the component of an entity.
    Own(Entity),
}

impl<T: PresetComponent> SettingsOwner<T> {
    /// The values in this place; `None` if the preset or the component is gone.
    pub(super) fn values<'w>(&self, world: &'w World) -> Option<&'w T> {
        match *self {
            Self::Preset(id) => Some(&world.resource::<Assets<Preset<T>>>().get(id)?.values),
            Self::Own(entity) => world.get::<T>(entity),
        }
    }

    /// Sets the value at a reflection path, as a step of a change. An entity with a preset no longer follows
    /// it then.
    pub(super) fn put(&self, world: &mut World, change: &mut Change, path: &str, value: &dyn PartialReflect) {
        match *self {
            Self::Preset(id) => change.put(world, EditTarget::preset::<T>(id), path, value),
            Self::Own(entity) => {
                if world.get::<PresetOf<T>>(entity).is_some_and(|preset| preset.follows) {
                    let preset = EditTarget::component::<PresetOf<T>>(entity);
                    change.put(world, preset, ".follows", &false);
                }
                change.put(world, EditTarget::component::<T>(entity), path, value);
            }
        }
    }
}

/// The entities that an edit applies to: those in scope that have a `T` or a preset of one, sorted by index.
pub(super) fn targets<T: PresetComponent>(world: &mut World, panel: &NavPanel) -> Vec<Entity> {
    let mut having = world.query_filtered::<Entity, Or<(With<T>, With<PresetOf<T>>)>>();
    let mut found: Vec<_> = having.iter(world).collect();
    let is_all = panel.selected.is_empty() || panel.scope == Scope::Everyone;
    // What an entity shares with others in the scope: a preset, or the leader of a flock.
    let group = |entity: Entity| match panel.scope {
        Scope::Preset => followed::<T>(world, entity).map(|preset| (Some(preset), None)),
        Scope::Flock => flock_of(world, entity).map(|leader| (None, Some(leader))),
        Scope::Selected | Scope::Everyone => None,
    };
    let selected: HashSet<_> = panel.selected.iter().copied().collect();
    let groups: HashSet<_> = selected.iter().filter_map(|&entity| group(entity)).collect();
    found.retain(|&entity| {
        is_all || selected.contains(&entity) || group(entity).is_some_and(|group| groups.contains(&group))
    });
    found.sort_unstable_by_key(|entity| entity.index_u32());
    found
}

fn followed<T: PresetComponent>(world: &World, entity: Entity) -> Option<AssetId<Preset<T>>> {
    world.get::<PresetOf<T>>(entity).filter(|preset| preset.follows).map(|preset| preset.handle.id())
}

/// The leader of the flock that an agent belongs to, or the agent itself if it leads one.
pub(super) fn flock_of(world: &World, entity: Entity) -> Option<Entity> {
    let leads = world.get::<FlockMembers>(entity).map(|_| entity);
    leads.or_else(|| world.get::<FlockOf>(entity).map(|flock| flock.0))
}

/// Where the values of the targets are stored: in a preset if all of its followers are among the targets, otherwise
/// in each target's component. Editing the latter gives the entity values of its own, as does every edit of
/// [`Scope::Selected`].
pub(super) fn places<T: PresetComponent>(
    world: &mut World,
    panel: &NavPanel,
    targets: &[Entity],
) -> Vec<SettingsOwner<T>> {
    let is_own = panel.scope == Scope::Selected && !panel.selected.is_empty();
    let mut following = world.query::<(Entity, &PresetOf<T>)>();
    let is_target = |entity: Entity| {
        targets.binary_search_by_key(&entity.index_u32(), |target| target.index_u32()).is_ok()
    };
    // Presets that an edit must not change, since it would change entities outside the targets.
    let shared: HashSet<_> = following
        .iter(world)
        .filter(|&(entity, preset)| preset.follows && !is_target(entity))
        .map(|(_, preset)| preset.handle.id())
        .collect();
    let presets = world.resource::<Assets<Preset<T>>>();
    let mut done: HashSet<AssetId<Preset<T>>> = HashSet::default();
    let mut places = Vec::new();
    for &entity in targets {
        match followed(world, entity) {
            Some(id) if !is_own && presets.contains(id) && !shared.contains(&id) => {
                places.extend(done.insert(id).then_some(SettingsOwner::Preset(id)));
            }
            _ if world.get::<T>(entity).is_some() => places.push(SettingsOwner::Own(entity)),
            _ => (),
        }
    }
    places
}
