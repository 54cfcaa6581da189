"""The questions in SQL, for SQLite and PostgreSQL alike: `?` is a parameter."""

TABLES = {
    # Incoming edges without those of members: r is the place, warmest first.
    "inc": "(target INTEGER, r INTEGER, source INTEGER, w INTEGER, PRIMARY KEY (target, r))",
    # Edges from members.
    "mem": "(target INTEGER, member INTEGER, w INTEGER, PRIMARY KEY (target, member))",
    "helps": "(advocate INTEGER, member INTEGER, PRIMARY KEY (advocate, member))",
    "outgo": "(source INTEGER, r INTEGER, target INTEGER, cold INTEGER, PRIMARY KEY (source, r))",
    # Whom members know.
    "contact": "(source INTEGER, target INTEGER, PRIMARY KEY (source, target))",
    "employee": "(company INTEGER, r INTEGER, person INTEGER, member INTEGER, PRIMARY KEY (company, r))",
}

PERSON = """
SELECT (i.w * m.w + 50) / 100 AS warmness, i.w, m.member, i.source, count(*) OVER ()
FROM inc i JOIN mem m ON m.target = i.source
WHERE i.target = ? AND i.r < 256 AND m.member <> ?
AND NOT EXISTS (SELECT 1 FROM helps h WHERE h.advocate = i.source AND h.member = m.member)
ORDER BY warmness DESC, i.w DESC, m.member, i.source LIMIT 20"""

COMPANY = """
SELECT (i.w * m.w + 50) / 100 AS warmness, i.w, m.member, i.source, i.target, count(*) OVER ()
FROM employee e JOIN inc i ON i.target = e.person JOIN mem m ON m.target = i.source
WHERE e.company = ? AND e.r < 500 AND i.r < 256 AND m.member <> e.member
AND NOT EXISTS (SELECT 1 FROM helps h WHERE h.advocate = i.source AND h.member = m.member)
ORDER BY warmness DESC, i.w DESC, m.member, i.source, i.target LIMIT 20"""

WINDOW = """
WITH bridge AS (SELECT target AS person, r FROM outgo WHERE source = ? AND r < 200),
reached AS (
    SELECT o.target AS person, o.cold, b.r AS place, b.person AS via,
           row_number() OVER (PARTITION BY b.r ORDER BY o.r) AS nth
    FROM bridge b JOIN outgo o ON o.source = b.person AND o.r < 1000
    WHERE o.target <> ? AND NOT EXISTS (SELECT 1 FROM contact c WHERE c.source = ? AND c.target = o.target)
),
best AS (
    SELECT person, cold, via, row_number() OVER (PARTITION BY person ORDER BY cold, place) AS nth
    FROM reached WHERE nth <= 100
)
SELECT cold, person, via, count(*) OVER () FROM best WHERE nth = 1 ORDER BY cold, person LIMIT 20"""


def table_rows(network):
    """The rows of each of the tables."""
    weight = lambda cold: max(0, 100 - cold)
    yield "inc", (
        (target, r, source, weight(cold))
        for target, row in enumerate(network.scanned)
        for r, (cold, source) in enumerate(row)
    )
    yield "mem", (
        (target, member, weight(cold)) for target, row in enumerate(network.known_by) for cold, member in row
    )
    yield "helps", iter(network.helped)
    yield "outgo", (
        (source, r, target, cold)
        for source, row in enumerate(network.out)
        for r, (cold, target) in enumerate(row)
    )
    yield "contact", ((own, target) for own in network.members for _, target in network.out[own])
    yield "employee", (
        (company, r, person, network.member_of.get(person, -1))
        for company, row in enumerate(network.employees)
        for r, person in enumerate(row)
    )


def parameters(network, kind, question):
    if kind == "person":
        return question, network.member_of.get(question, -1)
    if kind == "window":
        return (network.members[question],) * 3
    return (question,)


def answer(kind, found):
    """What a statement returned, as the reference says it."""
    if kind == "substring":
        return None, [tuple(row) for row in found]
    return (found[0][-1] if found else 0), [tuple(row[:-1]) for row in found]
