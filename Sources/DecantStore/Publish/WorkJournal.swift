package import DecantBase

/// How far the work in a folder has come: by it the next run ends, continues or clears what was interrupted.
///
/// One small text file with a line for each subject: its name and its values, separated by tabs. The file is replaced as a
/// whole, so that it is complete or not there, and it is on the disk before `write` returns.
package struct WorkJournal {
  /// What a line is about; the raw value is its first word.
  package enum Subject: String {
    /// Two files that are about to change names.
    case exchange
    /// That the store kept a write-ahead log until it was held.
    case log
    /// The steps of a migration that are done.
    case steps
    /// The ID table that is written when the store is in place.
    case idTable = "id-table"
    /// An old store that is to be removed.
    case removal
  }

  /// The file.
  let path: String

  /// Where it is written before it gets its name.
  var partial: String { path + ".decant-partial" }

  private static let form = "decant journal 1"
  private static let end = "end"

  /// Returns the values noted on `subject`; `nil` where there are none.
  ///
  /// - Throws: `DecantError` of the family `.corruptStore` where the file is no whole journal.
  package func values(of subject: Subject) throws(DecantError) -> [String]? {
    try read()[subject.rawValue]
  }

  /// Notes `values` on `subject`, or removes what is noted on it; what they speak of must be on the disk already.
  package func write(_ values: [String]?, on subject: Subject) throws(DecantError) {
    var lines = try read()
    guard lines[subject.rawValue] != values else { return }
    lines[subject.rawValue] = values
    guard !lines.isEmpty else {
      return try explaining { () throws(SystemError) in
        try Files.remove(path)
        try Files.syncFolder(Files.folder(of: path))
      }
    }
    let text =
      [WorkJournal.form]
      + lines.sorted { $0.key < $1.key }.map {
        ([$0.key] + $0.value.map(WorkJournal.escaped)).joined(separator: "\t")
      }
      + [WorkJournal.end, ""]
    let file = try OutputFile(partial)
    file.write(text.joined(separator: "\n"))
    try file.close()
    try explaining { () throws(SystemError) in
      try Files.sync(partial)
      try Files.replace(path, with: partial)
      try Files.syncFolder(Files.folder(of: path))
    }
  }

  private func read() throws(DecantError) -> [String: [String]] {
    guard let status = FileStatus(unfollowed: path) else { return [:] }
    var bytes: [UInt8] = []
    if status.isFile, status.byteCount < 65_536 {
      bytes = try explaining { () throws(SystemError) in try Files.content(of: path) }
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard lines.count > 1, lines.first == WorkJournal.form[...], lines.last == WorkJournal.end[...]
    else {
      throw DecantError(
        .damaged,
        "“\(path)” is not a decant journal, or is truncated",
        place: "the journal records which of two files is the store and which replaces it",
        remedy:
          "check that the store is complete (\(command: "inspect", app: "by an inspection")), then move “\(Files.folder(of: path))” away"
      )
    }
    var values: [String: [String]] = [:]
    for line in lines.dropFirst().dropLast() {
      let words = line.split(separator: "\t", omittingEmptySubsequences: false)
      values[String(words[0])] = words.dropFirst().map(WorkJournal.unescaped)
    }
    return values
  }

  private static let escapes = [("%", "%25"), ("\n", "%0A"), ("\r", "%0D"), ("\t", "%09")]

  private static func escaped(_ value: String) -> String {
    escapes.reduce(value) { $0.replacing($1.0, with: $1.1) }
  }

  private static func unescaped(_ word: Substring) -> String {
    escapes.reversed().reduce(String(word)) { $0.replacing($1.1, with: $1.0) }
  }
}
