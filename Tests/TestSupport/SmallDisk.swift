public import Foundation

/// A file system in memory of a given size, or another view of a folder, as long as the value lives.
public final class SmallDisk {
  private let place: URL

  /// Mounts a file system of `kilobytes` at `place`, a folder.
  public init(at place: URL, kilobytes: Int) throws {
    self.place = place
    try SmallDisk.mount(["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", place.path])
  }

  /// Shows `folder` at `place` so that nobody can write there.
  public init(at place: URL, readOnly folder: URL) throws {
    self.place = place
    try SmallDisk.mount(["--bind", folder.path, place.path])
    try SmallDisk.mount(["-o", "remount,bind,ro", place.path])
  }

  deinit { _ = try? Program.run(["umount", "-l", place.path]) }

  /// Makes room.
  public func grow() throws { try SmallDisk.mount(["-o", "remount,size=256m", place.path]) }

  private static func mount(_ arguments: [String]) throws {
    let run = try Program.run(["mount"] + arguments)
    guard run.status == 0 else { throw Program.Failure(program: "mount", errors: run.errors) }
  }

  /// Whether this user may mount here: the condition of tests that do, which are skipped else.
  public static let isPermitted: Bool = {
    guard getuid() == 0, let folder = try? TemporaryFolder() else { return false }
    return (try? SmallDisk(at: folder.url, kilobytes: 64)) != nil
  }()
}
