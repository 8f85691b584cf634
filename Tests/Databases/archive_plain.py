"""Compares the archive of a plain database with it: entity is table, attribute is column."""
import sqlite3
from collections import Counter

from archive_values import NULL, Store, archived, quote, same, shown


class Plain:
    def __init__(self, path, reader, tell):
        self.reader, self.tell = reader, tell
        self.store = Store(path)
        self.rows, self.lists = {}, Counter()
        self.written = {
            (name, each["name"]): each
            for name, entity in reader.entities.items() for each in entity["relationships"]
        }

    def take(self, line):
        entity = line["e"]
        for name, links in list(line.get("more", {}).items()) + list(line.get("r", {}).items()):
            if isinstance(links, list):
                owner = archived(line["id"], self.reader.blobs)
                for link in links:
                    self.lists[entity, name, owner, archived(link, self.reader.blobs)] += 1
        if "more" in line:
            return
        row = {name: archived(value, self.reader.blobs) for name, value in line["v"].items()}
        for name, link in line.get("r", {}).items():
            if not isinstance(link, list):
                target = link["to"] if isinstance(link, dict) and "to" in link else link
                row[name] = archived(target, self.reader.blobs)
        for name, each in line.get("key", {}).items():
            if archived(each, self.reader.blobs) != row.get(name):
                self.tell(f"{entity} {line['id']}: its key is not its value of {name}")
        key = self.reader.entities[entity].get("key")
        if key:
            row[key] = ("integer", line["id"])
        self.rows.setdefault(entity, []).append(row)

    def exists(self, table, key):
        """Whether the store has what the archive lacks."""
        try:
            column = quote(self.reader.entities[table].get("key", "rowid"))
            return self.store.rows(f"SELECT 1 FROM {quote(table)} WHERE {column} = ?", key).fetchone() is not None
        except sqlite3.Error:
            return False

    def finish(self):
        joined = Counter()
        for (entity, name), told in self.written.items():
            if isinstance(told["written"], dict):
                joined[told["written"]["table"]] += 1
                self.compare_links(entity, name, told["written"])
        for table in self.reader.entities:
            self.compare(table)
        for table in self.store.tables():
            if table not in self.reader.entities and table not in joined:
                self.tell(f"the table {table} is not in the archive")

    def compare(self, table):
        rows = self.rows.get(table, [])
        columns = self.store.columns(table)
        key = self.reader.entities[table].get("key")
        if key and key not in columns:
            columns = [key] + columns
        told = []
        for row in rows:
            unknown = set(row) - set(columns)
            links = {name for (entity, name), each in self.written.items() if entity == table and each["written"] is True}
            if unknown or set(columns) - set(row) - links:
                self.tell(f"{table}: has {sorted(unknown)}, lacks {sorted(set(columns) - set(row) - links)}")
                return
            told.append([row.get(name, NULL) for name in columns])
        stored = list(self.store.cells(table, columns))
        if key:
            place = columns.index(key)
            told.sort(key=lambda row: row[place])
            stored.sort(key=lambda row: row[place])
        else:
            told.sort(key=repr)
            stored.sort(key=repr)
        if len(told) != len(stored):
            self.tell(f"{table}: {len(told)} rows and not {len(stored)}")
        for left, right in zip(told, stored):
            for name, a, b in zip(columns, left, right):
                if not same(a, b):
                    self.tell(f"{table} {shown(right[columns.index(key)]) if key else ''}: {name} is {shown(a)} and not {shown(b)}")

    def compare_links(self, entity, name, place):
        told = Counter()
        for (of, relationship, owner, target), count in self.lists.items():
            if (of, relationship) == (entity, name):
                told[owner, target] += count
        stored = Counter(
            (owner, target) for owner, target in self.store.cells(place["table"], [place["owner"], place["target"]])
        )
        for owner, target in (told - stored).elements():
            self.tell(f"{entity}.{name}: {shown(owner)} to {shown(target)} is not in {place['table']}")
        for owner, target in (stored - told).elements():
            self.tell(f"{entity}.{name}: {shown(owner)} to {shown(target)} is missing")
