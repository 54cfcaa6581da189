//! The objects that answers are made of, field by field in the order in which they are written.

use crate::limits::PAGE_LIMIT_MAX;
use crate::model::dataset::OpportunityStatus;
use crate::openapi::batch;
use crate::openapi::changes;
use crate::openapi::path_schemas;
use crate::openapi::schema_fields::{
    BREAKDOWN, COMPANY_ID, COUNT, MOMENT, PERSON_ID, SCORE, USER_ID, always, answer, card, city, company,
    envelope, evidence, handle, identity, intro, intro_requested, intro_status, object, occupation, often,
    position, signals,
};
use crate::openapi::table::{Field, Others, Schema, Shape, Text};
use crate::openapi::understood;
use crate::query::people_network::Coverage;
use crate::query::person::Degree;
use crate::search::conditions::NetworkKind;
use crate::search::engine::Engine;

/// Every schema, those of whole answers first.
#[must_use]
pub fn all() -> Vec<Schema> {
    [
        answers(),
        path_schemas::warm_paths(),
        batch::schemas(),
        network_search(),
        understood::schemas(),
        people(),
        own_network(),
        opportunities(),
        changes::schemas(),
        shared(),
    ]
    .concat()
}

fn answers() -> Vec<Schema> {
    let list = |name| Shape::list(Shape::Schema(name));
    let pages = vec![
        always("data", list("CompanyMatch"), "The companies of this page."),
        always("totalCount", COUNT, "How many companies there are on all pages."),
        always("totalPages", COUNT, "How many pages there are."),
        always("currentPage", Shape::Whole(1, None), "The page that was applied."),
    ];
    vec![
        answer("WarmPathsAnswer", "Warm paths to a person or a company.", Shape::Schema("WarmPaths")),
        object("NetworkSearchAnswer", "People who fit a question.", search_answer()),
        answer("PeopleAnswer", "People who match.", list("PersonMatch")),
        answer("PersonAnswer", "One person.", Shape::Schema("Person")),
        answer("NetworkAnswer", "Whom a person knows.", Shape::Schema("Network")),
        object("CompaniesAnswer", "Companies that match.", pages),
        answer("ConnectionsAnswer", "Whom the user knows.", Shape::Schema("Connections")),
        answer("SecondDegreeAnswer", "Whom the user could get to know.", Shape::Schema("SecondDegree")),
        answer("OpportunitiesAnswer", "Prospects that were discovered.", Shape::Schema("Opportunities")),
    ]
}

fn search_answer() -> Vec<Field> {
    vec![
        always("data", Shape::list(Shape::Schema("Found")), "The people, best matches first."),
        always("meta", Shape::Schema("SearchMeta"), "How they were found."),
    ]
}

fn network_search() -> Vec<Schema> {
    let found = vec![
        always("person", Shape::Schema("FoundPerson"), "Who was found."),
        often("currentCompany", Shape::Schema("FoundCompany"), "Where they work."),
        often("warmness", SCORE, "The score of the warmest edge that leads to them in the chosen networks."),
        always(
            "connectionSources",
            Shape::list(Shape::Schema("ConnectionSource")),
            "Every chosen network that they are in.",
        ),
        understood::matched(),
    ];
    let company = vec![
        always("id", COMPANY_ID, "The company's id."),
        always("name", Shape::TEXT, "The company's name."),
        often("industry", Shape::TEXT, "What it works in; with `ids`."),
    ];
    let lives = vec![handle(), city(), often("country", Shape::TEXT, "The country the person lives in.")];
    let source = vec![
        always("type", Shape::Choice(NetworkKind::ALL.map(NetworkKind::name).to_vec()), "Which network."),
        always("name", Shape::TEXT, "Whose it is: the acting member's, an advocate's, the organization's."),
    ];
    let backends = || Shape::Choice(Engine::ALL.map(Engine::backend).to_vec());
    let meta = vec![
        always("searchTerms", Shape::list(Shape::TEXT), "What was really searched for."),
        always("totalCount", COUNT, "How many people fit."),
        always("returnedCount", Shape::Whole(0, Some(u64::from(PAGE_LIMIT_MAX))), "How many are listed."),
        always("backend", backends(), "The engine that answered."),
        often("fallback", Shape::Schema("Fallback"), "Only where automatic mode had to switch engines."),
    ];
    let meta = [meta, understood::of_meta()].concat();
    let fallback = vec![
        always("from", backends(), "The engine that should have answered."),
        always("reason", Shape::TEXT, "Why it did not."),
    ];
    vec![
        object("Found", "A person who fits.", found),
        object("FoundPerson", "A person by what they do.", [identity(), vec![position()], lives].concat()),
        object("FoundCompany", "A current company.", company),
        object("ConnectionSource", "A network that a person is in.", source),
        object("SearchMeta", "How people were found.", meta),
        object("Fallback", "A switch of engines.", fallback),
    ]
}

