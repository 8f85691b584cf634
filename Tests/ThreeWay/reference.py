"""What must come out of a three-way merge, computed cell by cell from the manual's page on conflicts.

It knows which object is which (see `histories`), and so has nothing to do with how the program finds that out.
Where the manual allows more than one result, the outcome lists all of them, or names the object as loose: it is
then not held to anything, and why is said.
"""
import dataclasses

from histories import Row


@dataclasses.dataclass(frozen=True)
class Conflict:
    kind: str  # "value" or "deleted"
    name: str
    attribute: str = None
    deleted_by: str = None
    base: object = dataclasses.field(default=None, compare=False)
    mine: object = dataclasses.field(default=None, compare=False)
    theirs: object = dataclasses.field(default=None, compare=False)
    is_link: bool = dataclasses.field(default=False, compare=False)

    @property
    def id(self):
        return self.kind, self.name, self.attribute


@dataclasses.dataclass
class Added:
    """A row that mine did not have."""

    name: str
    row: Row
    is_copy: bool = False  # the second version of an object that mine has or had, under an identity of its own
    in_copy: bool = False  # its owner is such a copy
    is_required: bool = True


@dataclasses.dataclass
class Outcome:
    kept: dict = dataclasses.field(default_factory=dict)  # object of mine → the rows it may be, None for gone
    added: list = dataclasses.field(default_factory=list)
    required: dict = dataclasses.field(default_factory=dict)  # table of links → pairs
    allowed: dict = dataclasses.field(default_factory=dict)
    either: dict = dataclasses.field(default_factory=dict)  # object and column → what the link may lead to as well
    conflicts: list = dataclasses.field(default_factory=list)
    loose: dict = dataclasses.field(default_factory=dict)  # object → why nothing is said of it
    present: set = dataclasses.field(default_factory=set)  # the objects that are there
    waiting: set = dataclasses.field(default_factory=set)  # decided to come back, but leading to what is undecided
    refused: set = dataclasses.field(default_factory=set)  # what was decided to go and cannot, as a part was moved into it
    cells: list = dataclasses.field(default_factory=list)  # what happened, for the coverage


