#!/usr/bin/env python3
"""Measures copies to a PostgreSQL server and back beside the server's own COPY, and beside pgloader where it is installed.

  postgres.py DECANT STORE [ROUNDS]

STORE is a Core Data store. libpq's environment (PGHOST, PGUSER …) names the server; the database decant_bench is made and
dropped. Each round runs every command once, one after the other; a ratio is that of the same round, and the median of
all rounds is printed. Floors: `\\copy` of ready-made binary files into tables without keys, and the same with the keys, indexes,
foreign keys and statistics that decant makes, by psql in one session; COPY TO and the inserts of the sqlite3 program into
tables without keys. Rows alone are those of a plain database without keys and indexes, with default_statistics_target = 1, as
decant has the server make all these while it sends. Memory is the peak of the process.
"""
import os, shutil, statistics, subprocess, sys, tempfile

sys.dont_write_bytecode = True
from measure import measure

if len(sys.argv) < 3:
    sys.exit(__doc__)
decant, store = map(os.path.realpath, sys.argv[1:3])
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
database = "decant_bench"
folder = tempfile.mkdtemp()
os.environ["TMPDIR"] = folder


def run(*command):
    """Runs a command; returns its seconds and the peak of its memory in MB."""
    taken = measure(command)
    return taken.clock, taken.memory


