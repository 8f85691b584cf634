"""Random histories: a base, and two copies of it that were edited apart from each other.

A history is data: rows of the base, and a list of edits for each side. Every object has a name of its own, which
no database holds ("b3" of the base, "m1" added by mine, "t1" by theirs, "x1" by both): so it is known which
object is which. Edits that can no longer be made, as their object is gone, are passed over; what is left of a
history when some of its rows and edits are taken away is a history again.
"""
import copy
import dataclasses
import random
import sqlite3
import uuid


@dataclasses.dataclass(frozen=True)
class Link:
    """A foreign key; with `owner`, the row is a part of what it leads to."""

    column: str
    target: str
    owner: bool = False


@dataclasses.dataclass(frozen=True)
class Table:
    name: str
    columns: tuple = (("title", "TEXT"), ("stars", "INTEGER"), ("note", "TEXT"), ("weight", "REAL"))
    links: tuple = ()
    identity: str = None  # "uuid" or "name", which no edit changes; "key" where the key is a text
    rows: int = 8
    rowid: bool = False  # whether a table with a key of texts has rowids beside it
    key_link: str = None  # a link that is the first part of the key, which holds a text as well

    @property
    def key(self):
        return "code" if self.identity == "key" else "id"

    @property
    def owner(self):
        return next((link for link in self.links if link.owner), None)

    @property
    def free_links(self):
        return [link.column for link in self.links if link.column != self.key_link]

    def sql(self):
        columns = [("code TEXT NOT NULL" if self.key_link else "code TEXT PRIMARY KEY NOT NULL")
                   if self.identity == "key" else "id INTEGER PRIMARY KEY"]
        columns += {"uuid": ["uuid TEXT NOT NULL"], "name": ["name TEXT NOT NULL UNIQUE"]}.get(self.identity, [])
        columns += [f"{name} {kind}" for name, kind in self.columns]
        for link in self.links:
            kind = "TEXT" if SHAPE_KEYS.get(link.target) == "key" else "INTEGER"
            rule = " NOT NULL REFERENCES {} ON DELETE CASCADE" if link.owner else " REFERENCES {} ON DELETE SET NULL"
            columns.append(f"{link.column} {kind}" + rule.format(link.target))
        if self.key_link:
            columns.append(f"PRIMARY KEY({self.key_link}, code)")
        without = " WITHOUT ROWID" if self.identity == "key" and not self.rowid else ""
        return f"CREATE TABLE {self.name}({', '.join(columns)}){without}"


@dataclasses.dataclass(frozen=True)
class Many:
    """A table of links from many to many."""

    name: str
    first: Link
    second: Link
    rowid: bool = True

    def sql(self):
        def column(link):
            kind = "TEXT" if SHAPE_KEYS.get(link.target) == "key" else "INTEGER"
            return f"{link.column} {kind} NOT NULL REFERENCES {link.target} ON DELETE CASCADE"
        return (f"CREATE TABLE {self.name}({column(self.first)}, {column(self.second)}, "
                f"PRIMARY KEY({self.first.column}, {self.second.column}))" + ("" if self.rowid else " WITHOUT ROWID"))


@dataclasses.dataclass(frozen=True)
class Shape:
    name: str
    tables: tuple  # what a link leads to stands before it
    many: tuple = ()

    def table(self, name):
        return next(table for table in self.tables if table.name == name)

    def sql(self):
        return [table.sql() for table in self.tables] + [many.sql() for many in self.many]


