//! The identity provider: its description, and its answer to a code.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use data_encoding::BASE64;
use form_urlencoded::{Serializer, byte_serialize};
use http_body_util::Full;
use hyper::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use hyper::{Method, Request, StatusCode, Uri};
use serde::Deserialize;
use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::auth::jwt::key_url::KeyUrl;
use crate::auth::session::Pending;
use crate::auth::sign_in::error::SignInError;
use crate::auth::sign_in::settings::SignInSettings;
use crate::clock::Clock;
use crate::limits::{SIGN_IN_BYTES_MAX, SIGN_IN_PATIENCE};
use crate::outbound::address;
use crate::outbound::client::{self, Client, HttpFault};

/// How long a description is used before the next request for it.
const DESCRIPTION_AGE_MAX: Duration = Duration::from_secs(60 * 60);
/// The pause after a failed request for the description.
const RETRY_PAUSE: Duration = Duration::from_secs(5);
/// The name of the description in errors.
const DESCRIPTION: &str = "/.well-known/openid-configuration";
const TOKEN_ENDPOINT: &str = "the token endpoint";
const USER_INFO: &str = "the user info endpoint";

/// The errors of RFC 6749, section 5.2: no other words of a provider reach a log.
const WORDS: [&str; 6] = [
    "invalid_request",
    "invalid_client",
    "invalid_grant",
    "unauthorized_client",
    "unsupported_grant_type",
    "invalid_scope",
];

/// Asks the provider.
pub(super) struct Provider {
    client: Client,
    issuer: String,
    discovery: Uri,
    jwks_age_max: Duration,
    clock: Clock,
    described: Mutex<Described>,
}

/// The provider's last description.
#[derive(Default)]
struct Described {
    metadata: Option<(Instant, Arc<Metadata>)>,
    failed_at: Option<Instant>,
}

/// A provider's description of itself (OpenID Connect Discovery 1.0, section 3), as far as it is used.
pub(super) struct Metadata {
    pub(super) authorization_endpoint: String,
    pub(super) end_session_endpoint: Option<String>,
    /// Whether its answers always name the issuer (RFC 9207).
    pub(super) authorization_response_iss_parameter_supported: bool,
    pub(super) keys: Arc<KeyUrl>,
    token_endpoint: Uri,
    userinfo_endpoint: Option<Uri>,
    /// Whether clients must send their secret in the body.
    takes_secret_in_body: bool,
}

#[derive(Deserialize)]
struct Description {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    userinfo_endpoint: Option<String>,
    end_session_endpoint: Option<String>,
    #[serde(default)]
    authorization_response_iss_parameter_supported: bool,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
}

/// The provider's answer to a code.
#[derive(Deserialize)]
pub(super) struct Tokens {
    pub(super) id_token: String,
    access_token: Option<String>,
}

#[derive(Deserialize)]
struct Refused {
    error: String,
}

impl Provider {
    pub(super) fn new(settings: &SignInSettings, clock: Clock) -> Result<Self, SignInError> {
        Ok(Self {
            client: Client::new().map_err(|_| SignInError::Tls)?,
            issuer: settings.expected.issuer.clone(),
            discovery: settings.discovery.clone(),
            jwks_age_max: settings.jwks_age_max,
            clock,
            described: Mutex::default(),
        })
    }

    /// The provider's description: requested at first, and then once an hour. One caller requests it, and the others
    /// wait.
    pub(super) async fn metadata(&self) -> Result<Arc<Metadata>, SignInError> {
        let mut described = self.described.lock().await;
        let now = (self.clock)();
        let since = |at: Instant| now.saturating_duration_since(at);
        match &described.metadata {
            Some((at, metadata)) if since(*at) < DESCRIPTION_AGE_MAX => return Ok(Arc::clone(metadata)),
            _ if described.failed_at.is_some_and(|at| since(at) < RETRY_PAUSE) => {
                return Err(SignInError::Unreachable { asked: DESCRIPTION });
            }
            _ => {}
        }
        let fetched = self.describe().await;
        described.failed_at = fetched.is_err().then_some(now);
        let metadata = Arc::new(fetched?);
        described.metadata = Some((now, Arc::clone(&metadata)));
        Ok(metadata)
    }

    /// Exchanges `code` for tokens.
    pub(super) async fn exchange(
        &self,
        settings: &SignInSettings,
        metadata: &Metadata,
        code: &str,
        pending: &Pending,
    ) -> Result<Tokens, SignInError> {
        let request = code_request(settings, metadata, code, pending)?;
        let (status, body) = self.ask(request, TOKEN_ENDPOINT).await?;
        if !status.is_success() {
            let word = serde_json::from_slice::<Refused>(&body).ok();
            let word = word.and_then(|said| WORDS.into_iter().find(|word| *word == said.error));
            return Err(match word {
                Some(word) => SignInError::Refused { word },
                None => SignInError::Status { asked: TOKEN_ENDPOINT, status: status.as_u16() },
            });
        }
        serde_json::from_slice(&body)
            .map_err(|_| SignInError::Unusable { asked: TOKEN_ENDPOINT, lacks: "id_token" })
    }

