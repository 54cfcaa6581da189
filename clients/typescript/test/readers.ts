// A reader of each answer.

import type * as kith from "kith-client";

import { flag, list, mapping, number, object, oneOf, optional, orNull, text, yes, type Reader } from "./shape.js";

const maybe = { text: optional(text), number: optional(number) };
const identity = { id: text, name: text };
const card = { ...identity, linkedinId: maybe.text, position: maybe.text, company: maybe.text };
const asked = {
    introRequested: optional(yes),
    introStatus: maybe.text,
    introRequestedBy: maybe.text,
    introRequestedAt: maybe.text,
};
const page = {
    totalCount: number,
    returnedCount: number,
    limit: number,
    offset: number,
    hasMore: flag,
    nextOffset: maybe.number,
};
const degree = oneOf<kith.Person["degree"]>({ first: true, second: true });
const connectionType = oneOf<kith.WarmPath["connectionType"]>({
    direct: true,
    advocate: true,
    second_degree: true,
    advocate_second_degree: true,
});
const engine = oneOf<kith.SearchMeta["backend"]>({ "graph-vector": true, "graph-keyword": true, relational: true });

const breakdown = mapping<kith.Breakdown>((value) => ["number", "string"].includes(typeof value));
const freeForm = mapping<kith.FreeForm>(() => true);
const evidence = list(object<kith.Evidence>()({ kind: text, at: text, source: maybe.text, note: maybe.text }));
const signals = list(text);

const prospect = object<kith.Prospect>()({ ...card, ...asked });
const place = { companyId: maybe.text, industry: maybe.text, headquartersLocation: maybe.text };
const company = object<kith.Company>()({ ...identity, ...place });
const match = object<kith.Match>()({
    by: optional(
        oneOf<NonNullable<kith.Match["by"]>>({
            id: true,
            handle: true,
            email: true,
            domain: true,
            equal: true,
            reordered: true,
            prefix: true,
            fuzzy: true,
        }),
    ),
    alternatives: list(object<kith.Alternative>()({ ...card, ...place })),
    others: number,
    read: optional(
        object<kith.ReadTarget>()({
            id: maybe.text,
            email: maybe.text,
            handle: maybe.text,
            domain: maybe.text,
            name: maybe.text,
            company: maybe.text,
            position: maybe.text,
        }),
    ),
    doubt: optional(list(oneOf<NonNullable<kith.Match["doubt"]>[number]>({ company: true, name: true }))),
});
const reasons = list(
    object<kith.Reason>()({
        code: oneOf<kith.Reason["code"]>({
            target_unknown: true,
            target_is_member: true,
            from_set_empty: true,
            no_candidates: true,
            all_withheld: true,
            only_excluded_types: true,
            no_edge_near: true,
            bounds_hit: true,
        }),
        message: text,
    }),
);
const coverage = object<kith.PathsCoverage>()({
    capped: flag,
    candidatePeople: number,
    candidatePeopleCap: maybe.number,
    secondDegreeEdgesCapped: flag,
});
const path = object<kith.WarmPath>()({
    fromUserId: text,
    fromUserName: text,
    connector: object<kith.Connector>()({ ...identity, position: maybe.text, company: maybe.text }),
    connectionType,
    warmness: number,
    userToConnectorWarmness: number,
    userToConnectorBreakdown: optional(breakdown),
    userToConnectorSignals: optional(signals),
    connectorToProspectWarmness: number,
    connectorToProspectBreakdown: breakdown,
    connectorToProspectSignals: optional(signals),
    userToConnectorEvidence: optional(evidence),
    connectorToProspectEvidence: optional(evidence),
    target: optional(object<kith.Target>()({ ...card, company: text })),
    viaAdvocate: optional(object<kith.Advocate>()({ ...card, warmness: maybe.number })),
    alternatives: maybe.number,
});
const near = object<kith.Near>()({
    people: list(object<kith.NearPerson>()(card)),
    company: optional(object<kith.NearCompany>()(identity)),
    paths: list(path),
});

export const warmPaths = object<kith.WarmPathsAnswer>()({
    data: object<kith.WarmPaths>()({
        prospect: orNull(prospect),
        company: orNull(company),
        paths: list(path),
        ...page,
        excludedIntroRequested: number,
        coverage,
        match: optional(match),
        reasons: optional(reasons),
        near: optional(near),
    }),
});

