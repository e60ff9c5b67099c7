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
    let words = [
        ("world units", "u"),
        ("body units", "b"),
        ("radians", "rad"),
        ("pixels", "px"),
        ("microseconds", "µs"),
        ("seconds", "s"),
        ("second", "s"),
    ];
    words.iter().fold(unit.replace(" per ", "/"), |text, (long, short)| text.replace(long, short))
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
