import Testing

/// How another program packs a file, and what it leaves out of its own free will.
struct Packer: CustomTestStringConvertible {
  let testDescription: String
  let program: String
  let script: String

  /// Has the program make the packed file of the plain one.
  func pack(_ bytes: [UInt8], _ packed: Packed) throws {
    try packed.putPlain(bytes)
    try Packed.need(program)
    if program == "python3" { try packed.python(script) } else { try packed.shell(script) }
  }

  private init(_ name: String, python script: String) {
    (testDescription, program) = (name, "python3")
    self.script = "import bz2, gzip, lzma, zlib, struct\ndata = open(plain, 'rb').read()\n" + script
  }

  private init(_ name: String, _ program: String, _ script: String) {
    (testDescription, self.program, self.script) = (name, program, script)
  }

  /// One layer of packing around one stream without a name.
  static let all = [
    Packer("gzip of Python", python: "with gzip.open(packed, 'wb', compresslevel=9) as f: f.write(data)"),
    Packer("gzip", "gzip", "gzip -9 < $plain > $packed"),
    Packer("gzip with a name and a time", "gzip", "gzip -N < $plain > $packed; gzip -t < $packed"),
    Packer(
      "gzip with every field of the header",
      python: """
        head = b'\\x1f\\x8b\\x08\\x1f' + struct.pack('<IBB', 1234567890, 2, 3)
        head += struct.pack('<H', 5) + b'extra' + b'../name\\0' + b'a comment\\0'
        head += struct.pack('<H', zlib.crc32(head) & 0xFFFF)
        deflate = zlib.compressobj(6, wbits=-15)
        body = deflate.compress(data) + deflate.flush()
        end = struct.pack('<II', zlib.crc32(data), len(data))
        open(packed, 'wb').write(head + body + end)
        assert gzip.open(packed).read() == data
        """
    ),
    Packer(
      "gzip in three members, one of them empty",
      "gzip",
      """
      size=$(stat -c %s "$plain")
      { head -c $((size / 2)) "$plain" | gzip -1; gzip < /dev/null
        tail -c +$((size / 2 + 1)) "$plain" | gzip -9; } > "$packed"
      """
    ),
    Packer("gzip with zeros behind", "gzip", "{ gzip < $plain; head -c 200000 /dev/zero; } > $packed"),
    Packer(
      "gzip, stored",
      python: """
        deflate = zlib.compressobj(0, wbits=31)
        open(packed, 'wb').write(deflate.compress(data) + deflate.flush())
        """
    ),
    Packer("bzip2", "bzip2", "bzip2 -9 < $plain > $packed"),
    Packer("bzip2 in small blocks", "bzip2", "bzip2 -1 < $plain > $packed"),
    Packer(
      "bzip2 in three streams, one of them empty",
      python: """
        half = len(data) // 2
        streams = [bz2.compress(part) for part in (data[:half], b'', data[half:])]
        open(packed, 'wb').write(b''.join(streams))
        """
    ),
    Packer("zstd", "zstd", "zstd -q < $plain > $packed"),
    Packer("zstd, the size known", "zstd", "zstd -qf $plain -o $packed"),
    Packer("zstd without a checksum", "zstd", "zstd -q --no-check < $plain > $packed"),
    Packer("zstd, level 19", "zstd", "zstd -q -19 < $plain > $packed"),
    Packer("zstd, the longest window", "zstd", "zstd -q --long=27 < $plain > $packed"),
    Packer("zstd by two threads", "zstd", "zstd -q -T2 -B524288 < $plain > $packed"),
    Packer(
      "zstd in three frames, one of them empty",
      "zstd",
      """
      size=$(stat -c %s "$plain")
      { head -c $((size / 2)) "$plain" | zstd -q; zstd -q < /dev/null
        tail -c +$((size / 2 + 1)) "$plain" | zstd -q -9; } > "$packed"
      """
    ),
    Packer(
      "zstd between frames to skip",
      "zstd",
      """
      { printf 'P*M\\030\\004\\000\\000\\000\\001\\002\\003\\004'; zstd -q < "$plain"
        printf '_*M\\030\\002\\000\\000\\000PK'; } > "$packed"
      """
    ),
    Packer("xz of Python", python: "with lzma.open(packed, 'wb') as f: f.write(data)"),
    Packer("xz without a checksum", python: "open(packed, 'wb').write(lzma.compress(data, check=lzma.CHECK_NONE))"),
    Packer("xz with SHA-256", python: "open(packed, 'wb').write(lzma.compress(data, check=lzma.CHECK_SHA256))"),
    Packer(
      "xz with another filter",
      python: """
        filters = [{'id': lzma.FILTER_DELTA, 'dist': 4}, {'id': lzma.FILTER_LZMA2, 'preset': 3}]
        open(packed, 'wb').write(lzma.compress(data, filters=filters))
        """
    ),
    Packer("xz, level 9", "xz", "xz -9 < $plain > $packed"),
    Packer("xz in blocks", "xz", "xz -1 -T2 --block-size=200000 < $plain > $packed"),
    Packer(
      "xz in three streams with zeros between and behind",
      python: """
        half = len(data) // 2
        streams = [lzma.compress(part) for part in (data[:half], b'', data[half:])]
        open(packed, 'wb').write((b'\\0' * 8).join(streams) + b'\\0' * 4)
        """
    ),
    Packer("lz4", "lz4", "lz4 -q < $plain > $packed"),
    Packer("lz4, level 9", "lz4", "lz4 -q -9 < $plain > $packed"),
    Packer("lz4 with its size", "lz4", "lz4 -qf --content-size $plain $packed"),
    Packer("lz4 in small blocks that depend on one another", "lz4", "lz4 -q -B4 -BD -BX < $plain > $packed"),
    Packer("lz4 without a checksum", "lz4", "lz4 -q --no-frame-crc < $plain > $packed"),
    Packer(
      "lz4 in three frames, one of them empty",
      "lz4",
      """
      size=$(stat -c %s "$plain")
      { head -c $((size / 2)) "$plain" | lz4 -q; lz4 -q < /dev/null
        tail -c +$((size / 2 + 1)) "$plain" | lz4 -q -9; } > "$packed"
      """
    ),
  ]
}
