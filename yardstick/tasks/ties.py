"""Ties that mail makes, and how strong they are by the rule that docs/scoring.md publishes (its three factors of mail)."""

from bisect import bisect_left
from collections import defaultdict
from datetime import datetime, timezone
from math import floor

from tasks.data import DAY, Mail


def rest(age: int, half: int) -> float:
    """What is left at an age in days: straight lines between the half-lives, nothing from ten on."""
    lives, part = divmod(age, half)
    return 0.0 if lives >= 10 else (1 - part / half / 2) / 2**lives


def round_half_up(value: float) -> int:
    return floor(value + 0.5 + 1e-9)


class Ties:
    """Who wrote to whom when, of an archive."""

    def __init__(self, mails: list[Mail]):
        self.times: dict[tuple[int, int], list[int]] = defaultdict(list)
        self.near: dict[int, set[int]] = defaultdict(set)
        self.month = {}
        for second, sender, to in mails:
            day = second // DAY
            if day not in self.month:
                date = datetime.fromtimestamp(second, timezone.utc)
                self.month[day] = date.year * 12 + date.month
            for one in to:
                self.times[sender, one].append(second)
                self.near[sender].add(one)
                self.near[one].add(sender)

    def before(self, one: int, other: int, cut: int) -> list[int]:
        times = self.times.get((one, other), [])
        return times[:bisect_left(times, cut)]

    def within(self, one: int, other: int, low: int, high: int) -> bool:
        """Whether one wrote to the other in that time."""
        times = self.times.get((one, other), [])
        at = bisect_left(times, low)
        return at < len(times) and times[at] < high

    def strangers(self, one: int, other: int, cut: int) -> bool:
        """Whether neither had written to the other."""
        return not self.within(one, other, 0, cut) and not self.within(other, one, 0, cut)

    def strength(self, owner: int, other: int, cut: int) -> int | None:
        """How strong the owner's tie is, 0 to 50; None if they did not write, or were not answered on that day or later."""
        sent, got = self.before(owner, other, cut), self.before(other, owner, cut)
        if not sent or not got or sent[0] // DAY > got[-1] // DAY:
            return None
        days = {second // DAY for second in sent} | {second // DAY for second in got}
        age = cut // DAY - max(days)
        many, months = len(sent) + 3 * len(got), len({self.month[day] for day in days})
        fewer = min(len(sent), len(got))
        recency = 20 * rest(age, 180)
        volume = 10 * (many / (many + 10) + months / (months + 6)) * (0.25 + 0.75 * rest(age, 365))
        return round_half_up(recency) + round_half_up(volume) + round_half_up(10 * fewer / (fewer + 3))

    def network(self, cut: int) -> dict[int, dict[int, int]]:
        """Everybody's ties at a time."""
        edges: dict[int, dict[int, int]] = {}
        for owner in sorted(self.near):
            own = {other: self.strength(owner, other, cut) for other in sorted(self.near[owner])}
            edges[owner] = {other: strength for other, strength in own.items() if strength is not None}
        return edges
