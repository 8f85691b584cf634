import DecantContainers
import TestSupport
import Testing

/// Zips that other programs write, honest and not.
@Suite struct ContainerZipTests {
  private let packed: Packed

  init() throws { packed = try Packed() }

  /// What the scripts below share: `build` writes the members to a file or, as to a pipe, only forwards.
  private static let prelude = """
    import io, os, struct, zipfile, zlib
    data = open(plain, 'rb').read() if os.path.exists(plain) else b''
    class Forward(io.RawIOBase):
      def __init__(self, file): self.file = file
      def writable(self): return True
      def write(self, data): return self.file.write(data)
      def flush(self): self.file.flush()
    def build(members, method=zipfile.ZIP_DEFLATED, pipe=False, **options):
      with open(packed, 'wb') as file:
        with zipfile.ZipFile(Forward(file) if pipe else file, 'w', method) as z:
          for name, data in members:
            info = zipfile.ZipInfo('x')
            info.filename = info.orig_filename = name
            info.compress_type = method
            info.extra = options.get('extra', b'')
            with z.open(info, 'w', force_zip64=options.get('wide', False)) as f: f.write(data)
          z.comment = options.get('comment', b'')
    \n
    """

  private func build(_ script: String) throws { try packed.python(Self.prelude + script) }

  private func member(_ name: String, _ bytes: [UInt8]) -> ReadMember {
    ReadMember(name: Array(name.utf8), depth: 1, bytes: bytes)
  }

  @Test(
    arguments: [
      "", "pipe=True", "wide=True", "wide=True, pipe=True", "comment=b'PK' * 300",
      "method=zipfile.ZIP_STORED", "method=zipfile.ZIP_STORED, pipe=True",
      "method=zipfile.ZIP_STORED, pipe=True, wide=True", "extra=b'UX' + bytes([8]) + bytes(9)",
    ],
    [Plain.empty, .few, .blockAndOne]
  )
  func `what Python zips is read`(_ options: String, _ plain: Plain) throws {
    let bytes = plain.bytes
    try packed.putPlain(bytes)
    try build("build([('a.decant', data), ('b/c.jpg', b'second')], \(options))")
    #expect(try packed.read() == [member("a.decant", bytes), member("b/c.jpg", Array("second".utf8))])
  }

  @Test func `what is stored may look like the end of itself`() throws {
    // Signatures of all parts of a zip, and descriptors with a wrong checksum.
    let trap = """
      trap = b'PPPK' + b'PK\\x07\\x08' * 9 + b'PK\\x03\\x04' + b'PK\\x01\\x02' + b'PK\\x05\\x06'
      trap += b'PK\\x07\\x08' + struct.pack('<III', zlib.crc32(trap) ^ 1, len(trap), len(trap))
      MORE
      trap = b'{' + trap + b'P' * 5000
      open(plain, 'wb').write(trap)
      build([('a', trap), ('b', trap)], method=zipfile.ZIP_STORED, pipe=True)
      """
    try build(trap.replacing("MORE", with: ""))
    let bytes = try packed.plain
    #expect(try packed.read() == [member("a", bytes), member("b", bytes)])
    // One with the right checksum and a wrong size is a lie that somebody made.
    let lie = """
      trap = b'{' + trap
      trap += b'PK\\x07\\x08' + struct.pack('<III', zlib.crc32(trap), len(trap), len(trap) + 1)
      trap = trap[1:]
      """
    try build(trap.replacing("MORE", with: lie))
    let error = #expect(throws: ContainerError.self) { try packed.read() }
    guard case .damaged = error else { Issue.record("\(error as Any)"); return }
  }

