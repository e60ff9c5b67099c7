//! Presets as RON text, read and written field by field through reflection. Files are read and written elsewhere.

use core::fmt;

use bevy::prelude::*;
use bevy::reflect::serde::{TypedReflectDeserializer, TypedReflectSerializer};
use bevy::reflect::structs::Struct;
use bevy::reflect::{ReflectFromReflect, ReflectKind, ReflectMut, ReflectRef, TypeRegistry};
use ron::extensions::Extensions;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use thiserror::Error;

use super::component::{PresetComponent, fields_of, info_of, is_setting, set_value, settings};
use super::units::unit_of;

/// An error in the text of a preset, with its position.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
#[error("line {line}, column {column}: {message}")]
pub struct PresetTextError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The reason.
    pub message: String,
}

/// The text of a preset: one line per field, followed by the field's unit as a comment.
///
/// # Errors
/// If a field's type is not registered, or cannot be serialized.
pub fn to_ron<T: PresetComponent>(values: &T, registry: &TypeRegistry) -> Result<String, ron::Error> {
    let mut text = format!("// {}: what is left out has its default.\n(\n", T::TITLE);
    for (index, value) in settings(fields_of(values)) {
        let field = info_of::<T>().field_at(index).expect("values have the fields of their type");
        let number = ron::to_string(&TypedReflectSerializer::new(value, registry))?;
        text += &format!("    {}: {number},", field.name());
        if let Some(unit) = field.docs().and_then(unit_of) {
            text += &format!(" // {unit}");
        }
        text.push('\n');
    }
    Ok(text + ")\n")
}

/// The settings in a text; fields that the text does not name have their defaults.
///
/// # Errors
/// A [`PresetTextError`] for text that is not RON, an unknown field, or a value of the wrong type.
pub fn from_ron<T: PresetComponent>(text: &str, registry: &TypeRegistry) -> Result<T, PresetTextError> {
    let mut values = T::default();
    let wrong = |error: ron::error::SpannedError| PresetTextError {
        line: error.span.start.line,
        column: error.span.start.col,
        message: error.code.to_string(),
    };
    // A number is also read where it may be left out.
    let options = ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
    let mut reader = ron::Deserializer::from_str_with_options(text, &options).map_err(wrong)?;
    let fields = Fields { values: &mut values, registry };
    fields
        .deserialize(&mut reader)
        .and_then(|()| reader.end())
        .map_err(|code| wrong(reader.span_error(code)))?;
    Ok(values)
}

/// Deserializes into the fields of an existing struct.
struct Fields<'a, T> {
    values: &'a mut T,
    registry: &'a TypeRegistry,
}

impl<'de, T: PresetComponent> DeserializeSeed<'de> for Fields<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        let info = info_of::<T>();
        reader.deserialize_struct(
            info.type_path_table().ident().unwrap_or_default(),
            info.field_names(),
            self,
        )
    }
}

impl<'de, T: PresetComponent> Visitor<'de> for Fields<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "the settings of {}, as `(field: value, …)`", T::TITLE)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let info = info_of::<T>();
        let ReflectMut::Struct(fields) = self.values.reflect_mut() else { return Ok(()) };
        while let Some(Name(name)) = map.next_key()? {
            let meant = T::ALIASES.iter().find(|&&(alias, _)| alias == name);
            let name = meant.map_or(name, |&(_, field)| field.to_owned());
            let Some(field) = info.field(&name).filter(|field| is_setting(field)) else {
                return Err(A::Error::custom(format!(
                    "unknown field `{name}`; {}",
                    suggestion(info.field_names(), &name)
                )));
            };
            let Some(registration) = self.registry.get(field.type_id()) else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let mut value =
                map.next_value_seed(TypedReflectDeserializer::new(registration, self.registry))?;
            if !has_whole_elements(&*value, self.registry) {
                return Err(A::Error::custom(format!("an element of `{name}` lacks a field")));
            }
            if value.reflect_kind() == ReflectKind::List
                && let Some(list) = whole(&*value, self.registry)
            {
                value = list.into_partial_reflect();
            }
            set_field(fields, &name, &*value).map_err(A::Error::custom)?;
        }
        Ok(())
    }
}

