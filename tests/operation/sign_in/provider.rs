//! The played provider, and a server that signs in there.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{get, post};
use kith_server::auth::session::{SessionSealer, SignedIn};
use kith_server::auth::sign_in::error::SignInError;
use kith_server::auth::sign_in::settings::{NamedProvider, SignInSettings};
use kith_server::auth::sign_in::{Begun, Returned, SignIn};
use kith_server::auth::store::CredentialStore;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;

use crate::support::issuer::{ORGANIZATION, Signer, USER, jwks, seconds};

pub(crate) const CLIENT: &str = "kith client";
pub(crate) const SECRET: &str = "s&cret";
pub(crate) const PAGE: &str = "https://kith.example/explore";

/// The answers of the stub, and the requests it received.
#[derive(Default)]
pub(crate) struct Script {
    pub(crate) description: Value,
    pub(crate) keys: String,
    pub(crate) token: (u16, String),
    pub(crate) user_info: Value,
    pub(crate) sent: Vec<(String, String)>,
}

pub(crate) type Shared = Arc<Mutex<Script>>;

/// A provider, and a server of kith that signs in there.
pub(crate) struct Trial {
    pub(crate) script: Shared,
    pub(crate) issuer: String,
    pub(crate) signer: Signer,
    pub(crate) sign_in: SignIn,
    pub(crate) store: TempDir,
}

pub(crate) async fn token_endpoint(
    State(script): State<Shared>,
    headers: HeaderMap,
    body: String,
) -> (StatusCode, String) {
    let mut script = script.lock().unwrap();
    let authorization = headers.get("authorization").map_or("", |value| value.to_str().unwrap());
    script.sent.push((authorization.to_owned(), body));
    (StatusCode::from_u16(script.token.0).unwrap(), script.token.1.clone())
}

pub(crate) async fn user_info(State(script): State<Shared>, headers: HeaderMap) -> (StatusCode, String) {
    let is_good = headers.get("authorization").is_some_and(|value| value == "Bearer x");
    let status = if is_good { StatusCode::OK } else { StatusCode::UNAUTHORIZED };
    (status, script.lock().unwrap().user_info.to_string())
}

/// A stub on a free port, and its address.
pub(crate) async fn provider(signer: &Signer) -> (Shared, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let issuer = format!("http://{}", listener.local_addr().unwrap());
    let description = json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize?theme=dark"),
        "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/keys"),
        "end_session_endpoint": format!("{issuer}/end"),
    });
    let script = Script { description, keys: jwks(&[signer.jwk()]), ..Script::default() };
    let script = Arc::new(Mutex::new(script));
    let describe =
        |State(script): State<Shared>| async move { script.lock().unwrap().description.to_string() };
    let keys = |State(script): State<Shared>| async move { script.lock().unwrap().keys.clone() };
    let routes = Router::new()
        .route("/.well-known/openid-configuration", get(describe))
        .route("/keys", get(keys))
        .route("/token", post(token_endpoint))
        .route("/user", get(user_info))
        .with_state(Arc::clone(&script));
    tokio::spawn(async move { axum::serve(listener, routes).await });
    (script, issuer)
}

pub(crate) fn sealer(folder: &TempDir) -> Arc<SessionSealer> {
    let store = CredentialStore::open(&folder.path().join("credentials.db")).unwrap();
    let verifier = store.verifier().unwrap();
    Arc::new(SessionSealer::new(Arc::new(Mutex::new(store)), verifier, Duration::from_secs(600)).unwrap())
}

impl Trial {
    pub(crate) async fn new() -> Self {
        Self::with(&[], SECRET).await
    }

    pub(crate) async fn with(groups: &[String], secret: &str) -> Self {
        let signer = Signer::p256("a");
        let (script, issuer) = provider(&signer).await;
        let store = tempfile::tempdir().unwrap();
        let file = store.path().join("secret");
        std::fs::write(&file, format!("{secret}\n")).unwrap();
        let named = NamedProvider {
            issuer: &issuer,
            client_id: CLIENT,
            client_secret_file: (!secret.is_empty()).then_some(&*file),
            groups,
            organization: ORGANIZATION,
            ..NamedProvider::default()
        };
        let settings = SignInSettings::new(&named).unwrap().unwrap();
        let sign_in = SignIn::new(settings, sealer(&store)).unwrap();
        Self { script, issuer, signer, sign_in, store }
    }

    pub(crate) async fn begin(&self) -> Begun {
        self.sign_in.begin(PAGE, SystemTime::now()).await.unwrap()
    }

    /// Sound claims of an ID token for this log-in.
    pub(crate) fn claims(&self, begun: &Begun) -> Value {
        let now = seconds(SystemTime::now());
        json!({
            "iss": self.issuer, "aud": CLIENT, "sub": USER, "iat": now, "exp": now + 600,
            "nonce": query_of(&begun.address)["nonce"], "email": "cai@tiny.example", "email_verified": true,
        })
    }

    /// Makes the provider give a token with these claims for every code.
    pub(crate) fn gives(&self, claims: &Value) {
        self.gives_token(&self.id_token(claims));
    }

    pub(crate) fn id_token(&self, claims: &Value) -> String {
        let header = json!({ "alg": self.signer.alg(), "kid": self.signer.kid });
        self.signer.signed(header.to_string().as_bytes(), claims.to_string().as_bytes())
    }

    pub(crate) fn gives_token(&self, token: &str) {
        self.script.lock().unwrap().token =
            (200, json!({ "id_token": token, "access_token": "x" }).to_string());
    }

    pub(crate) async fn finish(&self, returned: &Returned) -> Result<SignedIn, SignInError> {
        self.sign_in.finish(returned, SystemTime::now()).await
    }

    /// The result of a whole log-in whose ID token has the claims that `change` leaves.
    pub(crate) async fn outcome(&self, change: impl FnOnce(&mut Value)) -> Result<SignedIn, String> {
        let begun = self.begin().await;
        let mut claims = self.claims(&begun);
        change(&mut claims);
        self.gives(&claims);
        self.finish(&back(&begun)).await.map_err(|error| error.to_string())
    }
}

pub(crate) fn query_of(address: &str) -> HashMap<String, String> {
    let query = address.split_once('?').unwrap().1;
    form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}

/// The parameters with which a browser returns.
pub(crate) fn back(begun: &Begun) -> Returned {
    let state = query_of(&begun.address)["state"].clone();
    Returned { code: "c0de".to_owned(), state, iss: None, sealed: begun.sealed.clone() }
}
