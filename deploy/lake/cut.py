#!/usr/bin/env python3
"""Cuts source tables for each organization out of a lake of Parquet, by DuckDB, DataFusion or Spark (docs/lake.md).

    cut.py LAKE OUT [--engine duckdb|datafusion|spark] [--org ID]... [--master URL] [--sql FILE]

Each step of cut.sql is written into a folder of a fresh run, OUT/steps/STEP/RUN, and counts from the moment that
OUT/steps/STEP/current names that run: one small file, written last and renamed into place. A run that was killed is
started again with the same words; steps whose text and inputs are the same are not done again. The tables of an
organization are OUT/organizations/ORG/$(cat OUT/organizations/ORG/current), a folder that `kith build` takes.

Needs Python 3.11 and the engine's package: duckdb, datafusion (with pyarrow) or pyspark.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import sys
import uuid
from pathlib import Path

# The columns of each table. A lake may lack a table, or a column that is not always there.
TABLES = {
    "organizations": ["id", "name", "companyId"],
    "members": ["org", "userId", "personId", "role", "joinedAt", "connectionsSyncedAt"],
    "advocates": ["org", "personId", "userId", "status", "connectionsSyncedAt"],
    "intro_requests": ["org", "personId", "status", "requestedBy", "requestedAt"],
    "ghost_opportunities": [
        "org", "id", "prospectId", "overallScore", "priority", "confidenceLevel", "status", "discoveredAt",
        "searchSource", "icpEvaluation", "buyingIntent", "keyInsights", "discoveredBy", "paths",
    ],
    "connections": ["from", "to", "warmness", "breakdown", "visibleTo"],
    "evidence": ["from", "to", "kind", "at", "source", "note", "visibleTo"],
    "people": [
        "id", "name", "linkedinId", "email", "position", "currentCompanyId", "city", "country", "connectionsCount",
    ],
    "person_aliases": ["personId", "linkedinId", "email"],
    "companies": [
        "id", "name", "companyId", "industry", "headquartersLocation", "minSize", "maxSize", "logoUrl", "domain",
    ],
}
OWNED = ["members", "advocates", "intro_requests", "ghost_opportunities"]
NUMBERS = {"warmness", "minSize", "maxSize", "connectionsCount"}
# Ids become names of folders, and stand in SQL.
ORG = re.compile(r"org_[A-Za-z0-9_.-]{1,196}\Z")


def parts(folder: Path) -> list[Path]:
    """The Parquet files below `folder`, and that file itself if there is one, in the order of their names.

    Not what begins with `_` or `.`: Spark's `_temporary` has the rows of tasks that do not count."""
    alone = folder.with_name(folder.name + ".parquet")
    below = sorted(folder.rglob("*.parquet")) if folder.is_dir() else []
    counted = [path for path in below if not any(part[0] in "._" for part in path.relative_to(folder).parts)]
    return counted + ([alone] if alone.is_file() else [])


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


class DuckDB:
    """One process; https://duckdb.org"""

    def __init__(self, arguments):
        import duckdb

        self.connection = duckdb.connect()
        if arguments.memory:
            self.connection.execute(f"SET memory_limit = {quoted(arguments.memory)}")

    def register(self, name, folder, by_org):
        files = "[" + ", ".join(quoted(str(path)) for path in parts(folder)) + "]"
        options = f"hive_partitioning = {str(by_org).lower()}, union_by_name = true"
        self.view(name, f"SELECT * FROM read_parquet({files}, {options})")

    def view(self, name, query):
        self.connection.execute(f"CREATE OR REPLACE VIEW {name} AS {query}")

    def columns(self, name):
        return [row[0] for row in self.connection.execute(f"DESCRIBE {name}").fetchall()]

    def write(self, query, folder, by_org):
        folder.mkdir(parents=True)
        if by_org:
            target, options = folder, "FORMAT parquet, COMPRESSION zstd, PARTITION_BY (org)"
        else:
            target, options = folder / "part-0.parquet", "FORMAT parquet, COMPRESSION zstd"
        self.connection.execute(f"COPY ({query}) TO {quoted(str(target))} ({options})")

    def rows(self, query):
        return self.connection.execute(query).fetchall()


