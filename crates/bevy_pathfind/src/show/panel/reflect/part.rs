//! The parts of a reflected value: fields and elements.

use bevy::reflect::attributes::CustomAttributes;
use bevy::reflect::enums::VariantInfo;
use bevy::reflect::{NamedField, PartialReflect, ReflectPath, ReflectRef, TypeInfo, UnnamedField};

pub(in super::super) struct Part {
    pub(in super::super) name: Option<&'static str>,
    /// The reflection path within the value: `.speed`, `.0` or `[3]`.
    pub(super) place: String,
    pub(super) docs: Option<&'static str>,
    pub(in super::super) attributes: Option<&'static CustomAttributes>,
}

impl Part {
    fn named(field: &'static NamedField) -> Self {
        let (docs, attributes) = (field.docs(), Some(field.custom_attributes()));
        Self { name: Some(field.name()), place: format!(".{}", field.name()), docs, attributes }
    }

    fn unnamed(field: &'static UnnamedField) -> Self {
        let (docs, attributes) = (field.docs(), Some(field.custom_attributes()));
        Self { name: None, place: format!(".{}", field.index()), docs, attributes }
    }

    fn element(index: usize) -> Self {
        Self { name: None, place: format!("[{index}]"), docs: None, attributes: None }
    }

    /// The part of a value that has it.
    pub(in super::super) fn of<'v>(&self, value: &'v dyn PartialReflect) -> Option<&'v dyn PartialReflect> {
        self.place.as_str().reflect_element(value).ok()
    }
}

/// The parts of a value: the fields of a struct or of an enum's variant, or the elements of a list.
pub(in super::super) fn parts(value: &dyn PartialReflect) -> Vec<Part> {
    match (value.get_represented_type_info(), value.reflect_ref()) {
        (Some(TypeInfo::Struct(info)), _) => info.iter().map(Part::named).collect(),
        (Some(TypeInfo::TupleStruct(info)), _) => info.iter().map(Part::unnamed).collect(),
        (Some(TypeInfo::Enum(info)), ReflectRef::Enum(value)) => match info.variant(value.variant_name()) {
            Some(VariantInfo::Struct(info)) => info.iter().map(Part::named).collect(),
            Some(VariantInfo::Tuple(info)) => info.iter().map(Part::unnamed).collect(),
            _ => Vec::new(),
        },
        (_, ReflectRef::List(list)) => (0..list.len()).map(Part::element).collect(),
        _ => Vec::new(),
    }
}