fn people() -> Vec<Schema> {
    let degree = || Shape::Choice(Degree::ALL.map(Degree::name).to_vec());
    let degree =
        || always("degree", degree(), "`first` where a member knows the person, `second` otherwise.");
    let warmness = || often("warmness", SCORE, "The score of the warmest acquaintance.");
    let breakdown = || often("warmnessBreakdown", BREAKDOWN, "What the score is made of.");
    let matched = vec![
        city(),
        warmness(),
        breakdown(),
        degree(),
        always("knownByUserIds", Shape::list(USER_ID), "The members who know the person."),
    ];
    let person = vec![
        handle(),
        position(),
        city(),
        often("currentCompany", Shape::Schema("Employer"), "Where the person works."),
        often("connectionsCount", COUNT, "How many connections the person says to have."),
        degree(),
        warmness(),
        breakdown(),
        signals("warmnessSignals"),
        evidence("evidence"),
    ];
    let employer = vec![
        always("id", COMPANY_ID, "The company's id."),
        always("name", Shape::TEXT, "The company's name."),
        often("industry", Shape::TEXT, "What it works in."),
    ];
    let link = Shape::Text(Text { least: 1, most: None, pattern: None, format: None });
    let found = vec![
        often("minSize", COUNT, "The fewest people who work there."),
        often("maxSize", COUNT, "The most people who work there."),
        often("logoUrl", link, "The address of its logo."),
    ];
    vec![
        object("PersonMatch", "A person who matches.", [card(), matched, intro()].concat()),
        object("Person", "A person of the network.", [identity(), person, intro()].concat()),
        object("Employer", "A current company.", employer),
        object("CompanyMatch", "A company that matches.", [company(), found].concat()),
    ]
}

fn own_network() -> Vec<Schema> {
    let contact = || [identity(), vec![handle()], occupation("currentCompany")].concat();
    let page = |entry| {
        let entries = Shape::list(Shape::Schema(entry));
        [vec![always("connections", entries, "The people of this page.")], envelope()].concat()
    };
    let reached = vec![
        often("warmness", SCORE, "How well the contact knows the person."),
        always("viaConnector", Shape::Schema("Bridge"), "The contact who knows the person."),
    ];
    let window = vec![
        always("scannedBridges", COUNT, "How many contacts were looked at."),
        always("capped", Shape::Boolean, "Whether a bound left out contacts or connections."),
    ];
    let known = vec![
        city(),
        often("country", Shape::TEXT, "The country the person lives in."),
        often("warmness", SCORE, "How well the two know each other."),
        signals("warmnessSignals"),
        intro_requested(),
        intro_status(),
    ];
    let coverage = Coverage::ALL.map(Coverage::name).to_vec();
    let network = vec![
        always("excludedIntroRequested", COUNT, "People withheld because they were asked for already."),
        always(
            "coverage",
            Shape::Choice(coverage),
            "`synced`: their connections were imported. `derived`: some were observed. `none`: none is known, \
             which does not mean that there are none.",
        ),
        often("match", Shape::Schema("Match"), "How the person was found; with `include=match`."),
    ];
    let whose = vec![always("person", Shape::Schema("Contact"), "The person who was found.")];
    vec![
        object("Connections", "A page of whom the user knows.", page("Contact")),
        object("Contact", "A person by what they do.", contact()),
        object("SecondDegree", "A page of whom contacts know.", [page("Reached"), window].concat()),
        object("Reached", "A person whom a contact knows.", [contact(), reached].concat()),
        object("Bridge", "A contact of the user.", identity()),
        object("Network", "A page of whom a person knows.", [whose, page("Known"), network].concat()),
        object(
            "Known",
            "A person whom that person knows.",
            [identity(), occupation("currentCompany"), known].concat(),
        ),
    ]
}

