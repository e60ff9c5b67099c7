//! Interpolation: an entity that moves in the fixed schedule is drawn, in every frame, between its transforms of
//! the last two ticks.
//!
//! ```text
//!  tick 7        tick 8            frames between them show ·
//!    ●──·────·────●
//!  from          to
//! ```
//!
//! After the ticks of a frame the `Transform` is interpolated between those of the last two ticks; before the next
//! ticks the tick's own `Transform` is restored, so that no tick reads an interpolated one. What is drawn lags by
//! up to one tick. It is for agents in `FixedUpdate`, and anything else that moves there; nothing is extrapolated.
//!
//! Children move with the interpolated parent: their `Transform` is relative to it, and Bevy propagates it in every
//! frame. A child that itself moves relative to its parent in the fixed schedule, such as a turret, jumps from tick
//! to tick unless it has an [`InterpolateTransform`] of its own, which interpolates relative to the parent. The
//! `GlobalTransform`s of parents and children are those of the last drawn frame: within a tick, use
//! `TransformHelper` for the world transform of a child, which it computes from the `Transform`s.

use bevy::app::RunFixedMainLoopSystems::{AfterFixedMainLoop, BeforeFixedMainLoop};
use bevy::prelude::*;

use crate::agent::TeleportCount;

/// Interpolates the `Transform` of an entity that moves in the fixed schedule, so that it moves smoothly at every
/// frame rate.
///
/// Systems outside the fixed schedule read the interpolated `Transform`. If one of them writes it, the entity jumps
/// there. The `GlobalTransform` is the interpolated one, and children move with it; a child that itself moves in the
/// fixed schedule needs an `InterpolateTransform` too. After a [`teleport_to`](crate::AgentCommands::teleport_to) it is drawn at
/// its new place at once.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// fn spawn(mut commands: Commands) {
///     commands.spawn((Agent::default(), InterpolateTransform::default(), PathRequest::to(Vec3::X)));
/// }
/// ```
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq)]
#[type_path = "bevy_pathfind"]
#[reflect(Component, Default, Debug, PartialEq)]
#[require(Transform)]
pub struct InterpolateTransform {
    /// A move of more than this within one tick is a jump, and is not interpolated. Unit: world units. Range: 0 and
    /// up. Default: `None`, every move is interpolated.
    pub jump: Option<f32>,
    #[reflect(ignore)]
    between: Option<Between>,
}

/// The transforms of the last two ticks, and the one that was drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Between {
    from: Transform,
    to: Transform,
    drawn: Transform,
    /// How often the entity had been teleported at the start of the tick.
    teleports: u32,
}

impl InterpolateTransform {
    /// Sets the length of a jump, in world units.
    #[must_use]
    pub const fn with_jump(mut self, jump: f32) -> Self {
        self.jump = Some(jump);
        self
    }
}

pub(super) fn wire(app: &mut App) {
    app.register_type::<InterpolateTransform>().add_systems(FixedFirst, begin_tick).add_systems(
        RunFixedMainLoop,
        (put_back.in_set(BeforeFixedMainLoop), blend.in_set(AfterFixedMainLoop)),
    );
}

/// Before the ticks of a frame: restores the transform of the last tick. If the drawn transform was changed since,
/// that change stays.
fn put_back(mut smooth: Query<(&mut Transform, &mut InterpolateTransform)>) {
    for (mut transform, mut smooth) in &mut smooth {
        match smooth.between {
            Some(between) if between.drawn == *transform => *transform.bypass_change_detection() = between.to,
            Some(_) => smooth.between = None,
            None => {}
        }
    }
}

/// At the start of a tick: stores the transform as the start of the interpolation.
fn begin_tick(mut smooth: Query<(&Transform, &mut InterpolateTransform, Option<&TeleportCount>)>) {
    for (&transform, mut smooth, teleports) in &mut smooth {
        let teleports = TeleportCount::of(teleports);
        smooth.between = Some(Between { from: transform, to: transform, drawn: transform, teleports });
    }
}

/// After the ticks of a frame: interpolates between the last two ticks.
fn blend(
    mut smooth: Query<(&mut Transform, &mut InterpolateTransform, Option<&TeleportCount>)>,
    fixed: Option<Res<Time<Fixed>>>,
) {
    let Some(share) = fixed.map(|fixed| fixed.overstep_fraction()) else { return };
    for (mut transform, mut smooth, teleports) in &mut smooth {
        let jump = smooth.jump;
        let Some(between) = &mut smooth.between else { continue };
        between.to = *transform;
        let length = between.from.translation.distance(between.to.translation);
        if jump.is_some_and(|jump| length > jump) || between.teleports != TeleportCount::of(teleports) {
            between.from = between.to;
        }
        between.drawn = between.at(share);
        // The change tick is set in frames in which the drawn transform changes, and in no others.
        transform.set_if_neq(between.drawn);
    }
}

impl Between {
    /// The transform at a fraction of the tick, from 0 to 1.
    fn at(&self, share: f32) -> Transform {
        let Self { from, to, .. } = self;
        if from == to {
            return *to;
        }
        Transform {
            translation: from.translation.lerp(to.translation, share),
            rotation: from.rotation.slerp(to.rotation, share),
            scale: from.scale.lerp(to.scale, share),
        }
    }
}

#[cfg(test)]
mod tests {
    use core::time::Duration;

