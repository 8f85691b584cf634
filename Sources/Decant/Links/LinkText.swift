extension CopyOptions.Link {
  /// What is wrong with the text of a link.
  package struct Mistake: Error {
    /// The mistake, with the form that is wanted.
    package let message: String
  }

  /// Reads `table.column -> table`, as the command line and links files have it.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - place: Where it stands, for errors, such as `links.yaml:3:5`; `nil` for the command line.
  /// - Throws: `Mistake` for a text of another form.
  package init(text: String, place: String? = nil) throws(Mistake) {
    guard let arrow = text.firstRange(of: "->") else {
      throw Mistake(
        message: "write the link as 'table.column -> table', like 'note.recipe_id -> recipe'"
      )
    }
    let target = text[arrow.upperBound...].trimmed
    guard !target.isEmpty else {
      throw Mistake(message: "“\(text)” does not say which table the link leads to")
    }
    let property = try Property(text: String(text[..<arrow.lowerBound]))
    guard target.lowercased().firstRange(of: " where ") == nil else {
      throw Mistake(
        message: "a link with a condition cannot be followed yet: --no-link \(property) copies the "
          + "column as it is"
      )
    }
    self.init(property, to: target)
    self.place = place
  }
}

extension Property {
  /// Reads `table.column`; what stands before the last point is the table.
  ///
  /// - Parameter text: The text.
  /// - Throws: `CopyOptions.Link.Mistake` for a text of another form.
  package init(text: String) throws(CopyOptions.Link.Mistake) {
    let name = text[...].trimmed
    guard let point = name.lastIndex(of: "."), point > name.startIndex,
      name.index(after: point) < name.endIndex
    else {
      throw CopyOptions.Link.Mistake(
        message: "write the column as table.column, like note.recipe_id"
      )
    }
    self.init(String(name[..<point]), String(name[name.index(after: point)...]))
  }
}

extension Substring {
  /// The text without blanks around it.
  package var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