SHAPE_KEYS = {"land": "key"}
LINE = (("title", "TEXT"), ("amount", "REAL"), ("note", "TEXT"), ("unit", "TEXT"))
SHAPES = {shape.name: shape for shape in [
    Shape("lineage", (
        Table("shelf", rows=5),
        Table("book", links=(Link("shelf_id", "shelf"),), rows=10))),
    Shape("uuid", (
        Table("shelf", identity="uuid", rows=5),
        Table("book", identity="uuid", links=(Link("shelf_id", "shelf"),), rows=8))),
    Shape("name", (
        Table("shelf", identity="name", rows=5),
        Table("book", identity="name", links=(Link("shelf_id", "shelf"),), rows=8))),
    Shape("parts", (
        Table("recipe", rows=6),
        Table("line", LINE, links=(Link("recipe_id", "recipe", owner=True),), rows=14),
        Table("remark", LINE, links=(Link("line_id", "line", owner=True),), rows=8))),
    Shape("many", (
        Table("recipe", rows=7),
        Table("tag", rows=6)),
        (Many("recipe_tag", Link("recipe_id", "recipe"), Link("tag_id", "tag")),)),
    Shape("tree", (
        Table("folder", links=(Link("parent_id", "folder"),), rows=10),)),
    Shape("textkey", (
        Table("land", identity="key", rows=6),
        Table("town", links=(Link("land_code", "land"),), rows=8))),
    Shape("textrow", (
        Table("land", identity="key", rowid=True, rows=6),
        Table("town", links=(Link("land_code", "land"),), rows=8))),
    Shape("textlink", (
        Table("region", rows=5),
        Table("land", identity="key", links=(Link("region_id", "region"), Link("other_id", "region")), rows=9))),
    Shape("textmany", (
        Table("land", identity="key", rows=6),
        Table("tag", rows=5)),
        (Many("land_tag", Link("land_code", "land"), Link("tag_id", "tag"), rowid=False),)),
    Shape("textmanyrow", (
        Table("land", identity="key", rowid=True, rows=6),
        Table("tag", rows=5)),
        (Many("land_tag", Link("land_code", "land"), Link("tag_id", "tag"), rowid=True),)),
    Shape("textpart", (
        Table("recipe", identity="uuid", rows=6),
        Table("unit", rows=4),
        Table("line", LINE, identity="key", key_link="recipe_id",
              links=(Link("recipe_id", "recipe", owner=True), Link("unit_id", "unit")), rows=14))),
    Shape("mixed", (
        Table("category", identity="name", rows=5),
        Table("person", identity="uuid", rows=4),
        Table("recipe", links=(Link("category_id", "category"), Link("author_id", "person"),
                               Link("similar_id", "recipe")), rows=8),
        Table("line", LINE, links=(Link("recipe_id", "recipe", owner=True),), rows=10),
        Table("tag", identity="name", rows=5)),
        (Many("recipe_tag", Link("recipe_id", "recipe"), Link("tag_id", "tag")),)),
]}


@dataclasses.dataclass
class Row:
    table: str
    key: object
    values: dict
    links: dict  # column → name of the object, or None


class State:
    """What a database holds: rows by the names of their objects, and pairs of names for each table of links."""

    def __init__(self, shape):
        self.shape, self.rows, self.pairs = shape, {}, {many.name: set() for many in shape.many}

    def copy(self):
        return copy.deepcopy(self)

    def key(self, name):
        """What tells the row in its table: its own key, behind that of the row which the key leads to."""
        row = self.rows[name]
        link = self.shape.table(row.table).key_link
        return (self.rows[row.links[link]].key, row.key) if link else row.key

    def parts(self, name):
        return [part for part, row in self.rows.items()
                if (owner := self.shape.table(row.table).owner) and row.links[owner.column] == name]

    def owner(self, name):
        row = self.rows[name]
        link = self.shape.table(row.table).owner
        return row.links[link.column] if link else None

    def delete(self, name):
        for part in self.parts(name):
            self.delete(part)
        del self.rows[name]
        for row in self.rows.values():
            row.links = {column: None if target == name else target for column, target in row.links.items()}
        self.pairs = {many: {pair for pair in pairs if name not in pair} for many, pairs in self.pairs.items()}

    def apply(self, edit):
        """Makes an edit, where it can be made. A row is added with what of its links is there."""
        kind, name, *rest = edit
        if kind == "add":
            row = copy.deepcopy(rest[0])
            owner = self.shape.table(row.table).owner
            row.links = {column: target if target in self.rows else None for column, target in row.links.items()}
            if name not in self.rows and not (owner and row.links[owner.column] is None):
                self.rows[name] = row
        elif name not in self.rows:
            return
        elif kind == "delete":
            self.delete(name)
        elif kind == "set":
            self.rows[name].values[rest[0]] = rest[1]
        elif kind == "lead" and (rest[1] is None or rest[1] in self.rows):
            self.rows[name].links[rest[0]] = rest[1]
        elif kind == "join" and rest[1] in self.rows:
            self.pairs[rest[0]].add((name, rest[1]))
        elif kind == "part":
            self.pairs[rest[0]].discard((name, rest[1]))

    def write(self, path):
        database = sqlite3.connect(path)
        for statement in self.shape.sql() + self.inserts():
            database.execute(statement)
        database.commit()
        database.close()

    def inserts(self):
        statements = []
        for table in self.shape.tables:
            rows = [row for row in self.rows.values() if row.table == table.name]
            statements += [self.insert(row) for row in sorted(rows, key=lambda row: row.key)]
        for many in self.shape.many:
            for first, second in sorted(self.pairs[many.name]):
                keys = literal(self.rows[first].key), literal(self.rows[second].key)
                statements.append(f"INSERT INTO {many.name} VALUES ({', '.join(keys)})")
        return statements

    def insert(self, row):
        cells = {self.shape.table(row.table).key: row.key, **row.values}
        cells |= {column: self.rows[target].key if target else None for column, target in row.links.items()}
        return (f"INSERT INTO {row.table}({', '.join(cells)}) "
                f"VALUES ({', '.join(literal(value) for value in cells.values())})")


