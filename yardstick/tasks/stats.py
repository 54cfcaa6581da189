"""Figures with their intervals: each is a ratio of sums over owners, or an area under one curve of all of them.

An interval is the percentile bootstrap over owners: 1,000 resamples, the same ones for every system, so that the
difference of two systems has an interval too.
"""

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

RESAMPLES = 1000
SEED = 20260630


def area(rows: Iterable[tuple[float, bool]]) -> float | None:
    """How often a row with a yes is above one with a no, ties at half; None if there is only one kind."""
    ones, zeros, half = concordance(rows)
    return half / (ones * zeros) if ones and zeros else None


def concordance(rows: Iterable[tuple[float, bool]], weights: Sequence[int] | None = None) -> tuple[float, float, float]:
    """The weight of the yes, of the no, and of the pairs in the right order. With weights the rows are sorted already."""
    if weights is None:
        rows = sorted(rows)
        weights = [1] * len(rows)
    ones = zeros = right = at_ones = at_zeros = 0.0
    last = None
    for (score, yes), weight in zip(rows, weights):
        if score != last:
            right += at_ones * (zeros + at_zeros / 2)
            ones, zeros, at_ones, at_zeros, last = ones + at_ones, zeros + at_zeros, 0.0, 0.0, score
        if yes:
            at_ones += weight
        else:
            at_zeros += weight
    right += at_ones * (zeros + at_zeros / 2)
    return ones + at_ones, zeros + at_zeros, right


def gain(answer: Sequence[str], full: set[str], half: set[str], depth: int = 10) -> float:
    """nDCG of the first places: who is meant counts 1, who is meant half a third (grades 2 and 1)."""
    worth = [1.0 if it in full else 1 / 3 if it in half else 0.0 for it in answer[:depth]]
    best = ([1.0] * len(full) + [1 / 3] * len(half - full))[:depth]
    total = lambda grades: sum(grade / math.log2(place + 2) for place, grade in enumerate(grades))
    return total(worth) / total(best) if best else 0.0


@dataclass
class Ratio:
    """Sums over owners: `parts[owner]` is a numerator and a denominator."""

    parts: dict[str, tuple[float, float]]

    def owners(self) -> list[str]:
        return sorted(self.parts)

    def of(self, weights: dict[str, int]) -> float | None:
        above = below = 0.0
        for owner, weight in weights.items():
            part = self.parts.get(owner)
            if part:
                above += weight * part[0]
                below += weight * part[1]
        return above / below if below else None


@dataclass
class Pooled:
    """One area over the rows of all owners: `(owner, score, yes)`."""

    rows: list[tuple[str, float, bool]]

    def __post_init__(self) -> None:
        self.rows = sorted(self.rows, key=lambda row: (row[1], row[2], row[0]))
        self.bare = [(score, yes) for _, score, yes in self.rows]

    def owners(self) -> list[str]:
        return sorted({owner for owner, _, _ in self.rows})

    def of(self, weights: dict[str, int]) -> float | None:
        ones, zeros, right = concordance(self.bare, [weights.get(owner, 0) for owner, _, _ in self.rows])
        return right / (ones * zeros) if ones and zeros else None


@dataclass
class Figure:
    """One figure of one task on one data set: a statistic for each system that answered."""

    task: str
    data: str
    name: str
    of_what: str
    systems: dict[str, Ratio | Pooled]
    baselines: frozenset[str] = frozenset()
    samples: dict[str, list[float]] = field(default_factory=dict)

    def measure(self) -> None:
        owners = sorted({owner for stat in self.systems.values() for owner in stat.owners()})
        for name, weights in drawn(owners):
            for system, stat in self.systems.items():
                value = stat.of(weights)
                self.samples.setdefault(system, []).append(float("nan") if value is None else value)

    def row(self, system: str) -> dict:
        """The value and its interval."""
        values = self.samples[system]
        return {"task": self.task, "data": self.data, "figure": self.name, "system": system, "of": self.of_what,
                "value": rounded(values[0]), **interval(values[1:])}

    def less(self, one: str, other: str) -> dict:
        """The paired difference of two systems."""
        parts = [a - b for a, b in zip(self.samples[one], self.samples[other])]
        return {"value": rounded(parts[0]), **interval(parts[1:])}


def drawn(owners: list[str]) -> Iterable[tuple[int, dict[str, int]]]:
    """First everybody once, then the resamples."""
    yield 0, {owner: 1 for owner in owners}
    dice = random.Random(SEED)
    for number in range(RESAMPLES):
        weights: dict[str, int] = {}
        for owner in dice.choices(owners, k=len(owners)):
            weights[owner] = weights.get(owner, 0) + 1
        yield number + 1, weights


def interval(values: list[float]) -> dict:
    """The middle 95 % of some values."""
    ordered = sorted(value for value in values if value == value)
    if len(ordered) < RESAMPLES * 0.9:
        return {"low": None, "high": None}
    at = lambda share: rounded(ordered[min(len(ordered) - 1, int(share * len(ordered)))])
    return {"low": at(0.025), "high": at(0.975)}


def rounded(value: float) -> float | None:
    return None if value != value else round(value, 4)
