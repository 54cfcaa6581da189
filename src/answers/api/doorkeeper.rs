//! Who may use the operator's listener: requests that name an allowed host, do not come from a web page, and carry the
//! operator's token if there is one.
//!
//! A web page in a browser on this machine can send requests to loopback. It cannot choose their `Host`, which is the
//! name it was loaded from, even if that name now resolves to this machine; and the browser adds `Origin` to each
//! request that could change something.
//!
//! Promise: The operator's listener answers its own hosts, no web page, and nobody without the token if there is one.
//! Control: the same requests by a host that `admin.hosts` names, and to a listener without a token.
//! Also in: `tests/process/probes.rs`.
//!
//! Promise: A browser without the operator's token gets the page as the body of its 401, and nobody gets more; its
//!   figures are those of `/metrics`, and the token stays in the tab's memory.
//! Control: a listener without a page, and one without a token.
//! Also in: `tests/api/explorer/files.rs`.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, ETAG, HOST, IF_NONE_MATCH, ORIGIN, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::api::browsers::opens_page;
use crate::api::error::ApiError;
use crate::api::presented::bearer;
use crate::api::probes::is_probe;
use crate::auth::host_name::HostName;
use crate::auth::operator_token::OperatorToken;

/// The conditions a request to the operator's listener must meet.
#[derive(Debug)]
pub struct Doorkeeper {
    address: IpAddr,
    hosts: Vec<HostName>,
    token: Option<Arc<OperatorToken>>,
}

impl Doorkeeper {
    /// A doorkeeper for a listener at `address`, also reachable by the names `hosts`; with a `token`, requests without
    /// it get only the probes.
    #[must_use]
    pub fn new(address: IpAddr, hosts: Vec<HostName>, token: Option<Arc<OperatorToken>>) -> Self {
        Self { address: address.to_canonical(), hosts, token }
    }

    /// Whether anybody on the network can use the listener.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.token.is_none() && !self.address.is_loopback()
    }

    /// Answers `request` with `next`, or refuses it.
    pub async fn answer(&self, request: Request, next: Next) -> Response {
        match self.check(&request) {
            Ok(()) => next.run(request).await,
            Err(error @ ApiError::Unauthorized { .. }) if opens_page(&request) => {
                refuse_by_page(error, request, next).await
            }
            Err(error) => error.into_response(),
        }
    }

    /// Checks host, origin and token, in this order.
    ///
    /// # Errors
    /// Returns the first check that fails.
    fn check<B>(&self, request: &axum::http::Request<B>) -> Result<(), ApiError> {
        let headers = request.headers();
        let sent = headers.get_all(HOST).iter().map(HeaderValue::to_str);
        // A request for a whole URL is for the host in it, whatever the header says.
        let asked = request.uri().authority().map(|authority| Ok(authority.as_str()));
        if !sent.chain(asked).all(|host| host.is_ok_and(|host| self.allows(host))) {
            return Err(ApiError::ForbiddenHost);
        }
        if headers.contains_key(ORIGIN) {
            return Err(ApiError::ForbiddenOrigin);
        }
        let Some(token) = self.token.as_deref().filter(|_| !is_probe(request.uri().path())) else {
            return Ok(());
        };
        match bearer(headers) {
            Ok(presented) if token.is(presented) => Ok(()),
            Ok(_) => Err(ApiError::Unauthorized { was_sent: true }),
            Err(was_sent) => Err(ApiError::Unauthorized { was_sent }),
        }
    }

    fn allows(&self, host: &str) -> bool {
        let Some(host) = HostName::parse(host) else { return false };
        let is_own = match &host {
            HostName::Address(address) => address.is_loopback() || *address == self.address,
            HostName::Name(name) => name == "localhost",
        };
        is_own || self.hosts.contains(&host)
    }
}

/// Sends the page that asks for the token as the body of the refusal `error`: a browser cannot send the token before it
/// has the page. The page is the same for everybody; without a page the refusal stays as it is.
async fn refuse_by_page(error: ApiError, mut request: Request, next: Next) -> Response {
    let mut refusal = error.into_response();
    // The whole page, whatever the browser has cached.
    request.headers_mut().remove(IF_NONE_MATCH);
    let page = next.run(request).await;
    if page.status() != StatusCode::OK {
        return refusal;
    }
    let (mut parts, body) = page.into_parts();
    parts.status = refusal.status();
    parts.headers.remove(ETAG);
    parts.headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(asked) = refusal.headers_mut().remove(WWW_AUTHENTICATE) {
        parts.headers.insert(WWW_AUTHENTICATE, asked);
    }
    Response::from_parts(parts, body)
}

#[cfg(test)]
mod tests;
