"""Runs kith.exe under Wine in the folder WORK, and says of each thing it should do whether it does.

    check.py WORK
"""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORK = Path(sys.argv[1])
COMMAND_SECONDS, START_SECONDS, END_SECONDS = 120, 120, 20
CHECKS: list[Callable[[], None]] = []


class Failure(Exception):
    """What the program should do and does not."""


def check(function: Callable[[], None]) -> Callable[[], None]:
    CHECKS.append(function)
    return function


def must(holds: object, what: object) -> None:
    if not holds:
        raise Failure(what)


def windows(path: Path) -> str:
    """The path as Windows has it: Wine's drive Z is the root."""
    return "Z:" + str(path).replace("/", "\\")


def kith(*arguments: object, code: int = 0) -> str:
    ended = subprocess.run(["wine", "kith.exe", *map(str, arguments)], cwd=WORK, capture_output=True, timeout=COMMAND_SECONDS,
                           check=False)
    said = (ended.stdout + ended.stderr).decode()
    must(ended.returncode == code, f"kith {' '.join(map(str, arguments))} ends with {ended.returncode}: {said}")
    return said


def ask(url: str, key: str = "", data: bytes | None = None) -> tuple[int, str]:
    request = urllib.request.Request(url, data, {"Authorization": f"Bearer {key}"} if key else {})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


