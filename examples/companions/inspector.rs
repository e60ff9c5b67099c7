//! A flock among obstacles, with the panel on the right (F2 shuts and opens it) and the world inspector of
//! `bevy-inspector-egui` on the left: what one of them changes, the other shows.

use std::ops::RangeInclusive;

use bevy::prelude::*;
use bevy::reflect::{NamedField, TypeInfo};
use bevy_egui::egui::emath::Numeric;
use bevy_inspector_egui::inspector_options::std_options::NumberOptions;
use bevy_inspector_egui::inspector_options::{InspectorOptions, ReflectInspectorOptions, Target};
use bevy_inspector_egui::quick::WorldInspectorPlugin;
use bevy_pathfind::{prelude::*, show::{MeasuredIn, panel::NavPanel}};

fn main() {
    let mut panel = NavPanel::default();
    (panel.is_open, panel.corner) = (true, Vec2::new(880.0, 12.0));
    App::new()
        .insert_resource(panel)
        .insert_resource(NavGizmos { agents: true, ..default() })
        .add_plugins((DefaultPlugins, PathfindPlugins::default(), NavPanelPlugin::default()))
        .add_plugins((WorldInspectorPlugin::new(), describe_settings))
        .add_systems(Startup, setup)
        .run();
}

/// Tells the inspector the unit, the lower limit and a drag speed of each number of the plugin, from the attributes of
/// its fields. The inspector shows doc comments as tooltips by itself.
fn describe_settings(app: &mut App) {
    let registry = app.world().resource::<AppTypeRegistry>();
    for kind in registry.write().iter_mut() {
        let TypeInfo::Struct(fields) = kind.type_info() else { continue };
        if !fields.type_path().starts_with("bevy_pathfind::") {
            continue;
        }
        let mut options = InspectorOptions::new();
        for (index, field) in fields.iter().enumerate() {
            describe::<f32>(&mut options, index, field);
            describe::<u32>(&mut options, index, field);
        }
        kind.insert(ReflectInspectorOptions(options));
    }
}

/// Describes a field that holds an `N` or an `Option<N>`.
fn describe<N: Reflect + Numeric>(options: &mut InspectorOptions, index: usize, field: &NamedField)
where
    RangeInclusive<N>: Reflect,
{
    let (mut number, docs) = (NumberOptions::<N>::default(), field.docs().unwrap_or_default());
    if let Some(range) = field.get_attribute::<RangeInclusive<N>>() {
        // The inspector moves a number into its limits as soon as it shows it. Above the range there are sound values,
        // for it is the range of the panel's slider. Where infinity is one of them, any limit makes it a finite number.
        number.min = Some(*range.start()).filter(|_| !docs.contains("infinity"));
        number.speed = (range.end().to_f64() - range.start().to_f64()) as f32 / 500.0;
    }
    number.suffix = field.get_attribute().map_or_else(String::new, |MeasuredIn(unit)| format!(" {}", unit.replace(" per ", "/")));
    if field.is::<N>() {
        options.insert(Target::Field(index), number);
    } else if field.is::<Option<N>>() {
        let mut inner = InspectorOptions::new();
        inner.insert(Target::VariantField { variant_index: 1, field_index: 0 }, number);
        options.insert(Target::Field(index), inner);
    }
}

fn setup(mut commands: Commands) {
    commands.spawn((Camera2d, Transform::from_scale(Vec3::splat(0.05))));
    let leader = (Name::new("leader"), Agent::new(5.0), FlockLeader::new(Vec3::new(11.0, 14.0, 0.0)));
    let leader = commands.spawn(leader).id();
    for i in 0..40 {
        let bird = (Agent::new(10.0), Flock::default(), FlockOf(leader), Avoider::default());
        let at = Transform::from_xyz((i % 8) as f32 - 4.0, (i / 8) as f32 - 3.0, 0.0);
        commands.spawn((Name::new(format!("bird {i}")), bird, at));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_egui::egui;
    use bevy_inspector_egui::{DefaultInspectorConfigPlugin, reflect_inspector::ui_for_value};

    #[test]
    fn values_that_the_inspector_shows_stay_as_they_are() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PathfindPlugins::default(), DefaultInspectorConfigPlugin));
        describe_settings(&mut app);
        let registry = app.world().resource::<AppTypeRegistry>().read();
        let (mut agent, mut flock) = (Agent::new(400.0), Flock::seagull());
        let mut output = egui::Context::default().run_ui(egui::RawInput::default(), |ui| {
            assert!(!ui_for_value(&mut agent, ui, &registry) && !ui_for_value(&mut flock, ui, &registry));
        });
        let texts = format!("{:?}", output.shapes);
        output.textures_delta.clear();
        assert!(texts.contains(" world units/second"), "units are shown");
        assert_eq!((agent, flock), (Agent::new(400.0), Flock::seagull()), "and nothing is clamped");
    }
}
