public import Foundation

/// One call to the system that fails, or before which something happens.
public struct Fault: CustomStringConvertible {
  /// The calls that are counted together, as the library names them.
  public enum Kind: String, Sendable {
    case open, read, write, sync, rename, unlink, truncate, make, map, lock, look, close
    /// Every call that changes a file: what lies on the disk changes with these and between no two of them.
    case change

    /// All but `change`, whose calls are counted as others as well.
    public static let single: [Kind] = [
      .open, .read, .write, .sync, .rename, .unlink, .truncate, .make, .map, .lock, .look, .close,
    ]

    /// What the system says, most telling first.
    public var errors: [Int32] {
      switch self {
      case .open: [EACCES, EMFILE, EINTR, ENOSPC]
      case .read: [EIO, EINTR]
      // A write that ends half-way says nothing.
      case .write: [ENOSPC, EIO, EINTR, 0]
      case .sync, .close, .look, .change: [EIO]
      case .rename: [EIO, ENOSPC, EACCES, EROFS]
      case .unlink: [EIO, EACCES]
      case .truncate: [EIO, ENOSPC, EINTR]
      case .make: [ENOSPC, EROFS]
      case .map: [ENOMEM]
      case .lock: [EIO]
      }
    }

    /// Whether so many calls are alike that not every one need be tried.
    public var isPlentiful: Bool { [.read, .lock, .look].contains(self) }
  }

  public var kind: Kind
  /// Which call of the kind, from 1 on; 0 for none.
  public var number: Int
  /// What the system says; 0 has a write end half-way.
  public var error: Int32
  /// Whether all calls after it fail as well.
  public var lasts = false
  /// Whether the program is killed before the call; with the error 0, half-way through a write.
  public var kills = false

  /// Whether the file system knows no more than plain renames.
  public var hasPlainRenames = false

  public init(kind: Kind, number: Int, error: Int32, kills: Bool = false) {
    self.kind = kind
    self.number = number
    self.error = error
    self.kills = kills
  }

  /// What repeats it.
  public var description: String {
    "\(kind.rawValue) \(number) \(kills ? "kills" : "fails") with \(error)\(lasts ? ", and so do all later ones" : "")"
  }

  /// What the program has to find in its environment.
  ///
  /// - Parameters:
  ///   - folder: Calls on files below it are counted.
  ///   - report: The file that tells afterwards what was met, for a `FaultReport`.
  /// - Returns: The variables that the library reads.
  public func environment(in folder: URL, report: String) -> [String: String] {
    var variables = [
      "LD_PRELOAD": FaultShim.library, "FAULT_FOLDER": Fault.realPath(folder.path),
      "FAULT_CLASS": kind.rawValue, "FAULT_NUMBER": String(number), "FAULT_ERROR": String(error),
      "FAULT_LASTS": lasts ? "1" : "0", "FAULT_REPORT": report,
    ]
    if kills { variables["FAULT_KILLS"] = "1" }
    if hasPlainRenames { variables["FAULT_PLAIN"] = "1" }
    return variables
  }

  /// `path` without symbolic links, as the library compares it.
  public static func realPath(_ path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }
}
