"""Writes small RPM packages, for createrepo_c to list: rpm_packages.py FOLDER.

An RPM is a lead, a signature header, a header and a payload; only the headers matter here.
"""
import gzip
import hashlib
import os
import struct
import sys

INT16, INT32, STRING, BIN, ARRAY, I18N = 3, 4, 6, 7, 8, 9


def header(tags, region):
    """Returns a header structure of (tag, type, values), with the index's own region tag in front."""
    index, data = b"", b""
    for tag, kind, values in sorted(tags):
        if kind == INT32:
            data += b"\0" * (-len(data) % 4)
            offset, count, data = len(data), len(values), data + b"".join(struct.pack(">i", value) for value in values)
        elif kind == INT16:
            data += b"\0" * (len(data) % 2)
            offset, count, data = len(data), len(values), data + b"".join(struct.pack(">H", value) for value in values)
        elif kind == BIN:
            offset, count, data = len(data), len(values), data + values
        else:
            offset, count, data = len(data), len(values), data + b"".join(value.encode() + b"\0" for value in values)
        index += struct.pack(">iiii", tag, kind, offset, count)
    count = len(tags) + 1
    trailer = struct.pack(">iiii", region, BIN, -16 * count, 16)
    index = struct.pack(">iiii", region, BIN, len(data), 16) + index
    data += trailer
    return b"\x8e\xad\xe8\x01\0\0\0\0" + struct.pack(">ii", count, len(data)) + index + data


for number in range(30):
    name = f"pkg{number}"
    payload = gzip.compress(b"070701" + b"0" * 104 + b"TRAILER!!!\0\0\0\0")
    files = [f"{name}-{letter}" for letter in "abc"]
    requires = [f"pkg{other}" for other in range(max(0, number - 3), number)] or ["none"]
    main = header(
        [
            (1000, STRING, [name]), (1001, STRING, ["1.0"]), (1002, STRING, [str(number)]), (1004, I18N, [f"Summary é {number}"]),
            (1005, I18N, ["Description"]), (1006, INT32, [1700000000 + number]), (1009, INT32, [1000 + number]), (1014, STRING, ["MIT"]),
            (1016, I18N, ["Kitchen"]), (1021, STRING, ["linux"]), (1022, STRING, ["noarch"]), (1044, STRING, [f"{name}.src.rpm"]),
            (1028, INT32, [1] * 3), (1030, INT16, [33188] * 3), (1034, INT32, [1700000000] * 3), (1037, INT32, [0] * 3),
            (1047, ARRAY, [name, "virtual"]), (1112, INT32, [8, 0]), (1113, ARRAY, ["1.0", ""]),
            (1049, ARRAY, requires), (1048, INT32, [0] * len(requires)), (1050, ARRAY, [""] * len(requires)),
            (1116, INT32, [0] * 3), (1117, ARRAY, files), (1118, ARRAY, ["/usr/bin/"]),
            (1124, STRING, ["cpio"]), (1125, STRING, ["gzip"]), (1126, STRING, ["9"]),
        ],
        63,
    )
    signature = header([(1000, INT32, [len(main) + len(payload)]), (1004, BIN, hashlib.md5(main + payload).digest())], 62)
    signature += b"\0" * (-len(signature) % 8)
    lead = struct.pack(">4sBBhh66shh16s", b"\xed\xab\xee\xdb", 3, 0, 0, 1, f"{name}-1.0".encode(), 1, 5, b"")
    with open(os.path.join(sys.argv[1], f"{name}-1.0-{number}.noarch.rpm"), "wb") as stream:
        stream.write(lead + signature + main + payload)
