//! How agents reach the endpoint: hosts, web origins, and the source of tokens.

use axum::http::HeaderValue;

/// The path of the endpoint.
pub const PATH: &str = "/mcp";
/// The address of the metadata on who issues tokens (RFC 9728); the resource's own path may follow it.
pub(super) const METADATA_PATH: &str = "/.well-known/oauth-protected-resource";
/// The hosts of this machine, also of its web pages, on any port.
const OWN_HOSTS: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// The addresses by which assistants reach the endpoint.
#[derive(Clone, Debug, Default)]
pub struct McpSettings {
    /// The origin by which callers know the service, such as `https://kith.example.com`.
    pub public_url: Option<String>,
    /// Accepted hosts besides this machine's own and the host of `public_url`.
    pub hosts: Vec<String>,
    /// Accepted origins of web pages besides the origins of this machine and `public_url`.
    pub origins: Vec<String>,
    /// The issuer of JWTs, if one is trusted.
    pub issuer: Option<String>,
}

/// The source of tokens for agents.
#[derive(Clone, Debug)]
pub(super) struct Resource {
    /// The resource that tokens are issued for.
    pub(super) url: String,
    /// The issuer of the tokens.
    pub(super) issuer: String,
    /// The challenge for a caller without a valid credential.
    pub(super) unauthorized: [Option<HeaderValue>; 2],
    /// The challenge for a caller whose token lacks the read scope.
    pub(super) forbidden: Option<HeaderValue>,
}

impl McpSettings {
    /// The audience of tokens for agents, in their claim `aud`; `None` without a public URL.
    #[must_use]
    pub fn resource(&self) -> Option<String> {
        self.public_url.as_ref().map(|origin| format!("{origin}{PATH}"))
    }

    /// The accepted hosts.
    pub(super) fn allowed_hosts(&self) -> Vec<String> {
        let public = self.public_url.as_deref().and_then(|url| url.split_once("://"));
        let named = self.hosts.iter().map(String::as_str).chain(public.map(|(_, host)| host));
        OWN_HOSTS.into_iter().chain(named).map(str::to_owned).collect()
    }

    /// The accepted origins of web pages.
    pub(super) fn allowed_origins(&self) -> Vec<String> {
        let own = ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"].map(str::to_owned);
        own.into_iter().chain(self.origins.iter().cloned()).chain(self.public_url.clone()).collect()
    }

    /// The source of tokens for agents; `None` without an issuer or a public URL.
    pub(super) fn tokens(&self) -> Option<Resource> {
        let (origin, url, issuer) = (self.public_url.as_ref()?, self.resource()?, self.issuer.clone()?);
        let metadata = format!("resource_metadata=\"{origin}{METADATA_PATH}{PATH}\", scope=\"mcp:read\"");
        let header = |text: String| HeaderValue::from_str(&text).ok();
        Some(Resource {
            url,
            issuer,
            unauthorized: [
                header(format!("Bearer {metadata}")),
                header(format!("Bearer error=\"invalid_token\", {metadata}")),
            ],
            forbidden: header(format!("Bearer error=\"insufficient_scope\", {metadata}")),
        })
    }
}
