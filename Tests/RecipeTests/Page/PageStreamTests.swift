import Decant
import Foundation
import TestSupport
import Testing

@testable import DecantPages

/// What is written piece by piece, held against Python's `plistlib`.
@Suite struct PageStreamTests {
  @Test(arguments: [5, 64, 300, 70_000]) func `a picture is found in an archive at any seam`(_ length: Int)
    throws
  {
    let files = try SharedFiles()
    let hex: String = try files.python(
      """
      import json, plistlib, sys
      png = b"\\x89PNG\\r\\n\\x1a\\n" + b"O" * int(sys.argv[1])
      print(json.dumps(plistlib.dumps(
          {"$objects": ["$null", "O" * 40, b"O" * 20, png], "$version": 100000},
          fmt=plistlib.FMT_BINARY).hex()))
      """,
      [String(length)]
    )
    let archive = stride(from: 0, to: hex.count, by: 2).compactMap { start in
      UInt8(hex.utf8.dropFirst(start).prefix(2).reduce("") { $0 + String(UnicodeScalar($1)) }, radix: 16)
    }
    for size in [archive.count, 8, 9, 26, 27, 100, 101] {
      var search = ArchivedPictureSearch(end: archive.count)
      try SharedFiles.giver(archive, count: size)({ piece throws(DecantError) in
        search.look(into: piece)
      })
      // Data of fewer than 15 bytes hold no picture.
      guard length + 8 > 16 else {
        #expect(search.found == nil)
        continue
      }
      let found = try #require(search.found, "pieces of \(size)")
      #expect(found.format == .png && found.count == length + 8)
      #expect(Array(archive[found.start...].prefix(4)) == [0x89, 0x50, 0x4e, 0x47])
    }
  }
}
