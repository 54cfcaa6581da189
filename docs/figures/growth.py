#!/usr/bin/env python3
"""How long questions take as a network grows: measures, and draws what was measured.

    python3 docs/figures/growth.py measure --kith target/release/kith --work /tmp/growth 10000 100000 1000000 10000000
    python3 docs/figures/growth.py draw

`measure` generates a network for each number of edges, a twentieth as many people, asks it with `kith bench`, and
writes docs/figures/growth.csv; `draw` makes docs/figures/growth.svg of that file. Python 3.11, nothing besides.
"""

import argparse
import csv
import json
import math
import pathlib
import shutil
import subprocess

HERE = pathlib.Path(__file__).parent
TITLES = {
    "person": ("one person", "#6b7280"),
    "pathsToPerson": ("paths to a person", "#1d4ed8"),
    "pathsToWellKnownPerson": ("paths, well known", "#0891b2"),
    "pathsToCompany": ("paths to a company", "#b45309"),
    "secondDegreeFirst": ("second degree", "#15803d"),
    "secondDegreeAgain": ("second degree, again", "#65a30d"),
    "searchPeople": ("people by a part", "#7e22ce"),
    "searchCompanies": ("companies by a part", "#be185d"),
    "searchNetwork": ("plain words", "#dc2626"),
}


def measure(kith, work, sizes, seconds):
    work.mkdir(parents=True, exist_ok=True)
    with open(HERE / "growth.csv", "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["edges", "people", "question", "p50", "p99", "perSecondAllThreads", "capped"])
        for edges in sizes:
            tables, snapshot = work / f"tables-{edges}", work / f"{edges}.kith"
            people = str(max(12, edges // 20))
            quiet = {"check": True, "stdout": subprocess.DEVNULL}
            if not snapshot.exists():
                subprocess.run([kith, "generate", "--people", people, "--edges", str(edges), tables], **quiet)
                subprocess.run([kith, "build", tables, "--out", snapshot], **quiet)
                shutil.rmtree(tables)
            ended = subprocess.run(
                [kith, "bench", snapshot, "--seconds", str(seconds), "--json"], check=True, stdout=subprocess.PIPE
            )
            said = json.loads(ended.stdout)
            for row in said["questions"]:
                one, all_ = row["oneThread"], row["allThreads"]
                capped = "" if row["capped"] is None else row["capped"]
                figures = [one["p50Microseconds"], one["p99Microseconds"], all_["perSecond"], capped]
                out.writerow([said["connections"], said["people"], row["question"], *figures])
            file.flush()
            print(f"{edges:,} edges measured", flush=True)


def draw():
    with open(HERE / "growth.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    lines = {}
    for row in rows:
        if row["question"] in TITLES and row["p50"]:
            lines.setdefault(row["question"], []).append((int(row["edges"]), float(row["p50"]), float(row["p99"])))
    edges = [point[0] for line in lines.values() for point in line]
    times = [time for line in lines.values() for point in line for time in point[1:]]
    low, high = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))
    left, right = math.log10(min(edges)), math.log10(max(edges))
    wide, tall, margin = 520, 400, 70
    x = lambda value: margin + (math.log10(value) - left) / max(right - left, 1e-9) * wide
    y = lambda value: 40 + (high - math.log10(value)) / (high - low) * tall
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {margin + wide + 190} {tall + 100}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{margin + wide + 190}" height="{tall + 100}" fill="#ffffff"/>',
        '<text x="16" y="22" fill="#111827">microseconds for one answer: median, dashed the 99th percentile</text>',
    ]
    for power in range(low, high + 1):
        at = y(10**power)
        parts.append(f'<line x1="{margin}" y1="{at:.1f}" x2="{margin + wide}" y2="{at:.1f}" stroke="#e5e7eb"/>')
        parts.append(f'<text x="{margin - 8}" y="{at + 4:.1f}" text-anchor="end" fill="#374151">{10.0**power:,g}</text>')
    for value in sorted(set(edges)):
        at = x(value)
        parts.append(f'<line x1="{at:.1f}" y1="40" x2="{at:.1f}" y2="{40 + tall}" stroke="#e5e7eb"/>')
        parts.append(f'<text x="{at:.1f}" y="{tall + 60}" text-anchor="middle" fill="#374151">{value:,}</text>')
    parts.append(f'<text x="{margin + wide / 2}" y="{tall + 84}" text-anchor="middle" fill="#111827">edges</text>')
    # Labels at the ends of the lines, far enough apart to be read.
    labels, last = sorted((y(line[-1][1]), name) for name, line in lines.items()), -99.0
    for at, name in labels:
        title, colour = TITLES[name]
        for place, dash in ((1, ""), (2, ' stroke-dasharray="3 4" opacity="0.6"')):
            points = " ".join(f"{x(point[0]):.1f},{y(point[place]):.1f}" for point in lines[name])
            parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
        last = max(at, last + 15)
        parts.append(f'<text x="{margin + wide + 10}" y="{last + 4:.1f}" fill="{colour}">{title}</text>')
    (HERE / "growth.svg").write_text("\n".join([*parts, "</svg>", ""]), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("measure")
    run.add_argument("--kith", default="target/release/kith")
    run.add_argument("--work", type=pathlib.Path, required=True)
    run.add_argument("--seconds", type=int, default=20)
    run.add_argument("sizes", type=int, nargs="+")
    commands.add_parser("draw")
    asked = parser.parse_args()
    if asked.command == "measure":
        measure(asked.kith, asked.work, asked.sizes, asked.seconds)
    draw()


if __name__ == "__main__":
    main()