fn opportunities() -> Vec<Schema> {
    let list = Shape::list(Shape::Schema("Opportunity"));
    let page = [vec![always("opportunities", list, "The opportunities of this page.")], envelope()].concat();
    let free = Shape::Schema("FreeForm");
    let opportunity = vec![
        always("id", Shape::pattern("^ghost_"), "The opportunity's id."),
        always("prospect", Shape::Schema("GhostProspect"), "Whom it is about."),
        always("overallScore", Shape::Number, "How promising it is."),
        often("priority", Shape::TEXT, "How pressing it is, in a word."),
        often("confidenceLevel", Shape::Number, "How sure the agent was."),
        always("status", Shape::Choice(OpportunityStatus::NAMES.to_vec()), "What became of it."),
        always("introRequested", Shape::Boolean, "Whether an introduction was asked for."),
        always("discoveredAt", MOMENT, "When it was discovered."),
        often("searchSource", Shape::TEXT, "Where it was found."),
        often("icpEvaluation", free.clone(), "How the prospect fits."),
        often("buyingIntent", free.clone(), "Whether the prospect may buy."),
        often("keyInsights", free, "What is worth knowing."),
        often("bestPath", Shape::Schema("BestPath"), "The best path whose connector is no member."),
        always("discoveredBy", Shape::Schema("Discoverer"), "Who ran the discovery."),
    ];
    let best = [
        vec![
            always("connectionId", PERSON_ID, "The connector's id."),
            always("connectionName", Shape::TEXT, "The connector's name."),
            always("connectionType", Shape::TEXT, "How the connector is reached."),
        ],
        occupation("company"),
        vec![
            always("strengthScore", Shape::Number, "How strong the path is."),
            often("userToHomieWarmness", Shape::Number, "The member's own warmness to the prospect."),
        ],
    ];
    let member = vec![
        always("id", USER_ID, "The member's user id."),
        always("name", Shape::TEXT, "The member's name."),
    ];
    vec![
        object("Opportunities", "A page of opportunities.", page),
        object("Opportunity", "A prospect, and why.", opportunity),
        object(
            "GhostProspect",
            "A person worth meeting.",
            [identity(), occupation("company"), vec![handle()]].concat(),
        ),
        object("BestPath", "A way to the prospect.", best.concat()),
        object("Discoverer", "A member.", member),
    ]
}

fn shared() -> Vec<Schema> {
    let company = often("pastCompanyName", Shape::TEXT, "Where the two worked at the same time.");
    let factors = "What a score is made of: a number for each factor. Known factors are `currentCompanyMatch`, \
                   `pastCompanyOverlap`, `sharedAccelerator`, `sameCity` and `industryTypeMatch`; there may be \
                   others.";
    let entry = vec![
        always("kind", Shape::TEXT, "What happened."),
        always("at", MOMENT, "When."),
        often("source", Shape::TEXT, "Where it was found."),
        often("note", Shape::TEXT, "More about it, at most 500 characters."),
    ];
    let free = "Anything, as the agent wrote it. Names may be added over time.";
    vec![
        Schema { name: "Breakdown", text: factors, fields: vec![company], others: Others::Numbers },
        object("Evidence", "Something that the score of an edge rests on.", entry),
        Schema { name: "FreeForm", text: free, fields: Vec::new(), others: Others::Anything },
    ]
}
