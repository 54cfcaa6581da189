"""Calls every endpoint of the demo by a client generated from its OpenAPI document.

Each raw answer is judged by its schema with a strict validator, parsed by the client, and written
back by it: nothing may be lost on the way.

    client.py DOCUMENT FOLDER_OF_CLIENT ADDRESS KEY TOKEN
"""

import datetime
import importlib
import json
import pathlib
import re
import sys

import jsonschema


def close(document):
    """Rules out, for this version, the names that the document leaves to later ones."""
    for schema in document["components"]["schemas"].values():
        schema.setdefault("additionalProperties", False)
    return document


class Caller:
    def __init__(self, document, folder, address):
        sys.path.insert(0, str(folder.parent))
        self.document, self.folder, self.address = document, folder, address
        self.client = importlib.import_module(f"{folder.name}.client")
        self.calls = 0
        self.seen = set()

    def call(self, operation_id, credential, expected=200, **arguments):
        """The answer's JSON; `None` for a page."""
        path, operation = find(self.document, operation_id)
        module = re.sub(r"(?<!^)(?=[A-Z])", "_", operation_id).lower()
        (file,) = self.folder.glob(f"api/*/{module}.py")
        endpoint = importlib.import_module(f"{self.folder.name}.api.{file.parent.name}.{module}")
        if credential is None:
            client = self.client.Client(base_url=self.address)
        else:
            client = self.client.AuthenticatedClient(base_url=self.address, token=credential)
        answer = endpoint.sync_detailed(client=client, **arguments)
        where = f"{operation_id} {arguments}"
        assert answer.status_code == expected, f"{where}: {answer.status_code} {answer.content[:300]}"
        response = operation["responses"][str(expected)]
        if "$ref" in response:
            response = self.document["components"]["responses"][response["$ref"].rsplit("/", 1)[1]]
        for name, header in response["headers"].items():
            if header["required"]:
                assert name.lower() in answer.headers, f"{where}: no {name}"
        if "service-generation" in answer.headers:
            self.generation = int(answer.headers["service-generation"])
        self.calls += 1
        self.seen.add((operation_id, expected))
        (media, content), = response["content"].items()
        if media != "application/json":
            assert answer.headers["content-type"].startswith(media), where
            return None
        raw = json.loads(answer.content)
        schema = {**content["schema"], "components": self.document["components"]}
        checker = jsonschema.Draft202012Validator.FORMAT_CHECKER
        jsonschema.Draft202012Validator(schema, format_checker=checker).validate(raw)
        assert answer.parsed is not None, f"{where}: not parsed"
        assert moments(answer.parsed.to_dict()) == moments(raw), f"{where}: lost on the way"
        return raw


def moments(value):
    """The value with each timestamp as a moment, however it is written."""
    if isinstance(value, dict):
        return {name: moments(item) for name, item in value.items()}
    if isinstance(value, list):
        return [moments(item) for item in value]
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d{2}-\d{2}T[\d:.]+(Z|\+00:00)", value):
        return datetime.datetime.fromisoformat(value)
    return value


def operations(document):
    for path, item in document["paths"].items():
        for operation in item.values():
            yield path, operation


def find(document, operation_id):
    for path, operation in operations(document):
        if operation["operationId"] == operation_id:
            return path, operation
    raise KeyError(operation_id)


def search_network(caller, credential, people):
    """Searches with every field; pinning them shows which engines can answer."""
    models = importlib.import_module(f"{caller.folder.name}.models")

    def search(expected=200, **fields):
        body = models.SearchNetworkBody.from_dict(fields)
        assert body.to_dict() == fields, f"{fields}: lost on the way"
        return caller.call("searchNetwork", credential, expected, body=body)

    everybody = search(query="who do we know", limit=50)
    assert everybody["meta"]["returnedCount"] == 50 <= everybody["meta"]["totalCount"]
    member = next(user for person in people for user in person["knownByUserIds"])
    for networks in (["user"], ["advocate"], ["user", "organization"], ["user", "advocate", "organization"]):
        found = search(query="who do we know", networks=networks, asUserId=member)
        assert {source["type"] for person in found["data"] for source in person["connectionSources"]} <= set(networks)
    totals = [search(query="engineers in Germany", strictness=level)["meta"]["totalCount"] for level in (1, 2, 3)]
    assert totals == sorted(totals, reverse=True), totals
    assert search(query="engineers", mode="graph")["meta"]["backend"] == "graph-keyword"
    assert search(query="engineers", mode=None, networks=None, strictness=None, asUserId=None, limit=None) == search(
        query="engineers"
    )
    for broken in ({"query": " "}, {"query": "a", "limit": 51}, {"query": "a", "asUserId": "user_nobody"}):
        search(400, **broken)


