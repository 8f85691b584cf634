/// Paths of entries in a folder or a container, with `/` between their parts; none may lead out of it.
package enum EntryPath {
  /// Returns the folder of `path` with a `/` at the end; empty at the root.
  package static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// Returns the last part of `path`.
  package static func name(of path: String) -> String {
    let part = path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
    return String(part)
  }

  /// Returns `path` without `.` and `..`; `nil` for one that leads out of the folder, is absolute, or contains a NUL.
  package static func clean(_ path: String) -> String? {
    guard !path.isEmpty, !path.hasPrefix("/"), !path.utf8.contains(0) else { return nil }
    let (parts, climbs) = parts(of: path)
    return parts.isEmpty || climbs ? nil : parts.joined(separator: "/")
  }

  /// Returns the path of a container member called `name`, without the parts that would lead out of the container; the
  /// path is only a label, as nothing is ever written there.
  package static func inside(_ name: String) -> String {
    let path = parts(of: name).parts.joined(separator: "/")
    if path.isEmpty { return "unnamed" }
    return path.utf8.contains(0) ? String(path.map { $0 == "\0" ? "\u{fffd}" : $0 }) : path
  }

  /// Returns the parts of `path` without `.` and `..`, and whether it leads out of its starting folder.
  private static func parts(of path: String) -> (parts: [Substring], climbs: Bool) {
    var parts: [Substring] = []
    var climbs = false
    for part in path.split(separator: "/", omittingEmptySubsequences: true) {
      switch part {
      case ".": continue
      case "..": if parts.popLast() == nil { climbs = true }
      default: parts.append(part)
      }
    }
    return (parts, climbs)
  }
}
