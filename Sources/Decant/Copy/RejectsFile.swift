internal import JSON
internal import SQLite

/// The list of rejected objects: one JSON line each, with its entity, its key and the reason.
struct RejectsFile {
  let path: String

  init(_ path: String) { self.path = path }

  /// Throws if another kind of file is there.
  func check() throws(DecantError) {
    try OutputFile.checkMayWrite(path, option: "--rejects") { $0.starts(with: "{\"entity".utf8) }
  }

  func write(_ rejects: Rejects) throws(DecantError) {
    let file = try OutputFile(path)
    try explaining("cannot read the rejects") { () throws(SQLiteError) in
      try rejects.forEach { root, key, code, reason in
        var id = JSONValue.null
        if case .integer(let integer) = key { id = .integer(integer) }
        if case .text(let text) = key { id = .string(text) }
        let line = JSONValue.object([
          ("entity", .string(root)), ("id", id), ("code", .string(code)),
          ("reason", .string(reason)),
        ])
        file.write(line.text + "\n")
      }
    }
    try file.close()
  }
}
