"""What `--root` should take, found out without decant: by lists, sets and Python's sqlite3.

    closure.py make SEED FILE [--sound] makes a random database, in which links lead nowhere here and there unless it
                                        is to be sound; prints what to ask for, as JSON
    closure.py check SOURCE COPY PLAN [REPORT]
                                        compares a copy, and what a dry run told, with what there should be

A plan is {"roots": [[table, condition], ...], "rules": {name: rule, ...}}.
"""
import json
import random
import sqlite3
import sys


# ---------------------------------------------------------------- what a schema says

def q(name):
    return '"' + name.replace('"', '""') + '"'


class Table:
    def __init__(self, db, name, sql):
        self.name = name
        info = db.execute(f"PRAGMA table_info({q(name)})").fetchall()
        self.columns = [row[1] for row in info]
        self.types = {row[1]: (row[2] or "").upper() for row in info}
        self.key = [row[1] for row in sorted(info, key=lambda row: row[5]) if row[5] > 0]
        self.without_rowid = "WITHOUT ROWID" in sql.upper()
        self.required = {row[1] for row in info if row[3] or (self.without_rowid and row[5] > 0)}
        self.integer_key = (
            self.key[0]
            if len(self.key) == 1 and self.types[self.key[0]] == "INTEGER" and not self.without_rowid
            else None)
        keys = {}
        for row in db.execute(f"PRAGMA foreign_key_list({q(name)})"):
            key = keys.setdefault(row[0], {"table": row[2], "from": [], "to": [], "delete": row[6]})
            key["from"].append(row[3])
            key["to"].append(row[4])
        self.foreign = [keys[number] for number in sorted(keys)]


def tables_of(db):
    found = db.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    tables = {name: Table(db, name, sql) for name, sql in found.fetchall()}
    for table in tables.values():
        for key in table.foreign:
            target = tables[key["table"]]
            if key["to"][0] is None:
                key["to"] = list(target.key)
    return tables


def is_number_link(tables, key):
    return len(key["from"]) == 1 and tables[key["table"]].integer_key == key["to"][0]


def join_of(tables, table):
    """The two foreign keys of a table that is nothing but pairs of keys, in its key's order; None for others."""
    if len(table.columns) != 2 or len(table.key) != 2 or len(table.foreign) != 2:
        return None
    ends = []
    for column in table.key:
        own = [key for key in table.foreign if key["from"] == [column]]
        if len(own) != 1 or not is_number_link(tables, own[0]) or table.types[column] != "INTEGER":
            return None
        ends.append(own[0])
    return ends


class Path:
    """One direction of a link: from rows of one table to rows of another, by equal values."""

    def __init__(self, name, rule, start, end, pairs, fixed=False, to_owner=False, to_parts=False, within=False):
        self.name, self.rule, self.start, self.end = name, rule, start, end
        self.pairs, self.fixed = pairs, fixed
        self.to_owner, self.to_parts, self.within = to_owner, to_parts, within


def paths_of(tables):
    paths = []
    for table in tables.values():
        join = join_of(tables, table)
        if join:
            (a, b), (x, y) = join, table.key
            with_itself = a["table"] == b["table"]
            back = f"{table.name} ({x})" if with_itself else table.name
            for start, end, name, own, other in (
                    (a, b, table.name, x, y), (b, a, back, y, x)):
                paths.append(Path(
                    f"{start['table']}.{name}", "stop", start["table"], end["table"],
                    ("join", table.name, own, other)))
            continue
        numbers = {key["from"][0] for key in table.foreign if is_number_link(tables, key)}
        for key in table.foreign:
            columns = key["from"]
            required = all(column in table.required for column in columns)
            owned = key["delete"] == "CASCADE"
            partial = False
            if is_number_link(tables, key):
                name = columns[0]
            elif numbers & set(columns):
                partial, name = True, f"{key['table']} ({', '.join(columns)})"
            else:
                name = key["table"] if len(columns) == 1 else f"{key['table']} ({', '.join(columns)})"
                if len(columns) == 1 and name in table.columns:
                    name = f"{key['table']} ({', '.join(columns)})"
            continues = columns == [table.integer_key]
            forward = "follow" if required or partial or continues or not owned else "reference"
            backward = "follow" if owned or continues else "stop"
            same = list(zip(columns, key["to"]))
            paths.append(Path(f"{table.name}.{name}", forward, table.name, key["table"], ("there", same),
                              partial or continues or required, to_owner=owned and not continues, within=continues))
            paths.append(Path(f"inverse of {table.name}.{name}", backward, key["table"], table.name,
                              ("back", same), continues, to_parts=owned and not continues, within=continues))
    return paths


