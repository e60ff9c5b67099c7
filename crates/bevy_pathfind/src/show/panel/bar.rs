//! The preset bar above a component's sliders: choose, save, revert, duplicate, compare. What the buttons do is in
//! [`actions`].

mod actions;

use bevy::prelude::*;
use bevy_egui::egui;

use actions::execute;

use super::aim::SettingsOwner;
use super::origin::{Origin, path_of, title};
use super::survey::Survey;
use super::widgets::{button, note};
use crate::presets::{Preset, PresetComponent, PresetError, PresetFiles, SaveError};

/// The state of the preset bar of one component type.
#[derive(Resource, Default)]
pub(super) struct Bar<T: PresetComponent> {
    /// The text in the field of *Save as*; `None` while the field is closed.
    name: Option<String>,
    /// Whether the field was opened in this frame, and is to get the focus.
    take_focus: bool,
    /// An error with an action in spite of it, which needs the user's consent.
    question: Option<(SaveError, BarAction)>,
    /// The result of the last action: what it did, or why it failed.
    message: Option<Result<String, String>>,
    /// The preset to compare with: the outer option is `None` while the comparison is closed, the inner one until a
    /// preset is chosen.
    pub(super) other: Option<Option<Handle<Preset<T>>>>,
}

/// An action that the user has asked for with a button or list.
#[derive(Clone)]
enum BarAction {
    Take(Option<String>),
    Save,
    SaveAs(String),
    Revert,
    Duplicate,
    Reload,
    Follow,
}

/// Draws the preset bar, and executes the action that was chosen in it.
pub(super) fn bar_ui<T: PresetComponent>(ui: &mut egui::Ui, world: &mut World, survey: &Survey<T>) {
    if !world.contains_resource::<PresetFiles>() {
        return;
    }
    let mut bar = world.remove_resource::<Bar<T>>().unwrap_or_default();
    let origin = &survey.origin;
    let mut action = choose_ui(ui, world, origin);
    action = buttons_ui(ui, world, &mut bar, origin, &survey.places).or(action);
    error_ui(ui, world, origin);
    let answer = question_ui::<T>(ui, &mut bar);
    match &bar.message {
        Some(Ok(text)) => _ = ui.weak(text),
        Some(Err(text)) => _ = ui.colored_label(ui.visuals().error_fg_color, text),
        None => {}
    }
    let is_forced = answer.is_some();
    if let Some(action) = answer.or(action) {
        bar.message = None;
        let saved = |name: &str| Some(Ok(format!("Saved as {name}.")));
        match execute(world, &action, is_forced, survey) {
            Ok(()) => match (action, origin) {
                (BarAction::SaveAs(name), _) => (bar.message, bar.name) = (saved(&name), None),
                (BarAction::Save, Origin::One(id, _)) => bar.message = saved(&title(world, *id)),
                _ => {}
            },
            Err(reason @ (SaveError::ChangedOnDisk(_) | SaveError::Exists(_))) => {
                bar.question = Some((reason, action));
            }
            Err(reason) => bar.message = Some(Err(format!("{reason}."))),
        }
    }
    world.insert_resource(bar);
}

fn choose_ui<T: PresetComponent>(ui: &mut egui::Ui, world: &World, origin: &Origin<T>) -> Option<BarAction> {
    let current = match origin {
        Origin::One(id, follows) => {
            let preset = world.resource::<Assets<Preset<T>>>().get(*id);
            let edited = if preset.is_some_and(Preset::is_edited) { ", not saved" } else { "" };
            let own = if *follows { "" } else { ", with own values" };
            format!("{}{edited}{own}", title(world, *id))
        }
        Origin::None => "own values".to_owned(),
        Origin::Mixed => "mixed".to_owned(),
    };
    let mut action = None;
    ui.horizontal(|ui| {
        ui.label("Preset");
        let width = ui.available_width() - 2.0 * ui.spacing().button_padding.x;
        let list =
            egui::ComboBox::from_id_salt("preset").selected_text(current).width(width).show_ui(ui, |ui| {
                let own = ui.selectable_label(matches!(origin, Origin::None), "own values");
                note(&format!("{}/preset=", T::TITLE), &own);
                if own.clicked() {
                    action = Some(BarAction::Take(None));
                }
                let current = match origin {
                    Origin::One(id, _) => path_of(world, *id),
                    _ => None,
                };
                if let Some(path) = preset_lines::<T>(ui, world, "preset", current.as_deref()) {
                    action = Some(BarAction::Take(Some(path)));
                }
            });
        note(&format!("{}/preset", T::TITLE), &list.response);
    });
    action
}

/// The presets of a `T` as lines of a list; returns the path of the one that was clicked.
pub(super) fn preset_lines<T: PresetComponent>(
    ui: &mut egui::Ui,
    world: &World,
    list: &str,
    current: Option<&str>,
) -> Option<String> {
    let mut chosen = None;
    for path in world.resource::<PresetFiles>().list::<T>() {
        let name = PresetFiles::name_of::<T>(&path);
        let line = ui.selectable_label(current == Some(&path), name);
        note(&format!("{}/{list}={name}", T::TITLE), &line);
        if line.clicked() {
            chosen = Some(path);
        }
    }
    chosen
}

