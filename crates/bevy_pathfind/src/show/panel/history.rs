//! Undo and redo of changes made in the panel.

use core::any::TypeId;
use std::sync::Arc;

use bevy::asset::AssetId;
use bevy::ecs::component::Mutable;
use bevy::prelude::*;
use bevy::reflect::{PartialReflect, ReflectPath};

use crate::presets::{Preset, PresetComponent, PresetOf, set_value};

/// The most changes that can be undone.
const MAX_CHANGES: usize = 200;

/// Passes the reflected value of a target to a closure, if the target exists.
type Reach = fn(&mut World, Key, &mut dyn FnMut(&mut dyn PartialReflect));

/// A component, resource or preset whose reflected values can be edited.
#[derive(Clone, Copy)]
pub(super) struct EditTarget {
    key: Key,
    kind: TypeId,
    reach: Reach,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    Component(Entity),
    Resource,
    Preset(bevy::asset::UntypedAssetId),
}

impl EditTarget {
    /// A component of an entity.
    pub(super) fn component<C: Component<Mutability = Mutable> + Reflect>(entity: Entity) -> Self {
        Self {
            key: Key::Component(entity),
            kind: TypeId::of::<C>(),
            reach: |world, key, visit| {
                if let Key::Component(entity) = key
                    && let Some(mut component) = world.get_mut::<C>(entity)
                {
                    visit(component.as_partial_reflect_mut());
                }
            },
        }
    }

    /// A resource.
    pub(super) fn resource<R: Resource<Mutability = Mutable> + Reflect>() -> Self {
        Self {
            key: Key::Resource,
            kind: TypeId::of::<R>(),
            reach: |world, _, visit| {
                if let Some(mut resource) = world.get_resource_mut::<R>() {
                    visit(resource.as_partial_reflect_mut());
                }
            },
        }
    }

    /// The values of a preset.
    pub(super) fn preset<T: PresetComponent>(id: AssetId<Preset<T>>) -> Self {
        Self {
            key: Key::Preset(id.untyped()),
            kind: TypeId::of::<T>(),
            reach: |world, key, visit| {
                if let Key::Preset(id) = key
                    && let Ok(id) = id.try_typed::<Preset<T>>()
                    && let Some(mut preset) = world.resource_mut::<Assets<Preset<T>>>().get_mut(id)
                {
                    visit(preset.values.as_partial_reflect_mut());
                }
            },
        }
    }

    fn is(&self, other: &Self) -> bool {
        self.key == other.key && self.kind == other.kind
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
                    part.reflect_clone().map_or_else(|_| part.to_dynamic(), |was| was.into_partial_reflect());
                if set_value(part, value).is_ok() {
                    before = Some(was);
                }
            }
        });
        before
    }
}

/// An action with its inverse: `true` does it, `false` undoes it.
pub(super) type Command = Arc<dyn Fn(&mut World, bool) + Send + Sync>;

enum Step {
    Value {
        edit_target: EditTarget,
        path: String,
        before: Box<dyn PartialReflect>,
        after: Box<dyn PartialReflect>,
    },
    Command(Command),
}

impl Step {
    fn run(&self, world: &mut World, forward: bool) {
        match self {
            Self::Value { edit_target, path, before, after } => {
                edit_target.put(world, path, if forward { &**after } else { &**before });
            }
            Self::Command(command) => command(world, forward),
        }
    }
}

/// Steps that are done and undone together, and their name.
struct Change {
    what: String,
    steps: Vec<Step>,
}

/// The changes that can be undone, and those that can be redone.
#[derive(Default)]
pub(super) struct History {
    done: Vec<Change>,
    undone: Vec<Change>,
    open: Option<Change>,
    /// Whether further changes of the same values are merged with the last one, as while a slider is dragged.
    held: bool,
    /// The number of changes so far, including undo and redo: caches that depend on the values compare it.
    pub(super) changes: u64,
}

impl History {
    /// Begins a change; `what` is its name on the undo and redo buttons.
    pub(super) fn begin(&mut self, what: impl Into<String>) {
        self.open = Some(Change { what: what.into(), steps: Vec::new() });
    }

