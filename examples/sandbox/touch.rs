//! Fingers on a touch screen, as a pointer with buttons: a tap is a click, one finger drags with the left button, or,
//! after it has rested, with the right one; two fingers pan with the middle button, and pinch.
//!
//! A press begins only when it is known what the fingers are about to do: the first of two fingers must not draw.

use bevy::{input::InputSystems, prelude::*};

/// What the fingers do in this frame.
#[derive(Resource, Debug, Default)]
pub(crate) struct Fingers {
    gesture: Gesture,
    at: Option<Vec2>,
    pinch: Option<f32>,
    button: Option<MouseButton>,
}

/// The gesture in progress.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
enum Gesture {
    #[default]
    None,
    /// One finger that has neither moved nor been lifted, for a time in seconds.
    Resting { at: Vec2, rested: f32 },
    /// One finger was lifted where it was put down: the button is down for this frame.
    Tap { at: Vec2 },
    /// One finger that drags.
    Drag(MouseButton),
    /// Two fingers: their distance in the last frame.
    Pair { gap: f32 },
    /// Fingers that are left over from a pair: no button until all are lifted.
    Over,
}

/// A finger that moves farther than this drags. Unit: logical pixels.
const TOLERANCE: f32 = 8.0;
/// A finger that rests for longer than this is the right button. Unit: seconds.
const REST: f32 = 0.45;
/// The most that one frame counts as rest: in a long frame the finger may have moved. Unit: seconds.
const FRAME: f32 = 0.1;

impl Fingers {
    /// Where the pointer is, in logical pixels; `None` while no finger is down.
    pub(crate) fn at(&self) -> Option<Vec2> {
        self.at
    }

    /// The factor by which two fingers have moved apart in this frame; 1 if there are not two.
    pub(crate) fn pinch(&self) -> f32 {
        self.pinch.unwrap_or(1.0)
    }

    /// Takes the positions of all fingers, in the order in which they were put down, and the length of the frame.
    fn take(&mut self, fingers: &[Vec2], delta: f32) {
        (self.at, self.pinch, self.button) = (fingers.first().copied(), None, None);
        self.gesture = match (self.gesture, fingers) {
            (Gesture::Resting { at, .. }, []) => Gesture::Tap { at },
            (_, []) => Gesture::None,
            (Gesture::None | Gesture::Tap { .. }, &[at]) => Gesture::Resting { at, rested: 0.0 },
            (Gesture::Resting { at, .. }, &[moved]) if at.distance(moved) > TOLERANCE => {
                self.at = Some(at);
                Gesture::Drag(MouseButton::Left)
            }
            (Gesture::Resting { rested, .. }, [_]) if rested > REST => Gesture::Drag(MouseButton::Right),
            (Gesture::Resting { at, rested }, [_]) => {
                Gesture::Resting { at, rested: rested + delta.min(FRAME) }
            }
            (Gesture::Pair { .. } | Gesture::Over, [_]) => Gesture::Over,
            (same, [_]) => same,
            (before, &[one, other, ..]) => {
                let (middle, gap) = ((one + other) / 2.0, one.distance(other).max(1.0));
                self.at = Some(middle);
                if let Gesture::Pair { gap: last } = before {
                    self.pinch = Some(gap / last);
                    self.button = Some(MouseButton::Middle);
                }
                Gesture::Pair { gap }
            }
        };
        match self.gesture {
            Gesture::Tap { at } => (self.at, self.button) = (Some(at), Some(MouseButton::Left)),
            Gesture::Drag(button) => self.button = Some(button),
            _ => {}
        }
    }
}

/// The systems that turn fingers into buttons.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct TouchSystems;

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Fingers>()
        .add_systems(PreUpdate, read_fingers.in_set(TouchSystems).after(InputSystems));
}