class DataFusion:
    """One process; https://datafusion.apache.org"""

    def __init__(self, arguments):
        import datafusion

        config = datafusion.SessionConfig().set("datafusion.execution.parquet.compression", "zstd(3)")
        # Texts as they came: no narrower type for the names of folders.
        config = config.set("datafusion.execution.parquet.schema_force_view_types", "false")
        runtime = datafusion.RuntimeEnvBuilder().with_disk_manager_os()
        if arguments.memory:
            units = {"KB": 10**3, "MB": 10**6, "GB": 10**9}
            runtime = runtime.with_fair_spill_pool(int(arguments.memory[:-2]) * units[arguments.memory[-2:]])
        self.context = datafusion.SessionContext(config, runtime)

    def register(self, name, folder, by_org):
        import pyarrow

        self.context.deregister_table(name)
        path = str(folder) + "/" if folder.is_dir() else str(folder) + ".parquet"
        partitions = [("org", pyarrow.string())] if by_org else []
        self.context.register_parquet(name, path, table_partition_cols=partitions)

    def view(self, name, query):
        self.context.deregister_table(name)
        self.context.register_view(name, self.context.sql(query))

    def columns(self, name):
        return self.context.table(name).schema().names

    def write(self, query, folder, by_org):
        folder.mkdir(parents=True)
        partitioned = "PARTITIONED BY (org)" if by_org else ""
        self.context.sql(f"COPY ({query}) TO {quoted(str(folder) + '/')} STORED AS PARQUET {partitioned}").collect()

    def rows(self, query):
        batches = self.context.sql(query).collect()
        return [tuple(row.values()) for batch in batches for row in batch.to_pylist()]


class Spark:
    """A cluster, or one process with --master local[*]; https://spark.apache.org"""

    def __init__(self, arguments):
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.appName("kith cut").config("spark.sql.ansi.enabled", "true")
        # A name in double quotes is a name.
        builder = builder.config("spark.sql.ansi.doubleQuotedIdentifiers", "true")
        builder = builder.config("spark.sql.parquet.compression.codec", "zstd")
        if arguments.master:
            builder = builder.master(arguments.master)
        self.session = builder.getOrCreate()

    def register(self, name, folder, by_org):
        path = folder if folder.is_dir() else folder.with_name(folder.name + ".parquet")
        self.session.read.parquet(path.resolve().as_uri()).createOrReplaceTempView(name)

    def view(self, name, query):
        self.session.sql(query).createOrReplaceTempView(name)

    def columns(self, name):
        return self.session.table(name).columns

    def write(self, query, folder, by_org):
        writer = self.session.sql(query).write
        (writer.partitionBy("org") if by_org else writer).parquet(folder.resolve().as_uri())

    def rows(self, query):
        return [tuple(row) for row in self.session.sql(query).collect()]


ENGINES = {"duckdb": DuckDB, "datafusion": DataFusion, "spark": Spark}


