//! The page behind a colleague's link: they bring exports, see what was read, take back what they do not want, and leave. No
//! account, no cookie, and nothing of anybody else.

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName};
use axum::response::{IntoResponse, Response};
use tokio::task::spawn_blocking;

use crate::api::body::{self, Object};
use crate::api::cookie::check_site;
use crate::api::error::ApiError;
use crate::api::json::{Json, Raw};
use crate::api::marks::{Cause, Peer};
use crate::api::prefer::Handling;
use crate::api::state::ApiState;
use crate::audit;
use crate::auth::clock::{from_millis, to_millis};
use crate::clock;
use crate::explorer::arriving::{pieces, sent_name};
use crate::exports::error::ExportsError;
use crate::exports::part::Part;
use crate::exports::service::ExportService;

/// The header with the code of the link.
const CODE: HeaderName = HeaderName::from_static("kith-code");
/// The fields of a body that leaves something out.
const RULE_FIELDS: [&str; 3] = ["kind", "text", "back"];

/// A request over a link.
struct Linked {
    service: Arc<ExportService>,
    code: String,
    peer: Option<IpAddr>,
}

impl Linked {
    /// Reads the code of a request of the page.
    fn read(state: &ApiState, parts: &Parts) -> Result<Self, ApiError> {
        check_site(&parts.headers)?;
        let service = state.exports.clone().ok_or(ApiError::UnknownPath)?;
        let code = parts.headers.get(CODE).and_then(|code| code.to_str().ok());
        let code = code.ok_or_else(|| ApiError::missing(CODE.as_str(), "the code of a link"))?.to_owned();
        let peer = parts.extensions.get::<Peer>().map(|peer| peer.0.ip());
        Ok(Self { service, code, peer })
    }

    /// Does `work` where it holds no request up.
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&ExportService, &str, i64) -> Result<T, ExportsError> + Send + 'static,
    ) -> Result<T, Response> {
        let (service, code) = (Arc::clone(&self.service), self.code.clone());
        let working = spawn_blocking(move || work(&service, &code, to_millis(clock::wall_time())));
        let worked = working.await.map_err(|_| ApiError::Internal.into_response())?;
        worked.map_err(|error| match error {
            ExportsError::VoidLink => self.wrong().into_response(),
            error => refused(error),
        })
    }

    /// Counts a wrong code. Returns 404, or 429 after too many.
    fn wrong(&self) -> ApiError {
        let counted = self.peer.and_then(|peer| self.service.wrong_codes.count(peer, clock::now()));
        counted.map_or(ApiError::NotFound, |retry_after| ApiError::TooManyCodes { retry_after })
    }

    /// Reads `part` anew, and shows it.
    async fn shown_again(&self, part: Part) -> Result<Json, Response> {
        let _reading = self.service.reading.acquire().await;
        let (part, report) = self.work(move |service, _, _| service.read_again(&part)).await?;
        Ok(shown(&part, Some(&report)))
    }

    fn audit(&self, event: &str, part: &Part, file: Option<&str>) {
        audit::exports_changed(&audit::ExportsChange {
            event,
            organization: &part.organization,
            part: &part.id,
            file,
            by: "link",
        });
    }
}

/// Shows the colleague's part.
///
/// # Errors 400 if the request does not come from the page; 404 for a void link, like for an unknown one; 429 after too many of
/// those.
pub async fn part(State(state): State<Arc<ApiState>>, request: Request) -> Result<Json, Response> {
    let linked = Linked::read(&state, &request.into_parts().0).map_err(IntoResponse::into_response)?;
    let found = linked.work(|service, code, now| {
        let part = service.folder.linked(code, now)?;
        let report = service.folder.report(&part)?;
        Ok((part, report))
    });
    let (part, report) = found.await?;
    Ok(shown(&part, report.as_deref()))
}

/// Takes a file, and shows what was read.
///
/// # Errors
/// As [`part`]; 409 for a file that gives nothing, does not fit, or comes while another one arrives; 503 if too many arrive.
pub async fn bring(State(state): State<Arc<ApiState>>, request: Request) -> Result<Json, Response> {
    let (parts, body) = request.into_parts();
    let linked = Linked::read(&state, &parts).map_err(IntoResponse::into_response)?;
    let name = sent_name(&parts.headers).map_err(IntoResponse::into_response)?;
    let part = linked.work(|service, code, now| service.folder.linked(code, now)).await?;
    let arrival = linked.service.begin(&part).ok_or_else(|| {
        ApiError::Conflict("Another file of yours arrives right now; send this one when it was read.".into())
            .into_response()
    })?;
    let permit = Arc::clone(&linked.service.arriving).try_acquire_owned();
    let permit = permit.map_err(|_| ApiError::Unavailable.into_response())?;
    let (receiver, sending) = pieces(body);
    let called = name.clone();
    let receiving = linked.work(move |service, _, _| {
        let mut receiver = receiver;
        let whole = service.receive(&part, &called, || receiver.blocking_recv());
        // Held until nothing more of the file arrives, also if nobody waits for the answer.
        drop((permit, arrival));
        whole
    });
    let (whole, sent) = tokio::join!(receiving, sending);
    let whole = whole.map_err(|error| sent.err().map_or(error, IntoResponse::into_response))?;
    let _reading = linked.service.reading.acquire().await;
    let kept = linked.work(move |service, code, now| service.keep(code, &name, whole, now));
    let (part, report) = kept.await?;
    linked.audit("export.brought", &part, part.files.last().map(|file| file.id.as_str()));
    Ok(shown(&part, Some(&report)))
}

