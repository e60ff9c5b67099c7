//! Battle: two armies in formations on either bank of a river. The user draws the front of the one; the other attacks.

mod armies;
mod field;
mod fight;
mod front;
mod show;

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_pathfind::{
    prelude::*,
    steer::{FormationMembers, FormationShape},
};

use super::{Scene, Seed};
use crate::{
    flags::Flags,
    keys::Keys,
    orders::Selected,
    panel::{self, Sliders},
    telemetry::Facts,
    theme::{self, caption},
    view::{View, ViewSystems},
    widgets,
};
use armies::{Company, Side, TROOPS};

pub(crate) const SCENE: Scene = Scene {
    name: "battle",
    title: "Battle",
    about: "Companies march in formation: through the village, round trees, over the bridge as a column. \
            Draw a front with the right button, and they take it.",
    try_this: "select all with A, and draw a line along the river bank before the others cross.",
    keys: &[
        ("Left drag", "select (Shift adds)"),
        ("A", "select all"),
        ("Right drag", "draw the front"),
        ("Right click", "send"),
        ("L C V B N M", "line, column, wedge, square, ring, loose"),
        ("H", "halt"),
    ],
    searches: true,
    build,
    controls,
};

/// The values of the scene's sliders.
#[derive(Resource, Reflect, Debug, Clone, PartialEq)]
pub(super) struct BattleSettings {
    /// Soldiers in a company, of those that are the largest. Range: 4 to 120. Default: 36.
    #[reflect(@4..=120_u32)]
    company: u32,
    /// How far apart neighbours stand, in widths of a body. Range: 0.8 to 4. Default: 1.25.
    #[reflect(@0.8..=4.0_f32)]
    spacing: f32,
    /// Whether the others attack. Default: yes.
    attack: bool,
    /// Whether a company keeps together: as fast as its slowest, and nobody is left behind. Default: yes.
    keeps_together: bool,
}

impl Default for BattleSettings {
    fn default() -> Self {
        Self { company: 36, spacing: 1.25, attack: true, keeps_together: true }
    }
}

fn build(app: &mut App) {
    let settings = BattleSettings::default();
    // All companies together have five times as many soldiers as one of the largest.
    let company = app.world().resource::<Flags>().crowd(5 * settings.company, 600) / 5;
    app.insert_resource(BattleSettings { company: company.max(4), ..settings })
        .init_resource::<fight::Flights>()
        .add_systems(SCENE.enter(), enter)
        .add_systems(
            FixedUpdate,
            (armies::attack, fight::engage, fight::strike)
                .chain()
                .before(NavSystems::World)
                .run_if(SCENE.is_active()),
        )
        .add_systems(
            Update,
            (
                apply_settings,
                (front::select, front::draw, read_keys).after(ViewSystems),
                (show::companies, show::flights, write_facts).after(ViewSystems),
            )
                .run_if(SCENE.is_active()),
        )
        .add_systems(bevy_egui::EguiPrimaryContextPass, show::labels.run_if(SCENE.is_active()));
}

/// The keys of the shapes, with their names and the shapes themselves.
const SHAPES: [(KeyCode, &str, &str, FormationShape); 6] = [
    (KeyCode::KeyL, "line", "L", FormationShape::Line),
    (KeyCode::KeyC, "column", "C", FormationShape::Column),
    (KeyCode::KeyV, "wedge", "V", FormationShape::Wedge),
    (KeyCode::KeyB, "square", "B", FormationShape::Box),
    (KeyCode::KeyN, "ring", "N", FormationShape::Ring),
    (KeyCode::KeyM, "loose", "M", FormationShape::Loose),
];

fn controls(ui: &mut egui::Ui, world: &mut World) {
    caption(ui, "Companies");
    let mut rows = [[0_usize; 2]; TROOPS.len()];
    for (company, members) in world.query::<(&Company, &FormationMembers)>().iter(world) {
        rows[company.troop][usize::from(company.side == Side::Theirs)] += members.count();
    }
    let rows = TROOPS.iter().zip(rows).map(|(troop, [ours, theirs])| {
        let colored = |count: usize, side: Side| theme::colored(count.to_string(), side.color());
        (theme::quiet(troop.name), vec![colored(ours, Side::Ours), colored(theirs, Side::Theirs)])
    });
    theme::table(ui, "companies", &["", "ours", "theirs"], rows);
    caption(ui, "Shape of the selected");
    ui.horizontal_wrapped(|ui| {
        for (_, name, key, shape) in &SHAPES {
            if widgets::button(ui, &format!("battle.{name}"), name, key) {
                set_shape(world, shape);
            }
        }
    });
    caption(ui, "Battle");
    panel::edit::<BattleSettings>(ui, world);
}

/// Gives the selected companies a shape.
fn set_shape(world: &mut World, shape: &FormationShape) {
    let mut formations = world.query_filtered::<&mut Formation, With<Selected>>();
    for mut formation in formations.iter_mut(world) {
        (formation.shape, formation.abreast) = (shape.clone(), None);
    }
}

