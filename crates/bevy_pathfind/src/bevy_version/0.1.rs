// Bevy 0.19.

#[cfg(feature = "panel")]
pub(crate) use bevy_egui::EguiMultipassSchedule as EguiSchedule;

/// The parameter of an observer that runs when components are added.
pub(crate) type OnAdd<'w, 't, C> = bevy::prelude::On<'w, 't, bevy::prelude::Add, C>;
/// The parameter of an observer that runs when components are inserted.
pub(crate) type OnInsert<'w, 't, C> = bevy::prelude::On<'w, 't, bevy::prelude::Insert, C>;
/// The parameter of an observer that runs when components are removed.
pub(crate) type OnRemove<'w, 't, C> = bevy::prelude::On<'w, 't, bevy::prelude::Remove, C>;

/// A copy of a reflected value, each part of which can be cloned.
#[cfg(feature = "panel")]
pub(crate) fn to_dynamic(
    value: &dyn bevy::reflect::PartialReflect,
) -> Box<dyn bevy::reflect::PartialReflect> {
    value.to_dynamic()
}

/// The box round a collider of avian.
#[cfg(feature = "avian2d")]
pub(crate) fn collider_box(
    collider: &avian2d::prelude::Collider,
    position: bevy::math::Vec2,
    angle: f32,
) -> avian2d::prelude::ColliderAabb {
    avian2d::prelude::SimpleCollider::aabb(collider, position, angle)
}
