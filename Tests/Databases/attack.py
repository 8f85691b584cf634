#!/usr/bin/env python3
"""Attacks copies: attack.py DECANT STORE [--model MODEL] [--way WAY …] [--tries N] [--sample N]
[--seed N] [--kind TEXT].

Ways: `new`, a new store; `rows`, one written row by row; `ids`, added to a store of the same keys and found by
the ID table; `found`, added to one that handed out those keys, and found by what objects hold.

Copies the store, then changes one thing in the copy and asks `decant verify` and `decant diff`, which have to
see it and to name it; and that again for every kind of change that the store has room for. Prints a line for
each kind: how often it was tried and what came of it. Exit code 1 where something was not seen or not named.
"""
import argparse
import collections
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

from attacks import Attack, Description, Store
from database import Database, quote

# Not promised: a copy is a store of its own, which has its own identifier, indexes and model.
SILENT = ("schema: ", "books: other identifier")


class Way:
    """How a copy was made, and how it is compared."""

    def __init__(self, name, copy, arguments, before, ids):
        self.name, self.copy, self.arguments, self.before = name, copy, arguments, before
        self.is_exact = name != "found"  # objects are told by their keys, whatever became of them
        self.sources = None
        if ids:
            rows = sqlite3.connect(ids).execute("SELECT entity, source, destination, count FROM ids WHERE destination NOT NULL")
            self.sources = [row for row in rows if isinstance(row[1], int)]

    def images(self, table):
        return f"rowid > {self.before[table]}" if table in self.before else None

    def source(self, table, key, tables):
        """The key in the source of the object that has `key` in the copy."""
        if self.sources is None or key is None:
            return key
        for entity, first, target, count in self.sources:
            if tables.get(entity, entity) == table and target <= key < target + count:
                return first + key - target
        return None


