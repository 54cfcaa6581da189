# Written by datamodel-codegen from openapi.json. Do not edit.

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class Prospect(TypedDict):
    """The person whom paths lead to."""

    id: str
    """The person's id."""

    name: str
    """The person's name."""

    linkedinId: NotRequired[str]
    """The handle on the professional network."""

    position: NotRequired[str]
    """What the person does at work."""

    company: NotRequired[str]
    """The name of the current company."""

    introRequested: NotRequired[Literal[True]]
    """Only where the organization has asked for an introduction."""

    introStatus: NotRequired[str]
    """What became of that request, such as `ACTIVE`."""

    introRequestedBy: NotRequired[str]
    """The name of the member who asked."""

    introRequestedAt: NotRequired[str]
    """When they asked."""


class Company(TypedDict):
    """The company whose people paths lead to."""

    id: str
    """The company's id."""

    name: str
    """The company's name."""

    companyId: NotRequired[str]
    """The company's handle."""

    industry: NotRequired[str]
    """What it works in."""

    headquartersLocation: NotRequired[str]
    """Where its headquarters are."""


class Connector(TypedDict):
    """Who can introduce."""

    id: str
    """The person's id."""

    name: str
    """The person's name."""

    position: NotRequired[str]
    """What the person does at work."""

    company: NotRequired[str]
    """The name of the current company."""


class Target(TypedDict):
    """The employee whom a path leads to."""

    id: str
    """The person's id."""

    name: str
    """The person's name."""

    linkedinId: NotRequired[str]
    """The handle on the professional network."""

    position: NotRequired[str]
    """What the person does at work."""

    company: str
    """The name of the current company."""


class Advocate(TypedDict):
    """The advocate whom the member can ask first."""

    id: str
    """The person's id."""

    name: str
    """The person's name."""

    linkedinId: NotRequired[str]
    """The handle on the professional network."""

    position: NotRequired[str]
    """What the person does at work."""

    company: NotRequired[str]
    """The name of the current company."""

    warmness: NotRequired[int]
    """How well the member knows them."""


class PathsCoverage(TypedDict):
    """How complete an answer is."""

    capped: bool
    """Whether a bound left out employees or edges."""

    candidatePeople: int
    """How many people the paths may lead to."""

    candidatePeopleCap: NotRequired[int]
    """The bound on them; for companies alone."""

    secondDegreeEdgesCapped: bool
    """Whether a bound left out edges."""


class Alternative(TypedDict):
    """A person, or a company, that the target may have meant."""

    id: str
    """The person's or the company's id."""

    name: str
    """The person's or the company's name."""

    linkedinId: NotRequired[str]
    """The handle on the professional network."""

    position: NotRequired[str]
    """What the person does at work."""

    company: NotRequired[str]
    """The name of the current company."""

    companyId: NotRequired[str]
    """The company's handle."""

    industry: NotRequired[str]
    """What the company works in."""

    headquartersLocation: NotRequired[str]
    """Where its headquarters are."""


class ReadTarget(TypedDict):
    """What was read in the text of a target."""

    id: NotRequired[str]
    """The id."""

    email: NotRequired[str]
    """The e-mail address."""

    handle: NotRequired[str]
    """The handle."""

    domain: NotRequired[str]
    """The domain of a homepage."""

    name: NotRequired[str]
    """The person's name."""

    company: NotRequired[str]
    """The firm."""

    position: NotRequired[str]
    """The role."""


class NearPerson(TypedDict):
    """A person with a name like the one that was sent."""

    id: str
    """The person's id."""

    name: str
    """The person's name."""

    linkedinId: NotRequired[str]
    """The handle on the professional network."""

    position: NotRequired[str]
    """What the person does at work."""

    company: NotRequired[str]
    """The name of the current company."""


class NearCompany(TypedDict):
    """A firm."""

    id: str
    """Its id."""

    name: str
    """Its name."""


