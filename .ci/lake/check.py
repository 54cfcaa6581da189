"""Holds the cuts of the made-up lake to what is expected and to the network that is not cut.

    check.py rows WORK             the rows of all cuts are those expected, and no planted edge is in a folder that may not see it
    check.py answers WORK ORG WHOLE CUT KEYS lifted|default    the answers of two servers
"""

import collections
import json
import sys
import urllib.parse
import urllib.request
from pathlib import Path

import pyarrow.parquet

TABLES = ["people", "companies", "members", "advocates", "connections", "intro_requests", "ghost_opportunities",
          "evidence", "person_aliases"]
OBJECTS = {"breakdown", "icpEvaluation", "buyingIntent", "keyInsights", "paths"}


def value(name, raw):
    """What a field says, whatever the format: of objects their text, with numbers to the letter."""
    if name in OBJECTS:
        parsed = json.loads(raw, parse_float=str, parse_int=str) if isinstance(raw, str) else raw
        return json.dumps(parsed)
    return str(raw)


def row_of(fields):
    return tuple(sorted((name, value(name, raw)) for name, raw in fields.items() if raw not in (None, "")))


def rows_of(folder, table):
    """The rows of a table, each with how often it stands there."""
    rows = collections.Counter()
    for part in sorted((folder / table).glob("*.parquet")):
        rows.update(map(row_of, pyarrow.parquet.read_table(part, partitioning=None).to_pylist()))
    lines = folder / f"{table}.ndjson"
    if lines.is_file():
        for line in lines.read_text().splitlines():
            # Numbers to the letter.
            fields = json.loads(line, parse_float=str, parse_int=str)
            rows[row_of(fields)] += 1
    return rows


def in_force(out, org):
    home = out / "organizations" / org
    return home / (home / "current").read_text() if home.is_dir() else out / org


def leaks(folder, org, planted):
    """Planted edges that `org` may not see and `folder` holds."""
    held = {(dict(row)["from"], dict(row)["to"]) for row in rows_of(folder, "connections")}
    hidden = [edge for edge in planted if edge["visibleTo"] != org]
    return [edge for edge in hidden if (edge["from"], edge["to"]) in held]


def check_rows(work):
    planted = json.loads((work / "planted.json").read_text())
    outs = {name: work / name for name in ("duckdb", "datafusion", "expected")}
    total = 0
    for org in sorted(path.name for path in (work / "whole").iterdir()):
        for table in TABLES:
            found = {name: rows_of(in_force(out, org), table) for name, out in outs.items()}
            for name, rows in found.items():
                assert rows == found["duckdb"], f"{org} {table}: {name} and duckdb differ in " \
                    f"{list(((rows - found['duckdb']) | (found['duckdb'] - rows)).items())[:3]}"
            assert found["duckdb"], f"{org} has no {table}: the lake tries nothing"
            total += sum(found["duckdb"].values())
        for name, out in outs.items():
            assert not leaks(in_force(out, org), org, planted), f"{name}: {org} sees what it may not"
            own = [edge for edge in planted if edge["visibleTo"] == org]
            assert leaks(in_force(out, org), "", own), f"{name}: {org} does not see its own edge"
        # The controls: the check finds a leak if the filter is left out, and a row that is missing.
        blind = in_force(work / "blind", org)
        assert leaks(blind, org, planted), f"{org}: the cut without the filter leaks nothing, so the check sees nothing"
        assert rows_of(blind, "connections") != rows_of(in_force(outs["duckdb"], org), "connections")
    print(f"rows: {total:,} equal by DuckDB, by DataFusion and as expected; no planted edge where it may not be")


def ask(address, key, path):
    request = urllib.request.Request(address + path, headers={"Authorization": f"Bearer {key}"})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def questions(folder):
    """What is asked of a network: all of it that does not count over a larger world."""
    people = [dict(row) for row in rows_of(folder, "people")]
    people.sort(key=lambda row: row["id"])
    for person in people[:: max(1, len(people) // 500)]:
        handle = urllib.parse.quote(person["linkedinId"])
        yield f"/api/v1/search/warm-paths?prospectLinkedinId={handle}&limit=50"
    for person in people[:: max(1, len(people) // 60)]:
        yield f"/api/v1/people/{person['id']}"
        name = urllib.parse.quote(person["name"])
        yield f"/api/v1/search/people?query={name}"
        yield f"/api/v1/connections/second-degree?connectionPersonId={person['id']}"
    for path in ("connections", "people/network", "ghost/opportunities"):
        yield f"/api/v1/{path}?limit=50"
        yield f"/api/v1/{path}?limit=50&offset=50"
    for row in sorted(rows_of(folder, "person_aliases"))[:20]:
        yield f"/api/v1/search/warm-paths?prospectLinkedinId={dict(row)['linkedinId']}&limit=50"


def paths_of(address, key, path):
    """The paths of all pages, up to a bound."""
    paths, offset = [], 0
    for _ in range(40):
        data = json.loads(ask(address, key, f"{path}&offset={offset}")[1])["data"]
        paths += [json.dumps(path, sort_keys=True) for path in data["paths"]]
        if not data["hasMore"]:
            break
        offset = data["nextOffset"]
    return paths


def check_answers(work, org, whole, cut, key, bounds, folder):
    asked = different = found = missing = 0
    for path in questions(folder):
        one, other = ask(whole, key, path), ask(cut, key, path)
        asked += 1
        if "warm-paths" in path:
            found += bool(json.loads(one[1])["data"]["paths"])
            if bounds == "default":
                missing += len(set(paths_of(whole, key, path)) - set(paths_of(cut, key, path)))
        if one != other:
            if different < 3 and bounds == "lifted":
                print(f"{org} {path}\n  {one[1][:300]}\n  {other[1][:300]}", file=sys.stderr)
            different += 1
    print(f"{org}: {asked} questions with {bounds} bounds, {found} with paths; {different} answers differ, {missing} paths missing")
    assert found > 100, "too few answers have paths"
    return different, missing


def main(words):
    work = Path(words[1])
    if words[0] == "rows":
        return check_rows(work)
    _, _, org, whole, cut, key, bounds, folder, expected = words
    different, missing = check_answers(work, org, whole, cut, key, bounds, Path(folder))
    wrong = different if bounds == "lifted" else missing
    # `fails` names a control: the trial has to find something.
    if (wrong > 0) != (expected == "fails"):
        sys.exit(f"{org}: expected that it {expected}")


main(sys.argv[1:])
