#!/usr/bin/env python3
"""Reads saved pages into a new SQLite database:   read_pages.py FOLDER OUT [--data-only]

What somebody would write who knows Python: recipe-scrapers reads each page, and its values go into the tables of decant. With
--data-only just the JSON-LD of each page is read, found by a regular expression and parsed by orjson: less than decant reads.
"""
import hashlib, html, json, os, re, sqlite3, sys, uuid
import orjson

from read_paprika import TABLES, parts

SCRIPT = re.compile(rb"<script[^>]*ld\+json[^>]*>(.*?)</script>", re.S | re.I)
TAG = re.compile(r"<[^>]+>")


def nodes(value):
    """All nodes of JSON-LD that call themselves recipes."""
    if isinstance(value, list):
        for element in value:
            yield from nodes(element)
    elif isinstance(value, dict):
        types = value.get("@type")
        if types == "Recipe" or isinstance(types, list) and "Recipe" in types:
            yield value
        else:
            for element in value.values():
                yield from nodes(element)


def texts(value):
    """The lines of steps, whatever they are nested in."""
    if isinstance(value, str):
        return [line.strip() for line in html.unescape(TAG.sub("\n", value)).splitlines() if line.strip()]
    if isinstance(value, list):
        return [line for element in value for line in texts(element)]
    if isinstance(value, dict):
        return texts(value.get("text") or value.get("itemListElement") or value.get("name") or "")
    return []


def from_data(data, host):
    for script in SCRIPT.findall(data):
        try:
            for node in nodes(orjson.loads(script)):
                yield {"title": node.get("name"), "ingredients": texts(node.get("recipeIngredient")),
                       "steps": texts(node.get("recipeInstructions")), "yield": str(node.get("recipeYield")),
                       "total": None, "prep": None, "cook": None}
                return
        except ValueError:
            pass


def from_page(data, host):
    from recipe_scrapers import scrape_html
    page = scrape_html(data.decode("utf-8", "replace"), org_url=f"https://{host}/", supported_only=False)
    def value(name):
        try:
            return getattr(page, name)()
        except Exception:
            return None
    yield {"title": value("title"), "ingredients": value("ingredients") or [], "steps": value("instructions_list") or [],
           "yield": value("yields"), "total": value("total_time"), "prep": value("prep_time"), "cook": value("cook_time")}


def main():
    folder, out = sys.argv[1:3]
    read = from_data if "--data-only" in sys.argv else from_page
    connection = sqlite3.connect(out)
    connection.executescript(TABLES)
    with connection:
        for root, _, names in os.walk(folder):
            for name in sorted(names):
                if not name.endswith((".html", ".testhtml")):
                    continue
                data = open(os.path.join(root, name), "rb").read()
                try:
                    found = list(read(data, os.path.basename(root)))
                except Exception as error:
                    print(f"{name}: {error}", file=sys.stderr)
                    continue
                for one in found:
                    recipe = connection.execute(
                        "INSERT INTO Recipe (uuid, title, yield, prepMinutes, cookMinutes, totalMinutes, format) VALUES (?, ?, ?, ?, ?, ?, 'html')",
                        (str(uuid.uuid4()), one["title"] or "Untitled", one["yield"], one["prep"], one["cook"], one["total"])).lastrowid
                    connection.executemany("INSERT INTO Ingredient VALUES (NULL, ?, ?, ?, 0, ?, ?, ?, ?, ?)",
                                           [(recipe, index, text, *parts(text)) for index, text in enumerate(one["ingredients"], 1)])
                    connection.executemany("INSERT INTO Step VALUES (NULL, ?, ?, ?, 0)",
                                           [(recipe, index, text) for index, text in enumerate(one["steps"], 1)])


if __name__ == "__main__":
    main()
