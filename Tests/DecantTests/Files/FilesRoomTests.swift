import TestSupport
import Testing

@testable import DecantBase

@Suite struct FilesRoomTests {
  @Test func `work that no disk has room for is refused before it begins`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store.sqlite")
    let error = #expect(throws: DecantError.self) {
      try Files.checkRoom(for: .max, beside: path, "the copy needs up to", remedy: "make room")
    }
    #expect(error?.family == .failed)
    let start = "not enough disk space next to “\(path)”: the copy needs up to "
    #expect(error?.message.hasPrefix(start) == true, "\(error?.message ?? "")")
    #expect(error?.message.hasSuffix(" are free") == true)
    #expect(error?.remedy == "make room")
  }

  @Test func `work that fits, or a place of which nobody knows, is not refused`() throws {
    let folder = try TemporaryFolder()
    for path in [folder.path("store.sqlite"), folder.path("gone/store.sqlite")] {
      try Files.checkRoom(for: 1, beside: path, "the copy needs up to", remedy: "make room")
    }
    #expect(Files.freeByteCount(beside: folder.path("gone/store.sqlite")) == nil)
  }
}