/// Whether the elements of all lists, maps and sets in a value have all of their fields. Reflection panics when it is
/// to put others into them.
fn has_whole_elements(value: &dyn PartialReflect, registry: &TypeRegistry) -> bool {
    let is_whole = |part: &dyn PartialReflect| has_whole_elements(part, registry);
    match value.reflect_ref() {
        ReflectRef::Struct(fields) => fields.iter_fields().all(|(_, field)| is_whole(field)),
        ReflectRef::TupleStruct(fields) => fields.iter_fields().all(is_whole),
        ReflectRef::Tuple(fields) => fields.iter_fields().all(is_whole),
        ReflectRef::Enum(variant) => variant.iter_fields().all(|field| is_whole(field.value())),
        ReflectRef::Array(elements) => elements.iter().all(is_whole),
        ReflectRef::List(_) | ReflectRef::Map(_) | ReflectRef::Set(_) => whole(value, registry).is_some(),
        _ => true,
    }
}

/// A value of the type that a deserialized one stands for; `None` if it lacks a field.
fn whole(value: &dyn PartialReflect, registry: &TypeRegistry) -> Option<Box<dyn Reflect>> {
    let registration = registry.get(value.get_represented_type_info()?.type_id())?;
    registration.data::<ReflectFromReflect>()?.from_reflect(value)
}

fn set_field(fields: &mut dyn Struct, name: &str, value: &dyn PartialReflect) -> Result<(), String> {
    let field = fields.field_mut(name).ok_or("the field is gone")?;
    set_value(field, value).map_err(|error| error.to_string())
}

/// The suggestion for an unknown field name: a field with the same first letter, if there is one, and all field
/// names.
fn suggestion(names: &[&str], name: &str) -> String {
    let start = name.chars().next();
    match names.iter().find(|known| known.chars().next() == start) {
        Some(near) => format!("did you mean `{near}`? There are {}", names.join(", ")),
        None => format!("there are {}", names.join(", ")),
    }
}

/// The name of a field.
struct Name(String);

