"""A system under test: a program that answers one JSON object a line for each one it is sent."""

import json
import os
import select
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ADAPTERS = Path(__file__).resolve().parent.parent / "adapters"
MEMORY_MAX = 9 << 30


class PeerError(Exception):
    """The program ended, was late, or answered what is no answer."""


class Unsupported(Exception):
    """The system cannot do this."""


def called(name: str) -> str:
    """What the tables call a system: its adapter's name, or that of the last path in a command."""
    return Path(next((part for part in reversed(shlex.split(name)) if "/" in part), name)).stem


class Peer:
    """A running adapter. Use it in a `with`; it and all it started end with it."""

    def __init__(self, name: str, environment: dict[str, str]):
        self.name = called(name)
        command = shlex.split(name) if "/" in name else [sys.executable, str(next(ADAPTERS.glob(f"{name}*.py")))]
        self.errors = tempfile.TemporaryFile()
        self.folder = tempfile.TemporaryDirectory(prefix="yardstick-")
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, start_new_session=True,
                                        env={**os.environ, **environment, "YARDSTICK_WORK": self.folder.name})
        self.rest, self.line, self.lacks = b"", 0, set()

    def __enter__(self) -> "Peer":
        return self

    def __exit__(self, *_) -> None:
        if self.process.stdin and not self.process.stdin.closed:
            try:
                self.process.stdin.close()
            except BrokenPipeError:
                pass
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            pass
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.process.stdout.close()
        self.errors.close()
        self.folder.cleanup()

    def ask(self, request: dict, seconds: float = 120) -> dict:
        """Sends a request and returns its answer, an object."""
        if request["op"] in self.lacks:
            raise Unsupported(request["op"])
        try:
            self.process.stdin.write(json.dumps(request, separators=(",", ":")).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise PeerError(f"{self.name} ended before `{request['op']}`: {self.said()}") from None
        line = self.read(request["op"], time.monotonic() + seconds)
        self.line += 1
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise PeerError(f"{self.name}, answer {self.line}: expected one JSON object on a line, got {line[:80]!r}; print nothing else on stdout")
        if "unsupported" in answer:
            self.lacks.add(request["op"])
            raise Unsupported(answer["unsupported"])
        if "error" in answer:
            raise PeerError(f"{self.name}, answer {self.line} to `{request['op']}`: {answer['error']}")
        return answer

    def read(self, op: str, deadline: float) -> bytes:
        """Reads a line."""
        pieces = [self.rest]
        while b"\n" not in pieces[-1]:
            left = deadline - time.monotonic()
            if left <= 0:
                raise PeerError(f"{self.name} did not answer `{op}` in time")
            if not select.select([self.process.stdout], [], [], min(left, 2))[0]:
                if self.memory() > MEMORY_MAX:
                    raise PeerError(f"{self.name} took more than {MEMORY_MAX >> 30} GiB of memory for `{op}`")
                continue
            data = os.read(self.process.stdout.fileno(), 1 << 20)
            if not data:
                raise PeerError(f"{self.name} ended at `{op}`: {self.said()}")
            pieces.append(data)
        line, _, self.rest = b"".join(pieces).partition(b"\n")
        return line

    def said(self) -> str:
        """The last of its stderr."""
        self.errors.seek(0, os.SEEK_END)
        self.errors.seek(max(0, self.errors.tell() - 400))
        return self.errors.read().decode(errors="replace").strip() or "it said nothing on stderr"

    def memory(self) -> int:
        """Resident bytes of the program and of all below it."""
        parents, sizes = {}, {}
        for folder in Path("/proc").iterdir():
            if folder.name.isdigit():
                try:
                    stat = (folder / "stat").read_text().rpartition(")")[2].split()
                except OSError:
                    continue
                parents.setdefault(int(stat[1]), []).append(int(folder.name))
                sizes[int(folder.name)] = int(stat[21]) * os.sysconf("SC_PAGE_SIZE")
        total, waiting = 0, [self.process.pid]
        while waiting:
            one = waiting.pop()
            total += sizes.get(one, 0)
            waiting += parents.get(one, [])
        return total
