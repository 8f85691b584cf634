"""Compares the archive of a Core Data store with it, by the rules for the names of tables and columns."""
import os
import re
from collections import Counter

from archive_values import NULL, Store, archived, same, shown

BOOKS = {"Z_PK", "Z_ENT", "Z_OPT"}


class CoreData:
    def __init__(self, path, reader, tell):
        self.reader, self.tell = reader, tell
        self.store = Store(path)
        name = os.path.basename(self.store.path)
        name = name.rsplit(".", 1)[0] if "." in name else name
        self.files = os.path.join(os.path.dirname(self.store.path), f".{name}_SUPPORT", "_EXTERNAL_DATA")
        self.codes = {row[1]: row[0] for row in self.store.rows("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY")}
        self.names = {code: name for name, code in self.codes.items()}
        self.tables = set(self.store.tables())
        self.columns = {table: self.store.columns(table) for table in self.tables}
        self.lists, self.ambiguous, self.strange, self.found = Counter(), Counter(), Counter(), Counter()
        self.plans = {}
        for entity in reader.entities:
            if entity not in self.codes:
                tell(f"the store has no entity {entity}")

    # Names.

    def table(self, entity):
        return "Z" + self.reader.root(entity).upper()

    def candidates(self, table, name):
        """The columns of a property: more than one where siblings have properties of one name."""
        leaf = name.rsplit(".", 1)[-1].upper()
        found = [each for each in self.columns[table] if re.fullmatch(f"Z{re.escape(leaf)}\\d*", each)]
        root = table
        sharing = [
            entity["name"] for entity in self.reader.entities.values() if self.table(entity["name"]) == root
            for each in self.properties(entity) if each.upper() == leaf
        ]
        return [each for each in found if each == "Z" + leaf] if len(sharing) < 2 else found

    @staticmethod
    def properties(entity):
        """The names of what has a column, a composite's parts by their own names."""
        def leaves(attributes):
            for each in attributes:
                if each["type"] == "composite":
                    yield from leaves(each["attributes"])
                elif not each.get("transient") and each["type"] != "undefined":
                    yield each["name"].rsplit(".", 1)[-1]
        yield from leaves(entity["attributes"])
        for each in entity["relationships"]:
            if not each.get("toMany") and not each.get("transient"):
                yield each["name"]

    def plan(self, entity):
        """What an object of the entity must tell: properties with the columns they may be in."""
        if entity in self.plans:
            return self.plans[entity]
        table, attributes, links, owned = self.table(entity), {}, {}, {}

        def enter(each):
            if each["type"] == "composite":
                for part in each["attributes"]:
                    enter(part)
            elif not each.get("transient") and each["type"] != "undefined":
                attributes[each["name"]] = (each, self.candidates(table, each["name"]))

        for above in self.reader.lineage(entity):
            for each in above["attributes"]:
                enter(each)
            for each in above["relationships"]:
                if not each.get("toMany") and not each.get("transient"):
                    links[each["name"]] = (each, self.candidates(table, each["name"]))
        lineage = {each["name"] for each in self.reader.lineage(entity)}
        for owner in self.reader.entities.values():
            for each in owner["relationships"]:
                if each.get("toMany") and not each.get("inverse") and each["to"] in lineage:
                    column = f"Z{self.codes.get(owner['name'])}{each['name'].upper()}"
                    if column in self.columns[table]:
                        owned[f"{owner['name']}.{each['name']}"] = column
        self.plans[entity] = (table, attributes, links, owned)
        return self.plans[entity]

    # Objects.

    def take(self, line):
        entity, key = line["e"], line["id"]
        for group in ("r", "more"):
            for name, links in line.get(group, {}).items():
                if isinstance(links, list):
                    for link in links:
                        told = link if isinstance(link, dict) else {"to": link}
                        self.lists[entity, name, key, told["to"], told.get("in"), told.get("at")] += 1
        if "more" in line:
            return
        self.found[entity] += 1
        table, attributes, links, owned = self.plan(entity)
        names = self.columns[table]
        rows = list(self.store.cells(table, names, f"WHERE Z_PK = {int(key)}"))
        if not rows:
            return self.tell(f"{entity} {key} is not in the store")
        row = dict(zip(names, rows[0]))
        seen = set(BOOKS)
        where = f"{entity} {key}"
        if row["Z_ENT"] != ("integer", self.codes.get(entity)):
            self.tell(f"{where} is of {row['Z_ENT']} in the store")
        revision = archived(line.get("revision", 1), {})
        if "Z_OPT" in row and revision != row["Z_OPT"]:
            self.tell(f"{where}: its revision is {shown(revision)} and not {shown(row['Z_OPT'])}")
        for name, value in line["v"].items():
            if name not in attributes:
                self.tell(f"{where}: {name} is no attribute")
        for name, (attribute, columns) in attributes.items():
            seen.update(columns)
            self.compare_value(where, name, attribute, columns, line["v"], row)
        for name, value in line.get("columns", {}).items():
            seen.add(name)
            if name not in row or not same(archived(value, self.reader.blobs), row[name]):
                self.tell(f"{where}: the column {name} is not as told")
        for name, value in line.get("key", {}).items():
            if value != line["v"].get(name):
                self.tell(f"{where}: its key is not its value of {name}")
        told = line.get("r", {})
        for name in told:
            if name not in links and not isinstance(told[name], list):
                self.tell(f"{where}: {name} is not a relationship")
        for name, (relationship, columns) in links.items():
            self.compare_link(where, name, relationship, columns, told.get(name), row, seen)
        for name in line.get("of", {}):
            if name not in owned:
                self.tell(f"{where}: {name} has no column")
        for name, column in owned.items():
            position = "Z_FOK_" + column[1:]
            seen.update((column, position))
            self.compare_target(f"{where}: {name}", line.get("of", {}).get(name), row[column], row.get(position), None)
        for name in names:
            if name not in seen and row[name] != NULL:
                self.strange[table, name] += 1

    def compare_value(self, where, name, attribute, columns, told, row):
        if not columns:
            if name in told:
                self.tell(f"{where}: {name} has no column")
            return
        if name not in told:
            return self.tell(f"{where}: {name} is missing")
        if len(columns) > 1:
            self.ambiguous[where.split()[0] + "." + name] += 1
        value = told[name]
        if not any(self.is_same(value, attribute, row[column]) for column in columns):
            stored = " or ".join(shown(row[column]) for column in columns)
            self.tell(f"{where}: {name} is {shown(archived(value, self.reader.blobs))} and not {stored}")

    def is_same(self, value, attribute, stored):
        told = archived(value, self.reader.blobs)
        if not attribute.get("external") or stored[0] != "blob":
            return same(told, stored)
        said = value if isinstance(value, dict) else {}
        content, name = stored[1], None
        if said.get("raw"):
            return content[:1] not in (b"\x01",) and told == stored
        if content[:1] == b"\x01":
            return "file" not in said and told == ("blob", content[1:])
        if content[:1] == b"\x02" and len(content) == 38 and content[-1:] == b"\0":
            name = content[1:37].decode()
        if name is None:
            return False
        path = os.path.join(self.files, name)
        if not os.path.isfile(path) or os.path.islink(path):
            return told == ("missing", name)
        with open(path, "rb") as file:
            return said.get("file") == name and told == ("blob", file.read())

    def compare_link(self, where, name, relationship, columns, told, row, seen):
        """One column holds the key, others beside it the target's entity and its place."""
        code = self.codes.get(relationship["to"])
        for column in columns:
            seen.update((column, f"Z{code}_{column[1:]}", "Z_FOK_" + column[1:]))
        if not columns:
            if told is not None:
                self.tell(f"{where}: {name} has no column")
            return
        if len(columns) > 1:
            self.ambiguous[where.split()[0] + "." + name] += 1
            target = told.get("to") if isinstance(told, dict) else told
            if not any(archived(target, {}) == row[column] for column in columns):
                self.tell(f"{where}: {name} leads to {target}, which no column of the name holds")
            return
        column = columns[0]
        entity = row.get(f"Z{code}_{column[1:]}")
        self.compare_target(f"{where}: {name}", told, row[column], row.get("Z_FOK_" + column[1:]), (relationship, entity))

    def compare_target(self, where, told, stored, position, kind):
        said = told if isinstance(told, dict) and "to" in told else {"to": told}
        if archived(said["to"], {}) != stored:
            return self.tell(f"{where} leads to {said['to']} and not to {shown(stored)}")
        if stored == NULL:
            return
        if archived(said.get("at"), {}) != (position or NULL):
            self.tell(f"{where} stands at {said.get('at')} and not at {shown(position or NULL)}")
        if kind:
            relationship, code = kind
            name = self.names.get(code[1]) if code and code != NULL else None
            expected = None if name == relationship["to"] else name
            if said.get("e") != expected:
                self.tell(f"{where} leads to a {said.get('e')} and not to a {expected}")

    def exists(self, root, key):
        return "Z" + root.upper() in self.tables and any(self.store.rows(f'SELECT 1 FROM "Z{root.upper()}" WHERE Z_PK = ?', key))

    # Tables of links.

    def finish(self):
        for entity in self.reader.entities.values():
            for each in entity["relationships"]:
                if each["written"] is True and each.get("toMany"):
                    self.compare_list(entity["name"], each)
        for table in {self.table(entity) for entity in self.reader.entities}:
            if table not in self.tables:
                self.tell(f"there is no table {table}")
                continue
            counts = dict(self.store.rows(f'SELECT Z_ENT, count(*) FROM "{table}" GROUP BY 1'))
            for code, count in counts.items():
                name = self.names.get(code)
                if self.found[name] != count:
                    self.tell(f"{name or code}: {self.found[name]} objects and not {count}")
        for name, count in sorted(self.ambiguous.items()):
            self.tell(f"note: {name}: {count} times the columns of several entities may be meant; one of them has the value")
        for (table, name), count in sorted(self.strange.items()):
            self.tell(f"note: {table}.{name}: {count} values in rows of entities that have no such property")

    def compare_list(self, entity, relationship):
        name, inverse = relationship["name"], relationship.get("inverse")
        own, other = self.codes.get(entity), self.codes.get(relationship["to"])
        targets = f"Z_{other}{re.escape(name.upper())}\\d*"
        owners = "REFLEXIVE" if inverse == name else f"Z_{own}{re.escape((inverse or '').upper())}\\d*"
        tables = [f"Z_{own}{name.upper()}", f"Z_{other}{(inverse or '').upper()}"]
        found = None
        for table in dict.fromkeys(tables):
            columns = self.columns.get(table, [])
            a = [each for each in columns if re.fullmatch(owners, each)]
            b = [each for each in columns if re.fullmatch(targets, each) and each not in a]
            if len(a) == 1 and len(b) == 1:
                found = (table, a[0], b[0])
        if found is None:
            return self.tell(f"note: {entity}.{name}: its table of links is not found among {tables}")
        table, a, b = found
        wanted = [a, b] + [each for each in ("Z_FOK_" + b[2:], "Z_FOK_" + a[2:])]
        present = [each for each in wanted if each in self.columns[table]]
        stored = Counter()
        for row in self.store.cells(table, present):
            cells = dict(zip(present, row))
            stored[tuple(cells.get(each, NULL)[1] for each in wanted)] += 1
        told, turned = Counter(), Counter()
        lineage_names = {each for each in self.reader.entities if entity in [above["name"] for above in self.reader.lineage(each)]}
        for (of, relation, owner, target, place, at), count in self.lists.items():
            if relation == name and of in lineage_names:
                told[owner, target, place, at] += count
                turned[target, owner, at, place] += count
        if inverse == name and turned == stored:
            return
        for row in (told - stored).elements():
            self.tell(f"{entity}.{name}: {row} is not in {table}")
        for row in (stored - told).elements():
            self.tell(f"{entity}.{name}: {row} of {table} is missing")
