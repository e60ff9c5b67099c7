//! The command-line options.

use std::path::{Path, PathBuf};

use clap::Parser;

use crate::board::Question;
use crate::entrant::Entry;
use crate::entrants::{self, YARDSTICK};

/// Compares the searches of this project with textbook searches and other crates.
#[derive(Parser)]
pub(crate) struct Options {
    /// The question that all entrants answer.
    #[arg(long, value_enum, default_value = "plain")]
    pub(crate) question: Question,
    /// Take only every N-th problem.
    #[arg(long, default_value_t = 1)]
    pub(crate) every: usize,
    /// Time each query this many times, and keep the minimum.
    #[arg(long, default_value_t = 1)]
    pub(crate) repeat: u32,
    /// Run only these entrants, and the textbook A*: names separated by commas.
    #[arg(long, value_delimiter = ',')]
    algorithms: Vec<String>,
    /// Print one JSON object per line.
    #[arg(long)]
    pub(crate) json: bool,
    /// Scenario files, each beside its map. Default: those of `assets/maps`.
    scenarios: Vec<PathBuf>,
}

impl Options {
    /// The chosen entrants.
    pub(crate) fn entries(&self) -> Result<Vec<Entry>, String> {
        let mut entries = entrants::all();
        let known: Vec<&str> = entries.iter().map(|entry| entry.name).collect();
        if let Some(name) = self.algorithms.iter().find(|name| !known.contains(&name.as_str())) {
            return Err(format!("no such algorithm: {name}; known are {}", known.join(", ")));
        }
        let is_asked = |name: &str| self.algorithms.iter().any(|asked| asked == name);
        if !self.algorithms.is_empty() {
            entries.retain(|entry| entry.name == YARDSTICK || is_asked(entry.name));
        }
        entries.retain(|entry| entry.answers.contains(&self.question));
        Ok(entries)
    }

    /// The scenario files.
    pub(crate) fn scenarios(&self) -> Result<Vec<PathBuf>, String> {
        if !self.scenarios.is_empty() {
            return Ok(self.scenarios.clone());
        }
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../assets/maps");
        let files = folder.read_dir().map_err(|error| format!("{}: {error}", folder.display()))?;
        let mut files: Vec<PathBuf> = files
            .filter_map(|file| Some(file.ok()?.path()))
            .filter(|file| file.extension().is_some_and(|extension| extension == "scen"))
            .collect();
        files.sort();
        Ok(files)
    }
}
