"""What the taps share: secrets from the environment, rows, and the two tables that are written.

A tap is a source of dlt and three SELECTs on what it loaded: the people, whose they are, and how well they are known.
"""
from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

NAMES = ("first_name", "last_name", "email", "company", "position", "linkedin")
MERGED = {"write_disposition": "merge", "primary_key": "id"}
NONE_OWNED = "SELECT NULL::VARCHAR AS id, NULL::VARCHAR AS owner WHERE false"
NONE_TIED = "SELECT NULL::VARCHAR AS id, NULL::VARCHAR AS owner, 0 AS weight WHERE false"


class TapError(Exception):
    """What went wrong, and the remedy, in one sentence."""


class SyncExpired(Exception):
    """The API no longer knows the last state: everything has to be read again."""


@dataclass
class Tap:
    source: Any  # of dlt
    people: str  # selects id and NAMES
    owners: str = NONE_OWNED  # selects id, owner: an e-mail address of a colleague
    ties: str = NONE_TIED  # selects id, owner, weight: 0 to 100

    def tables(self) -> dict[str, str]:
        """The SELECT of each table. A tie to a person without address and profile is kept as an owner, without weight."""
        given = f"""WITH named AS (SELECT id, {", ".join(NAMES)} FROM ({self.people})),
            owned AS ({self.owners}), tied AS ({self.ties})"""
        people = f"""{given}, whose AS (
                SELECT id, owner FROM owned
                UNION SELECT id, owner FROM tied JOIN named USING (id) WHERE email IS NULL AND linkedin IS NULL)
            SELECT first_name AS "First Name", last_name AS "Last Name", email AS "Email", company AS "Company",
                position AS "Position", linkedin AS "LinkedIn", owner AS "Owner"
            FROM named LEFT JOIN whose USING (id) ORDER BY id, owner"""
        edges = f"""{given}
            SELECT owner AS "From", coalesce(split_part(email, '; ', 1), linkedin) AS "To", weight AS "Weight"
            FROM tied JOIN named USING (id)
            WHERE weight > 0 AND coalesce(email, linkedin) IS NOT NULL ORDER BY id, owner"""
        return {"people": people} if self.ties == NONE_TIED else {"people": people, "edges": edges}


def secret(name: str) -> str:
    value = os.environ.get(name, "").strip()
    if not value:
        raise TapError(f"{name} is not set in the environment; README.md says what to put there")
    return value


def address(name: str, usual: str) -> str:
    """The address of an API: the usual one, unless the environment names a sandbox or a proxy."""
    return os.environ.get(name, usual).rstrip("/")


def columns(*names: str, **others: str) -> dict[str, dict[str, Any]]:
    """The columns of a table: texts, and others by type. `deleted` takes a row out."""
    typed = {name: "text" for name in names} | others
    return {
        name: {"name": name, "data_type": kind} | ({"hard_delete": True} if name == "deleted" else {})
        for name, kind in typed.items()
    }


def resource(name: str, endpoint: dict[str, Any], row: Any, columns: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A resource of dlt's REST source: `row` keeps of each record what is wanted. It is replaced unless `more` merges it."""
    return {
        "name": name, "endpoint": endpoint, "columns": columns, "processing_steps": [{"map": row}],
        "write_disposition": "replace", **more,
    }


def joined(addresses: Iterable[str | None]) -> str | None:
    """Several addresses in one cell, each once."""
    return "; ".join(dict.fromkeys(address.strip() for address in addresses if address)) or None