fn buttons_ui<T: PresetComponent>(
    ui: &mut egui::Ui,
    world: &World,
    bar: &mut Bar<T>,
    origin: &Origin<T>,
    places: &[SettingsOwner<T>],
) -> Option<BarAction> {
    let mut action = None;
    let presets = world.resource::<Assets<Preset<T>>>();
    let preset = match origin {
        Origin::One(id, true) => presets.get(*id),
        _ => None,
    };
    let has_file = matches!(origin, Origin::One(id, true) if path_of(world, *id).is_some());
    let is_edited = preset.is_some_and(Preset::is_edited);
    let is_shared = matches!(places, [SettingsOwner::Preset(_)]);
    ui.horizontal_wrapped(|ui| {
        let name = |verb: &str| format!("{}/{verb}", T::TITLE);
        if button(ui, &name("save"), "Save", has_file && is_shared).clicked() {
            action = Some(BarAction::Save);
        }
        if button(ui, &name("save as"), "Save as…", true).clicked() {
            bar.take_focus = bar.name.is_none();
            bar.name = match bar.name {
                Some(_) => None,
                None => Some(match origin {
                    Origin::One(id, _) => title(world, *id),
                    _ => T::TITLE.to_lowercase(),
                }),
            };
        }
        if button(ui, &name("revert"), "Revert", is_edited && is_shared).clicked() {
            action = Some(BarAction::Revert);
        }
        if button(ui, &name("duplicate"), "Duplicate", has_file).clicked() {
            action = Some(BarAction::Duplicate);
        }
        if button(ui, &name("compare"), "Compare", true).clicked() {
            bar.other = if bar.other.is_some() { None } else { Some(None) };
        }
        if matches!(origin, Origin::One(_, false))
            && button(ui, &name("follow"), "Back to preset", true).clicked()
        {
            action = Some(BarAction::Follow);
        }
    });
    name_ui::<T>(ui, bar).or(action)
}

/// The text field of *Save as*, while it is open.
fn name_ui<T: PresetComponent>(ui: &mut egui::Ui, bar: &mut Bar<T>) -> Option<BarAction> {
    let mut name = bar.name.take()?;
    let (mut action, mut is_open) = (None, true);
    ui.horizontal(|ui| {
        let width = ui.available_width() - 120.0;
        let egui::text_edit::TextEditOutput { response, galley, mut state, .. } =
            egui::TextEdit::singleline(&mut name).desired_width(width).show(ui);
        let field = response.response;
        note(&format!("{}/name", T::TITLE), &field);
        if core::mem::take(&mut bar.take_focus) {
            // Typed text replaces the proposed name: select all of it.
            field.request_focus();
            let all = egui::text::CCursorRange::select_all(&galley);
            state.cursor.set_char_range(Some(all));
            state.store(ui.ctx(), field.id);
        }
        let entered = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        if entered || button(ui, &format!("{}/save as it", T::TITLE), "Save", true).clicked() {
            action = Some(BarAction::SaveAs(name.clone()));
        }
        is_open = !button(ui, &format!("{}/not save as", T::TITLE), "Cancel", true).clicked();
    });
    bar.name = is_open.then_some(name);
    action
}

/// The error of the preset's file, if there is one.
fn error_ui<T: PresetComponent>(ui: &mut egui::Ui, world: &World, origin: &Origin<T>) {
    let Origin::One(id, _) = origin else { return };
    let Some(path) = path_of(world, *id) else { return };
    let text = match world.resource::<PresetFiles>().error(&path) {
        Some(PresetError::Broken(reason)) => {
            format!("{path} is broken: {reason}. The last good values stay.")
        }
        Some(PresetError::Conflict) => {
            format!("{path} has changed on disk, and so have the values here. Save, or revert, to decide.")
        }
        Some(PresetError::Gone) => format!("{path} is gone. Save to write it again."),
        None => return,
    };
    note(&format!("{}/error", T::TITLE), &ui.colored_label(ui.visuals().error_fg_color, text));
}

fn question_ui<T: PresetComponent>(ui: &mut egui::Ui, bar: &mut Bar<T>) -> Option<BarAction> {
    let (reason, action) = bar.question.take()?;
    let is_save = matches!(action, BarAction::Save);
    let yes = if is_save { "Overwrite it" } else { "Replace it" };
    let (mut answer, mut is_open) = (None, true);
    ui.group(|ui| {
        ui.colored_label(ui.visuals().warn_fg_color, format!("{reason}."));
        ui.horizontal_wrapped(|ui| {
            if button(ui, &format!("{}/yes", T::TITLE), yes, true).clicked() {
                answer = Some(action.clone());
            }
            if is_save
                && button(ui, &format!("{}/reload", T::TITLE), "Take the file's values", true).clicked()
            {
                answer = Some(BarAction::Reload);
            }
            is_open = !button(ui, &format!("{}/cancel", T::TITLE), "Cancel", true).clicked();
        });
    });
    if answer.is_none() && is_open {
        bar.question = Some((reason, action));
    }
    answer
}
