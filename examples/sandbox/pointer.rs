//! The pointer as the world sees it: input over a panel does not reach the world.
//!
//! egui knows only after its own pass, one frame late, whether it wants the pointer. So the panels' rectangles of
//! the last frame and the pointer's position of this one decide whether a press belongs to the world. A drag
//! belongs to where it began until the button is released.

use bevy::{input::InputSystems, prelude::*, window::PrimaryWindow};
use bevy_egui::input::EguiWantsInput;

use crate::{
    chrome::Chrome,
    orbit::Orbit,
    scenes::ActiveScene,
    touch::{Fingers, TouchSystems},
    view::View,
};

/// The pointer's position, and the buttons that the world may use.
#[derive(Resource, Debug, Default)]
pub(crate) struct Pointer {
    /// Logical pixels from the window's upper left corner; the last known position if it has left the window.
    pub screen: Vec2,
    /// Movement since the last frame, in logical pixels.
    pub moved: Vec2,
    /// Its position in the world of a 2D scene, on the plane z = 0.
    pub world: Vec2,
    /// Its ray in the world of a 3D scene.
    pub ray: Option<Ray3d>,
    /// Whether it is over a panel, or a panel is using it.
    pub is_over_panel: bool,
    /// The buttons that were pressed over the world.
    buttons: ButtonInput<MouseButton>,
}

const BUTTONS: [MouseButton; 3] = [MouseButton::Left, MouseButton::Middle, MouseButton::Right];

impl Pointer {
    /// Whether the button was pressed over the world in this frame.
    pub(crate) fn just_pressed(&self, button: MouseButton) -> bool {
        self.buttons.just_pressed(button)
    }

    /// Whether the button was released in this frame, after a press over the world.
    pub(crate) fn just_released(&self, button: MouseButton) -> bool {
        self.buttons.just_released(button)
    }

    /// Whether the button is held down since a press over the world.
    pub(crate) fn is_dragging(&self, button: MouseButton) -> bool {
        self.buttons.pressed(button)
    }

    /// Its position on a horizontal plane at this height, in a 3D scene.
    pub(crate) fn on_plane(&self, height: f32) -> Option<Vec3> {
        self.ray?.plane_intersection_point(Vec3::Y * height, InfinitePlane3d::new(Vec3::Y))
    }

    fn take_buttons(&mut self, buttons: &ButtonInput<MouseButton>) {
        self.buttons.clear();
        for button in BUTTONS {
            if buttons.just_pressed(button) && !self.is_over_panel {
                self.buttons.press(button);
            }
            if !buttons.pressed(button) {
                self.buttons.release(button);
            }
        }
    }
}

pub(crate) fn plugin(app: &mut App) {
    let forget = forget_drags.run_if(state_changed::<ActiveScene>);
    app.init_resource::<Pointer>()
        .add_systems(PreUpdate, (forget, read_pointer).chain().after(InputSystems).after(TouchSystems));
}

/// A drag that began in one scene does not continue in the next.
fn forget_drags(mut pointer: ResMut<Pointer>) {
    pointer.buttons.reset_all();
}

fn read_pointer(
    mut pointer: ResMut<Pointer>,
    (buttons, fingers): (Res<ButtonInput<MouseButton>>, Res<Fingers>),
    chrome: Chrome,
    wants: Res<EguiWantsInput>,
    view: Res<View>,
    orbit: Option<Single<(&Camera, &Transform), With<Orbit>>>,
    window: Single<&Window, With<PrimaryWindow>>,
) {
    let before = pointer.screen;
    let at = fingers.at().or_else(|| window.cursor_position());
    let is_inside = at.inspect(|&screen| pointer.screen = screen).is_some();
    pointer.moved = pointer.screen - before;
    let from_middle = pointer.screen - window.size() / 2.0;
    pointer.world = view.center + Vec2::new(from_middle.x, -from_middle.y) * view.scale;
    pointer.ray = orbit.and_then(|orbit| {
        let (camera, &transform) = *orbit;
        camera.viewport_to_world(&transform.into(), pointer.screen).ok()
    });
    let is_held = wants.is_using_pointer() || wants.is_popup_open();
    pointer.is_over_panel = !is_inside || is_held || chrome.covers(pointer.screen);
    pointer.take_buttons(&buttons);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::tests::{go, scene_app};

    #[test]
    fn a_press_over_a_panel_never_reaches_the_world() {
        let mut buttons = ButtonInput::<MouseButton>::default();
        let mut pointer = Pointer { is_over_panel: true, ..default() };
        buttons.press(MouseButton::Left);
        pointer.take_buttons(&buttons);
        pointer.is_over_panel = false;
        buttons.clear();
        pointer.take_buttons(&buttons);
        assert!(!pointer.is_dragging(MouseButton::Left), "dragged off the panel it is still the panel's");
        buttons.release(MouseButton::Left);
        pointer.take_buttons(&buttons);
        assert!(!pointer.just_released(MouseButton::Left));
    }

    #[test]
    fn a_drag_begun_in_the_world_goes_on_over_a_panel() {
        let mut buttons = ButtonInput::<MouseButton>::default();
        let mut pointer = Pointer::default();
        buttons.press(MouseButton::Right);
        pointer.take_buttons(&buttons);
        assert!(pointer.just_pressed(MouseButton::Right));
        pointer.is_over_panel = true;
        buttons.clear();
        pointer.take_buttons(&buttons);
        assert!(pointer.is_dragging(MouseButton::Right) && !pointer.just_pressed(MouseButton::Right));
        buttons.release(MouseButton::Right);
        pointer.take_buttons(&buttons);
        assert!(pointer.just_released(MouseButton::Right) && !pointer.is_dragging(MouseButton::Right));
    }

    #[test]
    fn a_drag_ends_with_its_scene() {
        let mut app = scene_app("crowd");
        app.world_mut().resource_mut::<Pointer>().buttons.press(MouseButton::Left);
        app.world_mut().resource_mut::<ButtonInput<MouseButton>>().press(MouseButton::Left);
        let is_dragging = |app: &App| app.world().resource::<Pointer>().is_dragging(MouseButton::Left);
        app.update();
        assert!(is_dragging(&app), "the button is still down");
        go(&mut app, "tanks");
        assert!(!is_dragging(&app), "a drag begun in one scene does not fire in the next");
    }

    #[test]
    fn a_click_within_one_frame_is_a_click() {
        let mut buttons = ButtonInput::<MouseButton>::default();
        let mut pointer = Pointer::default();
        buttons.press(MouseButton::Left);
        buttons.release(MouseButton::Left);
        pointer.take_buttons(&buttons);
        assert!(pointer.just_pressed(MouseButton::Left) && pointer.just_released(MouseButton::Left));
    }
}
