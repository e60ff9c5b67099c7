//! Components that name entities, as parts of Bevy's scenes.
//!
//! A scene is described before its entities are there, so a component that names one of them has a template, which names
//! it by its place in the scene.

/// Declares the template of a component with public fields. Those under `entities` name entities; those under `settings`
/// are as in the component, and so are their defaults.
macro_rules! templated {
    (
        $(#[$meta:meta])*
        $template:ident of $component:ident {
            entities { $($entity:ident: $kind:ty),* $(,)? }
            settings { $($setting:ident: $value:ty),* $(,)? }
        }
    ) => {
        $(#[$meta])*
        pub struct $template {
            $(
                #[doc = concat!("As in [`", stringify!($component), "`].")]
                pub $entity: <$kind as bevy::ecs::template::FromTemplate>::Template,
            )*
            $(
                #[doc = concat!("As in [`", stringify!($component), "`].")]
                pub $setting: $value,
            )*
        }

        impl Default for $template {
            fn default() -> Self {
                let $component { $($setting,)* .. } = $component::default();
                Self { $($entity: Default::default(),)* $($setting,)* }
            }
        }

        impl bevy::ecs::template::Template for $template {
            type Output = $component;

            fn build_template(
                &self,
                context: &mut bevy::ecs::template::TemplateContext,
            ) -> bevy::ecs::error::Result<$component> {
                Ok($component {
                    $($entity: bevy::ecs::template::Template::build_template(&self.$entity, context)?,)*
                    $($setting: self.$setting,)*
                })
            }

            fn clone_template(&self) -> Self {
                Self {
                    $($entity: bevy::ecs::template::Template::clone_template(&self.$entity),)*
                    $($setting: self.$setting,)*
                }
            }
        }

        impl bevy::ecs::template::FromTemplate for $component {
            type Template = $template;
        }

        // Bevy makes every type that is `Clone`, `Default` and `Unpin` its own template. Not to be `Unpin` keeps a type
        // out of that; Bevy's own derive does the same.
        impl Unpin for $component where for<'a> [()]: bevy::ecs::template::SpecializeFromTemplate {}
    };
}

pub(crate) use templated;
