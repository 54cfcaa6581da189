"""What every adapter here shares: one JSON object a line in, one a line out."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path


def serve(operations: dict[str, Callable[[dict], dict]]) -> None:
    """Answers each request by the operation that it names."""
    for line in sys.stdin:
        request = json.loads(line)
        answer = operations.get(request["op"], lambda _: {"unsupported": "this system has no such question"})
        try:
            result = answer(request)
        except Exception as error:  # the yardstick reports it with its line
            result = {"error": f"{type(error).__name__}: {error}"}
        sys.stdout.write(json.dumps(result) + "\n")
        sys.stdout.flush()


def rows(folder: str, table: str) -> Iterator[dict]:
    """The rows of a source table, or none if it is not there."""
    path = Path(folder) / f"{table}.ndjson"
    if path.exists():
        with open(path, encoding="utf-8") as lines:
            yield from map(json.loads, lines)
