//! Tests of the widgets: pointer events in, values out.

use super::choice::variant_label;
use super::*;
use crate::attributes::LayerBits;
use crate::order::Algorithm;
use crate::show::panel::widget_rects;

#[derive(Reflect, Clone, PartialEq, Debug)]
struct Boat {
    /// Speed through the water,
    /// in knots. See [`Boat`] and [how it
    /// floats](Self::depth).
    #[reflect(@0.0..=10.0_f32)]
    speed: f32,
    #[reflect(@1..=9_u32)]
    crew: u32,
    depth: f64,
    has_sail: bool,
    rig: Rig,
    buoy: Option<u32>,
    mooring: Vec2,
    #[reflect(@LayerBits)]
    holds: u32,
    #[reflect(ignore)]
    hidden: u8,
}

#[derive(Reflect, Clone, Copy, PartialEq, Debug)]
enum Rig {
    /// One mast.
    Sloop,
    TallShip,
}

fn boat() -> Boat {
    Boat {
        speed: 5.0,
        crew: 2,
        depth: 1.0,
        has_sail: false,
        rig: Rig::Sloop,
        buoy: None,
        mooring: Vec2::ZERO,
        holds: u32::MAX,
        hidden: 0,
    }
}

/// An egui context with the widgets of a boat, driven by pointer events.
struct Bench {
    ctx: egui::Context,
    boat: Boat,
}

impl Bench {
    fn new() -> Self {
        let mut bench = Self { ctx: egui::Context::default(), boat: boat() };
        // The first pass measures sizes, the second one uses them.
        bench.frame(vec![]);
        bench.frame(vec![]);
        bench
    }

    fn frame(&mut self, events: Vec<egui::Event>) -> bool {
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(400.0, 600.0));
        let input = egui::RawInput { screen_rect: Some(screen), events, ..Default::default() };
        let mut changed = false;
        let mut output = self.ctx.run_ui(input, |ui| changed = reflect_ui(ui, &mut self.boat));
        output.textures_delta.clear();
        changed
    }

    fn rect(&self, field: &str) -> egui::Rect {
        self.find(field).unwrap_or_else(|| panic!("{field} is drawn"))
    }

    fn find(&self, field: &str) -> Option<egui::Rect> {
        widget_rects(&self.ctx).get(&format!("Boat.{field}")).copied()
    }

    fn button(&mut self, pos: egui::Pos2, pressed: bool) -> bool {
        let button = egui::PointerButton::Primary;
        let modifiers = egui::Modifiers::default();
        self.frame(vec![egui::Event::PointerButton { pos, button, pressed, modifiers }])
    }

    fn click(&mut self, pos: egui::Pos2) -> bool {
        let mut changed = self.frame(vec![egui::Event::PointerMoved(pos)]);
        changed |= self.button(pos, true);
        changed | self.button(pos, false)
    }

    fn drag(&mut self, from: egui::Pos2, to: egui::Pos2) -> bool {
        let mut changed = self.frame(vec![egui::Event::PointerMoved(from)]);
        changed |= self.button(from, true);
        changed |= self.frame(vec![egui::Event::PointerMoved(from.lerp(to, 0.5))]);
        changed |= self.frame(vec![egui::Event::PointerMoved(to)]);
        changed | self.button(to, false)
    }
}

#[test]
fn nothing_changes_untouched() {
    let mut bench = Bench::new();
    bench.boat.speed = 99.0;
    assert!(!bench.frame(vec![]), "no input, no change");
    assert_eq!(bench.boat, Boat { speed: 99.0, ..boat() }, "a value outside its range is left alone");
}

#[test]
fn a_slider_follows_the_pointer_and_stays_in_range() {
    let mut bench = Bench::new();
    let rail = bench.rect("speed");
    let (start, y) = (rail.left() + 60.0, rail.center().y);
    assert!(bench.drag(egui::pos2(start, y), egui::pos2(start + 20.0, y)));
    let (low, y) = (bench.boat.speed, y);
    assert!(bench.drag(egui::pos2(start, y), egui::pos2(start + 60.0, y)));
    assert!(bench.boat.speed > low, "further right is faster: {low} -> {}", bench.boat.speed);
    bench.drag(egui::pos2(start, y), egui::pos2(2_000.0, y));
    assert_eq!(bench.boat.speed, 10.0, "the end of the rail is the end of the range");
    assert_eq!(bench.boat, Boat { speed: 10.0, ..boat() }, "no other field moved");
}

