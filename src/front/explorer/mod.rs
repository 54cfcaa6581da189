//! The page for people: served at `/` to browsers and at `/explore`, with its log-in, the report of the import behind
//! the network, its likely doubles, a press by which people are forgotten, and the feeds of members.
//!
//! Its sources are in `explorer/`; what is built of them lies in `explorer/dist` and is part of the program. The page
//! itself holds no data and needs no credential: it asks the API, and its cookie (`api/cookie.rs`) is the credential.
//! `operator` is the page of the operator's listener.

use axum::Router;
use axum::extract::Extension;
use axum::routing::{any, delete, get, post};
use std::sync::Arc;

use crate::api::body::{BRING_PATH, FURTHER_PATH};
use crate::api::state::ApiState;
use crate::explorer::page::{HTML, SCRIPT, STYLE, fresh, versioned};

pub mod answer;
mod arriving;
pub mod asks;
pub mod bring;
pub mod doubles;
pub mod feed;
pub mod exports;
pub mod forget;
pub mod further;
pub mod login;
pub mod operator;
pub mod page;
pub mod quiet;
pub mod report;
pub mod rows;
pub mod sign_in;
pub mod tokens;

/// The routes of the page; none if it is not served.
pub fn routes(state: &ApiState) -> Router<Arc<ApiState>> {
    if state.sessions.is_none() {
        return Router::new();
    }
    let asks = state.asks.as_ref().map(|_| {
        Router::new()
            .route("/explore/asks", post(asks::record))
            .route("/explore/asks/report", get(asks::results))
            .route("/explore/asks/{id}", post(asks::report))
            .route("/explore/asks/{id}/link", post(asks::link))
            .route(
                "/answer",
                fresh(include_bytes!("../../../explorer/answer/index.html"), HTML).post(answer::answer),
            )
            .route("/answer/answer.js", fresh(include_bytes!("../../../explorer/answer/answer.js"), SCRIPT))
            .route("/answer/answer.css", fresh(include_bytes!("../../../explorer/answer/answer.css"), STYLE))
    });
    let exports = state.exports.as_ref().map(|_| {
        Router::new()
            .route("/explore/exports", get(exports::list).post(exports::invite))
            .route("/explore/exports/{part}", delete(exports::revoke))
            .route("/bring", fresh(include_bytes!("../../../explorer/bring/index.html"), HTML))
            .route("/bring/bring.js", fresh(include_bytes!("../../../explorer/bring/bring.js"), SCRIPT))
            .route("/bring/bring.css", fresh(include_bytes!("../../../explorer/bring/bring.css"), STYLE))
            .route("/bring/part", get(bring::part).delete(bring::leave))
            .route(BRING_PATH, post(bring::bring))
            .route("/bring/files/{id}", delete(bring::remove))
            .route("/bring/leave-out", post(bring::leave_out))
    });
    let import = state.import.as_ref().map(|_| {
        Router::new()
            .route("/explore/report", get(report::report))
            .route(FURTHER_PATH, post(further::add))
            .route("/explore/rows", get(rows::list))
            .route("/explore/doubles", get(doubles::list).post(doubles::answer))
            .route("/explore/untied", post(doubles::untie))
    });
    let tokens = state.own_tokens.as_ref().map(|_| {
        Router::new()
            .route("/explore/tokens", get(tokens::list).post(tokens::create))
            .route("/explore/tokens/{id}", delete(tokens::revoke))
    });
    let feed = state.has_feeds.then(|| Router::new().route(feed::PATH, get(feed::feed)));
    let page = Router::new().route("/", any(page::root)).route("/explore", get(page::page));
    Router::new()
        .merge(page.layer(Extension(page::Index::showing(&state.logo_hosts))))
        .merge(asks.unwrap_or_default())
        .merge(feed.unwrap_or_default())
        .merge(exports.unwrap_or_default())
        .merge(tokens.unwrap_or_default())
        .merge(import.unwrap_or_default())
        .route("/explore/quiet", get(quiet::list))
        .route("/explore/forget", post(forget::forget))
        .route("/explore/app.js", versioned(include_bytes!("../../../explorer/dist/app.js"), SCRIPT))
        .route("/explore/app.css", versioned(include_bytes!("../../../explorer/dist/app.css"), STYLE))
        .route("/explore/icon.svg", fresh(include_bytes!("../../../explorer/dist/icon.svg"), "image/svg+xml"))
        .route("/explore/icon.png", fresh(include_bytes!("../../../explorer/dist/icon.png"), "image/png"))
        .route(
            "/explore/manifest.webmanifest",
            fresh(include_bytes!("../../../explorer/dist/manifest.webmanifest"), "application/manifest+json"),
        )
        .route("/explore/login/begin", post(sign_in::begin))
        .route("/explore/login", get(login::who).post(login::log_in).delete(login::log_out))
}
