#!/usr/bin/env python3
"""Stops every verb at random moments by Ctrl-C's signal, and says how long each took to end.

  cancel.py DECANT STORE [TIMES] [SEED]

STORE is a Core Data store: one of some 100,000 objects or more, or samples/Kitchen.sqlite, of which such a one is made by
having each ingredient 2,000 times. TIMES is how often each verb is stopped, 20 unless given.
A line a verb: how often it was stopped before it was done, the median and the longest time from the signal to the end, in
milliseconds, and what was not as it had been: stores must be, and nothing may lie beside them but what can be resumed.
"""
import hashlib, os, random, shutil, signal, sqlite3, statistics, subprocess, sys, tempfile, time

decant, store = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
times = int(sys.argv[3]) if len(sys.argv) > 3 else 20
chance = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
folder = tempfile.mkdtemp(prefix="decant-cancel-")
a, b = f"{folder}/a.sqlite", f"{folder}/b.sqlite"
shutil.copy(store, a)
if os.path.getsize(a) < 1 << 20:
    with sqlite3.connect(a) as grown:
        columns = [row[1] for row in grown.execute("PRAGMA table_info(ZINGREDIENT)") if row[1] != "Z_PK"]
        names = ", ".join(columns)
        grown.execute(
            f"""
            INSERT INTO ZINGREDIENT (Z_PK, {names})
            WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
            SELECT Z_PK + 1000 * i, {names.replace("ZUUID", "NULL")} FROM ZINGREDIENT, n
            """
        )
        grown.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT max(Z_PK) FROM ZINGREDIENT) WHERE Z_NAME = 'Ingredient'")
    grown.close()
    store = f"{folder}/grown.sqlite"
    shutil.copy(a, store)
shutil.copy(store, b)


def run(*arguments):
    subprocess.run([decant, *arguments], cwd=folder, check=True, capture_output=True)


run("export", a, "a.decant.zst")
run("copy", a, "old.sqlite")
run("copy", a, "old.sqlite", "--append", "--backup")
for name in ["one.db", "other.db"]:
    run("copy", a, f"sqlite:{name}")
with sqlite3.connect(f"{folder}/other.db") as other:
    other.execute("DELETE FROM Ingredient WHERE rowid % 2")
other.close()
with open(f"{folder}/same.yaml", "w") as mapping:
    mapping.write("decant: 1\n")
verbs = {
    "copy": ["copy", a, "out.sqlite"],
    "copy by rows": ["copy", a, "out.sqlite", "--where", "Recipe: 1"],
    "copy --append": ["copy", a, b, "--append"],
    "copy --append --commit batch": ["copy", a, b, "--append", "--commit", "batch"],
    "merge": ["merge", a, b, "--no-lineage"],
    "verify": ["verify", a, b, "--no-lineage"],
    "diff": ["diff", a, b, "--no-lineage"],
    "diff --mapping": ["diff", a, b, "--mapping", "same.yaml"],
    "diff --sql": ["diff", "one.db", "other.db", "--sql"],
    "query": ["query", a, "SELECT i.name, r.title FROM Ingredient AS i LEFT JOIN Recipe AS r ON r._id = i.recipe", "--json"],
    "query, one row": ["query", a, "SELECT count(DISTINCT name || note || _id) FROM Ingredient"],
    "copy --suggest-mapping": ["copy", a, b, "--suggest-mapping"],
    "inspect --suggest-links": ["inspect", "one.db", "--suggest-links"],
    "copy --dry-run": ["copy", a, "out.sqlite", "--dry-run"],
    "inspect": ["inspect", a],
    "clean": ["clean", a, "--what", "history,cloudkit,icloud"],
    "check": ["check", a, "--against", b],
    "export": ["export", a, "out.decant"],
    "export, packed": ["export", a, "out.decant.zst"],
    "import": ["import", "a.decant.zst", "out.sqlite"],
    "import into a store": ["import", "a.decant.zst", b],
    "rollback": ["rollback", "old.sqlite"],
}


def state():
    found = {}
    for path, _, names in os.walk(folder):
        for name in names:
            file = os.path.join(path, name)
            with open(file, "rb") as content:
                found[os.path.relpath(file, folder)] = hashlib.file_digest(content, "sha256").hexdigest()
    return found


before, failed = state(), False
print(f"{'verb':30} stopped  median ms  longest ms  changed")
for name, arguments in verbs.items():
    start = time.monotonic()
    whole = subprocess.run([decant, *arguments], cwd=folder, capture_output=True)
    duration = time.monotonic() - start

    def restore():
        for file in set(state()) - set(before):
            os.remove(os.path.join(folder, file))
        for file, digest in state().items():
            if before[file] != digest:
                shutil.copy(store, os.path.join(folder, file))

    def again():
        # What a whole run has changed is made as it was.
        global before
        if state() != before:
            if name == "rollback":
                run("rollback", "old.sqlite")
            restore()

    again()
    late, stopped, changed = [], 0, set()
    for _ in range(times):
        work = subprocess.Popen([decant, *arguments], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.01, max(duration, 0.02)))
        if work.poll() is not None:
            again()
            continue
        sent = time.monotonic()
        work.send_signal(signal.SIGINT)
        code = work.wait()
        passed = (time.monotonic() - sent) * 1000
        if code == 130:
            stopped += 1
            late.append(passed)
            after = state()
            changed |= {f for f in before if after.get(f) != before[f]}
            changed |= {f for f in set(after) - set(before) if ".decant-" not in f}
        again()
    failed |= bool(changed) or any(ms > 200 for ms in late)
    median = f"{statistics.median(late):.0f}" if late else "-"
    longest = f"{max(late):.0f}" if late else "-"
    print(f"{name:30} {stopped:7}  {median:>9}  {longest:>10}  {', '.join(sorted(changed))}", flush=True)
shutil.rmtree(folder)
sys.exit(failed)
