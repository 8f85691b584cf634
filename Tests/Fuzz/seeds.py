"""Writes the samples that a fuzzer begins with: seeds.py FUZZER FOLDER."""
import bz2, gzip, io, lzma, pathlib, shutil, struct, subprocess, sys, tempfile, zipfile, zlib

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "HostileArchives"))
sys.dont_write_bytecode = True
import counts, lines, shared, templates, values
import recipes

TEXT = b'{"decant":1,"id":"x"}\n' + b'{"e":"Recipe","id":1,"v":{"title":"Soup"}}\n' * 3


class Forward(io.RawIOBase):
    """A file that cannot go back, as a pipe: zipfile then puts sizes behind the members."""

    def __init__(self):
        self.parts = []

    def writable(self):
        return True

    def write(self, data):
        self.parts.append(bytes(data))
        return len(data)


def zipped(members, method=zipfile.ZIP_DEFLATED, pipe=False, wide=False, comment=b""):
    file = Forward() if pipe else io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as z:
        for name, data in members:
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            with z.open(info, "w", force_zip64=wide) as member:
                member.write(data)
        z.comment = comment
    return b"".join(file.parts) if pipe else file.getvalue()


def program(*command):
    """What a program packs; nothing where it is missing, which costs a seed."""
    if not shutil.which(command[0]):
        return b""
    return subprocess.run(command, input=TEXT, capture_output=True, check=True).stdout


def archived(*options):
    """What bsdtar makes of two files, the one in a folder; nothing where it is missing."""
    if not shutil.which("bsdtar"):
        return b""
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        (place / "b").mkdir()
        (place / "a.decant").write_bytes(TEXT)
        (place / "b/c").write_bytes(b"soup")
        command = ["bsdtar", "-cf", "-", *options, "-C", folder, "a.decant", "b"]
        return subprocess.run(command, capture_output=True, check=True).stdout


def containers():
    """Every format, plain and in one another, in the forms that its readers tell apart."""
    stored = zipfile.ZIP_STORED
    one = [("a.decant", TEXT)]
    finder = one + [("__MACOSX/", b""), ("__MACOSX/._a.decant", b"\0\5\x16\7" + bytes(60))]
    head = b"\x1f\x8b\x08\x1f" + bytes(6) + struct.pack("<H", 5) + b"extra" + b"../name\0" + b"soup\0"
    head += struct.pack("<H", zlib.crc32(head) & 0xFFFF)
    deflate = zlib.compressobj(6, wbits=-15)
    fields = head + deflate.compress(TEXT) + deflate.flush()
    fields += struct.pack("<II", zlib.crc32(TEXT), len(TEXT))
    zstd, lz4 = program("zstd", "-qc"), program("lz4", "-qc")
    skippable = b"P*M\x18\4\0\0\0abcd"
    yield from (TEXT, b"P", gzip.compress(TEXT), gzip.compress(TEXT) + gzip.compress(b"") + bytes(20))
    yield from (fields, gzip.compress(gzip.compress(TEXT)), gzip.compress(bytes(1 << 20), 9))
    yield from (lzma.compress(TEXT), lzma.compress(TEXT, check=lzma.CHECK_SHA256) + bytes(4))
    yield lzma.compress(TEXT, check=lzma.CHECK_NONE) + lzma.compress(b"")
    yield from (zstd, skippable + zstd + zstd, program("zstd", "-qc", "--no-check", "-19"))
    yield from (lz4, lz4 + lz4, program("lz4", "-qc", "-B4", "-BD", "-BX"))
    yield program("lz4", "-qc", "--no-frame-crc")
    for method in (zipfile.ZIP_DEFLATED, stored):
        for pipe in (False, True):
            yield zipped(one + [("b", b"")], method, pipe)
            yield zipped(one, method, pipe, wide=True, comment=b"PK\5\6")
            yield zipped(finder, method, pipe)
    yield from (zipped([]), zipped([("a", b"P" * 30 + b"PK\7\x08" + bytes(40))], stored, pipe=True))
    yield from (bz2.compress(TEXT), bz2.compress(TEXT) + bz2.compress(b""), zipped(one, zipfile.ZIP_BZIP2))
    archives = [archived("--format", name) for name in ("ustar", "pax", "gnutar", "v7", "cpio", "newc", "bin")]
    for method in ("lzma1", "lzma2", "bzip2", "deflate", "ppmd", "store"):
        archives.append(archived("--format", "7zip", "--options", f"7zip:compression={method}"))
    yield from archives
    yield from (gzip.compress(archives[0]), zipped([("in.7z", archives[-1])], stored))
    for inner in (gzip.compress(TEXT), lzma.compress(TEXT), zstd, lz4, zipped(one)):
        yield zipped([("inner", inner), ("text", TEXT)], stored, pipe=True)
        yield gzip.compress(inner)


def of(*subjects):
    """The hostile files of the tests that are small enough, whole and sound ones among them."""
    for subject in subjects:
        yield from (case.data for case in subject.cases() if len(case.data) <= 16_000)


SEEDS = {
    "FuzzContainers": containers,
    "FuzzArchives": lambda: of(counts, lines, values, templates),
    "FuzzShared": lambda: of(shared),
    "FuzzRecipes": recipes.parsers,
    "FuzzRecipeFiles": recipes.files,
}

fuzzer, folder = sys.argv[1], pathlib.Path(sys.argv[2])
for index, seed in enumerate(SEEDS[fuzzer]()):
    (folder / f"{index:03}").write_bytes(seed)
