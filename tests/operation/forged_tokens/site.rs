//! Two networks served to the tokens of an issuer.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderValue, Request, StatusCode};
use kith_server::auth::jwt::Issuer;
use kith_server::auth::verify::Verifier;
use kith_server::live::network::LiveNetwork;
use tempfile::TempDir;

use crate::support::issuer::file_settings;
use crate::support::{Answer, Credentials, Served, network_of, project};

/// Needs a user token.
pub(crate) const PATH: &str = "/api/v1/connections?limit=1";
/// The organization beside the tiny one, and its one member who is not a member there.
pub(crate) const OTHER_ORGANIZATION: &str = "org_other";
pub(crate) const OTHER_USER: &str = "user_dee";

/// The body of every 401 to a credential that was sent.
const UNAUTHORIZED: &str = r#"{"error":"The credential that was sent does not hold: it is unknown, revoked or expired, or not sent once as \"Authorization: Bearer <credential>\".","code":"unauthorized"}"#;

/// The tiny network and another one, served.
pub(crate) struct Site {
    pub(crate) credentials: Credentials,
    networks: Vec<Arc<LiveNetwork>>,
    served: Served,
}

/// An issuer whose keys are those of the JWKS `keys`, in a file that is read before this returns.
pub(crate) fn issuer_of(keys: &str) -> (TempDir, Issuer) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("jwks.json");
    fs::write(&file, keys).unwrap();
    let issuer = Issuer::new(&file_settings(&file)).unwrap();
    (folder, issuer)
}

impl Site {
    /// Trusts an issuer with these keys.
    pub(crate) fn trusting(keys: &str) -> Self {
        Self::of(issuer_of(keys).1)
    }

    /// Trusts `issuer`.
    pub(crate) fn of(issuer: Issuer) -> Self {
        let mut site = Self::without_issuer();
        site.served = site.verifying(site.verifier().trusting(issuer));
        site
    }

    /// Trusts nobody.
    pub(crate) fn without_issuer() -> Self {
        let credentials = Credentials::new();
        let (tiny, other) = (network_of(&project("fixtures/tiny")), network_of(other_tables().path()));
        let networks = vec![Arc::new(tiny), Arc::new(other)];
        let served = Served::verifying(&networks, credentials.store.verifier().unwrap());
        Self { credentials, networks, served }
    }

    pub(crate) fn verifier(&self) -> Verifier {
        self.credentials.store.verifier().unwrap()
    }

    fn verifying(&self, verifier: Verifier) -> Served {
        Served::verifying(&self.networks, verifier)
    }

    pub(crate) async fn get(&self, token: &str) -> Answer {
        self.served.get(PATH, token).await
    }

    /// The status of the answer to who sends `token`.
    pub(crate) async fn status(&self, token: &str) -> StatusCode {
        self.get(token).await.status
    }

    /// What is wrong with the answer to a request with `token`. Returns `None` if it is `status`, and a 401
    /// the constant one. A token that no header can hold is not sent.
    pub(crate) async fn fault_of_answer(&self, token: &str, status: u16) -> Option<String> {
        let authorization = HeaderValue::from_str(&format!("Bearer {token}")).ok()?;
        let request = Request::get(PATH).header("authorization", authorization);
        let answer = self.served.send(request.body(Body::empty()).unwrap()).await;
        let challenge = answer.headers.get("www-authenticate").map(HeaderValue::as_bytes);
        let is_constant = answer.bytes == UNAUTHORIZED.as_bytes()
            && challenge == Some(b"Bearer error=\"invalid_token\"".as_slice());
        let is_foreseen = answer.status == status && (status != 401 || is_constant);
        let body = String::from_utf8_lossy(&answer.bytes);
        (!is_foreseen).then(|| format!("answered {} {challenge:?} {body}", answer.status))
    }
}

/// The tiny tables under other names.
fn other_tables() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(project("fixtures/tiny")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let text = text.replace("org_tiny", OTHER_ORGANIZATION).replace("user_cai", OTHER_USER);
        fs::write(folder.path().join(Path::new(path.file_name().unwrap())), text).unwrap();
    }
    folder
}
