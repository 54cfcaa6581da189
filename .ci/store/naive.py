"""The controls: a push and a pull that do what `kith push` and `kith pull` do, without what makes those safe.

    naive.py PROGRAM push FILE... --cell URL
    naive.py PROGRAM pull --cell URL --into DIR --once

The push replaces the manifest whatever it is by now, and before the files are there. The pull writes under the names that are
served, and goes on behind what tore whatever version that is of.
"""

import http.client
import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

from bench import SIGNED


def request(url, data=None, headers=None):
    method = "GET" if data is None else "PUT"
    return urllib.request.urlopen(urllib.request.Request(url, data=data, method=method, headers={**SIGNED, **(headers or {})}), timeout=60)


def fetch(url, path):
    with open(path, "wb") as file:
        for _ in range(4):
            behind = file.tell()
            try:
                answer = request(url, headers={"Range": f"bytes={behind}-"} if behind else None)
                while chunk := answer.read1(1 << 16):
                    file.write(chunk)
                    file.flush()
                if answer.length in (0, None):
                    return
            except (http.client.HTTPException, urllib.error.HTTPError, OSError):
                pass


def main(program, verb, *arguments):
    arguments = [argument for argument in arguments if argument != "--once"]
    cell = arguments.pop(arguments.index("--cell") + 1)
    arguments.remove("--cell")
    manifest_url = f"{os.environ['AWS_ENDPOINT']}/{cell.removeprefix('s3://')}.json"
    objects = manifest_url.rsplit("/cells/", 1)[0] + "/snapshots"
    try:
        manifest = json.load(request(manifest_url))
    except urllib.error.HTTPError:
        manifest = {"organizations": {}}
    if verb == "push":
        described = {file: json.loads(subprocess.run([program, "inspect", file, "--json"], check=True,
                                                     capture_output=True).stdout) for file in arguments}
        for about in described.values():
            manifest["organizations"][about["organization"]["id"]] = about["identity"]
        request(manifest_url, json.dumps(manifest).encode()).close()
        for file, about in described.items():
            for ending in (".kith", ".kith.sqlite"):
                data = Path(file).with_suffix(ending).read_bytes()
                request(f"{objects}/{about['organization']['id']}/{about['identity']}{ending}", data).close()
        print("pushed")
        return
    into = Path(arguments[arguments.index("--into") + 1])
    into.mkdir(exist_ok=True)
    for organization, identity in manifest["organizations"].items():
        for ending in (".kith", ".kith.sqlite"):
            fetch(f"{objects}/{organization}/{identity}{ending}", into / f"{organization}{ending}")


if __name__ == "__main__":
    main(*sys.argv[1:])
