"""SQLite, as it is used in an afternoon: joins, counts, exact equality, and its full-text index."""

import re
import sqlite3
from collections import Counter

from lines import rows, serve

db = sqlite3.connect(":memory:")
# The four types of path, as joins. `f` are the members from whom paths may start.
# A CROSS JOIN keeps SQLite to the order that begins at the target.
PATHS = """WITH f AS MATERIALIZED (SELECT user, person FROM member WHERE :from IS NULL OR user = :from), fp AS (SELECT person FROM f),
i AS MATERIALIZED (SELECT src, IFNULL(w, 0) w FROM edge WHERE dst = :p)
SELECT 1 tier, user, NULL via, src connector, w warm, w last FROM i JOIN f ON person = src WHERE person <> :p
UNION ALL SELECT 2, f.user, NULL, i.src, (i.w * IFNULL(m.w, 0) + 50) / 100, i.w FROM i CROSS JOIN advocate a ON a.person = i.src
  CROSS JOIN f ON f.user = a.user CROSS JOIN edge m ON m.src = f.person AND m.dst = a.person WHERE i.src NOT IN fp AND f.person <> :p
UNION ALL SELECT 3, user, NULL, i.src, (i.w * IFNULL(m.w, 0) + 50) / 100, i.w FROM i CROSS JOIN edge m ON m.dst = i.src
  CROSS JOIN f ON f.person = m.src WHERE i.src NOT IN fp AND f.person <> :p
  AND NOT EXISTS (SELECT 1 FROM advocate a WHERE a.user = f.user AND a.person = i.src)
UNION ALL SELECT 4, f.user, a.person, i.src, (i.w * IFNULL(e.w, 0) * IFNULL(m.w, 0) + 5000) / 10000, i.w FROM i CROSS JOIN edge e ON e.dst = i.src
  CROSS JOIN advocate a ON a.person = e.src CROSS JOIN f ON f.user = a.user CROSS JOIN edge m ON m.src = f.person AND m.dst = a.person
  WHERE i.src NOT IN fp AND a.person NOT IN fp AND a.person <> :p AND f.person <> :p
  AND NOT EXISTS (SELECT 1 FROM edge k WHERE k.src = f.person AND k.dst = i.src)"""
TYPES = ["direct", "advocate", "second_degree", "advocate_second_degree"]


def load(request: dict) -> dict:
    global db
    folder, db = request["tables"], sqlite3.connect(":memory:")
    if request.get("bounds"):
        return {"unsupported": "no bounds"}
    db.executescript("""CREATE TABLE raw(src, dst, w); CREATE TABLE edge(src, dst, w, PRIMARY KEY (src, dst)) WITHOUT ROWID;
        CREATE TABLE member(user PRIMARY KEY, person); CREATE TABLE advocate(person, user);
        CREATE VIRTUAL TABLE words USING fts5(id UNINDEXED, name, position, company, industry, city, country, tokenize = 'unicode61')""")
    db.executemany("INSERT INTO raw VALUES (?, ?, ?)", ((row["from"], row["to"], row.get("warmness")) for row in rows(folder, "connections")))
    db.executemany("INSERT INTO member VALUES (?, ?)", ((row["userId"], row["personId"]) for row in rows(folder, "members")))
    db.executemany("INSERT INTO advocate VALUES (?, ?)",
                   ((row["personId"], row["userId"]) for row in rows(folder, "advocates") if row["status"] == "accepted"))
    db.executescript("""INSERT INTO edge SELECT src, dst, MAX(w) FROM raw WHERE src <> dst GROUP BY src, dst; DROP TABLE raw;
        INSERT OR IGNORE INTO edge SELECT m.person, a.person, NULL FROM advocate a JOIN member m USING (user);
        CREATE INDEX incoming ON edge(dst, src, w); CREATE INDEX helped ON advocate(person, user); ANALYZE""")
    companies = {row["id"]: row for row in rows(folder, "companies")}
    nobody: dict = {}
    at = lambda person: companies.get(person.get("currentCompanyId"), nobody)
    db.executemany("INSERT INTO words VALUES (?, ?, ?, ?, ?, ?, ?)",
                   ((row["id"], row["name"], row.get("position"), at(row).get("name"), at(row).get("industry"), row.get("city"), row.get("country"))
                    for row in rows(folder, "people")))
    return {"ok": True}


def paths(request: dict) -> dict:
    given = {"p": request["target"], "from": request.get("from")}
    found = db.execute(f"SELECT *, COUNT(*) OVER () FROM ({PATHS}) ORDER BY tier, warm DESC, last DESC, user, connector, via LIMIT :limit",
                       {**given, "limit": request.get("limit", 50)}).fetchall()
    return {"total": found[0][6] if found else 0, "capped": False, "paths": [[TYPES[tier - 1], *row] for tier, *row, _, _ in found]}


def rank(request: dict) -> dict:
    """The number of people who know both."""
    counts = db.execute("""SELECT e.dst, COUNT(*) FROM member m JOIN edge o ON o.src = m.person JOIN edge e ON e.src = o.dst
        WHERE m.user = ? GROUP BY e.dst""", [request["from"]])
    wanted = set(request["targets"])
    return {"scores": {one: count for one, count in counts if one in wanted}}


def find(request: dict) -> dict:
    query = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", request["query"]))
    user = request.get("as") or ""
    pool = """SELECT dst FROM edge WHERE src IN (SELECT person FROM member UNION SELECT person FROM advocate WHERE user = :user)
        EXCEPT SELECT person FROM member WHERE user = :user"""
    found = db.execute(f"SELECT id FROM words WHERE words MATCH :query AND id IN ({pool}) ORDER BY rank, id LIMIT :limit",
                       {"query": query, "user": user, "limit": request["limit"]}) if query else []
    return {"people": [one for one, in found]}


def mailbox(request: dict) -> dict:
    """A tie is as strong as its newest mail; two know each other as well as there are mails that both are on."""
    newest, both = Counter(), Counter()
    for second, sender, to in request["mails"]:
        on = sorted({sender, *to} - {request["owner"]})
        both.update((one, other) for at, one in enumerate(on) for other in on[at + 1:])
        for one in to if sender == request["owner"] else [sender]:
            newest[one] = max(newest[one], second)
    return {"strength": newest, "acquainted": [[*pair, count] for pair, count in both.items()]}


def identities(request: dict) -> dict:
    """Rows with one address or profile are one person, and those with one name and company, or name and birthday."""
    key = lambda row: [("m", row["email"].lower())] if row.get("email") else [("u", row["url"])] if row.get("url") else []
    named = lambda row: [("n", row["name"].lower(), row[part].lower()) for part in ("company", "born") if row.get(part)]
    above = {row["id"]: row["id"] for row in request["rows"]}
    first: dict[tuple, str] = {}
    root = lambda one: one if above[one] == one else root(above[one])
    for row in request["rows"]:
        for each in key(row) + named(row):
            above[root(row["id"])] = root(first.setdefault(each, row["id"]))
    groups: dict[str, list] = {}
    for one in above:
        groups.setdefault(root(one), []).append(one)
    return {"groups": list(groups.values())}


serve({"load": load, "paths": paths, "rank": rank, "find": find, "mailbox": mailbox, "identities": identities})
