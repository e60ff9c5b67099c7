//! Presets as RON text, read and written by serde. Files are read and written elsewhere.

use ron::extensions::Extensions;
use ron::ser::PrettyConfig;
use thiserror::Error;

use super::component::{PresetComponent, copy_settings, info_of, is_same, is_setting};
use crate::attributes::MeasuredIn;

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
/// If a field cannot be serialized.
pub fn to_ron<T: PresetComponent>(values: &T) -> Result<String, ron::Error> {
    let mut text = format!("// {}: what is left out has its default.\n", T::TITLE);
    // In this layout each field has a line of its own.
    for line in ron::ser::to_string_pretty(values, PrettyConfig::new().depth_limit(1))?.lines() {
        let field = line.split_once(':').and_then(|(name, _)| info_of::<T>().field(name.trim()));
        if field.is_some_and(|field| !is_setting(field)) {
            continue;
        }
        text += line;
        if let Some(MeasuredIn(unit)) = field.and_then(|field| field.get_attribute()) {
            text += &format!(" // {unit}");
        }
        text.push('\n');
    }
    Ok(text)
}

/// The settings in a text; fields that the text does not name have their defaults.
///
/// # Errors
/// A [`PresetTextError`] for text that is not RON, an unknown field, a value of the wrong type, or a field that is not
/// a setting, such as a target.
pub fn from_ron<T: PresetComponent>(text: &str) -> Result<T, PresetTextError> {
    // A number is also read where it may be left out.
    let options = ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
    let read: T = options.from_str(text).map_err(|error| PresetTextError {
        line: error.span.start.line,
        column: error.span.start.col,
        message: error.code.to_string(),
    })?;
    let mut settings = T::default();
    copy_settings(&read, &mut settings);
    if is_same(&read, &settings) {
        Ok(settings)
    } else {
        let message = format!("a preset of {} cannot name an entity or a target", T::TITLE);
        Err(PresetTextError { line: 1, column: 1, message })
    }
}

#[cfg(test)]
mod tests {
    use bevy::prelude::*;
    use serde::{Deserialize, Serialize};

    use super::*;
    use crate::agent::{Agent, AgentFacing};
    use crate::steer::{Avoider, Flock, Fugitive, Pursuer};

    fn survives<T: PresetComponent>(values: &T) {
        let text = to_ron(values).expect("settings can be written");
        let back: T = from_ron(&text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
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
        let agent: Agent = from_ron("(speed: 9.5)").expect("sound");
        assert_eq!(agent, Agent { speed: 9.5, ..Agent::default() });
        let named: Agent = from_ron("Agent(speed: 9.5)").expect("the name may be written");
        assert_eq!(named, agent);
    }

    #[test]
    fn the_tutorials_names_of_parameters_are_understood() {
        let flock: Flock = from_ron("(gravity: 2.5, avoidanceRadius: 9.0, randomFreq: 3.0)").expect("sound");
        assert_eq!((flock.cohesion_force, flock.separation_radius, flock.noise_frequency), (2.5, 9.0, 3.0));
        for (alias, field) in [
            ("minSpeed", "min_speed"),
            ("turnSpeed", "turn_speed"),
            ("randomFreq", "noise_frequency"),
            ("randomForce", "noise_force"),
            ("toOriginForce", "leader_force"),
            ("toOriginRange", "leader_range"),
            ("gravity", "cohesion_force"),
            ("avoidanceRadius", "separation_radius"),
            ("avoidanceForce", "separation_force"),
            ("followVelocity", "alignment_force"),
            ("followRadius", "alignment_radius"),
        ] {
            let [one, other] = [alias, field].map(|name| from_ron::<Flock>(&format!("({name}: 0.125)")));
            assert_eq!(one, other, "{alias} means {field}");
        }
    }

    #[test]
    fn errors_name_line_and_column() {
        let wrong = |text: &str| from_ron::<Agent>(text).expect_err("it is broken");
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
        assert!(from_ron::<Pursuer>("(target: 3)").is_err(), "a target is not read from a file");
        let deer = Fugitive::from_threats([Vec3::X], 3.0);
        let text = to_ron(&deer).expect("it is plain data");
        assert_eq!(from_ron::<Fugitive>(&text), Ok(Fugitive { threats: Vec::new(), ..deer }), "{text}");
        assert!(from_ron::<Fugitive>("(threats: [Point((1.0, 0.0, 0.0))])").is_err());
    }

    #[test]
    fn a_list_is_replaced_and_its_elements_need_all_fields() {
        #[derive(Reflect, Clone, Debug, PartialEq, Serialize, Deserialize)]
        struct Stop {
            at: f32,
            rest: f32,
        }
        #[derive(Reflect, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        struct Return {
            by: Option<Vec<Stop>>,
        }
        #[derive(Component, Reflect, Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(default)]
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
        let tour: Tour = from_ron("(stops: [(at: 5.0, rest: 6.0)])").expect("it is whole");
        assert_eq!(tour, Tour { stops: vec![Stop { at: 5.0, rest: 6.0 }], ..Tour::default() });
        let back = from_ron::<Tour>("(back: (by: Some([(at: 5.0, rest: 6.0)])))").expect("it is whole").back;
        assert_eq!(back.by, Some(tour.stops));
        let error = from_ron::<Tour>("(back: (by: Some([(at: 5.0)])))").expect_err("`rest` is missing");
        assert!(error.message.contains("rest"), "{error}");
        let error = from_ron::<Tour>("(stops: [\n(at: 5.0)])").expect_err("`rest` is missing");
        assert!(error.line == 2 && error.message.contains("rest"), "{error}");
    }

    #[test]
    fn units_stand_behind_their_numbers() {
        let text = to_ron(&Agent::default()).expect("settings can be written");
        let line = text.lines().find(|line| line.contains("radius")).expect("every setting has a line");
        assert!(line.ends_with("// world units"), "{line}");
    }
}
