//! How agents reach the endpoint: by which hosts, from which web pages, and where they get tokens.

use axum::http::HeaderValue;

/// The path of the endpoint.
pub const PATH: &str = "/mcp";
/// The address at which a resource says who issues tokens for it (RFC 9728); the resource's own path may stand behind it.
pub(super) const METADATA_PATH: &str = "/.well-known/oauth-protected-resource";
/// The hosts and the web pages of this machine, by whatever port.
const OWN_HOSTS: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// The addresses by which assistants reach the endpoint.
#[derive(Clone, Debug, Default)]
pub struct McpSettings {
    /// The origin at which callers know the service, such as `https://kith.example.com`.
    pub public_url: Option<String>,
    /// The hosts by which it is asked beside this machine's own and that of `public_url`.
    pub hosts: Vec<String>,
    /// The origins of web pages that may ask beside those of this machine and `public_url`.
    pub origins: Vec<String>,
    /// The issuer of JWTs; `None` if none is trusted.
    pub issuer: Option<String>,
}

/// The source of tokens for agents.
#[derive(Clone, Debug)]
pub(super) struct Resource {
    /// The resource that tokens are for.
    pub(super) url: String,
    /// The issuer of the tokens.
    pub(super) issuer: String,
    /// The challenge of an answer to a caller without a good credential.
    pub(super) unauthorized: [Option<HeaderValue>; 2],
    /// The challenge of an answer to a caller whose token may not read.
    pub(super) forbidden: Option<HeaderValue>,
}

impl McpSettings {
    /// What tokens for agents are for, as their claim `aud` says. Returns `None` without a public URL.
    #[must_use]
    pub fn resource(&self) -> Option<String> {
        self.public_url.as_ref().map(|origin| format!("{origin}{PATH}"))
    }

    /// The hosts by which it may be asked.
    pub(super) fn allowed_hosts(&self) -> Vec<String> {
        let public = self.public_url.as_deref().and_then(|url| url.split_once("://"));
        let named = self.hosts.iter().map(String::as_str).chain(public.map(|(_, host)| host));
        OWN_HOSTS.into_iter().chain(named).map(str::to_owned).collect()
    }

    /// The origins of web pages that may ask.
    pub(super) fn allowed_origins(&self) -> Vec<String> {
        let own = ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"].map(str::to_owned);
        own.into_iter().chain(self.origins.iter().cloned()).chain(self.public_url.clone()).collect()
    }

    /// The source of tokens for agents. Returns `None` if there is no issuer, or no public URL.
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
