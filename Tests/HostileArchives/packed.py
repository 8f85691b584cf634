"""Containers that unpack to far too much, lie in one another too deep, or hold what they should not."""
import bz2
import gzip
import io
import lzma
import os
import struct
import subprocess
import tarfile
import threading
import zipfile
import zlib
from made import Case, archive, header

MIB = 1 << 20
# What a bomb unpacks to, in units of 64 MiB; every limit is far below.
UNITS = 32 if os.environ.get("DECANT_SLOW") == "1" else 8
SOUND = archive()


def stream(unit, count, start=b"", end=b""):
    """A gzip file of `start`, `count` times `unit`, and `end`: members in a row, made in no time."""
    pack = lambda data: gzip.compress(data, 9, mtime=0)
    return pack(start) * bool(start) + pack(unit) * count + pack(end) * bool(end)


def zstd(parts):
    """What the zstd program makes of the bytes of `parts`."""
    program = subprocess.Popen(["zstd", "-q", "-c", "-1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    found = []
    reader = threading.Thread(target=lambda: found.append(program.stdout.read()))
    reader.start()
    for part in parts:
        program.stdin.write(part)
    program.stdin.close()
    reader.join()
    return found[0]


def zipped(*members, method=zipfile.ZIP_DEFLATED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as z:
        for name, data in members:
            z.writestr(zipfile.ZipInfo(name), data, compress_type=method)
    return file.getvalue()


def tarred(*members, format=tarfile.GNU_FORMAT):
    """A tar of members: name, bytes, and for a link its kind and where it leads."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=format) as t:
        for name, data, *link in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            if link:
                info.type, info.linkname = link
            t.addfile(info, io.BytesIO(data))
    return file.getvalue()


def zip_bomb(unit, count, start):
    """A zip whose one member is `start`, then `count` times `unit`: blocks of deflate that say the same again."""
    def blocks(data):
        packer = zlib.compressobj(9, wbits=-15)
        return packer.compress(data) + packer.flush(zlib.Z_FULL_FLUSH)
    data = blocks(start) + blocks(unit) * count + b"\3\0"
    size, name = len(start) + len(unit) * count, b"a.decant"
    local = struct.pack("<IHHHHHIIIHH", 0x04034B50, 20, 0, 8, 0, 0x21, 0, len(data), size & 0xFFFFFFFE, len(name), 0) + name
    entry = struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 20, 20, 0, 8, 0, 0x21, 0, len(data), size & 0xFFFFFFFE,
                        len(name), 0, 0, 0, 0, 0, 0) + name
    body = local + data
    return body + entry + struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, 1, 1, len(entry), len(body), 0)


def cases():
    gz = lambda data: gzip.compress(data, mtime=0)
    zeros, letters, lines = bytes(64 * MIB), b"a" * (64 * MIB), b"{}\n" * (16 * MIB)
    long = '{"e":"Recipe","id":1,"v":{"title":"'.encode()
    for name, suffix, pack in [
            ("gzip", ".decant.gz", lambda unit, count, start: stream(unit, count, start)),
            ("zip", ".decant.zip", zip_bomb), ("zstd", ".decant.zst", lambda unit, count, start: zstd([start] + [unit] * count))]:
        yield Case(f"{name}: a long line", pack(letters, UNITS, header() + long), "line", suffix=suffix)
        yield Case(f"{name}: a long header", pack(letters, UNITS, b'{"decant":1,"x":"'), "line", suffix=suffix)
        yield Case(f"{name}: many zeros", pack(zeros, UNITS, b""), "", suffix=suffix)
        yield Case(f"{name}: many short lines", pack(lines, UNITS, header()), "", suffix=suffix, arguments=["--max-bytes", "10MB"])
    yield Case("zstd: lines that expand too far", zstd([header()] + [lines] * 8), "--max-expansion", suffix=".zst")
    yield Case("gzip in gzip: lines that expand too far", gz(stream(lines, 8, header())), "--max-expansion", suffix=".gz")
    yield Case("a gzip bomb in a zip", zipped(("a.gz", stream(lines, 8, header()))), "--max-expansion", suffix=".zip")
    yield Case("an xz of 256 MiB of zeros", lzma.compress(zeros * 4, preset=0), "", suffix=".xz")
    yield Case("five gzips", gz(gz(gz(gz(gz(SOUND))))), "--max-nesting", suffix=".gz")
    yield Case("five gzips that are allowed", gz(gz(gz(gz(gz(SOUND))))), status=0, suffix=".gz", arguments=["--max-nesting", "5"])
    yield Case("four gzips", gz(gz(gz(gz(SOUND)))), status=0, suffix=".gz")
    deep = SOUND
    for _ in range(200):
        deep = gz(deep)
    yield Case("two hundred gzips", deep, "--max-nesting", suffix=".gz")
    nest = SOUND
    for _ in range(40):
        nest = zipped(("a.zip", nest))
    yield Case("forty zips", nest, "--max-nesting", suffix=".zip")
    yield Case("a zip of two archives", zipped(("a.decant", SOUND), ("b.decant", SOUND)), "pass it directly", suffix=".zip")
    yield Case("a zip of 20 000 members", zipped(*[(f"{n}", b"") for n in range(20_000)]), "", suffix=".zip")
    yield Case("a zip with what macOS adds", zipped(("a.decant", SOUND), ("__MACOSX/", b""), ("__MACOSX/._a.decant", bytes(60))), "", suffix=".zip", status=None)
    for name in ["../../escaped.decant", "/tmp/decant-escaped.decant", "..\\x.decant", "a\nb", "x" * 60_000]:
        yield Case(f"a zip with the name {name[:30]!r}", zipped((name, SOUND)), status=0, suffix=".zip")
    for name in ["../../escaped.decant", "/tmp/decant-escaped.decant", "a\nb", "x" * 60_000]:
        yield Case(f"a tar with the name {name[:30]!r}", tarred((name, SOUND)), status=0, suffix=".tar")
    link = ("link", b"", tarfile.SYMTYPE, "/etc/passwd")
    yield Case("a tar with a link out of it", tarred(link, ("a.decant", SOUND)), status=0, suffix=".tar")
    yield Case("a tar with nothing but a link", tarred(link), "no file", suffix=".tar")
    yield Case("a tar of two archives", gz(tarred(("a.decant", SOUND), ("b.decant", SOUND))), "pass it directly", suffix=".tar.gz")
    yield Case("a tar without its end", tarred(("a.decant", SOUND)).rstrip(b"\0"), "ends", suffix=".tar")
    nest = SOUND
    for _ in range(40):
        nest = tarred(("a.tar", nest))
    yield Case("forty tars", nest, "--max-nesting", suffix=".tar")
    yield Case("a tar of 100 100 members", gz(tarred(*[(f"{n}", b"") for n in range(100_100)])), "", suffix=".tar.gz")
    yield Case("bzip2: many zeros", bz2.compress(zeros) * UNITS, "", suffix=".bz2")
    yield Case("an empty zip", zipped(), "", suffix=".zip")
    yield Case("a zip of a picture", zipped(("a.png", b"\x89PNG\r\n\x1a\n")), "is not an archive", suffix=".zip")
    yield Case("a gzip of nothing", gz(b""), "", suffix=".gz")
    yield Case("a gzip with rubbish behind", gz(SOUND) + b"rubbish" * 10, "", suffix=".gz", status=None)
    yield Case("a gzip of a wrong checksum", gz(SOUND)[:-8] + bytes(4) + gz(SOUND)[-4:], "", suffix=".gz")
    yield Case("bytes of zeros", bytes(5000), "is not an archive")
    yield Case("only line feeds", b"\n" * 5000, "no recipe")
    yield Case("an endless file without line feeds", b'{"decant":' + b" " * (20 * MIB), "longer")
    yield Case("more objects than allowed", SOUND, "--max-objects", arguments=["--max-objects", "4"])
    yield Case("a longer line than allowed", SOUND, "--max-line", arguments=["--max-line", "50"])
    yield Case("more bytes than allowed", SOUND, "--max-bytes", arguments=["--max-bytes", "500"])
