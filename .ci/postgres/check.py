"""Two servers over one PostgreSQL, as .ci/postgres-check says."""

import atexit
import gzip
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

PROGRAM, BINARIES = sys.argv[1], Path(sys.argv[2])
ROOT = Path("target/postgres-check").resolve()
DEMO = Path("fixtures/demo/fernhollow").resolve()
ORG, ASKER, PASSWORD = "org_fernhollow", "user_8kbn97", "correct-horse-7"
WRITERS, PAGE = 8, {"Sec-Fetch-Site": "same-origin", "Content-Type": "application/json"}
# A database runs as nobody in particular, and never as root.
OWNER = pwd.getpwnam("postgres") if os.geteuid() == 0 else None


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def say(text):
    print(f"postgres-check: {text}", flush=True)


def expect(held, what):
    if not held:
        sys.exit(f"postgres-check: {what}")


class Database:
    """A server of its own, with TLS by a certificate authority of its own."""

    def __init__(self):
        self.folder, self.port = Path(f"/tmp/kith-postgres-{os.getpid()}"), free_port()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(mode=0o700)
        if OWNER:
            os.chown(self.folder, OWNER.pw_uid, OWNER.pw_gid)
        (ROOT / "password").write_text(PASSWORD)
        shutil.copy(ROOT / "password", self.folder / "password")
        os.chmod(self.folder / "password", 0o644)
        self.run("initdb", "-D", "data", "-U", "kith", "-A", "scram-sha-256", "--pwfile", "password", "-E", "UTF8")
        make_certificates(self.folder, OWNER)
        with (self.folder / "data/postgresql.conf").open("a") as conf:
            conf.write(
                f"port={self.port}\nlisten_addresses='127.0.0.1'\nunix_socket_directories=''\nssl=on\n"
                "ssl_cert_file='../server.crt'\nssl_key_file='../server.key'\n"
            )
        self.process = None
        self.start()
        self.sql("CREATE DATABASE asks", "postgres")

    def command(self, name, *arguments):
        return [str(BINARIES / name), *arguments]

    def options(self):
        return {"cwd": self.folder} | ({"user": OWNER.pw_uid, "group": OWNER.pw_gid, "extra_groups": []} if OWNER else {})

    def run(self, name, *arguments):
        done = subprocess.run(self.command(name, *arguments), capture_output=True, text=True, **self.options())
        expect(done.returncode == 0, f"{name}: {done.stderr}")

    def start(self):
        log = (ROOT / "postgres.log").open("a")
        self.process = subprocess.Popen(
            self.command("postgres", "-D", "data"), stdout=log, stderr=log, start_new_session=True, **self.options()
        )
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port), 0.2).close()
                break
            except OSError:
                time.sleep(0.05)
        for _ in range(100):
            if self.sql("SELECT 1", "postgres", check=False).returncode == 0:
                return
            time.sleep(0.1)
        sys.exit("postgres-check: the database does not start")

    def kill(self):
        """All of it at once, as when a machine stops; the kernel keeps what was written."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self):
        if self.process and self.process.poll() is None:
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def sql(self, text, database="asks", check=True):
        done = subprocess.run(
            ["psql", "-qAt", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", str(self.port), "-U", "kith", "-d", database],
            input=text, capture_output=True, text=True, env={**os.environ, "PGPASSWORD": PASSWORD},
        )
        expect(not check or done.returncode == 0, f"psql: {done.stderr}")
        return done

    def url(self, database="asks", more=""):
        return f"postgres://kith:{PASSWORD}@localhost:{self.port}/{database}{more}"


def make_certificates(folder, owner):
    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], check=True, capture_output=True, cwd=folder)

    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key", "-out", "ca.crt", "-days", "2", "-subj", "/CN=ca")
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=localhost")
    (folder / "names").write_text("subjectAltName=DNS:localhost\nbasicConstraints=CA:FALSE\n")
    openssl("x509", "-req", "-in", "server.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2",
            "-out", "server.crt", "-extfile", "names")
    os.chmod(folder / "server.key", 0o600)
    if owner:
        for name in ["server.key", "server.crt"]:
            os.chown(folder / name, owner.pw_uid, owner.pw_gid)
    shutil.copy(folder / "ca.crt", ROOT / "ca.crt")


def kith(*arguments, trusted=True):
    env = {**os.environ, "SSL_CERT_FILE": str(ROOT / "ca.crt")} if trusted else os.environ
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, cwd=ROOT, env=env)


class Server:
    def __init__(self, name, url):
        self.port, self.log = free_port(), ROOT / f"{name}.log"
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--snapshots", "snapshots", "--listen", f"127.0.0.1:{self.port}", "--admin-listen", "127.0.0.1:0", "--credentials", "credentials.db",
             "--asks", url],
            cwd=ROOT, env={**os.environ, "SSL_CERT_FILE": str(ROOT / "ca.crt")}, stdout=self.log.open("w"),
            stderr=subprocess.STDOUT,
        )
        atexit.register(self.process.kill)
        for _ in range(200):
            if self.process.poll() is not None:
                sys.exit(f"postgres-check: {name} ended: {self.log.read_text()}")
            if self.ask("/readyz")[0] == 200:
                return
            time.sleep(0.05)
        sys.exit(f"postgres-check: {name} does not become ready: {self.log.read_text()}")

    def ask(self, path, token=None, body=None):
        headers = dict(PAGE) if body is not None else {}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, headers)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, read(answer.read())
        except urllib.error.HTTPError as error:
            return error.code, read(error.read())
        except OSError:
            return 0, None


def read(body):
    """An answer's JSON; a probe answers in words."""
    return json.loads(body) if body[:1] == b"{" else None


