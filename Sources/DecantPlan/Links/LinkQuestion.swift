package import DecantBase
internal import DecantStore

/// Columns that look like links, in words: a question if an answer is required, otherwise a note.
package struct LinkQuestion {
  /// The columns, at least one.
  package let columns: [LinkEvidence]
  /// The database as the user named it.
  package let place: String

  package init(columns: [LinkEvidence], place: String) {
    (self.columns, self.place) = (columns, place)
  }

  /// The error that asks for a decision on each column.
  package var error: DecantError {
    DecantError(.decisionNeeded, message, remedy: remedy)
  }

  private var message: DecantError.Text {
    let texts = columns.map { evidence in
      if evidence.isAmbiguous {
        return
          "\(evidence.column) looks like a foreign key, but its values fit several tables: \(evidence.text)"
      }
      return evidence.typeColumn == nil || evidence.hasPrefixes && evidence.types.count == 1
        ? "\(evidence.column) looks like a foreign key to \(evidence.types.first?.root ?? evidence.target.root): \(evidence.text)"
        : "\(evidence.column) looks like a foreign key to several tables: \(evidence.text)"
    }
    let declares =
      "the schema of “\(place)” does not declare \(columns.count == 1 ? "this link" : "these links")"
    return "\(texts.joined(separator: ";\n  ")). The keys of these tables will change, but \(declares)"
  }

  private var remedy: DecantError.Text {
    let (open, clear) = (columns.filter(\.isAmbiguous), columns.filter { !$0.isAmbiguous })
    var answers: [DecantError.Text] = []
    if !clear.isEmpty {
      let links: [DecantError.Text] = clear.flatMap { $0.links() }.map { "\(say: .link, $0)" }
      let no: [DecantError.Text] = clear.map { "\(say: .noLink, $0.column.description)" }
      answers.append(
        """
        decide for each column: \(links.joined(separator: " ")) if it is a foreign key, \(no.joined(separator: " ")) if not
        """
      )
    }
    for evidence in open {
      let links: [DecantError.Text] = evidence.choices.map { "\(say: .link, $0)" }
      answers.append(
        """
        choose one for \(evidence.column): \(links.joined(separator: ", ")), or \(say: .noLink, evidence.column.description)
        """
      )
    }
    return
      (answers + [
        "\(shell: "“decant inspect \(place.shellWord) \(option: .suggestLinks)” writes", app: "the link suggestions of an inspection are") a file of these decisions for \(option: .links)"
      ]).joined(separator: "\n  ")
  }

  /// Returns the note on columns for which only the values suggest a link.
  ///
  /// - Parameter columns: The columns; those with strong evidence are ignored.
  /// - Returns: The note; `nil` without such columns.
  package static func note(on columns: [LinkEvidence]) -> ReportNote? {
    let weak = columns.filter { $0.weight == .weak }
    guard !weak.isEmpty else { return nil }
    let texts: [DecantError.Text] = weak.map { evidence in
      guard !evidence.isList else {
        return
          "\(evidence.column) (\(evidence.text) of \(evidence.target.root); \(option: .link) cannot express this)"
      }
      let links: [DecantError.Text] = evidence.links().map { "\(say: .link, $0)" }
      return "\(evidence.column) (\(evidence.text): \(links.joined(separator: " ")))"
    }
    let what =
      weak.count == 1 ? "this column may hold keys, and is" : "these columns may hold keys, and are"
    let no: [DecantError.Text] = weak.map { "\(say: .noLink, $0.column.description)" }
    return ReportNote(
      .possibleLinks,
      "\(what) copied unchanged: \(texts.joined(separator: "; "))",
      remedy: "\(no.joined(separator: " ")) turns this note off",
      after: ". "
    )
  }
}
