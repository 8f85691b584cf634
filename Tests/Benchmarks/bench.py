#!/usr/bin/env python3
"""Measures decant beside what SQLite itself needs, beside SQL and scripts by hand, and against goals.

  bench.py DECANT [PART…]      all parts unless told otherwise

A tenth of the size unless FULL=1; ROUNDS: how often each command runs, 5 unless given. Results are judged before they are
timed. The generator and the peers are not part of the project: BENCH names their folder. PY: a Python that has zstandard,
for one of the peers; without it that line is left out.
"""
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from measure import Command, peak, ratio, rounds

here = os.path.dirname(os.path.realpath(__file__))
bench = os.path.realpath(os.environ.get("BENCH", os.path.join(here, "../../../shared/bench")))
share = 1 if os.environ.get("FULL") else 10
count = int(os.environ.get("ROUNDS", 5))
parts = {}
results = []


def part(function):
    parts[function.__name__] = function
    return function


def figure(work, value, goal, unit="×", least=False):
    """Keeps a figure for the table at the end; least: the goal is the least that it may be. No goal: None."""
    results.append((work, value, goal, unit, least))


def said(title):
    print(f"\nbench: {title}", flush=True)


def call(*words):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"bench: {' '.join(words)}: {done.stdout}{done.stderr}")
    return done.stdout.rstrip()


def store(name, *options):
    """A Core Data store of recipes by the generator."""
    path = f"{folder}/{name}.sqlite"
    if not os.path.exists(path):
        call(sys.executable, f"{bench}/make_store.py", *map(str, options), "--out", path)
        print(f"bench: {name}, {os.path.getsize(path) / 1e6:.1f} MB: make_store.py {' '.join(map(str, options))}", flush=True)
    return path


def base():
    return store("base", "--recipes", 1000, "--seed", 2, "--image-kb", 4)


