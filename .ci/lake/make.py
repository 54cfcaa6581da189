"""Makes a lake of made-up people and several organizations, and for each organization the network that is not cut and
the one that a cut has to give.

    make.py WORK: WORK/lake/TABLE/*.parquet, and WORK/whole/ORG and WORK/expected/ORG as source tables of NDJSON

The same rows each time. Edges that one organization alone may see are planted: `planted.json` lists them.
"""

import json
import random
import sys
from pathlib import Path

import pyarrow
import pyarrow.parquet

PEOPLE, COMPANIES, EDGES = 20_000, 800, 160_000
ORGANIZATIONS = ["org_ada", "org_bob", "org_cyd"]
OBJECTS = {"breakdown", "icpEvaluation", "paths"}
WORDS = ["Engineer", "Designer", "Chief of Staff", "Head of Sales", "Nurse", "Analyst"]
TIME = "2026-01-02T03:04:05Z"


def people(chance):
    for n in range(PEOPLE):
        yield {
            "id": f"person_{n}", "name": f"Given{n % 911} Family{n % 1733}", "linkedinId": f"handle-{n}",
            "position": chance.choice(WORDS) if n % 5 else None,
            "currentCompanyId": f"company_{chance.randrange(COMPANIES)}" if n % 7 else None,
            "city": chance.choice(["Oslo", "Ås", "Porto", ""]), "connectionsCount": n % 500 if n % 3 else None,
        }


def edges(chance):
    # Some people are known by many, some know many.
    for n in range(EDGES):
        start = int(PEOPLE * chance.random() ** 1.6)
        end = int(PEOPLE * chance.random() ** (4 if n % 3 else 1))
        if start != end:
            breakdown = '{ "sameCity": 0.30, "pastCompanyName":"A \\u0026 B" }' if n % 9 == 0 else None
            warmness = chance.randrange(101) if n % 11 else None
            yield {"from": f"person_{start}", "to": f"person_{end}", "warmness": warmness, "breakdown": breakdown}


def owned(chance, org):
    """The rows of one organization, by table."""
    start = 2_000 * ORGANIZATIONS.index(org) + 50
    members = [
        {"org": org, "userId": f"user_{org[4:]}_{n}", "personId": f"person_{start + 7 * n}",
         "role": "admin" if n == 0 else "member", "joinedAt": TIME, "connectionsSyncedAt": None}
        for n in range(12)
    ]
    statuses = ["accepted", "accepted", "pending", "declined"]
    advocates = [
        {"org": org, "personId": f"person_{19_000 + start % 97 + n}", "userId": members[n % 12]["userId"],
         "status": statuses[n % 4], "connectionsSyncedAt": TIME if n % 2 else None}
        for n in range(16)
    ]
    user = members[1]["userId"]
    requests = [
        {"org": org, "personId": f"person_{15_000 + start % 89 + n}", "status": "ACTIVE", "requestedBy": user,
         "requestedAt": TIME}
        for n in range(5)
    ]
    opportunities = []
    for n in range(9):
        paths = [
            {"connectionId": f"person_{16_000 + start % 83 + 10 * n + k}", "connectionType": "direct",
             "strengthScore": 8.5}
            for k in range(n % 4)
        ]
        opportunities.append({
            "org": org, "id": f"ghost_{org[4:]}_{n}", "prospectId": f"person_{17_000 + start % 79 + n}",
            "overallScore": "82.50", "status": "visible", "discoveredAt": TIME, "discoveredBy": user,
            "icpEvaluation": '{"b": 1e2, "a": 0.30}', "paths": json.dumps(paths) if n else None,
        })
    return {
        "members": members, "advocates": advocates, "intro_requests": requests, "ghost_opportunities": opportunities,
    }


def evidence(chance, all_edges):
    for n, edge in enumerate(all_edges[::40]):
        yield {"from": edge["from"], "to": edge["to"], "kind": "meeting", "at": TIME, "note": f"note {n}",
               "source": None, "visibleTo": ORGANIZATIONS[n % 3] if n % 10 == 0 else edge["visibleTo"]}


