"""How much of the people two steps away the second-degree window holds, by the rule of 1.0 and by the one of now.

    python docs/studies/window.py TABLES…        folders of source tables (NDJSON, perhaps with .gz)

Prints for each network and rule: the share of the people at two steps that a member's window holds, median and tenth
percentile of the members who have any, and the edges read for it, median and most."""
import gzip, json, os, statistics, sys

BRIDGES, EACH, READ = 200, 100, 1000


def rows(folder, table):
    for name, opened in ((f"{table}.ndjson", open), (f"{table}.ndjson.gz", gzip.open)):
        path = os.path.join(folder, name)
        if os.path.exists(path):
            with opened(path, "rt", encoding="utf-8") as lines:
                yield from (json.loads(line) for line in lines if line.strip())


def network(folder):
    """Outgoing edges by person, warmest first, and the members' people."""
    members = {row["userId"]: row["personId"] for row in rows(folder, "members")}
    best = {}
    for row in rows(folder, "connections"):
        key, score = (row["from"], row["to"]), row.get("warmness")
        if key[0] != key[1] and (key not in best or (score is not None and (best[key] or -1) < score)):
            best[key] = score
    for row in rows(folder, "advocates"):
        if row["status"] == "accepted":
            best.setdefault((members[row["userId"]], row["personId"]), None)
    edges = {}
    for (one, other), score in best.items():
        edges.setdefault(one, []).append((-1 if score is None else score, other))
    return {one: [it[1] for it in sorted(out, key=lambda it: (-it[0], it[1]))] for one, out in edges.items()}, members.values()


def window(edges, own, is_new):
    contacts = edges.get(own, [])
    known, listed, read, listing = {own, *contacts}, set(), 0, 0
    each = max(EACH, BRIDGES * EACH // len(contacts)) if is_new and contacts else EACH
    for place, contact in enumerate(contacts):
        if listing == BRIDGES if is_new else place == BRIDGES:
            break
        if is_new and read >= BRIDGES * READ:
            break
        out = edges.get(contact, [])[:READ]
        behind = [person for person in out if person not in known]
        read += len(out)
        listing += bool(behind)
        listed.update(behind[:each])
    return listed, read


def main():
    for folder in sys.argv[1:]:
        edges, members = network(folder)
        for name, is_new in (("1.0", False), ("now", True)):
            shares, reads = [], []
            for own in members:
                known = {own, *edges.get(own, [])}
                two = {person for contact in edges.get(own, []) for person in edges.get(contact, [])} - known
                listed, read = window(edges, own, is_new)
                reads.append(read)
                if two:
                    shares.append(len(listed) / len(two))
            shares.sort()
            tenth = shares[len(shares) // 10]
            print(f"{os.path.basename(folder.rstrip('/')):14} {name}: {len(shares)} members with somebody behind their contacts; share "
                  f"median {statistics.median(shares):.2f}, tenth {tenth:.2f}; edges read median {statistics.median(reads):.0f}, most {max(reads)}")


main()
