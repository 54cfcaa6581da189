//! The schemas of answers; whole answers come first.

use crate::api::changes::{
    Change, ChangedPerson, Changes, ChangesAnswer, FormerOrNewCompany, WarmestConnector, WarmestPath,
};
use crate::api::endpoints::asks::{
    Ask, AskAnswer, AskLoad, AskWithEvents, AskedAbout, Asker, Asks, AsksAnswer, BrokenRule, Event,
    EventAuthor, Named,
};
use crate::api::endpoints::companies::{CompaniesAnswer, CompanyMatch};
use crate::api::endpoints::connections::{
    Bridge, Connections, ConnectionsAnswer, Contact, Reached, SecondDegree, SecondDegreeAnswer,
};
use crate::api::endpoints::members::{Me, MeAnswer, Member, Members, MembersAnswer, Myself, Organization};
use crate::api::endpoints::network_search::{
    ConnectionSource, Fallback, Found, FoundCompany, FoundPerson, NetworkSearchAnswer, SearchCounts,
    SearchMeta, TermMatch, UnderstoodTerm,
};
use crate::api::endpoints::opportunities::{
    BestPath, GhostProspect, Opportunities, OpportunitiesAnswer, Opportunity,
};
use crate::api::endpoints::people::{PeopleAnswer, Person, PersonAnswer, PersonMatch};
use crate::api::endpoints::people_network::{Known, Network, NetworkAnswer};
use crate::api::endpoints::warm_paths::{
    Advocate, Alternative, Connector, Match, Near, NearCompany, NearPerson, PathsCoverage, Prospect,
    ReadTarget, Reason, Target, WarmPath, WarmPaths, WarmPathsAnswer,
};
use crate::api::endpoints::warm_paths_batch::{
    AskLater, AskNever, AskNow, AskPlan, AskedConnector, AskedPerson, BatchMeta, BatchResult,
    written_in_parts,
};
use crate::api::fields::{Company, Discoverer, Employer, Evidence, Tie, breakdown, free_form};
use crate::api::schema::Schema;

macro_rules! schemas {
    ($($name:ident),+ $(,)?) => { vec![$($name::schema()),+] };
}

/// Every schema.
#[must_use]
pub fn all() -> Vec<Schema> {
    let [batch_answer, batch] = written_in_parts();
    let answers = schemas![
        WarmPathsAnswer,
        NetworkSearchAnswer,
        PeopleAnswer,
        PersonAnswer,
        NetworkAnswer,
        CompaniesAnswer,
        ConnectionsAnswer,
        SecondDegreeAnswer,
        OpportunitiesAnswer,
        MembersAnswer,
        MeAnswer,
        WarmPaths,
        Prospect,
        Company,
        WarmPath,
        Connector,
        Target,
        Advocate,
        PathsCoverage,
        Match,
        Alternative,
        ReadTarget,
        Near,
        NearPerson,
        NearCompany,
        Reason,
    ];
    let others = schemas![
        BatchResult,
        AskedConnector,
        AskedPerson,
        BatchMeta,
        Found,
        FoundPerson,
        FoundCompany,
        ConnectionSource,
        SearchMeta,
        Fallback,
        UnderstoodTerm,
        SearchCounts,
        TermMatch,
        PersonMatch,
        Person,
        Employer,
        CompanyMatch,
        Connections,
        Contact,
        SecondDegree,
        Reached,
        Bridge,
        Network,
        Known,
        Opportunities,
        Opportunity,
        GhostProspect,
        BestPath,
        Discoverer,
        ChangesAnswer,
        Changes,
        Change,
        ChangedPerson,
        WarmestPath,
        WarmestConnector,
        FormerOrNewCompany,
    ];
    let shared = vec![breakdown(), Evidence::schema(), free_form()];
    [answers, who_is_who(), vec![batch_answer, batch], others, of_asks(), shared].concat()
}

fn of_asks() -> Vec<Schema> {
    schemas![
        AsksAnswer,
        Asks,
        AskAnswer,
        AskWithEvents,
        Ask,
        Named,
        Asker,
        Event,
        EventAuthor,
        AskLoad,
        AskedAbout,
        BrokenRule,
        AskPlan,
        AskNow,
        AskLater,
        AskNever
    ]
}

fn who_is_who() -> Vec<Schema> {
    schemas![Members, Member, Me, Organization, Myself, Tie]
}
