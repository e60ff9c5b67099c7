//! Checks of saved state as it is read: what the code never writes is an error, not a number to compute with.

use glam::{DVec3, Vec3};
use serde::de::{Deserialize, Deserializer, Error};

/// A value made of floating-point numbers.
pub(crate) trait Floats {
    /// Whether none of them is NaN or infinite.
    fn are_finite(&self) -> bool;
}

impl Floats for Vec3 {
    fn are_finite(&self) -> bool {
        self.is_finite()
    }
}

impl Floats for DVec3 {
    fn are_finite(&self) -> bool {
        self.is_finite()
    }
}

impl<T: Floats> Floats for Option<T> {
    fn are_finite(&self) -> bool {
        self.as_ref().is_none_or(T::are_finite)
    }
}

/// Reads a value whose numbers must be finite.
///
/// # Errors
/// If a number is NaN or infinite, or the value cannot be read.
pub(crate) fn finite<'de, T: Floats + Deserialize<'de>, D: Deserializer<'de>>(
    reader: D,
) -> Result<T, D::Error> {
    let value = T::deserialize(reader)?;
    if value.are_finite() { Ok(value) } else { Err(D::Error::custom("a number is NaN or infinite")) }
}

/// Reads a list that must not be empty.
///
/// # Errors
/// If the list is empty or cannot be read.
pub(crate) fn not_empty<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    reader: D,
) -> Result<Vec<T>, D::Error> {
    let list = Vec::deserialize(reader)?;
    if list.is_empty() { Err(D::Error::custom("a list is empty")) } else { Ok(list) }
}

/// Numbers that may be infinite. JSON has no infinite numbers, so in formats for people infinity is the text `inf`.
pub(crate) mod infinite {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// A number as it is saved. A text comes first: a missing number is one of the numbers.
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "a number or `inf`")]
    enum Saved<T> {
        Infinite(Infinity),
        Number(T),
    }

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Infinity {
        Inf,
    }

    /// Writes a number, or an optional one.
    ///
    /// # Errors
    /// Those of the writer.
    pub(crate) fn serialize<T: Copy + Into<Option<f32>> + Serialize, S: Serializer>(
        value: &T,
        writer: S,
    ) -> Result<S::Ok, S::Error> {
        let is_infinite = (*value).into() == Some(f32::INFINITY) && writer.is_human_readable();
        if is_infinite { Infinity::Inf.serialize(writer) } else { value.serialize(writer) }
    }

    /// Reads what [`serialize`] writes.
    ///
    /// # Errors
    /// If it is no number.
    pub(crate) fn deserialize<'de, T: From<f32> + Deserialize<'de>, D: Deserializer<'de>>(
        reader: D,
    ) -> Result<T, D::Error> {
        if !reader.is_human_readable() {
            return T::deserialize(reader);
        }
        Ok(match Saved::deserialize(reader)? {
            Saved::Infinite(Infinity::Inf) => f32::INFINITY.into(),
            Saved::Number(number) => number,
        })
    }
}
