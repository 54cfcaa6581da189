#!/usr/bin/env python3
"""How often ties that `kith import` derives of one mailbox are right, on an archive in which everybody's mail is at hand.

    python3 docs/studies/derived_ties.py events.tsv PROGRAM

`events.tsv` has a mail a line: the second since 1970, the sender, the recipients with commas between them, each a number
(`enron_events.py` makes one). The later half of the mail is judged: for each person their part of it is written as a mail
archive and imported alone, with derived ties and without. A pair that was seen is true if both wrote to each other, at
any time, in mail that the owner is not on. Prints pairs, true ones and their share with Wilson's interval of 95 % by kind
and days, and how many people are in reach of the 60 largest mailboxes. Needs Python 3 and nothing else."""

import collections
import datetime
import json
import math
import os
import subprocess
import sys
import tempfile

LARGEST = 60


def read(path):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            second, sender, to = line.rstrip("\n").split("\t")
            others = [one for one in to.split(",") if one != sender]
            if others:
                yield int(second), sender, others


def address(person):
    return f"p{person}@archive.example"


def write_mailbox(path, events, owner):
    count = 0
    with open(path, "w", encoding="utf-8") as out:
        for number, (second, sender, to) in enumerate(events):
            if owner != sender and owner not in to:
                continue
            day = datetime.datetime.fromtimestamp(second, datetime.timezone.utc).strftime("%a, %d %b %Y %H:%M:%S +0000")
            heads = ", ".join(f"Person P{one} <{address(one)}>" for one in to)
            out.write(f"From x@x.example Mon Mar  2 10:00:00 2026\nFrom: Person P{sender} <{address(sender)}>\nTo: {heads}\n"
                      f"Date: {day}\nMessage-ID: <{number}@archive.example>\n\n.\n\n")
            count += 1
    return count


def rows(folder, table):
    path = os.path.join(folder, f"{table}.ndjson")
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def imported(program, mailbox, owner, folder, *more):
    command = [program, "import", mailbox, "--org", "Study", "--me", f"Person P{owner}", "--email", address(owner), "--tables", folder, *more]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def reach(folder):
    edges = collections.defaultdict(set)
    for row in rows(folder, "connections"):
        edges[row["from"]].add(row["to"])
    own = {row["personId"] for row in rows(folder, "members")}
    first = set().union(*(edges[one] for one in own))
    return len((first | set().union(*(edges[one] for one in first))) - own)


def wilson(true, pairs):
    share, z = true / pairs, 1.96
    middle, spread = share + z * z / (2 * pairs), z * math.sqrt(share * (1 - share) / pairs + z * z / (4 * pairs * pairs))
    return [100 * (middle + sign * spread) / (1 + z * z / pairs) for sign in (-1, 1)]


def main():
    events = sorted(read(sys.argv[1]))
    program = sys.argv[2]
    wrote = collections.defaultdict(list)
    for _, sender, to in events:
        for one in to:
            wrote[sender, one].append({sender, *to})

    def knows(one, other, owner):
        return all(any(owner not in on for on in wrote[pair]) for pair in ((one, other), (other, one)))

    late = events[len(events) // 2:]
    people = sorted({sender for _, sender, _ in late} | {one for _, _, to in late for one in to}, key=int)
    pairs, true = collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory() as work:
        boxes = {person: os.path.join(work, f"{person}.mbox") for person in people}
        counts = {person: write_mailbox(box, late, person) for person, box in boxes.items()}
        gained = {}
        largest = sorted(people, key=lambda person: (-counts[person], int(person)))[:LARGEST]
        for owner in people:
            folder, bare = os.path.join(work, f"t{owner}"), os.path.join(work, f"b{owner}")
            imported(program, boxes[owner], owner, folder)
            number = {row["id"]: row["email"][1:].split("@")[0] for row in rows(folder, "people") if row.get("email")}
            for row in rows(folder, "derived"):
                one, other = number.get(row["from"]), number.get(row["to"])
                kind = next((kind for kind in ("both", "one") if kind in row["kinds"]), None)
                if kind and one and other:
                    pairs[kind, min(row["days"], 5)] += 1
                    true[kind, min(row["days"], 5)] += knows(one, other, owner)
            if owner in largest:
                imported(program, boxes[owner], owner, bare, "--no-derive")
                gained[owner] = reach(folder), reach(bare)
    print(f"{len(late)} mails of {len(people)} people\nKIND  DAYS         PAIRS  TRUE  SHARE  95 %")
    for kind in ("both", "one"):
        spans = [(str(days), [days]) for days in range(1, 5)] + [("5 and more", [5]), ("1 and more", range(1, 6)), ("2 and more", range(2, 6))]
        for name, days in spans:
            count, right = (sum(of[kind, day] for day in days) for of in (pairs, true))
            if count:
                low, high = wilson(right, count)
                print(f"{kind:5} {name:12} {count:5}  {right:4}  {100 * right / count:3.0f} %  {low:.0f} to {high:.0f} %")
    derived, bare = (sum(of[place] for of in gained.values()) for place in (0, 1))
    more = f"{100 * (derived / bare - 1):+.0f} %" if bare else "none without"
    print(f"in reach of {len(gained)} mailboxes: {derived}, without derived ties {bare} ({more})")


main()
