//! Errors as callers see them: one enum, and one place for their status, code and headers.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::api::json::Json;
use crate::limits::{ANSWER_BYTES_MAX, HEAD_BYTES_MAX, HEAD_FIELDS_MAX};
use kith::limits::ECHO_CHARS_MAX;

/// Everything that can be wrong with a request, or with us.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ApiError {
    /// No such path.
    UnknownPath,
    /// A malformed path or id, with its fault.
    OfNoForm(String),
    /// The path exists, the method does not; the router adds `Allow`.
    WrongMethod,
    /// No credential, or an invalid one.
    Unauthorized {
        /// Whether a credential was sent.
        was_sent: bool,
    },
    /// No token of a feed, or one that is not good, where a feed is asked for.
    NoFeedToken,
    /// The caller's organization has no snapshot in service.
    NoSnapshot,
    /// The service is overloaded.
    Unavailable,
    /// The credential exceeded its rate.
    RateLimited {
        /// Seconds until it may send the next request.
        retry_after: u64,
    },
    /// An address that sent too many wrong link codes.
    TooManyCodes {
        /// Seconds until it may send the next code.
        retry_after: u64,
    },
    /// A user token without the read scope.
    InsufficientScope,
    /// An organization key for this operation, which needs a user token.
    ForbiddenScope(&'static str),
    /// A user token without the write scope.
    InsufficientWriteScope,
    /// An event that only others may report, with its owner.
    Forbidden(String),
    /// A conflict with the current state.
    Conflict(String),
    /// A preference against an ask.
    DoNotAsk(String),
    /// The requested person is not in the network, or does not exist: the same bytes for both.
    NotFound,
    /// The person whose network is requested is outside, or does not exist: the same bytes for both.
    OutsideNetwork,
    /// The generation in `since` is neither in service nor kept.
    GenerationGone,
    /// A request to the operator's listener by a host that is not allowed.
    ForbiddenHost,
    /// A request to the operator's listener from a web page.
    ForbiddenOrigin,
    /// A request to the agents' endpoint by a host that is not allowed.
    ForbiddenMcpHost,
    /// A request to the agents' endpoint from a web page that is not allowed.
    ForbiddenMcpOrigin,
    /// An agent that does not accept the answer's content type.
    NotAcceptable,
    /// An invalid parameter or field.
    Validation {
        /// Its name.
        parameter: String,
        /// The value sent; `None` if it is missing.
        got: Option<String>,
        /// The accepted values, in words.
        expected: String,
    },
    /// A request that cannot be read as HTTP.
    MalformedRequest,
    /// A head of too many bytes or fields.
    HeadTooLarge,
    /// A request that came too slowly.
    RequestTimeout,
    /// A body of another type than JSON.
    UnsupportedMediaType,
    /// A body of too many bytes.
    PayloadTooLarge {
        /// Maximum size there, in bytes.
        most: usize,
    },
    /// The answer would exceed the maximum size.
    AnswerTooLong {
        /// The endpoint or parameter to use instead.
        instead: &'static str,
    },
    /// We failed; the request id leads to the log line.
    Internal,
}

impl ApiError {
    /// An invalid value.
    #[must_use]
    pub fn invalid(parameter: &str, got: &str, expected: impl Into<String>) -> Self {
        Self::Validation { parameter: cut(parameter), got: Some(cut(got)), expected: expected.into() }
    }

    /// A path that no route has.
    #[must_use]
    pub fn unknown_path(path: &str) -> Self {
        let wrong = if path.contains("//") {
            "The path has a slash too many"
        } else if path.starts_with("/api/v1/api/v1") {
            "The path has /api/v1 twice"
        } else if path.contains('%') {
            "The path has percent-encoded characters, which are sent as they are outside of an id"
        } else if path.len() > 1 && path.ends_with('/') {
            "The path ends with a slash"
        } else if !path.starts_with("/api/v1/")
            && ["/v1/", "/api/"].iter().any(|start| path.starts_with(start))
        {
            "The paths of the API begin with /api/v1/"
        } else {
            return Self::UnknownPath;
        };
        Self::OfNoForm(format!("{wrong}; /api/v1/openapi.json lists the paths."))
    }

