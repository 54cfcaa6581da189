//! Enums whose values have names: the list of all values, and the name of each.

/// Gives an enum `ALL`, its values in this order, and `name`, the name of a value in requests and answers.
#[macro_export]
macro_rules! named {
    ($(#[$doc:meta])* $kind:ty { $($value:ident = $name:literal),+ $(,)? }) => {
        impl $kind {
            $(#[$doc])*
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$value),+];

            /// Its name in requests and answers.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name),+
                }
            }
        }
    };
}

pub use named;