class Server:
    """A command that serves until it is ended."""

    def __init__(self, *arguments: object) -> None:
        self.said = WORK / f"said-{time.monotonic_ns()}.txt"
        with self.said.open("wb") as out:
            self.process = subprocess.Popen(["wine", "kith.exe", *map(str, arguments)], cwd=WORK, stdout=out,
                                            stderr=subprocess.STDOUT)

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(END_SECONDS)

    def text(self) -> str:
        return self.said.read_text(errors="replace")

    def wait_for(self, pattern: str, seconds: float = START_SECONDS) -> str:
        until = time.monotonic() + seconds
        while not (found := re.search(pattern, self.text(), re.MULTILINE)):
            must(self.process.poll() is None, f"it ends with {self.process.poll()}: {self.text()}")
            must(time.monotonic() < until, f"{pattern} is not said within {seconds} s: {self.text()}")
            time.sleep(0.1)
        return found[1] if found.groups() else found[0]

    def interrupt(self) -> int:
        """Ctrl-C. Returns the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(END_SECONDS)


def serve(*more: object) -> Server:
    return Server("serve", "--snapshots", "snapshots", "--credentials", "credentials.db", "--listen", "127.0.0.1:0",
                  "--admin-listen", "127.0.0.1:0", *more)


def addresses(server: Server) -> tuple[str, str]:
    operator = "http://" + server.wait_for(r"admin on http://(127\.0\.0\.1:\d+)")
    return "http://" + server.wait_for(r"(?:API|api|listening|serving)\D* http://(127\.0\.0\.1:\d+)"), operator


KEY = ""


@check
def it_says_its_version() -> None:
    must(kith("--version").startswith("kith "), "no version")


@check
def completions_are_made_for_powershell() -> None:
    must("Register-ArgumentCompleter" in kith("completions", "powershell"), "no completions")


@check
def a_team_is_imported_by_paths_with_backslashes() -> None:
    shutil.copytree(ROOT / "fixtures/team", WORK / "team")
    (WORK / "snapshots").mkdir()
    said = kith("import", windows(WORK / "team/team.toml"), "--tables", "tables", "--out", "snapshots\\brook.kith")
    must(re.search(r"people +14\b", said) and "ana/Connections.csv" in said, said)


@check
def a_pattern_on_a_drive_and_one_with_backslashes_name_their_files() -> None:
    for pattern in (windows(WORK / "team/ana/*.csv"), "team\\ana\\*.csv", "team/ana/*.csv"):
        said = kith("import", "--org", "X", "--me", "Ana Ruiz", "--tables", "of-ana", pattern)
        must("LinkedIn connections" in said and "Google Contacts" in said, said)
    kith("import", "--org", "X", "--me", "Ana Ruiz", "--tables", "of-ana", "team\\ana\\*.nothing", code=1)


@check
def a_snapshot_is_verified_and_a_cut_one_refused() -> None:
    must("is sound and belongs to it" in kith("verify", "snapshots\\brook.kith"), "not sound")
    whole = (WORK / "snapshots/brook.kith").read_bytes()
    (WORK / "cut.kith").write_bytes(whole[:-9])
    kith("verify", "cut.kith", code=1)


@check
def the_paths_to_a_person_are_found() -> None:
    said = kith("path", "snapshots\\brook.kith", "Max Orr")
    must("paths: 4" in said and "Chloe Tan" in said, said)


@check
def the_same_tables_are_imported_again_over_those_there() -> None:
    before = (WORK / "snapshots/brook.kith").read_bytes()
    kith("import", "team\\team.toml", "--tables", "tables", "--out", "snapshots\\brook.kith")
    must((WORK / "snapshots/brook.kith").read_bytes() == before, "the same files give another snapshot")
    must(not [path.name for path in (WORK / "tables").iterdir() if path.name.startswith(".kith")], "drafts are left")


@check
def the_demo_serves_a_page_and_answers_and_ctrl_c_ends_it() -> None:
    with Server("demo", "--listen", "127.0.0.1:0") as demo:
        demo.wait_for(r"(?s)^token.*^token")
        address, key = demo.wait_for(r"http://127\.0\.0\.1:\d+"), demo.wait_for(r"^key +(\S+)")
        status, page = ask(f"{address}/explore")
        must(status == 200 and "<title>" in page, f"the page: {status}")
        must(search(address, key)[0] == 200, search(address, key))
        must(ask(f"{address}/healthz")[0] == 200, "not healthy")
        must(search(address, "")[0] == 401, "without a key")
        must(demo.interrupt() == 0, f"Ctrl-C: {demo.process.returncode}")


def search(address: str, key: str) -> tuple[int, str]:
    return ask(f"{address}/api/v1/search/people?q=a", key)


@check
def a_key_is_made_and_a_folder_is_served() -> None:
    global KEY
    said = kith("keys", "create", "--credentials", "credentials.db", "--org", "org_brook-robotics", "--name", "app")
    KEY = re.search(r"\bservice_\S+|\b\S{40,}", said)[0]
    with serve() as server:
        address, _ = addresses(server)
        must(search(address, KEY)[0] == 200, search(address, KEY))
        must(search(address, "")[0] == 401, "without a key")
        must(server.interrupt() == 0, f"Ctrl-C: {server.process.returncode}")


@check
def a_taken_port_is_refused_by_name() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    listen = ("--listen", f"127.0.0.1:{port}")
    with Server("demo", *listen) as first:
        first.wait_for(r"(?s)^token.*^token")
        said = kith("demo", *listen, code=1)
        must(f"127.0.0.1:{port}" in said, said)
        must(first.interrupt() == 0, "the first")


@check
def what_is_built_while_it_is_served_is_taken_up_at_a_reload() -> None:
    with serve() as server:
        address, operator = addresses(server)
        before = search(address, KEY)[1]
        team = WORK / "team/ana/Connections.csv"
        text = team.read_text()
        team.write_text(text.rstrip("\n") + "\nZoe,Newcomer,https://www.linkedin.com/in/zoe-newcomer,,Orr Capital,Partner,01 Feb 2024\n")
        try:
            kith("import", "team\\team.toml", "--tables", "tables", "--out", "snapshots\\brook.kith")
        finally:
            team.write_text(text)
        status, said = ask(f"{operator}/admin/reload", data=b"")
        must(status == 200, said)
        must("Newcomer" in ask(f"{address}/api/v1/search/people?q=Newcomer", KEY)[1], f"not there: {before} {said}")


@check
def what_was_written_is_there_after_a_kill() -> None:
    with serve() as server:
        address, _ = addresses(server)
        second = kith("keys", "create", "--credentials", "credentials.db", "--org", "org_brook-robotics", "--name", "second")
        key = re.search(r"\bservice_\S+|\b\S{40,}", second)[0]
        must(search(address, key)[0] == 200, "the new key")
        server.process.kill()
        server.process.wait(END_SECONDS)
    with serve() as server:
        address, _ = addresses(server)
        must(search(address, key)[0] == 200, "the key after a kill")
        copies = [path.name for path in (WORK / "snapshots").iterdir() if path.name.startswith(".kith")]
        must(len(copies) == 1, f"the killed server's copy of a store is not removed, or there is none: {copies}")
        named = json.loads(kith("keys", "list", "--credentials", "credentials.db", "--json"))
        ids = [row["id"] for row in named if row["name"] == "second"] if isinstance(named, list) else []
        must(ids, named)
        kith("keys", "revoke", "--credentials", "credentials.db", ids[0])
        must(search(address, key)[0] == 401, "the revoked key")


@check
def credentials_that_every_user_may_write_are_refused() -> None:
    store = WORK / "credentials.db"
    store.chmod(0o666)
    try:
        with serve() as server:
            code = server.process.wait(START_SECONDS)
            must(code != 0 and "icacls" in server.text() and "every user" in server.text(), server.text())
    finally:
        store.chmod(0o600)


@check
def people_are_forgotten_by_a_list_that_is_locked_and_replaced() -> None:
    (WORK / "lists").mkdir()
    forget = ("--suppressions", "lists\\forget.txt")
    kith("suppress", "create", *forget)
    for address in ("max@orr.example", "zoe@newcomer.example"):
        kith("suppress", "add", *forget, "--org", "org_brook-robotics", "--email", address)
    entries = json.loads(kith("suppress", "list", *forget, "--json"))
    must(len(entries) == 2, entries)
    kith("suppress", "create", *forget, code=1)


@check
def asks_are_kept_in_a_file() -> None:
    kith("ask", "create", "--asks", "asks.db")
    kith("ask", "list", "--asks", "asks.db", "--snapshot", "snapshots\\brook.kith", "--as", "ana@brook.example")


@check
def the_folder_of_exports_and_its_key_are_their_owners_alone() -> None:
    (WORK / "keys").mkdir()
    given = ("--exports", "exports", "--exports-key", "keys\\exports.key")
    kith("exports", "create", *given)
    given = (*given, "--org", "Brook Robotics")
    kith("exports", "list", *given)
    (WORK / "keys/exports.key").chmod(0o644)
    said = kith("exports", "list", *given, code=1)
    must("icacls" in said, said)


@check
def open_serves_its_page_from_a_folder_of_the_user() -> None:
    with Server("open", "team\\team.toml", "--no-browser", "--listen", "127.0.0.1:0") as opened:
        link = opened.wait_for(r"http://\S+#\S*code=\S+")
        status, page = ask(link.split("#")[0])
        must(status == 200 and "<title>" in page, f"the page: {status}")
        must(opened.interrupt() == 0, f"Ctrl-C: {opened.process.returncode}")
    folder = next((WORK / "wine/drive_c/users").glob("*/AppData/Local/kith/*"))
    must((folder / "snapshots/network.kith").exists(), sorted(folder.iterdir()))
    must(folder.stat().st_mode & 0o077 == 0, f"{folder} is open to others: {folder.stat().st_mode:o}")
    # Over what is there.
    with Server("open", "team\\team.toml", "--no-browser", "--listen", "127.0.0.1:0") as again:
        again.wait_for(r"http://\S+#\S*code=\S+")


@check
def open_closes_a_folder_that_others_may_read() -> None:
    (WORK / "shared").mkdir()
    (WORK / "shared").chmod(0o755)
    with Server("open", "team\\team.toml", "--into", "shared", "--no-browser", "--listen", "127.0.0.1:0") as opened:
        opened.wait_for(r"http://\S+#\S*code=\S+")
    must((WORK / "shared").stat().st_mode & 0o007 == 0, f"{(WORK / 'shared').stat().st_mode:o}")


@check
def a_folder_is_watched() -> None:
    shutil.copytree(WORK / "team", WORK / "watched")
    with Server("import", "--watch", "watched", "--every", "1", "--organization", "org_brook-robotics", "--tables", "of-watched", "--out", "watched.kith") as watch:
        watch.wait_for("imported 8 files")
        must((WORK / "watched.kith").exists(), "no snapshot")
        must(watch.interrupt() == 0, f"Ctrl-C: {watch.process.returncode}")


def main() -> None:
    passed = 0
    for function in CHECKS:
        name = function.__name__.replace("_", " ")
        try:
            function()
            passed += 1
            print(f"passed  {name}", flush=True)
        except (Failure, OSError, subprocess.TimeoutExpired, StopIteration, TypeError) as error:
            print(f"FAILED  {name}\n        {error}", flush=True)
    print(f"{passed} passed, {len(CHECKS) - passed} failed")
    sys.exit(passed != len(CHECKS))


if __name__ == "__main__":
    os.chdir(WORK)
    main()