    /// A required value that was not sent, or sent blank.
    #[must_use]
    pub fn missing(parameter: &str, expected: impl Into<String>) -> Self {
        Self::Validation { parameter: cut(parameter), got: None, expected: expected.into() }
    }

    /// The HTTP status, and a code for programs.
    const fn kind(&self) -> (StatusCode, &'static str) {
        match self {
            Self::UnknownPath | Self::OfNoForm(_) | Self::NotFound => (StatusCode::NOT_FOUND, "not_found"),
            Self::OutsideNetwork => (StatusCode::FORBIDDEN, "outside_network"),
            Self::WrongMethod => (StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed"),
            Self::Unauthorized { .. } | Self::NoFeedToken => (StatusCode::UNAUTHORIZED, "unauthorized"),
            Self::NoSnapshot | Self::Unavailable => (StatusCode::SERVICE_UNAVAILABLE, "unavailable"),
            Self::RateLimited { .. } | Self::TooManyCodes { .. } => {
                (StatusCode::TOO_MANY_REQUESTS, "rate_limited")
            }
            Self::InsufficientScope | Self::InsufficientWriteScope => {
                (StatusCode::FORBIDDEN, "insufficient_scope")
            }
            Self::Forbidden(_) => (StatusCode::FORBIDDEN, "forbidden"),
            Self::Conflict(_) => (StatusCode::CONFLICT, "conflict"),
            Self::DoNotAsk(_) => (StatusCode::CONFLICT, "do_not_ask"),
            Self::ForbiddenScope(_) => (StatusCode::FORBIDDEN, "forbidden_scope"),
            Self::ForbiddenHost | Self::ForbiddenMcpHost => (StatusCode::FORBIDDEN, "forbidden_host"),
            Self::ForbiddenOrigin | Self::ForbiddenMcpOrigin => (StatusCode::FORBIDDEN, "forbidden_origin"),
            Self::NotAcceptable => (StatusCode::NOT_ACCEPTABLE, "not_acceptable"),
            Self::Validation { .. } | Self::MalformedRequest | Self::AnswerTooLong { .. } => {
                (StatusCode::BAD_REQUEST, "validation_error")
            }
            Self::GenerationGone => (StatusCode::GONE, "generation_gone"),
            Self::HeadTooLarge => (StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "headers_too_large"),
            Self::RequestTimeout => (StatusCode::REQUEST_TIMEOUT, "request_timeout"),
            Self::UnsupportedMediaType => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type"),
            Self::PayloadTooLarge { .. } => (StatusCode::PAYLOAD_TOO_LARGE, "payload_too_large"),
            Self::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "internal_error"),
        }
    }

    /// The HTTP status.
    #[must_use]
    pub const fn status(&self) -> StatusCode {
        self.kind().0
    }

