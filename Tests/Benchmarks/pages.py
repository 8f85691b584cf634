#!/usr/bin/env python3
"""How well does decant read saved pages?   pages.py FOLDER DECANT|READ.jsonl [--list] [--every NUMBER]

FOLDER holds HOST/NAME.testhtml and, beside each, HOST/NAME.json: what an independent program expects of that page.
DECANT is the program, which imports each page alone; READ.jsonl has what something else read, an object for each
page. --list tells every page that differs; --every 10 has every tenth page read.

Texts are equal when their letters and digits are, after Unicode's compatibility normalization, in whatever case, with
character references resolved; "/", "." and "," count between digits. Of ingredients the lists are compared, with or without
headings; of steps the joined text, with or without the headings and names of steps, and without their numbers; of times the minutes, where a total may be left out that is the sum of the others; of yields the number.
A page is not counted for a measure where words that are expected stand nowhere in its text, its attributes or its
structured data; the first figure counts it all the same. Shares no code with decant.
"""
import collections
import functools
import html
import html.parser
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import unicodedata

def packed(text):
    """A text as it is compared: letters, digits, and what stands between digits."""
    text = re.sub(r"<[a-zA-Z/][^>]*>", " ", html.unescape(html.unescape(str(text))))
    text = unicodedata.normalize("NFKC", text.replace("⁄", "/")).replace("⁄", "/").casefold()
    return re.sub(r"(?<=\d)[/.,](?=\d)|([^\w]|_)+", lambda match: "" if match[1] else match[0], text)


def lines(texts):
    return [line for line in map(packed, texts or []) if line]


def joined(texts):
    """Steps as one text without numbers and the word Step in front."""
    texts = [text for text in map(str, texts) if not re.fullmatch(r"\W*(\w{3,9} )?\d{1,2}\W*", text)]
    if all(re.match(rf"\W*{number}\b", text) for number, text in enumerate(texts, 1)):
        texts = [re.sub(r"^\W*\d+\W*", "", text) for text in texts]
    words = [re.sub(r"^\W*(step )?\d{1,2}\s?[.):-]\s*|^\W*step \d+:?\s*", "", text, flags=re.I) for text in texts]
    return "".join(map(packed, words))