fn read_fingers(
    touches: Res<Touches>,
    mut fingers: ResMut<Fingers>,
    mut buttons: ResMut<ButtonInput<MouseButton>>,
    time: Res<Time<Real>>,
) {
    let mut down: Vec<_> = touches.iter().map(|touch| (touch.id(), touch.position())).collect();
    if down.is_empty() && fingers.gesture == Gesture::None {
        return;
    }
    // Browsers and windows give a later finger a larger number.
    down.sort_unstable_by_key(|&(id, _)| id);
    let down: Vec<_> = down.into_iter().map(|(_, at)| at).collect();
    let before = fingers.button;
    fingers.take(&down, time.delta_secs());
    let now = fingers.button;
    if let Some(button) = before.filter(|_| before != now) {
        buttons.release(button);
    }
    if let Some(button) = now {
        buttons.press(button);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Vec2 = Vec2::new(100.0, 80.0);

    fn buttons(frames: &[&[Vec2]]) -> Vec<Option<MouseButton>> {
        let mut fingers = Fingers::default();
        let step = |down: &&[Vec2]| {
            fingers.take(down, 0.1);
            fingers.button
        };
        frames.iter().map(step).collect()
    }

    #[test]
    fn a_tap_is_a_click_where_the_finger_was() {
        let mut fingers = Fingers::default();
        fingers.take(&[AT], 0.1);
        assert_eq!(fingers.button, None, "nothing is pressed before the gesture is known");
        fingers.take(&[], 0.1);
        assert_eq!((fingers.button, fingers.at()), (Some(MouseButton::Left), Some(AT)));
        fingers.take(&[], 0.1);
        assert_eq!((fingers.button, fingers.at()), (None, None), "and then it is released");
    }

    #[test]
    fn a_drag_begins_where_the_finger_was_put_down() {
        let mut fingers = Fingers::default();
        fingers.take(&[AT], 0.1);
        fingers.take(&[AT + Vec2::X * 30.0], 0.1);
        assert_eq!((fingers.button, fingers.at()), (Some(MouseButton::Left), Some(AT)));
        fingers.take(&[AT + Vec2::X * 40.0], 0.1);
        assert_eq!(fingers.at(), Some(AT + Vec2::X * 40.0), "and follows it");
    }

    #[test]
    fn a_finger_that_rests_is_the_right_button() {
        let frames = [&[AT][..]; 7];
        assert_eq!(buttons(&frames).last(), Some(&Some(MouseButton::Right)));
    }

    #[test]
    fn a_drag_in_long_frames_is_no_rest() {
        let mut fingers = Fingers::default();
        fingers.take(&[AT], 1.0);
        fingers.take(&[AT], 1.0);
        fingers.take(&[AT + Vec2::X * 30.0], 1.0);
        assert_eq!(fingers.button, Some(MouseButton::Left));
    }

    #[test]
    fn two_fingers_pan_and_pinch_and_never_draw() {
        let pair = |gap: f32| [AT - Vec2::X * gap / 2.0, AT + Vec2::X * gap / 2.0];
        let mut fingers = Fingers::default();
        fingers.take(&[AT], 0.1);
        fingers.take(&pair(50.0), 0.1);
        assert_eq!((fingers.button, fingers.pinch()), (None, 1.0), "the pointer jumps to the middle first");
        fingers.take(&pair(100.0), 0.1);
        assert_eq!((fingers.button, fingers.pinch()), (Some(MouseButton::Middle), 2.0));
        assert_eq!(fingers.at(), Some(AT), "it is in the middle");
        fingers.take(&[AT], 0.1);
        fingers.take(&[AT + Vec2::X * 90.0], 0.1);
        assert_eq!(fingers.button, None, "the finger that is left over does nothing");
    }

    #[test]
    fn a_second_finger_ends_a_drag() {
        let away = AT + Vec2::Y * 40.0;
        let ended = buttons(&[&[AT], &[away], &[away, AT], &[away, AT], &[], &[]]);
        let (left, middle) = (Some(MouseButton::Left), Some(MouseButton::Middle));
        assert_eq!(ended, [None, left, None, middle, None, None]);
    }
}
