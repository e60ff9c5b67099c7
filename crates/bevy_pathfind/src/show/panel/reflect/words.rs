//! Text for people: labels from names, tooltips from doc comments, short units.

/// `turn_rate` → `Turn rate`, `OneFree` → `One free`.
pub(in super::super) fn label(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 4);
    let mut after_lower = false;
    for (index, letter) in name.chars().enumerate() {
        match letter {
            '_' => text.push(' '),
            _ if index == 0 => text.extend(letter.to_uppercase()),
            _ if letter.is_uppercase() && after_lower => {
                text.push(' ');
                text.extend(letter.to_lowercase());
            }
            _ => text.push(letter),
        }
        after_lower = letter.is_lowercase();
    }
    text
}

/// A doc comment as tooltip text: lines joined, paragraphs kept, without link brackets and backticks.
pub(in super::super) fn tidy_docs(docs: &str) -> String {
    let mut text = String::new();
    for line in docs.lines().map(str::trim) {
        let at_start = text.is_empty() || text.ends_with('\n');
        match line {
            "" if at_start => {}
            "" => text.push_str("\n\n"),
            _ => {
                if !at_start {
                    text.push(' ');
                }
                // Of a link only its words are kept.
                let mut parts = line.split("](");
                text.extend(parts.next().into_iter().flat_map(unmarked));
                for part in parts {
                    text.extend(unmarked(part.split_once(')').map_or(part, |(_, rest)| rest)));
                }
            }
        }
    }
    text.truncate(text.trim_end().len());
    text
}

/// A text without the marks of code and links.
fn unmarked(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|letter| !matches!(letter, '`' | '[' | ']'))
}

/// The short form of a unit, as suffix of a number. `u` is a world unit, `b` a body unit.
pub(super) fn short_unit(unit: &str) -> String {
    let unit = unit.trim_matches('`');
    let words = [
        ("world units", "u"),
        ("world unit", "u"),
        ("body units", "b"),
        ("radians", "rad"),
        ("degrees", "°"),
        ("pixels", "px"),
        ("microseconds", "µs"),
        ("milliseconds", "ms"),
        ("seconds", "s"),
        ("second", "s"),
        (" squared", "²"),
    ];
    words.iter().fold(unit.replace(" per ", "/"), |text, (long, short)| text.replace(long, short))
}

/// The word for 0, from documentation that contains `; 0 for` followed by at most 14 characters: `no limit`.
pub(super) fn zero_word(docs: &str) -> Option<&str> {
    let (_, rest) = docs.split_once("; 0 for ")?;
    rest.split(['.', ',', ';', ':']).next().filter(|word| word.len() <= 14)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_docs_read_as_text() {
        assert_eq!(label("turn_rate"), "Turn rate");
        assert_eq!(label("OneFree"), "One free");
        assert_eq!(label("AStar"), "AStar");
        assert_eq!(
            tidy_docs(" Speed of [`Boat`],\n in knots.\n\n Range: 0.\n"),
            "Speed of Boat, in knots.\n\nRange: 0."
        );
    }

    #[test]
    fn what_zero_stands_for_is_a_short_word() {
        assert_eq!(zero_word("The most cells; 0 for no limit. Unit: cells."), Some("no limit"));
        assert_eq!(zero_word("Searches at once; 0 for all, one a thread."), Some("all"));
        assert_eq!(
            zero_word("Width; 0 for the width that the agent has. Unit: cells."),
            None,
            "more than 14 characters"
        );
        assert_eq!(zero_word("Speed. Range: 0 to 5."), None);
    }

    #[test]
    fn units_are_short() {
        for (long, short) in [
            ("world units per second", "u/s"),
            ("world units per second²", "u/s²"),
            ("world units", "u"),
            ("radians per second", "rad/s"),
            ("seconds", "s"),
            ("cells", "cells"),
            ("pixels", "px"),
            ("1/s", "1/s"),
        ] {
            assert_eq!(short_unit(long), short);
        }
    }
}
