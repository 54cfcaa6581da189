"""HubSpot, CRM API v3: contacts, their companies and owners. The first run lists all, later ones search what changed."""
from __future__ import annotations

from datetime import datetime
from typing import Any

from dlt.sources.rest_api import rest_api_source

from common import MERGED, Tap, TapError, address, columns, joined, resource, secret

SECRETS = ("HUBSPOT_TOKEN",)
SCOPES = "the scopes crm.objects.contacts.read, crm.objects.companies.read and crm.objects.owners.read"
PROPERTIES = [
    "firstname", "lastname", "email", "hs_additional_emails", "company", "jobtitle", "hs_linkedin_url",
    "hubspot_owner_id", "hs_all_owner_ids", "associatedcompanyid",
]
FOUND_MAX = 10_000  # what a search answers at most
INDEXED_SECONDS = 300  # a search may not know what changed a moment ago

PEOPLE = """SELECT c.* REPLACE (coalesce(f.company, c.company) AS company)
    FROM contacts c LEFT JOIN companies f ON f.id = c.company_id"""
OWNERS = """SELECT c.id, o.email AS owner
    FROM (SELECT id, unnest(string_split(owner_ids, ';')) AS owner_id FROM contacts) c JOIN owners o ON o.id = c.owner_id"""


def contact(row: dict[str, Any]) -> dict[str, Any]:
    given = {name: value or None for name, value in row["properties"].items()}
    return {
        "id": row["id"],
        "updatedAt": row["updatedAt"],
        "deleted": row["archived"],
        "first_name": given.get("firstname"),
        "last_name": given.get("lastname"),
        "email": joined([given.get("email"), *(given.get("hs_additional_emails") or "").split(";")]),
        "company": given.get("company"),
        "company_id": given.get("associatedcompanyid"),
        "position": given.get("jobtitle"),
        "linkedin": given.get("hs_linkedin_url"),
        "owner_ids": given.get("hs_all_owner_ids") or given.get("hubspot_owner_id"),
    }


def company(row: dict[str, Any]) -> dict[str, Any]:
    return {"id": row["id"], "company": row["properties"].get("name")}


def owner(row: dict[str, Any]) -> dict[str, Any]:
    return {"id": row["id"], "email": row["email"]}


def refuse_too_many(response: Any, *args: Any, **kwargs: Any) -> Any:
    if response.ok and response.json()["total"] > FOUND_MAX:
        raise TapError("more contacts changed than HubSpot's search answers (10,000); run again with --full")
    return response


def listed(kind: str, archived: bool, **params: str) -> dict[str, Any]:
    return {
        "path": kind,
        "params": {"limit": 100, "archived": str(archived).lower(), **params},
        "data_selector": "results",
        "paginator": {"type": "cursor", "cursor_path": "paging.next.after", "cursor_param": "after"},
    }


def changed() -> dict[str, Any]:
    since = {"propertyName": "lastmodifieddate", "operator": "GTE", "value": "{incremental.start_value}"}
    return {
        "path": "objects/contacts/search",
        "method": "POST",
        "json": {
            "filterGroups": [{"filters": [since]}],
            "sorts": [{"propertyName": "lastmodifieddate", "direction": "ASCENDING"}],
            "properties": PROPERTIES,
            "limit": 200,
        },
        "data_selector": "results",
        "paginator": {"type": "cursor", "cursor_path": "paging.next.after", "cursor_body_path": "after"},
        "response_actions": [refuse_too_many],
    }


def milliseconds(time: str) -> str:
    return str(int(datetime.fromisoformat(time).timestamp() * 1000))


def tap(is_first: bool) -> Tap:
    properties = ",".join(PROPERTIES)
    endpoint = listed("objects/contacts", False, properties=properties) if is_first else changed()
    endpoint["incremental"] = {
        "cursor_path": "updatedAt", "initial_value": "1970-01-01T00:00:00.000Z", "lag": INDEXED_SECONDS,
        "convert": milliseconds,
    }
    rows = columns(
        "id", "updatedAt", "first_name", "last_name", "email", "company", "company_id", "position", "linkedin", "owner_ids",
        deleted="bool",
    )
    archived = listed("objects/contacts", True, properties=properties)
    companies = listed("objects/companies", False, properties="name")
    source = rest_api_source({
        "client": {
            "base_url": address("HUBSPOT_URL", "https://api.hubapi.com") + "/crm/v3/",
            "auth": {"token": secret("HUBSPOT_TOKEN")},
        },
        "resources": [
            resource("contacts", endpoint, contact, rows, **MERGED),
            resource("archived", archived, contact, rows, table_name="contacts", **MERGED),
            resource("companies", companies, company, columns("id", "company")),
            resource("owners", listed("owners", False), owner, columns("id", "email")),
        ],
    })
    return Tap(source, PEOPLE, OWNERS)