def dense():
    return store("dense", "--recipes", 100_000 // share)


def rows(path, *queries):
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
        return [connection.execute(query).fetchall() for query in queries]


def equal(what, mine, theirs, *queries):
    """Ends the program when two databases answer queries differently."""
    for query in queries:
        if rows(mine, query) != rows(theirs, query):
            sys.exit(f"bench: {what}: decant and its peer differ in {query}")


@part
def indexed():
    """Two plain databases with two indexes whose entries come in random order."""
    amount = int(os.environ.get("ROWS", 6_000_000 // share))
    call(sys.executable, f"{bench}/make_indexed.py", f"{folder}/indexed", "--rows", str(amount))
    left, right, out, by_hand = (f"{folder}/indexed/{name}.db" for name in ("left", "right", "out", "by-hand"))
    again = f"{folder}/indexed/again.db"
    said(f"make_indexed.py --rows {amount}, one merged into the other, {count} rounds")
    fresh = f"rm -f {out}*; cp {left} {out}"
    commands = {
        "sqlite3": Command(f"{bench}/peer_merge.sh {right} {out}", fresh),
        "sqlite3, indexes rebuilt": Command(f"REBUILD=1 {bench}/peer_merge.sh {right} {out}", f"cp {out} {by_hand}; {fresh}"),
        "Python script": Command(f"{sys.executable} {bench}/peer_merge.py {right} {out}", fresh),
        "merge --no-verify": Command(f"{decant} merge {right} {out} --no-verify --quiet", fresh),
        "merge": Command(f"{decant} merge {right} {out} --quiet", fresh),
        "merge again": Command(f"{decant} merge {right} {again} --quiet", f"cp {out} {again}"),
    }
    rounds(commands, count)
    equal(
        "merge", out, by_hand, "SELECT count(*), count(DISTINCT email) FROM customer",
        "SELECT count(*), sum(length(ref)), round(total(amount), 2), count(note) FROM purchase",
        "SELECT email, count(*), min(ref), max(ref), round(total(amount), 2) FROM purchase p JOIN customer c ON c.id = customer_id GROUP BY email ORDER BY email LIMIT 2000",
        "PRAGMA integrity_check",
    )
    hand = ("sqlite3", "sqlite3, indexes rebuilt")
    figure("merge with two shuffled indexes, beside SQL by hand", ratio(commands, "merge", *hand), 0.8)
    figure("  without proof", ratio(commands, "merge --no-verify", *hand), 0.6)
    figure("  times as fast as a Python script", 1 / ratio(commands, "merge", "Python script"), 2, least=True)
    figure("  again, with nothing to do, beside the first merge", ratio(commands, "merge again", "merge"), 0.5)
    figure("  peak memory", max(run.memory for run in commands["merge"].runs), 64, "MiB")
    said("one of them compared with a copy of it, and with the merged one; inspected")
    other = f"{folder}/indexed/other.db"
    shutil.copy(left, other)
    columns = "sum(length(id)), sum(length(customer_id)), sum(length(ref)), sum(length(amount)), sum(length(note))"
    read = f"SELECT {columns} FROM purchase; SELECT sum(length(id)), sum(length(email)), sum(length(name)) FROM customer"
    commands = {
        "both read once": Command(f"sqlite3 -readonly {left} '{read}'; sqlite3 -readonly {other} '{read}'"),
        "verify": Command(f"{decant} verify {left} {other} --quiet"),
        "diff": Command(f"{decant} diff {left} {other} --quiet"),
        "verify, 1 in 2": Command(f"{decant} verify {left} {out} --quiet"),
        "one read once": Command(f"sqlite3 -readonly {left} '{read}'"),
        "inspect": Command(f"{decant} inspect {left}"),
        "inspect --fast": Command(f"{decant} inspect {left} --fast"),
    }
    rounds(commands, count)
    figure("verify, beside both databases read once", ratio(commands, "verify", "both read once"), 2.5)
    figure("  of a database in one of twice the size", ratio(commands, "verify, 1 in 2", "both read once"), 2.5)
    figure("diff, beside both databases read once", ratio(commands, "diff", "both read once"), 2.5)
    figure("inspect, beside the database read once", ratio(commands, "inspect", "one read once"), 1)
    figure("  --fast", ratio(commands, "inspect --fast", "one read once"), 0.2)
    shutil.rmtree(f"{folder}/indexed")


@part
def matched():
    """Two databases that hold the same rows under the same keys or others, in which nothing is to be done."""
    amount = int(os.environ.get("ORDERS", 800_000 // share))
    place, script = f"{folder}/matched", f"{here}/matched.sh"
    os.makedirs(place)
    call(script, "make", place, str(amount))
    first, out = f"{place}/a.db", f"{place}/out.db"
    for kind, keys in (("same", "the same keys"), ("moved", "other keys")):
        second = f"{place}/{kind}.db"
        said(f"{amount + amount // 4} equal rows under {keys}, compared and merged, {count} rounds")
        commands = {
            "sqlite3 EXCEPT": Command(f"{script} compare {first} {second}"),
            "verify": Command(f"{decant} verify {first} {second} --quiet"),
            "diff": Command(f"{decant} diff {first} {second} --quiet"),
            "merge": Command(f"{decant} merge {first} {out} --quiet", f"rm -f {out}*; cp {second} {out}"),
        }
        rounds(commands, count)
        for name in ("verify", "diff", "merge"):
            figure(f"{name} of equal rows under {keys}, beside EXCEPT in sqlite3", ratio(commands, name, "sqlite3 EXCEPT"), None)
    shutil.rmtree(place)


def appended(kind, source):
    """A store copied into one of 1,000 recipes whose keys collide."""
    start, out = base(), f"{folder}/out.sqlite"
    fresh = f"rm -f {out}*; cp {start} {out}"
    said(f"the {kind} store into one of 1000 recipes whose keys collide, {count} rounds")
    commands = {
        "INSERT … SELECT": Command(f"bash {bench}/peer_attach.sh {source} {start} {out}"),
        "copy --no-verify": Command(f"{decant} copy {source} {out} --append --no-verify --quiet", fresh),
        "copy": Command(f"{decant} copy {source} {out} --append --quiet", fresh),
        "Python script": Command(f"{sys.executable} {bench}/peer_python.py {source} {start} {out}"),
    }
    rounds(commands, count)
    call("sh", "-c", f"{fresh}; {decant} copy {source} {out} --append --quiet")
    if share > 1:
        call(sys.executable, f"{bench}/check_copy.py", source, out, start)
    return commands


@part
def copies():
    """Copies into a store that has rows, which have other keys there."""
    commands = appended("dense", dense())
    figure("copy into a store, beside INSERT … SELECT without proof", ratio(commands, "copy", "INSERT … SELECT"), 1.3)
    figure("  processor time", ratio(commands, "copy", "INSERT … SELECT", part="processor"), 1.6)
    figure("  without proof", ratio(commands, "copy --no-verify", "INSERT … SELECT"), None)
    figure("  without proof, times as fast as a Python script", 1 / ratio(commands, "copy --no-verify", "Python script"), None, least=True)
    for kind, options in (("shuffled", ("--recipes", 100_000 // share, "--shuffle")), ("images", ("--recipes", 20_000 // share, "--image-kb", 40))):
        path = store(kind, *options)
        commands = appended(kind, path)
        figure(f"  {kind}", ratio(commands, "copy", "INSERT … SELECT"), None)
        os.remove(path)


@part
def new():
    """New stores of the same model, and plain databases."""
    source, out = dense(), f"{folder}/new.sqlite"
    fresh = f"rm -f {out}*"
    said(f"the dense store into a new one, {count} rounds")
    commands = {
        "VACUUM INTO": Command(f"sqlite3 {source} \"VACUUM INTO '{out}'\"", fresh),
        "copy --no-verify": Command(f"{decant} copy {source} {out} --no-verify --quiet", fresh),
        "copy": Command(f"{decant} copy {source} {out} --quiet", fresh),
        "copy by rows": Command(f"{decant} copy {source} {out} --where 'Recipe: 1' --quiet", fresh),
        "copy to plain": Command(f"{decant} copy {source} sqlite:{out} --quiet", fresh),
    }
    rounds(commands, count)
    figure("new copy of the same model, beside VACUUM INTO", ratio(commands, "copy", "VACUUM INTO"), 1.8)
    figure("  without proof", ratio(commands, "copy --no-verify", "VACUUM INTO"), 1.1)
    figure("Core Data to plain SQLite, beside Core Data to Core Data, row by row", ratio(commands, "copy to plain", "copy by rows"), 1.4)
    call("sh", "-c", fresh)


@part
def merges():
    """A store merged with one that has half of it already."""
    amount = 100_000 // share
    mine = store("mine", "--recipes", amount, "--unique")
    theirs = store("theirs", "--recipes", amount, "--seed", 3, "--unique", "--overlap", mine)
    out, start = f"{folder}/out.sqlite", base()
    fresh = f"rm -f {out}*; cp {mine} {out}"
    call("sh", "-c", f"{fresh}; {decant} merge {theirs} {out} --quiet")
    subprocess.run([sys.executable, f"{here}/union.py", mine, theirs, out], env={**os.environ, "BENCH": bench}, check=True)
    said(f"half of a store that the other has, merged, beside a copy of all of it, {count} rounds")
    commands = {
        "copy --no-verify": Command(f"{decant} copy {theirs} {out} --append --no-verify --quiet", f"rm -f {out}*; cp {start} {out}"),
        "merge --no-verify": Command(f"{decant} merge {theirs} {out} --no-verify --quiet", fresh),
        "merge": Command(f"{decant} merge {theirs} {out} --quiet", fresh),
    }
    rounds(commands, count)
    figure("merge of a half-known store without proof, beside its copy", ratio(commands, "merge --no-verify", "copy --no-verify"), None)
    os.remove(mine)
    os.remove(theirs)


@part
def archives():
    """Stores into archives and back."""
    start, out = base(), f"{folder}/out"
    for kind, options in (("text", ("--recipes", 20_000 * 2 // share)), ("pictures", ("--recipes", 4_000 * 2 // share, "--image-kb", 40))):
        source = store(kind, *options)
        said(f"the store of {kind} into archives and back, {count} rounds")
        commands = {"Python zipfile": Command(f"{sys.executable} {bench}/peer_export.py {source} {out}.zip --level 1")}
        if os.environ.get("PY"):
            commands["Python zstandard"] = Command(f"{os.environ['PY']} {bench}/peer_export.py {source} {out}.tar.zst")
        for ending in ("zip", "gz", "zst"):
            commands[f"export .{ending}"] = Command(f"{decant} export {source} {out}.decant.{ending} --quiet", f"rm -f {out}.decant.{ending}")
        rounds(commands, count)
        figure(f"export of {kind} as zip, times as fast as Python", 1 / ratio(commands, "export .zip", "Python zipfile"), 6, least=True)
        if os.environ.get("PY"):
            figure(f"export of {kind} as zst, times as fast as Python", 1 / ratio(commands, "export .zst", "Python zstandard"), 5, least=True)
        commands = {
            "Python": Command(f"{sys.executable} {bench}/peer_import.py {out}.zip {start} {out}.sqlite"),
            "import": Command(f"{decant} import {out}.decant.zip {out}.sqlite --quiet", f"rm -f {out}.sqlite*; cp {start} {out}.sqlite"),
            "import, new": Command(f"{decant} import {out}.decant.zip {out}.sqlite --quiet", f"rm -f {out}.sqlite*"),
        }
        rounds(commands, count)
        call("sh", "-c", f"rm -f {out}.sqlite*; cp {start} {out}.sqlite; {decant} import {out}.decant.zip {out}.sqlite --quiet")
        call(sys.executable, f"{bench}/check_copy.py", source, f"{out}.sqlite", start)
        figure(f"import of {kind} into a new store, times as fast as Python", 1 / ratio(commands, "import, new", "Python"), 4, least=True)
        figure("  into a store that is there", 1 / ratio(commands, "import", "Python"), 4, least=True)
        call("sh", "-c", f"rm -f {out}.*")
        os.remove(source)


@part
def start():
    """What the program takes to say its version."""
    said("start, 25 rounds")
    commands = {"true": Command("exec true"), "--version": Command(f"exec {decant} --version")}
    rounds(commands, 25)
    taken = statistics.median(a.clock - b.clock for a, b in zip(commands["--version"].runs, commands["true"].runs))
    figure("start (--version), beyond a program that does nothing", taken * 1000, 5, "ms")


@part
def memory():
    """Peak memory at two sizes, or three."""
    said("peak memory in MiB")
    start, names = base(), ("append", "new", "verify", "export", "import")
    print(f"  {'recipes':>9}" + "".join(f"{name:>10}" for name in names))
    sizes = (20_000, 200_000, 1_000_000) if share == 1 else (10_000, 40_000)
    table = []
    for size in sizes:
        source, out, archive = store(f"memory-{size}", "--recipes", size), f"{folder}/out.sqlite", f"{folder}/out.decant.zst"
        shutil.copy(start, out)
        line = [peak(f"{decant} copy {source} {out} --append --quiet")]
        os.remove(out)
        line.append(peak(f"{decant} copy {source} {out} --quiet"))
        line.append(peak(f"{decant} verify {source} {out} --quiet"))
        os.remove(out)
        line.append(peak(f"{decant} export {source} {archive} --quiet"))
        line.append(peak(f"{decant} import {archive} {out} --quiet"))
        os.remove(out), os.remove(archive), os.remove(source)
        print(f"  {size:>9}" + "".join(f"{value:10.1f}" for value in line), flush=True)
        table.append(line)
    for name, small, large in zip(names, table[0], table[-1]):
        figure(f"{name}: peak memory with {sizes[-1]:,} recipes", large, 64, "MiB")
        figure(f"  beside {sizes[0]:,} recipes", large / small, 1.15)


def table():
    width = max(len(work) for work, *_ in results)
    print(f"\n{'':{width}}  {'figure':>11}  goal")
    for work, value, goal, unit, least in results:
        wanted = "" if goal is None else f"{'≥' if least else '≤'} {goal} {unit}"
        met = goal is None or (value >= goal if least else value <= goal)
        print(f"{work:{width}}  {value:7.2f} {unit:3}  {wanted}{'' if met else ', missed'}")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if not os.path.exists(f"{bench}/ab.py"):
        print(f"bench: skipped, no folder {bench}; BENCH names another place for it")
        sys.exit()
    decant = os.path.realpath(sys.argv[1])
    chosen = sys.argv[2:] or list(parts)
    unknown = [name for name in chosen if name not in parts]
    if unknown:
        sys.exit(f"bench: there is no part {unknown[0]}; the parts are {', '.join(parts)}")
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    folder = tempfile.mkdtemp()
    try:
        load = open("/proc/loadavg").read().split()[0]
        print(f"bench: {call(decant, '--version')}, {os.cpu_count()} cores, load {load}, {'full size' if share == 1 else 'a tenth of the size'}")
        for name in chosen:
            parts[name]()
        table()
    finally:
        shutil.rmtree(folder)
