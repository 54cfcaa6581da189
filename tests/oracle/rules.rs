//! Known-bad variants of the rules: each is one mistake an implementation could make.
//!
//! A comparison is useful only if it fails when a rule is broken. A network built with a mistake gives wrong answers,
//! so that a test can show that each mistake is detected.

/// The rules a network is built and answered by: the right ones, or those with one mistake.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rules {
    mistake: Option<Mistake>,
}

impl Rules {
    /// The rules with one mistake in them.
    pub(crate) fn with(mistake: Mistake) -> Rules {
        Rules { mistake: Some(mistake) }
    }

    /// Whether this mistake is made.
    pub(crate) fn make(&self, mistake: Mistake) -> bool {
        self.mistake == Some(mistake)
    }
}

/// One broken rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mistake {
    // --- the build
    /// A pending advocate counts as an accepted one.
    PendingCountsAsAccepted,
    /// No edge is added from a member to their accepted advocate.
    NoImpliedEdge,
    /// Of two edges with the same ends the first in the file stays.
    FirstParallelEdgeStays,
    /// Self-edges stay.
    SelfEdgesStay,
    // --- order and scores
    /// Warmest first, ties by person id descending.
    WarmestTiesDescend,
    /// Unscored edges come first among the warmest.
    UnscoredFirst,
    /// An unscored leg counts 50.
    UnscoredCountsFifty,
    /// Halves are rounded down.
    HalvesRoundDown,
    /// Three legs are multiplied in two rounded steps.
    LegsRoundedOneByOne,
    /// Paths that tie come with the greater member first.
    PathTiesDescend,
    // --- warm paths
    /// Incoming edges that can give no path are left out before the bounds are counted.
    BoundCountsUsefulEdgesOnly,
    /// Members and advocates share one bound for each connector.
    OneBoundForMembersAndAdvocates,
    /// A bound that is met exactly counts as hit.
    CappedAtTheBound,
    /// Edges are scanned, and capped, for types nobody asked for.
    ScansTypesNotAsked,
    /// Edges are scanned for an empty from-set.
    ScansForNobody,
    /// An advocate's contact is a connector also if the member knows them.
    KnownContactsThroughAdvocates,
    /// An accepted advocate also makes a second_degree path.
    AdvocatesMakeSecondDegree,
    /// Members of the from-set are connectors like anyone.
    FromSetConnects,
    /// Company mode cuts the candidates before it takes out those already asked for.
    WithheldAfterTheBound,
    /// Of several intro requests the earliest is shown.
    EarliestIntroShown,
    /// A name's ties go to the fewest edges.
    FewestEdgesWin,
    /// A swap of neighbours counts as two edits.
    SwapsCountTwo,
    // --- targets
    /// E-mail addresses are compared as they are written.
    EmailsAsWritten,
    /// Other handles and addresses of a person find nobody.
    AliasesFindNobody,
    /// The domains of companies are compared as they are written.
    DomainsAsWritten,
    /// A company whose name is like a domain comes before one that has it.
    DomainsAfterNames,
    /// With `prospectNameAt` the name is looked up among everybody.
    NameAtSeeksEverybody,
    /// `position` narrows the employees after the bound on them.
    PositionAfterTheBound,
    /// Of a name, matches of every class are others.
    OthersOfEveryClass,
    // --- what is answered besides
    /// With `sort=warmness`, the last leg comes before the type.
    WarmnessThenLastLeg,
    /// With `groupBy`, the path that is shown is one of its alternatives.
    AlternativesCountTheFirst,
    /// No reason says that a path of another type is there.
    ExcludedTypesNotTried,
    /// No reason says that the target is a member.
    MembersAreNoReason,
    /// Of evidence the oldest comes first.
    OldestEvidenceFirst,
    /// More than ten entries of evidence are shown.
    AllEvidenceShown,
    // --- batches
    /// A connector's `targets` counts paths.
    ConnectorsCountPaths,
    /// A target that is repeated counts once.
    RepeatedTargetsCountOnce,
    /// Connectors are counted without the member who asks.
    ConnectorsOfAnyMember,
    // --- the other answers
    /// Names are put in order as they are written.
    NamesOrderedUnfolded,
    /// Texts are compared folded, with the letters of foreign keyboards.
    MatchedFolded,
    /// Search people passes over emails.
    EmailsNotMatched,
    /// A person whose warmest edge is unscored still shows its breakdown.
    UnscoredShowsBreakdown,
    /// A person whose warmest edge is unscored still shows its evidence.
    UnscoredShowsEvidence,
    /// Search companies does not prefer names that begin with the query.
    BeginningsNotFirst,
    /// With `viaConnectorId`, the bound on bridges still counts as hit.
    BridgesCappedWithVia,
    /// A bridge's edges are counted before the people known directly are left out.
    BridgeEdgesCountedBeforeLeavingOut,
    /// All edges of a bridge are read.
    BridgesReadWithoutBound,
    /// A contact through whom nobody is listed counts as one of the bridges.
    BridgesThatListNobodyCount,
    /// A member with few contacts is shown no more people through each.
    FewContactsListNoMore,
    /// Through a contact that is asked for, only as many are listed as if there were many.
    ViaListsFewer,
    /// The edges of all bridges together have no bound.
    EdgesOfAllBridgesUnbounded,
    /// An edge that was not read does not count as left out.
    UnreadEdgesNotCapped,
    /// A person reached over several bridges is listed with the first, not the warmest.
    FirstBridgeWins,
    /// People network finds a name also outside the network.
    NamesFindOutsiders,
    /// An advocate who did not accept makes a network synced.
    AnyAdvocateSynced,
    /// Dismissed opportunities are in the active set.
    DismissedStayActive,
    /// Opportunities discovered at the same time come with the greater id first.
    NewestTiesDescend,
    /// Prospects at the user's own company are listed.
    UsersCompanyNotExcluded,
    /// The best path may go through a member.
    BestPathThroughMembers,
    // --- network search
    /// The acting member may be found.
    ActingMemberFound,
    /// A token's own user is not the acting member.
    TokensUserDoesNotAct,
    /// The oldest member acts, admin or not.
    OldestMemberActs,
    /// Advocates of other members count as well.
    AdvocatesOfAnyMember,
    /// All advocates who know a person are one source.
    AdvocatesToldTogether,
    /// Networks that were not chosen are named as sources.
    OtherNetworksTold,
    /// The coldest edge is shown, not the warmest.
    ColdestEdgeTold,
}

