"""Lines that are wrong: JSON, texts, numbers, names, links."""
from made import Case, archive, header, objects, receipt, with_object, with_value


def nested(depth, open="[", close="]"):
    return open * depth + "1" * (open == "[") + close * depth


def cases():
    yield from json_cases()
    yield from value_cases()
    yield from twice()
    yield from names()
    yield from links()


def json_cases():
    yield Case("object without end", with_object('{"e":"Recipe","id":1,"v":{"title":"x"'), "line 2")
    yield Case("two values in a line", with_object('{"e":"Recipe","id":1}{"e":"Recipe","id":2}'), "line 2")
    yield Case("a comma too many", with_object('{"e":"Recipe","id":1,}'), "line 2")
    yield Case("an empty line", with_object(""), "line 2")
    yield Case("a line that is a list", with_object("[1]"), "line 2")
    yield Case("invalid UTF-8", with_value("title", b'"\xff\xfe"'), "not valid UTF-8")
    yield Case("overlong UTF-8", with_value("title", b'"\xc0\xaf"'), "not valid UTF-8")
    yield Case("a surrogate in UTF-8", with_value("title", b'"\xed\xa0\x80"'), "not valid UTF-8")
    yield Case("invalid UTF-8 in an unknown member", with_object(b'{"e":"Recipe","id":1,"x":"\xff"}'), "not valid UTF-8")
    yield Case("invalid UTF-8 in a name", with_object(b'{"e":"Recipe","id":1,"\xff":1}'), "not valid UTF-8")
    yield Case("UTF-16", archive().decode().encode("utf-16"), "")
    yield Case("a high surrogate alone", with_value("title", r'"\ud83d"'), "line 2")
    yield Case("a low surrogate alone", with_value("title", r'"\ude00"'), "line 2")
    yield Case("surrogates the wrong way round", with_value("title", r'"\ude00\ud83d"'), "line 2")
    yield Case("a surrogate and a letter", with_value("title", r'"\ud83d\u0041"'), "line 2")
    yield Case("a NUL that is not escaped", with_value("title", b'"a\0b"'), "control character")
    yield Case("an unknown escape", with_value("title", r'"\x41"'), "line 2")
    yield Case("an escape cut off", with_value("title", r'"\u00'), "line 2")
    yield Case("a backslash at the end of a line", with_object('{"e":"Recipe","id":1,"v":{"title":"\\'), "line 2")
    for depth in (17, 1000, 500_000):
        told = "levels deep"
        yield Case(f"lists {depth} deep in an unknown member",
                   with_object('{"e":"Recipe","id":1,"x":' + nested(depth) + "}"), told)
        yield Case(f"objects {depth} deep in a value", with_value("title", nested(min(depth, 150_000), '{"a":', "}")), "line 2")
        yield Case(f"lists {depth} deep in a line of no kind", with_object('{"x":' + nested(depth) + "}"), told)
        yield Case(f"lists {depth} deep in the header", header(x=0).replace(b'"x":0', b'"x":' + nested(depth).encode()), told)
    yield Case("lists 900 deep, allowed, in an unknown member", with_object('{"e":"Recipe","id":1,"x":' + nested(900) + "}"),
               status=0, arguments=["--max-depth", "1000"])


