"""Checks what deploy/release makes for Windows and macOS: pip and npm take each package for its system and for no other, and the
script of the npm packages starts the program by its name there.

    systems.py WORK

WORK has, for each target, what deploy/release made of a program of this machine in a folder of the target's name.
"""

import io
import json
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

# The target, the program's name, the platforms of pip that its wheel fits and does not, and what Node calls the system.
SYSTEMS = [
    ("x86_64-pc-windows-gnu", "kith.exe", "win_amd64", "win_arm64", "win32", "x64"),
    ("aarch64-apple-darwin", "kith", "macosx_12_0_arm64", "macosx_12_0_x86_64", "darwin", "arm64"),
    ("x86_64-apple-darwin", "kith", "macosx_10_15_x86_64", "macosx_10_9_x86_64", "darwin", "x64"),
]
BESIDE = ["LICENSE", "NOTICE", "licenses/crates.txt", "kith.cdx.json", "completions/kith.ps1", "completions/_kith", "man/man1/kith-serve.1"]


def must(holds: object, what: str) -> None:
    if not holds:
        raise SystemExit(f"release-check: {what}")


def run(*command: object, cwd: Path) -> subprocess.CompletedProcess:
    return subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, timeout=120, check=False)


def archive(made: Path, target: str, program: str) -> None:
    files = {path.name for path in made.iterdir()}
    must(not [name for name in files if "image" in name or name.endswith(".deb")], f"an image or a Debian package of {target}")
    (found,) = [path for path in made.iterdir() if path.name.endswith((f"{target}.zip", f"{target}.tar.gz"))]
    if found.suffix == ".zip":
        names = {name: len(zipfile.ZipFile(found).read(name)) for name in zipfile.ZipFile(found).namelist()}
    else:
        names = {entry.name: entry.size for entry in tarfile.open(fileobj=io.BytesIO(found.read_bytes())).getmembers()}
    folder = next(iter(names)).split("/")[0]
    lacking = [name for name in [program, *BESIDE] if not names.get(f"{folder}/{name}")]
    must(not lacking, f"{found.name} lacks {', '.join(lacking)}")


def wheel(made: Path, room: Path, program: str, fits: str, fits_not: str) -> None:
    (found,) = made.glob("kith-*.whl")

    def installed(platform: str) -> subprocess.CompletedProcess:
        return run(sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--only-binary=:all:", "--platform", platform,
                   "--target", room / platform, found, cwd=room)

    ended = installed(fits)
    must(ended.returncode == 0 and (room / fits / "bin" / program).is_file(), f"pip on {fits}: {ended.stderr}")
    must(installed(fits_not).returncode != 0, f"the control: pip on {fits_not} takes {found.name}")


def npm(made: Path, room: Path, system: str, cpu: str) -> None:
    packed = sorted(made.glob("kith-cli-*.tgz"))
    install = ["npm", "install", "--offline", "--no-audit", "--no-fund", *packed]
    must("EBADPLATFORM" in run(*install, cwd=room).stderr, f"the control: npm takes the package for {system} here")
    ended = run(*install, "--force", cwd=room)
    must(ended.returncode == 0, f"npm with --force: {ended.stderr}")
    package = json.loads((room / f"node_modules/@kith/cli-{system}-{cpu}/package.json").read_text())
    must((package["os"], package["cpu"]) == ([system], [cpu]) and "libc" not in package, f"{package['name']} is for other systems")
    pretend = room / "pretend.js"
    pretend.write_text(f'Object.defineProperty(process, "platform", {{ value: "{system}" }});\n')
    script = "node_modules/@kith/cli/kith.js"
    ended = run("node", "-r", pretend, script, "--version", cwd=room)
    must(ended.returncode == 0 and ended.stdout.startswith("kith "), f"the script on {system}: {ended.stdout}{ended.stderr}")
    shutil.rmtree(room / f"node_modules/@kith/cli-{system}-{cpu}")
    ended = run("node", "-r", pretend, script, "--version", cwd=room)
    must(ended.returncode == 1 and "npm installed none of" in ended.stderr, f"the control: {ended.stdout}{ended.stderr}")


def main() -> None:
    work = Path(sys.argv[1])
    for target, program, fits, fits_not, system, cpu in SYSTEMS:
        room = work / "rooms" / target
        shutil.rmtree(room, ignore_errors=True)
        room.mkdir(parents=True)
        archive(work / target, target, program)
        wheel(work / target, room, program, fits, fits_not)
        npm(work / target, room, system, cpu)
        print(f"{target}: archive, wheel, npm packages")


if __name__ == "__main__":
    main()
