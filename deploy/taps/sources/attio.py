"""Attio, API v2: people, and their strongest connection. The API has no filter by change, so all is read."""
from __future__ import annotations

from typing import Any

from dlt.sources.rest_api import rest_api_source

from common import Tap, TapError, address, columns, joined, resource, secret

SECRETS = ("ATTIO_TOKEN",)
SCOPES = "the scopes record_permission:read, object_configuration:read and user_management:read"
# The middles of five bands of equal width, since Attio states a word.
STRENGTHS = {"Very weak": 10, "Weak": 30, "Good": 50, "Strong": 70, "Very strong": 90}

PEOPLE = "SELECT p.*, c.company FROM persons p LEFT JOIN companies c ON c.id = p.company_id"
TIES = """SELECT p.id, m.email AS owner, p.weight FROM persons p JOIN workspace_members m ON m.id = p.colleague
    WHERE p.weight IS NOT NULL"""


def person(row: dict[str, Any]) -> dict[str, Any]:
    values = row["values"]

    def first(attribute: str, key: str) -> Any:
        return values[attribute][0].get(key) if values.get(attribute) else None

    strength = (first("strongest_connection_strength", "option") or {}).get("title")
    if strength and strength not in STRENGTHS:
        raise TapError(f"Attio states a strength that sources/attio.py does not know: {strength}")
    return {
        "id": row["id"]["record_id"],
        "first_name": first("name", "first_name"),
        "last_name": first("name", "last_name"),
        "email": joined(value["email_address"] for value in values.get("email_addresses", [])),
        "company_id": first("company", "target_record_id"),
        "position": first("job_title", "value"),
        "linkedin": first("linkedin", "value"),
        "colleague": first("strongest_connection_user", "referenced_actor_id"),
        "weight": STRENGTHS.get(strength),
    }


def company(row: dict[str, Any]) -> dict[str, Any]:
    names = row["values"].get("name")
    return {"id": row["id"]["record_id"], "company": names[0]["value"] if names else None}


def member(row: dict[str, Any]) -> dict[str, Any]:
    return {"id": row["id"]["workspace_member_id"], "email": row["email_address"]}


def records(kind: str) -> dict[str, Any]:
    return {
        "path": f"objects/{kind}/records/query",
        "method": "POST",
        "json": {"sorts": [{"direction": "asc", "attribute": "created_at"}]},
        "data_selector": "data",
        "paginator": {
            "type": "offset", "limit": 500, "offset_body_path": "offset", "limit_body_path": "limit",
            "total_path": None,
        },
    }


def tap(is_first: bool) -> Tap:
    members = {"path": "workspace_members", "data_selector": "data", "paginator": "single_page"}
    persons = columns(
        "id", "first_name", "last_name", "email", "company_id", "position", "linkedin", "colleague", weight="bigint"
    )
    source = rest_api_source({
        "client": {
            "base_url": address("ATTIO_URL", "https://api.attio.com") + "/v2/",
            "auth": {"token": secret("ATTIO_TOKEN")},
        },
        "resources": [
            resource("persons", records("people"), person, persons),
            resource("companies", records("companies"), company, columns("id", "company")),
            resource("workspace_members", members, member, columns("id", "email")),
        ],
    })
    return Tap(source, PEOPLE, ties=TIES)