export const warmPathsBatch = object<kith.WarmPathsBatchAnswer>()({
    data: object<kith.WarmPathsBatch>()({
        results: list(
            object<kith.BatchResult>()({
                index: number,
                prospect: optional(orNull(prospect)),
                company: optional(orNull(company)),
                paths: optional(list(path)),
                totalCount: maybe.number,
                excludedIntroRequested: maybe.number,
                coverage: optional(coverage),
                match: optional(match),
                reasons: optional(reasons),
                near: optional(near),
                error: maybe.text,
                code: optional(oneOf<NonNullable<kith.BatchResult["code"]>>({ validation_error: true })),
            }),
        ),
        connectors: list(
            object<kith.AskedConnector>()({
                connector: object<kith.AskedPerson>()({ ...identity, company: maybe.text }),
                fromUserId: text,
                targets: number,
            }),
        ),
    }),
    meta: object<kith.BatchMeta>()({ capped: flag }),
});

const termKind = oneOf<kith.UnderstoodTerm["kind"]>({
    role: true,
    seniority: true,
    company: true,
    industry: true,
    place: true,
    name: true,
    size: true,
    connections: true,
    relation: true,
    silence: true,
    topic: true,
});
const matchedField = oneOf<kith.TermMatch["field"]>({
    position: true,
    company: true,
    pastCompany: true,
    industry: true,
    city: true,
    country: true,
    headquartersLocation: true,
    name: true,
    companySize: true,
    connectionsCount: true,
    warmness: true,
    introStatus: true, knownBy: true, knows: true, lastContact: true,
});
const matchedHow = oneOf<kith.TermMatch["how"]>({ words: true, sense: true, past: true, number: true });

const ties = list(
    object<kith.Tie>()({ userId: text, name: text, warmness: maybe.number, since: maybe.text, lastContact: maybe.text }),
);

export const networkSearch = object<kith.NetworkSearchAnswer>()({
    data: list(
        object<kith.Found>()({
            person: object<kith.FoundPerson>()({
                ...identity,
                position: maybe.text,
                linkedinId: maybe.text,
                city: maybe.text,
                country: maybe.text,
            }),
            currentCompany: optional(object<kith.FoundCompany>()({ ...identity, industry: maybe.text })),
            warmness: maybe.number,
            connectionSources: list(
                object<kith.ConnectionSource>()({
                    type: oneOf<kith.ConnectionSource["type"]>({ user: true, advocate: true, organization: true }),
                    name: text,
                }),
            ),
            matched: optional(
                list(object<kith.TermMatch>()({ term: number, field: matchedField, text, how: matchedHow })),
            ),
            ties: optional(ties),
        }),
    ),
    meta: object<kith.SearchMeta>()({
        searchTerms: list(text),
        totalCount: number,
        returnedCount: number,
        backend: engine,
        fallback: optional(object<kith.Fallback>()({ from: engine, reason: text })),
        understood: optional(
            list(
                object<kith.UnderstoodTerm>()({
                    term: text,
                    kind: termKind,
                    negated: flag,
                    past: flag,
                    readAs: maybe.text,
                    widenedTo: optional(list(text)),
                    people: number,
                }),
            ),
        ),
        language: optional(text),
        ignored: optional(list(text)),
        counts: optional(object<kith.SearchCounts>()({ every: number, most: number, any: number })),
        limit: maybe.number,
        offset: maybe.number,
        hasMore: optional(flag),
        nextOffset: maybe.number,
    }),
});

export const people = object<kith.PeopleAnswer>()({
    data: list(
        object<kith.PersonMatch>()({
            ...card,
            city: maybe.text,
            warmness: maybe.number,
            warmnessBreakdown: optional(breakdown),
            degree,
            knownByUserIds: list(text),
            ties: optional(ties),
            ...asked,
        }),
    ),
    totalCount: maybe.number,
    returnedCount: maybe.number,
    limit: maybe.number,
    offset: maybe.number,
    hasMore: optional(flag),
    nextOffset: maybe.number,
});

export const person = object<kith.PersonAnswer>()({
    data: object<kith.Person>()({
        ...identity,
        linkedinId: maybe.text,
        position: maybe.text,
        city: maybe.text,
        currentCompany: optional(object<kith.Employer>()({ ...identity, industry: maybe.text })),
        connectionsCount: maybe.number,
        degree,
        warmness: maybe.number,
        warmnessBreakdown: optional(breakdown),
        warmnessSignals: optional(signals),
        evidence: optional(evidence),
        ties: optional(ties),
        ...asked,
    }),
});

