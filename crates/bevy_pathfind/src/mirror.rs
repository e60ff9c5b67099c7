//! A macro that mirrors enums of the core with reflection and serde, for panels and files.
//!
//! The core does not depend on `bevy_reflect`: each enum declared with `mirrored!` repeats one of the core, variant
//! by variant.

/// Declares an enum that mirrors one of the core, with conversions in both directions.
macro_rules! mirrored {
    (
        $(#[$meta:meta])*
        $name:ident of $core:path { $($(#[$variant_meta:meta])* $variant:ident),* $(,)? }
    ) => {
        $(#[$meta])*
        #[derive(
            bevy::reflect::Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, Hash, serde::Serialize,
            serde::Deserialize,
        )]
        #[reflect(Default, Debug, PartialEq, Hash, Serialize, Deserialize)]
        #[non_exhaustive]
        pub enum $name { $($(#[$variant_meta])* $variant),* }

        impl $name {
            /// Every choice, in the order of their declaration.
            pub const ALL: &[Self] = &[$(Self::$variant),*];
        }

        impl From<$name> for $core {
            fn from(choice: $name) -> Self {
                match choice { $($name::$variant => Self::$variant),* }
            }
        }

        impl From<$core> for $name {
            /// A variant of the core that has no mirror in this version becomes the default.
            fn from(choice: $core) -> Self {
                Self::ALL.iter().copied().find(|&own| <$core>::from(own) == choice).unwrap_or_default()
            }
        }
    };
}

pub(crate) use mirrored;
