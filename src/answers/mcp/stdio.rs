//! The tools over a program's own input and output: one network, one user, no service.

use std::error::Error;
use std::sync::Arc;

use rmcp::ServiceExt;
use rmcp::transport::stdio;

use crate::ask_file::service::AskService;
use crate::graph::index::GraphIndex;
use crate::mcp::asker::{Alone, Asker};
use crate::mcp::server::{CallFailure, ToolServer};
use crate::model::ix::MemberIx;

/// Answers calls about `index` until the input ends, for `member`; `None` acts like an organization's key. Uses the
/// asks, if kept.
///
/// # Errors
/// Returns an error if the other side does not begin as the protocol requires.
pub async fn serve(
    index: GraphIndex,
    member: Option<MemberIx>,
    asks: Option<Arc<AskService>>,
) -> Result<(), Box<dyn Error>> {
    let asker = Asker::Alone(Box::new(Alone::new(index, member, asks)));
    let served = ToolServer::new(asker, CallFailure::default()).serve(stdio()).await?;
    served.waiting().await?;
    Ok(())
}