    /// The provider's user info beside the ID token; `None` if it has no such endpoint, or gave no token for it.
    pub(super) async fn user_info(
        &self,
        metadata: &Metadata,
        tokens: &Tokens,
    ) -> Result<Option<Bytes>, SignInError> {
        let (Some(address), Some(token)) = (&metadata.userinfo_endpoint, &tokens.access_token) else {
            return Ok(None);
        };
        let mut request = Request::new(Full::<Bytes>::default());
        *request.uri_mut() = address.clone();
        let unusable = |_| SignInError::Unusable { asked: TOKEN_ENDPOINT, lacks: "access_token" };
        let mut bearer = HeaderValue::try_from(format!("Bearer {token}")).map_err(unusable)?;
        bearer.set_sensitive(true);
        request.headers_mut().insert(AUTHORIZATION, bearer);
        let (status, body) = self.ask(request, USER_INFO).await?;
        if status == StatusCode::OK {
            Ok(Some(body))
        } else {
            Err(SignInError::Status { asked: USER_INFO, status: status.as_u16() })
        }
    }

    async fn describe(&self) -> Result<Metadata, SignInError> {
        let mut request = Request::new(Full::<Bytes>::default());
        *request.uri_mut() = self.discovery.clone();
        let (status, body) = self.ask(request, DESCRIPTION).await?;
        if status != StatusCode::OK {
            return Err(SignInError::Status { asked: DESCRIPTION, status: status.as_u16() });
        }
        let lacking = |lacks| SignInError::Unusable { asked: DESCRIPTION, lacks };
        let said: Description = serde_json::from_slice(&body).map_err(|_| lacking("description"))?;
        if said.issuer != self.issuer {
            return Err(lacking("issuer: it is not oauth.issuer"));
        }
        let endpoint = |text: &str| address::parse(text).filter(|address| !address::is_exposed(address));
        endpoint(&said.authorization_endpoint).ok_or_else(|| lacking("authorization_endpoint"))?;
        let keys = endpoint(&said.jwks_uri).ok_or_else(|| lacking("jwks_uri"))?;
        let keys =
            KeyUrl::new(keys, self.jwks_age_max, Arc::clone(&self.clock)).map_err(|_| SignInError::Tls)?;
        let methods = said.token_endpoint_auth_methods_supported.unwrap_or_default();
        let takes = |method: &str| methods.iter().any(|listed| listed == method);
        Ok(Metadata {
            authorization_endpoint: said.authorization_endpoint,
            end_session_endpoint: said.end_session_endpoint.filter(|text| endpoint(text).is_some()),
            authorization_response_iss_parameter_supported: said
                .authorization_response_iss_parameter_supported,
            keys: Arc::new(keys),
            userinfo_endpoint: said.userinfo_endpoint.as_deref().and_then(endpoint),
            token_endpoint: endpoint(&said.token_endpoint).ok_or_else(|| lacking("token_endpoint"))?,
            takes_secret_in_body: takes("client_secret_post") && !takes("client_secret_basic"),
        })
    }

    async fn ask(
        &self,
        mut request: Request<Full<Bytes>>,
        asked: &'static str,
    ) -> Result<(StatusCode, Bytes), SignInError> {
        request.headers_mut().insert(ACCEPT, HeaderValue::from_static("application/json"));
        let answered = async {
            let answer = self.client.send(request).await?;
            Ok((answer.status(), client::read(answer.into_body(), SIGN_IN_BYTES_MAX).await?))
        };
        match timeout(SIGN_IN_PATIENCE, answered).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(HttpFault::Untrusted)) => Err(SignInError::Untrusted { asked }),
            Ok(Err(_)) | Err(_) => Err(SignInError::Unreachable { asked }),
        }
    }
}

/// The request that exchanges `code`: the client sends its secret in a header, if the provider accepts that.
fn code_request(
    settings: &SignInSettings,
    metadata: &Metadata,
    code: &str,
    pending: &Pending,
) -> Result<Request<Full<Bytes>>, SignInError> {
    let client_id = &settings.expected.audience;
    let mut form = Serializer::new(String::new());
    form.append_pair("grant_type", "authorization_code")
        .append_pair("code", code)
        .append_pair("redirect_uri", &pending.redirect)
        .append_pair("code_verifier", &pending.verifier);
    let mut request = Request::new(Full::default());
    match &settings.client_secret {
        Some(secret) if !metadata.takes_secret_in_body => {
            let encoded = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
            let pair = format!("{}:{}", encoded(client_id), encoded(secret));
            let basic = HeaderValue::try_from(format!("Basic {}", BASE64.encode(pair.as_bytes())));
            let mut basic = basic.map_err(|_| SignInError::Unreachable { asked: TOKEN_ENDPOINT })?;
            basic.set_sensitive(true);
            request.headers_mut().insert(AUTHORIZATION, basic);
        }
        secret => {
            form.append_pair("client_id", client_id);
            if let Some(secret) = secret {
                form.append_pair("client_secret", secret);
            }
        }
    }
    *request.method_mut() = Method::POST;
    *request.uri_mut() = metadata.token_endpoint.clone();
    let kind = HeaderValue::from_static("application/x-www-form-urlencoded");
    request.headers_mut().insert(CONTENT_TYPE, kind);
    *request.body_mut() = Full::new(form.finish().into());
    Ok(request)
}