# ---------------------------------------------------------------- what is taken

class Store:
    def __init__(self, path):
        self.db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.tables = tables_of(self.db)
        self.indexes = {}
        self.rows = {
            name: [dict(zip(table.columns, row)) for row in self.db.execute(
                f"SELECT * FROM {q(name)}")]
            for name, table in self.tables.items()}

    def find(self, table, values):
        """The places of the rows of `table` in which columns have these values."""
        if any(value is None for value in values.values()):
            return []
        index = self.index(table, tuple(sorted(values)))
        return index.get(tuple(values[column] for column in sorted(values)), [])

    def index(self, table, columns):
        if (table, columns) not in self.indexes:
            index = {}
            for place, row in enumerate(self.rows[table]):
                index.setdefault(tuple(row[column] for column in columns), []).append(place)
            self.indexes[table, columns] = index
        return self.indexes[table, columns]

    def next(self, path, place):
        kind = path.pairs[0]
        row = self.rows[path.start][place]
        if kind == "there":
            return self.find(path.end, {other: row[own] for own, other in path.pairs[1]})
        if kind == "back":
            return self.find(path.end, {own: row[other] for own, other in path.pairs[1]})
        _, table, own, other = path.pairs
        key = self.tables[path.start].integer_key
        end = self.tables[path.end].integer_key
        return [found
                for link in self.find(table, {own: row[key]})
                for found in self.find(path.end, {end: self.rows[table][link][other]})]


def closure(store, plan):
    paths = paths_of(store.tables)
    names = {path.name for path in paths}
    for name in plan["rules"]:
        assert name in names, f"no relationship {name} among {sorted(names)}"
    followed, bounds, met = {}, {}, {}
    for path in paths:
        rule = plan["rules"].get(path.name, path.rule)
        if not isinstance(rule, dict):
            rule = {"rule": rule}
        if rule["rule"] != "follow":
            continue
        followed.setdefault(path.start, []).append(path)
        if "depth" in rule:
            bounds[path.name] = rule["depth"]
        if "where" in rule:
            found = store.db.execute(f"SELECT ({rule['where']}) FROM {q(path.end)}").fetchall()
            met[path.name] = {place for place, row in enumerate(found) if row[0]}
    def bare(path):
        """Whether what the path leads to is there only because its part is."""
        return path.to_owner and path.name not in plan["rules"]

    def needs_whole(path):
        return path.to_parts and path.name not in plan["rules"]

    if bounds or met:
        return bounded_closure(store, plan, followed, bounds, met, bare, needs_whole)
    # Each row may be met twice: whole, or as an owner that only its part needs.
    wave = [(node, True) for node in roots_of(store, plan)]
    states = {state: 0 for state in wave}
    while wave:
        following = []
        for node, whole in wave:
            for path in followed.get(node[0], []):
                if needs_whole(path) and not whole:
                    continue
                for found in store.next(path, node[1]):
                    state = ((path.end, found), whole if path.within else not bare(path))
                    if state not in states:
                        states[state] = states[node, whole] + 1
                        following.append(state)
        wave = following
    distance = {}
    for (node, _), far in states.items():
        distance[node] = min(far, distance.get(node, far))
    return distance


def roots_of(store, plan):
    roots = []
    for table, condition in plan["roots"]:
        matches = store.db.execute(f"SELECT ({condition}) FROM {q(table)}").fetchall()
        roots += [(table, place) for place, row in enumerate(matches) if row[0]]
    return roots


def bounded_closure(store, plan, followed, bounds, met, bare, needs_whole):
    """Of each row the least number of links of each bounded relationship is known, and whether it is there only because
    its part is: 1. They are lowered until nothing changes, and distances are not known (-1)."""
    def links(node):
        for path in followed.get(node[0], []):
            for found in store.next(path, node[1]):
                if path.name not in met or found in met[path.name]:
                    yield path, (path.end, found)

    least = {node: dict.fromkeys([*bounds, None], 0) for node in roots_of(store, plan)}
    changed = True
    while changed:
        changed = False
        for node in list(least):
            for path, target in links(node):
                counts, name = dict(least[node]), path.name
                if needs_whole(path) and counts[None]:
                    continue
                if not path.within:
                    counts[None] = 1 if bare(path) else 0
                if name in bounds:
                    counts[name] += 1
                    if counts[name] > bounds[name]:
                        continue
                there = least.get(target)
                lower = counts if there is None else {n: min(counts[n], there[n]) for n in counts}
                if lower != there:
                    least[target] = lower
                    changed = True
    return dict.fromkeys(least, -1)


