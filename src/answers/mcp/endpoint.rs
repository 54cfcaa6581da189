//! `POST /mcp` beside the API, and the metadata on who issues tokens for it.
//!
//! It keeps nothing between requests: each brings its credential, and any process can answer it. The checks before the
//! protocol are those of every API request: credential, rate, network, scope, body.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use crate::api::body;
use crate::api::caller::Caller;
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::api::marks::{AnsweredFrom, Cause};
use crate::api::state::ApiState;
use crate::limits::{BODY_BYTES_MAX, MCP_ANSWER_BYTES_MAX};
use crate::mcp::asker::Asker;
use crate::mcp::server::{CallFailure, ToolServer};
use crate::mcp::settings::{METADATA_PATH, McpSettings, PATH, Resource};

/// The header with the version of the protocol.
const VERSION: &str = "mcp-protocol-version";
/// Bytes read of rmcp's own answers: more than any has.
const REFUSAL_BYTES_MAX: usize = 4 * MCP_ANSWER_BYTES_MAX;

/// State shared by all requests.
#[derive(Debug)]
struct Shared {
    config: StreamableHttpServerConfig,
    tokens: Option<Resource>,
}

/// The routes of agents.
pub fn routes(settings: &McpSettings) -> Router<Arc<ApiState>> {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(BODY_BYTES_MAX)
        .with_allowed_hosts(settings.allowed_hosts())
        .with_allowed_origins(settings.allowed_origins());
    let shared = Arc::new(Shared { config, tokens: settings.tokens() });
    let mut routes = Router::new();
    if shared.tokens.is_some() {
        for path in [METADATA_PATH.to_owned(), format!("{METADATA_PATH}{PATH}")] {
            let shared = Arc::clone(&shared);
            let answer =
                async move |State(state): State<Arc<ApiState>>| metadata(shared.tokens.as_ref(), &state);
            routes = routes.route(&path, get(answer));
        }
    }
    let answer = move |State(state): State<Arc<ApiState>>, request: Request| {
        let shared = Arc::clone(&shared);
        async move { shared.answer(state, request).await }
    };
    routes.route(PATH, post(answer))
}

/// Answers with the metadata for clients without a token (RFC 9728). Names the write scope only in a service with asks.
fn metadata(tokens: Option<&Resource>, state: &ApiState) -> Result<Response, ApiError> {
    let tokens = tokens.ok_or(ApiError::UnknownPath)?;
    let scopes = ["mcp:read", "mcp:write"].into_iter().take(1 + usize::from(state.asks.is_some()));
    let mut json = Json::default();
    json.object(|json| {
        json.field("resource", &tokens.url);
        json.array_field("authorization_servers", [&tokens.issuer], |json, issuer| json.element(issuer));
        json.array_field("scopes_supported", scopes, |json, scope| json.element(scope));
        json.array_field("bearer_methods_supported", ["header"], |json, way| json.element(way));
    });
    Ok(([(header::CONTENT_TYPE, "application/json")], json.into_bytes()).into_response())
}

impl Shared {
    async fn answer(&self, state: Arc<ApiState>, request: Request) -> Response {
        let (mut parts, body) = request.into_parts();
        let caller = match Caller::from_request_parts(&mut parts, &state).await {
            Ok(caller) => caller,
            Err(refused) => return self.challenge(refused),
        };
        let body = match body::read(&parts.headers, body).await {
            Ok(body) => body,
            Err(error) => return error.into_response(),
        };
        let from = parts.extensions.get::<AnsweredFrom>().cloned().unwrap_or_default();
        let failure = CallFailure::default();
        let tools = ToolServer::new(Asker::Served { caller, state, from }, failure.clone());
        let headers = parts.headers.clone();
        let service = StreamableHttpService::new(
            move || Ok(tools.clone()),
            Arc::new(NeverSessionManager::default()),
            self.config.clone(),
        );
        let excerpt = String::from_utf8_lossy(&body).chars().take(200).collect::<String>();
        let answer = service.handle(Request::from_parts(parts, Body::from(body))).await;
        let mut response = in_shape(answer.map(Body::new), &headers, &excerpt).await;
        if let Some(cause) = failure.reported() {
            response.extensions_mut().insert(Cause(cause.to_owned()));
        }
        response
    }

    /// Adds to `refused` where to get a token, if known.
    fn challenge(&self, mut refused: Response) -> Response {
        let Some(tokens) = &self.tokens else { return refused };
        let headers = refused.headers_mut();
        let is_known = headers.get(header::WWW_AUTHENTICATE).map(|said| said != "Bearer");
        let challenge = match (is_known, refused.status()) {
            (Some(was_sent), StatusCode::UNAUTHORIZED) => &tokens.unauthorized[usize::from(was_sent)],
            (Some(_), StatusCode::FORBIDDEN) => &tokens.forbidden,
            _ => &None,
        };
        if let Some(challenge) = challenge {
            refused.headers_mut().insert(header::WWW_AUTHENTICATE, challenge.clone());
        }
        refused
    }
}

/// Rewrites rmcp's bare refusals in our form.
async fn in_shape(answer: Response, headers: &HeaderMap, body: &str) -> Response {
    let is_json = |kind: &HeaderValue| kind.as_bytes().starts_with(b"application/json");
    let status = answer.status();
    if status.is_success() || answer.headers().get(header::CONTENT_TYPE).is_some_and(is_json) {
        return answer;
    }
    let said = axum::body::to_bytes(answer.into_body(), REFUSAL_BYTES_MAX).await.unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    let error = match status {
        StatusCode::FORBIDDEN if said.contains("Origin") => ApiError::ForbiddenMcpOrigin,
        StatusCode::FORBIDDEN => ApiError::ForbiddenMcpHost,
        StatusCode::NOT_ACCEPTABLE => ApiError::NotAcceptable,
        StatusCode::BAD_REQUEST if said.contains("MCP-Protocol-Version") => {
            let sent = headers.get(VERSION).map(HeaderValue::as_bytes).unwrap_or_default();
            let expected = "a version of the protocol that initialize or server/discover names";
            ApiError::invalid("MCP-Protocol-Version", &String::from_utf8_lossy(sent), expected)
        }
        StatusCode::BAD_REQUEST => ApiError::MalformedRequest,
        StatusCode::UNSUPPORTED_MEDIA_TYPE | StatusCode::UNPROCESSABLE_ENTITY => {
            ApiError::invalid("the body", body, "one message of JSON-RPC 2.0")
        }
        _ => {
            let mut response = ApiError::Internal.into_response();
            response.extensions_mut().insert(Cause(format!("the protocol answered {status}: {said}")));
            return response;
        }
    };
    error.into_response()
}