    use bevy::time::TimeUpdateStrategy;

    use super::*;

    /// An entity that does not move by itself.
    #[derive(Component)]
    struct Still;

    /// An app in which every entity moves one unit per tick, with frames of `ticks_a_frame` ticks; and an entity that
    /// is interpolated.
    fn app(ticks_a_frame: f32) -> (App, Entity) {
        let mut app = App::new();
        let frame = Duration::from_secs_f32(ticks_a_frame * 0.015_625);
        app.add_plugins(MinimalPlugins)
            .insert_resource(TimeUpdateStrategy::ManualDuration(frame))
            .add_systems(FixedUpdate, |mut all: Query<&mut Transform, Without<Still>>| {
                all.iter_mut().for_each(|mut at| at.translation.x += 1.0);
            });
        wire(&mut app);
        app.update();
        let smooth = app.world_mut().spawn(InterpolateTransform::default()).id();
        (app, smooth)
    }

    fn x(app: &App, entity: Entity) -> f32 {
        app.world().get::<Transform>(entity).expect("it has a place").translation.x
    }

    #[test]
    fn frames_between_ticks_show_places_between_them() {
        let (mut app, smooth) = app(0.25);
        let seen: Vec<f32> = (0..12)
            .map(|_| {
                app.update();
                x(&app, smooth)
            })
            .collect();
        let steps: Vec<f32> = seen.windows(2).skip(3).map(|pair| pair[1] - pair[0]).collect();
        assert!(steps.iter().all(|step| (step - 0.25).abs() < 1e-4), "even steps: {seen:?}");
    }

    #[test]
    fn ticks_see_the_same_as_without_it() {
        let (mut app, smooth) = app(0.7);
        let plain = app.world_mut().spawn(Transform::default()).id();
        for _ in 0..50 {
            app.update();
            let between = app.world().get::<InterpolateTransform>(smooth).expect("it stays").between;
            let kept = between.map_or(0.0, |b| b.to.translation.x);
            assert_eq!(kept, x(&app, plain), "the tick's place is kept");
        }
    }

    #[test]
    fn an_entity_that_is_moved_stays_there() {
        let (mut app, smooth) = app(0.25);
        for _ in 0..6 {
            app.update();
        }
        app.world_mut().get_mut::<Transform>(smooth).expect("it has a place").translation.x = 100.0;
        app.update();
        assert!((100.0..=101.0).contains(&x(&app, smooth)), "it goes on from there: {}", x(&app, smooth));
    }

    #[test]
    fn a_teleport_is_not_interpolated() {
        let (mut app, smooth) = app(0.25);
        app.add_systems(FixedUpdate, move |mut commands: Commands, mut tick: Local<u32>| {
            *tick += 1;
            if *tick == 3 {
                commands.entity(smooth).queue(crate::motion::Teleport::to(Vec3::X * 100.0));
            }
        });
        for _ in 0..20 {
            app.update();
            let x = x(&app, smooth);
            assert!(!(10.0..99.0).contains(&x), "it is drawn at {x}");
        }
        assert!(x(&app, smooth) >= 100.0, "it was teleported");
    }

    /// The distances that two entities move from frame to frame, from their drawn world positions.
    fn strides(app: &mut App, entities: [Entity; 2]) -> [Vec<f32>; 2] {
        app.add_plugins(TransformPlugin);
        let mut seen = [Vec::new(), Vec::new()];
        for _ in 0..12 {
            app.update();
            for (places, entity) in seen.iter_mut().zip(entities) {
                let at = app.world().get::<GlobalTransform>(entity).expect("it has a place");
                places.push(at.translation().x);
            }
        }
        seen.map(|places| places.windows(2).skip(4).map(|pair| pair[1] - pair[0]).collect())
    }

    #[test]
    fn children_move_with_the_interpolated_parent() {
        let (mut app, parent) = app(0.25);
        let child = (Still, ChildOf(parent), Transform::from_xyz(0.0, 5.0, 0.0));
        let child = app.world_mut().spawn(child).id();
        let [_, steps] = strides(&mut app, [parent, child]);
        assert!(steps.iter().all(|step| (step - 0.25).abs() < 1e-4), "even steps: {steps:?}");
    }

    #[test]
    fn children_that_move_on_their_parent_need_their_own() {
        let (mut app, parent) = app(0.25);
        let smooth = app.world_mut().spawn((ChildOf(parent), InterpolateTransform::default())).id();
        let plain = app.world_mut().spawn((ChildOf(parent), Transform::default())).id();
        let [smooth, plain] = strides(&mut app, [smooth, plain]);
        assert!(smooth.iter().all(|step| (step - 0.5).abs() < 1e-4), "twice as far, evenly: {smooth:?}");
        let leaps = plain.iter().filter(|&&step| step > 1.0).count();
        assert!(leaps > 0 && leaps < plain.len(), "without the component it jumps once a tick: {plain:?}");
    }

    #[test]
    fn a_move_longer_than_the_limit_is_not_interpolated() {
        let (mut app, _) = app(1.25);
        let smooth = app.world_mut().spawn(InterpolateTransform::default().with_jump(0.5)).id();
        for _ in 0..8 {
            app.update();
            assert_eq!(x(&app, smooth).fract(), 0.0, "it is drawn only where a tick has put it");
        }
    }
}