class Reason(TypedDict):
    """Why there is no path, or fewer than there could be."""

    code: Literal[
        "target_unknown",
        "target_is_member",
        "from_set_empty",
        "no_candidates",
        "all_withheld",
        "only_excluded_types",
        "no_edge_near",
        "bounds_hit",
    ]
    """The reason."""

    message: str
    """The same as a sentence; its wording may change."""


class Member(TypedDict):
    """A member of the organization."""

    userId: str
    """The member's user id."""

    personId: str
    """The id of the person the member is."""

    name: str
    """Their name."""

    position: NotRequired[str]
    """What the person does at work."""

    company: NotRequired[str]
    """The name of the current company."""


class Organization(TypedDict):
    """An organization."""

    id: str
    """Its id."""

    name: str
    """Its name."""


class Myself(TypedDict):
    """The member that a user token is for."""

    userId: str
    """The member's user id."""

    personId: str
    """The id of the person the member is."""

    name: str
    """Their name."""


class Tie(TypedDict):
    """A member who knows a person."""

    userId: str
    """The member's user id."""

    name: str
    """The member's name."""

    warmness: NotRequired[int]
    """How well they know the person."""

    since: NotRequired[str]
    """The day of the oldest evidence of it."""

    lastContact: NotRequired[str]
    """The day of the newest."""


class AskedPerson(TypedDict):
    """Who is asked."""

    id: str
    """The person's id."""

    name: str
    """The person's name."""

    company: NotRequired[str]
    """The name of the current company."""


class BatchMeta(TypedDict):
    """How complete a batch is."""

    capped: bool
    """Whether the coverage of some result is capped."""


class FoundPerson(TypedDict):
    """A person by what they do."""

    id: str
    """The person's id."""

    name: str
    """The person's name."""

    position: NotRequired[str]
    """What the person does at work."""

    linkedinId: NotRequired[str]
    """The handle on the professional network."""

    city: NotRequired[str]
    """Where the person lives."""

    country: NotRequired[str]
    """The country the person lives in."""


class FoundCompany(TypedDict):
    """A current company."""

    id: str
    """The company's id."""

    name: str
    """The company's name."""

    industry: NotRequired[str]
    """What it works in; with `ids`."""


class ConnectionSource(TypedDict):
    """A network that a person is in."""

    type: Literal["user", "advocate", "organization"]
    """Which network."""

    name: str
    """Whose it is: the acting member's, an advocate's, the organization's."""


Fallback = TypedDict(
    "Fallback",
    {
        "from": Literal["graph-vector", "graph-keyword", "relational"],
        "reason": str,
    },
)


class UnderstoodTerm(TypedDict):
    """A term of a question, and how it was read."""

    term: str
    """Its words, as the question has them."""

    kind: Literal[
        "role",
        "seniority",
        "company",
        "industry",
        "place",
        "name",
        "size",
        "connections",
        "relation",
        "silence",
        "topic",
    ]
    """What it is about."""

    negated: bool
    """Whether the people wanted are those it does not fit."""

    past: bool
    """Whether it was so in the past."""

    readAs: NotRequired[str]
    """As what its words were read, if not as they are written."""

    widenedTo: NotRequired[list[str]]
    """Up to three texts of people in the chosen networks that say the same in other words, the most frequent first."""

    people: int
    """How many people of the chosen networks it fits, negated or not."""


class SearchCounts(TypedDict):
    """How many people fit how many conditions. Nobody whom a negated term fits is counted."""

    every: int
    """Those who fit every condition."""

    most: int
    """Those who fit more than half of them."""

    any: int
    """Those who fit at least one."""


class TermMatch(TypedDict):
    """A term that a person fits, and by what."""

    term: int
    """Which of the terms of `meta.understood`, counted from 0."""

    field: Literal[
        "position",
        "company",
        "pastCompany",
        "industry",
        "city",
        "country",
        "headquartersLocation",
        "name",
        "companySize",
        "connectionsCount",
        "warmness",
        "introStatus",
        "knownBy",
        "knows",
        "lastContact",
    ]
    """What of the person it fits."""

    text: str
    """The text there."""

    how: Literal["words", "sense", "past", "number"]
    """`words`: the text has the words of the term; `sense`: it says the same in other words; `past`: it was so once; `number`: by what is counted."""


