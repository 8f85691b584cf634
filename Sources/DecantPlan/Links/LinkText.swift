internal import DecantBase
package import DecantStore

extension CopyOptions.Link {
  /// Parses `table.column -> table`, as on the command line and in links files, or `… WHERE condition`.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - place: Its position for errors, such as `links.yaml:3:5`; `nil` for the command line.
  /// - Throws: `LinkMistake` for invalid syntax.
  package init(text: String, place: String? = nil) throws(LinkMistake) {
    guard let arrow = text.firstRange(of: "->") else {
      throw LinkMistake(message: "write the foreign key as 'table.column -> table', like 'note.recipe_id -> recipe'")
    }
    let target = text[arrow.upperBound...]
    let (name, condition) = target.splitAtWhere
    guard !name.isEmpty else {
      throw LinkMistake(message: "“\(text)” does not name the target table")
    }
    self.init(
      try Property(text: String(text[..<arrow.lowerBound])),
      to: name,
      where: try condition.map { text throws(LinkMistake) in try RowCondition(text: text) }
    )
    let prefixes = self.condition?.comparisons.filter { $0.prefix != nil } ?? []
    guard prefixes.count < 2, prefixes.allSatisfy({ $0.column.isSameName(as: property.name) })
    else {
      throw LinkMistake(
        message:
          "LIKE must give the prefix of the key in the column \(property.name), exactly once"
      )
    }
    self.place = place
  }
}

extension CopyOptions.Link: CustomStringConvertible {
  /// The link in the syntax of the command line and links files.
  public var description: String {
    "\(property) -> \(target)" + (condition.map { " WHERE \($0)" } ?? "")
  }
}

extension Property {
  /// Parses `table.column`; the part before the last point is the table.
  ///
  /// - Parameter text: The text.
  /// - Throws: `LinkMistake` for invalid syntax.
  package init(text: String) throws(LinkMistake) {
    let name = text[...].trimmed
    guard let point = name.lastIndex(of: "."), point > name.startIndex,
      name.index(after: point) < name.endIndex
    else {
      throw LinkMistake(message: "write the column as table.column, like note.recipe_id")
    }
    self.init(String(name[..<point]), String(name[name.index(after: point)...]))
  }
}

extension Substring {
  /// The parts before and after the word WHERE; `nil` for the second if it does not occur.
  fileprivate var splitAtWhere: (String, String?) {
    for place in indices where self[place].isWhitespace {
      let rest = self[place...].drop(while: \.isWhitespace)
      guard rest.prefix(5).lowercased() == "where", rest.dropFirst(5).first?.isWhitespace == true
      else { continue }
      return (self[..<place].trimmed, rest.dropFirst(5).trimmed)
    }
    return (trimmed, nil)
  }
}