    /// Sets a value, as a step of the open change.
    pub(super) fn put(
        &mut self,
        world: &mut World,
        edit_target: EditTarget,
        path: &str,
        value: &dyn PartialReflect,
    ) {
        let Some(before) = edit_target.put(world, path, value) else { return };
        self.changes += 1;
        let step = Step::Value { edit_target, path: path.to_owned(), before, after: value.to_dynamic() };
        if let Some(change) = &mut self.open {
            change.steps.push(step);
        }
    }

    /// Executes a command, as a step of the open change.
    pub(super) fn act(&mut self, world: &mut World, command: Command) {
        command(world, true);
        self.changes += 1;
        if let Some(change) = &mut self.open {
            change.steps.push(Step::Command(command));
        }
    }

    /// Ends the open change. It is merged with the last one while the pointer is held, if it continues that one.
    pub(super) fn end(&mut self) {
        let Some(change) = self.open.take().filter(|change| !change.steps.is_empty()) else { return };
        self.undone.clear();
        if let Some(last) = self.done.last_mut().filter(|_| self.held)
            && let Some(merged) = continued_steps(last, &change)
        {
            for (at, step) in merged.into_iter().zip(change.steps) {
                if let (Step::Value { after, .. }, Step::Value { after: newer, .. }) =
                    (&mut last.steps[at], step)
                {
                    *after = newer;
                }
            }
            return;
        }
        self.done.push(change);
        if self.done.len() > MAX_CHANGES {
            self.done.remove(0);
        }
        self.held = true;
    }

    /// Sets whether the pointer is held down: changes made meanwhile are merged.
    pub(super) fn hold(&mut self, held: bool) {
        self.held &= held;
    }

    /// The name of the change that *undo* reverts.
    pub(super) fn last(&self) -> Option<&str> {
        self.done.last().map(|change| change.what.as_str())
    }

    /// The name of the change that *redo* repeats.
    pub(super) fn next(&self) -> Option<&str> {
        self.undone.last().map(|change| change.what.as_str())
    }

    pub(super) fn undo(&mut self, world: &mut World) {
        if let Some(change) = self.done.pop() {
            change.steps.iter().rev().for_each(|step| step.run(world, false));
            self.undone.push(change);
            self.held = false;
            self.changes += 1;
        }
    }

    pub(super) fn redo(&mut self, world: &mut World) {
        if let Some(change) = self.undone.pop() {
            change.steps.iter().for_each(|step| step.run(world, true));
            self.done.push(change);
            self.held = false;
            self.changes += 1;
        }
    }
}

/// For each step of a change, the index of the step of the last change that sets the same value; `None` if a step has
/// no such counterpart, so that the changes cannot be merged.
fn continued_steps(last: &Change, change: &Change) -> Option<Vec<usize>> {
    // The changes of one drag set the same values in the same order, so one pass finds all counterparts.
    let mut from = 0;
    change
        .steps
        .iter()
        .map(|step| {
            let Step::Value { edit_target, path, .. } = step else { return None };
            let is_same = |old: &Step| {
                matches!(old, Step::Value { edit_target: known, path: place, .. } if known.is(edit_target) && place == path)
            };
            let at = from + last.steps[from..].iter().position(is_same)?;
            from = at + 1;
            Some(at)
        })
        .collect()
}

/// The command that gives entities a preset, or removes it; undoing restores the preset and values that each entity
/// had.
pub(super) fn preset_command<T: PresetComponent>(
    world: &World,
    entities: &[Entity],
    after: &Option<PresetOf<T>>,
) -> Command {
    let before: Vec<_> = entities
        .iter()
        .map(|&entity| (entity, world.get::<PresetOf<T>>(entity).cloned(), world.get::<T>(entity).cloned()))
        .collect();
    let after = after.clone();
    Arc::new(move |world, forward| {
        for (entity, preset, values) in &before {
            let Ok(mut agent) = world.get_entity_mut(*entity) else { continue };
            match if forward { &after } else { preset } {
                Some(preset) => drop(agent.insert(preset.clone())),
                None => drop(agent.remove::<PresetOf<T>>()),
            }
            if let (false, Some(values)) = (forward, values) {
                agent.insert(values.clone());
            }
        }
    })
}