class Trial:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.source = os.path.join(folder, os.path.basename(options.store))
        copy_store(options.store, self.source)
        self.model = ["--model", options.model] if options.model else []
        told = json.loads(self.decant("inspect", "--json", self.source, *self.model)[1])
        self.is_core_data = told["kind"] == "coredata"
        self.description = Description(told["model"]["entities"] if self.is_core_data else ())
        self.lost = lend_files(self.source) if self.is_core_data else []
        self.results = collections.defaultdict(collections.Counter)
        self.faults = []

    def decant(self, *arguments):
        run = subprocess.run([self.options.decant, *arguments], capture_output=True)
        return run.returncode, run.stdout.decode("utf-8", "replace"), run.stderr.decode("utf-8", "replace")

    def copy(self, *arguments):
        code, out, errors = self.decant("copy", "-q", self.source, *arguments, *self.model)
        if code != 0:
            raise RuntimeError(f"copy {' '.join(arguments)}: {code}: {errors}")

    def path(self, name):
        return os.path.join(self.folder, name)

    def way(self, name):
        """Makes a copy in one of the ways."""
        place = self.path(name)
        os.makedirs(place)
        out, ids, before = os.path.join(place, "copy.sqlite"), os.path.join(place, "ids.sqlite"), {}
        if name == "new":
            self.copy(out)
            return Way(name, out, [], before, None)
        if name == "rows":
            entity = sorted(self.description.tables)[0] if self.is_core_data else self.first_table()
            self.copy(out, "--where", f"{entity}: 1", "--keep-ids", ids)
            return Way(name, out, [], before, None)
        self.copy(out)
        base(out, self.is_core_data, empties=name == "found")
        for table in Store(out, self.description).tables:
            if not table.without_rowid:
                rows = Database(out).rows(f"SELECT max(rowid) FROM {quote(table.name)}")
                before[table.name] = rows[0][0] or 0
        self.copy(out, "--append", "--keep-ids", ids, *([] if self.is_core_data else ["--no-triggers"]))
        return Way(name, out, ["--ids", ids] if name == "ids" else [], before, ids)

    def first_table(self):
        return Store(self.source, self.description).tables[0].name

    def run(self, way):
        """All chosen attacks on one copy."""
        pristine = self.path("pristine")
        shutil.rmtree(pristine, ignore_errors=True)
        shutil.copytree(os.path.dirname(way.copy), pristine)
        for verb in ("verify", "diff"):
            if verb == "diff" and way.name == "ids" or verb == "diff" and way.name == "found" and not self.is_core_data:
                continue
            code, out, errors = self.ask(verb, way)
            self.note(Attack("untouched", verb, None), way, code == 0, verb, f"{out}{errors}")
        store = Store(way.copy, self.description, [os.path.basename(path) for path in self.lost])
        generator = random.Random(self.options.seed)

        def choose(victims):
            return [victims[0], victims[-1], victims[len(victims) // 2]] if len(victims) > 3 else victims

        kinds = collections.defaultdict(list)
        for attack in list(store.attacks(way.images, choose)) + self.file_attacks(way, store):
            if not self.options.kind or self.options.kind in attack.kind:
                kinds[attack.kind].append(attack)
        store.close()
        chosen = sorted(kinds)
        if self.options.sample:
            chosen = sorted(generator.sample(chosen, min(self.options.sample, len(chosen))))
        for kind in chosen:
            attacks = kinds[kind]
            generator.shuffle(attacks)
            tried = 0
            for attack in attacks:
                if tried >= self.options.tries:
                    break
                restore(pristine, os.path.dirname(way.copy))
                if not self.apply(attack, way):
                    continue
                tried += 1
                self.judge(attack, way)
            if tried == 0:
                self.results[kind]["no room"] += 1

    def ask(self, verb, way):
        return self.decant(verb, "--json", self.source, way.copy, *way.arguments, *self.model)

    def apply(self, attack, way):
        """Changes the copy; False where nothing came of it."""
        if attack.file:
            path, content = attack.file
            if content is None:
                os.remove(path)
            else:
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "wb") as file:
                    file.write(content)
            return True
        connection = sqlite3.connect(way.copy, isolation_level=None)
        try:
            run = connection.execute
            run("PRAGMA ignore_check_constraints = ON")
            run("BEGIN")
            triggers = run("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
            if not attack.kind.startswith("schema"):
                for name, _ in triggers:
                    run(f"DROP TRIGGER {quote(name)}")
            before = state(connection, attack)
            for sql, values in attack.statements:
                run(sql, values)
            if not attack.kind.startswith("schema"):
                for _, sql in triggers:
                    run(sql)
            has_effect = attack.column is None or before != state(connection, attack)
            run("COMMIT" if has_effect else "ROLLBACK")
            return has_effect
        except (sqlite3.Error, UnicodeEncodeError, OverflowError):
            return False
        finally:
            connection.close()

    def judge(self, attack, way):
        code, out, errors = self.ask("verify", way)
        if attack.kind.startswith(SILENT) or self.model and attack.table == "Z_MODELCACHE":
            self.results[attack.kind][f"not promised (exit {code})"] += 1
            return
        if attack.kind.startswith("books") and (code in (12, 13) or code == 64 and way.name == "ids"):
            self.results[attack.kind]["refused"] += 1
            return
        if attack.kind == "row: there twice" and code == 0:
            self.results[attack.kind]["more is allowed"] += 1
        elif attack.kind.startswith("key") and not way.is_exact and code == 0:
            # Objects that are found by what they hold have no keys to keep.
            self.results[attack.kind]["the same with other keys"] += 1
            return
        elif code != 4:
            self.note(attack, way, False, "verify", f"exit {code} {errors}")
        else:
            named = self.is_named(attack, way, json.loads(out)["differences"], "entity", "ids", "properties")
            self.note(attack, way, named, "verify", "not named in " + json.dumps(json.loads(out)["differences"])[:600])
        if attack.kind.startswith("books") or way.name == "ids" or way.name == "found" and not self.is_core_data:
            return
        code, out, errors = self.ask("diff", way)
        if code == 13 and attack.kind.startswith("entity"):
            self.results[attack.kind]["diff refuses"] += 1
        elif code == 0 and attack.kind.startswith("key") and not way.is_exact:
            self.results[attack.kind]["the same with other keys"] += 1
        elif code != 4:
            self.note(attack, way, False, "diff", f"exit {code} {errors}")
        else:
            self.note(attack, way, True, "diff", "")

    def is_named(self, attack, way, differences, entity, keys, properties):
        tables = self.description.tables
        for each in differences:
            name = each[entity]
            if each["kind"] == "misbooked" and tables.get(name, name) == attack.table:
                return True
            if attack.key is None or self.is_core_data and attack.table not in tables.values():
                # A row of a table of the app's own, or of links: the table, the relationship.
                folded = name.upper().replace("TABLE ", "")
                if folded == attack.table.upper() or "." in name and self.is_relation(name, attack.table):
                    return True
                continue
            if not way.is_exact and attack.kind.startswith("key"):
                return True
            if "." in name and name.split(".")[1] == attack.table:
                return True  # a plain table of two keys is links
            if tables.get(name, name.replace("table ", "")) != attack.table:
                continue
            if not way.is_exact:
                return True
            if way.source(attack.table, attack.key, tables) not in each[keys] and each[keys]:
                continue
            if attack.column is None or each["kind"] == "missing" or not each[keys]:
                return True
            if any(same(attack.column, told) for told in each.get(properties, ())):
                return True
        return False

    def is_relation(self, name, table):
        property_ = name.split(".")[1].upper()
        if property_ in table.upper():
            return True
        return any(property_ in row[0].upper() for row in Database(self.source).rows("SELECT name FROM pragma_table_info(?)", table))

    def note(self, attack, way, is_found, verb, text):
        self.results[attack.kind][verb + (" sees" if is_found else " FAILS")] += 1
        if not is_found:
            self.faults.append(f"{os.path.basename(self.options.store)} {way.name} {verb}: {attack}: {text}")

    def file_attacks(self, way, store):
        """A file beside the store: one bit, its length, gone; one that was lost is there."""
        if not self.is_core_data:
            return []
        folder = files_of(way.copy)
        here = files_of(self.source)
        names = {}
        for table in store.tables:
            for column in table.columns:
                if store.kind(table.name) == "objects" and store.description.type(table.name, column.name)[1]:
                    for key, value in store.database.rows(
                        f"SELECT Z_PK, {quote(column.name)} FROM {quote(table.name)} WHERE length({quote(column.name)}) = 38 AND {way.images(table.name) or '1'}"
                    ):
                        if value[:1] == b"\x02":
                            names[value[1:-1].decode()] = (table.name, key, column.name)
        attacks = []
        for name, (table, key, column) in sorted(names.items()):
            path = os.path.join(folder, name)

            def add(kind, content):
                attack = Attack("file: " + kind, table, key, column=column)
                attack.file = (path, content)
                attacks.append(attack)

            if not os.path.exists(path):
                add("there that was lost", b"found again")
                continue
            with open(path, "rb") as file:
                content = file.read()
            add("one bit", content[:-1] + bytes([content[-1] ^ 1]))
            add("one byte too few", content[:-1])
            add("one byte too many", content + b"\0")
            add("empty", b"")
            add("gone", None)
        return attacks


def state(connection, attack):
    """What the attack is to change, with its storage class."""
    if attack.column is None:
        return None
    name = quote("Z_ENT" if attack.column == "its entity" else attack.column)
    columns = [row[1] for row in connection.execute(f"PRAGMA table_xinfo({quote(attack.table)})")]
    everything = ", ".join(f"typeof({quote(each)}), CAST({quote(each)} AS BLOB), quote({quote(each)})" for each in columns)
    sql, values = attack.statements[0]
    where = re.search(r" WHERE .*", sql)[0]
    count = where.count("?")
    return connection.execute(
        f"SELECT {everything} FROM {quote(attack.table)}{where}", tuple(values[len(values) - count :])
    ).fetchall()


def same(column, told):
    """Whether a property is what stands behind the column."""
    word = re.split(r"[ .]", told)[-1].upper()
    bare = re.sub(r"^Z\d*|\d+$", "", column.upper())
    return told == column or bare == word.rstrip("0123456789") or bare.lstrip("_") == word.lstrip("_")


def base(path, is_core_data, empties):
    """Makes of a copy a store to be added to: emptied, or with other values where none may be there twice."""
    if not is_core_data:
        twin = path + ".twin"
        subprocess.run([sys.executable, os.path.join(os.path.dirname(__file__), "twin.py"), path, twin], check=True)
        os.replace(twin, path)
    connection = sqlite3.connect(path, isolation_level=None)
    run = connection.execute
    run("BEGIN")
    triggers = run("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        run(f"DROP TRIGGER {quote(name)}")
    database = Database(path)
    for table in database.tables():
        name = quote(table.name)
        if table.name in ("Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE") or is_core_data and not table.name.startswith("Z"):
            continue
        if table.name.startswith("Z_RT_"):
            continue
        if empties:
            if is_core_data:
                run(f"DELETE FROM {name}")
            elif table.alias:
                run(f"DELETE FROM {name} WHERE rowid < (SELECT max(rowid) FROM {name})")
            else:
                run(f"DELETE FROM {name}")
            continue
        if not is_core_data or table.name.startswith("Z_"):
            continue
        for column, in database.rows(
            'SELECT DISTINCT c.name FROM pragma_index_list(?) AS l, pragma_index_info(l.name) AS c WHERE l."unique" AND c.name NOT NULL', table.name
        ):
            column = quote(column)
            run(
                f"UPDATE {name} SET {column} = CASE typeof({column}) WHEN 'integer' THEN {column} + 100000 "
                f"WHEN 'blob' THEN CAST({column} || x'00' AS BLOB) ELSE {column} || ' (old)' END WHERE {column} NOT NULL"
            )
    for _, sql in triggers:
        run(sql)
    run("COMMIT")
    database.connection.close()
    connection.close()


def copy_store(store, place):
    for suffix in ("", "-wal"):
        if os.path.exists(store + suffix):
            shutil.copyfile(store + suffix, place + suffix)
    if os.path.isdir(support(store)):
        shutil.copytree(support(store), support(place))


def support(store):
    stem = os.path.splitext(os.path.basename(store))[0]
    return os.path.join(os.path.dirname(store), f".{stem}_SUPPORT")


def files_of(store):
    return os.path.join(support(store), "_EXTERNAL_DATA")


def lend_files(store):
    """Makes the files that the store's values refer to, where they are missing; all but the first."""
    database = Database(store)
    lost = []
    for table in database.tables():
        if not {"Z_PK", "Z_ENT"} <= {column.name for column in table.columns}:
            continue
        for column in table.columns:
            name = quote(column.name)
            for value, in database.rows(
                f"SELECT {name} FROM {quote(table.name)} WHERE typeof({name}) = 'blob' AND length({name}) = 38 AND substr({name}, 1, 1) = x'02'"
            ):
                path = os.path.join(files_of(store), value[1:-1].decode("ascii", "replace"))
                if not os.path.exists(path):
                    lost.append(path)
    for number, path in enumerate(lost[1:]):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(bytes(range(256)) * (300 + number))
    database.connection.close()
    return lost[:1]


def restore(pristine, place):
    shutil.rmtree(place)
    shutil.copytree(pristine, place)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("decant")
    parser.add_argument("store")
    parser.add_argument("--model")
    parser.add_argument("--way", action="append", choices=("new", "rows", "ids", "found"))
    parser.add_argument("--tries", type=int, default=1)
    parser.add_argument("--sample", type=int, help="so many kinds of each way, chosen by the seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="decant-attack-") as folder:
        trial = Trial(options, folder)
        for name in dict.fromkeys(options.way or ("new", "rows", "ids", "found")):
            trial.run(trial.way(name))
        for kind, results in sorted(trial.results.items()):
            print(f"{kind}\t" + ", ".join(f"{count} {result}" for result, count in sorted(results.items())))
        for fault in trial.faults:
            print("FAULT " + fault)
    sys.exit(1 if trial.faults else 0)


if __name__ == "__main__":
    main()
