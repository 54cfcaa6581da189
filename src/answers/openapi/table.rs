//! The rows from which the document and the page are built.
//!
//! Texts may contain `code` between backticks, and blank lines between paragraphs; nothing else in them has a special
//! meaning.

use crate::api::error::ApiError;
use crate::api::route::Route;
use crate::api::schema::{Field, Shape};

/// One operation.
#[derive(Debug)]
pub struct Endpoint {
    /// Its path, method and id, from the router.
    pub route: Route,
    /// The group it is listed in.
    pub tag: &'static str,
    /// Its purpose, in a few words.
    pub summary: &'static str,
    /// Its purpose, in full.
    pub text: &'static str,
    /// The accepted credentials.
    pub access: Access,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// The answer in case of success.
    pub success: Success,
    /// The other answers, ordered by status.
    pub failures: Vec<Failure>,
}

/// The accepted credentials of an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// None is needed, and none is checked.
    Anyone,
    /// An organization key or a user token.
    Either,
    /// A user token alone.
    User,
}

/// The answer in case of success.
#[derive(Debug)]
pub enum Success {
    /// JSON of this schema, with a real answer as an example.
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
    /// The document itself, which has no schema.
    Document,
    /// The page.
    Page,
}

/// A parameter of an endpoint.
#[derive(Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its position in the request.
    pub place: Place,
    /// Whether it is required.
    pub required: bool,
    /// Its values.
    pub shape: Shape,
    /// Its default, as it would be sent; a text in a body without its quotes.
    pub default: Option<String>,
    /// An example value, as sent, that finds something in the demo's organization `org_fernhollow`. Tools send the
    /// examples of all parameters together, so one that others exclude has none.
    pub example: Option<&'static str>,
    /// Its description.
    pub text: &'static str,
}

/// The position of a parameter in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the path.
    Path,
    /// In the query string.
    Query,
    /// A header of the request.
    Header,
    /// A field of the body; an optional one may be null.
    Body,
}

impl Place {
    /// Its name in the document, which puts the fields of a body elsewhere.
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

impl Endpoint {
    /// The parameters in `places`.
    pub fn parameters_in(&self, places: &[Place]) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter().filter(|parameter| places.contains(&parameter.place))
    }
}

/// An answer other than success, shared by several endpoints.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Its name.
    pub name: &'static str,
    /// The name of its body's schema.
    pub schema_name: &'static str,
    /// When it occurs.
    pub text: &'static str,
    /// Its errors, all with the same status.
    pub errors: Vec<ApiError>,
    /// Its headers besides the request id.
    pub headers: Vec<Field>,
}