    /// The error code for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        self.kind().1
    }

    /// The error sentence for people.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            Self::UnknownPath | Self::NotFound => {
                "There is nothing here that you can see; /api/v1/openapi.json lists the paths.".into()
            }
            Self::OutsideNetwork => {
                "This person is neither a member of your organization nor known by one.".into()
            }
            Self::WrongMethod => "This path does not take this method; see the Allow header.".into(),
            Self::Unauthorized { was_sent: false } => {
                "No credential was sent; send one as \"Authorization: Bearer <credential>\".".into()
            }
            Self::Unauthorized { was_sent: true } => "The credential that was sent does not hold: it is unknown, revoked or expired, or \
                not sent once as \"Authorization: Bearer <credential>\".".into(),
            Self::NoFeedToken => "A feed takes a token of its own, as the password of HTTP Basic; the user name is ignored. What was \
                sent is none, or it is revoked or expired.".into(),
            Self::NoSnapshot => {
                "No snapshot of your organization is in service; ask the people who run kith to load it.".into()
            }
            Self::Unavailable => "This cannot be answered right now; try again in a moment.".into(),
            Self::RateLimited { retry_after } => {
                format!("This credential has sent too many requests; send the next in {retry_after} s.")
            }
            Self::TooManyCodes { retry_after } => {
                format!("Too many links that do not hold came from this address; try again in {retry_after} s.")
            }
            Self::InsufficientScope => "This token lacks the scope mcp:read.".into(),
            Self::InsufficientWriteScope => "This token lacks the scope mcp:write.".into(),
            Self::OfNoForm(said) | Self::Forbidden(said) | Self::Conflict(said) | Self::DoNotAsk(said) => said.clone(),
            Self::ForbiddenScope(what) => {
                format!("{what} needs a user-scoped token; an organization API key cannot be used.")
            }
            Self::ForbiddenHost => "This listener is not asked by that Host; the configuration key admin.hosts names further ones.".into(),
            Self::ForbiddenOrigin => "This listener answers no web page; send the request without Origin.".into(),
            Self::ForbiddenMcpHost => {
                "Agents do not ask by that Host; the configuration keys mcp.public_url and mcp.hosts name further ones.".into()
            }
            Self::ForbiddenMcpOrigin => {
                "No web page of that Origin may ask here; the configuration key mcp.origins names those that may.".into()
            }
            Self::NotAcceptable => "Send \"Accept: application/json, text/event-stream\".".into(),
            Self::Validation { parameter, got: Some(got), expected } => {
                format!("{parameter} was \"{got}\"; expected {expected}.")
            }
            Self::Validation { parameter, got: None, expected } => {
                format!("{parameter} is missing; expected {expected}.")
            }
            Self::MalformedRequest => {
                "The request cannot be read as HTTP/1.1; send one Host header and well-formed lines.".into()
            }
            Self::GenerationGone => {
                "That generation is not kept here any more; go on from the one that the header Service-Generation names.".into()
            }
            Self::HeadTooLarge => format!(
                "The request line and headers are longer than {HEAD_BYTES_MAX} bytes, or more than {HEAD_FIELDS_MAX} headers."
            ),
            Self::RequestTimeout => "The request did not arrive in time; send it whole and at once.".into(),
            Self::UnsupportedMediaType => "Send the body with \"Content-Type: application/json\".".into(),
            Self::PayloadTooLarge { most } => format!("The body is longer than {most} bytes."),
            Self::AnswerTooLong { instead } => {
                format!("The answer would have more than {} MiB; ask for {instead}.", ANSWER_BYTES_MAX >> 20)
            }
            Self::Internal => "Something went wrong in kith. Give the people who run it the Service-Request-Id.".into(),
        }
    }
}

/// The first characters of a refused value or name: both come from a caller.
fn cut(value: &str) -> String {
    value.chars().take(ECHO_CHARS_MAX).collect()
}

impl ApiError {
    /// The JSON body of this error.
    #[must_use]
    pub fn body(&self) -> Vec<u8> {
        self.json().into_bytes()
    }

    fn json(&self) -> Json {
        let mut body = Json::default();
        body.object(|body| {
            body.field("error", &self.sentence());
            body.field("code", self.code());
        });
        body
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status(), self.json()).into_response();
        let headers = response.headers_mut();
        match self {
            Self::Unauthorized { was_sent } => {
                let challenge = if was_sent { "Bearer error=\"invalid_token\"" } else { "Bearer" };
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
            }
            Self::NoFeedToken => {
                let challenge = "Basic realm=\"kith feed\", charset=\"UTF-8\"";
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
            }
            Self::InsufficientScope => {
                let challenge = "Bearer error=\"insufficient_scope\", scope=\"mcp:read\"";
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
            }
            Self::InsufficientWriteScope => {
                let challenge = "Bearer error=\"insufficient_scope\", scope=\"mcp:write\"";
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
            }
            Self::Unavailable => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
            }
            Self::RateLimited { retry_after } | Self::TooManyCodes { retry_after } => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from(retry_after));
            }
            _ => {}
        }
        response
    }
}
