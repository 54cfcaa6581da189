//! The changes since the generation before.

use crate::api::route::Route;
use crate::openapi::failures::{self, failures_of_all};
use crate::openapi::parameters::{generation, limit, offset};
use crate::openapi::table::{Access, Endpoint, Success};

/// Describes `listChanges`, which is listed under `tag`.
pub(super) fn describe(route: Route, tag: &'static str) -> Endpoint {
    let [wrong_method, internal, unavailable] = failures_of_all();
    Endpoint {
        route,
        tag,
        summary: "List changes",
        text: "Lists what changed in the organization's network since an earlier generation of it: who came within reach \
               and who went out of it, whose best path is warmer, colder or by another connector, and who has another \
               position or company; for everybody of first or second degree in either. The best path is the first of all \
               with `sort=warmness`. Changes come by person, then by kind.\n\nEvery answer's header `Service-Generation` \
               names the generation that it comes from. Keep it, and ask for what changed since once it is another one. \
               Where `live.keep_changes` is on, the generation before the one in service is kept; any other is gone \
               (410), and so are those of a server that ended. `unavailable` is answered too as long as the two are still being compared: ask again.",
        access: Access::Either,
        parameters: vec![
            generation(
                "since",
                "The generation since which changes are listed, as an answer's `Service-Generation` named it. Of the one in \
                 service there are none.",
            ),
            limit(),
            offset(),
        ],
        success: Success::Json {
            schema: "ChangesAnswer",
            request: "/api/v1/changes?since=1&limit=2",
            body: None,
            answer: include_str!("examples/listChanges.json"),
        },
        failures: vec![
            failures::bad_request(),
            failures::unauthorized(),
            failures::forbidden(),
            wrong_method,
            failures::generation_gone(),
            failures::rate_limited(),
            internal,
            unavailable,
        ],
    }
}
