#!/usr/bin/env python3
"""The Enron network of the R package igraphdata as events: one mail a line, for `cargo bench --bench answers`.

    python3 enron_events.py igraphdata/data/enron.rda > enron.tsv

A line is the second since 1970 at which the mail was sent (a clock without a zone, read as UTC), the sender, and the
recipients with commas between them, each a number. Mail to oneself alone and mail dated before 1998 (the package says
that those dates are wrong) is left out. Needs nothing but Python 3.
"""

import lzma
import struct
import sys
from collections import defaultdict
from datetime import datetime, timezone

FIRST_SECOND = datetime(1998, 1, 1, tzinfo=timezone.utc).timestamp()


class Reader:
    """R's serialization in its XDR form, version 2 or 3: as much of it as the file has."""

    def __init__(self, data):
        self.data, self.at, self.references = data, 0, []

    def take(self, form):
        size = struct.calcsize(form)
        values = struct.unpack_from(form, self.data, self.at)
        self.at += size
        return values

    def int(self):
        return self.take(">i")[0]

    def item(self):
        flags = self.int()
        kind, has_attributes, has_tag = flags & 255, flags & 512, flags & 1024
        if kind in (254, 253, 252, 251, 250, 242, 241):  # NULL, fixed environments, missing and unbound values
            return None
        if kind == 255:
            return self.references[(flags >> 8 or self.int()) - 1]
        if kind == 1:
            self.references.append(self.item())
            return self.references[-1]
        if kind == 4:  # an environment: nothing in it is wanted
            self.int()
            self.references.append({})
            for _ in range(4):
                self.item()
            return None
        if kind == 22:  # a pointer of the program that wrote it
            self.references.append(None)
            for _ in range(3 if has_attributes else 2):
                self.item()
            return None
        if kind in (2, 3, 5, 6):
            return self.pairs(has_attributes, has_tag)
        if kind == 9:
            size = self.int()
            return None if size == -1 else self.text(size)
        value = self.vector(kind)
        if has_attributes:
            names = (self.item() or {}).get("names")
            if kind == 19 and names:
                return dict(zip(names, value))
        return value

    def text(self, size):
        self.at += size
        return self.data[self.at - size : self.at].decode("latin-1")

    def pairs(self, has_attributes, has_tag):
        if has_attributes:
            self.item()
        tag = self.item() if has_tag else None
        pairs = {tag: self.item()}
        pairs.update(self.item() or {})
        return pairs

    def vector(self, kind):
        size = self.int()
        if kind in (10, 13):
            return self.take(f">{size}i")
        if kind == 14:
            return self.take(f">{size}d")
        if kind in (16, 19, 20):
            return [self.item() for _ in range(size)]
        raise SystemExit(f"type {kind} at byte {self.at} is not known here")


def main():
    data = lzma.open(sys.argv[1]).read()
    reader = Reader(data)
    magic, form = reader.take(">5s2s")
    version, _, _ = reader.take(">3i")
    if magic not in (b"RDX2\n", b"RDX3\n") or form != b"X\n":
        raise SystemExit("no R data file in XDR form")
    if version == 3:
        reader.text(reader.int())
    graph = reader.item()["enron"]
    # The parts of an igraph object: vertices, directed, from, to, four indexes, attributes.
    senders, recipients, attributes = graph[2], graph[3], graph[8]
    times = attributes[3]["Time"]
    mails = defaultdict(set)
    for sender, recipient, time in zip(senders, recipients, times):
        second = int(datetime.fromisoformat(time).replace(tzinfo=timezone.utc).timestamp())
        if sender != recipient and second >= FIRST_SECOND:
            mails[second, int(sender)].add(int(recipient))
    for (second, sender), others in sorted(mails.items()):
        print(second, sender, ",".join(map(str, sorted(others))), sep="\t")


if __name__ == "__main__":
    main()
