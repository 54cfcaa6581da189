"""A proxy on loopback that adds a credential to each request: the conformance suite cannot send one. It keeps all other
headers, `Host` and `Origin` among them.

    proxy.py PORT-FILE HOST:PORT CREDENTIAL
"""

import asyncio
import sys

PORT_FILE, UPSTREAM, CREDENTIAL = sys.argv[1:4]
HOST, PORT = UPSTREAM.rsplit(":", 1)
HEAD_MAX = 64 << 10


async def pipe(reader, writer):
    while data := await reader.read(HEAD_MAX):
        writer.write(data)
        await writer.drain()
    writer.close()


async def serve(reader, writer):
    """One request for each connection: the answer ends it."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        lines = head[:-4].split(b"\r\n")
        kept = [line for line in lines[1:] if not line.lower().startswith((b"authorization:", b"connection:"))]
        added = [f"Authorization: Bearer {CREDENTIAL}".encode(), b"Connection: close"]
        to_server, from_server = None, None
        from_server, to_server = await asyncio.open_connection(HOST, int(PORT))
        to_server.write(b"\r\n".join([lines[0], *kept, *added]) + b"\r\n\r\n")
        await asyncio.gather(pipe(from_server, writer), pipe_body(reader, to_server))
    except (asyncio.IncompleteReadError, ConnectionError, OSError):
        pass
    finally:
        writer.close()


async def pipe_body(reader, writer):
    try:
        while data := await reader.read(HEAD_MAX):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    with open(PORT_FILE, "w", encoding="ascii") as file:
        file.write(str(server.sockets[0].getsockname()[1]))
    async with server:
        await server.serve_forever()


asyncio.run(main())
