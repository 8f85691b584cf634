import DecantContainers
import Foundation
import TestSupport
import Testing

/// Tars, cpios and 7z archives that other programs make, honest and not.
@Suite struct ContainerArchiveTests {
  private let packed: Packed

  init() throws { packed = try Packed() }

  private static let made =
    ["ustar", "gnutar", "pax", "v7", "cpio", "newc", "bin"].map { "--format \($0)" }
    + ["lzma1", "lzma2", "bzip2", "deflate", "ppmd", "store"]
    .map { "--format 7zip --options 7zip:compression=\($0)" }

  private func member(_ name: String, _ bytes: [UInt8], depth: Int = 1) -> ReadMember {
    ReadMember(name: Array(name.utf8), depth: depth, bytes: bytes)
  }

  /// Has a folder of three files packed, one of them empty, and returns what is in it.
  private func pack(_ command: String, _ plain: Plain = .few) throws -> Set<ReadMember> {
    try packed.putPlain(plain.bytes)
    try packed.shell(
      """
      rm -rf in; mkdir -p in/folder/none; cp "$plain" in/a; printf soup > in/folder/Bücher; : > in/empty
      bsdtar -cf "$packed" \(command) -C in a folder empty
      """
    )
    return [
      member("a", plain.bytes), member("folder/Bücher", Array("soup".utf8)), member("empty", []),
    ]
  }

  /// As written by hand in Python: `tar` holds (name, bytes, kind) in a row.
  private func tar(_ script: String) throws {
    try packed.python(
      """
      import io, tarfile
      def build(members, **options):
        with tarfile.open(packed, 'w', **options) as t:
          for name, data, *more in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            if more: info.type, info.linkname = more
            t.addfile(info, io.BytesIO(data))
      \(script)
      """
    )
  }

  @Test(
    arguments: Effort.part(
      of: made.flatMap { one in [Plain.empty, .few, .blockAndOne, .random].map { (one, $0) } }, each: 3))
  func `what another program packs is read`(_ command: String, _ plain: Plain) throws {
    let expected = try pack(command, plain)
    #expect(try Set(packed.read()) == expected)
    #expect(try Set(packed.read(step: 7777)) == expected)
    // And as it comes through a pipe, which nobody can go back in.
    let run = try packed.packStream("unpack", "< <(cat \"$packed\") | wc -c", "bash")
    #expect(run.output.contains("\(plain.bytes.count + 4)"), "\(run.output) \(run.errors)")
  }