def value_cases():
    for text, told in [("1e400", "too large"), ("-1e400", "too large"), ("9223372036854775808", "64 bits"),
                       ("-9223372036854775809", "64 bits"), ("NaN", "expected a value"), ("Infinity", "expected a value"),
                       ("-Infinity", "line 2"), ("01", "line 2"), ("1.", "a number is incomplete"), (".5", "line 2"), ("+1", "line 2"),
                       ("0x10", "line 2"), ("1e", "a number is incomplete"), ("-", "missing"), ("9" * 500_000, "64 bits"),
                       ("0." + "1" * 500_000, "too long"), ("[1]", "found a list"), ("{}", "type that this decant"),
                       ('{"int":"1.5"}', "64 bits"), ('{"int":"99999999999999999999"}', "64 bits"),
                       ('{"int":5}', "line 2"), ('{"double":"1"}', "double"), ('{"decimal":"soup"}', "decimal"),
                       ('{"date":"yesterday"}', "date"), ('{"date":"2011-13-45T99:99:99Z"}', "date"),
                       ('{"uuid":"E69106FC"}', "UUID"), ('{"base64":"a"}', "base64"), ('{"base64":"ab=c"}', "base64"),
                       ('{"base64":"YWJjZ===="}', "base64"), ('{"text64":"%%%%"}', "base64"), ('{"soup":1}', "type that this decant"),
                       ('{"int":"1","double":"nan"}', "two types"), ('{"base64":"","size":1,"size":1}', "duplicate member"),
                       ('{"blob":"' + "0" * 64 + '","size":5}', "before it is defined"),
                       ('{"blob":"soup","size":5}', "before it is defined"), ('{"blob":"","size":0}', "size"),
                       ('{"blob":"' + "0" * 64 + '"}', "size"), ('{"missing":"../../x"}', "file"),
                       ('{"base64":"","as":"soup"}', "line 2")]:
        yield Case(f"the value {text[:40]}", with_value("rating", text), told)
    yield Case("an id that is a fraction", with_object('{"e":"Recipe","id":1.5}'), "id")
    yield Case("an id that is a text", with_object('{"e":"Recipe","id":"one"}'), "")
    yield Case("an id that is null", with_object('{"e":"Recipe","id":null}'), "id")
    yield Case("an id that is a list", with_object('{"e":"Recipe","id":[1]}'), "line 2")
    yield Case("an id beyond 64 bits", with_object('{"e":"Recipe","id":99999999999999999999}'), "64 bits")
    yield Case("no id", with_object('{"e":"Recipe"}'), "id")
    yield Case("an id that is a missing file", with_object('{"e":"Recipe","id":{"missing":"x"}}'), "id")
    yield Case("a revision beyond 64 bits", with_object('{"e":"Recipe","id":1,"revision":99999999999999999999}'), "64 bits")
    yield Case("a revision that is a text", with_object('{"e":"Recipe","id":1,"revision":"x"}'), "revision")
    yield Case("values that are a list", with_object('{"e":"Recipe","id":1,"v":[]}'), "line 2")
    yield Case("links that are a text", with_object('{"e":"Recipe","id":1,"r":"x"}'), "line 2")


def twice():
    for place, text in [
            ("e", '{"e":"Recipe","e":"Recipe","id":1}'), ("id", '{"e":"Recipe","id":1,"id":1}'),
            ("v", '{"e":"Recipe","id":1,"v":{},"v":{}}'), ("an escaped name", '{"e":"Recipe","id":1,"v":{},"\\u0076":{}}'),
            ("an attribute", '{"e":"Recipe","id":1,"v":{"title":"a","title":"b"}}'),
            ("a link", '{"e":"Recipe","id":1,"r":{"category":1,"category":1}}'),
            ("a list", '{"e":"Recipe","id":1,"r":{"tags":[1],"tags":[2]}}'),
            ("a list behind another name", '{"e":"Recipe","id":1,"r":{"tags":[1],"category":null,"tags":[2]}}'),
            ("an empty list", '{"e":"Recipe","id":1,"r":{"tags":[],"tags":[]}}'),
            ("in a link in braces", '{"e":"Recipe","id":1,"r":{"category":{"to":1,"to":2}}}'),
            ("the entity of a link", '{"e":"Recipe","id":1,"r":{"category":{"to":1,"e":"Category","e":"Category"}}}'),
            ("the place of a link", '{"e":"Recipe","id":1,"r":{"category":{"to":1,"at":1,"at":2}}}'),
            ("what a text is", '{"e":"Recipe","id":1,"v":{"photo":{"base64":"","raw":true,"raw":true}}}'),
            ("the key", '{"e":"Recipe","id":1,"key":{},"key":{}}'),
            ("in the key", '{"e":"Recipe","id":1,"key":{"a":1,"a":2}}'),
            ("an unknown member", '{"e":"Recipe","id":1,"x":1,"x":2}'),
            ("in an unknown member", '{"e":"Recipe","id":1,"x":{"a":1,"a":2}}'),
            ("in a line of no kind", '{"x":1,"x":2}')]:
        told = "duplicate member" if place == "what a text is" else "twice"
        yield Case(f"twice: {place}", with_object(text, count=0 if "no kind" in place else 1), told)
    yield Case("twice in the header", header().replace(b'"part":1', b'"part":1,"part":1') + receipt(), "twice")
    yield Case("twice in the model", archive(head=header().replace(b'"abstract":true', b'"abstract":true,"abstract":false')), "twice")
    yield Case("twice in the receipt", archive().replace(b'"parts":1', b'"parts":1,"parts":1'), "twice")
    yield Case("twice in the counts", header() + b'{"end":true,"parts":1,"counts":{"Tag":0,"Tag":0},"links":{}}\n', "twice")