def events(url):
    done = kith("ask", "export", "--asks", url)
    expect(done.returncode == 0, f"export: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def check_lost_commits(database):
    """The control: rows whose insert was answered at once, and the kill."""
    database.sql("CREATE TABLE careless (number INT)")
    with_async = {**os.environ, "PGPASSWORD": PASSWORD, "PGOPTIONS": "-c synchronous_commit=off"}
    psql = subprocess.Popen(
        ["psql", "-qAt", "-h", "127.0.0.1", "-p", str(database.port), "-U", "kith", "-d", "asks"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=with_async,
    )
    answered = 0
    for number in range(500):
        psql.stdin.write(f"INSERT INTO careless VALUES ({number}) RETURNING number;\n")
        psql.stdin.flush()
        answered += psql.stdout.readline().strip() == str(number)
    database.kill()
    psql.kill()
    database.start()
    kept = int(database.sql("SELECT count(*) FROM careless").stdout)
    expect(answered == 500 and kept < answered, f"the control kept {kept} of {answered}: the kill takes nothing away")
    say(f"control: of {answered} rows answered before they were on the disk {answered - kept} are lost")


def main():
    shutil.rmtree(ROOT, ignore_errors=True)
    ROOT.mkdir(parents=True)
    database = Database()
    try:
        trial(database)
    finally:
        database.stop()


def trial(database):
    url = database.url()
    before = kith("ask", "export", "--asks", url)
    expect(before.returncode != 0 and "has no asks" in before.stderr, f"without tables: {before.stderr}")
    untrusted = kith("ask", "create", "--asks", url, trusted=False)
    expect(untrusted.returncode != 0 and "certificate" in untrusted.stderr, f"an unknown authority: {untrusted.stderr}")
    expect(kith("ask", "create", "--asks", url).returncode == 0, "create")
    again = kith("ask", "create", "--asks", url)
    expect(again.returncode != 0 and "has asks already" in again.stderr, f"created twice: {again.stderr}")
    for done in [before, untrusted, again]:
        expect(PASSWORD not in done.stderr, f"a password in {done.stderr}")
    database.sql("UPDATE kith_asks.version SET number = 99")
    newer = kith("ask", "export", "--asks", url)
    expect(newer.returncode != 0 and "use a newer kith" in newer.stderr, f"of a later version: {newer.stderr}")
    database.sql("UPDATE kith_asks.version SET number = 1")

    (ROOT / "snapshots").mkdir()
    built = kith("build", str(DEMO), "--out", "snapshots/demo.kith")
    expect(built.returncode == 0, built.stderr)
    token = kith("tokens", "create", "--credentials", "credentials.db", "--org", ORG, "--user", ASKER, "--scope",
                 "mcp:read mcp:write").stdout.strip()
    token = next(word for word in token.split() if len(word) > 30)
    servers = [Server(name, url) for name in ["first", "second"]]
    rows = gzip.open(DEMO / "people.ndjson.gz", "rt").read().splitlines()
    people = [json.loads(row)["id"] for row in rows]

    def write(server, number):
        return server.ask("/explore/asks", token, {"target": people[number], "key": f"key-{number}"})

    # What one writes the other has.
    reachable, waited, at_once = [], [], 0
    for number in range(400):
        status, answer = write(servers[0], number)
        if status != 200:
            expect(status in (400, 404), f"a write: {status} {answer}")
            continue
        reachable.append(number)
        began, looks = time.monotonic(), 0
        while True:
            looks += 1
            if servers[1].ask(f"/api/v1/asks/{answer['ask']['id']}", token)[0] == 200:
                break
            expect(time.monotonic() - began < 2, f"the other server does not have {answer['ask']['id']}")
        waited.append(time.monotonic() - began)
        at_once += looks == 1
        own = servers[0].ask(f"/api/v1/asks/{answer['ask']['id']}", token)[0]
        expect(own == 200, "the server that wrote does not have it")
        if len(reachable) == 120:
            break
    say(f"{len(reachable)} writes: the other server had {at_once} of them at its next request, the last after "
        f"{max(waited) * 1000:.0f} ms")

    # Killed and started again while eight write.
    answered, lock, left = set(), threading.Lock(), list(range(400, len(people)))

    def writer(which):
        while True:
            with lock:
                if not left:
                    return
                number = left.pop(0)
            for _ in range(60):
                status, answer = write(servers[which % 2], number)
                if status in (400, 404):
                    break
                if status == 200:
                    with lock:
                        answered.add(answer["event"]["id"])
                    break
                time.sleep(0.1)

    threads = [threading.Thread(target=writer, args=(which,)) for which in range(WRITERS)]
    for thread in threads:
        thread.start()
    for _ in range(3):
        time.sleep(2)
        database.kill()
        time.sleep(0.5)
        database.start()
    time.sleep(2)
    with lock:
        left.clear()
    for thread in threads:
        thread.join()
    written = [event["id"] for event in events(url)]
    keys = int(database.sql("SELECT count(*) - count(DISTINCT key) FROM kith_asks.events").stdout)
    lost = answered - set(written)
    expect(len(answered) > 100, f"only {len(answered)} writes were answered")
    expect(not lost and keys == 0 and len(written) == len(set(written)), f"lost {lost}, doubled {keys}")
    say(f"{len(answered)} writes answered by {WRITERS} writers over three kills: none lost, none doubled")

    # Away, and back.
    database.kill()
    began = time.monotonic()
    while servers[0].ask("/api/v1/me", token)[0] != 503:
        expect(time.monotonic() - began < 10, "requests are answered without the database")
        time.sleep(0.1)
    expect(servers[0].ask("/readyz")[0] == 503 and servers[0].ask("/healthz")[0] == 200, "probes")
    gone = time.monotonic() - began
    database.start()
    began = time.monotonic()
    while servers[0].ask("/api/v1/me", token)[0] != 200:
        expect(time.monotonic() - began < 10, "requests are refused though the database is back")
        time.sleep(0.1)
    say(f"refused {gone:.1f} s after the database went, answered {time.monotonic() - began:.1f} s after it was back")

    # Forgetting reaches the tables.
    target = people[reachable[0]]
    done = kith("ask", "forget", "--asks", url, target)
    expect(done.returncode == 0, f"forget: {done.stderr}")
    expect(all(event.get("personId") != target for event in events(url)), "a person to forget is kept")
    for server in servers:
        expect(PASSWORD not in server.log.read_text(), f"{server.log} has the password")
    check_lost_commits(database)


main()
