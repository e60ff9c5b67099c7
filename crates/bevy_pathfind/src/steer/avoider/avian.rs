//! Colliders of avian as obstacles.
//!
//! Where an application has avian's physics, avoiders cast against its colliders as well. Contacts of bodies that avian
//! moves are resolved by avian: see [`NavSystems::Motion`](crate::NavSystems) for how to leave movement to it.

/// The back-end for one engine: avian2d and avian3d differ in their number of dimensions.
#[cfg(any(feature = "avian2d", feature = "avian3d"))]
macro_rules! back_end {
    ($engine:ident, $ball:expr, $flat:expr, $whole:expr, $straight:expr) => {
        use bevy::ecs::system::SystemParamItem;
        use bevy::prelude::*;
        use pathfind_core::steer::obstacle::{Cast, Hit};
        use $engine::prelude::{Collider, ShapeCastConfig, SpatialQuery, SpatialQueryFilter};

        use super::super::Physics;

        pub(crate) use $engine::collider_tree::ColliderTrees;

        /// Avian's ray and shape casts.
        pub(crate) type Colliders = SpatialQuery<'static, 'static>;

        impl Physics for Colliders {
            fn sweep(engine: &SystemParamItem<Self>, me: Entity, cast: &Cast) -> Option<Hit> {
                let (origin, direction) = ($flat(cast.origin), $flat(cast.direction).try_into().ok()?);
                let filter = SpatialQueryFilter::from_mask(cast.mask.0).with_excluded_entities([me]);
                if cast.radius <= 0.0 {
                    let hit = engine.cast_ray(origin, direction, cast.max, true, &filter)?;
                    let point = cast.at(hit.distance);
                    let normal = $whole(hit.normal);
                    return Some(Hit { distance: hit.distance, point, normal, who: hit.entity.to_bits() });
                }
                // An agent that touches a collider already hits it only if it moves deeper.
                let config = ShapeCastConfig {
                    ignore_origin_penetration: true,
                    ..ShapeCastConfig::from_max_distance(cast.max)
                };
                let ball = $ball(cast.radius);
                let hit = engine.cast_shape(&ball, origin, $straight, direction, &config, &filter)?;
                let (point, normal) = ($whole(hit.point1), $whole(hit.normal1));
                Some(Hit { distance: hit.distance, point, normal, who: hit.entity.to_bits() })
            }
        }
    };
}

#[cfg(feature = "avian2d")]
pub(crate) mod flat {
    back_end!(avian2d, Collider::circle, Vec3::truncate, |v: Vec2| v.extend(0.0), 0.0);
}

#[cfg(feature = "avian3d")]
pub(crate) mod space {
    back_end!(avian3d, Collider::sphere, |v: Vec3| v, |v: Vec3| v, Quat::IDENTITY);
}
