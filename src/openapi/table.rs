//! The rows that the document and the page are made from.
//!
//! Texts may hold `code` between backticks, and blank lines between paragraphs; nothing else in them
//! has a meaning.

use crate::api::error::ApiError;
use crate::api::route::Route;

/// One operation.
#[derive(Debug)]
pub struct Endpoint {
    /// Its path, method and id, as the router has them.
    pub route: Route,
    /// The group it is listed in.
    pub tag: &'static str,
    /// Its purpose, in a few words.
    pub summary: &'static str,
    /// Its purpose, in full.
    pub text: &'static str,
    /// The credentials that it takes.
    pub access: Access,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// The answer if all is well.
    pub success: Success,
    /// The other answers, in the order of their status.
    pub failures: Vec<Failure>,
}

/// The credentials that an endpoint takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// None is needed; one that is sent is not looked at.
    Anyone,
    /// An organization key or a user token.
    Either,
    /// A user token alone.
    User,
}

/// The answer if all is well.
#[derive(Debug)]
pub enum Success {
    /// JSON of this schema, with an answer that was really given.
    Json {
        /// The schema's name.
        schema: &'static str,
        /// Path and query of a request to the demo's organization `org_fernhollow`.
        request: &'static str,
        /// Its body; `None` if it has none.
        body: Option<&'static str>,
        /// Its answer, byte for byte.
        answer: &'static str,
    },
    /// The document itself, which no schema of its own describes.
    Document,
    /// The page.
    Page,
}

/// One thing that an endpoint takes.
#[derive(Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its place in the request.
    pub place: Place,
    /// Whether it must be sent.
    pub required: bool,
    /// The values it takes.
    pub shape: Shape,
    /// The value that applies if it is not sent, as it would be sent; in a body a text without its quotes.
    pub default: Option<String>,
    /// A value to show, as it is sent, which finds something in the demo's organization `org_fernhollow`. Tools send
    /// the examples of all parameters together: one that others exclude has none.
    pub example: Option<&'static str>,
    /// Its meaning, in words.
    pub text: &'static str,
}

/// The place of a parameter in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the path.
    Path,
    /// In the query string.
    Query,
    /// A header of the request.
    Header,
    /// A field of the body; one that need not be sent may be null.
    Body,
}

impl Place {
    /// Its name in the document, which has another place for the fields of a body.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::Header => "header",
            Self::Body => "body",
        }
    }
}

/// A set of values.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A text.
    Text(Text),
    /// One of these texts.
    Choice(Vec<&'static str>),
    /// A whole number from the first to the second; without an upper bound if that is `None`.
    Whole(u64, Option<u64>),
    /// A number.
    Number,
    /// True or false.
    Boolean,
    /// True: the field is left out otherwise.
    True,
    /// The schema of this name.
    Schema(&'static str),
    /// The schema of this name, or null.
    SchemaOrNull(&'static str),
    /// One of these, of which no two take the same value, or null.
    OneOfOrNull(Vec<Shape>),
    /// Any number of these.
    List(Box<Shape>),
    /// One or more of these.
    Some(Box<Shape>),
    /// One or more of these, at most so many.
    UpTo(usize, Box<Shape>),
    /// An object of a body with these fields, and any others; one that need not be there may be null.
    Object(Vec<Field>),
}

/// A set of texts; the default is any text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Text {
    /// The fewest characters.
    pub least: usize,
    /// The most characters.
    pub most: Option<usize>,
    /// A regular expression that it matches.
    pub pattern: Option<&'static str>,
    /// A format that JSON Schema knows.
    pub format: Option<&'static str>,
}

impl Endpoint {
    /// The parameters that stand in `places`.
    pub fn parameters_in(&self, places: &[Place]) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter().filter(|parameter| places.contains(&parameter.place))
    }
}

impl Shape {
    /// Any text.
    pub const TEXT: Self = Self::Text(Text { least: 0, most: None, pattern: None, format: None });

    /// Any number of `item`.
    #[must_use]
    pub fn list(item: Self) -> Self {
        Self::List(Box::new(item))
    }

    /// One or more of `item`.
    #[must_use]
    pub fn some(item: Self) -> Self {
        Self::Some(Box::new(item))
    }

    /// A text that matches `pattern`.
    #[must_use]
    pub const fn pattern(pattern: &'static str) -> Self {
        Self::Text(Text { least: 1, most: None, pattern: Some(pattern), format: None })
    }
}

/// A kind of answer that is no success, shared by the endpoints that give it.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Its name.
    pub name: &'static str,
    /// The name of its body's schema.
    pub schema_name: &'static str,
    /// When it is given.
    pub text: &'static str,
    /// The errors behind it, all of one status.
    pub errors: Vec<ApiError>,
    /// Headers that come with it besides the request id.
    pub headers: Vec<Header>,
}

/// A header of an answer.
#[derive(Clone, Debug)]
pub struct Header {
    /// Its name.
    pub name: &'static str,
    /// The shape of its value.
    pub shape: Shape,
    /// Whether it is always there.
    pub always: bool,
    /// Its text.
    pub text: &'static str,
}

/// The form of an object in an answer.
#[derive(Clone, Debug)]
pub struct Schema {
    /// Its name.
    pub name: &'static str,
    /// Its description.
    pub text: &'static str,
    /// Its fields, in the order in which they are written.
    pub fields: Vec<Field>,
    /// The fields it may have besides.
    pub others: Others,
}

/// The fields that an object may have besides those listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// Nothing so far. A later version may add names: the document does not rule them out.
    Nothing,
    /// Any name with a number.
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
    /// Whether it is always there; it is left out, never null, otherwise.
    pub always: bool,
    /// Its meaning, in words.
    pub text: &'static str,
}
