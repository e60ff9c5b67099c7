//! Choices of the core as types that panels and files can name.
//!
//! The core knows no reflection: each enum that is declared here is the core's, variant by variant.

/// Declares an enum that mirrors one of the core, with the ways there and back.
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
            /// One that this version has no name for becomes the default.
            fn from(choice: $core) -> Self {
                Self::ALL.iter().copied().find(|&own| <$core>::from(own) == choice).unwrap_or_default()
            }
        }
    };
}

pub(crate) use mirrored;
