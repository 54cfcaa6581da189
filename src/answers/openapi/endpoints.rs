//! The endpoints: purpose, parameters and answers of each.

use crate::api::endpoints::connections;
use crate::api::route::Route;
use crate::model::dataset::OpportunityStatus;
use crate::openapi::bodies;
use crate::openapi::failures::{self, failures_of_all, failures_with};
use crate::openapi::parameters::{
    WRITTEN, boolean, choice, choices, email, further, generation, handle, limit, member_ids, offset, page,
    path_id, person_id, target_id, text, written,
};
use crate::openapi::table::{Access, Endpoint, Success};
use crate::query::opportunities::Sort;
use crate::query::paths::request::{GroupBy, PathExtra, PathSort, PathType, Scope};
use crate::query::people_search::PeopleExtra;
use crate::query::person::PersonExtra;

/// The group of warm paths.
pub(crate) const PATHS: &str = "Warm paths";
const PLAIN: &str = "Network search";
const PEOPLE: &str = "People and companies";
const OWN: &str = "The user's own network";
const PROSPECTS: &str = "Prospects";
const REFERENCE: &str = "Reference";

/// The groups of endpoints, in the order of the list, with descriptions.
pub const TAGS: [(&str, &str); 6] = [
    (PATHS, "Who can introduce us to a person, or to anyone at a company."),
    (PLAIN, "Whom we know, asked for in plain language."),
    (PEOPLE, "Who is known, and by whom."),
    (OWN, "What a signed-in member sees of their own contacts. Needs a user token."),
    (PROSPECTS, "People worth meeting that an agent has found."),
    (REFERENCE, "What this service says about itself. Needs no credential."),
];

/// Describes the operation of a route.
type Describe = fn(Route) -> Endpoint;

/// The description of each operation, in the order of [`TAGS`].
const DESCRIPTIONS: [(&str, Describe); 15] = [
    ("searchWarmPaths", search_warm_paths),
    ("searchWarmPathsBatch", |route| bodies::search_warm_paths_batch(route, PATHS)),
    ("searchNetwork", |route| bodies::search_network(route, PLAIN)),
    ("searchPeople", search_people),
    ("getPerson", get_person),
    ("getPeopleNetwork", get_people_network),
    ("searchCompanies", search_companies),
    ("listMembers", list_members),
    ("getMe", get_me),
    ("listConnections", list_connections),
    ("listSecondDegreeConnections", list_second_degree_connections),
    ("listGhostOpportunities", list_ghost_opportunities),
    ("listChanges", list_changes),
    ("getOpenApi", get_open_api),
    ("getDocs", get_docs),
];

/// The operations of `routes` described here, in the order of [`TAGS`].
#[must_use]
pub fn describe(routes: &[Route]) -> Vec<Endpoint> {
    let route = |id: &str| routes.iter().find(|route| route.id == id).copied();
    DESCRIPTIONS.iter().filter_map(|(id, describe)| route(id).map(describe)).collect()
}

/// JSON of a schema, with an example answer of a GET operation.
macro_rules! answered {
    ($schema:literal, $id:literal, $request:literal) => {
        Success::Json {
            schema: $schema,
            request: $request,
            body: None,
            answer: include_str!(concat!("examples/", $id, ".json")),
        }
    };
}

