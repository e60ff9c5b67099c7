//! The command line; in a browser, the part of the address behind `#` in its place.

use std::{fs, path::PathBuf};

use bevy::prelude::*;
use bevy_pathfind::world::Grid;
#[cfg(not(target_arch = "wasm32"))]
use clap::{CommandFactory, error::ErrorKind};
use clap::{Parser, builder::PossibleValuesParser};

use crate::scenes::{SCENES, lab_map};
#[cfg(target_arch = "wasm32")]
use crate::web::page;

/// All flags. Invalid ones end the program with exit code 2 before a window opens.
#[derive(Parser, Resource, Debug, Clone)]
#[command(name = "sandbox", about = "A window to try bevy_pathfind in.", disable_version_flag = true)]
pub(crate) struct Flags {
    /// The scene to open
    #[arg(long, value_name = "NAME", default_value = SCENES[0].name, value_parser = scene_names())]
    pub scene: String,
    /// A map of the search lab by name, such as trap, or a MovingAI .map file to play on
    #[arg(long, value_name = "NAME|FILE")]
    map: Option<String>,
    /// The seed of the random numbers: it decides where agents start
    #[arg(long, value_name = "N", default_value_t = 7)]
    pub seed: u64,
    /// Leave with exit code 0 after this many frames
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub frames: Option<u32>,
    /// Save a picture of the last frame (.png): every frame is one tick, so that the same frame is always the same
    #[arg(long, value_name = "FILE", requires = "frames")]
    pub screenshot: Option<PathBuf>,
    /// Save N pictures before that one too, one every four frames, numbered behind its name: an animation
    #[arg(long, value_name = "N", requires = "screenshot", default_value_t = 0)]
    pub film: u32,
    /// Write one line of JSON for every frame
    #[arg(long, value_name = "FILE")]
    pub telemetry: Option<PathBuf>,
    /// Show the cells that the last search opened and closed, from the start
    #[arg(long)]
    pub cells: bool,
    /// How many agents a scene of many begins with, as far as its slider goes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(4..=20_000))]
    pub agents: Option<u32>,
    /// No window: every frame is one tick, as fast as they go
    #[arg(long, requires = "frames", conflicts_with = "screenshot")]
    pub headless: bool,
    /// The folder of assets, where presets are found and saved, instead of the repository's own
    #[arg(long, value_name = "FOLDER")]
    pub assets: Option<PathBuf>,
    /// The size of the window
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = parse_size)]
    pub size: (u32, u32),
    /// The content of the file in `map`.
    #[arg(skip)]
    pub grid: Option<Grid>,
    /// The number of the search lab's map in `map`.
    #[arg(skip)]
    pub lab_map: Option<usize>,
}

/// The flags that a link to the page may have: `#scene=search&map=trap`.
#[cfg(target_arch = "wasm32")]
const LINKED: [&str; 5] = ["scene", "map", "seed", "agents", "cells"];

impl Flags {
    /// Reads the command line, and the files that it names.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn from_arguments() -> Self {
        let mut flags = Self::parse();
        if let Err(message) = flags.check_files() {
            Self::command().error(ErrorKind::ValueValidation, message).exit();
        }
        flags
    }

    /// Reads the flags of a link, each with its value, if it has one; or returns the fault of it.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn from_link(link: &[(String, String)]) -> Result<Self, String> {
        let mut arguments = vec!["sandbox".to_owned()];
        for (name, value) in link {
            if !LINKED.contains(&name.as_str()) {
                return Err(format!(
                    "A link to the sandbox has no `{name}`; there are {}.",
                    LINKED.join(", ")
                ));
            }
            arguments.push(if value.is_empty() { format!("--{name}") } else { format!("--{name}={value}") });
        }
        let mut flags = Self::try_parse_from(arguments).map_err(|error| error.to_string())?;
        flags.size = (page::width() as u32, page::height() as u32);
        flags.check_files()?;
        Ok(flags)
    }

    /// The number of agents of a scene: the requested one, limited to `most`, or else the scene's usual one.
    pub(crate) fn crowd(&self, usual: u32, most: u32) -> u32 {
        self.agents.map_or(usual, |agents| agents.min(most))
    }

    /// Whether every frame is exactly one tick, however long it takes.
    pub(crate) fn is_stepped(&self) -> bool {
        self.headless || self.screenshot.is_some()
    }

    /// The flags of a run without a window, for tests.
    #[cfg(test)]
    pub(crate) fn headless(scene: &str) -> Self {
        Self::parse_from(["sandbox", "--headless", "--frames=1000000", "--agents=120", "--scene", scene])
    }

    fn check_files(&mut self) -> Result<(), String> {
        self.lab_map = self.map.as_deref().and_then(lab_map);
        if let Some(path) = self.map.as_ref().filter(|_| self.lab_map.is_none()) {
            let text = fs::read_to_string(path).map_err(|e| {
                format!("{path} is no map of the search lab, and no file that can be read: {e}")
            })?;
            let grid = Grid::from_map(&text).map_err(|e| format!("{path}: {e}"))?;
            self.grid = Some(grid);
        }
        if let Some(path) = &self.assets {
            let whole = path.canonicalize().ok().filter(|path| path.is_dir());
            self.assets = Some(whole.ok_or_else(|| format!("{} is no folder", path.display()))?);
        }
        let is_png = |path: &&PathBuf| path.extension().is_some_and(|end| end.eq_ignore_ascii_case("png"));
        if let Some(path) = self.screenshot.as_ref().filter(|path| !is_png(path)) {
            return Err(format!("{} is not a .png", path.display()));
        }
        for path in self.telemetry.iter().chain(&self.screenshot) {
            fs::File::create(path).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        }
        Ok(())
    }
}

fn scene_names() -> PossibleValuesParser {
    PossibleValuesParser::new(SCENES.iter().map(|scene| scene.name))
}

fn parse_size(text: &str) -> Result<(u32, u32), String> {
    let (width, height) = text.split_once('x').ok_or("a size is written 1280x720")?;
    let side = |text: &str| {
        text.parse()
            .ok()
            .filter(|side| (100..=16_384).contains(side))
            .ok_or(format!("{text} is no side of a window"))
    };
    Ok((side(width)?, side(height)?))
}