def psql(*sql, base=database):
    words = [word for line in sql for word in ("-c", line)]
    return subprocess.run(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", base, *words], check=True, text=True, stdout=subprocess.PIPE).stdout


def drop(schema):
    psql(f"SET client_min_messages = error; DROP SCHEMA IF EXISTS {schema} CASCADE")


def copied(*options):
    drop("app")
    return run(decant, "copy", store, f"postgres:dbname={database} schema=app", "--quiet", *options)


def save(schema):
    """Writes the rows of each table to a file of its own."""
    for t in tables:
        psql(f"\\copy {schema}.\"{t}\" to '{folder}/{schema}.{t}.copy' (format binary)")


def floor_in(schema="app"):
    drop("floor")
    psql("CREATE SCHEMA floor", *[f'CREATE TABLE floor."{t}" (LIKE {schema}."{t}")' for t in tables])
    lines = [word for t in tables for word in ("-c", f"\\copy floor.\"{t}\" from '{folder}/{schema}.{t}.copy' (format binary)")]
    return run("psql", "-Xq", "-d", database, *lines)


def rows_alone():
    drop("bare")
    os.environ["PGOPTIONS"] = "-c default_statistics_target=1"
    try:
        return run(decant, "copy", f"{folder}/bare.db", f"postgres:dbname={database} schema=bare", "--quiet", "--no-verify")
    finally:
        del os.environ["PGOPTIONS"]


def floor_with_keys():
    loading = floor_in()
    lines = [word for line in additions for word in ("-c", line)]
    adding = run("psql", "-Xq", "-d", database, *lines)
    return loading[0] + adding[0], max(loading[1], adding[1])


def floor_out():
    path = f"{folder}/floor.db"
    if os.path.exists(path):
        os.remove(path)
    with open(f"{folder}/script", "w") as script:
        script.write("PRAGMA journal_mode = off; PRAGMA synchronous = off;\n")
        for t in tables:
            script.write(f'CREATE TABLE "{t}" ({", ".join(columns[t])});\n.import --csv "|psql -Xq -d {database} -c \'COPY app.\\"{t}\\" TO STDOUT (FORMAT csv)\'" "{t}"\n')
    return run("sqlite3", path, f".read {folder}/script")


def back():
    path = f"{folder}/back.sqlite"
    if os.path.exists(path):
        os.remove(path)
    return run(decant, "copy", f"postgres:dbname={database} schema=app", path, "--quiet")


def pgloader():
    psql("DROP SCHEMA IF EXISTS public CASCADE", "CREATE SCHEMA public")
    with open(f"{folder}/load", "w") as load:
        load.write(
            f"LOAD DATABASE FROM sqlite://{store} INTO postgresql:///{database} WITH include drop, create tables, create indexes, "
            "reset sequences, prefetch rows = 2000, batch rows = 5000, workers = 2, concurrency = 1 CAST type timestamp to "
            '"double precision" drop typemod using float-to-string, type float to "double precision" drop typemod using '
            "float-to-string;"
        )
    return run("pgloader", f"{folder}/load")


try:
    psql(f"DROP DATABASE IF EXISTS {database}", f"CREATE DATABASE {database}", base="postgres")
    copied()
    tables = psql("SELECT tablename FROM pg_tables WHERE schemaname = 'app' ORDER BY 1").split()
    columns = {t: psql(f"SELECT quote_ident(attname) FROM pg_attribute WHERE attrelid = 'app.\"{t}\"'::regclass AND attnum > 0 ORDER BY attnum").split() for t in tables}
    save("app")
    run(decant, "copy", store, f"sqlite:{folder}/plain.db", "--quiet")
    bare = [f'CREATE TABLE "{t}" AS SELECT * FROM plain."{t}"' for t in tables]
    subprocess.run(["sqlite3", f"{folder}/bare.db", f"ATTACH '{folder}/plain.db' AS plain", *bare], check=True)
    rows_alone()
    save("bare")
    # What decant makes of a filled table, as psql is told to.
    additions = psql(
        r"""
        SELECT line FROM (
          SELECT 1, format('ALTER TABLE floor.%I %s', c.relname, string_agg(format('ALTER %I SET NOT NULL', a.attname), ', '))
          FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND a.attnotnull
          WHERE c.relnamespace = 'app'::regnamespace AND c.relkind = 'r' GROUP BY c.relname
          UNION ALL SELECT CASE contype WHEN 'f' THEN 5 ELSE 2 END,
            format('ALTER TABLE floor.%I ADD %s', c.relname, replace(pg_get_constraintdef(k.oid), 'REFERENCES app.', 'REFERENCES floor.'))
          FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid WHERE k.connamespace = 'app'::regnamespace
          UNION ALL SELECT 3, replace(pg_get_indexdef(indexrelid), ' ON app.', ' ON floor.')
          FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid WHERE c.relnamespace = 'app'::regnamespace AND NOT indisprimary
          UNION ALL SELECT 4, format('ANALYZE floor.%I', relname) FROM pg_class
          WHERE relnamespace = 'app'::regnamespace AND relkind = 'r'
        ) AS found (place, line) ORDER BY place, line
        """
    ).splitlines()
    size = sum(os.path.getsize(f"{folder}/app.{t}.copy") for t in tables)
    rows = sum(int(psql(f'SELECT count(*) FROM app."{t}"')) for t in tables)
    print(f"{os.path.basename(store)}: {rows} rows, {size / 1e6:.1f} MB as COPY; {psql('SELECT version()').split(' on ')[0]}; {rounds} rounds, {os.cpu_count()} processors")
    into = [("\\copy, no keys", floor_in), ("\\copy, keys, indexes …", floor_with_keys), ("decant copy --no-verify", lambda: copied("--no-verify")), ("decant copy", copied)]
    if shutil.which("pgloader"):
        into.append(("pgloader, no proof", pgloader))
    out = [("COPY TO, sqlite3 inserts", floor_out), ("decant copy back", back)]
    alone = [("\\copy of rows alone", lambda: floor_in("bare")), ("decant copy, rows alone", rows_alone)]
    for commands in (alone, into, out):
        taken = {name: [] for name, _ in commands}
        for _ in range(rounds):
            for name, command in commands:
                taken[name].append(command())
        first = taken[commands[0][0]]
        for name, _ in commands:
            ratios = [seconds / floor for (seconds, _), (floor, _) in zip(taken[name], first)]
            print(
                f"  {name:26} {statistics.median(s for s, _ in taken[name]):7.2f} s  × {statistics.median(ratios):5.2f}"
                f"  ({min(ratios):.2f} to {max(ratios):.2f})  {max(m for _, m in taken[name]):6.0f} MB"
            )
finally:
    shutil.rmtree(folder)
    subprocess.run(["psql", "-Xq", "-d", "postgres", "-c", f"DROP DATABASE IF EXISTS {database}"], stderr=subprocess.DEVNULL)
