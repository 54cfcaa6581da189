//! Keys and tokens over HTTP, for the operator: made, listed and revoked in the same store as by `kith keys` and `kith
//! tokens`.
//!
//! The listener makes them only if it requires the operator's token; otherwise every process on the machine could make
//! itself a key to any organization. A replica of a cell makes none, since the other replicas would not know it.
//!
//! Promise: Keys and tokens are made, listed and revoked over HTTP with the operator's token alone; a secret is shown
//!   once.
//! Control: the same requests to a listener that asks for no token, to a replica of a cell, and on the API's listener.
//! Also in: `tests/process/issuing.rs`.

use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Body;
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get};

use crate::api::admin::Operations;
use crate::api::body::{self, Object};
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::api::marks::Peer;
use crate::api::prefer::Handling;
use crate::audit;
use crate::auth::error::StoreError;
use crate::auth::scope::Scopes;
use crate::auth::secret::CredentialKind;
use crate::auth::store::{CredentialOf, CredentialStore, Issued, StoredCredential};
use crate::auth::subject::{parse_key_name, parse_organization_id, parse_user_id};
use crate::clock;

/// The store for credentials made over HTTP, or why there is none.
#[derive(Clone, Debug)]
pub enum Issuing {
    /// Made in this store.
    In(Arc<Mutex<CredentialStore>>),
    /// The listener requires no token.
    WithoutToken,
    /// The store is filled by `kith pull`.
    Pulled,
}

impl Issuing {
    /// Wraps `store` if members can make tokens in it; they cannot on a replica.
    #[must_use]
    pub fn store_of_members(
        &self,
        store: Arc<Mutex<CredentialStore>>,
    ) -> Option<Arc<Mutex<CredentialStore>>> {
        (!matches!(self, Self::Pulled)).then_some(store)
    }
}

/// The state of the handlers here.
#[derive(Clone, Debug)]
struct Desk {
    issuing: Issuing,
    operations: Arc<Operations>,
}

/// The credential kind of a route.
#[derive(Clone, Copy)]
struct Kind(CredentialKind);

/// The default life of a token: an hour.
const TOKEN_TTL: &str = "1h";

/// The routes of keys and tokens.
pub fn routes(issuing: Issuing, operations: Arc<Operations>) -> Router {
    let desk = Desk { issuing, operations };
    let of = |kind, path: &str| {
        Router::new()
            .route(path, get(list).post(create))
            .route(&format!("{path}/{{id}}"), delete(revoke))
            .layer(Extension(Kind(kind)))
    };
    of(CredentialKind::OrganizationKey, "/admin/keys")
        .merge(of(CredentialKind::UserToken, "/admin/tokens"))
        .with_state(desk)
}

impl Desk {
    fn store(&self) -> Result<Arc<Mutex<CredentialStore>>, ApiError> {
        let why = match &self.issuing {
            Issuing::In(store) => return Ok(Arc::clone(store)),
            Issuing::WithoutToken => {
                "Set admin.token_file: without it every process of this machine could make itself a key."
            }
            Issuing::Pulled => {
                "Credentials of a cell are made where they are pushed from: a replica's would be its own alone."
            }
        };
        Err(ApiError::Forbidden(why.to_owned()))
    }

    async fn with_store<T: Send + 'static>(
        &self,
        work: impl FnOnce(&CredentialStore) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, ApiError> {
        with_store(self.store()?, work).await
    }
}

/// Does `work` with the store, off the threads of requests.
///
/// # Errors
/// Returns 409 with the sentence of the store's error.
pub(crate) async fn with_store<T: Send + 'static>(
    store: Arc<Mutex<CredentialStore>>,
    work: impl FnOnce(&CredentialStore) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, ApiError> {
    let work = move || work(&store.lock().unwrap_or_else(PoisonError::into_inner));
    let done = tokio::task::spawn_blocking(work).await.map_err(|_| ApiError::Internal)?;
    done.map_err(|error| ApiError::Conflict(format!("The credential store cannot be used: {error}.")))
}

async fn list(State(desk): State<Desk>, Extension(Kind(kind)): Extension<Kind>) -> Result<Json, ApiError> {
    let listed = desk.with_store(move |store| match kind {
        CredentialKind::OrganizationKey => store.list_keys(),
        CredentialKind::UserToken => store.list_tokens(),
    });
    let listed = listed.await?;
    Ok(Json::of_object(128, |json| {
        json.object_field("data", |json| json.array_field(plural(kind), &listed, write));
    }))
}

