/// Columns that look like links, in words: a question where nothing goes on without an answer, else a note.
struct LinkQuestion {
  /// The columns; at least one.
  let columns: [LinkEvidence]
  /// The database, as the user named it.
  let place: String

  /// The error that asks for each column what it is.
  var error: DecantError {
    DecantError(.usage, message, remedy: remedy)
  }

  private var message: String {
    let texts = columns.map { evidence in
      evidence.typeColumn == nil
        ? "\(evidence.column) looks like a link to \(evidence.target.root): \(evidence.text)"
        : "\(evidence.column) looks like a link to several tables: \(evidence.text)"
    }
    let declares =
      "nothing in “\(place)” declares \(columns.count == 1 ? "this link" : "these links")"
    return texts.joined(separator: ";\n  ") + ". Keys there change, and \(declares)"
  }

  private var remedy: String {
    let links = columns.flatMap { $0.links() }.map { "--link \($0.shellQuoted)" }
    let no = columns.map { "--no-link \($0.column.description.shellWord)" }.joined(separator: " ")
    return [
      "say for each what it is: \(links.joined(separator: " ")) where it is a link, \(no) where it is not",
      "“decant inspect \(place.shellWord) --suggest-links” writes a file for --links that decides once",
    ].joined(separator: "\n  ")
  }

  /// Returns the note on columns of which the values alone speak for a link.
  ///
  /// - Parameter columns: The columns; strong evidence is no matter of a note.
  /// - Returns: The note; `nil` where there are no columns.
  static func note(on columns: [LinkEvidence]) -> String? {
    let weak = columns.filter { $0.weight == .weak }
    guard !weak.isEmpty else { return nil }
    let texts = weak.map { evidence in
      let links = evidence.links().map { "--link \($0.shellQuoted)" }.joined(separator: " ")
      return "\(evidence.column) (\(evidence.text): \(links))"
    }
    let what =
      weak.count == 1 ? "this column may hold keys, and is" : "these columns may hold keys, and are"
    let no = weak.map { "--no-link \($0.column.description.shellWord)" }.joined(separator: " ")
    return "\(what) copied as \(weak.count == 1 ? "it is" : "they are"): "
      + texts.joined(separator: "; ") + ". \(no) turns this note off"
  }
}
