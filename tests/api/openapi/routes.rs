//! The paths and methods of the document are those of the router.

use std::collections::BTreeSet;

use axum::http::Method;
use kith_server::api::endpoints::ROUTES;
use kith_server::openapi;

use crate::openapi::document::{Document, served_document, tiny};
use crate::support::Credentials;

#[tokio::test]
async fn every_schema_is_one() {
    Document::new(served_document().await).compile();
}

#[tokio::test]
async fn every_route_is_described_and_every_described_path_is_a_route() {
    let document = Document::new(served_document().await);
    let described: BTreeSet<&str> = document.operations().map(|(path, _)| path).collect();
    let answered: BTreeSet<&str> =
        ROUTES.iter().chain(&openapi::serve::ROUTES).map(|route| route.path).collect();
    assert_eq!(described, answered);
}

#[tokio::test]
async fn every_method_but_the_described_one_and_head_is_refused() {
    let document = Document::new(served_document().await);
    let credentials = Credentials::new();
    let served = tiny(&credentials);
    for (path, _) in document.operations() {
        assert_eq!(document.json["paths"][path].as_object().unwrap().len(), 1, "{path}");
        for method in ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"] {
            let method: Method = method.parse().unwrap();
            let status = served.ask(method.clone(), path, &[]).await.status;
            let described = document.method(path);
            let is_taken = method == described || (described == Method::GET && method == Method::HEAD);
            assert_eq!(status != 405, is_taken, "{method} {path}: {status}");
        }
    }
}

#[tokio::test]
async fn what_is_about_the_service_looks_at_no_credential() {
    let document = Document::new(served_document().await);
    let served = tiny(&Credentials::new());
    for (path, operation) in document.operations() {
        let is_open = operation["security"].as_array().unwrap().is_empty();
        for headers in [&[][..], &[("authorization", "Bearer nonsense")], &[("authorization", "Basic x")]] {
            let status = served.ask(document.method(path), path, headers).await.status;
            assert_eq!(status == 200, is_open, "{path} {headers:?}: {status}");
            assert_eq!(status == 401, !is_open, "{path} {headers:?}: {status}");
        }
    }
}
