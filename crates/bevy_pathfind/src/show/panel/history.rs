//! Undo and redo of changes made in the panel.

use core::any::TypeId;
use std::sync::Arc;

use bevy::asset::{AssetId, UntypedAssetId};
use bevy::ecs::component::Mutable;
use bevy::prelude::*;
use bevy::reflect::{PartialReflect, ReflectPath};

use crate::bevy_version::to_dynamic;
use crate::presets::{Preset, PresetComponent, PresetOf, set_value};

/// The most changes that can be undone.
const MAX_CHANGES: usize = 200;

/// Passes the reflected value of a target to a closure, if the target exists.
type Reach = fn(&mut World, ValueKey, &mut dyn FnMut(&mut dyn PartialReflect));

/// A component, resource or preset whose reflected values can be edited.
#[derive(Clone, Copy)]
pub(super) struct EditTarget {
    key: ValueKey,
    reach: Reach,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ValueKey {
    Component(TypeId, Entity),
    Preset(UntypedAssetId),
}

impl EditTarget {
    pub(super) fn component<C: Component<Mutability = Mutable> + Reflect>(entity: Entity) -> Self {
        Self {
            key: ValueKey::Component(TypeId::of::<C>(), entity),
            reach: |world, key, visit| {
                if let ValueKey::Component(_, entity) = key
                    && let Some(mut component) = world.get_mut::<C>(entity)
                {
                    visit(component.as_partial_reflect_mut());
                }
            },
        }
    }

    /// A resource, which is a component of an entity of its own.
    pub(super) fn resource<R: Resource<Mutability = Mutable> + Reflect>(world: &World) -> Option<Self> {
        let entity = world.resource_entities().get(world.component_id::<R>()?)?;
        Some(Self::component::<R>(entity))
    }

    pub(super) fn preset<T: PresetComponent>(id: AssetId<Preset<T>>) -> Self {
        Self {
            key: ValueKey::Preset(id.untyped()),
            reach: |world, key, visit| {
                if let ValueKey::Preset(id) = key
                    && let Ok(id) = id.try_typed::<Preset<T>>()
                    && let Some(mut preset) = world.resource_mut::<Assets<Preset<T>>>().get_mut(id)
                {
                    visit(preset.values.as_partial_reflect_mut());
                }
            },
        }
    }

    /// Sets the value at a reflection path; returns the previous value, or `None` if nothing was set.
    fn put(
        &self,
        world: &mut World,
        path: &str,
        value: &dyn PartialReflect,
    ) -> Option<Box<dyn PartialReflect>> {
        let mut before = None;
        (self.reach)(world, self.key, &mut |whole| {
            if let Ok(part) = path.reflect_element_mut(whole) {
                let was =
                    part.reflect_clone().map_or_else(|_| to_dynamic(part), |was| was.into_partial_reflect());
                if set_value(part, value).is_ok() {
                    before = Some(was);
                }
            }
        });
        before
    }
}

type Act = Box<dyn Fn(&mut World) + Send + Sync>;

struct UndoStep {
    /// What it sets, if that is a single value: its target and reflection path.
    sets: Option<(ValueKey, Arc<str>)>,
    undo: Act,
    redo: Act,
}

/// Steps that are done and undone together, and their name.
pub(super) struct Change {
    what: String,
    steps: Vec<UndoStep>,
}

impl Change {
    /// Sets a value, as a step.
    pub(super) fn put(
        &mut self,
        world: &mut World,
        edit_target: EditTarget,
        path: &str,
        value: &dyn PartialReflect,
    ) {
        let Some(before) = edit_target.put(world, path, value) else { return };
        let (place, after) = (Arc::<str>::from(path), to_dynamic(value));
        let (sets, path) = (Some((edit_target.key, place.clone())), place.clone());
        self.steps.push(UndoStep {
            sets,
            undo: Box::new(move |world| _ = edit_target.put(world, &path, &*before)),
            redo: Box::new(move |world| _ = edit_target.put(world, &place, &*after)),
        });
    }

