#!/usr/bin/env python3
"""The CPU of kith's answers over HTTP beside that of answers of the same bytes that are ready: see README.md.

    python3 benches/peers/ratios.py --people 100000 --edges 2000000 --work /tmp/ratios
"""

import argparse
import http.client
import json
import pathlib
import random
import re
import subprocess
import time
import urllib.parse

import peers
from network import rows

# Kith keeps answers and gives them again. An ignored parameter with another value each time makes it compute each one.
REQUESTS = """
local paths, turn, asked, is_new = {}, 0, 0, %s
for line in io.lines("%s") do paths[#paths + 1] = line end
wrk.headers["authorization"] = "Bearer %s"
function request()
  turn, asked = turn %% #paths + 1, asked + 1
  local path = paths[turn]
  if is_new then path = path .. (path:find("?", 1, true) and "&" or "?") .. "new=%s" .. asked end
  return wrk.format("GET", path)
end
"""


WINDOW = "a member's second-degree window"


def questions(tables, count, seed=7):
    """Paths to ask for, by the title of the question; the window's with a member's token, the others' with a key."""
    dice = random.Random(seed)
    people = list(rows(tables, "people"))
    handled = [row for row in people if row.get("linkedinId")]
    edges = [(row["from"], row["to"]) for row in rows(tables, "connections")]
    ends = [end for _, end in edges]
    member = {row["personId"] for row in rows(tables, "members")}
    near = [end for start, end in edges if start in member]
    by_id = {row["id"]: row for row in handled}
    known = [by_id[end] for end in (dice.choice(ends) for _ in range(20 * count)) if end in by_id][:count]
    companies = [row["name"] for row in rows(tables, "companies")]
    at = [row["currentCompanyId"] for row in people if row.get("currentCompanyId")]
    names = {row["id"]: row["name"] for row in rows(tables, "companies")}
    syllable = re.compile("[a-z]{3}")

    def common(texts):
        seen = {}
        for text in texts:
            for piece in set(syllable.findall(text.lower())):
                seen[piece] = seen.get(piece, 0) + 1
        return sorted(seen, key=seen.get)[-count:]

    quote = urllib.parse.quote
    warm = "/api/v1/search/warm-paths?"
    return {
        "one person": [f"/api/v1/people/{dice.choice(near)}" for _ in range(count)],
        "warm paths to a person": [f"{warm}prospectLinkedinId={quote(row['linkedinId'])}" for row in known],
        "warm paths to a company": [f"{warm}prospectCompany={quote(names[dice.choice(at)])}" for _ in range(count)],
        "companies by a syllable": [f"/api/v1/search/companies?q={quote(piece)}" for piece in common(companies)],
        "people by a syllable": [
            f"/api/v1/search/people?q={quote(piece)}" for piece in common(row["name"] for row in people)
        ],
        WINDOW: ["/api/v1/connections/second-degree"],
    }


def ask(address, path, key):
    connection = http.client.HTTPConnection(address)
    connection.request("GET", path, headers={"authorization": f"Bearer {key}"})
    reply = connection.getresponse()
    body = reply.read()
    if reply.status != 200:
        raise SystemExit(f"{path}: {reply.status} {body[:300]!r}")
    return body


def loaded(pid, address, file, key, work, connections, seconds, is_new=False):
    """Microseconds of CPU of an answer, by wrk over the paths in `file`: the least of three rounds."""
    script = work / "requests.lua"
    best = []
    for turn in range(3):
        new = "true" if is_new else "false"
        script.write_text(REQUESTS % (new, file, key, f"{connections}-{turn}-"), encoding="utf-8")
        before = peers.cpu_of(pid)
        command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", str(script), f"http://{address}"]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        answers = int(re.search(r"(\d+) requests in", printed).group(1))
        if "Non-2xx" in printed or "Socket errors" in printed:
            raise SystemExit(printed)
        best.append((peers.cpu_of(pid) - before) / answers * 1e6)
    return min(best)


def started(command, pattern, **more):
    process = subprocess.Popen(command, text=True, **more)
    stream = process.stderr if more.get("stderr") else process.stdout
    for line in stream:
        found = re.search(pattern, line)
        if found:
            return process, found.group(1)
    raise SystemExit(f"{command} does not listen")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--people", type=int, default=2000)
    parser.add_argument("--edges", type=int, default=30000)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--seconds", type=int, default=4)
    parser.add_argument("--connections", default="16,64")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--only", default="", help="a part of the titles of the questions to ask")
    parser.add_argument("--target", type=pathlib.Path, default=pathlib.Path("target/release"))
    asked = parser.parse_args()
    work, kith = asked.work, str(asked.target / "kith")
    (work / "snapshots").mkdir(parents=True, exist_ok=True)
    tables, store = work / "tables", str(work / "credentials.db")
    if not (work / "snapshots" / "it.kith").exists():
        size = ["--people", str(asked.people), "--edges", str(asked.edges)]
        subprocess.run([kith, "generate", "--quiet", *size, str(tables)], check=True)
        subprocess.run([kith, "build", str(tables), "--out", str(work / "snapshots" / "it.kith")], check=True)
    create = ["create", "--credentials", store, "--org", "org_generated"]
    member = next(iter(rows(tables, "members")))["userId"]

    def credential(*command):
        return subprocess.run([kith, *command], check=True, capture_output=True, text=True).stdout.strip()

    organization_key = credential("keys", *create, "--name", "ratios")
    token = credential("tokens", *create, "--user", member)
    drawn = questions(tables, asked.questions)
    serve = [kith, "serve", "--snapshots", str(work / "snapshots"), "--credentials", store]
    serve += ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"]
    log = open(work / "log", "w", encoding="utf-8")
    server, address = started(serve, r"^listening on http://(\S+)", stderr=subprocess.PIPE)
    # The log goes on, and is read as a collector would.
    subprocess.Popen(["cat"], stdin=server.stderr, stdout=log)
    table = []
    try:
        for title, paths in drawn.items():
            if asked.only not in title:
                continue
            key = token if title == WINDOW else organization_key
            folder = work / "answers"
            folder.mkdir(exist_ok=True)
            for old in folder.iterdir():
                old.unlink()
            sizes = []
            for place, path in enumerate(paths):
                body = ask(address, path, key)
                sizes.append(len(body))
                (folder / str(place)).write_bytes(body)
            (work / "paths").write_text("\n".join(paths) + "\n", encoding="utf-8")
            (work / "places").write_text("".join(f"/{place}\n" for place in range(len(paths))), encoding="utf-8")
            command = [str(asked.target / "examples" / "static_peer"), str(folder)]
            static, at = started(command, r"^(\S+:\d+)", stdout=subprocess.PIPE)
            for connections in map(int, asked.connections.split(",")):
                asking = (server.pid, address, work / "paths", key, work, connections, asked.seconds)
                first, again = loaded(*asking, is_new=True), loaded(*asking)
                theirs = loaded(static.pid, at, work / "places", key, work, connections, asked.seconds)
                row = (title, connections, sum(sizes) // len(sizes), first, again, theirs)
                table.append(row)
                print(json.dumps(row), flush=True)
            static.kill()
            static.wait()
    finally:
        server.terminate()
        server.wait()
    print("\n| question | connections | bytes | first | again | ready | ready ÷ first, again |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for title, connections, size, first, again, ready in table:
        times = f"{first:.1f} µs | {again:.1f} µs | {ready:.1f} µs"
        print(f"| {title} | {connections} | {size:,} | {times} | {ready / first:.2f}, {ready / again:.2f} |")


if __name__ == "__main__":
    main()
