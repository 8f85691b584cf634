import Foundation
import TestSupport
import Testing

@testable import DecantRecipeFormats

/// Texts in memory, on disk, and in both.
@Suite struct TextSpoolTests {
  private func text(_ count: Int, _ seed: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 * seed + $0 / 251) }
  }

  private func put(_ bytes: [UInt8], into spool: TextSpool, by size: Int) throws -> SpooledText {
    spool.begin()
    for start in stride(from: 0, to: bytes.count, by: size) {
      try bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { try spool.append($0) }
    }
    return spool.finish()
  }

  private func whole(_ text: SpooledText) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try text.forEachPiece { bytes += $0 }
    return bytes
  }

  /// What `text` gives when it is read `size` bytes at a time.
  private func read(_ text: SpooledText, by size: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: size)
    while true {
      let offset = Int64(bytes.count)
      let count = try buffer.withUnsafeMutableBytes { try text.read(at: offset, into: $0) }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  @Test(arguments: [0, 1, 99, 100, 101, 1000])
  func textsAreTheSameWhereverTheyLie(_ memory: Int) throws {
    let folder = try TestSupport.TemporaryFolder()
    let spool = try TextSpool(at: folder.path("texts"), memoryByteCount: memory)
    for round in 1...2 {
      let texts = [60, 0, 80, 300].enumerated().map { text($1, $0 * 2 + round) }
      let spooled = try texts.map { try put($0, into: spool, by: 33) }
      for (text, spooled) in zip(texts, spooled) {
        #expect(spooled.byteCount == Int64(text.count))
        #expect(try whole(spooled) == text)
        #expect(try read(spooled, by: 7) == text)
      }
      // What was there before the mark stays, whatever comes behind it.
      let mark = spool.mark - 300
      spool.clear(from: mark)
      let last = try put(text(250, 11), into: spool, by: 250)
      #expect(try whole(last) == text(250, 11))
      #expect(try whole(spooled[2]) == texts[2])
      spool.clear()
      #expect(spool.mark == 0)
    }
  }

  @Test func shortTextsNeedNoFile() throws {
    let folder = try TestSupport.TemporaryFolder()
    let spool = try TextSpool(at: folder.path("texts"), memoryByteCount: 100)
    let short = try put(text(100, 3), into: spool, by: 10)
    #expect(!FileManager.default.fileExists(atPath: folder.path("texts")))
    let long = try put(text(1, 5), into: spool, by: 10)
    #expect(FileManager.default.fileExists(atPath: folder.path("texts")))
    #expect(try whole(short) == text(100, 3))
    #expect(try whole(long) == text(1, 5))
  }

  @Test func aFolderThatIsNotThereIsAnError() throws {
    let folder = try TestSupport.TemporaryFolder()
    let spool = try TextSpool(at: folder.path("none/texts"), memoryByteCount: 4)
    #expect(throws: (any Error).self) { try put(text(5, 1), into: spool, by: 5) }
  }
}
