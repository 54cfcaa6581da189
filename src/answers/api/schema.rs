//! Shapes of requests and answers, and `schema!`: one row per field both writes the field and describes it.

/// A set of values.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A text.
    Text(Text),
    /// One of these texts.
    Choice(Vec<&'static str>),
    /// A whole number from the first to the second; `None` means no upper bound.
    Whole(u64, Option<u64>),
    /// A number.
    Number,
    /// True or false.
    Boolean,
    /// True: otherwise the field is left out.
    True,
    /// The schema with this name.
    Schema(&'static str),
    /// Exactly one of these disjoint shapes, or null.
    OneOfOrNull(Vec<Shape>),
    /// A list of the last, with at least the first and at most the second number of elements; `None` means no upper
    /// bound.
    List(usize, Option<usize>, Box<Shape>),
    /// An object with these fields, and any others; an optional field of a body may be null.
    Object(Vec<Field>),
}

/// A set of texts; the default is any text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Text {
    /// Minimum number of characters.
    pub least: usize,
    /// Maximum number of characters.
    pub most: Option<usize>,
    /// A regular expression that it matches.
    pub pattern: Option<&'static str>,
    /// A format of JSON Schema.
    pub format: Option<&'static str>,
}

/// The form of an object in an answer.
#[derive(Clone, Debug)]
pub struct Schema {
    /// Its name.
    pub name: &'static str,
    /// Its description.
    pub text: &'static str,
    /// Its fields, in the order written.
    pub fields: Vec<Field>,
    /// Further fields it may have.
    pub others: Others,
}

/// Further fields of an object, besides those listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// None so far. A later version may add names: the document does not rule them out.
    Nothing,
    /// Any name, with a number.
    Numbers,
    /// Anything.
    Anything,
}

/// One field of an object.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// The shape of its value.
    pub shape: Shape,
    /// Whether it is always present; otherwise it is left out, never null.
    pub always: bool,
    /// Its description.
    pub text: &'static str,
}