def letters(number):
    """The number as letters: a digit would end the word before it, which others may have as well."""
    text = ""
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text


def literal(value):
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"x'{value.hex()}'"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return repr(value)


@dataclasses.dataclass
class History:
    shape: Shape
    base: list  # edits, all of them "add" and "join"
    mine: list
    theirs: list

    def states(self):
        base = State(self.shape)
        for edit in self.base:
            base.apply(edit)
        sides = []
        for edits in (self.mine, self.theirs):
            side = base.copy()
            for edit in edits:
                side.apply(edit)
            sides.append(side)
        return base, *sides

    def sql(self):
        """The history as SQL: the schema and the rows of the base, then the edits of either side."""
        base, *_ = self.states()
        text = "-- base\nPRAGMA foreign_keys = ON;\n" + "".join(f"{line};\n" for line in self.shape.sql() + base.inserts())
        for title, edits in ("mine", self.mine), ("theirs", self.theirs):
            state, lines = base.copy(), []
            for edit in edits:
                before = state.copy()
                state.apply(edit)
                lines.append(statement(edit, before, state))
            text += f"-- {title}\n" + "".join(f"{line};\n" for line in lines if line)
        return text


def statement(edit, before, after):
    """What SQL makes the edit, or nothing where it was passed over."""
    kind, name, *rest = edit
    if kind == "add":
        return after.insert(after.rows[name]) if name in after.rows and name not in before.rows else None
    if name not in before.rows:
        return None
    row = before.rows[name]
    where = f"WHERE {before.shape.table(row.table).key} = {literal(row.key)}"
    if kind == "delete":
        return f"DELETE FROM {row.table} {where}"
    if kind == "set":
        return f"UPDATE {row.table} SET {rest[0]} = {literal(rest[1])} {where}"
    if rest[1] is not None and rest[1] not in before.rows:
        return None
    other = literal(before.rows[rest[1]].key if rest[1] else None)
    if kind == "lead":
        return f"UPDATE {row.table} SET {rest[0]} = {other} {where}"
    many = next(many for many in before.shape.many if many.name == rest[0])
    if kind == "join":
        return f"INSERT OR IGNORE INTO {many.name} VALUES ({literal(row.key)}, {other})"
    return f"DELETE FROM {many.name} WHERE {many.first.column} = {literal(row.key)} AND {many.second.column} = {other}"


