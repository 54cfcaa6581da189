//! The answers that are no success. Status, code and sentence are those of [`ApiError`] itself.

use axum::http::StatusCode;

use crate::api::error::ApiError;
use crate::api::schema::{Others, Schema, Shape, Text, always};
use crate::limits::{BATCH_BODY_BYTES_MAX, BODY_BYTES_MAX};
use crate::openapi::table::{Failure, Header};

/// The header that every answer carries.
pub const REQUEST_ID: Header = Header {
    name: "Service-Request-Id",
    shape: Shape::pattern("^req_[0-9a-f]{32}$"),
    always: true,
    text: "Tells this request from all others; name it when you report a problem.",
};

/// The header of every answer to a request that wants unknown names refused.
pub const PREFERENCE_APPLIED: Header = Header {
    name: "Preference-Applied",
    shape: Shape::pattern("^handling=strict$"),
    always: false,
    text: "With every answer to a request that carries `Prefer: handling=strict`.",
};

const CHALLENGE: Header = Header {
    name: "WWW-Authenticate",
    shape: Shape::pattern("^Bearer"),
    always: true,
    text: "What to authenticate with, and what was wrong (RFC 6750).",
};
const SCOPE_CHALLENGE: Header = Header {
    name: "WWW-Authenticate",
    shape: Shape::pattern("^Bearer"),
    always: false,
    text: "Names the scope that is missing; with `insufficient_scope` alone.",
};
const RETRY: Header = Header {
    name: "Retry-After",
    shape: Shape::Whole(0, None),
    always: true,
    text: "Seconds after which to try again.",
};
const RETRY_IF_BUSY: Header = Header {
    always: false,
    text: "Seconds after which to try again. Absent if no network of the organization is loaded.",
    ..RETRY
};
const RATE_POLICY: Header = Header {
    name: "RateLimit-Policy",
    shape: Shape::pattern("^\"credential\";q=[0-9]+;w=[0-9]+$"),
    always: true,
    text: "How many requests a credential may send at once, `q`, and in how many seconds it gains as many anew, `w`.",
};
const RATE: Header = Header {
    name: "RateLimit",
    shape: Shape::pattern("^\"credential\";r=[0-9]+;t=[0-9]+$"),
    always: true,
    text: "How many requests are left, `r`, and in how many seconds all are there again, `t`.",
};
const ALLOW: Header = Header {
    name: "Allow",
    shape: Shape::pattern("^(GET|POST)"),
    always: true,
    text: "The methods that the path takes.",
};

impl Failure {
    /// Its status.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.errors.first().map_or(StatusCode::INTERNAL_SERVER_ERROR, ApiError::status)
    }

    /// The first error of each code.
    pub fn distinct(&self) -> impl Iterator<Item = &ApiError> {
        let is_first = |(place, error): &(usize, &ApiError)| {
            self.errors[..*place].iter().all(|earlier| earlier.code() != error.code())
        };
        self.errors.iter().enumerate().filter(is_first).map(|(_, error)| error)
    }

    /// The form of its body.
    #[must_use]
    pub fn schema(&self) -> Schema {
        let codes = self.distinct().map(ApiError::code).collect();
        let sentence = Text { least: 1, ..Text::default() };
        let fields = vec![
            always("error", Shape::Text(sentence), "What is wrong, in a sentence that a person can act on."),
            always("code", Shape::Choice(codes), "What is wrong, in a word that a program can act on."),
        ];
        Schema { name: self.schema_name, text: self.text, fields, others: Others::Nothing }
    }
}

/// Every failure there is, each name once.
#[must_use]
pub fn all() -> Vec<Failure> {
    vec![
        bad_request(),
        unauthorized(),
        forbidden(),
        forbidden_to_keys(),
        forbidden_outside(),
        not_found(),
        method_not_allowed(),
        generation_gone(),
        payload_too_large(),
        batch_too_large(),
        unsupported_media_type(),
        rate_limited(),
        internal(),
        unavailable(),
    ]
}

/// A parameter, or a field of the body, that cannot be taken.
#[must_use]
pub fn bad_request() -> Failure {
    Failure {
        name: "BadRequest",
        schema_name: "BadRequestError",
        text: "A parameter, or a field of the body, is missing, malformed, out of range, or sent twice where \
               it may be sent once; or is not known, and the request carries `Prefer: handling=strict`. The sentence names it, what was sent and what is accepted.",
        errors: vec![ApiError::invalid("limit", "51", "a whole number from 1 to 50")],
        headers: Vec::new(),
    }
}

/// No good credential.
#[must_use]
pub fn unauthorized() -> Failure {
    Failure {
        name: "Unauthorized",
        schema_name: "UnauthorizedError",
        text: "The credential is missing, malformed, unknown, revoked or expired.",
        errors: vec![ApiError::Unauthorized { was_sent: true }],
        headers: vec![CHALLENGE],
    }
}

/// A token that may not read.
#[must_use]
pub fn forbidden() -> Failure {
    Failure {
        name: "Forbidden",
        schema_name: "ForbiddenError",
        text: "A user token without the scope `mcp:read`.",
        errors: vec![ApiError::InsufficientScope],
        headers: vec![SCOPE_CHALLENGE],
    }
}

