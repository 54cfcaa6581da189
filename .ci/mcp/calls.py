"""Makes the minimal and the full call of each tool, those of calls.json, by the protocol's own Python client, which holds
each answer to its schema.

    calls.py URL TOKEN USER CALLS
"""

import asyncio
import json
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


def filled(value, known):
    """`value` with the texts that begin with `$` replaced by what an earlier answer said."""
    if isinstance(value, dict):
        return {name: filled(each, known) for name, each in value.items()}
    if isinstance(value, list):
        return [filled(each, known) for each in value]
    return known[value[1:]] if isinstance(value, str) and value.startswith("$") else value


def at(answer, path):
    """What stands at `path` in `answer`, such as `data.people.0.id`; `None` if it ends before."""
    for step in path.split("."):
        place = int(step) if step.isdigit() else step
        is_there = place < len(answer) if isinstance(answer, list) else isinstance(answer, dict) and place in answer
        answer = answer[place] if is_there else None
    return answer


async def main(url, token, user, calls):
    rows, known, made = json.load(open(calls)), {"user": user}, 0
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as http:
        async with Client(streamable_http_client(url, http_client=http)) as client:
            tools = {tool.name for tool in (await client.list_tools()).tools}
            assert tools == {row[0] for row in rows}, f"calls.json lacks {tools - {row[0] for row in rows}}"
            for name, minimal, full, *learned in rows:
                for arguments in (minimal, full):
                    result = await client.call_tool(name, filled(arguments, known))
                    assert not result.is_error, (name, arguments, result)
                    made += 1
                    for key, path in (learned[0] if learned else {}).items():
                        known[key] = known.get(key) or at(result.structured_content, path)
    print(f"Python: {made} calls of {len(tools)} tools, each answer by its schema")


asyncio.run(main(*sys.argv[1:5]))
