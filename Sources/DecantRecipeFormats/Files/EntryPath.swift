/// Paths of entries in a folder or a container, with `/` between their parts; none that leads out of it.
package enum EntryPath {
  /// The folder of `path` with a `/` behind it, empty at the root.
  package static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// The last part of `path`.
  package static func name(of path: String) -> String {
    let part = path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
    return String(part)
  }

  /// `path` with `.` and `..` taken away; `nil` for one that climbs out, is absolute, or holds a NUL.
  package static func clean(_ path: String) -> String? {
    guard !path.isEmpty, !path.hasPrefix("/"), !path.utf8.contains(0) else { return nil }
    let (parts, climbs) = parts(of: path)
    return parts.isEmpty || climbs ? nil : parts.joined(separator: "/")
  }

  /// The path of a member of a container that calls itself `name`: what would lead out of the container is left
  /// out, as nothing is ever written under that name.
  package static func inside(_ name: String) -> String {
    let path = parts(of: name).parts.joined(separator: "/")
    if path.isEmpty { return "unnamed" }
    return path.utf8.contains(0) ? String(path.map { $0 == "\0" ? "\u{fffd}" : $0 }) : path
  }

  /// The parts of `path` without `.` and `..`, and whether it climbs out of where it begins.
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
