//! The presets of `assets/presets`, for a browser, where there is no folder to read.

/// Pairs of name and content for names of files.
macro_rules! shipped {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../assets/presets/", $name)))),*]
    };
}

/// The files of the folder: name and content, sorted by name.
pub(crate) const PRESETS: &[(&str, &str)] = shipped![
    "default.agent.ron",
    "default.avoid.ron",
    "default.behavior.ron",
    "default.flock.ron",
    "default.leader.ron",
    "default.pursuit.ron",
    "default.separation.ron",
    "reynolds.flock.ron",
    "seagull.flock.ron",
    "unity_flock.flock.ron",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_of_the_folder_is_shipped() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/presets");
        let entries = std::fs::read_dir(folder).expect("the folder is part of the repository");
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        assert_eq!(names, PRESETS.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    }
}
