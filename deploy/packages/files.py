"""Archives of which the same input makes the same bytes: entries in order, one time, owners and modes as given."""

import gzip
import io
import os
import tarfile
import time
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path


@dataclass(frozen=True, order=True)
class Entry:
    """A file of an archive, or a folder if its name ends in a slash."""

    name: str
    data: bytes = b""
    mode: int = 0o644

    def below(self, folder: str) -> "Entry":
        return replace(self, name=f"{folder}/{self.name}")


def folder_entries(folder: Path) -> list[Entry]:
    """What is in a folder, named from there, with the modes that it has."""
    entries = []
    for path in folder.rglob("*"):
        name, mode = path.relative_to(folder).as_posix(), path.stat().st_mode & 0o7777
        entries.append(Entry(f"{name}/", b"", mode) if path.is_dir() else Entry(name, path.read_bytes(), mode))
    return sorted(entries)


def tar(entries: list[Entry], epoch: int, owner: int = 0) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for entry in sorted(entries):
            info = tarfile.TarInfo(entry.name.rstrip("/"))
            info.type = tarfile.DIRTYPE if entry.name.endswith("/") else tarfile.REGTYPE
            info.size, info.mode, info.mtime, info.uid, info.gid = len(entry.data), entry.mode, epoch, owner, owner
            archive.addfile(info, io.BytesIO(entry.data))
    return out.getvalue()


def level() -> int:
    return int(os.environ.get("KITH_GZIP_LEVEL", "9"))


def gzipped(data: bytes) -> bytes:
    return gzip.compress(data, compresslevel=level(), mtime=0)


def zipped(entries: list[Entry], epoch: int) -> bytes:
    out = io.BytesIO()
    # The first day that a zip can say.
    moment = time.gmtime(max(epoch, 315532800))[:6]
    with zipfile.ZipFile(out, "w") as archive:
        for entry in entries:
            info = zipfile.ZipInfo(entry.name, moment)
            info.external_attr, info.create_system = (0o100000 | entry.mode) << 16, 3
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, entry.data, compresslevel=level())
    return out.getvalue()
