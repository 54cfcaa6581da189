//! Calls that panic or do not end, with the guard and without.

use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use super::*;

/// A server with one tool, which panics or does not end.
#[derive(Clone, Copy)]
struct Broken {
    panics: bool,
    is_guarded: bool,
}

impl Broken {
    async fn work(self) {
        if std::hint::black_box(self.panics) {
            std::panic::panic_any("a secret");
        }
        std::future::pending::<()>().await;
    }
}

impl ServerHandler for Broken {
    async fn call_tool(
        &self,
        _: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if !self.is_guarded {
            self.work().await;
        }
        let ended = guarded(self.work(), Duration::from_millis(50)).await;
        let ended = ended.map(|()| Err(Refused::Like(ApiError::Internal)));
        result_of(ended, &CallFailure::default()).1.map(CallToolResponse::from)
    }
}

/// The answer to a call; `None` if none comes in time.
async fn answer(broken: Broken) -> Option<Value> {
    let config =
        StreamableHttpServerConfig::default().with_legacy_session_mode(false).with_json_response(true);
    let service =
        StreamableHttpService::new(move || Ok(broken), Arc::new(NeverSessionManager::default()), config);
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{}}}"#;
    let request = Request::post("/mcp")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .body(Body::from(call));
    let answering = service.handle(request.ok()?);
    let answer = tokio::time::timeout(Duration::from_millis(500), answering).await.ok()?;
    let body = axum::body::to_bytes(Body::new(answer.into_body()), usize::MAX).await.ok()?;
    serde_json::from_slice(&body).ok()
}

#[tokio::test]
async fn a_call_that_panics_or_does_not_end_is_answered() {
    let panicked = answer(Broken { panics: true, is_guarded: true }).await.unwrap();
    assert_eq!(panicked["error"]["code"], -32603, "{panicked}");
    assert!(!panicked.to_string().contains("secret"), "{panicked}");
    let late = answer(Broken { panics: false, is_guarded: true }).await.unwrap();
    assert_eq!(late["result"]["isError"], true, "{late}");
    assert!(late.to_string().contains("unavailable"), "{late}");
    // The control: without the guard neither is answered.
    for panics in [true, false] {
        assert_eq!(answer(Broken { panics, is_guarded: false }).await, None, "{panics}");
    }
}

#[tokio::test]
async fn why_a_call_failed_is_for_the_log_alone() {
    let failure = CallFailure::default();
    assert_eq!(failure.reported(), None);
    failure.report("panicked: x".to_owned());
    failure.report("later".to_owned());
    assert_eq!(failure.reported(), Some("panicked: x"));
    let failure = CallFailure::default();
    assert_eq!(result_of(Err(Unended::Late), &failure).0, "late");
    assert_eq!(failure.reported(), Some("the call ran past its deadline"));
    let work = Broken { panics: true, is_guarded: true }.work();
    assert_eq!(
        guarded(work, Duration::from_secs(5)).await,
        Err(Unended::Panicked("panicked: a secret".to_owned()))
    );
}