/// A token that may not read, or a key although a token is needed.
#[must_use]
pub fn forbidden_to_keys() -> Failure {
    Failure {
        name: "ForbiddenToKeys",
        schema_name: "ForbiddenToKeysError",
        text: "`forbidden_scope`: an organization key where a user token is needed. \
               `insufficient_scope`: a user token without the scope `mcp:read`.",
        errors: vec![ApiError::ForbiddenScope("scope=me"), ApiError::InsufficientScope],
        headers: vec![SCOPE_CHALLENGE],
    }
}

/// A token that may not read, or a person outside.
#[must_use]
pub fn forbidden_outside() -> Failure {
    Failure {
        name: "ForbiddenOutside",
        schema_name: "ForbiddenOutsideError",
        text: "`outside_network`: the person is neither a member nor known by one, or does not exist; the \
               two cannot be distinguished. `insufficient_scope`: a user token without the scope `mcp:read`.",
        errors: vec![ApiError::OutsideNetwork, ApiError::InsufficientScope],
        headers: vec![SCOPE_CHALLENGE],
    }
}

/// Nobody that the caller can see. Unknown paths are answered alike.
#[must_use]
pub fn not_found() -> Failure {
    Failure {
        name: "NotFound",
        schema_name: "NotFoundError",
        text: "Nobody that you can see: who is outside the network and who does not exist cannot be \
               distinguished. An unknown path is answered alike.",
        errors: vec![ApiError::NotFound, ApiError::UnknownPath],
        headers: Vec::new(),
    }
}

/// Another method than the path takes.
#[must_use]
pub fn method_not_allowed() -> Failure {
    Failure {
        name: "MethodNotAllowed",
        schema_name: "MethodNotAllowedError",
        text: "The path is asked with a method that it does not take.",
        errors: vec![ApiError::WrongMethod],
        headers: vec![ALLOW],
    }
}

/// A generation that cannot be compared any more.
#[must_use]
pub fn generation_gone() -> Failure {
    Failure {
        name: "GenerationGone",
        schema_name: "GenerationGoneError",
        text: "`since` is neither the generation in service nor the one before it, or the one before is not kept.",
        errors: vec![ApiError::GenerationGone],
        headers: Vec::new(),
    }
}

/// A body of too many bytes.
#[must_use]
pub fn payload_too_large() -> Failure {
    Failure {
        name: "PayloadTooLarge",
        schema_name: "PayloadTooLargeError",
        text: "The body is longer than 64 KiB.",
        errors: vec![ApiError::PayloadTooLarge { most: BODY_BYTES_MAX }],
        headers: Vec::new(),
    }
}

/// A batch of too many bytes.
#[must_use]
pub fn batch_too_large() -> Failure {
    Failure {
        name: "BatchTooLarge",
        schema_name: "BatchTooLargeError",
        text: "The body is longer than 1 MiB.",
        errors: vec![ApiError::PayloadTooLarge { most: BATCH_BODY_BYTES_MAX }],
        headers: Vec::new(),
    }
}

/// A body that does not say it is JSON.
#[must_use]
pub fn unsupported_media_type() -> Failure {
    Failure {
        name: "UnsupportedMediaType",
        schema_name: "UnsupportedMediaTypeError",
        text: "The body comes without `Content-Type: application/json`, or with another type.",
        errors: vec![ApiError::UnsupportedMediaType],
        headers: Vec::new(),
    }
}

/// More requests than the operator lets a credential send.
#[must_use]
pub fn rate_limited() -> Failure {
    Failure {
        name: "RateLimited",
        schema_name: "RateLimitedError",
        text: "The credential has sent more requests than it may. Only if the operator sets rates; then every answer to a \
               valid credential carries `RateLimit-Policy` and `RateLimit`.",
        errors: vec![ApiError::RateLimited { retry_after: 1 }],
        headers: vec![RETRY, RATE_POLICY, RATE],
    }
}

/// A fault of ours.
#[must_use]
pub fn internal() -> Failure {
    Failure {
        name: "InternalError",
        schema_name: "InternalError",
        text: "A fault of the service. The `Service-Request-Id` leads to its log line.",
        errors: vec![ApiError::Internal],
        headers: Vec::new(),
    }
}

/// Nothing to answer from, or too much to do.
#[must_use]
pub fn unavailable() -> Failure {
    Failure {
        name: "Unavailable",
        schema_name: "UnavailableError",
        text: "No network of the organization is loaded, or the service has too much to do.",
        errors: vec![ApiError::NoSnapshot, ApiError::Unavailable],
        headers: vec![RETRY_IF_BUSY],
    }
}

/// Those of an endpoint for data: `forbidden` is its 403, and `own` what it alone has.
#[must_use]
pub fn failures_with(forbidden: Failure, own: Option<Failure>) -> Vec<Failure> {
    let [wrong_method, internal, unavailable] = failures_of_all();
    let first = [bad_request(), unauthorized(), forbidden];
    first.into_iter().chain(own).chain([wrong_method, rate_limited(), internal, unavailable]).collect()
}

/// Returns the failures that every endpoint has.
#[must_use]
pub fn failures_of_all() -> [Failure; 3] {
    [method_not_allowed(), internal(), unavailable()]
}
