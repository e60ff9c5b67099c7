//! The components that can be stored as presets, and access to their settings by reflection.

use core::any::TypeId;
use core::fmt::Debug;

use bevy::ecs::component::Mutable;
use bevy::prelude::*;
use bevy::reflect::structs::{Struct, StructInfo};
use bevy::reflect::{ApplyError, GetTypeRegistration, NamedField, ReflectMut, Typed};
use serde::{Serialize, de::DeserializeOwned};

use crate::agent::Agent;
use crate::steer::{Avoider, Behavior, BehaviorTarget, Flock, FlockLeader, Fugitive, Pursuer, Separation};

/// A component whose settings can be stored in files: a struct with named fields. Fields that name an entity, such
/// as a pursuer's target, are not settings (see [`is_setting`]). The attributes of serde tell how files are read:
/// `default` lets a file leave out fields, `deny_unknown_fields` makes a misspelt one an error, `alias` gives a field
/// another name.
pub trait PresetComponent:
    Component<Mutability = Mutable>
    + Reflect
    + Typed
    + TypePath
    + GetTypeRegistration
    + Clone
    + Debug
    + Default
    + Serialize
    + DeserializeOwned
{
    /// The extension of the files, without the leading dot: `"flock.ron"`.
    const EXTENSION: &'static str;
    /// The name of the component in the panel.
    const TITLE: &'static str;
}

/// Makes each component of a list one of presets, with the extension of its files and its title.
macro_rules! preset_components {
    ($($component:ty: $extension:literal, $title:literal;)*) => {
        $(impl PresetComponent for $component {
            const EXTENSION: &'static str = $extension;
            const TITLE: &'static str = $title;
        })*
    };
}

preset_components! {
    Agent: "agent.ron", "Agent";
    Flock: "flock.ron", "Flock";
    Avoider: "avoid.ron", "Avoider";
    Pursuer: "pursuit.ron", "Pursuer";
    Fugitive: "flight.ron", "Fugitive";
    Separation: "separation.ron", "Separation";
    Behavior: "behavior.ron", "Behavior";
    FlockLeader: "leader.ron", "Flock leader";
}

/// Whether a field is a setting: every field is, except one that names an entity or several ([`Entity`],
/// `Option<Entity>`, [`BehaviorTarget`], `Vec<BehaviorTarget>`).
#[must_use]
pub fn is_setting(field: &NamedField) -> bool {
    let names = [TypeId::of::<Entity>(), TypeId::of::<Option<Entity>>()];
    let targets = [TypeId::of::<BehaviorTarget>(), TypeId::of::<Vec<BehaviorTarget>>()];
    !names.iter().chain(&targets).any(|&id| id == field.type_id())
}

/// Copies all settings of `from` to `to`; fields that are not settings keep their values.
pub fn copy_settings<T: PresetComponent>(from: &T, to: &mut T) {
    let ReflectMut::Struct(fields) = to.reflect_mut() else { return };
    for (index, value) in settings(fields_of(from)) {
        if let Some(field) = fields.field_at_mut(index) {
            set_value(field, value).expect("both structs have the same type");
        }
    }
}

/// Sets a part of a component to a value of its type.
///
/// # Errors
/// If the value has another type.
pub(crate) fn set_value(part: &mut dyn PartialReflect, value: &dyn PartialReflect) -> Result<(), ApplyError> {
    // A clone replaces the part. `try_apply`, for values that cannot be cloned, keeps what the value does not have, as
    // the end of a longer list.
    if let (Some(part), Ok(clone)) = (part.try_as_reflect_mut(), value.reflect_clone())
        && part.set(clone).is_ok()
    {
        return Ok(());
    }
    part.try_apply(value)
}

/// Whether any setting of two values differs.
#[must_use]
pub fn differ<T: PresetComponent>(one: &T, other: &T) -> bool {
    let other = fields_of(other);
    settings(fields_of(one))
        .any(|(index, value)| other.field_at(index).is_some_and(|field| !is_same(value, field)))
}

/// Whether two reflected values of one type are equal. Values that reflection cannot compare (some types of
/// `pathfind_core`), and NaN, count as equal if their `Debug` texts are.
#[must_use]
pub fn is_same(one: &dyn PartialReflect, other: &dyn PartialReflect) -> bool {
    one.reflect_partial_eq(other) == Some(true) || format!("{one:?}") == format!("{other:?}")
}

/// The settings of a struct, each with its field index.
pub(crate) fn settings(fields: &dyn Struct) -> impl Iterator<Item = (usize, &dyn PartialReflect)> {
    let info = fields.get_represented_struct_info();
    (0..fields.field_len())
        .filter(move |&index| info.and_then(|info| info.field_at(index)).is_some_and(is_setting))
        .filter_map(move |index| Some((index, fields.field_at(index)?)))
}

pub(crate) fn fields_of<T: PresetComponent>(value: &T) -> &dyn Struct {
    value.reflect_ref().as_struct().expect("a preset component is a struct with named fields")
}

pub(crate) fn info_of<T: PresetComponent>() -> &'static StructInfo {
    T::type_info().as_struct().expect("a preset component is a struct with named fields")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_of_every_type_of_field_are_found() {
        let agent = Agent::default();
        let kind = Agent { kind: pathfind_core::KindId(3), ..agent };
        assert!(differ(&agent, &kind), "a type of the core");
        assert!(differ(&agent, &agent.with_facing(crate::agent::AgentFacing::Up)), "an enum");
        assert!(differ(&agent, &Agent { radius: f32::NAN, ..agent }), "a number");
        assert!(!differ(&kind, &kind.clone()), "a clone does not differ");
        let not_a_number = Agent { radius: f32::NAN, ..agent };
        assert!(!differ(&not_a_number, &not_a_number.clone()), "NaN equals NaN");
    }

    #[test]
    fn a_shorter_list_replaces_a_longer_one() {
        #[derive(Component, Reflect, Clone, Debug, Default, PartialEq, Serialize, serde::Deserialize)]
        struct Route {
            stops: Vec<Vec<f32>>,
        }
        impl PresetComponent for Route {
            const EXTENSION: &'static str = "route.ron";
            const TITLE: &'static str = "Route";
        }
        let (short, mut route) =
            (Route { stops: vec![vec![1.0]] }, Route { stops: vec![vec![3.0, 2.0], vec![]] });
        copy_settings(&short, &mut route);
        assert_eq!(route, short);
    }

    #[test]
    fn a_pursuers_target_is_no_setting() {
        let prey = Entity::from_raw_u32(7).expect("a sound index");
        let mut hunter = Pursuer::line_of_sight(prey);
        let preset = Pursuer { catch_radius: Some(3.0), ..Pursuer::default() };
        assert!(differ(&preset, &hunter), "the catch radius differs");
        copy_settings(&preset, &mut hunter);
        assert_eq!(hunter.target, prey, "the target is kept");
        assert_eq!(hunter.catch_radius, Some(3.0), "the setting is taken");
        assert!(!differ(&preset, &hunter), "another target alone is no difference");
    }
}
