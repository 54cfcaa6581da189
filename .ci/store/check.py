"""Pushes snapshots to an emulator of S3 and pulls them, as operators do.

    check.py PROGRAM WORK
"""

import json
import sys
import urllib.request

from bench import Site, fail

CELL = "s3://kith/some/prefix/cells/eu-1"


def main(program, work):
    site = Site(program, work, "store")
    first = site.build("org_a", 1, "a.kith")
    site.build("org_b", 1, "b.kith")
    said = site.kith("push", "a.kith", "b.kith", "--cell", CELL)
    assert "pushed 4 files" in said, said
    assert "pushed 0 files" in site.kith("push", "a.kith", "--cell", CELL)
    said = site.kith("pull", "--cell", CELL, "--into", "served", "--once")
    assert "org_a: pulled" in said and "org_b: pulled" in said, said
    assert site.identity("served/org_a.kith") == first
    site.kith("verify", "served/org_a.kith")
    assert "pulled" not in site.kith("pull", "--cell", CELL, "--into", "served", "--once")

    # A newer one, and one that leaves.
    second = site.build("org_a", 2, "a.kith")
    assert second != first
    site.kith("push", "a.kith", "--remove", "org_b", "--cell", CELL)
    site.kith("pull", "--cell", CELL, "--into", "served", "--once")
    assert site.identity("served/org_a.kith") == second
    note = json.loads((site.folder / "served/cell.json").read_text())
    assert note["organizations"] == {"org_a": second} and list(note["left"]) == ["org_b"], note

    # A file of several parts: its ETag is no digest, and a range of it continues what tore.
    site.kith("generate", "many", "--people", 20000, "--seed", 3, "--org", "org_many")
    site.kith("build", "many", "--out", "many.kith")
    site.kith("push", "many.kith", "--cell", CELL)
    site.kith("pull", "--cell", CELL, "--into", "served", "--once")
    assert site.identity("served/org_many.kith") == site.identity("many.kith")

    # A damaged object is refused, and what is served stays.
    third = site.build("org_a", 3, "a.kith")
    site.kith("push", "a.kith", "--cell", CELL)
    url = f"{site.s3}/kith/some/prefix/snapshots/org_a/{third}.kith"
    whole = urllib.request.urlopen(url, timeout=10).read()
    damaged = whole[:-1] + bytes([whole[-1] ^ 1])
    put = urllib.request.Request(url, data=damaged, method="PUT")
    urllib.request.urlopen(put, timeout=10).close()
    said = site.kith("pull", "--cell", CELL, "--into", "served", "--once", well=False)
    assert "org_a" in said, said
    assert site.identity("served/org_a.kith") == second

    # What is not there, and a store that is gone.
    assert "no such object" in site.kith("pull", "--cell", CELL + "x", "--into", "other", "--once", well=False)
    site.emulator.kill()
    said = site.kith("pull", "--cell", CELL, "--into", "served", "--once", well=False)
    assert "cells/eu-1.json" in said, said
    assert site.identity("served/org_a.kith") == second
    print("store-check: passed")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except AssertionError as error:
        fail(f"{error!r}")
