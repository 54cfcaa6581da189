#!/usr/bin/env python3
"""Serves the recorded answers of one API on a loopback port: `serve_recorded.py recorded/hubspot --log FILE`.

A request is answered only if its method, path, query and body are those of a recorded one; asked again, it gets the next
recorded answer for it, and the last one from then on. The first request is answered with 429, one without the token with
401, and one for a token by a wrong secret with 400. The log has a line for each other one: its text, body and answer.
"""
import argparse
import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

TOKEN = "made-up-token"


def key(request: str) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    """The method, the path and the sorted query of `GET /path?query`."""
    method, target = request.split(" ", 1)
    parts = urlsplit(target)
    return method, parts.path, tuple(sorted(parse_qsl(parts.query, keep_blank_values=True)))


class Recorded(BaseHTTPRequestHandler):
    exchanges: list[dict] = []
    log: Path
    busy = True

    def do_GET(self) -> None:
        self.answer("GET")

    def do_POST(self) -> None:
        self.answer("POST")

    def answer(self, method: str) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        is_form = "x-www-form-urlencoded" in self.headers.get("Content-Type", "")
        sent = {"form": dict(parse_qsl(body))} if is_form else {"json": json.loads(body)} if body else {}
        if not is_form and self.headers.get("Authorization") != f"Bearer {TOKEN}":
            return self.send(401, {"message": "the token is not valid"})
        if Recorded.busy and not is_form:
            Recorded.busy = False
            return self.send(429, {"message": "too many requests"}, {"Retry-After": "1"})
        wanted = key(f"{method} {self.path}")
        fitting = [
            exchange for exchange in Recorded.exchanges
            if key(exchange["request"]) == wanted
            and all(exchange[part] == sent.get(part) for part in ("form", "json") if part in exchange)
        ]
        if not fitting and is_form:
            return self.send(400, {"error": "invalid_grant"})
        if not fitting:
            print(f"not recorded: {method} {self.path} {body}", file=sys.stderr, flush=True)
            return self.send(404, {"message": "not recorded"})
        exchange = fitting[0]
        if len(fitting) > 1:
            Recorded.exchanges.remove(exchange)
        line = {"request": f"{method} {self.path}", **sent, "answer": exchange["answer"]}
        with Recorded.log.open("a") as log:
            log.write(json.dumps(line, ensure_ascii=False) + "\n")
        self.send(exchange.get("status", 200), exchange["answer"])

    def send(self, status: int, answer: dict, headers: dict[str, str] | None = None) -> None:
        base = f"http://127.0.0.1:{self.server.server_address[1]}"
        body = json.dumps(answer).replace("{base}", base).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Says nothing: the log has what was answered."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="a folder with answers.json")
    parser.add_argument("--log", type=Path, required=True)
    args = parser.parse_args()
    Recorded.exchanges = json.loads((args.folder / "answers.json").read_text())
    Recorded.log = args.log
    args.log.write_text("")
    server = HTTPServer(("127.0.0.1", 0), Recorded)
    print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