export const companies = object<kith.CompaniesAnswer>()({
    data: list(
        object<kith.CompanyMatch>()({
            ...identity,
            ...place,
            minSize: maybe.number,
            maxSize: maybe.number,
            logoUrl: maybe.text,
        }),
    ),
    totalCount: number,
    totalPages: number,
    currentPage: number,
});

export const members = object<kith.MembersAnswer>()({
    data: object<kith.Members>()({
        members: list(
            object<kith.Member>()({
                userId: text,
                personId: text,
                name: text,
                position: maybe.text,
                company: maybe.text,
            }),
        ),
        ...page,
    }),
});

export const me = object<kith.MeAnswer>()({
    data: object<kith.Me>()({
        organization: object<kith.Organization>()(identity),
        member: optional(object<kith.Myself>()({ userId: text, personId: text, name: text })),
        scopes: list(text),
        generation: number,
        dataAsOf: maybe.text,
    }),
});

const contact = { ...identity, linkedinId: maybe.text, position: maybe.text, currentCompany: maybe.text };
const knownContact = object<kith.Contact>()({ ...contact, ties: optional(ties) });

export const connections = object<kith.ConnectionsAnswer>()({
    data: object<kith.Connections>()({ connections: list(knownContact), ...page }),
});

export const secondDegree = object<kith.SecondDegreeAnswer>()({
    data: object<kith.SecondDegree>()({
        connections: list(
            object<kith.Reached>()({ ...contact, warmness: maybe.number, viaConnector: object<kith.Bridge>()(identity) }),
        ),
        ...page,
        scannedBridges: number,
        capped: flag,
    }),
});

export const network = object<kith.NetworkAnswer>()({
    data: object<kith.Network>()({
        person: knownContact,
        connections: list(
            object<kith.Known>()({
                ...identity,
                position: maybe.text,
                currentCompany: maybe.text,
                city: maybe.text,
                country: maybe.text,
                warmness: maybe.number,
                warmnessSignals: optional(signals),
                introRequested: optional(yes),
                introStatus: maybe.text,
            }),
        ),
        ...page,
        excludedIntroRequested: number,
        coverage: oneOf<kith.Network["coverage"]>({ synced: true, derived: true, none: true }),
        match: optional(match),
    }),
});

export const opportunities = object<kith.OpportunitiesAnswer>()({
    data: object<kith.Opportunities>()({
        opportunities: list(
            object<kith.Opportunity>()({
                id: text,
                prospect: object<kith.GhostProspect>()(card),
                overallScore: number,
                priority: maybe.text,
                confidenceLevel: maybe.number,
                status: oneOf<kith.Opportunity["status"]>({
                    visible: true,
                    saved: true,
                    accepted: true,
                    intro_requested: true,
                    dismissed: true,
                }),
                introRequested: flag,
                discoveredAt: text,
                searchSource: maybe.text,
                icpEvaluation: optional(freeForm),
                buyingIntent: optional(freeForm),
                keyInsights: optional(freeForm),
                bestPath: optional(
                    object<kith.BestPath>()({
                        connectionId: text,
                        connectionName: text,
                        connectionType: text,
                        position: maybe.text,
                        company: maybe.text,
                        strengthScore: number,
                        userToHomieWarmness: maybe.number,
                    }),
                ),
                discoveredBy: object<kith.Discoverer>()(identity),
            }),
        ),
        ...page,
    }),
});

const former = object<kith.FormerOrNewCompany>()(identity);
const warmest = object<kith.WarmestPath>()({
    warmness: number,
    connectionType,
    fromUserId: text,
    connector: object<kith.WarmestConnector>()(identity),
});
/** A position, a company or a path, which a field of its own names. */
const changed: Reader<kith.Change["before"]> = {
    check(value, place) {
        if (value !== null && typeof value !== "string") {
            ("warmness" in Object(value) ? warmest : former).check(value, place);
        }
    },
};

export const changes = object<kith.ChangesAnswer>()({
    data: object<kith.Changes>()({
        changes: list(
            object<kith.Change>()({
                kind: oneOf<kith.Change["kind"]>({
                    reachable: true,
                    unreachable: true,
                    warmer: true,
                    colder: true,
                    connector: true,
                    position: true,
                    company: true,
                }),
                person: object<kith.ChangedPerson>()(card),
                before: changed,
                after: changed,
            }),
        ),
        since: number,
        generation: number,
        ...page,
    }),
});