class PageText(html.parser.HTMLParser):
    """What a page says: text, attributes, and JSON-LD."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.parts, self.skipping, self.script = [], None, None

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag in ("script", "style"):
            self.skipping, self.script = tag, "ld+json" in (values.get("type") or "") and [] or None
        self.parts += [value for name, value in attributes if value and name in ("content", "value", "datetime", "title")]

    def handle_endtag(self, tag):
        if tag == self.skipping:
            if self.script:
                self.structured("".join(self.script))
            self.skipping, self.script = None, None

    def handle_data(self, data):
        if self.skipping is None:
            self.parts.append(data)
        elif "@" in data and "ecipe" in data:
            self.script = (self.script or []) + [data]

    def structured(self, text):
        text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match[1], 16)), text)
        text = re.sub(r"\\[nrt]", " ", text).replace('\\"', '"').replace("\\/", "/")
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        self.parts.append(html.unescape(html.unescape(text)))


def page_text(path):
    data = open(path, "rb").read().decode("utf-8", "replace")
    if data.lstrip().startswith('"'):
        try:
            data = json.loads(data)
        except ValueError:
            pass
    reader = PageText()
    try:
        reader.feed(data)
    except Exception:
        pass
    return packed(" ".join(reader.parts)) + "\n" + packed("".join(reader.parts))


def imported(decant, page):
    """What the program reads from a page."""
    with tempfile.TemporaryDirectory() as folder:
        library = os.path.join(folder, "library.sqlite")
        run = subprocess.run([decant, "import", page, library], capture_output=True, text=True)
        read = {"notes": (run.stdout + run.stderr).splitlines(), "recipes": [], "status": run.returncode}
        if not os.path.exists(library):
            return read
        with sqlite3.connect(library) as database:
            database.row_factory = sqlite3.Row
            for row in database.execute("SELECT * FROM Recipe ORDER BY id"):
                def of(table):
                    return list(database.execute(f"SELECT * FROM {table} WHERE recipe_id = ? ORDER BY recipe_position", [row["id"]]))
                kinds = {name: of(name) for name in ("Ingredient", "Step")}
                read["recipes"].append({
                    "title": row["title"], "yield": row["yield"],
                    "ingredients": [line["text"] for line in kinds["Ingredient"] if not line["isHeading"]],
                    "all_ingredients": [line["text"] for line in kinds["Ingredient"]],
                    "steps": [line["text"] for line in kinds["Step"] if not line["isHeading"]],
                    "all_steps": [line["text"] for line in kinds["Step"]],
                    "titled_steps": [text for line in kinds["Step"] for text in (line["title"], line["text"]) if text],
                    **{name: {"minutes": row[name + "Minutes"], "text": row[name + "Time"]} for name in ("prep", "cook", "total")},
                })
        return read


def minutes(recipe, name):
    time = recipe.get(name)
    return time["minutes"] or None if time else None


def same_time(recipe, expected, name):
    wanted, own = expected.get(name + "_time"), minutes(recipe, name)
    if not wanted:
        return True
    if own is not None:
        return abs(own - wanted) < 1
    return name == "total" and (minutes(recipe, "prep") or 0) + (minutes(recipe, "cook") or 0) == wanted


def same_yield(recipe, expected):
    wanted = re.findall(r"\d+", expected)
    own = re.findall(r"\d+", recipe.get("yield") or "")
    return not wanted or wanted[0] == "0" or wanted[0] in own


def judge(read, expected, page):
    """For each measure: whether it holds, and whether the page counts."""
    @functools.cache
    def text():
        return page_text(page)
    found = read["recipes"]
    recipe = found[0] if found else {"title": "", "ingredients": [], "steps": []}
    say = {"one recipe": (len(found) == 1, True)}

    def told(measure, holds, words):
        say[measure] = (holds, holds or all(word in text() for word in words))
    title = packed(expected.get("title", ""))
    told("title", packed(recipe["title"]) == title, [title])
    if "ingredients" in expected:
        wanted = lines(expected["ingredients"])
        ways = [recipe.get(name) or [] for name in ("ingredients", "all_ingredients")]
        told("ingredients", wanted in map(lines, ways), wanted)
    if expected.get("instructions_list"):
        wanted = expected["instructions_list"]
        ways = [recipe.get(name) or [] for name in ("steps", "all_steps", "titled_steps")]
        parts = [part for line in wanted for part in re.split(r"(?<=[.!?])\s+", line)]
        told("steps", joined(wanted) in map(joined, ways), map(packed, parts))
    for name in ("prep", "cook", "total"):
        if expected.get(name + "_time"):
            say[name + " time"] = (same_time(recipe, expected, name), True)
    if expected.get("yields"):
        told("yield", same_yield(recipe, expected["yields"]), re.findall(r"\d+", expected["yields"])[:1])
    silent = bool(found) and not (recipe["ingredients"] and recipe["steps"]) and not read.get("notes")
    say["no silent gap"] = (not silent, True)
    return say


def main():
    folder, source = sys.argv[1:3]
    known = {}
    if source.endswith(".jsonl"):
        for line in open(source):
            page = json.loads(line)
            known[os.path.relpath(page["page"], folder)] = page
    every = int(sys.argv[sys.argv.index("--every") + 1]) if "--every" in sys.argv else 1
    count = 0
    sums = collections.defaultdict(lambda: [0, 0, 0, 0])
    for host in sorted(os.listdir(folder)):
        for name in sorted(os.listdir(os.path.join(folder, host))):
            if not name.endswith(".testhtml"):
                continue
            count += 1
            if count % every:
                continue
            page = os.path.join(folder, host, name)
            expected = json.load(open(page[:-9] + ".json"))
            read = known.get(f"{host}/{name}") if known else imported(source, page)
            read.setdefault("recipes", [])
            for measure, (holds, counts) in judge(read, expected, page).items():
                sum = sums[measure]
                sum[0] += holds
                sum[1] += 1
                sum[2] += holds and counts
                sum[3] += counts
                if not holds and "--list" in sys.argv:
                    print(f"{measure}\t{host}/{name}\t{'' if counts else 'not in the text'}")
    for measure, (held, count, told, counted) in sums.items():
        print(f"{measure:14} {held}/{count} {100 * held / count:.1f} %, where the text has it "
              f"{told}/{counted} {100 * told / max(counted, 1):.1f} %")


main()
