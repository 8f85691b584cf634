import DecantContainers
import Foundation
import TestSupport
import Testing

/// What strangers send to fill memory, disks and days.
@Suite struct ContainerLimitsTests {
  private let packed: Packed

  init() throws { packed = try Packed() }

  /// Bombs of 64 MiB and more that others pack, and the limit that ends each.
  private static let bombs: [(name: String, program: String, script: String, kind: String)] = [
    ("gzip", "gzip", "head -c 268435456 /dev/zero | gzip -9 > $packed", "1000 times"),
    ("zstd", "zstd", "head -c 268435456 /dev/zero | zstd -q > $packed", "1000 times"),
    ("xz", "xz", "head -c 67108864 /dev/zero | xz -1 > $packed", "1000 times"),
    ("bzip2", "bzip2", "head -c 67108864 /dev/zero | bzip2 > $packed", "1000 times"),
    (
      "tar that is sparse", "python3",
      """
      python3 - "$packed" <<'END'
      import io, sys, tarfile
      with tarfile.open(sys.argv[1], 'w') as t:
        info = tarfile.TarInfo('a')
        info.pax_headers = {'GNU.sparse.major': '0', 'GNU.sparse.minor': '1', 'GNU.sparse.name': 'a',
          'GNU.sparse.size': str(1 << 40), 'GNU.sparse.numblocks': '1', 'GNU.sparse.map': '0,4'}
        info.size = 4
        t.addfile(info, io.BytesIO(b'soup'))
      END
      """, "1000 times"
    ),
    (
      "tar with a header without end", "python3",
      """
      python3 - "$packed" <<'END'
      import gzip, io, sys, tarfile
      with gzip.open(sys.argv[1], 'wb') as file:
        with tarfile.open(fileobj=file, mode='w|') as t:
          info = tarfile.TarInfo('a')
          info.pax_headers = {'GNU.sparse.major': '1', 'GNU.sparse.minor': '0', 'GNU.sparse.name': 'a',
            'GNU.sparse.realsize': '99'}
          info.size = 1 << 26
          text = (b'%d\\n' % (1 << 24)).ljust(8, b'0') + b'0\\n0\\n' * (1 << 24)
          t.addfile(info, io.BytesIO(text[:1 << 26]))
      END
      """, "takes more than 1 MiB"
    ),
    (
      "7z", "bsdtar",
      """
      head -c 67108864 /dev/zero > "$plain"
      bsdtar -cf "$packed" --format 7zip -C "$(dirname "$plain")" plain
      """, "1000 times"
    ),
    (
      "tar of many", "python3",
      """
      python3 - "$packed" <<'END'
      import gzip, sys, tarfile
      with gzip.open(sys.argv[1], 'wb') as file:
        with tarfile.open(fileobj=file, mode='w|') as t:
          for i in range(100001): t.addfile(tarfile.TarInfo(f'{i}'))
      END
      """, "more than 100000 members"
    ),
    (
      "zip", "python3",
      """
      python3 - "$packed" <<'END'
      import sys, zipfile
      with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED, compresslevel=9) as z:
        for i in range(9): z.writestr(f'{i}', bytes(30 << 20))
      END
      """, "1000 times"
    ),
    ("gzip in gzip", "gzip", "head -c 67108864 /dev/zero | gzip -9 | gzip -9 > $packed", "1000 times"),
    (
      "zstd in zip", "zstd",
      """
      head -c 268435456 /dev/zero | zstd -q > "$plain"
      python3 -c 'import sys, zipfile
      zipfile.ZipFile(sys.argv[1], "w").write(sys.argv[2])' "$packed" "$plain"
      """, "1000 times"
    ),
    (
      "five gzips", "gzip", "head -c 9999999 /dev/zero | gzip | gzip | gzip | gzip | gzip > $packed",
      "more than 4 levels deep"
    ),
    (
      "zip of many", "python3",
      """
      python3 - "$packed" <<'END'
      import sys, zipfile
      with zipfile.ZipFile(sys.argv[1], 'w') as z:
        for i in range(100001): z.writestr(f'{i}', b'soup')
      END
      """, "more than 100000 members"
    ),
  ]

