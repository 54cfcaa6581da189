"""Every field of every type, once: a field that is added to or taken from openapi.json is a fault here."""

import inspect
import unittest
from typing import Any, is_typeddict

from kith_client import models as m
from tests.check import check

evidence: m.Evidence = {"kind": "meeting", "at": "2026-01-01T00:00:00.000Z", "source": "calendar", "note": "Lunch."}
breakdown: m.Breakdown = {"sameCity": 10, "pastCompanyName": "Copper Mill"}
free_form: m.FreeForm = {"companyFitScore": 90, "reasons": ["size"]}
prospect: m.Prospect = {
    "id": "person_1",
    "name": "Deepa Reddy",
    "linkedinId": "deepa",
    "position": "CFO",
    "company": "Copper Mill",
    "introRequested": True,
    "introStatus": "ACTIVE",
    "introRequestedBy": "Aoife O'Neill",
    "introRequestedAt": "2026-01-01T00:00:00.000Z",
}
company: m.Company = {
    "id": "company_1",
    "name": "Copper Mill",
    "companyId": "copper-mill",
    "industry": "Metal",
    "headquartersLocation": "Cork",
}
connector: m.Connector = {"id": "person_2", "name": "Pooja Desai", "position": "CTO", "company": "Copper Mill"}
target: m.Target = {
    "id": "person_1",
    "name": "Deepa Reddy",
    "linkedinId": "deepa",
    "position": "CFO",
    "company": "Copper Mill",
}
advocate: m.Advocate = {
    "id": "person_3",
    "name": "Linda Harris",
    "linkedinId": "linda",
    "position": "CEO",
    "company": "Copper Mill",
    "warmness": 70,
}
path: m.WarmPath = {
    "fromUserId": "user_1",
    "fromUserName": "Aoife O'Neill",
    "connector": connector,
    "connectionType": "advocate_second_degree",
    "warmness": 63,
    "userToConnectorWarmness": 63,
    "userToConnectorBreakdown": breakdown,
    "userToConnectorSignals": ["Lives in the same city"],
    "connectorToProspectWarmness": 100,
    "connectorToProspectBreakdown": breakdown,
    "connectorToProspectSignals": [],
    "userToConnectorEvidence": [evidence],
    "connectorToProspectEvidence": [],
    "target": target,
    "viaAdvocate": advocate,
    "alternatives": 3,
}
coverage: m.PathsCoverage = {
    "capped": False,
    "candidatePeople": 1,
    "candidatePeopleCap": 100,
    "secondDegreeEdgesCapped": False,
}
alternative: m.Alternative = {
    "id": "person_4",
    "name": "Deepa Reddy",
    "linkedinId": "deepa-2",
    "position": "COO",
    "company": "Lantern",
    "companyId": "lantern",
    "industry": "Light",
    "headquartersLocation": "Cork",
}
read: m.ReadTarget = {
    "id": "person_4",
    "email": "deepa@lantern.example",
    "handle": "deepa-2",
    "domain": "lantern.example",
    "name": "Deepa Reddy",
    "company": "Lantern",
    "position": "COO",
}
match: m.Match = {"by": "equal", "alternatives": [alternative], "others": 1, "read": read, "doubt": ["company"]}
near_person: m.NearPerson = {"id": "person_4", "name": "Deepa Reddy", "linkedinId": "deepa-2", "position": "COO", "company": "Lantern"}
near_company: m.NearCompany = {"id": "company_4", "name": "Lantern"}
near: m.Near = {"people": [near_person], "company": near_company, "paths": [path]}
reason: m.Reason = {"code": "bounds_hit", "message": "There may be more."}
warm_paths: m.WarmPaths = {
    "prospect": prospect,
    "company": None,
    "paths": [path],
    "totalCount": 5,
    "returnedCount": 1,
    "limit": 1,
    "offset": 0,
    "hasMore": True,
    "nextOffset": 1,
    "excludedIntroRequested": 0,
    "coverage": coverage,
    "near": near,
    "match": match,
    "reasons": [reason],
}
warm_paths_answer: m.WarmPathsAnswer = {"data": warm_paths}
result: m.BatchResult = {
    "index": 0,
    "prospect": None,
    "company": company,
    "paths": [path],
    "totalCount": 5,
    "excludedIntroRequested": 0,
    "coverage": coverage,
    "near": near,
    "match": match,
    "reasons": [reason],
    "error": "A target has one way to be named.",
    "code": "validation_error",
}
asked_person: m.AskedPerson = {"id": "person_2", "name": "Pooja Desai", "company": "Copper Mill"}
asked: m.AskedConnector = {"connector": asked_person, "fromUserId": "user_1", "targets": 2}
batch: m.WarmPathsBatch = {"results": [result], "connectors": [asked]}
batch_meta: m.BatchMeta = {"capped": True}
batch_answer: m.WarmPathsBatchAnswer = {"data": batch, "meta": batch_meta}
batch_target: m.SearchWarmPathsBatchTarget = {
    "id": "person_1",
    "text": "Deepa Reddy (Copper Mill)",
    "linkedinId": "deepa",
    "email": "deepa@example.com",
    "name": "Deepa Reddy",
    "at": "Copper Mill",
    "company": "Copper Mill",
    "position": None,
}
found_person: m.FoundPerson = {
    "id": "person_1",
    "name": "Deepa Reddy",
    "position": "CFO",
    "linkedinId": "deepa",
    "city": "Cork",
    "country": "Ireland",
}
found_company: m.FoundCompany = {"id": "company_1", "name": "Copper Mill", "industry": "Metal"}
source: m.ConnectionSource = {"type": "organization", "name": "Fernhollow Robotics"}
term_match: m.TermMatch = {"term": 0, "field": "position", "text": "CFO", "how": "sense"}
understood_term: m.UnderstoodTerm = {
    "term": "haed of finance",
    "readAs": "head of finance",
    "kind": "role",
    "negated": False,
    "past": False,
    "widenedTo": ["CFO"],
    "people": 40,
}
search_counts: m.SearchCounts = {"every": 7, "most": 7, "any": 351}
tie: m.Tie = {
    "userId": "user_1",
    "name": "Aoife O'Neill",
    "warmness": 68,
    "since": "2024-01-02",
    "lastContact": "2026-01-02",
}
found: m.Found = {
    "person": found_person,
    "currentCompany": found_company,
    "warmness": 68,
    "connectionSources": [source],
    "matched": [term_match],
    "ties": [tie],
}
fallback: m.Fallback = {"from": "graph-vector", "reason": "No vectors."}
search_meta: m.SearchMeta = {
    "searchTerms": ["head of finance"],
    "totalCount": 7,
    "returnedCount": 1,
    "backend": "graph-keyword",
    "fallback": fallback,
    "understood": [understood_term],
    "language": "en",
    "ignored": ["who"],
    "counts": search_counts,
    "limit": 1,
    "offset": 0,
    "hasMore": True,
    "nextOffset": 1,
}
search_answer: m.NetworkSearchAnswer = {"data": [found], "meta": search_meta}
member: m.Member = {
    "userId": "user_1",
    "personId": "person_9",
    "name": "Aoife O'Neill",
    "position": "Partner",
    "company": "Lantern",
}
members: m.Members = {
    "members": [member],
    "totalCount": 5,
    "returnedCount": 1,
    "limit": 1,
    "offset": 0,
    "hasMore": True,
    "nextOffset": 1,
}
members_answer: m.MembersAnswer = {"data": members}
organization: m.Organization = {"id": "org_1", "name": "Lantern"}
myself: m.Myself = {"userId": "user_1", "personId": "person_9", "name": "Aoife O'Neill"}
me: m.Me = {
    "organization": organization,
    "member": myself,
    "scopes": ["mcp:read"],
    "generation": 1,
    "dataAsOf": "2026-01-02T03:04:05.678Z",
}
me_answer: m.MeAnswer = {"data": me}
person_match: m.PersonMatch = {
    "id": "person_1",
    "name": "Deepa Reddy",
    "linkedinId": "deepa",
    "position": "CFO",
    "company": "Copper Mill",
    "city": "Cork",
    "warmness": 68,
    "warmnessBreakdown": breakdown,
    "degree": "second",
    "knownByUserIds": ["user_1"],
    "ties": [tie],
    "introRequested": True,
    "introStatus": "ACTIVE",
    "introRequestedBy": "Aoife O'Neill",
    "introRequestedAt": "2026-01-01T00:00:00.000Z",
}
people_answer: m.PeopleAnswer = {
    "data": [person_match],
    "totalCount": 5,
    "returnedCount": 1,
    "limit": 1,
    "offset": 0,
    "hasMore": True,
    "nextOffset": 1,
}
employer: m.Employer = {"id": "company_1", "name": "Copper Mill", "industry": "Metal"}
person: m.Person = {
    "id": "person_1",
    "name": "Deepa Reddy",
    "linkedinId": "deepa",
    "position": "CFO",
    "city": "Cork",
    "currentCompany": employer,
    "connectionsCount": 500,
    "degree": "first",
    "warmness": 68,
    "warmnessBreakdown": breakdown,
    "warmnessSignals": ["Lives in the same city"],
    "evidence": [evidence],
    "ties": [tie],
    "introRequested": True,
    "introStatus": "ACTIVE",
    "introRequestedBy": "Aoife O'Neill",
    "introRequestedAt": "2026-01-01T00:00:00.000Z",
}
person_answer: m.PersonAnswer = {"data": person}
company_match: m.CompanyMatch = {
    "id": "company_1",
    "name": "Copper Mill",
    "companyId": "copper-mill",
    "industry": "Metal",
    "headquartersLocation": "Cork",
    "minSize": 11,
    "maxSize": 50,
    "logoUrl": "https://example.com/logo.png",
}
companies_answer: m.CompaniesAnswer = {"data": [company_match], "totalCount": 1, "totalPages": 1, "currentPage": 1}
contact: m.Contact = {
    "id": "person_1",
    "name": "Deepa Reddy",
    "linkedinId": "deepa",
    "position": "CFO",
    "currentCompany": "Copper Mill",
    "ties": [tie],
}
connections: m.Connections = {
    "connections": [contact],
    "totalCount": 2,
    "returnedCount": 1,
    "limit": 1,
    "offset": 0,
    "hasMore": True,
    "nextOffset": 1,
}
connections_answer: m.ConnectionsAnswer = {"data": connections}
bridge: m.Bridge = {"id": "person_2", "name": "Pooja Desai"}
reached: m.Reached = {
    "id": "person_1",
    "name": "Deepa Reddy",
    "linkedinId": "deepa",
    "position": "CFO",
    "currentCompany": "Copper Mill",
    "warmness": 68,
    "viaConnector": bridge,
}
second_degree: m.SecondDegree = {
    "connections": [reached],
    "totalCount": 2,
    "returnedCount": 1,
    "limit": 1,
    "offset": 0,
    "hasMore": True,
    "nextOffset": 1,
    "scannedBridges": 4,
    "capped": False,
}
second_degree_answer: m.SecondDegreeAnswer = {"data": second_degree}
known: m.Known = {
    "id": "person_1",
    "name": "Deepa Reddy",
    "position": "CFO",
    "currentCompany": "Copper Mill",
    "city": "Cork",
    "country": "Ireland",
    "warmness": 68,
    "warmnessSignals": ["Lives in the same city"],
    "introRequested": True,
    "introStatus": "ACTIVE",
}
network: m.Network = {
    "person": contact,
    "connections": [known],
    "totalCount": 2,
    "returnedCount": 1,
    "limit": 1,
    "offset": 0,
    "hasMore": True,
    "nextOffset": 1,
    "excludedIntroRequested": 1,
    "coverage": "synced",
    "match": match,
}
network_answer: m.NetworkAnswer = {"data": network}
ghost: m.GhostProspect = {
    "id": "person_1",
    "name": "Deepa Reddy",
    "position": "CFO",
    "company": "Copper Mill",
    "linkedinId": "deepa",
}
best_path: m.BestPath = {
    "connectionId": "person_2",
    "connectionName": "Pooja Desai",
    "connectionType": "advocate",
    "position": "CTO",
    "company": "Lantern",
    "strengthScore": 71.5,
    "userToHomieWarmness": 40,
}
discoverer: m.Discoverer = {"id": "user_1", "name": "Aoife O'Neill"}
opportunity: m.Opportunity = {
    "id": "ghost_1",
    "prospect": ghost,
    "overallScore": 88.5,
    "priority": "high",
    "confidenceLevel": 0.9,
    "status": "visible",
    "introRequested": False,
    "discoveredAt": "2026-01-01T00:00:00.000Z",
    "searchSource": "news",
    "icpEvaluation": free_form,
    "buyingIntent": free_form,
    "keyInsights": free_form,
    "bestPath": best_path,
    "discoveredBy": discoverer,
}
opportunities: m.Opportunities = {
    "opportunities": [opportunity],
    "totalCount": 2,
    "returnedCount": 1,
    "limit": 1,
    "offset": 0,
    "hasMore": True,
    "nextOffset": 1,
}
opportunities_answer: m.OpportunitiesAnswer = {"data": opportunities}
warmest_connector: m.WarmestConnector = {"id": "person_2", "name": "Pooja Desai"}
warmest: m.WarmestPath = {
    "warmness": 63,
    "connectionType": "advocate",
    "fromUserId": "user_1",
    "connector": warmest_connector,
}
former: m.FormerOrNewCompany = {"id": "company_1", "name": "Copper Mill"}
changed_person: m.ChangedPerson = {
    "id": "person_1",
    "name": "Deepa Reddy",
    "linkedinId": "deepa",
    "position": "CFO",
    "company": "Copper Mill",
}
change: m.Change = {"kind": "reachable", "person": changed_person, "before": None, "after": warmest}
moved: m.Change = {"kind": "company", "person": changed_person, "before": former, "after": None}
changes: m.Changes = {
    "changes": [change, moved],
    "since": 1,
    "generation": 2,
    "totalCount": 2,
    "returnedCount": 2,
    "limit": 2,
    "offset": 0,
    "hasMore": False,
    "nextOffset": 2,
}
changes_answer: m.ChangesAnswer = {"data": changes}
code: m.ErrorCode = "rate_limited"

