import Foundation
import TestSupport

/// One call to the system that fails, or before which something happens.
struct Fault: CustomStringConvertible {
  /// The calls that are counted together, as the shim names them.
  enum Kind: String, CaseIterable {
    case open, read, write, sync, rename, unlink, truncate, make, map, lock, look, close

    /// What the system says, most telling first.
    var errors: [Int32] {
      switch self {
      case .open: [EACCES, EMFILE, EINTR, ENOSPC]
      case .read: [EIO, EINTR]
      // A write that ends half-way says nothing.
      case .write: [ENOSPC, EIO, EINTR, 0]
      case .sync, .close, .look: [EIO]
      case .rename: [EIO, ENOSPC, EACCES, EROFS]
      case .unlink: [EIO, EACCES]
      case .truncate: [EIO, ENOSPC, EINTR]
      case .make: [ENOSPC, EROFS]
      case .map: [ENOMEM]
      case .lock: [EIO]
      }
    }

    /// Whether so many calls are alike that not every one need be tried.
    var isPlentiful: Bool { [.read, .lock, .look].contains(self) }
  }

  var kind: Kind
  /// Which call of the kind, from 1 on.
  var number: Int
  var error: Int32
  /// Whether all calls after it fail as well.
  var lasts = false

  /// What repeats it.
  var description: String {
    "\(kind.rawValue) \(number) fails with \(error)\(lasts ? ", and so do all later ones" : "")"
  }

  /// What the program has to find in its environment.
  func environment(in folder: URL, report: String) -> [String: String] {
    [
      "LD_PRELOAD": Fault.library, "FAULT_FOLDER": Fault.realPath(folder.path),
      "FAULT_CLASS": kind.rawValue, "FAULT_NUMBER": String(number), "FAULT_ERROR": String(error),
      "FAULT_LASTS": lasts ? "1" : "0", "FAULT_REPORT": report,
    ]
  }

  /// The library, which is built beside the tests, whichever program they run.
  static let library = DecantProgram.folder.appendingPathComponent("libFaultShim.so").path

  static func realPath(_ path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }
}

/// What the shim saw of a run.
struct FaultReport {
  /// How many calls there were of each kind.
  var counts: [Fault.Kind: Int] = [:]
  /// How many of them failed; `nil` where the program did not get to its end.
  var failureCount: Int?
  /// The first call that failed.
  var call = ""

  init(_ path: String) {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return }
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { continue }
      if let kind = Fault.Kind(rawValue: parts[0]) { counts[kind] = Int(parts[1]) }
      if parts[0] == "failed" { failureCount = Int(parts[1]) }
      if parts[0] == "call" { call = parts[1] }
    }
  }
}
