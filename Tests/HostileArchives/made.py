"""Makes archives line by line, right ones and wrong ones, after the description of the format alone."""
import base64
import hashlib
import json


class Case:
    """A file, and what becomes of it: the exit code, and what the message has to say."""

    def __init__(self, name, data, message="", status=13, arguments=(), suffix=".decant"):
        self.name, self.data, self.message, self.status = name, data, message, status
        self.arguments, self.suffix = list(arguments), suffix


MODEL = {"entities": [
    {"name": "Category", "attributes": [{"name": "name", "type": "string", "optional": True}],
     "relationships": [{"name": "recipes", "to": "Recipe", "inverse": "category", "toMany": True, "written": False}]},
    {"name": "Dish", "abstract": True, "attributes": [], "relationships": []},
    {"name": "Recipe", "parent": "Dish", "attributes": [
        {"name": "title", "type": "string", "optional": True}, {"name": "rating", "type": "int64", "optional": True},
        {"name": "energy", "type": "double", "optional": True}, {"name": "photo", "type": "binary", "optional": True},
        {"name": "created", "type": "date", "optional": True}, {"name": "uuid", "type": "uuid", "optional": True}],
     "relationships": [
        {"name": "category", "to": "Category", "inverse": "recipes", "written": True},
        {"name": "tags", "to": "Tag", "toMany": True, "written": True}]},
    {"name": "Tag", "attributes": [{"name": "name", "type": "string", "optional": True}], "relationships": []}]}


def line(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def header(model=None, **more):
    members = {"decant": 1, "id": "0AD6C5F6-0000-4000-8000-000000000001", "part": 1,
               "created": "2026-01-01T00:00:00Z", "writer": "made", "source": {"kind": "sqlite"},
               "model": MODEL if model is None else model, "counts": {}, "lastIDs": {}}
    return line({**members, **more})


def objects(recipes=3):
    """Objects of every entity that has some, and what a receipt says of them."""
    rows = [{"e": "Category", "id": 1, "v": {"name": "Soups"}}]
    rows += [{"e": "Recipe", "id": n, "v": {"title": f"Soup {n}", "rating": n}, "r": {"category": 1, "tags": [1]}}
             for n in range(1, recipes + 1)]
    return rows + [{"e": "Tag", "id": 1, "v": {"name": "warm"}}]


def receipt(rows=(), parts=1, **more):
    counts, links = {}, {}
    for row in rows:
        counts[row["e"]] = counts.get(row["e"], 0) + ("more" not in row)
        many = [len(v) if isinstance(v, list) else 1 for v in {**row.get("r", {}), **row.get("more", {})}.values()]
        links[row["e"]] = links.get(row["e"], 0) + sum(many)
    return line({"end": True, "parts": parts, "counts": counts, "links": links, **more})


def archive(rows=None, before=b"", head=None, end=None, **more):
    """A whole archive; `before` are lines between the header and the objects."""
    rows = objects() if rows is None else rows
    lines = b"".join(map(line, rows))
    return (header() if head is None else head) + before + lines + (receipt(rows, **more) if end is None else end)


def with_object(text, count=1, entity="Recipe"):
    """An archive whose only object is the line `text`, as it stands."""
    text = text.encode() if isinstance(text, str) else text
    return header() + text + b"\n" + line({"end": True, "parts": 1, "counts": {entity: count}, "links": {}})


def with_value(name, text):
    """An archive with an object that has `text` for the value of an attribute."""
    text = text.encode() if isinstance(text, str) else text
    return with_object(b'{"e":"Recipe","id":1,"v":{"%s":%s}}' % (name.encode(), text))


def pieces(data, size=1000):
    """The pieces of a large value, as values that can be changed."""
    name = hashlib.sha256(data).hexdigest()
    found = [{"blob": name, "at": at, "base64": base64.b64encode(data[at:at + size]).decode()}
             for at in range(0, len(data), size)]
    found[-1]["size"] = len(data)
    return found


def packed(data):
    """A large value in one piece that is packed."""
    import zlib
    name = hashlib.sha256(data).hexdigest()
    return {"blob": name, "at": 0, "deflate": base64.b64encode(zlib.compress(data)).decode(), "size": len(data)}


def large(data):
    """How an object names a large value."""
    return {"blob": hashlib.sha256(data).hexdigest(), "size": len(data)}
