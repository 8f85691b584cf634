"""What `--root` should take of a Core Data store, found out without decant from its tables and what is known of its model.

    closure_coredata.py plan SEED STORE MODEL          prints random roots and a rule for every relationship, as JSON
    closure_coredata.py check STORE COPY MODEL PLAN    compares a copy with what it should hold

MODEL is JSON: {entity: {"super", "z_ent", "relationships": {name: {"to", "inverse", "many"}}}}.
A plan is {"roots": [[entity, [key, ...]], ...], "rules": {"Entity.name": rule, ...}}.
"""
import json
import random
import re
import sqlite3
import sys


class Store:
    def __init__(self, path, model):
        self.db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.model = model
        tables = self.db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        self.columns = {
            name: [row[1] for row in self.db.execute(f'PRAGMA table_info("{name}")')]
            for (name,) in tables}
        self.entities = {}
        for entity in model:
            self.entities.setdefault(self.table(entity), None)
        self.rows = {}
        for table in self.entities:
            names = self.columns.get(table, [])
            self.rows[table] = {
                row["Z_PK"]: row
                for row in (dict(zip(names, values)) for values in self.db.execute(f'SELECT * FROM "{table}"'))
            } if names else {}

    def root(self, entity):
        while self.model[entity].get("super"):
            entity = self.model[entity]["super"]
        return entity

    def table(self, entity):
        return "Z" + self.root(entity).upper()

    def family(self, entity):
        found = {entity}
        while True:
            more = {name for name, other in self.model.items() if other.get("super") in found}
            if more <= found:
                return {self.model[name]["z_ent"] for name in found}
            found |= more

    def declaring(self, entity, relationship):
        while entity and relationship not in self.model[entity]["relationships"]:
            entity = self.model[entity].get("super")
        return entity

    def join(self, entity, name):
        """The table of a many-to-many relationship, its column of owners and its column of targets."""
        end = self.model[entity]["relationships"][name]
        other = self.declaring(end["to"], end["inverse"])
        mine, theirs = self.model[entity]["z_ent"], self.model[other]["z_ent"]
        # Each column is named after the relationship that leads there, with the entity's number in front.
        pattern = re.compile(r"Z_\d+(" + "|".join((name.upper(), end["inverse"].upper())) + r")\d*$")
        for table, columns in self.columns.items():
            if not pattern.match(table):
                continue
            owners = [c for c in columns if re.fullmatch(rf"Z_{mine}{end['inverse'].upper()}\d*", c)]
            targets = [c for c in columns if re.fullmatch(rf"Z_{theirs}{name.upper()}\d*", c)]
            if owners == targets and "REFLEXIVE" in columns:
                return table, owners[0], "REFLEXIVE"
            if len(owners) == 1 and len(targets) == 1 and owners != targets:
                return table, owners[0], targets[0]
        # A store holds nothing of a transient relationship; anything else has a table that is called after it.
        if any(pattern.match(table) for table in self.columns):
            raise LookupError(f"no table for {entity}.{name}")
        return None

    def links(self, entity, name):
        """The links of a relationship, as pairs of (table, key)."""
        end = self.model[entity]["relationships"][name]
        own, there = self.table(entity), self.table(end["to"])
        if not end["many"]:
            column, family = "Z" + name.upper(), self.family(entity)
            if column not in self.columns.get(own, []):
                return
            for key, row in self.rows[own].items():
                if row["Z_ENT"] in family and row[column] in self.rows[there]:
                    yield key, row[column]
            return
        if not end.get("inverse"):
            column = f"Z{self.model[entity]['z_ent']}{name.upper()}"
            family = self.family(end["to"])
            for key, row in self.rows[there].items():
                if row["Z_ENT"] in family and row[column] in self.rows[own]:
                    yield row[column], key
            return
        other = self.declaring(end["to"], end["inverse"])
        if not self.model[other]["relationships"][end["inverse"]]["many"]:
            for key, owner in self.links(other, end["inverse"]):
                yield owner, key
            return
        join = self.join(entity, name)
        if not join:
            return
        table, owners, targets = join
        for owner, target in self.db.execute(f'SELECT "{owners}", "{targets}" FROM "{table}"'):
            if owner in self.rows[own] and target in self.rows[there]:
                yield owner, target
                if targets == "REFLEXIVE":
                    yield target, owner


