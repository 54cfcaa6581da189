#!/usr/bin/env python3
"""What a network, and what many small ones take: the tables of docs/measured/scale.md.

    python3 docs/figures/scale.py one --kith target/release/kith --work /tmp/scale 10000 100000 1000000 10000000
    python3 docs/figures/scale.py many --kith target/release/kith --work /tmp/scale 1 10 100 1000 10000

`one` makes a network with so many edges and a twentieth as many people; `many` makes so many organizations of 250 people and
3,750 edges. Both print a line of the table for each. CPU is that of the whole process, memory what is resident; a server's are
taken 8 seconds after it was ready, when what only the load needed is given back. Linux, Python 3.11, nothing besides.
"""

import argparse
import os
import pathlib
import re
import resource
import shutil
import subprocess
import time
import urllib.request

TICKS = os.sysconf("SC_CLK_TCK")
MEGABYTE = 1_000_000


def run(*command):
    """Runs a command to its end; returns its CPU seconds and its peak of memory in bytes."""
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{command} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def make(kith, organization, people, edges, snapshot):
    """Makes a snapshot; returns what `kith build` took."""
    tables = snapshot.with_suffix(".tables")
    run(kith, "generate", tables, "--people", people, "--edges", edges, "--org", organization)
    built = run(kith, "build", tables, "--out", snapshot)
    shutil.rmtree(tables)
    return built


def serve(kith, folder, work):
    """Serves the folder; returns CPU and wall seconds until it is ready, resident bytes, and those of the indexes."""
    log = work / "serve.log"
    credentials = work / "credentials.db"
    addresses = ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"]
    with open(log, "w", encoding="utf-8") as errors:
        began = time.monotonic()
        server = subprocess.Popen(
            [kith, "serve", "--snapshots", folder, "--credentials", credentials, *addresses],
            stdout=subprocess.DEVNULL, stderr=errors,
        )
    try:
        while not (admin := re.search(r"admin on (http://\S+)", log.read_text(encoding="utf-8"))):
            if server.poll() is not None:
                raise SystemExit(log.read_text(encoding="utf-8"))
            time.sleep(0.02)
        wall = time.monotonic() - began
        fields = pathlib.Path(f"/proc/{server.pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
        cpu = (int(fields[11]) + int(fields[12])) / TICKS
        time.sleep(8)
        status = pathlib.Path(f"/proc/{server.pid}/status").read_text(encoding="utf-8")
        resident, peak = (int(re.search(rf"{name}:\s*(\d+)", status)[1]) * 1024 for name in ("VmRSS", "VmHWM"))
        metrics = urllib.request.urlopen(f"{admin[1]}/metrics").read().decode()
        index = sum(float(value) for value in re.findall(r"^kith_network_index_bytes\S* (\S+)$", metrics, re.M))
    finally:
        server.terminate()
        server.wait()
    return cpu, wall, resident, peak, index


def size(*paths):
    return sum(path.stat().st_size for path in paths)


def one(kith, work, counts):
    for edges in counts:
        folder = work / f"one-{edges}"
        folder.mkdir(parents=True, exist_ok=True)
        snapshot = folder / "it.kith"
        people = max(12, edges // 20)
        build_cpu, build_peak = make(kith, "org_one", people, edges, snapshot)
        cpu, wall, resident, peak, index = serve(kith, folder, work)
        store = folder / "it.kith.sqlite"
        megabytes = [f"{bytes_ / MEGABYTE:,.1f} MB" for bytes_ in (size(snapshot), size(store), index)]
        print(
            f"| {edges:,} | {people:,} | {' | '.join(megabytes)} | {build_cpu:.2f} CPU s | {build_peak / MEGABYTE:,.0f} MB "
            f"| {resident / MEGABYTE:,.0f} MB, at most {peak / MEGABYTE:,.0f} | {cpu:.1f} CPU s, {wall:.1f} s |",
            flush=True,
        )
        shutil.rmtree(folder)


def many(kith, work, counts):
    folder = work / "many"
    folder.mkdir(parents=True, exist_ok=True)
    # A server keeps the store of each organization open.
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    made = 0
    for count in sorted(counts):
        while made < count:
            make(kith, f"org_{made:05}", 250, 3_750, folder / f"{made:05}.kith")
            made += 1
        cpu, wall, resident, peak, index = serve(kith, folder, work)
        snapshots = size(*folder.glob("*.kith"))
        print(
            f"| {count:,} | {snapshots / MEGABYTE:,.1f} MB | {index / MEGABYTE:,.1f} MB "
            f"| {resident / MEGABYTE:,.0f} MB, at most {peak / MEGABYTE:,.0f} | {cpu:.1f} CPU s, {wall:.1f} s |",
            flush=True,
        )
    shutil.rmtree(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["one", "many"])
    parser.add_argument("--kith", type=pathlib.Path, default=pathlib.Path("target/release/kith"))
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("counts", type=int, nargs="+")
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    {"one": one, "many": many}[given.what](given.kith.resolve(), given.work, given.counts)


if __name__ == "__main__":
    main()