class Employer(TypedDict):
    """A current company."""

    id: str
    """The company's id."""

    name: str
    """The company's name."""

    industry: NotRequired[str]
    """What it works in."""


class CompanyMatch(TypedDict):
    """A company that matches."""

    id: str
    """The company's id."""

    name: str
    """The company's name."""

    companyId: NotRequired[str]
    """The company's handle."""

    industry: NotRequired[str]
    """What it works in."""

    headquartersLocation: NotRequired[str]
    """Where its headquarters are."""

    minSize: NotRequired[int]
    """The fewest people who work there."""

    maxSize: NotRequired[int]
    """The most people who work there."""

    logoUrl: NotRequired[str]
    """The address of its logo."""


class Contact(TypedDict):
    """A person by what they do."""

    id: str
    """The person's id."""

    name: str
    """The person's name."""

    linkedinId: NotRequired[str]
    """The handle on the professional network."""

    position: NotRequired[str]
    """What the person does at work."""

    currentCompany: NotRequired[str]
    """The name of the current company."""

    ties: NotRequired[list[Tie]]
    """The members who know the person, warmest first; with `include=ties`."""


class Bridge(TypedDict):
    """A contact of the user."""

    id: str
    """The person's id."""

    name: str
    """The person's name."""


class Known(TypedDict):
    """A person whom that person knows."""

    id: str
    """The person's id."""

    name: str
    """The person's name."""

    position: NotRequired[str]
    """What the person does at work."""

    currentCompany: NotRequired[str]
    """The name of the current company."""

    city: NotRequired[str]
    """Where the person lives."""

    country: NotRequired[str]
    """The country the person lives in."""

    warmness: NotRequired[int]
    """How well the two know each other."""

    warmnessSignals: NotRequired[list[str]]
    """What the breakdown says, in sentences, the warmest factor first."""

    introRequested: NotRequired[Literal[True]]
    """Only where the organization has asked for an introduction."""

    introStatus: NotRequired[str]
    """What became of that request, such as `ACTIVE`."""


class GhostProspect(TypedDict):
    """A person worth meeting."""

    id: str
    """The person's id."""

    name: str
    """The person's name."""

    position: NotRequired[str]
    """What the person does at work."""

    company: NotRequired[str]
    """The name of the current company."""

    linkedinId: NotRequired[str]
    """The handle on the professional network."""


class BestPath(TypedDict):
    """A way to the prospect."""

    connectionId: str
    """The connector's id."""

    connectionName: str
    """The connector's name."""

    connectionType: str
    """How the connector is reached."""

    position: NotRequired[str]
    """What the person does at work."""

    company: NotRequired[str]
    """The name of the current company."""

    strengthScore: float
    """How strong the path is."""

    userToHomieWarmness: NotRequired[float]
    """The member's own warmness to the prospect."""


class Discoverer(TypedDict):
    """A member."""

    id: str
    """The member's user id."""

    name: str
    """The member's name."""


class ChangedPerson(TypedDict):
    """Whose change it is."""

    id: str
    """The person's id."""

    name: str
    """The person's name."""

    linkedinId: NotRequired[str]
    """The handle on the professional network."""

    position: NotRequired[str]
    """What the person does at work."""

    company: NotRequired[str]
    """The name of the current company."""


class WarmestConnector(TypedDict):
    """Who can introduce."""

    id: str
    """The person's id."""

    name: str
    """The person's name."""


class FormerOrNewCompany(TypedDict):
    """A current company, before or after."""

    id: str
    """The company's id."""

    name: str
    """The company's name."""


