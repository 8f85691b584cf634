public import Foundation

/// A folder of a test's own, removed with everything in it when the value goes.
public final class TemporaryFolder {
  public let url: URL

  /// Makes the folder.
  ///
  /// - Parameter inMemory: Whether it is to be on a file system in memory, where there is one.
  /// - Throws: What keeps it from being made.
  public init(inMemory: Bool = false) throws {
    let memory = URL(fileURLWithPath: "/dev/shm")
    let parent =
      inMemory && FileManager.default.isWritableFile(atPath: memory.path)
      ? memory : FileManager.default.temporaryDirectory
    url = parent.appendingPathComponent("decant-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// Returns the path of `name` in the folder.
  public func path(_ name: String) -> String {
    url.appendingPathComponent(name).path
  }
}