def relationships(store):
    for entity, facts in store.model.items():
        for name in facts["relationships"]:
            yield entity, name


def closure(store, plan):
    followed = {}
    for entity, name in relationships(store):
        if plan["rules"][f"{entity}.{name}"] != "follow":
            continue
        own, there = store.table(entity), store.table(store.model[entity]["relationships"][name]["to"])
        for key, target in store.links(entity, name):
            followed.setdefault((own, key), []).append((there, target))
    wave = [(store.table(entity), key) for entity, keys in plan["roots"] for key in keys]
    taken = set(wave)
    while wave:
        following = {node for start in wave for node in followed.get(start, [])} - taken
        taken |= following
        wave = list(following)
    return taken


def check(source, copy, model, plan):
    store, result = Store(source, model), Store(copy, model)
    taken = closure(store, plan)
    differences = []
    ends = {}
    for entity, name in relationships(store):
        end = store.model[entity]["relationships"][name]
        if not end["many"] and "Z" + name.upper() in store.columns.get(store.table(entity), []):
            ends.setdefault(store.table(entity), {})["Z" + name.upper()] = (store.table(end["to"]), store.family(entity))
    for table, rows in store.rows.items():
        links = ends.get(table, {})
        values = [name for name in store.columns.get(table, [])
                  if name not in links and not re.match(r"Z\d|Z_FOK", name)]
        there = result.rows[table]
        wanted = {key for owner, key in taken if owner == table}
        differences += [f"{table} lacks {key}" for key in sorted(wanted - set(there))[:5]]
        differences += [f"{table} has {key}" for key in sorted(set(there) - wanted)[:5]]
        # In a row of an entity without the attribute the column means nothing, and is left empty.
        is_shared = len({row["Z_ENT"] for row in rows.values()}) > 1
        for key in wanted & set(there):
            for name in values:
                if rows[key][name] != there[key][name] and not (is_shared and there[key][name] is None):
                    differences.append(f"{table} {key} {name}")
            for name, (target, family) in links.items():
                if rows[key]["Z_ENT"] not in family:
                    continue
                link = rows[key][name]
                kept = link if (target, link) in taken else None
                if there[key][name] != kept:
                    differences.append(f"{table} {key} {name}: {there[key][name]} and not {kept}")
    for entity, name in relationships(store):
        end = store.model[entity]["relationships"][name]
        if not end["many"]:
            continue
        own, other = store.table(entity), store.table(end["to"])
        kept = {(a, b) for a, b in store.links(entity, name) if (own, a) in taken and (other, b) in taken}
        if kept != set(result.links(entity, name)):
            differences.append(f"links {entity}.{name}")
    return len(taken), differences


def make_plan(seed, path, model):
    r = random.Random(seed)
    store = Store(path, model)
    numbers = {facts["z_ent"]: entity for entity, facts in model.items()}
    filled = sorted(table for table, rows in store.rows.items() if rows)
    roots = []
    for table in r.sample(filled, min(len(filled), r.randint(1, 2))):
        key = r.choice(sorted(store.rows[table]))
        entity = numbers[store.rows[table][key]["Z_ENT"]]
        same = [k for k in sorted(store.rows[table]) if numbers[store.rows[table][k]["Z_ENT"]] == entity]
        roots.append([entity, sorted({key, *r.sample(same, min(len(same), 2))})])
    rules = {f"{entity}.{name}": r.choice(["follow", "follow", "reference", "stop"])
             for entity, name in relationships(store)}
    return {"roots": roots, "rules": rules}


def main():
    verb, arguments = sys.argv[1], sys.argv[2:]
    if verb == "plan":
        print(json.dumps(make_plan(int(arguments[0]), arguments[1], json.loads(arguments[2]))))
        return
    count, differences = check(arguments[0], arguments[1], *map(json.loads, arguments[2:4]))
    for difference in differences[:10]:
        print(difference)
    if not differences:
        print(count, "objects")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
