"""Headers and receipts that lie, and parts that do not belong together."""
from made import Case, archive, header, line, objects, receipt


def changed(**more):
    rows = objects()
    return archive(rows, end=receipt(rows, **more))


def cases():
    yield from headers()
    yield from models()
    rows = objects()
    for name, data, told in [
            ("none", archive(end=b""), "receipt"), ("cut off", archive()[:-10], "ends in the middle of a line"),
            ("twice", archive() + receipt(rows), "follows the receipt"),
            ("not at the end", header() + receipt(rows) + b"".join(map(line, rows)), "follows the receipt"),
            ("of other counts", changed(counts={"Recipe": 4, "Category": 1, "Tag": 1}), "the receipt says 4"),
            ("of negative counts", changed(counts={"Recipe": -3}), "the receipt says"),
            ("of huge counts", changed(counts={"Recipe": 2**63 - 1}), "the receipt says"),
            ("of counts that are texts", changed(counts={"Recipe": "3"}), "counts"),
            ("without counts", changed(counts={}), "the receipt says 0"),
            ("of an entity that is not there", changed(counts={"Recipe": 3, "Category": 1, "Tag": 1, "Soup": 1}), "Soup"),
            ("of other links", changed(links={"Recipe": 99}), "links of"),
            ("of negative links", changed(links={"Recipe": -1}), "links of"),
            ("of a wrong checksum", changed(hashes={n: "00000000" for n in ("Recipe", "Category", "Tag")}), "checksum"),
            ("without the checksum of an entity", changed(hashes={}), "checksum"),
            ("of a checksum that is a number", changed(hashes={"Recipe": 5}), "checksum"),
            ("of checksums that are a list", changed(hashes=[]), ""),
            ("of other large values", changed(blobs=1), "large values"),
            ("of another length", changed(bytes=1), "bytes"),
            ("of a negative length", changed(bytes=-1), "bytes"),
            ("of two parts", changed(parts=2), "parts"), ("of no parts", changed(parts=0), "parts"),
            ("without end", archive(end=b'{"end":false,"parts":1,"counts":{},"links":{}}\n'), "receipt"),
            ("that is empty", archive(end=b'{"end":true}\n'), "receipt")]:
        yield Case(f"receipt {name}", data, told)


def headers():
    for name, data, told in [
            ("of version 2", header(decant=2), "version 2"), ("of version 0", header(decant=0), "version 0"),
            ("of a huge version", header(decant=2**63 - 1), "version"), ("of a version that is a text", header(decant="1"), "header"),
            ("of a version with a fraction", header(decant=1.5), ""),
            ("without id", header(id=""), "id"), ("with an id that is a number", header(id=5), "id"),
            ("without model", header().replace(b'"model"', b'"madel"'), "model"),
            ("with a model that is a text", header(model="x"), ""),
            ("cut off", header()[:-20], ""), ("alone", header(), "receipt"),
            ("with part 0", archive(head=header(part=0)), "part"), ("with part -1", archive(head=header(part=-1)), "part"),
            ("with part 2", archive(head=header(part=2)), "part"), ("with part 2^63-1", archive(head=header(part=2**63 - 1)), "part"),
            ("with counts that are texts", archive(head=header(counts={"Recipe": "x"})), "counts"),
            ("with a template without size", archive(head=header(source={"kind": "sqlite", "template": {"blob": "0" * 64}})), "template"),
            ("with a template that never comes", archive(head=header(source={"kind": "sqlite", "template": {"blob": "0" * 64, "size": 9}})), "tables"),
            ("behind an object", line(objects()[0]) + archive(), "")]:
        yield Case(f"header {name}", data, told)
    lies = {"Recipe": 2**63 - 1, "Category": -(2**63), "Soup": 7}
    yield Case("header twice, the second passed over", header() + archive(), status=None)
    yield Case("header with counts that lie", archive(head=header(counts=lies)), status=0)
    for last in (2**63 - 1, -(2**63)):
        yield Case(f"header with last ids of {last}", archive(head=header(lastIDs={"Dish": last, "Tag": last, "Soup": last})), status=0)
    yield Case("header of a kind that is none", archive(head=header(source={"kind": "soup"})), "kind")
    yield Case("header of Core Data without tables", archive(head=header(source={"kind": "coredata"})), status=0)


