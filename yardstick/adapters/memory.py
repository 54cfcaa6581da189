"""The reference MCP server of a memory (npm: @modelcontextprotocol/server-memory), over its tools. YARDSTICK_MEMORY is its script.

It has entities, relations and a search for a text. It ranks nothing, so its paths come in no order.
"""

import json
import os
import subprocess
from pathlib import Path

from lines import rows, serve

WORK = Path(os.environ["YARDSTICK_WORK"])
server, members, number, loads = None, {}, 0, 0


def sent(method: str, params: dict, answered: bool = True) -> dict:
    global number
    number += 1
    message = {"jsonrpc": "2.0", "method": method, "params": params, **({"id": number} if answered else {})}
    server.stdin.write(json.dumps(message) + "\n")
    server.stdin.flush()
    while answered:
        answer = json.loads(server.stdout.readline())
        if answer.get("id") == number:
            if "error" in answer or answer["result"].get("isError"):
                raise RuntimeError(json.dumps(answer)[:300])
            return answer["result"]
    return {}


def tool(name: str, **arguments: object) -> dict:
    return sent("tools/call", {"name": name, "arguments": arguments})["structuredContent"]


def load(request: dict) -> dict:
    global server, members, loads
    if request.get("bounds"):
        return {"unsupported": "no bounds"}
    if server:
        server.kill()
        server.wait()
    loads += 1
    server = subprocess.Popen(["node", os.environ["YARDSTICK_MEMORY"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True, env={**os.environ, "MEMORY_FILE_PATH": str(WORK / f"memory{loads}.jsonl")})
    sent("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "yardstick", "version": "1"}})
    sent("notifications/initialized", {}, answered=False)
    folder = request["tables"]
    members = {row["personId"]: row["userId"] for row in rows(folder, "members")}
    companies = {row["id"]: row["name"] for row in rows(folder, "companies")}
    known = lambda row: [row["name"], row.get("position"), companies.get(row.get("currentCompanyId")), row.get("city"), row.get("country")]
    tool("create_entities", entities=[{"name": row["id"], "entityType": "person", "observations": [text for text in known(row) if text]}
                                      for row in rows(folder, "people")])
    tool("create_relations", relations=[{"from": row["from"], "to": row["to"], "relationType": "knows"} for row in rows(folder, "connections")
                                        if row["from"] != row["to"]])
    return {"ok": True}


def paths(request: dict) -> dict:
    """Direct paths and those of second degree; it has no advocates and no strengths."""
    start = {person: user for person, user in members.items() if request.get("from") in (None, user)}
    into = lambda people: [(it["from"], it["to"]) for it in tool("open_nodes", names=people)["relations"] if it["to"] in people]
    near = sorted({one for one, _ in into([request["target"]])})
    found = [["direct", start[one], None, one, 0] for one in near if one in start]
    via = [one for one in near if one not in start]
    found += sorted(["second_degree", start[one], None, other, 0] for one, other in (into(via) if via else []) if one in start and one != request["target"])
    return {"total": len(found), "capped": False, "paths": found[:request.get("limit", 50)]}


def find(request: dict) -> dict:
    return {"people": [it["name"] for it in tool("search_nodes", query=request["query"])["entities"]][:request["limit"]]}


serve({"load": load, "paths": paths, "find": find})