impl Mistake {
    /// The mistakes that change some answer of warm paths.
    pub(crate) const WARM_PATHS: [Mistake; 22] = [
        Mistake::PendingCountsAsAccepted,
        Mistake::NoImpliedEdge,
        Mistake::FirstParallelEdgeStays,
        Mistake::SelfEdgesStay,
        Mistake::WarmestTiesDescend,
        Mistake::UnscoredFirst,
        Mistake::UnscoredCountsFifty,
        Mistake::HalvesRoundDown,
        Mistake::LegsRoundedOneByOne,
        Mistake::PathTiesDescend,
        Mistake::BoundCountsUsefulEdgesOnly,
        Mistake::OneBoundForMembersAndAdvocates,
        Mistake::CappedAtTheBound,
        Mistake::ScansTypesNotAsked,
        Mistake::ScansForNobody,
        Mistake::KnownContactsThroughAdvocates,
        Mistake::AdvocatesMakeSecondDegree,
        Mistake::FromSetConnects,
        Mistake::WithheldAfterTheBound,
        Mistake::EarliestIntroShown,
        Mistake::FewestEdgesWin,
        Mistake::SwapsCountTwo,
    ];

    /// The mistakes that change an answer of warm paths only if it, or the tables, use what the API document does not have.
    pub(crate) const EXTENSIONS: [Mistake; 13] = [
        Mistake::EmailsAsWritten,
        Mistake::AliasesFindNobody,
        Mistake::DomainsAsWritten,
        Mistake::DomainsAfterNames,
        Mistake::NameAtSeeksEverybody,
        Mistake::PositionAfterTheBound,
        Mistake::OthersOfEveryClass,
        Mistake::WarmnessThenLastLeg,
        Mistake::AlternativesCountTheFirst,
        Mistake::ExcludedTypesNotTried,
        Mistake::MembersAreNoReason,
        Mistake::OldestEvidenceFirst,
        Mistake::AllEvidenceShown,
    ];

    /// The mistakes that change the answer to a batch alone.
    pub(crate) const BATCHES: [Mistake; 3] =
        [Mistake::ConnectorsCountPaths, Mistake::RepeatedTargetsCountOnce, Mistake::ConnectorsOfAnyMember];

    /// The mistakes that change the results of a network search, or their descriptions.
    pub(crate) const NETWORK_SEARCH: [Mistake; 11] = [
        Mistake::PendingCountsAsAccepted,
        Mistake::NoImpliedEdge,
        Mistake::FirstParallelEdgeStays,
        Mistake::SelfEdgesStay,
        Mistake::ActingMemberFound,
        Mistake::TokensUserDoesNotAct,
        Mistake::OldestMemberActs,
        Mistake::AdvocatesOfAnyMember,
        Mistake::AdvocatesToldTogether,
        Mistake::OtherNetworksTold,
        Mistake::ColdestEdgeTold,
    ];

    /// The mistakes that change some other answer.
    pub(crate) const OTHER_ANSWERS: [Mistake; 27] = [
        Mistake::PendingCountsAsAccepted,
        Mistake::NoImpliedEdge,
        Mistake::FirstParallelEdgeStays,
        Mistake::WarmestTiesDescend,
        Mistake::EarliestIntroShown,
        Mistake::NamesOrderedUnfolded,
        Mistake::MatchedFolded,
        Mistake::EmailsNotMatched,
        Mistake::AliasesFindNobody,
        Mistake::UnscoredShowsBreakdown,
        Mistake::UnscoredShowsEvidence,
        Mistake::BeginningsNotFirst,
        Mistake::BridgesCappedWithVia,
        Mistake::BridgeEdgesCountedBeforeLeavingOut,
        Mistake::BridgesReadWithoutBound,
        Mistake::BridgesThatListNobodyCount,
        Mistake::FewContactsListNoMore,
        Mistake::ViaListsFewer,
        Mistake::EdgesOfAllBridgesUnbounded,
        Mistake::UnreadEdgesNotCapped,
        Mistake::FirstBridgeWins,
        Mistake::NamesFindOutsiders,
        Mistake::AnyAdvocateSynced,
        Mistake::DismissedStayActive,
        Mistake::NewestTiesDescend,
        Mistake::UsersCompanyNotExcluded,
        Mistake::BestPathThroughMembers,
    ];
}
