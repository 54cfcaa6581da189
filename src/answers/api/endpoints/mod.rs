//! The endpoints: one function per operation, named after the operation's id, and the table of all operations.

pub mod asks;
pub mod changes;
pub mod companies;
pub mod connections;
pub mod members;
pub mod network_search;
pub mod opportunities;
pub mod people;
pub mod people_network;
pub mod warm_paths;
pub mod warm_paths_batch;

use axum::routing::on;

use crate::api::body::BATCH_PATH;
use crate::api::endpoints::asks::{get_ask, list_asks};
use crate::api::endpoints::changes::list_changes;
use crate::api::endpoints::companies::search_companies;
use crate::api::endpoints::connections::{list_connections, list_second_degree_connections};
use crate::api::endpoints::members::{get_me, list_members};
use crate::api::endpoints::network_search::search_network;
use crate::api::endpoints::opportunities::list_ghost_opportunities;
use crate::api::endpoints::people::{get_person, search_people};
use crate::api::endpoints::people_network::get_people_network;
use crate::api::endpoints::warm_paths::search_warm_paths;
use crate::api::endpoints::warm_paths_batch::search_warm_paths_batch;
use crate::api::route::Route;

/// Every endpoint that answers from a network.
pub const ROUTES: [Route; 13] = [
    Route::get("/api/v1/search/warm-paths", "searchWarmPaths", |method| on(method, search_warm_paths)),
    Route::post(BATCH_PATH, "searchWarmPathsBatch", |method| on(method, search_warm_paths_batch)),
    Route::post("/api/v1/search/network", "searchNetwork", |method| on(method, search_network)),
    Route::get("/api/v1/search/people", "searchPeople", |method| on(method, search_people)),
    Route::get("/api/v1/people/{id}", "getPerson", |method| on(method, get_person)),
    Route::get("/api/v1/people/network", "getPeopleNetwork", |method| on(method, get_people_network)),
    Route::get("/api/v1/search/companies", "searchCompanies", |method| on(method, search_companies)),
    Route::get("/api/v1/connections", "listConnections", |method| on(method, list_connections)),
    Route::get("/api/v1/connections/second-degree", "listSecondDegreeConnections", |method| {
        on(method, list_second_degree_connections)
    }),
    Route::get("/api/v1/ghost/opportunities", "listGhostOpportunities", |method| {
        on(method, list_ghost_opportunities)
    }),
    Route::get("/api/v1/changes", "listChanges", |method| on(method, list_changes)),
    Route::get("/api/v1/members", "listMembers", |method| on(method, list_members)),
    Route::get("/api/v1/me", "getMe", |method| on(method, get_me)),
];

/// The endpoints of a service with asks.
pub const ASK_ROUTES: [Route; 2] = [
    Route::get("/api/v1/asks", "listAsks", |method| on(method, list_asks)),
    Route::get("/api/v1/asks/{id}", "getAsk", |method| on(method, get_ask)),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn in_snake_case(id: &str) -> String {
        id.chars().fold(String::new(), |mut name, letter| {
            if letter.is_ascii_uppercase() {
                name.push('_');
            }
            name.push(letter.to_ascii_lowercase());
            name
        })
    }

    #[test]
    fn handlers_are_named_after_their_operations_and_no_row_comes_twice() {
        let rows = include_str!("mod.rs").split("\n];").next().unwrap_or("");
        for route in ROUTES {
            let (_, row) = rows.split_once(&format!("\"{}\"", route.id)).unwrap_or_default();
            let handler = row.split_once("on(method, ").unwrap_or_default().1.split(')').next();
            assert_eq!(handler, Some(&in_snake_case(route.id)[..]), "{}", route.path);
            let same = ROUTES.iter().filter(|other| other.id == route.id || other.path == route.path);
            assert_eq!(same.count(), 1, "{}", route.path);
        }
    }
}