  @Test(arguments: made) func `it may be packed itself`(_ command: String) throws {
    let expected = try pack(command).map {
      ReadMember(name: $0.name, depth: 2, bytes: $0.bytes)
    }
    let whole = try packed.bytes
    for program in ["gzip", "bzip2", "xz", "zstd -q", "lz4 -q"] {
      try packed.putPlain(whole)
      try packed.shell("\(program) -c < \"$plain\" > \"$packed\"")
      #expect(try Set(packed.read()) == Set(expected), "\(program)")
      #expect(throws: ContainerError.exceeded(.depth, limit: 1)) {
        try packed.read(ContainerLimits(depth: 1))
      }
    }
  }

  @Test(arguments: made) func `its limits are exact`(_ command: String) throws {
    let expected = try pack(command)
    // Folders count as members.
    #expect(try packed.read(ContainerLimits(memberCount: 5)).count == expected.count)
    #expect(throws: ContainerError.exceeded(.memberCount, limit: 4)) {
      try packed.read(ContainerLimits(memberCount: 4))
    }
    #expect(throws: ContainerError.exceeded(.depth, limit: 0)) {
      try packed.read(ContainerLimits(depth: 0))
    }
    try packed.shell("seq 99999 > in/a; bsdtar -cf \"$packed\" \(command) -C in a")
    let count = try packed.read()[0].bytes.count
    let packedCount = try packed.bytes.count
    #expect(try packed.read(ContainerLimits(totalByteCount: max(count, packedCount))).count == 1)
    let limit = max(count, packedCount) - 1
    #expect(throws: ContainerError.exceeded(.totalByteCount, limit: limit)) {
      try packed.read(ContainerLimits(totalByteCount: limit))
    }
  }

  @Test(arguments: made) func `every cut is an error`(_ command: String) throws {
    let expected = try pack(command)
    let whole = try packed.bytes
    // Zeros at the end may be more than are needed.
    let end = (whole.lastIndex { $0 != 0 } ?? 0) + 1
    for count in (0..<end).reversed() {
      try packed.put(Array(whole[..<count]))
      do {
        let members = try packed.read()
        // Less than what tells an archive is plain bytes.
        let isPlain = count <= 512 && members.map(\.depth) == [0]
        #expect(isPlain, "cut at \(count) of \(whole.count): \(members.count) of \(expected.count)")
      } catch is ContainerError {}
    }
  }

  @Test(arguments: SeededGenerator.seeds(3))
  func `many changes at once are no more than an error`(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for command in Self.made {
      _ = try pack(command)
      let whole = try packed.bytes
      for _ in 0..<100 {
        var damaged = whole
        for _ in 0..<Int.random(in: 1...20, using: &generator) {
          let index = Int.random(in: damaged.indices, using: &generator)
          switch Int.random(in: 0..<4, using: &generator) {
          case 0: damaged[index] = UInt8.random(in: 0...255, using: &generator)
          case 1: damaged[index] = Bool.random(using: &generator) ? 0 : 0xFF
          case 2: damaged.insert(damaged[index], at: index)
          default: if damaged.count > 1 { damaged.remove(at: index) }
          }
        }
        try packed.put(damaged)
        do { _ = try packed.read() } catch is ContainerError {}
      }
    }
  }

  @Test(arguments: made)
  func `bytes behind the end are an error`(_ command: String) throws {
    _ = try pack(command)
    let whole = try packed.bytes
    try packed.put(whole + Array("soup".utf8))
    #expect(throws: ContainerError.self) { try packed.read() }
    // As another archive, whose members would be lost.
    try packed.put(whole + whole)
    #expect(throws: ContainerError.self) { try packed.read() }
  }

  @Test(arguments: ["USTAR_FORMAT", "GNU_FORMAT", "PAX_FORMAT"])
  func `names are only data`(_ format: String) throws {
    let names = [
      "../../etc/passwd", "/etc/passwd", "C:\\x", "./a", "same", "same", "é", "e\u{301}", "🍲 soup",
    ]
    let long = format == "USTAR_FORMAT" ? [] : [String(repeating: "é", count: 9000)]
    let script = (names + long).map { "(\"\($0.replacing("\\", with: "\\\\"))\", b'x')" }
    try tar("build([\(script.joined(separator: ", "))], format=tarfile.\(format))")
    let found = try packed.read()
    #expect(found.map(\.bytes) == (names + long).map { _ in [0x78] })
    // Those that are told to be UTF-8 come composed.
    #expect(found.map { String(decoding: $0.name ?? [], as: UTF8.self) } == names + long)
  }

  @Test func `names of another encoding come as they are`() throws {
    try tar(
      """
      name = b'Cr\\xe8me'.decode('latin-1')
      build([(name, b'x')], format=tarfile.GNU_FORMAT, encoding='latin-1')
      """
    )
    #expect(try packed.read().map(\.name) == [[0x43, 0x72, 0xE8, 0x6D, 0x65]])
  }

  @Test func `links and devices are told and have no bytes`() throws {
    try tar(
      """
      build([('a', b'soup'), ('b', b'', tarfile.SYMTYPE, '../../etc/passwd'), ('c', b'', tarfile.LNKTYPE, 'a'),
             ('d', b'', tarfile.FIFOTYPE, ''), ('e', b'', tarfile.CHRTYPE, ''), ('f', b'', tarfile.DIRTYPE, ''),
             ('g', b'bread')])
      """
    )
    let members = try packed.read()
    let names = members.map { String(decoding: $0.name ?? [], as: UTF8.self) }
    #expect(names == ["a", "b", "c", "d", "e", "g"])
    #expect(members.map(\.kind) == [.file, .link, .link, .other, .other, .file])
    #expect(members.map(\.bytes.count) == [4, 0, 0, 0, 0, 5])
  }

  @Test func `a file by two names in a cpio keeps its bytes`() throws {
    try packed.shell("printf soup > a; ln -f a b; bsdtar -cf \"$packed\" --format newc a b")
    #expect(try packed.read().contains { $0.bytes == Array("soup".utf8) && $0.kind == .file })
  }

  @Test func `a tar without its end is an error`() throws {
    try tar("build([('a', b'soup'), ('b', b'bread')])")
    try packed.put(Array(packed.bytes[..<2048]))
    let error = #expect(throws: ContainerError.self) { try packed.read() }
    guard case .truncated("a tar", at: 2048) = error else {
      Issue.record("\(error as Any)")
      return
    }
  }

  // MARK: 7z

  /// Writes a 7z by hand: `seven` has one file, packed as is told, with the header plain or packed.
  private static let seven = """
    import lzma, os, struct, zlib
    def num(n):
      for i in range(8):
        if n < 1 << (7 * (i + 1)):
          return bytes([0xFF << (8 - i) & 0xFF | n >> (8 * i)]) + (n & (1 << 8 * i) - 1).to_bytes(i, 'little')
      return b'\\xff' + n.to_bytes(8, 'little')
    def raw(data): return lzma.compress(data, lzma.FORMAT_RAW, filters=[{'id': lzma.FILTER_LZMA1, 'dict_size': 1 << 16}])
    def coder(dictionary=1 << 16): return b'\\x23\\3\\1\\1\\5' + struct.pack('<BI', 93, dictionary)
    def streams(place, packed, size, crc, coders, count=1, files=None):
      folder = num(count) + coders
      made = b'\\6' + num(place) + num(1) + b'\\x09' + num(packed) + b'\\0'
      digest = b'\\x0a\\1' + struct.pack('<I', crc) + b'\\0'
      made += b'\\7\\x0b' + num(1) + b'\\0' + folder + b'\\x0c' + num(size) * count + (digest if not files else b'\\0')
      if files: made += b'\\x08' + (b'\\x0d' + num(files) if files > 1 else b'') + digest
      return made + b'\\0'
    def seven(data=b'soup', coders=None, count=1, files=1, substreams=1, pack=False, pack_size=None, pack_coder=None):
      body = raw(data)
      names = b'a\\0\\0\\0'
      header = b'\\1\\4' + streams(0, len(body), len(data), zlib.crc32(data), coders or coder(), count, substreams)
      header += b'\\5' + num(files) + b'\\x11' + num(len(names) + 1) + b'\\0' + names + b'\\0\\0'
      if pack:
        inner = raw(header)
        end = b'\\x17' + streams(len(body), len(inner), pack_size or len(header), zlib.crc32(header), pack_coder or coder())
        body, header = body + inner, end
      start = struct.pack('<QQI', len(body), len(header), zlib.crc32(header))
      return b'7z\\xbc\\xaf\\x27\\x1c\\0\\4' + struct.pack('<I', zlib.crc32(start)) + start + body + header
    \n
    """

  private func seven(_ arguments: String) throws {
    try packed.python(Self.seven + "open(packed, 'wb').write(seven(\(arguments)))")
  }

  @Test(arguments: ["", "pack=True", "data=b'x' * 300000", "pack=True, data=os.urandom(99999)"])
  func `a 7z that is written by hand is read`(_ arguments: String) throws {
    try seven(arguments)
    let members = try packed.read()
    #expect(members.map(\.name) == [[0x61]] && members.map(\.bytes.isEmpty) == [false])
  }

  private static let hostile: [(arguments: String, kind: String)] = [
    ("coders=coder(1 << 30)", "needs more than 128 MiB of memory"),
    ("coders=coder(1 << 30), pack=True", "needs more than 128 MiB of memory"),
    ("pack=True, pack_coder=coder(1 << 30)", "needs more than 128 MiB of memory"),
    ("coders=b'\\x21\\x21\\1\\x28'", "needs more than 128 MiB of memory"),
    ("coders=b'\\x23\\3\\4\\1\\5' + struct.pack('<BI', 6, 1 << 31)", "needs more than 128 MiB of memory"),
    ("pack=True, pack_size=1 << 32", "takes more than 16 MiB"),
    ("files=100000000", "more than 100000 members"),
    ("files=100000000, pack=True", "more than 100000 members"),
    ("substreams=100000000", "more than 100000 members"),
    ("coders=b'\\x24\\6\\xf1\\7\\1\\2\\x13\\0'", "encrypted"),
    ("pack=True, pack_coder=b'\\x24\\6\\xf1\\7\\1\\2\\x13\\0'", "encrypted"),
    ("coders=b'\\x14\\3\\3\\1\\x1b\\4\\1'", "BCJ2"),
  ]

  @Test(arguments: hostile.map(\.arguments))
  func `what a 7z asks for is limited before it gets it`(_ arguments: String) throws {
    let hostile = try #require(Self.hostile.first { $0.arguments == arguments })
    try seven(arguments)
    let run = try packed.packStream("unpack", "< \"$packed\" > /dev/null")
    #expect(run.status == 1 && !run.isCrash)
    #expect(run.errors.contains(hostile.kind), "\(run.errors)")
    let line = run.errors.split(separator: "\n").last
    let peak = line?.split(separator: " ").last.flatMap { Int($0) }
    if !Sanitizer.isActive { #expect(peak ?? .max < 40 << 10, "\(run.errors)") }
  }
}