def expected(store, taken):
    result = {}
    for name, table in store.tables.items():
        join = join_of(store.tables, table)
        rows = []
        for place, row in enumerate(store.rows[name]):
            if join:
                ends = [store.find(key["table"], {key["to"][0]: row[key["from"][0]]}) for key in join]
                if all(end and (key["table"], end[0]) in taken for end, key in zip(ends, join)):
                    rows.append(row)
                continue
            if (name, place) not in taken:
                continue
            row = dict(row)
            before = dict(row)
            numbers = {key["from"][0] for key in table.foreign if is_number_link(store.tables, key)}
            for key in table.foreign:
                if not is_number_link(store.tables, key) and numbers & set(key["from"]):
                    continue
                found = store.find(key["table"], dict(zip(key["to"], [before[c] for c in key["from"]])))
                if found and (key["table"], found[0]) not in taken:
                    for column in key["from"]:
                        row[column] = None
            rows.append(row)
        result[name] = sorted(repr(sorted(row.items())) for row in rows)
    return result


def check(source, copy, plan, report=None):
    store = Store(source)
    taken = closure(store, plan)
    wanted = expected(store, taken)
    result = Store(copy)
    differences = []
    for name, rows in wanted.items():
        there = sorted(repr(sorted(row.items())) for row in result.rows[name])
        differences += [f"{name} lacks {row}" for row in rows if row not in there]
        differences += [f"{name} has {row}" for row in there if row not in rows]
        if len(rows) != len(there) and not differences:
            differences.append(f"{name} has {len(there)} rows, not {len(rows)}")
    if report is not None:
        levels = {}
        for (table, _), distance in taken.items():
            levels.setdefault(distance, {}).setdefault(table, 0)
            levels[distance][table] += 1
        told = {
            level["distance"]: {name: entity["objects"] for name, entity in level["entities"].items()}
            for level in report["levels"]}
        if set(levels) == {-1}:
            sums = {}
            for entities in told.values():
                for name, count in entities.items():
                    sums[name] = sums.get(name, 0) + count
            told = {-1: sums}
        if told != levels:
            differences.append(f"levels {told}, not {levels}")
    return len(taken), differences


# ---------------------------------------------------------------- random databases

