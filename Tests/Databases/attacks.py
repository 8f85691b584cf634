"""What can be changed in a copy so that it is none any more: the attacks that a store has room for.

Nothing here asks decant. A store is read by its tables alone; which column of a Core Data store is a link is
told by a description of its model, and only so that attacks can be counted by kind: every column is attacked.
"""
import math
import unicodedata

from database import Database, fold, quote

FAR = 1_000_003  # beyond any key of a store small enough to be attacked over and over
BEYOND = 70_000  # behind the first 64 KiB of a value


class Attack:
    """One change: what it is called, its statements, and what has to be named when it is found out."""

    def __init__(self, kind, table, key, *statements, column=None):
        self.kind, self.table, self.key, self.column = kind, table, key, column
        self.statements = [each if isinstance(each, tuple) else (each, ()) for each in statements]
        self.file = None  # path of a file beside the store, and the content it gets or None

    def __str__(self):
        place = f"{self.table} {self.key}" + (f" {self.column}" if self.column else "")
        return f"{self.kind}: {place}: " + "; ".join(f"{sql} {short(values)}" for sql, values in self.statements)


def short(values):
    return ", ".join(repr(value)[:60] for value in values)


class Description:
    """Which columns are links and which hold dates, by names alone: from the model as `decant inspect` tells it."""

    def __init__(self, entities=()):
        self.parents = {each["name"]: each["superentity"] for each in entities}
        self.links, self.types, self.tables, self.declared = {}, {}, {}, {}
        for entity in entities:
            self.tables[entity["name"]] = self.table(entity["name"])
            for each in entity["attributes"] + entity["relationships"]:
                if not each.get("transient") and not each.get("toMany"):
                    place = (self.tables[entity["name"]], "Z" + each["name"].upper())
                    self.declared.setdefault(place, []).append(entity["name"])
        for entity in entities:
            table = self.tables[entity["name"]]
            for each in entity["attributes"]:
                self.types[table, "Z" + each["name"].upper()] = (each["type"], each["external"])
            for each in entity["relationships"]:
                target = self.tables.get(each["destination"])
                if not each["toMany"]:
                    self.links[table, "Z" + each["name"].upper()] = target
                elif not each["inverse"] and target:
                    self.links[target, each["name"].upper()] = table

    def table(self, entity):
        while self.parents.get(entity):
            entity = self.parents[entity]
        return "Z" + entity.upper()

    def has(self, entity, table, column, numbers):
        """Whether objects of `entity` have what stands in the column; siblings may use the same name, the first
        by number the plain column and the others one with 1, 2 and so on behind it."""
        for suffix in range(len(column)):
            name, rest = column[: len(column) - suffix], column[len(column) - suffix :]
            if rest and not rest.isdigit():
                break
            declaring = sorted(self.declared.get((table, name), []), key=lambda each: numbers.get(each, 0))
            if declaring and int(rest or 0) < len(declaring):
                return declaring[int(rest or 0)] in self.lineage(entity)
        return True

    def lineage(self, entity):
        names = []
        while entity:
            names.append(entity)
            entity = self.parents.get(entity)
        return names

    def target(self, table, column):
        """The table a column leads to, or None where it holds no links."""
        bare = column.rstrip("0123456789")
        owner = column.lstrip("Z0123456789") if column[1:2].isdigit() else None
        for name in (column, bare, owner):
            if name and (table, name) in self.links:
                return self.links[table, name]
        return None

    def type(self, table, column):
        return self.types.get((table, column)) or self.types.get((table, column.rstrip("0123456789"))) or (None, False)