Breakdown: TypeAlias = dict[str, float | str]
"""What a score is made of: a number for each factor. Known factors are `currentCompanyMatch`, `pastCompanyOverlap`, `sharedAccelerator`, `sameCity` and `industryTypeMatch`; there may be others."""


class Evidence(TypedDict):
    """Something that the score of an edge rests on."""

    kind: str
    """What happened."""

    at: str
    """When."""

    source: NotRequired[str]
    """Where it was found."""

    note: NotRequired[str]
    """More about it, at most 500 characters."""


FreeForm: TypeAlias = dict[str, Any]
"""Anything, as the agent wrote it. Names may be added over time."""


class SearchWarmPathsBatchTarget(TypedDict):
    """One of `targets`."""

    id: NotRequired[str | None]
    """The person, or anyone at the company, with this id."""

    linkedinId: NotRequired[str | None]
    """The person with this handle or profile address."""

    email: NotRequired[str | None]
    """The person with this e-mail address."""

    name: NotRequired[str | None]
    """The person whose name matches best."""

    at: NotRequired[str | None]
    """The company at which that name is looked up; only beside `name`."""

    company: NotRequired[str | None]
    """Anyone at the company whose name matches best."""

    text: NotRequired[str | None]
    """Whom this text means, as people write it: an id, an e-mail address, the address of a profile or a homepage, a name, a name with a firm and a role, a firm."""

    position: NotRequired[str | None]
    """Only employees whose position contains this; only with a company."""


ErrorCode: TypeAlias = Literal[
    "forbidden_scope",
    "generation_gone",
    "insufficient_scope",
    "internal_error",
    "method_not_allowed",
    "not_found",
    "outside_network",
    "payload_too_large",
    "rate_limited",
    "unauthorized",
    "unavailable",
    "unsupported_media_type",
    "validation_error",
]


class CompaniesAnswer(TypedDict):
    """Companies that match."""

    data: list[CompanyMatch]
    """The companies of this page."""

    totalCount: int
    """How many companies there are on all pages."""

    totalPages: int
    """How many pages there are."""

    currentPage: int
    """The page that was applied."""


class WarmPath(TypedDict):
    """One way to be introduced."""

    fromUserId: str
    """The member whom the path starts from."""

    fromUserName: str
    """Their name."""

    connector: Connector
    """Who can introduce; on direct paths the member themself."""

    connectionType: Literal[
        "direct", "advocate", "second_degree", "advocate_second_degree"
    ]
    """How the path gets from the member to the target."""

    warmness: int
    """The score of the whole path."""

    userToConnectorWarmness: int
    """The score up to the connector; 100 on direct paths."""

    userToConnectorBreakdown: NotRequired[Breakdown]
    """What it is made of."""

    userToConnectorSignals: NotRequired[list[str]]
    """What the breakdown says, in sentences, the warmest factor first."""

    connectorToProspectWarmness: int
    """The score of the last step; 0 where it has none."""

    connectorToProspectBreakdown: Breakdown
    """What it is made of; empty where nothing is known."""

    connectorToProspectSignals: NotRequired[list[str]]
    """What the breakdown says, in sentences, the warmest factor first."""

    userToConnectorEvidence: NotRequired[list[Evidence]]
    """What the score rests on, the newest first, at most ten entries; with `include=evidence`."""

    connectorToProspectEvidence: NotRequired[list[Evidence]]
    """What the score rests on, the newest first, at most ten entries; with `include=evidence`."""

    target: NotRequired[Target]
    """Companies alone: the employee whom the path leads to."""

    viaAdvocate: NotRequired[Advocate]
    """Only on paths of type `advocate_second_degree`."""

    alternatives: NotRequired[int]
    """The paths left out behind this one; with `groupBy`."""


