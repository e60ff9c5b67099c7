//! The game's texts: the score above the arena, the end screen, the panel, and the telemetry.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};

use super::{
    effects::{POINTS_SHOWN, PointsText},
    game::{BASE, Game, Phase, TanksSettings},
    player::{ARMOUR, Player},
    tank::Tank,
};
use crate::{
    chrome::Chrome,
    hud::several,
    keys::Keys,
    panel,
    scenes::SceneControl,
    telemetry::Facts,
    theme::{self, caption, egui_color},
    view::View,
    widgets::record_rect,
};

/// The scene's part of the panel.
pub(super) fn controls(ui: &mut egui::Ui, world: &mut World) {
    caption(ui, "The next game");
    panel::edit::<TanksSettings>(ui, world);
    let best = world.resource::<Game>().best;
    ui.label(theme::quiet(format!("Best score since the start: {best}")));
}

/// Draws wave, tanks, armour, base and score, below the menu bar.
pub(super) fn show_score(
    mut contexts: EguiContexts,
    game: Res<Game>,
    tanks: Query<&Tank, With<Player>>,
    chrome: Chrome,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    let window = theme::window(ctx);
    let free = chrome.free(window);
    let armour = tanks.iter().map(|tank| tank.armour).sum();
    let at = egui::pos2(free.center().x, free.min.y + 8.0);
    let area = egui::Area::new(egui::Id::new("score")).pivot(egui::Align2::CENTER_TOP).fixed_pos(at);
    area.interactable(false).show(ctx, |ui| {
        theme::frame(ui).inner_margin(egui::Margin::symmetric(16, 5)).show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 7.0;
                ui.label(theme::quiet("wave"));
                ui.strong(format!("{} of {}", game.wave, game.waves));
                ui.label(theme::quiet("   lives"));
                ui.strong(game.lives.to_string());
                ui.label(theme::quiet("   armour"));
                pips(ui, armour, ARMOUR, theme::FRIEND);
                ui.label(theme::quiet("   base"));
                pips(ui, game.base, BASE, theme::PREY);
                ui.label(theme::quiet("   score"));
                ui.strong(game.score.to_string());
            });
        });
    });
    Ok(())
}

/// Draws `count` of `of` small squares filled.
fn pips(ui: &mut egui::Ui, count: u32, of: u32, color: Color) {
    let (side, step) = (9.0, 12.0);
    let (rect, _) = ui.allocate_exact_size(egui::vec2(step * of as f32, 14.0), egui::Sense::hover());
    for i in 0..of {
        let at = rect.left_center() + egui::vec2(step * i as f32 + side / 2.0, 0.0);
        let pip = egui::Rect::from_center_size(at, egui::Vec2::splat(side));
        ui.painter().rect_filled(pip, 2.0, egui_color(if i < count { color } else { theme::LINE }));
    }
}

/// Draws the rising texts of points.
pub(super) fn show_points(
    mut contexts: EguiContexts,
    texts: Query<&PointsText>,
    view: Res<View>,
    chrome: Chrome,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    let middle = ctx.viewport_rect().center();
    let painter = ctx.layer_painter(egui::LayerId::background());
    for text in &texts {
        let place = view.on_screen(middle, text.at);
        if !chrome.covers(Vec2::new(place.x, place.y)) {
            let color = egui_color(theme::PREY.with_alpha(1.0 - (text.age / POINTS_SHOWN).powi(2)));
            let (text, font) = (format!("+{}", text.points), egui::FontId::proportional(16.0));
            painter.text(place, egui::Align2::CENTER_CENTER, text, font, color);
        }
    }
    Ok(())
}

/// Draws the end screen: won or lost, and how to play again, by its button or Enter.
pub(super) fn show_end(
    mut contexts: EguiContexts,
    game: Res<Game>,
    chrome: Chrome,
    keys: Keys,
    mut scenes: SceneControl,
    mut time: ResMut<Time<Virtual>>,
) -> Result {
    let (title, color) = match game.phase {
        Phase::Playing => return Ok(()),
        Phase::Won => ("The base stands", theme::FRIEND),
        Phase::Lost => ("It is over", theme::HUNTER),
    };
    let ctx = contexts.ctx_mut()?;
    let window = theme::window(ctx);
    let middle = chrome.free(window).center();
    let area = egui::Area::new(egui::Id::new("end")).pivot(egui::Align2::CENTER_CENTER);
    area.fixed_pos(egui::pos2(middle.x, middle.y)).show(ctx, |ui| {
        theme::frame(ui).inner_margin(egui::Margin::symmetric(44, 26)).show(ui, |ui| {
            ui.set_width(250.0);
            ui.vertical_centered(|ui| {
                ui.label(theme::colored(title, color).size(30.0));
                ui.add_space(6.0);
                ui.label(egui::RichText::new(game.score.to_string()).size(24.0));
                let tanks = several(u64::from(game.kills), "tank", "tanks");
                let text = format!("points · {tanks} destroyed · wave {} of {}", game.wave, game.waves);
                ui.label(theme::quiet(text));
                if game.score > 0 && game.score == game.best {
                    ui.label(theme::colored("the best so far", theme::PREY));
                }
                ui.add_space(10.0);
                let button =
                    ui.add(egui::Button::new("Play again (Enter)").min_size(egui::vec2(160.0, 30.0)));
                record_rect("tanks.again", &button);
                if button.clicked() || keys.just_pressed(KeyCode::Enter) {
                    // A new game begins with a running clock.
                    time.unpause();
                    scenes.restart();
                }
            });
        });
    });
    Ok(())
}

pub(super) fn write_facts(game: Res<Game>, mut facts: ResMut<Facts>) {
    facts.set("phase", format!("{:?}", game.phase).to_lowercase());
    facts.set("lives", game.lives);
    facts.set("score", game.score);
    facts.set("fallen", game.fallen);
    facts.set("short_cuts", game.short_cuts);
    facts.set("saved", game.saved);
}
