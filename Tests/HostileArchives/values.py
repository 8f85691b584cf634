"""Large values whose pieces are wrong, and names of files that lead somewhere."""
import hashlib
from made import Case, archive, header, large, line, packed, pieces, receipt, with_value

DATA = bytes(range(256)) * 20


def using(lines, data=DATA, named=None):
    """An archive with the pieces `lines`, and an object that names the value."""
    row = {"e": "Recipe", "id": 1, "v": {"photo": large(data) if named is None else named}}
    return archive([row], before=b"".join(map(line, lines)))


def cases():
    all_pieces = pieces(DATA)
    yield Case("a large value", using(all_pieces), status=0)
    yield Case("a large value that is packed", using([packed(DATA)]), status=0)
    yield Case("a large value that nobody names", archive(before=b"".join(map(line, all_pieces))), status=0)

    def change(index, **more):
        changed = [dict(each) for each in all_pieces]
        changed[index].update(more)
        return using([{k: v for k, v in each.items() if v is not None} for each in changed])

    other = pieces(b"other" * 900)
    mixed = [each for pair in zip(all_pieces, other) for each in pair]
    for name, data, told in [
            ("without the first piece", using(all_pieces[1:]), "missing or out of order"),
            ("without one in the middle", using(all_pieces[:2] + all_pieces[3:]), "missing or out of order"),
            ("without the last piece", using(all_pieces[:-1]), "missing its last piece"),
            ("without the last piece and the rest", header() + b"".join(map(line, all_pieces[:-1])), "receipt"),
            ("cut off by the receipt", header() + b"".join(map(line, all_pieces[:-1])) + receipt(), ""),
            ("backwards", using(all_pieces[::-1]), ""),
            ("with a piece twice", using(all_pieces[:2] + all_pieces[1:]), "missing or out of order"),
            ("mixed with another", using(mixed), "missing its last piece"), ("twice", using(all_pieces * 2), "appears twice"),
            ("behind its object", archive([{"e": "Recipe", "id": 1, "v": {"photo": large(DATA)}}],
                end=b"".join(map(line, all_pieces)) + receipt([{"e": "Recipe"}])), "before it is defined"),
            ("of another size in its pieces", change(-1, size=5), "but its last piece says"),
            ("of a negative size", change(-1, size=-1), "but its last piece says"),
            ("of a huge size", change(-1, size=2**63 - 1), "but its last piece says"),
            ("of a size that is a text", change(-1, size="x"), "size"),
            ("at a negative place", change(1, at=-1), "missing or out of order"),
            ("at a huge place", change(1, at=2**63 - 1), "missing or out of order"),
            ("without a place", change(1, at=None), "name, offset or bytes"), ("without bytes", change(1, base64=None), "name, offset or bytes"),
            ("with an empty piece", change(1, base64=""), "no bytes"),
            ("that is no base64", change(1, base64="%%%="), "base64"),
            ("with other bytes", change(1, base64="A" * 1336), ""),
            ("with one byte changed", change(1, base64=all_pieces[1]["base64"].replace("A", "B", 1)), "do not match the SHA-256 in its name"),
            ("of another name", using([{**each, "blob": "0" * 64} for each in all_pieces]), "do not match the SHA-256 in its name"),
            ("of a short name", using([{**each, "blob": "00"} for each in all_pieces]), "SHA-256"),
            ("of a name in capitals", using([{**each, "blob": each["blob"].upper()} for each in all_pieces]), "SHA-256"),
            ("of a name that is a path", using([{**each, "blob": "../" * 21 + "x"} for each in all_pieces]), "SHA-256"),
            ("that an object says is longer", using(all_pieces, named={**large(DATA), "size": 2**40}), "an object says"),
            ("that an object says is shorter", using(all_pieces, named={**large(DATA), "size": 1}), "an object says"),
            ("that is of no bytes", using([{"blob": hashlib.sha256(b"").hexdigest(), "at": 0, "base64": "", "size": 0}],
                named={"blob": hashlib.sha256(b"").hexdigest(), "size": 0}), "size"),
            ("whose object says its size twice", archive([{"e": "Recipe", "id": 1, "v": {"photo": 0}}]).replace(
                b'"photo":0', b'"photo":{"blob":"%s","size":1,"size":1}' % (b"0" * 64)), "duplicate member"),
            ("that is packed, and too large", using([packed(b"\0" * 4_000_000)]), "unpacked"),
            ("that is packed, and damaged", using([{**packed(b"a" * 1000), "deflate": "eJwAAAA="}]), "unpacked"),
            ("that is packed and not", using([{**packed(b"a" * 1000), "base64": "YQ=="}]), "twice"),
            ("with a name twice", archive(before=line(all_pieces[0]).replace(b'"at":0', b'"at":0,"at":0')), "twice"),
            ("with an unknown name twice", archive(before=line(all_pieces[0]).replace(b'"at":0', b'"at":0,"x":0,"x":0')), "twice")]:
        yield Case(f"a large value {name}", data, told)
    yield from files()


def files():
    for name in ["../../../tmp/decant-escaped", "/tmp/decant-escaped", "..", ".", "", "a/b", "a\\u0000b", "%2e%2e%2fx", "C:\\\\x"]:
        for text in ('{"base64":"AAAA","file":"%s"}', '{"missing":"%s"}'):
            yield Case(f"the file {text[2:5]} {name}", with_value("photo", text % name),
                       status=0 if text.startswith('{"base64') else 13)
