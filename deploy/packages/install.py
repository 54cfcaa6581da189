"""The packages of Python and Node that carry the program: a wheel, and for npm one package for each platform and one that runs it.

maturin would compile the program once more for each wheel, and can take none that is built; the wheel of a program is five
files in a zip. npm takes any archive with its files below `package/`.
"""

import base64
import hashlib
import json
import re
from pathlib import Path

from files import Entry, gzipped, tar, zipped
from targets import machine, oldest_macos, program_name, system

SUMMARY = "Who can introduce us? Warm introduction paths through the people that your organization knows."
LAUNCHER = """\
#!/usr/bin/env node
// Runs the program of the package that npm chose for this machine, and ends as it ends.
"use strict";
const { spawn } = require("node:child_process");

const isWindows = process.platform === "win32";
const names = Object.keys(require("./package.json").optionalDependencies);
let program;
for (const name of names) {
    try {
        program = require.resolve(`${name}/bin/kith${isWindows ? ".exe" : ""}`);
        break;
    } catch {
        // Not the package for this machine.
    }
}
if (program === undefined) {
    console.error(`kith: npm installed none of ${names.join(", ")}: this machine (${process.platform} ${process.arch}) is none of ` +
        "theirs, or optional dependencies are off (npm install --include=optional)");
    process.exit(1);
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    // On Windows a console's Ctrl-C reaches the program itself, and `kill` would not let it end in order.
    process.on(signal, () => isWindows || child.kill(signal));
}
child.on("error", (error) => {
    console.error(`kith: ${program} does not start: ${error.message}`);
    process.exit(1);
});
child.on("exit", (code, signal) => process.exit(code ?? 128 + require("node:os").constants.signals[signal]));
"""


def wheel_tag(target: str, program: bytes) -> str:
    """The platform that the program needs: the oldest macOS, the oldest C library with every symbol that it asks for, or musl's."""
    if system(target) == "windows":
        return "win_amd64"
    if system(target) == "darwin":
        major, minor = oldest_macos(target, program)
        # From 11 on, a tag has no minor version.
        return f"macosx_{major}_{minor if major < 11 else 0}_{machine(target).replace('aarch64', 'arm64')}"
    if target.endswith("-musl"):
        return f"musllinux_1_2_{machine(target)}"
    minors = [int(minor) for minor in re.findall(rb"GLIBC_2\.(\d+)", program)]
    return f"manylinux_2_{max(minors, default=17)}_{machine(target)}"


def wheel(version: str, target: str, program: bytes, notices: list[Entry], bill: bytes, epoch: int) -> tuple[str, bytes]:
    tag = f"py3-none-{wheel_tag(target, program)}"
    info = f"kith-{version}.dist-info"
    metadata = ["Metadata-Version: 2.4", "Name: kith", f"Version: {version}", f"Summary: {SUMMARY}",
                "License-Expression: Apache-2.0", *(f"License-File: {entry.name}" for entry in notices)]
    entries = [
        Entry(f"kith-{version}.data/scripts/{program_name(target)}", program, 0o755),
        *(entry.below(f"{info}/licenses") for entry in notices),
        Entry(f"{info}/sboms/kith.cdx.json", bill),
        Entry(f"{info}/METADATA", ("\n".join(metadata) + "\n").encode()),
        Entry(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: kith-release\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()),
    ]

    def line(entry: Entry) -> str:
        digest = base64.urlsafe_b64encode(hashlib.sha256(entry.data).digest()).rstrip(b"=").decode()
        return f"{entry.name},sha256={digest},{len(entry.data)}\n"

    record = "".join(map(line, entries)) + f"{info}/RECORD,,\n"
    return f"kith-{version}-{tag}.whl", zipped([*entries, Entry(f"{info}/RECORD", record.encode())], epoch)


def npm_package(package: dict, entries: list[Entry], epoch: int) -> tuple[str, bytes]:
    """An archive for `npm install`, under the name that `npm pack` would give it."""
    about = {"license": "Apache-2.0", "description": SUMMARY, **package}
    manifest = Entry("package.json", json.dumps(about, indent=4).encode() + b"\n")
    name = package["name"].lstrip("@").replace("/", "-")
    packed = tar([entry.below("package") for entry in [manifest, *entries]], epoch)
    return f"{name}-{package['version']}.tgz", gzipped(packed)


def npm_system(target: str) -> str:
    return system(target).replace("windows", "win32")


def npm_name(target: str) -> str:
    cpu = {"x86_64": "x64", "aarch64": "arm64"}[machine(target)]
    return f"@kith/cli-{npm_system(target)}-{cpu}" + ("-musl" if target.endswith("-musl") else "")


def npm_platform(version: str, target: str, program: bytes, entries: list[Entry], epoch: int) -> tuple[str, bytes]:
    name = npm_name(target)
    package = {"name": name, "version": version, "os": [npm_system(target)], "cpu": [name.split("-")[2]]}
    if system(target) == "linux":
        package["libc"] = ["musl" if target.endswith("-musl") else "glibc"]
    package["preferUnplugged"] = True
    return npm_package(package, [Entry(f"bin/{program_name(target)}", program, 0o755), *entries], epoch)


def npm_main(version: str, targets: list[str], root: Path, epoch: int) -> tuple[str, bytes]:
    package = {"name": "@kith/cli", "version": version, "bin": {"kith": "kith.js"}, "engines": {"node": ">=18"},
               "optionalDependencies": {npm_name(target): version for target in targets}}
    licence = Entry("LICENSE", (root / "LICENSE").read_bytes())
    return npm_package(package, [Entry("kith.js", LAUNCHER.encode(), 0o755), licence], epoch)