    /// Gives entities a preset, or removes it, as a step; undoing restores the preset and values that each entity had.
    pub(super) fn put_preset<T: PresetComponent>(
        &mut self,
        world: &mut World,
        entities: &[Entity],
        preset: Option<PresetOf<T>>,
    ) {
        let had = |&entity: &Entity| {
            (entity, world.get::<PresetOf<T>>(entity).cloned(), world.get::<T>(entity).cloned())
        };
        let before: Vec<_> = entities.iter().map(had).collect();
        let entities = entities.to_vec();
        let redo = move |world: &mut World| {
            entities.iter().for_each(|&entity| set_preset(world, entity, &preset));
        };
        redo(world);
        let undo = move |world: &mut World| {
            for (entity, preset, values) in &before {
                set_preset(world, *entity, preset);
                if let (Some(values), Ok(mut agent)) = (values, world.get_entity_mut(*entity)) {
                    agent.insert(values.clone());
                }
            }
        };
        self.steps.push(UndoStep { sets: None, undo: Box::new(undo), redo: Box::new(redo) });
    }

    /// Adds steps. One that sets the same value as an earlier step replaces what that one has set.
    fn continue_with(&mut self, steps: Vec<UndoStep>) {
        // The changes of one drag set the same values in the same order, so one pass finds all counterparts.
        let mut from = 0;
        for step in steps {
            let is_same = |old: &UndoStep| step.sets.is_some() && old.sets == step.sets;
            match self.steps[from..].iter().position(is_same) {
                Some(at) => {
                    from += at + 1;
                    self.steps[from - 1].redo = step.redo;
                }
                None => self.steps.push(step),
            }
        }
    }
}

fn set_preset<T: PresetComponent>(world: &mut World, entity: Entity, preset: &Option<PresetOf<T>>) {
    let Ok(mut agent) = world.get_entity_mut(entity) else { return };
    match preset {
        Some(preset) => drop(agent.insert(preset.clone())),
        None => drop(agent.remove::<PresetOf<T>>()),
    }
}

/// The changes that can be undone, and those that can be redone.
#[derive(Resource, Default)]
pub(super) struct History {
    done: Vec<Change>,
    undone: Vec<Change>,
    /// Whether further changes of the same values are merged with the last one, as while a slider is dragged.
    held: bool,
    /// The number of changes so far, including undo and redo: caches that depend on the values compare it.
    pub(super) changes: u64,
}

/// Makes a change; `what` is its name on the undo and redo buttons. While the pointer is held it is merged with the last
/// one, if that has the same name.
pub(super) fn change(world: &mut World, what: impl Into<String>, make: impl FnOnce(&mut World, &mut Change)) {
    let mut change = Change { what: what.into(), steps: Vec::new() };
    make(world, &mut change);
    if change.steps.is_empty() {
        return;
    }
    let mut history = world.resource_mut::<History>();
    let History { done, undone, held, changes } = &mut *history;
    undone.clear();
    match done.last_mut() {
        Some(last) if *held && last.what == change.what => last.continue_with(change.steps),
        _ => done.push(change),
    }
    if done.len() > MAX_CHANGES {
        done.remove(0);
    }
    *held = true;
    *changes += 1;
}

impl History {
    /// Sets whether the pointer is held down: changes made meanwhile are merged.
    pub(super) fn hold(&mut self, held: bool) {
        self.held &= held;
    }

    /// The names of the changes that *undo* reverts and *redo* repeats.
    pub(super) fn names(&self) -> [Option<String>; 2] {
        [&self.done, &self.undone].map(|changes| changes.last().map(|change| change.what.clone()))
    }

    pub(super) fn undo(world: &mut World) {
        let Some(change) = world.resource_mut::<Self>().done.pop() else { return };
        change.steps.iter().rev().for_each(|step| (step.undo)(world));
        let mut history = world.resource_mut::<Self>();
        history.undone.push(change);
        (history.held, history.changes) = (false, history.changes + 1);
    }

    pub(super) fn redo(world: &mut World) {
        let Some(change) = world.resource_mut::<Self>().undone.pop() else { return };
        change.steps.iter().for_each(|step| (step.redo)(world));
        let mut history = world.resource_mut::<Self>();
        history.done.push(change);
        (history.held, history.changes) = (false, history.changes + 1);
    }
}
