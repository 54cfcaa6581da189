//! The tools: one module for the questions of one endpoint or a few.

mod asks;
mod companies;
mod fields;
mod introductions;
mod many;
mod opportunities;
mod own_network;
mod people;
mod search;

pub(super) use own_network::QUIET;

use crate::api::error::ApiError;
use crate::mcp::arguments::Arguments;
use crate::mcp::asker::Asker;
use crate::mcp::refused::Refused;
use crate::mcp::rows::Tool;

/// The JSON of the `data` with which `tool` answers `asked`.
///
/// # Errors
/// Returns an error if an argument is invalid, the caller may not ask, or the service is overloaded.
pub(super) async fn answer(tool: &Tool, asker: &Asker, asked: &Arguments) -> Result<Vec<u8>, Refused> {
    match tool.name {
        "find_introductions" => introductions::answer(tool, asker, asked).await,
        "find_person" => people::find(tool, asker, asked).await,
        "search_network" => search::answer(tool, asker, asked).await,
        "get_person" => people::get(asker, asked).await,
        "find_company" => companies::answer(tool, asker, asked).await,
        "list_my_network" => own_network::answer(tool, asker, asked).await,
        "list_opportunities" => opportunities::answer(tool, asker, asked).await,
        "record_ask" => asks::record(asker, asked).await,
        "report_outcome" => asks::report(asker, asked).await,
        "list_asks" => asks::listed(tool, asker, asked).await,
        // A row without an arm: the tests call each tool.
        _ => Err(ApiError::Internal.into()),
    }
}