def put(path: Path, text: str):
    """Writes the small file that says what is in force: whole, or not at all."""
    staged = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    with open(staged, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(staged, path)


def steps_of(text: str):
    """The steps of cut.sql: name, whether it is written by organization, and its SELECT."""
    pieces = re.split(r"^-- step (\w+)( by org)?$", text, flags=re.M)
    for name, by_org, body in zip(pieces[1::3], pieces[2::3], pieces[3::3]):
        lines = [line for line in body.splitlines() if not line.startswith("--")]
        yield name, bool(by_org), "\n".join(lines).strip().removesuffix(";")


def column(name: str) -> str:
    """A column without values."""
    return f'CAST(NULL AS {"BIGINT" if name in NUMBERS else "VARCHAR(4096)"}) AS "{name}"'


class Cut:
    def __init__(self, arguments):
        self.lake, self.out = Path(arguments.lake), Path(arguments.out)
        self.run = arguments.run or uuid.uuid4().hex
        self.engine = ENGINES[arguments.engine](arguments)
        self.asked = sorted(set(arguments.org))
        for org in self.asked:
            if not ORG.match(org):
                sys.exit(f"cut.py: {org} is no id of an organization that can name a folder")
        self.steps = list(steps_of(Path(arguments.sql).read_text()))

    def empty(self, name, columns):
        self.engine.view(name, "SELECT " + ", ".join(map(column, columns)) + " WHERE 1 = 0")

    def take_lake(self) -> str:
        """Makes the tables of the lake known; returns what changes when one of them does."""
        seen = hashlib.sha256(json.dumps(self.asked).encode())
        for table, columns in TABLES.items():
            files = parts(self.lake / table)
            if not files:
                if table in ("organizations", "members", "people"):
                    sys.exit(f"cut.py: the lake has no table {table}")
                self.empty(table, columns)
                continue
            for path in files:
                stat = path.stat()
                seen.update(f"{path}\n{stat.st_size}\n{stat.st_mtime_ns}\n".encode())
            self.engine.register(f"lake_{table}", self.lake / table, False)
            there = set(self.engine.columns(f"lake_{table}"))
            listed = ", ".join(f'"{name}"' if name in there else column(name) for name in columns)
            owner = {"organizations": "id"}.get(table, "org" if table in OWNED else None)
            only = ""
            if owner and self.asked:
                only = f' WHERE "{owner}" IN ({", ".join(map(quoted, self.asked))})'
            self.engine.view(table, f"SELECT {listed} FROM lake_{table}{only}")
        return seen.hexdigest()

    def step(self, name, by_org, query, before) -> str:
        """Does a step unless it is done; returns what changes when its rows may."""
        mark = hashlib.sha256(f"{before}\n{name}\n{by_org}\n{query}".encode()).hexdigest()
        home = self.out / "steps" / name
        current = home / "current"
        done = json.loads(current.read_text()) if current.is_file() else {}
        if done.get("mark") == mark and (home / done["run"]).is_dir():
            run = done["run"]
        else:
            run = self.run
            shutil.rmtree(home / run, ignore_errors=True)
            home.mkdir(parents=True, exist_ok=True)
            self.engine.write(query, home / run, by_org)
            put(current, json.dumps({"run": run, "mark": mark}))
            print(f"{name}: {len(parts(home / run))} files", flush=True)
        if parts(home / run):
            self.engine.register(name, home / run, by_org)
        else:
            self.empty(name, ["org", *TABLES[name.removeprefix("org_")]])
        self.folders[name] = home / run
        return mark

    def assemble(self, row):
        """Puts the tables of one organization together; they count once `current` names them."""
        org, name, company = row
        if not ORG.match(org):
            sys.exit(f"cut.py: {org} is no id of an organization that can name a folder")
        home = self.out / "organizations" / org
        folder = home / self.run
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        own = {"id": org, "name": name} | ({"companyId": company} if company else {})
        (folder / "organization.json").write_text(json.dumps(own, ensure_ascii=False) + "\n")
        for step, by_org, _ in self.steps:
            files = parts(self.folders[step] / f"org={org}") if by_org else []
            if files:
                (folder / step.removeprefix("org_")).mkdir()
            for number, file in enumerate(files):
                target = folder / step.removeprefix("org_") / f"part-{number:05}.parquet"
                try:
                    os.link(file, target)
                except OSError:
                    shutil.copyfile(file, target)
        if not (folder / "members").is_dir():
            (folder / "members.ndjson").write_text("")
        put(home / "current", self.run)
        print(folder, flush=True)

    def all(self):
        before = self.take_lake()
        self.folders = {}
        for name, by_org, query in self.steps:
            before = self.step(name, by_org, query, before)
        rows = self.engine.rows('SELECT id, name, "companyId" FROM organizations')
        missing = set(self.asked) - {row[0] for row in rows}
        if missing:
            sys.exit(f"cut.py: not in the lake: {', '.join(sorted(missing))}")
        for row in sorted(rows):
            self.assemble(row)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("lake", help="folder with a table in each NAME.parquet or NAME/*.parquet")
    parser.add_argument("out", help="folder for the steps and the organizations; the same one goes on")
    parser.add_argument("--engine", choices=ENGINES, default="duckdb")
    parser.add_argument("--org", action="append", default=[], metavar="ID", help="an organization; all if none is named")
    parser.add_argument("--run", help="name of this run; fresh if it is not given")
    parser.add_argument("--memory", help="bound on memory, such as 4GB (DuckDB, DataFusion)")
    parser.add_argument("--master", help="where Spark runs, such as spark://HOST:7077 or local[*]")
    parser.add_argument("--sql", default=Path(__file__).with_name("cut.sql"), help="other steps than cut.sql")
    Cut(parser.parse_args()).all()


if __name__ == "__main__":
    main()
