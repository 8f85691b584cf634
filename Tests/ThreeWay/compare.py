"""Holds a merged database against what the reference says.

Rows of mine are told by their keys, which no merge may change. A row that mine did not have is found among the new
ones by its values, which are different in every row that a history adds; between equal ones links decide.
"""
import re
import sqlite3

from histories import Row, literal


class Result:
    """The rows of a database, links as tables and keys."""

    def __init__(self, path, shape):
        self.shape = shape
        database = sqlite3.connect(path)
        self.rows, self.pairs = {}, {}
        for table in shape.tables:
            links = {link.column: link.target for link in table.links}
            cursor = database.execute(f"SELECT * FROM {table.name}")
            columns = [column[0] for column in cursor.description]
            for cells in cursor:
                cells = dict(zip(columns, cells))
                key = cells.pop(table.key)
                if table.key_link:
                    key = cells[table.key_link], key
                led = {column: (links[column], cells.pop(column)) for column in links}
                led = {column: None if place[1] is None else place for column, place in led.items()}
                self.rows[table.name, key] = Row(table.name, key, cells, led)
        for many in shape.many:
            self.pairs[many.name] = [
                ((many.first.target, first), (many.second.target, second)) for first, second in
                database.execute(f"SELECT {many.first.column}, {many.second.column} FROM {many.name}")]
        self.faults = [f"integrity_check: {row[0]}" for row in database.execute("PRAGMA integrity_check") if row[0] != "ok"]
        self.faults += [f"foreign_key_check: {row}" for row in database.execute("PRAGMA foreign_key_check")]
        database.close()


class Comparison:
    def __init__(self, outcome, states, result):
        self.outcome, self.result, self.shape = outcome, result, result.shape
        self.mine = states[1]
        self.states = states
        self.names = {}  # place → object
        self.copies = set()  # places of second versions
        self.matched = []  # (what was expected, place)
        self.differences = []

    def run(self):
        for name, row in self.mine.rows.items():
            place = row.table, self.mine.key(name)
            if place in self.result.rows:
                self.names[place] = name
        left = {}
        for table in self.shape.tables:
            left[table.name] = [place for place in self.result.rows if place[0] == table.name and place not in self.names]
            self.match(table, left[table.name])
        for name, options in self.outcome.kept.items():
            self.check_kept(name, options)
        for added, place in self.matched:
            self.check_links("a copy of " * added.is_copy + added.name, added.row, place)
        for places in left.values():
            for place in places:
                if not self.is_loose(place):
                    self.differences.append(f"unexpected: a new row {describe(self.result.rows[place])}")
        self.check_pairs()
        return self.differences

    # MARK: Rows that mine did not have

    def match(self, table, left):
        expected = [added for added in self.outcome.added if added.row.table == table.name]
        # Those that a row must be found for come first, and of those the ones whose identity is known.
        for added in sorted(expected, key=lambda added: (not added.is_required, added.is_copy)):
            found = [place for place in left if self.is_equal(added, self.result.rows[place])]
            if found:
                place = max(found, key=lambda place: self.likeness(added, place))
                left.remove(place)
                self.matched.append((added, place))
                self.names[place] = added.name
                if added.is_copy:
                    self.copies.add(place)
            elif added.is_required and added.name not in self.outcome.loose:
                what = "theirs beside mine, of " + added.name if added.is_copy else added.name
                self.differences.append(f"missing: {what}, {describe(added.row)}")

    def is_equal(self, added, row):
        """Whether values agree. A copy has an identity of its own: another UUID, or a number behind its name."""
        identity = self.shape.table(row.table).identity
        expected, found = dict(added.row.values), dict(row.values)
        if added.is_copy and identity == "uuid":
            del expected["uuid"]
            if not re.fullmatch(r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}", found["uuid"]):
                return False
        if added.is_copy and identity == "name" and found["name"] == expected["name"]:
            return False
        if added.is_copy and identity:  # what a person sees of it may have a number as well
            for column in {"name", "title"} & found.keys():
                if isinstance(found[column], str) and isinstance(expected.get(column), str):
                    found[column] = re.sub(re.escape(expected[column]) + r" \(\d+\)", lambda _: expected[column], found[column])
        own = row.key[-1] if self.shape.table(row.table).key_link else row.key
        if identity == "key" and not added.is_copy and own != added.row.key:
            return False
        return all(is_same(expected[column], found[column]) for column in expected)

    def likeness(self, added, place):
        row, owner = self.result.rows[place], self.shape.table(place[0]).owner
        score = sum(self.name(row.links[column]) == target for column, target in added.row.links.items())
        if owner and added.is_copy:
            score += 10 * ((row.links[owner.column] in self.copies) == added.in_copy)
        return score

    def is_loose(self, place):
        row = self.result.rows[place]
        return any(name in state.rows and state.rows[name].table == row.table
                   and all(is_same(value, row.values[column]) for column, value in state.rows[name].values.items()
                           if column != self.shape.table(row.table).identity)
                   for name in self.outcome.loose for state in self.states)

    # MARK: Rows of mine

    def name(self, place):
        return None if place is None else self.names.get(place, "what is not there")

    def check_kept(self, name, options):
        if name in self.outcome.loose:
            return
        place = self.mine.rows[name].table, self.mine.key(name)
        row = self.result.rows.get(place)
        if row is None:
            if None not in options:
                self.differences.append(f"deleted: {name}, {describe(options[0])}")
            return
        options = [option for option in options if option is not None]
        if not options:
            self.differences.append(f"not deleted: {name}, {describe(row)}")
            return
        faults = [self.faults(name, option, place) for option in options]
        if all(faults):
            self.differences += min(faults, key=len)

    def faults(self, name, expected, place):
        row = self.result.rows[place]
        faults = [f"value: {name}, {row.table} {literal(row.key)}, {column}: {literal(row.values[column])}, "
                  f"not {literal(value)}"
                  for column, value in expected.values.items() if not is_same(row.values[column], value)]
        for column, target in expected.links.items():
            found = self.name(row.links[column])
            if not self.is_right(name, column, found, target):
                faults.append(f"link: {name}, {row.table} {literal(row.key)}, {column}: {found}, not {target}")
        return faults

    def is_right(self, name, column, found, target):
        return found == target or bool({found, target} & self.outcome.loose.keys()) \
            or (name, column) in self.outcome.either and found == self.outcome.either[name, column]

    def check_links(self, title, expected, place):
        row = self.result.rows[place]
        for column, target in expected.links.items():
            found = self.name(row.links[column])
            if not self.is_right(None, column, found, target):
                self.differences.append(f"link: {title}, {row.table} {literal(row.key)}, {column}: {found}, not {target}")

    def check_pairs(self):
        for many, places in self.result.pairs.items():
            found = {(self.name(first), self.name(second)) for first, second in places}
            for pair in sorted(self.outcome.required[many] - found):
                self.differences.append(f"pair missing: {many} {pair}")
            for pair in sorted(found - self.outcome.allowed[many]):
                if not set(pair) & self.outcome.loose.keys():
                    self.differences.append(f"pair unexpected: {many} {pair}")


def is_same(first, second):
    return first == second and type(first) is type(second)


def describe(row):
    cells = {**row.values, **row.links}
    return f"{row.table} {literal(row.key)} (" + ", ".join(f"{name} {cell!r}" for name, cell in cells.items()) + ")"