def names():
    for name in ["Soup", "", "Recipe\\u0000", 'Re\\"cipe', "Recipe'; DROP TABLE Recipe; --", "sqlite_schema", "recipe ", "\\u202eRecipe"]:
        yield Case(f"the entity {name}", with_object(f'{{"e":"{name}","id":1}}'), "line 2")
    yield Case("an abstract entity", with_object('{"e":"Dish","id":1}', entity="Dish"), "abstract")
    yield Case("an entity that is a number", with_object('{"e":5,"id":1}'), "line 2")
    for name in ["soup", "", "title\\u0000", 'ti\\"tle', "title) VALUES (1); --", "Z_PK", "rowid"]:
        yield Case(f"the attribute {name}", with_object(f'{{"e":"Recipe","id":1,"v":{{"{name}":1}}}}'), "no attribute")
        yield Case(f"the relationship {name}", with_object(f'{{"e":"Recipe","id":1,"r":{{"{name}":1}}}}'), "does not store a relationship")
        yield Case(f"the list {name}", with_object(f'{{"e":"Recipe","id":1,"r":{{"{name}":[1]}}}}'), "does not store a list")
        yield Case(f"the column {name}", with_object(f'{{"e":"Recipe","id":1,"columns":{{"{name}":1}}}}'), "no attribute")


def links():
    rows = objects()
    yield Case("the same object twice", archive(rows + [rows[1]]), "id 1")
    yield Case("the same id in an entity", archive(rows + [{"e": "Recipe", "id": 2, "v": {}}]), "id 2")
    yield Case("a link with a place that is a text", with_object('{"e":"Recipe","id":1,"r":{"category":{"to":1,"at":"x"}}}'), "position")
    yield Case("a link to another entity", with_object('{"e":"Recipe","id":1,"r":{"category":{"to":1,"e":"Tag"}}}'), "")
    yield Case("a link without a target", with_object('{"e":"Recipe","id":1,"r":{"category":{"at":1}}}'), "line 2")
    yield Case("a reference", with_object('{"e":"Recipe","id":1,"r":{"category":{"ref":{"e":""}}}}'), "reference")
    yield Case("a reference with a name twice", with_object('{"e":"Recipe","id":1,"r":{"category":{"ref":{"e":"Category","e":"Category"}}}}'), "twice")
    many = ",".join(f'"a{n}":1' for n in range(100_000))
    yield Case("a reference of 100 000 names", with_object('{"e":"Recipe","id":1,"r":{"category":{"ref":{"e":"Category","key":{' + many + "}}}}}"), "")
    yield Case("a list in a list", with_object('{"e":"Recipe","id":1,"r":{"tags":[[1]]}}'), "line 2")
    yield Case("a link that is a large value", with_object('{"e":"Recipe","id":1,"r":{"category":{"blob":"x","size":5}}}'), "line 2")
    yield Case("a link to a missing file", with_object('{"e":"Recipe","id":1,"r":{"category":{"missing":"x"}}}'), "line 2")
