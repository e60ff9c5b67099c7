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
