"""The targets of a release: what their systems call a program, and what a built one says of the system that it needs."""

import struct

TARGETS = [
    *(f"{machine}-unknown-linux-{library}" for machine in ("x86_64", "aarch64") for library in ("gnu", "musl")),
    "x86_64-pc-windows-gnu", "aarch64-apple-darwin", "x86_64-apple-darwin",
]
# Commands of a Mach-O file that say the oldest macOS that it runs on, and where that is in them.
LC_VERSION_MIN_MACOSX, LC_BUILD_VERSION = (0x24, 8), (0x32, 12)
# What Rust builds for if it is not told otherwise.
OLDEST = {"aarch64": (11, 0), "x86_64": (10, 12)}


def system(target: str) -> str:
    return next(name for name in ("linux", "windows", "darwin") if name in target.split("-"))


def machine(target: str) -> str:
    return target.split("-")[0]


def program_name(target: str) -> str:
    return "kith.exe" if system(target) == "windows" else "kith"


def oldest_macos(target: str, program: bytes) -> tuple[int, int]:
    """The oldest macOS that the program says it runs on."""
    if program[:4] != b"\xcf\xfa\xed\xfe":
        return OLDEST[machine(target)]
    at, (commands,) = 32, struct.unpack_from("<I", program, 16)
    for _ in range(commands):
        command, length = struct.unpack_from("<II", program, at)
        for kind, offset in (LC_VERSION_MIN_MACOSX, LC_BUILD_VERSION):
            if command == kind:
                (version,) = struct.unpack_from("<I", program, at + offset)
                return version >> 16, version >> 8 & 0xFF
        at += length
    return OLDEST[machine(target)]
