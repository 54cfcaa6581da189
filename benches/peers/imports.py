#!/usr/bin/env python3
"""How long an import of a million rows takes, the next one with a tenth of them changed, and a mail archive.

    python3 benches/peers/imports.py --rows 1000000 --mail 3000000000 --work /tmp/imports [--kith PROGRAM]

Each row of the table is a contact with name, company, title and address, as LinkedIn exports them; a third of the rows repeat a
person, as exports of several colleagues do. In the second import a tenth of the rows has another title. All but a few bytes in a
hundred of the mail archive are bodies, which are passed over.
"""

import argparse
import os
import pathlib
import random
import shutil
import subprocess
import time

SYLLABLES = "ba be bi bo da de di do fa fe ka ke ki ko la le li lo ma me mi mo na ne ni no ra re ri ro sa se si so ta te ti to va ve vi vo".split()
HEADER = "First Name,Last Name,URL,Email Address,Company,Position,Connected On\n"
TITLES = ["Engineer", "Sales Director", "Partner", "Founder", "Analyst", "Head of Product", "Recruiter", "Counsel"]


def word(dice, syllables):
    return "".join(dice.choice(SYLLABLES) for _ in range(syllables)).capitalize()


def contacts(path, rows, changed):
    """Writes `rows` contacts of two thirds as many people; `changed` is the share whose title is another."""
    dice, turn = random.Random(7), random.Random(8)
    companies = [f"{word(dice, 3)} {dice.choice(('Labs', 'GmbH', 'Capital', 'Systems'))}" for _ in range(rows // 25)]
    people = []
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEADER)
        for number in range(rows):
            if number % 3 or not people:
                given, family = word(dice, 2), word(dice, 3)
                people.append((given, family, number, dice.choice(companies), dice.choice(TITLES)))
                person = people[-1]
            else:
                person = dice.choice(people)
            given, family, own, company, title = person
            if turn.random() < changed:
                title = f"Senior {title}"
            handle = f"https://www.linkedin.com/in/{given}-{family}-{own}".lower()
            email = f"{given}.{family}{own}@{company.split()[0]}.example".lower() if own % 4 == 0 else ""
            file.write(f"{given},{family},{handle},{email},{company},{title},{own % 27 + 1:02} Mar 2024\n")


def archive(path, size):
    """Writes mail of 3,000 people with the owner, of about `size` bytes."""
    dice = random.Random(9)
    people = [(word(dice, 2), word(dice, 3)) for _ in range(3_000)]
    body, number, written = ("QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5ejAxMjM0NTY3\n" * 130), 0, 0
    with open(path, "w", encoding="utf-8") as file:
        while written < size:
            given, family = dice.choice(people)
            other, own = f"{given} {family} <{given}.{family}@mail.example>".lower().title(), "Ana Ruiz <ana@own.example>"
            pair = (own, other) if number % 2 else (other, own)
            day = f"{number % 27 + 1:02} Mar {2015 + number % 10} 10:00:00 +0000"
            written += file.write(
                f"From - Mon Mar {number % 27 + 1:02} 10:00:00 {2015 + number % 10}\nReceived: from a.example by b.example; {day}\nMessage-ID: <{number}@mail.example>\nDate: Mon, {day}\n"
                f"From: {pair[0]}\nTo: {pair[1]}\nSubject: Re: about {number}\nMIME-Version: 1.0\nContent-Type: text/plain\n\n{body}\n"
            )
            number += 1


def measured(what, *command):
    """Runs a command; prints its time, its processor time and the most memory it took."""
    start = time.perf_counter()
    process = subprocess.Popen([*map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    taken = time.perf_counter() - start
    if status:
        raise SystemExit(f"{what}: ended with {status}")
    print(f"| {what} | {taken:.1f} s | {usage.ru_utime + usage.ru_stime:.1f} s | {usage.ru_maxrss // 1024} MiB |", flush=True)
    return taken


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--mail", type=int, default=300_000_000, help="bytes of the archive")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="a folder for what is made; kept")
    parser.add_argument("--kith", default="target/release/kith")
    asked = parser.parse_args()
    asked.work.mkdir(parents=True, exist_ok=True)
    first, second, mail = (asked.work / name for name in (f"{asked.rows}-1.csv", f"{asked.rows}-2.csv", f"{asked.mail}.mbox"))
    for path, changed in ((first, 0), (second, 0.1)):
        if not path.exists():
            contacts(path, asked.rows, changed)
    if not mail.exists():
        archive(mail, asked.mail)
    tables = asked.work / "tables"
    shutil.rmtree(tables, ignore_errors=True)
    print("| import | time | CPU | memory |\n| --- | --- | --- | --- |")
    command = (asked.kith, "import", "--org", "Northwind", "--me", "Ana Ruiz", "--email", "ana@own.example")
    measured(f"{asked.rows:,} rows", *command, first, "--tables", tables)
    measured("again, a tenth changed", *command, second, "--tables", tables)
    shutil.rmtree(tables)
    taken = measured(f"{asked.mail / 1e6:,.0f} MB of mail", *command, mail, "--tables", tables)
    print(f"\n{mail.stat().st_size / taken / 1e6:.0f} MB of mail a second")


if __name__ == "__main__":
    main()