class Match(TypedDict):
    """How a target was found, and who else it may have been."""

    by: NotRequired[
        Literal[
            "id", "handle", "email", "domain", "equal", "reordered", "prefix", "fuzzy"
        ]
    ]
    """In what way: by the id, the handle, the e-mail address or the domain; by a name that is equal, has the same words in another order, begins alike, or nearly does. Left out if nobody was found."""

    alternatives: list[Alternative]
    """The first of the others."""

    others: int
    """How many others match in the same way."""

    read: NotRequired[ReadTarget]
    """What was read in a text; for a target that was sent as one."""

    doubt: NotRequired[list[Literal["company", "name"]]]
    """What of the text does not fit: the firm, or the name, which is said or typed otherwise."""


class Near(TypedDict):
    """What is nearest to a target that was not found, or to whom no path leads."""

    people: list[NearPerson]
    """The people whose names are nearest, at most three."""

    company: NotRequired[NearCompany]
    """The firm that was named, else the one where the person works."""

    paths: list[WarmPath]
    """The warmest paths to anybody there, at most three."""


class Members(TypedDict):
    """A page of members, by name."""

    members: list[Member]
    """The members of this page."""

    totalCount: int
    """How many entries there are on all pages."""

    returnedCount: int
    """How many are on this one."""

    limit: int
    """The limit that was applied."""

    offset: int
    """The offset that was applied."""

    hasMore: bool
    """Whether there is a further page."""

    nextOffset: NotRequired[int]
    """The offset of the next page; only where there is one."""


class Me(TypedDict):
    """Who asks, and of what network."""

    organization: Organization
    """The organization of the credential."""

    member: NotRequired[Myself]
    """The member that a user token is for."""

    scopes: list[str]
    """What the credential may do."""

    generation: int
    """The generation of the network."""

    dataAsOf: NotRequired[str]
    """The newest time in its tables: of an import, a request, a piece of evidence."""


class BatchResult(TypedDict):
    """The paths to one target, or why it cannot be taken."""

    index: int
    """The place of the target among those sent, from 0."""

    prospect: NotRequired[Prospect | None]
    """The person who was found; null for a company."""

    company: NotRequired[Company | None]
    """The company that was found; null for a person."""

    paths: NotRequired[list[WarmPath]]
    """The first paths, at most `perTarget`."""

    totalCount: NotRequired[int]
    """How many paths, or groups, there are."""

    excludedIntroRequested: NotRequired[int]
    """Employees withheld because they were asked for already."""

    coverage: NotRequired[PathsCoverage]
    """How complete the result is."""

    match: NotRequired[Match]
    """How the target was found."""

    reasons: NotRequired[list[Reason]]
    """Why there is no path, or fewer than there could be."""

    near: NotRequired[Near]
    """What is nearest, if nobody was found or there is no path; with `near` in `include`."""

    error: NotRequired[str]
    """What is wrong with the target, in a sentence; then all above but `index` is left out."""

    code: NotRequired[Literal["validation_error"]]
    """The same in a word."""


class AskedConnector(TypedDict):
    """Whom a member asks, and for how many targets."""

    connector: AskedPerson
    """Who is asked; on direct paths the member themself."""

    fromUserId: str
    """The member who asks."""

    targets: int
    """In how many results."""


class Found(TypedDict):
    """A person who fits."""

    person: FoundPerson
    """Who was found."""

    currentCompany: NotRequired[FoundCompany]
    """Where they work."""

    warmness: NotRequired[int]
    """The score of the warmest edge that leads to them in the chosen networks."""

    connectionSources: list[ConnectionSource]
    """Every chosen network that they are in."""

    matched: NotRequired[list[TermMatch]]
    """The terms that the person fits; with `understood`."""

    ties: NotRequired[list[Tie]]
    """The members who know the person, warmest first; with `include=ties`."""


