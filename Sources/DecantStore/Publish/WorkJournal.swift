package import DecantBase

/// The journal of the work in a folder, by which the next run completes, continues or removes interrupted work.
///
/// It is a small text file with a line for each subject: its name and its values, separated by tabs. It is replaced as
/// a whole, so that it is either complete or missing, and it is durable before `write` returns.
package struct WorkJournal {
  /// The subject of a line; the raw value is its first word.
  package enum Subject: String {
    /// Two files whose names are about to be exchanged.
    case exchange
    /// The store had a write-ahead log before it was locked.
    case log
    /// The completed steps of a migration.
    case steps
    /// The ID table to write once the store is in place.
    case idTable = "id-table"
    /// An old store to remove.
    case removal
  }

  /// The path of the file.
  let path: String

  /// The path of the file before it is renamed.
  var partial: String { path + ".decant-partial" }

  private static let form = "decant journal 1"
  private static let end = "end"

  /// Returns the values recorded for `subject`; `nil` if there are none.
  ///
  /// - Throws: `DecantError` of the family `.corruptStore` if the file is not a complete journal.
  package func values(of subject: Subject) throws(DecantError) -> [String]? {
    try read()[subject.rawValue]
  }

  /// Records `values` for `subject`, or removes its record; the files that they refer to must be durable already.
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