class Merge:
    """One merge. `mode` is "both" without further options, "list" with --conflicts, "decide" with --decisions.

    Decisions are "mine", "theirs" or {"value": …} by the `id` of a conflict.
    """

    def __init__(self, states, mode="both", decisions=None):
        self.base, self.mine, self.theirs = states
        self.shape, self.mode, self.decisions = self.base.shape, mode, decisions or {}
        self.outcome = Outcome()
        self.merged, self.conflicted = {}, set()

    def run(self):
        self.merge_rows()
        self.find_deletions()
        self.find_presence()
        self.find_loose()
        self.place_rows()
        if self.mode == "both":
            self.place_copies()
        self.merge_pairs()
        self.outcome.present = self.present
        return self.outcome

    # MARK: Values and links to one

    def merge_rows(self):
        for name in self.mine.rows.keys() & self.theirs.rows.keys():
            mine, theirs, base = self.mine.rows[name], self.theirs.rows[name], self.base.rows.get(name)
            row = Row(mine.table, mine.key, {}, {})
            for kind in "values", "links":
                for attribute, own in getattr(mine, kind).items():
                    other, old = getattr(theirs, kind)[attribute], getattr(base, kind)[attribute] if base else None
                    getattr(row, kind)[attribute] = self.cell(name, kind == "links", attribute, old, own, other)
            self.merged[name] = row

    def cell(self, name, is_link, attribute, base, mine, theirs):
        what = ("link " if is_link else "value ") + ("" if name in self.base.rows else "of two added, ")
        if mine == theirs:
            self.note(what + ("same" if mine == base else "changed to the same"))
            return mine
        if theirs == base:
            self.note(what + "mine")
            return mine
        if mine == base:
            self.note(what + "theirs")
            return theirs
        self.note(what + "conflict")
        conflict = Conflict("value", name, attribute, None, base, mine, theirs, is_link)
        self.outcome.conflicts.append(conflict)
        take = self.decisions.get(conflict.id, "mine")
        if conflict.id not in self.decisions:
            self.conflicted.add(name)
        return take["value"] if isinstance(take, dict) else theirs if take == "theirs" else mine

    def note(self, cell):
        self.outcome.cells.append(cell)

    # MARK: Objects that one side deleted

    def is_changed(self, side, name):
        """Whether `side` changed the object of the base: a value, a link to one, or something it owns."""
        row, base = side.rows[name], self.base.rows[name]
        if row.values != base.values or row.links != base.links:
            return True
        return any(part not in self.base.rows or self.is_changed(side, part) for part in side.parts(name))

    def find_deletions(self):
        both = self.base.rows.keys() - (self.mine.rows.keys() & self.theirs.rows.keys())
        by_theirs, by_mine = both & self.mine.rows.keys(), both & self.theirs.rows.keys()
        self.stays = self.with_parts(self.mine, {name for name in by_theirs if self.is_changed(self.mine, name)}, by_theirs)
        # What something of mine still leads to is not deleted, nor what that leads to.
        while more := {name for name in by_theirs - self.stays if self.is_led_to(name, by_theirs)}:
            self.stays |= self.with_parts(self.mine, more, by_theirs)
        self.returns = self.with_parts(
            self.theirs, {name for name in by_mine if self.is_changed(self.theirs, name)}, by_mine)
        # What theirs leads to by a new link comes back, and what that leads to.
        while more := {name for name in by_mine - self.returns if self.is_newly_led_to(name, by_mine)}:
            self.returns |= self.with_parts(self.theirs, self.with_owners(self.theirs, more, by_mine), by_mine)
        self.gone = (by_theirs - self.stays) | (by_mine - self.returns) | \
            (self.base.rows.keys() - self.mine.rows.keys() - self.theirs.rows.keys())
        for names, state, side in (self.stays, self.mine, "theirs"), (self.returns, self.theirs, "mine"):
            for name in sorted(names):
                if state.owner(name) not in names:
                    self.outcome.conflicts.append(Conflict("deleted", name, deleted_by=side))
        self.cells_of(by_theirs - self.stays, "object deleted by theirs")
        self.cells_of(by_mine - self.returns, "object deleted by mine")
        self.cells_of(self.stays, "object deleted by theirs, conflict")
        self.cells_of(self.returns, "object deleted by mine, conflict")

    def cells_of(self, names, cell):
        self.outcome.cells += [cell] * len(names)

    def with_parts(self, state, names, within):
        found = set()
        while names:
            found |= names
            names = {part for name in names for part in state.parts(name) if part in within} - found
        return found

    def is_led_to(self, name, by_theirs):
        survivors = [other for other in self.mine.rows if other not in by_theirs or other in self.stays]
        if any(name in self.links(other).values() for other in survivors):
            return True
        return any(name in pair and pair not in self.base.pairs[many] and set(pair) - {name} <= set(survivors)
                   for many, pairs in self.mine.pairs.items() for pair in pairs)

    def is_newly_led_to(self, name, by_mine):
        for other, row in self.theirs.rows.items():
            base = self.base.rows.get(other)
            for column, target in row.links.items():
                if target == name and (other in self.returns or base is None or base.links[column] != name):
                    return True
        return any(name in pair and pair not in self.base.pairs[many]
                   for many, pairs in self.theirs.pairs.items() for pair in pairs)

    def with_owners(self, state, names, within):
        return {owner for name in names for owner in self.chain(state, name) if owner in within}

    def chain(self, state, name):
        while name:
            yield name
            name = state.owner(name)

    def links(self, name):
        return self.merged[name].links if name in self.merged else self.mine.rows[name].links

    # MARK: What is there afterwards

    def find_presence(self):
        """The objects that are there; what deletes an object deletes its parts."""
        self.present = set()
        self.outcome.waiting = self.find_waiting()
        for name in self.mine.rows.keys() | self.theirs.rows.keys():
            if name in self.gone:
                continue
            if name in self.stays:
                is_there = self.take(name, self.stays, self.mine, "mine") == "mine"
            elif name in self.outcome.waiting:
                is_there = False
            elif name in self.returns:
                is_there = self.take(name, self.returns, self.theirs, "theirs" if self.mode == "both" else "mine") == "theirs"
            else:
                is_there = True
            if is_there:
                self.present.add(name)
        while orphans := {name for name in self.present if (owner := self.owner(name)) and owner not in self.present}:
            for name in orphans:
                if name in self.mine.rows and name in self.theirs.rows:
                    if self.owner(name) in self.stays:
                        self.outcome.refused.add(self.owner(name))
                    self.loosen(name, "moved to an owner that the other side deleted")
            self.present -= orphans

    def find_waiting(self):
        """What was decided to come back and leads to an object about which nobody has decided, with owners and parts."""
        if self.mode != "decide":
            return set()
        undecided = {name for name in self.returns if self.take(name, self.returns, self.theirs, None) is None}
        waiting = set()
        while more := {name for name in self.returns - undecided - waiting
                       if set(self.theirs.rows[name].links.values()) & (undecided | waiting)}:
            owners = {owner for name in more for owner in self.chain(self.theirs, name) if owner in self.returns}
            waiting |= self.with_parts(self.theirs, owners, self.returns) - undecided
        return waiting

    def take(self, name, names, state, default):
        """What was decided of the object, or of the outermost owner that is in conflict with it."""
        while (owner := state.owner(name)) in names:
            name = owner
        return self.decisions.get(("deleted", name, None), default)

    def row(self, name):
        return self.merged.get(name) or self.mine.rows.get(name) or self.theirs.rows[name]

    def owner(self, name):
        row = self.row(name)
        link = self.shape.table(row.table).owner
        return row.links[link.column] if link else None

    # MARK: What the manual leaves open

    def loosen(self, name, why):
        if name not in self.outcome.loose:
            self.outcome.loose[name] = why
            for state in self.mine, self.theirs:
                for part in state.parts(name) if name in state.rows else ():
                    self.loosen(part, why)

    def find_loose(self):
        # A side emptied a link as it deleted what it led to, which stays or comes back: the link may, too.
        for name, row in self.merged.items():
            for column, target in row.links.items():
                sides = [state.rows[name].links[column] for state in (self.mine, self.theirs)]
                if target is not None and target not in self.present and sides[0] in self.present:
                    self.outcome.either[name, column] = sides[0]  # theirs leads to what mine deleted
                if target is None and None in sides and (other := sides[0] or sides[1]) in self.stays | self.returns:
                    self.outcome.either[name, column] = other
        # So does a part of an object in conflict.
        for name in [name for name in self.mine.rows if name in self.conflicted or self.is_under_conflict(name)]:
            for column, target in self.mine.rows[name].links.items():
                if target in self.gone and self.row(name).links[column] != target:
                    self.loosen(name, "stays as mine has it, but for a link to what theirs deleted")
                    self.loosen(target, "deleted, but something in conflict of mine leads to it")
        for name in self.mine.rows.keys() & self.theirs.rows.keys():
            mine, theirs = self.mine.rows[name], self.theirs.rows[name]
            if name not in self.base.rows and not self.shape.table(mine.table).identity and \
                    (mine.values, mine.links) != (theirs.values, theirs.links):
                self.loosen(name, "added by both without an identity, and different")
            owners = {state.owner(name) for state in (self.mine, self.theirs)}
            if len(owners) == 2 and owners & self.conflicted:
                self.loosen(name, "moved to or from an owner in conflict")

    # MARK: Rows

    def is_under_conflict(self, name):
        for state in self.mine, self.theirs:
            owner = name
            while owner := state.owner(owner) if owner in state.rows else None:
                if owner in self.conflicted:
                    return True
        return False

    def cut(self, row):
        links = {column: target if target in self.present else None for column, target in row.links.items()}
        return Row(row.table, row.key, row.values, links)

    def place_rows(self):
        for name, mine in self.mine.rows.items():
            options = [self.cut(self.row(name)) if name in self.present else None]
            if name in self.conflicted:
                options = [self.cut(mine)]
            elif self.is_under_conflict(name):
                # The manual does not say whether the parts of an object in conflict stay as well, and theirs.
                options += [self.cut(mine), mine]
            self.outcome.kept[name] = options
        for name in self.theirs.rows.keys() - self.mine.rows.keys():
            row = self.theirs.rows[name]
            if name in self.present:
                self.outcome.added.append(Added(name, self.cut(row), is_required=not self.is_under_conflict(name)))

    def place_copies(self):
        """Theirs, beside mine, with all that it owns."""
        for name in sorted(self.conflicted):
            if not self.is_under_conflict(name):
                self.copy(name, False, True)
            else:  # a copy comes with its owner's; one beside it in mine's is allowed
                self.copy(name, False, False)

    def copy(self, name, in_copy, is_required):
        self.outcome.added.append(Added(name, self.cut(self.theirs.rows[name]), True, in_copy, is_required))
        for part in self.theirs.parts(name):
            self.copy(part, True, is_required)

    # MARK: Links from many to many

    def merge_pairs(self):
        for many in self.shape.many:
            base, mine, theirs = (state.pairs[many.name] for state in (self.base, self.mine, self.theirs))
            required, allowed = set(), set()
            for pair in base | mine | theirs:
                if not set(pair) <= self.present:
                    continue
                is_base, is_mine, is_theirs = pair in base, pair in mine, pair in theirs
                is_there = is_mine if is_theirs == is_base else is_theirs
                self.note("pair " + ("same" if is_mine == is_theirs else "added by one" if not is_base else "removed by one"))
                if is_base and is_mine and set(pair) & self.stays:
                    is_there = True  # theirs removed it along with the object, which stays as mine has it
                if set(pair) & self.returns and is_theirs:
                    is_there = True  # it comes back with what belongs to it
                if is_there:
                    required.add(pair)
                if is_there or set(pair) & self.conflicted:
                    allowed.add(pair)
                # An object in conflict stays as mine has it; its links may, too.
                if set(pair) & self.conflicted and not (is_mine and is_theirs):
                    required.discard(pair)
                if set(pair) & self.outcome.loose.keys():
                    required.discard(pair)
                    allowed.add(pair)
            self.outcome.required[many.name], self.outcome.allowed[many.name] = required, allowed
