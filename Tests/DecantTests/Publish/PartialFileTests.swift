import Foundation
import TestSupport
import Testing

@testable import DecantBase
@testable import DecantStore

@Suite struct PartialFileTests {
  @Test func `a finished file appears at its place, whole, and nothing stays beside it`() throws {
    let folder = try TemporaryFolder()
    let place = folder.path("new.sqlite")
    let partial = try PartialFile(for: place)
    #expect(!partial.isLeftOver)
    try "content".write(toFile: partial.path, atomically: false, encoding: .utf8)
    #expect(!FileManager.default.fileExists(atPath: place))
    try partial.publish()
    #expect(try String(contentsOfFile: place, encoding: .utf8) == "content")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["new.sqlite"])
  }

  @Test func `a place that was taken meanwhile stays as it is`() throws {
    let folder = try TemporaryFolder()
    let place = folder.path("new.sqlite")
    let partial = try PartialFile(for: place)
    try "mine".write(toFile: partial.path, atomically: false, encoding: .utf8)
    try "theirs".write(toFile: place, atomically: false, encoding: .utf8)
    let error = #expect(throws: DecantError.self) { try partial.publish() }
    #expect(error?.message.contains("appeared during the copy") == true)
    #expect(try String(contentsOfFile: place, encoding: .utf8) == "theirs")
    #expect(try String(contentsOfFile: partial.path, encoding: .utf8) == "mine")
  }

  @Test func `what another process is writing is busy`() throws {
    let folder = try TemporaryFolder()
    let place = folder.path("new.sqlite")
    let partial = try PartialFile(for: place)
    let other = try Program.run(["flock", "--nonblock", partial.path, "echo", "mine"])
    #expect(other.status == 1 && other.output == "")
    let error = #expect(throws: DecantError.self) { _ = try PartialFile(for: place) }
    #expect(error?.family == .storeBusy)
  }

  @Test func `a lock that another process holds is respected, and free when it is gone`() throws {
    let folder = try TemporaryFolder()
    let place = folder.path("new.sqlite")
    let holder = try RunningProgram(["flock", place + ".decant-partial", "sh", "-c", "echo held; read line"])
    #expect(holder.read() == Data("held\n".utf8))
    let error = #expect(throws: DecantError.self) { _ = try PartialFile(for: place) }
    #expect(error?.family == .storeBusy)
    _ = holder.end()
    _ = try PartialFile(for: place)
  }

  @Test func `what an earlier run left is told, kept, and cleared on request`() throws {
    let folder = try TemporaryFolder()
    let place = folder.path("new.sqlite")
    try "half".write(toFile: place + ".decant-partial", atomically: false, encoding: .utf8)
    try "log".write(toFile: place + ".decant-partial-journal", atomically: false, encoding: .utf8)
    let partial = try PartialFile(for: place)
    #expect(partial.isLeftOver)
    #expect(try String(contentsOfFile: partial.path, encoding: .utf8) == "half")
    try partial.clear()
    #expect(FileStatus(partial.path)?.byteCount == 0)
    #expect(FileStatus(partial.path + "-journal") == nil)
    partial.remove()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
  }

  // MARK: Files that are taken instead of copied

  @Test func `a finished file is taken without a copy, and its old path leads to it`() throws {
    let folder = try TemporaryFolder()
    let (place, made) = (folder.path("new.sqlite"), folder.path("made"))
    try "content".write(toFile: made, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: made)
    let number = try #require(FileStatus(made)).number
    let partial = try PartialFile(for: place)
    let mode = try #require(FileStatus(partial.path)).permissions
    #expect(try partial.take(made))
    let taken = try #require(FileStatus(unfollowed: partial.path))
    #expect(taken.number == number && taken.permissions == mode && taken.linkCount == 1)
    #expect(FileStatus(made)?.number == number)
    // The lock is on the file that is published.
    let other = try Program.run(["flock", "--nonblock", partial.path, "echo", "mine"])
    #expect(other.status == 1 && other.output == "")
    try partial.publish()
    #expect(try String(contentsOfFile: place, encoding: .utf8) == "content")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == ["made", "new.sqlite"])
  }

  @Test func `a file on another file system stays where it is`() throws {
    let (folder, memory) = (try TemporaryFolder(), try TemporaryFolder(inMemory: true))
    guard FileStatus(folder.url.path)?.device != FileStatus(memory.url.path)?.device else { return }
    let made = memory.path("made")
    try "content".write(toFile: made, atomically: false, encoding: .utf8)
    let partial = try PartialFile(for: folder.path("new.sqlite"))
    #expect(try !partial.take(made))
    #expect(FileStatus(partial.path)?.byteCount == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: memory.url.path) == ["made"])
    #expect(FileStatus(unfollowed: made)?.isFile == true)
  }

  @Test func `a folder that is not there is named`() throws {
    let folder = try TemporaryFolder()
    let place = folder.path("none/new.sqlite")
    let error = #expect(throws: DecantError.self) { _ = try PartialFile(for: place) }
    #expect(error?.family == .storeNotFound && error?.remedy == "create the folder first")
  }

  @Test func `a link in place of the file is not followed`() throws {
    let folder = try TemporaryFolder()
    let place = folder.path("new.sqlite")
    try "precious".write(toFile: folder.path("other"), atomically: false, encoding: .utf8)
    try FileManager.default.createSymbolicLink(
      atPath: place + ".decant-partial",
      withDestinationPath: folder.path("other")
    )
    #expect(throws: DecantError.self) { _ = try PartialFile(for: place) }
    #expect(try String(contentsOfFile: folder.path("other"), encoding: .utf8) == "precious")
  }
}
