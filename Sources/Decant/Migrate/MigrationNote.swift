/// A few lines in the folder of a migration, by which the next run knows how far one was that was cut off.
///
/// It is whole or not there: written beside its place, and told from others by its first line.
struct MigrationNote {
  /// The file.
  let path: String
  /// The first line.
  let form: String

  private static let end = "end"

  /// Returns the lines between the first and the last; `nil` where there is no such note.
  func read() throws(DecantError) -> [String]? {
    guard let status = FileStatus(unfollowed: path), status.isFile, status.byteCount < 65_536 else {
      return nil
    }
    let bytes = try explaining { () throws(SystemError) in try Files.content(of: path) }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    guard lines.count > 1, lines.first == form, lines.last == MigrationNote.end else { return nil }
    return Array(lines.dropFirst().dropLast())
  }

  /// Writes the note anew; what it speaks of is on the disk already.
  func write(_ lines: [String]) throws(DecantError) {
    let partial = path + ".decant-partial"
    let file = try OutputFile(partial)
    file.write(([form] + lines + [MigrationNote.end]).map { $0 + "\n" }.joined())
    try file.close()
    try explaining { () throws(SystemError) in
      try Files.sync(partial)
      try Files.remove(path)
      try Files.publish(partial, at: path)
      try Files.syncFolder(Files.folder(of: path))
    }
  }

  private static let escapes = [("%", "%25"), ("\n", "%0A"), ("\r", "%0D")]

  /// The path on one line.
  static func escaped(_ path: String) -> String {
    escapes.reduce(path) { $0.replacing($1.0, with: $1.1) }
  }

  /// The path of such a line.
  static func unescaped(_ line: String) -> String {
    escapes.reversed().reduce(line) { $0.replacing($1.1, with: $1.0) }
  }
}
