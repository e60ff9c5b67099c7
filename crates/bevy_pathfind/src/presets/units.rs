//! Units of fields, taken from their doc comments.

/// The unit of a field, from its doc comment: the text after `Unit:`, up to the next full stop, comma or semicolon.
///
/// ```
/// # use bevy_pathfind::presets::unit_of;
/// let docs = " How fast it goes. Unit: world units per\n second. Default: `5.0`.";
/// assert_eq!(unit_of(docs).as_deref(), Some("world units per second"));
/// assert_eq!(unit_of("Just a number."), None);
/// ```
#[must_use]
pub fn unit_of(docs: &str) -> Option<String> {
    let (_, rest) = docs.split_once("Unit:")?;
    let end = rest.find(['.', ';', ',']).unwrap_or(rest.len());
    // A unit may go on in the next line of the comment.
    let words: Vec<&str> = rest[..end].split_whitespace().collect();
    Some(words.join(" ")).filter(|unit| !unit.is_empty())
}
