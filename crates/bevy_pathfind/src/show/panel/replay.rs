//! Replay of an agent's last search, step by step, from the events of the core's search observer.

use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy_egui::egui;
use pathfind_core::{GridCell, Progress, Recording, Search, SearchEvent, SearchEventKind, SearchScratch};

use super::case::SearchCase;
use super::reflect::algorithm_label;
use super::widgets::{button, note};
use crate::order::{NavPath, PathRequest};

/// The most cells that are expanded for a replay.
const MAX_EXPANSIONS: u32 = 100_000;

/// A recorded search, and the step that is shown.
#[derive(Resource, Default)]
pub(super) struct Replay {
    agent: Option<Entity>,
    grid: Option<Entity>,
    start: GridCell,
    events: Vec<SearchEvent>,
    result: String,
    at: usize,
    is_playing: bool,
    /// StepRules per second.
    pace: f32,
    /// The fraction of a step that playing has left over, below 1.
    fraction: f32,
    /// The latest event of each cell, up to the step `marked`.
    marks: HashMap<GridCell, SearchEventKind>,
    marked: usize,
}

impl Replay {
    /// Repeats the agent's search and records it. The core is deterministic: the search is the same as long as the
    /// map is.
    fn of(world: &mut World, agent: Entity) -> Option<Self> {
        let (case, grid) = SearchCase::of(world, agent)?;
        let mut recording = Recording::default();
        let mut search =
            Search::new(case.grid.grid().clone(), case.question.clone(), SearchScratch::default());
        let progress = search.step_with(MAX_EXPANSIONS, &mut recording);
        let expanded = search.metrics().expanded;
        let result = match (progress, search.finish().0) {
            (Progress::Running, _) => format!("only the first {MAX_EXPANSIONS} cells are shown"),
            (_, Ok(answer)) => {
                let algorithm = algorithm_label(answer.algorithm);
                format!("{algorithm}: {expanded} cells expanded, cost {:.1}", answer.cost)
            }
            (_, Err(error)) => format!("{error}"),
        };
        let events = recording.events().to_vec();
        let (at, start) = (events.len(), case.question.start);
        let (agent, grid) = (Some(agent), Some(grid));
        Some(Self { agent, grid, start, events, result, at, pace: 60.0, ..Self::default() })
    }

    /// The grid, the state of each cell at the current step, and the newest event.
    pub(super) fn cells(
        &mut self,
    ) -> Option<(Entity, &HashMap<GridCell, SearchEventKind>, Option<&SearchEvent>)> {
        let grid = self.grid?;
        if self.at < self.marked {
            self.marks.clear();
            self.marked = 0;
        }
        for event in &self.events[self.marked..self.at] {
            if event.kind != SearchEventKind::Reparented {
                self.marks.insert(event.cell, event.kind);
            }
        }
        self.marked = self.at;
        Some((grid, &self.marks, self.at.checked_sub(1).and_then(|last| self.events.get(last))))
    }

    /// The current step as text.
    fn newest(&self) -> String {
        let Some(event) = self.at.checked_sub(1).and_then(|last| self.events.get(last)) else {
            return format!("starts at {}", self.start);
        };
        let verb = match event.kind {
            SearchEventKind::Opened => "opens",
            SearchEventKind::Reparented => "finds a better way to",
            SearchEventKind::Closed => "expands",
            _ => "visits",
        };
        format!("{verb} {}: g {:.1}, h {:.1}", event.cell, event.g, event.h)
    }
}

/// Advances a replay that is playing.
pub(super) fn play(mut replay: ResMut<Replay>, time: Res<Time<Real>>) {
    if !replay.is_playing {
        return;
    }
    replay.fraction += replay.pace * time.delta_secs();
    let steps = replay.fraction.floor();
    replay.fraction -= steps;
    replay.at = (replay.at + steps as usize).min(replay.events.len());
    replay.is_playing = replay.at < replay.events.len();
}