fn search_warm_paths(route: Route) -> Endpoint {
    let include = "Companies only: whether employees whom the organization has already asked for an \
                   introduction to are targets too. Otherwise they are withheld and counted in \
                   `excludedIntroRequested`.";
    let scope = "`me` finds only paths that start from the token's own user; it needs a user token.";
    let sort = "`tier` lists paths by their type, within a type the warmest first; `warmness` the warmest first, \
                whatever their type.";
    let group = "Of the paths over one connector, or to one target, only the first is listed; `totalCount` counts \
                 groups, and `alternatives` the paths left out behind each.";
    let extras = "What else to answer, repeated or comma-separated. `match`: how the target was found, and who else \
                  it may have been. `reasons`: why there is no path, or fewer than there could be. `evidence`: what the \
                  scores of the legs rest on. `near`: what is nearest, if nobody was found or there is no path.";
    let at = "The company where the person works whom `prospectName` names, found as `prospectCompany` is: the \
              name is looked up among its employees alone. Only beside `prospectName`.";
    let position = "Only employees whose position contains this text are targets. Only with a company as the \
                    target.";
    let members = "Members whom paths may start from, by user id or person id: repeated or comma-separated.";
    Endpoint {
        route,
        tag: PATHS,
        summary: "Find warm paths",
        text: "Finds the ways in which members of the organization can be introduced to a person, or to anyone \
               at a company.\n\nExactly one of `prospectLinkedinId`, `prospectName`, `prospectCompany`, \
               `prospectId`, `prospectEmail` and `prospect` must be sent. Paths come by type in the order `direct`, `advocate`, `second_degree`, \
               `advocate_second_degree`, and within a type the warmest first. Where nobody matches, `prospect` \
               and `company` are both null. Look at `coverage.capped` before taking an answer as complete.",
        access: Access::Either,
        parameters: vec![
            handle("prospectLinkedinId", "The person with this handle or profile address."),
            text("prospectName", "The person whose name matches best; small misspellings are forgiven."),
            text(
                "prospectCompany",
                "Anyone at the company with this name, handle or domain, or whose name matches best.",
            ),
            target_id("prospectId", "The person, or anyone at the company, with this id."),
            email("prospectEmail", "The person with this e-mail address, in any case."),
            written("prospect", WRITTEN),
            text("prospectNameAt", at),
            text("position", position),
            limit(),
            offset(),
            boolean("includeIntroRequested", include).or("false"),
            choice("scope", &Scope::ALL.map(Scope::name), scope).or(Scope::ALL[0].name()),
            member_ids("fromUserIds", members).such_as("user_f37qch"),
            choices(
                "connectionTypes",
                &PathType::ALL.map(PathType::name),
                "The types of path to look for, repeated or comma-separated; all four where none is named.",
            ),
            choice("sort", &PathSort::ALL.map(PathSort::name), sort).or(PathSort::ALL[0].name()),
            choice("groupBy", &GroupBy::ALL.map(GroupBy::name), group),
            choices("include", &PathExtra::WITHOUT_ASKS.map(PathExtra::name), extras),
        ],
        success: answered!(
            "WarmPathsAnswer",
            "searchWarmPaths",
            "/api/v1/search/warm-paths?prospectCompany=Bramblequay%20Software&\
                      connectionTypes=second_degree,advocate_second_degree&fromUserIds=user_f37qch&limit=2"
        ),
        failures: failures_with([failures::forbidden_to_keys()]),
    }
}

fn search_people(route: Route) -> Endpoint {
    let people_extras = "What else to answer, repeated or comma-separated. `page`: the fields of a page, as with \
                         `offset`. `ties`: which members know each person.";
    Endpoint {
        route,
        tag: PEOPLE,
        summary: "Search people",
        text: "Finds people of the first and second degree whose name, e-mail address, position or current \
               company holds a text, whatever its capitals and accents. First degree comes first, then the \
               warmest. There are no further pages.",
        access: Access::Either,
        parameters: vec![
            text(
                "q",
                "What to look for: 1 to 200 characters once capitals, accents and runs of spaces are folded.",
            )
            .required()
            .such_as("engineer"),
            limit(),
            boolean("includeSecondDegree", "Whether people of the second degree are found too.").or("true"),
            further(u64::MAX),
            choices("include", &PeopleExtra::ALL.map(PeopleExtra::name), people_extras),
        ],
        success: answered!("PeopleAnswer", "searchPeople", "/api/v1/search/people?q=engineer&limit=2"),
        failures: failures_with([failures::forbidden()]),
    }
}

