"""Holds a page of differences against what the two files hold, read by sqlite3, and against what the report counts.

differences.py PAGE REPORT A B: REPORT is the document of `decant diff --json --verbose` with no limit; A and B are the SQLite
files behind the two stores. Prints what is wrong, and how many objects, values and pictures were held against the files.
"""
import base64, collections, hashlib, html.parser, json, re, sqlite3, sys


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.sections, self.summary, self.stack, self.tags = [], {}, [], collections.Counter()
        self.bad, self.text, self.cells = [], "", None

    def handle_starttag(self, tag, attributes):
        kind = dict(attributes).get("class", "")
        self.tags[tag] += 1
        if tag in ("script", "iframe", "object", "link", "form") or any(n.startswith("on") for n, _ in attributes):
            self.bad.append(f"{tag} {attributes}")
        for name, value in attributes:
            if name in ("src", "href") and not value.startswith(("data:image/", "#")): self.bad.append(f"{name} {value}")
        if tag == "section": self.sections.append(dict(name=None, items=[], more=""))
        if tag == "article": self.sections[-1]["items"].append(dict(kind=kind, key="", rows={}))
        if tag == "img":
            digest = hashlib.sha256(base64.b64decode(dict(attributes)["src"].split(";base64,")[1], validate=True))
            self.cell["pictures"].append(digest.hexdigest())
        if tag in ("td", "th"): self.cell = dict(text="", side=kind, pictures=[])
        if tag == "tr": self.row = []
        if tag not in ("meta", "img", "br", "col"): self.stack.append((tag, kind))
        if tag in ("h2", "h3", "p", "code", "small"): self.text = ""

    def handle_endtag(self, tag):
        while self.stack and self.stack.pop()[0] != tag: self.bad.append(f"{tag} closes another element")
        inside = [t for t, _ in self.stack]
        section = self.sections[-1] if self.sections else None
        if tag == "small" and inside[-1:] == ["h2"]: self.text = ""
        if tag == "bdi" and inside[-1:] == ["h2"]: section["name"] = self.text
        if tag == "code" and inside[-1:] == ["h3"]: section["items"][-1]["key"] += self.text
        if tag == "p" and section: section["more"] += self.text
        if tag in ("td", "th") and inside[-1:] == ["tr"]: self.row.append(self.cell)
        if tag == "tr" and "tbody" in inside:
            texts = [c["text"] for c in self.row]
            if "article" in inside: section["items"][-1]["rows"][texts[0]] = self.row[1:]
            else: self.summary[texts[0]] = [int(t.replace(" ", "")) for t in texts[1:5]]

    def handle_data(self, data):
        self.text += data
        if self.stack and any(t in ("td", "th") for t, _ in self.stack): self.cell["text"] += data


page_path, report_path, *paths = sys.argv[1:]
page = Page()
page.feed(open(page_path, encoding="utf-8", newline="").read())
page.close()
report = json.load(open(report_path))
wrong = list(page.bad) + [f"left open: {t}" for t, _ in page.stack]
stores = []
for path in paths:
    store = sqlite3.connect(path)
    store.text_factory = lambda b: b.decode("utf-8", "replace")
    stores.append(store)
isCoreData = bool(stores[0].execute("SELECT 1 FROM sqlite_master WHERE name = 'Z_METADATA'").fetchall())


def visible(text):
    """A text as the page has it: names for what nobody sees."""
    text = text.replace("\r\n", "\n").replace("\x85", "U+0085").replace("\r", "U+000D")
    hidden = lambda n: n < 32 and n not in (9, 10) or 0x7F <= n <= 0x9F or 0xFDD0 <= n <= 0xFDEF or n & 0xFFFE == 0xFFFE \
        or n in (0x200B, 0xFEFF) or 0x2028 <= n <= 0x202E or 0x2060 <= n <= 0x2069
    return "".join(f"U+{ord(c):04X}" if hidden(ord(c)) else c for c in text)


