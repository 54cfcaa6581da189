"""T8: which rows of exports are one person, by labelled pairs of rows (fixtures/identity) and by Febrl's records with errors."""

import csv
from collections import defaultdict
from itertools import combinations

from tasks.data import ROOT
from tasks.peer import Peer, PeerError, Unsupported
from tasks.stats import Figure, Ratio

NAMES = ("share of joined pairs that are one person", "share of one person's pairs that are joined", "both shares as one (F1)")


def pairs() -> list[tuple[list[dict], bool]]:
    """Two rows each, and whether they are one person."""
    found = []
    with open(ROOT / "fixtures/identity/pairs.csv", encoding="utf-8", newline="") as lines:
        for number, line in enumerate(csv.DictReader(lines)):
            rows = [{"id": f"{number}-{side}", "file": "a" if side == 1 or line["files"] == "one" else "b",
                     **{part: line[f"{part}_{side}"] for part in ("name", "url", "email", "company")}} for side in (1, 2)]
            found.append((rows, line["truth"] == "same"))
    return found


def records(lines: list[dict[str, str]]) -> tuple[list[dict], dict[str, str]]:
    """Febrl's records as rows of one export, and whose each is."""
    rows = [{"id": line["rec_id"], "file": "a", "name": f"{line['given_name']} {line['surname']}".strip().title(), "born": line["date_of_birth"],
             "street": f"{line['street_number']} {line['address_1']}".strip(), "city": line["suburb"], "postcode": line["postcode"]} for line in lines]
    return rows, {line["rec_id"]: line["rec_id"].split("-")[1] for line in lines}


def joined(answer: dict) -> set[tuple[str, str]]:
    return {pair for group in answer["groups"] for pair in combinations(sorted(group), 2)}


def of_pairs(peer: Peer, share: int) -> tuple[dict, dict]:
    """The owner of a labelled pair is the pair itself."""
    right, found = {}, {}
    for rows, same in pairs()[::share]:
        is_joined = bool(joined(peer.ask({"op": "identities", "rows": rows})))
        owner = rows[0]["id"]
        if is_joined:
            right[owner] = (float(same), 1.0)
        if same:
            found[owner] = (float(is_joined), 1.0)
    return right, found


def of_records(peer: Peer, lines: list[dict[str, str]]) -> tuple[dict, dict]:
    """The owner of a pair of records is the person of its first one."""
    rows, person = records(lines)
    made = joined(peer.ask({"op": "identities", "rows": rows}))
    own = defaultdict(list)
    for one, whose in sorted(person.items()):
        own[whose].append(one)
    truth = {pair for group in own.values() for pair in combinations(group, 2)}
    right, found = defaultdict(lambda: (0.0, 0.0)), {}
    for one, other in sorted(made):
        above, below = right[person[one]]
        right[person[one]] = (above + ((one, other) in truth), below + 1)
    for one, other in sorted(truth):
        above, below = found.get(person[one], (0.0, 0.0))
        found[person[one]] = (above + ((one, other) in made), below + 1)
    return dict(right), found


def both(right: dict, found: dict) -> dict:
    """The harmonic mean of the two shares: twice the right pairs over those joined and those to join."""
    none = (0.0, 0.0)
    return {owner: (2 * found.get(owner, none)[0], right.get(owner, none)[1] + found.get(owner, none)[1]) for owner in {**right, **found}}


def measure(peers: list[Peer], lines: list[dict[str, str]] | None, share: int, note) -> list[Figure]:
    made = []
    sets = {"305 labelled pairs": lambda peer: of_pairs(peer, share)}
    if lines:
        sets["Febrl 1"] = lambda peer: of_records(peer, lines)
    for data, trial in sets.items():
        parts: list[dict[str, dict]] = [{}, {}, {}]
        for peer in peers:
            try:
                right, found = trial(peer)
                for side, own in zip(parts, (right, found, both(right, found))):
                    side[peer.name] = own
            except Unsupported:
                continue
            except PeerError as error:
                note(f"T8, {data}: {error}")
        made += [Figure("T8", data, name, f"{len(set().union(*side.values()))} owners", {of: Ratio(own) for of, own in side.items()})
                 for name, side in zip(NAMES, parts) if side]
    return made