  @Test(arguments: bombs.map(\.name))
  func `a bomb is an error, and memory stays as it is`(_ name: String) throws {
    let bomb = try #require(Self.bombs.first { $0.name == name })
    try Packed.need(bomb.program)
    try packed.shell(bomb.script)
    let run = try packed.packStream("unpack", "< \"$packed\" > /dev/null")
    #expect(run.status == 1 && !run.isCrash)
    #expect(run.errors.contains(bomb.kind), "\(run.errors)")
    if !Sanitizer.isActive { #expect(try peak(run) < 40 << 10, "\(run.errors)") }
  }

  @Test(
    .disabled(if: Sanitizer.isActive, "a sanitizer needs memory of its own"),
    arguments: ["gz", "zst", "lz4", "zip", "plain"]
  )
  func `memory does not grow with the stream`(_ name: String) throws {
    var peaks: [Int] = []
    for byteCount in [8_000_000, 40_000_000] {
      let input = "seq 1 99999999 | head -c \(byteCount)"
      try packed.shell("\(input) | '\(Packed.packStreamPath)' pack x.\(name) > \"$packed\" 2> \"$plain\"")
      let packing = try peak(Program.run(["cat", packed.plainPath]).output)
      let reading = try packed.packStream("unpack", "< \"$packed\" > /dev/null")
      peaks += [packing, try peak(reading)]
    }
    #expect(peaks.allSatisfy { $0 < 40 << 10 }, "\(peaks)")
    #expect(peaks[2] < peaks[0] + 4096 && peaks[3] < peaks[1] + 4096, "\(peaks)")
  }

  @Test(
    .disabled(if: Sanitizer.isActive, "a sanitizer needs memory of its own"),
    arguments: [
      "bsdtar -cf - --format ustar plain", "bsdtar -cf - --format ustar plain | gzip",
      "bsdtar -cf - --format newc plain", "bsdtar -cf - --format 7zip plain", "bzip2 -c plain",
      "bsdtar -cf - --format zip plain",
    ]
  )
  func `memory does not grow with the archive`(_ command: String) throws {
    var peaks: [Int] = []
    for byteCount in [8_000_000, 40_000_000] {
      let input = "seq 1 99999999 | head -c \(byteCount)"
      try packed.shell("\(input) > \"$plain\"; \(command) > \"$packed\"")
      // From the file, and from a pipe.
      peaks.append(try peak(packed.packStream("unpack", "< \"$packed\" > /dev/null")))
      let piped = try packed.packStream("unpack", "< <(cat \"$packed\") > /dev/null", "bash")
      peaks.append(try peak(piped))
    }
    #expect(peaks.allSatisfy { $0 < 40 << 10 }, "\(peaks)")
    #expect(peaks[2] < peaks[0] + 4096 && peaks[3] < peaks[1] + 4096, "\(peaks)")
  }

  private func peak(_ run: Program) throws -> Int { try peak(run.errors) }

  private func peak(_ text: String) throws -> Int {
    let line = try #require(text.split(separator: "\n").last { $0.hasPrefix("peak ") })
    return try #require(Int(line.dropFirst(5)))
  }

  @Test(arguments: compressions)
  func `the limit of bytes is exact`(_ compression: Compression) throws {
    let bytes = Plain.lines(300_000)
    try packed.write([bytes], compression)
    let enough = ContainerLimits(totalByteCount: bytes.count)
    #expect(try packed.read(enough).map(\.bytes) == [bytes])
    let limit = bytes.count - 1
    #expect(throws: ContainerError.exceeded(.totalByteCount, limit: limit)) {
      try packed.read(ContainerLimits(totalByteCount: limit))
    }
  }

  @Test func `the limit of bytes is one of all members together`() throws {
    try packed.python(
      """
      import zipfile
      with zipfile.ZipFile(packed, 'w', zipfile.ZIP_DEFLATED) as z:
        for i in range(5): z.writestr(f'{i}', bytes(1000))
      """
    )
    #expect(try packed.read(ContainerLimits(totalByteCount: 5000)).count == 5)
    #expect(throws: ContainerError.exceeded(.totalByteCount, limit: 4999)) {
      try packed.read(ContainerLimits(totalByteCount: 4999))
    }
    #expect(try packed.read(ContainerLimits(memberCount: 5)).count == 5)
    #expect(throws: ContainerError.exceeded(.memberCount, limit: 4)) {
      try packed.read(ContainerLimits(memberCount: 4))
    }
  }

  @Test(arguments: compressions)
  func `the limit of depth is exact`(_ compression: Compression) throws {
    try packed.write([Plain.text], compression)
    let depth = compression == .none ? 0 : 1
    #expect(try packed.read(ContainerLimits(memberCount: 1, depth: depth)).count == 1)
    if depth > 0 {
      #expect(throws: ContainerError.exceeded(.depth, limit: 0)) {
        try packed.read(ContainerLimits(depth: 0))
      }
    }
  }

  @Test func `what is packed well is no bomb below the limit`() throws {
    let bytes = [UInt8](repeating: 0x20, count: 20 << 20)
    try packed.write([bytes], .gzip, level: 9)
    #expect(try packed.read(ContainerLimits(expansion: 1100)).map(\.bytes.count) == [bytes.count])
    #expect(throws: ContainerError.exceeded(.expansion, limit: 100)) {
      try packed.read(ContainerLimits(expansion: 100))
    }
    // Below the grace nothing is a bomb.
    try packed.write([Array(bytes[..<ContainerLimits.expansionGrace])], .zstd)
    #expect(try packed.read(ContainerLimits(expansion: 1)).count == 1)
  }
}