class SearchMeta(TypedDict):
    """How people were found."""

    searchTerms: list[str]
    """What was really searched for."""

    totalCount: int
    """How many people fit."""

    returnedCount: int
    """How many are listed."""

    limit: NotRequired[int]
    """The limit that was applied; with `offset`."""

    offset: NotRequired[int]
    """The offset that was applied."""

    hasMore: NotRequired[bool]
    """Whether there is a further page that may be asked for."""

    nextOffset: NotRequired[int]
    """The offset of the next page; only where there is one."""

    backend: Literal["graph-vector", "graph-keyword", "relational"]
    """The engine that answered."""

    fallback: NotRequired[Fallback]
    """Only where automatic mode had to switch engines."""

    understood: NotRequired[list[UnderstoodTerm]]
    """The terms of the question, in the order of `searchTerms`, then the member whom it names as the one who knows them; with `understood`."""

    language: NotRequired[str]
    """The code of the language the question was read as, such as `de`; with `understood`, if it was recognized."""

    ignored: NotRequired[list[str]]
    """Words that say nothing of whom to find; with `understood`."""

    counts: NotRequired[SearchCounts]
    """How many people fit how many of the conditions; with `understood`."""


class PersonMatch(TypedDict):
    """A person who matches."""

    id: str
    """The person's id."""

    name: str
    """The person's name."""

    linkedinId: NotRequired[str]
    """The handle on the professional network."""

    position: NotRequired[str]
    """What the person does at work."""

    company: NotRequired[str]
    """The name of the current company."""

    city: NotRequired[str]
    """Where the person lives."""

    warmness: NotRequired[int]
    """The score of the warmest acquaintance."""

    warmnessBreakdown: NotRequired[Breakdown]
    """What the score is made of."""

    degree: Literal["first", "second"]
    """`first` where a member knows the person, `second` otherwise."""

    knownByUserIds: list[str]
    """The members who know the person."""

    ties: NotRequired[list[Tie]]
    """The members who know the person, warmest first; with `include=ties`."""

    introRequested: NotRequired[Literal[True]]
    """Only where the organization has asked for an introduction."""

    introStatus: NotRequired[str]
    """What became of that request, such as `ACTIVE`."""

    introRequestedBy: NotRequired[str]
    """The name of the member who asked."""

    introRequestedAt: NotRequired[str]
    """When they asked."""


class Person(TypedDict):
    """A person of the network."""

    id: str
    """The person's id."""

    name: str
    """The person's name."""

    linkedinId: NotRequired[str]
    """The handle on the professional network."""

    position: NotRequired[str]
    """What the person does at work."""

    city: NotRequired[str]
    """Where the person lives."""

    currentCompany: NotRequired[Employer]
    """Where the person works."""

    connectionsCount: NotRequired[int]
    """How many connections the person says to have."""

    degree: Literal["first", "second"]
    """`first` where a member knows the person, `second` otherwise."""

    warmness: NotRequired[int]
    """The score of the warmest acquaintance."""

    warmnessBreakdown: NotRequired[Breakdown]
    """What the score is made of."""

    warmnessSignals: NotRequired[list[str]]
    """What the breakdown says, in sentences, the warmest factor first."""

    evidence: NotRequired[list[Evidence]]
    """What the score rests on, the newest first, at most ten entries; with `include=evidence`."""

    ties: NotRequired[list[Tie]]
    """The members who know the person, warmest first; with `include=ties`."""

    introRequested: NotRequired[Literal[True]]
    """Only where the organization has asked for an introduction."""

    introStatus: NotRequired[str]
    """What became of that request, such as `ACTIVE`."""

    introRequestedBy: NotRequired[str]
    """The name of the member who asked."""

    introRequestedAt: NotRequired[str]
    """When they asked."""


class Connections(TypedDict):
    """A page of whom the user knows."""

    connections: list[Contact]
    """The people of this page."""

    totalCount: int
    """How many entries there are on all pages."""

    returnedCount: int
    """How many are on this one."""

    limit: int
    """The limit that was applied."""

    offset: int
    """The offset that was applied."""

    hasMore: bool
    """Whether there is a further page."""

    nextOffset: NotRequired[int]
    """The offset of the next page; only where there is one."""


