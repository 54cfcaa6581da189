"""Installs each artefact of deploy/release into an empty environment, starts the demo there, and asks it.

    trial.py WORK

WORK has the artefacts of a program in `made`, those of one that does nothing in `nothing`, and uv in `tools`.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
IS_ROOT = os.geteuid() == 0
# For one demo, from its start to its first answer.
ANSWER_SECONDS = 120
END_SECONDS = 15
# Without Rust, and without what this machine's user has set up.
PATH = os.pathsep.join([str(Path(shutil.which("node") or "/usr/bin/node").parent), "/usr/bin", "/bin"])


class Failure(Exception):
    """What an artefact should do and does not."""


def run(*command: object, cwd: Path | None = None, home: Path | None = None) -> str:
    ended = subprocess.run([str(word) for word in command], cwd=cwd, env=environment(home), capture_output=True, text=True,
                           timeout=120, check=False)
    if ended.returncode != 0:
        raise Failure(f"{command[0]} ends with {ended.returncode}: {ended.stdout}{ended.stderr}")
    return ended.stdout


def environment(home: Path | None) -> dict[str, str]:
    return {"PATH": PATH + ":/usr/sbin:/sbin", "HOME": str(home or "/"), "LANG": "C.UTF-8"}


def only(folder: Path, pattern: str) -> Path:
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise Failure(f"{pattern} is {len(found)} files in {folder}")
    return found[0]


def inside(root: Path, *command: str, user: str | None = None) -> list[str]:
    """The command with `root` as its root."""
    if not IS_ROOT:
        return ["unshare", "--map-root-user", "chroot", str(root), *command]
    return ["chroot", *([f"--userspec={user}", "--groups="] if user else []), str(root), *command]


# --- how each is installed: into the folder `room`, returning the command that is kith there


def archive(made: Path, room: Path) -> list[str]:
    run("tar", "-xzf", only(made, "kith-*-linux-*.tar.gz"), "-C", room)
    folder = only(room, "kith-*")
    for name in ("LICENSE", "NOTICE", "licenses/crates.txt", "kith.cdx.json", "completions/_kith", "man/man1/kith-serve.1"):
        if not (folder / name).stat().st_size:
            raise Failure(f"{name} of the archive is empty")
    bill = json.loads((folder / "kith.cdx.json").read_text())
    texts = (folder / "licenses/crates.txt").read_text()
    if lacking := [part["name"] for part in bill["components"]
                   if part.get("purl") and f"{part['name']} {part['version']} (" not in texts]:
        raise Failure(f"no licence of {', '.join(lacking)}")
    return [str(folder / "kith")]


def wheel(made: Path, room: Path) -> list[str]:
    run(sys.executable, "-m", "venv", room / "venv")
    run(room / "venv/bin/pip", "install", "--no-index", "--no-deps", only(made, "kith-*linux_*.whl"), home=room)
    return [str(room / "venv/bin/kith")]


def uvx(made: Path, room: Path) -> list[str]:
    uv = made.parent / "tools/bin/uv"
    return [str(uv), "tool", "run", "--offline", "--no-config", "--cache-dir", str(room / "cache"), "--python", sys.executable,
            "--from", str(only(made, "kith-*linux_*.whl")), "kith"]


def npx(made: Path, room: Path) -> list[str]:
    run("npm", "install", "--offline", "--no-audit", "--no-fund", *made.glob("kith-cli-*.tgz"), cwd=room, home=room)
    return ["npx", "--offline", "kith"]


def image(made: Path, room: Path) -> list[str]:
    run("tar", "-xf", only(made, "kith-*-image.tar"), "-C", room)

    def blob(described: dict) -> bytes:
        return (room / "blobs" / described["digest"].replace(":", "/")).read_bytes()

    manifest = json.loads(blob(json.loads((room / "index.json").read_text())["manifests"][0]))
    config = json.loads(blob(manifest["config"]))["config"]
    root = room / "root"
    root.mkdir()
    for layer in manifest["layers"]:
        run("tar", "-xzf", room / "blobs" / layer["digest"].replace(":", "/"), "--numeric-owner", "-p", "-C", root)
    return inside(root, *config["Entrypoint"], user=config["User"])


# What the Debian package installs and how; the rest is the program's own list of its commands.
INSTALLED = """\
-rwxr-xr-x usr/bin/kith
-rw------- etc/kith/kith.toml
-rw-r--r-- usr/lib/systemd/system/kith.service
-rw-r--r-- usr/share/bash-completion/completions/kith
-rw-r--r-- usr/share/zsh/vendor-completions/_kith
-rw-r--r-- usr/share/fish/vendor_completions.d/kith.fish
-rw-r--r-- usr/share/doc/kith/copyright
-rw-r--r-- usr/share/doc/kith/NOTICE
-rw-r--r-- usr/share/doc/kith/crates.txt.gz
-rw-r--r-- usr/share/doc/kith/changelog.gz
-rw-r--r-- usr/share/man/man1/kith.1.gz
-rw-r--r-- usr/share/man/man1/kith-serve.1.gz
-rw-r--r-- usr/share/man/man1/kith-keys-create.1.gz
"""


def lacking(root: Path) -> list[str]:
    """The files that an installed system lacks, or has with other rights."""
    return [line for line in INSTALLED.splitlines()
            if run("sh", "-c", 'stat -c "%A" "$1" 2>/dev/null || true', "sh", root / line.split()[1]).strip() != line.split()[0]]


def dpkg(room: Path, *command: object) -> None:
    # The libraries lie there without packages of their own, and there is no shell: scripts run outside, with DPKG_ROOT.
    run(*([] if IS_ROOT else ["fakeroot"]), "dpkg", f"--root={room}", "--force-depends", "--force-script-chrootless",
        f"--log={room}/dpkg.log", *command)


def debian(made: Path, room: Path) -> list[str]:
    for folder in ("var/lib/dpkg/info", "var/lib/dpkg/updates", "tmp"):
        (room / folder).mkdir(parents=True)
    (room / "var/lib/dpkg/status").touch()
    dpkg(room, "--install", only(made, "kith_*.deb"))
    if missing := lacking(room):
        raise Failure(f"not installed: {missing}")
    # The control.
    (room / "etc/kith").rename(room / "etc/elsewhere")
    if len(lacking(room)) != 1:
        raise Failure("a system without its configuration lacks nothing")
    (room / "etc/elsewhere").rename(room / "etc/kith")
    if "\nExecStart=/usr/bin/kith serve " not in (room / "usr/lib/systemd/system/kith.service").read_text():
        raise Failure("the unit starts another program")
    run("bash", "-c", 'source "$1" && complete -p kith', "_", room / "usr/share/bash-completion/completions/kith")
    gathered = room / "gathered"
    run(ROOT / "deploy/gather", room / "usr/bin/kith", gathered)
    for folder in gathered.glob("lib*"):
        shutil.copytree(folder, room / folder.name, dirs_exist_ok=True)
    return inside(room, "/usr/bin/kith")


def removed(room: Path) -> None:
    dpkg(room, "--remove", "kith")
    if (room / "usr/bin/kith").exists() or not (room / "etc/kith/kith.toml").exists():
        raise Failure("removing takes the configuration, or leaves the program")
    dpkg(room, "--purge", "kith")
    if (room / "etc/kith/kith.toml").exists():
        raise Failure("purging leaves the configuration")


# --- the demo


def fetch(url: str, key: str) -> bytes:
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {key}"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return answer.read()


def first_answer(process: subprocess.Popen, said: Path, began: float) -> float:
    while "\nMore: " not in (text := said.read_text()):
        if process.poll() is not None:
            raise Failure(f"the demo ends with {process.returncode} before it serves: {said.with_suffix('.err').read_text()}")
        if time.monotonic() - began > ANSWER_SECONDS:
            raise Failure(f"the demo does not serve within {ANSWER_SECONDS} s")
        time.sleep(0.02)
    # The first line that it prints to paste.
    key, search = re.search(r"^curl -s -H 'Authorization: Bearer (\S+)' '(\S+)'$", text, re.MULTILINE).groups()
    if not json.loads(fetch(search, key))["data"]["paths"]:
        raise Failure("the search of the demo finds no path")
    took = time.monotonic() - began
    fetch(search.split("/api/")[0] + "/readyz", key)
    return took


def asked_to_end(group: int) -> int:
    """The process of the demo to end: its first one, but behind npx, which passes no signal on, the script of the package."""
    for line in run("ps", "-eo", "pid=,pgid=,args=").splitlines():
        pid, of, command = line.split(maxsplit=2)
        if int(of) == group and re.match(r"\S*node \S*/node_modules/\.bin/kith ", command):
            return int(pid)
    return group


def end(process: subprocess.Popen) -> None:
    """Ends the demo as a supervisor does; what is left after that is ended, and a failure."""
    if process.poll() is None:
        os.kill(asked_to_end(process.pid), signal.SIGTERM)
    deadline = time.monotonic() + END_SECONDS
    while time.monotonic() < deadline:
        process.poll()
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    raise Failure(f"the demo does not end within {END_SECONDS} s")


def seconds_to_answer(command: list[str], room: Path) -> float:
    said = room / "demo.out"
    with said.open("wb") as out, said.with_suffix(".err").open("wb") as err:
        began = time.monotonic()
        process = subprocess.Popen([*command, "demo", "--listen", "127.0.0.1:0"], stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                   cwd=room, env=environment(room), start_new_session=True)
        try:
            return first_answer(process, said, began)
        finally:
            end(process)


WAYS: dict[str, tuple[Callable[[Path, Path], list[str]], str]] = {
    "archive": (archive, "kith-*-linux-*.tar.gz"),
    "wheel, pip": (wheel, "kith-*linux_*.whl"),
    "wheel, uvx": (uvx, "kith-*linux_*.whl"),
    "npm, npx": (npx, "kith-cli-linux-*.tgz"),
    "Debian package": (debian, "kith_*.deb"),
    "image": (image, "kith-*-image.tar"),
}


def attempt(made: Path, name: str, room: Path) -> tuple[float, float]:
    """Seconds to install, and from the start of the demo to its first answer."""
    shutil.rmtree(room, ignore_errors=True)
    room.mkdir(parents=True)
    began = time.monotonic()
    command = WAYS[name][0](made, room)
    installed = time.monotonic() - began
    answered = seconds_to_answer(command, room)
    if name == "Debian package":
        removed(room)
    return installed, answered


def main() -> None:
    work = Path(sys.argv[1]).resolve()
    print("| way | file, MB | installed, s | first answer, s |\n| --- | --- | --- | --- |")
    for name, (_, pattern) in WAYS.items():
        try:
            installed, answered = attempt(work / "made", name, work / "room")
        except Failure as failure:
            raise Failure(f"{name}: {failure}") from failure
        size = only(work / "made", pattern).stat().st_size / 1e6
        print(f"| {name} | {size:.1f} | {installed:.1f} | {answered:.1f} |", flush=True)
        # The control: a program that does nothing. Of the wheel once.
        if name == "wheel, uvx":
            continue
        try:
            attempt(work / "nothing", name, work / "room")
        except Failure as failure:
            if "before it serves" not in str(failure):
                raise Failure(f"{name}, of a program that does nothing: {failure}") from failure
        else:
            raise Failure(f"{name}: a program that does nothing passes")
    clients(work / "made", work / "room")


def clients(made: Path, room: Path) -> None:
    """Both typed clients, from their files, can be loaded where nothing else is."""
    shutil.rmtree(room)
    room.mkdir()
    run(sys.executable, "-m", "venv", room / "venv")
    run(room / "venv/bin/pip", "install", "--no-index", only(made, "kith_client-*.whl"), home=room)
    run(room / "venv/bin/python", "-c", "from kith_client import Kith", cwd=room)
    run("npm", "install", "--offline", "--no-audit", "--no-fund", only(made, "kith-client-*.tgz"), cwd=room, home=room)
    run("node", "--input-type=module", "-e", 'import { Kith } from "kith-client"; new Kith({ baseUrl: "http://127.0.0.1", credential: "a" });', cwd=room)
    print("both clients can be loaded from their files")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"release-check: {failure}")