class Maker:
    """Makes the history of a seed."""

    def __init__(self, shape, seed):
        self.shape, self.random = shape, random.Random(f"{shape.name} {seed}")
        self.count, self.keys = 0, {}
        self.anchors = set()
        self.history = History(shape, [], [], [])

    def make(self):
        for table in self.shape.tables:
            self.base_rows(table)
        names = {table.name: self.names(table.name) for table in self.shape.tables}
        for many in self.shape.many:
            for first in names[many.first.target]:
                for second in names[many.second.target]:
                    if self.random.random() < 0.3:
                        self.history.base.append(("join", first, many.name, second))
        for side in "mine", "theirs":
            self.keys[side] = {table.name: table.rows for table in self.shape.tables}
        for _ in range(self.random.randint(1, 8)):
            self.random.choices(
                [self.one_side, self.same, self.different, self.delete_and_change, self.delete_and_lead, self.added_twice],
                [8, 2, 3, 3, 2, 2])[0]()
        return self.history

    # The last row of each table is an anchor, which no edit touches: up to its key equal keys are the same object.
    def base_rows(self, table):
        for number in range(1, table.rows + 1):
            name, is_anchor = f"b-{table.name}-{number}", number == table.rows
            links = {}
            for link in table.links:
                others = [f"b-{link.target}-{other}" for other in range(1, self.shape.table(link.target).rows)]
                if link.target == table.name:
                    others = others[:number - 1]
                links[link.column] = self.random.choice(others) if others else None
                if is_anchor:
                    links[link.column] = None if link.target == table.name else \
                        f"b-{link.target}-{self.shape.table(link.target).rows}"
                elif not link.owner and self.random.random() < 0.3:
                    links[link.column] = None
            key = f"{table.name}-{number}" if table.identity == "key" else number
            self.history.base.append(("add", name, Row(table.name, key, self.row_values(table, "b"), links)))
            if is_anchor:
                self.anchors.add(name)

    def names(self, table, states=None):
        """The objects of a table that may be edited: those of the base, or those that are in all of `states`."""
        edits = [name for kind, name, *rest in self.history.base if kind == "add" and rest[0].table == table]
        if states:
            edits = [name for name, row in states[0].rows.items() if row.table == table]
        # What both added is told by its content alone where there is no identity: it stays as it is.
        return [name for name in edits if name not in self.anchors
                and not (name[0] == "x" and not self.shape.table(table).identity)
                and all(name in state.rows for state in states or [])]

    def row_values(self, table, side):
        values = {}
        if table.identity == "uuid":
            values["uuid"] = str(uuid.UUID(int=self.random.getrandbits(128), version=4))
        if table.identity == "name":
            self.count += 1
            values["name"] = f"{table.name} {side}{self.count}"
        return values | {column: self.value(column, kind, side) for column, kind in table.columns}

    def value(self, column, kind, side):
        """A value that no other row has, nor a word of it: rows are told apart by what they hold."""
        self.count += 1
        if column != "title" and self.random.random() < 0.15:
            return None
        if kind == "INTEGER":
            return 10_000 + self.count
        if kind == "REAL":
            return self.count + 0.25
        words = {"title": "Soup Bread Käse Stew 'Neil".split(), "note": ["hot", "cold", "\t", "", "  spaces"],
                 "unit": ["g", "ml", "ℓ"]}[column]
        return f"{self.random.choice(words)}{side}{letters(self.count)}"

    def states(self):
        _, mine, theirs = self.history.states()
        return {"mine": mine, "theirs": theirs}

    def add(self, sides, *edits):
        for side, edit in zip(sides, edits * (len(sides) if len(edits) == 1 else 1)):
            getattr(self.history, side).append(edit)

    def one_side(self):
        side = self.random.choice(["mine", "theirs"])
        if edit := self.edit(side, [self.states()[side]]):
            self.add([side], edit)

    def same(self):
        if edit := self.edit("both", list(self.states().values())):
            self.add(["mine", "theirs"], edit)

    def different(self):
        states = list(self.states().values())
        if edit := self.edit("mine", states, kinds=["set", "set", "lead"]):
            for _ in range(9):
                other = self.cell(edit[1], edit[2], "theirs", states)
                if other and other[3] != edit[3]:
                    return self.add(["mine", "theirs"], edit, other)

    def delete_and_change(self):
        states = list(self.states().values())
        sides = self.random.sample(["mine", "theirs"], 2)
        if deletion := self.edit(sides[0], states, kinds=["delete"]):
            changed = deletion[1]
            while parts := [part for part in states[0].parts(changed) if part in states[1].rows]:
                if self.random.random() < 0.5:
                    break
                changed = self.random.choice(parts)
            columns = [column for column, _ in self.shape.table(states[0].rows[changed].table).columns]
            if edit := self.cell(changed, self.random.choice(columns), sides[1], states):
                self.add(sides, deletion, edit)

    def delete_and_lead(self):
        """One side deletes an object to which the other lets something lead."""
        states = list(self.states().values())
        sides = self.random.sample(["mine", "theirs"], 2)
        for _ in range(30):
            edit = self.edit(sides[1], [self.states()[sides[1]]], kinds=["lead", "add", "join"])
            if not edit:
                return
            kind, name, *rest = edit
            links = {"lead": rest[1:], "add": list(rest[0].links.values()) if kind == "add" else [], "join": rest[1:]}[kind]
            targets = [target for target in links if target in self.names(self.table_of(target, states), states)] if links else []
            if targets:
                return self.add(sides, ("delete", self.random.choice(targets)), edit)

    def table_of(self, name, states):
        return next((state.rows[name].table for state in states if name in state.rows), None)

    def added_twice(self):
        """Both add an object: the same one, with other values where something else than its content tells it."""
        states = list(self.states().values())
        first = self.edit("both", states, kinds=["add"])
        if not first:
            return
        self.count += 1
        name, row = f"x{self.count}", first[2]
        table = self.shape.table(row.table)
        second = copy.deepcopy(row)
        if table.identity != "key":
            row.key, second.key = self.next_key("mine", table), self.next_key("theirs", table)
        for column, kind in table.columns if table.identity else ():
            if self.random.random() < 0.4:
                second.values[column] = self.random.choice([None, self.value(column, kind, "t")])
                if self.random.random() < 0.3:
                    row.values[column] = None
        self.add(["mine", "theirs"], ("add", name, row), ("add", name, second))

    def next_key(self, side, table):
        if table.identity == "key":
            self.count += 1
            return f"{table.name}-{side[0]}{self.count}"
        self.keys[side][table.name] += 1
        return self.keys[side][table.name]

    def edit(self, side, states, kinds=("set", "set", "set", "lead", "lead", "add", "add", "delete", "join", "part")):
        """A random edit of what is in all of the states, or nothing where there is nothing to edit."""
        for _ in range(9):
            kind, table = self.random.choice(kinds), self.random.choice(self.shape.tables)
            names = self.names(table.name, states)
            if kind == "add":
                if side == "both" and len(kinds) > 1:
                    continue
                return self.addition(side, table, states)
            if kind in ("join", "part"):
                if edit := self.joint(kind, states):
                    return edit
            elif names and kind == "delete":
                return "delete", self.random.choice(names)
            elif names and (columns := [c for c, _ in table.columns] if kind == "set" else table.free_links):
                if edit := self.cell(self.random.choice(names), self.random.choice(columns), side, states):
                    return edit
        return None

    def cell(self, name, column, side, states):
        table = self.shape.table(states[0].rows[name].table)
        for own, kind in table.columns:
            if own == column:
                return "set", name, column, self.value(column, kind, side[0])
        link = next(link for link in table.links if link.column == column)
        targets = [other for other in self.names(link.target, states) if other != name]
        if not link.owner:
            targets.append(None)
        return ("lead", name, column, self.random.choice(targets)) if targets else None

    def addition(self, side, table, states):
        links = {}
        for link in table.links:
            targets = self.names(link.target, states)
            if link.owner and not targets:
                return None
            links[link.column] = self.random.choice(targets + ([] if link.owner else [None]))
        self.count += 1
        key = None if side == "both" and table.identity != "key" else self.next_key(side, table)
        return "add", f"{side[0]}{self.count}", Row(table.name, key, self.row_values(table, side[0]), links)

    def joint(self, kind, states):
        if not self.shape.many:
            return None
        many = self.random.choice(self.shape.many)
        if kind == "part":
            pairs = sorted(set.intersection(*(state.pairs[many.name] for state in states)))
            pairs = [pair for pair in pairs if not self.anchors & set(pair)]
        else:
            pairs = [(first, second) for first in self.names(many.first.target, states)
                     for second in self.names(many.second.target, states)]
        if not pairs:
            return None
        first, second = self.random.choice(pairs)
        return kind, first, many.name, second
