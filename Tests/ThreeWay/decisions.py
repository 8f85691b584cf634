"""The laws about `--conflicts FILE` and `--decisions FILE`: "lines", "decide" and "refuse"."""
import json
import random
import sqlite3

from reference import Merge

FIELDS = {
    "value": {"kind", "entity", "key", "title", "attribute", "base", "mine", "theirs", "take"},
    "deleted": {"kind", "entity", "key", "title", "deletedBy", "values", "take"},
}


class DecisionLaws:
    def __init__(self, trial):
        self.trial, self.states, self.shape = trial, trial.states, trial.history.shape
        self.base, self.mine, self.theirs = trial.states
        self.outcome = Merge(self.states, "list").run()
        self.random = random.Random(repr(trial.history.mine))
        self.keys = [{(row.table, state.key(name)): name for name, row in state.rows.items()} for state in (self.mine, self.theirs)]

    def run(self):
        faults = [f"lines: {fault}" for fault in self.lines()]
        if not faults and self.outcome.conflicts:
            faults += [f"decide: {fault}" for fault in self.decide()]
            faults += [f"refuse: {fault}" for fault in self.refuse()]
        return faults

    # MARK: What is written

    def lines(self):
        preview = self.trial.merge(self.trial.copy_mine("dry.db"), "--conflicts", "dry.jsonl", "--dry-run")
        run = self.trial.merge(self.trial.copy_mine("listed.db"), "--conflicts", "listed.jsonl")
        # Of a loose object nobody says whether it is in conflict.
        expected = {3 if self.outcome.conflicts else 0} | ({0, 3} if self.outcome.loose else set())
        if run.returncode not in expected:
            return [f"exit code {run.returncode}, not {sorted(expected)}: {run.stderr.strip()[:400]}"]
        faults = []
        if preview.returncode != run.returncode:
            faults.append(f"exit code {preview.returncode} of the dry run, {run.returncode} of the run: {preview.stderr.strip()[:200]}")
        if self.trial.dump("dry.db") != self.trial.dump("mine.db"):
            faults.append("a dry run changed the destination")
        faults += self.trial.compare("listed.db", self.outcome)
        path = self.trial.folder / "listed.jsonl"
        if not path.exists():
            return faults + (["no file was written"] if run.returncode == 3 else [])
        if path.stat().st_mode & 0o777 != 0o600:
            faults.append(f"the file's mode is {path.stat().st_mode & 0o777:o}")
        if path.read_text() != (self.trial.folder / "dry.jsonl").read_text():
            faults.append("a dry run wrote another file")
        faults += self.check_lines(path.read_text().splitlines())
        before = path.read_bytes(), self.trial.dump("listed.db")
        if self.trial.merge("listed.db", "--conflicts", "listed.jsonl").returncode in (0, 3):
            faults.append("an existing file was no error")
        if before != (path.read_bytes(), self.trial.dump("listed.db")):
            faults.append("an existing file was overwritten, or the store changed all the same")
        self.trial.merge("listed.db", "--conflicts", "second.jsonl")
        if self.trial.dump("listed.db") != before[1]:
            faults.append("a second run changed the store")
        return faults

    def check_lines(self, lines):
        expected = {conflict.id: conflict for conflict in self.outcome.conflicts if conflict.name not in self.outcome.loose}
        faults, found = [], set()
        for text in lines:
            line = json.loads(text)
            name = self.object(line)
            conflict = expected.get((line.get("kind"), name, line.get("attribute")))
            if conflict is None:
                if name not in self.outcome.loose:
                    faults.append(f"is no conflict: {text}")
                continue
            if conflict.id in found:
                faults.append(f"is there twice: {text}")
            found.add(conflict.id)
            faults += [f"{fault}: {text}" for fault in self.check_line(line, conflict)]
        faults += [f"is not there: {id} {conflict}" for id, conflict in expected.items() if id not in found]
        return faults

    def object(self, line):
        for side, keys in zip(["mine", "theirs"], self.keys):
            key = line.get("key", {}).get(side)
            if isinstance(key, list):
                key = tuple(key) if len(key) > 1 else key[0]
            if (line.get("entity"), key) in keys:
                return keys[line["entity"], key]
        return None

    def check_line(self, line, conflict):
        states = [self.mine, self.theirs]
        rows = [state.rows.get(conflict.name) for state in states]
        # An object with parts has their number and digest.
        if line.keys() - {"parts"} != FIELDS[conflict.kind]:
            yield f"fields {sorted(line.keys() ^ FIELDS[conflict.kind])} are missing or unknown"
            return
        if line["key"] != dict(zip(["mine", "theirs"], [self.key(conflict.name, state) for state in states])):
            yield f"key {line['key']}"
        titles = {row.values.get(column) for row in rows if row for column in ("title", "name")}
        if line["title"] not in titles and any(titles):
            yield f"title {line['title']}"
        if line["take"] is not None:
            yield "is decided"
        if conflict.kind == "deleted" and line["deletedBy"] != conflict.deleted_by:
            yield f"deletedBy {line['deletedBy']}"
        if conflict.kind == "deleted":
            row = next(row for row in rows if row)
            for column, value in row.values.items():
                if column not in line["values"] or line["values"][column] != value:
                    yield f"{column} of the deleted object is {value!r}"
        if conflict.kind == "value":
            for side, state in zip(["base", "mine", "theirs"], self.states):
                if not (side == "base" and conflict.name not in state.rows and line[side] is None) and not self.is_value(line[side], getattr(conflict, side), conflict.is_link, state):
                    yield f"{side} is {getattr(conflict, side)!r}"

    def key(self, name, state):
        if name not in state.rows:
            return None
        key = state.key(name)
        if self.shape.table(state.rows[name].table).identity != "key":
            return key
        return list(key) if isinstance(key, tuple) else [key]

    def is_value(self, found, value, is_link, state):
        if not is_link or value is None:
            return found == value and type(found) is type(value)
        row = state.rows[value]
        if self.shape.table(row.table).identity == "key":  # a link by a value, which is shown as any other
            return found == row.key
        return isinstance(found, dict) and found.get("key") in (row.key, [row.key]) and \
            found.get("title") in (row.values.get("title"), row.values.get("name"))

    # MARK: What is decided

    def decided(self):
        """The file with a random decision in each line, and the decisions by conflict."""
        decisions, lines = {}, []
        for text in (self.trial.folder / "listed.jsonl").read_text().splitlines():
            line = json.loads(text)
            takes = ["mine", "theirs"]
            is_link = line["attribute"] in self.links(line) if line["kind"] == "value" else False
            if line["kind"] == "value" and not is_link:
                value = next(line[side] for side in ("mine", "theirs") if line[side] is not None)
                takes.append({"value": self.random.choice([None, value * 2])})
            line["take"] = self.random.choice(takes)
            decisions[line["kind"], self.object(line), line.get("attribute")] = line["take"]
            lines.append(line)
        return decisions, lines

    def links(self, line):
        return [link.column for link in self.shape.table(line["entity"]).links]

    def write(self, name, lines):
        text = "".join((line if isinstance(line, str) else json.dumps(line, ensure_ascii=False)) + "\n" for line in lines)
        (self.trial.folder / name).write_text(text)
        return name

    def decide(self):
        self.decisions, self.lines_decided = self.decided()
        outcome = Merge(self.states, "decide", self.decisions).run()
        outcome.loose |= self.outcome.loose
        self.write("decided.jsonl", self.lines_decided)
        for title, store in ("after --conflicts", "listed.db"), ("at once", self.trial.copy_mine("decided.db")):
            before = self.trial.dump(store)
            run = self.trial.merge(store, "--decisions", "decided.jsonl")
            if outcome.refused:
                if run.returncode != 64:
                    yield f"{title}: exit code {run.returncode}, though a part was moved into {outcome.refused}"
                if self.trial.dump(store) != before:
                    yield f"{title}: what was refused changed the store"
            elif run.returncode != 0:
                yield f"{title}: exit code {run.returncode}: {run.stderr.strip()[:400]}"
                if self.trial.dump(store) != before:
                    yield f"{title}: an error changed the store"
            else:
                for fault in self.trial.compare(store, outcome):
                    yield f"{title}: {fault} {self.decisions}"
        if not self.outcome.loose and not outcome.refused:
            yield from self.decide_partly()

    def decide_partly(self):
        """Lines about one object stay undecided, and go into a further file, as they were or left out, with the decisions
        against theirs about others, which would be conflicts again."""
        name = self.random.choice(sorted(conflict[1] for conflict in self.decisions))
        decisions = {conflict: take for conflict, take in self.decisions.items() if conflict[1] != name}
        outcome = Merge(self.states, "decide", decisions).run()
        outcome.loose |= self.outcome.loose
        open_lines = [line | {"take": None} for line in self.lines_decided if self.object(line) == name]
        lines = [line for line in self.lines_decided if self.object(line) != name] + self.random.choice([[], open_lines])
        self.write("partly.jsonl", lines)
        run = self.trial.merge(self.trial.copy_mine("partly.db"), "--decisions", "partly.jsonl", "--conflicts", "rest.jsonl")
        if run.returncode != 3:
            yield f"partly: exit code {run.returncode}: {run.stderr.strip()[:400]}, lines {lines}"
            return
        rest = [json.loads(line) for line in (self.trial.folder / "rest.jsonl").read_text().splitlines()]
        expected = open_lines + [again for line in self.lines_decided if self.object(line) != name for again in self.again(line, outcome)]
        if sorted(map(repr, rest)) != sorted(map(repr, expected)):
            yield f"partly: {rest} are left, not {expected}"
        for fault in self.trial.compare("partly.db", outcome):
            yield f"partly: {fault} {decisions}"

    def again(self, line, outcome):
        """The line as the next run needs it, once its decision was carried out."""
        is_waiting = line["kind"] == "deleted" and self.object(line) in outcome.waiting
        if line["take"] == "mine" or is_waiting or self.is_blocked(line, outcome):
            return [line]
        if line["take"] == "theirs" or line["take"]["value"] == line["theirs"]:
            return []
        return [line | {"mine": line["take"]["value"], "take": "mine"}]

    def is_blocked(self, line, outcome):
        """Whether theirs was decided for a link that leads to what is not there."""
        if line["kind"] != "value" or line["take"] != "theirs" or line["attribute"] not in self.links(line):
            return False
        target = self.theirs.rows[self.object(line)].links[line["attribute"]]
        return target is not None and target not in outcome.present

    # MARK: What is refused

    def refuse(self):
        lines = self.lines_decided
        place = self.random.randrange(len(lines))
        line = lines[place]
        wrong = {
            "an undecided line": line | {"take": None},
            "a decision that is none": line | {"take": "both"},
            "a number for a decision": line | {"take": 7},
            "no JSON": '{"kind": "value", ',
            "an unknown object": line | {"key": {"mine": 987_654, "theirs": 987_654}},
            "an unknown entity": line | {"entity": "nowhere"},
            "an unknown kind": line | {"kind": "guess"},
        }
        if line["kind"] == "value":
            wrong["another value of mine"] = line | {"mine": "what it never was"}
            wrong["another value of theirs"] = line | {"theirs": "what it never was"}
            wrong["another value of the base"] = line | {"base": "what it never was"}
            wrong["an unknown attribute"] = line | {"attribute": "nothing"}
        for title, bad in wrong.items():
            yield from self.refused(title, lines[:place] + [bad] + lines[place + 1:], place + 1)
        yield from self.refused("a conflict without a line", lines[:place] + lines[place + 1:], None)
        yield from self.refused("a line twice, decided both ways", lines + [line | {"take": "mine"}, line | {"take": "theirs"}], None)
        if line["kind"] == "value" and (change := self.change(line)):
            yield from self.refused("a value that was changed since", lines, place + 1, change)

    def change(self, line):
        row = self.mine.rows[self.object(line)]
        table = self.shape.table(row.table)
        is_link = line["attribute"] in row.links
        value = None if is_link or row.values[line["attribute"]] is not None else 1
        if is_link and (row.links[line["attribute"]] is None or table.owner):
            return None
        return f"UPDATE {table.name} SET {line['attribute']} = ? WHERE {table.key} = ?", (value, row.key)

    def refused(self, title, lines, number, statement=None):
        store = self.trial.copy_mine("refused.db")
        if statement:
            with sqlite3.connect(self.trial.folder / store) as database:
                database.execute(*statement)
            database.close()
        before = self.trial.dump(store)
        run = self.trial.merge(store, "--decisions", self.write("refused.jsonl", lines))
        if run.returncode == 0 or run.returncode == 3:
            yield f"{title}: exit code {run.returncode}, lines {lines}, {statement}"
        elif run.returncode not in (1, 64):
            yield f"{title}: exit code {run.returncode}, which means something else: {run.stderr.strip()[:300]}"
        elif number and not any(form in run.stderr for form in (f"line {number}", f".jsonl:{number}")):
            yield f"{title}: the error does not name line {number}: {run.stderr.strip()[:300]}"
        if self.trial.dump(store) != before:
            yield f"{title}: the destination changed"