def within_reach(mine):
    """What of `mine`, the tables that one organization may see, is within its reach: docs/lake.md, not cut.sql."""
    accepted = [row for row in mine["advocates"] if row["status"] == "accepted"]
    seeds = {row["personId"] for row in mine["members"] + accepted}
    near = seeds | {edge["to"] for edge in mine["connections"] if edge["from"] in seeds}
    known = [edge for edge in mine["connections"] if edge["from"] in near]
    named = {row["personId"] for row in mine["advocates"] + mine["intro_requests"]}
    named |= {row["prospectId"] for row in mine["ghost_opportunities"]}
    for row in mine["ghost_opportunities"]:
        named |= {path["connectionId"] for path in json.loads(row["paths"] or "[]")}
    reached = near | named | {edge["to"] for edge in known}
    reached_people = [row for row in mine["people"] if row["id"] in reached]
    employers = {row["currentCompanyId"] for row in reached_people} | {row["companyId"] for row in mine["organizations"]}
    member_of = {row["userId"]: row["personId"] for row in mine["members"]}
    pairs = {(edge["from"], edge["to"]) for edge in known}
    pairs |= {(member_of[row["userId"]], row["personId"]) for row in accepted}
    return mine | {
        "people": reached_people,
        "companies": [row for row in mine["companies"] if row["id"] in employers],
        "connections": known,
        "person_aliases": [row for row in mine["person_aliases"] if row["personId"] in reached],
        "evidence": [row for row in mine["evidence"] if (row["from"], row["to"]) in pairs],
    }


def as_json(row, drop):
    """A row as NDJSON: objects as they are written, numbers to the letter."""
    fields = []
    for name, value in row.items():
        if value is None or name in drop:
            continue
        raw = name in OBJECTS or name == "overallScore"
        fields.append(f"{json.dumps(name)}:{value if raw else json.dumps(value, ensure_ascii=False)}")
    return "{" + ",".join(fields) + "}\n"


def write_lake(folder, tables):
    for name, rows in tables.items():
        (folder / name).mkdir(parents=True)
        names = list(dict.fromkeys(key for row in rows for key in row))
        types = {"connectionsCount": pyarrow.int64(), "warmness": pyarrow.int32(), "minSize": pyarrow.int64()}
        schema = pyarrow.schema([(key, types.get(key, pyarrow.string())) for key in names])
        step = max(1, (len(rows) + 2) // 3)
        for part, start in enumerate(range(0, len(rows), step)):
            some = [{key: row.get(key) for key in names} for row in rows[start:start + step]]
            table = pyarrow.Table.from_pylist(some, schema)
            pyarrow.parquet.write_table(table, folder / name / f"part-{part}.parquet", row_group_size=20_000)


def write_tables(folder, tables):
    folder.mkdir(parents=True)
    (folder / "organization.json").write_text(as_json(tables["organizations"][0], ()))
    for name, rows in tables.items():
        if name != "organizations":
            lines = [as_json(row, ("org", "visibleTo")) for row in rows]
            (folder / f"{name}.ndjson").write_text("".join(lines))


def main(work):
    chance = random.Random(18)
    tables = {
        "people": list(people(chance)),
        "companies": [{"id": f"company_{n}", "name": f"Company {n % 700}", "companyId": f"c-{n}", "minSize": 10}
                      for n in range(COMPANIES)],
        "connections": [edge | {"visibleTo": None} for edge in edges(chance)],
        "organizations": [{"id": org, "name": org[4:].title(), "companyId": f"company_{n}"}
                          for n, org in enumerate(ORGANIZATIONS)],
        "person_aliases": [{"personId": f"person_{n}", "linkedinId": f"old-{n}", "email": None}
                           for n in range(0, PEOPLE, 20)],
    }
    for org in ORGANIZATIONS:
        for name, rows in owned(chance, org).items():
            tables.setdefault(name, []).extend(rows)
    # Imports of one organization's members: others may not see them. The first of each leads from a member of all
    # three organizations to a person nobody else knows.
    planted = []
    for place, org in enumerate(ORGANIZATIONS):
        for k, other in enumerate(ORGANIZATIONS):
            start = f"person_{2_000 * k + 50}"
            planted.append({"from": start, "to": f"person_{19_900 + place}", "warmness": 99, "visibleTo": org})
    reached = {edge["to"] for edge in planted}
    tables["connections"] = [edge for edge in tables["connections"]
                             if edge["to"] not in reached and edge["from"] not in reached] + planted
    chance.shuffle(tables["connections"])
    tables["evidence"] = list(evidence(chance, tables["connections"]))
    work = Path(work)
    write_lake(work / "lake", tables)
    (work / "planted.json").write_text(json.dumps(planted))
    for org in ORGANIZATIONS:
        mine = {
            name: [row for row in rows if row.get("org", org) == org and row.get("visibleTo") in (None, org)]
            for name, rows in tables.items()
        }
        mine["organizations"] = [row for row in tables["organizations"] if row["id"] == org]
        write_tables(work / "whole" / org, mine)
        write_tables(work / "expected" / org, within_reach(mine))


main(sys.argv[1])
