import Foundation
import TestSupport
import Testing

@testable import SampleKitchen

struct SamplesTests {
  static let files = ["Guests.sqlite", "Kitchen.sqlite", "SyncMetadata.sqlite"]

  @Test func `two runs give the same bytes`() throws {
    let (first, second) = (try Samples(), try Samples())
    for file in SamplesTests.files {
      #expect(try first.bytes(file) == second.bytes(file), "\(file)")
    }
  }

  @Test func `a second run replaces the files of the first`() throws {
    let samples = try Samples()
    let before = try samples.bytes("Kitchen.sqlite")
    try SampleCommand.write(into: samples.folder)
    #expect(try samples.bytes("Kitchen.sqlite") == before)
    let names = try FileManager.default.contentsOfDirectory(atPath: samples.folder)
    #expect(names.sorted() == SamplesTests.files)
  }

  @Test(arguments: files)
  func `the committed sample is what the generator writes`(file: String) throws {
    var expected = [UInt8](try Samples.committed.bytes(file))
    var written = [UInt8](try Samples().bytes(file))
    // SQLite notes its own version in these four bytes, and nothing else of itself.
    expected.replaceSubrange(96..<100, with: [0, 0, 0, 0])
    written.replaceSubrange(96..<100, with: [0, 0, 0, 0])
    #expect(written == expected, "run `make samples`")
  }

  @Test func `all samples together are small`() throws {
    let samples = try Samples()
    let total = try SamplesTests.files.reduce(0) { try $0 + samples.bytes($1).count }
    #expect(total < 400_000)
  }

  @Test(arguments: files)
  func `a sample is a single file`(file: String) throws {
    let header = [UInt8](try Samples().bytes(file).prefix(20))
    #expect(header[18...] == [1, 1])
  }
}
