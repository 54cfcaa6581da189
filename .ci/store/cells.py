"""Two cells behind HAProxy under load: replicas killed and started, an organization moved, a key revoked.

    cells.py PROGRAM WORK HAPROXY [REQUESTS]
"""

import http.client
import json
import re
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path

from bench import ROOT, Site, fail, free_port, status, until

REQUESTS = 10_000
WORKERS = 12
# Seconds: many rounds of `kith pull`, also on a slow machine.
AGE_MAX = 20
# Seconds that nothing here needs.
WAIT = 120
HOSTS = {"org_a": "org-a.kith.example", "org_b": "org-b.kith.example"}


class Replica:
    """A server, and the process beside it that pulls its cell."""

    def __init__(self, site, cell, name, address):
        self.site, self.cell, self.name, self.address = site, f"s3://kith/cells/{cell}", f"{cell}-{name}", address
        self.operator = f"http://127.0.0.1:{free_port()}"
        folder = site.folder / self.name
        folder.mkdir()
        self.files = ["--credentials", folder / "credentials.db", "--suppressions", folder / "forget.txt"]
        self.snapshots = folder / "snapshots"
        (folder / "kith.toml").write_text(
            f'[cell]\nfolder = "{self.snapshots}"\nage_max_seconds = {AGE_MAX}\n[explorer]\nenabled = false\n')
        self.config = folder / "kith.toml"

    def start(self):
        self.site.kith("pull", "--cell", self.cell, "--into", self.snapshots, *self.files, "--once")
        self.serve()
        self.puller = self.site.start(f"{self.name}-pull", [
            self.site.program, "pull", "--cell", self.cell, "--into", self.snapshots, *self.files,
            "--reload", self.operator])

    def serve(self):
        self.server = self.site.start(f"{self.name}-serve", [
            self.site.program, "serve", "--snapshots", self.snapshots, *self.files, "--config", self.config,
            "--listen", self.address, "--admin-listen", self.operator.removeprefix("http://")])

    def is_ready(self):
        return status(f"{self.operator}/readyz") == 200

    def left(self):
        return json.loads((self.snapshots / "cell.json").read_text())["left"]

    def status(self, key):
        return status(f"http://{self.address}/api/v1/search/people?q=an", key)


class Proxy:
    """HAProxy as deploy/cells/haproxy.cfg configures it, at addresses of this machine."""

    def __init__(self, site, program, cells, name, leave_out=""):
        folder = site.folder / name
        folder.mkdir()
        self.map, self.address = folder / "hosts.map", f"127.0.0.1:{free_port()}"
        # The path of a socket has a hundred characters at most.
        self.short = tempfile.TemporaryDirectory()
        self.socket = Path(self.short.name) / "admin.sock"
        self.map.write_text("".join(f"{host} eu-1\n" for host in HOSTS.values()))
        text = (ROOT / "deploy/cells/haproxy.cfg").read_text().split("\nbackend eu-1")[0]
        for ours, theirs in ((str(self.socket), "/run/haproxy/admin.sock"), (str(self.map), "/etc/haproxy/hosts.map"),
                             (self.address, "127.0.0.1:8000")):
            if theirs not in text:
                fail(f"deploy/cells/haproxy.cfg has no {theirs}")
            text = text.replace(theirs, ours)
        if leave_out:
            text, count = re.subn(rf"(?m)^ *{leave_out}.*\n", "", text)
            if count != 1:
                fail(f"deploy/cells/haproxy.cfg has no line {leave_out}")
        for cell, replicas in cells.items():
            text += f"\nbackend {cell}\n    balance roundrobin\n    option httpchk GET /readyz\n"
            text += "    default-server inter 200ms fall 2 rise 2 check\n"
            for replica in replicas:
                port = replica.operator.rsplit(":", 1)[1]
                text += f"    server {replica.name} {replica.address} port {port}\n"
        (folder / "haproxy.cfg").write_text(text)
        self.process = site.start(name, [program, "-f", folder / "haproxy.cfg"])
        until("HAProxy listens", WAIT, self.socket.exists)

    def servers_up(self):
        rows = (line.split(",") for line in self.command("show stat").splitlines())
        return sum(",UP" in ",".join(row) and row[1] not in ("FRONTEND", "BACKEND") for row in rows if len(row) > 17)

    def command(self, line):
        with socket.socket(socket.AF_UNIX) as runtime:
            runtime.connect(str(self.socket))
            runtime.sendall(f"{line}\n".encode())
            return runtime.makefile().read()


class Load:
    """Requests of both organizations by the proxy, from several threads, until it is stopped."""

    def __init__(self, proxy, keys):
        self.proxy, self.keys = proxy, keys
        self.done, self.failed, self.slowest, self.is_over = 0, [], 0.0, False
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self.work, args=(number,), daemon=True) for number in range(WORKERS)]
        for thread in self.threads:
            thread.start()

    def work(self, number):
        organization = sorted(self.keys)[number % len(self.keys)]
        headers = {"Host": HOSTS[organization], "Authorization": f"Bearer {self.keys[organization]}"}
        host, port = self.proxy.address.split(":")
        connection = http.client.HTTPConnection(host, int(port), timeout=WAIT)
        while not self.is_over:
            began = time.monotonic()
            try:
                connection.request("GET", "/api/v1/search/people?q=an", headers=headers)
                answer = connection.getresponse()
                body = answer.read()
                fault = None if answer.status == 200 and body.endswith(b"}") else f"{answer.status} {body[:80]}"
            except (OSError, http.client.HTTPException) as error:
                fault = repr(error)
                connection.close()
            with self.lock:
                self.done += 1
                self.slowest = max(self.slowest, time.monotonic() - began)
                if fault:
                    self.failed.append(f"{organization}: {fault}")

    def until(self, count):
        until(f"{count} requests", 2 * WAIT, lambda: self.done >= count)

    def end(self):
        self.is_over = True
        for thread in self.threads:
            thread.join()
        return self.done, self.failed


