-- Source tables of each organization out of a lake: what is within its reach (docs/lake.md).
--
-- One SELECT for each step, in an SQL that DuckDB, DataFusion and Spark read alike. A step reads the tables of the lake
-- and the steps before it, by name. The rows of a step "by org" are written in a folder for each organization;
-- cut.py does that, and puts the steps org_NAME together as the table NAME of each organization.

-- step seeds
-- Members and accepted advocates.
SELECT DISTINCT org, person
FROM (
    SELECT org, "personId" AS person FROM members
    UNION ALL
    SELECT org, "personId" AS person FROM advocates WHERE status = 'accepted'
) AS each_seed;

-- step near
-- The seeds, and everyone a seed has an edge to that the organization may see.
SELECT DISTINCT org, person
FROM (
    SELECT org, person FROM seeds
    UNION ALL
    SELECT s.org, e."to" AS person
    FROM connections e JOIN seeds s ON e."from" = s.person
    WHERE COALESCE(e."visibleTo", '') = '' OR e."visibleTo" = s.org
) AS each_near;

-- step org_connections by org
SELECT n.org, e."from", e."to", e.warmness, e.breakdown
FROM connections e JOIN near n ON e."from" = n.person
WHERE COALESCE(e."visibleTo", '') = '' OR e."visibleTo" = n.org;

-- step numbers
SELECT 1 + a.d + 10 * b.d + 100 * c.d AS n
FROM (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) AS a(d)
CROSS JOIN (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) AS b(d)
CROSS JOIN (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) AS c(d);

-- step named
-- People whom rows name. The ids in `paths`, which is JSON text, stand behind its keys "connectionId".
SELECT DISTINCT org, person
FROM (
    SELECT org, "personId" AS person FROM advocates
    UNION ALL
    SELECT org, "personId" AS person FROM intro_requests
    UNION ALL
    SELECT org, "prospectId" AS person FROM ghost_opportunities
    UNION ALL
    SELECT o.org, split_part(split_part(o.paths, '"connectionId"', CAST(i.n AS INT) + 1), '"', 2) AS person
    FROM ghost_opportunities o
    JOIN numbers i ON i.n <= (length(o.paths) - length(replace(o.paths, '"connectionId"', ''))) / 14
) AS each_named;

-- step reach
SELECT DISTINCT org, person
FROM (
    SELECT org, person FROM near
    UNION ALL
    SELECT org, "from" AS person FROM org_connections
    UNION ALL
    SELECT org, "to" AS person FROM org_connections
    UNION ALL
    SELECT org, person FROM named
) AS each_reached;

-- step org_people by org
SELECT
    r.org, p.id, p.name, p."linkedinId", p.email, p.position, p."currentCompanyId", p.city, p.country,
    p."connectionsCount"
FROM people p JOIN reach r ON p.id = r.person;

-- step org_person_aliases by org
SELECT r.org, a."personId", a."linkedinId", a.email
FROM person_aliases a JOIN reach r ON a."personId" = r.person;

-- step employers
SELECT DISTINCT org, company
FROM (
    SELECT org, "currentCompanyId" AS company FROM org_people
    UNION ALL
    SELECT id AS org, "companyId" AS company FROM organizations
) AS each_employer
WHERE company IS NOT NULL;

-- step org_companies by org
SELECT
    w.org, c.id, c.name, c."companyId", c.industry, c."headquartersLocation", c."minSize", c."maxSize", c."logoUrl",
    c.domain
FROM companies c JOIN employers w ON c.id = w.company;

-- step pairs
-- Edges that evidence may be about: those written, and those that an accepted advocate implies.
SELECT DISTINCT org, "from", "to"
FROM (
    SELECT org, "from", "to" FROM org_connections
    UNION ALL
    SELECT a.org, m."personId" AS "from", a."personId" AS "to"
    FROM advocates a JOIN members m ON a.org = m.org AND a."userId" = m."userId"
    WHERE a.status = 'accepted'
) AS each_pair;

-- step org_evidence by org
SELECT p.org, v."from", v."to", v.kind, v."at", v.source, v.note
FROM evidence v JOIN pairs p ON v."from" = p."from" AND v."to" = p."to"
WHERE COALESCE(v."visibleTo", '') = '' OR v."visibleTo" = p.org;

-- step org_members by org
SELECT org, "userId", "personId", role, "joinedAt", "connectionsSyncedAt" FROM members;

-- step org_advocates by org
SELECT org, "personId", "userId", status, "connectionsSyncedAt" FROM advocates;

-- step org_intro_requests by org
SELECT org, "personId", status, "requestedBy", "requestedAt" FROM intro_requests;

-- step org_ghost_opportunities by org
SELECT
    org, id, "prospectId", "overallScore", priority, "confidenceLevel", status, "discoveredAt", "searchSource",
    "icpEvaluation", "buyingIntent", "keyInsights", "discoveredBy", paths
FROM ghost_opportunities;
