#!/usr/bin/env python3
"""Reads a library of Paprika into a new SQLite database:   read_paprika.py LIBRARY OUT [--orjson]

What somebody would write who knows Python, and no more: the tables of decant, a row for each recipe, line and
picture, in one transaction. It tells recipes apart by their ID alone, and proves nothing.
"""
import base64, gzip, hashlib, json, re, sqlite3, sys, zipfile

TABLES = """
CREATE TABLE Source (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE Category (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE Recipe (id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, title TEXT NOT NULL, summary TEXT, notes TEXT,
  url TEXT, yield TEXT, prepTime TEXT, prepMinutes REAL, cookTime TEXT, cookMinutes REAL, totalTime TEXT,
  totalMinutes REAL, rating REAL, difficulty TEXT, created TEXT, format TEXT NOT NULL, extra TEXT,
  source_id INTEGER REFERENCES Source (id));
CREATE TABLE Ingredient (id INTEGER PRIMARY KEY, recipe_id INTEGER NOT NULL REFERENCES Recipe (id),
  recipe_position INTEGER, text TEXT NOT NULL, isHeading BOOLEAN NOT NULL);
CREATE TABLE Step (id INTEGER PRIMARY KEY, recipe_id INTEGER NOT NULL REFERENCES Recipe (id),
  recipe_position INTEGER, text TEXT NOT NULL, isHeading BOOLEAN NOT NULL);
CREATE TABLE Nutrition (id INTEGER PRIMARY KEY, recipe_id INTEGER NOT NULL REFERENCES Recipe (id),
  recipe_position INTEGER, name TEXT, value TEXT NOT NULL);
CREATE TABLE NativeID (id INTEGER PRIMARY KEY, recipe_id INTEGER NOT NULL REFERENCES Recipe (id),
  format TEXT NOT NULL, value TEXT NOT NULL, UNIQUE (format, value));
CREATE TABLE Image (id INTEGER PRIMARY KEY, recipe_id INTEGER NOT NULL REFERENCES Recipe (id),
  recipe_position INTEGER, type TEXT NOT NULL, sha256 TEXT NOT NULL, name TEXT, data BLOB NOT NULL);
CREATE TABLE Category_recipes (Recipe_id INTEGER NOT NULL, Category_id INTEGER NOT NULL,
  PRIMARY KEY (Recipe_id, Category_id)) WITHOUT ROWID;
CREATE INDEX Ingredient_recipe_id ON Ingredient (recipe_id);
CREATE INDEX Step_recipe_id ON Step (recipe_id);
CREATE INDEX Nutrition_recipe_id ON Nutrition (recipe_id);
CREATE INDEX NativeID_recipe_id ON NativeID (recipe_id);
CREATE INDEX Image_recipe_id ON Image (recipe_id);
"""
KNOWN = """uid name ingredients directions description notes difficulty nutritional_info servings prep_time
cook_time total_time rating categories source source_url created photo photo_data photos""".split()
TYPES = {b"\xff\xd8\xff": "image/jpeg", b"\x89PN": "image/png", b"GIF": "image/gif"}
TIME = re.compile(r"(\d+(?:\.\d+)?)\s*(hour|hr|h|min|m)", re.I)


def minutes(text):
    found = TIME.findall(text or "")
    return sum(float(number) * (60 if unit[0] in "hH" else 1) for number, unit in found) or None


def lines(text):
    return [line.strip() for line in (text or "").splitlines() if line.strip()]


def key(connection, table, name):
    connection.execute(f"INSERT OR IGNORE INTO {table} (name) VALUES (?)", (name,))
    return connection.execute(f"SELECT id FROM {table} WHERE name = ?", (name,)).fetchone()[0]


def insert(connection, one):
    source = key(connection, "Source", one["source"]) if one.get("source") else None
    extra = {name: value for name, value in one.items() if name not in KNOWN and value}
    recipe = connection.execute(
        "INSERT INTO Recipe VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'paprika', ?, ?)",
        (one["uid"], one["name"].strip() or "Untitled", one.get("description"), one.get("notes"),
         one.get("source_url"), one.get("servings"), one.get("prep_time"), minutes(one.get("prep_time")),
         one.get("cook_time"), minutes(one.get("cook_time")), one.get("total_time"),
         minutes(one.get("total_time")), one.get("rating") or None, one.get("difficulty"), one.get("created"),
         json.dumps(extra), source)).lastrowid
    for table, texts in (("Ingredient", lines(one["ingredients"])), ("Step", lines(one["directions"]))):
        connection.executemany(
            f"INSERT INTO {table} VALUES (NULL, ?, ?, ?, ?)",
            [(recipe, index, text.removesuffix(":"), text.endswith(":")) for index, text in enumerate(texts, 1)])
    for index, text in enumerate(lines(one.get("nutritional_info")), 1):
        name, _, value = text.rpartition(":")
        connection.execute("INSERT INTO Nutrition VALUES (NULL, ?, ?, ?, ?)", (recipe, index, name or None, value.strip()))
    connection.execute("INSERT INTO NativeID VALUES (NULL, ?, 'paprika', ?)", (recipe, one["uid"]))
    for name in one.get("categories") or []:
        connection.execute("INSERT OR IGNORE INTO Category_recipes VALUES (?, ?)", (recipe, key(connection, "Category", name)))
    pictures = [(one.get("photo"), one.get("photo_data"))]
    pictures += [(photo["filename"], photo["data"]) for photo in one.get("photos") or []]
    seen = set()
    for index, (name, data) in enumerate(pictures, 1):
        if not data:
            continue
        data = base64.b64decode(data)
        digest = hashlib.sha256(data).hexdigest()
        if digest not in seen:
            connection.execute("INSERT INTO Image VALUES (NULL, ?, ?, ?, ?, ?, ?)",
                               (recipe, index, TYPES.get(data[:3], "image/jpeg"), digest, name, data))
        seen.add(digest)


def main():
    if "--orjson" in sys.argv:
        import orjson
        loads = orjson.loads
    else:
        loads = json.loads
    connection = sqlite3.connect(sys.argv[2])
    connection.executescript(TABLES)
    with zipfile.ZipFile(sys.argv[1]) as library, connection:
        for member in library.infolist():
            if not member.filename.endswith(".paprikarecipe") or member.filename.startswith("__MACOSX/"):
                continue
            try:
                insert(connection, loads(gzip.decompress(library.read(member))))
            except (ValueError, KeyError, sqlite3.IntegrityError) as error:
                print(f"{member.filename}: {error}", file=sys.stderr)


if __name__ == "__main__":
    main()
