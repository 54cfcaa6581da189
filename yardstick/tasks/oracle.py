"""The paths of a small network, by nothing but the document of the API and docs/decisions.md: every way is tried, nothing is fast.

A path is `[type, user, advocate or None, connector, warmness]`.
"""

from dataclasses import dataclass

TYPES = ("direct", "advocate", "second_degree", "advocate_second_degree")


@dataclass
class Net:
    """A network: members by user, accepted advocates by user, the scores of edges (None: unscored)."""

    members: dict[str, str]
    advocates: dict[str, list[str]]
    edges: dict[tuple[str, str], int | None]

    def score(self, one: str, other: str) -> int:
        return self.edges[one, other] or 0


def built(rows: dict[str, list[dict]]) -> Net:
    """The network of source tables: an accepted advocate is known to their member, of equal edges the warmest stays."""
    members = {row["userId"]: row["personId"] for row in rows["members"]}
    advocates: dict[str, list[str]] = {user: [] for user in members}
    edges: dict[tuple[str, str], int | None] = {}
    warmth = lambda score: -1 if score is None else score
    for row in rows["connections"]:
        pair, score = (row["from"], row["to"]), row.get("warmness")
        if pair[0] != pair[1] and (pair not in edges or warmth(score) > warmth(edges[pair])):
            edges[pair] = score
    for row in rows["advocates"]:
        if row["status"] == "accepted":
            advocates[row["userId"]].append(row["personId"])
            edges.setdefault((members[row["userId"]], row["personId"]), None)
    return Net(members, advocates, edges)


def warmest_first(net: Net, sources: list[str], target: str) -> list[str]:
    """Sources of edges to a target: by score, unscored last, then by id."""
    place = lambda one: (net.edges[one, target] is None, -net.score(one, target), one)
    return sorted((one for one in sources if (one, target) in net.edges), key=place)


def scanned(net: Net, users: list[str], target: str, per_target: int, per_connector: int):
    """The edges that the bounds leave: connectors, and for each its members and advocates; and whether an edge was left out."""
    own = {net.members[user] for user in users}
    everybody = sorted({one for pair in net.edges for one in pair})
    helping = {one for user in users for one in net.advocates[user] if one not in own and one != target}
    connectors = warmest_first(net, [one for one in everybody if one not in own], target)
    capped = len(connectors) > per_target
    firsts = {}
    for connector in connectors[:per_target]:
        of_members, of_advocates = (warmest_first(net, sorted(people), connector) for people in (own, helping))
        capped = capped or len(of_members) > per_connector or len(of_advocates) > per_connector
        firsts[connector] = (set(of_members[:per_connector]), set(of_advocates[:per_connector]))
    return firsts, capped


def paths(net: Net, target: str, start: str | None = None, per_target: int = 256, per_connector: int = 64) -> tuple[list[list], bool]:
    """All paths in their order, and whether a bound was hit."""
    users = [start] if start else sorted(net.members)
    own = {net.members[user] for user in users}
    firsts, capped = scanned(net, users, target, per_target, per_connector)
    found = []

    def add(tier: int, user: str, advocate: str | None, connector: str, legs: list[tuple[str, str]]) -> None:
        scores = [net.score(*leg) for leg in legs]
        whole = 1
        for score in scores:
            whole *= score
        warmness = (scores[0], (whole + 50) // 100, (whole + 5000) // 10000)[len(legs) - 1]
        found.append(((tier, -warmness, -scores[-1], user, connector, advocate or ""), [TYPES[tier], user, advocate, connector, warmness]))

    for user in users:
        member = net.members[user]
        if member == target:
            continue
        if (member, target) in net.edges:
            add(0, user, None, member, [(member, target)])
        for advocate in net.advocates[user]:
            if advocate not in own and advocate != target and (advocate, target) in net.edges:
                add(1, user, None, advocate, [(member, advocate), (advocate, target)])
        for connector, (by_members, by_advocates) in firsts.items():
            if member in by_members and connector not in net.advocates[user]:
                add(2, user, None, connector, [(member, connector), (connector, target)])
            for advocate in net.advocates[user]:
                if advocate in by_advocates and advocate != connector and (member, connector) not in net.edges:
                    add(3, user, advocate, connector, [(member, advocate), (advocate, connector), (connector, target)])
    return [path for _, path in sorted(found, key=lambda it: it[0])], capped