async fn create(
    State(desk): State<Desk>,
    Extension(Kind(kind)): Extension<Kind>,
    peer: Option<Extension<Peer>>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    desk.store()?;
    let body = Object::parse(&body::read(&headers, body).await?)?;
    let organization = required(&body, "organization", "an organization's id, org_…", parse_organization_id)?;
    let ttl = body.text("ttl", TTL)?.map(|ttl| parsed("ttl", &ttl, TTL, str::parse)).transpose()?;
    let in_service = desk.operations.serves(&organization);
    audit::credential_requested("create", kind.id_prefix(), peer.map(|Extension(Peer(address))| address));
    let now = clock::wall_time();
    let issued = match kind {
        CredentialKind::OrganizationKey => {
            body.check(Handling::Strict, &["organization", "name", "ttl"])?;
            let name = required(&body, "name", "what the key is called in lists", parse_key_name)?;
            desk.with_store(move |store| match ttl {
                None => store.create_key(&organization, &name, now),
                Some(ttl) => store.create_expiring_key(&organization, &name, ttl, now),
            })
            .await?
        }
        CredentialKind::UserToken => {
            body.check(Handling::Strict, &["organization", "user", "scope", "ttl"])?;
            let user = required(&body, "user", "a member's user id, user_…", parse_user_id)?;
            let expected = "mcp:read, mcp:write or both; or feed, or link";
            let scope = body.text("scope", expected)?;
            let scope =
                scope.map(|scope| parsed("scope", &scope, expected, str::parse::<Scopes>)).transpose()?;
            let ttl = ttl.map_or_else(|| parsed("ttl", TOKEN_TTL, TTL, str::parse), Ok)?;
            let scope = scope.unwrap_or(Scopes::READ);
            desk.with_store(move |store| store.create_token(&organization, &user, scope, ttl, now)).await?
        }
    };
    Ok((StatusCode::CREATED, made(kind, &issued, in_service)).into_response())
}

async fn revoke(
    State(desk): State<Desk>,
    Extension(Kind(kind)): Extension<Kind>,
    peer: Option<Extension<Peer>>,
    Path(id): Path<String>,
) -> Result<Json, ApiError> {
    audit::credential_requested("revoke", kind.id_prefix(), peer.map(|Extension(Peer(address))| address));
    let revoked = id.clone();
    let at = desk
        .with_store(move |store| match kind {
            CredentialKind::OrganizationKey => store.revoke_key(&revoked, clock::wall_time()),
            CredentialKind::UserToken => store.revoke_token(&revoked, clock::wall_time()),
        })
        .await?;
    let plural = plural(kind);
    let unknown =
        || ApiError::OfNoForm(format!("No credential has this id; GET /admin/{plural} lists the ids."));
    let at = at.ok_or_else(unknown)?.to_rfc3339_ms();
    Ok(Json::of_object(128, |json| {
        json.object_field("data", |json| {
            json.field("id", &*id);
            json.field("revokedAt", &*at);
        });
    }))
}

/// A description of the accepted lives.
const TTL: &str = "a whole number and s, m, h or d, at most 365d";

fn plural(kind: CredentialKind) -> &'static str {
    match kind {
        CredentialKind::OrganizationKey => "keys",
        CredentialKind::UserToken => "tokens",
    }
}

fn required<T, E>(
    body: &Object,
    name: &str,
    expected: &str,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> Result<T, ApiError> {
    let sent = body.text(name, expected)?.ok_or_else(|| ApiError::missing(name, expected))?;
    parsed(name, &sent, expected, parse)
}

fn parsed<T, E>(
    name: &str,
    sent: &str,
    expected: &str,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> Result<T, ApiError> {
    parse(sent).map_err(|_| ApiError::invalid(name, sent, expected))
}

/// The only answer that shows the secret.
fn made(kind: CredentialKind, issued: &Issued, in_service: bool) -> Json {
    Json::of_object(128, |json| {
        json.object_field("data", |json| {
            json.field("id", &*issued.id);
            json.field(plural(kind).trim_end_matches('s'), issued.secret.reveal());
            json.field("inService", in_service);
        });
    })
}

/// Writes `it` for a list of credentials.
pub(crate) fn write(json: &mut Json, it: &StoredCredential) {
    json.object(|json| {
        json.field("id", &*it.id);
        match &it.of {
            CredentialOf::Organization { name } => {
                json.field("name", &**name);
                json.field("organization", &*it.org);
            }
            CredentialOf::Member { user, scopes } => {
                json.field("organization", &*it.org);
                json.field("user", &**user);
                json.field("scope", &*scopes.to_string());
            }
        }
        json.field("createdAt", &*it.created_at.to_rfc3339_ms());
        let written = |time: Option<crate::model::time::Timestamp>| time.map(|time| time.to_rfc3339_ms());
        json.field_if("expiresAt", written(it.expires_at).as_deref());
        json.field("lastFour", &*it.last_four);
        match written(it.revoked_at) {
            Some(at) => json.field("revokedAt", &*at),
            None => json.null("revokedAt"),
        }
        json.field_if("lastUsed", written(it.last_used_at).as_deref());
    });
}
