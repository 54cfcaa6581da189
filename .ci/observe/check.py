"""Asks, mail and calendars: what the program observes, and what a slow second reading of docs/asks.md does."""

import json
import random
import shutil
import subprocess
import sys
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from pathlib import Path

PROGRAM, ARCHIVE = sys.argv[1], sys.argv[2]
ROOT = Path("target/observe-check").resolve()
HOUR, DAY = 3600, 86400
MISTAKES = ["five_recipients", "before_the_ask", "any_sender", "one_way", "a_crowd_meets"]


def kith(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        sys.exit(f"observe-check: {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def address(one):
    return f"p{one}@mail{one}.example"


def name(one):
    first, last = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[one % 26], one // 26
    return f"{first}na{'bcdfghklmn'[last % 10]}o Ma{'rstvwxzkpq'[one % 10]}i{'lmnrst'[one % 6]}o{first.lower()}{'bcdfghklmn'[last % 10]}"


def moment(at):
    return datetime.fromtimestamp(at, timezone.utc)


def write_team(mails, events, members, people):
    """The files of the members: their mail, their calendar, and a card of everybody."""
    shutil.rmtree(ROOT, ignore_errors=True)
    ROOT.mkdir(parents=True)
    sections = ['[organization]\nname = "Acme"\n']
    for at, member in enumerate(members):
        cards = [f"BEGIN:VCARD\nVERSION:3.0\nFN:{name(one)}\nEMAIL:{address(one)}\nEND:VCARD\n" for one in people if one != member]
        (ROOT / f"m{member}.vcf").write_text("".join(cards))
        with (ROOT / f"m{member}.mbox").open("w") as box:
            for number, (when, sender, to) in enumerate(mails):
                if member == sender or member in to:
                    all_to = ", ".join(f"{name(one)} <{address(one)}>" for one in to)
                    box.write(
                        f"From x@x.example Mon Mar 11 09:14:00 2024\nFrom: {name(sender)} <{address(sender)}>\nTo: {all_to}\n"
                        f"Date: {format_datetime(moment(when))}\nMessage-ID: <{number}@x.example>\n\nhi\n\n"
                    )
        with (ROOT / f"m{member}.ics").open("w") as calendar:
            calendar.write("BEGIN:VCALENDAR\nVERSION:2.0\n")
            for number, (when, organizer, guests, declined) in enumerate(events):
                if member == organizer or member in guests:
                    calendar.write(f"BEGIN:VEVENT\nUID:{number}@x\nDTSTART:{moment(when):%Y%m%dT%H%M%SZ}\n"
                                   f"ORGANIZER;CN={name(organizer)}:mailto:{address(organizer)}\n")
                    for guest in guests:
                        state = "DECLINED" if guest in declined else "ACCEPTED"
                        calendar.write(f"ATTENDEE;CN={name(guest)};PARTSTAT={state}:mailto:{address(guest)}\n")
                    calendar.write("END:VEVENT\n")
            calendar.write("END:VCALENDAR\n")
        calendar = f'"m{member}.ics", ' if events else ""
        role = "admin" if at == 0 else "member"
        sections.append(
            f'[[members]]\nname = "{name(member)}"\nemail = "{address(member)}"\nrole = "{role}"\n'
            f'files = ["m{member}.mbox", {calendar}"m{member}.vcf"]\n'
        )
    (ROOT / "team.toml").write_text("\n".join(sections))


def observed(mails, events, members, ask, mistake=None):
    """The kinds, with the second of the mail or the day of the event."""
    asker, connector, target, asked = ask
    seen = [m for m in mails if any(one == m[1] or one in m[2] for one in members)]
    most = 5 if mistake == "five_recipients" else 4
    small = [m for m in seen if len(m[2]) <= most and (m[0] > asked or mistake == "before_the_ask")]
    found = {}
    for at, sender, to in small:
        is_sender = sender == (asker if connector is None else connector) or mistake == "any_sender"
        wanted = {target} if connector is None else {target, asker}
        if is_sender and wanted <= set(to) and "introduced" not in found:
            found["introduced"] = at
    if "introduced" in found:
        later = [m for m in small if m[0] > found["introduced"]]
        out = [at for at, sender, to in later if sender == asker and target in to]
        back = [at for at, sender, to in later if sender == target and asker in to]
        if out and back:
            found["in_touch"] = max(out[0], back[0])
        elif mistake == "one_way" and (out or back):
            found["in_touch"] = (out + back)[0]
    days = []
    for when, organizer, guests, declined in events:
        # Who declined is not counted.
        everybody = {organizer, *guests} - declined
        is_small = len(everybody) <= 5 or mistake == "a_crowd_meets"
        if not any(one in everybody for one in members) or not is_small:
            continue
        day = moment(when).date()
        if {asker, target} <= everybody and day >= moment(asked).date():
            days.append(day)
    if days:
        found["met"] = min(days)
    return found


def trial(mails, events, members, people, asks):
    """Has the program observe `asks`; gives both readings, as lists of lines."""
    write_team(mails, events, members, people)
    kith("import", "team.toml", "--tables", "tables", "--out", "a.kith")
    kith("ask", "create", "--asks", "asks.db")
    ids = {}
    for ask in asks:
        asker, connector, target, asked = ask
        over = [] if connector is None else ["--connector", address(connector)]
        at = f"{moment(asked):%Y-%m-%dT%H:%M:%SZ}"
        written = kith("ask", "add", address(target), *over, "--as", address(asker), "--at", at, "--asks", "asks.db",
                       "--snapshot", "a.kith", "--json")
        ids[json.loads(written)["ask"]["id"]] = ask
    kith("ask", "observe", "team.toml", "--tables", "tables", "--asks", "asks.db")
    before = kith("ask", "export", "--asks", "asks.db")
    again = kith("ask", "observe", "team.toml", "--tables", "tables", "--asks", "asks.db")
    if "observed: 0" not in again or kith("ask", "export", "--asks", "asks.db") != before:
        sys.exit(f"observe-check: a second look writes: {again}")
    found = []
    for event in map(json.loads, before.splitlines()):
        if event["by"]["kind"] != "observed":
            continue
        at = event["by"]["day"] if event["kind"] == "met" else event["at"][:19]
        found.append((ids[event["ask"]], event["kind"], at))
    return sorted(found, key=str), lambda mistake: sorted(expected(mails, events, members, asks, mistake), key=str)


def expected(mails, events, members, asks, mistake):
    for ask in asks:
        for kind, at in observed(mails, events, members, ask, mistake).items():
            yield ask, kind, str(at) if kind == "met" else f"{moment(at):%Y-%m-%dT%H:%M:%S}"


def drawn(seed):
    """Mail and events of twelve people, three of them members."""
    dice = random.Random(seed)
    people, start = list(range(12)), int(datetime(2024, 1, 1, tzinfo=timezone.utc).timestamp())
    members = people[:3]
    times = sorted(dice.sample(range(start, start + 120 * DAY), 420))
    mails = []
    for at in times:
        sender = dice.choice(people)
        to = dice.sample([one for one in people if one != sender], dice.choice([1, 1, 1, 2, 2, 3, 4, 5]))
        mails.append((at, sender, tuple(to)))
    events = []
    for _ in range(14):
        group = dice.sample(people, dice.randint(2, 6))
        declined = {one for one in group[1:] if dice.random() < 0.2}
        events.append((start + dice.randrange(120 * DAY), group[0], tuple(group[1:]), declined))
    asks = {}
    for _ in range(24):
        asker = dice.choice(members)
        connector, target = dice.sample([one for one in people if one != asker], 2)
        if dice.random() < 0.2:
            connector = None
        asks[asker, target] = (asker, connector, target, start + dice.randrange(110 * DAY))
    return mails, events, members, people, list(asks.values())


def archived(path):
    """A public archive: of its ten busiest people, each introduction that somebody made to them as an ask of an hour before."""
    mails = []
    for line in open(path):
        at, sender, to = line.split("\t")
        sender, to = int(sender), tuple(sorted({int(one) for one in to.split(",")} - {int(sender)}))
        if to:
            mails.append((int(at), sender, to))
    mails.sort()
    count = {}
    for _, sender, to in mails:
        for one in {sender, *to}:
            count[one] = count.get(one, 0) + 1
    members = sorted(count, key=lambda one: (-count[one], one))[:10]
    # Two mails of one second have no order.
    seconds = [at for at, _, _ in mails]
    once = {at for at in seconds if seconds.count(at) == 1} if len(seconds) < 30_000 else set(seconds)
    mails = [mail for mail in mails if mail[0] in once]
    wrote, asks = set(), {}
    for at, sender, to in mails:
        if 2 <= len(to) <= 4:
            for one in to:
                for other in to:
                    strangers = (one, other) not in wrote and (other, one) not in wrote
                    if one in members and one != other and strangers and (one, other) not in asks:
                        asks[one, other] = (one, sender, other, at - HOUR)
        wrote |= {(sender, one) for one in to}
    people = sorted({one for ask in asks.values() for one in (ask[0], ask[1], ask[2])} | set(members))
    return mails, [], members, people, [ask for ask in asks.values() if ask[0] != ask[1] and ask[2] != ask[1]]


def main():
    trials = [(f"drawn {seed}", drawn(seed)) for seed in range(6)]
    if ARCHIVE:
        trials.append(("the archive", archived(ARCHIVE)))
    caught, total = set(), 0
    for what, of in trials:
        found, second = trial(*of)
        if found != second(None):
            missing = [line for line in second(None) if line not in found]
            others = [line for line in found if line not in second(None)]
            sys.exit(f"observe-check: {what}: not observed {missing[:5]}, observed besides {others[:5]}")
        caught |= {mistake for mistake in MISTAKES if second(mistake) != found}
        total += len(found)
        kinds = {kind: sum(line[1] == kind for line in found) for kind in ("introduced", "in_touch", "met")}
        print(f"observe-check: {what}: {len(of[4])} asks over {len(of[0])} mails: {kinds}", flush=True)
    if caught != set(MISTAKES):
        sys.exit(f"observe-check: mistakes that change nothing: {set(MISTAKES) - caught}")
    print(f"observe-check: {total} events, as a second reading has them; each of {len(MISTAKES)} mistakes is found")


main()
