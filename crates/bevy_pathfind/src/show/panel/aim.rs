//! Which entities an edit applies to, and where their values are stored.

use bevy::asset::AssetId;
use bevy::platform::collections::{HashMap, HashSet};
use bevy::prelude::*;
use bevy::reflect::PartialReflect;

use super::history::{EditTarget, History};
use super::state::NavPanel;
use crate::presets::{Preset, PresetComponent, PresetOf};
use crate::steer::{FlockMembers, FlockOf};

/// Which agents an edit applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Scope {
    /// The selected agents only; an edit gives them values of their own.
    Selected,
    /// All agents that follow the same preset as a selected agent.
    #[default]
    Preset,
    /// All agents in the flock of a selected agent.
    Flock,
    /// All agents. Every scope means this while no agent is selected.
    Everyone,
}

/// A place where values are stored.
pub(super) enum Place<T: PresetComponent> {
    /// In a preset whose followers are all affected by the edit.
    Preset(AssetId<Preset<T>>),
    /// In the component of an entity.
    Own(Entity),
}

impl<T: PresetComponent> Place<T> {
    /// The values in this place; `None` if the preset or the component is gone.
    pub(super) fn values<'w>(&self, world: &'w World) -> Option<&'w T> {
        match *self {
            Self::Preset(id) => Some(&world.resource::<Assets<Preset<T>>>().get(id)?.values),
            Self::Own(entity) => world.get::<T>(entity),
        }
    }

    /// Sets the value at a reflection path, as a step of the open change. An entity with a preset no longer follows
    /// it then.
    pub(super) fn put(
        &self,
        world: &mut World,
        history: &mut History,
        path: &str,
        value: &dyn PartialReflect,
    ) {
        match *self {
            Self::Preset(id) => history.put(world, EditTarget::preset::<T>(id), path, value),
            Self::Own(entity) => {
                if world.get::<PresetOf<T>>(entity).is_some_and(|preset| preset.follows) {
                    let preset = EditTarget::component::<PresetOf<T>>(entity);
                    history.put(world, preset, ".follows", &false);
                }
                history.put(world, EditTarget::component::<T>(entity), path, value);
            }
        }
    }
}

/// The entities that an edit applies to: those in scope that have a `T` or a preset of one, sorted by index.
pub(super) fn targets<T: PresetComponent>(world: &mut World, panel: &NavPanel) -> Vec<Entity> {
    let mut having = world.query_filtered::<Entity, Or<(With<T>, With<PresetOf<T>>)>>();
    let all: Vec<_> = having.iter(world).collect();
    let selected: HashSet<_> = panel.selected.iter().copied().collect();
    let mut found: Vec<_> = match panel.scope {
        _ if selected.is_empty() => all,
        Scope::Everyone => all,
        Scope::Selected => all.into_iter().filter(|entity| selected.contains(entity)).collect(),
        Scope::Preset => {
            let preset = |entity: Entity| {
                let preset = world.get::<PresetOf<T>>(entity)?;
                preset.follows.then(|| preset.handle.id())
            };
            let presets: HashSet<_> = selected.iter().filter_map(|&entity| preset(entity)).collect();
            let shares = |&entity: &Entity| {
                selected.contains(&entity) || preset(entity).is_some_and(|id| presets.contains(&id))
            };
            all.into_iter().filter(shares).collect()
        }
        Scope::Flock => {
            let flocks: HashSet<_> = selected.iter().filter_map(|&entity| flock_of(world, entity)).collect();
            let belongs = |&entity: &Entity| {
                selected.contains(&entity)
                    || flock_of(world, entity).is_some_and(|flock| flocks.contains(&flock))
            };
            all.into_iter().filter(belongs).collect()
        }
    };
    found.sort_unstable_by_key(|entity| entity.index_u32());
    found
}

/// The leader of the flock that an agent belongs to, or the agent itself if it leads one.
pub(super) fn flock_of(world: &World, entity: Entity) -> Option<Entity> {
    let leads = world.get::<FlockMembers>(entity).map(|_| entity);
    leads.or_else(|| world.get::<FlockOf>(entity).map(|flock| flock.0))
}

/// Where the values of the targets are stored: in a preset if all of its followers are among the targets, otherwise
/// in each target's component. Editing the latter gives the entity values of its own.
pub(super) fn places<T: PresetComponent>(
    world: &mut World,
    panel: &NavPanel,
    targets: &[Entity],
) -> Vec<Place<T>> {
    let whole = whole_presets::<T>(world, panel, targets);
    let mut done: HashSet<AssetId<Preset<T>>> = HashSet::default();
    let mut places = Vec::new();
    for &entity in targets {
        let preset = world.get::<PresetOf<T>>(entity).filter(|preset| preset.follows);
        match preset.map(|preset| preset.handle.id()) {
            Some(id) if whole.contains(&id) => places.extend(done.insert(id).then_some(Place::Preset(id))),
            _ if world.get::<T>(entity).is_some() => places.push(Place::Own(entity)),
            _ => (),
        }
    }
    places
}

/// The presets whose followers are all among the targets; none if the scope is [`Scope::Selected`] and agents are
/// selected.
fn whole_presets<T: PresetComponent>(
    world: &mut World,
    panel: &NavPanel,
    targets: &[Entity],
) -> HashSet<AssetId<Preset<T>>> {
    let alone = panel.scope == Scope::Selected && !panel.selected.is_empty();
    let mut following = world.query::<(Entity, &PresetOf<T>)>();
    let mut followers: HashMap<AssetId<Preset<T>>, Vec<Entity>> = HashMap::default();
    if alone || following.iter(world).next().is_none() {
        return HashSet::default();
    }
    for (entity, preset) in following.iter(world).filter(|(_, preset)| preset.follows) {
        followers.entry(preset.handle.id()).or_default().push(entity);
    }
    let reached: HashSet<_> = targets.iter().copied().collect();
    let presets = world.resource::<Assets<Preset<T>>>();
    let is_whole = |(id, followers): (AssetId<Preset<T>>, Vec<Entity>)| {
        (presets.contains(id) && followers.iter().all(|entity| reached.contains(entity))).then_some(id)
    };
    followers.into_iter().filter_map(is_whole).collect()
}