def stored(side, entity, key, name):
    """The value in the file; None for NULL; KeyError where the table has no such column."""
    table, number = (entity, "rowid") if not isCoreData else ("Z" + entity.upper().replace("RECIPEIMAGE", "IMAGE"), "Z_PK")
    quoted = lambda name: '"' + name.replace('"', '""') + '"'
    columns = {visible(r[1].lower()): r[1] for r in stores[side].execute(f"PRAGMA table_info({quoted(table)})")}
    column = columns[("z" if isCoreData else "") + name.lower()]
    return stores[side].execute(f'SELECT {quoted(column)} FROM {quoted(table)} WHERE {number} = ?', (key,)).fetchone()[0]


counts = dict(objects=0, texts=0, numbers=0, pictures=0, nulls=0)
listed = collections.Counter()
found = {section["name"]: section for section in page.sections if section["name"] is not None}
for group in ("entities", "rows"):
    for name, c in report[group].items():
        want = [c["same"], c["changed"], c["onlyA"], c["onlyB"]]
        if page.summary.get(visible(name)) != want: wrong.append(f"summary of {name}: {page.summary.get(name)}, not {want}")
        items = found.get(visible(name), dict(items=[]))["items"]
        rows = lambda kind: sum(int((re.search(r"(\d[\d ]*) rows alike", i["key"]) or [0, "1"])[1].replace(" ", ""))
                                for i in items if i["kind"] == kind)
        shown = [rows("changed"), rows("onlyInA"), rows("onlyInB")]
        if shown != want[1:]: wrong.append(f"{name}: {shown} shown, {want[1:]} counted")
if set(found) - {visible(n) for g in ("entities", "rows") for n in report[g]} - {"Schema"}: wrong.append(f"more: {set(found)}")
for item in report["differences"]:
    kind = dict(changed="changed", onlyA="onlyInA", onlyB="onlyInB")[item["kind"]]
    keys = item["a"] or item["b"]
    if not keys: continue
    at_home = [f"p{k}" if isCoreData else f"key {k}" for k in keys]
    matches = [i for i in found[visible(item["entity"])]["items"]
               if i["kind"] == kind and (i["key"].split(",")[0] in (at_home[0], f"rowid {keys[0]}") if len(keys) == 1 else
                                         all(k in i["key"] for k in at_home))]
    if len(matches) != 1 and len(keys) == 1:
        wrong.append(f"{item['entity']} {at_home} {kind}: {len(matches)} times")
        continue
    counts["objects"] += 1
    if len(keys) == 2: continue
    shown = matches[0]["rows"]
    if kind == "changed" and sorted(shown) != sorted(map(visible, item["properties"])):
        wrong.append(f"{item['entity']} {at_home}: {sorted(shown)} shown, {item['properties']} differ")
    for name, cells in shown.items():
        for side, cell in enumerate(cells):
            own = item["a" if side == 0 else "b"]
            if cell["side"] == "none":
                if own: wrong.append(f"{at_home} {name}: nothing on a side that has it")
                continue
            try: value = stored(side, item["entity"], own[0], name)
            except KeyError: continue
            if value is None:
                counts["nulls"] += 1
                if cell["text"] != "nothing": wrong.append(f"{at_home} {name}: {cell['text']!r} for NULL")
            elif isinstance(value, str):
                counts["texts"] += 1
                text = re.sub(" \\(text\\)$", "", cell["text"]).replace("↵", "").replace("U+000D\n", "\n")
                if text not in (visible(value), "empty text" if value == "" else None):
                    wrong.append(f"{at_home} {name}: {text!r}, not {value!r}")
            elif isinstance(value, int):
                # A link has its title in front of the key, a date has no number.
                if not re.match(r"\d{4}-\d\d-\d\dT", cell["text"]):
                    counts["numbers"] += 1
                    if str(value) not in cell["text"] and cell["text"] != ["no", "yes"][value == 1]:
                        wrong.append(f"{at_home} {name}: {cell['text']!r}, not {value}")
            elif isinstance(value, bytes):
                inner = value[1:] if isCoreData and value[:1] == b"\x01" else value
                if inner[:4] != b"\x89PNG" and inner[:3] != b"\xff\xd8\xff": continue
                counts["pictures"] += 1
                if cell["pictures"] != [hashlib.sha256(inner).hexdigest()]: wrong.append(f"{at_home} {name}: another picture")
for line in wrong[:20]: print(line)
print(" ".join(f"{count} {name}" for name, count in counts.items()))
sys.exit(1 if wrong else 0)
