//! Scene templates for components that refer to entities.
//!
//! A Bevy scene is described before its entities exist. A component that refers to an entity of the scene therefore
//! has a template, in which the entity is named by its place in the scene.

/// Declares the template of a component with public fields. Fields under `entities` refer to entities; fields under
/// `settings` have the type and the default that they have in the component.
macro_rules! templated {
    (
        $(#[$meta:meta])*
        $template:ident of $component:ident {
            entities { $($entity:ident: $kind:ty),* $(,)? }
            settings { $($setting:ident: $value:ty),* $(,)? }
        }
    ) => {
        $(#[$meta])*
        #[expect(missing_debug_implementations, reason = "templates that Bevy derives have none")]
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

        // Bevy makes every type that is `Clone`, `Default` and `Unpin` its own template. A type that is not `Unpin`
        // is exempt; Bevy's own derive uses the same trick.
        impl Unpin for $component where for<'a> [()]: bevy::ecs::template::SpecializeFromTemplate {}
    };
}

pub(crate) use templated;