class Reached(TypedDict):
    """A person whom a contact knows."""

    id: str
    """The person's id."""

    name: str
    """The person's name."""

    linkedinId: NotRequired[str]
    """The handle on the professional network."""

    position: NotRequired[str]
    """What the person does at work."""

    currentCompany: NotRequired[str]
    """The name of the current company."""

    warmness: NotRequired[int]
    """How well the contact knows the person."""

    viaConnector: Bridge
    """The contact who knows the person."""


class Network(TypedDict):
    """A page of whom a person knows."""

    person: Contact
    """The person who was found."""

    connections: list[Known]
    """The people of this page."""

    totalCount: int
    """How many entries there are on all pages."""

    returnedCount: int
    """How many are on this one."""

    limit: int
    """The limit that was applied."""

    offset: int
    """The offset that was applied."""

    hasMore: bool
    """Whether there is a further page."""

    nextOffset: NotRequired[int]
    """The offset of the next page; only where there is one."""

    excludedIntroRequested: int
    """People withheld because they were asked for already."""

    coverage: Literal["synced", "derived", "none"]
    """`synced`: their connections were imported. `derived`: some were observed. `none`: none is known, which does not mean that there are none."""

    match: NotRequired[Match]
    """How the person was found; with `include=match`."""


class Opportunity(TypedDict):
    """A prospect, and why."""

    id: str
    """The opportunity's id."""

    prospect: GhostProspect
    """Whom it is about."""

    overallScore: float
    """How promising it is."""

    priority: NotRequired[str]
    """How pressing it is, in a word."""

    confidenceLevel: NotRequired[float]
    """How sure the agent was."""

    status: Literal["visible", "saved", "accepted", "intro_requested", "dismissed"]
    """What became of it."""

    introRequested: bool
    """Whether an introduction was asked for."""

    discoveredAt: str
    """When it was discovered."""

    searchSource: NotRequired[str]
    """Where it was found."""

    icpEvaluation: NotRequired[FreeForm]
    """How the prospect fits."""

    buyingIntent: NotRequired[FreeForm]
    """Whether the prospect may buy."""

    keyInsights: NotRequired[FreeForm]
    """What is worth knowing."""

    bestPath: NotRequired[BestPath]
    """The best path whose connector is no member."""

    discoveredBy: Discoverer
    """Who ran the discovery."""


class WarmestPath(TypedDict):
    """The best path to a person."""

    warmness: int
    """The path's score."""

    connectionType: Literal[
        "direct", "advocate", "second_degree", "advocate_second_degree"
    ]
    """Its type."""

    fromUserId: str
    """The member whom it starts from."""

    connector: WarmestConnector
    """Who can introduce; on direct paths the member themself."""


class NetworkSearchAnswer(TypedDict):
    """People who fit a question."""

    data: list[Found]
    """The people, best matches first."""

    meta: SearchMeta
    """How they were found."""


class PeopleAnswer(TypedDict):
    """People who match."""

    data: list[PersonMatch]
    """The answer."""

    totalCount: NotRequired[int]
    """How many entries there are on all pages."""

    returnedCount: NotRequired[int]
    """How many are on this one."""

    limit: NotRequired[int]
    """The limit that was applied."""

    offset: NotRequired[int]
    """The offset that was applied."""

    hasMore: NotRequired[bool]
    """Whether there is a further page."""

    nextOffset: NotRequired[int]
    """The offset of the next page; only where there is one."""


class PersonAnswer(TypedDict):
    """One person."""

    data: Person
    """The answer."""


class NetworkAnswer(TypedDict):
    """Whom a person knows."""

    data: Network
    """The answer."""


class ConnectionsAnswer(TypedDict):
    """Whom the user knows."""

    data: Connections
    """The answer."""


class MembersAnswer(TypedDict):
    """The members of the organization."""

    data: Members
    """The answer."""


class MeAnswer(TypedDict):
    """Who asks."""

    data: Me
    """The answer."""


