#!/usr/bin/env python3
"""Stops every verb at random moments by Ctrl-C's signal, and says how long each took to end.

  cancel.py DECANT STORE [TIMES] [SEED] [VERB…]

STORE is a Core Data store: one of some 100,000 objects or more, or samples/Kitchen.sqlite, of which such a one is made by
having each ingredient 2,000 times. TIMES is how often each verb is stopped, 20 unless given; of VERB, a name of the
first column, all unless given.
A line a verb: how often it was stopped before it was done, the median and the longest time from the signal to the end, in
milliseconds, and what was not as it had been: stores must be, and nothing may lie beside them but what can be resumed.
"""
import hashlib, json, os, plistlib, random, shutil, signal, sqlite3, statistics, subprocess, sys, tempfile, time, zipfile

decant, store = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
times = int(sys.argv[3]) if len(sys.argv) > 3 else 20
chance = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
samples = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../samples")
folder, originals = tempfile.mkdtemp(prefix="decant-cancel-"), tempfile.mkdtemp(prefix="decant-cancel-originals-")
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

# A store like the other one, in which every second ingredient was edited.
shutil.copy(store, f"{folder}/edited.sqlite")
with sqlite3.connect(f"{folder}/edited.sqlite") as edited:
    edited.execute("UPDATE ZINGREDIENT SET ZNAME = ZNAME || ' (edited)' WHERE Z_PK % 2")
edited.close()
# A database of references to all ingredients, and the table of what became of them.
shutil.copy(f"{samples}/Guests.sqlite", f"{folder}/moved.sqlite")
run("copy", a, "moved.sqlite", "--append", "--keep-ids", "ids.sqlite")
with sqlite3.connect(a) as kitchen, sqlite3.connect(f"{folder}/tracking.db") as tracking:
    uuid = kitchen.execute("SELECT Z_UUID FROM Z_METADATA").fetchone()[0]
    tracking.execute("CREATE TABLE synced (id INTEGER PRIMARY KEY, object TEXT)")
    keys = kitchen.execute("SELECT Z_PK FROM ZINGREDIENT")
    tracking.executemany(
        "INSERT INTO synced (object) VALUES (?)", ((f"x-coredata://{uuid}/Ingredient/p{key}",) for key, in keys)
    )
kitchen.close(), tracking.close()
# A store of recipes, and the next version of its model.
with open(f"{samples}/Soup.melarecipe") as soup, zipfile.ZipFile(f"{folder}/soups.melarecipes", "w") as soups:
    recipe = json.load(soup)
    for number in range(3000):
        recipe["id"], recipe["title"] = f"soup-{number}", f"Soup {number}"
        recipe["ingredients"] = "\n".join(f"{n} leeks of kind {number * n}" for n in range(1, 11))
        soups.writestr(f"{number}.melarecipe", json.dumps(recipe))
run("import", "soups.melarecipes", "coredata:recipes.sqlite", "--quiet")
shutil.copytree(f"{samples}/Recipes.xcdatamodeld", f"{folder}/next.xcdatamodeld")
with open(f"{folder}/next.xcdatamodeld/Recipes.xcdatamodel/contents") as model:
    text = model.read().replace('<attribute name="notes" ', '<attribute name="remarks" elementID="notes" ')
os.mkdir(f"{folder}/next.xcdatamodeld/Recipes 2.xcdatamodel")
with open(f"{folder}/next.xcdatamodeld/Recipes 2.xcdatamodel/contents", "w") as model:
    model.write(text)
