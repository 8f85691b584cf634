internal import DecantBase
internal import DecantStore

/// A virtual table as described by its statement: the module, and the place of its content.
package struct VirtualTable: Sendable, Hashable {
  /// The name of the module, in lower case.
  package var module: String
  /// The arguments of the module.
  package var arguments: [String]
  /// The place of its content.
  package var content: Content

  /// The place of the content of a virtual table, which determines how it is copied.
  package enum Content: Sendable, Hashable {
    /// In its own rows, which are copied like those of any table.
    case own
    /// In an ordinary table, from which the module rebuilds it.
    case table(String)
    /// In no readable rows: only a copy of the pages preserves it.
    case unreadable(String)
  }

  /// Parses the statement that made a virtual table.
  package init(sql: String) {
    var words = StatementWords(sql)
    // CREATE VIRTUAL TABLE [IF NOT EXISTS] name USING module (…)
    while let word = words.next(), !(word.isBare && word.text.isSameName(as: "using")) {}
    module = words.next()?.text.foldedName ?? ""
    arguments = words.arguments()
    content = .unreadable("")
    content = readContent()
  }

  private func readContent() -> Content {
    switch module {
    case "rtree", "rtree_i32": return .own
    case "fts5", "fts4", "fts3":
      if option("languageid") != nil {
        return .unreadable("its rows have language IDs that cannot be read back")
      }
      guard module != "fts3", let content = option("content") else { return .own }
      return content.isEmpty
        ? .unreadable("it has no content of its own") : .table(content)
    default: return .unreadable("decant does not support its module \(module)")
    }
  }

  /// Whether the module is a full-text index.
  var findsTexts: Bool { ["fts5", "fts4", "fts3"].contains(module) }

  /// Returns the value of an argument `name=value`, without quotes.
  fileprivate func option(_ name: String) -> String? {
    for argument in arguments {
      guard let sign = argument.firstIndex(of: "=") else { continue }
      guard argument[..<sign].trimmed.isSameName(as: name) else { continue }
      return argument[argument.index(after: sign)...].trimmed.unquoted
    }
    return nil
  }
}

extension TableSchema {
  /// Returns whether the column called `name` is a coordinate of an R-tree.
  func isCoordinate(_ name: String) -> Bool {
    guard let virtual, virtual.module.hasPrefix("rtree"), let place = columns.firstIndex(where: { $0.name == name })
    else { return false }
    // The first is the key; those after a plus sign are no coordinates.
    return place > 0 && !(virtual.arguments.indices.contains(place) && virtual.arguments[place].hasPrefix("+"))
  }

  /// Returns the full-text index that it provides; `nil` for a table of another kind, and an unreadable one.
  func textIndex(_ schema: PlainSchema) -> TextIndex? {
    guard let virtual, virtual.findsTexts else { return nil }
    let root: String? =
      switch virtual.content {
      case .own: name
      case .unreadable: nil
      case .table(let content): schema.table(content).flatMap { numbering($0, virtual, schema) }
      }
    let content: String? = if case .table(let content) = virtual.content { content } else { nil }
    return TextIndex(table: name, module: virtual.module, root: root, content: content)
  }

  /// Returns the table `content` if its texts are numbered by its keys.
  private func numbering(_ content: TableSchema, _ virtual: VirtualTable, _ schema: PlainSchema) -> String? {
    let column = virtual.option("content_rowid") ?? "rowid"
    let isNumber =
      ["rowid", "_rowid_", "oid"].contains(column.foldedName) && content.column(column) == nil
      || content.rowIDAlias?.isSameName(as: column) == true
    if isNumber { return schema.key(of: content)?.isRowID == true ? content.name : nil }
    return schema.key(of: content)?.column.isSameName(as: column) == true ? content.name : nil
  }
}

/// The words of an SQL statement in order, without comments.
private struct StatementWords {
  struct Word {
    var text: String
    /// Whether the word was unquoted.
    var isBare: Bool
  }

  private var rest: Substring

  init(_ sql: String) { rest = sql[...] }

  mutating func next() -> Word? {
    skipBlanks()
    guard let first = rest.first else { return nil }
    if let end = StatementWords.closing[first] {
      var text = ""
      rest.removeFirst()
      while let character = rest.popFirst() {
        guard character == end else {
          text.append(character)
          continue
        }
        // A doubled quote is a literal quote.
        guard rest.first == end, end != "]" else { break }
        rest.removeFirst()
        text.append(end)
      }
      return Word(text: text, isBare: false)
    }
    let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
    guard !word.isEmpty else { return Word(text: String(rest.removeFirst()), isBare: false) }
    rest = rest[word.endIndex...]
    return Word(text: String(word), isBare: true)
  }

  /// Returns the arguments in the following parentheses.
  mutating func arguments() -> [String] {
    skipBlanks()
    guard rest.first == "(" else { return [] }
    rest.removeFirst()
    var arguments = [""]
    var depth = 0
    var quote: Character?
    while let character = rest.popFirst() {
      if let open = quote {
        if character == open { quote = nil }
      } else if let end = StatementWords.closing[character] {
        quote = end
      } else if character == "(" {
        depth += 1
      } else if character == ")" {
        if depth == 0 { break }
        depth -= 1
      } else if character == ",", depth == 0 {
        arguments.append("")
        continue
      }
      arguments[arguments.count - 1].append(character)
    }
    return arguments.map { $0[...].trimmed }
  }

  private mutating func skipBlanks() {
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
      } else if rest.hasPrefix("--") {
        rest = rest.drop { !$0.isNewline }
      } else if rest.hasPrefix("/*") {
        rest.removeFirst(2)
        while !rest.isEmpty, !rest.hasPrefix("*/") { rest.removeFirst() }
        rest = rest.dropFirst(2)
      } else {
        return
      }
    }
  }

  private static let closing: [Character: Character] = [
    "\"": "\"", "'": "'", "`": "`", "[": "]",
  ]
}

extension String {
  /// The text without the quotes around it.
  fileprivate var unquoted: String {
    guard count >= 2, let first, let last, "\"'`".contains(first), first == last else {
      return hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self
    }
    let inner = dropFirst().dropLast()
    return inner.split(separator: "\(first)\(first)", omittingEmptySubsequences: false)
      .joined(separator: "\(first)")
  }
}
