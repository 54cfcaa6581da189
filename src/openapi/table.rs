//! The rows that the document and the page are made from.
//!
//! Texts may hold `code` between backticks, and blank lines between paragraphs; nothing else in them
//! has a meaning.

use crate::api::error::ApiError;
use crate::api::route::Route;
use crate::api::schema::{Field, Shape};

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

impl Endpoint {
    /// The parameters that stand in `places`.
    pub fn parameters_in(&self, places: &[Place]) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter().filter(|parameter| places.contains(&parameter.place))
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
    pub headers: Vec<Field>,
}
