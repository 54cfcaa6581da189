#!/usr/bin/env python3
"""How long callers wait while a network is reloaded, and while people are forgotten.

    python3 benches/peers/changes.py --people 1000000 --edges 20000000 --work /tmp/changes

Two organizations are served by one process: a generated one, and that of snapshots/tiny.kith beside it. Both are asked, in turn
for people by a text, for one person, and for the ways to one, at the same pace, whatever the answers take, and a time counts from when its request was due, so that what waits behind a slow answer
counts too. Each phase runs with nothing else going on, while the generated network is reloaded without a pause, and while
people of it are put on the list of those to forget.
"""

import argparse
import asyncio
import http.client
import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

from ratios import ask, started

ORGANIZATIONS = ("org_generated", "org_tiny")
# Of each organization.
CONNECTIONS = 256


class Server:
    """`kith serve` over both networks, and what it was started with."""

    def __init__(self, kith, work, snapshots):
        self.kith, self.list = kith, work / "forget.txt"
        # As the answers say.
        self.generations = {}
        self.reloads = 0
        credentials = work / "credentials.db"
        for old in (self.list, *work.glob("credentials.db*")):
            old.unlink(missing_ok=True)
        self.say("suppress", "create", "--suppressions", self.list)
        create = ("keys", "create", "--credentials", credentials, "--name", "changes", "--org")
        self.keys = {organization: self.say(*create, organization) for organization in ORGANIZATIONS}
        serve = ["serve", "--snapshots", snapshots, "--credentials", credentials, "--suppressions", self.list]
        self.log = open(work / "kith.log", "w", encoding="utf-8")
        serve += ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"]
        self.process, self.address = started([kith, *serve], r"^listening on http://(\S+)", stderr=subprocess.PIPE)
        subprocess.Popen(["cat"], stdin=self.process.stderr, stdout=self.log)
        self.requests = {organization: self.questions(organization) for organization in ORGANIZATIONS}

    def say(self, *command):
        return subprocess.run([self.kith, *command], check=True, capture_output=True, text=True).stdout.strip()

    def questions(self, organization):
        """The requests that are sent to an organization, in turn."""
        rows = json.loads(ask(self.address, "/api/v1/search/people?q=a&limit=50", self.keys[organization]))["data"]
        kinds = ("search/people?q=an&limit=5", "people/{}", "search/warm-paths?prospectId={}")
        head = f"Host: kith\r\nAuthorization: Bearer {self.keys[organization]}"
        paths = [kind.format(row["id"]) for row in rows for kind in kinds]
        return [f"GET /api/v1/{path} HTTP/1.1\r\n{head}\r\n\r\n".encode() for path in paths]

    def people(self, count):
        """Ids and handles of people who can be found, and are not the first whom everybody finds."""
        path = "/api/v1/search/people?q=er&limit=50&offset=1000"
        rows = json.loads(ask(self.address, path, self.keys["org_generated"]))["data"]
        people = [(row["id"], row["linkedinId"]) for row in rows if "linkedinId" in row]
        if len(people) < count:
            raise SystemExit(f"{len(people)} of {count} people with a handle: ask for fewer --forget or --rounds")
        return people[:count]

    def has(self, person):
        """Whether a person is shown."""
        connection = http.client.HTTPConnection(self.address)
        headers = {"authorization": f"Bearer {self.keys['org_generated']}"}
        connection.request("GET", f"/api/v1/people/{person}", headers=headers)
        return connection.getresponse().status != 404

    def resident(self, which):
        with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as status:
            return next(int(line.split()[1]) // 1024 for line in status if line.startswith(which))

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.log.close()


async def ask_once(server, organization, request, due, free, times):
    """Sends a request when it is due, over a connection that is free."""
    await asyncio.sleep(max(0, due - time.perf_counter()))
    reader, writer = await free.get()
    if writer is None:
        reader, writer = await asyncio.open_connection(*server.address.split(":"))
    writer.write(request)
    head = await reader.readuntil(b"\r\n\r\n")
    # 404 for a person who was forgotten.
    if not head.startswith((b"HTTP/1.1 200", b"HTTP/1.1 404")):
        raise SystemExit(head.decode())
    field = lambda name: int(re.search(name + rb": (\d+)", head.lower()).group(1))
    await reader.readexactly(field(b"content-length"))
    server.generations[organization] = field(b"service-generation")
    times.append(time.perf_counter() - due)
    free.put_nowait((reader, writer))


async def ask_at_pace(server, organization, times, asked):
    """Asks at a pace: one request keeps no other waiting, unless all connections are in use."""
    free = asyncio.LifoQueue()
    for _ in range(CONNECTIONS):
        free.put_nowait((None, None))
    # The client needs a moment to set all of them up.
    start, requests = time.perf_counter() + 1, itertools.cycle(server.requests[organization])
    due = (start + number / asked.rate for number in range(asked.rate * asked.seconds))
    await asyncio.gather(*(ask_once(server, organization, next(requests), at, free, times) for at in due))
    while not free.empty():
        _, writer = free.get_nowait()
        if writer is not None:
            writer.close()


async def forget(server, people, seconds):
    """Puts people on the list, one after the other, over so many seconds."""
    for _, handle in people:
        add = ("suppress", "add", "--suppressions", server.list, "--org", "org_generated", "--linkedin-id", handle)
        adding = await asyncio.create_subprocess_exec(server.kith, *map(str, add), stdout=subprocess.DEVNULL)
        if await adding.wait():
            raise SystemExit(f"{handle} was not put on the list")
        await asyncio.sleep(seconds / len(people))


def put(server, file, served):
    """Has the server read `file` as `served`."""
    link = served.with_suffix(".next")
    link.unlink(missing_ok=True)
    os.link(file, link)
    os.replace(link, served)
    server.process.send_signal(signal.SIGHUP)


async def reload(server, served, made, seconds):
    """Puts two snapshots in each other's place, the next one as soon as the last one answers."""
    until, turn = time.perf_counter() + seconds, 1
    while time.perf_counter() < until:
        before = server.generations.get("org_generated")
        put(server, made[turn % 2], served)
        while time.perf_counter() < until and server.generations.get("org_generated") == before:
            await asyncio.sleep(0.05)
        turn += 1
    server.reloads += turn - 1


async def phase(name, server, asked, beside):
    """Asks both organizations while `beside` goes on, and prints what it took."""
    times = {organization: [] for organization in ORGANIZATIONS}
    asking = (ask_at_pace(server, organization, times[organization], asked) for organization in ORGANIZATIONS)
    await asyncio.gather(*asking, beside)
    for organization, taken in times.items():
        taken.sort()
        p50, p99, most = (f"{taken[len(taken) * part // 1000] * 1e3:,.1f} ms" for part in (500, 990, 999))
        print(f"| {name} | {organization} | {len(taken):,} | {p50} | {p99} | {most} |", flush=True)


async def nothing():
    pass


def measure_without_waiting():
    """Runs this program before any other that wants the processor, if the system permits it: a client on a machine of its
    own would not wait for the server's processors either."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    except PermissionError:
        print("as an ordinary program: its own waits for a processor count too\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=20_000)
    parser.add_argument("--edges", type=int, default=200_000)
    parser.add_argument("--rate", type=int, default=800, help="requests a second of each organization")
    parser.add_argument("--seconds", type=int, default=10, help="of each phase")
    parser.add_argument("--forget", type=int, default=4, help="people in a phase")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--work", type=pathlib.Path, required=True, help="a folder for what is made; kept")
    parser.add_argument("--kith", default="target/release/kith")
    asked = parser.parse_args()
    snapshots = asked.work / "snapshots"
    snapshots.mkdir(parents=True, exist_ok=True)
    size = ("--people", str(asked.people), "--edges", str(asked.edges))
    made = [asked.work / f"{asked.people}-{asked.edges}-{seed}.kith" for seed in (1, 2)]
    for seed, file in enumerate(made, 1):
        if not file.exists():
            tables = asked.work / "tables"
            quiet = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            subprocess.run([asked.kith, "generate", "--force", *size, "--seed", str(seed), tables], **quiet)
            subprocess.run([asked.kith, "build", tables, "--out", file], **quiet)
            shutil.rmtree(tables)
    shutil.copy("snapshots/tiny.kith", snapshots / "tiny.kith")
    served = snapshots / "generated.kith"
    served.unlink(missing_ok=True)
    os.link(made[0], served)
    server = Server(asked.kith, asked.work, snapshots)
    measure_without_waiting()
    try:
        *people, stays = server.people(asked.forget * asked.rounds + 1)
        print(f"{size[1]} people, {size[3]} edges; {asked.rate} requests a second of each organization\n")
        print("| beside | organization | answers | p50 | p99 | p99.9 |\n| --- | --- | --- | --- | --- | --- |")
        for turn in range(asked.rounds):
            gone = people[turn * asked.forget :][: asked.forget]
            if not all(server.has(person) for person, _ in gone):
                raise SystemExit("a person to be forgotten is not there")
            for name, beside in (
                ("nothing", nothing()),
                ("people forgotten", forget(server, gone, asked.seconds - 2)),
                ("reloads", reload(server, served, made, asked.seconds - 2)),
            ):
                asyncio.run(phase(name, server, asked, beside))
                # What waits in line is not measured with the next phase.
                time.sleep(3)
                if name == "people forgotten" and any(server.has(person) for person, _ in gone):
                    raise SystemExit("a person on the list is shown")
            put(server, made[0], served)
            while not server.has(stays[0]):
                time.sleep(0.2)
            time.sleep(3)
        print(f"\n{server.reloads} reloads; resident at most {server.resident('VmHWM')} MB, now {server.resident('VmRSS')} MB")
    finally:
        server.close()


if __name__ == "__main__":
    main()