fn read_keys(keys: Keys, companies: Query<(Entity, &Company, Has<Selected>)>, mut commands: Commands) {
    for (_, _, _, shape) in SHAPES.iter().filter(|(key, ..)| keys.just_pressed(*key)) {
        let shape = shape.clone();
        commands.queue(move |world: &mut World| set_shape(world, &shape));
    }
    for (company, of, is_chosen) in &companies {
        if keys.just_pressed(KeyCode::KeyA) && of.side == Side::Ours {
            commands.entity(company).insert(Selected);
        }
        if keys.just_pressed(KeyCode::KeyH) && is_chosen {
            commands.entity(company).stop();
        }
    }
}

fn enter(
    mut commands: Commands,
    (mut view, mut flights): (ResMut<View>, ResMut<fight::Flights>),
    (settings, seed): (Res<BattleSettings>, Res<Seed>),
) {
    *flights = fight::Flights::default();
    let nav = NavGrid::new(field::grid(seed.0));
    commands.spawn(SCENE.map("Field", nav, field::corner()));
    armies::muster(&mut commands, &settings);
    view.frame(Rect::from_center_size(Vec2::ZERO, field::SIZE.as_vec2()));
}

fn apply_settings(
    mut sliders: Sliders<BattleSettings>,
    mut formations: Query<&mut Formation>,
    mut scenes: super::SceneControl,
) {
    let Some((before, settings)) = sliders.moved() else { return };
    if before.company != settings.company {
        scenes.restart();
    }
    for mut formation in &mut formations {
        (formation.spacing, formation.keeps_together) = (settings.spacing, settings.keeps_together);
    }
}

fn write_facts(
    mut facts: ResMut<Facts>,
    companies: Query<(&Company, &PathStatus, Option<&FormationMembers>, Has<Selected>)>,
) {
    let count = |side: Side| {
        let of_side = companies.iter().filter(|it| it.0.side == side);
        of_side.map(|it| it.2.map_or(0, FormationMembers::count)).sum::<usize>()
    };
    facts.set("ours", count(Side::Ours));
    facts.set("theirs", count(Side::Theirs));
    facts.set("chosen", companies.iter().filter(|it| it.3).count());
    facts.set("marching", companies.iter().filter(|it| *it.1 == PathStatus::Following).count());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::tests::{scene_app_with, set_ticks_per_frame, tap};

    fn soldiers(app: &mut App) -> [usize; 2] {
        let mut all = app.world_mut().query::<&armies::Soldier>();
        let ours = all.iter(app.world()).filter(|soldier| soldier.side == Side::Ours).count();
        [ours, all.iter(app.world()).count() - ours]
    }

    #[test]
    fn the_others_come_over_the_river_and_both_sides_have_losses() {
        let mut app = scene_app_with(SCENE.name, 60);
        set_ticks_per_frame(&mut app, 8);
        let begun = soldiers(&mut app);
        assert!((0..800).any(|_| {
            app.update();
            let now = soldiers(&mut app);
            now[0] < begun[0] && now[1] < begun[1]
        }));
    }

    #[test]
    fn all_selected_companies_change_their_shape_by_key() {
        let mut app = scene_app_with(SCENE.name, 60);
        tap(&mut app, KeyCode::KeyA);
        tap(&mut app, KeyCode::KeyV);
        app.update();
        let mut companies = app.world_mut().query::<(&Company, &Formation)>();
        for (company, formation) in companies.iter(app.world()) {
            assert_eq!(formation.shape == FormationShape::Wedge, company.side == Side::Ours);
        }
    }

    #[test]
    fn a_drawn_front_is_taken_in_line_facing_away_from_the_viewer() {
        let mut app = scene_app_with(SCENE.name, 60);
        app.world_mut().resource_mut::<BattleSettings>().attack = false;
        set_ticks_per_frame(&mut app, 8);
        tap(&mut app, KeyCode::KeyA);
        let (left, right) = (Vec2::new(-38.0, -3.0), Vec2::new(-10.0, -3.0));
        app.world_mut().run_system_cached_with(front::take, (left, right)).expect("it runs");
        (0..260).for_each(|_| app.update());
        let mut all = app.world_mut().query::<(&armies::Soldier, &Transform)>();
        let ours = all.iter(app.world()).filter(|(soldier, _)| soldier.side == Side::Ours);
        let places: Vec<Vec2> = ours.map(|(_, at)| at.translation.truncate()).collect();
        let beyond =
            places.iter().filter(|at| at.y > left.y + 1.0 || at.x < left.x - 2.0 || at.x > right.x + 2.0);
        assert_eq!(beyond.count(), 0, "nobody stands before the front, or beside it: {places:?}");
        let in_front = places.iter().filter(|at| (at.y - left.y).abs() < 1.0).count();
        assert!(in_front >= 8, "{in_front} stand along it");
    }
}
