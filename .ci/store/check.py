"""Pushes snapshots to an emulator of S3 and pulls them, as operators do, while what lies between fails on purpose.

    check.py PROGRAM WORK

Each trial returns what went wrong in it. kith has to come out of it without a fault, and the control (naive.py), which does
the same without what makes it safe, with one.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

from bench import Site, fail, get_object, put_object
from between import Between

CELL = "s3://kith/some/prefix/cells/eu-1"
NAIVE = Path(__file__).with_name("naive.py")


class Trials:
    """Trials of one way to push and pull. Each has a place of its own in the store."""

    def __init__(self, site, between, name, command):
        self.site, self.between, self.name, self.command, self.count = site, between, name, command, 0

    def place(self):
        self.count += 1
        return f"s3://kith/{self.name}-{self.count}/cells/one", self.site.folder / f"{self.name}-{self.count}"

    def start(self, *arguments):
        """Starts the command, which asks the store by what lies between."""
        environment = {**self.site.environment, "AWS_ENDPOINT": self.between.url}
        return subprocess.Popen([*map(str, self.command), *map(str, arguments)], env=environment, text=True,
                                cwd=self.site.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def run(self, *arguments):
        """Runs the command to its end, or until it is killed; returns its exit code and what it said."""
        process = self.start(*arguments)
        self.between.victim = process
        said, _ = process.communicate(timeout=120)
        return process.returncode, said

    def faults_of(self, folder, organization, allowed):
        """What is wrong with what `folder` would serve: a whole snapshot with one of the identities `allowed`."""
        snapshot = folder / f"{organization}.kith"
        if not snapshot.exists():
            return [] if None in allowed else [f"{snapshot.name} is not there"]
        checked = subprocess.run([self.site.program, "verify", snapshot], capture_output=True, text=True, timeout=60)
        if checked.returncode != 0:
            return [f"{checked.stderr.strip()}"]
        return [] if self.site.identity(snapshot) in allowed else [f"{snapshot.name} is another one"]

    def end_well(self, cell, folder, identity):
        """A pull that nothing hinders puts `identity` in place."""
        self.between.reset()
        code, said = self.run("pull", "--cell", cell, "--into", folder, "--once")
        return ([] if code == 0 else [said]) + self.faults_of(folder, "org_a", {identity})

    def torn_for_good(self):
        """A store of which every answer tears: what is served stays."""
        cell, folder = self.place()
        old, _ = self.versions(cell, folder)
        self.between.tear(r"/snapshots/", 1_000)
        code, said = self.run("pull", "--cell", cell, "--into", folder, "--once")
        self.between.reset()
        return self.faults_of(folder, "org_a", {old}) + ([] if code == 1 else [f"exit code {code}: {said}"])

    def replaced(self):
        """A store in which an object is replaced while it is read: no file of two halves is served."""
        cell, folder = self.place()
        old, new = self.versions(cell, folder)
        url = f"{self.site.s3}/kith/{cell.split('/')[3]}/snapshots/org_a/{new}.kith"
        other = (self.site.folder / "b.kith").read_bytes()
        self.between.tear(r"\.kith$", 1, lambda: put_object(url, other))
        self.run("pull", "--cell", cell, "--into", folder, "--once")
        self.between.reset()
        return self.faults_of(folder, "org_a", {old, new})

    def killed_pull(self):
        """A pull that is killed at every point of its talk with the store: the folder serves, and a later one ends it."""
        faults, points = [], 0
        while not faults:
            cell, folder = self.place()
            old, new = self.versions(cell, folder)
            self.between.kill_at = points + 1
            code, said = self.run("pull", "--cell", cell, "--into", folder, "--once")
            if code >= 0:
                return faults + ([] if code == 0 and points >= 6 else [f"killed at {points} points: {said}"])
            points += 1
            self.killed_pulls = points
            faults += self.faults_of(folder, "org_a", {old, new}) + self.end_well(cell, folder, new)
        return faults

    def killed_push(self):
        """A push that is killed at every point: what the manifest names is there whole, and a later push ends it."""
        faults, points = [], 0
        while not faults:
            cell, folder = self.place()
            old = self.push_old(cell)
            new = self.site.identity("a2.kith")
            self.between.kill_at = points + 1
            code, said = self.run("push", "a2.kith", "--cell", cell)
            if code >= 0:
                return faults + ([] if code == 0 and points >= 12 else [f"killed at {points} points: {said}"])
            points += 1
            self.killed_pushes = points
            self.between.reset()
            code, said = self.run("pull", "--cell", cell, "--into", folder, "--once")
            faults += ([] if code == 0 else [said]) + self.faults_of(folder, "org_a", {old, new})
            code, said = self.run("push", "a2.kith", "--cell", cell)
            faults += ([] if code == 0 else [said]) + self.end_well(cell, folder, new)
        return faults

    def two_pushers(self):
        """Two pushers who read the same manifest: of one organization one wins and the other is refused; of two
        organizations neither is lost."""
        cell, _ = self.place()
        self.push_old(cell)
        both = self.push_both(cell, "a2.kith", "a3.kith")
        codes = sorted(code for code, _ in both)
        won = [self.site.identity(file) for file, (code, _) in zip(("a2.kith", "a3.kith"), both) if code == 0]
        faults = [] if codes == [0, 1] else [f"exit codes {codes}: {both}"]
        if [self.manifest(cell)["org_a"]] != won:
            faults.append("the manifest does not name the one that won")
        if codes == [0, 1] and not any("another push" in said for code, said in both if code == 1):
            faults.append(f"the other one does not say why: {both}")
        both = self.push_both(cell, "b.kith", "c.kith")
        if [code for code, _ in both] != [0, 0] or {"org_b", "org_c"} - set(self.manifest(cell)):
            faults.append(f"one of two organizations is lost: {both}, {sorted(self.manifest(cell))}")
        return faults

    def push_both(self, cell, first, second):
        self.between.reset()
        self.between.meet(r"/cells/one\.json", 2)
        pushers = [self.start("push", file, "--cell", cell) for file in (first, second)]
        said = [pusher.communicate(timeout=120)[0] for pusher in pushers]
        return [(pusher.returncode, text) for pusher, text in zip(pushers, said)]

    def manifest(self, cell):
        return json.loads(get_object(f"{self.site.s3}/{cell.removeprefix('s3://')}.json"))["organizations"]

    def push_old(self, cell):
        self.between.reset()
        self.site.kith("push", "a.kith", "--cell", cell)
        return self.site.identity("a.kith")

    def versions(self, cell, folder):
        """A folder that serves one version of an organization, and a cell whose manifest names a newer one."""
        old = self.push_old(cell)
        self.site.kith("pull", "--cell", cell, "--into", folder, "--once")
        self.site.kith("push", "a2.kith", "--cell", cell)
        return old, self.site.identity("a2.kith")


def as_operators_do(site):
    """What docs/cells.md says, one step after the other."""
    first = site.identity("a.kith")
    said = site.kith("push", "a.kith", "b.kith", "--cell", CELL)
    assert "pushed 4 files" in said, said
    assert "pushed 0 files" in site.kith("push", "a.kith", "--cell", CELL)
    said = site.kith("pull", "--cell", CELL, "--into", "served", "--once")
    assert site.identity("served/org_a.kith") == first, said
    site.kith("verify", "served/org_a.kith")

    # A newer one, and one that leaves.
    second = site.identity("a2.kith")
    site.kith("push", "a2.kith", "--remove", "org_b", "--cell", CELL)
    site.kith("pull", "--cell", CELL, "--into", "served", "--once")
    assert site.identity("served/org_a.kith") == second
    note = json.loads((site.folder / "served/cell.json").read_text())
    assert note["organizations"] == {"org_a": second} and list(note["left"]) == ["org_b"], note

    # A damaged object is refused, and what is served stays.
    third = site.identity("a3.kith")
    site.kith("push", "a3.kith", "--cell", CELL)
    url = f"{site.s3}/kith/some/prefix/snapshots/org_a/{third}.kith"
    whole = get_object(url)
    put_object(url, whole[:-1] + bytes([whole[-1] ^ 1]))
    said = site.kith("pull", "--cell", CELL, "--into", "served", "--once", well=False)
    assert "org_a" in said, said
    assert site.identity("served/org_a.kith") == second
    put_object(url, whole)
    assert get_object(url) == whole


def resumed(trials):
    """What tore is taken up where it tore: only the rest is sent again. An unchanged cell costs one request."""
    between, folder = trials.between, trials.site.folder / "resumed"
    between.reset()
    between.tear(r"\.kith$", 1)
    code, said = trials.run("pull", "--cell", CELL, "--into", folder, "--once")
    assert code == 0, said
    ranges = [asked[2] for asked in between.requests if asked[1].endswith(".kith")]
    assert len(ranges) == 2 and ranges[0] is None and ranges[1] is not None, ranges
    assert trials.site.identity(folder / "org_a.kith") == trials.site.identity("a3.kith")
    between.reset()
    code, said = trials.run("pull", "--cell", CELL, "--into", folder, "--once")
    assert code == 0 and len(between.requests) == 1, f"{between.requests}{said}"


def main(program, work):
    site = Site(program, work, "store")
    for file, organization, seed in (("a", "org_a", 1), ("a2", "org_a", 2), ("a3", "org_a", 3), ("b", "org_b", 1),
                                     ("c", "org_c", 1)):
        site.build(organization, seed, f"{file}.kith")
    as_operators_do(site)
    between = Between(site.s3)
    kith = Trials(site, between, "kith", [program])
    resumed(kith)
    print("store-check: as documented; a torn stream is taken up where it tore; an unchanged cell costs one request")
    naive = Trials(site, between, "naive", [sys.executable, NAIVE, program])
    for trial in ("torn_for_good", "replaced", "killed_pull", "killed_push", "two_pushers"):
        faults = getattr(kith, trial)()
        if faults:
            fail(f"{trial}: {faults}")
        shown = getattr(naive, trial)()
        if not shown:
            fail(f"{trial}: the control comes out of it without a fault: the trial shows nothing")
        print(f"store-check: {trial}: no fault; the control: {shown[0].splitlines()[0][:150]}")
    print(f"store-check: killed at {kith.killed_pulls} points of a pull and {kith.killed_pushes} of a push")

    # What is not there, and a store that is gone.
    between.reset()
    assert "no such object" in site.kith("pull", "--cell", CELL + "x", "--into", "other", "--once", well=False)
    served = site.identity("served/org_a.kith")
    site.emulator.kill()
    site.emulator.wait()
    said = site.kith("pull", "--cell", CELL, "--into", "served", "--once", well=False)
    assert "cells/eu-1.json" in said, said
    assert site.identity("served/org_a.kith") == served
    print("store-check: passed")


if __name__ == "__main__":
    began = time.monotonic()
    try:
        main(*sys.argv[1:])
    except AssertionError as error:
        fail(f"{error!r}")
    print(f"store-check: {time.monotonic() - began:.0f} s")