#[test]
fn a_value_outside_its_range_survives_a_touch() {
    for outside in [99.0, f32::INFINITY] {
        let mut bench = Bench::new();
        bench.boat.speed = outside;
        bench.frame(vec![]);
        let rail = bench.rect("speed:rail");
        // The handle is at the right end.
        for x in [rail.right() - 10.0, rail.right() - 4.0, rail.center().x] {
            assert!(!bench.click(egui::pos2(x, rail.center().y)), "a click at {x} changes nothing");
            assert_eq!(bench.boat.speed, outside, "clicked at {x}");
        }
        let handle = egui::pos2(rail.right() - 4.0, rail.center().y);
        assert!(!bench.drag(handle, handle + egui::vec2(80.0, 0.0)), "beyond the end there is nothing");
        assert_eq!(bench.boat.speed, outside, "dragged to the right");
        assert!(bench.drag(handle, rail.center()), "a drag into the range is meant");
        assert!(bench.boat.speed < 9.0, "dragged to {}", bench.boat.speed);
    }
}

#[test]
fn whole_numbers_stay_whole() {
    let mut bench = Bench::new();
    let rail = bench.rect("crew");
    bench.drag(rail.left_center() + egui::vec2(10.0, 0.0), egui::pos2(2_000.0, rail.center().y));
    assert_eq!(bench.boat.crew, 9);
}

#[test]
fn a_checkbox_toggles() {
    let mut bench = Bench::new();
    let at = bench.rect("has_sail").center();
    assert!(bench.click(at));
    assert!(bench.boat.has_sail);
    assert!(bench.click(at));
    assert!(!bench.boat.has_sail);
}

#[test]
fn a_number_without_a_range_is_dragged() {
    let mut bench = Bench::new();
    let at = bench.rect("depth").center();
    bench.drag(at, at + egui::vec2(50.0, 0.0));
    assert!(bench.boat.depth > 1.0, "dragged to {}", bench.boat.depth);
}

#[test]
fn a_list_picks_a_variant() {
    let mut bench = Bench::new();
    bench.click(bench.rect("rig").center());
    bench.frame(vec![]);
    let line = bench.rect("rig=TallShip").center();
    assert!(bench.click(line));
    assert_eq!(bench.boat.rig, Rig::TallShip);
}

#[test]
fn a_mask_has_a_switch_for_each_layer() {
    let mut bench = Bench::new();
    bench.click(bench.rect("holds").center());
    let switch = |bench: &mut Bench, layer: &str| {
        // The toggles move until the popup has been measured, and again when the text of the button changes length.
        for _ in 0..3 {
            bench.frame(vec![]);
        }
        bench.click(bench.rect(&format!("holds={layer}")).center())
    };
    assert!(switch(&mut bench, "3"));
    assert!(switch(&mut bench, "31"), "it stays open");
    assert_eq!(bench.boat.holds, !(1 << 3 | 1 << 31));
    assert!(switch(&mut bench, "none"));
    assert!(switch(&mut bench, "4"));
    assert_eq!(bench.boat.holds, 1 << 4);
}

#[test]
fn an_option_can_be_filled() {
    let mut bench = Bench::new();
    bench.click(bench.rect("buoy").center());
    bench.frame(vec![]);
    let line = bench.rect("buoy=Some").center();
    assert!(bench.click(line));
    assert_eq!(bench.boat.buoy, Some(0));
    bench.frame(vec![]);
    assert!(bench.find("buoy.0").is_some(), "its number has a widget now");
}

#[test]
fn nested_fields_are_drawn_and_ignored_ones_are_not() {
    let bench = Bench::new();
    assert!(bench.find("mooring.x").is_some());
    assert!(bench.find("hidden").is_none());
}

#[test]
fn algorithms_go_by_the_names_that_people_know() {
    let info = <Algorithm as bevy::reflect::Typed>::type_info().as_enum().unwrap();
    for &algorithm in Algorithm::ALL {
        assert_eq!(variant_label(info, &format!("{algorithm:?}")), algorithm_label(algorithm));
        assert_ne!(algorithm_label(algorithm), algorithm.name(), "{algorithm} has a title");
    }
    assert_eq!(info.variant_len(), Algorithm::ALL.len());
    assert_eq!(algorithm_label(Algorithm::LazyTheta), "Lazy Theta*");
}

#[test]
fn docs_are_the_tooltip() {
    let info = <Boat as bevy::reflect::Typed>::type_info().as_struct().unwrap();
    let docs = info.field("speed").unwrap().docs().map(tidy_docs);
    assert_eq!(docs.as_deref(), Some("Speed through the water, in knots. See Boat and how it floats."));
}
