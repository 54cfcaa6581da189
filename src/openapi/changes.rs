//! The changes since the generation before: what is asked, and what is answered.

use crate::api::route::Route;
use crate::openapi::failures::{self, failures_of_all};
use crate::openapi::parameters::{generation, limit, offset};
use crate::openapi::schema_fields::{
    COMPANY_ID, COUNT, SCORE, USER_ID, always, answer, card, envelope, identity, object,
};
use crate::openapi::table::{Access, Endpoint, Schema, Shape, Success};
use crate::query::changes::ChangeKind;
use crate::query::paths::request::PathType;

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

/// The objects that its answers are made of.
pub(super) fn schemas() -> Vec<Schema> {
    let page = vec![
        always("changes", Shape::list(Shape::Schema("Change")), "The changes of this page."),
        always("since", COUNT, "The generation that was asked about."),
        always("generation", COUNT, "The generation in service."),
    ];
    let value = || {
        let path_or_company = ["WarmestPath", "FormerOrNewCompany"].map(Shape::Schema);
        Shape::OneOfOrNull([vec![Shape::TEXT], path_or_company.to_vec()].concat())
    };
    let change = vec![
        always("kind", Shape::Choice(ChangeKind::ALL.map(ChangeKind::name).to_vec()), "What changed."),
        always(
            "person",
            Shape::Schema("ChangedPerson"),
            "Of whom: as they are now, or were if they are gone.",
        ),
        always(
            "before",
            value(),
            "What was: a position as a text, a company, or else the best path; null if there was none.",
        ),
        always("after", value(), "What is, likewise."),
    ];
    let path = vec![
        always("warmness", SCORE, "The path's score."),
        always("connectionType", Shape::Choice(PathType::ALL.map(PathType::name).to_vec()), "Its type."),
        always("fromUserId", USER_ID, "The member whom it starts from."),
        always(
            "connector",
            Shape::Schema("WarmestConnector"),
            "Who can introduce; on direct paths the member themself.",
        ),
    ];
    let company = vec![
        always("id", COMPANY_ID, "The company's id."),
        always("name", Shape::TEXT, "The company's name."),
    ];
    vec![
        answer("ChangesAnswer", "What changed.", Shape::Schema("Changes")),
        object("Changes", "A page of changes.", [page, envelope()].concat()),
        object("Change", "One change of one person.", change),
        object("ChangedPerson", "Whose change it is.", card()),
        object("WarmestPath", "The best path to a person.", path),
        object("WarmestConnector", "Who can introduce.", identity()),
        object("FormerOrNewCompany", "A current company, before or after.", company),
    ]
}
