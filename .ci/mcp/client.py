"""Asks the endpoint for agents with the protocol's own Python client: by its newest version, by the last one with a
handshake, and over stdio.

    client.py URL KEY TOKEN PROGRAM SNAPSHOT
"""

import asyncio
import sys

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

TOOLS = [
    "find_introductions",
    "find_person",
    "search_network",
    "get_person",
    "find_company",
    "list_my_network",
    "list_opportunities",
]


async def walk(client, expected):
    """Discovery, search, introductions, explanation; how many calls were answered."""
    assert [tool.name for tool in (await client.list_tools()).tools] == expected
    answered = 0

    async def call(name, arguments):
        nonlocal answered
        result = await client.call_tool(name, arguments)
        assert not result.is_error, (name, arguments, result)
        answered += 1
        return result.structured_content["data"]

    for person in (await call("search_network", {"description": "engineers"}))["people"][:3]:
        paths = await call("find_introductions", {"person": person["id"]})
        assert paths["found"] and paths["person"]["id"] == person["id"], paths
        await call("get_person", {"id": person["id"], "with_connections": True})
    await call("find_company", {"query": "a"})
    await call("list_opportunities", {})
    for name, arguments in [("find_person", {}), ("find_person", {"query": "a", "limit": 99}), ("get_person", {"id": "x"})]:
        assert (await client.call_tool(name, arguments)).is_error, (name, arguments)
    return answered


async def main(url, key, token, program, snapshot):
    for credential, expected in [(key, [name for name in TOOLS if name != "list_my_network"]), (token, TOOLS)]:
        for mode in ["auto", "legacy"]:
            async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {credential}"}) as http:
                async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
                    print(f"{mode}: {await walk(client, expected)} calls answered")
    # The control: without a credential nothing is.
    try:
        async with httpx2.AsyncClient() as http:
            async with Client(streamable_http_client(url, http_client=http)) as client:
                await client.list_tools()
    except Exception:
        pass
    else:
        sys.exit("let in without a credential")
    if snapshot:
        server = StdioServerParameters(command=program, args=["mcp", "--snapshot", snapshot])
        for mode in ["auto", "legacy"]:
            async with Client(stdio_client(server), mode=mode) as client:
                names = [tool.name for tool in (await client.list_tools()).tools]
                assert set(names) <= set(TOOLS) and "find_introductions" in names, names
                assert not (await client.call_tool("find_person", {"query": "a"})).is_error
                print(f"stdio, {mode}: answered")


asyncio.run(main(*sys.argv[1:6]))
