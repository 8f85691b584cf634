#!/usr/bin/env python3
"""Reads a library of Paprika into a new SQLite database:   read_paprika.py LIBRARY OUT [--orjson]

What somebody would write who knows Python, and no more: the tables of decant, a row for each recipe, line and
picture, in one transaction, with the amounts of ingredients, and what a recipe is found again by: its page, its
content and an identifier. It tells recipes apart by their ID alone, keeps no versions, and proves nothing.
"""
import base64, gzip, hashlib, json, re, sqlite3, sys, unicodedata, uuid, zipfile

TABLES = """
CREATE TABLE Source (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE Category (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE Recipe (id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, title TEXT NOT NULL, summary TEXT, notes TEXT,
  url TEXT, yield TEXT, servings REAL, prepTime TEXT, prepMinutes REAL, cookTime TEXT, cookMinutes REAL, totalTime TEXT,
  totalMinutes REAL, rating REAL, difficulty TEXT, created TEXT, format TEXT NOT NULL, page TEXT, fingerprint TEXT, extra TEXT,
  source_id INTEGER REFERENCES Source (id));
CREATE TABLE Ingredient (id INTEGER PRIMARY KEY, recipe_id INTEGER NOT NULL REFERENCES Recipe (id),
  recipe_position INTEGER, text TEXT NOT NULL, isHeading BOOLEAN NOT NULL, amount REAL, amountTo REAL, unit TEXT,
  name TEXT, note TEXT);
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
CREATE INDEX Recipe_page ON Recipe (page);
CREATE INDEX Recipe_fingerprint ON Recipe (fingerprint);
CREATE INDEX Recipe_source_id ON Recipe (source_id);
CREATE INDEX Ingredient_recipe_id ON Ingredient (recipe_id);
CREATE INDEX Step_recipe_id ON Step (recipe_id);
CREATE INDEX Nutrition_recipe_id ON Nutrition (recipe_id);
CREATE INDEX NativeID_recipe_id ON NativeID (recipe_id);
CREATE INDEX Image_recipe_id ON Image (recipe_id);
"""
KNOWN = """uid name ingredients directions description notes difficulty nutritional_info servings prep_time
cook_time total_time rating categories source source_url created photo photo_data photos""".split()
TYPES = {b"\xff\xd8\xff": "image/jpeg", b"\x89PN": "image/png", b"GIF": "image/gif"}
UNITS = set("""cup cups tsp teaspoon teaspoons tbsp tablespoon tablespoons oz ounce ounces lb lbs pound pounds g gram grams
kg mg ml cl dl l liter liters pint pints quart quarts pinch pinches dash can cans jar package clove cloves slice slices
piece pieces bunch stick sticks sprig sprigs handful EL TL Prise Bund""".split())
FRACTIONS = {"½": 1 / 2, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 1 / 4, "¾": 3 / 4, "⅛": 1 / 8}
NUMBER = r"(\d+(?:[.,]\d+)?(?:\s*/\s*\d+)?(?:\s+\d+/\d+|\s*[½⅓⅔¼¾⅛])?|[½⅓⅔¼¾⅛])"
LINE = re.compile(NUMBER + r"(?:\s*(?:-|–|to)\s*" + NUMBER + r")?\s*(\w+)?\.?\s*")
SERVINGS = re.compile(r"^(?:serves |für )?(\d+)(?: servings| people| portions)?$", re.I)
SIGNS = re.compile(r"[\W_]+")
TIME = re.compile(r"(\d+(?:\.\d+)?)\s*(hour|hr|h|min|m)", re.I)


def minutes(text):
    found = TIME.findall(text or "")
    return sum(float(number) * (60 if unit[0] in "hH" else 1) for number, unit in found) or None


def number(text):
    value = 0.0
    for part in re.findall(r"\d+(?:[.,]\d+)?(?:/\d+)?|[½⅓⅔¼¾⅛]", text.replace(" /", "/").replace("/ ", "/")):
        above, _, below = part.partition("/")
        value += FRACTIONS.get(part) or float(above.replace(",", ".")) / float(below or 1)
    return value


def parts(line):
    """Amount, upper amount, unit, name and note of an ingredient."""
    match = LINE.match(line)
    amount = upper = unit = None
    rest = line
    if match:
        amount, upper = number(match[1]), match[2] and number(match[2])
        if match[3] in UNITS:
            unit, rest = match[3], line[match.end():]
        else:
            rest = line[match.start(3) if match[3] else match.end():]
    name, comma, note = rest.partition(", ")
    return amount, upper, unit, name.strip() or None, note.strip() or None


def letters(text):
    return SIGNS.sub("", unicodedata.normalize("NFC", text).casefold())


def identity(one, ingredients, steps):
    """The page, the fingerprint of the content, and the identifier of a recipe."""
    content = "\0".join([letters(one["name"]), *map(letters, ingredients), *map(letters, steps)])
    address = re.sub(r"^https?://(www\.)?", "", one.get("source_url") or "").split("#")[0].rstrip("/")
    name = hashlib.sha256(("paprika " + one["uid"]).encode()).digest()[:16]
    return address or None, hashlib.sha256(content.encode()).hexdigest()[:32], str(uuid.UUID(bytes=name)).upper()


def lines(text):
    return [line.strip() for line in (text or "").splitlines() if line.strip()]


def key(connection, table, name):
    connection.execute(f"INSERT OR IGNORE INTO {table} (name) VALUES (?)", (name,))
    return connection.execute(f"SELECT id FROM {table} WHERE name = ?", (name,)).fetchone()[0]


def insert(connection, one):
    source = key(connection, "Source", one["source"]) if one.get("source") else None
    extra = {name: value for name, value in one.items() if name not in KNOWN and value}
    ingredients, steps = lines(one["ingredients"]), lines(one["directions"])
    page, fingerprint, identifier = identity(one, ingredients, steps)
    servings = SERVINGS.match(one.get("servings") or "")
    recipe = connection.execute(
        "INSERT INTO Recipe VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'paprika', ?, ?, ?, ?)",
        (identifier, one["name"].strip() or "Untitled", one.get("description"), one.get("notes"),
         one.get("source_url"), one.get("servings"), servings and float(servings[1]), one.get("prep_time"), minutes(one.get("prep_time")),
         one.get("cook_time"), minutes(one.get("cook_time")), one.get("total_time"),
         minutes(one.get("total_time")), one.get("rating") or None, one.get("difficulty"), one.get("created"),
         page, fingerprint, json.dumps(extra), source)).lastrowid
    connection.executemany(
        "INSERT INTO Ingredient VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(recipe, index, text.removesuffix(":"), text.endswith(":"), *((None,) * 5 if text.endswith(":") else parts(text)))
         for index, text in enumerate(ingredients, 1)])
    connection.executemany(
        "INSERT INTO Step VALUES (NULL, ?, ?, ?, ?)",
        [(recipe, index, text.removesuffix(":"), text.endswith(":")) for index, text in enumerate(steps, 1)])
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
