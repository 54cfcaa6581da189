"""Makes a lake of two organizations out of the tables that `kith generate` wrote for one, and compares cuts of it.

    large.py make TABLES LAKE      the same rows each time; of a thousand edges the second organization alone may see one
    large.py rows OUT OTHER        fails unless both cuts have the same rows, each as often
"""

import importlib.util
import sys
from pathlib import Path

import duckdb

CUT = Path(__file__).resolve().parents[2] / "deploy/lake/cut.py"
FIRST, SECOND = "org_ada", "org_bob"


def make(cut, tables, lake):
    database = duckdb.connect()
    database.execute("SET memory_limit = '3GB'")
    database.execute("SET preserve_insertion_order = false")
    for table, columns in cut.TABLES.items():
        file = tables / f"{table}.ndjson"
        if not file.is_file():
            continue
        # Objects as text.
        types = {name: "BIGINT" if name in cut.NUMBERS else "VARCHAR" for name in columns}
        rows = f"read_ndjson('{file}', columns = {types})"
        chosen, order = "*", ""
        if table in cut.OWNED:
            chosen = f"'{FIRST}' AS org, * EXCLUDE (org)"
        if table == "connections":
            chosen = f"""* REPLACE (CASE WHEN hash("from", "to") % 1000 = 0 THEN '{SECOND}' END AS "visibleTo")"""
            order = ' ORDER BY "from", "to"'
        database.execute(f"CREATE TABLE {table} AS SELECT {chosen} FROM {rows}{order}")
    # The members and advocates of the second organization: people from the whole of the network.
    some = "SELECT id, row_number() OVER (ORDER BY hash(id), id) AS n FROM people"
    database.execute(f"""INSERT INTO members BY NAME
        SELECT '{SECOND}' AS org, 'user_bob_' || n AS "userId", id AS "personId",
            CASE WHEN n = 1 THEN 'admin' ELSE 'member' END AS role, '2026-01-02T03:04:05Z' AS "joinedAt"
        FROM ({some}) WHERE n <= 40""")
    database.execute(f"""INSERT INTO advocates BY NAME
        SELECT '{SECOND}' AS org, 'user_bob_' || (n % 40 + 1) AS "userId", id AS "personId", 'accepted' AS status
        FROM ({some}) WHERE n BETWEEN 41 AND 111""")
    database.execute(f"""CREATE TABLE organizations AS
        SELECT '{FIRST}' AS id, 'Ada' AS name UNION ALL SELECT '{SECOND}', 'Bob' ORDER BY 1""")
    for (table,) in database.execute("SELECT table_name FROM duckdb_tables()").fetchall():
        (lake / table).mkdir(parents=True)
        order = ' ORDER BY "from", "to"' if table == "connections" else ""
        database.execute(f"""COPY (FROM {table}{order}) TO '{lake / table}/part-0.parquet'
            (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 100000)""")
        print(f"{table}: {database.execute(f'SELECT count(*) FROM {table}').fetchone()[0]:,} rows")


def parts_of(out, org, table):
    home = out / "organizations" / org
    return sorted(map(str, (home / (home / "current").read_text() / table).glob("*.parquet")))


def rows(cut, one, other):
    database = duckdb.connect()
    database.execute("SET memory_limit = '3GB'")
    total = 0
    for org in (FIRST, SECOND):
        for table in cut.TABLES:
            files = [parts_of(out, org, table) for out in (one, other)]
            if not any(files):
                continue
            # Each row and how often it is there: what is on one side alone.
            names = ", ".join(f'"{name}"' for name in cut.TABLES[table] if name not in ("org", "visibleTo"))
            sides = [f"SELECT {names}, count(*) AS times FROM read_parquet({side}) GROUP BY ALL" for side in files]
            left, right = (database.execute(f"SELECT count(*) FROM ({a} EXCEPT {b})").fetchone()[0]
                           for a, b in (sides, sides[::-1]))
            if left or right:
                sys.exit(f"{org} {table}: {left} rows only in {one.name}, {right} only in {other.name}")
            total += database.execute(f"SELECT count(*) FROM read_parquet({files[0]})").fetchone()[0]
    print(f"{one.name} and {other.name}: {total:,} equal rows")


def main(word, one, other):
    about = importlib.util.spec_from_file_location("cut", CUT)
    cut = importlib.util.module_from_spec(about)
    about.loader.exec_module(cut)
    {"make": make, "rows": rows}[word](cut, Path(one), Path(other))


main(*sys.argv[1:])