/// Draws the replay's controls.
pub(super) fn replay_ui(ui: &mut egui::Ui, world: &mut World, replay: &mut Replay, agent: Entity) {
    let is_open = replay.agent == Some(agent);
    let has_asked = world.get::<PathRequest>(agent).is_some() || world.get::<NavPath>(agent).is_some();
    if !is_open && !has_asked {
        return;
    }
    search_ui(ui, world, replay, agent, is_open);
    if replay.agent != Some(agent) {
        return;
    }
    play_ui(ui, replay);
    // A slider over all steps.
    ui.spacing_mut().slider_width = (ui.available_width() - 70.0).max(40.0);
    let scrub = ui.add(egui::Slider::new(&mut replay.at, 0..=replay.events.len()));
    note("replay scrub", &scrub);
    replay.is_playing &= !scrub.changed();
    ui.label(replay.newest());
    ui.weak(&replay.result);
}

/// Buttons of a search: replay it, close the replay, copy it as a test case.
fn search_ui(ui: &mut egui::Ui, world: &mut World, replay: &mut Replay, agent: Entity, is_open: bool) {
    ui.horizontal_wrapped(|ui| {
        let text = if is_open { "Search again" } else { "Replay its last search" };
        if button(ui, "replay", text, true).clicked() {
            *replay = Replay::of(world, agent).unwrap_or_default();
        }
        if is_open && button(ui, "replay close", "Close", true).clicked() {
            *replay = Replay::default();
        }
        if button(ui, "copy case", "Copy as test case", true)
            .on_hover_text("Puts the map and the question on the clipboard, as RON for SearchCase::from_ron")
            .clicked()
            && let Some((case, _)) = SearchCase::of(world, agent)
        {
            ui.ctx().copy_text(case.to_ron());
        }
    });
}

/// Play and pause, single steps, and speed.
fn play_ui(ui: &mut egui::Ui, replay: &mut Replay) {
    let last = replay.events.len();
    ui.horizontal(|ui| {
        let text = if replay.is_playing { "Pause" } else { "Play" };
        if button(ui, "replay play", text, last > 0).clicked() {
            replay.is_playing = !replay.is_playing;
            if replay.at == last {
                replay.at = 0;
            }
        }
        if button(ui, "replay back", "Back", replay.at > 0).clicked() {
            (replay.at, replay.is_playing) = (replay.at - 1, false);
        }
        if button(ui, "replay step", "Step", replay.at < last).clicked() {
            (replay.at, replay.is_playing) = (replay.at + 1, false);
        }
        let pace =
            egui::DragValue::new(&mut replay.pace).range(1.0..=100_000.0).speed(1.0).suffix(" steps/s");
        ui.add(pace);
    });
}

#[cfg(test)]
mod tests {
    use pathfind_core::{Grid, PathQuery};

    use super::*;

    #[test]
    fn a_replay_shows_each_cell_as_it_was_at_the_step_forwards_and_backwards() {
        let grid = Grid::from_ascii("....\n.##.\n....").expect("a map");
        let question = PathQuery::new(GridCell::new(0, 0), GridCell::new(3, 2));
        let mut recording = Recording::default();
        let mut search = Search::new(&grid, question, SearchScratch::default());
        assert_eq!(search.step_with(MAX_EXPANSIONS, &mut recording), Progress::Done);
        let events = recording.events().to_vec();
        let mut replay =
            Replay { grid: Some(Entity::PLACEHOLDER), events: events.clone(), ..Replay::default() };
        let last = events.len();
        assert!(last > 4, "there is something to see: {last} events");
        for at in [0, 1, last, last - 1, last / 2, last] {
            replay.at = at;
            let mut expected = HashMap::default();
            for event in events[..at].iter().filter(|event| event.kind != SearchEventKind::Reparented) {
                expected.insert(event.cell, event.kind);
            }
            let (_, cells, newest) = replay.cells().expect("there is a grid");
            assert_eq!(cells, &expected, "at step {at}");
            assert_eq!(newest, at.checked_sub(1).map(|at| &events[at]), "at step {at}");
        }
    }
}