fn get_person(route: Route) -> Endpoint {
    let extras = "What else to answer, repeated or comma-separated. `evidence`: what the warmness rests on. \
                  `ties`: which members know the person.";
    Endpoint {
        route,
        tag: PEOPLE,
        summary: "Get a person",
        text: "One person of the first or second degree. Warmness is given for the first degree only: that of \
               the member who knows them best.",
        access: Access::Either,
        parameters: vec![
            path_id("id", "The person's id.").such_as("person_1rhq0b"),
            choices("include", &PersonExtra::ALL.map(PersonExtra::name), extras),
        ],
        success: answered!("PersonAnswer", "getPerson", "/api/v1/people/person_1rhq0b"),
        failures: failures_with([failures::forbidden(), failures::not_found()]),
    }
}

fn get_people_network(route: Route) -> Endpoint {
    Endpoint {
        route,
        tag: PEOPLE,
        summary: "List whom a person knows",
        text: "Lists the people whom a person is connected to, warmest first. The person must be a member or \
               known by one.\n\nExactly one of `name`, `linkedinId` and `personId` must be sent.",
        access: Access::Either,
        parameters: vec![
            text("name", "The person whose name matches best; the best connected wins a tie."),
            handle("linkedinId", "The person with this handle or profile address."),
            person_id("personId", "The person with this id."),
            limit(),
            offset(),
            boolean(
                "includeIntroRequested",
                "`true` includes people whom the organization has already asked for an introduction to; \
                 anything else leaves them out and counts them in `excludedIntroRequested`.",
            )
            .or("false"),
            choices(
                "include",
                &["match"],
                "What else to answer. `match`: how the person was found, and who else of first degree it may have been.",
            ),
        ],
        success: answered!(
            "NetworkAnswer",
            "getPeopleNetwork",
            "/api/v1/people/network?personId=person_9jzgw7&limit=2"
        ),
        failures: failures_with([failures::forbidden_outside()]),
    }
}

fn list_members(route: Route) -> Endpoint {
    Endpoint {
        route,
        tag: PEOPLE,
        summary: "List members",
        text: "Lists the members of the organization by name: whom `fromUserIds` may name, and who the `userId` of an \
               answer is.",
        access: Access::Either,
        parameters: vec![limit(), offset()],
        success: answered!("MembersAnswer", "listMembers", "/api/v1/members?limit=2"),
        failures: failures_with([failures::forbidden()]),
    }
}

fn get_me(route: Route) -> Endpoint {
    Endpoint {
        route,
        tag: PEOPLE,
        summary: "Get who asks",
        text: "Says whose credential was sent and how fresh what is known is: the organization, the member that a user \
               token is for, the scopes, the generation of the network.",
        access: Access::Either,
        parameters: Vec::new(),
        success: answered!("MeAnswer", "getMe", "/api/v1/me"),
        failures: failures_with([failures::forbidden()]),
    }
}

fn search_companies(route: Route) -> Endpoint {
    Endpoint {
        route,
        tag: PEOPLE,
        summary: "Search companies",
        text: "Finds companies whose name, industry or headquarters location holds a text, whatever its capitals \
               and accents. Names that equal it come first, then those that begin with it, then those that hold \
               it, then the rest.",
        access: Access::Either,
        parameters: vec![
            text(
                "q",
                "What to look for: 1 to 200 characters once capitals, accents and runs of spaces are folded.",
            )
            .required()
            .such_as("software"),
            page(),
            limit(),
        ],
        success: answered!(
            "CompaniesAnswer",
            "searchCompanies",
            "/api/v1/search/companies?q=software&limit=2"
        ),
        failures: failures_with([failures::forbidden()]),
    }
}

