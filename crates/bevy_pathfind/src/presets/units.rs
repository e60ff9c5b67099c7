//! Units, as the documentation of a field tells them.

/// The unit of a field, as its doc comment says it: what stands behind `Unit:`, up to the full stop.
///
/// ```
/// # use bevy_pathfind::presets::unit_of;
/// assert_eq!(unit_of(" How fast it goes. Unit: world units per second. Default: `5.0`."), Some("world units per second"));
/// assert_eq!(unit_of("Just a number."), None);
/// ```
#[must_use]
pub fn unit_of(docs: &str) -> Option<&str> {
    let (_, rest) = docs.split_once("Unit:")?;
    let end = rest.find(['.', ';', ',', '\n']).unwrap_or(rest.len());
    Some(rest[..end].trim()).filter(|unit| !unit.is_empty())
}
