"""T6: how long the same question takes, and how much memory, from 10,000 to 10,000,000 edges. Figures of the machine, not the same twice."""

import json
import random
import subprocess
import time
from pathlib import Path

from tasks.peer import Peer, PeerError, Unsupported, called
from tasks.stats import SEED

SIZES = {10_000: 1_000, 100_000: 8_000, 1_000_000: 60_000, 10_000_000: 500_000}
LOAD_SECONDS, ASK_SECONDS = 240, 30
QUESTIONS, WARM = 200, 20
# All paths, as systems without bounds look at.
OFF = {"edges_per_target": 1_000_000, "edges_per_connector": 1_000_000}


def generated(program: str, folder: Path, edges: int) -> Path:
    """The tables of a made-up network with so many edges; made once."""
    tables = folder / f"generated-{edges}"
    if not (tables / "organization.json").exists():
        subprocess.run([program, "generate", tables, "--people", str(SIZES[edges]), "--edges", str(edges), "--seed", "7", "--force", "--quiet"],
                       check=True, stdout=subprocess.DEVNULL, timeout=300)
    return tables


def targets(tables: Path, edges: int) -> list[str]:
    """Half drawn from all people, half in proportion to how many know them."""
    dice = random.Random(f"{SEED} {edges}")
    with open(tables / "people.ndjson", encoding="utf-8") as lines:
        people = [json.loads(line)["id"] for line in lines]
    wanted = sorted(dice.sample(range(edges * 9 // 10), QUESTIONS // 2), reverse=True)
    known = []
    with open(tables / "connections.ndjson", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            if wanted and number == wanted[-1]:
                known.append(json.loads(line)["to"])
                wanted.pop()
    mixed = dice.sample(people, QUESTIONS // 2) + known
    dice.shuffle(mixed)
    return mixed


def trial(name: str, environment: dict[str, str], tables: Path, asked: list[str], bounds: dict[str, int]) -> dict:
    """The figures of one system on one network, or why there are none."""
    with Peer(name, environment) as peer:
        try:
            start = time.monotonic()
            peer.ask({"op": "load", "tables": str(tables), "bounds": bounds}, LOAD_SECONDS)
            load, took = time.monotonic() - start, []
            for target in asked[:WARM] + asked:
                start = time.monotonic()
                peer.ask({"op": "paths", "target": target, "limit": 20}, ASK_SECONDS)
                took.append(1000 * (time.monotonic() - start))
                if sum(took) > 1000 * ASK_SECONDS and len(took) < len(asked):
                    return {"load": load, "missing": f"{len(took)} questions took {sum(took) / 1000:.0f} s, not finished"}
            took = sorted(took[WARM:])
            return {"load": load, "p50": took[len(took) // 2], "p99": took[int(0.99 * len(took))], "memory": peer.memory()}
        except Unsupported:
            return {"missing": "–"}
        except PeerError as error:
            return {"missing": f"not finished: {error}"}


def measure(names: list[str], environment: dict[str, str], folder: Path, sizes: list[int], note) -> list[dict]:
    """A row for each size and system; one that did not finish is not asked at larger sizes."""
    rows, ended = [], {}
    variants = [(called(name), name, {}) for name in names]
    if "kith" in names:
        variants.insert(1 + names.index("kith"), ("kith, bounds off", "kith", OFF))
    for edges in sizes:
        tables = generated(environment["KITH_PROGRAM"], folder, edges)
        asked = targets(tables, edges)
        for system, name, bounds in variants:
            row = {"missing": f"not finished at {ended[system]:,} edges"} if system in ended else trial(name, environment, tables, asked, bounds)
            if "missing" in row and system not in ended:
                ended[system] = edges
                note(f"T6, {edges:,} edges: {system}: {row['missing']}")
            rows.append({"edges": edges, "system": system, **row})
    return rows
