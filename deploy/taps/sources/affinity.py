"""Affinity, API v2: persons, and how well each colleague knows them. The API has no filter by change, so all is read."""
from __future__ import annotations

from typing import Any

import dlt
from dlt.sources.rest_api import rest_api_resources

from common import Tap, address, columns, joined, resource, secret

SECRETS = ("AFFINITY_API_KEY",)
SCOPES = 'a key of a user with the permissions "Generate an API key" and "Export All People directory"'

ORGANIZATION, COMPANIES = "affinity-data-current-organization", "companies"
TITLE, PROFILE = "affinity-data-current-job-title", "affinity-data-linkedin-url"

PEOPLE = "SELECT * FROM persons WHERE kind = 'external'"
OWNERS = """SELECT t.person AS id, c.email AS owner FROM relationships t JOIN persons c ON c.id = t.colleague
    WHERE t.is_on_linkedin"""
TIES = """SELECT t.person AS id, c.email AS owner, round(t.score * 100)::INTEGER AS weight
    FROM relationships t JOIN persons c ON c.id = t.colleague"""


def text(fields: list[dict[str, Any]], *wanted: str) -> str | None:
    """The text, or the name of the company, in the first of the wanted fields that has a value."""
    values = {field["id"]: (field.get("value") or {}).get("data") for field in fields}
    for value in filter(None, (values.get(name) for name in wanted)):
        first = value[0] if isinstance(value, list) else value
        return first["name"] if isinstance(first, dict) else first
    return None


def person(row: dict[str, Any]) -> dict[str, Any]:
    primary = row["primaryEmailAddress"]
    is_colleague = row["type"] == "internal"
    return {
        "id": str(row["id"]),
        "kind": row["type"],
        "first_name": row["firstName"],
        "last_name": row["lastName"],
        "email": primary if is_colleague else joined([primary, *row["emailAddresses"]]),
        "company": text(row["fields"], ORGANIZATION, COMPANIES),
        "position": text(row["fields"], TITLE),
        "linkedin": text(row["fields"], PROFILE),
    }


def relationship(row: dict[str, Any]) -> dict[str, Any]:
    colleague = row["_colleagues_id"]
    ends = [str(row["person1"]["id"]), str(row["person2"]["id"])]
    return {
        "colleague": colleague,
        "person": ends[1] if ends[0] == colleague else ends[0],
        "score": float(row["interactionScore"]),
        "is_on_linkedin": row.get("linkedIn") is not None,
    }


def tap(is_first: bool) -> Tap:
    client = {
        "base_url": address("AFFINITY_URL", "https://api.affinity.co") + "/v2/",
        "auth": {"token": secret("AFFINITY_API_KEY")},
        "paginator": {"type": "json_link", "next_url_path": "pagination.nextUrl"},
    }
    named = columns("id", "kind", "first_name", "last_name", "email", "company", "position", "linkedin")
    listed = {
        "path": "persons",
        "params": {"limit": 100, "fieldIds": [ORGANIZATION, COMPANIES, TITLE, PROFILE]},
        "data_selector": "data",
    }
    [persons] = rest_api_resources({"client": client, "resources": [resource("persons", listed, person, named)]})

    @dlt.transformer(data_from=persons, selected=False)
    def colleagues(rows: Any) -> Any:
        yield [row for row in (rows if isinstance(rows, list) else [rows]) if row["kind"] == "internal"]

    tied = columns("colleague", "person", score="double", is_on_linkedin="bool")
    listed = {
        "path": "persons/{resources.colleagues.id}/relationships",
        "params": {"limit": 100},
        "data_selector": "data",
    }
    known = resource("relationships", listed, relationship, tied, include_from_parent=["id"])
    relationships = rest_api_resources({"client": client, "resources": [colleagues, known]})
    return Tap([persons, *relationships], PEOPLE, OWNERS, TIES)