SAMPLES: list[tuple[Any, Any]] = [
    (m.Evidence, evidence),
    (m.Prospect, prospect),
    (m.Company, company),
    (m.Connector, connector),
    (m.Target, target),
    (m.Advocate, advocate),
    (m.WarmPath, path),
    (m.PathsCoverage, coverage),
    (m.Alternative, alternative),
    (m.ReadTarget, read),
    (m.Match, match),
    (m.NearPerson, near_person),
    (m.NearCompany, near_company),
    (m.Near, near),
    (m.Reason, reason),
    (m.WarmPaths, warm_paths),
    (m.WarmPathsAnswer, warm_paths_answer),
    (m.BatchResult, result),
    (m.AskedPerson, asked_person),
    (m.AskedConnector, asked),
    (m.WarmPathsBatch, batch),
    (m.BatchMeta, batch_meta),
    (m.WarmPathsBatchAnswer, batch_answer),
    (m.SearchWarmPathsBatchTarget, batch_target),
    (m.FoundPerson, found_person),
    (m.FoundCompany, found_company),
    (m.ConnectionSource, source),
    (m.TermMatch, term_match),
    (m.UnderstoodTerm, understood_term),
    (m.SearchCounts, search_counts),
    (m.Found, found),
    (m.Fallback, fallback),
    (m.SearchMeta, search_meta),
    (m.NetworkSearchAnswer, search_answer),
    (m.Tie, tie),
    (m.Member, member),
    (m.Members, members),
    (m.MembersAnswer, members_answer),
    (m.Organization, organization),
    (m.Myself, myself),
    (m.Me, me),
    (m.MeAnswer, me_answer),
    (m.PersonMatch, person_match),
    (m.PeopleAnswer, people_answer),
    (m.Employer, employer),
    (m.Person, person),
    (m.PersonAnswer, person_answer),
    (m.CompanyMatch, company_match),
    (m.CompaniesAnswer, companies_answer),
    (m.Contact, contact),
    (m.Connections, connections),
    (m.ConnectionsAnswer, connections_answer),
    (m.Bridge, bridge),
    (m.Reached, reached),
    (m.SecondDegree, second_degree),
    (m.SecondDegreeAnswer, second_degree_answer),
    (m.Known, known),
    (m.Network, network),
    (m.NetworkAnswer, network_answer),
    (m.GhostProspect, ghost),
    (m.BestPath, best_path),
    (m.Discoverer, discoverer),
    (m.Opportunity, opportunity),
    (m.Opportunities, opportunities),
    (m.OpportunitiesAnswer, opportunities_answer),
    (m.WarmestConnector, warmest_connector),
    (m.WarmestPath, warmest),
    (m.FormerOrNewCompany, former),
    (m.ChangedPerson, changed_person),
    (m.Change, change),
    (m.Changes, changes),
    (m.ChangesAnswer, changes_answer),
]


class EveryField(unittest.TestCase):
    def test_every_type_is_here_with_all_of_its_fields(self) -> None:
        types = {name for name, kind in inspect.getmembers(m) if is_typeddict(kind)}
        self.assertEqual({kind.__name__ for kind, _ in SAMPLES}, types)
        for kind, sample in SAMPLES:
            self.assertEqual(sample.keys(), kind.__annotations__.keys(), kind.__name__)
            check(kind, sample, kind.__name__)


if __name__ == "__main__":
    unittest.main()