def main(program, work, haproxy, requests=REQUESTS):
    requests = int(requests)
    site = Site(program, work, "site")
    for organization in HOSTS:
        site.build(organization, 1, f"{organization}.kith")
    keys = {organization: site.kith("keys", "create", "--credentials", "credentials.db", "--org", organization,
                                    "--name", "app").strip() for organization in HOSTS}
    site.kith("suppress", "create", "--suppressions", "forget.txt")
    lists = ["--credentials", "credentials.db", "--suppressions", "forget.txt"]
    site.kith("push", "org_a.kith", "org_b.kith", *lists, "--cell", "s3://kith/cells/eu-1")
    site.build("org_c", 1, "org_c.kith")
    site.kith("push", "org_c.kith", *lists, "--cell", "s3://kith/cells/eu-2")
    cells = {cell: [Replica(site, cell, name, f"127.0.0.1:{free_port()}") for name in "ab"] for cell in ("eu-1", "eu-2")}
    replicas = [replica for cell in cells.values() for replica in cell]
    for replica in replicas:
        replica.start()
    until("every replica is ready", WAIT, lambda: all(replica.is_ready() for replica in replicas))
    a, b = cells["eu-1"]
    if [replica.status(key) for replica in (a, b) for key in keys.values()] != [200] * 4:
        fail("the cell does not answer")

    proxy = Proxy(site, haproxy, cells, "proxy")
    until("both cells are up", WAIT, lambda: proxy.servers_up() == len(replicas))
    load = Load(proxy, keys)
    load.until(requests * 15 // 100)
    for place, replica in enumerate((a, b), 1):
        replica.server.kill()
        load.until(load.done + requests * 15 // 100)
        replica.serve()
        until("the replica that was killed is ready again", WAIT, replica.is_ready)
        until("the proxy has both again", WAIT, lambda: proxy.servers_up() == len(replicas))
        load.until(requests * 35 * place // 100)

    # org_b moves: there first, then the map, then away from here.
    site.kith("push", "org_b.kith", "--cell", "s3://kith/cells/eu-2")
    until("the other cell serves org_b", WAIT,
          lambda: all(replica.status(keys["org_b"]) == 200 for replica in cells["eu-2"]))
    proxy.command(f"set map {proxy.map} {HOSTS['org_b']} eu-2")
    site.kith("push", "--remove", "org_b", "--cell", "s3://kith/cells/eu-1")
    # Its files stay for a day, so that a request that is on its way is answered.
    until("the cell lets go of org_b", WAIT, lambda: all("org_b" in replica.left() for replica in (a, b)))
    load.until(max(requests, load.done + requests // 10))
    done, failed = load.end()
    print(f"{done} requests, two replicas killed and started again, an organization moved: {len(failed)} failed, "
          f"the slowest took {load.slowest:.2f} s")
    if failed:
        fail("; ".join(failed[:5]))

    # A key that is revoked is refused by each replica, within the bound.
    key_id = next(line.split()[0] for line in site.kith("keys", "list", "--credentials", "credentials.db").splitlines()
                  if "org_a" in line)
    began = time.monotonic()
    site.kith("keys", "revoke", "--credentials", "credentials.db", key_id)
    site.kith("push", *lists, "--cell", "s3://kith/cells/eu-1")
    until("the key is refused", AGE_MAX, lambda: [replica.status(keys["org_a"]) for replica in (a, b)] == [401, 401])
    print(f"a revoked key is refused by both replicas after {time.monotonic() - began:.2f} s")

    # The control: the same kill without `retry-on` is noticed.
    keys["org_a"] = site.kith("keys", "create", "--credentials", "credentials.db", "--org", "org_a",
                              "--name", "again").strip()
    site.kith("push", *lists, "--cell", "s3://kith/cells/eu-1")
    until("the new key is known", WAIT, lambda: [replica.status(keys["org_a"]) for replica in (a, b)] == [200, 200])
    control = Proxy(site, haproxy, cells, "control", leave_out="retry-on ")
    until("both cells are up", WAIT, lambda: control.servers_up() == len(replicas))
    load = Load(control, {"org_a": keys["org_a"]})
    for _ in range(10):
        load.until(load.done + 200)
        a.server.kill()
        load.until(load.done + 200)
        a.serve()
        until("the replica is ready again", WAIT, a.is_ready)
        until("the proxy has both again", WAIT, lambda: control.servers_up() == len(replicas))
        if load.failed:
            break
    done, failed = load.end()
    print(f"the control, without retry-on: {len(failed)} of {done} failed, the first: {failed[:1]}")
    if not failed:
        fail("without retry-on no request failed either: the check shows nothing")

    # A store that is gone: what is in service stays, until credentials are too old.
    site.emulator.kill()
    gone = time.monotonic()
    if a.status(keys["org_a"]) != 200:
        fail("callers notice at once that the store is gone")
    until("credentials that are too old are refused", AGE_MAX + WAIT,
          lambda: {replica.status(keys["org_a"]) for replica in (a, b)} == {500} and not a.is_ready())
    print(f"a store that is gone: credentials are refused after {time.monotonic() - gone:.1f} s, of {AGE_MAX} s allowed")
    print("cells-check: passed")


if __name__ == "__main__":
    main(*sys.argv[1:])