def changed(value, declared):
    """Other values that are close to `value`, by the name of the change."""
    if value is None:
        return {"null to empty text": "", "null to 0": 0, "null to empty bytes": b""}
    if isinstance(value, int):
        return {
            "integer by 1": value + 1 if value < 2**63 - 1 else value - 1,
            "integer to real": float(value),
            "integer to text": str(value),
            "integer to text that is none": f"{value}x",
            "integer to bytes": str(value).encode(),
            "value to null": None,
            **({"boolean turned": 1 - value} if value in (0, 1) else {}),
        }
    if isinstance(value, float):
        later = value + 1e-6
        return {
            "real by one ulp": math.nextafter(value, math.inf),
            "real's sign": -value,
            "real to text": f"{value!r} ",
            "value to null": None,
            **({"real to integer": int(value)} if value == int(value) and abs(value) < 2**53 else {}),
            **({"date by 1 µs": later} if declared == "TIMESTAMP" and later != value else {}),
        }
    if isinstance(value, str):
        turned = next((value[:i] + c.swapcase() + value[i + 1 :] for i, c in enumerate(value) if c.swapcase() != c), value)
        forms = [unicodedata.normalize(form, value) for form in ("NFC", "NFD")]
        return {
            "text's case": turned,
            "text's normal form": next((form for form in forms if form != value), value),
            "text and a NUL": value + "\0",
            "text and a space": value + " ",
            "text's last letter": value[:-1] + ("y" if value.endswith("x") else "x") if value else value,
            "text cut at the end": value[:-1],
            "text to bytes": value.encode("utf-8", "surrogateescape"),
            "empty to null" if value == "" else "value to null": None,
            "text beyond 64 KB": value[:BEYOND] + "~" + value[BEYOND + 1 :] if len(value) > BEYOND else value,
            **({"text to integer": int(value)} if value.isascii() and value.isdigit() and int(value) < 2**62 else {}),
        }

    def flipped(at):
        return value[:at] + bytes([value[at] ^ 1]) + value[at + 1 :] if len(value) > at >= 0 else value

    return {
        "bytes' first bit": flipped(0),
        "bytes' second byte": flipped(1),
        "bytes' middle bit": flipped(len(value) // 2),
        "bytes' last bit": flipped(len(value) - 1),
        "bytes beyond 64 KB": flipped(BEYOND),
        "bytes and a zero": value + b"\0",
        "bytes cut at the end": value[:-1],
        "bytes to text": value.decode("latin-1") if value.isascii() else value,
        "empty to null" if value == b"" else "value to null": None,
    }


class Store:
    """A copy, and the attacks it has room for."""

    def __init__(self, path, description, lost=()):
        self.lost = set(lost)  # names of files beside the source that are not there
        self.database = Database(path)
        # Here texts must come out as they went in, whatever they hold.
        self.tables = self.database.tables()
        self.names = {fold(table.name) for table in self.tables}
        self.description = description
        self.is_core_data = {"z_metadata", "z_primarykey"} <= self.names
        self.entities_of, self.owned = {}, {}
        entities = self.database.rows("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY") if self.is_core_data else []
        self.names_by_number = dict(entities)
        self.numbers = {name: number for number, name in entities}

    def close(self):
        self.database.connection.close()

    def attacks(self, images, choose):
        """All of them, table by table; `images(table, where)` restricts rows to the copy's, `choose(list)` picks victims."""
        self.images, self.choose = images, choose
        for table in self.tables:
            kind = self.kind(table.name)
            if kind == "objects":
                yield from self.values(table, "Z_PK")
                yield from self.rows(table, "Z_PK")
                yield from self.entities(table)
                yield from self.links(table)
                yield from self.keys(table)
            elif kind == "links":
                yield from self.link_rows(table)
            elif kind == "app":
                yield from self.values(table, "rowid" if not table.without_rowid else None)
                yield from self.rows(table, None)
            elif kind == "plain":
                yield from self.values(table, table.alias or (None if table.without_rowid else "rowid"))
                yield from self.rows(table, table.alias)
                yield from self.foreign_keys(table)
                yield from self.plain_keys(table)
        if self.is_core_data:
            yield from self.books()

    def kind(self, name):
        if not self.is_core_data:
            return "plain"
        columns = {column.name for table in self.tables if table.name == name for column in table.columns}
        if name in ("Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"):
            return "books"
        if {"Z_PK", "Z_ENT"} <= columns:
            return "objects" if name.startswith("Z") else "sediment"
        if name.startswith("Z_") and name[2:3].isdigit():
            return "links"
        if name.startswith(("Z_RT_", "ANSCK")):
            return "sediment"
        return "app"

    def keys_where(self, table, key, condition):
        where = " AND ".join(each for each in (condition, self.images(table.name)) if each)
        sql = f"SELECT {quote(key) if key != 'rowid' else key} FROM {quote(table.name)} WHERE {where or '1'} ORDER BY 1"
        return [row[0] for row in self.database.rows(sql)]

    def values(self, table, key):
        """One value, by storage class."""
        if key is None:
            return
        own = {"Z_PK", "Z_ENT", "Z_OPT"} if self.is_core_data else set(table.key)
        linked = {column for foreign in table.foreign_keys for column, _ in foreign.columns}
        for column in table.columns:
            name = quote(column.name)
            if column.is_generated or column.name in own or column.name in linked:
                continue
            if self.is_core_data and (column.name.startswith("Z_FOK") or self.description.target(table.name, column.name)):
                continue
            if self.is_core_data and column.name[1:2].isdigit() and "_" in column.name:
                continue  # the entity of a link's target
            groups = {}
            for kind, number in self.database.rows(
                f"SELECT typeof({name}), {quote(key) if key != 'rowid' else key} FROM {quote(table.name)} WHERE "
                + (self.images(table.name) or "1") + " ORDER BY 2"
            ):
                if key == "Z_PK" and not self.has(table, number, column):
                    continue
                groups.setdefault(kind, []).append(number)
            for kind, numbers in sorted(groups.items()):
                for number in self.choose(numbers):
                    yield from self.value(table, key, number, column)

    def has(self, table, number, column):
        """Whether the object's entity has what stands in the column."""
        if table.name not in self.entities_of:
            self.entities_of[table.name] = dict(self.database.rows(f"SELECT Z_PK, Z_ENT FROM {quote(table.name)}"))
        entity = self.names_by_number.get(self.entities_of[table.name].get(number))
        place = (entity, table.name, column.name)
        if place not in self.owned:
            self.owned[place] = entity is None or self.description.has(*place, self.numbers)
        return self.owned[place]

    def value(self, table, key, number, column):
        here = f"{quote(key) if key != 'rowid' else key} = ?"
        value = self.read(table, column, here, number)
        type_, is_external = self.description.type(table.name, column.name)
        for kind, other in changed(value, column.declared).items():
            if kind == "boolean turned" and type_ != "bool":
                continue
            if kind == "null to 0" and type_ == "bool":
                kind = "boolean null to 0"
            if kind == "value to null" and type_ == "bool":
                kind = "boolean to null"
            if is_external and isinstance(value, bytes):
                if isinstance(other, bytes) and other[:1] == b"\2" and len(other) == 38 and value[1:37].decode() in self.lost:
                    continue  # a file that is not there has no content, whatever it is called
                kind += " (with a mark)"
            yield Attack(
                "value: " + kind, table.name, number,
                (f"UPDATE {quote(table.name)} SET {quote(column.name)} = ? WHERE {here}", (other, number)),
                column=column.name,
            )

    def read(self, table, column, here, number):
        kind, value = self.database.rows(
            f"SELECT typeof({quote(column.name)}), {quote(column.name)} FROM {quote(table.name)} WHERE {here}", number
        )[0]
        return value

    def writable(self, table):
        return [column for column in table.columns if not column.is_generated]

    def rows(self, table, key):
        """One row too few, too many, twice."""
        place = quote(table.name)
        if key:
            for number in self.choose(self.keys_where(table, key, None)):
                yield Attack("row: removed", table.name, number, f"DELETE FROM {place} WHERE {quote(key)} = {number}")
            others = [quote(column.name) for column in self.writable(table) if column.name != key]
            for number in self.choose(self.keys_where(table, key, None)):
                yield Attack(
                    "row: there twice", table.name, number,
                    f"INSERT INTO {place} ({', '.join([quote(key)] + others)}) "
                    f"SELECT (SELECT max({quote(key)}) + 1 FROM {place}){''.join(', ' + each for each in others)} "
                    f"FROM {place} WHERE {quote(key)} = {number}",
                )
            return
        if table.without_rowid:
            tuples = [self.writable(table)]
            names = ", ".join(quote(name) for name in table.key)
            for row in self.choose(self.database.rows(f"SELECT {names} FROM {place} ORDER BY {names}")):
                test = " AND ".join(f"{quote(name)} IS ?" for name in table.key)
                yield Attack("row: removed", table.name, None, (f"DELETE FROM {place} WHERE {test}", row))
            return
        for number in self.choose(self.keys_where(table, "rowid", None)):
            yield Attack("row: removed", table.name, None, f"DELETE FROM {place} WHERE rowid = {number}")
            names = ", ".join(quote(column.name) for column in self.writable(table))
            yield Attack(
                "row: there twice", table.name, None,
                f"INSERT INTO {place} ({names}) SELECT {names} FROM {place} WHERE rowid = {number}",
            )

    def entities(self, table):
        """An object that says it is of another entity."""
        numbers = [row[0] for row in self.database.rows("SELECT Z_ENT FROM Z_PRIMARYKEY ORDER BY 1")]
        here = {row[0] for row in self.database.rows(f"SELECT DISTINCT Z_ENT FROM {quote(table.name)}")}
        family = self.family(table.name)
        for number in self.choose(self.keys_where(table, "Z_PK", None)):
            old = self.database.rows(f"SELECT Z_ENT FROM {quote(table.name)} WHERE Z_PK = {number}")[0][0]
            kin = sorted((family | here) - {old})
            strange = [each for each in numbers if each not in family | here]
            for kind, candidates in (("of its family", kin), ("of another table", strange), ("that is none", [FAR]), ("null", [None])):
                for other in candidates[:1] + candidates[-1:] if len(candidates) > 1 else candidates:
                    yield Attack(
                        "entity: " + kind, table.name, number,
                        (f"UPDATE {quote(table.name)} SET Z_ENT = ? WHERE Z_PK = ?", (other, number)), column="its entity",
                    )

    def family(self, table):
        return {
            row[0] for row in self.database.rows("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY")
            if self.description.tables.get(row[1]) == table
        }

    def links(self, table):
        """A link beside an object that leads elsewhere, and what goes with it."""
        present = {column.name for column in table.columns}
        for column in table.columns:
            target = self.description.target(table.name, column.name)
            if not target:
                continue
            name, place = quote(column.name), quote(table.name)
            linked = [each for each in self.keys_where(table, "Z_PK", f"{name} IS NOT NULL") if self.has(table, each, column)]
            linked = self.choose(linked)
            for number in linked:
                old = self.database.rows(f"SELECT {name} FROM {place} WHERE Z_PK = {number}")[0][0]
                others = [row[0] for row in self.database.rows(
                    f"SELECT Z_PK FROM {quote(target)} WHERE Z_PK <> ? AND Z_PK <> ? ORDER BY abs(Z_PK - ?) LIMIT 1", old, number, old)]
                where = f"WHERE Z_PK = {number}"
                for other in others:
                    yield Attack("link: to another object", table.name, number, f"UPDATE {place} SET {name} = {other} {where}", column=column.name)
                yield Attack("link: to nothing", table.name, number, f"UPDATE {place} SET {name} = NULL {where}", column=column.name)
                yield Attack("link: to nowhere", table.name, number, f"UPDATE {place} SET {name} = {FAR} {where}", column=column.name)
                yield Attack("link: no key", table.name, number, f"UPDATE {place} SET {name} = 'x' {where}", column=column.name)
                sort = "Z_FOK_" + column.name[1:]
                if sort in present:
                    yield Attack("order: one place", table.name, number, f"UPDATE {place} SET {sort} = ifnull({sort}, 0) + 1 {where}", column=column.name)
                    mate = self.database.rows(
                        f"SELECT b.Z_PK FROM {place} AS a JOIN {place} AS b ON b.{name} = a.{name} AND b.Z_PK <> a.Z_PK "
                        f"AND b.{sort} IS NOT a.{sort} WHERE a.Z_PK = {number} LIMIT 1")
                    for other, in mate:
                        yield Attack(
                            "order: two swapped", table.name, number,
                            f"UPDATE {place} SET {sort} = CASE Z_PK WHEN {number} THEN (SELECT {sort} FROM {place} WHERE Z_PK = {other}) "
                            f"ELSE (SELECT {sort} FROM {place} WHERE Z_PK = {number}) END WHERE Z_PK IN ({number}, {other})",
                            column=column.name,
                        )
                for companion in sorted(present):
                    if companion[1:2].isdigit() and companion.lstrip("Z0123456789") == "_" + column.name[1:]:
                        value = self.database.rows(f"SELECT {companion} FROM {place} {where}")[0][0]
                        kin = sorted(self.family(target) - {value})
                        for other in kin[:1]:
                            yield Attack("link: entity of its family", table.name, number, f"UPDATE {place} SET {companion} = {other} {where}", column=column.name)
                        yield Attack("link: entity that is none", table.name, number, f"UPDATE {place} SET {companion} = {FAR} {where}", column=column.name)
                        if value is not None:
                            yield Attack("link: entity null", table.name, number, f"UPDATE {place} SET {companion} = NULL {where}", column=column.name)
            free = [each for each in self.keys_where(table, "Z_PK", f"{name} IS NULL") if self.has(table, each, column)]
            for number in self.choose(free):
                for other, in self.database.rows(f"SELECT Z_PK FROM {quote(target)} WHERE Z_PK <> {number} LIMIT 1"):
                    yield Attack("link: where was none", table.name, number, f"UPDATE {place} SET {name} = {other} WHERE Z_PK = {number}", column=column.name)

    def keys(self, table):
        """The object's own number."""
        place = quote(table.name)
        for number in self.choose(self.keys_where(table, "Z_PK", None)):
            yield Attack("key: changed alone", table.name, number, f"UPDATE {place} SET Z_PK = {FAR} WHERE Z_PK = {number}")
            following = [
                f"UPDATE {quote(other.name)} SET {quote(column.name)} = {FAR} WHERE {quote(column.name)} = {number}"
                for other in self.tables if self.kind(other.name) == "objects" for column in other.columns
                if self.description.target(other.name, column.name) == table.name
            ]
            yield Attack(
                "key: changed with its links", table.name, number, f"UPDATE {place} SET Z_PK = {FAR} WHERE Z_PK = {number}", *following
            )
        pairs = self.choose(self.keys_where(table, "Z_PK", None))
        names = ", ".join(quote(column.name) for column in table.columns if column.name not in ("Z_PK", "Z_OPT"))
        rows = [self.database.rows(f"SELECT {names} FROM {place} WHERE Z_PK = ?", key) for key in pairs]
        # Two that hold the same may change places: nothing differs.
        for b in [key for key, row in zip(pairs, rows) if row != rows[0]][:1]:
            a = pairs[0]
            yield Attack(
                "key: two swapped", table.name, a,
                f"UPDATE {place} SET Z_PK = -{FAR} WHERE Z_PK = {a}", f"UPDATE {place} SET Z_PK = {a} WHERE Z_PK = {b}",
                f"UPDATE {place} SET Z_PK = {b} WHERE Z_PK = -{FAR}",
            )

    def link_rows(self, table):
        """A link of many to many."""
        place = quote(table.name)
        ends = [column.name for column in table.columns if not column.name.startswith("Z_FOK")][:2]
        orders = [column.name for column in table.columns if column.name.startswith("Z_FOK")]
        rows = self.database.rows(f"SELECT rowid, {', '.join(map(quote, ends + orders))} FROM {place} WHERE {self.images(table.name) or '1'} ORDER BY 2, 3")
        pairs = {tuple(row[1:3]) for row in rows}
        reflexive = pairs if "REFLEXIVE" in ends else set()
        for row in self.choose(rows):
            where = f"WHERE rowid = {row[0]}"
            yield Attack("link: row removed", table.name, row[1], f"DELETE FROM {place} {where}")
            others = [(x[1], y[2]) for x in (row, rows[0], rows[-1]) for y in rows + [row] if (x[1], y[2]) not in pairs and (y[2], x[1]) not in reflexive and x[1] != y[2]]
            for owner, target in others[:1]:
                yield Attack("link: row added", table.name, owner, f"INSERT INTO {place} ({quote(ends[0])}, {quote(ends[1])}) VALUES ({owner}, {target})")
            for owner, target in [pair for pair in others if pair[0] == row[1]][:1]:
                yield Attack("link: row moved", table.name, owner, f"UPDATE {place} SET {quote(ends[1])} = {target} {where}")
            yield Attack("link: row to nowhere", table.name, row[1], f"UPDATE {place} SET {quote(ends[1])} = {FAR} {where}")
            for order in orders:
                yield Attack("order: one place", table.name, row[1], f"UPDATE {place} SET {quote(order)} = ifnull({quote(order)}, 0) + 1 {where}")
                same = [each for each in rows if each[0] != row[0] and (each[1] == row[1] or each[2] == row[2])
                        and each[3 + orders.index(order)] != row[3 + orders.index(order)]]
                for other in same[:1]:
                    at = 3 + orders.index(order)
                    yield Attack(
                        "order: two swapped", table.name, row[1],
                        (f"UPDATE {place} SET {quote(order)} = CASE rowid WHEN ? THEN ? ELSE ? END WHERE rowid IN (?, ?)",
                         (row[0], other[at], row[at], row[0], other[0])),
                    )

    def books(self):
        """What Core Data keeps about the store."""
        for number, name, highest in self.database.rows("SELECT Z_ENT, Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_MAX > 0"):
            table = self.description.tables.get(name)
            if table is None or fold(table) not in self.names:
                continue
            top = self.database.rows(f"SELECT max(Z_PK) FROM {quote(table)}")[0][0]
            if top:
                yield Attack("books: counter too low", table, None, f"UPDATE Z_PRIMARYKEY SET Z_MAX = {top - 1} WHERE Z_ENT = {number}")
                yield Attack("books: counter lost", table, None, f"DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = {number}")
        yield Attack("books: other identifier", "Z_METADATA", None, "UPDATE Z_METADATA SET Z_UUID = 'C0C0A000-0000-4000-8000-000000000009'")
        yield Attack("books: metadata lost", "Z_METADATA", None, "DELETE FROM Z_METADATA")
        if self.database.rows("SELECT 1 FROM Z_METADATA WHERE length(Z_PLIST) > 9"):
            yield Attack("books: metadata cut", "Z_METADATA", None, "UPDATE Z_METADATA SET Z_PLIST = substr(Z_PLIST, 1, length(Z_PLIST) - 9)")
        if "z_modelcache" in self.names:
            yield Attack("books: model lost", "Z_MODELCACHE", None, "DELETE FROM Z_MODELCACHE")
            yield Attack("books: model cut", "Z_MODELCACHE", None, "UPDATE Z_MODELCACHE SET Z_CONTENT = substr(Z_CONTENT, 1, length(Z_CONTENT) - 9)")
        for kind, name in self.database.rows("SELECT type, name FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL ORDER BY 1, 2"):
            yield Attack(f"schema: {kind} dropped", name, None, f"DROP {kind} {quote(name)}")

    def foreign_keys(self, table):
        """A declared link that leads elsewhere."""
        place = quote(table.name)
        row = table.alias or (None if table.without_rowid else "rowid")
        if row is None:
            return
        here = quote(row) if row != "rowid" else row
        for foreign in table.foreign_keys:
            target = next((each for each in self.tables if fold(each.name) == fold(foreign.table)), None)
            if target is None or len(foreign.columns) != 1:
                continue
            own, theirs = foreign.columns[0]
            theirs = theirs or (target.key[0] if target.key else None)
            if theirs is None or own == table.alias:
                continue
            name = quote(own)
            for number in self.choose(self.keys_where(table, row, f"{name} IS NOT NULL")):
                old = self.database.rows(f"SELECT {name} FROM {place} WHERE {here} = ?", number)[0][0]
                for other, in self.database.rows(f"SELECT {quote(theirs)} FROM {quote(target.name)} WHERE {quote(theirs)} IS NOT ? AND {quote(theirs)} NOT NULL LIMIT 1", old):
                    yield Attack("link: to another object", table.name, number, (f"UPDATE {place} SET {name} = ? WHERE {here} = ?", (other, number)), column=own)
                yield Attack("link: to nothing", table.name, number, (f"UPDATE {place} SET {name} = NULL WHERE {here} = ?", (number,)), column=own)
                yield Attack("link: to nowhere", table.name, number, (f"UPDATE {place} SET {name} = ? WHERE {here} = ?", (FAR, number)), column=own)

    def plain_keys(self, table):
        if not table.alias:
            return
        place, key = quote(table.name), quote(table.alias)
        for number in self.choose(self.keys_where(table, table.alias, None)):
            yield Attack("key: changed alone", table.name, number, f"UPDATE {place} SET {key} = {FAR} WHERE {key} = {number}")
