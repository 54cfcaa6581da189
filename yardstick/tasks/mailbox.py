"""T1, who answers, and T2, who knows whom: both from one mailbox, as its owner sees it before a cut."""

import random
from datetime import datetime, timezone

from tasks.data import DAY, Archive
from tasks.peer import Peer, PeerError, Unsupported
from tasks.stats import SEED, Figure, Ratio, area
from tasks.ties import Ties

WINDOW, ANSWER = 90 * DAY, 14 * DAY
MAILS_MIN, TIES_MIN = 20, 3


class Box:
    """The mailbox of one owner at one cut, and the truth about its ties."""

    def __init__(self, source: Archive, ties: Ties, owner: int, cut: int):
        self.owner, self.cut = owner, cut
        self.mails = [mail for mail in source.mails if mail[0] < cut and (owner == mail[1] or owner in mail[2])]
        strengths = {other: ties.strength(owner, other, cut) for other in sorted(ties.near[owner])}
        self.rule = {other: strength for other, strength in strengths.items() if strength is not None}
        end = cut + WINDOW
        self.writes = {other: ties.within(other, owner, cut, end) for other in self.rule}
        asked = {other: [at for at in ties.before(owner, other, end) if at >= cut] for other in self.rule}
        self.answers = {other: any(ties.within(other, owner, at + 1, at + ANSWER) for at in sent) for other, sent in asked.items() if sent}

    def request(self) -> dict:
        mails = [[second, f"p{sender}", [f"p{one}" for one in to]] for second, sender, to in self.mails]
        day = datetime.fromtimestamp(self.cut, timezone.utc).date().isoformat()
        return {"op": "mailbox", "owner": f"p{self.owner}", "day": day, "mails": mails}


class Known:
    """Who knows whom, by mail with at most 3 recipients that an owner is not on."""

    def __init__(self, source: Archive):
        self.on: dict[tuple[int, int], list[frozenset[int]]] = {}
        for _, sender, to in source.mails:
            if len(to) <= 3:
                for one in to:
                    self.on.setdefault((sender, one), []).append(frozenset((sender, *to)))

    def know(self, one: int, other: int, owner: int) -> bool:
        return all(any(owner not in on for on in self.on.get(pair, ())) for pair in ((one, other), (other, one)))


def boxes(source: Archive, owners_max: int) -> list[Box]:
    """At each cut a drawn part of those with 20 mails and 3 ties."""
    ties, found = Ties(source.mails), []
    for days in source.answer_cuts:
        cut = source.second(days)
        counts: dict[int, int] = {}
        for second, sender, to in source.mails:
            if second < cut:
                for one in (sender, *to):
                    counts[one] = counts.get(one, 0) + 1
        full = sorted(owner for owner, count in counts.items() if count >= MAILS_MIN)
        random.Random(f"{SEED} {source.name} {days}").shuffle(full)
        taken = 0
        for owner in full:
            box = Box(source, ties, owner, cut)
            if len(box.rule) >= TIES_MIN and taken < owners_max:
                found.append(box)
                taken += 1
    return found


def added(parts: dict, owner: int, above: float | None, below: float = 1) -> None:
    if above is not None:
        one, other = parts.get(f"p{owner}", (0.0, 0.0))
        parts[f"p{owner}"] = (one + above, other + below)


def areas(parts: dict, owner: int, scores: dict, truth: dict) -> None:
    """Adds the area of an owner's ties at one cut."""
    added(parts, owner, area([(scores.get(key, 0), yes) for key, yes in truth.items()]))


def measure(source: Archive, peers: list[Peer], owners_max: int, note) -> list[Figure]:
    """The figures of both tasks on one archive."""
    found, known = boxes(source, owners_max), Known(source)
    names = ("who answers", "who writes at all", "pairs in order", "share of named pairs that are right", "share of true pairs that are named",
             "both shares as one (F1)")
    parts: dict[str, dict[str, dict]] = {name: {} for name in names}
    pairs_of = {}
    for box in found:
        ties = sorted(box.rule)
        pairs_of[box.owner, box.cut] = {(a, b): known.know(a, b, box.owner) for at, a in enumerate(ties) for b in ties[at + 1:]}
    same = asked = 0
    for peer in peers:
        name = peer.name
        for box in found:
            try:
                answer = peer.ask(box.request())
            except Unsupported:
                break
            except PeerError as error:
                note(f"T1 and T2, {source.name}: {error}")
                break
            strength = {int(one[1:]): score for one, score in answer.get("strength", {}).items()}
            named = {tuple(sorted((int(a[1:]), int(b[1:])))): score for a, b, score in answer.get("acquainted", [])}
            if name == "kith":
                same, asked = same + sum(strength.get(one) == value for one, value in box.rule.items()), asked + len(box.rule)
            for figure, truth in ((names[0], box.answers), (names[1], box.writes)):
                areas(parts[figure].setdefault(name, {}), box.owner, strength, truth)
            truth = pairs_of[box.owner, box.cut]
            areas(parts[names[2]].setdefault(name, {}), box.owner, named, truth)
            claimed = [pair for pair in truth if named.get(pair, 0) > 0]
            right = sum(truth[pair] for pair in claimed)
            added(parts[names[3]].setdefault(name, {}), box.owner, right, len(claimed))
            added(parts[names[4]].setdefault(name, {}), box.owner, right, sum(truth.values()))
            added(parts[names[5]].setdefault(name, {}), box.owner, 2 * right, len(claimed) + sum(truth.values()))
    if asked:
        note(f"T1, {source.name}: kith's own score is the published rule's for {same} of {asked} ties")
    many = f"{len({box.owner for box in found})} owners, {len(found)} mailboxes"
    made = [Figure("T1" if name in names[:2] else "T2", source.name, name, many, {of: Ratio(of_owner) for of, of_owner in systems.items()})
            for name, systems in parts.items()]
    return [figure for figure in made if figure.systems]
