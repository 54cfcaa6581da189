"""NetworkX: its graph and its link predictions, all in Python."""

from itertools import combinations

import networkx as nx

from lines import rows, serve

graph, flat, members, helped = nx.DiGraph(), None, {}, {}


def load(request: dict) -> dict:
    global graph, flat, members, helped
    if request.get("bounds"):
        return {"unsupported": "no bounds"}
    graph, flat, members, helped = nx.DiGraph(), None, {}, {}
    for row in rows(request["tables"], "connections"):
        one, other, score = row["from"], row["to"], row.get("warmness") or 0
        if one != other and (not graph.has_edge(one, other) or score > graph[one][other]["w"]):
            graph.add_edge(one, other, w=score)
    members.update((row["userId"], row["personId"]) for row in rows(request["tables"], "members"))
    for row in rows(request["tables"], "advocates"):
        if row["status"] == "accepted":
            helped.setdefault(row["personId"], []).append(row["userId"])
            if not graph.has_edge(members[row["userId"]], row["personId"]):
                graph.add_edge(members[row["userId"]], row["personId"], w=0)
    return {"ok": True}


def paths(request: dict) -> dict:
    target, found = request["target"], []
    start = {members[user]: user for user in ([request["from"]] if request.get("from") else members)}
    for one, leg in graph.pred.get(target, {}).items() if target in graph else []:
        last = leg["w"]
        if one in start:
            found.append((0, start[one], "", one, last, last))
            continue
        for user in helped.get(one, []):
            if members[user] in start and members[user] != target:
                found.append((1, user, "", one, (last * graph[members[user]][one]["w"] + 50) // 100, last))
        for other, first in graph.pred[one].items():
            if other in start and other != target and start[other] not in helped.get(one, []):
                found.append((2, start[other], "", one, (last * first["w"] + 50) // 100, last))
            if other in helped and other not in start and other != target:
                for user in helped[other]:
                    person = members[user]
                    if person in start and person != target and not graph.has_edge(person, one):
                        found.append((3, user, other, one, (last * first["w"] * graph[person][other]["w"] + 5000) // 10000, last))
    found.sort(key=lambda path: (path[0], -path[4], -path[5], path[1], path[3], path[2]))
    types = ("direct", "advocate", "second_degree", "advocate_second_degree")
    return {"total": len(found), "capped": False,
            "paths": [[types[tier], user, via or None, connector, warm] for tier, user, via, connector, warm, _ in found[:request.get("limit", 50)]]}


def rank(request: dict) -> dict:
    """The resource allocation index: the sum of 1 / degree over those who know both."""
    global flat
    flat = flat or nx.Graph(graph)
    own = members[request["from"]]
    pairs = [(own, one) for one in request["targets"] if own in flat and one in flat]
    return {"scores": {one: score for _, one, score in nx.resource_allocation_index(flat, pairs)}}


def mailbox(request: dict) -> dict:
    """A tie is as strong as its number of mails; two know each other by the Adamic-Adar index over the mails of the box."""
    owner, on = request["owner"], nx.Graph()
    strength: dict[str, int] = {}
    for number, (_, sender, to) in enumerate(request["mails"]):
        for one in to if sender == owner else [sender]:
            strength[one] = strength.get(one, 0) + 1
        on.add_edges_from((one, number) for one in sorted({sender, *to} - {owner}))
    people = sorted(node for node in on if isinstance(node, str))
    known = nx.adamic_adar_index(on, list(combinations(people, 2)))
    return {"strength": strength, "acquainted": [[a, b, score] for a, b, score in known if score > 0]}


serve({"load": load, "paths": paths, "rank": rank, "mailbox": mailbox})
