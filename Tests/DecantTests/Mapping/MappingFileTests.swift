import Foundation
import Testing
import TestSupport

@testable import DecantBase
@testable import DecantMapping
@testable import DecantPlan

/// The file a mapping is in, before anything in it counts.
@Suite struct MappingFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ bytes: [UInt8]) throws -> String {
    let path = folder.path("map.yaml")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func error(_ path: String) -> DecantError? {
    do throws(DecantError) {
      _ = try Mapping.read(path)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a file is read as its text is`() throws {
    let path = try path(Array(MappingExample.yaml.utf8))
    #expect(try Mapping.read(path) == Mapping(text: MappingExample.yaml, place: path))
  }

  @Test func `a byte order mark of UTF-8 moves nothing`() throws {
    let text = "contract: { entities: discard }"
    let read = try Mapping.read(path([0xEF, 0xBB, 0xBF] + Array(text.utf8)))
    #expect(read.contract.entities == .discard)
    let wrong = try path([0xEF, 0xBB, 0xBF] + Array("contrast: {}".utf8))
    #expect(error(wrong)?.place == "\(wrong):1:1")
    #expect(try Mapping(text: "\u{FEFF}" + text, place: "m").contract.entities == .discard)
  }

  @Test(arguments: [
    String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32BigEndian,
  ])
  func `another encoding is refused`(_ encoding: String.Encoding) throws {
    let path = try path(Array(#require("decant: 1\n".data(using: encoding))))
    let error = error(path)
    #expect(error?.family == .usage)
    #expect(error?.message == "“\(path)” is not UTF-8: it looks like UTF-16 or a binary file")
    #expect(error?.remedy == "save it as UTF-8")
  }

  @Test func `bytes that are no UTF-8 are told with their place`() throws {
    // “ü” as ISO 8859-1 has it, behind one as UTF-8 has it.
    let path = try path(Array("decant: 1\n# ü ".utf8) + [0xFC] + Array("\n".utf8))
    let error = error(path)
    #expect(error?.family == .usage)
    #expect(error?.message == "invalid UTF-8")
    #expect(error?.place == "\(path):2:5")
  }

  @Test func `NUL is refused where it stands`() throws {
    let path = try path(Array("decant: 1\n".utf8) + [0])
    #expect(error(path)?.message == "the character U+0000 is not allowed in a mapping")
    #expect(error(path)?.place == "\(path):2:1")
  }

  @Test func `a file that is not there is told`() {
    let path = folder.path("none.yaml")
    let error = error(path)
    #expect(error?.family == .usage)
    #expect(error?.message == "there is no mapping file at “\(path)”")
    #expect(self.error(path + "/map.yaml")?.family == .usage)
  }

  @Test func `a folder is no mapping`() {
    let error = error(folder.url.path)
    #expect(error?.family == .usage)
    #expect(error?.message == "“\(folder.url.path)” is a folder, but a mapping must be a file")
  }

  @Test func `a file that is too large is refused by its size`() throws {
    let path = try path([])
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    // A hole of a terabyte, which nobody could read in the time of a test.
    try file.truncate(atOffset: 1 << 40)
    try file.close()
    #expect(error(path)?.family == .usage)
    #expect(error(path)?.message == "“\(path)” is larger than 1 MiB, the limit for a mapping")
  }

  @Test func `what has no size is read to the bound`() {
    #expect(error("/dev/zero")?.message == "“/dev/zero” is larger than 1 MiB, the limit for a mapping")
    #expect(error("/dev/null") == nil)
  }

  @Test func `a link is followed`() throws {
    let link = folder.path("link.yaml")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: try path(Array("decant: 1".utf8)))
    #expect(try Mapping.read(link) == Mapping(place: link))
  }
}