with open(f"{folder}/next.xcdatamodeld/.xccurrentversion", "wb") as version:
    plistlib.dump({"_XCCurrentVersionName": "Recipes 2.xcdatamodel"}, version)
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
    "copy --append --backup": ["copy", a, b, "--append", "--backup"],
    "merge --merge update --backup": ["merge", "edited.sqlite", b, "--merge", "update", "--backup"],
    "merge of two": ["merge", a, "edited.sqlite", b],
    "merge of two --dry-run": ["merge", "edited.sqlite", a, b, "--merge", "update", "--dry-run"],
    "migrate": ["migrate", "recipes.sqlite", "--to", "next.xcdatamodeld", "--unversioned"],
    "repoint": ["repoint", "tracking.db", "--at", "synced.object", "--ids", "ids.sqlite", "--store", "moved.sqlite"],
    "doctor": ["doctor", "one.db"],
    "export --each": ["export", "recipes.sqlite", "each", "--each", "Recipe", "--where", "Recipe: title LIKE 'Soup 12%'"],
    "import of recipes": ["import", "soups.melarecipes", "library.db"],
    "recipes": ["recipes", "recipes.sqlite"],
    "recipes search": ["recipes", "recipes.sqlite", "search", "leeks", "999"],
    "recipes edit": ["recipes", "recipes.sqlite", "edit", "12", "rating", "4"],
    "import of recipes, again": ["import", "soups.melarecipes", "recipes.sqlite"],
}


def state():
    found = {}
    for path, _, names in os.walk(folder):
        for name in names:
            file = os.path.join(path, name)
            with open(file, "rb") as content:
                found[os.path.relpath(file, folder)] = hashlib.file_digest(content, "sha256").hexdigest()
    return found


for file in state():
    os.makedirs(os.path.dirname(os.path.join(originals, file)), exist_ok=True)
    shutil.copy(os.path.join(folder, file), os.path.join(originals, file))
before, failed = state(), False
print(f"{'verb':30} stopped  median ms  longest ms  changed")
for name, arguments in verbs.items():
    if sys.argv[5:] and name not in sys.argv[5:]:
        continue
    start = time.monotonic()
    whole = subprocess.run([decant, *arguments], cwd=folder, capture_output=True)
    duration = time.monotonic() - start
    if whole.returncode not in [0, 3, 4]:
        sys.exit(f"{name} does not work: {whole.stderr.decode()}")

    def restore():
        for file in set(state()) - set(before):
            os.remove(os.path.join(folder, file))
        for file, digest in state().items():
            if before[file] != digest:
                shutil.copy(os.path.join(originals, file), os.path.join(folder, file))
        for file in set(before) - set(state()):
            shutil.copy(os.path.join(originals, file), os.path.join(folder, file))

    def again():
        # What a whole run has changed is made as it was.
        if state() != before:
            restore()

    again()
    late, stopped, changed = [], 0, set()
    for _ in range(times):
        work = subprocess.Popen([decant, *arguments], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        time.sleep(chance.uniform(0.01, max(duration, 0.02)))
        if work.poll() is not None:
            again()
            continue
        sent = time.monotonic()
        work.send_signal(signal.SIGINT)
        message = work.communicate()[1]
        code = work.returncode
        passed = (time.monotonic() - sent) * 1000
        # A request that came too late ends the work with its report; it must not take longer for that.
        late.append(passed)
        if code == 130:
            stopped += 1
            after = state()
            changed |= {f for f in before if after.get(f) != before[f]}
            if "is cleaned".encode() in message:
                with sqlite3.connect(a) as cleaned:
                    if cleaned.execute("PRAGMA integrity_check").fetchone() == ("ok",):
                        changed.discard("a.sqlite")
                cleaned.close()
            if name == "merge of two":
                # Each source is merged whole or not at all.
                changed.discard("b.sqlite")
            # Archives of objects of their own are whole, and stay.
            changed |= {f for f in set(after) - set(before) if ".decant-" not in f and not f.startswith("each/")}
        again()
    failed |= bool(changed) or any(ms > 200 for ms in late)
    median = f"{statistics.median(late):.0f}" if late else "-"
    longest = f"{max(late):.0f}" if late else "-"
    print(f"{name:30} {stopped:7}  {median:>9}  {longest:>10}  {', '.join(sorted(changed))}", flush=True)
shutil.rmtree(folder)
shutil.rmtree(originals)
sys.exit(failed)
