"""The lines of an archive: unpacked, parsed, and checked against each other and the receipt."""
import base64
import gzip
import hashlib
import io
import json
import lzma
import subprocess
import zipfile
import zlib
from collections import Counter

LONGEST = 1 << 20
LONGEST_HEADER = 16 << 20


class Fault(Exception):
    """What keeps an archive from being read on."""


def opened(path):
    """A stream of the bytes in `path`, unpacked by what they are."""
    with open(path, "rb") as file:
        start = file.read(6)
    if start[:2] == b"\x1f\x8b":
        return gzip.open(path)
    if start == b"\xfd7zXZ\x00":
        return lzma.open(path)
    if start[:4] == b"PK\x03\x04":
        members = zipfile.ZipFile(path)
        if len(members.namelist()) != 1 or members.testzip() is not None:
            raise Fault(f"{path}: a zip of {members.namelist()}, or a damaged one")
        return members.open(members.namelist()[0])
    for magic, program in ((b"\x28\xb5\x2f\xfd", "zstd"), (b"\x04\x22\x4d\x18", "lz4")):
        if start[:4] == magic:
            run = subprocess.run([program, "-dc", path], capture_output=True)
            if run.returncode != 0:
                raise Fault(f"{path}: {program}: {run.stderr.decode().strip()}")
            return io.BytesIO(run.stdout)
    return open(path, "rb")


def members(pairs):
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Fault(f"a name comes twice: {[name for name, _ in pairs][:10]}")
    return found


def refuse(name):
    raise Fault(f"{name} is no JSON")


def parsed(line):
    return json.loads(line.decode("utf-8"), object_pairs_hook=members, parse_constant=refuse)