/// Removes a file.
///
/// # Errors
/// As [`part`]; 404 for a file that is not there.
pub async fn remove(
    State(state): State<Arc<ApiState>>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Json, Response> {
    let linked = Linked::read(&state, &request.into_parts().0).map_err(IntoResponse::into_response)?;
    let file = id.clone();
    let part = linked.work(move |service, code, now| service.folder.remove_file(code, &file, now)).await?;
    linked.audit("export.removed", &part, Some(&id));
    linked.shown_again(part).await
}

/// Leaves out what has a label, is at a company, or is a person; or takes that back.
///
/// # Errors
/// As [`part`]; 400 for a body that cannot be taken; 409 if there are too many.
pub async fn leave_out(State(state): State<Arc<ApiState>>, request: Request) -> Result<Json, Response> {
    let (parts, body) = request.into_parts();
    let linked = Linked::read(&state, &parts).map_err(IntoResponse::into_response)?;
    let (kind, text, is_back) = rule(&parts.headers, body).await.map_err(IntoResponse::into_response)?;
    let changed = linked.work(move |service, code, now| {
        service.folder.change_linked(code, now, |part| part.leave_out.change(&kind, &text, !is_back))
    });
    let part = changed.await?;
    linked.audit("export.left_out", &part, None);
    linked.shown_again(part).await
}

/// Removes everything that the colleague brought, and their link.
///
/// # Errors
/// As [`part`].
pub async fn leave(State(state): State<Arc<ApiState>>, request: Request) -> Result<Json, Response> {
    let linked = Linked::read(&state, &request.into_parts().0).map_err(IntoResponse::into_response)?;
    let part = linked.work(|service, code, now| service.folder.leave(code, now)).await?;
    linked.audit("export.part_left", &part, None);
    Ok(Json::of_object(32, |json| json.object_field("data", |json| json.field("left", true))))
}

async fn rule(headers: &HeaderMap, body: Body) -> Result<(String, String, bool), ApiError> {
    let body = Object::parse(&body::read(headers, body).await?)?;
    body.check(Handling::default(), &RULE_FIELDS)?;
    let expected = "one of label, company and person";
    let kind = body.text("kind", expected)?.ok_or_else(|| ApiError::missing("kind", expected))?;
    let expected = "what is left out";
    let text = body.text("text", expected)?.ok_or_else(|| ApiError::missing("text", expected))?;
    Ok((kind, text, body.boolean("back")?.unwrap_or(false)))
}

/// The answer to an error of the folder; what is our fault has its cause for the log, without a name.
pub(super) fn refused(error: ExportsError) -> Response {
    match error {
        ExportsError::VoidLink | ExportsError::Missing(_) => ApiError::NotFound.into_response(),
        ExportsError::Bound(said) | ExportsError::NothingRead(said) => {
            ApiError::Conflict(said).into_response()
        }
        ExportsError::Unfit(said) => ApiError::Conflict(said.to_owned()).into_response(),
        error => {
            let mut response = ApiError::Internal.into_response();
            response.extensions_mut().insert(Cause(error.to_string()));
            response
        }
    }
}

/// A time, in milliseconds since 1970, as answers write it.
pub(super) fn written(millis: i64) -> String {
    from_millis(millis).map_or_else(String::new, |time| time.to_rfc3339_ms())
}

fn shown(part: &Part, report: Option<&[u8]>) -> Json {
    let now = to_millis(clock::wall_time());
    let report = report.map(String::from_utf8_lossy);
    Json::of_object(1_024 + report.as_ref().map_or(0, |report| report.len()), |json| {
        json.object_field("data", |json| {
            json.field("name", &part.who.name);
            json.field("organization", &part.organization_name);
            json.array_field("helps", &part.who.helps, |json, member| json.element(member));
            if let Some(ends_at) = part.link_ends_at(now) {
                json.field("endsAt", &written(ends_at));
            }
            json.array_field("files", &part.files, |json, file| {
                json.object(|json| {
                    json.field("id", &file.id);
                    json.field("name", &file.name);
                    json.field("bytes", file.bytes);
                    json.field("at", &written(file.at));
                });
            });
            json.object_field("leaveOut", |json| {
                json.array_field("label", &part.leave_out.labels, |json, rule| json.element(rule));
                json.array_field("company", &part.leave_out.companies, |json, rule| json.element(rule));
                json.array_field("person", &part.leave_out.people, |json, rule| json.element(rule));
            });
            if let Some(report) = &report {
                json.field("report", Raw(report));
            }
        });
    })
}
