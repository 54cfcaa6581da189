#!/usr/bin/env python3
"""Reads the people of a CRM or an address book into tables for `kith import`: `tap.py hubspot --into crm`.

`kith import` reads crm/hubspot-people.csv, and of a CRM that states how well people are known NAME-edges.csv too. The
hidden folder crm/.hubspot has what dlt read so far, and the same tables as Parquet for other programs.
"""
from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

# dlt reports its use to its makers, and keeps copies of what it loaded, unless it is asked not to.
os.environ.update(
    RUNTIME__DLTHUB_TELEMETRY="false",
    RUNTIME__LOG_LEVEL="CRITICAL",
    LOAD__DELETE_COMPLETED_JOBS="true",
    LOAD__TRUNCATE_STAGING_DATASET="true",
)
import dlt  # noqa: E402
import duckdb  # noqa: E402
from requests import HTTPError, RequestException  # noqa: E402

from common import SyncExpired, Tap, TapError  # noqa: E402

NAMES = ("affinity", "hubspot", "salesforce", "attio", "google", "microsoft")
STORE, DATASET = "store.duckdb", "crm"
TYPES = {"text": "VARCHAR", "bool": "BOOLEAN", "double": "DOUBLE", "bigint": "BIGINT"}


def causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def sentence(module: ModuleType, error: Exception) -> str:
    """What a failed run has to say: the thing, the place and the remedy."""
    for cause in causes(error):
        if isinstance(cause, TapError):
            return str(cause)
        if isinstance(cause, HTTPError):
            status, place = cause.response.status_code, cause.response.url.split("?")[0]
            if status in (401, 403) or (status == 400 and place.endswith("/token")):
                return f"{place} answered {status}: check {', '.join(module.SECRETS)}; what is needed is {module.SCOPES}"
            tried = " to several attempts" if status == 429 or status >= 500 else ""
            return f"{place} answered {status}{tried}"
        if isinstance(cause, RequestException):
            return f"no answer from the API: {type(cause).__name__}"
    return f"{type(error).__name__}: {error}"


def load(name: str, kept: Path, full: bool) -> Tap:
    pipeline = dlt.pipeline(
        name,
        destination=dlt.destinations.duckdb(str(kept / STORE)),
        dataset_name=DATASET,
        pipelines_dir=str(kept / "dlt"),
    )
    pipeline.abort_packages()
    tap = importlib.import_module(f"sources.{name}").tap(full or pipeline.first_run)
    pipeline.run(tap.source, refresh="drop_data" if full else None)
    return tap


def write(tap: Tap, kept: Path, into: Path, name: str) -> None:
    """Writes the tables, each whole or not at all."""
    with duckdb.connect(str(kept / STORE), read_only=True) as connection:
        connection.execute(f"SET search_path = '{DATASET}'")
        for statement in absent(tap, connection):
            connection.execute(statement)
        for table, query in tap.tables().items():
            rows = connection.sql(query)
            for path in (kept / f"{table}.parquet", into / f"{name}-{table}.csv"):
                part = kept / f"{path.name}.part"
                (rows.write_csv if path.suffix == ".csv" else rows.write_parquet)(str(part))
                part.replace(path)
            print(f"{path}: {len(rows)} rows")


def absent(tap: Tap, connection: duckdb.DuckDBPyConnection) -> Iterator[str]:
    """dlt makes no table of an answer without rows."""
    known = {row[0] for row in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    resources = getattr(tap.source, "resources", None)
    found = list(resources.values()) if resources else tap.source if isinstance(tap.source, list) else [tap.source]
    for schema in (resource.compute_table_schema() for resource in found):
        if schema["name"] not in known and schema.get("columns"):
            known.add(schema["name"])
            given = ", ".join(f'"{name}" {TYPES[column["data_type"]]}' for name, column in schema["columns"].items())
            yield f'CREATE TEMP TABLE "{schema["name"]}" ({given})'


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=NAMES)
    parser.add_argument("--into", type=Path, required=True, metavar="DIR", help="the folder of the tables")
    parser.add_argument("--full", action="store_true", help="read everything again")
    args = parser.parse_args()
    os.umask(0o077)
    kept = args.into / f".{args.name}"
    kept.mkdir(parents=True, exist_ok=True)
    module = importlib.import_module(f"sources.{args.name}")
    try:
        try:
            tap = load(args.name, kept, args.full)
        except Exception as error:
            if not any(isinstance(cause, SyncExpired) for cause in causes(error)):
                raise
            print(f"tap: {args.name}: the last run is too long ago for its API: reading all again", file=sys.stderr)
            tap = load(args.name, kept, True)
        write(tap, kept, args.into, args.name)
    except Exception as error:
        print(f"tap: {args.name}: {sentence(module, error)}. The tables are as they were.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