def make(seed, path, dangles=True, bounds=False):
    r = random.Random(seed)
    db = sqlite3.connect(path)
    kinds = ["number"] * r.randint(2, 5) + ["text"] * r.randint(0, 2)
    names = [f"t{number}" for number in range(len(kinds))]
    columns, foreign = {}, {}
    for name, kind in zip(names, kinds):
        columns[name] = ["id INTEGER PRIMARY KEY" if kind == "number" else "code TEXT NOT NULL", "note TEXT"]
        foreign[name] = []
    for name, kind in zip(names, kinds):
        for number in range(r.randint(0, 3)):
            target = r.choice(names)
            key, type = ("id", "INTEGER") if kinds[names.index(target)] == "number" else ("code", "TEXT")
            column = f"l{number}"
            if any(f[0] == target and key == "code" for f in foreign[name]):
                continue
            required = r.random() < 0.2
            delete = r.choice(["", "", "ON DELETE CASCADE", "ON DELETE SET NULL" if not required else ""])
            columns[name].append(f"{column} {type}{' NOT NULL' if required else ''}")
            foreign[name].append((target, key, column, delete, required))
    for name, kind in zip(names, kinds):
        clauses = columns[name] + [
            f"FOREIGN KEY ({column}) REFERENCES {target} ({key}) {delete}"
            for target, key, column, delete, _ in foreign[name]]
        end = ""
        if kind == "text":
            clauses.insert(len(columns[name]), "PRIMARY KEY (code)")
            end = " WITHOUT ROWID"
        db.execute(f"CREATE TABLE {name} ({', '.join(clauses)}){end}")
        for _, _, column, _, _ in foreign[name]:
            if r.random() < 0.5:
                db.execute(f"CREATE INDEX {name}_{column} ON {name} ({column})")
    numbered = [name for name, kind in zip(names, kinds) if kind == "number"]
    joins = []
    for number in range(r.randint(0, 3)):
        a, b = r.choice(numbered), r.choice(numbered)
        end = r.choice(["", " WITHOUT ROWID"])
        db.execute(f"CREATE TABLE j{number} (a INTEGER REFERENCES {a}, b INTEGER REFERENCES {b}, PRIMARY KEY (a, b)){end}")
        joins.append((f"j{number}", a, b))
    if r.random() < 0.4:
        base = r.choice(numbered)
        db.execute(f"CREATE TABLE more (id INTEGER PRIMARY KEY REFERENCES {base} (id), extra TEXT)")
    else:
        base = None
    pair = None
    if r.random() < 0.4:
        # A key of two columns, one of which is a link; and a foreign key to it.
        pair = r.choice(numbered)
        db.execute(f"CREATE TABLE pair (id INTEGER PRIMARY KEY, a INTEGER NOT NULL REFERENCES {pair} (id), n INTEGER NOT NULL, UNIQUE (a, n))")
        db.execute(f"CREATE TABLE uses (id INTEGER PRIMARY KEY, a INTEGER REFERENCES {pair} (id), n INTEGER, FOREIGN KEY (a, n) REFERENCES pair (a, n) {r.choice(['', 'ON DELETE CASCADE'])})")
    counts = {name: r.randint(1, 25) for name in names}
    ids = {name: r.sample(range(1, 60), counts[name]) for name in names}
    key_of = lambda name, number: number if kinds[names.index(name)] == "number" else f"c{number}"
    for name in names:
        for number in ids[name]:
            values = [key_of(name, number), f"{name} {number}"]
            for target, _, _, _, required in foreign[name]:
                roll = r.random()
                if roll < 0.25 and not required:
                    values.append(None)
                elif roll < 0.3 and dangles:
                    values.append(key_of(target, r.randint(100, 120)))
                else:
                    values.append(key_of(target, r.choice(ids[target])))
            db.execute(f"INSERT INTO {name} VALUES ({', '.join('?' * len(values))})", values)
    for name, a, b in joins:
        for _ in range(r.randint(0, 30)):
            ends = (r.choice(ids[a] + ([200] if dangles else [])), r.choice(ids[b]))
            db.execute(f"INSERT OR IGNORE INTO {name} VALUES (?, ?)", ends)
    if base:
        for number in r.sample(ids[base], len(ids[base]) // 2):
            db.execute("INSERT INTO more VALUES (?, ?)", (number, f"more {number}"))
    if pair:
        pairs = [(number, n) for number in ids[pair] for n in range(r.randint(0, 2))]
        for number, (a, n) in enumerate(pairs):
            db.execute("INSERT INTO pair VALUES (?, ?, ?)", (number + 1, a, n))
        for number in range(r.randint(0, 10) if pairs else 0):
            a, n = r.choice(pairs)
            db.execute("INSERT INTO uses VALUES (?, ?, ?)", (number + 1, a, n))
    db.commit()
    store = Store(path)
    rules = {}
    for found in paths_of(store.tables):
        if not found.fixed and r.random() < 0.35:
            rules[found.name] = r.choice(["follow", "follow", "reference", "stop"])
    if bounds:
        # A source of its own, so that databases and rules without bounds stay what they are.
        more = random.Random(seed * 7919)
        depths = 0
        for found in paths_of(store.tables):
            if found.fixed or more.random() < 0.3:
                continue
            rule = {"rule": "follow"}
            # Half of the plans have one depth at the most: of these distances are known.
            if more.random() < 0.4 and not (seed % 2 and depths):
                rule["depth"] = depths = more.randint(1, 3)
            if more.random() < 0.3 and "note" in store.tables[found.end].columns:
                rule["where"] = f"note LIKE '%{more.randint(1, 5)}%'"
            rules[found.name] = rule
    roots = []
    for name in r.sample(names, r.randint(1, min(2, len(names)))):
        some = r.sample(ids[name], min(len(ids[name]), r.randint(1, 3)))
        texts = ", ".join(f"'{name} {number}'" for number in some)
        roots.append([name, f"note IN ({texts})"])
    return {"roots": roots, "rules": rules}


def main():
    verb, arguments = sys.argv[1], sys.argv[2:]
    if verb == "make":
        print(json.dumps(make(
            int(arguments[0]), arguments[1], "--sound" not in arguments, "--bounds" in arguments)))
        return
    report = json.loads(arguments[3]) if len(arguments) > 3 else None
    count, differences = check(arguments[0], arguments[1], json.loads(arguments[2]), report)
    for difference in differences[:10]:
        print(difference)
    if not differences:
        print(count, "objects")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
