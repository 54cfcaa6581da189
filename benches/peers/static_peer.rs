//! Serves prepared answers with the same HTTP stack as kith; `ratios.py` divides by its times.
//!
//!     static_peer FOLDER
//!
//! `GET /N` returns the bytes of the file `N` in the folder as JSON. The address goes to stdout.
#![allow(clippy::print_stdout, reason = "its address goes there")]

use std::error::Error;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Path as Place, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

type Answers = Arc<Vec<axum::body::Bytes>>;

async fn answer(State(answers): State<Answers>, Place(place): Place<usize>) -> Response {
    match answers.get(place) {
        Some(bytes) => ([(header::CONTENT_TYPE, "application/json")], bytes.clone()).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("no folder is named")?;
    let mut answers = Vec::new();
    while let Ok(bytes) = fs::read(Path::new(&folder).join(answers.len().to_string())) {
        answers.push(bytes.into());
    }
    let routes = Router::new().route("/{place}", get(answer)).with_state(Arc::new(answers));
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        println!("{}", listener.local_addr()?);
        loop {
            let (stream, _) = listener.accept().await?;
            stream.set_nodelay(true)?;
            let service = hyper_util::service::TowerToHyperService::new(routes.clone());
            let io = hyper_util::rt::TokioIo::new(stream);
            tokio::spawn(async move {
                drop(hyper::server::conn::http1::Builder::new().serve_connection(io, service).await);
            });
        }
    })
}