def models():
    plain = {"attributes": [], "relationships": []}

    def model(*entities):
        return archive([], head=header(model={"entities": [{**plain, **each} for each in entities]}))

    for name, data, told in [
            ("names an entity twice", model({"name": "A"}, {"name": "A"}), "twice"),
            ("has a parent that is not there", model({"name": "A", "parent": "B"}), "the parent of"),
            ("is a ring of parents", model({"name": "A", "parent": "B"}, {"name": "B", "parent": "A"}), "ancestor"),
            ("has an entity above itself", model({"name": "A", "parent": "A"}), "ancestor"),
            ("has a name of nothing", model({"name": ""}), "without a name"),
            ("has a name with NUL", model({"name": "A\0"}), "without a name"),
            ("has an attribute of no type", model({"name": "A", "attributes": [{"name": "a", "type": "soup"}]}), "soup"),
            ("has an attribute twice", model({"name": "A", "attributes": [{"name": "a", "type": "string"}] * 2}), "twice"),
            ("has a relationship twice", model({"name": "A", "relationships": [{"name": "a", "to": "A", "written": True}] * 2}), "twice"),
            ("has parents 5000 deep", model(*[{"name": f"E{n}", **({"parent": f"E{n - 1}"} if n else {})} for n in range(5000)]), "ancestor"),
            ("has parents 100000 deep", model(*[{"name": f"E{n}", **({"parent": f"E{n - 1}"} if n else {})} for n in range(100_000)]), "values"),
            ("has composites 300 deep", model({"name": "A", "attributes": [composite(4)]}), "levels")]:
        yield Case(f"a model that {name}", data, told)
    text = {"type": "string"}
    for name, data in [
            ("attributes alike but for their case", model({"name": "A", "attributes": [{"name": n, **text} for n in "aA"]})),
            ("an attribute that a parent has", model({"name": "A", "attributes": [{"name": "a", **text}]},
                {"name": "B", "parent": "A", "attributes": [{"name": "a", **text}]})),
            ("a relationship to nowhere", model({"name": "A", "relationships": [{"name": "a", "to": "B", "written": True}]})),
            ("an attribute and a relationship of one name", model({"name": "A", "attributes": [{"name": "a", **text}],
                "relationships": [{"name": "a", "to": "A", "written": True}]}))]:
        yield Case(f"a model of {name}", data, status=None)
    wide = "[" + ",".join(["0"] * 7_000_000) + "]"
    yield Case("a header of seven million numbers", header(counts=0).replace(b'"counts":0', b'"counts":' + wide.encode()) + receipt(), "values")
    # What has no meaning is passed over, however much it is.
    yield Case("seven million numbers for nothing", header(x=0).replace(b'"x":0', b'"x":' + wide.encode()) + receipt(), status=0)
    wide = "[" + ",".join(["[]"] * 400_000) + "]"
    yield Case("a receipt of 300 000 lists", archive(end=receipt(objects(), x=0).replace(b'"x":0', b'"x":' + wide[:900_000].encode() + b"[]]")), "")
    many = [{"name": f"E{n}"} for n in range(100_000)]
    yield Case("a model of 100 000 entities", model(*many), "values")
    columns = [{"name": f"a{n}", "type": "string"} for n in range(3000)]
    yield Case("an entity of 3 000 attributes", model({"name": "A", "attributes": columns}), "columns")
    hostile = 'a"; DROP TABLE x; --'
    sound = {"name": hostile, "attributes": [{"name": hostile, "type": "string", "optional": True}]}
    rows = [{"e": hostile, "id": 1, "v": {hostile: "'\"; DROP TABLE y; --"}}]
    yield Case("names and values that are SQL", archive(rows, head=header(model={"entities": [{**plain, **sound}]})), status=0)


def composite(depth):
    inner = {"name": "c", "type": "composite", "attributes": []}
    for _ in range(depth + 12):
        inner = {"name": "c", "type": "composite", "attributes": [inner]}
    return inner