def search_batch(caller, credential, people):
    """Many targets at once, among them one that cannot be taken."""
    models = importlib.import_module(f"{caller.folder.name}.models")

    def search(expected=200, **fields):
        body = models.SearchWarmPathsBatchBody.from_dict(fields)
        assert body.to_dict() == fields, f"{fields}: lost on the way"
        return caller.call("searchWarmPathsBatch", credential, expected, body=body)

    targets = [{"id": person["id"]} for person in people] + [{"name": " "}]
    data = search(targets=targets, perTarget=1, sort="warmness", includeIntroRequested=True)["data"]
    assert [result["index"] for result in data["results"]] == list(range(len(targets)))
    assert data["results"][-1]["code"] == "validation_error" and data["connectors"]
    search(400, targets=targets, perTarget=11)


def ask_all(caller, key, token):
    for credential in (key, token):
        found = caller.call("searchPeople", credential, q="a", limit=50)["data"]
        assert len(found) == 50
        for person in found[:10]:
            caller.call("getPerson", credential, id=person["id"])
            caller.call("getPeopleNetwork", credential, 200 if person["degree"] == "first" else 403, person_id=person["id"])
            for target in ("prospect_name", "prospect_linkedin_id"):
                value = person["name"] if target == "prospect_name" else person.get("linkedinId", person["name"])
                caller.call("searchWarmPaths", credential, **{target: value}, limit=50)
        caller.call("searchPeople", credential, q="a", include_second_degree=False)
        companies = caller.call("searchCompanies", credential, q="a", page=2, limit=5)
        assert companies["currentPage"] == 2
        for company in companies["data"]:
            asked = {"prospect_company": company["name"], "limit": 50}
            for include in (True, False):
                caller.call("searchWarmPaths", credential, include_intro_requested=include, **asked)
        for status in ("visible", "saved", "accepted", "intro_requested", "dismissed"):
            operation = importlib.import_module(f"{caller.folder.name}.models")
            caller.call("listGhostOpportunities", credential, status=operation.ListGhostOpportunitiesStatus(status))
        everything = caller.call("listGhostOpportunities", credential, limit=50)["data"]
        assert everything["opportunities"]
        members = sorted({user for person in found for user in person["knownByUserIds"]})[:3]
        caller.call("searchWarmPaths", credential, prospect_name=found[0]["name"], from_user_ids=members)
        caller.call("getPerson", credential, 404, id="person_nobody")
        changes = caller.call("listChanges", credential, since=caller.generation)["data"]
        assert changes["changes"] == [] and changes["generation"] == caller.generation
        caller.call("listChanges", credential, 410, since=1)
        caller.call("searchPeople", credential, 400, q="a", limit=51)
        assert caller.call("listMembers", credential, limit=50)["data"]["members"]
        assert ("member" in caller.call("getMe", credential)["data"]) == (credential == token)
        search_network(caller, credential, found)
        search_batch(caller, credential, found)
    models = importlib.import_module(f"{caller.folder.name}.models")
    me = models.SearchWarmPathsScope.ME
    caller.call("searchWarmPaths", token, prospect_name=found[0]["name"], scope=me)
    caller.call("searchWarmPaths", key, 403, prospect_name=found[0]["name"], scope=me)
    contacts = caller.call("listConnections", token, limit=50)["data"]["connections"]
    caller.call("listSecondDegreeConnections", token, limit=50)
    caller.call("listSecondDegreeConnections", token, via_connector_id=contacts[0]["id"])
    caller.call("listSecondDegreeConnections", token, 404, via_connector_id="person_nobody")
    for operation_id in ("listConnections", "listSecondDegreeConnections"):
        caller.call(operation_id, key, 403)
    for operation_id in ("getOpenApi", "getDocs"):
        caller.call(operation_id, None)
    caller.call("listConnections", "nonsense", 401)


def main():
    document = close(json.loads(pathlib.Path(sys.argv[1]).read_text()))
    caller = Caller(document, pathlib.Path(sys.argv[2]).resolve(), sys.argv[3])
    ask_all(caller, key=sys.argv[4], token=sys.argv[5])
    for _, operation in operations(document):
        operation_id = operation["operationId"]
        assert (operation_id, 200) in caller.seen, f"{operation_id} was never answered with 200"
    print(f"generated client: {caller.calls} calls to {len(document['paths'])} endpoints, each as its schema says")


main()
