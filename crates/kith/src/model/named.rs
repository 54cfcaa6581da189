//! Enums with named values: the list of all values, and the name of each.

/// Gives an enum `ALL`, its values in this order, and `name`, the name of a value in requests and answers. `as` renames
/// that function; with two names, each value has two texts.
#[macro_export]
macro_rules! named {
    ($(#[$doc:meta])* $kind:ty { $($rows:tt)+ }) => {
        $crate::model::named::named! { $(#[$doc])* $kind as name { $($rows)+ } }
    };
    ($(#[$doc:meta])* $kind:ty as $name:ident { $($value:ident $(($part:path))? = $text:literal),+ $(,)? }) => {
        $crate::model::named::named! { $(#[$doc])* @all $kind { $($value $(($part))?),+ } }
        $crate::model::named::named! { @text $kind, $name { $($value $(($part))? = $text),+ } }
    };
    ($(#[$doc:meta])* $kind:ty as $name:ident, $other:ident {
        $($value:ident = $text:literal, $more:literal);+ $(;)?
    }) => {
        $crate::model::named::named! { $(#[$doc])* @all $kind { $($value),+ } }
        $crate::model::named::named! { @text $kind, $name { $($value = $text),+ } }
        $crate::model::named::named! { @text $kind, $other { $($value = $more),+ } }
    };
    ($(#[$doc:meta])* @all $kind:ty { $($value:ident $(($part:path))?),+ }) => {
        impl $kind {
            $(#[$doc])*
            pub const ALL: [Self; [$(stringify!($value)),+].len()] = [$(Self::$value $(($part))?),+];
        }
    };
    (@text $kind:ty, $name:ident { $($value:ident $(($part:path))? = $text:literal),+ }) => {
        impl $kind {
            #[doc = concat!("Its ", stringify!($name), ", as it is written.")]
            #[must_use]
            pub const fn $name(self) -> &'static str {
                match self {
                    $(Self::$value $(($part))? => $text),+
                }
            }
        }
    };
}

pub use named;
