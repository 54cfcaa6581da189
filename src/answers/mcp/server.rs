//! The tools as rmcp serves them.
//!
//! rmcp runs each call in a separate task, sends no answer if that panics, and continues after the caller has left. So
//! a call is guarded here against panics and by a deadline.
//!
//! Promise: A call that panics or does not end is answered, and only the log has the cause.
//! Control: the same calls without the guard: nothing comes.

use std::any::Any;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures_util::FutureExt;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult,
    ErrorCode, ErrorData, Implementation, ListToolsResult, PaginatedRequestParams, ServerCapabilities,
    ServerConfig,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::Value;

use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::limits::REQUEST_DEADLINE;
use crate::mcp::arguments::Arguments;
use crate::mcp::ask_definitions;
use crate::mcp::asker::Asker;
use crate::mcp::definitions::{INSTRUCTIONS, TOOLS};
use crate::mcp::lean::enveloped;
use crate::mcp::refused::Refused;
use crate::mcp::rows::Tool;
use crate::mcp::schema::listed;
use crate::mcp::tools;
use kith::limits::ECHO_CHARS_MAX;

/// Serves the tools to one caller.
#[derive(Clone, Debug)]
pub(super) struct ToolServer {
    asker: Arc<Asker>,
    failure: CallFailure,
}

/// Holds why a call failed, only for the log.
#[derive(Clone, Debug, Default)]
pub(super) struct CallFailure(Arc<OnceLock<String>>);

impl CallFailure {
    /// Returns why a call failed, if it did.
    pub(super) fn reported(&self) -> Option<&str> {
        self.0.get().map(String::as_str)
    }

    fn report(&self, cause: String) {
        let _ = self.0.set(cause);
    }
}

/// Why a call did not end properly.
#[derive(Debug, PartialEq, Eq)]
enum Unended {
    Panicked(String),
    Late,
}

impl ToolServer {
    /// Serves `asker`; reports why a call failed to `failure`.
    pub(super) fn new(asker: Asker, failure: CallFailure) -> Self {
        Self { asker: Arc::new(asker), failure }
    }

    fn instructions(&self) -> String {
        if self.asker.has_asks() {
            let reading =
                INSTRUCTIONS.replace("it reads no web pages and changes nothing", "it reads no web pages");
            return format!("{} {reading}", ask_definitions::INSTRUCTIONS);
        }
        INSTRUCTIONS.to_owned()
    }

    /// Whether `tool` is listed for the asker.
    fn lists(&self, tool: &Tool) -> bool {
        self.knows(tool)
            && (!tool.is_own || self.asker.member().is_some())
            && (!tool.writes || self.asker.may_write().is_ok())
    }

    /// Whether `tool` exists for the asker.
    fn knows(&self, tool: &Tool) -> bool {
        !tool.needs_asks || self.asker.has_asks()
    }

    async fn call(
        &self,
        tool: &'static Tool,
        sent: CallToolRequestParams,
    ) -> Result<CallToolResult, ErrorData> {
        let answering = async {
            let arguments = Arguments::read(tool, sent.arguments.unwrap_or_default())?;
            tools::answer(tool, &*self.asker.current()?, &arguments).await
        };
        let (outcome, result) = result_of(guarded(answering, REQUEST_DEADLINE).await, &self.failure);
        self.asker.count(tool.name, outcome);
        result
    }
}

/// The outcome of a call for the metrics, and its result. Reports a cause for the log to `failure`.
fn result_of(
    ended: Result<Result<Vec<u8>, Refused>, Unended>,
    failure: &CallFailure,
) -> (&'static str, Result<CallToolResult, ErrorData>) {
    match ended {
        Ok(Ok(data)) => ("answered", answered(&data)),
        Ok(Err(Refused::Like(ApiError::Internal))) => ("failed", Err(failed())),
        Ok(Err(refused)) => ("refused", Ok(refusal(&refused))),
        Err(Unended::Panicked(cause)) => {
            failure.report(cause);
            ("failed", Err(failed()))
        }
        Err(Unended::Late) => {
            failure.report("the call ran past its deadline".to_owned());
            ("late", Ok(refusal(&Refused::Like(ApiError::Unavailable))))
        }
    }
}

/// The methods answered here; the library takes one with other parameters for an extension.
const KNOWN_METHODS: [&str; 2] = ["tools/call", "tools/list"];

impl ServerHandler for ToolServer {
    fn get_info(&self) -> ServerConfig {
        let program = Implementation::new("kith", env!("CARGO_PKG_VERSION")).with_title("kith");
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(program)
            .with_instructions(self.instructions())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = TOOLS.iter().filter(|tool| self.lists(tool));
        let asks_outside = self.asker.asks_outside();
        Ok(ListToolsResult::with_all_items(tools.map(|tool| listed(tool, asks_outside)).collect()))
    }

    /// Refuses an unknown method, and one with invalid parameters.
    async fn on_custom_request(
        &self,
        sent: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if KNOWN_METHODS.contains(&&*sent.method) {
            let sentence = "The parameters are none of this method; arguments are a JSON object.";
            return Err(ErrorData::invalid_params(sentence, None));
        }
        let method: String = sent.method.chars().take(ECHO_CHARS_MAX).collect();
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None))
    }

    async fn call_tool(
        &self,
        sent: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let known = || TOOLS.iter().filter(|tool| self.knows(tool));
        let Some(tool) = known().find(|tool| tool.name == sent.name) else {
            let name: String = sent.name.chars().take(ECHO_CHARS_MAX).collect();
            let names: Vec<&str> = known().map(|tool| tool.name).collect();
            let sentence = format!("There is no tool {name:?}; the tools are {}.", names.join(", "));
            return Err(ErrorData::invalid_params(sentence, None));
        };
        self.asker.report_tool(tool.name);
        self.call(tool, sent).await.map(CallToolResponse::from)
    }

    /// Does nothing: rmcp would log it, in lines that are not ours.
    async fn on_initialized(&self, _: NotificationContext<RoleServer>) {}
}

/// Runs `work` within `deadline`, and catches its panics.
async fn guarded<T>(work: impl Future<Output = T>, deadline: Duration) -> Result<T, Unended> {
    match tokio::time::timeout(deadline, AssertUnwindSafe(work).catch_unwind()).await {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(panic)) => Err(Unended::Panicked(message(panic.as_ref()))),
        Err(_) => Err(Unended::Late),
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    format!("panicked: {}", text.unwrap_or("without a message"))
}

/// The result of a call answered with `data`: structured, and the same JSON as text for clients that ignore structured
/// content.
fn answered(data: &[u8]) -> Result<CallToolResult, ErrorData> {
    let text = enveloped(data);
    let structured: Value = serde_json::from_str(&text).map_err(|_| failed())?;
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(structured);
    Ok(result)
}

/// The result of a call that the agent can correct and send again.
fn refusal(refused: &Refused) -> CallToolResult {
    let mut json = Json::default();
    json.object(|json| {
        json.field("error", &refused.sentence());
        json.field("code", refused.code());
    });
    CallToolResult::error(vec![ContentBlock::text(String::from_utf8_lossy(&json.into_bytes()))])
}

fn failed() -> ErrorData {
    ErrorData::internal_error(ApiError::Internal.sentence(), None)
}

#[cfg(test)]
mod tests;