class Reader:
    """An archive; large values are kept in memory, everything else goes by."""

    def __init__(self, files):
        self.parts = {}
        for path in files:
            stream = opened(path)
            line = stream.readline()
            header = self.parse(line, path, 1)
            if not isinstance(header, dict) or header.get("decant") != 1:
                raise SystemExit(f"{path}: no archive of version 1")
            if header["part"] in self.parts:
                raise SystemExit(f"{path}: part {header['part']} comes twice")
            self.parts[header["part"]] = (path, stream, header, len(line))
        first = self.parts.get(1)
        if first is None or sorted(self.parts) != list(range(1, len(self.parts) + 1)):
            raise SystemExit(f"parts are missing: there are {sorted(self.parts)}")
        self.header = first[2]
        self.entities = {entity["name"]: entity for entity in self.header["model"]["entities"]}
        self.blobs = {}
        self.ids = {}
        self.links = []
        self.receipt = None

    @staticmethod
    def parse(line, path, number):
        try:
            return parsed(line)
        except (ValueError, Fault) as error:
            raise SystemExit(f"{path}: line {number}: {error}")

    def root(self, entity):
        while "parent" in self.entities[entity]:
            entity = self.entities[entity]["parent"]
        return entity

    def lineage(self, entity):
        """The entity and all above it, the topmost first."""
        above = self.entities[entity].get("parent")
        return (self.lineage(above) if above else []) + [self.entities[entity]]

    def lines(self, tell):
        """All lines but headers, parsed, each with its bytes."""
        self.size = 0
        for part in sorted(self.parts):
            path, stream, header, length = self.parts[part]
            if {**header, "part": 1} != self.header:
                tell(f"{path}: its header is not that of part 1")
            if length > LONGEST_HEADER:
                tell(f"{path}: a header of {length} bytes")
            self.size += length
            for number, line in enumerate(stream, 2):
                if not line.endswith(b"\n"):
                    raise Fault(f"{path}: line {number} does not end")
                if len(line) > LONGEST:
                    tell(f"{path}: line {number} has {len(line)} bytes")
                if self.receipt is not None:
                    raise Fault(f"{path}: line {number} comes behind the receipt")
                yield self.parse(line, path, number), line
                self.size += len(line)

    def objects(self, tell):
        """The lines of objects and of further links, as they come."""
        header = self.header
        order = {name: place for place, name in enumerate(header["counts"])}
        counts, links, sums, last = Counter(), Counter(), Counter(), {}
        pieces, needed, place, at_hand = None, set(), -1, None
        template = header["source"].get("template")
        if template:
            needed.add(template["blob"])
        for value, line in self.lines(tell):
            if "blob" in value:
                pieces = self.piece(value, pieces)
                if pieces is None and value["blob"] not in needed and template and not counts:
                    if len(self.blobs) == 1:
                        tell("the first large value is not the template")
                continue
            if pieces is not None:
                raise Fault(f"a large value is missing its last piece: {pieces[0]}")
            if value.get("end") is True:
                self.receipt = value
                before = self.size
                continue
            entity, key = value["e"], value["id"]
            sums[entity] = zlib.crc32(line, sums[entity])
            links[entity] += sum(1 for _ in self.targets(value))
            if "more" in value:
                if (entity, key) != at_hand and not header["model"].get("fromTables"):
                    tell(f"{entity} {key}: further links do not follow their object")
            else:
                if entity not in order:
                    raise Fault(f"{entity} is not counted in the header")
                if order[entity] < place:
                    tell(f"{entity} {key} comes behind entities that follow it in the header")
                if order[entity] == place and entity in last and key <= last[entity]:
                    tell(f"{entity} {key} does not rise: behind {last[entity]}")
                place, last[entity], at_hand = order[entity], key, (entity, key)
                counts[entity] += 1
                known = self.ids.setdefault(self.root(entity), {})
                if key in known:
                    tell(f"{entity} {key} comes twice")
                known[key] = entity
            for hash, size in self.references(value):
                needed.add(hash)
                if hash not in self.blobs:
                    tell(f"{entity} {key}: a large value was not there before it: {hash}")
                elif len(self.blobs[hash]) != size:
                    tell(f"{entity} {key}: a large value of {len(self.blobs[hash])} bytes is said to have {size}")
            yield value
        if self.receipt is None:
            raise Fault("the receipt is missing")
        self.check(tell, counts, links, sums, before)
        if template and len(self.blobs.get(template["blob"], b"")) != template["size"]:
            tell("the template is not there, or has another size")
        for hash in set(self.blobs) - needed:
            tell(f"nothing needs the large value {hash}")

    def piece(self, value, pieces):
        packed = "deflate" in value
        hash, content = value["blob"], base64.b64decode(value["deflate" if packed else "base64"], validate=True)
        content = zlib.decompress(content) if packed else content
        if pieces is None:
            if hash in self.blobs:
                raise Fault(f"a large value appears twice: {hash}")
            pieces = (hash, bytearray())
        if pieces[0] != hash or value["at"] != len(pieces[1]):
            raise Fault(f"a piece of {hash} at {value['at']} comes behind {len(pieces[1])} bytes of {pieces[0]}")
        pieces[1].extend(content)
        if "size" not in value:
            return pieces
        if value["size"] != len(pieces[1]) or hashlib.sha256(pieces[1]).hexdigest() != hash:
            raise Fault(f"a large value is not what it is called: {hash}")
        self.blobs[hash] = bytes(pieces[1])
        return None

    def references(self, value):
        for group in ("v", "columns"):
            for each in value.get(group, {}).values():
                if isinstance(each, dict) and "blob" in each:
                    yield each["blob"], each["size"]

    def targets(self, value):
        """Every link of a line: relationship or “Owner.relationship”, and what is said of the target."""
        for group in ("r", "more", "of"):
            for name, linked in value.get(group, {}).items():
                for link in linked if isinstance(linked, list) else [linked]:
                    self.links.append((value["e"], group, name, link))
                    yield name, link

    def check(self, tell, counts, links, sums, size):
        receipt, header = self.receipt, self.header
        if receipt["parts"] != len(self.parts):
            tell(f"the receipt is for {receipt['parts']} parts")
        for entity in set(counts) | set(receipt["counts"]) | set(header["counts"]):
            for name, found, told in (
                ("objects", counts[entity], receipt["counts"].get(entity, 0)),
                ("objects, says the header,", counts[entity], header["counts"].get(entity, 0)),
                ("links", links[entity], receipt["links"].get(entity, 0)),
            ):
                if found != told:
                    tell(f"{entity}: {found} {name} and not {told}")
        for entity in sums:
            if f"{sums[entity]:08x}" != receipt["hashes"].get(entity):
                tell(f"{entity}: the checksum is {sums[entity]:08x} and not {receipt['hashes'].get(entity)}")
        for root, keys in self.ids.items():
            told = header["lastIDs"].get(root)
            if keys and (told is None or max(keys) > told):
                tell(f"{root}: there is {max(keys)} above the last, {told}")
        if receipt["blobs"] != len(self.blobs):
            tell(f"{len(self.blobs)} large values and not {receipt['blobs']}")
        if receipt["bytes"] != size:
            tell(f"{size} bytes before the receipt and not {receipt['bytes']}")

    def dangling(self, exists):
        """How many links of each relationship lead nowhere; those that do so in the store as well are right."""
        found = Counter()
        for entity, group, name, link in self.links:
            link = link if isinstance(link, dict) and "to" in link else {"to": link}
            target = link["to"]
            if group == "of":
                declared = name.split(".")[0]
            else:
                declared = next(
                    each["to"] for above in self.lineage(entity) for each in above["relationships"]
                    if each["name"] == name
                )
            named = link.get("e", declared)
            root = self.root(named)
            if isinstance(target, dict):
                target = archive_key(target)
            target = as_key(target)
            if target in self.ids.get(root, {}):
                if "e" in link and self.ids[root][target] != named:
                    found[f"{entity}.{name}, by entity,"] += 1
                continue
            if exists is None or exists(root, target):
                found[f"{entity}.{name}"] += 1
        return found


def as_key(value):
    """An integer as SQLite finds it in what a column without type holds: 3 for 3.0, "3" and "3.0"."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return value
    return int(number) if not isinstance(value, int) and number.is_integer() else value


def archive_key(value):
    """What a key in braces stands for, so that it can be looked up."""
    return int(value["int"]) if "int" in value else json.dumps(value)
