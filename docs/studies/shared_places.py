#!/usr/bin/env python3
"""How often two people know each other who were at one place at the same time, by its size and the months together.

    python3 docs/studies/shared_places.py Lazega-Law-Firm.paj

First a law firm whose 71 lawyers said whom they work with, seek advice from and see outside work (Lazega 2001, as a Pajek file); its
offices are the places. Then a planted network, in which the share is known: it falls with the size and rises with the months.
"""
import itertools
import math
import random
import sys

SIZES = [(2, 10), (11, 25), (26, 50), (51, 10**9)]
MONTHS = [(0, 11), (12, 35), (36, 95), (96, 10**9)]


def wilson(true, pairs, z=1.96):
    share = true / pairs
    middle, half = share + z * z / (2 * pairs), z * math.sqrt(share * (1 - share) / pairs + z * z / (4 * pairs * pairs))
    return (middle - half) / (1 + z * z / pairs), (middle + half) / (1 + z * z / pairs)


def law_firm(path):
    """Pairs `(size of the office, months together, whether one names the other)`."""
    sections, rows = {}, []
    for line in open(path, encoding="utf-8-sig"):
        line = line.strip()
        if line.startswith("*") and not line.lower().startswith("*vertices"):
            rows = sections.setdefault(line.lower(), [])
        elif line and not line.startswith(("%", "*")):
            rows.append(line)
    numbers = lambda name: [float(row.split()[-1]) for row in sections[name]]
    office, years = numbers("*partition office.clu"), numbers("*vector seniority.vec")
    known = set()
    for row in sections["*arcs"]:
        _, one, other = row.replace(":", " ").split()[:3]
        known.add(frozenset((int(one) - 1, int(other) - 1)))
    size = {place: office.count(place) for place in office}
    return [
        (size[office[a]], int(12 * min(years[a], years[b])), frozenset((a, b)) in known)
        for a, b in itertools.combinations(range(len(office)), 2)
        if office[a] == office[b]
    ]


def planted(seed=20260630):
    """The same of made-up places, where a pair of `size` people and `months` months is true by chance of a known share."""
    dice, pairs = random.Random(seed), []
    for _ in range(400):
        size = dice.choice([3, 6, 10, 15, 25, 40, 50, 80])
        stays = [(start := dice.randrange(120), start + dice.randrange(1, 72)) for _ in range(size)]
        for (a, b), (c, d) in itertools.combinations(stays, 2):
            months = min(b, d) - max(a, c) + 1
            if months > 0:
                share = min(1, 8 / size) * min(1, (months + 12) / 48)
                pairs.append((size, months, dice.random() < share))
    return pairs


def table(name, pairs):
    print(f"{name}: {len(pairs)} pairs")
    print("| people there | " + " | ".join(f"{low} to {high} months" if high < 10**9 else f"{low} and more" for low, high in MONTHS) + " |")
    print("| --- |" + " --- |" * len(MONTHS))
    for low, high in SIZES:
        cells = []
        for first, last in MONTHS:
            of = [true for size, months, true in pairs if low <= size <= high and first <= months <= last]
            interval = "" if len(of) < 20 else " ({:.2f} to {:.2f})".format(*wilson(sum(of), len(of)))
            cells.append(f"{sum(of) / len(of):.2f}{interval} of {len(of)}" if len(of) >= 20 else f"– of {len(of)}")
        print(f"| {low} to {high} |".replace(f"{10**9}", "more") + " " + " | ".join(cells) + " |")
    print()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        table("Lazega's law firm", law_firm(sys.argv[1]))
    table("planted", planted())
