//! What warm paths answer: paths, whom they lead to, how the target was found and why there is none.

use crate::openapi::schema_fields::{
    BREAKDOWN, COUNT, SCORE, USER_ID, always, card, company, envelope, evidence, handle, identity, intro,
    object, occupation, often, position, signals,
};
use crate::openapi::table::{Field, Schema, Shape};
use crate::query::paths::reasons::PathReason;
use crate::query::paths::request::PathType;
use crate::query::paths::target::MatchedBy;

/// The schemas of warm paths.
#[must_use]
pub fn warm_paths() -> Vec<Schema> {
    let of_answer = [
        vec![
            always(
                "prospect",
                Shape::SchemaOrNull("Prospect"),
                "The person who was found; null for a company.",
            ),
            always(
                "company",
                Shape::SchemaOrNull("Company"),
                "The company that was found; null for a person.",
            ),
            always("paths", Shape::list(Shape::Schema("WarmPath")), "The paths of this page."),
        ],
        envelope(),
        vec![
            always(
                "excludedIntroRequested",
                COUNT,
                "Employees withheld because they were asked for already.",
            ),
            always("coverage", Shape::Schema("PathsCoverage"), "How complete the answer is."),
            often("match", Shape::Schema("Match"), "How the target was found; with `include=match`."),
            often(
                "reasons",
                Shape::list(Shape::Schema("Reason")),
                "Why there is no path, or fewer than there could be; with `include=reasons`.",
            ),
        ],
    ];
    let coverage = vec![
        always("capped", Shape::Boolean, "Whether a bound left out employees or edges."),
        always("candidatePeople", COUNT, "How many people the paths may lead to."),
        often("candidatePeopleCap", COUNT, "The bound on them; for companies alone."),
        always("secondDegreeEdgesCapped", Shape::Boolean, "Whether a bound left out edges."),
    ];
    vec![
        object("WarmPaths", "A page of warm paths, and whom they lead to.", of_answer.concat()),
        object("Prospect", "The person whom paths lead to.", [card(), intro()].concat()),
        object("Company", "The company whose people paths lead to.", company()),
        object("WarmPath", "One way to be introduced.", path()),
        object("Connector", "Who can introduce.", [identity(), occupation("company")].concat()),
        object("Target", "The employee whom a path leads to.", employee()),
        object(
            "Advocate",
            "The advocate whom the member can ask first.",
            [card(), vec![often("warmness", SCORE, "How well the member knows them.")]].concat(),
        ),
        object("PathsCoverage", "How complete an answer is.", coverage),
        object("Match", "How a target was found, and who else it may have been.", matched()),
        object("Alternative", "A person, or a company, that the target may have meant.", alternative()),
        object("Reason", "Why there is no path, or fewer than there could be.", reason()),
    ]
}

fn matched() -> Vec<Field> {
    vec![
        often(
            "by",
            Shape::Choice(MatchedBy::ALL.map(MatchedBy::name).to_vec()),
            "In what way: by the id, the handle, the e-mail address or the domain; by a name that is equal, has the same words in \
             another order, begins alike, or nearly does. Left out if nobody was found.",
        ),
        always("alternatives", Shape::list(Shape::Schema("Alternative")), "The first of the others."),
        always("others", COUNT, "How many others match in the same way."),
    ]
}

fn alternative() -> Vec<Field> {
    vec![
        always("id", Shape::pattern("^(person|company)_"), "The person's or the company's id."),
        always("name", Shape::TEXT, "The person's or the company's name."),
        handle(),
        position(),
        often("company", Shape::TEXT, "The name of the current company."),
        often("companyId", Shape::TEXT, "The company's handle."),
        often("industry", Shape::TEXT, "What the company works in."),
        often("headquartersLocation", Shape::TEXT, "Where its headquarters are."),
    ]
}

fn reason() -> Vec<Field> {
    vec![
        always("code", Shape::Choice(PathReason::ALL.map(PathReason::code).to_vec()), "The reason."),
        always("message", Shape::TEXT, "The same as a sentence; its wording may change."),
    ]
}

/// Returns the fields of an employee of the company that was asked for: they have a company.
fn employee() -> Vec<Field> {
    card()
        .into_iter()
        .map(|field| Field { always: field.always || field.name == "company", ..field })
        .collect()
}

fn path() -> Vec<Field> {
    let types = Shape::Choice(PathType::ALL.map(PathType::name).to_vec());
    vec![
        always("fromUserId", USER_ID, "The member whom the path starts from."),
        always("fromUserName", Shape::TEXT, "Their name."),
        always(
            "connector",
            Shape::Schema("Connector"),
            "Who can introduce; on direct paths the member themself.",
        ),
        always("connectionType", types, "How the path gets from the member to the target."),
        always("warmness", SCORE, "The score of the whole path."),
        always("userToConnectorWarmness", SCORE, "The score up to the connector; 100 on direct paths."),
        often("userToConnectorBreakdown", BREAKDOWN, "What it is made of."),
        signals("userToConnectorSignals"),
        always("connectorToProspectWarmness", SCORE, "The score of the last step; 0 where it has none."),
        always(
            "connectorToProspectBreakdown",
            BREAKDOWN,
            "What it is made of; empty where nothing is known.",
        ),
        signals("connectorToProspectSignals"),
        evidence("userToConnectorEvidence"),
        evidence("connectorToProspectEvidence"),
        often("target", Shape::Schema("Target"), "Companies alone: the employee whom the path leads to."),
        often("viaAdvocate", Shape::Schema("Advocate"), "Only on paths of type `advocate_second_degree`."),
        often("alternatives", COUNT, "The paths left out behind this one; with `groupBy`."),
    ]
}
