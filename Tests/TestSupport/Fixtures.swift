public import Foundation

/// The real stores, models and recipe files that tests read.
///
/// They are not part of the project: they lie in `../shared/fixtures` beside it, or in the folder
/// that `DECANT_FIXTURES` names.
public enum Fixtures {
  /// The folder, or `nil` where this machine has none.
  public static let folder: URL? = {
    let place =
      ProcessInfo.processInfo.environment["DECANT_FIXTURES"].map { URL(fileURLWithPath: $0) }
      ?? projectFolder.deletingLastPathComponent().appendingPathComponent("shared/fixtures")
    guard FileManager.default.fileExists(atPath: place.path) else {
      print("fixtures: skipped, no folder \(place.lastPathComponent); set DECANT_FIXTURES")
      return nil
    }
    return place
  }()

  /// Whether the folder is there: the condition of tests that read from it.
  public static var areAvailable: Bool { folder != nil }

  /// The folder of the Core Data stores.
  public static var stores: URL? { folder?.appendingPathComponent("coredata") }

  /// The top folder of the project.
  public static let projectFolder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Copies a store's main file and its `-wal` into `folder`, writable, and returns its new place.
  public static func copyStore(_ file: String, into folder: URL) throws -> URL {
    guard let stores else { throw CocoaError(.fileNoSuchFile) }
    let source = stores.appendingPathComponent(file)
    let copy = folder.appendingPathComponent(source.lastPathComponent)
    for suffix in ["", "-wal"] {
      let from = source.path + suffix
      guard FileManager.default.fileExists(atPath: from) else { continue }
      try Data(contentsOf: URL(fileURLWithPath: from)).write(to: URL(fileURLWithPath: copy.path + suffix))
    }
    return copy
  }
}
