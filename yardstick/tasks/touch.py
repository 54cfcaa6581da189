"""T3, which strangers come in touch, and T4, which introduction takes: ways of ranking targets and introductions, kith's among them.

The ways that need no system are computed here from the same ties: `w` and `v` are the strengths of the two legs over a
connector, `degree` the number of people whom the connector has a tie with.
"""

from datetime import datetime, timezone
from pathlib import Path

from tasks import tables
from tasks.data import DAY, Archive
from tasks.mailbox import added
from tasks.peer import Peer, PeerError, Unsupported
from tasks.stats import Figure, Pooled, Ratio, area
from tasks.ties import Ties

TOUCH, TAKES = 180 * DAY, 30 * DAY
PRODUCT, REACH = "product of the legs", "sum over connectors / degree"
Network = dict[int, dict[int, int]]

BEST = {
    PRODUCT: lambda legs: max((w * v for w, v, _ in legs), default=0),
    "weaker leg": lambda legs: max((min(w, v) for w, v, _ in legs), default=0),
    "number of connectors": len,
    "sum over connectors": lambda legs: sum(w * v for w, v, _ in legs),
    REACH: lambda legs: sum(w * v / degree for w, v, degree in legs),
}


def legs(network: Network, one: int, other: int) -> list[tuple[int, int, int]]:
    """The two legs over each connector, and its degree."""
    return [(w, network[via][other], len(network[via])) for via, w in network.get(one, {}).items() if other in network.get(via, {})]


def loaded(peers: list[Peer], network: Network, folder: Path, note, where: str) -> list[Peer]:
    """Loads a network into each system and returns those that have it."""
    tables.write(folder, tables.of_ties(network))
    ready = []
    for peer in peers:
        try:
            peer.ask({"op": "load", "tables": str(folder)})
            ready.append(peer)
        except Unsupported:
            pass
        except PeerError as error:
            note(f"{where}: {error}")
    return ready


def scores_of(peer: Peer, start: int, targets: list[int], note, where: str, **more: str) -> dict[int, float] | None:
    request = {"op": "rank", "from": f"user_p{start}", "targets": [f"person_p{one}" for one in targets], **more}
    try:
        return {int(one.rpartition("_p")[2]): score for one, score in peer.ask(request)["scores"].items()}
    except Unsupported:
        return None
    except PeerError as error:
        note(f"{where}: {error}")
        return None


def in_touch(source: Archive, peers: list[Peer], work: Path, owners_max: int, note) -> list[Figure]:
    """T3: of the strangers two steps from an owner, who comes in touch within 180 days."""
    ties, last = Ties(source.mails), source.mails[-1][0]
    parts: dict[str, dict] = {}
    yes_count = pairs = 0
    for days in source.touch_cuts:
        cut = source.second(days)
        end, network = min(cut + TOUCH, last), ties.network(cut)
        ready = loaded(peers, network, work / f"touch{days}", note, f"T3, {source.name}")
        done = 0
        for owner in sorted(network):
            behind = {far for near in network[owner] for far in network.get(near, {})} - {owner}
            targets = sorted(far for far in behind if ties.strangers(owner, far, cut))
            truth = {far: ties.within(owner, far, cut, end) and ties.within(far, owner, cut, end) for far in targets}
            if not any(truth.values()) or all(truth.values()) or done == owners_max:
                continue
            done, yes_count, pairs = done + 1, yes_count + sum(truth.values()), pairs + len(truth)
            over = {far: legs(network, owner, far) for far in targets}
            ranked = {name: {far: rule(over[far]) for far in targets} for name, rule in BEST.items()}
            for peer in ready:
                scores = scores_of(peer, owner, targets, note, f"T3, {source.name}")
                if scores is not None:
                    ranked[peer.name] = scores
            for name, scores in ranked.items():
                added(parts.setdefault(name, {}), owner, area([(scores.get(far, 0), yes) for far, yes in truth.items()]))
    of_what = f"{len(parts.get(PRODUCT, {}))} owners, {pairs:,} pairs, {yes_count:,} in touch"
    return [Figure("T3", source.name, "who comes in touch", of_what, {of: Ratio(own) for of, own in parts.items()}, frozenset(BEST))]


def introductions(source: Archive, ties: Ties) -> dict[int, list[tuple[int, int, int, int, bool]]]:
    """By the month's first second: `(introducer, one, other, recipients, took)` of the first mail that has two strangers among 2 to 4 recipients."""
    small = Ties([mail for mail in source.mails if len(mail[2]) <= 4])
    first, last = source.mails[0][0], source.mails[-1][0]
    start, end = first + min(180 * DAY, (last - first) // 3), last - 60 * DAY
    months: dict[int, list] = {}
    seen = set()
    for at, introducer, to in source.mails:
        if 2 <= len(to) <= 4 and start <= at <= end:
            date = datetime.fromtimestamp(at, timezone.utc)
            month = int(datetime(date.year, date.month, 1, tzinfo=timezone.utc).timestamp())
            for place, one in enumerate(to):
                for other in to[place + 1:]:
                    if (one, other) not in seen and ties.strangers(one, other, at):
                        took = small.within(one, other, at + 1, at + TAKES) or small.within(other, one, at + 1, at + TAKES)
                        months.setdefault(month, []).append((introducer, one, other, len(to), took))
                    seen.add((one, other))
    return months


def takes(source: Archive, peers: list[Peer], work: Path, note) -> list[Figure]:
    """T4: of two strangers whom a third person brings together in a mail, does one write to the other within 30 days?"""
    ties = Ties(source.mails)
    months = introductions(source, ties)
    rows: dict[str, list[tuple[str, float, bool]]] = {}
    for month, events in sorted(months.items()):
        network = ties.network(month)
        ready = loaded(peers, network, work / f"takes{month}", note, f"T4, {source.name}")
        for introducer, one, other, many, took in events:
            over = legs(network, one, other)
            via = [(network[one][introducer], network[introducer][other], len(network[introducer]))] \
                if introducer in network.get(one, {}) and other in network.get(introducer, {}) else []
            scores = {name: rule(via if name in (PRODUCT, "weaker leg") else over) for name, rule in BEST.items()}
            scores["product / degree of the introducer"] = sum(w * v / degree for w, v, degree in via)
            scores["fewer recipients (known only afterwards)"] = -many
            for peer in ready:
                if one in network and other in network:
                    answer = scores_of(peer, one, [other], note, f"T4, {source.name}", through=f"person_p{introducer}")
                    if answer is None:
                        continue
                    scores[peer.name] = answer.get(other, 0)
                else:
                    scores[peer.name] = 0
            for name, score in scores.items():
                rows.setdefault(name, []).append((f"p{introducer}", score, took))
    everything = rows.get(PRODUCT, [])
    of_what = f"{len({row[0] for row in everything})} introducers, {len(everything):,} introductions, {sum(row[2] for row in everything)} took"
    complete = {name: Pooled(own) for name, own in rows.items() if len(own) == len(everything)}
    rules = frozenset(BEST) | {"product / degree of the introducer", "fewer recipients (known only afterwards)"}
    return [Figure("T4", source.name, "which introduction takes", of_what, complete, rules)]