fn list_connections(route: Route) -> Endpoint {
    let extras = "What else to answer. `ties`: which members know each person.";
    Endpoint {
        route,
        tag: OWN,
        summary: "List connections",
        text: "Lists the people whom the token's user knows, by name.",
        access: Access::User,
        parameters: vec![limit(), offset(), choices("include", &connections::EXTRAS, extras)],
        success: answered!("ConnectionsAnswer", "listConnections", "/api/v1/connections?limit=2"),
        failures: failures_with([failures::forbidden_to_keys()]),
    }
}

fn list_second_degree_connections(route: Route) -> Endpoint {
    let via = "Only people reached through this contact of the user; 404 where the user does not know them.";
    Endpoint {
        route,
        tag: OWN,
        summary: "List second-degree connections",
        text: "Lists the people whom contacts of the token's user know and the user does not, warmest first. The \
               warmest contacts are looked at, and through each the warmest connections to others: `totalCount` counts \
               who was found there, and `capped` says that something was left out.",
        access: Access::User,
        parameters: vec![limit(), offset(), person_id("viaConnectorId", via).such_as("person_9jzgw7")],
        success: answered!(
            "SecondDegreeAnswer",
            "listSecondDegreeConnections",
            "/api/v1/connections/second-degree?limit=2"
        ),
        failures: failures_with([failures::forbidden_to_keys(), failures::not_found()]),
    }
}

fn list_ghost_opportunities(route: Route) -> Endpoint {
    Endpoint {
        route,
        tag: PROSPECTS,
        summary: "List ghost opportunities",
        text: "Lists the prospects that were discovered for anyone in the organization, without those who work at \
               the caller's own company.",
        access: Access::Either,
        parameters: vec![
            choice(
                "status",
                &OpportunityStatus::NAMES,
                "Only opportunities of this status; where it is not sent, all but `dismissed`.",
            ),
            choice("sort", &Sort::ALL.map(Sort::name), "`relevancy` lists the highest `overallScore` first.")
                .or(Sort::ALL[0].name()),
            text("search", "Only prospects whose name, company or position holds this text."),
            limit(),
            offset(),
        ],
        success: answered!(
            "OpportunitiesAnswer",
            "listGhostOpportunities",
            "/api/v1/ghost/opportunities?limit=1&sort=relevancy"
        ),
        failures: failures_with([failures::forbidden()]),
    }
}

fn list_changes(route: Route) -> Endpoint {
    Endpoint {
        route,
        tag: PROSPECTS,
        summary: "List changes",
        text: "Lists what changed in the organization's network since an earlier generation of it: who came within reach \
               and who went out of it, whose best path is warmer, colder or by another connector, and who has another \
               position or company; for everybody of first or second degree in either. The best path is the first of all \
               with `sort=warmness`. Changes come by person, then by kind.\n\nEvery answer's header `Service-Generation` \
               names the generation that it comes from. Keep it, and ask for what changed since once it is another one. \
               Where `live.keep_changes` is on, the generation before the one in service is kept; any other is gone \
               (410). All replicas name a generation alike. `unavailable` is answered too as long as the two are still being compared: ask again.",
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
        success: answered!("ChangesAnswer", "listChanges", "/api/v1/changes?since=1&limit=2"),
        failures: failures_with([failures::forbidden(), failures::generation_gone()]),
    }
}

fn get_open_api(route: Route) -> Endpoint {
    Endpoint {
        route,
        tag: REFERENCE,
        summary: "Get this description",
        text: "This document. It holds no data of any organization.",
        access: Access::Anyone,
        parameters: Vec::new(),
        success: Success::Document,
        failures: [vec![failures::bad_request()], failures_of_all().into()].concat(),
    }
}

fn get_docs(route: Route) -> Endpoint {
    Endpoint {
        route,
        tag: REFERENCE,
        summary: "Read this description",
        text: "This document as a page to read: one HTML file that loads nothing else.",
        access: Access::Anyone,
        parameters: Vec::new(),
        success: Success::Page,
        failures: failures_of_all().into(),
    }
}
