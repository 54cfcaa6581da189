"""The peers: each is loaded from the network, asked by its fastest interface from Python, and weighed by CPU."""

import http.client
import itertools
import json
import os
import shutil
import sqlite3
import subprocess
import time
import urllib.parse

import sql

# Of kith's answers that are weighed so many are under way at a time.
CONNECTIONS = 16


def cpu_of(pid):
    """Seconds of CPU that a process took."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Peer:
    kinds = ("person", "company", "window", "substring")

    def cpu(self):
        """CPU so far of what answers: this process, unless the peer is one of its own."""
        return time.process_time()

    def close(self):
        pass


class Sqlite(Peer):
    name = "SQLite in process"

    def __init__(self, network, work):
        self.network = network
        file = work / "peer.sqlite"
        file.unlink(missing_ok=True)
        self.db = db = sqlite3.connect(file)
        db.execute("PRAGMA journal_mode = OFF")
        db.execute("PRAGMA cache_size = -4000000")
        db.execute("PRAGMA mmap_size = 30000000000")
        for table, columns in sql.TABLES.items():
            db.execute(f"CREATE TABLE {table} {columns} WITHOUT ROWID")
        for table, rows in sql.table_rows(network):
            marks = ",".join("?" * sql.TABLES[table].count("INTEGER"))
            db.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
        db.execute("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize='trigram', detail='full')")
        db.executemany(
            "INSERT INTO texts(rowid, text) VALUES (?, ?)",
            ((place, text) for place, (_, text) in enumerate(network.listed)),
        )
        db.execute("CREATE TABLE listed (place INTEGER PRIMARY KEY, person INTEGER)")
        db.executemany("INSERT INTO listed VALUES (?, ?)", enumerate(p for p, _ in network.listed))
        db.commit()
        db.execute("ANALYZE")
        self.statements = {
            "person": sql.PERSON,
            "company": sql.COMPANY,
            "window": sql.WINDOW,
            "substring": "SELECT person FROM (SELECT rowid AS place FROM texts WHERE texts MATCH ? "
            "ORDER BY rowid LIMIT 20) JOIN listed USING (place) ORDER BY place",
        }

    def ask(self, kind, question):
        given = (f'"{question}"',) if kind == "substring" else sql.parameters(self.network, kind, question)
        return sql.answer(kind, self.db.execute(self.statements[kind], given).fetchall())

    def close(self):
        self.db.close()


class Postgres(Peer):
    name = "PostgreSQL"

    def __init__(self, network, work):
        import psycopg

        self.network = network
        binaries = max(path for path in os.scandir("/usr/lib/postgresql") if path.is_dir()).path + "/bin"
        self.folder = folder = work / "postgres"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        # PostgreSQL does not run as root.
        self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
        if self.user:
            shutil.chown(folder, "postgres", "postgres")
        run = lambda *args: subprocess.run([*self.user, *args], check=True, stdout=subprocess.DEVNULL, cwd="/")
        run(f"{binaries}/initdb", "-D", f"{folder}/data", "-U", "peer", "-A", "trust", "--locale=C", "-E", "UTF8")
        settings = (
            f"-c listen_addresses='' -c unix_socket_directories={folder} -c shared_buffers=2GB -c work_mem=256MB "
            "-c fsync=off -c synchronous_commit=off -c jit=off -c max_parallel_workers_per_gather=0 "
            "-c random_page_cost=1.1 -c maintenance_work_mem=1GB"
        )
        self.stop_command = [f"{binaries}/pg_ctl", "-D", f"{folder}/data", "-m", "fast", "stop"]
        run(f"{binaries}/pg_ctl", "-D", f"{folder}/data", "-l", f"{folder}/log", "-w", "-o", settings, "start")
        self.db = db = psycopg.connect(
            f"host={folder} user=peer dbname=postgres", autocommit=True, prepare_threshold=0
        )
        for table, columns in sql.TABLES.items():
            db.execute(f"CREATE TABLE {table} {columns.split(', PRIMARY')[0]})")
        for table, rows in sql.table_rows(network):
            with db.cursor().copy(f"COPY {table} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        for table, columns in sql.TABLES.items():
            key = columns.split("PRIMARY KEY (")[1].split(")")[0].split(", ")
            others = [name.split()[0] for name in columns[1:].split(", PRIMARY")[0].split(", ")]
            include = ", ".join(name for name in others if name not in key)
            db.execute(
                f"CREATE UNIQUE INDEX ON {table} ({', '.join(key)})" + (f" INCLUDE ({include})" if include else "")
            )
        db.execute("CREATE EXTENSION pg_trgm")
        db.execute("CREATE TABLE texts (place INTEGER PRIMARY KEY, person INTEGER, text TEXT)")
        with db.cursor().copy("COPY texts FROM STDIN") as copy:
            for place, (person, text) in enumerate(network.listed):
                copy.write_row((place, person, text))
        db.execute("CREATE INDEX ON texts USING gin (text gin_trgm_ops)")
        db.execute("VACUUM ANALYZE")
        self.pid = db.info.backend_pid
        statements = {"person": sql.PERSON, "company": sql.COMPANY, "window": sql.WINDOW}
        self.statements = {kind: text.replace("?", "%s::integer") for kind, text in statements.items()}
        self.statements["substring"] = "SELECT person FROM texts WHERE text LIKE %s ORDER BY place LIMIT 20"

    def ask(self, kind, question):
        given = (f"%{question}%",) if kind == "substring" else sql.parameters(self.network, kind, question)
        return sql.answer(kind, self.db.execute(self.statements[kind], given, binary=True).fetchall())

    def cpu(self):
        return cpu_of(self.pid)

    def close(self):
        self.db.close()
        subprocess.run([*self.user, *self.stop_command], check=True, stdout=subprocess.DEVNULL, cwd="/")


class Ladybug(Peer):
    """An embedded graph database, asked in Cypher."""

    name = "LadybugDB in process"

    def __init__(self, network, work):
        import ladybug

        self.network = network
        for path in work.glob("peer.lbug*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        self.database = ladybug.Database(str(work / "peer.lbug"))
        self.db = db = ladybug.Connection(self.database, num_threads=1)
        db.execute(
            "CREATE NODE TABLE Person(id INT64 PRIMARY KEY, member INT64, company INT64, employee INT64, "
            "place INT64, text STRING)"
        )
        db.execute("CREATE REL TABLE Scanned(FROM Person TO Person, r INT64, w INT64)")
        db.execute("CREATE REL TABLE OfMember(FROM Person TO Person, w INT64)")
        db.execute("CREATE REL TABLE Helps(FROM Person TO Person)")
        db.execute("CREATE REL TABLE Knows(FROM Person TO Person, r INT64, cold INT64)")
        place = {person: (at, text) for at, (person, text) in enumerate(network.listed)}
        nth = {person: at for row in network.employees for at, person in enumerate(row)}
        people = (
            (p, network.member_of.get(p, -1), network.companies[p], nth.get(p, -1), *place.get(p, (-1, "")))
            for p in range(len(network.ids))
        )
        tables = dict(sql.table_rows(network))
        members = network.members
        for table, rows in [
            ("Person", ((*row[:5], row[5].replace("\n", "|")) for row in people)),
            ("Scanned", ((source, target, r, w) for target, r, source, w in tables["inc"])),
            ("OfMember", ((members[member], target, w) for target, member, w in tables["mem"])),
            ("Helps", ((advocate, members[member]) for advocate, member in tables["helps"])),
            ("Knows", ((source, target, r, cold) for source, r, target, cold in tables["outgo"])),
        ]:
            file = work / f"{table}.csv"
            with open(file, "w", encoding="utf-8") as out:
                out.writelines("\t".join(map(str, row)) + "\n" for row in rows)
            db.execute(f"COPY {table} FROM '{file}' (delim='\t', header=false, parallel=false)")
        # In one pattern, without WITH, LadybugDB 0.22 counts paths that do not fit: 239,184 instead of 161,865.
        paths = (
            "MATCH (p:Person) WHERE {where} WITH p "
            "MATCH (p)<-[i:Scanned]-(c:Person)<-[m:OfMember]-(s:Person) WHERE i.r < 256 "
            "AND s.id <> p.id AND NOT EXISTS {{ MATCH (c)-[:Helps]->(s) }} "
        )
        order = "ORDER BY warmness DESC, w DESC, member, connector"
        row = "RETURN (i.w * m.w + 50) / 100 AS warmness, i.w AS w, s.member AS member, c.id AS connector"
        person = paths.format(where="p.id = $q")
        company = paths.format(where="p.company = $q AND p.employee < 500")
        prepare = db.prepare
        self.statements = {
            "person": [prepare(f"{person} {row} {order} LIMIT 20"), prepare(f"{person} RETURN count(*)")],
            "company": [
                prepare(f"{company} {row}, p.id AS target {order}, target LIMIT 20"),
                prepare(f"{company} RETURN count(*)"),
            ],
            # No function over the rows of a window: the client passes over whom the member knows.
            "window": [
                prepare("MATCH (p:Person)-[k:Knows]->(o:Person) WHERE p.id = $q RETURN k.r, o.id"),
                prepare(
                    "MATCH (p:Person)-[k:Knows]->(b:Person)-[o:Knows]->(x:Person) WHERE p.id = $q AND k.r < 200 "
                    "AND o.r < 1000 RETURN k.r, o.r, o.cold, x.id, b.id ORDER BY k.r, o.r"
                ),
            ],
            "substring": [
                prepare("MATCH (p:Person) WHERE p.place >= 0 AND contains(p.text, $q) RETURN p.id ORDER BY p.place LIMIT 20")
            ],
        }

    def ask(self, kind, question):
        given = {"q": self.network.members[question] if kind == "window" else question}
        found = [self.db.execute(statement, given).get_all() for statement in self.statements[kind]]
        if kind == "substring":
            return None, [tuple(row) for row in found[0]]
        if kind != "window":
            return found[1][0][0], [tuple(row) for row in found[0]]
        known = {given["q"]} | {person for _, person in found[0]}
        best, listed = {}, {}
        for place, _, cold, person, via in found[1]:
            if person in known or listed.get(place, 0) == 100:
                continue
            listed[place] = listed.get(place, 0) + 1
            best[person] = min(best.get(person, (999, 0, 0)), (cold, place, via))
        window = sorted((cold, person, via) for person, (cold, _, via) in best.items())
        return len(window), window[:20]


class Program(Peer):
    """A program that times itself; its answers are compared here."""

    def __init__(self, *command):
        done = subprocess.run([str(part) for part in command], check=True, stdout=subprocess.PIPE, text=True)
        self.answers, self.times = {}, {}
        for line in done.stdout.splitlines():
            said = json.loads(line)
            if "answers" in said:
                self.times[said["kind"]] = said
            else:
                rows = [tuple(row) for row in said["rows"]]
                self.answers[said["kind"], said["question"]] = (said["total"], rows)

    def ask(self, kind, question):
        return self.answers[kind, question]


class Petgraph(Program):
    """A plain program on petgraph's own graph."""

    name = "petgraph, a plain program"
    kinds = ("person", "window")

    def __init__(self, network, work, program, questions, seconds):
        file = work / "petgraph.txt"
        network.write_for_petgraph(file, questions)
        super().__init__(program, file, seconds)


