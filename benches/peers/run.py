#!/usr/bin/env python3
"""Asks kith and its peers the same questions of the same network, in one run: see README.md.

    python3 benches/peers/run.py --people 100000 --edges 2000000 --work /tmp/peers
"""

import argparse
import json
import pathlib
import platform
import statistics
import subprocess
import sys
import time

import peers
from network import Network

TITLES = {
    "person": "warm paths to a person, two legs",
    "company": "warm paths to a company, two legs",
    "window": "second-degree window",
    "substring": "substring among people",
}


def measured(peer, kind, questions, seconds):
    """The median of one answer, and the mean CPU of one: the least of three rounds over all questions or more."""
    ask = getattr(peer, "raw", peer.ask)
    times = []
    for question in questions:
        began = time.perf_counter()
        ask(kind, question)
        times.append(time.perf_counter() - began)
    many = getattr(peer, "many", None)
    cpus = []
    for _ in range(3):
        before, asked, start = peer.cpu(), 0, time.monotonic()
        # A process's CPU is counted in hundredths of a second: so many answers that this is no matter.
        while asked < len(questions) or time.monotonic() - start < seconds / 3:
            if many:
                turn = [questions[(asked + place) % len(questions)] for place in range(peers.CONNECTIONS)]
                many(kind, turn)
                asked += len(turn)
            else:
                ask(kind, questions[asked % len(questions)])
                asked += 1
        cpus.append((peer.cpu() - before) / asked)
    return {"p50": statistics.median(times) * 1e6, "cpu": min(cpus) * 1e6}


def check(peer, reference, questions):
    """How many answers of `peer` are the reference's."""
    right, asked = 0, 0
    for kind in peer.kinds:
        for question in questions[kind]:
            if hasattr(peer, "prepare"):
                peer.prepare(kind, question)
            expected, found = reference[kind, question], peer.ask(kind, question)
            asked += 1
            if found == expected:
                right += 1
            else:
                print(f"{peer.name}: {kind} {question}:\n  {found}\n  instead of\n  {expected}", file=sys.stderr)
    return right, asked


def number(value):
    return f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=2_000)
    parser.add_argument("--edges", type=int, default=30_000)
    parser.add_argument("--questions", type=int, default=50, help="of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3, help="for each kind of question and peer")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="a folder for what is made; kept")
    parser.add_argument("--kith", default="target/release/kith")
    parser.add_argument("--kith-peer", default="target/release/examples/kith_peer")
    parser.add_argument("--petgraph", default="target/release/examples/petgraph_peer")
    parser.add_argument("--peers", default="kith,process,sqlite,postgres,ladybug,petgraph")
    parser.add_argument("--json", type=pathlib.Path, help="where the figures go besides")
    asked = parser.parse_args()
    asked.work.mkdir(parents=True, exist_ok=True)
    work = asked.work.resolve()
    tables, snapshot = work / f"tables-{asked.people}-{asked.edges}", work / f"{asked.people}-{asked.edges}.kith"
    if not snapshot.exists():
        size = ["--people", str(asked.people), "--edges", str(asked.edges)]
        subprocess.run([asked.kith, "generate", *size, tables], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([asked.kith, "build", tables, "--out", snapshot], check=True, stdout=subprocess.DEVNULL)
    network = Network(tables)
    questions = network.draw(asked.seed, asked.questions)
    reference = {
        (kind, question): getattr(network, kind)(question) for kind in TITLES for question in questions[kind]
    }
    make = {
        "kith": lambda: peers.Kith(network, work, asked.kith, snapshot),
        "process": lambda: peers.KithInProcess(work, asked.kith_peer, snapshot, questions, asked.seconds),
        "sqlite": lambda: peers.Sqlite(network, work),
        "postgres": lambda: peers.Postgres(network, work),
        "ladybug": lambda: peers.Ladybug(network, work),
        "petgraph": lambda: peers.Petgraph(network, work, asked.petgraph, questions, asked.seconds),
    }
    figures, faults = {}, 0
    for name in asked.peers.split(","):
        peer = make[name]()
        try:
            right, all_asked = check(peer, reference, questions)
            print(f"{peer.name}: {right} of {all_asked} answers are the reference's", flush=True)
            faults += all_asked - right
            times = getattr(peer, "times", None)
            figures[peer.name] = {
                kind: times[kind] if times else measured(peer, kind, questions[kind], asked.seconds)
                for kind in peer.kinds
            }
        finally:
            peer.close()
    show(asked, figures)
    if asked.json:
        asked.json.write_text(json.dumps({"people": asked.people, "edges": asked.edges, "figures": figures}, indent=2))
    sys.exit(1 if faults else 0)


def show(asked, figures):
    machine = f"{platform.machine()}, Python {platform.python_version()}"
    print(f"\n{asked.people:,} people, {asked.edges:,} edges, seed {asked.seed}; {machine}")
    print("mean CPU of one answer in µs (median time of one client in µs); times the CPU of kith over HTTP, in process\n")
    names = list(figures)
    print("| question | " + " | ".join(names) + " |\n| --- |" + " --- |" * len(names))
    for kind, title in TITLES.items():
        kiths = [figures.get(peer.name, {}).get(kind, {}).get("cpu") for peer in (peers.Kith, peers.KithInProcess)]
        cells = []
        for name in names:
            said = figures[name].get(kind)
            if said is None:
                cells.append("–")
                continue
            ratios = [f"{number(said['cpu'] / cpu)}×" for cpu in kiths if cpu]
            ratio = "; " + ", ".join(ratios) if name not in (peers.Kith.name, peers.KithInProcess.name) else ""
            cells.append(f"{number(said['cpu'])} ({number(said['p50'])}){ratio}")
        print(f"| {title} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
