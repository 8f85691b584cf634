public import Foundation

/// A folder of a test's own, removed with everything in it when the value goes.
public final class TemporaryFolder {
  public let url: URL

  /// Makes the folder.
  ///
  /// - Parameter inMemory: Whether it is to be on a file system in memory, where there is one with room.
  /// - Throws: What keeps it from being made.
  public init(inMemory: Bool = false) throws {
    let parent =
      inMemory && Self.hasMemory
      ? URL(fileURLWithPath: Self.memory)
      : FileManager.default.temporaryDirectory
    url = parent.appendingPathComponent("decant-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  private static let memory = "/dev/shm"

  /// Whether there is a file system in memory, and a gibibyte free in it: containers often have 64 MiB.
  private static let hasMemory: Bool = {
    let files = FileManager.default
    let free = try? files.attributesOfFileSystem(forPath: memory)[.systemFreeSize] as? NSNumber
    return files.isWritableFile(atPath: memory) && (free?.int64Value ?? 0) >= 1 << 30
  }()

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// Returns the path of `name` in the folder.
  public func path(_ name: String) -> String {
    url.appendingPathComponent(name).path
  }
}