class WarmPaths(TypedDict):
    """A page of warm paths, and whom they lead to."""

    prospect: Prospect | None
    """The person who was found; null for a company."""

    company: Company | None
    """The company that was found; null for a person."""

    paths: list[WarmPath]
    """The paths of this page."""

    totalCount: int
    """How many entries there are on all pages."""

    returnedCount: int
    """How many are on this one."""

    limit: int
    """The limit that was applied."""

    offset: int
    """The offset that was applied."""

    hasMore: bool
    """Whether there is a further page."""

    nextOffset: NotRequired[int]
    """The offset of the next page; only where there is one."""

    excludedIntroRequested: int
    """Employees withheld because they were asked for already."""

    coverage: PathsCoverage
    """How complete the answer is."""

    match: NotRequired[Match]
    """How the target was found; with `include=match`."""

    reasons: NotRequired[list[Reason]]
    """Why there is no path, or fewer than there could be; with `include=reasons`."""

    near: NotRequired[Near]
    """What is nearest, if nobody was found or there is no path; with `include=near`. None of it is the target."""


class WarmPathsBatch(TypedDict):
    """The paths to each target, and who is asked most."""

    results: list[BatchResult]
    """One for each target, in the order in which they were sent."""

    connectors: list[AskedConnector]
    """Who is asked most, at most 50."""


class SecondDegree(TypedDict):
    """A page of whom contacts know."""

    connections: list[Reached]
    """The people of this page."""

    totalCount: int
    """How many entries there are on all pages."""

    returnedCount: int
    """How many are on this one."""

    limit: int
    """The limit that was applied."""

    offset: int
    """The offset that was applied."""

    hasMore: bool
    """Whether there is a further page."""

    nextOffset: NotRequired[int]
    """The offset of the next page; only where there is one."""

    scannedBridges: int
    """How many contacts were looked at."""

    capped: bool
    """Whether a bound left out contacts or connections."""


class Opportunities(TypedDict):
    """A page of opportunities."""

    opportunities: list[Opportunity]
    """The opportunities of this page."""

    totalCount: int
    """How many entries there are on all pages."""

    returnedCount: int
    """How many are on this one."""

    limit: int
    """The limit that was applied."""

    offset: int
    """The offset that was applied."""

    hasMore: bool
    """Whether there is a further page."""

    nextOffset: NotRequired[int]
    """The offset of the next page; only where there is one."""


class Change(TypedDict):
    """One change of one person."""

    kind: Literal[
        "reachable",
        "unreachable",
        "warmer",
        "colder",
        "connector",
        "position",
        "company",
    ]
    """What changed."""

    person: ChangedPerson
    """Of whom: as they are now, or were if they are gone."""

    before: str | WarmestPath | FormerOrNewCompany | None
    """What was: a position as a text, a company, or else the best path; null if there was none."""

    after: str | WarmestPath | FormerOrNewCompany | None
    """What is, likewise."""


class WarmPathsAnswer(TypedDict):
    """Warm paths to a person or a company."""

    data: WarmPaths
    """The answer."""


class SecondDegreeAnswer(TypedDict):
    """Whom the user could get to know."""

    data: SecondDegree
    """The answer."""


class OpportunitiesAnswer(TypedDict):
    """Prospects that were discovered."""

    data: Opportunities
    """The answer."""


class WarmPathsBatchAnswer(TypedDict):
    """Warm paths to many targets."""

    data: WarmPathsBatch
    """The answer."""

    meta: BatchMeta
    """How complete it is."""


class Changes(TypedDict):
    """A page of changes."""

    changes: list[Change]
    """The changes of this page."""

    since: int
    """The generation that was asked about."""

    generation: int
    """The generation in service."""

    totalCount: int
    """How many entries there are on all pages."""

    returnedCount: int
    """How many are on this one."""

    limit: int
    """The limit that was applied."""

    offset: int
    """The offset that was applied."""

    hasMore: bool
    """Whether there is a further page."""

    nextOffset: NotRequired[int]
    """The offset of the next page; only where there is one."""


class ChangesAnswer(TypedDict):
    """What changed."""

    data: Changes
    """The answer."""