class KithInProcess(Program):
    """kith as a library, whose answers hold numbers, as those of the other libraries do."""

    name = "kith in process"

    def __init__(self, work, program, snapshot, questions, seconds):
        file = work / "questions.txt"
        lines = (f"{kind} {question}\n" for kind in questions for question in questions[kind])
        file.write_text("".join(lines), encoding="utf-8")
        super().__init__(program, snapshot, file, seconds)


class Kith(Peer):
    """kith over HTTP, with a credential, its limits, its metrics and its log on."""

    name = "kith over HTTP"

    def __init__(self, network, work, program, snapshot):
        self.network = network
        folder, credentials = work / "served", work / "credentials.db"
        folder.mkdir(exist_ok=True)
        for suffix in ("", ".sqlite"):
            link = folder / f"network.kith{suffix}"
            link.unlink(missing_ok=True)
            os.link(f"{snapshot}{suffix}", link)
        say = lambda *args: subprocess.run([program, *args], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        of = ["--credentials", str(credentials), "--org", "org_generated"]
        self.key = say("keys", "create", *of, "--name", "peers")
        self.token_of = lambda user: say("tokens", "create", *of, "--user", user)
        self.tokens = {}
        # A path over a connector is cut by none of the peers.
        environment = {**os.environ, "KITH_LIMITS__EDGES_PER_CONNECTOR": "1000000"}
        self.log = open(work / "kith.log", "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [program, "serve", "--snapshots", folder, "--credentials", credentials]
            + ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"],
            stderr=self.log, env=environment,
        )
        address, deadline = None, time.monotonic() + 300
        while address is None and time.monotonic() < deadline and self.process.poll() is None:
            time.sleep(0.2)
            with open(work / "kith.log", encoding="utf-8") as log:
                said = [line for line in log if "listening on http://" in line]
            address = said[0].split("listening on http://")[1].split()[0].strip('",}') if said else None
        if address is None:
            raise SystemExit(f"kith does not serve: see {work / 'kith.log'}")
        self.asked = itertools.count()
        self.http = [http.client.HTTPConnection(address) for _ in range(CONNECTIONS)]
        self.number = {id: at for at, id in enumerate(network.ids)}
        self.user = {id: at for at, id in enumerate(network.user_ids)}

    def send(self, connection, path, query, token=None):
        headers = {"Authorization": f"Bearer {token or self.key}"}
        # An ignored parameter with another value each time: kith gives answers again, and here it is to compute each one.
        query = {**query, "new": next(self.asked)}
        connection.request("GET", f"/api/v1/{path}?{urllib.parse.urlencode(query)}", headers=headers)

    def receive(self, connection):
        reply = connection.getresponse()
        body = reply.read()
        if reply.status != 200:
            raise SystemExit(f"{reply.status} {body[:200]}")
        return body

    def prepare(self, kind, question):
        """Whom a member asks for: made before it is measured."""
        if kind == "window" and question not in self.tokens:
            self.tokens[question] = self.token_of(self.network.user_ids[question])

    def request(self, kind, question):
        network = self.network
        if kind == "window":
            return "connections/second-degree", {"limit": 20}, self.tokens[question]
        if kind == "substring":
            return "search/people", {"q": question, "limit": 20}
        ids = network.ids if kind == "person" else network.company_ids
        query = {"prospectId": ids[question], "connectionTypes": "second_degree", "limit": 20}
        if kind == "company":
            query["includeIntroRequested"] = "true"
        return "search/warm-paths", query

    def raw(self, kind, question):
        self.send(self.http[0], *self.request(kind, question))
        return self.receive(self.http[0])

    def many(self, kind, questions):
        """As many questions as there are connections, at the same time."""
        for connection, question in zip(self.http, questions):
            self.send(connection, *self.request(kind, question))
        for connection, _ in zip(self.http, questions):
            self.receive(connection)

    def ask(self, kind, question):
        data = json.loads(self.raw(kind, question))["data"]
        number = lambda one: self.number[one["id"]]
        if kind == "substring":
            return None, [(number(person),) for person in data]
        if kind == "window":
            cold = lambda row: 100 - row["warmness"] if "warmness" in row else 101
            rows = [(cold(row), number(row), number(row["viaConnector"])) for row in data["connections"]]
            return data["totalCount"], rows
        rows = []
        for path in data["paths"]:
            row = (path["warmness"], path["connectorToProspectWarmness"], self.user[path["fromUserId"]], number(path["connector"]))
            rows.append(row + ((number(path["target"]),) if kind == "company" else ()))
        return data["totalCount"], rows

    def cpu(self):
        return cpu_of(self.process.pid)

    def close(self):
        self.process.terminate()
        self.process.wait(30)
        self.log.close()