impl<'de> serde::Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        struct NameVisitor;
        impl Visitor<'_> for NameVisitor {
            type Value = Name;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("the name of a field")
            }

            fn visit_str<E>(self, name: &str) -> Result<Name, E> {
                Ok(Name(name.to_owned()))
            }
        }
        reader.deserialize_identifier(NameVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::{Agent, AgentFacing};
    use crate::steer::{Avoider, Flock, Pursuer};

    fn registry() -> TypeRegistry {
        let mut registry = TypeRegistry::default();
        registry.register::<Agent>();
        registry.register::<Avoider>();
        registry.register::<Flock>();
        registry.register::<Pursuer>();
        registry
    }

    fn survives<T: PresetComponent>(values: &T) {
        let text = to_ron(values, &registry()).expect("settings can be written");
        let back: T = from_ron(&text, &registry()).unwrap_or_else(|error| panic!("{error} in\n{text}"));
        assert!(!super::super::differ(values, &back), "what is written is read again:\n{text}");
    }

    #[test]
    fn every_kind_survives_a_file() {
        survives(&Agent {
            speed: 3.25,
            facing: AgentFacing::Up,
            kind: pathfind_core::KindId(3),
            ..Agent::default()
        });
        survives(&Flock::default());
        survives(&Avoider::default());
        survives(&Pursuer { catch_radius: Some(0.1), ..Pursuer::default() });
    }

    #[test]
    fn what_is_left_out_has_its_default() {
        let agent: Agent = from_ron("(speed: 9.5)", &registry()).expect("sound");
        assert_eq!(agent, Agent { speed: 9.5, ..Agent::default() });
        let named: Agent = from_ron("Agent(speed: 9.5)", &registry()).expect("the name may be written");
        assert_eq!(named, agent);
    }

    #[test]
    fn the_tutorials_names_of_parameters_are_understood() {
        let flock: Flock =
            from_ron("(gravity: 2.5, avoidanceRadius: 9.0, randomFreq: 3.0)", &registry()).expect("sound");
        assert_eq!((flock.cohesion_force, flock.separation_radius, flock.noise_frequency), (2.5, 9.0, 3.0));
        let known: Vec<&str> = info_of::<Flock>().field_names().to_vec();
        for (alias, field) in Flock::ALIASES {
            assert!(known.contains(field), "{alias} means {field}, which is a field");
            assert!(!known.contains(alias), "{alias} is no field's own name");
        }
    }

    #[test]
    fn errors_name_line_and_column() {
        let wrong = |text: &str| from_ron::<Agent>(text, &registry()).expect_err("it is broken");
        let value = wrong("(\n    speed: fast,\n)\n");
        assert_eq!(
            (value.line, value.column),
            (2, 11),
            "a value of the wrong type, behind its colon: {value}"
        );
        let comma = wrong("(\n    speed: 1.0\n    radius: 2.0,\n)\n");
        assert_eq!(comma.line, 3, "a comma that is missing: {comma}");
        let field = wrong("(\n    spede: 1.0,\n)\n");
        assert_eq!(field.line, 2, "a field that does not exist: {field}");
        assert!(
            field.message.contains("`spede`") && field.message.contains("speed"),
            "both names are told: {field}"
        );
        let end = wrong("(speed: 1.0)\n)");
        assert_eq!((end.line, end.column), (1, 13), "more than a preset, behind its end: {end}");
        assert!(from_ron::<Pursuer>("(target: 3)", &registry()).is_err(), "a target is not read from a file");
    }

    #[test]
    fn a_list_is_replaced_and_its_elements_need_all_fields() {
        #[derive(Reflect, Clone, Debug, PartialEq)]
        struct Stop {
            at: f32,
            rest: f32,
        }
        #[derive(Reflect, Clone, Debug, Default, PartialEq)]
        struct Return {
            by: Option<Vec<Stop>>,
        }
        #[derive(Component, Reflect, Clone, Debug, PartialEq)]
        struct Tour {
            stops: Vec<Stop>,
            back: Return,
        }
        impl Default for Tour {
            fn default() -> Self {
                let stops = vec![Stop { at: 1.0, rest: 2.0 }, Stop { at: 3.0, rest: 4.0 }];
                Self { stops, back: Return::default() }
            }
        }
        impl PresetComponent for Tour {
            const EXTENSION: &'static str = "tour.ron";
            const TITLE: &'static str = "Tour";
        }
        let mut registry = registry();
        registry.register::<Tour>();
        let tour: Tour = from_ron("(stops: [(at: 5.0, rest: 6.0)])", &registry).expect("it is whole");
        assert_eq!(tour, Tour { stops: vec![Stop { at: 5.0, rest: 6.0 }], ..Tour::default() });
        let back = from_ron::<Tour>("(back: (by: Some([(at: 5.0, rest: 6.0)])))", &registry)
            .expect("it is whole")
            .back;
        assert_eq!(back.by, Some(tour.stops));
        let error =
            from_ron::<Tour>("(back: (by: Some([(at: 5.0)])))", &registry).expect_err("`rest` is missing");
        assert!(error.message.contains("back"), "{error}");
        let error = from_ron::<Tour>("(stops: [\n(at: 5.0)])", &registry).expect_err("`rest` is missing");
        assert!(error.line == 2 && error.message.contains("stops"), "{error}");
    }

    #[test]
    fn units_stand_behind_their_numbers() {
        let text = to_ron(&Agent::default(), &registry()).expect("settings can be written");
        let line = text.lines().find(|line| line.contains("radius")).expect("every setting has a line");
        assert!(line.ends_with("// world units"), "{line}");
    }
}
