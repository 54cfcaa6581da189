"""kith, by its program: `kith import` for files, `kith build` and the HTTP API of `kith serve` for networks. KITH_PROGRAM is its path."""

import csv
import http.client
import json
import os
import re
import shutil
import subprocess
from datetime import datetime, timezone
from pathlib import Path
from urllib.parse import urlencode

from lines import rows, serve

WORK, PROGRAM = Path(os.environ["YARDSTICK_WORK"]), os.environ.get("KITH_PROGRAM", "kith")
server, api, key, load_number = None, None, "", 0


def run(*arguments: object, codes: tuple[int, ...] = (0,)) -> str:
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode not in codes:
        raise RuntimeError(f"kith {arguments[0]}: {done.stderr.strip()[-300:]}")
    return done.stdout


def load(request: dict) -> dict:
    global server, api, key, load_number
    if server:
        api.close()
        server.terminate()
        server.wait()
    load_number += 1
    folder = WORK / f"load{load_number}"
    folder.mkdir()
    run("build", request["tables"], "--out", folder / "network.kith", "--quiet")
    organization = json.loads((Path(request["tables"]) / "organization.json").read_text())["id"]
    key = run("keys", "create", "--credentials", folder / "keys.db", "--org", organization, "--name", "yardstick").strip()
    bounds = {f"KITH_LIMITS__{name.upper()}": str(bound) for name, bound in request.get("bounds", {}).items()}
    server = subprocess.Popen([PROGRAM, "serve", "--snapshots", folder, "--credentials", folder / "keys.db", "--listen", "127.0.0.1:0",
                               "--admin-listen", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True, env={**os.environ, **bounds})
    port = next(found for line in server.stderr if (found := re.match(r"listening on http://127.0.0.1:(\d+)", line)))[1]
    server.stderr.close()
    api = http.client.HTTPConnection("127.0.0.1", int(port), timeout=60)
    return {"ok": True}


def asked(method: str, path: str, body: dict | None = None) -> dict:
    heads = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    api.request(method, f"/api/v1/{path}", body and json.dumps(body), heads)
    answer = api.getresponse()
    read = json.loads(answer.read())
    if answer.status != 200:
        raise RuntimeError(f"{answer.status}: {read['error']}")
    return read


def paths(request: dict) -> dict:
    query = {"prospectId": request["target"], "limit": request.get("limit", 50), "offset": request.get("offset", 0)}
    if request.get("from"):
        query["fromUserIds"] = request["from"]
    data = asked("GET", "search/warm-paths?" + urlencode(query))["data"]
    found = [[path["connectionType"], path["fromUserId"], path.get("viaAdvocate", {}).get("id"), path["connector"]["id"], path["warmness"]]
             for path in data["paths"]]
    return {"total": data["totalCount"], "capped": data["coverage"]["capped"], "paths": found}


def rank(request: dict) -> dict:
    scores, targets = {}, request["targets"]
    if "through" in request:
        offset = 0
        while (page := paths({**request, "target": targets[0], "offset": offset}))["paths"]:
            found = [path[4] for path in page["paths"] if path[3] == request["through"]]
            if found:
                return {"scores": {targets[0]: found[0]}}
            offset += len(page["paths"])
        return {"scores": {}}
    for at in range(0, len(targets), 500):
        body = {"targets": [{"id": one} for one in targets[at:at + 500]], "perTarget": 1, "sort": "warmness", "fromUserIds": [request["from"]]}
        for one, result in zip(targets[at:at + 500], asked("POST", "search/warm-paths/batch", body)["data"]["results"]):
            if result["paths"]:
                best = result["paths"][0]
                scores[one] = best["warmness"] + best["connectorToProspectWarmness"] / 1000
    return {"scores": scores}


def find(request: dict) -> dict:
    body = {"query": request["query"], "limit": request["limit"], **({"asUserId": request["as"]} if request.get("as") else {})}
    return {"people": [row["person"]["id"] for row in asked("POST", "search/network", body)["data"]]}


def imported(team: str) -> Path:
    folder = WORK / "import"
    (folder / "team.toml").write_text(team)
    run("import", folder / "team.toml", "--tables", folder / "tables", "--quiet", codes=(0, 1))
    return folder / "tables"


def fresh() -> Path:
    shutil.rmtree(WORK / "import", ignore_errors=True)
    (WORK / "import").mkdir()
    return WORK / "import"


def mailbox(request: dict) -> dict:
    with open(fresh() / "mail.mbox", "w", encoding="utf-8") as out:
        for number, (second, sender, to) in enumerate(request["mails"]):
            day = datetime.fromtimestamp(second, timezone.utc).strftime("%a, %d %b %Y %H:%M:%S +0000")
            heads = ", ".join(f"Person {one.upper()} <{one}@mail.example>" for one in to)
            out.write(f"From x@mail.example Mon Mar  2 10:00:00 2026\nFrom: Person {sender.upper()} <{sender}@mail.example>\nTo: {heads}\n"
                      f"Date: {day}\nMessage-ID: <{number}@mail.example>\n\n.\n\n")
    owner = request["owner"]
    tables = imported(f'as_of = {request["day"]}\n[organization]\nname = "Study"\n[[members]]\nname = "Person {owner.upper()}"\n'
                      f'email = "{owner}@mail.example"\nfiles = ["mail.mbox"]\n')
    name = {row["id"]: row["email"].split("@")[0] for row in rows(tables, "people") if row.get("email")}
    strength, known = {}, []
    for row in rows(tables, "connections"):
        one, other = name.get(row["from"]), name.get(row["to"])
        if one == owner:
            strength[other] = row.get("warmness", 0)
        elif one and other:
            known.append([one, other, row["warmness"]])
    best = {tuple(sorted(pair[:2])): 0 for pair in known}
    for one, other, score in known:
        best[tuple(sorted((one, other)))] = max(best[tuple(sorted((one, other)))], score)
    return {"strength": strength, "acquainted": [[*pair, score] for pair, score in best.items()]}


def identities(request: dict) -> dict:
    folder, team, at = fresh(), '[organization]\nname = "Own"\n', {}
    for file in sorted({row["file"] for row in request["rows"]} | {"a", "b"}):
        with open(folder / f"{file}.csv", "w", encoding="utf-8", newline="") as out:
            table = csv.writer(out, lineterminator="\n")
            table.writerow(["Who", "Page", "Mail", "Firm"])
            own = [row for row in request["rows"] if row["file"] == file]
            for line, row in enumerate(own):
                at[f"{file}.csv", line + 2] = row["id"]
                table.writerow([row.get(part, "") for part in ("name", "url", "email", "company")])
            if not own:
                table.writerow([f"Some Body {file.upper()} Else", "", "", ""])
        team += (f'[[members]]\nname = "Owner {file.upper()} Own"\nemail = "{file}@own.example"\nfiles = ["{file}.csv"]\n[[columns]]\nfile = "{file}.csv"\n'
                 'name = "Who"\nurl = "Page"\nemail = "Mail"\ncompany = "Firm"\n')
    found = rows(imported(team), "identities")
    return {"groups": [[at[row["file"], row["line"]] for row in person["rows"] if (row["file"], row["line"]) in at] for person in found]}


serve({"load": load, "paths": paths, "rank": rank, "find": find, "mailbox": mailbox, "identities": identities})