/// Any text.
pub const TEXT: Shape = Shape::Text(Text { least: 0, most: None, pattern: None, format: None });
/// A score: whole, from 0 to 100.
pub const SCORE: Shape = Shape::Whole(0, Some(100));
/// A number of things.
pub const COUNT: Shape = Shape::Whole(0, None);
/// The id of a person.
pub const PERSON_ID: Shape = Shape::pattern("^person_");
/// The id of a company.
pub const COMPANY_ID: Shape = Shape::pattern("^company_");
/// The id of a member.
pub const USER_ID: Shape = Shape::pattern("^user_");
/// A moment, in UTC with milliseconds.
pub const MOMENT: Shape = Shape::Text(Text {
    least: 0,
    most: None,
    pattern: Some(r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$"),
    format: Some("date-time"),
});

/// A day.
pub const DAY: Shape =
    Shape::Text(Text { least: 0, most: None, pattern: Some(r"^\d{4}-\d{2}-\d{2}$"), format: Some("date") });

impl Schema {
    /// An object with the fields that `describe` appends.
    pub(crate) fn of(name: &'static str, text: &'static str, describe: fn(&mut Vec<Field>)) -> Self {
        let mut fields = Vec::new();
        describe(&mut fields);
        Self { name, text, fields, others: Others::Nothing }
    }
}

impl Shape {
    /// One of `names`.
    #[must_use]
    pub fn choice(names: impl Into<Vec<&'static str>>) -> Self {
        Self::Choice(names.into())
    }

    /// Any number of `item`.
    #[must_use]
    pub fn list(item: Self) -> Self {
        Self::List(0, None, Box::new(item))
    }

    /// One or more of `item`.
    #[must_use]
    pub fn some(item: Self) -> Self {
        Self::List(1, None, Box::new(item))
    }

    /// A text that matches `pattern`.
    #[must_use]
    pub const fn pattern(pattern: &'static str) -> Self {
        Self::Text(Text { least: 1, most: None, pattern: Some(pattern), format: None })
    }
}

/// A field that is always present.
#[must_use]
pub const fn always(name: &'static str, shape: Shape, text: &'static str) -> Field {
    Field { name, shape, always: true, text }
}

/// A field that is left out if it has no value.
#[must_use]
pub const fn often(name: &'static str, shape: Shape, text: &'static str) -> Field {
    Field { name, shape, always: false, text }
}

/// Declares objects of answers: each is a type that is built from a value, writes its fields and describes them.
///
/// A row is `"key": SHAPE => value, "text";`. The key has a `?` if the field is left out where the value is `None`. A
/// shape is a constant, an expression in parentheses, the name of another object in braces (with `| null` if its value
/// may be `None`), or a list in brackets. `..Name => value;` includes the rows of another object; an object without a
/// text exists only to be included.
macro_rules! schema {
    ($($name:ident($value:tt: $type:ty) $($text:literal)? { $($rows:tt)* })+) => {$(
        pub(crate) struct $name;

        impl $name {
            /// Appends the descriptions of its fields to `fields`.
            pub(crate) fn describe(fields: &mut Vec<$crate::api::schema::Field>) {
                $crate::api::schema::describe_rows!(fields $($rows)*);
            }

            /// Writes its fields.
            pub(crate) fn write(json: &mut $crate::api::json::Json, $value: $type) {
                $crate::api::schema::write_rows!(json $($rows)*);
            }
            $(
            /// Describes it.
            pub(crate) fn schema() -> $crate::api::schema::Schema {
                $crate::api::schema::Schema::of(stringify!($name), $text, Self::describe)
            }
            )?
        }
    )+};
}

macro_rules! write_rows {
    ($json:ident) => {};
    ($json:ident ..$part:ident => $value:expr; $($rest:tt)*) => {
        $part::write($json, $value);
        $crate::api::schema::write_rows!($json $($rest)*);
    };
    ($json:ident $key:literal?: $shape:tt => $value:expr, $text:expr; $($rest:tt)*) => {
        if let Some(value) = $value {
            $crate::api::schema::write_row!($json $key $shape value);
        }
        $crate::api::schema::write_rows!($json $($rest)*);
    };
    ($json:ident $key:literal: $shape:tt => $value:expr, $text:expr; $($rest:tt)*) => {
        $crate::api::schema::write_row!($json $key $shape $value);
        $crate::api::schema::write_rows!($json $($rest)*);
    };
}

macro_rules! write_row {
    ($json:ident $key:literal { $name:ident } $value:expr) => {
        $json.object_field($key, |json| $name::write(json, $value))
    };
    ($json:ident $key:literal { $name:ident | null } $value:expr) => {
        match $value {
            Some(value) => $json.object_field($key, |json| $name::write(json, value)),
            None => $json.null($key),
        }
    };
    ($json:ident $key:literal [{ $name:ident }] $value:expr) => {
        $json.array_field($key, $value, |json, item| json.object(|json| $name::write(json, item)))
    };
    ($json:ident $key:literal [$item:tt] $value:expr) => {
        $json.array_field($key, $value, |json, item| json.element(item))
    };
    ($json:ident $key:literal $shape:tt $value:expr) => {
        $json.field($key, $value)
    };
}

macro_rules! describe_rows {
    ($fields:ident) => {};
    ($fields:ident ..$part:ident => $value:expr; $($rest:tt)*) => {
        $part::describe($fields);
        $crate::api::schema::describe_rows!($fields $($rest)*);
    };
    ($fields:ident $key:literal?: $shape:tt => $value:expr, $text:expr; $($rest:tt)*) => {
        $fields.push($crate::api::schema::often($key, $crate::api::schema::shape!($shape), $text));
        $crate::api::schema::describe_rows!($fields $($rest)*);
    };
    ($fields:ident $key:literal: $shape:tt => $value:expr, $text:expr; $($rest:tt)*) => {
        $fields.push($crate::api::schema::always($key, $crate::api::schema::shape!($shape), $text));
        $crate::api::schema::describe_rows!($fields $($rest)*);
    };
}

macro_rules! shape {
    ({ $name:ident }) => {
        $crate::api::schema::Shape::Schema(stringify!($name))
    };
    ({ $name:ident | null }) => {
        $crate::api::schema::Shape::OneOfOrNull(vec![$crate::api::schema::shape!({ $name })])
    };
    ([$item:tt]) => {
        $crate::api::schema::Shape::list($crate::api::schema::shape!($item))
    };
    ($shape:expr) => {
        $shape
    };
}

pub(crate) use {describe_rows, schema, shape, write_row, write_rows};