  @Test func `a zip as the Finder makes it is read`() throws {
    // Sizes behind the members, owners in extra fields, and a shadow of each member in __MACOSX.
    try packed.putPlain(Plain.text)
    try build(
      """
      shadow = bytes.fromhex('00051607000200004d6163204f532058') + bytes(60)
      members = [('Soup.decant', data), ('__MACOSX/', b''), ('__MACOSX/._Soup.decant', shadow)]
      build(members, pipe=True, extra=b'UX' + struct.pack('<HIIHH', 12, 1, 2, 501, 20))
      """
    )
    let members = try packed.read()
    #expect(
      members.map { String(decoding: $0.name ?? [], as: UTF8.self) } == [
        "Soup.decant", "__MACOSX/._Soup.decant",
      ]
    )
    #expect(members.first == member("Soup.decant", Plain.text))
  }

  @Test func `what the zip program makes is read, folders and streams included`() throws {
    try Packed.need("zip")
    try packed.putPlain(Plain.text)
    try packed.shell(
      """
      mkdir -p folder/empty; cp "$plain" folder/a; rm -f out.zip
      zip -qr out.zip folder; mv out.zip "$packed"
      """
    )
    #expect(try packed.read() == [member("folder/a", Plain.text)])
    try packed.shell("zip -q -fd - - < \"$plain\" > \"$packed\"")
    #expect(try packed.read() == [member("-", Plain.text)])
    try packed.shell("cp \"$plain\" b; zip -q -P secret out.zip b; mv out.zip \"$packed\"")
    #expect(throws: ContainerError.encrypted(at: 0)) { try packed.read() }
  }

  @Test func `an empty zip has no members`() throws {
    try build("build([])")
    #expect(try packed.read() == [])
    try build("build([], comment=b'nothing')")
    #expect(try packed.read() == [])
  }

  @Test func `names are only data`() throws {
    try build(
      """
      names = ['../../etc/passwd', '/etc/passwd', 'C:\\\\x', '', 'same', 'same', '\\u00e9' * 9000]
      build([(name, name[:5].encode()) for name in names])
      """
    )
    let names = [
      "../../etc/passwd", "/etc/passwd", "C:\\x", "", "same", "same",
      String(repeating: "é", count: 9000),
    ]
    let found = try packed.read()
    // Slashes that lean the other way are straightened where there are no others.
    let expected = names.map { $0.replacing("C:\\", with: "C:/") }
    #expect(found.map { String(decoding: $0.name ?? [], as: UTF8.self) } == expected)
    #expect(found.map(\.bytes) == names.map { Array($0.prefix(5).utf8) })
  }

  @Test func `a name with a zero is an error`() throws {
    try build("build([('a\\0b', b'soup')])")
    #expect(throws: ContainerError.self) { try packed.read() }
  }

  @Test func `another compression in a zip is read or told`() throws {
    try build("build([('a', b'soup' * 99)], method=zipfile.ZIP_BZIP2)")
    let bytes = Array(String(repeating: "soup", count: 99).utf8)
    #expect(try packed.read() == [member("a", bytes)])
    // Its dictionary may be of any size.
    try build("build([('a', b'soup' * 99)], method=zipfile.ZIP_LZMA)")
    let error = #expect(throws: ContainerError.self) { try packed.read() }
    guard case .unsupported(let reason, _) = error else { Issue.record("\(error as Any)"); return }
    #expect(reason.contains("lzma"))
  }

  /// Changes to a sound zip of two members after which its directory lies, or it is not whole.
  private static let lies = [
    "another name":
      "z = z[:-22].replace(b'b.jpg', b'c.jpg') + z[-22:]; z = z.replace(b'c.jpg', b'b.jpg', 1)",
    "another place": "z = edit(z, directory + 42, '<I', 1)",
    "another checksum": "z = edit(z, directory + 16, '<I', 1)",
    "another size": "z = edit(z, directory + 24, '<I', 1)",
    "another method": "z = edit(z, directory + 10, '<H', 0)",
    "another count": "z = edit(z, len(z) - 12, '<H', 1)",
    "another place of the directory": "z = edit(z, len(z) - 6, '<I', 0)",
    "a member that is not in the directory":
      "z = z[:directory] + z[second:-22] + edit(z[-22:], 10, '<H', 1)",
    "no directory": "z = z[:directory] + z[-22:]",
    "an entry twice": "z = z[:directory] + z[directory:second] + z[directory:]",
    "bytes between members and directory": "z = z[:directory] + b'soup' + z[directory:]",
    "bytes behind": "z += b'soup'",
    "a comment that is cut": "z = edit(z, len(z) - 2, '<H', 4)",
    "a folder with content": "z = z.replace(b'b.jpg', b'b.jp/')",
    "encrypted": "z = edit(z, 6, '<H', 1)",
    "its directory masked": "z = edit(z, 6, '<H', 1 << 13 | 1 << 6 | 1)",
    "two directories":
      "z = z[:-22] + z[-22:] + z[directory:-22].replace(b'b.jpg', b'c.jpg') + z[-22:]",
    "two ends": "z += z[-22:]",
    "another zip in the comment": "z = z[:-2] + struct.pack('<H', len(z)) + z",
    "another member, seen by the directory alone":
      "z = z[:second + 42] + struct.pack('<I', 1) + z[second + 46:]",
  ]

  @Test(arguments: lies.keys.sorted())
  func `a zip that contradicts itself is an error`(_ lie: String) throws {
    let change = try #require(Self.lies[lie])
    try build(
      """
      build([('a.decant', b'soup' * 50), ('b.jpg', b'picture' * 50)])
      z = open(packed, 'rb').read()
      directory = z.index(b'PK\\x01\\x02')
      second = z.index(b'PK\\x01\\x02', directory + 1)
      def edit(z, place, format, value):
        new = struct.pack(format, value)
        assert z[place:place + len(new)] != new
        return z[:place] + new + z[place + len(new):]
      """
    )
    #expect(try packed.read().count == 2)
    try build(
      """
      z = open(packed, 'rb').read()
      directory = z.index(b'PK\\x01\\x02')
      second = z.index(b'PK\\x01\\x02', directory + 1)
      def edit(z, place, format, value):
        new = struct.pack(format, value)
        return z[:place] + new + z[place + len(new):]
      before = z
      \(change)
      assert z != before
      open(packed, 'wb').write(z)
      """
    )
    #expect(throws: ContainerError.self) { try packed.read() }
  }

  @Test func `containers lie in one another, two deep`() throws {
    try build(
      """
      import gzip, lzma
      build([('in.zip', b'inner soup')])
      inner = open(packed, 'rb').read()
      build([('a.gz', gzip.compress(b'soup')), ('b.xz', lzma.compress(b'bread')), ('c.zip', inner),
             ('d', b'plain')])
      """
    )
    let expected = [
      ReadMember(name: Array("a.gz".utf8), depth: 2, bytes: Array("soup".utf8)),
      ReadMember(name: Array("b.xz".utf8), depth: 2, bytes: Array("bread".utf8)),
      ReadMember(name: Array("in.zip".utf8), depth: 2, bytes: Array("inner soup".utf8)),
      ReadMember(name: Array("d".utf8), depth: 1, bytes: Array("plain".utf8)),
    ]
    #expect(try packed.read() == expected)
    try packed.python("import gzip; z = open(packed, 'rb').read(); open(packed, 'wb').write(gzip.compress(z))")
    #expect(throws: ContainerError.exceeded(.depth, limit: 2)) { try packed.read(ContainerLimits(depth: 2)) }
    let deeper = ContainerLimits(depth: 3)
    #expect(try packed.read(deeper).map(\.bytes) == expected.map(\.bytes))
    #expect(try packed.read(deeper).map(\.depth) == [3, 3, 3, 2])
  }
}
