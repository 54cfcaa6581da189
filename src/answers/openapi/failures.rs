//! Answers other than success. Status, code and sentence are those of [`ApiError`].

use axum::http::StatusCode;

use crate::api::error::ApiError;
use crate::api::schema::{Field, Others, Schema, Shape, Text, always, often};
use crate::limits::{BATCH_BODY_BYTES_MAX, BODY_BYTES_MAX};
use crate::openapi::table::Failure;

/// The header that every answer carries.
pub const REQUEST_ID: Field = always(
    "Service-Request-Id",
    Shape::pattern("^req_[0-9a-f]{32}$"),
    "Tells this request from all others; name it when you report a problem.",
);

/// The header of every answer to a request that wants unknown names refused.
pub const PREFERENCE_APPLIED: Field = often(
    "Preference-Applied",
    Shape::pattern("^handling=strict$"),
    "With every answer to a request that carries `Prefer: handling=strict`.",
);

const CHALLENGE: Field = always(
    "WWW-Authenticate",
    Shape::pattern("^Bearer"),
    "What to authenticate with, and what was wrong (RFC 6750).",
);
const SCOPE_CHALLENGE: Field = often(
    "WWW-Authenticate",
    Shape::pattern("^Bearer"),
    "Names the scope that is missing; with `insufficient_scope` alone.",
);
const RETRY: Field = always("Retry-After", Shape::Whole(0, None), "Seconds after which to try again.");
const RETRY_IF_BUSY: Field = often(
    "Retry-After",
    Shape::Whole(0, None),
    "Seconds after which to try again. Absent if no network of the organization is loaded.",
);
const RATE_POLICY: Field = always(
    "RateLimit-Policy",
    Shape::pattern("^\"credential\";q=[0-9]+;w=[0-9]+$"),
    "How many requests a credential may send at once, `q`, and in how many seconds it gains as many anew, `w`.",
);
const RATE: Field = always(
    "RateLimit",
    Shape::pattern("^\"credential\";r=[0-9]+;t=[0-9]+$"),
    "How many requests are left, `r`, and in how many seconds all are there again, `t`.",
);
const ALLOW: Field = always("Allow", Shape::pattern("^(GET|POST)"), "The methods that the path takes.");

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

    /// The schema of its body.
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

macro_rules! failures {
    ($($make:ident: $name:ident, $schema:ident, $text:literal, $errors:expr, $headers:expr;)+) => {
        $(#[doc = $text]
        #[must_use]
        pub fn $make() -> Failure {
            Failure {
                name: stringify!($name),
                schema_name: stringify!($schema),
                text: $text,
                errors: $errors.into(),
                headers: $headers.into(),
            }
        })+

        /// All failures, each name once.
        #[must_use]
        pub fn all() -> Vec<Failure> {
            vec![$($make()),+]
        }
    };
}

failures! {
    bad_request: BadRequest, BadRequestError,
        "A parameter, or a field of the body, is missing, malformed, out of range, or sent twice where it may be \
         sent once; or is not known, and the request carries `Prefer: handling=strict`. The sentence names it, \
         what was sent and what is accepted.",
        [ApiError::invalid("limit", "51", "a whole number from 1 to 50")], [];
    unauthorized: Unauthorized, UnauthorizedError,
        "The credential is missing, malformed, unknown, revoked or expired.",
        [ApiError::Unauthorized { was_sent: true }], [CHALLENGE];
    forbidden: Forbidden, ForbiddenError,
        "A user token without the scope `mcp:read`.",
        [ApiError::InsufficientScope], [SCOPE_CHALLENGE];
    forbidden_to_keys: ForbiddenToKeys, ForbiddenToKeysError,
        "`forbidden_scope`: an organization key where a user token is needed. `insufficient_scope`: a user token \
         without the scope `mcp:read`.",
        [ApiError::ForbiddenScope("scope=me"), ApiError::InsufficientScope], [SCOPE_CHALLENGE];
    forbidden_outside: ForbiddenOutside, ForbiddenOutsideError,
        "`outside_network`: the person is neither a member nor known by one, or does not exist; the two cannot be \
         distinguished. `insufficient_scope`: a user token without the scope `mcp:read`.",
        [ApiError::OutsideNetwork, ApiError::InsufficientScope], [SCOPE_CHALLENGE];
    not_found: NotFound, NotFoundError,
        "Nobody that you can see: who is outside the network and who does not exist cannot be distinguished. An \
         unknown path is answered alike.",
        [ApiError::NotFound, ApiError::UnknownPath], [];
    method_not_allowed: MethodNotAllowed, MethodNotAllowedError,
        "The path is asked with a method that it does not take.",
        [ApiError::WrongMethod], [ALLOW];
    generation_gone: GenerationGone, GenerationGoneError,
        "`since` is neither the generation in service nor the one before it, or the one before is not kept.",
        [ApiError::GenerationGone], [];
    payload_too_large: PayloadTooLarge, PayloadTooLargeError,
        "The body is longer than 64 KiB.",
        [ApiError::PayloadTooLarge { most: BODY_BYTES_MAX }], [];
    batch_too_large: BatchTooLarge, BatchTooLargeError,
        "The body is longer than 1 MiB.",
        [ApiError::PayloadTooLarge { most: BATCH_BODY_BYTES_MAX }], [];
    unsupported_media_type: UnsupportedMediaType, UnsupportedMediaTypeError,
        "The body comes without `Content-Type: application/json`, or with another type.",
        [ApiError::UnsupportedMediaType], [];
    rate_limited: RateLimited, RateLimitedError,
        "The credential has sent more requests than it may. Only if the operator sets rates; then every answer to \
         a valid credential carries `RateLimit-Policy` and `RateLimit`.",
        [ApiError::RateLimited { retry_after: 1 }], [RETRY, RATE_POLICY, RATE];
    internal: InternalError, InternalError,
        "A fault of the service. The `Service-Request-Id` leads to its log line.",
        [ApiError::Internal], [];
    unavailable: Unavailable, UnavailableError,
        "No network of the organization is loaded, or the service has too much to do.",
        [ApiError::NoSnapshot, ApiError::Unavailable], [RETRY_IF_BUSY];
}

/// The failures of an endpoint for data, including `own`, ordered by status.
#[must_use]
pub fn failures_with(own: impl IntoIterator<Item = Failure>) -> Vec<Failure> {
    let mut failures = vec![bad_request(), unauthorized(), rate_limited()];
    failures.extend(failures_of_all().into_iter().chain(own));
    failures.sort_by_key(Failure::status);
    failures
}

/// Returns the failures that every endpoint has.
#[must_use]
pub fn failures_of_all() -> [Failure; 3] {
    [method_not_allowed(), internal(), unavailable()]
}
