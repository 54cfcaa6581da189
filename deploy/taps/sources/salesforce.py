"""Salesforce, REST API v62.0: contacts by a query, deleted ones too. Later runs ask for what changed."""
from __future__ import annotations

from typing import Any

from dlt.sources.rest_api import rest_api_source

from common import MERGED, Tap, address, columns, resource, secret

SECRETS = ("SALESFORCE_URL", "SALESFORCE_CLIENT_ID", "SALESFORCE_CLIENT_SECRET")
SCOPES = "the scope api, and a user who may read Contact, Account and User"
QUERY = (
    "SELECT Id, FirstName, LastName, Email, Title, Account.Name, Owner.Email, IsDeleted, SystemModstamp FROM Contact "
    "WHERE SystemModstamp >= {incremental.start_value} ORDER BY SystemModstamp"
)

PEOPLE = "SELECT *, NULL::VARCHAR AS linkedin FROM contacts"
OWNERS = "SELECT id, owner FROM contacts WHERE owner IS NOT NULL"


def contact(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": row["Id"],
        "SystemModstamp": row["SystemModstamp"],
        "deleted": row["IsDeleted"],
        "first_name": row["FirstName"],
        "last_name": row["LastName"],
        "email": row["Email"],
        "company": (row["Account"] or {}).get("Name"),
        "position": row["Title"],
        "owner": (row["Owner"] or {}).get("Email"),
    }


def tap(is_first: bool) -> Tap:
    url = address("SALESFORCE_URL", secret("SALESFORCE_URL"))
    rows = columns(
        "id", "SystemModstamp", "first_name", "last_name", "email", "company", "position", "owner", deleted="bool"
    )
    changed = {
        "path": "queryAll",
        "params": {"q": QUERY},
        "data_selector": "records",
        "paginator": {"type": "json_link", "next_url_path": "nextRecordsUrl"},
        "incremental": {
            "cursor_path": "SystemModstamp",
            "initial_value": "1970-01-01T00:00:00.000+0000",
            "convert": lambda time: time.replace("+0000", "Z"),
        },
    }
    source = rest_api_source({
        "client": {
            "base_url": url + "/services/data/v62.0/",
            "auth": {
                "type": "oauth2_client_credentials",
                "access_token_url": url + "/services/oauth2/token",
                "client_id": secret("SALESFORCE_CLIENT_ID"),
                "client_secret": secret("SALESFORCE_CLIENT_SECRET"),
            },
        },
        "resources": [resource("contacts", changed, contact, rows, **MERGED)],
    })
    return Tap(source, PEOPLE, OWNERS)
