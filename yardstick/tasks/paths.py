"""T5: are the paths right, in order and within the bounds? Small networks against an oracle, a larger one against NetworkX's answers."""

import random
from pathlib import Path

from tasks import oracle, tables
from tasks.peer import Peer, PeerError, Unsupported
from tasks.stats import SEED, Figure, Ratio

SHOWN = 50
BOUNDS = {"edges_per_target": 3, "edges_per_connector": 1}


def questions(rows: dict, dice: random.Random) -> list[dict]:
    """Each person as the target, from all members or from one."""
    users = [row["userId"] for row in rows["members"]]
    return [{"op": "paths", "target": person["id"], "from": dice.choice([None, None, *users]), "limit": SHOWN} for person in rows["people"]]


def judged(answer: dict, expected: list[list], capped: bool) -> dict[str, bool]:
    """Which of the promises an answer keeps."""
    shown, got = expected[:SHOWN], answer["paths"]
    key = lambda paths: sorted(map(str, paths))
    right = answer["total"] == len(expected) and (key(got) == key(shown) if len(expected) <= SHOWN else len(got) == SHOWN)
    return {"paths": right, "order": got == shown, "bounds": right and answer["capped"] == capped}


def measure(peers: list[Peer], work: Path, networks: int, note) -> list[Figure]:
    names = {"all paths, none too many": "paths", "in the right order": "order", "within bounds of 3 and 1": "bounds"}
    parts: dict[str, dict[str, dict]] = {name: {} for name in names}
    faults: dict[str, int] = {}
    for number in range(networks):
        dice = random.Random(f"{SEED} {number}")
        rows = tables.drawn(dice)
        folder, net, asked = tables.write(work / f"small{number}", rows), oracle.built(rows), questions(rows, dice)
        for bounds in ({}, BOUNDS):
            limits = {"per_target": bounds.get("edges_per_target", 256), "per_connector": bounds.get("edges_per_connector", 64)}
            truth = [oracle.paths(net, request["target"], request["from"], **limits) for request in asked]
            for peer in peers:
                try:
                    peer.ask({"op": "load", "tables": str(folder), "bounds": bounds})
                    kept = [judged(peer.ask(request), *expected) for request, expected in zip(asked, truth)]
                except Unsupported:
                    if bounds:
                        peer.lacks.discard("load")
                    continue
                except PeerError as error:
                    note(f"T5: {error}")
                    faults[peer.name] = faults.get(peer.name, 0) + 1
                    continue
                for name, promise in names.items():
                    if (promise == "bounds") == bool(bounds):
                        right = sum(one[promise] for one in kept)
                        parts[name].setdefault(peer.name, {})[f"n{number:03}"] = (right, len(kept))
    many = f"{networks} networks"
    return [Figure("T5", "made small", name, many, {of: Ratio(of_net) for of, of_net in systems.items()}) for name, systems in parts.items() if systems]


def third_party(source: str, network: dict[int, dict[int, int]], peers: list[Peer], folder: Path, count: int) -> list[Figure]:
    """On a measured network: does a system name the same connectors between two people as plain sets of NetworkX's graph do?"""
    rows = tables.of_ties(network)
    tables.write(folder, rows)
    dice, people = random.Random(f"{SEED} {source}"), sorted(network)
    asked = [{"op": "paths", "from": f"user_p{a}", "target": f"person_p{b}", "limit": SHOWN} for a, b in (dice.sample(people, 2) for _ in range(count))]
    answers: dict[str, list] = {}
    for peer in peers:
        try:
            peer.ask({"op": "load", "tables": str(folder)})
            answers[peer.name] = [peer.ask(request) for request in asked]
        except (Unsupported, PeerError):
            continue
    standard = answers.get("networkx")
    if not standard:
        return []
    same = {name: {request["from"]: (0.0, 0.0) for request in asked} for name in answers}
    for name, own in answers.items():
        for request, one, other in zip(asked, own, standard):
            right, of = same[name][request["from"]]
            equal = one["total"] == other["total"] and {path[3] for path in one["paths"]} == {path[3] for path in other["paths"]}
            same[name][request["from"]] = (right + equal, of + 1)
    return [Figure("T5", source, "same connectors as NetworkX", f"{count} pairs", {name: Ratio(parts) for name, parts in same.items()})]
