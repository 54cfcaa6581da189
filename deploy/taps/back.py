#!/usr/bin/env python3
"""Brings introductions back into HubSpot: `kith batch FILE --targets LIST --for hubspot | back.py`.

dlt sends each row's four properties of an introduction, and no other, to the contact with the row's address; they have to
be made in HubSpot once (README.md). A row without an address is named and left out, since it could be anybody's.
"""
from __future__ import annotations

import csv
import os
import sys
import tempfile
from collections.abc import Iterable

os.environ.update(RUNTIME__DLTHUB_TELEMETRY="false", RUNTIME__LOG_LEVEL="CRITICAL")
import dlt  # noqa: E402
from dlt.sources.helpers import requests  # noqa: E402

from common import TapError, address, secret  # noqa: E402
from tap import sentence  # noqa: E402

SECRETS = ("HUBSPOT_TOKEN",)
SCOPES = "the scope crm.objects.contacts.write"
PROPERTIES = {
    "Introduction Ask": "introduction_ask",
    "Introduction Through": "introduction_through",
    "Introduction Strength": "introduction_strength",
    "Introduction Target": "introduction_target",
}
BATCH = 100  # inputs that HubSpot takes at once


def plain(cell: str) -> str:
    """The cell without the mark that keeps a spreadsheet from taking it for a formula."""
    return cell[1:] if cell.startswith("'") and cell[1:2] in ("=", "+", "-", "@", "\t", "\r") else cell


def inputs(rows: Iterable[dict[str, str]]) -> list[dict]:
    found = {}
    for row in rows:
        email = plain(row["Email"]).lower()
        if email:
            properties = {name: plain(row[heading]) for heading, name in PROPERTIES.items()}
            found.setdefault(email, {"id": email, "idProperty": "email", "properties": properties})
        else:
            print(f"left out, since the list has no address: {row['Introduction Target']}", file=sys.stderr)
    return list(found.values())


@dlt.destination(batch_size=BATCH, loader_file_format="typed-jsonl", max_table_nesting=0)
def hubspot(batch: list[dict], table: dict) -> None:
    url = address("HUBSPOT_URL", "https://api.hubapi.com") + "/crm/v3/objects/contacts/batch/upsert"
    answer = requests.post(url, json={"inputs": batch}, headers={"Authorization": f"Bearer {secret('HUBSPOT_TOKEN')}"})
    for error in answer.json().get("errors", []):
        raise TapError(f"HubSpot refused a contact: {error['message']}")


def main() -> int:
    try:
        table = csv.DictReader(sys.stdin)
        if not {"Email", *PROPERTIES} <= set(table.fieldnames or []):
            raise TapError("what was given is no table of `kith batch --for hubspot`")
        contacts = inputs(table)
        with tempfile.TemporaryDirectory() as folder:
            pipeline = dlt.pipeline("back", destination=hubspot, pipelines_dir=folder)
            pipeline.run(contacts, table_name="contacts")
    except Exception as error:
        print(f"back: {sentence(sys.modules[__name__], error)}", file=sys.stderr)
        return 1
    print(f"{len(contacts)} contacts sent to HubSpot")
    return 0


if __name__ == "__main__":
    sys.exit(main())
